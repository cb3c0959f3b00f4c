/* SPDX-License-Identifier: MIT */
/* Views and ways. Next: look.h. */
#include "core/anim/look.h"

#include <math.h>
#include <string.h>

/* ---- views ---- */

static bool look_finite(const float v[3])
{
    return v[0] - v[0] == 0.0f && v[1] - v[1] == 0.0f && v[2] - v[2] == 0.0f;
}

/* Length 1; false when there is none. By the greatest part first, so that no square leaves float32.
 */
static bool look_unit(double v[3])
{
    double most = 0;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double size = v[i] < 0 ? -v[i] : v[i];
        most = size > most ? size : most;
    }
    if (!(most > 1e-30)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        v[i] = v[i] / most;
        sum += v[i] * v[i];
    }
    double root = (double)sqrtf((float)sum);
    root = (root + sum / root) / 2;
    root = (root + sum / root) / 2;
    for (int i = 0; i < 3; i++) {
        v[i] = v[i] / root;
    }
    return true;
}

static void look_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

oban_view_fault oban_view_key(const oban_view *view, int32_t frame, oban_key *out)
{
    double back[3];
    double up[3];
    double right[3];
    if (!look_finite(view->eye) || !look_finite(view->target) || !look_finite(view->up)) {
        return OBAN_VIEW_NOT_FINITE;
    }
    for (int i = 0; i < 3; i++) {
        back[i] = (double)view->eye[i] - (double)view->target[i];
        up[i] = (double)view->up[i];
    }
    if (!look_unit(back)) {
        return OBAN_VIEW_NOWHERE;
    }
    if (!look_unit(up)) {
        return OBAN_VIEW_NO_UP;
    }
    look_cross(up, back, right);
    double across = right[0] * right[0] + right[1] * right[1] + right[2] * right[2];
    if (!(across > 1e-12) || !look_unit(right)) {
        return OBAN_VIEW_NO_UP;
    }
    look_cross(back, right, up);
    oban_mat34 matrix = oban_mat34_identity();
    for (int i = 0; i < 3; i++) {
        matrix.m[i] = (float)right[i];
        matrix.m[3 + i] = (float)up[i];
        matrix.m[6 + i] = (float)back[i];
    }
    out->rotation = oban_quat_from_mat34(&matrix);
    memcpy(out->position, view->eye, sizeof out->position);
    out->frame = frame;
    return OBAN_VIEW_GOOD;
}

/* ---- ways ---- */

static double look_root(double value)
{
    if (!(value > 0)) {
        return 0;
    }
    double root = (double)sqrtf((float)value);
    if (!(root > 0)) {
        return 0;
    }
    return (root + value / root) / 2;
}

static double look_distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0];
    double y = a[1] - b[1];
    double z = a[2] - b[2];
    return look_root(x * x + y * y + z * z);
}

static void look_point(const oban_way *way, int64_t index, double out[3])
{
    /* Beyond the ends the way goes on as it came. */
    int64_t last = (int64_t)way->count - 1;
    int64_t inside = index < 0 ? 0 : index > last ? last : index;
    int64_t other = index < 0 ? 1 : index > last ? last - 1 : inside;
    for (int i = 0; i < 3; i++) {
        double at = (double)way->points[inside][i];
        out[i] = inside == index || last == 0 ? at : 2 * at - (double)way->points[other][i];
    }
}

static void look_mix(const double a[3], const double b[3], double ta, double tb, double t,
                     double out[3])
{
    double part = tb > ta ? (t - ta) / (tb - ta) : 0;
    for (int i = 0; i < 3; i++) {
        out[i] = (1 - part) * a[i] + part * b[i];
    }
}

/* Within the span that begins at a point, by 0 to 1. Source: Barry and Goldman's form, with the
 * square root of the distance as the knots' step, which makes no loops. */
static void look_curve(const oban_way *way, uint32_t span, double t, double out[3])
{
    double p[4][3];
    double knots[4] = {0};
    double a[3][3];
    double b[2][3];
    for (int i = 0; i < 4; i++) {
        look_point(way, (int64_t)span - 1 + i, p[i]);
        if (i > 0) {
            double step = look_root(look_distance(p[i], p[i - 1]));
            knots[i] = knots[i - 1] + (step > 1e-9 ? step : 1e-9);
        }
    }
    double at = knots[1] + t * (knots[2] - knots[1]);
    for (int i = 0; i < 3; i++) {
        look_mix(p[i], p[i + 1], knots[i], knots[i + 1], at, a[i]);
    }
    for (int i = 0; i < 2; i++) {
        look_mix(a[i], a[i + 1], knots[i], knots[i + 2], at, b[i]);
    }
    look_mix(b[0], b[1], knots[1], knots[2], at, out);
}

static void look_at(const oban_way *way, double at, double out[3])
{
    uint32_t spans = way->count - 1;
    double a[3];
    double b[3];
    if (spans == 0 || !(at > 0)) {
        look_point(way, 0, out);
        return;
    }
    uint32_t span = at < (double)spans ? (uint32_t)at : spans - 1;
    double part = at - (double)span < 1 ? at - (double)span : 1;
    if (way->smooth) {
        look_curve(way, span, part, out);
        return;
    }
    look_point(way, span, a);
    look_point(way, (int64_t)span + 1, b);
    look_mix(a, b, 0, 1, part, out);
}

void oban_way_at(const oban_way *way, double at, float out[3])
{
    double point[3];
    look_at(way, at, point);
    for (int i = 0; i < 3; i++) {
        out[i] = (float)point[i];
    }
}

enum { LOOK_STEPS = 64 }; /* of a span, to measure it */

/* The length of the way up to each step; the last is the whole. */
static void look_measure(const oban_way *way, uint32_t steps, double *lengths)
{
    double point[3];
    double before[3];
    look_point(way, 0, point);
    lengths[0] = 0;
    for (uint32_t i = 1; i <= steps; i++) {
        memcpy(before, point, sizeof before);
        look_at(way, (double)i / LOOK_STEPS, point);
        lengths[i] = lengths[i - 1] + look_distance(point, before);
    }
}

oban_status oban_way_even(const oban_alloc *alloc, const oban_way *way, uint32_t frames, double *at,
                          double *length)
{
    uint32_t steps = (way->count - 1) * LOOK_STEPS;
    double *lengths = oban_alloc_take(alloc, (steps + 1u) * sizeof *lengths);
    if (lengths == NULL) {
        return OBAN_NO_MEMORY;
    }
    look_measure(way, steps, lengths);
    *length = lengths[steps];
    uint32_t step = 0;
    for (uint32_t i = 0; i < frames; i++) {
        double part = frames > 1 ? (double)i / (double)(frames - 1) : 0;
        double wanted = *length * part;
        if (!(*length > 0)) {
            at[i] = part * (double)(way->count - 1);
            continue;
        }
        while (step + 1 < steps && lengths[step + 1] < wanted) {
            step++;
        }
        double rest = lengths[step + 1] - lengths[step];
        double within = rest > 0 ? (wanted - lengths[step]) / rest : 0;
        within = within < 0 ? 0 : within > 1 ? 1 : within;
        at[i] = ((double)step + within) / LOOK_STEPS;
    }
    oban_alloc_give(alloc, lengths, (steps + 1u) * sizeof *lengths);
    return OBAN_OK;
}
