/* SPDX-License-Identifier: MIT */
/* A run of poses, one a frame, made into the keys of a clip: every frame a key, or as few keys as
 * keep all frames within a tolerance.
 * Not here: matrices taken apart (motion in proto/format, ../math/trs.h), editing (edit.h).
 * Next: reduce.c, clip.h. */
#ifndef OBAN_ANIM_REDUCE_H
#define OBAN_ANIM_REDUCE_H

#include "core/anim/clip.h"

#include <stdint.h>

/* What a clip's key holds: a unit rotation in the file's sense, and the position. */
typedef struct oban_pose {
    oban_quat rotation;
    float position[3];
} oban_pose;

/* How far a frame may be from its pose. Zero asks for equality but for the noise of float32. */
typedef struct oban_tolerance {
    float distance; /* in units */
    float degrees;
} oban_tolerance;

/* The tolerance when nobody says one. Ours. */
#define OBAN_TOLERANCE_DISTANCE 0.001f
#define OBAN_TOLERANCE_DEGREES 0.01f

/* Makes the second of two neighbours the nearer of q and -q, for all of them: the same rotations,
 * and numbers that do not jump. */
void oban_poses_align(oban_pose *poses, uint32_t count);

/* Chooses keys among the poses (frames 0 to count - 1, count at least 1), so that a clip of these
 * keys shows every frame within the tolerance: the first, each next one as far ahead as can be, the
 * last. Near the fewest, not proven so. `keys` has room for count; *key_count of them are written,
 * in rising frames. Never fails and takes no memory. Time: count times the logarithm of count, on
 * any input. Source: ours; judged by the clip's own interpolation (behaviour 2). */
void oban_poses_reduce(const oban_pose *poses, uint32_t count, const oban_tolerance *tolerance,
                       oban_key *keys, uint32_t *key_count);

#endif
