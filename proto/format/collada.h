/* SPDX-License-Identifier: MIT */
/* Collada (.dae): written as 1.4.1, read as 1.4 and 1.5.
 * Not here: geometry and materials (passed over, but for the box that is written), splines of other
 * kinds than those named (refused).
 * Next: collada_write.c, collada_read.c, collada_motion.c. */
#ifndef OBAN_PROTO_FORMAT_COLLADA_H
#define OBAN_PROTO_FORMAT_COLLADA_H

#include "proto/format/model.h"

/* Whether XML is Collada: its root is COLLADA, as far as its first bytes tell. */
bool oban_collada_looks_like(const void *bytes, size_t size);

/* As oban_clip_file_read: each node that an animation moves is a clip of the node's name. Up axes
 * and units are made ours: y up, ten units to the metre. Parents count; what hangs on a camera
 * looks along its -z. Source: oni-formats 6; Collada 1.4.1. */
oban_status oban_collada_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                              size_t size, const oban_import *import, oban_clip_file *out);

/* Appends a whole file, a sample at every frame when `per_frame`. Returns as oban_gltf_write does.
 * Source: oni-formats 6; matrices instead of angles: ours. */
oban_status oban_collada_write(oban_writer *writer, const oban_model_item *items, uint32_t count,
                               bool per_frame, uint32_t *bad);

#endif
