/* SPDX-License-Identifier: MIT */
/* glTF 2.0, as one text (.gltf, its numbers inside as base64) or one binary file (.glb).
 * Not here: numbers in files beside it (refused by name), meshes and materials (passed over).
 * Next: gltf_write.c, gltf_read.c. */
#ifndef OBAN_PROTO_FORMAT_GLTF_H
#define OBAN_PROTO_FORMAT_GLTF_H

#include "proto/format/model.h"

/* Larger texts are refused: a tree of them would take gigabytes. */
#define OBAN_GLTF_BYTES_MAX ((size_t)64 << 20)

typedef struct oban_gltf_options {
    bool binary;    /* .glb */
    bool per_frame; /* a sample at every frame, needed or not */
} oban_gltf_options;

/* Whether bytes begin like a .glb, or like a .gltf: JSON with an "asset" near its beginning. */
bool oban_glb_looks_like(const void *bytes, size_t size);
bool oban_gltf_looks_like(const void *bytes, size_t size);

/* As oban_clip_file_read: each animated node is a clip named after the node, or after its animation
 * when that moves no other node, with the node's name behind it when several animations move one.
 */
oban_status oban_gltf_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                           size_t size, const oban_import *import, oban_clip_file *out);

/* Appends a whole file. Returns OK, BAD_CLIP (an item whose definition makes no clip: *bad is its
 * index; nothing is written) or NO_MEMORY. Source: Khronos glTF 2.0; which nodes there are: ours.
 */
oban_status oban_gltf_write(oban_writer *writer, const oban_model_item *items, uint32_t count,
                            const oban_gltf_options *options, uint32_t *bad);

#endif
