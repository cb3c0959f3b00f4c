/* SPDX-License-Identifier: MIT */
/* Animations as a file of a format: for every command that makes some.
 * Not here: which files (outputs.h), the disk (save.h). Next: write.c. */
#ifndef OBAN_TOOL_WRITE_H
#define OBAN_TOOL_WRITE_H

#include "clients/oban/formats.h"

#include <stdbool.h>

/* Appends the whole file to `text`. Names are checked first; what the format cannot hold is told as
 * a fault of `path`. False when it cannot be done. */
bool write_text(const tool_format *to, const oban_clip_def *defs, uint32_t count,
                const tool_export *export, const char *path, oban_writer *text);

/* The same, to the disk (save.h), with the folders that are missing; "-" is standard output. */
bool write_clips(const tool_format *to, const oban_clip_def *defs, uint32_t count,
                 const tool_export *export, const char *path, bool force);

#endif
