/* SPDX-License-Identifier: MIT */
/* See connection.h. The only file of obanctl that includes <libwebsockets.h>.
 * lws hands out messages in pieces and limits nothing: here they are put together and bounded.
 * One call of lws_service reads the socket once, so what is queued in one turn is bounded too. */
#include "clients/obanctl/connection.h"

#include "clients/obanctl/letters.h"
#include "clients/obanctl/memory.h"
#include "proto/json/writer.h"

#include <libwebsockets.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RX_BYTES = 65536, GOODBYE_US = 500000, FDS_MAX = 64 };

typedef enum link_state { LINK_OPENING, LINK_OPEN, LINK_CLOSING, LINK_GONE } link_state;

struct ctl_connection {
    struct lws_context *context;
    struct lws *wsi;
    link_state state;
    bool told;   /* the news of state was handed out */
    bool denied; /* something spoke HTTP, but gave no WebSocket */
    char why[512];
    oban_writer assembly; /* the message that is coming in */
    letters incoming;
    letters outgoing;
    letter *held; /* what the last connection_next handed out */
    lws_sorted_usec_list_t timer;
    bool timer_rang;
    volatile sig_atomic_t woken;
    struct lws *input; /* standard input, adopted */
    bool input_ended;
    bool lines_wanted;
    oban_writer input_text; /* bytes of standard input not yet handed out */
    size_t input_seen;      /* of them, looked at for a line end */
};

int64_t connection_now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* ---- what lws tells -------------------------------------------------------------------------- */

static void gone(ctl_connection *link, const char *why)
{
    if (link->why[0] == '\0') {
        (void)snprintf(link->why, sizeof link->why, "%s", why);
    }
    link->state = LINK_GONE;
    link->wsi = NULL;
}

/* The daemon closes: its code and reason. */
static void note_close(ctl_connection *link, const unsigned char *payload, size_t bytes)
{
    char number[16] = "";
    unsigned code;

    if (bytes < 2 || link->why[0] != '\0' || link->state == LINK_CLOSING) {
        return;
    }
    code = (unsigned)payload[0] << 8 | payload[1];
    /* lws turns codes that it does not know, such as 1013, into 1002: then only the words count. */
    if (code != LWS_CLOSE_STATUS_PROTOCOL_ERR || bytes == 2) {
        (void)snprintf(number, sizeof number, "%u ", code);
    }
    (void)snprintf(link->why, sizeof link->why, "the daemon closed the connection: %s%.*s", number,
                   (int)(bytes - 2), (const char *)payload + 2);
}

/* Refuses what the peer sent. Returns what an lws callback returns to close. */
static int refuse(ctl_connection *link, enum lws_close_status code, const char *why)
{
    if (link->why[0] == '\0') {
        (void)snprintf(link->why, sizeof link->why, "%s", why);
    }
    lws_close_reason(link->wsi, code, NULL, 0);
    return -1;
}

static int receive(ctl_connection *link, struct lws *wsi, const char *piece, size_t bytes)
{
    if (link->state != LINK_OPEN) {
        return 0;
    }
    if (lws_frame_is_binary(wsi)) {
        return refuse(link, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE,
                      "the daemon sent a binary message where text is due");
    }
    if (bytes > CONNECTION_MESSAGE_BYTES_MAX - link->assembly.bytes ||
        lws_remaining_packet_payload(wsi) > CONNECTION_MESSAGE_BYTES_MAX) {
        return refuse(link, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
                      "the daemon sent a message of more than 256 MiB");
    }
    oban_writer_bytes(&link->assembly, piece, bytes);
    if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0) {
        letters_put(&link->incoming, letter_make(link->assembly.data, link->assembly.bytes, 0));
        oban_writer_clear(&link->assembly);
    }
    return 0;
}

static int writable(ctl_connection *link, struct lws *wsi)
{
    letter *out;
    int written;

    if (link->state == LINK_CLOSING) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
        return -1;
    }
    out = letters_take(&link->outgoing);
    if (out == NULL) {
        return 0;
    }
    written = lws_write(wsi, (unsigned char *)out->data + LWS_PRE, out->bytes, LWS_WRITE_TEXT);
    free(out);
    if (written < 0) {
        return -1;
    }
    if (link->outgoing.first != NULL) {
        (void)lws_callback_on_writable(wsi);
    }
    return 0;
}

/* Reads from standard input once. A line that is complete stops the reading until it is wanted. */
static int read_input(ctl_connection *link)
{
    char piece[16384];
    ssize_t got = read(STDIN_FILENO, piece, sizeof piece);

    if (link->input_text.bytes > CONNECTION_LINE_BYTES_MAX) {
        gone(link, "a line of standard input has more than 64 MiB");
        return -1;
    }
    if (got > 0) {
        oban_writer_bytes(&link->input_text, piece, (size_t)got);
        (void)lws_rx_flow_control(link->input, 0);
        return 0;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    link->input_ended = true;
    return -1;
}

static void not_opened(ctl_connection *link, struct lws *wsi, const char *why)
{
    unsigned status = lws_http_client_http_response(wsi);

    link->denied = status != 0 || (why != NULL && strncmp(why, "HS:", 3) == 0);
    if (status != 0 && status != 101) {
        (void)snprintf(link->why, sizeof link->why, "HTTP %u", status);
    }
    gone(link, why != NULL ? why : "no answer");
}

static int on_lws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t bytes)
{
    ctl_connection *link = lws_context_user(lws_get_context(wsi));

    (void)user;
    switch ((int)reason) {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        not_opened(link, wsi, in);
        return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        link->wsi = wsi;
        link->state = LINK_OPEN;
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive(link, wsi, in, bytes);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return writable(link, wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        note_close(link, in, bytes);
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        gone(link, "the connection was cut");
        return 0;
    case LWS_CALLBACK_RAW_RX_FILE:
        return read_input(link);
    case LWS_CALLBACK_RAW_CLOSE_FILE:
        link->input = NULL;
        link->input_ended = true;
        return 0;
    default:
        return 0;
    }
}

static void on_timer(lws_sorted_usec_list_t *timer)
{
    ctl_connection *link = lws_container_of(timer, ctl_connection, timer);

    link->timer_rang = true;
    lws_cancel_service(link->context); /* lws rings first and waits for others then: do not wait */
}

/* ---- opening and closing --------------------------------------------------------------------- */

static const struct lws_protocols protocols[] = {
    {.name = "oban.v1", .callback = on_lws, .rx_buffer_size = RX_BYTES}, {.name = NULL}};

static struct lws_context *context_make(ctl_connection *link)
{
    struct lws_context_creation_info info;

    lws_set_log_level(0, NULL);
    memset(&info, 0, sizeof info);
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = protocols;
    info.user = link;
    info.pt_serv_buf_size = RX_BYTES;
    info.fd_limit_per_thread = FDS_MAX;
    info.ka_time = 20; /* finds a peer that is gone without a word */
    info.ka_probes = 3;
    info.ka_interval = 5;
    return lws_create_context(&info);
}

ctl_connection *connection_open(const ctl_address *address)
{
    ctl_connection *link = memory_take(sizeof *link);
    struct lws_client_connect_info info;
    char target[sizeof address->host + 1];

    letters_init(&link->incoming);
    letters_init(&link->outgoing);
    oban_writer_init(&link->assembly, memory_alloc());
    oban_writer_init(&link->input_text, memory_alloc());
    link->context = context_make(link);
    if (link->context == NULL) {
        gone(link, "libwebsockets does not start");
        return link;
    }
    (void)snprintf(target, sizeof target, "%s%s", address->is_unix ? "+" : "", address->host);
    memset(&info, 0, sizeof info);
    info.context = link->context;
    info.address = target;
    info.port = address->port;
    info.path = address->path;
    info.host = address->authority;
    info.protocol = protocols[0].name;
    info.ietf_version_or_minus_one = -1;
    info.ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT;
    info.pwsi = &link->wsi;
    if (lws_client_connect_via_info(&info) == NULL) {
        gone(link, "no connection");
    }
    return link;
}

/* Serves the socket until the close is answered, a moment at most. */
static void say_goodbye(ctl_connection *link)
{
    oban_text ignored;
    int64_t deadline = connection_now_us() + GOODBYE_US;

    if (link->state != LINK_OPEN) {
        return;
    }
    link->state = LINK_CLOSING;
    link->lines_wanted = false;
    (void)lws_callback_on_writable(link->wsi);
    while (link->state == LINK_CLOSING &&
           connection_next(link, deadline, &ignored) != CONNECTION_TIME) {
    }
}

void connection_close(ctl_connection *link)
{
    if (link == NULL) {
        return;
    }
    say_goodbye(link);
    if (link->context != NULL) {
        lws_sul_cancel(&link->timer);
        lws_context_destroy(link->context);
    }
    letters_fini(&link->incoming);
    letters_fini(&link->outgoing);
    free(link->held);
    oban_writer_fini(&link->assembly);
    oban_writer_fini(&link->input_text);
    free(link);
}

/* ---- sending and waiting --------------------------------------------------------------------- */

void connection_send(ctl_connection *link, const char *text, size_t bytes)
{
    if (link->state == LINK_OPEN) {
        letters_put(&link->outgoing, letter_make(text, bytes, LWS_PRE));
        (void)lws_callback_on_writable(link->wsi);
    }
}

void connection_want_lines(ctl_connection *link, bool want)
{
    link->lines_wanted = want;
}

void connection_wake(ctl_connection *link)
{
    link->woken = 1;
    lws_cancel_service(link->context);
}

const char *connection_why(const ctl_connection *link)
{
    return link->why;
}

/* Standard input becomes one of the things that lws waits for. The descriptor is a copy, because
 * lws closes what it adopts. */
static void input_adopt(ctl_connection *link)
{
    lws_sock_file_fd_type fd;

    fd.filefd = dup(STDIN_FILENO);
    if (fd.filefd >= 0) {
        link->input =
            lws_adopt_descriptor_vhost(lws_get_vhost_by_name(link->context, "default"),
                                       LWS_ADOPT_RAW_FILE_DESC, fd, protocols[0].name, NULL);
    }
    link->input_ended = link->input == NULL;
}

/* The next whole line, or what is left at the end; NULL when there is none yet. */
static letter *line_take(ctl_connection *link)
{
    oban_writer *text = &link->input_text;
    const char *end = NULL;
    size_t bytes;
    size_t used;
    letter *line;

    if (text->bytes > link->input_seen) {
        end = memchr(text->data + link->input_seen, '\n', text->bytes - link->input_seen);
    }
    link->input_seen = text->bytes;
    if (end == NULL && (!link->input_ended || text->bytes == 0)) {
        return NULL;
    }
    bytes = end != NULL ? (size_t)(end - text->data) : text->bytes;
    used = end != NULL ? bytes + 1 : bytes;
    line = letter_make(text->data, bytes, 0);
    memmove(text->data, text->data + used, text->bytes - used);
    text->bytes -= used;
    link->input_seen = 0;
    return line;
}

/* Looks whether a line is there; asks for more when not. */
static bool line_news(ctl_connection *link, connection_news *news)
{
    if (!link->lines_wanted) {
        return false;
    }
    if (link->input == NULL && !link->input_ended) {
        input_adopt(link);
    }
    link->held = line_take(link);
    if (link->held != NULL) {
        *news = CONNECTION_LINE;
        return true;
    }
    if (link->input_ended) {
        *news = CONNECTION_INPUT_END;
        return true;
    }
    (void)lws_rx_flow_control(link->input, 1);
    return false;
}

/* News that need no waiting, the most urgent first. */
static bool news_at_hand(ctl_connection *link, connection_news *news)
{
    if (link->woken != 0) {
        link->woken = 0;
        *news = CONNECTION_WOKEN;
        return true;
    }
    if (link->state == LINK_OPEN && !link->told) {
        link->told = true;
        *news = CONNECTION_OPENED;
        return true;
    }
    link->held = letters_take(&link->incoming);
    if (link->held != NULL) {
        *news = CONNECTION_MESSAGE;
        return true;
    }
    if (link->state == LINK_GONE) {
        *news = link->told     ? CONNECTION_ENDED
                : link->denied ? CONNECTION_DENIED
                               : CONNECTION_UNREACHABLE;
        return true;
    }
    return line_news(link, news);
}

connection_news connection_next(ctl_connection *link, int64_t deadline_us, oban_text *text)
{
    connection_news news = CONNECTION_TIME;

    free(link->held);
    link->held = NULL;
    *text = (oban_text){NULL, 0};
    link->timer_rang = false;
    while (!news_at_hand(link, &news)) {
        int64_t left_us =
            deadline_us - (deadline_us < CONNECTION_FOREVER ? connection_now_us() : 0);

        if (link->timer_rang || left_us <= 0) {
            break;
        }
        if (deadline_us < CONNECTION_FOREVER) {
            lws_sul_schedule(link->context, 0, &link->timer, on_timer, left_us);
        }
        if (lws_service(link->context, 0) < 0) {
            gone(link, "libwebsockets gave up");
        }
    }
    if (link->context != NULL) {
        lws_sul_cancel(&link->timer);
    }
    if (link->held != NULL) {
        *text = (oban_text){link->held->data, (uint32_t)link->held->bytes};
    }
    return news;
}
