/* SPDX-License-Identifier: MIT */
/* Addresses and listening sockets.
 * Not here: accepting (wire_lws.c).
 * Next: loop.h. */
#include "server/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LISTEN_BACKLOG 512

/* ---- text ----------------------------------------------------------------------------------- */

static bool listen_refuse(oban_line *message, const char *text, const char *why)
{
    oban_line_clear(message);
    oban_line_add(message, "'");
    oban_line_add(message, text);
    oban_line_add(message, "' ");
    oban_line_add(message, why);
    return false;
}

static bool listen_parse_port(const char *text, uint16_t *port)
{
    unsigned long value = 0;
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 5 || text[digits] != '\0') {
        return false;
    }
    value = strtoul(text, NULL, 10);
    *port = (uint16_t)value;
    return value <= 65535u;
}

static bool listen_parse_path(const char *text, oban_address *out, oban_line *message)
{
    const char *path = text + strlen("unix:");
    struct sockaddr_un limit;
    if (path[0] == '\0') {
        return listen_refuse(message, text, "has no path; write unix:/run/user/1000/oband.sock");
    }
    if (strlen(path) >= sizeof limit.sun_path) {
        return listen_refuse(message, text, "is too long; a unix path has 107 bytes at most");
    }
    out->unix_path = true;
    memcpy(out->host, path, strlen(path) + 1);
    return true;
}

bool oban_address_parse(const char *text, oban_address *out, oban_line *message)
{
    static const char expected[] =
        "is no address; expected HOST:PORT (127.0.0.1:8765), [::1]:PORT or unix:PATH";
    *out = (oban_address){0};
    if (strncmp(text, "unix:", 5) == 0) {
        return listen_parse_path(text, out, message);
    }
    const char *host = text;
    const char *colon = strrchr(text, ':');
    if (colon == NULL) {
        return listen_refuse(message, text, expected);
    }
    size_t bytes = (size_t)(colon - text);
    if (text[0] == '[') {
        if (bytes < 3 || text[bytes - 1] != ']') {
            return listen_refuse(message, text, expected);
        }
        out->v6 = true;
        host = text + 1;
        bytes -= 2;
    } else if (memchr(text, ':', bytes) != NULL) {
        return listen_refuse(message, text, "needs brackets: [::1]:8765");
    }
    if (bytes == 0 || bytes > OBAN_LISTEN_HOST_MAX) {
        return listen_refuse(message, text, expected);
    }
    if (!listen_parse_port(colon + 1, &out->port)) {
        return listen_refuse(message, text, "has no port from 0 to 65535 after its last colon");
    }
    memcpy(out->host, host, bytes);
    return true;
}

/* ---- sockets -------------------------------------------------------------------------------- */

static bool listen_fail(oban_listener *out, oban_line *message, const char *where, const char *why)
{
    if (out->fd >= 0) {
        close(out->fd);
        out->fd = -1;
    }
    oban_line_clear(message);
    oban_line_add(message, "cannot listen on ");
    oban_line_add(message, where);
    oban_line_add(message, ": ");
    oban_line_add(message, why);
    return false;
}

/* Whether somebody answers at a unix path. What is no socket counts as somebody: it is not ours to
 * remove. */
static const char *listen_path_taken(const struct sockaddr_un *where)
{
    struct stat found;
    if (lstat(where->sun_path, &found) != 0) {
        return NULL;
    }
    if (!S_ISSOCK(found.st_mode)) {
        return "there is a file of this name that is no socket";
    }
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe < 0) {
        return strerror(errno);
    }
    int rc = connect(probe, (const struct sockaddr *)where, sizeof *where);
    int why = rc == 0 ? 0 : errno;
    close(probe);
    /* EAGAIN: its queue is full, so it lives. */
    return why == ECONNREFUSED || why == ENOENT ? NULL : "somebody answers there already";
}

static bool listen_open_path(const oban_address *address, oban_listener *out, oban_line *message)
{
    struct sockaddr_un where = {.sun_family = AF_UNIX};
    struct stat made;
    char name[OBAN_LISTEN_HOST_MAX + 8];
    snprintf(name, sizeof name, "unix:%s", address->host);
    memcpy(where.sun_path, address->host, strlen(address->host) + 1);
    const char *taken = listen_path_taken(&where);
    if (taken != NULL) {
        return listen_fail(out, message, name, taken);
    }
    out->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (out->fd < 0) {
        return listen_fail(out, message, name, strerror(errno));
    }
    (void)unlink(where.sun_path);
    if (bind(out->fd, (const struct sockaddr *)&where, sizeof where) != 0 ||
        listen(out->fd, LISTEN_BACKLOG) != 0 || stat(where.sun_path, &made) != 0) {
        return listen_fail(out, message, name, strerror(errno));
    }
    out->path_device = made.st_dev;
    out->path_inode = made.st_ino;
    memcpy(out->path, address->host, sizeof out->path);
    snprintf(out->url, sizeof out->url, "ws+unix://%s:/ws", address->host);
    return true;
}

/* The port that the kernel chose, if it was to choose. */
static uint16_t listen_port(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } bound = {.v6 = {0}};
    socklen_t bytes = sizeof bound;
    if (getsockname(fd, &bound.any, &bytes) != 0) {
        return 0;
    }
    return ntohs(bound.any.sa_family == AF_INET6 ? bound.v6.sin6_port : bound.v4.sin_port);
}

static int listen_bind(const struct addrinfo *at)
{
    int on = 1;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
    if (fd < 0) {
        return -1;
    }
    /* REUSEADDR: a restart need not wait for old connections. V6ONLY: [::] and 0.0.0.0 are two. */
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (at->ai_family == AF_INET6) {
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    }
    if (bind(fd, at->ai_addr, at->ai_addrlen) != 0 || listen(fd, LISTEN_BACKLOG) != 0) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

static bool listen_open_tcp(const oban_address *address, oban_listener *out, oban_line *message)
{
    struct addrinfo hints = {
        .ai_family = address->v6 ? AF_INET6 : AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_PASSIVE | AI_NUMERICSERV,
    };
    struct addrinfo *found = NULL;
    char port[8];
    char where[OBAN_LISTEN_HOST_MAX + 16];
    const char *open = address->v6 ? "[" : "";
    const char *shut = address->v6 ? "]" : "";
    snprintf(port, sizeof port, "%u", address->port);
    snprintf(where, sizeof where, "%s%s%s:%s", open, address->host, shut, port);
    int rc = getaddrinfo(address->host, port, &hints, &found);
    if (rc != 0) {
        return listen_fail(out, message, where, gai_strerror(rc));
    }
    /* A name may have several addresses: the first that binds is it. */
    for (const struct addrinfo *at = found; at != NULL && out->fd < 0; at = at->ai_next) {
        out->fd = listen_bind(at);
    }
    int why = errno;
    freeaddrinfo(found);
    if (out->fd < 0) {
        return listen_fail(out, message, where, strerror(why));
    }
    snprintf(out->url, sizeof out->url, "ws://%s%s%s:%u/ws", open, address->host, shut,
             listen_port(out->fd));
    return true;
}

bool oban_listener_open(const oban_address *address, oban_listener *out, oban_line *message)
{
    *out = (oban_listener){.fd = -1};
    return address->unix_path ? listen_open_path(address, out, message)
                              : listen_open_tcp(address, out, message);
}

void oban_listener_close(oban_listener *listener)
{
    struct stat found;
    if (listener->fd < 0) {
        return;
    }
    if (listener->path[0] != '\0' && lstat(listener->path, &found) == 0 &&
        found.st_dev == listener->path_device && found.st_ino == listener->path_inode) {
        (void)unlink(listener->path);
    }
    close(listener->fd);
    listener->fd = -1;
}
