/* SPDX-License-Identifier: MIT */
/* Tests of memory and size: a failed command changes nothing, whichever allocation fails; 10,000
 * doings at once, each with its one stop, no memory asked for in a tick, and little time. */
#include "tests/unit/wild/random_run.h"

#include <time.h>

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- failing --------------------------------------------------------------------------------- */

/* Each command with its first allocation failing, then its second, until it is done. */
static void memory_running_out_changes_nothing(void **state)
{
    (void)state;
    wild_rig r;
    uint64_t random = 8888;
    int ran_out = 0;
    run_open(&r);
    for (int i = 0; i < 6000; i++) {
        /* a new one now and then: with room left, nothing is asked for */
        if (i % 30 == 0) {
            wild_close(&r);
            run_open(&r);
        }
        uint64_t hash = wild_hash(r.wild);
        for (uint64_t allowed = 0;; allowed++) {
            uint64_t again = random;
            uint32_t events;
            uint32_t after;
            (void)oban_wild_events(r.wild, &events);
            r.memory.fail_at = r.memory.taken + allowed;
            oban_status status = run_command(&r, &again);
            r.memory.fail_at = UINT64_MAX;
            if (status != OBAN_NO_MEMORY) {
                random = again;
                break;
            }
            (void)oban_wild_events(r.wild, &after);
            ran_out += 1;
            assert_int_equal(events, after);
            assert_true(hash == wild_hash(r.wild));
            assert_string_equal(r.result.message.data, "memory ran out; nothing was changed");
        }
        oban_wild_evaluate(r.wild, 1);
        wild_step(&r, oban_wild_tick(r.wild) + rig_random(&random) % 40); /* asks for none */
    }
    assert_true(ran_out > 1000);
    wild_close(&r);
}

static void loading_with_no_memory_changes_nothing(void **state)
{
    (void)state;
    wild_rig a;
    wild_rig b;
    uint64_t random = 4444;
    oban_line line;
    oban_status status = OBAN_NO_MEMORY;
    int ran_out = 0;
    run_open(&a);
    for (int i = 0; i < 300; i++) {
        run_tick(&a, &random);
    }
    size_t bytes = oban_wild_save(a.wild, NULL, 0);
    unsigned char *data = malloc(bytes);
    assert_non_null(data);
    (void)oban_wild_save(a.wild, data, bytes);
    run_open(&b);
    wild_crowd(&b, 5);
    uint64_t hash = wild_hash(b.wild);
    size_t held = b.memory.bytes;
    for (uint64_t allowed = 0; status == OBAN_NO_MEMORY; allowed++) {
        b.memory.fail_at = b.memory.taken + allowed;
        status = oban_wild_load(b.wild, data, bytes, &line);
        b.memory.fail_at = UINT64_MAX;
        if (status == OBAN_NO_MEMORY) {
            ran_out += 1;
            assert_true(hash == wild_hash(b.wild));
            assert_int_equal(b.memory.bytes, held);
        }
    }
    assert_int_equal(status, OBAN_OK);
    assert_true(ran_out > 10);
    assert_true(wild_hash(a.wild) == wild_hash(b.wild));
    free(data);
    wild_close(&a);
    wild_close(&b);
}

static void creating_with_no_memory_leaves_nothing(void **state)
{
    (void)state;
    rig_memory memory;
    const oban_alloc alloc = rig_alloc(&memory);
    const oban_wild_limits limits = oban_wild_limits_default();
    oban_wild *wild = NULL;
    memory.fail_at = 0;
    assert_int_equal(oban_wild_create(&alloc, &limits, 0, &wild), OBAN_NO_MEMORY);
    assert_int_equal(memory.bytes, 0);
    oban_wild_destroy(NULL);
}

/* ---- size ------------------------------------------------------------------------------------ */

enum { CROWD = 10000 };

static void do_crowd(wild_rig *r, const char *action, uint64_t first_start, uint64_t every)
{
    for (uint32_t i = 0; i < CROWD; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "s%u", i);
        assert_int_equal(wild_do(r, action, "a", name, first_start + every * i, false), OBAN_OK);
    }
}

/* A drop that spins, as in the fountain. */
static void define_spinning_drop(wild_rig *r, bool remove)
{
    const oban_wild_command_def commands[] = {
        wild_set(OBAN_WILD_Y | OBAN_WILD_V, -100000), wild_set(OBAN_WILD_Y | OBAN_WILD_A, 1200),
        wild_set(OBAN_WILD_RY, 65536), wild_set(OBAN_WILD_R | OBAN_WILD_V, 655360)};
    const oban_wild_move_def move = WILD_MOVE(1, 0, 200, commands);
    assert_int_equal(wild_define(r, "drop", 1, &move, 1, remove), OBAN_OK);
}

static void ten_thousand_doings_stop_once_each(void **state)
{
    (void)state;
    wild_rig r;
    uint32_t stops = 0;
    uint32_t gone = 0;
    uint32_t count;
    wild_open(&r);
    wild_crowd(&r, CROWD);
    define_spinning_drop(&r, true);
    do_crowd(&r, "drop", 0, 0);
    oban_wild_evaluate(r.wild, 1);
    double begin = seconds();
    for (uint64_t n = 1; n <= 241; n++) {
        wild_step(&r, n); /* the allocator fails the test when it is asked */
        stops += wild_stops(&r, OBAN_WILD_STOP_END);
        (void)oban_wild_gone_list(r.wild, &count);
        gone += count;
    }
    print_message("a tick of %d doings: %.3f ms\n", CROWD, (seconds() - begin) / 241 * 1e3);
    assert_int_equal(stops, CROWD);
    assert_int_equal(gone, CROWD);
    assert_int_equal(oban_wild_sector_count(r.wild), 0);
    wild_close(&r);
}

/* What waits or is held costs nothing: many idle ticks take less than a few busy ones. */
static void the_idle_cost_nothing(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    wild_crowd(&r, CROWD);
    define_spinning_drop(&r, false);
    do_crowd(&r, "drop", 1000000, 0);
    oban_wild_evaluate(r.wild, 1);
    double begin = seconds();
    for (uint64_t n = 1; n <= 20000; n++) {
        wild_step(&r, n);
    }
    double idle = seconds() - begin;
    wild_step(&r, 1200001);
    begin = seconds();
    for (uint64_t n = 1200002; n <= 1200101; n++) {
        wild_step(&r, n);
    }
    double busy = seconds() - begin;
    print_message("20000 idle ticks %.3f ms, 100 busy ones %.3f ms\n", idle * 1e3, busy * 1e3);
    assert_true(idle < busy);
    wild_close(&r);
}

/* Each with a start of its own: every tick some begin, some end, some vanish. */
static void a_fountain_runs_dry(void **state)
{
    (void)state;
    wild_rig r;
    uint32_t stops = 0;
    wild_open(&r);
    wild_crowd(&r, CROWD);
    define_spinning_drop(&r, true);
    do_crowd(&r, "drop", 1, 1);
    for (uint64_t n = 100; oban_wild_sector_count(r.wild) > 0; n += 100) {
        wild_step(&r, n);
        stops += wild_stops(&r, OBAN_WILD_STOP_END);
    }
    assert_int_equal(stops, CROWD);
    wild_close(&r);
}

/* Room is for what is there, not for what was: memory does not grow with time. */
static void memory_is_bounded_by_what_is_there(void **state)
{
    (void)state;
    wild_rig r;
    size_t held = 0;
    wild_open(&r);
    wild_define_drop(&r, true);
    const oban_wild_sector_def sector = wild_sector("s", NULL, 0, 0, 0);
    for (uint64_t i = 0; i < 3000; i++) {
        assert_int_equal(wild_alien(&r, "a", &sector, 1), OBAN_OK);
        assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
        wild_define_drop(&r, true); /* the old one goes on, then is freed */
        wild_step(&r, (i + 1) * 300);
        assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_END), 1);
        held = i == 100 ? r.memory.bytes : held;
    }
    assert_int_equal(r.memory.bytes, held);
    wild_close(&r);
}

/* No clearing between commands while time is held. */
static void events_of_held_time_may_gather(void **state)
{
    (void)state;
    wild_rig r;
    uint32_t count;
    wild_open(&r);
    wild_crowd(&r, 10);
    wild_define_drop(&r, true);
    for (uint64_t i = 0; i < 500; i++) {
        assert_int_equal(wild_do(&r, "drop", "a", "s3", 0, true), OBAN_OK);
        oban_wild_evaluate(r.wild, i + 1);
    }
    (void)oban_wild_events(r.wild, &count);
    assert_int_equal(count, 499);
    for (uint64_t i = 0; i < 50; i++) { /* one name lives and dies many times in one tick */
        const oban_wild_sector_def sector = wild_sector("t", NULL, 0, 0, 0);
        assert_int_equal(wild_alien(&r, "b", &sector, 1), OBAN_OK);
        assert_int_equal(wild_do(&r, "drop", "b", "t", 0, false), OBAN_OK);
        assert_int_equal(oban_wild_abort(r.wild, r.result.doing, &r.result), OBAN_OK);
        assert_int_equal(wild_remove(&r, "b", "t"), OBAN_OK);
    }
    (void)oban_wild_gone_list(r.wild, &count);
    assert_int_equal(count, 50);
    wild_step(&r, 1);
    (void)oban_wild_gone_list(r.wild, &count);
    assert_int_equal(count, 0);
    assert_int_equal(oban_wild_sector_count(r.wild), 10);
    wild_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_running_out_changes_nothing),
        cmocka_unit_test(loading_with_no_memory_changes_nothing),
        cmocka_unit_test(creating_with_no_memory_leaves_nothing),
        cmocka_unit_test(ten_thousand_doings_stop_once_each),
        cmocka_unit_test(the_idle_cost_nothing),
        cmocka_unit_test(a_fountain_runs_dry),
        cmocka_unit_test(memory_is_bounded_by_what_is_there),
        cmocka_unit_test(events_of_held_time_may_gather),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
