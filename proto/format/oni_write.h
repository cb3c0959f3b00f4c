/* SPDX-License-Identifier: MIT */
/* Animations and objects written as instance files: .oni, byte for byte as OniSplit's -create makes
 * it, and .dat, a level's file.
 * Not here: reading (oni.h, level.h).
 * Next: oni_write.c. */
#ifndef OBAN_PROTO_FORMAT_ONI_WRITE_H
#define OBAN_PROTO_FORMAT_ONI_WRITE_H

#include "core/anim/clip.h"
#include "proto/format/level.h"
#include "proto/json/writer.h"

#define OBAN_ONI_NAME_MAX 59u /* bytes of a name without its four letters; oni-formats 1.3 */
#define OBAN_DAT_LEVEL_MAX 127u

/* What cannot be written, and why. */
typedef struct oban_write_fault {
    uint32_t index; /* of the definition or object */
    bool object;
    oban_line message;
} oban_write_fault;

/* Appends an .oni with these animations, all named, in their order.
 * Returns OK; BAD_CLIP with `fault` when the format cannot hold one of them (a name over 59 bytes,
 * two of one name, over 65,535 keys, a number that does not fit): nothing is written then;
 * NO_MEMORY. Source: oni-formats 1.4 a. */
oban_status oban_oni_write(oban_writer *writer, const oban_clip_def *defs, uint32_t count,
                           oban_write_fault *fault);

/* What a .dat is made of; all borrowed. `level` may be NULL (no objects). */
typedef struct oban_dat_def {
    uint32_t id; /* of the level, 0 to 127 */
    const oban_clip_def *defs;
    uint32_t count;
    const oban_level *level;
} oban_dat_def;

/* Appends a .dat: the animations by byte order of their names, the objects as one unnamed OBOA,
 * what they link to and is not there as placeholders. Returns as oban_oni_write does. Source:
 * oni-formats 2 and 5; the order of instances: ours. */
oban_status oban_dat_write(oban_writer *writer, const oban_dat_def *def, oban_write_fault *fault);

#endif
