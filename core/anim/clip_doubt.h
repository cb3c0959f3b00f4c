/* SPDX-License-Identifier: MIT */
/* What is doubtful about a clip that can be played: a tool tells it, the daemon need not.
 * Not here: what the daemon checks at load (clip.h). Next: clip_doubt.c. */
#ifndef OBAN_ANIM_CLIP_DOUBT_H
#define OBAN_ANIM_CLIP_DOUBT_H

#include "core/anim/clip.h"

#include <stdint.h>

#define OBAN_CLIP_ONI_NAME_MAX                                                                     \
    59u /* bytes that .oni and .dat hold behind OBAN; oni-formats 1.3                              \
         */

/* X(NAME, about a key, what, what mends it). The text of one about a key goes on behind "key N ".
 * Source: oni-formats 3 and 7; bounds: ours. */
#define OBAN_CLIP_DOUBTS(X)                                                                        \
    X(SIGN_FLIP, true, "turns the sign of its quaternion against the key in front of it",          \
      "negate all four numbers: it is the same rotation")                                          \
    X(JUMP, true, "is a jump in position from the key in front of it",                             \
      "move the key, or put a frame of standstill where a cut is meant")                           \
    X(TURN_JUMP, true, "is a jump in rotation from the key in front of it",                        \
      "turn the key, or put a frame of standstill where a cut is meant")                           \
    X(FAR, true, "lies over 1000000 units away, where float32 steps are over 1/16 unit",           \
      "move the scene nearer to 0 0 0")                                                            \
    X(HALF_STOP, false, "the half stop lies beyond the last frame",                                \
      "set it to the last frame of the opening half, or to 0")                                     \
    X(BASE_SHEAR, false, "the base matrix shears: its axes are not at right angles",               \
      "a base scales and mirrors; move rotations into the keys")                                   \
    X(BASE_FLAT, false, "the base matrix is flat: its axes lie in one plane",                      \
      "write 1 0 0 0 1 0 0 0 1 0 0 0 for no change")                                               \
    X(FLAGS, false, "flags beyond 0x1f are set, which have no known meaning",                      \
      "use NormalLoop, BackToBackLoop, RandomStartFrame, Autostart, ZAxisUp")                      \
    X(LONG_NAME, false, "the name has over 59 bytes: .oni and .dat files do not hold it",          \
      "give it a shorter name")

typedef enum oban_clip_doubt_code {
#define OBAN_X(name, about_key, text, fix) OBAN_DOUBT_##name,
    OBAN_CLIP_DOUBTS(OBAN_X)
#undef OBAN_X
        OBAN_DOUBT_COUNT
} oban_clip_doubt_code;

/* One doubt: its first key (0 when it is about none) and how many keys have it. */
typedef struct oban_clip_doubt {
    oban_clip_doubt_code code;
    uint32_t key;
    uint32_t count;
} oban_clip_doubt;

/* All of a clip's, at most one per code. Returns how many. Never fails. Source: ours. */
uint32_t oban_clip_doubts(const oban_clip *clip, oban_clip_doubt out[OBAN_DOUBT_COUNT]);

/* One as a line, such as "key 3 turns the sign of ... (and 2 other keys)". */
void oban_clip_doubt_line(const oban_clip_doubt *doubt, oban_line *line);
/* What mends it. */
const char *oban_clip_doubt_fix(oban_clip_doubt_code code);

#endif
