/* SPDX-License-Identifier: MIT */
/* 3x4 matrices by columns. Not here: quaternions (quat.c), animations (../anim/clip.c).
 * Every expression is written in one fixed order of float32 operations: the bits are part of the
 * world's hash. Next: quat.c. */
#include "core/math/mat34.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Axes whose volume, each scaled to length 1 or a little over, is below this span no space. */
#define MAT34_VOLUME_MIN 1e-6f

oban_mat34 oban_mat34_identity(void)
{
    return (oban_mat34){{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}};
}

/* Three numbers that a column holds, and one that counts for nothing. */
typedef float mat34_lanes __attribute__((vector_size(16)));

static mat34_lanes mat34_load(const float column[3])
{
    mat34_lanes lanes = {column[0], column[1], column[2], 0};
    return lanes;
}

/* By rows at once; the order of operations in each is that of three plain sums of products. */
oban_mat34 oban_mat34_multiply(const oban_mat34 *a, const oban_mat34 *b)
{
    oban_mat34 out;
    const mat34_lanes x = mat34_load(a->m);
    const mat34_lanes y = mat34_load(a->m + 3);
    const mat34_lanes z = mat34_load(a->m + 6);
    mat34_lanes made = {0};
    for (int column = 0; column < 4; column++) {
        const float *in = b->m + 3 * column;
        made = x * in[0] + y * in[1] + z * in[2];
        memcpy(out.m + 3 * column, &made, 3 * sizeof(float));
    }
    made = made + mat34_load(a->m + 9);
    memcpy(out.m + 9, &made, 3 * sizeof(float));
    return out;
}

oban_mat34 oban_mat34_quarter_turn(const oban_mat34 *a)
{
    oban_mat34 out = {{0}};
    for (int column = 0; column < 4; column++) {
        const float *in = a->m + 3 * column;
        out.m[3 * column] = in[0];
        out.m[3 * column + 1] = in[2];
        out.m[3 * column + 2] = -in[1];
    }
    return out;
}

static bool mat34_float_finite(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7f800000u) != 0x7f800000u;
}

bool oban_mat34_inverse(const oban_mat34 *a, oban_mat34 *out)
{
    double m[12];
    double r[9]; /* by rows: each the product of two axes */
    for (int i = 0; i < 12; i++) {
        m[i] = (double)a->m[i];
    }
    for (int row = 0; row < 3; row++) {
        const double *u = m + 3 * ((row + 1) % 3);
        const double *v = m + 3 * ((row + 2) % 3);
        r[3 * row] = u[1] * v[2] - u[2] * v[1];
        r[3 * row + 1] = u[2] * v[0] - u[0] * v[2];
        r[3 * row + 2] = u[0] * v[1] - u[1] * v[0];
    }
    double volume = m[0] * r[0] + m[1] * r[1] + m[2] * r[2];
    oban_mat34 made;
    if (!(volume > 1e-30 || volume < -1e-30)) {
        return false;
    }
    for (int row = 0; row < 3; row++) {
        double shift = 0;
        for (int column = 0; column < 3; column++) {
            double value = r[3 * row + column] / volume;
            made.m[3 * column + row] = (float)value;
            shift -= value * m[9 + column];
        }
        made.m[9 + row] = (float)shift;
    }
    if (!oban_mat34_finite(&made)) {
        return false;
    }
    *out = made;
    return true;
}

bool oban_mat34_finite(const oban_mat34 *a)
{
    for (int i = 0; i < 12; i++) {
        if (!mat34_float_finite(a->m[i])) {
            return false;
        }
    }
    return true;
}

bool oban_mat34_same(const oban_mat34 *a, const oban_mat34 *b)
{
    return memcmp(a->m, b->m, sizeof a->m) == 0;
}

static float mat34_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void mat34_cross(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Divides by the greatest component, so that no square can overflow or vanish. */
static bool mat34_scaled(const float in[3], float out[3])
{
    float most = 0;
    for (int i = 0; i < 3; i++) {
        float size = in[i] < 0 ? -in[i] : in[i];
        if (!mat34_float_finite(in[i])) {
            return false;
        }
        most = size > most ? size : most;
    }
    for (int i = 0; i < 3 && most > 0; i++) {
        out[i] = in[i] / most;
    }
    return most > 0;
}

static void mat34_unit(float v[3])
{
    float length = sqrtf(mat34_dot(v, v));
    for (int i = 0; i < 3; i++) {
        v[i] = v[i] / length;
    }
}

/* Makes y square to the unit axis z, and of length 1. */
static void mat34_square(float y[3], const float z[3])
{
    float along = mat34_dot(y, z);
    for (int i = 0; i < 3; i++) {
        y[i] = y[i] - along * z[i];
    }
    mat34_unit(y);
}

bool oban_mat34_rigid(const oban_mat34 *a, oban_mat34 *out, bool *mirrored)
{
    float x[3] = {0};
    float y[3] = {0};
    float z[3] = {0};
    float square[3] = {0};
    if (!mat34_scaled(a->m, x) || !mat34_scaled(a->m + 3, y) || !mat34_scaled(a->m + 6, z)) {
        return false;
    }
    mat34_cross(y, z, square);
    float volume = mat34_dot(x, square);
    if (volume < MAT34_VOLUME_MIN && volume > -MAT34_VOLUME_MIN) {
        return false;
    }
    mat34_unit(z);
    mat34_square(y, z);
    mat34_square(y, z); /* once leaves an error where the two were almost parallel */
    mat34_cross(y, z, x);
    *mirrored = volume < 0;
    memcpy(out->m + 9, a->m + 9, sizeof x);
    memcpy(out->m, x, sizeof x);
    memcpy(out->m + 3, y, sizeof y);
    memcpy(out->m + 6, z, sizeof z);
    return true;
}
