/* SPDX-License-Identifier: MIT */
/* How what waits gets to a client: the machine that client.h draws. Frames can starve neither
 * events nor the other way round: after one frame all events up to it go out before the next frame
 * does. Next: client.h, publish.c. */
#include "proto/wire/ws_frame.h"
#include "server/client.h"

#include <string.h>

#define DELIVER_OVERLOADED 1013u /* close code; protocol 8 */

void oban_client_drop_queues(oban_client *client)
{
    const oban_alloc *alloc = &client->hub->alloc;
    oban_outbox_fini(&client->replies, alloc);
    oban_blob_queue_fini(&client->events, alloc);
    oban_snapshot_detach(client);
    client->large_bytes = 0;
    client->large_events_bytes = 0;
    client->events_due = 0;
}

static void deliver_unlink(oban_client *client)
{
    oban_hub *hub = client->hub;
    *(client->previous != NULL ? &client->previous->next : &hub->first) = client->next;
    if (client->next != NULL) {
        client->next->previous = client->previous;
    }
    hub->client_count--;
}

void oban_client_fail(oban_client *client, const char *reason)
{
    oban_hub *hub = client->hub;
    if (client->gone) {
        return;
    }
    client->gone = true;
    hub->transport->close(hub->transport->context, client->conn, DELIVER_OVERLOADED, reason);
    client->conn = NULL;
    oban_client_drop_queues(client);
    hub->def.host.closed(hub->def.host.context, client);
    deliver_unlink(client);
    client->next = hub->graveyard;
    hub->graveyard = client;
}

bool oban_client_bounded(oban_client *client)
{
    size_t held = oban_outbox_bytes(&client->replies) - client->large_bytes + client->events.bytes -
                  client->large_events_bytes;
    if (held <= client->hub->def.events_bytes_max) {
        return true;
    }
    oban_client_fail(client, "too slow: events_bytes_max is exceeded");
    return false;
}

bool oban_client_send(oban_client *client, const void *data, size_t bytes)
{
    oban_hub *hub = client->hub;
    const oban_transport *transport = hub->transport;
    if (!oban_client_open(client)) {
        return false;
    }
    if (!transport->send(transport->context, client->conn, data, bytes)) {
        client->broken = true;
        oban_client_drop_queues(client);
        return false;
    }
    if (transport->choked(transport->context, client->conn)) {
        if (oban_client_in_step(client)) {
            client->lag_start_ns = hub->def.host.now_ns(hub->def.host.context);
        }
        client->choked = true;
        transport->want_writable(transport->context, client->conn);
    }
    return true;
}

static void deliver_snapshot(oban_client *client)
{
    const oban_writer *writer = &client->snapshot->writer;
    const char *data = writer->data + client->snapshot_offset;
    size_t left = writer->bytes - client->snapshot_offset;
    size_t piece = oban_ws_piece_bytes(data, left, OBAN_PIECE_BYTES);
    if (!oban_client_send(client, data, piece)) {
        return;
    }
    client->snapshot_offset += piece;
    if (piece == left) {
        oban_snapshot_detach(client);
        client->delivery = OBAN_DELIVER_FRAME;
    }
}

static void deliver_replies(oban_client *client)
{
    const char *data = NULL;
    size_t most = OBAN_PIECE_BYTES;
    if (client->ordered && client->ordered_free < most) {
        most = client->ordered_free;
    }
    size_t piece = oban_outbox_piece(&client->replies, most, &data);
    if (!oban_client_send(client, data, piece)) {
        return;
    }
    client->ordered_free -= client->ordered ? piece : 0;
    oban_outbox_drop(&client->replies, &client->hub->alloc, piece);
    if (oban_outbox_bytes(&client->replies) == 0) {
        client->large_bytes = 0;
    }
}

static void deliver_frame(oban_client *client)
{
    oban_frame_slot *slot = NULL;
    oban_due due = client->silent ? OBAN_DUE_NOTHING : oban_frame_due(client, &slot);
    if (due == OBAN_DUE_NO_MEMORY) {
        oban_client_fail(client, "out of memory");
        return;
    }
    if (due == OBAN_DUE_FRAME) {
        if (!oban_client_send(client, slot->writer.data, slot->frame_bytes)) {
            return;
        }
        oban_frame_sent(client);
    }
    client->events_due = client->ordered ? client->ordered_events : client->events.count;
    client->delivery = OBAN_DELIVER_EVENTS;
}

static void deliver_events(oban_client *client)
{
    const char *data = NULL;
    if (client->events_due == 0) {
        bool newer =
            !client->silent && client->last < oban_world_publication(client->hub->def.world);
        client->delivery =
            client->events.count > 0 || newer ? OBAN_DELIVER_FRAME : OBAN_DELIVER_CURRENT;
        return;
    }
    size_t piece = oban_blob_queue_piece(&client->events, OBAN_PIECE_BYTES, &data);
    if (!oban_client_send(client, data, piece)) {
        return;
    }
    client->large_events_bytes -= client->large_events_bytes > 0 ? piece : 0;
    if (oban_blob_queue_drop(&client->events, &client->hub->alloc, piece)) {
        client->events_due--;
        client->ordered_events -= client->ordered_events > 0 ? 1 : 0;
    }
}

/* Whether replies go next. An ordered one lets others pass until what it stays behind is out. */
static bool deliver_replies_next(oban_client *client)
{
    if (client->ordered && client->ordered_events == 0 &&
        client->last >= client->ordered_publication) {
        client->ordered = false;
    }
    return oban_outbox_bytes(&client->replies) > 0 &&
           (!client->ordered || client->ordered_free > 0);
}

/* One send, or one step of the machine. Returns false when nothing is left. */
static bool deliver_next(oban_client *client)
{
    if (client->delivery == OBAN_DELIVER_SNAPSHOT) {
        deliver_snapshot(client);
    } else if (deliver_replies_next(client)) {
        deliver_replies(client);
    } else if (client->delivery == OBAN_DELIVER_FRAME) {
        deliver_frame(client);
    } else if (client->delivery == OBAN_DELIVER_EVENTS) {
        deliver_events(client);
    } else {
        return false;
    }
    return true;
}

void oban_client_deliver(oban_client *client)
{
    while (oban_client_open(client) && !client->choked && deliver_next(client)) {
    }
    if (oban_client_in_step(client)) {
        client->excused = false;
    }
}
