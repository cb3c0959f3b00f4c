/* SPDX-License-Identifier: MIT */
/* Clients that do not read: what they are sent when they do, that nothing is lost, that nobody else
 * and no memory suffers. Next: fake.h, hub_frames_test.c. */
#include "fake.h"

static void lag_skip(fake_conn *conn)
{
    while (strcmp(fake_line(conn), "nothing") != 0) {
    }
}

/* The next send is kept back whole: the client is choked from then on. */
static void lag_choke(fake_conn *conn)
{
    conn->room = 0;
}

static void test_one_frame_then_all_events(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn slow;
    fake_conn good;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &slow);
    fake_attach(&rig, &good);
    fake_say(&good, "obj_create 1 3");
    fake_ticks(&rig, 1);
    lag_skip(&slow);
    lag_skip(&good);
    lag_choke(&slow);
    fake_say(&good, "env_setanim 1 move4");
    fake_ticks(&rig, 1); /* tick 2 is kept back by the wire */
    fake_say(&good, "env_setanim 2 move4");
    fake_ticks(&rig, 10);
    fake_expect(&good, "reply null", "frame 2", "event 2 start", "reply null", "frame 3",
                "event 3 start", "frame 4", "frame 5", "frame 6", "event 6 stop", "frame 7",
                "event 7 stop");
    fake_read(&slow, FAKE_NO_LIMIT);
    fake_expect(&slow, "frame 2", "event 2 start", "frame 12 skipped 5", "event 3 start",
                "event 6 stop", "event 7 stop");
    fake_ticks(&rig, 1);
    fake_expect_nothing(&slow);
    fake_leave(&slow);
    fake_leave(&good);
    fake_rig_fini(&rig);
}

static void test_replies_overtake(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn slow;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &slow);
    lag_choke(&slow);
    fake_say(&slow, "{\"op\":\"ping\",\"id\":1}");
    fake_say(&slow, "{\"op\":\"obj_create\",\"id\":2,\"object\":1}");
    fake_say(&slow, "{\"op\":\"ping\",\"id\":3}");
    fake_expect_nothing(&slow);
    fake_read(&slow, FAKE_NO_LIMIT);
    fake_expect(&slow, "reply 1", "reply 2", "reply 3", "frame 0", "event 0 created");
    assert_int_equal(slow.sends, 6); /* hello, snapshot, 1; then 2 and 3, frame, event */
    fake_leave(&slow);
    fake_rig_fini(&rig);
}

/* However the reading goes: every event once, in order, none before the frame of its tick; at least
 * a frame between two batches of events, and no frame while events of an older one wait. */
static void test_no_starving(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn slow;
    fake_conn good;
    int64_t seq = 0;
    int64_t frame = 0;
    uint32_t frames = 0;
    srand(7);
    fake_rig_init(&rig, true);
    fake_attach(&rig, &good);
    fake_say(&good, "obj_create 1 40");
    fake_attach(&rig, &slow);
    seq = 40;
    lag_choke(&slow);
    for (int i = 0; i < 600; i++) {
        char text[64];
        snprintf(text, sizeof text, "env_setanim %d move4", i % 40 + 1);
        fake_say(&good, text);
        fake_step(&rig, &good, 1);
        fake_read(&slow, (size_t)(rand() % 1200));
    }
    fake_read(&slow, FAKE_NO_LIMIT);
    for (const oban_json *m = fake_next(&slow); m != NULL; m = fake_next(&slow)) {
        if (strcmp(fake_string(m, "op"), "frame") == 0) {
            assert_true(fake_number(m, "tick") >= frame);
            frame = fake_number(m, "tick");
            frames++;
        } else {
            assert_string_equal(fake_string(m, "op"), "event");
            assert_int_equal(fake_number(m, "seq"), seq + 1);
            assert_true(fake_number(m, "tick") <= frame);
            seq++;
        }
    }
    assert_int_equal(frame, 600);
    assert_true(frames > 5 && frames < 600);
    assert_int_equal(seq, 40 + 600 + 597); /* created, starts, stops */
    fake_leave(&slow);
    fake_leave(&good);
    fake_rig_fini(&rig);
}

static void test_events_overflow(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn slow;
    fake_conn good;
    fake_rig_def(&rig);
    rig.def.limits.events_bytes_max = 65536;
    rig.def.limits.commands_per_s_max = 1000000;
    fake_rig_start(&rig);
    fake_attach(&rig, &slow);
    fake_attach(&rig, &good);
    lag_choke(&slow);
    for (int i = 0; i < 4000 && slow.close_code == 0; i++) {
        fake_say(&good, "gs_fov_set 50");
        fake_say(&good, "gs_fov_set 60");
    }
    assert_int_equal(slow.close_code, 1013);
    assert_non_null(strstr(slow.close_reason, "events_bytes_max"));
    assert_int_equal(good.close_code, 0);
    assert_int_equal(oban_hub_client_count(rig.hub), 1);
    fake_leave(&slow);
    fake_leave(&good);
    fake_rig_fini(&rig);
}

/* At the bound it lives, one reply over it it goes. */
static void test_replies_bound(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn slow;
    uint32_t waiting = 0;
    fake_rig_def(&rig);
    rig.def.limits.events_bytes_max = 65536;
    rig.def.limits.commands_per_s_max = 1000000;
    fake_rig_start(&rig);
    fake_attach(&rig, &slow);
    lag_choke(&slow);
    fake_say(&slow, "{\"op\":\"ping\",\"id\":1234567890123}");
    size_t reply = fake_bytes_left(&slow.back);
    while (slow.close_code == 0) {
        fake_say(&slow, "{\"op\":\"ping\",\"id\":1234567890123}");
        waiting++;
    }
    assert_int_equal(waiting, 65536 / reply + 1);
    assert_int_equal(slow.close_code, 1013);
    fake_leave(&slow);
    fake_rig_fini(&rig);
}

/* Replies over the bound by themselves come one by one; what is asked behind them waits. */
static void test_large_replies(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    char text[64];
    fake_rig_def(&rig);
    rig.def.limits.events_bytes_max = 65536;
    fake_rig_start(&rig);
    fake_attach(&rig, &conn);
    fake_say(&conn, "obj_create 1 2000");
    lag_skip(&conn);
    lag_choke(&conn);
    for (int i = 1; i <= 5; i++) {
        snprintf(text, sizeof text, "{\"op\":\"object_list\",\"id\":%d}", i);
        fake_say(&conn, text);
    }
    fake_say(&conn, "{\"op\":\"obj_kill\",\"id\":6,\"object\":1}");
    size_t held = rig.memory.live_bytes;
    assert_int_equal(oban_world_live_count(oban_sim_world(rig.sim)), 2000);
    fake_read(&conn, FAKE_NO_LIMIT);
    assert_true(held < rig.memory.live_bytes + 4000000);
    fake_expect(&conn, "reply 1", "reply 2", "reply 3", "reply 4", "reply 5", "reply 6", "frame 0",
                "event 0 killed");
    assert_int_equal(conn.close_code, 0);
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* While time is held, what waits behind a large reply goes with its client. */
static void test_who_leaves_blocked(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn good;
    fake_conn conn;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &good);
    fake_say(&good, "obj_create 1 2000");
    fake_say(&good, "{\"op\":\"object_list\"}");
    size_t before = rig.memory.live_bytes;
    fake_attach(&rig, &conn);
    lag_choke(&conn);
    fake_say(&conn, "{\"op\":\"object_list\"}");
    fake_say(&conn, "{\"op\":\"object_list\"}");
    for (int i = 0; i < 100; i++) {
        fake_say(&conn, "obj_kill 1");
    }
    fake_leave(&conn);
    assert_int_equal(rig.memory.live_bytes, before);
    fake_say(&good, "{\"op\":\"ping\"}");
    assert_int_equal(oban_world_live_count(oban_sim_world(rig.sim)), 2000);
    fake_leave(&good);
    fake_rig_fini(&rig);
}

/* A publication whose events are more than the bound: who reads gets them all. */
static void test_huge_publication(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    uint32_t events = 0;
    fake_rig_def(&rig);
    rig.def.limits.events_bytes_max = 65536;
    fake_rig_start(&rig);
    fake_attach(&rig, &conn);
    conn.room = 1000000;
    fake_say(&conn, "obj_create 1 5000");
    for (int i = 0; i < 100; i++) {
        fake_read(&conn, 30000);
    }
    assert_int_equal(conn.close_code, 0);
    assert_string_equal(fake_line(&conn), "reply null");
    assert_string_equal(fake_line(&conn), "frame 0");
    while (strcmp(fake_line(&conn), "event 0 created") == 0) {
        events++;
    }
    assert_int_equal(events, 5000);
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* ---- snapshots that are read slowly ---- */

static void test_slow_snapshot(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn good;
    fake_conn slow;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &good);
    fake_say(&good, "obj_create 1 1000");
    fake_ticks(&rig, 1);
    lag_skip(&good);
    fake_open(&rig, &slow, 0);
    fake_say(&slow, "{\"op\":\"ping\",\"id\":1}");
    fake_say(&good, "env_setanim 1 move4");
    fake_ticks(&rig, 9);
    fake_expect_nothing(&slow);
    fake_read(&slow, 100000);
    fake_ticks(&rig, 1);
    fake_read(&slow, FAKE_NO_LIMIT);
    assert_string_equal(fake_line(&slow), "hello 1");
    while (strcmp(fake_line(&slow), "snapshot 1") == 0) {
    }
    assert_string_equal(slow.line, "snapshot_end 1");
    fake_expect(&slow, "reply 1", "frame 11 skipped 5", "event 2 start", "event 6 stop");
    fake_leave(&slow);
    fake_leave(&good);
    fake_rig_fini(&rig);
}

static void test_snapshots_are_shared(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn good;
    fake_conn slow[20];
    fake_rig_init(&rig, true);
    fake_attach(&rig, &good);
    fake_say(&good, "obj_create 1 2000");
    fake_open(&rig, &slow[0], 0);
    size_t one = rig.memory.live_bytes;
    for (int i = 1; i < 20; i++) {
        fake_open(&rig, &slow[i], 0);
    }
    assert_true(rig.memory.live_bytes < one + 100000);
    for (int i = 0; i < 20; i++) {
        fake_read(&slow[i], i % 2 == 0 ? 50000 : FAKE_NO_LIMIT);
        if (i % 3 == 0) {
            fake_leave(&slow[i]);
        }
    }
    for (int i = 0; i < 20; i++) {
        if (slow[i].client != NULL) {
            fake_read(&slow[i], FAKE_NO_LIMIT);
            fake_leave(&slow[i]);
        }
    }
    fake_leave(&good);
    fake_rig_fini(&rig);
}

/* Who comes while an older snapshot is still being sent gets one of its own. */
static void test_snapshots_are_of_now(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn good;
    fake_conn slow;
    fake_conn later;
    fake_conn last;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &good);
    fake_say(&good, "obj_create 1\nenv_setanim 1 loop8");
    fake_ticks(&rig, 1);
    fake_open(&rig, &slow, 0);
    fake_ticks(&rig, 1); /* no event */
    fake_open(&rig, &later, 0);
    fake_say(&good, "{\"op\":\"pause\"}"); /* an event, and nothing for frames */
    fake_open(&rig, &last, FAKE_NO_LIMIT);
    fake_read(&later, FAKE_NO_LIMIT);
    fake_read(&slow, FAKE_NO_LIMIT);
    fake_expect(&slow, "hello 1", "snapshot 1", "snapshot_end 1", "frame 2", "event 2 time");
    fake_expect(&later, "hello 2", "snapshot 2", "snapshot_end 2", "event 2 time");
    assert_string_equal(fake_line(&last), "hello 2");
    assert_int_equal(fake_number(fake_item(fake_next(&last), "objects", 0), "frame"), 1);
    assert_int_equal(fake_number(fake_next(&last), "seq"), 3);
    fake_expect_nothing(&last);
    fake_leave(&good);
    fake_leave(&slow);
    fake_leave(&later);
    fake_leave(&last);
    fake_rig_fini(&rig);
}

/* ---- steps and slow clients ---- */

static void test_step_waits_but_not_for_ever(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn slow;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &a);
    fake_attach(&rig, &slow);
    fake_say(&a, "obj_create 1");
    fake_say(&a, "env_setanim 1 loop8");
    lag_skip(&a);
    lag_skip(&slow);
    lag_choke(&slow);
    fake_say(&a, "{\"op\":\"step\",\"id\":1,\"ticks\":5}");
    fake_run(&rig);
    fake_expect(&a, "frame 1"); /* it waits */
    assert_int_equal(oban_sim_wants(rig.sim), OBAN_SIM_RUNNING);
    fake_read(&slow, 100000);
    assert_int_equal(oban_sim_wants(rig.sim), OBAN_SIM_AT_ONCE);
    lag_choke(&slow);
    fake_run(&rig);
    fake_expect(&a, "frame 2");
    rig.now_ns += 1999 * FAKE_MS;
    oban_sim_run(rig.sim);
    fake_expect_nothing(&a);
    rig.now_ns += 1 * FAKE_MS;
    oban_sim_run(rig.sim);
    fake_expect(&a, "frame 3", "frame 4", "frame 5", "reply 1");
    fake_read(&slow, FAKE_NO_LIMIT);
    fake_expect(&slow, "frame 1", "frame 2", "frame 5 skipped 2");
    fake_leave(&a);
    fake_leave(&slow);
    fake_rig_fini(&rig);
}

/* ---- the end ---- */

/* The reply to a step stays behind the frames and events of its ticks, also for a client that lags;
 * replies in front of it need not wait, and its later requests wait behind it. */
static void test_a_step_is_answered_last(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn slow;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &slow);
    fake_say(&slow, "obj_create 1 3");
    lag_skip(&slow);
    lag_choke(&slow);
    fake_say(&slow, "env_setanim 1 move4"); /* its reply is kept back by the wire */
    fake_say(&slow, "{\"op\":\"ping\",\"id\":1}");
    fake_step(&rig, &slow, 6);
    fake_say(&slow, "{\"op\":\"env_setanim\",\"id\":2,\"object\":2,\"anim\":\"move4\"}");
    fake_expect_nothing(&slow);
    fake_read(&slow, FAKE_NO_LIMIT);
    fake_expect(&slow, "reply null", "reply 1", "frame 6 skipped 4", "event 0 start",
                "event 4 stop", "reply 's'", "reply 2", "frame 6", "event 6 start");
    fake_expect_nothing(&slow);
    fake_leave(&slow);
    fake_rig_fini(&rig);
}

/* A publication without events while older events go out: its frame follows, wherever the reading
 * stood, also in held time. */
static void the_last_frame_follows(size_t bytes)
{
    fake_rig rig;
    fake_conn slow;
    fake_conn good;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &slow);
    fake_attach(&rig, &good);
    fake_say(&good, "obj_create 1 1000");
    fake_say(&good, "env_setanim 1 move4");
    lag_skip(&slow);
    lag_choke(&slow);
    fake_say(&good, "gs_fov_set 50");
    fake_say(&good, "obj_kill 2 1000");
    fake_read(&slow, bytes);
    fake_step(&rig, &good, 1);
    fake_read(&slow, FAKE_NO_LIMIT);
    int64_t tick = 0;
    for (const oban_json *m = fake_next(&slow); m != NULL; m = fake_next(&slow)) {
        bool frame = strcmp(fake_string(m, "op"), "frame") == 0;
        tick = frame ? fake_number(m, "tick") : tick;
    }
    assert_int_equal(tick, 1);
    fake_leave(&slow);
    fake_leave(&good);
    fake_rig_fini(&rig);
}

static void test_the_last_frame_follows(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 600000; bytes += 20000) {
        the_last_frame_follows(bytes);
    }
}

static void test_dead_connection(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &a);
    a.dead = true;
    fake_say(&a, "{\"op\":\"obj_create\",\"id\":1,\"object\":1}");
    fake_say(&a, "{\"op\":\"ping\",\"id\":2}"); /* not heard */
    oban_hub_writable(a.client);
    assert_int_equal(oban_hub_flush(rig.hub), 0);
    fake_leave(&a);
    fake_rig_fini(&rig);
}

static void test_flush_and_close_all(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn slow;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &a);
    fake_attach(&rig, &slow);
    lag_choke(&slow);
    fake_say(&slow, "{\"op\":\"obj_create\",\"id\":1,\"object\":1}");
    assert_int_equal(oban_hub_flush(rig.hub), 1);
    assert_int_equal(oban_hub_flush(rig.hub), 1);
    fake_read(&slow, FAKE_NO_LIMIT);
    assert_int_equal(oban_hub_flush(rig.hub), 0);
    fake_expect(&slow, "reply 1", "frame 0", "event 0 created");
    oban_hub_close_all(rig.hub, 1001, "going away");
    oban_hub_close_all(rig.hub, 1001, "going away");
    assert_int_equal(a.close_code, 1001);
    assert_int_equal(slow.close_code, 1001);
    assert_int_equal(oban_hub_client_count(rig.hub), 0);
    fake_leave(&a);
    fake_leave(&slow);
    fake_rig_fini(&rig);
}

static void test_thousands_come_and_go(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn good;
    fake_rig_init(&rig, false);
    fake_attach(&rig, &good);
    fake_say(&good, "obj_create 1 20");
    fake_ticks(&rig, 1);
    size_t before = rig.memory.live_bytes;
    for (int i = 0; i < 5000; i++) {
        fake_conn conn;
        fake_open(&rig, &conn, (size_t)(i % 7) * 3000);
        fake_say(&conn, i % 2 == 0 ? "env_setanim 1 move4" : "{\"op\":\"object_list\"}");
        if (i % 5 == 0) {
            fake_ticks(&rig, 1);
        }
        fake_leave(&conn);
    }
    fake_ticks(&rig, 1);
    assert_true(rig.memory.live_bytes < before + 100000);
    fake_leave(&good);
    fake_rig_fini(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_frame_then_all_events),
        cmocka_unit_test(test_replies_overtake),
        cmocka_unit_test(test_no_starving),
        cmocka_unit_test(test_events_overflow),
        cmocka_unit_test(test_replies_bound),
        cmocka_unit_test(test_large_replies),
        cmocka_unit_test(test_huge_publication),
        cmocka_unit_test(test_slow_snapshot),
        cmocka_unit_test(test_snapshots_are_shared),
        cmocka_unit_test(test_snapshots_are_of_now),
        cmocka_unit_test(test_who_leaves_blocked),
        cmocka_unit_test(test_step_waits_but_not_for_ever),
        cmocka_unit_test(test_a_step_is_answered_last),
        cmocka_unit_test(test_the_last_frame_follows),
        cmocka_unit_test(test_dead_connection),
        cmocka_unit_test(test_flush_and_close_all),
        cmocka_unit_test(test_thousands_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
