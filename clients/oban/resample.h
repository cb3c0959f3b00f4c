/* SPDX-License-Identifier: MIT */
/* Clips with a key at every frame. Not here: fewest keys (core/anim).
 * Next: resample.c. */
#ifndef OBAN_TOOL_RESAMPLE_H
#define OBAN_TOOL_RESAMPLE_H

#include "core/anim/clip.h"

/* The keys of the frames 0 to frame_count - 1, unit rotations whose signs do not turn. Owns: give
 * them back with free. */
oban_key *resample_every_frame(const oban_clip *clip);

#endif
