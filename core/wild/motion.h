/* SPDX-License-Identifier: MIT */
/* One sector's motion during one move, in closed form from the move's start:
 *
 *   position  n(t) = c + 2 v t + a t^2        in 1/131072 of a unit: exact, no rounding at all
 *   velocity  v(t) = v + a t                  in 1/65536 of a unit (r: of a degree) a tick
 *   turn      2 v t + a t^2 about the axis    in 1/131072 of a degree, modulo the full turn
 *
 * t counts Wild ticks from the start and stops at the duration: then the pose is held.
 * Not here: which move comes next (chain.h), parents (evaluate.c).
 * Source: the Wild page [004] for the formulas; exactness, degrees, the sense (right-handed about
 * the axis as it is stored): ours. Next: chain.h. */
#ifndef OBAN_WILD_MOTION_H
#define OBAN_WILD_MOTION_H

#include "core/wild/wild.h"

#define OBAN_WILD_POSITION_BOUND ((int64_t)1 << 48) /* 2^31 units: positions lie within +- this */

/* Where a sector stands, to its parent. */
typedef struct oban_wild_pose {
    int64_t n[3];    /* 1/131072 of a unit */
    double basis[9]; /* I, J, K */
} oban_wild_pose;

typedef struct oban_wild_motion {
    uint64_t start;    /* Wild tick */
    uint64_t duration; /* NEVER: forever */
    oban_wild_pose from;
    int32_t v[4]; /* x, y, z, r at the start */
    int32_t a[4];
    int32_t axis[3]; /* as it was set; not of length 1 */
    /* worked out when it begins */
    bool moves; /* changes with t at all */
    bool turns;
    double along[9];  /* of each of I, J, K: its part along the axis, */
    double across[9]; /* and the rest of it, a quarter turn on */
} oban_wild_motion;

/* Stands at a pose: no velocity, no axis, duration 0. */
void oban_wild_motion_rest(oban_wild_motion *motion, uint64_t start, const oban_wild_pose *pose);
/* Takes the pose and velocities of a tick as the start of what comes next. After a pause (the
 * tick is behind the duration) velocities are 0: it has been at rest. The axis stays. */
void oban_wild_motion_snap(oban_wild_motion *motion, uint64_t tick);
/* Does one command of a move. Returns false when the sum does not fit; then it is undone. */
bool oban_wild_motion_command(oban_wild_motion *motion, const oban_wild_command *command);
/* Whether it turns about no axis. */
bool oban_wild_motion_axisless(const oban_wild_motion *motion);
/* Sets the duration and works out what the pose needs. */
void oban_wild_motion_begin(oban_wild_motion *motion, uint64_t duration);
/* The first t up to `limit` at which a position or velocity does not fit its format; NEVER: none.
 */
uint64_t oban_wild_motion_breaks(const oban_wild_motion *motion, uint64_t limit);
/* The last tick of it that shows something new; NEVER: none is the last. */
uint64_t oban_wild_motion_end(const oban_wild_motion *motion);
/* The pose at a tick, whichever; before the start that of the start. */
void oban_wild_motion_at(const oban_wild_motion *motion, uint64_t tick, oban_wild_pose *out);
/* As the matrix that frames show; and that of a motion at a tick, by the straight way. */
oban_mat34 oban_wild_pose_matrix(const oban_wild_pose *pose);
void oban_wild_motion_matrix(const oban_wild_motion *motion, uint64_t tick, oban_mat34 *out);
/* Whether I, J, K are of length 1 and square to each other, to 1/1000. */
bool oban_wild_basis_fits(const double basis[9]);
/* Makes them so to the last bits: I keeps its direction; a mirrored basis stays mirrored. */
void oban_wild_basis_settle(double basis[9]);

#endif
