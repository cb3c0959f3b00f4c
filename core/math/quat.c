/* SPDX-License-Identifier: MIT */
/* Quaternions in the sense of the game's files. Not here: keys and frames (../anim/clip.c).
 * Next: ../anim/clip.h. */
#include "core/math/quat.h"

#include <math.h>

float oban_quat_length2(const oban_quat *q)
{
    return q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
}

static float quat_size(float value)
{
    return value < 0 ? -value : value;
}

oban_quat oban_quat_normalise(const oban_quat *q)
{
    /* By the greatest part first: the squares of a very long or short one leave float32. */
    float most = quat_size(q->x);
    most = quat_size(q->y) > most ? quat_size(q->y) : most;
    most = quat_size(q->z) > most ? quat_size(q->z) : most;
    most = quat_size(q->w) > most ? quat_size(q->w) : most;
    oban_quat part = {q->x / most, q->y / most, q->z / most, q->w / most};
    float length = sqrtf(oban_quat_length2(&part));
    return (oban_quat){part.x / length, part.y / length, part.z / length, part.w / length};
}

oban_quat oban_quat_mix(const oban_quat *a, const oban_quat *b, float t)
{
    float dot = a->x * b->x + a->y * b->y + a->z * b->z + a->w * b->w;
    float s = 1.0f - t;
    float u = dot < 0 ? -t : t;
    return (oban_quat){s * a->x + u * b->x, s * a->y + u * b->y, s * a->z + u * b->z,
                       s * a->w + u * b->w};
}

oban_mat34 oban_quat_matrix(const oban_quat *q, float scale, const float position[3])
{
    float x = q->x;
    float y = q->y;
    float z = q->z;
    float w = q->w;
    return (oban_mat34){{
        1.0f - scale * (y * y + z * z),
        scale * (x * y - z * w),
        scale * (x * z + y * w),
        scale * (x * y + z * w),
        1.0f - scale * (x * x + z * z),
        scale * (y * z - x * w),
        scale * (x * z - y * w),
        scale * (y * z + x * w),
        1.0f - scale * (x * x + y * y),
        position[0],
        position[1],
        position[2],
    }};
}

/* The greatest of the four parts is taken from the diagonal, the others from sums and differences
 * across it, divided by it. Source: Shepperd 1978, for the transposed matrix. */
oban_quat oban_quat_from_mat34(const oban_mat34 *matrix)
{
    const float *m = matrix->m;
    float ww = 1.0f + m[0] + m[4] + m[8]; /* 4 w^2, and so on */
    float xx = 1.0f + m[0] - m[4] - m[8];
    float yy = 1.0f - m[0] + m[4] - m[8];
    float zz = 1.0f - m[0] - m[4] + m[8];
    float xw = m[7] - m[5]; /* 4 x w, and so on */
    float yw = m[2] - m[6];
    float zw = m[3] - m[1];
    float xy = m[1] + m[3];
    float xz = m[2] + m[6];
    float yz = m[5] + m[7];
    oban_quat q;
    if (ww >= xx && ww >= yy && ww >= zz) {
        q = (oban_quat){xw, yw, zw, ww};
    } else if (xx >= yy && xx >= zz) {
        q = (oban_quat){xx, xy, xz, xw};
    } else if (yy >= zz) {
        q = (oban_quat){xy, yy, yz, yw};
    } else {
        q = (oban_quat){xz, yz, zz, zw};
    }
    return oban_quat_normalise(&q);
}
