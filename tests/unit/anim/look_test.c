/* SPDX-License-Identifier: MIT */
/* Views: what the camera's matrix must be; ways: through all points, at even speed.
 * Next: edit_test.c. */
#include "core/anim/look.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void *resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, bytes);
}

static const oban_alloc memory = {resize, NULL};

static void assert_close(float is, float wanted)
{
    if (!(fabsf(is - wanted) < 2e-6f)) {
        print_error("%g, not %g\n", (double)is, (double)wanted);
        fail();
    }
}

/* The camera looks along its -z and its x lies level. */
static void test_views(void **state)
{
    static const oban_view views[] = {
        {{0, 0, 0}, {0, 0, -5}, {0, 1, 0}},       {{1, 2, 3}, {9, 2, 3}, {0, 1, 0}},
        {{-60, 40, 20}, {0, 10, 0}, {0, 1, 0}},   {{0, 9, 0}, {0, 0, 0}, {0, 0, -1}},
        {{1e6f, 1, 1}, {-1e6f, 5, 3}, {0, 3, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        oban_key key;
        const oban_view *v = &views[i];
        assert_int_equal(oban_view_key(v, 7, &key), OBAN_VIEW_GOOD);
        assert_int_equal(key.frame, 7);
        oban_mat34 m = oban_quat_matrix(&key.rotation, 2, key.position);
        double d[3];
        double length = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = (double)v->target[k] - (double)v->eye[k];
            length += d[k] * d[k];
        }
        length = sqrt(length);
        for (int k = 0; k < 3; k++) {
            assert_close(m.m[6 + k], (float)(-d[k] / length));
            assert_close(m.m[9 + k], v->eye[k]);
        }
        /* x is square to up. */
        double across = 0;
        for (int k = 0; k < 3; k++) {
            across += (double)m.m[k] * (double)v->up[k];
        }
        assert_true(fabs(across) < 1e-5);
    }
}

static void test_bad_views(void **state)
{
    static const struct {
        oban_view view;
        oban_view_fault fault;
    } rows[] = {
        {{{1, 2, 3}, {1, 2, 3}, {0, 1, 0}}, OBAN_VIEW_NOWHERE},
        {{{0, 0, 0}, {0, 5, 0}, {0, 1, 0}}, OBAN_VIEW_NO_UP},
        {{{0, 0, 0}, {0, 0, 5}, {0, 0, 0}}, OBAN_VIEW_NO_UP},
        {{{NAN, 0, 0}, {0, 0, 5}, {0, 1, 0}}, OBAN_VIEW_NOT_FINITE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        oban_key key;
        assert_int_equal(oban_view_key(&rows[i].view, 0, &key), rows[i].fault);
    }
}

static double distance(const float a[3], const float b[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    return sqrt(sum);
}

static void points_of(const oban_way *way, uint32_t frames, float (*out)[3])
{
    double *at = calloc(frames, sizeof *at);
    double length = 0;
    assert_non_null(at);
    assert_int_equal(oban_way_even(&memory, way, frames, at, &length), OBAN_OK);
    for (uint32_t i = 0; i < frames; i++) {
        oban_way_at(way, at[i], out[i]);
    }
    free(at);
}

static void test_ways(void **state)
{
    static const float points[4][3] = {{0, 0, 0}, {100, 0, 0}, {100, 50, 0}, {100, 50, 200}};
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        float out[351][3];
        const oban_way way = {points, 4, smooth != 0};
        points_of(&way, 351, out);
        assert_true(distance(out[0], points[0]) < 1e-4);
        assert_true(distance(out[350], points[3]) < 1e-4);
        double nearest = 1e9;
        double step = distance(out[1], out[0]);
        for (int i = 1; i < 351; i++) {
            double near_corner = distance(out[i], points[1]);
            nearest = near_corner < nearest ? near_corner : nearest;
            /* Over a corner the straight line is shorter than the way. */
            assert_true(distance(out[i], out[i - 1]) <= step * 1.02);
        }
        assert_true(nearest < 1);
        if (smooth == 0) {
            assert_true(distance(out[100], points[1]) < 1e-3);
        }
    }
}

static void test_still(void **state)
{
    static const float points[2][3] = {{5, 6, 7}, {5, 6, 7}};
    (void)state;
    for (uint32_t count = 1; count <= 2; count++) {
        float out[3][3];
        const oban_way way = {points, count, true};
        points_of(&way, 3, out);
        for (int i = 0; i < 3; i++) {
            assert_true(distance(out[i], points[0]) < 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_bad_views),
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
