/* SPDX-License-Identifier: MIT */
/* Clips with a key at every frame, or with as few as a tolerance allows.
 * Not here: how the few are chosen (core/anim/reduce.h). Next: resample.c. */
#ifndef OBAN_TOOL_RESAMPLE_H
#define OBAN_TOOL_RESAMPLE_H

#include "core/anim/clip.h"
#include "core/anim/reduce.h"

/* The keys of the frames 0 to frame_count - 1, unit rotations whose signs do not turn; with a
 * tolerance (else NULL) only those that are needed. Owns: give them back with free. */
oban_key *resample(const oban_clip *clip, const oban_tolerance *tolerance, uint32_t *key_count);

#endif
