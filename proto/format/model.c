/* SPDX-License-Identifier: MIT */
/* See model.h. In double where matrices are taken apart: what comes in was rounded already. */
#include "proto/format/model.h"

#include "proto/format/clip_add.h"
#include "proto/format/model_math.h"

#include <math.h>
#include <string.h>

#define MODEL_DEGREES_OFF 0.001 /* between frames: how far a program may show something else */
#define MODEL_ENTRY_OFF 2e-5    /* the same for numbers of a matrix, relative to their size */
#define MODEL_RIGID_SLACK 2e-3  /* how far the axes of a pose may be from square and of length 1 */
#define MODEL_SNAP 2e-6         /* of a base: what is so near to 0 or 1 is meant so */
#define MODEL_SAME 2e-4         /* a motion is that of its extra clip, relative to its size */

oban_model_item oban_model_item_of(const oban_clip_def *clip)
{
    return (oban_model_item){
        .name = clip->name, .clip = clip, .place = oban_mat34_identity(), .fov = 45.0f};
}

/* ---- written ---- */

bool model_is_identity(const oban_mat34 *matrix)
{
    oban_mat34 identity = oban_mat34_identity();
    for (int i = 0; i < 12; i++) {
        if (matrix->m[i] != identity.m[i]) {
            return false;
        }
    }
    return true;
}

bool model_base_is_scale(const oban_mat34 *base)
{
    for (int i = 0; i < 12; i++) {
        bool diagonal = i == 0 || i == 4 || i == 8;
        if (diagonal ? base->m[i] == 0.0f : base->m[i] != 0.0f) {
            return false;
        }
    }
    return true;
}

oban_mat34 model_matrix(const oban_clip *clip, int32_t frame, bool bare, bool rigid)
{
    oban_mat34 matrix;
    bool mirrored = false;
    if (bare) {
        oban_quat rotation;
        float position[3];
        oban_clip_pose(clip, frame, &rotation, position);
        matrix = oban_quat_matrix(&rotation, 2.0f, position);
        if ((clip->flags & OBAN_CLIP_LOCAL) != 0) {
            matrix = oban_mat34_quarter_turn(&matrix);
        }
    } else {
        matrix = oban_clip_matrix(clip, frame);
    }
    if (rigid) {
        (void)oban_mat34_rigid(&matrix, &matrix, &mirrored);
    }
    return matrix;
}

/* Degrees between what a slerp from a to b shows and what the clip shows. */
static double model_slerp_off(const oban_quat *a, const oban_quat *b, double t, const oban_quat *is)
{
    double dot = (double)a->x * (double)b->x + (double)a->y * (double)b->y +
                 (double)a->z * (double)b->z + (double)a->w * (double)b->w;
    double sign = dot < 0 ? -1 : 1;
    double angle = acos(fmin(1.0, fabs(dot)));
    double s = angle < 1e-6 ? 1 - t : sin((1 - t) * angle) / sin(angle);
    double u = sign * (angle < 1e-6 ? t : sin(t * angle) / sin(angle));
    double q[4] = {s * (double)a->x + u * (double)b->x, s * (double)a->y + u * (double)b->y,
                   s * (double)a->z + u * (double)b->z, s * (double)a->w + u * (double)b->w};
    double to[4] = {(double)is->x, (double)is->y, (double)is->z, (double)is->w};
    double along = q[0] * to[0] + q[1] * to[1] + q[2] * to[2] + q[3] * to[3];
    double chord2 = 0;
    for (int i = 0; i < 4; i++) {
        double off = q[i] - (along < 0 ? -to[i] : to[i]);
        chord2 += off * off;
    }
    return 2 * sqrt(chord2) * 57.29577951308232;
}

static bool model_slerp_good(const oban_clip *clip, uint32_t first, uint32_t last)
{
    oban_quat a;
    oban_quat b;
    oban_quat is;
    float position[3];
    oban_clip_pose(clip, (int32_t)first, &a, position);
    oban_clip_pose(clip, (int32_t)last, &b, position);
    for (uint32_t frame = first + 1; frame < last; frame++) {
        double t = (double)(frame - first) / (double)(last - first);
        oban_clip_pose(clip, (int32_t)frame, &is, position);
        if (model_slerp_off(&a, &b, t, &is) > MODEL_DEGREES_OFF) {
            return false;
        }
    }
    return true;
}

static bool model_matrix_good(const oban_clip *clip, uint32_t first, uint32_t last)
{
    oban_mat34 a = oban_clip_matrix(clip, (int32_t)first);
    oban_mat34 b = oban_clip_matrix(clip, (int32_t)last);
    for (uint32_t frame = first + 1; frame < last; frame++) {
        double t = (double)(frame - first) / (double)(last - first);
        oban_mat34 is = oban_clip_matrix(clip, (int32_t)frame);
        for (int i = 0; i < 12; i++) {
            double shown = (1 - t) * (double)a.m[i] + t * (double)b.m[i];
            double size = fmax(fabs((double)a.m[i]), fabs((double)b.m[i]));
            if (fabs(shown - (double)is.m[i]) > MODEL_ENTRY_OFF * fmax(1.0, size)) {
                return false;
            }
        }
    }
    return true;
}

/* From one key's frame to the next: only the end, or all between too. */
static void model_track_span(model_track *track, model_between between, uint32_t last)
{
    uint32_t first = track->frames[track->count - 1];
    bool good = between == MODEL_SLERP    ? model_slerp_good(track->clip, first, last)
                : between == MODEL_MATRIX ? model_matrix_good(track->clip, first, last)
                                          : false;
    for (uint32_t frame = good ? last : first + 1; frame <= last; frame++) {
        track->frames[track->count++] = frame;
    }
}

oban_status model_track_make(const oban_alloc *alloc, const oban_clip_def *def,
                             model_between between, model_track *out)
{
    oban_clip_def named = *def;
    named.name = (oban_text){"x", 1}; /* a name over the limit is no reason here */
    *out = (model_track){.alloc = *alloc};
    oban_status status = oban_clip_create(alloc, &named, &out->clip, NULL);
    if (status != OBAN_OK) {
        return status;
    }
    out->frames = oban_alloc_take(alloc, out->clip->frame_count * sizeof *out->frames);
    if (out->frames == NULL) {
        return OBAN_NO_MEMORY;
    }
    out->frames[out->count++] = 0;
    for (uint32_t i = 0; i < out->clip->play_key_count; i++) {
        int32_t frame = out->clip->play_keys[i].frame;
        if (frame > (int32_t)out->frames[out->count - 1] &&
            frame < (int32_t)out->clip->frame_count) {
            model_track_span(out, between, (uint32_t)frame);
        }
    }
    if (out->frames[out->count - 1] < out->clip->frame_count - 1) {
        model_track_span(out, between, out->clip->frame_count - 1);
    }
    return OBAN_OK;
}

void model_track_fini(model_track *track)
{
    if (track->clip != NULL) {
        oban_alloc_give(&track->alloc, track->frames,
                        track->clip->frame_count * sizeof *track->frames);
        oban_clip_destroy(track->clip);
    }
}

/* ---- read: the clip that came along ---- */

static bool model_near(const oban_mat34 *is, const double *was)
{
    double size = 1;
    for (int i = 0; i < 12; i++) {
        size = fmax(size, fabs(was[i]));
    }
    for (int i = 0; i < 12; i++) {
        double most = i < 9 ? fmin(size, 1 + fabs(was[i])) : size;
        if (!(fabs((double)is->m[i] - was[i]) <= MODEL_SAME * most)) {
            return false;
        }
    }
    return true;
}

/* Whether the motion is what the extra clip does, at every frame. */
static bool model_is_its_own(const oban_clip *clip, const model_motion *motion)
{
    if (motion->count != clip->frame_count) {
        return false;
    }
    for (uint32_t i = 0; i < motion->count; i++) {
        oban_mat34 bare = model_matrix(clip, (int32_t)i, true, false);
        oban_mat34 whole = model_matrix(clip, (int32_t)i, false, motion->extra->rigid);
        if (!model_near(&whole, motion->matrices + 12 * (size_t)i) &&
            !model_near(&bare, motion->matrices + 12 * (size_t)i)) {
            return false;
        }
    }
    return true;
}

static void model_place(void *context, const oban_clip_finding *finding, oban_file_fault *fault)
{
    const uint32_t *line = context;
    (void)finding;
    fault->line = *line;
    fault->column = *line != 0 ? 1 : 0;
}

static oban_status model_add_def(oban_clip_file *file, const model_motion *motion,
                                 oban_clip_def *def)
{
    uint32_t line = motion->line;
    const clip_add_places places = {model_place, &line};
    def->name = motion->name;
    return clip_add(file, def, motion->line, OBAN_FILE_NO_OFFSET, &places);
}

/* Adds the extra clip. Sets *done when it is the motion's. */
static oban_status model_add_extra(oban_clip_file *file, const model_motion *motion, bool *done)
{
    oban_clip_def def = motion->extra->def;
    oban_clip *clip = NULL;
    def.name = (oban_text){"x", 1};
    oban_status status = oban_clip_create(&file->alloc, &def, &clip, NULL);
    if (status != OBAN_OK) {
        return status == OBAN_NO_MEMORY ? status : OBAN_OK;
    }
    *done = model_is_its_own(clip, motion);
    oban_clip_destroy(clip);
    return *done ? model_add_def(file, motion, &def) : OBAN_OK;
}

/* ---- read: matrices taken apart ---- */

static oban_line *model_refuse(oban_clip_file *file, const model_motion *motion,
                               const char *message, oban_file_fault *spare)
{
    oban_file_fault *fault =
        clip_add_fault(file, OBAN_SEVERITY_ERROR, motion->name, message, spare);
    fault->line = motion->line;
    fault->column = motion->line != 0 ? 1 : 0;
    return &fault->message;
}

static double model_snap(double value, double size)
{
    if (fabs(value) < MODEL_SNAP * size) {
        return 0;
    }
    return fabs(value - 1) < MODEL_SNAP ? 1 : fabs(value + 1) < MODEL_SNAP ? -1 : value;
}

/* base = R^T * M of the first frame: upper triangular; most often only a diagonal. */
static bool model_base(const double m[12], double base[9])
{
    double r[9];
    double size = 0;
    if (!model_square(m, r)) {
        return false;
    }
    model_stretch(r, m, base);
    for (int i = 0; i < 9; i++) {
        size = fmax(size, fabs(base[i]));
    }
    for (int i = 0; i < 9; i++) {
        base[i] = model_snap(base[i], size);
    }
    return base[0] != 0 && base[4] != 0 && base[8] != 0;
}

/* R = M * base^-1, the base being upper triangular. Returns false when R is no rotation. */
static bool model_turn(const double m[12], const double base[9], double r[9])
{
    for (int i = 0; i < 3; i++) {
        r[i] = m[i] / base[0];
        r[3 + i] = (m[3 + i] - r[i] * base[3]) / base[4];
        r[6 + i] = (m[6 + i] - r[i] * base[6] - r[3 + i] * base[7]) / base[8];
    }
    for (int a = 0; a < 3; a++) {
        for (int b = a; b < 3; b++) {
            double wanted = a == b ? 1 : 0;
            double off = model_dot(r + 3 * (size_t)a, r + 3 * (size_t)b) - wanted;
            if (!(fabs(off) < MODEL_RIGID_SLACK)) {
                return false;
            }
        }
    }
    double cross[3];
    model_cross(r, r + 3, cross);
    return model_dot(cross, r + 6) > 0;
}

static oban_pose model_pose(const double m[12], const double r[9])
{
    oban_mat34 turn;
    oban_mat34 rigid;
    bool mirrored = false;
    oban_pose pose;
    for (int i = 0; i < 9; i++) {
        turn.m[i] = (float)r[i];
    }
    for (int i = 0; i < 3; i++) {
        turn.m[9 + i] = pose.position[i] = (float)m[9 + i];
    }
    rigid = turn;
    (void)oban_mat34_rigid(&turn, &rigid, &mirrored);
    pose.rotation = oban_quat_from_mat34(&rigid);
    return pose;
}

static bool model_finite(const double m[12])
{
    for (int i = 0; i < 12; i++) {
        if (!(fabs(m[i]) <= 3e38)) {
            return false;
        }
    }
    return true;
}

/* All poses, and the base. Returns false when it was refused. */
static bool model_take_apart(oban_clip_file *file, const model_motion *motion, oban_pose *poses,
                             oban_clip_def *def)
{
    double base[9] = {0};
    oban_file_fault spare;
    for (uint32_t i = 0; i < motion->count; i++) {
        const double *m = motion->matrices + 12 * (size_t)i;
        double r[9];
        const char *why = NULL;
        if (!model_finite(m)) {
            why = "holds a number that is not finite";
        } else if (i == 0 && !model_base(m, base)) {
            why = "has axes that are flat: such a thing has no rotation";
        } else if (!model_turn(m, base, r)) {
            why = "has another scale or shear than frame 0; an animation has one for all frames";
        }
        if (why != NULL) {
            oban_line *line = model_refuse(file, motion, "frame ", &spare);
            oban_line_add_u64(line, i);
            oban_line_add(line, " ");
            oban_line_add(line, why);
            return false;
        }
        poses[i] = model_pose(m, r);
    }
    oban_poses_align(poses, motion->count);
    for (int i = 0; i < 9; i++) {
        def->base.m[i] = (float)base[i];
    }
    return true;
}

static uint32_t model_keys(const oban_pose *poses, uint32_t count, const oban_import *import,
                           oban_key *keys)
{
    uint32_t key_count = 0;
    if (!import->every_frame) {
        oban_poses_reduce(poses, count, &import->tolerance, keys, &key_count);
        return key_count;
    }
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (oban_key){.rotation = poses[i].rotation, .frame = (int32_t)i};
        memcpy(keys[i].position, poses[i].position, sizeof keys[i].position);
    }
    return count;
}

static void model_start(oban_clip_def *def)
{
    oban_mat34 turn = oban_quat_matrix(&def->keys[0].rotation, 2.0f, def->keys[0].position);
    def->start = oban_mat34_multiply(&turn, &def->base);
}

static oban_status model_add_motion(oban_clip_file *file, const model_motion *motion,
                                    const oban_import *import)
{
    size_t pose_bytes = motion->count * sizeof(oban_pose);
    size_t key_bytes = motion->count * sizeof(oban_key);
    oban_pose *poses = oban_alloc_take(&file->alloc, pose_bytes);
    oban_key *keys = oban_alloc_take(&file->alloc, key_bytes);
    oban_status status = poses == NULL || keys == NULL ? OBAN_NO_MEMORY : OBAN_OK;
    oban_clip_def def = {.base = oban_mat34_identity(),
                         .frame_length = 1,
                         .frame_count = (int32_t)motion->count,
                         .keys = keys};
    if (status == OBAN_OK && model_take_apart(file, motion, poses, &def)) {
        def.key_count = model_keys(poses, motion->count, import, keys);
        model_start(&def);
        status = model_add_def(file, motion, &def);
    }
    oban_alloc_give(&file->alloc, poses, pose_bytes);
    oban_alloc_give(&file->alloc, keys, key_bytes);
    return status;
}

oban_status model_add(oban_clip_file *file, const model_motion *motion, const oban_import *import)
{
    bool done = false;
    if (motion->extra != NULL && motion->extra->present) {
        oban_status status = model_add_extra(file, motion, &done);
        if (status != OBAN_OK || done) {
            return status;
        }
    }
    return model_add_motion(file, motion, import);
}
