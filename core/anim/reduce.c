/* SPDX-License-Identifier: MIT */
/* Choosing keys. In double, so that the search does not chase float32's noise. Next: reduce.h. */
#include "core/anim/reduce.h"

#include <math.h>
#include <string.h>

/* So many frames ahead every span is tried, one by one. */
#define REDUCE_WINDOW 256u
/* A key may go so many frames less far than it could, when the one behind it then goes further. */
#define REDUCE_LOOK_BACK 4u
/* What float32 cannot tell: relative to the size of positions, and of a rotation. */
#define REDUCE_NOISE 1e-6

typedef struct reduce_run {
    const oban_pose *poses;
    uint32_t last;    /* frame */
    double distance2; /* tolerance, squared */
    double chord2;    /* of quaternions: (2 sin(angle / 4))^2 */
    double noise;     /* of positions, relative */
} reduce_run;

static double reduce_dot(const oban_quat *a, const oban_quat *b)
{
    return (double)a->x * (double)b->x + (double)a->y * (double)b->y + (double)a->z * (double)b->z +
           (double)a->w * (double)b->w;
}

void oban_poses_align(oban_pose *poses, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        oban_quat *q = &poses[i].rotation;
        if (reduce_dot(&poses[i - 1].rotation, q) < 0) {
            *q = (oban_quat){-q->x, -q->y, -q->z, -q->w};
        }
    }
}

/* ---- how far a frame is off ---- */

/* The squared distance, over the squared tolerance widened by the noise of numbers of this size. */
static double reduce_position_error(const reduce_run *run, const float a[3], const float b[3],
                                    double t, const float at[3])
{
    double distance2 = 0;
    double size = 0;
    for (int i = 0; i < 3; i++) {
        double mixed = (double)a[i] + t * ((double)b[i] - (double)a[i]);
        double off = mixed - (double)at[i];
        double from = a[i] < 0 ? -(double)a[i] : (double)a[i];
        double to = b[i] < 0 ? -(double)b[i] : (double)b[i];
        double most = from > to ? from : to;
        distance2 += off * off;
        size = most > size ? most : size;
    }
    double noise = run->noise * size;
    return distance2 / (run->distance2 + noise * noise + 1e-60);
}

/* The same for the rotation, by the chord between the two quaternions. */
static double reduce_rotation_error(const reduce_run *run, const oban_quat *a, const oban_quat *b,
                                    double t, const oban_quat *at)
{
    double u = reduce_dot(a, b) < 0 ? -t : t;
    double q[4] = {
        (1 - t) * (double)a->x + u * (double)b->x, (1 - t) * (double)a->y + u * (double)b->y,
        (1 - t) * (double)a->z + u * (double)b->z, (1 - t) * (double)a->w + u * (double)b->w};
    double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(length2 > 1e-12)) {
        return 1e300;
    }
    /* 1/sqrt in double: float32's, and two steps of Newton. */
    double inverse = 1 / (double)sqrtf((float)length2);
    inverse = inverse * (1.5 - 0.5 * length2 * inverse * inverse);
    inverse = inverse * (1.5 - 0.5 * length2 * inverse * inverse);
    const double to[4] = {(double)at->x, (double)at->y, (double)at->z, (double)at->w};
    double dot = q[0] * to[0] + q[1] * to[1] + q[2] * to[2] + q[3] * to[3];
    double chord2 = 0;
    for (int i = 0; i < 4; i++) {
        double off = q[i] * (dot < 0 ? -inverse : inverse) - to[i];
        chord2 += off * off;
    }
    return chord2 / run->chord2;
}

static double reduce_error(const reduce_run *run, uint32_t first, uint32_t last, uint32_t frame)
{
    const oban_pose *a = &run->poses[first];
    const oban_pose *b = &run->poses[last];
    const oban_pose *at = &run->poses[frame];
    double t = (double)(frame - first) / (double)(last - first);
    double position = reduce_position_error(run, a->position, b->position, t, at->position);
    double rotation = reduce_rotation_error(run, &a->rotation, &b->rotation, t, &at->rotation);
    return position > rotation ? position : rotation;
}

/* Whether all frames between two keys are within the tolerance. */
static bool reduce_is_good(const reduce_run *run, uint32_t first, uint32_t last)
{
    /* In the middle it shows first. */
    if (last - first > 2 && reduce_error(run, first, last, first + (last - first) / 2) > 1) {
        return false;
    }
    for (uint32_t frame = first + 1; frame < last; frame++) {
        if (reduce_error(run, first, last, frame) > 1) {
            return false;
        }
    }
    return true;
}

/* ---- choosing ---- */

/* The frames that may become keys: those of a list, or all. */
typedef struct reduce_choice {
    const reduce_run *run;
    const oban_key *list; /* NULL: all frames */
    uint32_t last;        /* index of the last one */
} reduce_choice;

static uint32_t reduce_frame(const reduce_choice *choice, uint32_t index)
{
    return choice->list == NULL ? index : (uint32_t)choice->list[index].frame;
}

static bool reduce_goes(const reduce_choice *choice, uint32_t from, uint32_t to)
{
    return reduce_is_good(choice->run, reduce_frame(choice, from), reduce_frame(choice, to));
}

/* How far a span can go when each shorter one is good too: found by doubling, then by halving. */
static uint32_t reduce_steady_reach(const reduce_choice *choice, uint32_t first)
{
    uint32_t good = first + 1;
    uint32_t bad = choice->last + 1;
    while (good < choice->last) {
        uint32_t step = good - first;
        uint32_t next = step < choice->last - good ? good + step : choice->last;
        if (!reduce_goes(choice, first, next)) {
            bad = next;
            break;
        }
        good = next;
    }
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        *(reduce_goes(choice, first, middle) ? &good : &bad) = middle;
    }
    return good;
}

/* How far a span that begins at a key can go. A part of a turn between two keys is no turn between
 * keys, for the speed of one changes on its way: that a shorter span is bad says nothing of a
 * longer one. */
static uint32_t reduce_reach(const reduce_choice *choice, uint32_t first)
{
    if (first >= choice->last) {
        return choice->last;
    }
    uint32_t steady = reduce_steady_reach(choice, first);
    uint32_t far = choice->last - first > REDUCE_WINDOW ? first + REDUCE_WINDOW : choice->last;
    while (far > steady && !reduce_goes(choice, first, far)) {
        far--;
    }
    return far > steady ? far : steady;
}

/* The next key: as far as can be, or a few less, whichever lets the one behind it go furthest. */
static uint32_t reduce_choose(const reduce_choice *choice, uint32_t key, uint32_t reach,
                              uint32_t *next_reach)
{
    uint32_t chosen = reach;
    *next_reach = reduce_reach(choice, reach);
    for (uint32_t back = 1; back < REDUCE_LOOK_BACK && reach < choice->last; back++) {
        if (reach - back <= key) {
            break;
        }
        uint32_t further =
            reduce_goes(choice, key, reach - back) ? reduce_reach(choice, reach - back) : 0;
        if (further > *next_reach) {
            *next_reach = further;
            chosen = reach - back;
        }
    }
    return chosen;
}

/* Writes the frames of the keys, which may be into the list itself: never beyond what was read.
 * Returns how many. */
static uint32_t reduce_walk(const reduce_choice *choice, oban_key *keys)
{
    uint32_t key = 0;
    uint32_t count = 1;
    uint32_t reach = reduce_reach(choice, 0);
    while (key < choice->last) {
        key = reduce_choose(choice, key, reach, &reach);
        keys[count++].frame = (int32_t)reduce_frame(choice, key);
    }
    return count;
}

/* First the frames where the motion bends, found with a part of the tolerance; then, of these
 * alone, as few as the whole tolerance allows. A clip's own keys are found by the bends: a span
 * that ends just behind one would leave the next a way that is none of the clip's own. */
static uint32_t reduce_by_bends(const reduce_run *whole, double part, oban_key *keys, bool *all)
{
    reduce_run bends = *whole;
    bends.distance2 *= part * part;
    bends.chord2 = bends.chord2 * part * part + REDUCE_NOISE * REDUCE_NOISE;
    keys[0].frame = 0;
    uint32_t count = reduce_walk(&(reduce_choice){&bends, NULL, whole->last}, keys);
    *all = count == whole->last + 1;
    return reduce_walk(&(reduce_choice){whole, keys, count - 1}, keys);
}

/* (2 sin(angle / 4))^2; the series is good to 1e-5 up to half a turn. */
static double reduce_chord2(float degrees)
{
    double x = (double)degrees * 0.017453292519943295 / 4;
    double sine = x * (1 - x * x / 6 * (1 - x * x / 20));
    return 4 * sine * sine;
}

void oban_poses_reduce(const oban_pose *poses, uint32_t count, const oban_tolerance *tolerance,
                       oban_key *keys, uint32_t *key_count)
{
    static const double parts[] = {0, 0.1, 1};
    double distance = (double)tolerance->distance;
    const reduce_run run = {.poses = poses,
                            .last = count - 1,
                            .distance2 = distance * distance,
                            .chord2 =
                                reduce_chord2(tolerance->degrees) + REDUCE_NOISE * REDUCE_NOISE,
                            .noise = REDUCE_NOISE};
    double best = 0;
    uint32_t fewest = UINT32_MAX;
    bool all = false;
    /* Where it bends everywhere a larger part would only choose twice. */
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0] && !all; i++) {
        *key_count = reduce_by_bends(&run, parts[i], keys, &all);
        if (*key_count < fewest) {
            fewest = *key_count;
            best = parts[i];
        }
    }
    if (*key_count > fewest) {
        *key_count = reduce_by_bends(&run, best, keys, &all);
    }
    for (uint32_t i = 0; i < *key_count; i++) {
        const oban_pose *pose = &poses[keys[i].frame];
        keys[i].rotation = pose->rotation;
        memcpy(keys[i].position, pose->position, sizeof pose->position);
    }
}
