/* SPDX-License-Identifier: MIT */
/* A clip: one immutable object animation (OBAN), its checks, its matrix at a frame.
 * Not here: time (player.h), where an object stands (../world/), files (proto/format).
 * Next: player.h. */
#ifndef OBAN_ANIM_CLIP_H
#define OBAN_ANIM_CLIP_H

#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/math/mat34.h"
#include "core/math/quat.h"

#include <stdbool.h>
#include <stdint.h>

#define OBAN_CLIP_NAME_MAX 63u /* characters, without the OBAN prefix; oni-formats 1.3 */
#define OBAN_CLIP_KEYS_MAX 65535u
/* How far from 1 the length of a quaternion may be to be used as it is stored. Behaviour 2. */
#define OBAN_CLIP_UNIT_SLACK 1e-4f

/* Flags of a clip; undefined bits are kept as they are. Source: oni-formats 3. */
enum {
    OBAN_CLIP_LOOP = 0x01,
    OBAN_CLIP_PING_PONG = 0x02,
    OBAN_CLIP_RANDOM_START = 0x04,
    OBAN_CLIP_AUTOSTART = 0x08,
    OBAN_CLIP_LOCAL = 0x10 /* Z axis up, and placed by its object's origin */
};

/* One key as the file has it. */
typedef struct oban_key {
    oban_quat rotation;
    float position[3];
    int32_t frame;
} oban_key;

/* What a clip is made from; the numbers are the file's and stay so (reading and writing a file
 * keeps them). All borrowed: oban_clip_create copies. */
typedef struct oban_clip_def {
    oban_text name; /* without the OBAN prefix */
    uint32_t flags;
    oban_mat34 start;     /* where the object stands before it plays */
    oban_mat34 base;      /* applied first at every frame */
    int32_t frame_length; /* 0x70, "ticks per frame": kept, means nothing */
    int32_t frame_count;  /* 0x72 */
    int32_t half_stop;    /* 0x74 */
    const oban_key *keys;
    uint32_t key_count;
} oban_clip_def;

/* Faults that make a clip unusable, and warnings. X(NAME, refused, text); text may hold {key} {a}
 * {b}. Source: behaviour 3, "Clip checks at load". */
#define OBAN_CLIP_FINDINGS(X)                                                                      \
    X(NO_KEYS, true, "has no keys")                                                                \
    X(TOO_MANY_KEYS, true, "has {a} keys, the limit is {b}")                                       \
    X(NO_FRAMES, true, "has a frame count of {a}; it must be 1 to 65535")                          \
    X(FRAMES_FALL, true, "key {key} is at frame {a}, before the key in front of it at {b}")        \
    X(NOT_FINITE, true, "key {key} holds a number that is not finite")                             \
    X(START_NOT_FINITE, true, "the start matrix holds a number that is not finite")                \
    X(BASE_NOT_FINITE, true, "the base matrix holds a number that is not finite")                  \
    X(ZERO_ROTATION, true, "key {key} has a quaternion of length 0")                               \
    X(BAD_NAME, true, "has no name, or one over 63 bytes, not UTF-8 or with control characters")   \
    X(NOT_UNIT, false,                                                                             \
      "key {key} has a quaternion that is not of length 1; it is normalised to play")              \
    X(FRAME_COUNT, false, "has a frame count of {a}, but its last key is at frame {b}")            \
    X(FIRST_KEY, false, "has its first key at frame {a}, not at 0")                                \
    X(SAME_FRAME, false, "key {key} is at frame {a} like the key in front of it; the first counts")

typedef enum oban_clip_finding_code {
#define OBAN_X(name, refused, text) OBAN_CLIP_##name,
    OBAN_CLIP_FINDINGS(OBAN_X)
#undef OBAN_X
        OBAN_CLIP_FINDING_COUNT
} oban_clip_finding_code;

/* One finding: its first key (0 when it is about no key), how many keys have it, two numbers. */
typedef struct oban_clip_finding {
    oban_clip_finding_code code;
    uint32_t key;
    uint32_t count;
    int64_t a;
    int64_t b;
} oban_clip_finding;

/* All findings, at most one per code (the first key, and how many). */
typedef struct oban_clip_report {
    uint32_t count;
    bool refused;
    oban_clip_finding findings[OBAN_CLIP_FINDING_COUNT];
} oban_clip_report;

typedef struct oban_clip {
    char name[OBAN_CLIP_NAME_MAX + 1];
    uint32_t flags;
    int32_t frame_length;
    uint32_t frame_count; /* 1 to 65535 */
    int32_t half_stop;
    oban_mat34 start;
    oban_mat34 base;
    oban_key *keys; /* as the file has them */
    uint32_t key_count;
    oban_key *play_keys; /* unit quaternions, one key per frame number, rising */
    uint32_t play_key_count;
    uint64_t hash; /* of everything above but the name */
    oban_alloc alloc;
} oban_clip;

/* Looks a definition over and reports all that is wrong with it. Never fails. Source: behaviour 3.
 */
void oban_clip_check(const oban_clip_def *def, oban_clip_report *report);

/* One finding as a line, such as "key 3 is at frame 5, before ...". Source: ours. */
void oban_clip_finding_line(const oban_clip_finding *finding, oban_line *line);
/* What mends it, as advice to who made the clip, such as "set the frame count to the last key + 1".
 * Source: ours. */
const char *oban_clip_finding_fix(oban_clip_finding_code code);
/* Whether findings of this code refuse the clip. */
bool oban_clip_finding_refuses(oban_clip_finding_code code);

/* Makes a clip from a definition.
 * Returns OK; BAD_CLIP when the check refuses (see `report`, which may be NULL); NO_MEMORY.
 * Owns: the clip owns copies of all; give it back with oban_clip_destroy. */
oban_status oban_clip_create(const oban_alloc *alloc, const oban_clip_def *def, oban_clip **out,
                             oban_clip_report *report);
void oban_clip_destroy(oban_clip *clip);

/* The matrix at a frame: T * R * Base (with the quarter turn in front when the clip is local), 3x4
 * by columns, in world coordinates or, for a local clip, relative to the object's origin. Before
 * the first key and after the last the nearest end holds. Source: behaviour 2; vector:
 * oni-formats 11. */
oban_mat34 oban_clip_matrix(const oban_clip *clip, int32_t frame);
/* What a key at the frame would hold so that the matrix is the same (to the last bits of it): a
 * unit rotation, and the position. Source: behaviour 2. */
void oban_clip_pose(const oban_clip *clip, int32_t frame, oban_quat *rotation, float position[3]);
/* The matrix without the rotation (`norotation` of characters). */
oban_mat34 oban_clip_matrix_without_rotation(const oban_clip *clip, int32_t frame);

#endif
