/* SPDX-License-Identifier: MIT */
/* One WebSocket of the wire: the hub's calls, gathering the pieces of a message, limits, closing
 * behind what was sent. What libwebsockets does not do by itself.
 *
 * Writes go straight from the tick to the socket, as frames that the hub has made (LWS_WRITE_HTTP
 * passes bytes on as they are); what the socket does not take libwebsockets keeps, and as long as
 * it does the hub sends nothing (performance 3).
 *
 * Not here: the library's context, listeners (wire_lws.c), what is sent (hub.h).
 * Next: wire_lws_http.c. */
#include "server/wire_lws_conn.h"

#include "proto/wire/ws_frame.h"
#include "server/log.h"

#include <libwebsockets.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#define CONN_NS_PER_S 1000000000u
#define CONN_CLOSE_S 5u             /* from asking for a close to the reset; protocol 7 */
#define CONN_REASON_BYTES_MAX 123u  /* of a close frame; RFC 6455 5.5 */
#define CONN_CONTROL_BYTES_MAX 125u /* of a control frame; RFC 6455 5.5 */
#define CONN_NOTSENT_BYTES 16384    /* of TCP_NOTSENT_LOWAT */
#define CONN_UNIX_BYTES 32768       /* send buffer of a unix socket, which has no such mark */
#define CONN_KEEP_BYTES 16384u      /* of a gathering buffer, between messages */
#define CONN_TRACE_BYTES 2000u

/* ---- trace ----------------------------------------------------------------------------------- */

static void conn_trace(const oban_wire_conn *conn, const char *way, const char *text, size_t bytes)
{
    size_t shown = bytes < CONN_TRACE_BYTES ? bytes : CONN_TRACE_BYTES;
    oban_log(OBAN_LOG_TRACE, "wire", way, OBAN_LOG_U64("client", conn->number),
             OBAN_LOG_U64("bytes", bytes), OBAN_LOG_BYTES("text", text, shown));
}

/* The messages in frames that the hub made. */
static void conn_trace_frames(const oban_wire_conn *conn, const char *data, size_t bytes)
{
    while (bytes > 0) {
        size_t frame = oban_ws_frame_bytes(data);
        unsigned char length = (unsigned char)data[1] & 0x7fu;
        size_t head = length == 127 ? 10 : length == 126 ? 4 : 2;
        conn_trace(conn, "out", data + head, frame - head);
        data += frame;
        bytes -= frame;
    }
}

/* ---- connections: the hub's calls ------------------------------------------------------------ */

/* Ends the connection from the next turn of the loop. */
static void conn_kill(oban_wire_conn *conn)
{
    conn->dead = true;
    conn->reset_ns = 0;
    lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

static bool conn_send(void *context, void *handle, const void *bytes, size_t count)
{
    oban_wire *wire = context;
    oban_wire_conn *conn = handle;
    if (conn->dead || conn->close_code != 0 || count > INT32_MAX) {
        return false;
    }
    if (wire->def.options->trace != 0) {
        conn_trace_frames(conn, bytes, count);
    }
    /* Not written to in this mode, though not declared so. */
    unsigned char *data;
    memcpy(&data, &bytes, sizeof data);
    if (lws_write(conn->wsi, data, count, LWS_WRITE_HTTP) < 0) {
        conn_kill(conn);
        return false;
    }
    return true;
}

static bool conn_choked(void *context, void *handle)
{
    const oban_wire_conn *conn = handle;
    (void)context;
    return lws_partial_buffered(conn->wsi) != 0;
}

static void conn_want_writable(void *context, void *handle)
{
    oban_wire_conn *conn = handle;
    (void)context;
    conn->wanted = true;
    lws_callback_on_writable(conn->wsi);
}

static void conn_hold_reading(void *context, void *handle, bool hold)
{
    oban_wire_conn *conn = handle;
    (void)context;
    if (conn->held == hold) {
        return;
    }
    conn->held = hold;
    if (!hold && conn->message_start_ns != 0) {
        conn->message_start_ns =
            oban_loop_now_ns(); /* the time that it was held is not its fault */
    }
    (void)lws_rx_flow_control(conn->wsi, hold ? 0 : 1);
}

/* A close frame of ours (RFC 6455 5.5.1): the reason is cut to what fits, in whole characters. */
static size_t conn_close_frame(unsigned char *frame, uint16_t code, const char *reason)
{
    size_t bytes = strnlen(reason, CONN_REASON_BYTES_MAX);
    while (bytes > 0 && ((unsigned char)reason[bytes] & 0xc0u) == 0x80u) {
        bytes--;
    }
    frame[0] = 0x88;
    frame[1] = (unsigned char)(2 + bytes);
    frame[2] = (unsigned char)(code >> 8);
    frame[3] = (unsigned char)(code & 0xffu);
    memcpy(frame + 4, reason, bytes);
    return 4 + bytes;
}

/* Not by lws_close_reason: Debian's libwebsockets is built with _DEBUG, and then, on libuv, closes
 * twice when a WRITEABLE callback asks for it, the second time without the close frame
 * (service.c, "uv repeat test"). So the frame is sent like any other, behind what was sent, and the
 * peer's answer or the sweep ends the connection. */
static void conn_close(void *context, void *handle, uint16_t code, const char *reason)
{
    oban_wire_conn *conn = handle;
    unsigned char frame[4 + CONN_REASON_BYTES_MAX];
    conn->client = NULL;
    if (conn->close_code != 0 || conn->dead) {
        return;
    }
    conn->close_code = code;
    conn->reset_ns = oban_loop_now_ns() + (uint64_t)CONN_CLOSE_S * CONN_NS_PER_S;
    conn_hold_reading(context, conn, false); /* its answer to the close must be seen */
    oban_log(OBAN_LOG_INFO, "close", "client closed", OBAN_LOG_U64("client", conn->number),
             OBAN_LOG_U64("code", code), OBAN_LOG_STR("reason", reason));
    size_t bytes = conn_close_frame(frame, code, reason);
    if (lws_write(conn->wsi, frame, bytes, LWS_WRITE_HTTP) < 0) {
        conn_kill(conn);
    }
}

/* Closes for a fault of the peer that the hub does not know of. */
static void conn_expel(oban_wire_conn *conn, uint16_t code, const char *reason)
{
    oban_client *client = conn->client;
    conn_close(conn->wire, conn, code, reason);
    if (client != NULL) {
        oban_hub_closed(client);
    }
}

/* ---- messages that come ---------------------------------------------------------------------- */

static void conn_expel_too_big(oban_wire_conn *conn)
{
    oban_line reason;
    oban_line_clear(&reason);
    oban_line_add(&reason, "a message is over message_bytes_max (");
    oban_line_add_u64(&reason, conn->wire->def.options->limits.message_bytes_max);
    oban_line_add(&reason, " bytes)");
    conn_expel(conn, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, reason.data);
}

static void conn_expel_too_slow(oban_wire_conn *conn)
{
    oban_line reason;
    oban_line_clear(&reason);
    oban_line_add(&reason, "a message took over message_s (");
    oban_line_add_u64(&reason, conn->wire->def.options->limits.message_s);
    oban_line_add(&reason, " s)");
    conn_expel(conn, LWS_CLOSE_STATUS_POLICY_VIOLATION, reason.data);
}

static void conn_message_end(oban_wire_conn *conn)
{
    conn->gathering = false;
    conn->message_bytes = 0;
    conn->message_start_ns = 0;
    if (conn->message_capacity > CONN_KEEP_BYTES) {
        oban_alloc_give(&conn->wire->def.alloc, conn->message, conn->message_capacity);
        conn->message = NULL;
        conn->message_capacity = 0;
    }
}

static bool conn_gather(oban_wire_conn *conn, const void *data, size_t bytes)
{
    const oban_alloc *alloc = &conn->wire->def.alloc;
    size_t need = conn->message_bytes + bytes;
    if (need > conn->message_capacity) {
        /* Doubled, not by what the header promises: promises cost nothing. */
        size_t capacity = conn->message_capacity * 2 > need ? conn->message_capacity * 2 : need;
        char *grown =
            alloc->resize(alloc->context, conn->message, conn->message_capacity, capacity);
        if (grown == NULL) {
            conn_expel(conn, 1013, "memory is out");
            return false;
        }
        conn->message = grown;
        conn->message_capacity = capacity;
    }
    memcpy(conn->message + conn->message_bytes, data, bytes);
    conn->message_bytes = need;
    return true;
}

static void conn_deliver(oban_wire_conn *conn, const char *text, size_t bytes)
{
    if (conn->wire->def.options->trace != 0) {
        conn_trace(conn, "in", text, bytes);
    }
    oban_hub_message(conn->client, text, bytes);
}

/* A piece of a message: of a frame, of a read, or both. */
void wire_conn_receive(struct lws *wsi, oban_wire_conn *conn, const void *data, size_t bytes)
{
    uint64_t left = lws_remaining_packet_payload(wsi);
    if (conn->client == NULL) {
        return; /* being closed */
    }
    if (lws_frame_is_binary(wsi) != 0) {
        conn_expel(conn, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages must be text");
        return;
    }
    if (conn->message_bytes + bytes + left > conn->wire->def.options->limits.message_bytes_max) {
        conn_expel_too_big(conn);
        return;
    }
    bool last = left == 0 && lws_is_final_fragment(wsi) != 0;
    if (last && !conn->gathering) {
        conn->message_start_ns = 0;
        conn_deliver(conn, bytes > 0 ? data : "", bytes);
        return;
    }
    conn->gathering = true;
    if (conn->message_start_ns == 0) {
        conn->message_start_ns = oban_loop_now_ns();
    }
    if (bytes > 0 && !conn_gather(conn, data, bytes)) {
        return;
    }
    if (last) {
        conn_deliver(conn, conn->message_bytes > 0 ? conn->message : "", conn->message_bytes);
        conn_message_end(conn);
    }
}

/* ---- the sweep: what is overdue -------------------------------------------------------------- */

static void conn_reset(oban_wire_conn *conn)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(lws_get_socket_fd(conn->wsi), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    conn_kill(conn);
}

void wire_conn_sweep(oban_wire_conn *conn, uint64_t now)
{
    const oban_limits *limits = &conn->wire->def.options->limits;
    if (conn->reset_ns != 0 && now >= conn->reset_ns) {
        conn_reset(conn);
    }
    if (conn->client == NULL) {
        return;
    }
    if (conn->held) {
        lws_validity_confirmed(conn->wsi); /* we do not read its pongs */
        return;
    }
    /* The head of a frame makes no callback: a message of which no more has come is seen here. What
     * is left may be a control frame's, which counts for nothing. */
    uint64_t left = lws_remaining_packet_payload(conn->wsi);
    if (left > CONN_CONTROL_BYTES_MAX && conn->message_bytes + left > limits->message_bytes_max) {
        conn_expel_too_big(conn);
    } else if (left == 0 && !conn->gathering) {
        conn->message_start_ns = 0;
    } else if (conn->message_start_ns == 0) {
        conn->message_start_ns = now;
    } else if (now - conn->message_start_ns > limits->message_s * CONN_NS_PER_S) {
        conn_expel_too_slow(conn);
    }
}

/* ---- connections come and go ------------------------------------------------------------------
 */

static void conn_tune_socket(int fd)
{
    struct sockaddr_storage address = {0};
    socklen_t bytes = sizeof address;
    int on = 1;
    int unsent = CONN_NOTSENT_BYTES;
    int buffer = CONN_UNIX_BYTES;
    (void)getsockname(fd, (struct sockaddr *)&address, &bytes);
    if (address.ss_family == AF_UNIX) {
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
        return;
    }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
}

void wire_conn_opened(oban_wire *wire, struct lws *wsi, oban_wire_conn *conn)
{
    char peer[64] = "";
    conn->wsi = wsi;
    conn->wire = wire;
    conn->number = ++wire->numbers;
    conn->next = wire->first;
    if (wire->first != NULL) {
        wire->first->previous = conn;
    }
    wire->first = conn;
    wire->count++;
    conn_tune_socket(lws_get_socket_fd(wsi));
    (void)lws_get_peer_simple(wsi, peer, sizeof peer);
    oban_log(OBAN_LOG_INFO, "open", "client connected", OBAN_LOG_U64("client", conn->number),
             OBAN_LOG_STR("peer", peer));
    bool none = wire_http_query_has(wsi, "subscribe=none");
    conn->client = oban_hub_open(oban_sim_hub(wire->sim), conn, none);
    if (conn->client == NULL) {
        conn_close(wire, conn, 1013, "no room for another client");
    }
}

/* The hub is told once, as soon as nothing can be sent any more. */
void wire_conn_gone(oban_wire_conn *conn)
{
    oban_client *client = conn->client;
    conn->client = NULL;
    if (client != NULL) {
        oban_hub_closed(client);
    }
}

void wire_conn_closed(oban_wire_conn *conn)
{
    if (conn == NULL || conn->wsi == NULL) {
        return;
    }
    oban_wire *wire = conn->wire;
    wire_conn_gone(conn);
    oban_alloc_give(&wire->def.alloc, conn->message, conn->message_capacity);
    conn->message = NULL;
    if (conn->previous != NULL) {
        conn->previous->next = conn->next;
    } else {
        wire->first = conn->next;
    }
    if (conn->next != NULL) {
        conn->next->previous = conn->previous;
    }
    conn->wsi = NULL;
    wire->count--;
    oban_log(OBAN_LOG_INFO, "gone", "client gone", OBAN_LOG_U64("client", conn->number));
}

int wire_conn_writable(struct lws *wsi, oban_wire_conn *conn)
{
    if (lws_partial_buffered(wsi) != 0) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    if (conn->wanted && conn->client != NULL) {
        conn->wanted = false;
        oban_hub_writable(conn->client);
    }
    return 0;
}

oban_transport wire_conn_transport(oban_wire *wire)
{
    return (oban_transport){
        .context = wire,
        .send = conn_send,
        .choked = conn_choked,
        .want_writable = conn_want_writable,
        .close = conn_close,
        .hold_reading = conn_hold_reading,
    };
}
