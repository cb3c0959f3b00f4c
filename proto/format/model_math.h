/* SPDX-License-Identifier: MIT */
/* Matrices and rotations in double, in the usual sense, for reading the files of 3D programs. A
 * matrix is 12 numbers by columns, quaternions are x y z w. Internal to proto/format.
 * Not here: the file's own sense (core/math/quat.h).
 * Next: model_math.c. */
#ifndef OBAN_PROTO_FORMAT_MODEL_MATH_H
#define OBAN_PROTO_FORMAT_MODEL_MATH_H

#include <stdbool.h>

double model_dot(const double a[3], const double b[3]);
void model_cross(const double a[3], const double b[3], double out[3]);
/* Length 1; false (and v as it was) when it has none. */
bool model_unit(double v[3]);

/* a * b; `out` may be either. */
void model_multiply(const double a[12], const double b[12], double out[12]);
/* The rotation of a matrix's axes made square (Gram and Schmidt); false when they are flat. */
bool model_square(const double m[12], double r[9]);
/* r^T * m: what is left of the axes: scale and shear, upper triangular. */
void model_stretch(const double r[9], const double m[12], double out[9]);

/* A rotation of any length as axes; a zero one is none. */
void model_axes(const double q[4], double r[9]);
/* The other way, of axes that are square. */
void model_quat(const double r[9], double q[4]);
/* On the shortest arc at even speed. */
void model_slerp(const double a[4], const double b[4], double t, double out[4]);

#endif
