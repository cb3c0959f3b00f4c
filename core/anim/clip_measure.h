/* SPDX-License-Identifier: MIT */
/* What a clip does, in numbers: where it goes, how far, how fast; and what it looks like it is for.
 * Next: clip_measure.c. */
#ifndef OBAN_ANIM_CLIP_MEASURE_H
#define OBAN_ANIM_CLIP_MEASURE_H

#include "core/anim/clip.h"

#include <stdint.h>

/* X(NAME, word, why) */
#define OBAN_CLIP_LOOKS(X)                                                                         \
    X(DOOR, "door", "it is local or has a half stop")                                              \
    X(OBJECT_BASE, "object", "its base matrix scales or mirrors")                                  \
    X(OBJECT_LOOPS, "object", "it loops or starts by itself")                                      \
    X(CAMERA_NAME, "camera", "its name says so")                                                   \
    X(CAMERA_LEVEL, "camera", "its x axis stays level while it looks up or down")                  \
    X(OBJECT, "object", "nothing speaks for a camera")

typedef enum oban_clip_looks {
#define OBAN_X(name, word, why) OBAN_LOOKS_##name,
    OBAN_CLIP_LOOKS(OBAN_X)
#undef OBAN_X
        OBAN_LOOKS_COUNT
} oban_clip_looks;

/* Over all frames, of the origin of what is moved, in units; infinite where float32 ends. */
typedef struct oban_clip_measure {
    float low[3]; /* bounds of the position */
    float high[3];
    float path;            /* length of the way from frame to frame */
    float step;            /* the longest way of one frame */
    uint32_t step_at;      /* the frame it leads to */
    oban_clip_looks looks; /* a guess: only scripts know */
} oban_clip_measure;

/* Source: ours. */
oban_clip_measure oban_clip_measure_of(const oban_clip *clip);

/* "door", "object" or "camera"; and why it is thought so. */
const char *oban_clip_looks_word(oban_clip_looks looks);
const char *oban_clip_looks_why(oban_clip_looks looks);

#endif
