/* SPDX-License-Identifier: MIT */
/* What the hub's owner (the sim) calls of it and is called for: replies, events, publications.
 * Not here: what a transport calls (hub.h).
 * Next: client.h, publish.c. */
#ifndef OBAN_SERVER_FANOUT_H
#define OBAN_SERVER_FANOUT_H

#include "core/base/alloc.h"
#include "core/world/world.h"
#include "proto/json/writer.h"
#include "server/hub.h"
#include "server/requests.h"
#include "server/transport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The owner's side. */
typedef struct oban_hub_host {
    void *context;
    void (*message)(void *context, oban_client *client, const char *text, size_t bytes);
    /* The client was blocked, or lagged, and is or does so no longer. */
    void (*drained)(void *context, oban_client *client);
    /* The client goes: nothing may point to it after. */
    void (*closed)(void *context, oban_client *client);
    void (*hello)(void *context, oban_writer *writer);
    uint64_t (*now_ns)(void *context);
} oban_hub_host;

typedef struct oban_hub_def {
    oban_alloc alloc;
    oban_world *world; /* borrowed */
    const oban_transport *transport;
    oban_hub_host host;
    uint32_t clients_max;
    uint64_t events_bytes_max;
    uint64_t commands_per_s_max;
} oban_hub_def;

oban_status oban_hub_create(const oban_hub_def *def, oban_hub **out);
void oban_hub_destroy(oban_hub *hub);
/* Frees clients that were closed from our side. At entries from outside only. */
void oban_hub_reap(oban_hub *hub);

/* ---- replies ---- */

/* Begins a message in a writer of the hub's; the caller writes one reply. */
oban_writer *oban_hub_reply_begin(oban_hub *hub);
/* The writer of the message that is begun. */
oban_writer *oban_hub_reply_writer(oban_hub *hub);
/* Ends it and sends it, or queues it behind what waits. NULL client: dropped. Returns false when
 * memory ran out while it was written; it has then not been sent. */
bool oban_hub_reply_end(oban_hub *hub, oban_client *client);
/* The next reply to this client comes behind the frame and the events that wait for it now, as that
 * of a step does; until then it is blocked (oban_hub_blocked). */
void oban_hub_order(oban_client *client);
/* From now on replies wait until oban_hub_replies_flush, so that a pass's go out in one send each.
 */
void oban_hub_replies_defer(oban_hub *hub);
void oban_hub_replies_flush(oban_hub *hub);
/* Closes a client that cannot be served: 1013. */
void oban_hub_fail(oban_client *client, const char *reason);
/* Its waiting requests; the hub keeps them, the owner uses them. */
oban_request_line *oban_hub_requests(oban_client *client);
/* Whether it can still be answered. */
bool oban_hub_is_open(const oban_client *client);
void oban_hub_hold_reading(oban_client *client, bool hold);
/* Whether a large or an ordered reply waits: its further requests have to wait too. */
bool oban_hub_blocked(const oban_client *client);

/* ---- events and publications ---- */

uint64_t oban_hub_seq(const oban_hub *hub);
/* Takes the world's events over, in order. */
void oban_hub_collect(oban_hub *hub);
/* Adds an event of time behind those collected so far. */
void oban_hub_time_event(oban_hub *hub, oban_time_change change, uint64_t ticks);
/* After each oban_world_tick_end: collects, and counts the tick when it has something to tell. */
void oban_hub_tick_ended(oban_hub *hub);
/* Sends the newest publication: frames, then the events collected. */
void oban_hub_publish(oban_hub *hub);
/* Whether a step should wait for somebody who lags, for at most patience_ns each. */
bool oban_hub_awaits(oban_hub *hub, uint64_t patience_ns);

#endif
