/* SPDX-License-Identifier: MIT */
/* Ways of animations drawn as SVG: from above and from the side, at one scale, with marks at
 * frames. Not here: the command (path.c). Next: path_picture.c. */
#ifndef OBAN_TOOL_PATH_PICTURE_H
#define OBAN_TOOL_PATH_PICTURE_H

#include "proto/json/writer.h"

#include <stdint.h>

typedef struct path_point {
    float at[3]; /* x, y, z; finite */
} path_point;

/* The way of one animation: a point for each frame. Borrowed. */
typedef struct path_way {
    const char *name;
    const path_point *points;
    uint32_t count; /* 1 or more */
} path_way;

/* Appends the picture. `marks`: a mark at every so many frames; 0: as many as look well.
 * Source: ours. */
void path_picture(const path_way *ways, uint32_t count, uint32_t marks, oban_writer *out);

#endif
