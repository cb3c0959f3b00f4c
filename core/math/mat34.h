/* SPDX-License-Identifier: MIT */
/* 3x4 matrices by columns: x axis, y axis, z axis, position; v' = M * v on column vectors. Twelve
 * floats in that order everywhere: in files, in memory, on the wire.
 * Not here: how an animation makes one (anim/clip.h).
 * Next: quat.h. */
#ifndef OBAN_MATH_MAT34_H
#define OBAN_MATH_MAT34_H

#include <stdbool.h>

typedef struct oban_mat34 {
    float m[12];
} oban_mat34;

oban_mat34 oban_mat34_identity(void);
/* a * b: b is applied first. */
oban_mat34 oban_mat34_multiply(const oban_mat34 *a, const oban_mat34 *b);
/* The quarter turn that stands in front of a Z-up animation: (x, y, z) -> (x, z, -y). Exact: it
 * only moves and negates numbers. Source: behaviour 2. */
oban_mat34 oban_mat34_quarter_turn(const oban_mat34 *a);
/* The rigid part: the look direction (column 2) is kept, column 1 made square to it, column 0 their
 * product, all of length 1; position as it was. `mirrored` says whether the determinant was
 * negative. Returns false, and leaves `out` alone, when the axes are degenerate. Source: behaviour
 * 5; how: ours. */
bool oban_mat34_rigid(const oban_mat34 *a, oban_mat34 *out, bool *mirrored);
/* What undoes it. Returns false, and leaves `out` alone, when nothing does (the axes are flat). */
bool oban_mat34_inverse(const oban_mat34 *a, oban_mat34 *out);
bool oban_mat34_finite(const oban_mat34 *a);
/* Bit for bit. */
bool oban_mat34_same(const oban_mat34 *a, const oban_mat34 *b);

#endif
