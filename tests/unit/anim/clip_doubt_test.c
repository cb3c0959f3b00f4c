/* SPDX-License-Identifier: MIT */
/* Tests of core/anim/clip_doubt.c: each doubt alone, by its first key and how many keys have it;
 * the edges of jumps. */
#include "tests/unit/world/rig.h"

#include "core/anim/clip_doubt.h"

#define KEYS 6u

typedef struct subject {
    oban_key keys[KEYS];
    oban_clip_def def;
} subject;

/* Six keys, ten frames and five units apart. */
static subject clean(void)
{
    subject made = {.def = {.name = oban_text_of("x"),
                            .start = oban_mat34_identity(),
                            .base = oban_mat34_identity(),
                            .frame_length = 1,
                            .frame_count = 51,
                            .key_count = KEYS}};
    for (uint32_t i = 0; i < KEYS; i++) {
        made.keys[i] = (oban_key){{0, 0, 0, 1}, {5.0f * (float)i, 0, 0}, 10 * (int32_t)i};
    }
    return made;
}

/* Looks at a subject; returns how many doubts there are. */
static uint32_t look(subject *of, oban_clip_doubt doubts[OBAN_DOUBT_COUNT])
{
    static rig_memory memory;
    oban_alloc alloc = rig_alloc(&memory);
    oban_clip *clip = NULL;
    of->def.keys = of->keys;
    assert_int_equal(oban_clip_create(&alloc, &of->def, &clip, NULL), OBAN_OK);
    uint32_t count = oban_clip_doubts(clip, doubts);
    oban_clip_destroy(clip);
    return count;
}

static void only(subject *of, oban_clip_doubt_code code, uint32_t key, uint32_t keys)
{
    oban_clip_doubt doubts[OBAN_DOUBT_COUNT];
    assert_int_equal(look(of, doubts), 1);
    assert_int_equal(doubts[0].code, code);
    assert_int_equal(doubts[0].key, key);
    assert_int_equal(doubts[0].count, keys);
}

static void none(subject *of)
{
    oban_clip_doubt doubts[OBAN_DOUBT_COUNT];
    assert_int_equal(look(of, doubts), 0);
}

static void a_clean_clip_has_none(void **state)
{
    subject of = clean();
    (void)state;
    none(&of);
    of.def.half_stop = 50;
    none(&of);
    of.def.flags = 0x1f;
    none(&of);
    of.def.base.m[0] = -3.0f; /* mirrors and scales */
    none(&of);
}

static void each_about_the_clip(void **state)
{
    char name[61];
    subject of = clean();
    (void)state;
    memset(name, 'n', sizeof name);
    of.def.half_stop = 51;
    only(&of, OBAN_DOUBT_HALF_STOP, 0, 1);
    of.def.half_stop = -1;
    only(&of, OBAN_DOUBT_HALF_STOP, 0, 1);
    of = clean();
    of.def.flags = 0x20;
    only(&of, OBAN_DOUBT_FLAGS, 0, 1);
    of = clean();
    of.def.base.m[5] = 0.01f;
    only(&of, OBAN_DOUBT_BASE_SHEAR, 0, 1);
    of = clean();
    of.def.base.m[4] = 0;
    only(&of, OBAN_DOUBT_BASE_FLAT, 0, 1);
    of = clean();
    of.def.name = (oban_text){name, 59};
    none(&of);
    of.def.name.bytes = 60;
    only(&of, OBAN_DOUBT_LONG_NAME, 0, 1);
}

static void signs_and_far_keys(void **state)
{
    subject of = clean();
    (void)state;
    of.keys[2].rotation.w = -1;
    only(&of, OBAN_DOUBT_SIGN_FLIP, 2, 2); /* there, and back */
    of = clean();
    for (uint32_t i = 0; i < KEYS; i++) { /* fast, and even */
        of.keys[i].position[1] = -5e5f * (float)i;
    }
    only(&of, OBAN_DOUBT_FAR, 3, 3);
    of = clean();
    for (uint32_t i = 0; i < KEYS; i++) {
        of.keys[i].position[2] = 3e38f; /* nothing hangs, nothing overflows into a jump */
    }
    only(&of, OBAN_DOUBT_FAR, 0, KEYS);
}

static void a_jump_stands_out_from_what_is_around_it(void **state)
{
    subject of = clean();
    (void)state;
    of.keys[3].frame = 21; /* one frame behind key 2 */
    of.keys[3].position[0] = of.keys[2].position[0] + 40.0f;
    of.keys[4].position[0] = of.keys[3].position[0];
    of.keys[5].position[0] = of.keys[3].position[0];
    only(&of, OBAN_DOUBT_JUMP, 3, 1);
    of.keys[3].frame = 23; /* three frames: a quick move */
    none(&of);
    of.keys[3].position[0] = of.keys[2].position[0] + 400.0f; /* too quick for that */
    of.keys[4].position[0] = of.keys[3].position[0];
    of.keys[5].position[0] = of.keys[3].position[0];
    only(&of, OBAN_DOUBT_JUMP, 3, 1);
    of.keys[4].position[0] = of.keys[2].position[0] + 4.0f;
    of.keys[5].position[0] = of.keys[2].position[0] + 4.0f;
    of.keys[3].frame = 21;
    of.keys[3].position[0] = of.keys[2].position[0] + 4.0f; /* too short to be one */
    none(&of);
    of = clean();
    for (uint32_t i = 0; i < KEYS; i++) { /* fast all the way */
        of.keys[i].frame = (int32_t)i;
        of.keys[i].position[0] = 40.0f * (float)i;
    }
    of.def.frame_count = 6;
    none(&of);
}

/* Keys anywhere, and any rotation that does not turn its sign: nothing stands out. */
static void what_is_wild_everywhere_has_no_jumps(void **state)
{
    uint32_t random = 1;
    (void)state;
    for (int turn = 0; turn < 2000; turn++) {
        subject of = clean();
        for (uint32_t i = 0; i < KEYS; i++) {
            oban_quat *q = &of.keys[i].rotation;
            float parts[6];
            for (int k = 0; k < 6; k++) {
                random = random * 1664525u + 1013904223u;
                parts[k] = (float)(random >> 8) / 8388608.0f - 1.0f;
            }
            *q = (oban_quat){parts[3], parts[4], parts[5], 3.0f};
            *q = oban_quat_normalise(q);
            of.keys[i].frame = (int32_t)i;
            for (int k = 0; k < 3; k++) {
                of.keys[i].position[k] = 1000.0f * parts[k];
            }
        }
        of.def.frame_count = (int32_t)KEYS;
        none(&of);
    }
}

static void a_jump_in_rotation(void **state)
{
    subject of = clean();
    (void)state;
    for (uint32_t i = 3; i < KEYS; i++) {
        of.keys[i].rotation = (oban_quat){0, 0.70710677f, 0, 0.70710677f};
    }
    none(&of); /* a quarter turn in ten frames */
    of.keys[3].frame = 21;
    only(&of, OBAN_DOUBT_TURN_JUMP, 3, 1);
}

static void keys_are_counted_as_the_file_has_them(void **state)
{
    subject of = clean();
    oban_clip_doubt doubts[OBAN_DOUBT_COUNT];
    oban_line line;
    (void)state;
    of.keys[1].frame = 0; /* doubled: it does not play */
    of.keys[3].rotation.w = -1;
    of.keys[4].rotation.w = -1;
    of.keys[5].rotation.w = -1;
    assert_int_equal(look(&of, doubts), 1);
    assert_int_equal(doubts[0].key, 3);
    oban_clip_doubt_line(&doubts[0], &line);
    assert_string_equal(line.data,
                        "key 3 turns the sign of its quaternion against the key in front of it");
    doubts[0].count = 3;
    oban_clip_doubt_line(&doubts[0], &line);
    assert_non_null(strstr(line.data, "(and 2 other keys)"));
}

static void each_says_what_mends_it(void **state)
{
    (void)state;
    for (unsigned code = 0; code < OBAN_DOUBT_COUNT; code++) {
        assert_true(strlen(oban_clip_doubt_fix((oban_clip_doubt_code)code)) > 10);
    }
    for (unsigned code = 0; code < OBAN_CLIP_FINDING_COUNT; code++) {
        assert_true(strlen(oban_clip_finding_fix((oban_clip_finding_code)code)) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_clip_has_none),
        cmocka_unit_test(each_about_the_clip),
        cmocka_unit_test(signs_and_far_keys),
        cmocka_unit_test(a_jump_stands_out_from_what_is_around_it),
        cmocka_unit_test(what_is_wild_everywhere_has_no_jumps),
        cmocka_unit_test(a_jump_in_rotation),
        cmocka_unit_test(keys_are_counted_as_the_file_has_them),
        cmocka_unit_test(each_says_what_mends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
