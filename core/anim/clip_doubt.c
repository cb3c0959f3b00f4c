/* SPDX-License-Identifier: MIT */
/* See clip_doubt.h. Next: clip_measure.c. */
#include "core/anim/clip_doubt.h"

#include "core/base/assert.h"

#include <math.h>
#include <string.h>

/* A jump goes at least this far in a frame, when it happens within two frames or takes longer, and
 * is this many times faster than what is before and behind it and than the mean. One in rotation
 * happens within two.
 */
#define DOUBT_JUMP_FRAMES 2
#define DOUBT_JUMP_UNITS 5.0f
#define DOUBT_JUMP_LONG_UNITS 30.0f /* 180 m/s, as a unit is a decimetre */
#define DOUBT_JUMP_DOT 0.9f         /* of quaternions: a turn of over 51 degrees */
#define DOUBT_JUMP_TIMES 8.0f
#define DOUBT_FAR 1e6f
#define DOUBT_SHEAR 1e-3f
#define DOUBT_FLAT 1e-6f
#define DOUBT_FLAGS 0x1fu

static const struct {
    bool about_key;
    const char *text;
    const char *fix;
} doubt_rows[OBAN_DOUBT_COUNT] = {
#define OBAN_X(name, about_key, text, fix) {about_key, text, fix},
    OBAN_CLIP_DOUBTS(OBAN_X)
#undef OBAN_X
};

typedef struct doubt_notes {
    oban_clip_doubt found[OBAN_DOUBT_COUNT]; /* those with count 0 are none */
} doubt_notes;

static void doubt_note(doubt_notes *notes, oban_clip_doubt_code code, uint32_t key)
{
    oban_clip_doubt *doubt = &notes->found[code];
    if (doubt->count == 0) {
        doubt->key = key;
    }
    doubt->count++;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static float doubt_dot(const oban_quat *a, const oban_quat *b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z + a->w * b->w;
}

/* How far a key is from the one in front of it, per frame: units, and how the rotations differ (the
 * square of the chord between them). */
typedef struct doubt_step {
    float units;
    float chord;
} doubt_step;

static doubt_step doubt_step_to(const oban_clip *clip, uint32_t key)
{
    doubt_step step = {0, 0};
    if (key == 0 || key >= clip->play_key_count) {
        return step;
    }
    const oban_key *at = &clip->play_keys[key];
    const oban_key *before = at - 1;
    float frames = (float)((int64_t)at->frame - before->frame);
    float square = 0;
    for (int axis = 0; axis < 3; axis++) {
        float part = (at->position[axis] - before->position[axis]) / frames;
        square += part * part;
    }
    float dot = doubt_dot(&at->rotation, &before->rotation);
    dot = dot < 0 ? -dot : dot;
    step.units = sqrtf(square);
    step.chord = dot < 1.0f ? (1.0f - dot) / (frames * frames) : 0;
    return step;
}

/* Against its neighbours, and against the mean of all the others: what is wild everywhere has no
 * jumps. `sum` is of all. */
static bool doubt_stands_out(float here, float before, float behind, float sum, float others,
                             float times)
{
    float most = before > behind ? before : behind;
    return here > times * most && here > times * (sum - here) / others;
}

static doubt_step doubt_sum(const oban_clip *clip)
{
    doubt_step sum = {0, 0};
    for (uint32_t i = 1; i < clip->play_key_count; i++) {
        doubt_step step = doubt_step_to(clip, i);
        sum.units += step.units;
        sum.chord += step.chord;
    }
    return sum;
}

static void doubt_check_jump(doubt_notes *notes, const oban_clip *clip, uint32_t key,
                             const doubt_step *sum)
{
    const oban_key *at = &clip->play_keys[key];
    int64_t frames = (int64_t)at->frame - at[-1].frame;
    bool quick = frames <= DOUBT_JUMP_FRAMES;
    float least = quick ? DOUBT_JUMP_UNITS : DOUBT_JUMP_LONG_UNITS;
    if (clip->play_key_count < 3) {
        return;
    }
    float others = (float)(clip->play_key_count - 2);
    doubt_step before = doubt_step_to(clip, key - 1);
    doubt_step here = doubt_step_to(clip, key);
    doubt_step behind = doubt_step_to(clip, key + 1);
    if (here.units > least && doubt_stands_out(here.units, before.units, behind.units, sum->units,
                                               others, DOUBT_JUMP_TIMES)) {
        doubt_note(notes, OBAN_DOUBT_JUMP, key);
    }
    if (quick && here.chord > 1.0f - DOUBT_JUMP_DOT &&
        doubt_stands_out(here.chord, before.chord, behind.chord, sum->chord, others,
                         DOUBT_JUMP_TIMES * DOUBT_JUMP_TIMES)) {
        doubt_note(notes, OBAN_DOUBT_TURN_JUMP, key);
    }
}

static bool doubt_is_far(const oban_key *key)
{
    for (int axis = 0; axis < 3; axis++) {
        if (key->position[axis] > DOUBT_FAR || key->position[axis] < -DOUBT_FAR) {
            return true;
        }
    }
    return false;
}

static void doubt_check_keys(doubt_notes *notes, const oban_clip *clip)
{
    doubt_step sum = doubt_sum(clip);
    for (uint32_t i = 0; i < clip->play_key_count; i++) {
        const oban_key *key = &clip->play_keys[i];
        if (doubt_is_far(key)) {
            doubt_note(notes, OBAN_DOUBT_FAR, i);
        }
        if (i > 0 && doubt_dot(&key->rotation, &key[-1].rotation) < 0) {
            doubt_note(notes, OBAN_DOUBT_SIGN_FLIP, i);
        }
        if (i > 0) {
            doubt_check_jump(notes, clip, i, &sum);
        }
    }
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* An axis of length 1; false when it has none. */
static bool doubt_unit(const float in[3], float out[3])
{
    float most = 0;
    for (int i = 0; i < 3; i++) {
        float size = in[i] < 0 ? -in[i] : in[i];
        most = size > most ? size : most;
    }
    if (!(most > 0)) {
        return false;
    }
    float square = 0;
    for (int i = 0; i < 3; i++) {
        out[i] = in[i] / most;
        square += out[i] * out[i];
    }
    for (int i = 0; i < 3; i++) {
        out[i] = out[i] / sqrtf(square);
    }
    return true;
}

static bool doubt_leans(const float a[3], const float b[3])
{
    float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return dot > DOUBT_SHEAR || dot < -DOUBT_SHEAR;
}

static void doubt_check_base(doubt_notes *notes, const oban_clip *clip)
{
    float x[3] = {0};
    float y[3] = {0};
    float z[3] = {0};
    bool spans = doubt_unit(clip->base.m, x) && doubt_unit(clip->base.m + 3, y) &&
                 doubt_unit(clip->base.m + 6, z);
    float volume = x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
                   x[2] * (y[0] * z[1] - y[1] * z[0]);
    if (!spans || (volume < DOUBT_FLAT && volume > -DOUBT_FLAT)) {
        doubt_note(notes, OBAN_DOUBT_BASE_FLAT, 0);
    } else if (doubt_leans(x, y) || doubt_leans(x, z) || doubt_leans(y, z)) {
        doubt_note(notes, OBAN_DOUBT_BASE_SHEAR, 0);
    }
}

/* The number that a key to be played has among all: where frames are doubled they differ. */
static uint32_t doubt_key_number(const oban_clip *clip, uint32_t play_key)
{
    uint32_t at = play_key;
    while (clip->keys[at].frame != clip->play_keys[play_key].frame) {
        at++;
    }
    return at;
}

uint32_t oban_clip_doubts(const oban_clip *clip, oban_clip_doubt out[OBAN_DOUBT_COUNT])
{
    doubt_notes notes;
    uint32_t count = 0;
    memset(&notes, 0, sizeof notes);
    doubt_check_keys(&notes, clip);
    doubt_check_base(&notes, clip);
    if (clip->half_stop < 0 || (uint32_t)clip->half_stop >= clip->frame_count) {
        doubt_note(&notes, OBAN_DOUBT_HALF_STOP, 0);
    }
    if ((clip->flags & ~DOUBT_FLAGS) != 0) {
        doubt_note(&notes, OBAN_DOUBT_FLAGS, 0);
    }
    if (strlen(clip->name) > OBAN_CLIP_ONI_NAME_MAX) {
        doubt_note(&notes, OBAN_DOUBT_LONG_NAME, 0);
    }
    for (unsigned code = 0; code < OBAN_DOUBT_COUNT; code++) {
        if (notes.found[code].count > 0) {
            out[count] = notes.found[code];
            out[count].key = doubt_key_number(clip, out[count].key);
            out[count++].code = (oban_clip_doubt_code)code;
        }
    }
    return count;
}

void oban_clip_doubt_line(const oban_clip_doubt *doubt, oban_line *line)
{
    OBAN_ASSERT((unsigned)doubt->code < OBAN_DOUBT_COUNT);
    oban_line_clear(line);
    if (doubt_rows[doubt->code].about_key) {
        oban_line_add(line, "key ");
        oban_line_add_u64(line, doubt->key);
        oban_line_add(line, " ");
    }
    oban_line_add(line, doubt_rows[doubt->code].text);
    if (doubt->count > 1) {
        oban_line_add(line, " (and ");
        oban_line_add_u64(line, doubt->count - 1);
        oban_line_add(line, doubt->count == 2 ? " other key)" : " other keys)");
    }
}

const char *oban_clip_doubt_fix(oban_clip_doubt_code code)
{
    OBAN_ASSERT((unsigned)code < OBAN_DOUBT_COUNT);
    return doubt_rows[code].fix;
}
