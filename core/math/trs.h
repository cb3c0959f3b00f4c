/* SPDX-License-Identifier: MIT */
/* A matrix taken apart: position, rotation, scale. What is sheared has no such parts and comes out
 * as near as it can. Next: ../anim/clip.h. */
#ifndef OBAN_MATH_TRS_H
#define OBAN_MATH_TRS_H

#include "core/math/mat34.h"
#include "core/math/quat.h"

typedef struct oban_trs {
    float position[3];
    oban_quat rotation; /* unit, in the sense of files */
    float scale[3];     /* all negative when the matrix mirrors */
} oban_trs;

/* The axes' lengths are the scale. Where an axis has no length, or all lie in a plane, the rotation
 * is none (0 0 0 1). Source: ours. */
oban_trs oban_trs_of(const oban_mat34 *matrix);

#endif
