/* SPDX-License-Identifier: MIT */
/* What HTTP requests are answered.
 * Not here: sockets and headers as bytes (wire_lws_http.c).
 * Next: wire_lws.h. */
#include "server/http.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HTTP_KEY_BYTES 24u /* 16 bytes in base64 */

/* ---- who may ask ---------------------------------------------------------------------------- */

static bool http_is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 5 && text[digits] == '\0';
}

static bool http_is_literal(int family, const char *text, size_t bytes)
{
    char copy[INET6_ADDRSTRLEN + 1];
    unsigned char address[sizeof(struct in6_addr)];
    if (bytes >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return inet_pton(family, copy, address) == 1;
}

static bool http_is_name(const char *name, const char *text, size_t bytes)
{
    return strlen(name) == bytes && strncasecmp(name, text, bytes) == 0;
}

bool oban_http_host_allowed(const oban_option_list *allowed, const char *host)
{
    if (host[0] == '[') {
        const char *end = strchr(host, ']');
        return end != NULL && http_is_literal(AF_INET6, host + 1, (size_t)(end - host - 1)) &&
               (end[1] == '\0' || (end[1] == ':' && http_is_port(end + 2)));
    }
    size_t bytes = strcspn(host, ":");
    if (host[bytes] == ':' && !http_is_port(host + bytes + 1)) {
        return false;
    }
    for (uint32_t i = 0; i < allowed->count; i++) {
        if (http_is_name(allowed->items[i], host, bytes)) {
            return true;
        }
    }
    return http_is_name("localhost", host, bytes) || http_is_literal(AF_INET, host, bytes);
}

bool oban_http_origin_allowed(const oban_option_list *allowed, const char *origin, const char *host)
{
    static const char *const schemes[] = {"http://", "https://"};
    if (origin[0] == '\0') {
        return true; /* no browser */
    }
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t bytes = strlen(schemes[i]);
        if (strncmp(origin, schemes[i], bytes) == 0 && strcmp(origin + bytes, host) == 0) {
            return true;
        }
    }
    for (uint32_t i = 0; i < allowed->count; i++) {
        if (strcmp(allowed->items[i], origin) == 0) {
            return true;
        }
    }
    return false;
}

/* Goes over a header's list. Returns the next item without blanks and sets *at behind it; NULL at
 * the end. */
static const char *http_next_item(const char **at, size_t *bytes)
{
    const char *item = *at + strspn(*at, ", \t");
    size_t length = strcspn(item, ",");
    *at = item + length;
    while (length > 0 && (item[length - 1] == ' ' || item[length - 1] == '\t')) {
        length--;
    }
    *bytes = length;
    return length > 0 ? item : NULL;
}

const char *oban_http_subprotocol(const char *offered)
{
    static const char known[] = OBAN_HTTP_SUBPROTOCOL;
    size_t bytes;
    for (const char *item = http_next_item(&offered, &bytes); item != NULL;
         item = http_next_item(&offered, &bytes)) {
        if (bytes == strlen(known) && memcmp(item, known, bytes) == 0) {
            return known;
        }
    }
    return NULL;
}

static bool http_asks_upgrade(const char *connection)
{
    size_t bytes;
    for (const char *item = http_next_item(&connection, &bytes); item != NULL;
         item = http_next_item(&connection, &bytes)) {
        if (http_is_name("upgrade", item, bytes)) {
            return true;
        }
    }
    return false;
}

static bool http_is_key(const char *key)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return strlen(key) == HTTP_KEY_BYTES && strspn(key, digits) == HTTP_KEY_BYTES - 2 &&
           strcmp(key + HTTP_KEY_BYTES - 2, "==") == 0;
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void http_refuse_begin(oban_http_answer *answer, uint32_t status, oban_status code,
                              const char *message)
{
    answer->status = status;
    answer->type = "application/json";
    answer->close = true;
    oban_writer_clear(&answer->body);
    oban_writer_object_begin(&answer->body);
    oban_writer_key(&answer->body, "code");
    oban_writer_string(&answer->body, oban_status_word(code));
    oban_writer_key(&answer->body, "message");
    oban_writer_string(&answer->body, message);
}

void oban_http_refuse(oban_http_answer *answer, uint32_t status, oban_status code,
                      const char *message)
{
    http_refuse_begin(answer, status, code, message);
    oban_writer_object_end(&answer->body);
}

/* A message with something of the client's in it, cut and between quotes. */
static void http_refuse_naming(oban_http_answer *answer, uint32_t status, const char *before,
                               const char *name, const char *behind)
{
    oban_line message;
    oban_line_clear(&message);
    oban_line_add(&message, before);
    oban_line_add(&message, " '");
    oban_line_add_text(&message, (oban_text){name, (uint32_t)strnlen(name, 100)});
    oban_line_add(&message, "'");
    oban_line_add(&message, behind);
    oban_http_refuse(answer, status, status == 404 ? OBAN_NOT_FOUND : OBAN_DENIED, message.data);
}

static void http_refuse_method(oban_http_answer *answer, const char *allowed)
{
    oban_line message;
    oban_line_clear(&message);
    oban_line_add(&message, "the method must be ");
    oban_line_add(&message, allowed);
    oban_http_refuse(answer, 405, OBAN_BAD_REQUEST, message.data);
    answer->header = "Allow:";
    answer->header_value = allowed;
}

static void http_refuse_version(oban_http_answer *answer, const char *message)
{
    oban_http_refuse(answer, 426, OBAN_NOT_SUPPORTED, message);
    answer->header = "Sec-WebSocket-Version:";
    answer->header_value = "13";
}

static void http_refuse_subprotocols(oban_http_answer *answer)
{
    http_refuse_begin(answer, 400, OBAN_BAD_SUBPROTOCOL,
                      "none of the subprotocols offered is known; offer " OBAN_HTTP_SUBPROTOCOL
                      ", or none");
    oban_writer_key(&answer->body, "known");
    oban_writer_array_begin(&answer->body);
    oban_writer_string(&answer->body, OBAN_HTTP_SUBPROTOCOL);
    oban_writer_array_end(&answer->body);
    oban_writer_object_end(&answer->body);
}

static void http_refuse_full(const oban_http_rules *rules, oban_http_answer *answer)
{
    oban_line message;
    oban_line_clear(&message);
    if (rules->stopping) {
        oban_line_add(&message, "the daemon is stopping");
    } else if (rules->files_short) {
        oban_line_add(&message, "too many clients: the open-file limit is reached");
    } else {
        oban_line_add(&message, "too many clients: the limit clients_max is ");
        oban_line_add_u64(&message, rules->clients_max);
    }
    oban_http_refuse(answer, 503, OBAN_LIMIT, message.data);
    answer->header = "Retry-After:";
    answer->header_value = "5";
}

/* What every request must have. */
static bool http_check_host(const oban_http_rules *rules, const oban_http_request *request,
                            oban_http_answer *answer)
{
    if (request->host[0] == '\0') {
        oban_http_refuse(answer, 400, OBAN_BAD_REQUEST, "the request has no Host");
        return false;
    }
    if (!oban_http_host_allowed(rules->allow_host, request->host)) {
        http_refuse_naming(answer, 403, "the Host", request->host,
                           " is not allowed; --allow-host would allow it");
        return false;
    }
    return true;
}

bool oban_http_upgrade(const oban_http_rules *rules, const oban_http_request *request,
                       oban_http_answer *answer)
{
    if (!http_check_host(rules, request, answer)) {
        return false;
    }
    if (strcmp(request->path, "/ws") != 0) {
        http_refuse_naming(answer, 404, "there is no", request->path, "; the WebSocket is at /ws");
    } else if (request->method != OBAN_HTTP_GET) {
        http_refuse_method(answer, "GET");
    } else if (!oban_http_origin_allowed(rules->allow_origin, request->origin, request->host)) {
        http_refuse_naming(answer, 403, "the Origin", request->origin,
                           " is not allowed; --allow-origin would allow it");
    } else if (strcmp(request->version, "13") != 0) {
        http_refuse_version(answer, "the WebSocket version must be 13");
    } else if (!http_asks_upgrade(request->connection)) {
        oban_http_refuse(answer, 400, OBAN_BAD_REQUEST, "Connection does not say Upgrade");
    } else if (!http_is_key(request->key)) {
        oban_http_refuse(answer, 400, OBAN_BAD_REQUEST,
                         "Sec-WebSocket-Key is missing or is not 16 bytes in base64");
    } else if (request->subprotocols[0] != '\0' &&
               oban_http_subprotocol(request->subprotocols) == NULL) {
        http_refuse_subprotocols(answer);
    } else if (rules->stopping || rules->files_short || rules->clients >= rules->clients_max) {
        http_refuse_full(rules, answer);
    } else {
        return true;
    }
    return false;
}

/* ---- pages ---------------------------------------------------------------------------------- */

static void http_page_status(oban_http_answer *answer, const char *status)
{
    oban_writer_object_begin(&answer->body);
    oban_writer_key(&answer->body, "status");
    oban_writer_string(&answer->body, status);
    oban_writer_key(&answer->body, "version");
    oban_writer_string(&answer->body, OBAN_VERSION);
    oban_writer_object_end(&answer->body);
}

static void http_page_healthz(const oban_http_rules *rules, oban_http_answer *answer)
{
    (void)rules; /* that it is answered says that the loop turns */
    http_page_status(answer, "ok");
}

static void http_page_readyz(const oban_http_rules *rules, oban_http_answer *answer)
{
    answer->status = rules->stopping ? 503 : 200;
    http_page_status(answer, rules->stopping ? "stopping" : "ready");
}

static void http_page_state(const oban_http_rules *rules, oban_http_answer *answer)
{
    rules->state(rules->context, &answer->body);
}

static void http_page_ws(const oban_http_rules *rules, oban_http_answer *answer)
{
    (void)rules;
    http_refuse_version(answer, "this is the WebSocket; connect with a WebSocket client");
}

static void http_page_root(const oban_http_rules *rules, oban_http_answer *answer)
{
    static const char text[] =
        "oband " OBAN_VERSION ": Oni object animations, 60 ticks a second, over WebSocket.\n"
        "\n"
        "  /ws       the WebSocket (subprotocol " OBAN_HTTP_SUBPROTOCOL ", JSON)\n"
        "  /state    everything as it is now, as one JSON object\n"
        "  /healthz  whether it lives\n"
        "  /readyz   whether it takes clients\n"
        "\n"
        "Try:  obanctl follow\n"
        "      obanctl send 'env_anim 1 3'\n";
    (void)rules;
    answer->type = "text/plain; charset=utf-8";
    oban_writer_bytes(&answer->body, text, strlen(text));
}

static const struct {
    const char *path;
    void (*fill)(const oban_http_rules *rules, oban_http_answer *answer);
} http_pages[] = {
    {"/", http_page_root},       {"/healthz", http_page_healthz}, {"/readyz", http_page_readyz},
    {"/state", http_page_state}, {"/ws", http_page_ws},
};

void oban_http_serve(const oban_http_rules *rules, const oban_http_request *request,
                     oban_http_answer *answer)
{
    if (!http_check_host(rules, request, answer)) {
        return;
    }
    for (size_t i = 0; i < sizeof http_pages / sizeof http_pages[0]; i++) {
        if (strcmp(http_pages[i].path, request->path) != 0) {
            continue;
        }
        if (request->method == OBAN_HTTP_OTHER) {
            http_refuse_method(answer, "GET, HEAD");
            return;
        }
        answer->status = 200;
        answer->type = "application/json";
        http_pages[i].fill(rules, answer);
        return;
    }
    http_refuse_naming(answer, 404, "there is no", request->path, "; see / for what there is");
}
