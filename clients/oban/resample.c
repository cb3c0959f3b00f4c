/* SPDX-License-Identifier: MIT */
/* See resample.h. */
#include "clients/oban/resample.h"

#include "clients/obanctl/memory.h"

static bool turns_sign(const oban_quat *a, const oban_quat *b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z + a->w * b->w < 0;
}

oban_key *resample_every_frame(const oban_clip *clip)
{
    oban_key *keys = memory_take((size_t)clip->frame_count * sizeof *keys);

    for (uint32_t i = 0; i < clip->frame_count; i++) {
        oban_quat *q = &keys[i].rotation;
        keys[i].frame = (int32_t)i;
        oban_clip_pose(clip, (int32_t)i, q, keys[i].position);
        if (i > 0 && turns_sign(q, &keys[i - 1].rotation)) {
            *q = (oban_quat){-q->x, -q->y, -q->z, -q->w};
        }
    }
    return keys;
}
