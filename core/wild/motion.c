/* SPDX-License-Identifier: MIT */
/* See motion.h. Products that an enemy can make great are checked before they are used; where a
 * motion was found to fit, plain arithmetic is exact.
 * Rejected: 128-bit products (a library call under some sanitizers) and floats for positions (they
 * drift or round). Next: chain.c. */
#include "core/wild/motion.h"

#include "core/math/trig.h"

#include <math.h>
#include <string.h>

#define MOTION_TURN 47185920u /* 360 degrees in 1/131072: 2 * 360 * 65536 */
#define MOTION_R 3

/* ---- numbers that fit ------------------------------------------------------------------------ */

/* v + a t, when it fits 16.16. */
static bool motion_velocity(int32_t v, int32_t a, uint64_t t, int64_t *out)
{
    int64_t gained;
    if (t > (uint64_t)INT64_MAX || __builtin_mul_overflow((int64_t)a, (int64_t)t, &gained) ||
        __builtin_add_overflow(gained, (int64_t)v, out)) {
        return false;
    }
    return *out >= INT32_MIN && *out <= INT32_MAX;
}

/* Whether variable i fits at t. c + t (2 v + a t): one product decides, since no sum of what does
 * not fit 64 bits could come back. */
static bool motion_fits(const oban_wild_motion *motion, int i, uint64_t t)
{
    int64_t velocity;
    int64_t way;
    if (!motion_velocity(motion->v[i], motion->a[i], t, &velocity)) {
        return false;
    }
    if (i == MOTION_R) {
        return true;
    }
    if (__builtin_mul_overflow(motion->v[i] + velocity, (int64_t)t, &way) ||
        __builtin_add_overflow(way, motion->from.n[i], &way)) {
        return false;
    }
    return way >= -OBAN_WILD_POSITION_BOUND && way < OBAN_WILD_POSITION_BOUND;
}

/* The first t in [low, high] that does not fit, where those that do not all follow those that do.
 */
static uint64_t motion_search(const oban_wild_motion *motion, int i, uint64_t low, uint64_t high)
{
    if (motion_fits(motion, i, high)) {
        return OBAN_WILD_NEVER;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (motion_fits(motion, i, middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A position turns round once, where the velocity is 0: between floor(-v / a) and the tick after
 * it. On either side it goes one way, so what has left stays away. */
static uint64_t motion_breaks_one(const oban_wild_motion *motion, int i, uint64_t limit)
{
    int64_t v = motion->v[i];
    int64_t a = motion->a[i];
    bool turns_round = (v < 0 && a > 0) || (v > 0 && a < 0);
    uint64_t peak = turns_round ? (uint64_t)(v / a < 0 ? -(v / a) : 0) : 0;
    if (!turns_round || peak >= limit) {
        return motion_search(motion, i, 0, limit);
    }
    uint64_t before = motion_search(motion, i, 0, peak);
    if (before != OBAN_WILD_NEVER || !motion_fits(motion, i, peak + 1)) {
        return before != OBAN_WILD_NEVER ? before : peak + 1;
    }
    return motion_search(motion, i, peak + 1, limit);
}

uint64_t oban_wild_motion_breaks(const oban_wild_motion *motion, uint64_t limit)
{
    uint64_t first = OBAN_WILD_NEVER;
    for (int i = 0; i <= MOTION_R; i++) {
        uint64_t one = motion_breaks_one(motion, i, limit);
        first = one < first ? one : first;
    }
    return first;
}

/* ---- a basis --------------------------------------------------------------------------------- */

static double motion_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* From the float's root, by Newton: the library's is not at hand, and this gives equal bits
 * everywhere. For numbers that are positive and fit a float. */
static double motion_root(double square)
{
    double root = (double)sqrtf((float)square);
    root = 0.5 * (root + square / root);
    return 0.5 * (root + square / root);
}

static void motion_unit(double v[3])
{
    double length = motion_root(motion_dot(v, v));
    for (int i = 0; i < 3; i++) {
        v[i] = v[i] / length;
    }
}

static void motion_square(double v[3], const double to[3])
{
    double along = motion_dot(v, to);
    for (int i = 0; i < 3; i++) {
        v[i] = v[i] - along * to[i];
    }
}

static bool motion_near(double value, double wanted)
{
    return value > wanted - 0.001 && value < wanted + 0.001; /* false for NaN */
}

bool oban_wild_basis_fits(const double basis[9])
{
    const double *x = basis;
    const double *y = basis + 3;
    const double *z = basis + 6;
    return motion_near(motion_dot(x, x), 1) && motion_near(motion_dot(y, y), 1) &&
           motion_near(motion_dot(z, z), 1) && motion_near(motion_dot(x, y), 0) &&
           motion_near(motion_dot(x, z), 0) && motion_near(motion_dot(y, z), 0);
}

void oban_wild_basis_settle(double basis[9])
{
    double *x = basis;
    double *y = basis + 3;
    double *z = basis + 6;
    motion_unit(x);
    motion_square(y, x);
    motion_unit(y);
    motion_square(z, x);
    motion_square(z, y);
    motion_unit(z);
}

/* ---- a move ---------------------------------------------------------------------------------- */

void oban_wild_motion_rest(oban_wild_motion *motion, uint64_t start, const oban_wild_pose *pose)
{
    memset(motion, 0, sizeof *motion);
    motion->start = start;
    motion->from = *pose;
}

void oban_wild_motion_snap(oban_wild_motion *motion, uint64_t tick)
{
    uint64_t t = tick - motion->start;
    oban_wild_pose pose;
    oban_wild_motion_at(motion, tick, &pose);
    if (motion->turns) {
        oban_wild_basis_settle(pose.basis);
    }
    for (int i = 0; i <= MOTION_R; i++) {
        int64_t velocity = 0;
        if (t > motion->duration) {
            motion->a[i] = 0;
        } else if (!motion_velocity(motion->v[i], motion->a[i], t, &velocity)) {
            velocity = 0; /* cannot be: the move was found to fit up to here */
        }
        motion->v[i] = (int32_t)velocity;
    }
    motion->from = pose;
    motion->start = tick;
}

/* Sets or adds, when it fits. */
static bool motion_put(int32_t *variable, const oban_wild_command *command)
{
    int64_t sum = command->value;
    if (command->op == OBAN_WILD_ADD) {
        sum += *variable;
    }
    if (sum < INT32_MIN || sum > INT32_MAX) {
        return false;
    }
    *variable = (int32_t)sum;
    return true;
}

static bool motion_put_position(int64_t *n, const oban_wild_command *command)
{
    int64_t sum = (int64_t)command->value * OBAN_WILD_POSITION_ONE;
    if (command->op == OBAN_WILD_ADD) {
        sum += *n;
    }
    if (sum < -OBAN_WILD_POSITION_BOUND || sum >= OBAN_WILD_POSITION_BOUND) {
        return false;
    }
    *n = sum;
    return true;
}

bool oban_wild_motion_command(oban_wild_motion *motion, const oban_wild_command *command)
{
    uint32_t variable = command->target & 7u;
    uint32_t part = command->target & 0x30u;
    if (variable >= OBAN_WILD_RX) {
        return motion_put(&motion->axis[variable - OBAN_WILD_RX], command);
    }
    if (part == OBAN_WILD_C) {
        return motion_put_position(&motion->from.n[variable], command);
    }
    return motion_put(part == OBAN_WILD_V ? &motion->v[variable] : &motion->a[variable], command);
}

bool oban_wild_motion_axisless(const oban_wild_motion *motion)
{
    bool turns = motion->v[MOTION_R] != 0 || motion->a[MOTION_R] != 0;
    return turns && motion->axis[0] == 0 && motion->axis[1] == 0 && motion->axis[2] == 0;
}

/* Rodrigues: u(theta) = along + (u - along) cos theta + across sin theta, for each of I, J, K. */
static void motion_split(oban_wild_motion *motion)
{
    double k[3] = {motion->axis[0], motion->axis[1], motion->axis[2]};
    motion_unit(k);
    for (int column = 0; column < 9; column += 3) {
        const double *u = motion->from.basis + column;
        double dot = motion_dot(k, u);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3;
            int l = (i + 2) % 3;
            motion->along[column + i] = k[i] * dot;
            motion->across[column + i] = k[j] * u[l] - k[l] * u[j];
        }
    }
}

void oban_wild_motion_begin(oban_wild_motion *motion, uint64_t duration)
{
    motion->duration = duration;
    motion->moves = false;
    for (int i = 0; i <= MOTION_R; i++) {
        motion->moves = motion->moves || motion->v[i] != 0 || motion->a[i] != 0;
    }
    motion->turns = (motion->v[MOTION_R] != 0 || motion->a[MOTION_R] != 0) &&
                    !oban_wild_motion_axisless(motion);
    if (motion->turns) {
        motion_split(motion);
    }
}

uint64_t oban_wild_motion_end(const oban_wild_motion *motion)
{
    if (!motion->moves) {
        return motion->start;
    }
    return motion->duration == OBAN_WILD_NEVER ? OBAN_WILD_NEVER : motion->start + motion->duration;
}

/* ---- the pose at a tick ---------------------------------------------------------------------- */

/* A number modulo the full turn, from 0. */
static uint64_t motion_modulo(int64_t value)
{
    int64_t rest = value % (int64_t)MOTION_TURN;
    return (uint64_t)(rest < 0 ? rest + (int64_t)MOTION_TURN : rest);
}

/* Each factor is below 2^26, so no product passes 2^53: exact for every t. */
static uint32_t motion_angle(const oban_wild_motion *motion, uint64_t t)
{
    uint64_t way = t % MOTION_TURN;
    uint64_t v = motion_modulo(motion->v[MOTION_R]);
    uint64_t gained = motion_modulo(motion->a[MOTION_R]) * way % MOTION_TURN;
    return (uint32_t)((2 * v + gained) % MOTION_TURN * way % MOTION_TURN);
}

/* One of the nine numbers of the basis. */
static double motion_turned(const oban_wild_motion *motion, int i, double sine, double cosine)
{
    double aside = motion->from.basis[i] - motion->along[i];
    return motion->along[i] + aside * cosine + motion->across[i] * sine;
}

static void motion_angle_of(const oban_wild_motion *motion, uint64_t t, double *sine,
                            double *cosine)
{
    oban_trig_degrees((double)motion_angle(motion, t) / OBAN_WILD_POSITION_ONE, sine, cosine);
}

/* How long it has gone on at a tick. */
static uint64_t motion_time(const oban_wild_motion *motion, uint64_t tick)
{
    uint64_t t = tick > motion->start ? tick - motion->start : 0;
    t = t > motion->duration ? motion->duration : t;
    return motion->moves ? t : 0;
}

static int64_t motion_position(const oban_wild_motion *motion, int i, uint64_t t)
{
    int64_t velocity2 = 2 * (int64_t)motion->v[i] + motion->a[i] * (int64_t)t;
    return motion->from.n[i] + velocity2 * (int64_t)t;
}

void oban_wild_motion_at(const oban_wild_motion *motion, uint64_t tick, oban_wild_pose *out)
{
    uint64_t t = motion_time(motion, tick);
    double sine;
    double cosine;
    *out = motion->from;
    if (t == 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        out->n[i] = motion_position(motion, i, t);
    }
    if (motion->turns) {
        motion_angle_of(motion, t, &sine, &cosine);
        for (int i = 0; i < 9; i++) {
            out->basis[i] = motion_turned(motion, i, sine, cosine);
        }
    }
}

static float motion_units(int64_t n)
{
    return (float)((double)n / OBAN_WILD_POSITION_ONE);
}

oban_mat34 oban_wild_pose_matrix(const oban_wild_pose *pose)
{
    oban_mat34 out;
    for (int i = 0; i < 9; i++) {
        out.m[i] = (float)pose->basis[i];
    }
    for (int i = 0; i < 3; i++) {
        out.m[9 + i] = motion_units(pose->n[i]);
    }
    return out;
}

void oban_wild_motion_matrix(const oban_wild_motion *motion, uint64_t tick, oban_mat34 *out)
{
    uint64_t t = motion_time(motion, tick);
    double sine;
    double cosine;
    if (t == 0 || !motion->turns) {
        for (int i = 0; i < 9; i++) {
            out->m[i] = (float)motion->from.basis[i];
        }
    } else {
        motion_angle_of(motion, t, &sine, &cosine);
        for (int i = 0; i < 9; i++) {
            out->m[i] = (float)motion_turned(motion, i, sine, cosine);
        }
    }
    for (int i = 0; i < 3; i++) {
        out->m[9 + i] = motion_units(motion_position(motion, i, t));
    }
}
