/* SPDX-License-Identifier: MIT */
/* What the files of the wire share: the wire and one connection, from the inside.
 * Not here: anything for others (wire_lws.h).
 * Next: wire_lws_conn.c. */
#ifndef OBAN_SERVER_WIRE_LWS_CONN_H
#define OBAN_SERVER_WIRE_LWS_CONN_H

#include "proto/json/writer.h"
#include "server/http.h"
#include "server/wire_lws.h"

#define WIRE_LISTENERS_MAX 32u

struct lws;
struct lws_context;
struct lws_vhost;

/* One connection. libwebsockets allocates it zeroed; it gets a new one with each HTTP transaction
 * and with the upgrade. */
typedef struct oban_wire_conn {
    struct lws *wsi; /* NULL until it is a WebSocket */
    oban_wire *wire;
    struct oban_wire_conn *next;
    struct oban_wire_conn *previous;
    uint64_t number;
    oban_client *client; /* NULL: the hub has let go of it */
    bool wanted;         /* the hub waits for oban_hub_writable */
    bool held;           /* reading is */
    bool dead;           /* a send has failed */
    /* the message that comes in pieces */
    char *message;
    size_t message_bytes;
    size_t message_capacity;
    bool gathering;            /* some of it has come, maybe 0 bytes */
    uint64_t message_start_ns; /* 0: none is under way */
    /* closing by us */
    uint16_t close_code; /* 0: not asked for */
    uint64_t reset_ns;
    /* an HTTP answer under way */
    bool answering;
    oban_writer answer;
    size_t answer_sent;
    size_t *answers_bytes; /* of the wire: all bytes of answers under way */
} oban_wire_conn;

typedef struct wire_listener {
    oban_wire *wire;
    oban_listener listener;
    oban_loop_watch *watch;
} wire_listener;

struct oban_wire {
    oban_wire_def def;
    oban_transport transport;
    oban_sim *sim;
    struct wire_lws *lws; /* known to wire_lws.c alone */
    struct lws_context *context;
    struct lws_vhost *vhost;
    wire_listener listeners[WIRE_LISTENERS_MAX];
    uint32_t listener_count;
    bool listeners_held; /* no descriptors: they rest until the next sweep */
    bool stopping;
    uint64_t files_max;   /* the open-file limit */
    size_t answers_bytes; /* of HTTP answers under way */
    uint64_t numbers;     /* connections so far */
    uint32_t count;
    oban_wire_conn *first;
};

/* ---- wire_lws_conn.c ------------------------------------------------------------------------- */

oban_transport wire_conn_transport(oban_wire *wire);
/* A WebSocket has come up. */
void wire_conn_opened(oban_wire *wire, struct lws *wsi, oban_wire_conn *conn);
/* A piece of a message: of a frame, of a read, or both. */
void wire_conn_receive(struct lws *wsi, oban_wire_conn *conn, const void *data, size_t bytes);
int wire_conn_writable(struct lws *wsi, oban_wire_conn *conn);
/* Does what is overdue: limits of time, resets. */
void wire_conn_sweep(oban_wire_conn *conn, uint64_t now);
/* Tells the hub, once, as soon as nothing can be sent any more. */
void wire_conn_gone(oban_wire_conn *conn);
/* The WebSocket is closed. */
void wire_conn_closed(oban_wire_conn *conn);

/* ---- wire_lws_http.c ------------------------------------------------------------------------- */

/* Each returns what the callback of libwebsockets is to return. */

/* A request for a WebSocket: 0 grants it. */
int wire_http_upgrade(oban_wire *wire, struct lws *wsi, const char *what);
int wire_http_request(oban_wire *wire, struct lws *wsi, oban_wire_conn *conn);
int wire_http_writable(struct lws *wsi, oban_wire_conn *conn);
void wire_http_end(oban_wire_conn *conn);
/* Whether the query of the request has this item. */
bool wire_http_query_has(struct lws *wsi, const char *item);

#endif
