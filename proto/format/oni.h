/* SPDX-License-Identifier: MIT */
/* The .oni instance file (OniSplit's VR32): its animations.
 * Not here: other kinds of instances, .dat files (VR31, refused by name), writing.
 * Next: oni.c. */
#ifndef OBAN_PROTO_FORMAT_ONI_H
#define OBAN_PROTO_FORMAT_ONI_H

#include "proto/format/clip_file.h"

#include <stdbool.h>

/* Whether bytes begin like an instance file of either version. */
bool oban_oni_looks_like(const void *bytes, size_t size);

/* As oban_clip_file_read, for a .oni. Source: oni-formats 1 and 3. */
oban_status oban_oni_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                          size_t size, oban_clip_file *out);

#endif
