/* SPDX-License-Identifier: MIT */
/* The messages of a session's beginning: hello, the pieces of the snapshot, snapshot_end; and the
 * snapshot as one object for GET /state.
 * Not here: how they are shared and sent (server/snapshots.c).
 * Next: snapshot.c, event.h. */
#ifndef OBAN_PROTO_WIRE_SNAPSHOT_H
#define OBAN_PROTO_WIRE_SNAPSHOT_H

#include "core/world/world.h"
#include "proto/json/writer.h"

#include <stdbool.h>
#include <stdint.h>

/* One limit as hello tells it. */
typedef struct oban_wire_limit {
    const char *name;
    uint64_t value;
} oban_wire_limit;

typedef struct oban_wire_hello {
    const char *session;
    uint64_t tick;
    uint64_t seq;
    bool paused;
    uint64_t seed;
    const oban_wire_limit *limits;
    uint32_t limit_count;
    const char *const *capabilities; /* ended by NULL */
    uint32_t objects;
    uint32_t clips;
    uint32_t clients;
} oban_wire_hello;

void oban_wire_hello_write(oban_writer *writer, const oban_wire_hello *hello);

#define OBAN_SNAPSHOT_PIECE_OBJECTS 500u
#define OBAN_SNAPSHOT_PIECE_BYTES 65536u

/* Writes the next `snapshot` message: at most so many objects, and no further one once it has so
 * many bytes. `*next` is the first object of the piece; 0 begins, and moves on. The first piece has
 * all lists, the camera and the hidden references. Returns whether there are more. Source: protocol
 * 1, 4. */
bool oban_wire_snapshot_piece(oban_writer *writer, const oban_world *world, uint32_t *next);
void oban_wire_snapshot_end(oban_writer *writer, uint64_t tick, uint64_t seq);

/* The whole snapshot as one object. Source: protocol 1, /state. */
void oban_wire_state(oban_writer *writer, const oban_world *world, const char *session,
                     uint64_t seq, bool paused);
/* The objects, in a list of their own ("objects":[E, ...]); `now`: as of the middle of a pass. */
void oban_wire_objects(oban_writer *writer, const oban_world *world, bool now);

#endif
