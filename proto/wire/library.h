/* SPDX-License-Identifier: MIT */
/* The results of queries about animations: anim_list, anim_get, anim_path (protocol 3).
 * Not here: finding the animation, files (../format/).
 * Next: library.c. */
#ifndef OBAN_PROTO_WIRE_LIBRARY_H
#define OBAN_PROTO_WIRE_LIBRARY_H

#include "core/world/world.h"
#include "proto/json/writer.h"

#include <stdint.h>

/* {anims:[{name, frames, keys, flags, half_stop}]} of those whose names match (NULL data: all). */
void oban_wire_anim_list(oban_writer *writer, const oban_world *world, oban_text match);
/* {anim:{name, flags, frames, half_stop, start, base, keys:[{frame, q, p}]}}, numbers as stored. */
void oban_wire_anim_get(oban_writer *writer, const oban_clip *clip);
/* {anim, frames, every, path:[{frame, m}]}; every > 0. */
void oban_wire_anim_path(oban_writer *writer, const oban_clip *clip, uint32_t every);

/* Whether a name matches a pattern: * stands for any characters, ? for one; letters match in either
 * case. Time is at most pattern times name. */
bool oban_wire_matches(oban_text pattern, oban_text name);

#endif
