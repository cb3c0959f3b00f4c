/* SPDX-License-Identifier: MIT */
/* Characters that animations carry: each is in the world as long as that lasts.
 * Not here: their skeletons, which this world does not have. Next: characters.c. */
#ifndef OBAN_WORLD_CHARACTERS_H
#define OBAN_WORLD_CHARACTERS_H

#include "core/world/state.h"

/* At the beginning of a tick: those who were carried to the end go. Allocates nothing. */
void oban_characters_release(oban_world *world);

#endif
