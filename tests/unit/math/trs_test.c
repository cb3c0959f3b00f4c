/* SPDX-License-Identifier: MIT */
/* Tests of core/math/trs.c. */
#include "tests/unit/world/rig.h"

#include <math.h>

#include "core/math/trs.h"

static void near(float found, float wanted)
{
    assert_true(fabsf(found - wanted) <= 1e-5f * fmaxf(1.0f, fabsf(wanted)));
}

static oban_mat34 scaled(const oban_quat *q, const float scale[3])
{
    static const float position[3] = {4, 5, 6};
    oban_mat34 matrix = oban_quat_matrix(q, 2.0f, position);
    for (int i = 0; i < 9; i++) {
        matrix.m[i] *= scale[i / 3];
    }
    return matrix;
}

static void parts_come_back(void **state)
{
    static const float scales[][3] = {
        {1, 1, 1}, {1.82f, 1.82f, 1.82f}, {0.001f, 3, 700}, {-1, -1, -1}, {-2, -3, -4}};
    oban_quat q = oban_quat_normalise(&(oban_quat){1, -2, 3, 4});
    (void)state;
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        oban_mat34 matrix = scaled(&q, scales[i]);
        oban_trs trs = oban_trs_of(&matrix);
        for (int k = 0; k < 3; k++) {
            near(trs.scale[k], scales[i][k]);
            near(trs.position[k], 4.0f + (float)k);
        }
        float sign = trs.rotation.w < 0 ? -1.0f : 1.0f;
        near(sign * trs.rotation.x, q.x);
        near(sign * trs.rotation.y, q.y);
        near(sign * trs.rotation.z, q.z);
        near(sign * trs.rotation.w, q.w);
    }
}

static void flat_and_endless_matrices_have_no_rotation(void **state)
{
    oban_mat34 flat = {{1, 0, 0, 2, 0, 0, 0, 0, 3, 7, 8, 9}};
    oban_mat34 none = {{0}};
    oban_mat34 endless = {{INFINITY, 0, 0, 0, NAN, 0, 0, 0, 1, 0, 0, 0}};
    (void)state;
    oban_trs trs = oban_trs_of(&flat);
    assert_true(trs.rotation.w == 1.0f && trs.rotation.x == 0);
    near(trs.scale[1], 2);
    near(trs.position[2], 9);
    trs = oban_trs_of(&none);
    assert_true(trs.rotation.w == 1.0f && trs.scale[0] == 0);
    trs = oban_trs_of(&endless);
    assert_true(trs.rotation.w == 1.0f);
}

static void long_axes_do_not_overflow(void **state)
{
    oban_mat34 matrix = {{3e37f, 0, 0, 0, 3e37f, 0, 0, 0, 3e37f, 1e38f, 0, 0}};
    (void)state;
    oban_trs trs = oban_trs_of(&matrix);
    assert_true(trs.scale[0] == 3e37f && trs.rotation.w == 1.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_come_back),
        cmocka_unit_test(flat_and_endless_matrices_have_no_rotation),
        cmocka_unit_test(long_axes_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
