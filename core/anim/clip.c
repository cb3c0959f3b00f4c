/* SPDX-License-Identifier: MIT */
/* A clip: made once from a definition, then only read; its matrix at a frame.
 * Not here: what is wrong with one (clip_check.c), time (player.c). Next: player.c. */
#include "core/anim/clip.h"

#include "core/base/assert.h"
#include "core/base/hash.h"

#include <math.h>
#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

static oban_quat clip_unit(const oban_quat *q)
{
    float off = sqrtf(oban_quat_length2(q)) - 1.0f;
    return off > OBAN_CLIP_UNIT_SLACK || off < -OBAN_CLIP_UNIT_SLACK ? oban_quat_normalise(q) : *q;
}

/* Of several keys at one frame the first counts. */
static void clip_fill_play_keys(oban_clip *clip)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->key_count; i++) {
        const oban_key *key = &clip->keys[i];
        if (count == 0 || clip->play_keys[count - 1].frame != key->frame) {
            clip->play_keys[count] = *key;
            clip->play_keys[count].rotation = clip_unit(&key->rotation);
            count += 1;
        }
    }
    clip->play_key_count = count;
}

static void clip_hash_matrix(oban_hash *hash, const oban_mat34 *matrix)
{
    for (int i = 0; i < 12; i++) {
        oban_hash_f32(hash, matrix->m[i]);
    }
}

static uint64_t clip_hash(const oban_clip *clip)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_u64(&hash, clip->flags);
    oban_hash_u64(&hash, (uint32_t)clip->frame_length);
    oban_hash_u64(&hash, clip->frame_count);
    oban_hash_u64(&hash, (uint32_t)clip->half_stop);
    clip_hash_matrix(&hash, &clip->start);
    clip_hash_matrix(&hash, &clip->base);
    oban_hash_u64(&hash, clip->key_count);
    for (uint32_t i = 0; i < clip->key_count; i++) {
        const oban_key *key = &clip->keys[i];
        oban_hash_f32(&hash, key->rotation.x);
        oban_hash_f32(&hash, key->rotation.y);
        oban_hash_f32(&hash, key->rotation.z);
        oban_hash_f32(&hash, key->rotation.w);
        for (int axis = 0; axis < 3; axis++) {
            oban_hash_f32(&hash, key->position[axis]);
        }
        oban_hash_u64(&hash, (uint32_t)key->frame);
    }
    return oban_hash_end(&hash);
}

static void clip_fill(oban_clip *clip, const oban_clip_def *def)
{
    memcpy(clip->name, def->name.data, def->name.bytes);
    clip->flags = def->flags;
    clip->frame_length = def->frame_length;
    clip->frame_count = (uint32_t)def->frame_count;
    clip->half_stop = def->half_stop;
    clip->start = def->start;
    clip->base = def->base;
    memcpy(clip->keys, def->keys, def->key_count * sizeof *clip->keys);
    clip_fill_play_keys(clip);
    clip->hash = clip_hash(clip);
}

oban_status oban_clip_create(const oban_alloc *alloc, const oban_clip_def *def, oban_clip **out,
                             oban_clip_report *report)
{
    oban_clip_report own = {0};
    oban_clip_report *found = report != NULL ? report : &own;
    oban_clip_check(def, found);
    if (found->refused) {
        return OBAN_BAD_CLIP;
    }
    oban_clip *clip = oban_alloc_take(alloc, sizeof *clip);
    if (clip == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(clip, 0, sizeof *clip);
    clip->alloc = *alloc;
    clip->key_count = def->key_count;
    clip->keys = oban_alloc_take(alloc, def->key_count * sizeof *clip->keys);
    clip->play_keys = oban_alloc_take(alloc, def->key_count * sizeof *clip->play_keys);
    if (clip->keys == NULL || clip->play_keys == NULL) {
        oban_clip_destroy(clip);
        return OBAN_NO_MEMORY;
    }
    clip_fill(clip, def);
    *out = clip;
    return OBAN_OK;
}

void oban_clip_destroy(oban_clip *clip)
{
    if (clip != NULL) {
        oban_alloc alloc = clip->alloc;
        oban_alloc_give(&alloc, clip->play_keys, clip->key_count * sizeof *clip->play_keys);
        oban_alloc_give(&alloc, clip->keys, clip->key_count * sizeof *clip->keys);
        oban_alloc_give(&alloc, clip, sizeof *clip);
    }
}

/* ---- the matrix at a frame ------------------------------------------------------------------- */

/* The last key at or before the frame; the first one when there is none. */
static uint32_t clip_key_before(const oban_clip *clip, int32_t frame)
{
    uint32_t low = 0;
    uint32_t high = clip->play_key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (clip->play_keys[middle].frame <= frame) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The differences are taken in 64 bits: keys may lie further apart than 32 hold. */
static float clip_part_of_way(const oban_key *before, const oban_key *after, int32_t frame)
{
    int64_t done = (int64_t)frame - before->frame;
    int64_t whole = (int64_t)after->frame - before->frame;
    return (float)done / (float)whole;
}

/* Rotation, position, and the scale that makes the rotation a unit one (2 at a key). */
static float clip_pose(const oban_clip *clip, int32_t frame, oban_quat *rotation, float position[3])
{
    uint32_t i = clip_key_before(clip, frame);
    const oban_key *before = &clip->play_keys[i];
    const oban_key *after = before + 1;
    if (frame <= before->frame || i + 1 == clip->play_key_count) {
        *rotation = before->rotation;
        memcpy(position, before->position, sizeof before->position);
        return 2.0f;
    }
    float t = clip_part_of_way(before, after, frame);
    for (int axis = 0; axis < 3; axis++) {
        position[axis] = t * after->position[axis] + (1.0f - t) * before->position[axis];
    }
    *rotation = oban_quat_mix(&before->rotation, &after->rotation, t);
    return 2.0f / oban_quat_length2(rotation);
}

void oban_clip_pose(const oban_clip *clip, int32_t frame, oban_quat *rotation, float position[3])
{
    if (clip_pose(clip, frame, rotation, position) != 2.0f) { /* not as a key has it */
        *rotation = oban_quat_normalise(rotation);
    }
}

static oban_mat34 clip_place(const oban_clip *clip, const oban_mat34 *turn)
{
    oban_mat34 matrix = oban_mat34_multiply(turn, &clip->base);
    return (clip->flags & OBAN_CLIP_LOCAL) != 0 ? oban_mat34_quarter_turn(&matrix) : matrix;
}

oban_mat34 oban_clip_matrix(const oban_clip *clip, int32_t frame)
{
    oban_quat rotation;
    float position[3];
    float scale = clip_pose(clip, frame, &rotation, position);
    oban_mat34 turn = oban_quat_matrix(&rotation, scale, position);
    return clip_place(clip, &turn);
}

oban_mat34 oban_clip_matrix_without_rotation(const oban_clip *clip, int32_t frame)
{
    oban_quat rotation;
    oban_mat34 turn = oban_mat34_identity();
    (void)clip_pose(clip, frame, &rotation, turn.m + 9);
    return clip_place(clip, &turn);
}
