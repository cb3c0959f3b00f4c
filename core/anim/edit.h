/* SPDX-License-Identifier: MIT */
/* A clip being changed: its numbers, to be altered by the functions below, and made into a clip
 * again by oban_clip_create. Each says what becomes of keys, frames, flags, matrices and half stop;
 * what it does not name stays. The start matrix follows the first frame, but for a local clip,
 * whose start matrix means nothing. Not here: what the command line says (clients/oban/edit.c),
 * looking at things (look.h). Next: edit.c, edit_space.c, reduce.h. */
#ifndef OBAN_ANIM_EDIT_H
#define OBAN_ANIM_EDIT_H

#include "core/anim/clip.h"
#include "core/anim/reduce.h"

#include <stdbool.h>
#include <stdint.h>

#define OBAN_EDIT_FRAMES_MAX 65535u

typedef struct oban_edit {
    oban_clip_def def; /* name and keys are the edit's own */
    char name[OBAN_CLIP_NAME_MAX + 1];
    oban_key *keys;
    uint32_t key_room;
    bool half_stop_lost; /* it lay in what was cut away, and is 0 now */
    oban_alloc alloc;
} oban_edit;

/* Statuses of all that follow: OK; NO_MEMORY; LIMIT (over 65,535 frames); BAD_CLIP (what is said at
 * each). A failed call has changed nothing. */

/* Begins with a copy. Owns: end it with oban_edit_fini, whatever it returns. */
oban_status oban_edit_init(oban_edit *edit, const oban_alloc *alloc, const oban_clip *clip);
void oban_edit_fini(oban_edit *edit);

/* ---- keys: the motion stays ---- */

/* A key at every `step`th frame, and at the last; frames between are what keys make of them. */
oban_status oban_edit_resample(oban_edit *edit, uint32_t step);
/* As few keys as the tolerance allows. Source: reduce.h. */
oban_status oban_edit_reduce(oban_edit *edit, const oban_tolerance *tolerance);
/* The frame count that the keys say: the last key's frame and one. */
oban_status oban_edit_fit_frames(oban_edit *edit);

/* ---- time ---- */

/* So many frames for the same way: keys move to where they fall; when one would fall between two
 * frames, every frame is made anew and then reduced within the tolerance. The half stop moves
 * along. */
oban_status oban_edit_retime(oban_edit *edit, uint32_t frames, const oban_tolerance *tolerance);
/* Frame f becomes frame (frames - 1 - f), and so does the half stop. */
oban_status oban_edit_reverse(oban_edit *edit);
/* Holds the first frame for so many frames more. The half stop moves along. */
oban_status oban_edit_delay(oban_edit *edit, uint32_t frames);
/* Frames first to last, which become 0 to last - first; BAD_CLIP when there are no such frames. A
 * half stop outside is lost. */
oban_status oban_edit_cut(oban_edit *edit, uint32_t first, uint32_t last);
/* Another clip's frames behind its own; the first of them is one frame after the last. BAD_CLIP
 * when their bases differ, or one is local and one not. Flags and half stop stay its own. */
oban_status oban_edit_join(oban_edit *edit, const oban_clip *next);
/* Bends the last `frames` frames so that frame 0 follows the last one without a jump, and sets the
 * loop flag. BAD_CLIP when there are not as many frames. */
oban_status oban_edit_loop(oban_edit *edit, uint32_t frames);

/* ---- space ---- */

/* Every position, and the start matrix, moved by v. */
void oban_edit_shift(oban_edit *edit, const float v[3]);
/* Left for right: axis 0, 1 or 2 is negated, in positions, rotations, base and start alike. */
void oban_edit_mirror(oban_edit *edit, uint32_t axis);
/* Local to world: the clip as an object whose origin is `origin` shows it; the flag goes. The other
 * way round it comes. BAD_CLIP when it is so already, or when the origin scales differently along
 * its axes, is flat or not finite. */
oban_status oban_edit_to_world(oban_edit *edit, const oban_mat34 *origin);
oban_status oban_edit_to_local(oban_edit *edit, const oban_mat34 *origin);
/* Rotation and position of the base go into the keys; scale and shear stay. With a position in the
 * base every frame is made anew and then reduced within the tolerance. BAD_CLIP when the base is
 * flat. */
oban_status oban_edit_bake(oban_edit *edit, const oban_tolerance *tolerance);

/* Makes the start matrix that of frame 0. */
void oban_edit_start(oban_edit *edit);

#endif
