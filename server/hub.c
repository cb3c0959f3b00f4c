/* SPDX-License-Identifier: MIT */
/* The hub's doors: clients come, speak, drain and go; replies go out.
 * Not here: publications (publish.c), what waits for a slow client (deliver.c).
 * Next: client.h, publish.c. */
#include "server/hub.h"

#include "proto/wire/ws_frame.h"
#include "server/client.h"

#include <string.h>

/* ---- the hub itself ---- */

oban_status oban_hub_create(const oban_hub_def *def, oban_hub **out)
{
    oban_hub *hub = oban_alloc_take(&def->alloc, sizeof *hub);
    if (hub == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(hub, 0, sizeof *hub);
    hub->def = *def;
    hub->alloc = def->alloc;
    hub->transport = def->transport;
    oban_writer_init(&hub->events, &hub->alloc);
    oban_writer_init(&hub->scratch, &hub->alloc);
    for (unsigned i = 0; i < OBAN_FRAME_SLOTS; i++) {
        oban_writer_init(&hub->slots[i].writer, &hub->alloc);
    }
    *out = hub;
    return OBAN_OK;
}

static void hub_free(oban_client *client)
{
    oban_client_drop_queues(client);
    oban_alloc_give(&client->hub->alloc, client, sizeof *client);
}

void oban_hub_reap(oban_hub *hub)
{
    while (hub->graveyard != NULL) {
        oban_client *client = hub->graveyard;
        hub->graveyard = client->next;
        hub_free(client);
    }
}

void oban_hub_destroy(oban_hub *hub)
{
    if (hub == NULL) {
        return;
    }
    oban_hub_reap(hub);
    while (hub->first != NULL) {
        oban_client *client = hub->first;
        hub->first = client->next;
        hub_free(client);
    }
    for (unsigned i = 0; i < OBAN_FRAME_SLOTS; i++) {
        oban_writer_fini(&hub->slots[i].writer);
    }
    oban_writer_fini(&hub->scratch);
    oban_writer_fini(&hub->events);
    oban_alloc_give(&hub->alloc, hub->seen, hub->seen_capacity * sizeof *hub->seen);
    oban_alloc_give(&hub->alloc, hub, sizeof *hub);
}

uint32_t oban_hub_client_count(const oban_hub *hub)
{
    return hub->client_count;
}

/* ---- coming ---- */

/* Room for one publication per client, so that no tick needs any. */
static bool hub_reserve_seen(oban_hub *hub)
{
    if (hub->client_count < hub->seen_capacity) {
        return true;
    }
    uint32_t capacity = hub->seen_capacity < 16 ? 16 : hub->seen_capacity * 2;
    uint64_t *seen = hub->alloc.resize(hub->alloc.context, hub->seen,
                                       hub->seen_capacity * sizeof *seen, capacity * sizeof *seen);
    if (seen == NULL) {
        return false;
    }
    hub->seen = seen;
    hub->seen_capacity = capacity;
    return true;
}

static void hub_link(oban_hub *hub, oban_client *client)
{
    client->next = hub->first;
    if (hub->first != NULL) {
        hub->first->previous = client;
    }
    hub->first = client;
    hub->client_count++;
}

static oban_client *hub_client_create(oban_hub *hub, void *conn, bool silent)
{
    const oban_hub_host *host = &hub->def.host;
    uint64_t now = host->now_ns(host->context);
    oban_client *client = oban_alloc_take(&hub->alloc, sizeof *client);
    if (client == NULL) {
        return NULL;
    }
    memset(client, 0, sizeof *client);
    client->hub = hub;
    client->conn = conn;
    client->silent = silent;
    client->last = oban_world_publication(hub->def.world);
    client->told = hub->told;
    client->frame_tick = oban_world_tick(hub->def.world);
    client->delivery = OBAN_DELIVER_SNAPSHOT;
    client->lag_start_ns = now;
    oban_request_line_init(&client->requests, hub->def.commands_per_s_max, now);
    return client;
}

/* hello goes out by itself: the snapshot behind it is shared. Returns false when memory is out. */
static bool hub_hello(oban_client *client)
{
    oban_hub *hub = client->hub;
    oban_writer *writer = oban_hub_reply_begin(hub);
    hub->def.host.hello(hub->def.host.context, writer);
    oban_ws_end(writer, 0);
    if (writer->failed) {
        return false;
    }
    (void)oban_client_send(client, writer->data, writer->bytes);
    return true;
}

oban_client *oban_hub_open(oban_hub *hub, void *conn, bool subscribe_none)
{
    oban_hub_reap(hub);
    if (hub->client_count >= hub->def.clients_max || !hub_reserve_seen(hub)) {
        return NULL;
    }
    oban_client *client = hub_client_create(hub, conn, subscribe_none);
    if (client == NULL) {
        return NULL;
    }
    hub_link(hub, client);
    if (!oban_snapshot_attach(client) || !hub_hello(client)) {
        oban_hub_closed(client);
        return NULL;
    }
    oban_client_deliver(client);
    return client;
}

/* ---- speaking, draining, going ---- */

void oban_hub_message(oban_client *client, const char *text, size_t bytes)
{
    oban_hub *hub = client->hub;
    if (!oban_client_open(client)) {
        return;
    }
    oban_hub_reap(hub);
    hub->def.host.message(hub->def.host.context, client, text, bytes);
}

void oban_hub_writable(oban_client *client)
{
    oban_hub *hub = client->hub;
    const oban_transport *transport = hub->transport;
    if (!oban_client_open(client) || !client->choked) {
        return; /* a spurious one: wires report more of them than were asked for */
    }
    oban_hub_reap(hub);
    if (transport->choked(transport->context, client->conn)) {
        transport->want_writable(transport->context, client->conn);
        return;
    }
    bool was_blocked = oban_hub_blocked(client);
    client->choked = false;
    oban_client_deliver(client);
    if (oban_client_open(client) &&
        (oban_client_in_step(client) || (was_blocked && !oban_hub_blocked(client)))) {
        hub->def.host.drained(hub->def.host.context, client);
    }
}

void oban_hub_closed(oban_client *client)
{
    oban_hub *hub = client->hub;
    hub->def.host.closed(hub->def.host.context, client);
    *(client->previous != NULL ? &client->previous->next : &hub->first) = client->next;
    if (client->next != NULL) {
        client->next->previous = client->previous;
    }
    hub->client_count--;
    hub_free(client);
    oban_hub_reap(hub);
}

/* ---- replies ---- */

oban_writer *oban_hub_reply_begin(oban_hub *hub)
{
    oban_writer_clear(&hub->scratch);
    (void)oban_ws_begin(&hub->scratch);
    return &hub->scratch;
}

oban_writer *oban_hub_reply_writer(oban_hub *hub)
{
    return &hub->scratch;
}

/* Into the queue of what waits. A reply over the bound by itself waits too, but only one. */
static void hub_reply_queue(oban_client *client, const oban_writer *writer)
{
    oban_hub *hub = client->hub;
    if (!oban_outbox_put(&client->replies, &hub->alloc, writer->data, writer->bytes)) {
        oban_client_fail(client, "out of memory");
        return;
    }
    client->large_bytes += writer->bytes > OBAN_PIECE_BYTES ? writer->bytes : 0;
    if (!oban_client_in_step(client)) {
        (void)oban_client_bounded(client);
    } else if (oban_outbox_bytes(&client->replies) > OBAN_PIECE_BYTES) {
        oban_client_deliver(client);
    }
}

/* Memory that a huge reply has taken is not kept for the small ones that follow. */
static void hub_scratch_shrink(oban_hub *hub)
{
    if (hub->scratch.capacity > 16 * OBAN_PIECE_BYTES) {
        oban_writer_fini(&hub->scratch);
    }
}

bool oban_hub_reply_end(oban_hub *hub, oban_client *client)
{
    oban_writer *writer = &hub->scratch;
    oban_ws_end(writer, 0);
    if (writer->failed) {
        return false;
    }
    if (client == NULL || !oban_client_open(client)) {
        return true;
    }
    if (oban_client_in_step(client) && !hub->deferring &&
        oban_outbox_bytes(&client->replies) == 0) {
        (void)oban_client_send(client, writer->data, writer->bytes);
    } else {
        hub_reply_queue(client, writer);
    }
    hub_scratch_shrink(hub);
    return true;
}

void oban_hub_order(oban_client *client)
{
    /* In step it has been sent all. */
    if (!oban_client_open(client) || client->silent || client->delivery == OBAN_DELIVER_CURRENT) {
        return;
    }
    client->ordered = true;
    client->ordered_free = oban_outbox_bytes(&client->replies);
    client->ordered_events = client->events.count;
    client->ordered_publication = oban_world_publication(client->hub->def.world);
}

void oban_hub_replies_defer(oban_hub *hub)
{
    hub->deferring = true;
}

void oban_hub_replies_flush(oban_hub *hub)
{
    oban_client *next = NULL;
    hub->deferring = false;
    for (oban_client *client = hub->first; client != NULL; client = next) {
        next = client->next;
        if (oban_client_in_step(client) && oban_outbox_bytes(&client->replies) > 0) {
            oban_client_deliver(client);
        }
    }
}

void oban_hub_fail(oban_client *client, const char *reason)
{
    if (oban_client_open(client)) {
        oban_client_fail(client, reason);
    }
}

bool oban_hub_blocked(const oban_client *client)
{
    return client->large_bytes > 0 || client->ordered;
}

oban_request_line *oban_hub_requests(oban_client *client)
{
    return &client->requests;
}

bool oban_hub_is_open(const oban_client *client)
{
    return oban_client_open(client);
}

void oban_hub_hold_reading(oban_client *client, bool hold)
{
    const oban_transport *transport = client->hub->transport;
    if (oban_client_open(client)) {
        transport->hold_reading(transport->context, client->conn, hold);
    }
}

/* ---- the end ---- */

static bool hub_has_facts(const oban_client *client)
{
    return oban_client_open(client) &&
           (oban_outbox_bytes(&client->replies) > 0 || client->events.count > 0);
}

uint32_t oban_hub_flush(oban_hub *hub)
{
    uint32_t waiting = 0;
    oban_client *next = NULL;
    oban_hub_reap(hub);
    for (oban_client *client = hub->first; client != NULL; client = next) {
        next = client->next;
        if (oban_client_open(client)) {
            oban_client_deliver(client);
        }
        waiting += hub_has_facts(client) ? 1u : 0u;
    }
    return waiting;
}

void oban_hub_close_all(oban_hub *hub, uint16_t code, const char *reason)
{
    const oban_transport *transport = hub->transport;
    oban_hub_reap(hub);
    while (hub->first != NULL) {
        oban_client *client = hub->first;
        if (oban_client_open(client)) {
            transport->close(transport->context, client->conn, code, reason);
        }
        oban_hub_closed(client);
    }
}
