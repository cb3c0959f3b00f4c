/* SPDX-License-Identifier: MIT */
/* A publication to all: the frame is encoded once for all clients that are equal in what they were
 * last sent, the events once for all, both into one buffer that goes out in one send. Buffers are
 * kept: a steady tick allocates nothing. Next: deliver.c, ../proto/wire/frame.h. */
#include "proto/wire/event.h"
#include "proto/wire/frame.h"
#include "proto/wire/ws_frame.h"
#include "server/client.h"

#define PUBLISH_CLOCK_TICKS 60u
/* More events than this go out in pieces, frame first, so that no transport must copy it all. */
#define PUBLISH_EVENTS_BYTES_AT_ONCE 262144u

/* ---- events ---- */

uint64_t oban_hub_seq(const oban_hub *hub)
{
    return hub->seq;
}

static void publish_event(oban_hub *hub, const oban_event *event)
{
    size_t mark = oban_ws_begin(&hub->events);
    oban_wire_event(&hub->events, event, ++hub->seq);
    oban_ws_end(&hub->events, mark);
}

void oban_hub_collect(oban_hub *hub)
{
    uint32_t count = 0;
    const oban_event *events = oban_world_events(hub->def.world, &count);
    for (uint32_t i = 0; i < count; i++) {
        publish_event(hub, &events[i]);
    }
    if (count > 0) {
        oban_world_events_clear(hub->def.world);
    }
}

void oban_hub_time_event(oban_hub *hub, oban_time_change change, uint64_t ticks)
{
    oban_hub_collect(hub);
    publish_event(hub, &(oban_event){.type = OBAN_EVENT_TIME,
                                     .tick = oban_world_tick(hub->def.world),
                                     .change = change,
                                     .ticks = ticks});
}

void oban_hub_tick_ended(oban_hub *hub)
{
    const oban_world *world = hub->def.world;
    uint64_t tick = oban_world_tick(world);
    oban_hub_collect(hub);
    /* A tick counts once, however many passes it has while time is held. */
    if (oban_world_changed(world) == oban_world_publication(world) &&
        (hub->told == 0 || hub->told_tick != tick)) {
        hub->told++;
        hub->told_tick = tick;
        hub->told_fresh = true;
    }
}

/* ---- frames ---- */

/* Ticks with something to tell that this client was not sent; the present one is being sent. */
static uint64_t publish_skipped(const oban_client *client)
{
    const oban_hub *hub = client->hub;
    uint64_t missed = hub->told - client->told;
    bool present = missed > 0 && hub->told_tick == oban_world_tick(hub->def.world);
    return missed - (present ? 1u : 0u);
}

/* While time is held a tick may get something to tell after a client was sent a frame of it: such a
 * tick is none that it was not sent. */
static void publish_count_present(oban_client *client)
{
    const oban_hub *hub = client->hub;
    if (hub->told_fresh && client->frame_tick == hub->told_tick) {
        client->told++;
    }
}

static oban_frame_slot *publish_slot_find(oban_hub *hub, const oban_client *client,
                                          uint64_t publication)
{
    uint64_t skipped = publish_skipped(client);
    for (unsigned i = 0; i < OBAN_FRAME_SLOTS; i++) {
        oban_frame_slot *slot = &hub->slots[i];
        if (slot->used && slot->publication == publication && slot->last == client->last &&
            slot->skipped == skipped) {
            return slot;
        }
    }
    return NULL;
}

static oban_frame_slot *publish_slot_encode(oban_client *client, uint64_t publication)
{
    oban_hub *hub = client->hub;
    oban_frame_slot *slot = &hub->slots[hub->slot_next];
    oban_writer *writer = &slot->writer;
    hub->slot_next = (hub->slot_next + 1) % OBAN_FRAME_SLOTS;
    oban_writer_clear(writer);
    size_t mark = oban_ws_begin(writer);
    slot->tells = oban_wire_frame(writer, hub->def.world, client->last, publish_skipped(client));
    oban_ws_end(writer, mark);
    slot->frame_bytes = writer->bytes;
    if (hub->events.bytes <= PUBLISH_EVENTS_BYTES_AT_ONCE) {
        oban_writer_bytes(writer, hub->events.data, hub->events.bytes);
    }
    slot->used = !writer->failed;
    slot->publication = publication;
    slot->last = client->last;
    slot->skipped = publish_skipped(client);
    return slot->used ? slot : NULL;
}

oban_due oban_frame_due(oban_client *client, oban_frame_slot **slot)
{
    oban_hub *hub = client->hub;
    const oban_world *world = hub->def.world;
    uint64_t publication = oban_world_publication(world);
    bool clock = oban_world_tick(world) - client->frame_tick >= PUBLISH_CLOCK_TICKS;
    if (oban_world_changed(world) <= client->last && !clock && hub->told == client->told) {
        client->last = publication;
        return OBAN_DUE_NOTHING;
    }
    *slot = publish_slot_find(hub, client, publication);
    if (*slot == NULL) {
        *slot = publish_slot_encode(client, publication);
    }
    if (*slot == NULL) {
        return OBAN_DUE_NO_MEMORY;
    }
    if (!(*slot)->tells && !clock) {
        client->last = publication;
        client->told = hub->told;
        return OBAN_DUE_NOTHING;
    }
    return OBAN_DUE_FRAME;
}

void oban_frame_sent(oban_client *client)
{
    const oban_world *world = client->hub->def.world;
    client->last = oban_world_publication(world);
    client->told = client->hub->told;
    client->frame_tick = oban_world_tick(world);
}

/* ---- one client ---- */

/* Events into the queue of a client that lags; the block is made for the first that needs it. */
static bool publish_queue(oban_client *client, oban_blob **blob)
{
    oban_hub *hub = client->hub;
    if (hub->events.bytes == 0) {
        return true;
    }
    if (*blob == NULL) {
        *blob = oban_blob_create(&hub->alloc, hub->events.data, hub->events.bytes);
    }
    if (*blob == NULL || !oban_blob_queue_put(&client->events, &hub->alloc, *blob)) {
        oban_client_fail(client, "out of memory");
        return false;
    }
    return oban_client_bounded(client);
}

static void publish_in_step(oban_client *client, oban_blob **blob)
{
    oban_hub *hub = client->hub;
    oban_frame_slot *slot = NULL;
    if (hub->events.bytes > PUBLISH_EVENTS_BYTES_AT_ONCE) {
        client->delivery = OBAN_DELIVER_FRAME;
        client->lag_start_ns = hub->def.host.now_ns(hub->def.host.context);
        /* One publication may be larger than the bound; who reads is not closed for that. */
        client->large_events_bytes = hub->events.bytes;
        if (publish_queue(client, blob)) {
            oban_client_deliver(client);
        }
        return;
    }
    oban_due due = oban_frame_due(client, &slot);
    if (due == OBAN_DUE_NO_MEMORY) {
        oban_client_fail(client, "out of memory");
    } else if (due == OBAN_DUE_FRAME) {
        if (oban_client_send(client, slot->writer.data, slot->writer.bytes)) {
            oban_frame_sent(client);
        }
    } else if (hub->events.bytes > 0) {
        (void)oban_client_send(client, hub->events.data, hub->events.bytes);
    }
}

static void publish_lagging(oban_client *client, oban_blob **blob)
{
    const oban_hub *hub = client->hub;
    if (client->delivery == OBAN_DELIVER_CURRENT) {
        client->delivery = OBAN_DELIVER_FRAME;
    }
    /* As in step, when no events wait: who asks for much lags by the answer alone. */
    if (client->events.bytes == 0 && hub->events.bytes > PUBLISH_EVENTS_BYTES_AT_ONCE) {
        client->large_events_bytes = hub->events.bytes;
    }
    (void)publish_queue(client, blob);
}

/* ---- all clients ---- */

static void publish_prune(oban_hub *hub)
{
    uint32_t gone = 0;
    uint32_t count = 0;
    (void)oban_world_gone(hub->def.world, &gone);
    if (gone == 0) {
        return;
    }
    for (const oban_client *client = hub->first; client != NULL; client = client->next) {
        bool counts = oban_client_open(client) && !client->silent;
        if (counts && (count == 0 || hub->seen[count - 1] != client->last)) {
            hub->seen[count++] = client->last;
        }
    }
    oban_world_gone_prune(hub->def.world, hub->seen, count);
}

static void publish_fail_all(oban_hub *hub)
{
    while (hub->first != NULL) {
        oban_client_fail(hub->first, "out of memory");
    }
}

void oban_hub_publish(oban_hub *hub)
{
    oban_blob *blob = NULL;
    oban_client *next = NULL;
    for (unsigned i = 0; i < OBAN_FRAME_SLOTS; i++) {
        hub->slots[i].used = false;
    }
    if (hub->events.failed) {
        /* The events are lost; a client must not miss one without being told. */
        publish_fail_all(hub);
    }
    for (oban_client *client = hub->first; client != NULL; client = next) {
        next = client->next;
        if (!oban_client_open(client) || client->silent) {
            continue;
        }
        publish_count_present(client);
        if (oban_client_in_step(client)) {
            publish_in_step(client, &blob);
        } else {
            publish_lagging(client, &blob);
        }
    }
    oban_blob_release(blob, &hub->alloc);
    oban_writer_clear(&hub->events);
    hub->told_fresh = false;
    publish_prune(hub);
}

bool oban_hub_awaits(oban_hub *hub, uint64_t patience_ns)
{
    uint64_t now = hub->def.host.now_ns(hub->def.host.context);
    bool awaits = false;
    for (oban_client *client = hub->first; client != NULL; client = client->next) {
        if (!oban_client_open(client) || client->silent || client->excused ||
            oban_client_in_step(client)) {
            continue;
        }
        if (now - client->lag_start_ns >= patience_ns) {
            client->excused = true;
        } else {
            awaits = true;
        }
    }
    return awaits;
}
