/* SPDX-License-Identifier: MIT */
/* Rows of frames made into a clip: positions, rotations in several forms, matrices. Internal to
 * proto/format. Next: samples_build.c. */
#ifndef OBAN_PROTO_FORMAT_SAMPLES_BUILD_H
#define OBAN_PROTO_FORMAT_SAMPLES_BUILD_H

#include "proto/format/clip_add.h"

#include <stdbool.h>
#include <stdint.h>

/* What a row gives. */
enum {
    SAMPLES_POSITION = 1,
    SAMPLES_ROTATION = 2, /* a quaternion in the sense of files */
    SAMPLES_EULER = 4,    /* degrees; x y z of R = Rx Ry Rz */
    SAMPLES_SCALE = 8,
    SAMPLES_MATRIX = 16
};

typedef struct samples_row {
    unsigned has;
    int32_t frame;
    float position[3];
    oban_quat rotation;
    float euler[3];
    float scale[3];
    oban_mat34 matrix;
    uint32_t line; /* where it stands, for faults; 0: not known */
} samples_row;

/* A clip in the making. */
typedef struct samples_build {
    oban_clip_file *file;
    char name[CLIP_ADD_NAME_BYTES];
    uint32_t name_bytes;
    uint32_t line; /* where it begins */
    oban_clip_def def;
    bool has_base;
    bool has_frame_count;
    bool has_scale; /* of the first row that has one */
    float scale[3];
    oban_key *keys;
    uint32_t *lines; /* of the keys */
    uint32_t key_count;
    uint32_t key_room; /* what is taken for keys, and for lines */
    uint32_t line_room;
    bool bad; /* something of it was refused, and told */
} samples_build;

void samples_begin(samples_build *build, oban_clip_file *file);
void samples_name(samples_build *build, oban_text name);
/* Adds a row; one that cannot be taken is told, and no later one is taken. Returns NO_MEMORY or OK.
 */
oban_status samples_add(samples_build *build, const samples_row *row);
/* Adds the clip to the file, with its findings, when there is anything of it; gives all back.
 * Returns OK or NO_MEMORY. */
oban_status samples_end(samples_build *build);

/* An error about the clip at a line and column (0: none), whose message begins with `message`. */
oban_line *samples_fault(samples_build *build, uint32_t line, uint32_t column, const char *message,
                         oban_file_fault *spare);

#endif
