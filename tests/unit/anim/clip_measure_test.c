/* SPDX-License-Identifier: MIT */
/* Tests of core/anim/clip_measure.c and of oban_clip_pose. */
#include "tests/unit/world/rig.h"

#include <math.h>

#include "core/anim/clip_measure.h"

static rig_memory memory;

static oban_clip *make(const oban_key *keys, uint32_t count, const char *name, uint32_t flags,
                       const oban_mat34 *base, int32_t half_stop)
{
    oban_alloc alloc = rig_alloc(&memory);
    oban_clip *clip = NULL;
    oban_clip_def def = {.name = oban_text_of(name),
                         .flags = flags,
                         .start = oban_mat34_identity(),
                         .base = *base,
                         .frame_length = 1,
                         .frame_count = keys[count - 1].frame + 1,
                         .half_stop = half_stop,
                         .keys = keys,
                         .key_count = count};
    assert_int_equal(oban_clip_create(&alloc, &def, &clip, NULL), OBAN_OK);
    return clip;
}

static void a_way_is_measured(void **state)
{
    const oban_key keys[] = {{{0, 0, 0, 1}, {0, 0, 0}, 0},
                             {{0, 0, 0, 1}, {3, 4, 0}, 1},
                             {{0, 0, 0, 1}, {3, 4, -10}, 11},
                             {{0, 0, 0, 1}, {3, 4, -10}, 20}};
    oban_mat34 base = oban_mat34_identity();
    oban_clip *clip = make(keys, 4, "x", 0, &base, 0);
    oban_clip_measure measure = oban_clip_measure_of(clip);
    (void)state;
    assert_true(measure.low[2] == -10 && measure.low[0] == 0);
    assert_true(fabsf(measure.high[0] - 3) < 1e-5f && fabsf(measure.high[1] - 4) < 1e-5f);
    assert_true(measure.high[2] == 0);
    assert_true(fabsf(measure.path - 15.0f) < 1e-4f);
    assert_true(measure.step == 5.0f && measure.step_at == 1);
    oban_clip_destroy(clip);
}

static void an_endless_way_is_infinite_and_does_not_hang(void **state)
{
    const oban_key keys[] = {{{0, 0, 0, 1}, {-3e38f, 0, 0}, 0}, {{0, 0, 0, 1}, {3e38f, 0, 0}, 60}};
    oban_mat34 base = oban_mat34_identity();
    oban_clip *clip = make(keys, 2, "x", 0, &base, 0);
    oban_clip_measure measure = oban_clip_measure_of(clip);
    (void)state;
    assert_true(isinf(measure.path));
    oban_clip_destroy(clip);
}

static void what_it_looks_like(void **state)
{
    const oban_key still[] = {{{0, 0, 0, 1}, {0, 0, 0}, 0}};
    const oban_key down[] = {{{0.25881905f, 0, 0, 0.9659258f}, {0, 0, 0}, 0}}; /* 30 degrees */
    const oban_key rolls[] = {{{0.2f, 0, 0.3f, 0.9327379f}, {0, 0, 0}, 0}};
    const oban_key turns[] = {{{0, 0.70710677f, 0, 0.70710677f}, {0, 0, 0}, 0}};
    oban_mat34 one = oban_mat34_identity();
    oban_mat34 mirror = {{-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}};
    const struct {
        const oban_key *keys;
        const char *name;
        uint32_t flags;
        const oban_mat34 *base;
        int32_t half_stop;
        oban_clip_looks wanted;
    } rows[] = {
        {still, "x", OBAN_CLIP_LOCAL, &one, 0, OBAN_LOOKS_DOOR},
        {still, "x", 0, &one, 5, OBAN_LOOKS_DOOR},
        {down, "cam", 0, &mirror, 0, OBAN_LOOKS_OBJECT_BASE},
        {down, "cam", OBAN_CLIP_LOOP, &one, 0, OBAN_LOOKS_OBJECT_LOOPS},
        {rolls, "IntroCam01", 0, &one, 0, OBAN_LOOKS_CAMERA_NAME},
        {down, "x", 0, &one, 0, OBAN_LOOKS_CAMERA_LEVEL},
        {rolls, "x", 0, &one, 0, OBAN_LOOKS_OBJECT},
        {turns, "x", 0, &one, 0, OBAN_LOOKS_OBJECT},
        {still, "ca", 0, &one, 0, OBAN_LOOKS_OBJECT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        oban_clip *clip =
            make(rows[i].keys, 1, rows[i].name, rows[i].flags, rows[i].base, rows[i].half_stop);
        assert_int_equal(oban_clip_measure_of(clip).looks, rows[i].wanted);
        oban_clip_destroy(clip);
    }
    assert_string_equal(oban_clip_looks_word(OBAN_LOOKS_CAMERA_LEVEL), "camera");
    assert_true(strlen(oban_clip_looks_why(OBAN_LOOKS_OBJECT)) > 5);
}

/* A key of the pose gives the matrix of the frame. */
static void a_pose_is_what_a_key_would_hold(void **state)
{
    const oban_key keys[] = {{{0, 0, 0, 1}, {0, 0, 0}, 0},
                             {{0.4f, -0.2f, 0.1f, -0.8888194f}, {10, -20, 30}, 60}};
    oban_mat34 base = {{2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 1, 1}};
    oban_clip *clip = make(keys, 2, "x", 0, &base, 0);
    (void)state;
    for (int32_t frame = -1; frame <= 61; frame++) {
        oban_key key = {.frame = 0};
        oban_clip_pose(clip, frame, &key.rotation, key.position);
        oban_clip *alone = make(&key, 1, "x", 0, &base, 0);
        oban_mat34 wanted = oban_clip_matrix(clip, frame);
        oban_mat34 found = oban_clip_matrix(alone, 0);
        for (int i = 0; i < 12; i++) {
            assert_true(fabsf(found.m[i] - wanted.m[i]) < 1e-5f);
        }
        oban_clip_destroy(alone);
    }
    oban_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way_is_measured),
        cmocka_unit_test(an_endless_way_is_infinite_and_does_not_hang),
        cmocka_unit_test(what_it_looks_like),
        cmocka_unit_test(a_pose_is_what_a_key_would_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
