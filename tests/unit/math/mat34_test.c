/* SPDX-License-Identifier: MIT */
/* Tests of core/math/mat34.c against double precision and by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "core/math/mat34.h"

static uint64_t random_state = 88172645463325252u;

static float random_float(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (float)(random_state >> 40) / 8388608.0f - 1.0f;
}

static oban_mat34 random_matrix(void)
{
    oban_mat34 m;
    for (int i = 0; i < 12; i++) {
        m.m[i] = random_float();
    }
    return m;
}

/* A number of a matrix in double precision. */
static double at(const oban_mat34 *m, int i)
{
    return (double)m->m[i];
}

/* The point that a matrix makes of p. */
static void move_point(const oban_mat34 *m, const double p[3], double out[3])
{
    for (int row = 0; row < 3; row++) {
        out[row] =
            at(m, 9 + row) + p[0] * at(m, row) + p[1] * at(m, 3 + row) + p[2] * at(m, 6 + row);
    }
}

static void multiply_agrees_with_points(void **state)
{
    (void)state;
    for (int round = 0; round < 1000; round++) {
        oban_mat34 a = random_matrix();
        oban_mat34 b = random_matrix();
        oban_mat34 ab = oban_mat34_multiply(&a, &b);
        const double p[3] = {0.25, -0.5, 0.75};
        double q[3];
        double want[3];
        double got[3];
        move_point(&b, p, q);
        move_point(&a, q, want);
        move_point(&ab, p, got);
        for (int row = 0; row < 3; row++) {
            assert_true(fabs(got[row] - want[row]) < 1e-6);
        }
    }
}

static void identity_changes_no_bit(void **state)
{
    (void)state;
    oban_mat34 one = oban_mat34_identity();
    for (int round = 0; round < 100; round++) {
        oban_mat34 a = random_matrix();
        oban_mat34 left = oban_mat34_multiply(&one, &a);
        oban_mat34 right = oban_mat34_multiply(&a, &one);
        assert_true(oban_mat34_same(&left, &a));
        assert_true(oban_mat34_same(&right, &a));
    }
}

static void quarter_turn_takes_z_up_to_y_up(void **state)
{
    (void)state;
    const oban_mat34 in = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    const oban_mat34 want = {{1, 3, -2, 4, 6, -5, 7, 9, -8, 10, 12, -11}};
    oban_mat34 out = oban_mat34_quarter_turn(&in);
    assert_true(oban_mat34_same(&out, &want));
}

static double column_dot(const oban_mat34 *m, int a, const oban_mat34 *n, int b)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += at(m, 3 * a + i) * at(n, 3 * b + i);
    }
    return sum;
}

static double determinant(const oban_mat34 *m)
{
    return at(m, 0) * (at(m, 4) * at(m, 8) - at(m, 5) * at(m, 7)) -
           at(m, 3) * (at(m, 1) * at(m, 8) - at(m, 2) * at(m, 7)) +
           at(m, 6) * (at(m, 1) * at(m, 5) - at(m, 2) * at(m, 4));
}

static void assert_rigid(const oban_mat34 *a, const oban_mat34 *rigid, bool mirrored)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            assert_true(fabs(column_dot(rigid, i, rigid, j) - (i == j)) < 1e-6);
        }
        assert_true(memcmp(&rigid->m[9 + i], &a->m[9 + i], sizeof(float)) == 0);
    }
    assert_true(fabs(determinant(rigid) - 1) < 1e-6);
    /* column 2 looks the same way, column 1 to the same side of it */
    assert_true(fabs(column_dot(a, 2, rigid, 2) - sqrt(column_dot(a, 2, a, 2))) < 1e-6);
    assert_true(column_dot(a, 1, rigid, 1) > 0);
    assert_true(fabs(column_dot(a, 1, rigid, 0)) < 1e-6);
    assert_true(mirrored == (determinant(a) < 0));
}

static void rigid_takes_scale_and_mirroring_out(void **state)
{
    (void)state;
    int both[2] = {0, 0};
    for (int round = 0; round < 1000; round++) {
        oban_mat34 a = random_matrix();
        oban_mat34 out;
        bool mirrored;
        if (fabs(determinant(&a)) < 0.01) {
            continue;
        }
        assert_true(oban_mat34_rigid(&a, &out, &mirrored));
        assert_rigid(&a, &out, mirrored);
        both[mirrored ? 1 : 0] += 1;
    }
    assert_true(both[0] > 100 && both[1] > 100);
}

static void rigid_keeps_what_is_rigid(void **state)
{
    (void)state;
    oban_mat34 out;
    bool mirrored = true;
    oban_mat34 one = oban_mat34_identity();
    oban_mat34 turned = {{0, 0, 1, 1, 0, 0, 0, 1, 0, 5, 6, 7}};
    assert_true(oban_mat34_rigid(&one, &out, &mirrored));
    assert_true(oban_mat34_same(&out, &one));
    assert_false(mirrored);
    assert_true(oban_mat34_rigid(&turned, &out, &mirrored));
    for (int i = 0; i < 12; i++) {
        assert_true(out.m[i] == turned.m[i]);
    }
}

static void rigid_bears_any_scale(void **state)
{
    (void)state;
    const float scales[] = {1e-30f, 1e-3f, 1.82f, 1e4f, 1e30f};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        float s = scales[i];
        oban_mat34 a = {{-s, 0, 0, 0, s, 0, 0, 0, s, 1, 2, 3}};
        const oban_mat34 want = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3}};
        oban_mat34 out;
        bool mirrored = false;
        assert_true(oban_mat34_rigid(&a, &out, &mirrored));
        assert_true(mirrored);
        for (int j = 0; j < 12; j++) {
            assert_true(out.m[j] == want.m[j]);
        }
    }
}

static void rigid_refuses_what_spans_no_space(void **state)
{
    (void)state;
    const oban_mat34 bad[] = {
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},   {{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}},
        {{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}},   {{0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
        {{1, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0}},   {{1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0}},
        {{NAN, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}, {{1, 0, 0, 0, INFINITY, 0, 0, 0, 1, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        oban_mat34 out = {{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}};
        oban_mat34 kept = out;
        bool mirrored;
        assert_false(oban_mat34_rigid(&bad[i], &out, &mirrored));
        assert_true(oban_mat34_same(&out, &kept));
    }
}

static void finite_looks_at_every_number(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        oban_mat34 a = oban_mat34_identity();
        assert_true(oban_mat34_finite(&a));
        a.m[i] = 3.4e38f;
        assert_true(oban_mat34_finite(&a));
        a.m[i] = -INFINITY;
        assert_false(oban_mat34_finite(&a));
        a.m[i] = NAN;
        assert_false(oban_mat34_finite(&a));
    }
}

static void same_is_bit_for_bit(void **state)
{
    (void)state;
    oban_mat34 a = oban_mat34_identity();
    oban_mat34 b = a;
    b.m[1] = -0.0f;
    assert_true(oban_mat34_same(&a, &a));
    assert_false(oban_mat34_same(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiply_agrees_with_points),
        cmocka_unit_test(identity_changes_no_bit),
        cmocka_unit_test(quarter_turn_takes_z_up_to_y_up),
        cmocka_unit_test(rigid_takes_scale_and_mirroring_out),
        cmocka_unit_test(rigid_keeps_what_is_rigid),
        cmocka_unit_test(rigid_bears_any_scale),
        cmocka_unit_test(rigid_refuses_what_spans_no_space),
        cmocka_unit_test(finite_looks_at_every_number),
        cmocka_unit_test(same_is_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
