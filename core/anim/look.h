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

/* Where n points of a way are at each frame: through all of them, at even speed along the way. */
typedef struct oban_way {
    const float (*points)[3];
    uint32_t count; /* at least 1 */
    bool smooth; /* on a curve (Catmull and Rom, centripetal); else straight from point to point */
} oban_way;

/* Points at frames 0 to frames - 1 (at least 1). Returns OK or NO_MEMORY. Source: ours. */
oban_status oban_way_points(const oban_alloc *alloc, const oban_way *way, uint32_t frames,
                            float (*out)[3]);

#endif
