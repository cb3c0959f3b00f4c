/* SPDX-License-Identifier: MIT */
/* The state as it is sent to who comes: one encoding per publication, shared, and freed with the
 * last client that is still being sent it. What is held in all is bounded. Next: client.h,
 * ../proto/wire/snapshot.h. */
#include "proto/wire/snapshot.h"
#include "proto/wire/ws_frame.h"
#include "server/client.h"

#define SNAPSHOTS_BYTES_MAX 268435456u /* of all encodings together; a single one may be larger */

static void snapshots_encode(oban_snapshot *snapshot, const oban_hub *hub)
{
    const oban_world *world = hub->def.world;
    oban_writer *writer = &snapshot->writer;
    uint32_t next = 0;
    bool more = !snapshot->empty;
    while (more) {
        size_t mark = oban_ws_begin(writer);
        more = oban_wire_snapshot_piece(writer, world, &next);
        oban_ws_end(writer, mark);
    }
    size_t mark = oban_ws_begin(writer);
    oban_wire_snapshot_end(writer, oban_world_tick(world), hub->seq);
    oban_ws_end(writer, mark);
}

static void snapshots_free(oban_hub *hub, oban_snapshot *snapshot)
{
    if (hub->snapshot == snapshot) {
        hub->snapshot = NULL;
    }
    hub->snapshot_bytes -= snapshot->counted;
    oban_writer_fini(&snapshot->writer);
    oban_alloc_give(&hub->alloc, snapshot, sizeof *snapshot);
}

static oban_snapshot *snapshots_create(oban_hub *hub, bool empty)
{
    oban_snapshot *snapshot = oban_alloc_take(&hub->alloc, sizeof *snapshot);
    if (snapshot == NULL) {
        return NULL;
    }
    *snapshot = (oban_snapshot){
        .publication = oban_world_publication(hub->def.world), .seq = hub->seq, .empty = empty};
    oban_writer_init(&snapshot->writer, &hub->alloc);
    snapshots_encode(snapshot, hub);
    bool fits = hub->snapshot_bytes == 0 ||
                hub->snapshot_bytes + snapshot->writer.capacity <= SNAPSHOTS_BYTES_MAX;
    if (snapshot->writer.failed || !fits) {
        snapshots_free(hub, snapshot);
        return NULL;
    }
    snapshot->counted = snapshot->writer.capacity;
    hub->snapshot_bytes += snapshot->counted;
    return snapshot;
}

/* The one that the hub remembers may serve: same publication, no event since. */
static bool snapshots_is_newest(const oban_hub *hub, const oban_snapshot *snapshot)
{
    return snapshot != NULL && snapshot->seq == hub->seq &&
           snapshot->publication == oban_world_publication(hub->def.world);
}

bool oban_snapshot_attach(oban_client *client)
{
    oban_hub *hub = client->hub;
    oban_snapshot *snapshot = hub->snapshot;
    if (client->silent || !snapshots_is_newest(hub, snapshot)) {
        snapshot = snapshots_create(hub, client->silent);
        if (snapshot == NULL) {
            return false;
        }
        hub->snapshot = client->silent ? hub->snapshot : snapshot;
    }
    snapshot->references++;
    client->snapshot = snapshot;
    client->snapshot_offset = 0;
    return true;
}

void oban_snapshot_detach(oban_client *client)
{
    oban_snapshot *snapshot = client->snapshot;
    client->snapshot = NULL;
    if (snapshot != NULL && --snapshot->references == 0) {
        snapshots_free(client->hub, snapshot);
    }
}
