/* SPDX-License-Identifier: MIT */
/* See address.h. */
#include "clients/obanctl/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORT_DEFAULT = 8765 };

static bool fail(oban_line *message, const char *why)
{
    oban_line_clear(message);
    oban_line_add(message, why);
    return false;
}

/* Copies a piece that must fit and hold no blank or control character. */
static bool take(char *out, size_t capacity, const char *from, size_t bytes)
{
    if (bytes >= capacity) {
        return false;
    }
    for (size_t i = 0; i < bytes; ++i) {
        if ((unsigned char)from[i] <= ' ' || (unsigned char)from[i] == 0x7f) {
            return false;
        }
    }
    memcpy(out, from, bytes);
    out[bytes] = '\0';
    return true;
}

static bool parse_unix(const char *path, ctl_address *out, oban_line *message)
{
    if (path[0] == '\0' || strlen(path) > 107) {
        return fail(message, "unix: needs the path of a socket, of at most 107 bytes");
    }
    out->is_unix = true;
    out->port = 0;
    (void)snprintf(out->host, sizeof out->host, "%s", path);
    (void)snprintf(out->authority, sizeof out->authority, "localhost");
    (void)snprintf(out->path, sizeof out->path, "/ws");
    return true;
}

/* The path of HTTP, from its '/' on, or none. */
static bool parse_path(const char *text, ctl_address *out, oban_line *message)
{
    if (strcmp(text, "") == 0 || strcmp(text, "/") == 0) {
        text = "/ws";
    }
    if (text[0] != '/' || strchr(text, '#') != NULL ||
        !take(out->path, sizeof out->path, text, strlen(text))) {
        return fail(message, "the path must begin with '/' and hold no blanks and no '#'");
    }
    return true;
}

/* "/run/oband.sock:/ws", as the daemon announces it: the last ":/" ends the path of the socket. */
static bool parse_announced(const char *text, ctl_address *out, oban_line *message)
{
    char socket[sizeof out->url];
    char *end = NULL;

    (void)snprintf(socket, sizeof socket, "%s", text);
    for (char *at = strstr(socket, ":/"); at != NULL; at = strstr(at + 1, ":/")) {
        end = at;
    }
    if (end == NULL) {
        return parse_unix(socket, out, message);
    }
    *end = '\0';
    return parse_unix(socket, out, message) && parse_path(text + (end + 1 - socket), out, message);
}

/* ":8765" or nothing. */
static bool parse_port(const char *text, size_t bytes, ctl_address *out)
{
    unsigned long port = 0;

    if (bytes == 0) {
        out->port = PORT_DEFAULT;
        return true;
    }
    if (text[0] != ':' || bytes < 2 || bytes > 6) {
        return false;
    }
    for (size_t i = 1; i < bytes; ++i) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        port = port * 10 + (unsigned long)(text[i] - '0');
    }
    out->port = (uint16_t)port;
    return port >= 1 && port <= 65535;
}

static bool parse_host(const char *text, size_t bytes, ctl_address *out)
{
    const char *end = text + bytes;
    const char *host = text;
    const char *host_end;
    bool brackets = bytes > 0 && text[0] == '[';

    if (brackets) {
        host = text + 1;
        host_end = memchr(host, ']', (size_t)(end - host));
    } else {
        host_end = memchr(host, ':', bytes);
        host_end = host_end != NULL ? host_end : end;
    }
    if (host_end == NULL || host_end == host ||
        !take(out->host, sizeof out->host, host, (size_t)(host_end - host)) ||
        strchr(out->host, '@') != NULL) {
        return false;
    }
    host_end += brackets ? 1 : 0;
    if (!parse_port(host_end, (size_t)(end - host_end), out)) {
        return false;
    }
    (void)snprintf(out->authority, sizeof out->authority, brackets ? "[%.250s]:%u" : "%.250s:%u",
                   out->host, (unsigned)out->port);
    return true;
}

bool address_parse(const char *url, ctl_address *out, oban_line *message)
{
    const char *rest;
    size_t bytes;

    memset(out, 0, sizeof *out);
    if (strlen(url) >= sizeof out->url) {
        return fail(message, "the URL is too long");
    }
    (void)snprintf(out->url, sizeof out->url, "%s", url);
    if (strncmp(url, "unix:", 5) == 0) {
        return parse_unix(url + 5, out, message);
    }
    if (strncmp(url, "ws+unix://", 10) == 0) {
        return parse_announced(url + 10, out, message);
    }
    if (strncmp(url, "wss://", 6) == 0) {
        return fail(message, "wss:// is not supported; use ws:// or unix:PATH");
    }
    if (strncmp(url, "ws://", 5) != 0) {
        return fail(message, "expected ws://HOST:PORT/ws or unix:PATH");
    }
    rest = url + 5;
    bytes = strcspn(rest, "/?");
    if (!parse_host(rest, bytes, out)) {
        return fail(message, "expected ws://HOST:PORT/ws with a port from 1 to 65535");
    }
    return parse_path(rest + bytes, out, message);
}

bool address_query(ctl_address *address, const char *query)
{
    size_t used = strlen(address->path);
    char mark = strchr(address->path, '?') != NULL ? '&' : '?';
    int more = snprintf(address->path + used, sizeof address->path - used, "%c%s", mark, query);

    return more > 0 && (size_t)more < sizeof address->path - used;
}
