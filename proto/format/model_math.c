/* SPDX-License-Identifier: MIT */
/* See model_math.h. */
#include "proto/format/model_math.h"

#include <math.h>
#include <string.h>

double model_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void model_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

bool model_unit(double v[3])
{
    double most = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(most > 0) || !isfinite(most)) {
        return false;
    }
    double scaled[3] = {v[0] / most, v[1] / most, v[2] / most};
    double length = sqrt(model_dot(scaled, scaled));
    for (int i = 0; i < 3; i++) {
        v[i] = scaled[i] / length;
    }
    return true;
}

void model_multiply(const double a[12], const double b[12], double out[12])
{
    double made[12];
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++) {
            double sum = column == 3 ? a[9 + row] : 0;
            for (int k = 0; k < 3; k++) {
                sum += a[3 * k + row] * b[3 * column + k];
            }
            made[3 * column + row] = sum;
        }
    }
    memcpy(out, made, sizeof made);
}

bool model_square(const double m[12], double r[9])
{
    memcpy(r, m, 6 * sizeof *r);
    if (!model_unit(r)) {
        return false;
    }
    double size = sqrt(model_dot(m + 3, m + 3));
    double along = model_dot(r, r + 3);
    for (int i = 0; i < 3; i++) {
        r[3 + i] -= along * r[i];
    }
    if (!(sqrt(model_dot(r + 3, r + 3)) > 1e-6 * size) || !model_unit(r + 3)) {
        return false;
    }
    model_cross(r, r + 3, r + 6);
    double depth = model_dot(r + 6, m + 6);
    return fabs(depth) > 1e-6 * sqrt(model_dot(m + 6, m + 6));
}

void model_stretch(const double r[9], const double m[12], double out[9])
{
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            out[3 * column + row] = model_dot(r + 3 * (long)row, m + 3 * (long)column);
        }
    }
}

void model_axes(const double q[4], double r[9])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double by = length > 0 ? 1 / length : 0;
    double x = q[0] * by;
    double y = q[1] * by;
    double z = q[2] * by;
    double w = length > 0 ? q[3] * by : 1;
    const double axes[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
        2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
        2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    memcpy(r, axes, sizeof axes);
}

/* By the greatest of the four (Shepperd). */
void model_quat(const double r[9], double q[4])
{
    const double four[4] = {1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8],
                            1 + r[0] + r[4] + r[8]};
    const double xy = r[1] + r[3], xz = r[2] + r[6], yz = r[5] + r[7];
    const double xw = r[5] - r[7], yw = r[6] - r[2], zw = r[1] - r[3];
    const double rows[4][4] = {
        {four[0], xy, xz, xw}, {xy, four[1], yz, yw}, {xz, yz, four[2], zw}, {xw, yw, zw, four[3]}};
    int most = 0;
    for (int i = 1; i < 4; i++) {
        most = four[i] > four[most] ? i : most;
    }
    double length = sqrt(rows[most][0] * rows[most][0] + rows[most][1] * rows[most][1] +
                         rows[most][2] * rows[most][2] + rows[most][3] * rows[most][3]);
    for (int i = 0; i < 4; i++) {
        q[i] = rows[most][i] / length;
    }
}

void model_slerp(const double a[4], const double b[4], double t, double out[4])
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double angle = acos(fmin(1.0, fabs(dot)));
    double s = angle < 1e-6 ? 1 - t : sin((1 - t) * angle) / sin(angle);
    double u = angle < 1e-6 ? t : sin(t * angle) / sin(angle);
    for (int i = 0; i < 4; i++) {
        out[i] = s * a[i] + (dot < 0 ? -u : u) * b[i];
    }
}
