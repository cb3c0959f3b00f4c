/* SPDX-License-Identifier: MIT */
/* The wire: libwebsockets on our loop: its context, its callbacks, our listeners. No
 * permessage-deflate: it would frame anew what the hub has framed.
 * Not here: one WebSocket (wire_lws_conn.c), HTTP (wire_lws_http.c).
 * Next: wire_lws_conn.c. */
#include "server/wire_lws.h"

#include "server/log.h"
#include "server/wire_lws_conn.h"

#include <errno.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define WIRE_SWEEP_US 250000
#define WIRE_ACCEPT_MAX 64         /* connections taken in one turn */
#define WIRE_PACKET_BYTES 67108864 /* one write may take; nothing of this size is allocated */
#define WIRE_HEADER_BYTES 16384    /* of a request */
#define WIRE_FILES_LAST 8u         /* descriptors kept free at any cost */
#define WIRE_KEEPALIVE_S 30

/* What libwebsockets keeps pointers to. */
struct wire_lws {
    lws_sorted_usec_list_t sweep;
    lws_retry_bo_t silence;
    oban_wire *wire;
};

/* ---- log --------------------------------------------------------------------------- */

static void wire_log(int level, const char *line)
{
    static const struct {
        int theirs;
        oban_log_level ours;
    } levels[] = {{LLL_ERR, OBAN_LOG_ERROR}, {LLL_WARN, OBAN_LOG_WARN}};
    oban_log_level ours = OBAN_LOG_DEBUG;
    char text[512];
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        ours = levels[i].theirs == level ? levels[i].ours : ours;
    }
    size_t bytes = strcspn(line, "\n");
    bytes = bytes < sizeof text - 1 ? bytes : sizeof text - 1;
    memcpy(text, line, bytes);
    text[bytes] = '\0';
    oban_log_plain(ours, "lws", text);
}

/* ---- the sweep, four times a second while somebody is connected -------------------------- */

static void wire_rest_listeners(oban_wire *wire, bool rest);
static void wire_sweep(lws_sorted_usec_list_t *timer);

static void wire_sweep_arm(oban_wire *wire)
{
    lws_sul_schedule(wire->context, 0, &wire->lws->sweep, wire_sweep, WIRE_SWEEP_US);
}

static void wire_sweep(lws_sorted_usec_list_t *timer)
{
    oban_wire *wire = lws_container_of(timer, struct wire_lws, sweep)->wire;
    uint64_t now = oban_loop_now_ns();
    oban_wire_conn *next = NULL;
    for (oban_wire_conn *conn = wire->first; conn != NULL; conn = next) {
        next = conn->next;
        wire_conn_sweep(conn, now);
    }
    if (wire->listeners_held) {
        wire_rest_listeners(wire, false);
    }
    if (wire->first != NULL) {
        wire_sweep_arm(wire);
    }
}

/* ---- callbacks --------------------------------------------------------------------------- */

static int wire_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                         size_t bytes)
{
    oban_wire *wire = lws_context_user(lws_get_context(wsi));
    oban_wire_conn *conn = user;
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return wire_http_upgrade(wire, wsi, in);
    case LWS_CALLBACK_HTTP:
        return wire_http_request(wire, wsi, conn);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return wire_http_writable(wsi, conn);
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
        wire_http_end(conn);
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
        if (wire->first == NULL) {
            wire_sweep_arm(wire);
        }
        wire_conn_opened(wire, wsi, conn);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        wire_conn_receive(wsi, conn, in, bytes);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return wire_conn_writable(wsi, conn);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        /* Its close frame is answered next, unless it is the answer to ours; nothing may follow. */
        wire_conn_gone(conn);
        return conn->close_code != 0 ? -1 : 0;
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
        if (conn != NULL) { /* libwebsockets closes it, for a fault of the peer */
            wire_conn_gone(conn);
        }
        return 0;
    case LWS_CALLBACK_CLOSED:
        wire_conn_closed(conn);
        return 0;
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
        return -1; /* the method CONNECT: libwebsockets leaves HTTP */
    default:
        return 0;
    }
}

/* ---- listening ------------------------------------------------------------------------------- */

static void wire_on_connect(void *context);

/* With no descriptors left a listener would wake the loop for ever: they rest till the next sweep.
 */
static void wire_rest_listeners(oban_wire *wire, bool rest)
{
    wire->listeners_held = rest;
    for (uint32_t i = 0; i < wire->listener_count; i++) {
        wire_listener *at = &wire->listeners[i];
        if (rest) {
            oban_loop_unwatch(at->watch);
            at->watch = NULL;
        } else if (at->watch == NULL && at->listener.fd >= 0) {
            at->watch = oban_loop_watch_fd(wire->def.loop, at->listener.fd, wire_on_connect, at);
        }
    }
    if (rest) {
        wire_sweep_arm(wire);
    }
}

/* The last descriptors are not handed to libwebsockets, which would leave clients hanging. */
static void wire_turn_away(int fd)
{
    static const char body[] =
        "{\"code\":\"limit\",\"message\":\"too many clients: the open-file limit is reached\"}";
    char answer[512];
    int bytes = snprintf(answer, sizeof answer,
                         "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
                         "Content-Length: %zu\r\nRetry-After: 5\r\nConnection: close\r\n\r\n%s",
                         sizeof body - 1, body);
    (void)send(fd, answer, (size_t)bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(fd);
}

static void wire_on_connect(void *context)
{
    wire_listener *at = context;
    oban_wire *wire = at->wire;
    for (int i = 0; i < WIRE_ACCEPT_MAX; i++) {
        int fd = accept4(at->listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == ECONNABORTED || errno == EINTR)) {
            continue;
        }
        if (fd < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK) {
                oban_log(OBAN_LOG_WARN, "accept", "a connection cannot be taken",
                         OBAN_LOG_STR("reason", strerror(errno)));
                wire_rest_listeners(wire, true);
            }
            return;
        }
        if ((uint64_t)fd + WIRE_FILES_LAST >= wire->files_max) {
            wire_turn_away(fd);
        } else {
            (void)lws_adopt_socket_vhost(wire->vhost, fd); /* closes it when it fails */
        }
    }
}

bool oban_wire_listen(oban_wire *wire, const oban_address *address, oban_line *message)
{
    if (wire->listener_count == WIRE_LISTENERS_MAX) {
        oban_line_clear(message);
        oban_line_add(message, "cannot listen on more than 32 addresses");
        return false;
    }
    wire_listener *at = &wire->listeners[wire->listener_count];
    at->wire = wire;
    if (!oban_listener_open(address, &at->listener, message)) {
        return false;
    }
    wire->listener_count++;
    at->watch = oban_loop_watch_fd(wire->def.loop, at->listener.fd, wire_on_connect, at);
    if (at->watch == NULL) {
        oban_line_clear(message);
        oban_line_add(message, "cannot watch ");
        oban_line_add(message, at->listener.url);
        return false;
    }
    return true;
}

void oban_wire_announce(const oban_wire *wire)
{
    for (uint32_t i = 0; i < wire->listener_count; i++) {
        oban_line line;
        oban_line_clear(&line);
        oban_line_add(&line, "listening on ");
        oban_line_add(&line, wire->listeners[i].listener.url);
        oban_log_announce("listening", line.data);
    }
}

void oban_wire_stop_listening(oban_wire *wire)
{
    wire->stopping = true;
    wire->listeners_held = false;
    for (uint32_t i = 0; i < wire->listener_count; i++) {
        oban_loop_unwatch(wire->listeners[i].watch);
        wire->listeners[i].watch = NULL;
        oban_listener_close(&wire->listeners[i].listener);
    }
    wire->listener_count = 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

static const struct lws_protocols wire_protocols[] = {
    {.name = OBAN_HTTP_SUBPROTOCOL,
     .callback = wire_callback,
     .per_session_data_size = sizeof(oban_wire_conn),
     .tx_packet_size = WIRE_PACKET_BYTES},
    {.name = NULL},
};

/* Pings at half the silence. libwebsockets counts in 16 bits; a longer silence is cut to those. */
static lws_retry_bo_t wire_silence(const oban_limits *limits)
{
    uint16_t hangup = limits->silence_s < UINT16_MAX ? (uint16_t)limits->silence_s : UINT16_MAX;
    return (lws_retry_bo_t){.secs_since_valid_ping = hangup / 2, .secs_since_valid_hangup = hangup};
}

static bool wire_create_context(oban_wire *wire)
{
    const oban_limits *limits = &wire->def.options->limits;
    void *loops[] = {oban_loop_native(wire->def.loop)};
    wire->lws->silence = wire_silence(limits);
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = wire_protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME,
        .foreign_loops = loops,
        .pcontext = &wire->context,
        .timeout_secs = (unsigned int)limits->handshake_s,
        .timeout_secs_ah_idle = (unsigned int)limits->handshake_s,
        .keepalive_timeout = WIRE_KEEPALIVE_S,
        .max_http_header_data2 = WIRE_HEADER_BYTES,
        .retry_and_idle_policy = &wire->lws->silence,
        .vhost_name = "oband",
        .user = wire,
    };
    lws_set_log_level(LLL_ERR | LLL_WARN | (oban_log_wants(OBAN_LOG_DEBUG) ? LLL_NOTICE : 0),
                      wire_log);
    wire->context = lws_create_context(&info);
    if (wire->context == NULL) {
        oban_log_plain(OBAN_LOG_ERROR, "lws",
                       "libwebsockets cannot start; is the package libwebsockets-evlib-uv there?");
        return false;
    }
    wire->vhost = lws_create_vhost(wire->context, &info);
    return wire->vhost != NULL;
}

oban_wire *oban_wire_create(const oban_wire_def *def)
{
    struct rlimit files = {0};
    oban_wire *wire = calloc(1, sizeof *wire);
    struct wire_lws *kept = calloc(1, sizeof *kept);
    if (wire == NULL || kept == NULL) {
        free(wire);
        free(kept);
        return NULL;
    }
    kept->wire = wire;
    wire->lws = kept;
    wire->def = *def;
    wire->transport = wire_conn_transport(wire);
    (void)getrlimit(RLIMIT_NOFILE, &files);
    wire->files_max = files.rlim_cur;
    if (!wire_create_context(wire)) {
        oban_wire_cut(wire);
        oban_loop_close_handles(def->loop);
        oban_loop_drain(def->loop);
        oban_wire_destroy(wire);
        return NULL;
    }
    return wire;
}

const oban_transport *oban_wire_transport(const oban_wire *wire)
{
    return &wire->transport;
}

void oban_wire_serve(oban_wire *wire, oban_sim *sim)
{
    wire->sim = sim;
}

uint32_t oban_wire_connection_count(const oban_wire *wire)
{
    return wire->count;
}

void oban_wire_cut(oban_wire *wire)
{
    oban_wire_stop_listening(wire);
    if (wire->context != NULL) {
        lws_sul_cancel(&wire->lws->sweep);
        lws_context_destroy(wire->context);
    }
}

void oban_wire_destroy(oban_wire *wire)
{
    if (wire->context != NULL) {
        lws_context_destroy(wire->context); /* the second time only gives the memory back */
    }
    free(wire->lws);
    free(wire);
}
