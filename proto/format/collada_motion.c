/* SPDX-License-Identifier: MIT */
/* Motion out of a Collada document: which curve moves which transform, and where each node is at
 * each sixtieth of a second, in our axes and units. Next: collada_doc.h, model.h. */
#include "proto/format/collada_doc.h"
#include "proto/format/model_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAE_WORK_MAX 200000000u /* frames times nodes times nodes above */

/* One channel that could be resolved. */
typedef struct dae_curve {
    uint32_t first; /* of the transform's values */
    uint32_t parts;
    uint32_t next; /* the transform's next curve plus 1, or 0 */
    const double *times;
    const double *values; /* stride each */
    const double *ways;   /* NULL: all LINEAR */
    const double *tangent_in;
    const double *tangent_out;
    uint32_t count;
    uint32_t stride;
    uint32_t tangent_stride;
    uint32_t at; /* the key in front of the time asked for last */
} dae_curve;

typedef struct dae_name {
    const char *id;
    uint32_t index;
} dae_name;

/* The things of a list by their ids. */
typedef struct dae_index {
    dae_name *names;
    uint32_t count;
} dae_index;

typedef struct dae_motion {
    dae_document *document;
    dae_index sources;
    dae_index samplers;
    dae_index nodes;
    dae_list curves;
    uint64_t work;
} dae_motion;

/* ---- by id ---- */

static int dae_compare(const void *a, const void *b)
{
    const dae_name *x = a;
    const dae_name *y = b;
    int order = strcmp(x->id, y->id);
    return order != 0 ? order : x->index < y->index ? -1 : x->index > y->index;
}

/* Ids stand first in each item. */
static bool dae_index_make(dae_motion *motion, const dae_list *list, dae_index *index)
{
    if (list->count == 0) {
        return true;
    }
    index->names =
        oban_alloc_take(&motion->document->file->alloc, list->count * sizeof *index->names);
    if (index->names == NULL) {
        motion->document->status = OBAN_NO_MEMORY;
        return false;
    }
    index->count = list->count;
    for (uint32_t i = 0; i < list->count; i++) {
        index->names[i] = (dae_name){(const char *)list->items + i * list->item_bytes, i};
    }
    qsort(index->names, index->count, sizeof *index->names, dae_compare);
    return true;
}

static uint32_t dae_find(const dae_index *index, const char *id)
{
    uint32_t low = 0;
    uint32_t high = index->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(index->names[middle].id, id) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = id[0] != '\0' && low < index->count && strcmp(index->names[low].id, id) == 0;
    return found ? index->names[low].index : DAE_NONE;
}

/* ---- channels ---- */

/* "what: id" */
static bool dae_bad_channel(dae_motion *motion, const dae_channel *channel, const char *what)
{
    oban_line *line = dae_refuse(motion->document, channel->line, "the channel of ");
    oban_line_add(line, channel->target.data);
    oban_line_add(line, ": ");
    oban_line_add(line, what);
    return false;
}

static const dae_source *dae_source_of(dae_motion *motion, const dae_text *id)
{
    uint32_t index = dae_find(&motion->sources, id->data);
    return index == DAE_NONE ? NULL : DAE_AT(motion->document->sources, dae_source, index);
}

static const double *dae_values(dae_motion *motion, const dae_source *source)
{
    return source->count == 0 ? NULL : DAE_AT(motion->document->values, double, source->first);
}

/* The parts of "node/sid", "node/sid.X", "node/sid(1)", "node/sid(1)(2)". */
typedef struct dae_target {
    dae_text node;
    dae_text sid;
    char member[16];
    int index[2]; /* -1: none */
} dae_target;

static void dae_take_target(const char *text, dae_target *target)
{
    const char *slash = strchr(text, '/');
    const char *last = strrchr(text, '/');
    memset(target, 0, sizeof *target);
    target->index[0] = target->index[1] = -1;
    if (slash == NULL) {
        return;
    }
    memcpy(target->node.data, text, (size_t)(slash - text));
    size_t bytes = strcspn(last + 1, ".(");
    memcpy(target->sid.data, last + 1, bytes);
    const char *rest = last + 1 + bytes;
    if (rest[0] == '.') {
        size_t member = strnlen(rest + 1, sizeof target->member - 1);
        memcpy(target->member, rest + 1, member);
    }
    for (int i = 0; i < 2 && rest[0] == '('; i++) {
        target->index[i] = (int)strtol(rest + 1, NULL, 10);
        rest = strchr(rest, ')');
        rest = rest == NULL ? "" : rest + 1;
    }
}

/* Which values of a transform a target means. */
static bool dae_place(const dae_target *target, const dae_transform *transform, dae_curve *curve)
{
    static const uint32_t parts[] = {3, 4, 3, 16, 9};
    static const char *const members[] = {"X", "Y", "Z", "ANGLE"};
    uint32_t all = parts[transform->kind];
    curve->first = 0;
    curve->parts = all;
    if (target->index[1] >= 0) { /* column, row */
        curve->first = (uint32_t)(4 * target->index[1] + target->index[0]);
        curve->parts = 1;
        return transform->kind == DAE_MATRIX && target->index[0] < 4 && target->index[1] < 4;
    }
    if (target->index[0] >= 0) {
        curve->first = (uint32_t)target->index[0];
        curve->parts = 1;
        return curve->first < all;
    }
    if (target->member[0] == '\0') {
        return true;
    }
    curve->parts = 1;
    for (uint32_t i = 0; i < 4; i++) {
        if (strcmp(target->member, members[i]) == 0) {
            curve->first = i;
            return i < all && (transform->kind == DAE_ROTATE || i < 3) &&
                   transform->kind != DAE_MATRIX;
        }
    }
    return false;
}

static bool dae_tangents(dae_motion *motion, const dae_sampler *sampler, dae_curve *curve)
{
    const dae_source *in = dae_source_of(motion, &sampler->tangent_in);
    const dae_source *out = dae_source_of(motion, &sampler->tangent_out);
    bool needed = false;
    for (uint32_t i = 0; i < curve->count && curve->ways != NULL; i++) {
        needed |= curve->ways[i] >= DAE_BEZIER;
    }
    if (!needed) {
        return true;
    }
    if (in == NULL || out == NULL || in->stride != out->stride ||
        in->count / in->stride < curve->count || out->count / out->stride < curve->count ||
        (in->stride != curve->stride && in->stride != curve->stride + 1 &&
         in->stride != 2 * curve->stride)) {
        return false;
    }
    curve->tangent_in = dae_values(motion, in);
    curve->tangent_out = dae_values(motion, out);
    curve->tangent_stride = in->stride;
    return true;
}

/* The numbers of a channel. Returns what is wrong, or NULL. */
static const char *dae_take_curve(dae_motion *motion, const dae_sampler *sampler, dae_curve *curve)
{
    const dae_source *input = dae_source_of(motion, &sampler->input);
    const dae_source *output = dae_source_of(motion, &sampler->output);
    const dae_source *way = dae_source_of(motion, &sampler->way);
    if (input == NULL || output == NULL || input->count == 0) {
        return "its sampler has no INPUT or no OUTPUT";
    }
    if (output->stride < curve->parts || input->stride != 1) {
        return "its OUTPUT has fewer numbers a key than what it moves";
    }
    curve->count = input->count;
    curve->stride = output->stride;
    curve->times = dae_values(motion, input);
    curve->values = dae_values(motion, output);
    if (output->count / output->stride < curve->count) {
        return "its OUTPUT has fewer keys than its INPUT";
    }
    if (way != NULL && way->count < curve->count) {
        return "its INTERPOLATION has fewer keys than its INPUT";
    }
    curve->ways = way == NULL ? NULL : dae_values(motion, way);
    if (!dae_tangents(motion, sampler, curve)) {
        return "its BEZIER or HERMITE keys have no tangents that fit";
    }
    for (uint32_t i = 0; i < curve->count; i++) {
        if (curve->times[i] < 0 || (i > 0 && curve->times[i] < curve->times[i - 1])) {
            return "its times must not be negative and must rise";
        }
    }
    return NULL;
}

static bool dae_channel_resolve(dae_motion *motion, const dae_channel *channel)
{
    dae_document *document = motion->document;
    dae_target target;
    uint32_t sampler = dae_find(&motion->samplers, channel->sampler.data);
    dae_take_target(channel->target.data, &target);
    uint32_t index = dae_find(&motion->nodes, target.node.data);
    if (index == DAE_NONE) {
        return true; /* a light, a material, ... */
    }
    dae_node *node = DAE_AT(document->nodes, dae_node, index);
    if (sampler == DAE_NONE) {
        return dae_bad_channel(motion, channel, "it has no sampler");
    }
    for (uint32_t i = 0; i < node->count; i++) {
        dae_transform *transform = DAE_AT(document->transforms, dae_transform, node->first + i);
        if (strcmp(transform->sid.data, target.sid.data) != 0) {
            continue;
        }
        dae_curve *curve = dae_push(document, &motion->curves);
        if (curve == NULL) {
            return false;
        }
        const char *why =
            !dae_place(&target, transform, curve)
                ? "it means no number of its transform"
                : dae_take_curve(motion, DAE_AT(document->samplers, dae_sampler, sampler), curve);
        if (why != NULL) {
            return dae_bad_channel(motion, channel, why);
        }
        curve->next = transform->curves;
        transform->curves = motion->curves.count;
        node->moves = true;
        return true;
    }
    return true; /* visibility and the like */
}

static bool dae_channels_resolve(dae_motion *motion)
{
    double last = 0;
    const dae_list *channels = &motion->document->channels;
    for (uint32_t i = 0; i < channels->count; i++) {
        if (!dae_channel_resolve(motion, DAE_AT(*channels, dae_channel, i))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < motion->curves.count; i++) {
        const dae_curve *curve = DAE_AT(motion->curves, dae_curve, i);
        last = fmax(last, curve->times[curve->count - 1]);
    }
    if (!(floor(last * OBAN_MODEL_FPS + 0.5) < OBAN_MODEL_FRAMES_MAX)) {
        (void)dae_refuse(motion->document, 0,
                         "its animations are longer than 65,535 frames (1,092 seconds)");
        return false;
    }
    return true;
}

/* How long a node moves: to the last key of its own curves and of those above it. */
static uint32_t dae_frames_of(dae_motion *motion, const dae_node *node)
{
    const dae_document *document = motion->document;
    double last = 0;
    for (;;) {
        for (uint32_t i = 0; i < node->count; i++) {
            const dae_transform *transform =
                DAE_AT(document->transforms, dae_transform, node->first + i);
            for (uint32_t c = transform->curves; c != 0 && motion->work < DAE_WORK_MAX;) {
                const dae_curve *curve = DAE_AT(motion->curves, dae_curve, c - 1);
                motion->work++;
                last = fmax(last, curve->times[curve->count - 1]);
                c = curve->next;
            }
        }
        if (node->parent == DAE_NONE) {
            return (uint32_t)floor(last * OBAN_MODEL_FPS + 0.5) + 1;
        }
        node = DAE_AT(document->nodes, dae_node, node->parent);
    }
}

/* ---- curves ---- */

static uint32_t dae_seek(dae_curve *curve, double time)
{
    if (curve->at > 0 && curve->times[curve->at] > time) {
        curve->at = 0;
    }
    while (curve->at + 1 < curve->count && curve->times[curve->at + 1] <= time) {
        curve->at++;
    }
    return curve->at;
}

static double dae_bezier(const double p[4], double s)
{
    double r = 1 - s;
    return r * r * r * p[0] + 3 * r * r * s * p[1] + 3 * r * s * s * p[2] + s * s * s * p[3];
}

/* Where on the curve the time is: times rise along it, so halving finds it. */
static double dae_bezier_find(const double p[4], double time)
{
    double low = 0;
    double high = 1;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (dae_bezier(p, middle) < time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

/* A tangent of a key, of one part: its time (or NAN when it says none) and value. */
static void dae_tangent(const dae_curve *curve, const double *tangents, uint32_t key, uint32_t part,
                        double *time, double *value)
{
    const double *at = tangents + (size_t)key * curve->tangent_stride;
    *time = (double)NAN;
    if (curve->tangent_stride == 2 * curve->stride) {
        *time = at[2 * part];
        *value = at[2 * part + 1];
    } else if (curve->tangent_stride == curve->stride + 1) {
        *time = at[0];
        *value = at[1 + part];
    } else {
        *value = at[part];
    }
}

/* Between two keys, by four points in time and value. */
static double dae_cubic(const dae_curve *curve, uint32_t key, uint32_t part, double time,
                        bool hermite)
{
    double t0 = curve->times[key];
    double t3 = curve->times[key + 1];
    double x[4] = {t0, 0, 0, t3};
    double y[4] = {curve->values[(size_t)key * curve->stride + part], 0, 0,
                   curve->values[(size_t)(key + 1) * curve->stride + part]};
    dae_tangent(curve, curve->tangent_out, key, part, &x[1], &y[1]);
    dae_tangent(curve, curve->tangent_in, key + 1, part, &x[2], &y[2]);
    if (hermite) { /* vectors, not points */
        x[1] = t0 + x[1] / 3;
        x[2] = t3 - x[2] / 3;
        y[1] = y[0] + y[1] / 3;
        y[2] = y[3] - y[2] / 3;
    }
    x[1] = isnan(x[1]) ? t0 + (t3 - t0) / 3 : fmin(fmax(x[1], t0), t3);
    x[2] = isnan(x[2]) ? t3 - (t3 - t0) / 3 : fmin(fmax(x[2], t0), t3);
    return dae_bezier(y, dae_bezier_find(x, time));
}

/* 4x4 by rows as 3x4 by columns. */
static void dae_matrix_in(const double rows[16], double m[12])
{
    for (int i = 0; i < 12; i++) {
        m[i] = rows[i % 3 * 4 + i / 3];
    }
}

static void dae_matrix_out(const double m[12], double rows[16])
{
    for (int i = 0; i < 12; i++) {
        rows[i % 3 * 4 + i / 3] = m[i];
    }
}

/* Between two matrices: rotation on its arc, the rest straight. Numbers each by itself would make
 * something that is no rotation. */
static void dae_between(const double *a, const double *b, double t, double *out)
{
    double m[2][12];
    double r[2][9];
    double q[3][4];
    double stretch[2][9];
    double made[12];
    dae_matrix_in(a, m[0]);
    dae_matrix_in(b, m[1]);
    if (!model_square(m[0], r[0]) || !model_square(m[1], r[1])) {
        memcpy(out, a, 16 * sizeof *out);
        return;
    }
    for (int i = 0; i < 2; i++) {
        model_stretch(r[i], m[i], stretch[i]);
        model_quat(r[i], q[i]);
    }
    model_slerp(q[0], q[1], t, q[2]);
    double turn[12] = {0};
    model_axes(q[2], turn);
    for (int i = 0; i < 9; i++) {
        made[i] = (1 - t) * stretch[0][i] + t * stretch[1][i];
    }
    made[9] = made[10] = made[11] = 0;
    model_multiply(turn, made, made);
    for (int i = 9; i < 12; i++) {
        made[i] = (1 - t) * m[0][i] + t * m[1][i];
    }
    dae_matrix_out(made, out);
}

static void dae_curve_at(dae_curve *curve, double time, double *values)
{
    uint32_t key = dae_seek(curve, time);
    const double *a = curve->values + (size_t)key * curve->stride;
    bool ends = key + 1 >= curve->count || time <= curve->times[key];
    int way = curve->ways == NULL ? DAE_LINEAR : (int)curve->ways[key];
    if (ends || way == DAE_STEP) {
        memcpy(values, a, curve->parts * sizeof *values);
        return;
    }
    const double *b = a + curve->stride;
    double t = (time - curve->times[key]) / (curve->times[key + 1] - curve->times[key]);
    if (way == DAE_LINEAR && curve->parts == 16) {
        dae_between(a, b, t, values);
        return;
    }
    for (uint32_t i = 0; i < curve->parts; i++) {
        values[i] = way == DAE_LINEAR ? (1 - t) * a[i] + t * b[i]
                                      : dae_cubic(curve, key, i, time, way == DAE_HERMITE);
    }
}

/* ---- nodes ---- */

static void dae_lookat(const double v[9], double m[12])
{
    double back[3] = {v[0] - v[3], v[1] - v[4], v[2] - v[5]};
    double up[3] = {v[6], v[7], v[8]};
    double right[3];
    if (!model_unit(back)) {
        return;
    }
    model_cross(up, back, right);
    if (!model_unit(right)) {
        return;
    }
    model_cross(back, right, up);
    memcpy(m, right, sizeof right);
    memcpy(m + 3, up, sizeof up);
    memcpy(m + 6, back, sizeof back);
    memcpy(m + 9, v, 3 * sizeof *v);
}

static void dae_transform_matrix(const dae_transform *transform, const double *v, double m[12])
{
    static const double identity[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    memcpy(m, identity, sizeof identity);
    switch (transform->kind) {
    case DAE_TRANSLATE:
        memcpy(m + 9, v, 3 * sizeof *v);
        break;
    case DAE_ROTATE: {
        double axis[3] = {v[0], v[1], v[2]};
        double half = v[3] * 3.14159265358979323846 / 360;
        if (model_unit(axis)) {
            const double q[4] = {axis[0] * sin(half), axis[1] * sin(half), axis[2] * sin(half),
                                 cos(half)};
            model_axes(q, m);
        }
        break;
    }
    case DAE_SCALE:
        m[0] = v[0];
        m[4] = v[1];
        m[8] = v[2];
        break;
    case DAE_MATRIX:
        dae_matrix_in(v, m);
        break;
    case DAE_LOOKAT:
        dae_lookat(v, m);
        break;
    }
}

static void dae_node_matrix(dae_motion *motion, const dae_node *node, double time, double m[12])
{
    dae_transform_matrix(&(dae_transform){.kind = DAE_TRANSLATE}, (const double[3]){0}, m);
    for (uint32_t i = 0; i < node->count; i++) {
        const dae_transform *transform =
            DAE_AT(motion->document->transforms, dae_transform, node->first + i);
        double values[16];
        double one[12];
        memcpy(values, transform->values, sizeof values);
        for (uint32_t c = transform->curves; c != 0;) {
            dae_curve *curve = DAE_AT(motion->curves, dae_curve, c - 1);
            dae_curve_at(curve, time, values + curve->first);
            c = curve->next;
            motion->work++;
        }
        dae_transform_matrix(transform, values, one);
        model_multiply(m, one, m);
        motion->work++;
    }
}

/* Axes of the file as ours: proper turns, no mirror. */
static void dae_turn_axis(dae_axis axis, const double v[3], double out[3])
{
    double made[3] = {v[0], v[1], v[2]};
    if (axis == DAE_Z_UP) {
        made[1] = v[2];
        made[2] = -v[1];
    } else if (axis == DAE_X_UP) {
        made[0] = -v[1];
        made[1] = v[0];
    }
    memcpy(out, made, sizeof made);
}

/* The other way round, applied first: the thing's own axes, which are turned too, but for cameras:
 * these look along their -z in every file. */
static void dae_turn_first(dae_axis axis, double m[12])
{
    double x[3];
    double y[3];
    double z[3];
    memcpy(x, m, sizeof x);
    memcpy(y, m + 3, sizeof y);
    memcpy(z, m + 6, sizeof z);
    for (int i = 0; i < 3; i++) {
        if (axis == DAE_Z_UP) { /* ours x, y, z are the file's x, z, -y */
            m[3 + i] = z[i];
            m[6 + i] = -y[i];
        } else if (axis == DAE_X_UP) { /* the file's -y, x, z */
            m[i] = -y[i];
            m[3 + i] = x[i];
        }
    }
}

static void dae_world(dae_motion *motion, const dae_node *node, double time, double m[12])
{
    const dae_document *document = motion->document;
    dae_node_matrix(motion, node, time, m);
    for (uint32_t up = node->parent; up != DAE_NONE;) {
        const dae_node *parent = DAE_AT(document->nodes, dae_node, up);
        double above[12];
        dae_node_matrix(motion, parent, time, above);
        model_multiply(above, m, m);
        up = parent->parent;
        motion->work++;
    }
    for (int column = 0; column < 4; column++) {
        dae_turn_axis(document->axis, m + 3 * (long)column, m + 3 * (long)column);
    }
    if (!node->camera) {
        dae_turn_first(document->axis, m);
    }
    for (int i = 9; i < 12; i++) {
        m[i] *= document->units;
    }
}

/* ---- clips ---- */

/* The clip that was written along. Returns false when memory is out. */
static bool dae_extra_of(dae_motion *motion, const dae_node *node, model_extra *extra)
{
    dae_document *document = motion->document;
    uint32_t count = node->extra_key_numbers / 8;
    memset(extra, 0, sizeof *extra);
    if (!node->has_extra || node->extra_start == DAE_NONE || node->extra_base == DAE_NONE ||
        node->extra_keys == DAE_NONE || count == 0 || count > OBAN_CLIP_KEYS_MAX) {
        return true;
    }
    extra->key_bytes = count * sizeof *extra->keys;
    extra->keys = oban_alloc_take(&document->file->alloc, extra->key_bytes);
    if (extra->keys == NULL) {
        document->status = OBAN_NO_MEMORY;
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double *row = DAE_AT(document->values, double, node->extra_keys + 8 * i);
        extra->keys[i] = (oban_key){
            .rotation = {(float)row[1], (float)row[2], (float)row[3], (float)row[4]},
            .position = {(float)row[5], (float)row[6], (float)row[7]},
            .frame = fabs(row[0]) < 2e9 ? (int32_t)row[0] : 0,
        };
    }
    extra->def = (oban_clip_def){.flags = (uint32_t)(uint64_t)node->extra_numbers[0],
                                 .keys = extra->keys,
                                 .key_count = count};
    int32_t *const numbers[3] = {&extra->def.frame_length, &extra->def.frame_count,
                                 &extra->def.half_stop};
    for (int i = 0; i < 3; i++) {
        int64_t number = node->extra_numbers[1 + i];
        *numbers[i] = number < -65536 || number > 65536 ? 0 : (int32_t)number;
    }
    for (uint32_t i = 0; i < 12; i++) {
        extra->def.start.m[i] = (float)*DAE_AT(document->values, double, node->extra_start + i);
        extra->def.base.m[i] = (float)*DAE_AT(document->values, double, node->extra_base + i);
    }
    extra->rigid = node->extra_rigid;
    extra->present = true;
    return true;
}

static oban_text dae_name_of(const dae_document *document, const dae_node *node)
{
    const char *name = node->name.data[0] != '\0' ? node->name.data : node->id.data;
    oban_text text = clip_add_strip(oban_text_of(name));
    return text.bytes > 0 ? text : (oban_text){document->file_name.data, document->file_name.bytes};
}

static void dae_clip(dae_motion *motion, const dae_node *node)
{
    dae_document *document = motion->document;
    uint32_t frames = dae_frames_of(motion, node);
    size_t bytes = (size_t)frames * 12 * sizeof(double);
    double *matrices = oban_alloc_take(&document->file->alloc, bytes);
    model_extra extra;
    if (matrices == NULL) {
        document->status = OBAN_NO_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < frames && motion->work < DAE_WORK_MAX; i++) {
        dae_world(motion, node, (double)i / OBAN_MODEL_FPS, matrices + 12 * (size_t)i);
    }
    if (motion->work >= DAE_WORK_MAX) {
        (void)dae_refuse(document, node->line,
                         "its animations are too much work: too many frames, nodes and curves");
    } else if (dae_extra_of(motion, node, &extra)) {
        const model_motion made = {.name = dae_name_of(document, node),
                                   .matrices = matrices,
                                   .count = frames,
                                   .line = node->line,
                                   .extra = &extra};
        document->status = model_add(document->file, &made, document->import);
        oban_alloc_give(&document->file->alloc, extra.keys, extra.key_bytes);
    }
    oban_alloc_give(&document->file->alloc, matrices, bytes);
}

static void dae_index_free(dae_motion *motion, dae_index *index)
{
    oban_alloc_give(&motion->document->file->alloc, index->names,
                    index->count * sizeof *index->names);
}

void dae_make_clips(dae_document *document)
{
    dae_motion motion = {.document = document, .curves = {.item_bytes = sizeof(dae_curve)}};
    oban_file_fault spare;
    bool any = false;
    bool good = dae_index_make(&motion, &document->sources, &motion.sources) &&
                dae_index_make(&motion, &document->samplers, &motion.samplers) &&
                dae_index_make(&motion, &document->nodes, &motion.nodes) &&
                dae_channels_resolve(&motion);
    for (uint32_t i = 0; i < document->nodes.count && good && document->status == OBAN_OK; i++) {
        const dae_node *node = DAE_AT(document->nodes, dae_node, i);
        if (node->moves) {
            any = true;
            dae_clip(&motion, node);
        }
    }
    if (good && !any) {
        (void)clip_add_fault(document->file, OBAN_SEVERITY_WARNING, (oban_text){NULL, 0},
                             "the file holds no animation of a node", &spare);
    }
    dae_index_free(&motion, &motion.sources);
    dae_index_free(&motion, &motion.samplers);
    dae_index_free(&motion, &motion.nodes);
    oban_alloc_give(&document->file->alloc, motion.curves.items,
                    motion.curves.capacity * motion.curves.item_bytes);
}
