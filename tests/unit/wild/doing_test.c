/* SPDX-License-Identifier: MIT */
/* Tests of doings: starts now, before and to come; ends, aborts, replacing, removal; one stop each,
 * with its reason; jumps of the clock. */
#include "tests/unit/wild/rig.h"

#define ONE_SECTOR(r)                                                                              \
    const oban_wild_sector_def one_sector = wild_sector("s", NULL, 0, 0, 0);                       \
    assert_int_equal(wild_alien(r, "a", &one_sector, 1), OBAN_OK)

static float y_of(const wild_rig *r, const char *sector)
{
    return wild_view(r, "a", sector).rel.m[10];
}

/* ---- time ------------------------------------------------------------------------------------ */

static void wild_ticks_follow_from_the_count(void **state)
{
    (void)state;
    const uint64_t expected[] = {0, 0, 1, 2, 3, 4, 5, 5, 6};
    for (uint64_t n = 0; n < 9; n++) {
        assert_int_equal(oban_wild_tick_of(n), expected[n]);
    }
    assert_int_equal(oban_wild_tick_of(239), 199);
    assert_int_equal(oban_wild_tick_of(240), 200);
    assert_int_equal(oban_wild_tick_of(UINT64_MAX), UINT64_MAX / 6 * 5 + UINT64_MAX % 6 * 5 / 6);
}

static void every_sixth_frame_repeats_a_pose(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_drop(&r, false);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
    oban_wild_evaluate(r.wild, 1);
    for (uint64_t n = 1; n <= 60; n++) {
        float before = y_of(&r, "s");
        wild_step(&r, n);
        assert_int_equal(y_of(&r, "s") == before, n % 6 == 1);
        assert_int_equal(oban_wild_changed(r.wild) == n + 1, n % 6 != 1);
    }
    wild_close(&r);
}

static void the_drop_stops_once_at_its_end(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_drop(&r, false);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
    assert_int_equal(r.result.doing, 1);
    assert_int_equal(r.result.started, 0);
    assert_int_equal(r.result.ends, 200);
    for (uint64_t n = 1; n <= 300; n++) {
        wild_step(&r, n);
        uint32_t stops = wild_stops(&r, OBAN_WILD_STOP_END);
        assert_int_equal(stops, n == 240);
        if (stops == 1) {
            uint32_t count;
            const oban_wild_event *event = oban_wild_events(r.wild, &count);
            assert_int_equal(event->tick, 240);
            assert_int_equal(event->wild_tick, 200);
            assert_int_equal(event->doing, 1);
            assert_string_equal(event->alien, "a");
            assert_string_equal(event->action, "drop");
        }
    }
    assert_true(y_of(&r, "s") == 61.03515625f); /* held */
    assert_int_equal(oban_wild_doing_count(r.wild), 0);
    assert_null(oban_wild_doing_find(r.wild, 1));
    wild_close(&r);
}

static void a_start_in_the_past_shows_its_true_elapsed_time(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_drop(&r, false);
    wild_to(&r, 90);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 40, false), OBAN_OK);
    assert_int_equal(r.result.started, 40);
    assert_int_equal(r.result.ends, 240);
    oban_wild_evaluate(r.wild, 1000);
    assert_true(y_of(&r, "s") == -53.40576171875f);
    wild_to(&r, 140);
    assert_true(y_of(&r, "s") == -61.03515625f);
    wild_close(&r);
}

static void what_has_ended_already_stops_at_once(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_drop(&r, false);
    wild_to(&r, 500);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 300, false), OBAN_OK);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_END), 1);
    assert_int_equal(r.result.warning_count, 1);
    oban_wild_evaluate(r.wild, 1000);
    assert_true(y_of(&r, "s") == 61.03515625f);
    assert_int_equal(oban_wild_doing_count(r.wild), 0);
    wild_close(&r);
}

static void a_start_to_come_waits_and_holds_its_sector(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_drop(&r, false);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 100, false), OBAN_OK);
    assert_int_equal(r.result.ends, 300);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_SECTOR_BUSY);
    wild_to(&r, 99);
    assert_true(y_of(&r, "s") == 0);
    assert_int_equal(wild_view(&r, "a", "s").doing, 1);
    wild_to(&r, 150);
    assert_true(y_of(&r, "s") == -53.40576171875f);
    wild_close(&r);
}

static void an_abort_in_mid_air_holds_the_pose(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_drop(&r, false);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
    wild_to(&r, 50);
    assert_int_equal(oban_wild_abort(r.wild, 1, &r.result), OBAN_OK);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_COMMAND), 1);
    assert_int_equal(oban_wild_abort(r.wild, 1, &r.result), OBAN_NO_DOING);
    wild_to(&r, 500);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_END), 0);
    assert_true(y_of(&r, "s") == -53.40576171875f);
    /* and the next one starts from there */
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
    assert_int_equal(r.result.doing, 2);
    wild_to(&r, 550);
    assert_true(y_of(&r, "s") == 2 * -53.40576171875f);
    wild_close(&r);
}

/* ---- replacing ------------------------------------------------------------------------------- */

static void a_replacing_doing_starts_from_the_pose_at_rest(void **state)
{
    (void)state;
    wild_rig r;
    const oban_wild_command_def commands[] = {wild_set(OBAN_WILD_Y | OBAN_WILD_A, 1200)};
    const oban_wild_move_def move = WILD_MOVE(1, 0, 100, commands);
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_drop(&r, true);
    assert_int_equal(wild_define(&r, "fall", 1, &move, 1, false), OBAN_OK);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
    wild_to(&r, 50);
    assert_int_equal(wild_do(&r, "fall", "a", "s", 0, true), OBAN_OK);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_REPLACED), 1);
    wild_to(&r, 100); /* 600 * 50^2 / 65536 below: the speed of the drop is gone */
    assert_true(y_of(&r, "s") == -53.40576171875f + 22.88818359375f);
    wild_to(&r, 400); /* and `remove` was the drop's, which was replaced */
    assert_int_equal(oban_wild_sector_count(r.wild), 1);
    wild_close(&r);
}

static void replacing_frees_the_other_sectors(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    wild_crowd(&r, 3);
    const oban_wild_command_def commands[] = {wild_set(OBAN_WILD_X | OBAN_WILD_V, 65536)};
    const oban_wild_move_def moves[] = {WILD_MOVE(1, 0, 100, commands),
                                        WILD_MOVE(2, 0, 100, commands)};
    assert_int_equal(wild_define(&r, "both", 2, moves, 2, false), OBAN_OK);
    wild_define_drop(&r, false);
    const oban_text sectors[] = {{"s0", 2}, {"s1", 2}};
    const oban_wild_do_def def = {
        .alien = {"a", 1}, .action = {"both", 4}, .sectors = sectors, .sector_count = 2};
    assert_int_equal(oban_wild_do(r.wild, &def, &r.result), OBAN_OK);
    wild_to(&r, 10);
    assert_int_equal(wild_do(&r, "drop", "a", "s0", 0, true), OBAN_OK);
    assert_int_equal(oban_wild_doing_count(r.wild), 1);
    wild_to(&r, 50);
    assert_true(wild_view(&r, "a", "s1").rel.m[9] == 10); /* stopped with the other */
    assert_int_equal(wild_view(&r, "a", "s1").doing, 0);
    assert_int_equal(wild_do(&r, "drop", "a", "s1", 0, false), OBAN_OK);
    wild_close(&r);
}

/* ---- vanishing ------------------------------------------------------------------------------- */

static void a_removed_drop_shows_its_last_pose_and_is_gone_the_tick_after(void **state)
{
    (void)state;
    wild_rig r;
    uint32_t count;
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_drop(&r, true);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
    wild_step(&r, 240);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_END), 1);
    assert_true(y_of(&r, "s") == 61.03515625f);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_UNKNOWN_SECTOR);
    (void)oban_wild_gone_list(r.wild, &count);
    assert_int_equal(count, 0);
    wild_step(&r, 241);
    const oban_wild_gone *gone = oban_wild_gone_list(r.wild, &count);
    assert_int_equal(count, 1);
    assert_string_equal(gone->alien, "a");
    assert_string_equal(gone->sector, "s");
    assert_int_equal(gone->life, 1);
    assert_int_equal(gone->h, 1);
    assert_int_equal(oban_wild_sector_count(r.wild), 0);
    /* the arena is still there and takes a new one, of another life */
    assert_int_equal(wild_alien(&r, "a", &one_sector, 1), OBAN_OK);
    oban_wild_evaluate(r.wild, 300);
    assert_int_equal(wild_view(&r, "a", "s").life, 2);
    wild_close(&r);
}

static void removal_takes_the_subtree_and_kills_its_doings(void **state)
{
    (void)state;
    wild_rig r;
    uint32_t count;
    const oban_wild_sector_def sectors[] = {
        wild_sector("body", NULL, 0, 0, 0), wild_sector("arm", "body", 1, 0, 0),
        wild_sector("hand", "arm", 1, 0, 0), wild_sector("leg", "body", 0, 1, 0)};
    wild_open(&r);
    assert_int_equal(wild_alien(&r, "a", sectors, 4), OBAN_OK);
    wild_define_drop(&r, false);
    assert_int_equal(wild_do(&r, "drop", "a", "hand", 0, false), OBAN_OK);
    assert_int_equal(wild_do(&r, "drop", "a", "leg", 0, false), OBAN_OK);
    assert_int_equal(wild_remove(&r, "a", "arm"), OBAN_OK);
    assert_int_equal(r.result.sectors, 2);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_KILLED), 1);
    (void)oban_wild_gone_list(r.wild, &count);
    assert_int_equal(count, 2);
    assert_int_equal(oban_wild_sector_count(r.wild), 2);
    assert_int_equal(wild_remove(&r, "a", "hand"), OBAN_UNKNOWN_SECTOR);
    wild_to(&r, 50);
    assert_true(y_of(&r, "leg") == 1 - 53.40576171875f);
    assert_int_equal(wild_remove(&r, "a", NULL), OBAN_OK);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_KILLED), 1);
    assert_null(oban_wild_alien_find(r.wild, oban_text_of("a")));
    assert_int_equal(oban_wild_sector_count(r.wild), 0);
    wild_close(&r);
}

/* A doing on two sectors, with remove; one of them is removed by a command: the other follows at
 * the next tick, and a doing on its child is killed then. */
static void a_killed_doing_lets_its_other_sectors_vanish(void **state)
{
    (void)state;
    wild_rig r;
    const oban_wild_sector_def sectors[] = {wild_sector("p", NULL, 0, 0, 0),
                                            wild_sector("q", NULL, 0, 0, 0),
                                            wild_sector("child", "q", 0, 0, 0)};
    const oban_wild_command_def commands[] = {wild_set(OBAN_WILD_X | OBAN_WILD_V, 65536)};
    const oban_wild_move_def move = WILD_MOVE(1, 0, 100, commands);
    const oban_text pair[] = {{"p", 1}, {"q", 1}};
    const oban_wild_do_def def = {
        .alien = {"a", 1}, .action = {"pair", 4}, .sectors = pair, .sector_count = 2};
    wild_open(&r);
    assert_int_equal(wild_alien(&r, "a", sectors, 3), OBAN_OK);
    assert_int_equal(wild_define(&r, "pair", 2, &move, 1, true), OBAN_OK);
    wild_define_drop(&r, false);
    assert_int_equal(oban_wild_do(r.wild, &def, &r.result), OBAN_OK);
    assert_int_equal(wild_do(&r, "drop", "a", "child", 0, false), OBAN_OK);
    assert_int_equal(wild_remove(&r, "a", "p"), OBAN_OK);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_KILLED), 1);
    assert_int_equal(oban_wild_sector_count(r.wild), 2);
    wild_step(&r, 1);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_KILLED), 1);
    assert_int_equal(oban_wild_sector_count(r.wild), 0);
    wild_close(&r);
}

static void an_action_defined_anew_leaves_what_goes_on(void **state)
{
    (void)state;
    wild_rig r;
    const oban_wild_command_def commands[] = {wild_set(OBAN_WILD_Y | OBAN_WILD_V, 65536)};
    const oban_wild_move_def move = WILD_MOVE(1, 0, 10, commands);
    wild_open(&r);
    wild_crowd(&r, 2);
    wild_define_drop(&r, false);
    assert_int_equal(wild_do(&r, "drop", "a", "s0", 0, false), OBAN_OK);
    assert_int_equal(wild_define(&r, "drop", 1, &move, 1, false), OBAN_OK);
    assert_int_equal(wild_do(&r, "drop", "a", "s1", 0, false), OBAN_OK);
    assert_int_equal(oban_wild_action_count(r.wild), 1);
    wild_to(&r, 50);
    assert_true(y_of(&r, "s0") == -53.40576171875f);
    assert_true(y_of(&r, "s1") == 10);
    const oban_wild_remove_def remove = {.action = {"drop", 4}};
    assert_int_equal(oban_wild_remove(r.wild, &remove, &r.result), OBAN_OK);
    assert_int_equal(oban_wild_action_count(r.wild), 0);
    wild_to(&r, 200);
    assert_int_equal(wild_stops(&r, OBAN_WILD_STOP_END), 1);
    assert_int_equal(wild_do(&r, "drop", "a", "s0", 0, false), OBAN_UNKNOWN_ACTION);
    wild_close(&r);
}

/* ---- jumps ----------------------------------------------------------------------------------- */

/* 200 drops with starts of their own, each removed at its end, some with children that have doings
 * of their own. */
static void jump_scene(wild_rig *r)
{
    wild_open(r);
    wild_crowd(r, 200);
    wild_define_drop(r, true);
    wild_define_rotor(r, 58982);
    for (uint32_t i = 0; i < 200; i++) {
        char name[16];
        char child[16];
        (void)snprintf(name, sizeof name, "s%u", i);
        (void)snprintf(child, sizeof child, "c%u", i);
        if (i % 3 == 0) {
            const oban_wild_sector_def sector = wild_sector(child, name, 10, 0, 0);
            assert_int_equal(wild_alien(r, "a", &sector, 1), OBAN_OK);
            assert_int_equal(wild_do(r, i % 2 ? "rotor" : "drop", "a", child, 1 + i / 2, false),
                             OBAN_OK);
        }
        assert_int_equal(wild_do(r, "drop", "a", name, 1 + i, false), OBAN_OK);
    }
}

/* How much came about in a step. */
static void listen(const wild_rig *r, uint32_t *events, uint32_t *gone)
{
    uint32_t count;
    (void)oban_wild_events(r->wild, &count);
    *events += count;
    (void)oban_wild_gone_list(r->wild, &count);
    *gone += count;
}

static void assert_same_matrices(const oban_wild *a, const oban_wild *b)
{
    const oban_wild_sector *of_b = oban_wild_sector_first(b);
    for (const oban_wild_sector *of_a = oban_wild_sector_first(a); of_a != NULL;
         of_a = oban_wild_sector_next(of_a), of_b = oban_wild_sector_next(of_b)) {
        oban_wild_view va;
        oban_wild_view vb;
        oban_wild_sector_view(of_a, &va);
        oban_wild_sector_view(of_b, &vb);
        assert_true(oban_mat34_same(&va.m, &vb.m));
        assert_true(oban_mat34_same(&va.rel, &vb.rel));
    }
}

static void a_jump_gives_what_steps_give(void **state)
{
    (void)state;
    /* 108 is Wild's 90, 372 its 310 */
    const uint64_t jumps[][6] = {
        {108, 372, 600, 1000, 0, 0}, {5, 7, 300, 301, 999, 1000}, {1000, 0, 0, 0, 0, 0}};
    for (size_t j = 0; j < 3; j++) {
        wild_rig step;
        wild_rig jump;
        uint32_t events[2] = {0, 0};
        uint32_t gone[2] = {0, 0};
        uint64_t at = 0;
        jump_scene(&step);
        jump_scene(&jump);
        for (size_t i = 0; i < 6 && jumps[j][i] != 0; i++) {
            while (at < jumps[j][i]) {
                wild_step(&step, ++at);
                listen(&step, &events[0], &gone[0]);
            }
            wild_step(&jump, at);
            listen(&jump, &events[1], &gone[1]);
            assert_true(wild_hash(step.wild) == wild_hash(jump.wild));
            assert_int_equal(events[0], events[1]);
            assert_int_equal(gone[0], gone[1]);
            assert_same_matrices(step.wild, jump.wild);
        }
        assert_true(events[0] >= 200 && gone[0] >= 200);
        wild_close(&step);
        wild_close(&jump);
    }
}

/* The events of a jump are those of the steps, one by one. */
static void a_jump_tells_the_same_events(void **state)
{
    (void)state;
    wild_rig step;
    wild_rig jump;
    uint32_t count;
    uint32_t seen = 0;
    jump_scene(&step);
    jump_scene(&jump);
    wild_step(&jump, 1000);
    const oban_wild_event *all = oban_wild_events(jump.wild, &count);
    for (uint64_t n = 1; n <= 1000; n++) {
        uint32_t now;
        wild_step(&step, n);
        const oban_wild_event *events = oban_wild_events(step.wild, &now);
        for (uint32_t i = 0; i < now; i++, seen++) {
            assert_true(seen < count);
            assert_memory_equal(&events[i], &all[seen], sizeof *all);
        }
    }
    assert_int_equal(seen, count);
    assert_true(seen >= 200);
    wild_close(&step);
    wild_close(&jump);
}

static void a_forever_rotor_does_not_drift_in_a_billion_ticks(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    ONE_SECTOR(&r);
    wild_define_rotor(&r, 58982);
    assert_int_equal(wild_do(&r, "rotor", "a", "s", 0, false), OBAN_OK);
    assert_true(r.result.ends == OBAN_WILD_NEVER);
    oban_wild_evaluate(r.wild, 1);
    /* 2 * 58982 * t is a multiple of the turn 47185920 every 11796480 ticks, whatever is before */
    for (uint64_t t = 77; t <= 90; t++) {
        wild_rig near;
        wild_open(&near);
        assert_int_equal(wild_alien(&near, "a", &one_sector, 1), OBAN_OK);
        wild_define_rotor(&near, 58982);
        assert_int_equal(wild_do(&near, "rotor", "a", "s", 0, false), OBAN_OK);
        wild_to(&near, t);
        wild_to(&r, t + 11796480u * 85u); /* 1,002,700,877 and on */
        const oban_mat34 a = wild_view(&near, "a", "s").m;
        const oban_mat34 b = wild_view(&r, "a", "s").m;
        assert_true(oban_mat34_same(&a, &b));
        wild_close(&near);
    }
    wild_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wild_ticks_follow_from_the_count),
        cmocka_unit_test(every_sixth_frame_repeats_a_pose),
        cmocka_unit_test(the_drop_stops_once_at_its_end),
        cmocka_unit_test(a_start_in_the_past_shows_its_true_elapsed_time),
        cmocka_unit_test(what_has_ended_already_stops_at_once),
        cmocka_unit_test(a_start_to_come_waits_and_holds_its_sector),
        cmocka_unit_test(an_abort_in_mid_air_holds_the_pose),
        cmocka_unit_test(a_replacing_doing_starts_from_the_pose_at_rest),
        cmocka_unit_test(replacing_frees_the_other_sectors),
        cmocka_unit_test(a_removed_drop_shows_its_last_pose_and_is_gone_the_tick_after),
        cmocka_unit_test(removal_takes_the_subtree_and_kills_its_doings),
        cmocka_unit_test(a_killed_doing_lets_its_other_sectors_vanish),
        cmocka_unit_test(an_action_defined_anew_leaves_what_goes_on),
        cmocka_unit_test(a_jump_gives_what_steps_give),
        cmocka_unit_test(a_jump_tells_the_same_events),
        cmocka_unit_test(a_forever_rotor_does_not_drift_in_a_billion_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
