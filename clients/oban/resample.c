/* SPDX-License-Identifier: MIT */
/* See resample.h. */
#include "clients/oban/resample.h"

#include "clients/obanctl/memory.h"

#include <stdlib.h>

oban_key *resample(const oban_clip *clip, const oban_tolerance *tolerance, uint32_t *key_count)
{
    uint32_t count = clip->frame_count;
    oban_pose *poses = memory_take((size_t)count * sizeof *poses);
    oban_key *keys = memory_take((size_t)count * sizeof *keys);

    for (uint32_t i = 0; i < count; i++) {
        oban_clip_pose(clip, (int32_t)i, &poses[i].rotation, poses[i].position);
    }
    oban_poses_align(poses, count);
    if (tolerance != NULL) {
        oban_poses_reduce(poses, count, tolerance, keys, key_count);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            const float *p = poses[i].position;
            keys[i] = (oban_key){poses[i].rotation, {p[0], p[1], p[2]}, (int32_t)i};
        }
        *key_count = count;
    }
    free(poses);
    return keys;
}
