/* SPDX-License-Identifier: MIT */
/* Tests of runs: env_setanim, env_anim, env_stop, env_pause, env_resume, autostart, the order of
 * events. Not here: the player itself (../anim/player_test.c). */
#include "tests/unit/world/rig.h"

static oban_command anim_to(int32_t first, int32_t last, int32_t stop_frame)
{
    oban_command command = rig_range(OBAN_OP_ENV_ANIM, first, last);
    OBAN_SET(&command, stop_frame, stop_frame);
    return command;
}

static int32_t frame_of(rig *r, int32_t number)
{
    return rig_object(r, number)->player.frame;
}

/* Runs on until the object stops; returns the tick of the stop. */
static uint64_t tick_of_stop(rig *r, int32_t number, uint64_t most)
{
    for (uint64_t i = 0; i < most; i++) {
        uint32_t count;
        rig_tick(r);
        const oban_event *event = oban_world_events(r->world, &count);
        for (uint32_t e = 0; e < count; e++) {
            if (event[e].type == OBAN_EVENT_STOP && event[e].number == number) {
                assert_int_equal(event[e].tick, oban_world_tick(r->world));
                return event[e].tick;
            }
        }
    }
    return UINT64_MAX;
}

/* ---- time ------------------------------------------------------------------------------------ */

static void what_starts_at_n_shows_frame_k_at_n_plus_k(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_ticks(&r, 5);
    /* inside a tick: phase 3 of tick 6 */
    oban_world_tick_begin(r.world);
    rig_do(&r, rig_setanim(1, "a"));
    assert_int_equal(r.result.kind, OBAN_RESULT_STARTED);
    assert_int_equal(r.result.items[0].run, 1);
    assert_int_equal(r.result.items[0].ends, 16);
    oban_world_tick_end(r.world);
    assert_events(&r, "start 1/1 a f0");
    for (int32_t k = 0; k < 10; k++) {
        assert_int_equal(oban_world_tick(r.world), 6 + k);
        assert_int_equal(frame_of(&r, 1), k);
        rig_stands_at(&r, 1, (float)k, 0, 0);
        assert_true(rig_object(&r, 1)->m.m[9] == (float)k); /* as published */
        rig_tick(&r);
    }
    assert_int_equal(oban_world_tick(r.world), 16);
    assert_events(&r, "stop 1/1 a f9 end");
    rig_ticks(&r, 5);
    rig_stands_at(&r, 1, 9, 0, 0); /* after its last frame it stays there */
    assert_events(&r, "");
    rig_close(&r);
}

static void while_held_frame_0_shows_at_once(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_ticks(&r, 7);
    rig_do(&r, rig_setanim(1, "a"));
    rig_settle(&r);
    assert_int_equal(oban_world_tick(r.world), 7);
    assert_int_equal(frame_of(&r, 1), 0);
    rig_tick(&r);
    assert_int_equal(frame_of(&r, 1), 1);
    rig_close(&r);
}

static void ends_is_the_tick_of_the_stop(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "plain", 0, 10);
    rig_add(&r, "loop", OBAN_CLIP_LOOP, 10);
    rig_add(&r, "pong", OBAN_CLIP_PING_PONG, 10);
    rig_add(&r, "random", OBAN_CLIP_RANDOM_START, 10);
    rig_add(&r, "auto", OBAN_CLIP_AUTOSTART, 10);
    static const char *const clips[] = {"plain", "loop", "pong", "random", "auto"};
    for (int i = 0; i < 200; i++) {
        const char *clip = clips[i % 5];
        int32_t stop_frame = i % 3 == 0 ? 0 : i % 17;
        rig_do(&r, rig_define(1, clip, NULL));
        rig_do(&r, anim_to(1, 1, stop_frame));
        uint64_t ends = r.result.items[0].ends;
        assert_true((i % 5 == 1 || i % 5 == 2) == (ends == UINT64_MAX));
        assert_true(tick_of_stop(&r, 1, 40) == ends);
        rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 1));
        rig_settle(&r);
    }
    rig_close(&r);
}

static void a_stop_frame_says_so(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 5);
    rig_do(&r, rig_define(1, "a", NULL));
    rig_do(&r, anim_to(1, 1, 3));
    rig_ticks(&r, 3);
    assert_events(&r, "stop 1/1 a f3 stop_frame");
    rig_do(&r, anim_to(1, 1, 7)); /* beyond the clip: at N+7, showing its last */
    assert_int_equal(r.result.items[0].ends, 10);
    rig_ticks(&r, 7);
    assert_events(&r, "stop 1/2 a f4 stop_frame");
    assert_int_equal(rig_object(&r, 1)->player.stop_frame, 7);
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    assert_int_equal(rig_object(&r, 1)->player.stop_frame, 0);
    rig_close(&r);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void setting_on_a_playing_object_replaces(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_add(&r, "b", 0, 20);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_do(&r, rig_setanim(1, "a"));
    rig_ticks(&r, 4);
    rig_do(&r, rig_setanim(1, "b"));
    rig_do(&r, rig_setanim(1, "b"));
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    assert_events(&r, "stop 1/1 a f4 replaced; start 1/2 b f0; stop 1/2 b f0 replaced; "
                      "start 1/3 b f0; stop 1/3 b f0 replaced; start 1/4 b f0");
    rig_close(&r);
}

static void setanim_acts_on_all_parts(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    for (uint32_t part = 0; part < 3; part++) {
        oban_command command = rig_define(4, NULL, NULL);
        OBAN_SET(&command, part, part);
        rig_do(&r, command);
    }
    rig_do(&r, rig_setanim(4, "a"));
    assert_int_equal(r.result.item_count, 3);
    rig_settle(&r);
    oban_command command = rig_setanim(4, "a");
    OBAN_SET(&command, part, 1);
    rig_do(&r, command);
    assert_events(&r, "stop 4.1/1 a f0 replaced; start 4.1/2 a f0");
    rig_close(&r);
}

static void names_are_found_with_a_warning_or_not_at_all(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "Blackvan_FB01", 0, 10);
    rig_add(&r, "Blackvan_FB02", 0, 10);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_warned(&r, rig_setanim(1, "blackvan_fb02"),
               "animation 'blackvan_fb02' is taken as 'Blackvan_FB02', which differs in case");
    rig_do(&r, rig_setanim(1, "OBANBlackvan_FB01"));
    rig_refused(&r, rig_setanim(1, "Blackvan_F01"), OBAN_NO_ANIM, "anim",
                "no animation 'Blackvan_F01'; the nearest are 'Blackvan_FB01' and 'Blackvan_FB02'");
    rig_close(&r);
}

static void anim_in_a_range_starts_what_has_one(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 6));
    rig_refused(&r, rig_on(OBAN_OP_ENV_ANIM, 2), OBAN_NO_ANIM, "object",
                "object 2 has no animation");
    rig_do(&r, rig_define(2, "a", NULL));
    rig_do(&r, rig_define(5, "a", NULL));
    rig_settle(&r);
    rig_warned(&r, rig_range(OBAN_OP_ENV_ANIM, 1, 9),
               "objects 1, 3, 4 and 1 other have no animation");
    assert_events(&r, "start 2/1 a f0; start 5/1 a f0"); /* all of one tick in that tick */
    assert_int_equal(r.result.item_count, 2);
    rig_warned(&r, rig_range(OBAN_OP_ENV_ANIM, 3, 4), "objects 3 and 4 have no animation");
    rig_close(&r);
}

static void stopping_leaves_it_where_it_is(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_do(&r, rig_define(1, "a", NULL));
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    rig_ticks(&r, 4);
    rig_do(&r, rig_on(OBAN_OP_ENV_STOP, 1));
    assert_int_equal(r.result.kind, OBAN_RESULT_STOPPED);
    assert_int_equal(r.result.items[0].run, 1);
    assert_events(&r, "stop 1/1 a f4 command");
    rig_ticks(&r, 3);
    rig_stands_at(&r, 1, 4, 0, 0);
    rig_warned(&r, rig_on(OBAN_OP_ENV_STOP, 1), "object 1 does not play");
    rig_do(&r, anim_to(1, 1, 12)); /* past the end of the clip: clamped into it */
    rig_ticks(&r, 11);
    assert_int_equal(frame_of(&r, 1), 11);
    rig_do(&r, rig_on(OBAN_OP_ENV_STOP, 1));
    assert_events(&r, "stop 1/2 a f9 command");
    rig_close(&r);
}

static void pausing_holds_and_resuming_goes_on(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_do(&r, rig_define(1, "a", NULL));
    rig_warned(&r, rig_on(OBAN_OP_ENV_PAUSE, 1), "object 1 does not play, or is paused");
    rig_warned(&r, rig_on(OBAN_OP_ENV_RESUME, 1), "object 1 is not paused");
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    rig_ticks(&r, 4);
    rig_do(&r, rig_on(OBAN_OP_ENV_PAUSE, 1));
    assert_int_equal(r.result.kind, OBAN_RESULT_PAUSED);
    rig_ticks(&r, 50);
    assert_int_equal(frame_of(&r, 1), 4);
    assert_true(rig_object(&r, 1)->player.playing);
    rig_warned(&r, rig_on(OBAN_OP_ENV_PAUSE, 1), "object 1 does not play, or is paused");
    rig_do(&r, rig_on(OBAN_OP_ENV_RESUME, 1));
    assert_int_equal(r.result.kind, OBAN_RESULT_RESUMED);
    rig_ticks(&r, 6);
    assert_events(&r, "stop 1/1 a f9 end");
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    rig_do(&r, rig_on(OBAN_OP_ENV_PAUSE, 1));
    rig_settle(&r);
    rig_do(&r, rig_on(OBAN_OP_ENV_STOP, 1)); /* paused is playing: one stop */
    assert_events(&r, "stop 1/2 a f0 command");
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    rig_do(&r, rig_on(OBAN_OP_ENV_PAUSE, 1));
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1)); /* starting unpauses */
    assert_false(rig_object(&r, 1)->player.paused);
    rig_close(&r);
}

/* ---- local clips ----------------------------------------------------------------------------- */

/* origin * quarter turn * T * R * Base: an origin turned half about y sends x to -x. */
static void a_local_one_moves_in_front_of_its_origin(void **state)
{
    (void)state;
    rig r;
    oban_mat34 origin = {{-1, 0, 0, 0, 1, 0, 0, 0, -1, 100, 50, 0}};
    rig_open(&r);
    rig_add(&r, "local", OBAN_CLIP_LOCAL, 10);
    rig_do(&r, rig_define(1, "local", &origin));
    rig_tick(&r);
    rig_stands_at(&r, 1, 100, 50, 0); /* as recorded, without the turn */
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    rig_ticks(&r, 4);
    rig_stands_at(&r, 1, 96, 50, 0);
    const float *m = rig_object(&r, 1)->m.m;
    assert_true(m[4] == 0 && m[5] == 1); /* y: to -z by the turn, to z by the origin */
    rig_close(&r);
}

/* ---- autostart ------------------------------------------------------------------------------- */

static void autostart_shows_frame_1_at_once_and_repeats_with_f(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "auto", OBAN_CLIP_AUTOSTART, 3);
    rig_do(&r, rig_define(1, "auto", NULL));
    assert_int_equal(frame_of(&r, 1), 0);
    static const struct {
        int32_t frame;
        const char *events;
    } ticks[] = {
        {1, "start 1/1 auto f0"}, {2, ""}, {2, "stop 1/1 auto f2 end"},
        {1, "start 1/2 auto f0"}, {2, ""}, {2, "stop 1/2 auto f2 end"},
        {1, "start 1/3 auto f0"},
    };
    rig_settle(&r);
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
        rig_tick(&r);
        assert_int_equal(frame_of(&r, 1), ticks[i].frame);
        assert_events(&r, ticks[i].events);
    }
    rig_close(&r);
}

static void an_autostart_of_one_frame_starts_and_stops_each_tick(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "auto", OBAN_CLIP_AUTOSTART, 1);
    rig_do(&r, rig_define(1, "auto", NULL));
    rig_tick(&r);
    assert_events(&r, "start 1/1 auto f0; stop 1/1 auto f0 end");
    rig_tick(&r);
    assert_events(&r, "start 1/2 auto f0; stop 1/2 auto f0 end");
    rig_close(&r);
}

static void stop_holds_an_autostart_for_a_tick_and_pause_for_good(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "auto", OBAN_CLIP_AUTOSTART | OBAN_CLIP_LOOP, 5);
    rig_do(&r, rig_define(1, "auto", NULL));
    rig_ticks(&r, 8); /* frames 1 2 3 4 0 1 2 3 */
    assert_int_equal(frame_of(&r, 1), 3);
    rig_do(&r, rig_on(OBAN_OP_ENV_STOP, 1));
    rig_settle(&r);
    assert_int_equal(frame_of(&r, 1), 3);
    rig_tick(&r);
    assert_events(&r, "start 1/2 auto f0");
    assert_int_equal(frame_of(&r, 1), 1);
    rig_do(&r, rig_on(OBAN_OP_ENV_PAUSE, 1));
    rig_ticks(&r, 10);
    assert_int_equal(frame_of(&r, 1), 1);
    assert_int_equal(rig_object(&r, 1)->player.run, 2);
    rig_close(&r);
}

static void started_by_command_an_autostart_shows_frame_0(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "auto", OBAN_CLIP_AUTOSTART, 3);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_do(&r, rig_setanim(1, "auto"));
    rig_settle(&r);
    assert_int_equal(frame_of(&r, 1), 0);
    rig_tick(&r);
    assert_int_equal(frame_of(&r, 1), 1);
    rig_close(&r);
}

/* ---- order ----------------------------------------------------------------------------------- */

static void events_go_by_phase_then_number_the_camera_last(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "auto", OBAN_CLIP_AUTOSTART, 2);
    rig_add(&r, "one", 0, 1);
    oban_command camera = rig_command(OBAN_OP_CM_ANIM);
    OBAN_SET(&camera, mode, OBAN_CAMERA_BOTH);
    OBAN_SET(&camera, anim, oban_text_of("one"));
    rig_do(&r, camera);
    rig_do(&r, rig_define(9, "auto", NULL));
    rig_do(&r, rig_define(3, "one", NULL));
    rig_do(&r, rig_define(5, "auto", NULL));
    rig_do(&r, rig_define(1, "one", NULL));
    rig_do(&r, rig_range(OBAN_OP_ENV_ANIM, 1, 3));
    rig_settle(&r);
    oban_world_tick_begin(r.world);
    rig_do(&r, rig_on(OBAN_OP_OBJ_HIDE, 1));
    rig_do(&r, rig_on(OBAN_OP_ENV_STOP, 9));
    oban_world_tick_end(r.world);
    assert_events(&r, "start 5/1 auto f0; start 9/1 auto f0; stop 1/1 one f0 end; "
                      "stop 3/1 one f0 end; stop camera/1 one f0 end; hidden 1; "
                      "stop 9/1 auto f1 command");
    rig_close(&r);
}

/* Whatever is done to it, each run has one start and one stop. */
static void each_run_stops_once(void **state)
{
    (void)state;
    enum { RUNS = 4000 };
    static unsigned char seen[RUNS]; /* 1 started, 2 stopped */
    rig r;
    uint64_t random = 99;
    uint32_t life = 0;
    rig_open(&r);
    memset(seen, 0, sizeof seen);
    rig_add(&r, "a", 0, 7);
    rig_add(&r, "auto", OBAN_CLIP_AUTOSTART, 4);
    rig_add(&r, "door", OBAN_CLIP_LOCAL, 9);
    static const char *const clips[] = {"a", "auto", "door"};
    rig_do(&r, rig_define(1, NULL, NULL));
    for (int i = 0; i < 3000; i++) {
        static const oban_op ops[] = {OBAN_OP_ENV_ANIM, OBAN_OP_ENV_STOP, OBAN_OP_ENV_PAUSE,
                                      OBAN_OP_ENV_RESUME, OBAN_OP_OBJ_PLACE};
        oban_command command = rig_on(ops[rig_random(&random) % 5], 1);
        OBAN_SET(&command, matrix, oban_mat34_identity());
        if (rig_random(&random) % 4 == 0) {
            command = rig_setanim(1, clips[rig_random(&random) % 3]);
        } else if (rig_random(&random) % 40 == 0) {
            command = rig_define(1, clips[rig_random(&random) % 3], NULL);
        }
        oban_world_tick_begin(r.world);
        (void)rig_apply(&r, command);
        oban_world_tick_end(r.world);
        uint32_t count;
        const oban_event *event = oban_world_events(r.world, &count);
        for (uint32_t e = 0; e < count; e++) {
            life = event[e].life;
            assert_int_equal(life, 1);
            assert_true(event[e].run < RUNS);
            if (event[e].type == OBAN_EVENT_START) {
                assert_int_equal(seen[event[e].run], 0);
                assert_true(event[e].run == 1 || seen[event[e].run - 1] == 2);
                seen[event[e].run] = 1;
            } else if (event[e].type == OBAN_EVENT_STOP) {
                assert_int_equal(seen[event[e].run], 1);
                seen[event[e].run] = 2;
            }
        }
        uint32_t run = rig_object(&r, 1)->player.run;
        assert_int_equal(seen[run], run == 0 ? 0 : rig_object(&r, 1)->player.playing ? 1 : 2);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_starts_at_n_shows_frame_k_at_n_plus_k),
        cmocka_unit_test(while_held_frame_0_shows_at_once),
        cmocka_unit_test(ends_is_the_tick_of_the_stop),
        cmocka_unit_test(a_stop_frame_says_so),
        cmocka_unit_test(setting_on_a_playing_object_replaces),
        cmocka_unit_test(setanim_acts_on_all_parts),
        cmocka_unit_test(names_are_found_with_a_warning_or_not_at_all),
        cmocka_unit_test(anim_in_a_range_starts_what_has_one),
        cmocka_unit_test(stopping_leaves_it_where_it_is),
        cmocka_unit_test(pausing_holds_and_resuming_goes_on),
        cmocka_unit_test(a_local_one_moves_in_front_of_its_origin),
        cmocka_unit_test(autostart_shows_frame_1_at_once_and_repeats_with_f),
        cmocka_unit_test(an_autostart_of_one_frame_starts_and_stops_each_tick),
        cmocka_unit_test(stop_holds_an_autostart_for_a_tick_and_pause_for_good),
        cmocka_unit_test(started_by_command_an_autostart_shows_frame_0),
        cmocka_unit_test(events_go_by_phase_then_number_the_camera_last),
        cmocka_unit_test(each_run_stops_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
