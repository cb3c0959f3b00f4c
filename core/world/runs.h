/* SPDX-License-Identifier: MIT */
/* Runs of objects: starting, stopping, where they stand. Next: runs.c. */
#ifndef OBAN_WORLD_RUNS_H
#define OBAN_WORLD_RUNS_H

#include "core/world/state.h"

/* Starts the clip on the object; what plays is `replaced`. */
void oban_runs_start(oban_world *world, oban_object *object, const oban_clip *clip,
                     int32_t stop_frame);
/* Ends the run, if there is one, where it is. */
void oban_runs_stop(oban_world *world, oban_object *object, oban_stop_reason reason);
void oban_runs_pause(oban_world *world, oban_object *object, bool paused);
/* One tick of an object. */
void oban_runs_step(oban_world *world, oban_object *object);
/* The tick at which the run ends by itself; UINT64_MAX: never. */
uint64_t oban_runs_end(const oban_world *world, const oban_player *player, const oban_clip *clip);
/* Puts the object where its record and its clip say that a created one stands; it must not play. */
void oban_runs_stand(oban_world *world, oban_object *object);
/* Puts the object at a matrix: what plays a local clip goes on from there, all else stands. */
void oban_runs_place(oban_world *world, oban_object *object, const oban_mat34 *matrix);
/* Where the object is by its player, or by its m when it just stands. */
oban_mat34 oban_runs_matrix(const oban_object *object);
/* What its clip's matrix becomes where the object is: a local one goes in front of its origin. */
oban_mat34 oban_runs_placed(const oban_object *object, const oban_mat34 *matrix);

#endif
