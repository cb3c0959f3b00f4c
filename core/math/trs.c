/* SPDX-License-Identifier: MIT */
/* See trs.h. */
#include "core/math/trs.h"

#include <math.h>
#include <string.h>

/* The length of an axis, by its greatest part first: squares may leave float32. */
static float trs_length(const float v[3])
{
    float most = 0;
    for (int i = 0; i < 3; i++) {
        float size = v[i] < 0 ? -v[i] : v[i];
        most = size > most ? size : most;
    }
    if (!(most > 0)) {
        return 0;
    }
    float x = v[0] / most;
    float y = v[1] / most;
    float z = v[2] / most;
    return most * sqrtf(x * x + y * y + z * z);
}

oban_trs oban_trs_of(const oban_mat34 *matrix)
{
    oban_trs trs = {{0}, {0, 0, 0, 1}, {0}};
    oban_mat34 turn = oban_mat34_identity();
    bool mirrored = false;

    memcpy(trs.position, matrix->m + 9, sizeof trs.position);
    for (int k = 0; k < 3; k++) {
        trs.scale[k] = trs_length(matrix->m + 3 * (size_t)k);
    }
    if (!oban_mat34_rigid(matrix, &turn, &mirrored)) {
        return trs;
    }
    for (int k = 0; k < 3; k++) {
        float sign = mirrored ? -1.0f : 1.0f;
        for (int i = 0; i < 3; i++) {
            turn.m[3 * k + i] = sign * matrix->m[3 * k + i] / trs.scale[k];
        }
        trs.scale[k] = sign * trs.scale[k];
    }
    trs.rotation = oban_quat_from_mat34(&turn);
    return trs;
}
