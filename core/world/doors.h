/* SPDX-License-Identifier: MIT */
/* Doors: leaves that open to their clip's half-stop frame and close on to its end.
 * Not here: where a leaf's number comes from (object.h). Next: doors.c. */
#ifndef OBAN_WORLD_DOORS_H
#define OBAN_WORLD_DOORS_H

#include "core/world/state.h"

/* One tick of a leaf that plays. Loop and ping-pong flags mean nothing to doors. */
oban_stop_reason oban_doors_step(oban_object *leaf);

#endif
