/* SPDX-License-Identifier: MIT */
/* Camera clips from where the camera is and what it looks at: one view, or a path through several.
 * Not here: numbers out of files or off the command line (clients/oban/look.c).
 * Next: look.c, clip.h. */
#ifndef OBAN_ANIM_LOOK_H
#define OBAN_ANIM_LOOK_H

#include "core/anim/clip.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_view {
    float eye[3];
    float target[3];
    float up[3]; /* which way is up, roughly */
} oban_view;

/* What is wrong with a view. */
typedef enum oban_view_fault {
    OBAN_VIEW_GOOD,
    OBAN_VIEW_NOWHERE, /* the eye is at the target */
    OBAN_VIEW_NO_UP,   /* up points along the look, or is nothing */
    OBAN_VIEW_NOT_FINITE
} oban_view_fault;

/* The key of a view at a frame: the camera at the eye, its -z at the target, its +y as far up as
 * can be. Source: facts/bsl 4.7 (axes). */
oban_view_fault oban_view_key(const oban_view *view, int32_t frame, oban_key *out);

/* A way through points. */
typedef struct oban_way {
    const float (*points)[3];
    uint32_t count; /* at least 1 */
    bool smooth; /* on a curve (Catmull and Rom, centripetal); else straight from point to point */
} oban_way;

/* Where on the way is `at`: point 2 at 2, half of the way to point 3 at 2.5. */
void oban_way_at(const oban_way *way, double at, float out[3]);

/* The places on the way of frames 0 to frames - 1 (at least 1), at even speed from its first point
 * to its last: `at` has room for them. *length is the way's; of a way of length 0 all places are
 * spread evenly. Returns OK or NO_MEMORY. Source: ours. */
oban_status oban_way_even(const oban_alloc *alloc, const oban_way *way, uint32_t frames, double *at,
                          double *length);

#endif
