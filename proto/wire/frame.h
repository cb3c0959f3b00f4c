/* SPDX-License-Identifier: MIT */
/* The frame message: what has changed for a client since the publication that it was last sent.
 * Not here: who gets it when (server/publish.c), framing (ws_frame.h).
 * Next: frame.c, snapshot.h. */
#ifndef OBAN_PROTO_WIRE_FRAME_H
#define OBAN_PROTO_WIRE_FRAME_H

#include "core/world/world.h"
#include "proto/json/writer.h"

#include <stdbool.h>
#include <stdint.h>

/* Writes the frame of the newest publication for a client whose last one was `last` and that was
 * not sent `skipped` ticks with something to tell. A function of these three and nothing else, so
 * clients that are equal in them share it. Allocates only when the writer must grow. Returns
 * whether anything but the tick stands in it. Source: protocol 4. */
bool oban_wire_frame(oban_writer *writer, const oban_world *world, uint64_t last, uint64_t skipped);

#endif
