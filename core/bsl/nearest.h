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

/* Adds "; the nearest are 'x' and 'y'" with up to three commands that are near to `name`, nearest
 * first; nothing when none is. Source: protocol 2 (errors that point). */
void oban_nearest_command(oban_text name, oban_line *line);

#endif
