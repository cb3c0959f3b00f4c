/* SPDX-License-Identifier: MIT */
/* The entries of frames and snapshots: E for an object, C for the camera (protocol 4).
 * Not here: what goes into which message (frame.h, snapshot.h).
 * Next: entry.c, frame.h. */
#ifndef OBAN_PROTO_WIRE_ENTRY_H
#define OBAN_PROTO_WIRE_ENTRY_H

#include "core/world/world.h"
#include "proto/json/writer.h"

#include <stdint.h>

/* The whole of E. `m` is the object's matrix as it is to be told: object->m, or in the middle of a
 * pass oban_world_object_matrix. */
void oban_wire_object(oban_writer *writer, const oban_object *object, const oban_mat34 *m);
/* E for a client that has had this life up to publication `last`: identity (part when not 0, life
 * when not 1), anim, frame, m, and what else has changed since. */
void oban_wire_object_change(oban_writer *writer, const oban_object *object, uint64_t last);
/* What something is called: "object":5, "door":5, "character":"konoko" or "character":0 (`name`
 * NULL); the first member of an object or a later one. */
void oban_wire_thing(oban_writer *writer, int32_t number, const char *name);
/* "part" of an object, "leaf" of a door; NULL of what has none. */
const char *oban_wire_part_key(int32_t number);
/* The whole of C. */
void oban_wire_camera(oban_writer *writer, const oban_camera *camera, const oban_mat34 *m);
/* "stopped", "playing" or "paused". */
const char *oban_wire_state_word(const oban_player *player);
/* "free", "scripted", "detached" or "orbit". */
const char *oban_wire_camera_mode_word(oban_camera_mode mode);

#endif
