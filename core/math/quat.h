/* SPDX-License-Identifier: MIT */
/* Quaternions x, y, z, w in the sense of the game's files: the rotation they mean is the transpose
 * of the usual one (behaviour 2). Next: ../anim/clip.h. */
#ifndef OBAN_MATH_QUAT_H
#define OBAN_MATH_QUAT_H

#include "core/math/mat34.h"

typedef struct oban_quat {
    float x, y, z, w;
} oban_quat;

/* The squared length. */
float oban_quat_length2(const oban_quat *q);
/* Scaled to length 1. The quaternion must not be zero. */
oban_quat oban_quat_normalise(const oban_quat *q);
/* (1-t)*a + t*b, with b negated when the 4-dot is negative; not normalised. Source: behaviour 2. */
oban_quat oban_quat_mix(const oban_quat *a, const oban_quat *b, float t);
/* The matrix of T(position) * R(q): `scale` is 2 for a unit quaternion and 2/|q|^2 for another.
 * Source: behaviour 2, "sense of the quaternion". */
oban_mat34 oban_quat_matrix(const oban_quat *q, float scale, const float position[3]);
/* The unit quaternion (in the file's sense) of a rigid right-handed matrix. */
oban_quat oban_quat_from_mat34(const oban_mat34 *m);

#endif
