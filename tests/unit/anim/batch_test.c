/* SPDX-License-Identifier: MIT */
/* The batch gives the very bits of oban_clip_matrix: over random clips and the odd ones (minus
 * zeros, gaps, negative dots, one key, keys at the ends of int32), by the baseline's instructions
 * and by AVX2, whatever the order of frames. Next: player_test.c. */
#include "core/anim/batch.h"
#include "core/base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CLIPS 300u
#define SLOTS 37u /* no multiple of a tile */

/* ---- memory that is counted, and can run out ---- */

typedef struct purse {
    int blocks;
    int calls;
    int refuse_from; /* the call from which on all fail; 0: none */
} purse;

static void *purse_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    purse *own = context;
    (void)old_bytes;
    if (bytes == 0) {
        own->blocks -= old != NULL;
        free(old);
        return NULL;
    }
    own->calls += 1;
    if (own->refuse_from != 0 && own->calls >= own->refuse_from) {
        return NULL;
    }
    own->blocks += old == NULL;
    return realloc(old, bytes);
}

static oban_alloc purse_alloc(purse *own)
{
    return (oban_alloc){.resize = purse_resize, .context = own};
}

/* ---- clips ---- */

static float dice(oban_rng *rng, float most)
{
    return ((float)oban_rng_next16(rng) / 32768.0f - 1.0f) * most;
}

/* Plain numbers, zeros of both signs, and exact ones. */
static float odd_float(oban_rng *rng, float most)
{
    static const float odd[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e-30f, -1e-42f};
    uint16_t pick = oban_rng_next16(rng);
    return pick % 3 == 0 ? odd[pick / 3 % (sizeof odd / sizeof odd[0])] : dice(rng, most);
}

static void random_key(oban_rng *rng, oban_key *key)
{
    oban_quat q = {odd_float(rng, 1), odd_float(rng, 1), odd_float(rng, 1), odd_float(rng, 1)};
    float length2 = oban_quat_length2(&q);
    if (length2 < 1e-6f) {
        q.w = -1.0f;
    }
    key->rotation = oban_rng_next16(rng) % 8 == 0 ? q : oban_quat_normalise(&q);
    for (int axis = 0; axis < 3; axis++) {
        key->position[axis] = odd_float(rng, 2000);
    }
}

static oban_clip *make_clip(const oban_alloc *alloc, oban_clip_def *def)
{
    oban_clip *clip = NULL;
    def->name = (oban_text){"batch", 5};
    def->start = oban_mat34_identity();
    assert_int_equal(oban_clip_create(alloc, def, &clip, NULL), OBAN_OK);
    return clip;
}

static oban_clip *random_clip(const oban_alloc *alloc, oban_rng *rng)
{
    oban_key keys[12];
    uint32_t count = 1 + oban_rng_next16(rng) % 12u;
    int32_t frame = oban_rng_next16(rng) % 4 - 2;
    for (uint32_t i = 0; i < count; i++) {
        random_key(rng, &keys[i]);
        keys[i].frame = frame;
        frame += oban_rng_next16(rng) % 9; /* several at one frame, too */
    }
    oban_clip_def def = {.frame_count = 50, .keys = keys, .key_count = count};
    def.flags = oban_rng_next16(rng) % 3 == 0 ? OBAN_CLIP_LOCAL : 0;
    for (int i = 0; i < 12; i++) {
        def.base.m[i] = odd_float(rng, 3);
    }
    if (oban_rng_next16(rng) % 2 == 0) {
        def.base = oban_mat34_identity();
    }
    return make_clip(alloc, &def);
}

static void assert_same(const oban_batch *batch, uint32_t slot, const oban_clip *clip,
                        int32_t frame)
{
    oban_mat34 plain = oban_clip_matrix(clip, frame);
    assert_memory_equal(plain.m, oban_batch_matrix(batch, slot)->m, sizeof plain.m);
}

/* ---- the tests, by each isa that is there ---- */

typedef struct setup {
    purse purse;
    oban_alloc alloc;
    oban_batch *batch;
} setup;

static void setup_open(setup *own, oban_batch_isa isa, uint32_t slots)
{
    *own = (setup){0};
    own->alloc = purse_alloc(&own->purse);
    assert_int_equal(oban_batch_create(&own->alloc, isa, &own->batch), OBAN_OK);
    assert_int_equal(oban_batch_reserve(own->batch, slots), OBAN_OK);
}

static void setup_close(setup *own)
{
    oban_batch_destroy(own->batch);
    assert_int_equal(own->purse.blocks, 0);
}

/* Each clip over all its frames and beyond, forwards and backwards, in every lane. */
static void check_sweeps(oban_batch_isa isa)
{
    setup own;
    oban_rng rng;
    oban_rng_seed(&rng, 7);
    setup_open(&own, isa, SLOTS);
    for (uint32_t i = 0; i < CLIPS; i++) {
        oban_clip *clip = random_clip(&own.alloc, &rng);
        int32_t last = clip->keys[clip->key_count - 1].frame;
        uint32_t slot = i % SLOTS;
        for (int32_t at = -6; at <= 2 * (last + 6); at++) {
            int32_t frame = at <= last + 6 ? at : 2 * (last + 6) - at;
            oban_batch_aim(own.batch, slot, clip, frame);
            oban_batch_evaluate(own.batch);
            assert_same(own.batch, slot, clip, frame);
        }
        oban_batch_forget(own.batch);
        oban_clip_destroy(clip);
    }
    setup_close(&own);
}

/* Many slots at once, each with any clip at any frame, some changed and some not. */
static void check_jumps(oban_batch_isa isa)
{
    setup own;
    oban_rng rng;
    oban_clip *clips[CLIPS];
    const oban_clip *aimed[SLOTS];
    int32_t frames[SLOTS];
    oban_rng_seed(&rng, 8);
    setup_open(&own, isa, SLOTS);
    for (uint32_t i = 0; i < CLIPS; i++) {
        clips[i] = random_clip(&own.alloc, &rng);
    }
    int calls = own.purse.calls;
    for (uint32_t round = 0; round < 500; round++) {
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            uint16_t pick = round == 0 ? 0 : oban_rng_next16(&rng) % 4u;
            aimed[slot] = pick == 0 ? clips[oban_rng_next16(&rng) % CLIPS] : aimed[slot];
            frames[slot] = pick < 3 ? oban_rng_next16(&rng) % 120 - 10 : frames[slot];
            if (pick < 3) {
                oban_batch_aim(own.batch, slot, aimed[slot], frames[slot]);
            }
        }
        oban_batch_evaluate(own.batch);
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            assert_same(own.batch, slot, aimed[slot], frames[slot]);
        }
    }
    assert_int_equal(own.purse.calls, calls); /* no memory was asked for */
    for (uint32_t i = 0; i < CLIPS; i++) {
        oban_clip_destroy(clips[i]);
    }
    setup_close(&own);
}

/* Keys as far apart as int32 allows, and frames at both ends of it. */
static void check_far_frames(oban_batch_isa isa)
{
    static const int32_t frames[] = {INT32_MIN, INT32_MIN + 1, -2000000000, -1999999999, -1, 0, 1,
                                     123456789, 1999999999,    2000000000,  INT32_MAX};
    oban_key keys[] = {{{0, 0, 0, 1}, {1, -0.0f, 3}, -2000000000},
                       {{-0.6f, 0, -0.0f, -0.8f}, {-5, 1e30f, 0}, 2000000000}};
    setup own;
    setup_open(&own, isa, 1);
    oban_clip_def def = {
        .frame_count = 9, .keys = keys, .key_count = 2, .base = oban_mat34_identity()};
    oban_clip *clip = make_clip(&own.alloc, &def);
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        oban_batch_aim(own.batch, 0, clip, frames[i]);
        oban_batch_evaluate(own.batch);
        assert_same(own.batch, 0, clip, frames[i]);
    }
    oban_clip_destroy(clip);
    setup_close(&own);
}

/* Growing keeps what was evaluated and what was aimed; running out of memory changes nothing. */
static void check_growth(oban_batch_isa isa)
{
    setup own;
    oban_rng rng;
    oban_rng_seed(&rng, 9);
    setup_open(&own, isa, 16);
    oban_clip *clip = random_clip(&own.alloc, &rng);
    oban_batch_aim(own.batch, 3, clip, 5);
    oban_batch_evaluate(own.batch);
    oban_batch_aim(own.batch, 12, clip, 6);
    own.purse.refuse_from = own.purse.calls + 1;
    assert_int_equal(oban_batch_reserve(own.batch, 17), OBAN_NO_MEMORY);
    assert_same(own.batch, 3, clip, 5);
    own.purse.refuse_from = 0;
    assert_int_equal(oban_batch_reserve(own.batch, 17), OBAN_OK);
    assert_int_equal(oban_batch_reserve(own.batch, 1000), OBAN_OK);
    assert_int_equal(oban_batch_reserve(own.batch, 2), OBAN_OK); /* never shrinks */
    assert_same(own.batch, 3, clip, 5);
    oban_batch_aim(own.batch, 999, clip, 7);
    oban_batch_evaluate(own.batch);
    assert_same(own.batch, 3, clip, 5);
    assert_same(own.batch, 12, clip, 6);
    assert_same(own.batch, 999, clip, 7);
    oban_clip_destroy(clip);
    setup_close(&own);
}

/* A clip that takes the place, and perhaps the address, of one that was forgotten. */
static void check_forget(oban_batch_isa isa)
{
    setup own;
    oban_rng rng;
    oban_rng_seed(&rng, 10);
    setup_open(&own, isa, 1);
    oban_clip *clip = random_clip(&own.alloc, &rng);
    oban_batch_aim(own.batch, 0, clip, 3);
    oban_batch_evaluate(own.batch);
    clip->play_keys[0].position[0] += 1;
    clip->base.m[9] += 2;
    oban_batch_forget(own.batch);
    oban_batch_aim(own.batch, 0, clip, 3);
    oban_batch_evaluate(own.batch);
    assert_same(own.batch, 0, clip, 3);
    oban_clip_destroy(clip);
    setup_close(&own);
}

static void by_all(void (*check)(oban_batch_isa isa))
{
    check(OBAN_BATCH_BASELINE);
    check(OBAN_BATCH_BEST);
    if (oban_batch_isa_there(OBAN_BATCH_AVX2)) {
        check(OBAN_BATCH_AVX2);
    } else {
        print_message("this machine has no AVX2: tested by the baseline only\n");
    }
}

static void test_sweeps(void **state)
{
    (void)state;
    by_all(check_sweeps);
}

static void test_jumps(void **state)
{
    (void)state;
    by_all(check_jumps);
}

static void test_far_frames(void **state)
{
    (void)state;
    by_all(check_far_frames);
}

static void test_growth(void **state)
{
    (void)state;
    by_all(check_growth);
}

static void test_forget(void **state)
{
    (void)state;
    by_all(check_forget);
}

static void test_create(void **state)
{
    purse own = {.refuse_from = 1};
    oban_alloc alloc = purse_alloc(&own);
    oban_batch *batch = NULL;
    (void)state;
    assert_int_equal(oban_batch_create(&alloc, OBAN_BATCH_BEST, &batch), OBAN_NO_MEMORY);
    assert_true(oban_batch_isa_there(OBAN_BATCH_BEST));
    assert_true(oban_batch_isa_there(OBAN_BATCH_BASELINE));
    if (!oban_batch_isa_there(OBAN_BATCH_AVX2)) {
        assert_int_equal(oban_batch_create(&alloc, OBAN_BATCH_AVX2, &batch), OBAN_NOT_SUPPORTED);
    }
    assert_null(batch);
    oban_batch_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps),     cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_far_frames), cmocka_unit_test(test_growth),
        cmocka_unit_test(test_forget),     cmocka_unit_test(test_create),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
