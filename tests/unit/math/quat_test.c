/* SPDX-License-Identifier: MIT */
/* Tests of core/math/quat.c against plain rotations of the basis vectors in double precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "core/math/quat.h"

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static float random_float(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (float)(random_state >> 40) / 8388608.0f - 1.0f;
}

static oban_quat random_unit(void)
{
    oban_quat q = {random_float(), random_float(), random_float(), random_float()};
    return oban_quat_normalise(&q);
}

/* v turned by the inverse of q, as q* v q: the sense of the game's files. */
static void turn_back(const oban_quat *q, const double v[3], double out[3])
{
    double u[3] = {-(double)q->x, -(double)q->y, -(double)q->z};
    double t[3] = {2 * (u[1] * v[2] - u[2] * v[1]), 2 * (u[2] * v[0] - u[0] * v[2]),
                   2 * (u[0] * v[1] - u[1] * v[0])};
    double c[3] = {u[1] * t[2] - u[2] * t[1], u[2] * t[0] - u[0] * t[2], u[0] * t[1] - u[1] * t[0]};
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + (double)q->w * t[i] + c[i];
    }
}

static void matrix_is_the_inverse_turn(void **state)
{
    (void)state;
    const float position[3] = {1.5f, -2.5f, 3.5f};
    for (int round = 0; round < 1000; round++) {
        oban_quat q = random_unit();
        oban_mat34 m = oban_quat_matrix(&q, 2.0f, position);
        for (int column = 0; column < 3; column++) {
            const double axis[3] = {column == 0, column == 1, column == 2};
            double want[3];
            turn_back(&q, axis, want);
            for (int row = 0; row < 3; row++) {
                assert_true(fabs((double)m.m[3 * column + row] - want[row]) < 1e-6);
            }
            assert_true(m.m[9 + column] == position[column]);
        }
    }
}

/* facts/oni-formats 7: (0.7071, 0, 0, 0.7071) sends y to -z and z to y. */
static void quarter_about_x_goes_the_games_way(void **state)
{
    (void)state;
    const float zero[3] = {0, 0, 0};
    const oban_quat q = {0.70710678f, 0, 0, 0.70710678f};
    const float want[12] = {1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0};
    oban_mat34 m = oban_quat_matrix(&q, 2.0f, zero);
    for (int i = 0; i < 12; i++) {
        assert_true(fabs((double)(m.m[i] - want[i])) < 2e-7);
    }
}

static void scale_folds_the_normalising_in(void **state)
{
    (void)state;
    const float zero[3] = {0, 0, 0};
    for (int round = 0; round < 1000; round++) {
        oban_quat q = {random_float(), random_float(), random_float(), random_float()};
        float length2 = oban_quat_length2(&q);
        if (length2 < 0.01f) {
            continue;
        }
        oban_quat unit = oban_quat_normalise(&q);
        oban_mat34 a = oban_quat_matrix(&q, 2.0f / length2, zero);
        oban_mat34 b = oban_quat_matrix(&unit, 2.0f, zero);
        for (int i = 0; i < 9; i++) {
            assert_true(fabs((double)(a.m[i] - b.m[i])) < 2e-6);
        }
    }
}

static void normalise_bears_any_length(void **state)
{
    (void)state;
    const float lengths[] = {1e-40f, 1e-30f, 1, 1e20f, 1e38f};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        oban_quat q = {lengths[i], lengths[i], -lengths[i], lengths[i]};
        oban_quat unit = oban_quat_normalise(&q);
        assert_true(unit.x == 0.5f && unit.y == 0.5f && unit.z == -0.5f && unit.w == 0.5f);
    }
}

static void mix_takes_the_shorter_way(void **state)
{
    (void)state;
    const oban_quat a = {0, 0, 0, 1};
    const oban_quat b = {0, 0, -0.6f, -0.8f};
    oban_quat mid = oban_quat_mix(&a, &b, 0.5f);
    oban_quat start = oban_quat_mix(&a, &b, 0);
    oban_quat end = oban_quat_mix(&a, &b, 1);
    assert_true(mid.z == 0.3f && mid.w == 0.9f); /* not normalised */
    assert_true(start.w == 1 && start.z == 0);
    assert_true(end.z == 0.6f && end.w == 0.8f); /* negated */
}

static void from_matrix_comes_back(void **state)
{
    (void)state;
    const float zero[3] = {0, 0, 0};
    int greatest[4] = {0, 0, 0, 0};
    for (int round = 0; round < 4000; round++) {
        oban_quat q = random_unit();
        oban_mat34 m = oban_quat_matrix(&q, 2.0f, zero);
        oban_quat back = oban_quat_from_mat34(&m);
        double dot = (double)q.x * (double)back.x + (double)q.y * (double)back.y +
                     (double)q.z * (double)back.z + (double)q.w * (double)back.w;
        assert_true(fabs(fabs(dot) - 1) < 1e-6);
        const float parts[4] = {fabsf(q.x), fabsf(q.y), fabsf(q.z), fabsf(q.w)};
        int most = 0;
        for (int i = 1; i < 4; i++) {
            most = parts[i] > parts[most] ? i : most;
        }
        greatest[most] += 1;
        oban_mat34 again = oban_quat_matrix(&back, 2.0f, zero);
        for (int i = 0; i < 9; i++) {
            assert_true(fabs((double)(again.m[i] - m.m[i])) < 2e-6);
        }
    }
    for (int i = 0; i < 4; i++) {
        assert_true(greatest[i] > 100); /* each way of taking it was gone */
    }
}

/* Half turns: the trace is -1, and w is 0. */
static void from_matrix_bears_half_turns(void **state)
{
    (void)state;
    const oban_mat34 halves[3] = {{{1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0}},
                                  {{-1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0}},
                                  {{-1, 0, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0}}};
    for (int i = 0; i < 3; i++) {
        oban_quat q = oban_quat_from_mat34(&halves[i]);
        assert_true(q.w == 0);
        assert_true((i == 0 ? q.x : i == 1 ? q.y : q.z) == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_is_the_inverse_turn),
        cmocka_unit_test(quarter_about_x_goes_the_games_way),
        cmocka_unit_test(scale_folds_the_normalising_in),
        cmocka_unit_test(normalise_bears_any_length),
        cmocka_unit_test(mix_takes_the_shorter_way),
        cmocka_unit_test(from_matrix_comes_back),
        cmocka_unit_test(from_matrix_bears_half_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
