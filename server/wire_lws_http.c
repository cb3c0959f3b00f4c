/* SPDX-License-Identifier: MIT */
/* The wire before the upgrade: HTTP requests read, http.c asked, its answers written.
 * Not here: what is answered (http.c), WebSockets (wire_lws_conn.c).
 * Next: daemon.h. */
#include "server/wire_lws_conn.h"

#include <libwebsockets.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HTTP_PIECE_BYTES 65536u
#define HTTP_PIECE_S 30                   /* in which a piece must be taken */
#define HTTP_ANSWERS_BYTES_MAX 268435456u /* of all answers under way together */
#define HTTP_WHOLE_BYTES 16384u           /* of a body that goes out with its head */
#define HTTP_FILES_SPARE 12u /* descriptors kept free, so that who is refused hears why */
#define HTTP_LIST_BYTES 128u /* libwebsockets' own buffer for lists in headers */
#define HTTP_TOKEN_BYTES 64u /* and for one subprotocol */

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct wire_request {
    oban_http_request http;
    char path[512];
    char host[300];
    char origin[512];
    char connection[HTTP_LIST_BYTES];
    char version[16];
    char key[64];
    char subprotocols[1024];
} wire_request;

/* What does not fit is no value that we know: the text is then one that never matches. */
static const char *http_header(struct lws *wsi, enum lws_token_indexes token, char *out,
                               size_t bytes)
{
    int length = lws_hdr_total_length(wsi, token);
    if (length <= 0) {
        out[0] = '\0';
    } else if (lws_hdr_copy(wsi, out, (int)bytes, token) < 0) {
        snprintf(out, bytes, "(too long)");
    }
    return out;
}

static void http_read(struct lws *wsi, wire_request *request)
{
    static const oban_http_method methods[] = {[LWSHUMETH_GET] = OBAN_HTTP_GET,
                                               [LWSHUMETH_POST] = OBAN_HTTP_OTHER,
                                               [LWSHUMETH_HEAD] = OBAN_HTTP_HEAD};
    char *path = NULL;
    int bytes = 0;
    int method = lws_http_get_uri_and_method(wsi, &path, &bytes);
    request->http.method =
        method == LWSHUMETH_GET || method == LWSHUMETH_HEAD ? methods[method] : OBAN_HTTP_OTHER;
    snprintf(request->path, sizeof request->path, "%.*s", path == NULL ? 0 : bytes,
             path == NULL ? "" : path);
    request->http.path = request->path;
    request->http.host = http_header(wsi, WSI_TOKEN_HOST, request->host, sizeof request->host);
    request->http.origin =
        http_header(wsi, WSI_TOKEN_ORIGIN, request->origin, sizeof request->origin);
    request->http.connection =
        http_header(wsi, WSI_TOKEN_CONNECTION, request->connection, sizeof request->connection);
    request->http.version =
        http_header(wsi, WSI_TOKEN_VERSION, request->version, sizeof request->version);
    request->http.key = http_header(wsi, WSI_TOKEN_KEY, request->key, sizeof request->key);
    request->http.subprotocols =
        http_header(wsi, WSI_TOKEN_PROTOCOL, request->subprotocols, sizeof request->subprotocols);
}

bool wire_http_query_has(struct lws *wsi, const char *item)
{
    char text[64];
    for (int i = 0;; i++) {
        int bytes = lws_hdr_copy_fragment(wsi, text, sizeof text, WSI_TOKEN_HTTP_URI_ARGS, i);
        if (bytes == -1) {
            return false; /* the last one was before it */
        }
        if (bytes >= 0 && strcmp(text, item) == 0) {
            return true;
        }
    }
}

/* Whether libwebsockets, which goes over the list by itself once we have granted the request, will
 * come to the same subprotocol as we; where it cannot read a list it hangs up without an answer. */
static bool http_subprotocols_agree(struct lws *wsi, const wire_request *request)
{
    struct lws_tokenize at;
    lws_tokenize_elem element;
    char name[HTTP_TOKEN_BYTES];
    if (request->subprotocols[0] == '\0') {
        return true;
    }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) >= (int)HTTP_LIST_BYTES) {
        return false;
    }
    lws_tokenize_init(&at, request->subprotocols,
                      LWS_TOKENIZE_F_COMMA_SEP_LIST | LWS_TOKENIZE_F_MINUS_NONTERM |
                          LWS_TOKENIZE_F_DOT_NONTERM | LWS_TOKENIZE_F_RFC7230_DELIMS);
    at.len = strlen(request->subprotocols);
    do {
        element = lws_tokenize(&at);
        if (element == LWS_TOKZE_TOKEN) {
            if (lws_tokenize_cstr(&at, name, sizeof name) != 0) {
                return false;
            }
            if (strcmp(name, OBAN_HTTP_SUBPROTOCOL) == 0) {
                return true;
            }
        } else if (element != LWS_TOKZE_DELIMITER) {
            return false;
        }
    } while (element > 0);
    return false;
}

/* ---- writing -------------------------------------------------------------------------------- */

static const char *http_reason(uint32_t status)
{
    static const struct {
        uint32_t status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {400, "Bad Request"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {426, "Upgrade Required"},
        {500, "Internal Server Error"},
        {503, "Service Unavailable"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Unknown";
}

static void http_line(oban_writer *head, const char *name, const char *value)
{
    oban_writer_bytes(head, name, strlen(name));
    oban_writer_bytes(head, " ", 1);
    oban_writer_bytes(head, value, strlen(value));
    oban_writer_bytes(head, "\r\n", 2);
}

/* Status line and headers. `with_body`: the body goes right behind, too. */
static bool http_send_head(struct lws *wsi, const oban_http_answer *answer, bool with_body,
                           const oban_alloc *alloc)
{
    oban_writer head;
    char text[64];
    oban_writer_init(&head, alloc);
    snprintf(text, sizeof text, "%u %s", answer->status, http_reason(answer->status));
    http_line(&head, "HTTP/1.1", text);
    http_line(&head, "Content-Type:", answer->type);
    snprintf(text, sizeof text, "%zu", answer->body.bytes);
    http_line(&head, "Content-Length:", text);
    http_line(&head, "Cache-Control:", "no-store");
    http_line(&head, "X-Content-Type-Options:", "nosniff");
    if (answer->status == 426) {
        http_line(&head, "Upgrade:", "websocket");
    }
    if (answer->header != NULL) {
        http_line(&head, answer->header, answer->header_value);
    }
    if (answer->close) {
        http_line(&head, "Connection:", answer->status == 426 ? "Upgrade, close" : "close");
    }
    oban_writer_bytes(&head, "\r\n", 2);
    if (with_body) {
        oban_writer_bytes(&head, answer->body.data, answer->body.bytes);
    }
    bool good = !head.failed &&
                lws_write(wsi, (unsigned char *)head.data, head.bytes, LWS_WRITE_HTTP_HEADERS) >= 0;
    oban_writer_fini(&head);
    return good;
}

static void http_answer_init(oban_http_answer *answer, const oban_wire *wire)
{
    *answer = (oban_http_answer){.status = 200, .type = "application/json"};
    oban_writer_init(&answer->body, &wire->def.alloc);
}

static void http_state(void *context, oban_writer *writer)
{
    oban_wire *wire = context;
    oban_sim_state_json(wire->sim, writer);
}

static oban_http_rules http_rules(oban_wire *wire, struct lws *wsi)
{
    const oban_options *options = wire->def.options;
    /* Descriptors are given out lowest first: a high one says that all below are taken. */
    uint64_t fd = (uint64_t)lws_get_socket_fd(wsi);
    return (oban_http_rules){
        .allow_host = &options->allow_host,
        .allow_origin = &options->allow_origin,
        .clients = oban_hub_client_count(oban_sim_hub(wire->sim)),
        .clients_max = options->limits.clients_max,
        .files_short = fd + HTTP_FILES_SPARE >= wire->files_max,
        .stopping = wire->stopping,
        .state = http_state,
        .context = wire,
    };
}

/* ---- requests ------------------------------------------------------------------------------- */

/* No memory for the answer: say so, with what little there is. */
static void http_check_memory(oban_http_answer *answer, const oban_wire *wire)
{
    if (answer->body.failed) {
        oban_writer_fini(&answer->body);
        http_answer_init(answer, wire);
        oban_http_refuse(answer, 500, OBAN_NO_MEMORY, oban_status_meaning(OBAN_NO_MEMORY));
    }
}

/* Whether a request for a WebSocket is granted, and libwebsockets will grant it too. */
static bool http_grants(const oban_http_rules *rules, struct lws *wsi, const wire_request *request,
                        oban_http_answer *answer)
{
    if (!oban_http_upgrade(rules, &request->http, answer)) {
        return false;
    }
    if (!http_subprotocols_agree(wsi, request)) {
        oban_http_refuse(answer, 400, OBAN_BAD_SUBPROTOCOL,
                         "the list of subprotocols is over 127 bytes or holds what cannot be read "
                         "here; offer " OBAN_HTTP_SUBPROTOCOL " alone");
        return false;
    }
    return true;
}

int wire_http_upgrade(oban_wire *wire, struct lws *wsi, const char *what)
{
    wire_request request;
    oban_http_answer answer;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) <= 0) {
        return -1; /* to another protocol: libwebsockets has answered 403 and still asks us */
    }
    oban_http_rules rules = http_rules(wire, wsi);
    http_answer_init(&answer, wire);
    http_read(wsi, &request);
    bool granted = false;
    if (strcasecmp(what, "websocket") == 0) {
        granted = http_grants(&rules, wsi, &request, &answer);
    } else {
        oban_http_serve(&rules, &request.http, &answer); /* h2c: HTTP/1.1 will do */
        answer.close = true;
    }
    if (!granted) {
        http_check_memory(&answer, wire);
        oban_log(OBAN_LOG_DEBUG, "http", "answered", OBAN_LOG_STR("path", request.path),
                 OBAN_LOG_U64("status", answer.status), OBAN_LOG_STR("host", request.host),
                 OBAN_LOG_STR("origin", request.origin));
        (void)http_send_head(wsi, &answer, request.http.method != OBAN_HTTP_HEAD, &wire->def.alloc);
    }
    oban_writer_fini(&answer.body);
    return granted ? 0 : -1;
}

/* Nobody here reads one, and what is not read would be taken for a request. */
static bool http_has_body(struct lws *wsi)
{
    char text[2] = "";
    return lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 ||
           lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 1 ||
           (lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 &&
            text[0] != '0');
}

int wire_http_request(oban_wire *wire, struct lws *wsi, oban_wire_conn *conn)
{
    wire_request request;
    oban_http_answer answer;
    oban_http_rules rules = http_rules(wire, wsi);
    http_answer_init(&answer, wire);
    http_read(wsi, &request);
    if (http_has_body(wsi)) {
        oban_http_refuse(&answer, 400, OBAN_BAD_REQUEST, "a request here has no body");
    } else if (wire->answers_bytes > HTTP_ANSWERS_BYTES_MAX) {
        oban_http_refuse(&answer, 503, OBAN_LIMIT, "too many answers are under way; try again");
    } else {
        oban_http_serve(&rules, &request.http, &answer);
    }
    http_check_memory(&answer, wire);
    oban_log(OBAN_LOG_DEBUG, "http", "answered", OBAN_LOG_STR("path", request.path),
             OBAN_LOG_U64("status", answer.status));
    /* One request a connection: libwebsockets 4.1.6 turns for ever on some that are sent behind one
     * another (tests/fuzz/seeds/handshake/pipelined.bin). */
    answer.close = true;
    bool head_only = request.http.method == OBAN_HTTP_HEAD;
    bool whole = answer.body.bytes <= HTTP_WHOLE_BYTES && !head_only;
    if (!http_send_head(wsi, &answer, whole, &wire->def.alloc) || whole || head_only) {
        oban_writer_fini(&answer.body);
        return -1;
    }
    conn->answering = true;
    conn->answer = answer.body;
    conn->answers_bytes = &wire->answers_bytes;
    wire->answers_bytes += answer.body.bytes;
    conn->answer_sent = 0;
    lws_callback_on_writable(wsi);
    return 0;
}

int wire_http_writable(struct lws *wsi, oban_wire_conn *conn)
{
    if (conn == NULL || !conn->answering) {
        return 0;
    }
    size_t left = conn->answer.bytes - conn->answer_sent;
    if (left == 0) { /* the last piece has left us */
        if (lws_partial_buffered(wsi) == 0) {
            return -1;
        }
        lws_callback_on_writable(wsi);
        return 0;
    }
    size_t bytes = left < HTTP_PIECE_BYTES ? left : HTTP_PIECE_BYTES;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, HTTP_PIECE_S);
    if (lws_write(wsi, (unsigned char *)conn->answer.data + conn->answer_sent, bytes,
                  bytes == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0) {
        return -1;
    }
    conn->answer_sent += bytes;
    lws_callback_on_writable(wsi);
    return 0;
}

void wire_http_end(oban_wire_conn *conn)
{
    if (conn != NULL && conn->answering) {
        conn->answering = false;
        *conn->answers_bytes -= conn->answer.bytes;
        oban_writer_fini(&conn->answer);
    }
}
