/* SPDX-License-Identifier: MIT */
/* World and machine joined: the order of what comes about, time held, the joint hash, a reset.
 * Next: scripts_test.c. */
#include "core/bsl/stage.h"
#include "tests/unit/world/rig.h"

typedef struct show {
    rig r;
    oban_stage *stage;
    char log[4000];
    uint32_t done;
} show;

static void show_news(void *context, const oban_stage_news *news)
{
    show *s = context;
    size_t at = strlen(s->log);
    if (news->event != NULL) {
        snprintf(s->log + at, sizeof s->log - at, "%s%d ", oban_event_type_word(news->event->type),
                 news->event->number);
    } else if (news->tell->type == OBAN_TELL_SCRIPT) {
        snprintf(s->log + at, sizeof s->log - at, "%.*s ", (int)news->tell->words[0].bytes,
                 news->tell->words[0].data);
    } else if (news->tell->type == OBAN_TELL_TASK) {
        snprintf(s->log + at, sizeof s->log - at, "%s ", oban_task_state_word(news->tell->state));
    }
}

static void show_done(void *context, const oban_at *at, const oban_command *command,
                      const oban_result *result)
{
    show *s = context;
    assert_true(at->place.line > 0);
    assert_true((unsigned)command->op < OBAN_OP_COUNT);
    s->done += result->status == OBAN_OK ? 1 : 0;
}

static void open_show(show *s)
{
    memset(s, 0, sizeof *s);
    rig_open(&s->r);
    rig_add(&s->r, "go", 0, 4);
    const oban_stage_def def = {.alloc = s->r.alloc,
                                .world = s->r.world,
                                .sink = {s, show_news, show_done},
                                .tasks_max = 100,
                                .statements_per_tick_max = 1000,
                                .script_bytes_max = 65536};
    assert_int_equal(oban_stage_create(&def, &s->stage), OBAN_OK);
}

static void close_show(show *s)
{
    oban_stage_destroy(s->stage);
    rig_close(&s->r);
}

static void text(show *s, const char *what)
{
    oban_text_outcome outcome;
    if (oban_stage_text(s->stage, oban_text_of("text"), oban_text_of(what), &outcome, NULL) !=
        OBAN_OK) {
        fail_msg("%s", outcome.message.data);
    }
}

static void test_order(void **state)
{
    (void)state;
    show s;
    open_show(&s);
    oban_stage_tick_begin(s.stage);
    text(&s, "obj_create 1\ndprint a\nenv_setanim 1 go\ndprint b\nsleep 2\ndprint c\nobj_kill 1");
    assert_string_equal(s.log, "created1 a start1 b waiting ");
    assert_int_equal(s.done, 2);
    oban_result result;
    oban_command hide = rig_on(OBAN_OP_OBJ_HIDE, 1);
    assert_int_equal(oban_stage_apply(s.stage, &hide, &result), OBAN_OK);
    oban_stage_tick_end(s.stage);
    assert_string_equal(s.log, "created1 a start1 b waiting hidden1 ");
    s.log[0] = '\0';
    for (int i = 0; i < 2; i++) {
        oban_stage_tick_begin(s.stage);
        oban_stage_tick_end(s.stage);
    }
    assert_string_equal(s.log, "c stop1 killed1 ended ");
    close_show(&s);
}

/* While time is held each text is a pass of its own, at the same tick. */
static void test_held(void **state)
{
    (void)state;
    show s;
    open_show(&s);
    oban_stage_pass_begin(s.stage);
    text(&s, "cm_anim both go\ncm_wait\ndprint free");
    oban_stage_tick_end(s.stage);
    assert_string_equal(s.log, "start0 waiting ");
    s.log[0] = '\0';
    oban_stage_pass_begin(s.stage);
    text(&s, "cm_reset");
    oban_stage_tick_end(s.stage);
    assert_string_equal(s.log, "stop0 camera0 free ended ");
    assert_int_equal(oban_world_tick(s.r.world), 0);
    close_show(&s);
}

static void test_hash(void **state)
{
    (void)state;
    show s;
    open_show(&s);
    uint64_t first = oban_stage_hash(s.stage);
    oban_stage_pass_begin(s.stage);
    text(&s, "sleep 5");
    oban_stage_tick_end(s.stage);
    uint64_t waiting = oban_stage_hash(s.stage);
    assert_true(waiting != first);
    oban_world *fresh = NULL;
    const oban_world_def def = {
        .alloc = s.r.alloc, .seed = 1, .objects_max = 200000, .anims_max = 100};
    assert_int_equal(oban_world_create(&def, &fresh), OBAN_OK);
    oban_stage_world(s.stage, fresh);
    assert_true(oban_stage_hash(s.stage) == first);
    assert_int_equal(oban_machine_task_count(oban_stage_machine(s.stage)), 0);
    oban_stage_world(s.stage, s.r.world);
    oban_world_destroy(fresh);
    close_show(&s);
}

static void test_memory(void **state)
{
    (void)state;
    for (uint64_t fail_at = 0; fail_at < 6; fail_at++) {
        show s;
        oban_stage *other = NULL;
        open_show(&s);
        const oban_stage_def def = {.alloc = s.r.alloc, .world = s.r.world, .tasks_max = 1};
        s.r.memory.fail_at = s.r.memory.taken + fail_at;
        oban_status status = oban_stage_create(&def, &other);
        s.r.memory.fail_at = UINT64_MAX;
        assert_true(status == OBAN_OK || status == OBAN_NO_MEMORY);
        oban_stage_destroy(other);
        close_show(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_held),
                                       cmocka_unit_test(test_hash), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
