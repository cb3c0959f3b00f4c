/* SPDX-License-Identifier: MIT */
/* Instance files, .oni (OniSplit's VR32) and .dat (a level's, VR31): their animations.
 * Not here: objects of a level (level.h), writing (oni_write.h).
 * Next: oni.c. */
#ifndef OBAN_PROTO_FORMAT_ONI_H
#define OBAN_PROTO_FORMAT_ONI_H

#include "proto/format/clip_file.h"

#include <stdbool.h>

/* Whether bytes begin like an instance file of either version. */
bool oban_oni_looks_like(const void *bytes, size_t size);

/* As oban_clip_file_read, for a .oni or a .dat. In a .dat each animation has the name that the
 * table gives it. Source: oni-formats 1 to 3. */
oban_status oban_oni_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                          size_t size, oban_clip_file *out);

#endif
