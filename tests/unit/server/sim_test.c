/* SPDX-License-Identifier: MIT */
/* The sim over a fake wire: order and shape of what a request brings, held time, running time,
 * steps, catch-up. Next: fake.h, sim_requests_test.c. */
#include "fake.h"

/* ---- beginning ---- */

static void test_hello_and_snapshot(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn = {.room = FAKE_NO_LIMIT};
    fake_rig_init(&rig, true);
    conn.client = oban_hub_open(rig.hub, &conn, false);
    const oban_json *hello = fake_next(&conn);
    assert_string_equal(fake_string(hello, "op"), "hello");
    assert_string_equal(fake_string(hello, "server"), "oband");
    assert_string_equal(fake_string(hello, "protocol"), "oban.v1");
    assert_string_equal(fake_string(hello, "session"), "0123456789abcdef");
    assert_string_equal(fake_string(hello, "matrix"), "3x4-columns");
    assert_int_equal(fake_number(hello, "rate_hz"), 60);
    assert_int_equal(fake_number(hello, "seq"), 0);
    assert_true(oban_json_bool(oban_json_member(hello, "paused")));
    assert_int_equal(fake_number(oban_json_member(hello, "limits"), "clients_max"), 256);
    assert_int_equal(fake_number(oban_json_member(hello, "counts"), "clips"), 4);
    assert_int_equal(fake_number(oban_json_member(hello, "counts"), "clients"), 1);
    const oban_json *snapshot = fake_next(&conn);
    static const char *const lists[] = {"objects", "doors", "characters", "sectors", "hidden_refs"};
    for (unsigned i = 0; i < 5; i++) {
        const oban_json *list = oban_json_member(snapshot, lists[i]);
        assert_non_null(list);
        assert_int_equal(oban_json_type_of(list), OBAN_JSON_ARRAY);
        assert_null(oban_json_first(list));
    }
    const oban_json *camera = oban_json_member(snapshot, "camera");
    assert_string_equal(fake_string(camera, "mode"), "free");
    assert_int_equal(fake_number(camera, "fov"), 45);
    assert_int_equal(oban_json_type_of(oban_json_member(camera, "anim")), OBAN_JSON_NULL);
    fake_expect(&conn, "snapshot_end 0");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_snapshot_comes_in_pieces(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    uint32_t pieces = 0;
    uint32_t objects = 0;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    fake_say(&conn, "obj_create 1 1200");
    fake_leave(&conn);
    fake_open(&rig, &conn, FAKE_NO_LIMIT);
    fake_next(&conn);
    for (const oban_json *m = fake_next(&conn); strcmp(fake_string(m, "op"), "snapshot") == 0;
         m = fake_next(&conn)) {
        size_t count = oban_json_count(oban_json_member(m, "objects"));
        assert_true(count > 0 && count <= 500);
        assert_int_equal(oban_json_member(m, "camera") != NULL, pieces == 0);
        assert_int_equal(oban_json_member(m, "sectors") != NULL, pieces == 0);
        assert_int_equal(oban_json_count(oban_json_member(m, "doors")), 0);
        objects += (uint32_t)count;
        pieces++;
    }
    assert_int_equal(objects, 1200);
    assert_true(pieces >= 3);
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_subscribed_to_nothing(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn = {.room = FAKE_NO_LIMIT};
    fake_rig_init(&rig, true);
    conn.client = oban_hub_open(rig.hub, &conn, true);
    fake_expect(&conn, "hello 0", "snapshot_end 0");
    fake_say(&conn, "{\"op\":\"obj_create\",\"id\":1,\"object\":5}");
    fake_step(&rig, &conn, 70);
    fake_expect(&conn, "reply 1", "reply 's'");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* ---- held time ---- */

static void test_held_command_reply_frame_events(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    fake_say(&a, "{\"op\":\"obj_create\",\"id\":1,\"object\":5,\"to\":6}");
    fake_expect(&a, "reply 1", "frame 0", "event 0 created", "event 0 created");
    fake_expect(&b, "frame 0", "event 0 created", "event 0 created");
    fake_say(&b, "{\"op\":\"env_setanim\",\"id\":\"x\",\"object\":5,\"anim\":\"move4\"}");
    fake_expect(&a, "frame 0", "event 0 start");
    fake_expect(&b, "reply 'x'", "frame 0", "event 0 start");
    fake_leave(&a);
    fake_leave(&b);
    fake_rig_fini(&rig);
}

static void test_full_and_later_entries(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    fake_say(&conn, "obj_create 5");
    fake_next(&conn);
    const oban_json *e = fake_item(fake_next(&conn), "objects", 0);
    static const char *const all[] = {"object", "part",    "life",       "h",       "name", "kind",
                                      "anim",   "frame",   "m",          "frames",  "step", "run",
                                      "state",  "visible", "stop_frame", "geometry"};
    assert_int_equal(oban_json_count(e), sizeof all / sizeof all[0]);
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_non_null(oban_json_member(e, all[i]));
    }
    assert_int_equal(oban_json_type_of(oban_json_member(e, "anim")), OBAN_JSON_NULL);
    assert_int_equal(oban_json_type_of(oban_json_member(e, "name")), OBAN_JSON_NULL);
    assert_string_equal(fake_string(e, "state"), "stopped");
    fake_say(&conn, "env_setanim 5 loop8");
    fake_step(&rig, &conn, 1);
    fake_next(&conn); /* created */
    fake_next(&conn); /* reply */
    e = fake_item(fake_next(&conn), "objects", 0);
    assert_string_equal(fake_string(e, "state"), "playing");
    assert_int_equal(fake_number(e, "frames"), 8);
    assert_null(oban_json_member(e, "name"));
    fake_next(&conn); /* start */
    e = fake_item(fake_next(&conn), "objects", 0);
    assert_int_equal(oban_json_count(e), 4); /* object, anim, frame, m */
    assert_int_equal(fake_number(e, "frame"), 1);
    assert_int_equal((int)oban_json_number(fake_item(e, "m", 9)), 1);
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_kill_and_new_life(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    fake_step(&rig, &conn, 1);
    fake_say(&conn, "obj_create 5\nobj_kill 5"); /* nobody ever sees it */
    fake_expect(&conn, "reply 's'", "reply null", "event 1 created", "event 1 killed");
    fake_step(&rig, &conn, 1); /* that tick counts as none that was skipped */
    fake_say(&conn, "obj_create 5");
    fake_expect(&conn, "reply 's'", "reply null", "frame 2", "event 2 created");
    fake_say(&conn, "obj_kill 5\nobj_create 5");
    fake_next(&conn);
    const oban_json *frame = fake_next(&conn);
    assert_int_equal(fake_number(fake_item(frame, "gone", 0), "object"), 5);
    assert_int_equal(fake_number(fake_item(frame, "gone", 0), "life"), 2);
    assert_int_equal(fake_number(fake_item(frame, "objects", 0), "life"), 3);
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_camera_and_refs(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    fake_say(&conn, "cm_anim both move4");
    fake_next(&conn);
    const oban_json *frame = fake_next(&conn);
    const oban_json *camera = oban_json_member(frame, "camera");
    assert_null(oban_json_member(frame, "objects"));
    assert_string_equal(fake_string(camera, "anim"), "move4");
    assert_string_equal(fake_string(camera, "handedness"), "right");
    assert_true(oban_json_bool(oban_json_member(camera, "busy")));
    while (strcmp(fake_line(&conn), "nothing") != 0) {
    }
    fake_say(&conn, "env_show 7 0");
    fake_next(&conn);
    frame = fake_next(&conn);
    assert_int_equal((int)oban_json_number(fake_item(frame, "hidden_refs", 0)), 7);
    const oban_json *event = fake_next(&conn);
    assert_string_equal(fake_string(event, "kind"), "ref");
    assert_int_equal(fake_number(event, "ref"), 7);
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* ---- steps ---- */

static void test_step_is_a_barrier(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    fake_say(&a, "obj_create 1");
    fake_say(&a, "env_setanim 1 move4");
    while (strcmp(fake_line(&a), "nothing") != 0 || strcmp(fake_line(&b), "nothing") != 0) {
    }
    fake_say(&a, "{\"op\":\"step\",\"id\":1,\"ticks\":4}");
    fake_say(&a, "{\"op\":\"ping\",\"id\":2}");
    fake_say(&b, "{\"op\":\"ping\",\"id\":3}");
    fake_say(&b, "{\"op\":\"step\",\"id\":4}");
    fake_say(&b, "{\"op\":\"resume\",\"id\":5}");
    fake_expect_nothing(&a);
    fake_expect(&b, "reply 3", "error 4 busy -", "error 5 not_supported -");
    fake_run(&rig);
    fake_expect(&a, "frame 1", "frame 2", "frame 3", "frame 4", "event 4 stop", "reply 1",
                "reply 2");
    fake_expect(&b, "frame 1", "frame 2", "frame 3", "frame 4", "event 4 stop");
    fake_leave(&a);
    fake_leave(&b);
    fake_rig_fini(&rig);
}

static void step_result(fake_conn *conn, int64_t tick, int64_t ticks)
{
    const oban_json *result = oban_json_member(fake_next(conn), "result");
    assert_int_equal(fake_number(result, "tick"), tick);
    assert_int_equal(fake_number(result, "ticks"), ticks);
}

static void test_pause_ends_a_step(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    rig.tick_cost_ns = 1 * FAKE_MS; /* a slice is over after a few ticks */
    fake_say(&a, "{\"op\":\"step\",\"id\":1,\"ticks\":1000000}");
    fake_say(&a, "{\"op\":\"ping\",\"id\":2}");
    oban_sim_run(rig.sim);
    uint64_t tick = oban_world_tick(oban_sim_world(rig.sim));
    assert_true(tick > 0 && tick < 10);
    assert_int_equal(oban_sim_wants(rig.sim), OBAN_SIM_AT_ONCE);
    fake_say(&b, "{\"op\":\"pause\",\"id\":9}");
    fake_expect(&b, "reply 9");
    step_result(&a, (int64_t)tick, (int64_t)tick);
    fake_expect(&a, "reply 2");
    assert_int_equal(oban_sim_wants(rig.sim), OBAN_SIM_HELD);
    /* its own pause: ahead of its turn, answered in turn, without a warning */
    fake_say(&a, "{\"op\":\"step\",\"id\":1,\"ticks\":1000000}");
    fake_say(&a, "{\"op\":\"ping\",\"id\":2}");
    fake_say(&a, "{\"op\":\"pause\",\"id\":3}");
    step_result(&a, (int64_t)tick, 0);
    assert_string_equal(fake_line(&a), "reply 2");
    assert_null(oban_json_member(fake_next(&a), "warnings"));
    fake_say(&a, "{\"op\":\"pause\",\"id\":4}");
    assert_non_null(oban_json_member(fake_next(&a), "warnings"));
    fake_leave(&a);
    fake_leave(&b);
    fake_rig_fini(&rig);
}

static void test_leaving_ends_a_step(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    rig.tick_cost_ns = 1 * FAKE_MS;
    fake_say(&a, "{\"op\":\"step\",\"id\":1,\"ticks\":1000000}");
    fake_say(&a, "obj_create 1");
    oban_sim_run(rig.sim);
    fake_leave(&a);
    assert_int_equal(oban_sim_wants(rig.sim), OBAN_SIM_HELD);
    fake_say(&b, "{\"op\":\"object_list\",\"id\":1}");
    const oban_json *result = oban_json_member(fake_next(&b), "result");
    assert_int_equal(oban_json_count(oban_json_member(result, "objects")), 0);
    fake_leave(&b);
    fake_rig_fini(&rig);
}

static void test_clock_frames(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    fake_step(&rig, &conn, 59);
    fake_expect(&conn, "reply 's'");
    fake_step(&rig, &conn, 70);
    fake_expect(&conn, "frame 60", "frame 120", "reply 's'");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* ---- running time ---- */

static void test_running_order(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    fake_say(&a, "{\"op\":\"ping\",\"id\":1}");
    fake_say(&a, "{\"op\":\"obj_create\",\"id\":2,\"object\":1}");
    fake_say(&a, "{\"op\":\"object_get\",\"id\":3,\"object\":1}");
    fake_say(&a, "{\"op\":\"nonsense\",\"id\":4}");
    fake_say(&b, "{\"op\":\"object_get\",\"id\":5,\"object\":1}");
    fake_say(&b, "{\"op\":\"env_setanim\",\"id\":6,\"object\":1,\"anim\":\"move4\"}");
    fake_expect(&a, "reply 1");
    fake_expect(&b, "error 5 no_object object");
    uint32_t sends = a.sends;
    fake_ticks(&rig, 1);
    assert_int_equal(a.sends, sends + 2); /* the replies, the frame with its events */
    fake_expect(&a, "reply 2", "reply 3", "error 4 unknown_op op", "frame 1", "event 1 created",
                "event 1 start");
    fake_expect(&b, "reply 6", "frame 1", "event 1 created", "event 1 start");
    fake_ticks(&rig, 5);
    fake_expect(&b, "frame 2", "frame 3", "frame 4", "frame 5", "event 5 stop");
    fake_leave(&a);
    fake_leave(&b);
    fake_rig_fini(&rig);
}

static void test_pause_and_resume(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    fake_ticks(&rig, 3);
    fake_say(&b, "{\"op\":\"obj_create\",\"id\":1,\"object\":1}"); /* would wait for tick 4 */
    fake_say(&a, "{\"op\":\"step\",\"id\":2}");
    fake_say(&a, "{\"op\":\"pause\",\"id\":3}");
    fake_expect(&a, "error 2 not_paused -", "reply 3", "event 3 time", "frame 3",
                "event 3 created");
    fake_expect(&b, "event 3 time", "reply 1", "frame 3", "event 3 created");
    assert_int_equal(oban_sim_wants(rig.sim), OBAN_SIM_HELD);
    fake_ticks(&rig, 10);
    fake_expect_nothing(&a);
    fake_say(&a, "{\"op\":\"resume\",\"id\":4}");
    fake_expect(&a, "reply 4", "event 3 time");
    fake_ticks(&rig, 1);
    assert_int_equal(oban_world_tick(oban_sim_world(rig.sim)), 4);
    fake_say(&a, "{\"op\":\"resume\",\"id\":5}");
    assert_non_null(oban_json_member(fake_next(&a), "warnings"));
    fake_leave(&a);
    fake_leave(&b);
    fake_rig_fini(&rig);
}

/* A waiting resume in the midst of what is served because of a pause: what waits behind a command
 * goes on waiting behind it. */
static void test_resume_among_the_rest(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_conn c;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    fake_attach(&rig, &c);
    fake_say(&a, "{\"op\":\"obj_create\",\"id\":1,\"object\":1}");
    fake_say(&a, "{\"op\":\"resume\",\"id\":2}");
    fake_say(&b, "{\"op\":\"obj_create\",\"id\":3,\"object\":2}");
    fake_say(&b, "{\"op\":\"object_get\",\"id\":4,\"object\":2}");
    fake_say(&c, "{\"op\":\"pause\",\"id\":5}");
    fake_expect(&a, "event 0 time", "reply 1", "frame 0", "event 0 created", "reply 2",
                "event 0 time");
    fake_expect(&b, "event 0 time", "frame 0", "event 0 created", "event 0 time");
    fake_ticks(&rig, 1);
    fake_expect(&b, "reply 3", "reply 4", "frame 1", "event 1 created");
    fake_leave(&a);
    fake_leave(&b);
    fake_leave(&c);
    fake_rig_fini(&rig);
}

/* A pause in the first of several ticks that are caught up: the others do not come. */
static void test_pause_within_a_catch_up(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &conn);
    fake_say(&conn, "{\"op\":\"obj_create\",\"id\":1,\"object\":1}");
    fake_say(&conn, "{\"op\":\"pause\",\"id\":2}");
    rig.now_ns += 4 * 16666667;
    oban_sim_run(rig.sim);
    assert_int_equal(oban_world_tick(oban_sim_world(rig.sim)), 1);
    fake_expect(&conn, "reply 1", "reply 2", "frame 1", "event 1 created", "event 1 time");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* A burst: what stands behind a command waits with it, a pause and a step too. */
static void test_pause_within_a_pass(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    fake_say(&a, "{\"op\":\"obj_create\",\"id\":1,\"object\":1}");
    fake_say(&a, "{\"op\":\"pause\",\"id\":2}");
    fake_say(&a, "{\"op\":\"step\",\"id\":3,\"ticks\":2}");
    fake_say(&a, "{\"op\":\"ping\",\"id\":4}");
    fake_say(&b, "{\"op\":\"obj_create\",\"id\":5,\"object\":2}");
    fake_ticks(&rig, 1);
    fake_expect(&a, "reply 1", "reply 2", "frame 1", "event 1 created", "event 1 time",
                "event 1 created");
    fake_expect(&b, "reply 5", "frame 1", "event 1 created", "event 1 time", "event 1 created");
    fake_run(&rig);
    fake_expect(&a, "reply 3", "reply 4");
    assert_int_equal(oban_world_tick(oban_sim_world(rig.sim)), 3);
    fake_leave(&a);
    fake_leave(&b);
    fake_rig_fini(&rig);
}

static void test_catch_up_and_late(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &conn);
    fake_say(&conn, "obj_create 1");
    fake_say(&conn, "env_setanim 1 move4");
    fake_ticks(&rig, 1);
    while (strcmp(fake_line(&conn), "nothing") != 0) {
    }
    rig.now_ns += 6 * 16666667; /* six at once: the stop is at tick 5 */
    oban_sim_run(rig.sim);
    fake_expect(&conn, "frame 7 skipped 4", "event 5 stop");
    rig.now_ns += 1000 * FAKE_MS; /* 60 due: 6 caught up, 54 lost */
    oban_sim_run(rig.sim);
    const oban_json *late = fake_next(&conn);
    assert_string_equal(fake_string(late, "type"), "time");
    assert_string_equal(fake_string(late, "change"), "late");
    assert_int_equal(fake_number(late, "ticks"), 54);
    assert_int_equal(fake_number(late, "tick"), 13);
    fake_expect_nothing(&conn);
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_who_leaves_is_still_obeyed(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &a);
    fake_say(&a, "obj_create 1");
    fake_say(&a, "{\"op\":\"ping\"}");
    fake_say(&a, "obj_create 2");
    fake_leave(&a);
    fake_ticks(&rig, 1);
    assert_int_equal(oban_world_live_count(oban_sim_world(rig.sim)), 2);
    fake_rig_fini(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hello_and_snapshot),
        cmocka_unit_test(test_snapshot_comes_in_pieces),
        cmocka_unit_test(test_subscribed_to_nothing),
        cmocka_unit_test(test_held_command_reply_frame_events),
        cmocka_unit_test(test_full_and_later_entries),
        cmocka_unit_test(test_kill_and_new_life),
        cmocka_unit_test(test_camera_and_refs),
        cmocka_unit_test(test_step_is_a_barrier),
        cmocka_unit_test(test_pause_ends_a_step),
        cmocka_unit_test(test_leaving_ends_a_step),
        cmocka_unit_test(test_clock_frames),
        cmocka_unit_test(test_running_order),
        cmocka_unit_test(test_pause_and_resume),
        cmocka_unit_test(test_pause_within_a_pass),
        cmocka_unit_test(test_pause_within_a_catch_up),
        cmocka_unit_test(test_resume_among_the_rest),
        cmocka_unit_test(test_catch_up_and_late),
        cmocka_unit_test(test_who_leaves_is_still_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
