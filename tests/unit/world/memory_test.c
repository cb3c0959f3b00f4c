/* SPDX-License-Identifier: MIT */
/* Tests of memory and size: a failed command changes nothing, whichever allocation fails and
 * whatever else was wrong; big ranges; ticks of many objects ask for no memory. */
#include "tests/unit/world/random_run.h"

#include <time.h>

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- failing --------------------------------------------------------------------------------- */

static void a_failed_command_changes_nothing(void **state)
{
    (void)state;
    rig r;
    uint64_t random = 12;
    int failed = 0;
    int done = 0;
    run_open(&r);
    for (int i = 0; i < 6000; i++) {
        if (i % 3 == 0) {
            run_tick(&r, &random);
        }
        oban_command command = run_command(&random);
        if (rig_random(&random) % 10 == 0) {
            command.object = -3;
        }
        uint64_t hash = oban_world_hash(r.world);
        uint64_t changed = oban_world_changed(r.world);
        uint32_t before;
        uint32_t after;
        (void)oban_world_events(r.world, &before);
        if (oban_world_apply(r.world, &command, &r.result) == OBAN_OK) {
            done += 1;
            continue;
        }
        failed += 1;
        (void)oban_world_events(r.world, &after);
        assert_int_equal(before, after);
        assert_true(hash == oban_world_hash(r.world));
        assert_true(changed == oban_world_changed(r.world));
        assert_true(r.result.message.bytes > 0);
    }
    assert_true(failed > 500 && done > 500);
    rig_close(&r);
}

/* Each command with its first allocation failing, then its second, until it is done. */
static void memory_running_out_changes_nothing(void **state)
{
    (void)state;
    rig r;
    uint64_t random = 8;
    int ran_out = 0;
    run_open(&r);
    for (int i = 0; i < 3000; i++) {
        /* a new world now and then: with room left, nothing is asked for */
        if (i % 20 == 0) {
            rig_close(&r);
            run_open(&r);
        }
        oban_command command = run_command(&random);
        uint64_t hash = oban_world_hash(r.world);
        for (uint64_t allowed = 0;; allowed++) {
            uint32_t events;
            (void)oban_world_events(r.world, &events);
            r.memory.fail_at = r.memory.taken + allowed;
            oban_status status = oban_world_apply(r.world, &command, &r.result);
            r.memory.fail_at = UINT64_MAX;
            if (status != OBAN_NO_MEMORY) {
                break;
            }
            uint32_t after;
            (void)oban_world_events(r.world, &after);
            ran_out += 1;
            assert_int_equal(events, after);
            assert_true(hash == oban_world_hash(r.world));
            assert_string_equal(r.result.message.data, "memory ran out; nothing was changed");
        }
        rig_tick(&r); /* and the tick after it asks for none */
    }
    assert_true(ran_out > 500);
    rig_close(&r);
}

static void loading_with_no_memory_changes_nothing(void **state)
{
    (void)state;
    rig a;
    rig b;
    uint64_t random = 4;
    oban_line line;
    oban_status status = OBAN_NO_MEMORY;
    int ran_out = 0;
    run_open(&a);
    for (int i = 0; i < 100; i++) {
        run_tick(&a, &random);
    }
    size_t bytes = oban_world_save(a.world, NULL, 0);
    unsigned char *data = malloc(bytes);
    assert_non_null(data);
    (void)oban_world_save(a.world, data, bytes);
    run_open(&b);
    rig_do(&b, rig_range(OBAN_OP_OBJ_CREATE, 1, 20));
    uint64_t hash = oban_world_hash(b.world);
    size_t held = b.memory.bytes;
    for (uint64_t allowed = 0; status == OBAN_NO_MEMORY; allowed++) {
        b.memory.fail_at = b.memory.taken + allowed;
        status = oban_world_load(b.world, data, bytes, &line);
        b.memory.fail_at = UINT64_MAX;
        if (status == OBAN_NO_MEMORY) {
            ran_out += 1;
            assert_true(hash == oban_world_hash(b.world));
            /* what was read is given back; room that was made may stay */
            assert_in_range(b.memory.bytes, held, held + 200000);
        }
    }
    assert_int_equal(status, OBAN_OK);
    assert_true(ran_out > 10);
    assert_true(oban_world_hash(a.world) == oban_world_hash(b.world));
    free(data);
    rig_close(&a);
    rig_close(&b);
}

static void creating_a_world_with_no_memory_leaves_nothing(void **state)
{
    (void)state;
    oban_status status = OBAN_NO_MEMORY;
    uint64_t fails = 0;
    for (; status != OBAN_OK; fails++) {
        rig_memory memory;
        oban_world *world = NULL;
        const oban_world_def def = {.alloc = rig_alloc(&memory), .objects_max = 1, .anims_max = 1};
        memory.fail_at = fails;
        status = oban_world_create(&def, &world);
        assert_true(status == OBAN_OK || status == OBAN_NO_MEMORY);
        oban_world_destroy(world);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(fails > 2);
}

/* ---- size ------------------------------------------------------------------------------------ */

/* Every other number is there already: each splice goes through the whole index. */
static void a_range_of_65536_is_one_splice(void **state)
{
    (void)state;
    rig r;
    double begin = seconds();
    rig_open(&r);
    for (int32_t i = 0; i < 32768; i++) {
        rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 2 * i));
        oban_world_events_clear(r.world);
    }
    assert_int_equal(rig_apply(&r, rig_range(OBAN_OP_OBJ_CREATE, 0, 65535)), OBAN_OK);
    assert_int_equal(r.result.warning_count, 1);
    assert_string_equal(r.result.warnings[0].data,
                        "objects 0, 2, 4 and 32765 others are alive already");
    assert_int_equal(r.result.item_count, 32768);
    assert_int_equal(oban_world_live_count(r.world), 65536);
    for (uint32_t i = 0; i < 65536; i++) {
        assert_int_equal(oban_world_live_at(r.world, i)->number, i);
    }
    for (int i = 0; i < 20; i++) {
        rig_do(&r, rig_range(OBAN_OP_OBJ_KILL, 0, 65535));
        rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 0, 65535));
        rig_settle(&r);
        oban_world_gone_prune(r.world, NULL, 0);
    }
    assert_int_equal(rig_object(&r, 1)->life, 21);
    /* 2.6 million lives; an O(n^2) way through would take minutes even with sanitizers off */
    assert_true(seconds() - begin < 60);
    rig_close(&r);
}

static void ten_thousand_objects_play_without_memory(void **state)
{
    (void)state;
    enum { OBJECTS = 10000, TICKS = 100 };
    rig r;
    rig_open(&r);
    for (uint32_t i = 0; i < RUN_CLIPS; i++) {
        assert_int_equal(oban_world_clip_add(r.world, run_clip(&r.alloc, i)), OBAN_OK);
    }
    for (int32_t i = 0; i < OBJECTS; i++) {
        oban_command command = rig_define(i, run_clips[(uint32_t)i % RUN_CLIPS], NULL);
        OBAN_SET(&command, play, true);
        rig_do(&r, command);
        oban_world_events_clear(r.world);
    }
    double begin = seconds();
    rig_ticks(&r, TICKS); /* the allocator fails the test when it is asked */
    double each = (seconds() - begin) / TICKS;
    print_message("a tick of %d objects: %.3f ms\n", OBJECTS, each * 1e3);
    assert_true(each < 0.2); /* a bound for sanitizers on slow machines; not a measurement */
    rig_close(&r);
}

/* All that the ticks after a command may bring fits: no clearing between passes while held. */
static void events_of_held_time_may_gather(void **state)
{
    (void)state;
    rig r;
    uint32_t count;
    rig_open(&r);
    rig_add(&r, "a", 0, 5);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 50));
    for (int i = 0; i < 100; i++) {
        rig_do(&r, rig_setanim(1 + i % 50, "a"));
        r.memory.closed = 1;
        oban_world_tick_end(r.world);
        r.memory.closed = 0;
    }
    (void)oban_world_events(r.world, &count);
    assert_int_equal(count, 50 + 50 + 2 * 50);
    rig_tick(&r); /* forgets them */
    (void)oban_world_events(r.world, &count);
    assert_int_equal(count, 0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_command_changes_nothing),
        cmocka_unit_test(memory_running_out_changes_nothing),
        cmocka_unit_test(loading_with_no_memory_changes_nothing),
        cmocka_unit_test(creating_a_world_with_no_memory_leaves_nothing),
        cmocka_unit_test(a_range_of_65536_is_one_splice),
        cmocka_unit_test(ten_thousand_objects_play_without_memory),
        cmocka_unit_test(events_of_held_time_may_gather),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
