/* SPDX-License-Identifier: MIT */
/* A client and the hub from the inside: what hub.c, publish.c, deliver.c and snapshots.c share.
 *
 * What a client is sent goes through one small machine (deliver.c):
 *
 *   SNAPSHOT  pieces of the snapshot are left; nothing comes between
 *   FRAME     it lags: replies first (but for an ordered one), then one frame of the newest
 *             publication
 *   EVENTS    that frame is out: the events up to it, then FRAME again if more have come, else
 * CURRENT CURRENT   in step: each publication is sent when it comes about
 *
 * Not here: what others may know of it (hub.h, fanout.h).
 * Next: publish.c, deliver.c. */
#ifndef OBAN_SERVER_CLIENT_H
#define OBAN_SERVER_CLIENT_H

#include "proto/json/writer.h"
#include "server/fanout.h"
#include "server/outbox.h"
#include "server/requests.h"

#define OBAN_PIECE_BYTES 65536u /* of replies, events or snapshots in one send */
#define OBAN_FRAME_SLOTS 8u

typedef enum oban_delivery {
    OBAN_DELIVER_SNAPSHOT,
    OBAN_DELIVER_FRAME,
    OBAN_DELIVER_EVENTS,
    OBAN_DELIVER_CURRENT
} oban_delivery;

/* One encoding of the state at a publication, shared by all who come in while it is the newest. */
typedef struct oban_snapshot {
    uint32_t references;
    uint64_t publication;
    uint64_t seq;
    bool empty;     /* of a client that subscribes to nothing */
    size_t counted; /* of hub->snapshot_bytes */
    oban_writer writer;
} oban_snapshot;

/* The frame of the newest publication for clients equal in (last, skipped), and behind it the
 * events.
 */
typedef struct oban_frame_slot {
    bool used;
    bool tells; /* anything but the tick stands in it */
    uint64_t publication;
    uint64_t last;
    uint64_t skipped;
    size_t frame_bytes;
    oban_writer writer;
} oban_frame_slot;

struct oban_client {
    oban_hub *hub;
    void *conn;
    oban_client *next;
    oban_client *previous;
    bool gone;   /* closed by us: freed at the next entry from outside */
    bool broken; /* a send has failed: the transport will report it closed */
    bool silent; /* subscribed to nothing: neither frames nor events */
    /* what it shows */
    uint64_t last; /* publication of its last frame, or a later one that told it nothing */
    uint64_t told; /* of hub->told, the ticks up to that frame's */
    uint64_t frame_tick;
    /* what waits */
    oban_delivery delivery;
    bool choked;
    bool excused; /* a step waits for it no longer, until it is in step again */
    uint64_t lag_start_ns;
    oban_snapshot *snapshot;
    size_t snapshot_offset;
    oban_outbox replies;
    size_t large_bytes; /* of a reply over OBAN_PIECE_BYTES that waits: not counted in the bound */
    oban_blob_queue events;
    size_t large_events_bytes; /* of a huge block that is first in events: not counted either */
    uint32_t events_due;       /* blocks whose frame is out */
    /* a reply that stays behind what waited when it was made; see oban_hub_order */
    bool ordered;
    size_t ordered_free;          /* bytes of replies in front of it */
    uint32_t ordered_events;      /* blocks that still go first */
    uint64_t ordered_publication; /* whose frame goes first */
    oban_request_line requests;
};

struct oban_hub {
    oban_hub_def def;
    oban_alloc alloc;
    const oban_transport *transport;
    oban_client *first;
    oban_client *graveyard;
    uint32_t client_count;
    uint64_t seq;
    /* ticks that had something to tell, and the newest of them */
    uint64_t told;
    uint64_t told_tick;
    bool told_fresh;     /* told_tick was counted since the last publication */
    oban_writer events;  /* framed, since the last publication */
    oban_writer scratch; /* one reply, or a hello */
    bool deferring;      /* replies wait for oban_hub_replies_flush */
    oban_frame_slot slots[OBAN_FRAME_SLOTS];
    uint32_t slot_next;
    oban_snapshot *snapshot; /* the newest, as long as somebody is sent it */
    uint64_t snapshot_bytes;
    uint64_t *seen;
    uint32_t seen_capacity;
};

/* deliver.c */

/* Sends frames; notes a choke. Returns false when the client is or gets broken. */
bool oban_client_send(oban_client *client, const void *data, size_t bytes);
/* Sends what waits until the socket is full or nothing is left. */
void oban_client_deliver(oban_client *client);
/* Closes it from our side: 1013. The client is not to be touched after, but may be looked at. */
void oban_client_fail(oban_client *client, const char *reason);
/* Closes it when more waits than events_bytes_max. Returns false then. */
bool oban_client_bounded(oban_client *client);
/* Frees what waits for it. */
void oban_client_drop_queues(oban_client *client);

static inline bool oban_client_open(const oban_client *client)
{
    return !client->gone && !client->broken;
}

static inline bool oban_client_in_step(const oban_client *client)
{
    return client->delivery == OBAN_DELIVER_CURRENT && !client->choked;
}

/* publish.c */

typedef enum oban_due { OBAN_DUE_NOTHING, OBAN_DUE_FRAME, OBAN_DUE_NO_MEMORY } oban_due;
/* The frame that the client is due for now. With FRAME *slot holds it; tell oban_frame_sent. */
oban_due oban_frame_due(oban_client *client, oban_frame_slot **slot);
void oban_frame_sent(oban_client *client);

/* snapshots.c */

/* Gives the client a reference to the newest snapshot. Returns false when memory or the bound on
 * unsent snapshots is out. */
bool oban_snapshot_attach(oban_client *client);
void oban_snapshot_detach(oban_client *client);

#endif
