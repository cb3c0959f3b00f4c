/* SPDX-License-Identifier: MIT */
/* Editing where a clip is: moved, mirrored, in another's space, without a base. In double where
 * rotations are put together. Next: edit.h. */
#include "core/anim/edit.h"

#include <math.h>
#include <string.h>

#define SPACE_SCALE_SLACK 1e-4 /* relative: how far the axes of an origin may differ in length */

/* ---- quaternions in the file's sense, in double ---- */

typedef struct space_quat {
    double x, y, z, w;
} space_quat;

/* Of a rotation a * b of matrices: in the file's sense the product goes the other way round. */
static space_quat space_product(space_quat a, space_quat b)
{
    space_quat p = b;
    space_quat q = a;
    return (space_quat){p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
                        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
}

static space_quat space_of(const oban_quat *q)
{
    return (space_quat){(double)q->x, (double)q->y, (double)q->z, (double)q->w};
}

static oban_quat space_to(space_quat q)
{
    return (oban_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

/* ---- shift, mirror ---- */

void oban_edit_shift(oban_edit *edit, const float v[3])
{
    for (uint32_t i = 0; i < edit->def.key_count; i++) {
        for (int k = 0; k < 3; k++) {
            edit->keys[i].position[k] += v[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        edit->def.start.m[9 + k] += v[k];
    }
}

/* S * M * S with S negating one axis. */
static void space_mirror(oban_mat34 *m, uint32_t axis)
{
    for (uint32_t column = 0; column < 4; column++) {
        for (uint32_t row = 0; row < 3; row++) {
            bool negate = (row == axis) != (column == axis);
            float *value = &m->m[3 * column + row];
            *value = negate ? 0.0f - *value : *value;
        }
    }
}

void oban_edit_mirror(oban_edit *edit, uint32_t axis)
{
    for (uint32_t i = 0; i < edit->def.key_count; i++) {
        oban_key *key = &edit->keys[i];
        float parts[3] = {key->rotation.x, key->rotation.y, key->rotation.z};
        for (uint32_t k = 0; k < 3; k++) {
            parts[k] = k == axis ? parts[k] : 0.0f - parts[k];
        }
        key->rotation = (oban_quat){parts[0], parts[1], parts[2], key->rotation.w};
        key->position[axis] = 0.0f - key->position[axis];
    }
    space_mirror(&edit->def.base, axis);
    space_mirror(&edit->def.start, axis);
}

/* ---- local and world ---- */

/* A matrix as a rotation, one scale and a position. */
typedef struct space_place {
    space_quat turn;
    double scale;
    oban_mat34 matrix;
} space_place;

static double space_length(const float *v)
{
    double most = 0;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double size = v[i] < 0 ? -(double)v[i] : (double)v[i];
        most = size > most ? size : most;
    }
    if (!(most > 0) || most > 1e30) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        sum += (double)v[i] / most * ((double)v[i] / most);
    }
    /* sqrtf, and two steps of Newton: core has no other root. */
    double root = (double)sqrtf((float)sum);
    root = (root + sum / root) / 2;
    root = (root + sum / root) / 2;
    return most * root;
}

static bool space_place_of(const oban_mat34 *matrix, space_place *out)
{
    oban_mat34 rigid;
    bool mirrored = false;
    if (!oban_mat34_finite(matrix) || !oban_mat34_rigid(matrix, &rigid, &mirrored) || mirrored) {
        return false;
    }
    out->scale = space_length(matrix->m);
    if (!(out->scale > 0)) {
        return false;
    }
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            double off = (double)matrix->m[3 * column + row] / out->scale -
                         (double)rigid.m[3 * column + row];
            if (!(off < SPACE_SCALE_SLACK && off > -SPACE_SCALE_SLACK)) {
                return false;
            }
        }
    }
    oban_quat q = oban_quat_from_mat34(&rigid);
    out->turn = space_of(&q);
    out->matrix = *matrix;
    return true;
}

/* (x, y, z) -> (x, z, -y): what stands in front of a local clip. */
static const space_quat space_quarter = {0.7071067811865476, 0, 0, 0.7071067811865476};

/* All keys by place * quarter turn, or by its inverse. */
static void space_move_keys(oban_edit *edit, const space_place *place, bool inverse)
{
    space_quat turn = space_product(place->turn, space_quarter);
    const float *m = place->matrix.m;
    if (inverse) {
        turn = (space_quat){-turn.x, -turn.y, -turn.z, turn.w};
    }
    for (uint32_t i = 0; i < edit->def.key_count; i++) {
        oban_key *key = &edit->keys[i];
        double p[3] = {(double)key->position[0], (double)key->position[1],
                       (double)key->position[2]};
        double out[3];
        key->rotation = space_to(space_product(turn, space_of(&key->rotation)));
        if (!inverse) {
            const double q[3] = {p[0], p[2], -p[1]};
            for (int row = 0; row < 3; row++) {
                out[row] = (double)m[row] * q[0] + (double)m[3 + row] * q[1] +
                           (double)m[6 + row] * q[2] + (double)m[9 + row];
            }
        } else {
            double q[3];
            double by = 1 / (place->scale * place->scale);
            for (int row = 0; row < 3; row++) {
                q[row] = 0;
                for (int k = 0; k < 3; k++) {
                    q[row] += (double)m[3 * row + k] * (p[k] - (double)m[9 + k]) * by;
                }
            }
            out[0] = q[0];
            out[1] = -q[2];
            out[2] = q[1];
        }
        for (int k = 0; k < 3; k++) {
            key->position[k] = (float)out[k];
        }
    }
}

static void space_scale_base(oban_edit *edit, double by)
{
    for (int i = 0; i < 12; i++) {
        edit->def.base.m[i] = (float)((double)edit->def.base.m[i] * by);
    }
}

oban_status oban_edit_to_world(oban_edit *edit, const oban_mat34 *origin)
{
    space_place place;
    if ((edit->def.flags & OBAN_CLIP_LOCAL) == 0 || !space_place_of(origin, &place)) {
        return OBAN_BAD_CLIP;
    }
    space_move_keys(edit, &place, false);
    space_scale_base(edit, place.scale);
    edit->def.flags &= ~(uint32_t)OBAN_CLIP_LOCAL;
    oban_edit_start(edit);
    return OBAN_OK;
}

oban_status oban_edit_to_local(oban_edit *edit, const oban_mat34 *origin)
{
    space_place place;
    if ((edit->def.flags & OBAN_CLIP_LOCAL) != 0 || !space_place_of(origin, &place)) {
        return OBAN_BAD_CLIP;
    }
    space_move_keys(edit, &place, true);
    space_scale_base(edit, 1 / place.scale);
    edit->def.flags |= OBAN_CLIP_LOCAL;
    edit->def.start = oban_mat34_identity();
    return OBAN_OK;
}

/* ---- the base ---- */

static float space_size(float value)
{
    return value < 0 ? -value : value;
}

/* The rotation of a base, and what is left of its axes. Returns false when it is flat. */
static bool space_base_of(const oban_mat34 *base, oban_quat *turn, oban_mat34 *left)
{
    oban_mat34 rigid;
    bool mirrored = false;
    if (!oban_mat34_rigid(base, &rigid, &mirrored)) {
        return false;
    }
    *turn = oban_quat_from_mat34(&rigid);
    oban_mat34 exact = oban_quat_matrix(turn, 2.0f, (const float[3]){0, 0, 0});
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                sum += (double)exact.m[3 * row + k] * (double)base->m[3 * column + k];
            }
            left->m[3 * column + row] = (float)sum;
        }
    }
    /* What is only the noise of float32 is no shear. */
    for (int i = 0; i < 9; i++) {
        float size = space_size(left->m[0]) + space_size(left->m[4]) + space_size(left->m[8]);
        left->m[i] = space_size(left->m[i]) < 1e-6f * size ? 0 : left->m[i];
    }
    left->m[9] = left->m[10] = left->m[11] = 0;
    return true;
}

oban_status oban_edit_bake(oban_edit *edit, const oban_tolerance *tolerance)
{
    oban_quat turn;
    oban_mat34 left;
    const float *shift = edit->def.base.m + 9;
    bool moves = shift[0] != 0 || shift[1] != 0 || shift[2] != 0;
    float v[3] = {shift[0], shift[1], shift[2]};
    if (!space_base_of(&edit->def.base, &turn, &left)) {
        return OBAN_BAD_CLIP;
    }
    /* A point of a turning thing goes on an arc, which keys of its path alone do not say. */
    oban_status status = moves ? oban_edit_resample(edit, 1) : OBAN_OK;
    if (status != OBAN_OK) {
        return status;
    }
    for (uint32_t i = 0; i < edit->def.key_count; i++) {
        oban_key *key = &edit->keys[i];
        oban_quat unit = oban_quat_normalise(&key->rotation);
        oban_mat34 axes = oban_quat_matrix(&unit, 2.0f, key->position);
        for (int row = 0; row < 3 && moves; row++) {
            key->position[row] +=
                axes.m[row] * v[0] + axes.m[3 + row] * v[1] + axes.m[6 + row] * v[2];
        }
        key->rotation = space_to(space_product(space_of(&key->rotation), space_of(&turn)));
    }
    edit->def.base = left;
    if (moves) {
        (void)oban_edit_reduce(edit, tolerance);
    }
    oban_edit_start(edit);
    return OBAN_OK;
}
