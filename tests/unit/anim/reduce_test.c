/* SPDX-License-Identifier: MIT */
/* Poses made into keys: every frame within the tolerance, judged by the clip's own matrices; few
 * keys where few are enough; bounded work on input made to be slow.
 * Next: clip_test.c. */
#include "core/anim/reduce.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/anim/clip.h"

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

static uint32_t seed = 1;

static float random_number(float low, float high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (float)(seed >> 8) / 16777216.0f;
}

static oban_quat random_rotation(void)
{
    oban_quat q = {random_number(-1, 1), random_number(-1, 1), random_number(-1, 1),
                   random_number(-1, 1)};
    return oban_quat_normalise(&q);
}

/* The clip of keys. */
static oban_clip *clip_of(const oban_key *keys, uint32_t key_count, uint32_t frames)
{
    oban_clip *clip = NULL;
    const oban_clip_def def = {.name = {"x", 1},
                               .start = oban_mat34_identity(),
                               .base = oban_mat34_identity(),
                               .frame_count = (int32_t)frames,
                               .keys = keys,
                               .key_count = key_count};
    assert_int_equal(oban_clip_create(&memory, &def, &clip, NULL), OBAN_OK);
    return clip;
}

/* A random clip of `key_count` keys, and its poses at every frame. */
static oban_pose *random_poses(uint32_t key_count, uint32_t *frames)
{
    oban_key *keys = calloc(key_count, sizeof *keys);
    int32_t frame = 0;
    assert_non_null(keys);
    for (uint32_t i = 0; i < key_count; i++) {
        keys[i] = (oban_key){random_rotation(),
                             {random_number(-200, 200), random_number(-9, 9), random_number(0, 1)},
                             frame};
        frame += 1 + (int32_t)random_number(0, 40);
    }
    *frames = (uint32_t)keys[key_count - 1].frame + 1;
    oban_clip *clip = clip_of(keys, key_count, *frames);
    oban_pose *poses = calloc(*frames, sizeof *poses);
    assert_non_null(poses);
    for (uint32_t i = 0; i < *frames; i++) {
        oban_clip_pose(clip, (int32_t)i, &poses[i].rotation, poses[i].position);
    }
    oban_poses_align(poses, *frames);
    oban_clip_destroy(clip);
    free(keys);
    return poses;
}

/* The greatest distance, and difference of an axis, of a clip of keys from the poses. */
static void measure(const oban_pose *poses, uint32_t count, const oban_key *keys,
                    uint32_t key_count, float *distance, float *turn)
{
    oban_clip *clip = clip_of(keys, key_count, count);
    *distance = *turn = 0;
    for (uint32_t i = 0; i < count; i++) {
        oban_mat34 is = oban_clip_matrix(clip, (int32_t)i);
        oban_mat34 was = oban_quat_matrix(&poses[i].rotation, 2, poses[i].position);
        float sum = 0;
        for (int k = 9; k < 12; k++) {
            sum += (is.m[k] - was.m[k]) * (is.m[k] - was.m[k]);
        }
        *distance = fmaxf(*distance, sqrtf(sum));
        for (int k = 0; k < 9; k++) {
            *turn = fmaxf(*turn, fabsf(is.m[k] - was.m[k]));
        }
    }
    oban_clip_destroy(clip);
}

static void test_within_the_tolerance(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        uint32_t frames = 0;
        uint32_t key_count = 0;
        uint32_t original = 1 + (uint32_t)random_number(0, 30);
        oban_pose *poses = random_poses(original, &frames);
        oban_key *keys = calloc(frames, sizeof *keys);
        float distance = 0;
        float turn = 0;
        const oban_tolerance tolerance = {random_number(0.001f, 2), random_number(0.01f, 5)};
        oban_poses_reduce(poses, frames, &tolerance, keys, &key_count);
        measure(poses, frames, keys, key_count, &distance, &turn);
        assert_true(distance <= tolerance.distance * 1.001f + 1e-4f);
        assert_true(turn <= tolerance.degrees * 0.01746f + 1e-5f);
        assert_true(key_count <= original);
        assert_int_equal(keys[0].frame, 0);
        assert_int_equal(keys[key_count - 1].frame, frames - 1);
        free(keys);
        free(poses);
    }
}

/* With the default tolerance, the keys that it was made of. */
static void test_finds_the_keys_again(void **state)
{
    (void)state;
    const oban_tolerance tolerance = {OBAN_TOLERANCE_DISTANCE, OBAN_TOLERANCE_DEGREES};
    uint32_t found = 0;
    uint32_t all = 0;
    for (int round = 0; round < 20; round++) {
        uint32_t frames = 0;
        uint32_t key_count = 0;
        oban_pose *poses = random_poses(25, &frames);
        oban_key *keys = calloc(frames, sizeof *keys);
        oban_poses_reduce(poses, frames, &tolerance, keys, &key_count);
        found += key_count;
        all += 25;
        free(keys);
        free(poses);
    }
    assert_int_equal(found, all);
}

static void test_small(void **state)
{
    (void)state;
    const oban_tolerance exact = {0, 0};
    oban_pose poses[3] = {
        {{0, 0, 0, 1}, {1, 2, 3}}, {{0, 0, 0, 1}, {1, 2, 3}}, {{0, 0, 0, 1}, {1, 2, 3}}};
    oban_key keys[3];
    uint32_t count = 9;
    oban_poses_reduce(poses, 1, &exact, keys, &count);
    assert_int_equal(count, 1);
    oban_poses_reduce(poses, 3, &exact, keys, &count);
    assert_int_equal(count, 2);
    assert_int_equal(keys[1].frame, 2);
}

static void test_align(void **state)
{
    (void)state;
    oban_pose poses[3] = {
        {{0, 0, 0, 1}, {0}}, {{0, 0.1f, 0, -0.99f}, {0}}, {{0, 0.2f, 0, -0.98f}, {0}}};
    oban_poses_align(poses, 3);
    assert_true(poses[1].rotation.w == 0.99f && poses[1].rotation.y == -0.1f);
    assert_true(poses[2].rotation.w == 0.98f);
}

/* Hardly a frame can be left out. */
static void test_made_to_be_slow(void **state)
{
    (void)state;
    enum { FRAMES = 65535 };
    const oban_tolerance exact = {0, 0};
    oban_pose *poses = calloc(FRAMES, sizeof *poses);
    oban_key *keys = calloc(FRAMES, sizeof *keys);
    uint32_t count = 0;
    double x = 1;
    assert_non_null(poses);
    assert_non_null(keys);
    for (uint32_t i = 0; i < FRAMES; i++) {
        x = i % 2 == 0 ? x * 1.0008 : x;
        poses[i] = (oban_pose){{0, 0, 0, 1}, {(float)(i % 2 == 0 ? x : -x), 0, 0}};
    }
    oban_poses_reduce(poses, FRAMES, &exact, keys, &count);
    assert_true(count > FRAMES / 2);
    free(poses);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_within_the_tolerance),
        cmocka_unit_test(test_finds_the_keys_again),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_align),
        cmocka_unit_test(test_made_to_be_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
