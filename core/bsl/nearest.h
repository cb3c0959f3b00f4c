/* SPDX-License-Identifier: MIT */
/* Names that a person may have meant: edit distance, and the nearest of a list.
 * Not here: animations and objects that are missing (world/world.h tells those).
 * Next: line.h. */
#ifndef OBAN_BSL_NEAREST_H
#define OBAN_BSL_NEAREST_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* How many letters must be put in, taken out, changed or swapped with their neighbour; case does
 * not count. Texts are looked at to 64 bytes. Source: ours (optimal string alignment). */
uint32_t oban_nearest_distance(oban_text a, oban_text b);

/* Whether a distance is small enough for two names of these lengths to be the same word mistyped.
 */
bool oban_nearest_is_near(uint32_t distance, oban_text typed, oban_text name);

#define OBAN_NEAREST_TOLD 3u

/* The best names so far, nearest first. Its texts are borrowed. */
typedef struct oban_nearest {
    oban_text typed;
    oban_text names[OBAN_NEAREST_TOLD];
    uint32_t distances[OBAN_NEAREST_TOLD];
    uint32_t count;
} oban_nearest;

/* A search: start, add whatever there is, tell. */
void oban_nearest_start(oban_nearest *nearest, oban_text typed);
void oban_nearest_add(oban_nearest *nearest, oban_text name);
/* All commands that scripts may name. */
void oban_nearest_add_commands(oban_nearest *nearest);
/* Adds "; the nearest are 'x' and 'y'", nearest first; nothing when none is near. */
void oban_nearest_tell(oban_nearest *nearest, oban_line *line);

/* Adds "; the nearest are 'x' and 'y'" with up to three commands of the world that are near to
 * `name`, nearest first; nothing when none is. Source: protocol 2 (errors that point). */
void oban_nearest_command(oban_text name, oban_line *line);

#endif
