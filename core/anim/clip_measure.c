/* SPDX-License-Identifier: MIT */
/* See clip_measure.h. Next: ../../clients/oban/info.c. */
#include "core/anim/clip_measure.h"

#include "core/base/assert.h"

#include <math.h>
#include <string.h>

#define MEASURE_LEVEL 1e-3f /* how far from level an axis may be */
#define MEASURE_LOOKS 0.02f /* from where on it looks up or down */

static const struct {
    const char *word;
    const char *why;
} looks_rows[OBAN_LOOKS_COUNT] = {
#define OBAN_X(name, word, why) {word, why},
    OBAN_CLIP_LOOKS(OBAN_X)
#undef OBAN_X
};

/* ---- the way --------------------------------------------------------------------------------- */

/* Returns how far it is from the frame in front. */
static float measure_frame(oban_clip_measure *measure, const oban_mat34 *last, const oban_mat34 *at,
                           uint32_t frame)
{
    float square = 0;
    for (int axis = 0; axis < 3; axis++) {
        float value = at->m[9 + axis];
        float part = value - last->m[9 + axis];
        square += part * part;
        measure->low[axis] = value < measure->low[axis] ? value : measure->low[axis];
        measure->high[axis] = value > measure->high[axis] ? value : measure->high[axis];
    }
    float step = sqrtf(square);
    if (step > measure->step) {
        measure->step = step;
        measure->step_at = frame;
    }
    return step;
}

static void measure_way(oban_clip_measure *measure, const oban_clip *clip)
{
    oban_mat34 last = oban_clip_matrix(clip, 0);
    double path = 0;
    memcpy(measure->low, last.m + 9, sizeof measure->low);
    memcpy(measure->high, last.m + 9, sizeof measure->high);
    for (uint32_t frame = 1; frame < clip->frame_count; frame++) {
        oban_mat34 at = oban_clip_matrix(clip, (int32_t)frame);
        path += (double)measure_frame(measure, &last, &at, frame);
        last = at;
    }
    measure->path = (float)path;
}

/* ---- what it is for -------------------------------------------------------------------------- */

static bool measure_base_changes(const oban_clip *clip)
{
    const float *m = clip->base.m;
    for (int k = 0; k < 3; k++) {
        const float *axis = m + 3 * (size_t)k;
        float square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
        if (square > 1.002f || square < 0.998f) {
            return true;
        }
    }
    float volume = m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) +
                   m[2] * (m[3] * m[7] - m[4] * m[6]);
    return volume < 0;
}

static bool measure_named_camera(const oban_clip *clip)
{
    size_t bytes = strlen(clip->name);
    for (size_t at = 0; at + 3 <= bytes; at++) {
        if (oban_text_equal_nocase((oban_text){clip->name + at, 3}, (oban_text){"cam", 3})) {
            return true;
        }
    }
    return false;
}

/* A camera rarely rolls: its x axis is level at every key, and at one at least it looks up or down
 * (a car that only turns about the upright is level too). */
static bool measure_level(const oban_clip *clip)
{
    bool looks = false;
    for (uint32_t i = 0; i < clip->play_key_count; i++) {
        oban_mat34 at = oban_clip_matrix(clip, clip->play_keys[i].frame);
        if (at.m[1] > MEASURE_LEVEL || at.m[1] < -MEASURE_LEVEL) {
            return false;
        }
        looks = looks || at.m[7] > MEASURE_LOOKS || at.m[7] < -MEASURE_LOOKS;
    }
    return looks;
}

static oban_clip_looks measure_looks(const oban_clip *clip)
{
    if ((clip->flags & OBAN_CLIP_LOCAL) != 0 || clip->half_stop > 0) {
        return OBAN_LOOKS_DOOR;
    }
    if (measure_base_changes(clip)) {
        return OBAN_LOOKS_OBJECT_BASE;
    }
    if ((clip->flags & (OBAN_CLIP_LOOP | OBAN_CLIP_PING_PONG | OBAN_CLIP_AUTOSTART)) != 0) {
        return OBAN_LOOKS_OBJECT_LOOPS;
    }
    if (measure_named_camera(clip)) {
        return OBAN_LOOKS_CAMERA_NAME;
    }
    return measure_level(clip) ? OBAN_LOOKS_CAMERA_LEVEL : OBAN_LOOKS_OBJECT;
}

oban_clip_measure oban_clip_measure_of(const oban_clip *clip)
{
    oban_clip_measure measure;
    memset(&measure, 0, sizeof measure);
    measure_way(&measure, clip);
    measure.looks = measure_looks(clip);
    return measure;
}

const char *oban_clip_looks_word(oban_clip_looks looks)
{
    OBAN_ASSERT((unsigned)looks < OBAN_LOOKS_COUNT);
    return looks_rows[looks].word;
}

const char *oban_clip_looks_why(oban_clip_looks looks)
{
    OBAN_ASSERT((unsigned)looks < OBAN_LOOKS_COUNT);
    return looks_rows[looks].why;
}
