/* SPDX-License-Identifier: MIT */
/* Animations in the files of 3D programs (Collada, glTF): what both directions share.
 *
 * Written: each thing becomes a node, its clip an animation of that node at exact sixtieths of a
 * second. Keys stay keys where the program's way from key to key shows what the game shows; where
 * it does not, every frame of that span is written. The clip as it was goes along as extra data, so
 * that a file that nobody has changed comes back without a loss.
 * Read: each animated node becomes a clip: sampled 60 times a second from 0 to the last key, taken
 * apart into a base (the scale and shear that all frames share) and poses, reduced to few keys.
 *
 * Not here: the formats (gltf.h, collada.h).
 * Next: model.c, ../../core/anim/reduce.h. Source: oni-formats 6; ours. */
#ifndef OBAN_PROTO_FORMAT_MODEL_H
#define OBAN_PROTO_FORMAT_MODEL_H

#include "core/anim/clip.h"
#include "core/anim/reduce.h"
#include "proto/format/clip_file.h"
#include "proto/json/writer.h"

#include <stdbool.h>
#include <stdint.h>

#define OBAN_MODEL_FRAMES_MAX 65535u
#define OBAN_MODEL_FPS 60.0

/* How sampled motion becomes keys. */
typedef struct oban_import {
    bool every_frame; /* a key at every frame; else as few as the tolerance allows */
    oban_tolerance tolerance;
} oban_import;

/* One thing to be written: something that moves by a clip, or stands. Borrowed. */
typedef struct oban_model_item {
    oban_text name;
    const oban_clip_def *clip; /* NULL: it stands at `place` */
    oban_mat34 place;          /* where a local clip's origin is; other clips do not look at it */
    bool camera;
    float fov;    /* of a camera: vertical, in degrees */
    float box[3]; /* width, height, depth of what is drawn; 0: nothing */
} oban_model_item;

/* An item of a clip alone. */
oban_model_item oban_model_item_of(const oban_clip_def *clip);

/* ---- written ---- */

/* A clip's frames to be written, and what it is at each: internal to the writers. */
typedef struct model_track {
    oban_clip *clip;
    uint32_t *frames; /* rising, the first is 0 */
    uint32_t count;
    oban_alloc alloc;
} model_track;

/* What a program does between two of the frames that it is given. */
typedef enum model_between {
    MODEL_SLERP,  /* glTF: rotations on the shortest arc at even speed */
    MODEL_MATRIX, /* Collada: each number of the matrix by itself */
    MODEL_EVERY   /* nothing: every frame is written */
} model_between;

/* Chooses the frames. Returns OK, NO_MEMORY, or BAD_CLIP when the definition makes no clip. Owns:
 * end it with model_track_fini, whatever it returns. */
oban_status model_track_make(const oban_alloc *alloc, const oban_clip_def *def,
                             model_between between, model_track *out);
void model_track_fini(model_track *track);

/* The matrix at a frame, without the base when `bare`; made rigid for a camera. */
oban_mat34 model_matrix(const oban_clip *clip, int32_t frame, bool bare, bool rigid);
/* Whether a base only scales along its axes: then a node's own scale holds it. */
bool model_base_is_scale(const oban_mat34 *base);
bool model_is_identity(const oban_mat34 *matrix);

/* ---- read ---- */

/* The clip that a file carries along beside the motion of its node. */
typedef struct model_extra {
    bool present;
    bool rigid;        /* the node was written as a camera */
    oban_clip_def def; /* the name is not looked at */
    oban_key *keys;    /* of def; owned by whoever fills it in */
    size_t key_bytes;
} model_extra;

/* A node's motion: `count` matrices by columns, three rows and four columns each, in double. */
typedef struct model_motion {
    oban_text name;
    const double *matrices; /* 12 each */
    uint32_t count;
    uint32_t line; /* of its beginning, in a text; 0: none */
    const model_extra *extra;
} model_motion;

/* Adds the clip of a motion to a file: the one that came along when the motion is still its own,
 * else what the matrices say. A motion that no clip can show is told and left out: a scale that
 * changes, axes that are flat, numbers that are not finite. Returns OK or NO_MEMORY. */
oban_status model_add(oban_clip_file *file, const model_motion *motion, const oban_import *import);

#endif
