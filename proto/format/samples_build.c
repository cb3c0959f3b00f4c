/* SPDX-License-Identifier: MIT */
/* See samples_build.h. Next: csv_read.c. */
#include "proto/format/samples_build.h"

#include "core/math/trs.h"

#include <math.h>
#include <string.h>

#define SAMPLES_SCALE_SLACK 1e-4f /* relative; how far rows may differ in scale */
#define SAMPLES_RADIANS_PER_DEGREE 0.017453292519943295

void samples_begin(samples_build *build, oban_clip_file *file)
{
    memset(build, 0, sizeof *build);
    build->file = file;
    build->def.start = oban_mat34_identity();
    build->def.base = oban_mat34_identity();
    build->def.frame_length = 1;
}

void samples_name(samples_build *build, oban_text name)
{
    name = clip_add_strip(name);
    build->name_bytes = name.bytes < CLIP_ADD_NAME_BYTES ? name.bytes : CLIP_ADD_NAME_BYTES;
    if (name.bytes > 0) {
        memcpy(build->name, name.data, build->name_bytes);
    }
}

oban_line *samples_fault(samples_build *build, uint32_t line, uint32_t column, const char *message,
                         oban_file_fault *spare)
{
    oban_text name = {build->name, build->name_bytes};
    oban_file_fault *fault = clip_add_fault(build->file, OBAN_SEVERITY_ERROR, name, message, spare);
    fault->line = line;
    fault->column = column;
    build->bad = true;
    return &fault->message;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The file's quaternion of Rx * Ry * Rz: x, y, z as usual, w with its sign turned. */
static oban_quat samples_quat(const float euler[3])
{
    double half = SAMPLES_RADIANS_PER_DEGREE / 2;
    double sx = sin((double)euler[0] * half);
    double cx = cos((double)euler[0] * half);
    double sy = sin((double)euler[1] * half);
    double cy = cos((double)euler[1] * half);
    double sz = sin((double)euler[2] * half);
    double cz = cos((double)euler[2] * half);
    return (oban_quat){(float)(sx * cy * cz + cx * sy * sz), (float)(cx * sy * cz - sx * cy * sz),
                       (float)(cx * cy * sz + sx * sy * cz), (float)(sx * sy * sz - cx * cy * cz)};
}

static float samples_size(float value)
{
    return value < 0 ? -value : value;
}

/* The first row's scale becomes the base; the others must have the same. */
static bool samples_take_scale(samples_build *build, const float scale[3], uint32_t line)
{
    oban_file_fault spare;
    if (!build->has_scale) {
        build->has_scale = true;
        for (int i = 0; i < 3; i++) {
            bool one = samples_size(scale[i] - 1.0f) < 1e-6f;
            build->scale[i] = one ? 1.0f : scale[i];
            build->def.base.m[4 * i] = build->scale[i];
        }
        return true;
    }
    for (int i = 0; i < 3; i++) {
        float most = samples_size(build->scale[i]);
        if (samples_size(scale[i] - build->scale[i]) > SAMPLES_SCALE_SLACK * most) {
            (void)samples_fault(build, line, 0,
                                "the scale changes; an animation has one for all frames", &spare);
            return false;
        }
    }
    return true;
}

/* The inverse of the axes, by columns: its rows are the products of two axes over the volume. */
static bool samples_inverse(const oban_mat34 *a, double out[9])
{
    double m[9];
    for (int i = 0; i < 9; i++) {
        m[i] = (double)a->m[i];
    }
    for (int row = 0; row < 3; row++) {
        const double *u = m + 3 * (size_t)((row + 1) % 3);
        const double *v = m + 3 * (size_t)((row + 2) % 3);
        out[row] = u[1] * v[2] - u[2] * v[1];
        out[3 + row] = u[2] * v[0] - u[0] * v[2];
        out[6 + row] = u[0] * v[1] - u[1] * v[0];
    }
    double volume = m[0] * out[0] + m[1] * out[3] + m[2] * out[6];
    if (!isfinite(volume) || volume == 0) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        out[i] = out[i] / volume;
    }
    return true;
}

/* T * R = M * Base^-1, and no quarter turn in front. */
static bool samples_without_base(const samples_build *build, const oban_mat34 *matrix,
                                 oban_mat34 *out)
{
    double inverse[9];
    oban_mat34 m = *matrix;
    if ((build->def.flags & OBAN_CLIP_LOCAL) != 0) {
        for (int k = 0; k < 4; k++) { /* (x, y, z) -> (x, -z, y) */
            m.m[3 * k + 1] = -matrix->m[3 * k + 2];
            m.m[3 * k + 2] = matrix->m[3 * k + 1];
        }
    }
    if (!samples_inverse(&build->def.base, inverse)) {
        return false;
    }
    for (int row = 0; row < 3; row++) {
        double shift = (double)m.m[9 + row];
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int i = 0; i < 3; i++) {
                sum += (double)m.m[3 * i + row] * inverse[3 * k + i];
            }
            out->m[3 * k + row] = (float)sum;
            shift -= sum * (double)build->def.base.m[9 + k];
        }
        out->m[9 + row] = (float)shift;
    }
    return true;
}

/* A matrix has two quaternions; the one nearer to the key in front is taken. */
static bool samples_turns_sign(const oban_quat *q, const samples_build *build)
{
    const oban_quat *before = &build->keys[build->key_count - 1].rotation;
    return q->x * before->x + q->y * before->y + q->z * before->z + q->w * before->w < 0;
}

static bool samples_take_matrix(samples_build *build, const samples_row *row, oban_key *key)
{
    oban_file_fault spare;
    oban_mat34 turn = oban_mat34_identity();
    oban_mat34 rigid = oban_mat34_identity();
    bool mirrored = false;
    bool good = oban_mat34_finite(&row->matrix);
    if (good && !build->has_base) {
        oban_trs trs = oban_trs_of(&row->matrix);
        good = samples_take_scale(build, trs.scale, row->line);
    }
    if (build->bad) {
        return false;
    }
    good = good && samples_without_base(build, &row->matrix, &turn) &&
           oban_mat34_rigid(&turn, &rigid, &mirrored) && !mirrored;
    for (int i = 0; good && i < 9; i++) {
        good = samples_size(rigid.m[i] - turn.m[i]) < 0.01f;
    }
    if (!good) {
        (void)samples_fault(build, row->line, 0,
                            "the matrix is no rotation and position of the base (it shears, is "
                            "flat or of another scale)",
                            &spare);
        return false;
    }
    key->rotation = oban_quat_from_mat34(&rigid);
    if (build->key_count > 0 && samples_turns_sign(&key->rotation, build)) {
        key->rotation =
            (oban_quat){-key->rotation.x, -key->rotation.y, -key->rotation.z, -key->rotation.w};
    }
    memcpy(key->position, turn.m + 9, sizeof key->position);
    return true;
}

static bool samples_key(samples_build *build, const samples_row *row, oban_key *key)
{
    *key = (oban_key){.rotation = {0, 0, 0, 1}, .frame = row->frame};
    if ((row->has & SAMPLES_MATRIX) != 0) {
        return samples_take_matrix(build, row, key);
    }
    if ((row->has & SAMPLES_POSITION) != 0) {
        memcpy(key->position, row->position, sizeof key->position);
    }
    if ((row->has & SAMPLES_EULER) != 0) {
        key->rotation = samples_quat(row->euler);
    }
    if ((row->has & SAMPLES_ROTATION) != 0) {
        key->rotation = row->rotation;
    }
    return (row->has & SAMPLES_SCALE) == 0 || build->has_base ||
           samples_take_scale(build, row->scale, row->line);
}

/* Doubles a list when it is full. */
static bool samples_grow(const oban_alloc *alloc, void **list, uint32_t *room, uint32_t count,
                         size_t item_bytes)
{
    uint32_t more = *room == 0 ? 64 : *room * 2;
    if (count < *room) {
        return true;
    }
    void *grown =
        alloc->resize(alloc->context, *list, *room * item_bytes, (size_t)more * item_bytes);
    if (grown == NULL) {
        return false;
    }
    *list = grown;
    *room = more;
    return true;
}

static bool samples_room(samples_build *build)
{
    const oban_alloc *alloc = &build->file->alloc;
    void *keys = build->keys;
    void *lines = build->lines;
    bool good = samples_grow(alloc, &keys, &build->key_room, build->key_count, sizeof *build->keys);
    good = good &&
           samples_grow(alloc, &lines, &build->line_room, build->key_count, sizeof *build->lines);
    build->keys = keys;
    build->lines = lines;
    return good;
}

oban_status samples_add(samples_build *build, const samples_row *row)
{
    oban_key key;
    oban_file_fault spare;
    if (build->bad) {
        return OBAN_OK; /* one fault of a kind is enough: the rest would follow from it */
    }
    if (build->key_count == OBAN_CLIP_KEYS_MAX) {
        oban_line *line =
            samples_fault(build, row->line, 0, "more rows than an animation holds: ", &spare);
        oban_line_add_u64(line, OBAN_CLIP_KEYS_MAX);
        return OBAN_OK;
    }
    if (!samples_key(build, row, &key)) {
        return OBAN_OK;
    }
    if (!samples_room(build)) {
        return OBAN_NO_MEMORY;
    }
    build->lines[build->key_count] = row->line;
    build->keys[build->key_count++] = key;
    return OBAN_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void samples_place(void *context, const oban_clip_finding *finding, oban_file_fault *fault)
{
    const samples_build *build = context;
    fault->line = finding->key < build->key_count ? build->lines[finding->key] : build->line;
    fault->line = finding->count == 0 ? build->line : fault->line;
}

oban_status samples_end(samples_build *build)
{
    const oban_alloc *alloc = &build->file->alloc;
    oban_status status = OBAN_OK;
    oban_clip_def *def = &build->def;
    if (!build->bad) {
        clip_add_places places = {samples_place, build};
        def->name = (oban_text){build->name, build->name_bytes};
        def->keys = build->keys;
        def->key_count = build->key_count;
        if (!build->has_frame_count && build->key_count > 0) {
            int32_t last = build->keys[build->key_count - 1].frame;
            def->frame_count = last < INT32_MAX ? last + 1 : last;
        }
        status = clip_add(build->file, def, build->line, OBAN_FILE_NO_OFFSET, &places);
    }
    oban_alloc_give(alloc, build->keys, build->key_room * sizeof *build->keys);
    oban_alloc_give(alloc, build->lines, build->line_room * sizeof *build->lines);
    build->keys = NULL;
    build->lines = NULL;
    build->key_count = 0;
    build->key_room = 0;
    build->line_room = 0;
    return status;
}
