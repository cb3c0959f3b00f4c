/* SPDX-License-Identifier: MIT */
/* What is kept of a Collada file while it is read: nodes with their transforms, sources of numbers,
 * samplers, channels. Internal to proto/format. Next: collada_read.c, collada_motion.c. */
#ifndef OBAN_PROTO_FORMAT_COLLADA_DOC_H
#define OBAN_PROTO_FORMAT_COLLADA_DOC_H

#include "proto/format/clip_add.h"
#include "proto/format/model.h"

#include <stdbool.h>
#include <stdint.h>

#define DAE_ID_BYTES 128u
#define DAE_ITEMS_MAX 300000u /* of each list but that of the numbers */
#define DAE_NONE UINT32_MAX

typedef enum dae_axis { DAE_Y_UP, DAE_Z_UP, DAE_X_UP } dae_axis;
typedef enum dae_way { DAE_LINEAR, DAE_STEP, DAE_BEZIER, DAE_HERMITE } dae_way;
typedef enum dae_kind { DAE_TRANSLATE, DAE_ROTATE, DAE_SCALE, DAE_MATRIX, DAE_LOOKAT } dae_kind;

/* A list that grows; items of one size. */
typedef struct dae_list {
    void *items;
    uint32_t count;
    uint32_t capacity;
    size_t item_bytes;
} dae_list;

typedef struct dae_text {
    char data[DAE_ID_BYTES];
} dae_text;

/* Numbers, or the ways of an INTERPOLATION as numbers. */
typedef struct dae_source {
    dae_text id;
    uint32_t first; /* of the document's values */
    uint32_t count;
    uint32_t stride;
    uint32_t line;
} dae_source;

typedef struct dae_sampler {
    dae_text id;
    dae_text input, output, way, tangent_in, tangent_out; /* ids of sources */
    uint32_t line;
} dae_sampler;

typedef struct dae_channel {
    dae_text sampler;
    dae_text target; /* node/sid.PART or node/sid(1)(2) */
    uint32_t line;
} dae_channel;

/* One transform of a node; a channel may move it. */
typedef struct dae_transform {
    dae_kind kind;
    dae_text sid;
    double values[16];
    uint32_t curves; /* its first curve plus 1, or 0 */
} dae_transform;

typedef struct dae_node {
    dae_text id;
    dae_text name;
    uint32_t parent; /* DAE_NONE: none */
    uint32_t first;  /* of the document's transforms */
    uint32_t count;
    uint32_t line;
    bool camera;
    bool moves;
    bool has_extra;
    bool extra_rigid;
    int64_t extra_numbers[4];                     /* flags, frame_length, frame_count, half_stop */
    uint32_t extra_start, extra_base, extra_keys; /* of the document's values; DAE_NONE */
    uint32_t extra_key_numbers;
} dae_node;

typedef struct dae_document {
    oban_clip_file *file;
    oban_file_fault spare;
    const oban_import *import;
    clip_add_name file_name;
    dae_axis axis;
    double units;    /* of ours, to one of the file's */
    dae_list values; /* double */
    dae_list sources;
    dae_list samplers;
    dae_list channels;
    dae_list nodes;
    dae_list transforms;
    oban_status status;
} dae_document;

/* A new item of zeros at the end; NULL (and status NO_MEMORY) when memory is out. */
void *dae_push(dae_document *document, dae_list *list);
/* An error at a line; nothing is made of the file. */
oban_line *dae_refuse(dae_document *document, uint32_t line, const char *message);

/* Makes clips of all that moves, into document->file; see document->status. */
void dae_make_clips(dae_document *document);

#define DAE_AT(list, type, index) (&((type *)(list).items)[index])

#endif
