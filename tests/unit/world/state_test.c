/* SPDX-License-Identifier: MIT */
/* Tests of the state: the hash, saving, loading; the number that every compiler must come to. */
#include "tests/unit/world/random_run.h"

#include "core/base/hash.h"

/* The hash after 2,000 ticks of random commands from seed 2024: the same with gcc and clang, at
 * -O0 and -O3, with and without sanitizers. It changes when behaviour, state.def, the maths or
 * random_run.h change, and only then: say so where you change it. */
#define STATE_EXPECTED_HASH 0x38beee99c735ada0u

typedef struct saved {
    unsigned char *data;
    size_t bytes;
} saved;

static saved save(const oban_world *world)
{
    saved s = {NULL, oban_world_save(world, NULL, 0)};
    s.data = malloc(s.bytes);
    assert_non_null(s.data);
    assert_int_equal(oban_world_save(world, s.data, s.bytes), s.bytes);
    return s;
}

static oban_status load(rig *r, saved s)
{
    oban_line line;
    oban_status status = oban_world_load(r->world, s.data, s.bytes, &line);
    assert_int_equal(line.bytes == 0, status == OBAN_OK);
    return status;
}

/* ---- the number ------------------------------------------------------------------------------ */

static void every_compiler_comes_to_this_hash(void **state)
{
    (void)state;
    rig r;
    uint64_t random = 2024;
    oban_hash all;
    uint32_t most = 0;
    uint32_t playing = 0;
    run_open(&r);
    oban_hash_start(&all);
    for (int i = 0; i < 2000; i++) {
        run_tick(&r, &random);
        oban_hash_u64(&all, oban_world_hash(r.world));
        most = oban_world_live_count(r.world) > most ? oban_world_live_count(r.world) : most;
        for (uint32_t n = 0; n < oban_world_live_count(r.world); n++) {
            playing += oban_world_live_at(r.world, n)->player.playing;
        }
    }
    assert_true(most > 20 && playing > 5000); /* that something went on */
    uint64_t got = oban_hash_end(&all);
    if (got != STATE_EXPECTED_HASH) {
        fail_msg("the hash is 0x%016llx", (unsigned long long)got);
    }
    rig_close(&r);
}

static void the_seed_counts(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (uint64_t seed = 0; seed < 2; seed++) {
        rig_memory memory;
        const oban_world_def def = {
            .alloc = rig_alloc(&memory), .seed = seed, .objects_max = 1, .anims_max = 1};
        oban_world *world;
        assert_int_equal(oban_world_create(&def, &world), OBAN_OK);
        hashes[seed] = oban_world_hash(world);
        oban_world_destroy(world);
    }
    assert_true(hashes[0] != hashes[1]);
}

/* ---- what the hash sees ---------------------------------------------------------------------- */

static void each_change_of_state_changes_the_hash(void **state)
{
    (void)state;
    rig r;
    run_open(&r);
    rig_do(&r, rig_define(1, "plain", NULL));
    rig_settle(&r);
    uint64_t before = oban_world_hash(r.world);
    oban_command commands[12];
    size_t n = 0;
    commands[n++] = rig_on(OBAN_OP_OBJ_HIDE, 1);
    commands[n++] = rig_on(OBAN_OP_ENV_ANIM, 1);
    commands[n++] = rig_on(OBAN_OP_ENV_PAUSE, 1);
    commands[n++] = rig_on(OBAN_OP_ENV_RESUME, 1);
    commands[n++] = rig_on(OBAN_OP_ENV_STOP, 1);
    commands[n] = rig_on(OBAN_OP_OBJ_PLACE, 1);
    OBAN_SET(&commands[n], matrix, rig_at(1, 1, 1));
    n += 1;
    commands[n] = rig_define(1, NULL, NULL);
    OBAN_SET(&commands[n], name, oban_text_of("x"));
    n += 1;
    commands[n] = rig_command(OBAN_OP_ENV_SHOW);
    n += 1;
    commands[n] = rig_command(OBAN_OP_GS_FOV_SET);
    OBAN_SET(&commands[n], fov, 50);
    n += 1;
    commands[n++] = rig_command(OBAN_OP_CM_DETACH);
    commands[n++] = rig_on(OBAN_OP_OBJ_KILL, 1);
    commands[n++] = rig_on(OBAN_OP_OBJ_CREATE, 1);
    for (size_t i = 0; i < n; i++) {
        rig_do(&r, commands[i]);
        uint64_t after = oban_world_hash(r.world);
        assert_true(after != before);
        oban_world_tick_end(r.world);
        oban_world_events_clear(r.world);
        before = oban_world_hash(r.world);
    }
    rig_tick(&r);
    assert_true(before != oban_world_hash(r.world));
    rig_close(&r);
}

static void publishing_is_no_state(void **state)
{
    (void)state;
    rig r;
    run_open(&r);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 3));
    rig_settle(&r);
    uint64_t before = oban_world_hash(r.world);
    rig_settle(&r);
    rig_settle(&r);
    oban_world_gone_prune(r.world, NULL, 0);
    rig_add(&r, "unused", 0, 5);
    assert_true(before == oban_world_hash(r.world));
    rig_close(&r);
}

/* ---- going on from a saved state ------------------------------------------------------------- */

static void a_loaded_world_goes_on_like_the_one_saved(void **state)
{
    (void)state;
    rig a;
    rig b;
    uint64_t random = 77;
    run_open(&a);
    run_open(&b);
    uint64_t other = 5; /* b has a past of its own */
    for (int i = 0; i < 100; i++) {
        run_tick(&b, &other);
    }
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < 30; i++) {
            run_tick(&a, &random);
        }
        if (round % 3 == 1) { /* in the middle of a pass, too */
            oban_command command = run_command(&random);
            (void)oban_world_apply(a.world, &command, &a.result);
        }
        saved s = save(a.world);
        assert_int_equal(load(&b, s), OBAN_OK);
        saved again = save(b.world);
        assert_int_equal(again.bytes, s.bytes);
        assert_memory_equal(again.data, s.data, s.bytes);
        assert_true(oban_world_hash(a.world) == oban_world_hash(b.world));
        assert_int_equal(oban_world_tick(a.world), oban_world_tick(b.world));
        uint64_t same = random;
        for (int i = 0; i < 30; i++) {
            uint32_t one;
            uint32_t two;
            run_tick(&a, &random);
            run_tick(&b, &same);
            assert_true(oban_world_hash(a.world) == oban_world_hash(b.world));
            (void)oban_world_events(a.world, &one);
            (void)oban_world_events(b.world, &two);
            assert_int_equal(one, two);
        }
        free(s.data);
        free(again.data);
    }
    rig_close(&a);
    rig_close(&b);
}

/* Saved between a command and its tick_end: what stands from then on is evaluated after the load.
 */
static void a_pass_that_was_saved_half_way_is_ended(void **state)
{
    (void)state;
    rig a;
    rig b;
    oban_command cut = rig_command(OBAN_OP_CM_INTERPOLATE);
    run_open(&a);
    run_open(&b);
    OBAN_SET(&cut, anim, oban_text_of("plain"));
    OBAN_SET(&cut, frames, 0);
    rig_do(&a, rig_define(1, "plain", NULL));
    rig_settle(&a);
    rig_do(&a, rig_on(OBAN_OP_ENV_ANIM, 1));
    rig_do(&a, rig_on(OBAN_OP_ENV_PAUSE, 1));
    rig_do(&a, cut);
    saved s = save(a.world);
    assert_int_equal(load(&b, s), OBAN_OK);
    rig_settle(&a);
    rig_settle(&b);
    assert_true(oban_world_hash(a.world) == oban_world_hash(b.world));
    assert_true(oban_mat34_same(&rig_object(&a, 1)->m, &rig_object(&b, 1)->m));
    assert_true(oban_mat34_same(&oban_world_camera(a.world)->m, &oban_world_camera(b.world)->m));
    free(s.data);
    rig_close(&a);
    rig_close(&b);
}

static void a_world_can_go_back_to_its_own_past(void **state)
{
    (void)state;
    rig r;
    uint64_t random = 3;
    run_open(&r);
    for (int i = 0; i < 60; i++) {
        run_tick(&r, &random);
    }
    saved s = save(r.world);
    uint64_t hash = oban_world_hash(r.world);
    for (int i = 0; i < 60; i++) {
        run_tick(&r, &random);
    }
    assert_true(hash != oban_world_hash(r.world));
    assert_int_equal(load(&r, s), OBAN_OK);
    assert_true(hash == oban_world_hash(r.world));
    free(s.data);
    rig_close(&r);
}

static void after_a_load_all_is_news_and_what_is_not_there_is_gone(void **state)
{
    (void)state;
    rig r;
    uint32_t count;
    uint64_t touched;
    run_open(&r);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 3));
    rig_settle(&r);
    saved s = save(r.world);
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 2));
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 2)); /* another life */
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 9));
    rig_settle(&r);
    oban_world_gone_prune(r.world, NULL, 0);
    assert_int_equal(load(&r, s), OBAN_OK);
    const oban_gone *gone = oban_world_gone(r.world, &count);
    assert_int_equal(count, 2);
    assert_int_equal(gone[0].number, 2);
    assert_int_equal(gone[0].life, 2);
    assert_int_equal(gone[1].number, 9);
    assert_int_equal(gone[1].gone, 3);
    for (uint32_t i = 0; i < oban_world_live_count(r.world); i++) {
        const oban_object *object = oban_world_live_at(r.world, i);
        assert_int_equal(object->born, 3);
        assert_int_equal(object->touched, 3);
        assert_int_equal(object->stamps[OBAN_STAMP_STATE], 3);
    }
    assert_int_equal(oban_world_camera(r.world)->touched, 3);
    (void)oban_world_hidden_refs(r.world, &count, &touched);
    assert_int_equal(touched, 3);
    assert_int_equal(oban_world_changed(r.world), 3);
    free(s.data);
    rig_close(&r);
}

static void the_dead_keep_their_life(void **state)
{
    (void)state;
    rig a;
    rig b;
    run_open(&a);
    run_open(&b);
    rig_do(&a, rig_on(OBAN_OP_OBJ_CREATE, 5));
    rig_do(&a, rig_on(OBAN_OP_OBJ_KILL, 5));
    saved s = save(a.world);
    assert_int_equal(load(&b, s), OBAN_OK);
    rig_do(&b, rig_on(OBAN_OP_OBJ_CREATE, 5));
    assert_int_equal(b.result.items[0].life, 2);
    free(s.data);
    rig_close(&a);
    rig_close(&b);
}

/* ---- what cannot be loaded ------------------------------------------------------------------- */

/* A world with something of everything. */
static saved busy_state(rig *r)
{
    uint64_t random = 9;
    for (int i = 0; i < 80; i++) {
        run_tick(r, &random);
    }
    return save(r->world);
}

static void mend_hash(saved s)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_bytes(&hash, s.data, s.bytes - 8);
    uint64_t value = oban_hash_end(&hash);
    for (unsigned i = 0; i < 8; i++) {
        s.data[s.bytes - 8 + i] = (unsigned char)(value >> (8 * i));
    }
}

static void what_is_cut_off_or_damaged_changes_nothing(void **state)
{
    (void)state;
    rig a;
    rig b;
    run_open(&a);
    run_open(&b);
    saved s = busy_state(&a);
    rig_do(&b, rig_range(OBAN_OP_OBJ_CREATE, 1, 3));
    uint64_t hash = oban_world_hash(b.world);
    for (size_t bytes = 0; bytes < s.bytes; bytes += 1 + bytes / 50) {
        unsigned char *part = malloc(bytes + 1); /* its own block: reading on is found */
        assert_non_null(part);
        memcpy(part, s.data, bytes);
        assert_int_equal(load(&b, (saved){part, bytes}), OBAN_BAD_FILE);
        if (bytes >= 20) {
            mend_hash((saved){part, bytes});
            assert_int_equal(load(&b, (saved){part, bytes}), OBAN_BAD_FILE);
        }
        free(part);
    }
    for (size_t at = 0; at < s.bytes; at += 1 + at / 100) {
        s.data[at] ^= 1;
        assert_int_equal(load(&b, s), OBAN_BAD_FILE);
        s.data[at] ^= 1;
    }
    assert_true(hash == oban_world_hash(b.world));
    assert_int_equal(load(&b, s), OBAN_OK);
    free(s.data);
    rig_close(&a);
    rig_close(&b);
}

/* Bytes changed by an enemy who mends the hash: refused, or a state that the world can bear. */
static void what_was_forged_is_refused_or_harmless(void **state)
{
    (void)state;
    rig a;
    rig b;
    uint64_t random = 31;
    int loaded = 0;
    int refused = 0;
    run_open(&a);
    run_open(&b);
    saved s = busy_state(&a);
    unsigned char *copy = malloc(s.bytes);
    assert_non_null(copy);
    for (int round = 0; round < 6000; round++) {
        memcpy(copy, s.data, s.bytes);
        for (uint32_t n = 1 + rig_random(&random) % 3; n > 0; n--) {
            size_t at = 12 + rig_random(&random) % (s.bytes - 20);
            copy[at] =
                (unsigned char)(rig_random(&random) % 3 == 0 ? rig_random(&random) : copy[at] ^ 1u);
        }
        saved forged = {copy, s.bytes};
        mend_hash(forged);
        uint64_t hash = oban_world_hash(b.world);
        if (load(&b, forged) == OBAN_OK) {
            loaded += 1;
            for (int i = 0; i < 5; i++) {
                run_tick(&b, &random);
            }
            saved again = save(b.world);
            assert_int_equal(load(&b, again), OBAN_OK);
            free(again.data);
        } else {
            refused += 1;
            assert_true(hash == oban_world_hash(b.world));
        }
    }
    assert_true(loaded > 100 && refused > 100);
    free(copy);
    free(s.data);
    rig_close(&a);
    rig_close(&b);
}

/* Magic and version, the world's table, the count of objects: then the first object's number. */
#define STATE_FIRST_NUMBER (12u + 21u + 4u)

static void what_is_out_of_order_is_refused(void **state)
{
    (void)state;
    rig r;
    oban_line line;
    oban_command hide = rig_command(OBAN_OP_ENV_SHOW);
    rig_open(&r);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 2));
    for (int32_t ref = 4; ref < 6; ref++) {
        OBAN_SET(&hide, ref, ref);
        rig_do(&r, hide);
    }
    saved s = save(r.world);
    assert_int_equal(s.data[STATE_FIRST_NUMBER], 1);
    for (unsigned char number = 2; number < 4; number++) { /* the same twice, and falling */
        s.data[STATE_FIRST_NUMBER] = number;
        mend_hash(s);
        assert_int_equal(oban_world_load(r.world, s.data, s.bytes, &line), OBAN_BAD_FILE);
        assert_non_null(strstr(line.data, "objects out of order at byte"));
    }
    s.data[STATE_FIRST_NUMBER] = 1;
    unsigned char *refs = s.data + s.bytes - 8 - 8;
    assert_int_equal(refs[0], 4);
    for (unsigned char ref = 5; ref < 7; ref++) {
        refs[0] = ref;
        mend_hash(s);
        assert_int_equal(oban_world_load(r.world, s.data, s.bytes, &line), OBAN_BAD_FILE);
        assert_non_null(strstr(line.data, "references out of order at byte"));
    }
    refs[0] = 4;
    mend_hash(s);
    assert_int_equal(load(&r, s), OBAN_OK);
    free(s.data);
    rig_close(&r);
}

/* After number, part and life come h and alive. */
static void who_is_neither_alive_nor_dead_is_refused(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    saved s = save(r.world);
    unsigned char *life = s.data + STATE_FIRST_NUMBER + 8;
    unsigned char *h = life + 4;
    unsigned char *alive = h + 4;
    unsigned char *const spoiled[] = {life, h, h, alive};
    static const unsigned char values[] = {0, 0, 2, 0}; /* 2: not given out yet */
    assert_true(*life == 1 && *h == 1 && *alive == 1);
    for (size_t i = 0; i < 4; i++) {
        *spoiled[i] = values[i];
        mend_hash(s);
        assert_int_equal(load(&r, s), OBAN_BAD_FILE);
        *spoiled[i] = 1;
    }
    mend_hash(s);
    assert_int_equal(load(&r, s), OBAN_OK);
    free(s.data);
    rig_close(&r);
}

static void what_goes_on_behind_its_end_is_refused(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    saved s = save(r.world);
    saved longer = {calloc(1, s.bytes + 1), s.bytes + 1};
    assert_non_null(longer.data);
    memcpy(longer.data, s.data, s.bytes - 8);
    mend_hash(longer);
    assert_int_equal(load(&r, longer), OBAN_BAD_FILE);
    free(longer.data);
    free(s.data);
    rig_close(&r);
}

static void the_clips_must_be_the_same(void **state)
{
    (void)state;
    rig a;
    rig b;
    oban_line line;
    rig_open(&a);
    rig_open(&b);
    rig_add(&a, "clip", 0, 5);
    rig_do(&a, rig_define(1, "clip", NULL));
    saved s = save(a.world);
    assert_int_equal(oban_world_load(b.world, s.data, s.bytes, &line), OBAN_NO_ANIM);
    assert_string_equal(line.data, "animation 'clip', which the saved state uses, is not loaded");
    rig_add(&b, "Clip", 0, 5);
    assert_int_equal(oban_world_load(b.world, s.data, s.bytes, &line), OBAN_NO_ANIM);
    rig_add(&b, "clip", 0, 6);
    assert_int_equal(oban_world_load(b.world, s.data, s.bytes, &line), OBAN_NO_ANIM);
    assert_string_equal(line.data,
                        "animation 'clip' is another than the saved state was made with");
    free(s.data);
    rig_close(&a);
    rig_close(&b);
}

static void objects_max_binds_what_is_loaded(void **state)
{
    (void)state;
    rig a;
    rig b;
    oban_line line;
    rig_open(&a);
    rig_open_with(&b, 3, false);
    rig_do(&a, rig_range(OBAN_OP_OBJ_CREATE, 1, 3));
    saved s = save(a.world);
    assert_int_equal(load(&b, s), OBAN_OK);
    free(s.data);
    rig_do(&a, rig_on(OBAN_OP_OBJ_CREATE, 4));
    s = save(a.world);
    assert_int_equal(oban_world_load(b.world, s.data, s.bytes, &line), OBAN_LIMIT);
    assert_string_equal(line.data, "objects_max is 3; in the saved state are alive 4");
    assert_int_equal(oban_world_live_count(b.world), 3);
    free(s.data);
    rig_close(&a);
    rig_close(&b);
}

static void saving_writes_only_what_fits(void **state)
{
    (void)state;
    rig r;
    run_open(&r);
    size_t bytes = oban_world_save(r.world, NULL, 0);
    unsigned char *data = malloc(bytes);
    assert_non_null(data);
    memset(data, 0x77, bytes);
    assert_int_equal(oban_world_save(r.world, data, bytes - 1), bytes);
    for (size_t i = 0; i < bytes; i++) {
        assert_int_equal(data[i], 0x77);
    }
    assert_int_equal(oban_world_save(r.world, data, bytes), bytes);
    assert_memory_equal(data, "OBANSAVE\2\0\0\0", 12);
    free(data);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compiler_comes_to_this_hash),
        cmocka_unit_test(the_seed_counts),
        cmocka_unit_test(each_change_of_state_changes_the_hash),
        cmocka_unit_test(publishing_is_no_state),
        cmocka_unit_test(a_loaded_world_goes_on_like_the_one_saved),
        cmocka_unit_test(a_pass_that_was_saved_half_way_is_ended),
        cmocka_unit_test(a_world_can_go_back_to_its_own_past),
        cmocka_unit_test(after_a_load_all_is_news_and_what_is_not_there_is_gone),
        cmocka_unit_test(the_dead_keep_their_life),
        cmocka_unit_test(what_is_cut_off_or_damaged_changes_nothing),
        cmocka_unit_test(what_was_forged_is_refused_or_harmless),
        cmocka_unit_test(what_is_out_of_order_is_refused),
        cmocka_unit_test(who_is_neither_alive_nor_dead_is_refused),
        cmocka_unit_test(what_goes_on_behind_its_end_is_refused),
        cmocka_unit_test(the_clips_must_be_the_same),
        cmocka_unit_test(objects_max_binds_what_is_loaded),
        cmocka_unit_test(saving_writes_only_what_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
