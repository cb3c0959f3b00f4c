/* SPDX-License-Identifier: MIT */
/* Memory: a steady tick takes none, and when there is none nothing crashes, hangs or leaks.
 * Next: fake.h. */
#include "fake.h"

static void test_no_allocation_in_a_steady_tick(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conns[5];
    fake_rig_init(&rig, false);
    for (int i = 0; i < 5; i++) {
        fake_attach(&rig, &conns[i]);
    }
    fake_say(&conns[0], "obj_create 1 300");
    fake_ticks(&rig, 1);
    for (int i = 1; i <= 300; i++) {
        char text[40];
        snprintf(text, sizeof text, "env_setanim %d %s", i, i % 50 == 0 ? "move70" : "back6");
        fake_say(&conns[0], text);
    }
    fake_say(&conns[0], "cm_anim both loop8");
    fake_ticks(&rig, 60);
    rig.memory.trap = true;
    fake_ticks(&rig, 300); /* with the stops of six in it */
    rig.memory.trap = false;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(oban_world_tick(oban_sim_world(rig.sim)), 361);
        fake_leave(&conns[i]);
    }
    fake_rig_fini(&rig);
}

/* Everything that a session does, once. */
static void memory_session(fake_rig *rig)
{
    static const char *const words[] = {
        "obj_create 1 300",
        "env_setanim 1 move4\nenv_setanim 2 loop8",
        "{\"op\":\"object_list\",\"id\":\"a string\"}",
        "{\"op\":\"step\",\"id\":\"another\",\"ticks\":3}",
        "{\"op\":\"ping\"}",
        "{\"op\":\"anim_path\",\"anim\":\"move70\"}",
        "{\"op\":\"info\"}",
        "obj_kill 1 100",
        "{\"op\":\"nonsense\"}",
    };
    fake_conn a = {.room = FAKE_NO_LIMIT};
    fake_conn slow = {.room = 2000};
    a.client = oban_hub_open(rig->hub, &a, false);
    slow.client = oban_hub_open(rig->hub, &slow, false);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        fake_say(&a, words[i]);
        fake_say(&slow, words[i]);
        fake_read(&slow, 20000);
        for (int turn = 0; turn < 4; turn++) {
            rig->now_ns += 70 * FAKE_MS;
            oban_sim_run(rig->sim);
        }
    }
    for (const oban_json *m = fake_next(&a); m != NULL; m = fake_next(&a)) {
        assert_non_null(oban_json_member(m, "op"));
    }
    if (slow.close_code == 0 && slow.client != NULL) {
        fake_read(&slow, FAKE_NO_LIMIT);
    }
    assert_true(a.close_code == 0 || a.close_code == 1013);
    fake_leave(&a);
    fake_leave(&slow);
}

static uint64_t memory_run(bool manual, uint64_t fail_after)
{
    fake_rig rig;
    fake_rig_init(&rig, manual);
    uint64_t before = rig.memory.calls;
    rig.memory.fail_at = fail_after > 0 ? before + fail_after : 0;
    memory_session(&rig);
    uint64_t calls = rig.memory.calls - before;
    rig.memory.fail_at = 0;
    memory_session(&rig); /* and it goes on living */
    fake_rig_fini(&rig);
    return calls;
}

static void test_each_allocation_may_fail(void **state)
{
    (void)state;
    for (int manual = 0; manual < 2; manual++) {
        uint64_t calls = memory_run(manual != 0, 0);
        assert_true(calls > 30);
        for (uint64_t i = 1; i <= calls; i++) {
            (void)memory_run(manual != 0, i);
        }
    }
}

static void test_creation_may_fail(void **state)
{
    (void)state;
    for (uint64_t i = 1; i < 100; i++) {
        fake_rig rig;
        fake_rig_def(&rig);
        rig.memory.fail_at = i;
        oban_status status = oban_sim_create(&rig.def, &rig.sim);
        if (status == OBAN_OK) {
            oban_sim_destroy(rig.sim);
            assert_true(i > 2);
            return;
        }
        assert_int_equal(status, OBAN_NO_MEMORY);
        assert_int_equal(rig.memory.live_bytes, 0);
    }
    fail_msg("it never works");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_allocation_in_a_steady_tick),
        cmocka_unit_test(test_each_allocation_may_fail),
        cmocka_unit_test(test_creation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
