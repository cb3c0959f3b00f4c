/* SPDX-License-Identifier: MIT */
/* Edited clips against what their matrices must be by formulas of their own, on random clips of
 * every kind. Next: reduce_test.c. */
#include "core/anim/edit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    long *left = context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return left != NULL && (*left)-- <= 0 ? NULL : realloc(old, bytes);
}

static const oban_alloc memory = {resize, NULL};
static const oban_tolerance fine = {OBAN_TOLERANCE_DISTANCE, OBAN_TOLERANCE_DEGREES};
static uint32_t seed;

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

static oban_mat34 random_matrix(float scale)
{
    oban_quat q = random_rotation();
    const float p[3] = {random_number(-50, 50), random_number(-50, 50), random_number(-50, 50)};
    oban_mat34 m = oban_quat_matrix(&q, 2, p);
    for (int i = 0; i < 9; i++) {
        m.m[i] *= scale;
    }
    return m;
}

/* A clip: sometimes local, held at its end, cut before its last key, with a base of any kind. */
static oban_clip *random_clip(bool local)
{
    oban_key keys[12];
    uint32_t count = 1 + (uint32_t)random_number(0, 11.9f);
    int32_t frame = (int32_t)random_number(0, 2.5f);
    oban_clip *clip = NULL;
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (oban_key){random_rotation(),
                             {random_number(-90, 90), random_number(-9, 9), random_number(0, 1)},
                             frame};
        frame += 1 + (int32_t)random_number(0, 20);
    }
    int32_t frames = keys[count - 1].frame + 1 + (int32_t)random_number(-2, 5);
    oban_mat34 base = random_number(0, 1) < 0.5f ? oban_mat34_identity() : random_matrix(1.5f);
    const oban_clip_def def = {.name = {"clip", 4},
                               .flags = local ? OBAN_CLIP_LOCAL : OBAN_CLIP_PING_PONG,
                               .start = random_matrix(1),
                               .base = base,
                               .frame_count = frames < 1 ? 1 : frames,
                               .half_stop = frames / 2,
                               .keys = keys,
                               .key_count = count};
    assert_int_equal(oban_clip_create(&memory, &def, &clip, NULL), OBAN_OK);
    return clip;
}

static oban_clip *clip_of(const oban_edit *edit)
{
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(&memory, &edit->def, &clip, NULL), OBAN_OK);
    return clip;
}

static void assert_near(const oban_mat34 *is, const oban_mat34 *wanted, float axes, float place)
{
    for (int i = 0; i < 12; i++) {
        if (!(fabsf(is->m[i] - wanted->m[i]) <= (i < 9 ? axes : place))) {
            print_error("[%d] is %g, not %g\n", i, (double)is->m[i], (double)wanted->m[i]);
            fail();
        }
    }
}

/* What one edit does, and what its frames must be then. */
typedef struct one_edit {
    const char *name;
    oban_status (*change)(oban_edit *edit);
    uint32_t (*frames)(const oban_clip *was);
    oban_mat34 (*wanted)(const oban_clip *was, int32_t frame);
    float axes, place; /* how near */
} one_edit;

static const float shift_by[3] = {3, -4, 5};
static oban_clip *joined;

static oban_status do_resample(oban_edit *edit)
{
    return oban_edit_resample(edit, 1);
}
static oban_status do_reduce(oban_edit *edit)
{
    return oban_edit_reduce(edit, &fine);
}
static oban_status do_delay(oban_edit *edit)
{
    return oban_edit_delay(edit, 7);
}
static oban_status do_shift(oban_edit *edit)
{
    oban_edit_shift(edit, shift_by);
    return OBAN_OK;
}
static oban_status do_mirror(oban_edit *edit)
{
    oban_edit_mirror(edit, 2);
    return OBAN_OK;
}
static oban_status do_cut(oban_edit *edit)
{
    uint32_t last = (uint32_t)edit->def.frame_count - 1;
    return oban_edit_cut(edit, last / 3, last - last / 4);
}
static oban_status do_join(oban_edit *edit)
{
    return oban_edit_join(edit, joined);
}
static oban_status do_double(oban_edit *edit)
{
    return oban_edit_retime(edit, 2 * (uint32_t)edit->def.frame_count - 1, &fine);
}
static oban_status do_bake(oban_edit *edit)
{
    return oban_edit_bake(edit, &fine);
}

static uint32_t same_frames(const oban_clip *was)
{
    return was->frame_count;
}
static uint32_t delayed_frames(const oban_clip *was)
{
    return was->frame_count + 7;
}
static uint32_t cut_frames(const oban_clip *was)
{
    uint32_t last = was->frame_count - 1;
    return last - last / 4 - last / 3 + 1;
}
static uint32_t joined_frames(const oban_clip *was)
{
    return was->frame_count + joined->frame_count;
}
static uint32_t doubled_frames(const oban_clip *was)
{
    return 2 * was->frame_count - 1;
}

static oban_mat34 as_it_was(const oban_clip *was, int32_t frame)
{
    return oban_clip_matrix(was, frame);
}
static oban_mat34 reversed(const oban_clip *was, int32_t frame)
{
    return oban_clip_matrix(was, (int32_t)was->frame_count - 1 - frame);
}
static oban_mat34 delayed(const oban_clip *was, int32_t frame)
{
    return oban_clip_matrix(was, frame < 7 ? 0 : frame - 7);
}
static oban_mat34 cut(const oban_clip *was, int32_t frame)
{
    return oban_clip_matrix(was, frame + ((int32_t)was->frame_count - 1) / 3);
}
static oban_mat34 shifted(const oban_clip *was, int32_t frame)
{
    oban_mat34 m = oban_clip_matrix(was, frame);
    for (int i = 0; i < 3; i++) {
        m.m[9 + i] += shift_by[i];
    }
    return m;
}
static oban_mat34 mirrored(const oban_clip *was, int32_t frame)
{
    oban_mat34 s = oban_mat34_identity();
    s.m[8] = -1;
    oban_mat34 m = oban_clip_matrix(was, frame);
    m = oban_mat34_multiply(&m, &s);
    return oban_mat34_multiply(&s, &m);
}
static oban_mat34 either(const oban_clip *was, int32_t frame)
{
    int32_t own = (int32_t)was->frame_count;
    return frame < own ? oban_clip_matrix(was, frame) : oban_clip_matrix(joined, frame - own);
}
static oban_mat34 every_second(const oban_clip *was, int32_t frame)
{
    return oban_clip_matrix(was, frame / 2);
}

static const one_edit edits[] = {
    {"resample", do_resample, same_frames, as_it_was, 3e-5f, 3e-3f},
    {"reduce", do_reduce, same_frames, as_it_was, 4e-4f, 3e-2f},
    {"reverse", oban_edit_reverse, same_frames, reversed, 1e-4f, 6e-3f},
    {"delay", do_delay, delayed_frames, delayed, 3e-5f, 3e-3f},
    {"shift", do_shift, same_frames, shifted, 3e-5f, 3e-3f},
    {"mirror", do_mirror, same_frames, mirrored, 3e-5f, 3e-3f},
    {"cut", do_cut, cut_frames, cut, 1e-4f, 6e-3f},
    {"join", do_join, joined_frames, either, 3e-5f, 3e-3f},
    {"double", do_double, doubled_frames, every_second, 3e-5f, 3e-3f},
    {"bake", do_bake, same_frames, as_it_was, 4e-4f, 3e-2f},
};

/* Edits of the world's axes are tried on clips that are not local: a local clip's own are others.
 */
static void test_matrices(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof edits / sizeof edits[0]; e++) {
        seed = 7;
        for (int round = 0; round < 40; round++) {
            oban_clip *was = random_clip(false);
            oban_edit edit;
            joined = random_clip(false);
            joined->base = was->base;
            assert_int_equal(oban_edit_init(&edit, &memory, was), OBAN_OK);
            assert_int_equal(edits[e].change(&edit), OBAN_OK);
            oban_clip *is = clip_of(&edit);
            if (is->frame_count != edits[e].frames(was)) {
                fail_msg("%s: %u frames", edits[e].name, is->frame_count);
            }
            for (int32_t frame = 0; frame < (int32_t)is->frame_count; frame++) {
                if (edits[e].change == do_double && frame % 2 != 0) {
                    continue;
                }
                oban_mat34 a = oban_clip_matrix(is, frame);
                oban_mat34 b = edits[e].wanted(was, frame);
                assert_near(&a, &b, edits[e].axes, edits[e].place);
            }
            /* The start matrix goes with it. */
            if (edits[e].change != do_resample && edits[e].change != do_reduce &&
                edits[e].change != do_delay && edits[e].change != do_join &&
                edits[e].change != do_shift && edits[e].change != do_mirror) {
                oban_mat34 first = oban_clip_matrix(is, 0);
                assert_near(&is->start, &first, 1e-3f, 3e-2f);
            }
            oban_clip_destroy(is);
            oban_clip_destroy(was);
            oban_clip_destroy(joined);
            oban_edit_fini(&edit);
        }
    }
}

static void test_cut(void **state)
{
    (void)state;
    seed = 5;
    for (int round = 0; round < 40; round++) {
        oban_clip *was = random_clip(round % 2 == 0);
        oban_edit edit;
        assert_int_equal(oban_edit_init(&edit, &memory, was), OBAN_OK);
        assert_int_equal(oban_edit_cut(&edit, 0, was->frame_count), OBAN_BAD_CLIP);
        assert_int_equal(oban_edit_cut(&edit, 1, 0), OBAN_BAD_CLIP);
        assert_int_equal(do_cut(&edit), OBAN_OK);
        oban_clip *is = clip_of(&edit);
        for (int32_t frame = 0; frame < (int32_t)is->frame_count; frame++) {
            oban_mat34 a = oban_clip_matrix(is, frame);
            oban_mat34 b = cut(was, frame);
            assert_near(&a, &b, 1e-4f, 6e-3f);
        }
        oban_clip_destroy(is);
        oban_edit_fini(&edit);
        oban_clip_destroy(was);
    }
}

static void test_to_world_and_back(void **state)
{
    (void)state;
    seed = 3;
    for (int round = 0; round < 40; round++) {
        oban_clip *was = random_clip(true);
        oban_mat34 origin = random_matrix(random_number(0.5f, 3));
        oban_edit edit;
        assert_int_equal(oban_edit_init(&edit, &memory, was), OBAN_OK);
        assert_int_equal(oban_edit_to_local(&edit, &origin), OBAN_BAD_CLIP);
        assert_int_equal(oban_edit_to_world(&edit, &origin), OBAN_OK);
        oban_clip *world = clip_of(&edit);
        assert_int_equal(world->flags & OBAN_CLIP_LOCAL, 0);
        for (int32_t frame = 0; frame < (int32_t)world->frame_count; frame++) {
            oban_mat34 a = oban_clip_matrix(world, frame);
            oban_mat34 local = oban_clip_matrix(was, frame);
            oban_mat34 b = oban_mat34_multiply(&origin, &local);
            assert_near(&a, &b, 1e-4f, 1e-2f);
        }
        assert_int_equal(oban_edit_to_local(&edit, &origin), OBAN_OK);
        oban_clip *back = clip_of(&edit);
        assert_int_equal(back->flags, was->flags);
        assert_int_equal(back->half_stop, was->half_stop);
        for (int32_t frame = 0; frame < (int32_t)back->frame_count; frame++) {
            oban_mat34 a = oban_clip_matrix(back, frame);
            oban_mat34 b = oban_clip_matrix(was, frame);
            assert_near(&a, &b, 2e-5f, 1e-3f);
        }
        origin.m[0] *= 2;
        assert_int_equal(oban_edit_to_world(&edit, &origin), OBAN_BAD_CLIP);
        oban_clip_destroy(world);
        oban_clip_destroy(back);
        oban_clip_destroy(was);
        oban_edit_fini(&edit);
    }
}

static void test_loop(void **state)
{
    (void)state;
    seed = 9;
    for (int round = 0; round < 40; round++) {
        oban_clip *was = random_clip(false);
        oban_edit edit;
        uint32_t frames = 5;
        assert_int_equal(oban_edit_init(&edit, &memory, was), OBAN_OK);
        oban_status status = oban_edit_loop(&edit, frames);
        assert_int_equal(status, was->frame_count > frames ? OBAN_OK : OBAN_BAD_CLIP);
        if (status == OBAN_OK) {
            oban_clip *is = clip_of(&edit);
            int32_t last = (int32_t)is->frame_count - 1;
            assert_int_equal(is->flags, OBAN_CLIP_LOOP);
            assert_int_equal(is->frame_count, was->frame_count);
            oban_mat34 first = oban_clip_matrix(is, 0);
            oban_mat34 end = oban_clip_matrix(is, last);
            oban_mat34 was_end = oban_clip_matrix(was, last);
            /* Almost there; the next frame is frame 0. */
            for (int i = 9; i < 12; i++) {
                assert_true(fabsf(end.m[i] - first.m[i]) <=
                            0.4f * fabsf(was_end.m[i] - first.m[i]) + 60.0f * 0.2f);
            }
            for (int32_t frame = 0; frame <= last - (int32_t)frames; frame++) {
                if (frame == last - (int32_t)frames || frame == 0) {
                    oban_mat34 a = oban_clip_matrix(is, frame);
                    oban_mat34 b = oban_clip_matrix(was, frame);
                    assert_near(&a, &b, 3e-5f, 3e-3f);
                }
            }
            oban_clip_destroy(is);
        }
        oban_clip_destroy(was);
        oban_edit_fini(&edit);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    seed = 11;
    oban_edit edit;
    const oban_key keys[2] = {{{0, 0, 0, 1}, {0, 0, 0}, 0}, {{0, 0, 0, 1}, {10, 0, 0}, 100}};
    const oban_clip_def def = {.name = {"door", 4},
                               .base = oban_mat34_identity(),
                               .start = oban_mat34_identity(),
                               .frame_count = 101,
                               .half_stop = 50,
                               .keys = keys,
                               .key_count = 2};
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(&memory, &def, &clip, NULL), OBAN_OK);
    assert_int_equal(oban_edit_init(&edit, &memory, clip), OBAN_OK);
    assert_int_equal(oban_edit_retime(&edit, 201, &fine), OBAN_OK);
    assert_int_equal(edit.def.half_stop, 100);
    assert_int_equal(edit.def.key_count, 2);
    assert_int_equal(edit.keys[1].frame, 200);
    assert_int_equal(oban_edit_retime(&edit, 34, &fine), OBAN_OK);
    assert_int_equal(edit.def.frame_count, 34);
    assert_int_equal(edit.def.key_count, 2); /* a straight way */
    assert_true(fabsf(edit.keys[1].position[0] - 10) < 1e-5f);
    assert_int_equal(oban_edit_retime(&edit, 65536, &fine), OBAN_LIMIT);
    assert_int_equal(oban_edit_delay(&edit, 65535), OBAN_LIMIT);
    assert_int_equal(oban_edit_cut(&edit, 20, 33), OBAN_OK);
    assert_true(edit.half_stop_lost);
    assert_int_equal(edit.def.half_stop, 0);
    edit.def.frame_count = 99;
    assert_int_equal(oban_edit_fit_frames(&edit), OBAN_OK);
    assert_int_equal(edit.def.frame_count, 14);
    oban_edit_fini(&edit);
    oban_clip_destroy(clip);
}

/* Without memory a call fails and has changed nothing. */
static void test_no_memory(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof edits / sizeof edits[0]; e++) {
        for (long calls = 0;; calls++) {
            seed = 21;
            long left = 1000000;
            const oban_alloc scarce = {resize, &left};
            oban_clip *was = random_clip(false);
            oban_edit edit;
            joined = random_clip(false);
            joined->base = was->base;
            assert_int_equal(oban_edit_init(&edit, &scarce, was), OBAN_OK);
            left = calls;
            oban_status status = edits[e].change(&edit);
            left = 1000000;
            oban_clip *is = clip_of(&edit);
            if (status != OBAN_OK) {
                assert_int_equal(status, OBAN_NO_MEMORY);
                assert_int_equal(is->frame_count, was->frame_count);
                assert_int_equal(is->half_stop, was->half_stop);
            }
            oban_clip_destroy(is);
            oban_clip_destroy(was);
            oban_clip_destroy(joined);
            oban_edit_fini(&edit);
            if (status == OBAN_OK) {
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),          cmocka_unit_test(test_cut),
        cmocka_unit_test(test_to_world_and_back), cmocka_unit_test(test_loop),
        cmocka_unit_test(test_numbers),           cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
