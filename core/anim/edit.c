/* SPDX-License-Identifier: MIT */
/* Editing keys and time. What makes new keys asks a clip of the old ones for its frames, so that
 * all that is true of playing is true here. Next: edit.h, edit_space.c. */
#include "core/anim/edit.h"

#include <string.h>

/* ---- keys ---- */

/* Room for keys that replace the present ones. NULL when memory is out. */
static oban_key *edit_take(const oban_edit *edit, uint32_t count)
{
    return oban_alloc_take(&edit->alloc, count * sizeof(oban_key));
}

/* Puts new keys in; they belong to the edit then. */
static void edit_put(oban_edit *edit, oban_key *keys, uint32_t room, uint32_t count)
{
    oban_alloc_give(&edit->alloc, edit->keys, edit->key_room * sizeof *edit->keys);
    edit->keys = keys;
    edit->key_room = room;
    edit->def.keys = keys;
    edit->def.key_count = count;
}

oban_status oban_edit_init(oban_edit *edit, const oban_alloc *alloc, const oban_clip *clip)
{
    memset(edit, 0, sizeof *edit);
    edit->alloc = *alloc;
    edit->keys = edit_take(edit, clip->key_count);
    if (edit->keys == NULL) {
        return OBAN_NO_MEMORY;
    }
    edit->key_room = clip->key_count;
    memcpy(edit->keys, clip->keys, clip->key_count * sizeof *edit->keys);
    memcpy(edit->name, clip->name, sizeof edit->name);
    edit->def = (oban_clip_def){
        .name = oban_text_of(edit->name),
        .flags = clip->flags,
        .start = clip->start,
        .base = clip->base,
        .frame_length = clip->frame_length,
        .frame_count = (int32_t)clip->frame_count,
        .half_stop = clip->half_stop,
        .keys = edit->keys,
        .key_count = clip->key_count,
    };
    return OBAN_OK;
}

void oban_edit_fini(oban_edit *edit)
{
    oban_alloc_give(&edit->alloc, edit->keys, edit->key_room * sizeof *edit->keys);
    memset(edit, 0, sizeof *edit);
}

/* The clip as it is now; NULL when memory is out. */
static oban_clip *edit_clip(const oban_edit *edit)
{
    oban_clip *clip = NULL;
    oban_clip_def def = edit->def;
    def.name = (oban_text){"x", 1};
    return oban_clip_create(&edit->alloc, &def, &clip, NULL) == OBAN_OK ? clip : NULL;
}

static bool edit_is_local(const oban_edit *edit)
{
    return (edit->def.flags & OBAN_CLIP_LOCAL) != 0;
}

void oban_edit_start(oban_edit *edit)
{
    const oban_key *key = &edit->keys[0];
    oban_quat q = key->rotation;
    if (edit_is_local(edit)) {
        return;
    }
    if (!(oban_quat_length2(&q) > 0)) {
        return;
    }
    q = oban_quat_normalise(&q);
    oban_mat34 turn = oban_quat_matrix(&q, 2.0f, key->position);
    edit->def.start = oban_mat34_multiply(&turn, &edit->def.base);
}

/* A key that shows what a clip shows at a frame. */
static oban_key edit_key(const oban_clip *clip, int32_t frame, int32_t as)
{
    oban_key key = {.frame = as};
    oban_clip_pose(clip, frame, &key.rotation, key.position);
    return key;
}

/* The turn of a quaternion that lies nearer to the key in front. */
static void edit_align(oban_key *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const oban_quat *a = &keys[i - 1].rotation;
        oban_quat *b = &keys[i].rotation;
        if (a->x * b->x + a->y * b->y + a->z * b->z + a->w * b->w < 0) {
            *b = (oban_quat){-b->x, -b->y, -b->z, -b->w};
        }
    }
}

/* ---- the motion stays ---- */

oban_status oban_edit_resample(oban_edit *edit, uint32_t step)
{
    oban_clip *clip = edit_clip(edit);
    if (clip == NULL) {
        return OBAN_NO_MEMORY;
    }
    uint32_t last = clip->frame_count - 1;
    uint32_t room = last / step + 2;
    oban_key *keys = edit_take(edit, room);
    uint32_t count = 0;
    if (keys != NULL) {
        for (uint32_t frame = 0; frame < last; frame += step) {
            keys[count++] = edit_key(clip, (int32_t)frame, (int32_t)frame);
        }
        keys[count++] = edit_key(clip, (int32_t)last, (int32_t)last);
        edit_align(keys, count);
        edit_put(edit, keys, room, count);
    }
    oban_clip_destroy(clip);
    return keys == NULL ? OBAN_NO_MEMORY : OBAN_OK;
}

oban_status oban_edit_reduce(oban_edit *edit, const oban_tolerance *tolerance)
{
    oban_clip *clip = edit_clip(edit);
    if (clip == NULL) {
        return OBAN_NO_MEMORY;
    }
    uint32_t frames = clip->frame_count;
    oban_pose *poses = oban_alloc_take(&edit->alloc, frames * sizeof *poses);
    oban_key *keys = edit_take(edit, frames);
    bool good = poses != NULL && keys != NULL;
    if (good) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < frames; i++) {
            oban_clip_pose(clip, (int32_t)i, &poses[i].rotation, poses[i].position);
        }
        oban_poses_align(poses, frames);
        oban_poses_reduce(poses, frames, tolerance, keys, &count);
        edit_put(edit, keys, frames, count);
    } else {
        oban_alloc_give(&edit->alloc, keys, frames * sizeof *keys);
    }
    oban_alloc_give(&edit->alloc, poses, frames * sizeof *poses);
    oban_clip_destroy(clip);
    return good ? OBAN_OK : OBAN_NO_MEMORY;
}

oban_status oban_edit_fit_frames(oban_edit *edit)
{
    int32_t last = edit->keys[edit->def.key_count - 1].frame;
    if (last < 0) {
        return OBAN_BAD_CLIP;
    }
    if (last >= (int32_t)OBAN_EDIT_FRAMES_MAX) {
        return OBAN_LIMIT;
    }
    edit->def.frame_count = last + 1;
    return OBAN_OK;
}

/* ---- time ---- */

/* Where a frame of `from` frames falls among `to`, in whole frames; false when it falls between. */
static bool edit_falls(int64_t frame, int64_t from, int64_t to, int32_t *out)
{
    if (from <= 1) {
        *out = (int32_t)frame;
        return true;
    }
    int64_t product = frame * (to - 1);
    *out = (int32_t)(product / (from - 1));
    return product % (from - 1) == 0;
}

/* The nearest frame to where a half stop falls. */
static int32_t edit_half_stop(int32_t half, int64_t from, int64_t to)
{
    return from <= 1 || half <= 0
               ? half
               : (int32_t)((2 * (int64_t)half * (to - 1) + from - 1) / (2 * (from - 1)));
}

/* The pose between two frames, as the clip's own keys make it: of the two keys around. */
static oban_key edit_between(const oban_clip *clip, double time, int32_t as)
{
    const oban_key *keys = clip->play_keys;
    uint32_t i = 0;
    while (i + 1 < clip->play_key_count && (double)keys[i + 1].frame <= time) {
        i++;
    }
    oban_key key = keys[i];
    key.frame = as;
    if (i + 1 < clip->play_key_count && time > (double)keys[i].frame) {
        float t =
            (float)((time - (double)keys[i].frame) / (double)(keys[i + 1].frame - keys[i].frame));
        oban_quat mixed = oban_quat_mix(&keys[i].rotation, &keys[i + 1].rotation, t);
        key.rotation = oban_quat_normalise(&mixed);
        for (int k = 0; k < 3; k++) {
            key.position[k] = t * keys[i + 1].position[k] + (1.0f - t) * keys[i].position[k];
        }
    }
    return key;
}

static oban_status edit_retime_anew(oban_edit *edit, const oban_clip *clip, uint32_t frames)
{
    oban_key *keys = edit_take(edit, frames);
    if (keys == NULL) {
        return OBAN_NO_MEMORY;
    }
    double step = frames > 1 ? (double)(clip->frame_count - 1) / (double)(frames - 1) : 0;
    for (uint32_t i = 0; i < frames; i++) {
        keys[i] = edit_between(clip, step * (double)i, (int32_t)i);
    }
    edit_align(keys, frames);
    edit_put(edit, keys, frames, frames);
    return OBAN_OK;
}

oban_status oban_edit_retime(oban_edit *edit, uint32_t frames, const oban_tolerance *tolerance)
{
    int64_t from = edit->def.frame_count;
    bool whole = frames >= (uint64_t)from;
    int32_t at = 0;
    if (frames < 1) {
        return OBAN_BAD_CLIP;
    }
    if (frames > OBAN_EDIT_FRAMES_MAX) {
        return OBAN_LIMIT;
    }
    for (uint32_t i = 0; i < edit->def.key_count; i++) {
        whole = edit_falls(edit->keys[i].frame, from, frames, &at) && whole;
    }
    oban_clip *clip = whole ? NULL : edit_clip(edit);
    if (!whole && clip == NULL) {
        return OBAN_NO_MEMORY;
    }
    int32_t half = edit_half_stop(edit->def.half_stop, from, frames);
    oban_status status = OBAN_OK;
    if (whole) {
        for (uint32_t i = 0; i < edit->def.key_count; i++) {
            (void)edit_falls(edit->keys[i].frame, from, frames, &edit->keys[i].frame);
        }
    } else {
        status = edit_retime_anew(edit, clip, frames);
        oban_clip_destroy(clip);
    }
    if (status != OBAN_OK) {
        return status;
    }
    edit->def.frame_count = (int32_t)frames;
    edit->def.half_stop = half;
    /* What could not be reduced for want of memory has a key at every frame: the same motion. */
    if (!whole) {
        (void)oban_edit_reduce(edit, tolerance);
    }
    oban_edit_start(edit);
    return OBAN_OK;
}

/* Whether a frame needs a key when frames first to last are cut out: the two ends, keys, and every
 * frame of a turn that is cut through, for a part of a turn between two keys is no turn between
 * keys. `next` is the index of the first key at or behind the frame. */
static bool edit_needs_key(const oban_clip *clip, uint32_t next, int32_t frame, int32_t first,
                           int32_t last)
{
    const oban_key *keys = clip->play_keys;
    if (frame == first || frame == last) {
        return true;
    }
    if (next == clip->play_key_count || keys[next].frame == frame) {
        return next < clip->play_key_count;
    }
    bool cut_through = next > 0 && (keys[next - 1].frame < first || keys[next].frame > last);
    return cut_through &&
           memcmp(&keys[next - 1].rotation, &keys[next].rotation, sizeof(oban_quat)) != 0;
}

/* Writes the keys of the frames (`keys` NULL: only counts them). */
static uint32_t edit_cut_into(const oban_clip *clip, int32_t first, int32_t last, oban_key *keys)
{
    uint32_t count = 0;
    uint32_t next = 0;
    for (int32_t frame = first; frame <= last; frame++) {
        while (next < clip->play_key_count && clip->play_keys[next].frame < frame) {
            next++;
        }
        if (edit_needs_key(clip, next, frame, first, last)) {
            if (keys != NULL) {
                keys[count] = edit_key(clip, frame, frame - first);
            }
            count++;
        }
    }
    return count;
}

static oban_status edit_cut_keys(oban_edit *edit, uint32_t first, uint32_t last)
{
    oban_clip *clip = edit_clip(edit);
    if (clip == NULL) {
        return OBAN_NO_MEMORY;
    }
    uint32_t count = edit_cut_into(clip, (int32_t)first, (int32_t)last, NULL);
    oban_key *keys = edit_take(edit, count);
    if (keys != NULL) {
        (void)edit_cut_into(clip, (int32_t)first, (int32_t)last, keys);
        edit_align(keys, count);
        edit_put(edit, keys, count, count);
    }
    oban_clip_destroy(clip);
    return keys == NULL ? OBAN_NO_MEMORY : OBAN_OK;
}

oban_status oban_edit_cut(oban_edit *edit, uint32_t first, uint32_t last)
{
    int32_t half = edit->def.half_stop;
    if (first > last || last >= (uint32_t)edit->def.frame_count) {
        return OBAN_BAD_CLIP;
    }
    oban_status status = edit_cut_keys(edit, first, last);
    if (status != OBAN_OK) {
        return status;
    }
    edit->def.frame_count = (int32_t)(last - first + 1);
    if (half > 0) {
        bool within = half > (int32_t)first && half <= (int32_t)last;
        edit->half_stop_lost |= !within;
        edit->def.half_stop = within ? half - (int32_t)first : 0;
    }
    oban_edit_start(edit);
    return OBAN_OK;
}

oban_status oban_edit_reverse(oban_edit *edit)
{
    uint32_t last = (uint32_t)edit->def.frame_count - 1;
    oban_status status = edit_cut_keys(edit, 0, last);
    if (status != OBAN_OK) {
        return status;
    }
    uint32_t count = edit->def.key_count;
    for (uint32_t i = 0; i < count / 2; i++) {
        oban_key key = edit->keys[i];
        edit->keys[i] = edit->keys[count - 1 - i];
        edit->keys[count - 1 - i] = key;
    }
    for (uint32_t i = 0; i < count; i++) {
        edit->keys[i].frame = (int32_t)last - edit->keys[i].frame;
    }
    if (edit->def.half_stop > 0 && edit->def.half_stop <= (int32_t)last) {
        edit->def.half_stop = (int32_t)last - edit->def.half_stop;
    }
    oban_edit_start(edit);
    return OBAN_OK;
}

oban_status oban_edit_delay(oban_edit *edit, uint32_t frames)
{
    if (frames > OBAN_EDIT_FRAMES_MAX - (uint32_t)edit->def.frame_count) {
        return OBAN_LIMIT;
    }
    if (frames == 0) {
        return OBAN_OK;
    }
    oban_clip *clip = edit_clip(edit);
    uint32_t count = edit->def.key_count;
    oban_key *keys = clip == NULL ? NULL : edit_take(edit, count + 2);
    if (keys != NULL) {
        uint32_t used = 0;
        keys[used++] = edit_key(clip, 0, 0);
        if (clip->play_keys[0].frame != 0) {
            keys[used++] = edit_key(clip, 0, (int32_t)frames);
        }
        for (uint32_t i = 0; i < clip->play_key_count; i++) {
            if (clip->play_keys[i].frame >= 0) {
                keys[used] = clip->play_keys[i];
                keys[used++].frame += (int32_t)frames;
            }
        }
        edit_put(edit, keys, count + 2, used);
        edit->def.frame_count += (int32_t)frames;
        edit->def.half_stop += edit->def.half_stop > 0 ? (int32_t)frames : 0;
    }
    if (clip != NULL) {
        oban_clip_destroy(clip);
    }
    return keys == NULL ? OBAN_NO_MEMORY : OBAN_OK;
}

oban_status oban_edit_join(oban_edit *edit, const oban_clip *next)
{
    uint32_t own_frames = (uint32_t)edit->def.frame_count;
    bool next_local = (next->flags & OBAN_CLIP_LOCAL) != 0;
    if (next_local != edit_is_local(edit) || !oban_mat34_same(&edit->def.base, &next->base)) {
        return OBAN_BAD_CLIP;
    }
    if (own_frames + next->frame_count > OBAN_EDIT_FRAMES_MAX) {
        return OBAN_LIMIT;
    }
    /* Both from their first to their last frame, so that neither holds over the other's. */
    oban_edit other;
    oban_status status = oban_edit_init(&other, &edit->alloc, next);
    if (status == OBAN_OK) {
        status = edit_cut_keys(&other, 0, next->frame_count - 1);
    }
    if (status == OBAN_OK) {
        status = edit_cut_keys(edit, 0, own_frames - 1);
    }
    uint32_t count = edit->def.key_count + other.def.key_count;
    oban_key *keys = status == OBAN_OK ? edit_take(edit, count) : NULL;
    if (keys != NULL) {
        uint32_t own = edit->def.key_count;
        memcpy(keys, edit->keys, own * sizeof *keys);
        for (uint32_t i = 0; i < other.def.key_count; i++) {
            keys[own + i] = other.keys[i];
            keys[own + i].frame += (int32_t)own_frames;
        }
        edit_align(keys, count);
        edit_put(edit, keys, count, count);
        edit->def.frame_count += (int32_t)next->frame_count;
    }
    oban_edit_fini(&other);
    return keys == NULL ? OBAN_NO_MEMORY : OBAN_OK;
}

/* Slow at both ends. */
static float edit_ease(float t)
{
    return t * t * (3.0f - 2.0f * t);
}

oban_status oban_edit_loop(oban_edit *edit, uint32_t frames)
{
    uint32_t count = (uint32_t)edit->def.frame_count;
    if (frames < 1 || frames >= count) {
        return OBAN_BAD_CLIP;
    }
    oban_clip *clip = edit_clip(edit);
    uint32_t first = count - frames; /* bent from here on */
    uint32_t room = edit->def.key_count + frames + 2;
    oban_key *keys = clip == NULL ? NULL : edit_take(edit, room);
    if (keys != NULL) {
        uint32_t used = 0;
        oban_key start = edit_key(clip, 0, 0);
        keys[used++] = start;
        for (uint32_t i = 0; i < clip->play_key_count; i++) {
            int32_t frame = clip->play_keys[i].frame;
            if (frame > 0 && frame < (int32_t)first - 1) {
                keys[used++] = clip->play_keys[i];
            }
        }
        for (uint32_t frame = first > 1 ? first - 1 : 1; frame < count; frame++) {
            /* Frame `count` would be frame 0 again. */
            float t =
                frame < first ? 0 : edit_ease((float)(frame - first + 1) / (float)(frames + 1));
            oban_key key = edit_key(clip, (int32_t)frame, (int32_t)frame);
            oban_quat mixed = oban_quat_mix(&key.rotation, &start.rotation, t);
            key.rotation = oban_quat_normalise(&mixed);
            for (int k = 0; k < 3; k++) {
                key.position[k] = t * start.position[k] + (1.0f - t) * key.position[k];
            }
            keys[used++] = key;
        }
        edit_align(keys, used);
        edit_put(edit, keys, room, used);
        edit->def.flags |= OBAN_CLIP_LOOP;
        edit->def.flags &= ~(uint32_t)OBAN_CLIP_PING_PONG;
    }
    if (clip != NULL) {
        oban_clip_destroy(clip);
    }
    return keys == NULL ? OBAN_NO_MEMORY : OBAN_OK;
}
