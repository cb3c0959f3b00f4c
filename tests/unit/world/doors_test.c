/* SPDX-License-Identifier: MIT */
/* Doors: behaviour 4, one rule after the other. Next: characters_test.c. */
#include "tests/unit/world/rig.h"

/* A clip whose x tells the frame, with a half-stop frame; its frame 0 lies at y = 3, so that a leaf
 * that stands elsewhere shows that it moves relative to that. */
static void add_door_clip(rig *r, const char *name, int32_t frames, int32_t half, uint32_t flags)
{
    const oban_key keys[2] = {
        {.rotation = {0, 0, 0, 1}, .position = {0, 3, 0}, .frame = 0},
        {.rotation = {0, 0, 0, 1}, .position = {(float)(frames - 1), 3, 0}, .frame = frames - 1}};
    const oban_clip_def def = {.name = oban_text_of(name),
                               .flags = flags,
                               .start = rig_at(0, 0, 0),
                               .base = oban_mat34_identity(),
                               .frame_count = frames,
                               .half_stop = half,
                               .keys = keys,
                               .key_count = 2};
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(&r->alloc, &def, &clip, NULL), OBAN_OK);
    assert_int_equal(oban_world_clip_add(r->world, clip), OBAN_OK);
}

static oban_command on_door(oban_op op, int32_t door)
{
    oban_command command = rig_command(op);
    OBAN_SET(&command, door, door);
    return command;
}

static oban_status order(rig *r, oban_op op, int32_t door)
{
    oban_command command = on_door(op, door);
    oban_world_pass_begin(r->world);
    return oban_world_apply(r->world, &command, &r->result);
}

static oban_status define(rig *r, int32_t door, uint32_t leaf, const char *anim, oban_mat34 at)
{
    oban_command command = on_door(OBAN_OP_DOOR_DEFINE, door);
    OBAN_SET(&command, leaf, leaf);
    OBAN_SET(&command, anim, oban_text_of(anim));
    OBAN_SET(&command, matrix, at);
    oban_world_pass_begin(r->world);
    return oban_world_apply(r->world, &command, &r->result);
}

static const oban_object *leaf_of(const rig *r, int32_t door, uint32_t leaf)
{
    return oban_world_object(r->world, oban_door_number(door), leaf);
}

/* "opening 3 12": state, frame, x. */
static void assert_leaf(const rig *r, int32_t door, const char *expected)
{
    static const char *const words[] = {"closed", "opening", "open", "closing"};
    const oban_object *leaf = leaf_of(r, door, 0);
    char text[64];
    assert_non_null(leaf);
    oban_mat34 m = oban_world_object_matrix(r->world, leaf);
    snprintf(text, sizeof text, "%s %d %g", words[leaf->door], leaf->player.frame, (double)m.m[9]);
    assert_string_equal(text, expected);
    assert_true(m.m[10] == 20.0f);
}

/* All events since the last look, as "start 1; stop 1 end 9". */
static void assert_told(rig *r, const char *expected)
{
    char text[512] = "";
    uint32_t count = 0;
    const oban_event *events = oban_world_events(r->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = strlen(text);
        assert_int_equal(events[i].kind, OBAN_KIND_DOOR);
        if (events[i].type == OBAN_EVENT_START) {
            snprintf(text + at, sizeof text - at, "start %u f%d; ", events[i].run, events[i].frame);
        } else if (events[i].type == OBAN_EVENT_STOP) {
            snprintf(text + at, sizeof text - at, "stop %u f%d %s; ", events[i].run,
                     events[i].frame, oban_stop_reason_word(events[i].reason));
        }
    }
    assert_string_equal(text, expected);
    oban_world_events_clear(r->world);
}

/* Ticks until one brings events. */
static int ticks_to_events(rig *r)
{
    uint32_t count = 0;
    for (int i = 1; i <= 50; i++) {
        rig_tick(r);
        (void)oban_world_events(r->world, &count);
        if (count > 0) {
            return i;
        }
    }
    return -1;
}

static void open_rig(rig *r)
{
    rig_open(r);
    add_door_clip(r, "half", 11, 5, OBAN_CLIP_LOCAL);
    add_door_clip(r, "whole", 6, 0, OBAN_CLIP_LOOP | OBAN_CLIP_PING_PONG);
    assert_int_equal(define(r, 4, 0, "half", rig_at(10, 20, 30)), OBAN_OK);
    rig_settle(r);
}

static void stands_where_its_record_says(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    assert_leaf(&r, 4, "closed 0 10");
    rig_ticks(&r, 3);
    assert_leaf(&r, 4, "closed 0 10");
    assert_null(leaf_of(&r, 5, 0));
    assert_null(oban_world_object(r.world, 4, 0)); /* object numbers are others */
    rig_close(&r);
}

/* Opened to its half stop, closed from there to the end, and once more. */
static void opens_and_closes_twice(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    for (uint32_t run = 1; run <= 3; run += 2) {
        char text[64];
        assert_int_equal(order(&r, OBAN_OP_DOOR_OPEN, 4), OBAN_OK);
        assert_int_equal(r.result.item_count, 1);
        assert_int_equal(r.result.items[0].ends, oban_world_tick(r.world) + 5);
        assert_leaf(&r, 4, "opening 0 10");
        oban_world_events_clear(r.world);
        assert_int_equal(ticks_to_events(&r), 5);
        assert_leaf(&r, 4, "open 5 15");
        snprintf(text, sizeof text, "stop %u f5 stop_frame; ", run);
        assert_told(&r, text);
        assert_int_equal(order(&r, OBAN_OP_DOOR_OPEN, 4), OBAN_OK);
        assert_string_equal(r.result.warnings[0].data, "door 4 is open or opens already");
        assert_int_equal(r.result.item_count, 0);
        assert_int_equal(order(&r, OBAN_OP_DOOR_CLOSE, 4), OBAN_OK);
        assert_leaf(&r, 4, "closing 5 15");
        oban_world_events_clear(r.world);
        assert_int_equal(ticks_to_events(&r), 6);
        assert_leaf(&r, 4, "closed 10 20");
        snprintf(text, sizeof text, "stop %u f10 end; ", run + 1);
        assert_told(&r, text);
        assert_int_equal(order(&r, OBAN_OP_DOOR_CLOSE, 4), OBAN_OK);
        assert_string_equal(r.result.warnings[0].data, "door 4 is closed or closes already");
    }
    rig_close(&r);
}

/* Ordered midway it turns: the frame it was at in this tick, one less at the next. */
static void turns_midway(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    (void)order(&r, OBAN_OP_DOOR_OPEN, 4);
    rig_ticks(&r, 3);
    oban_world_events_clear(r.world);
    assert_int_equal(order(&r, OBAN_OP_DOOR_CLOSE, 4), OBAN_OK);
    assert_told(&r, "stop 1 f3 replaced; start 2 f3; ");
    assert_leaf(&r, 4, "closing 3 13");
    rig_tick(&r);
    assert_leaf(&r, 4, "closing 2 12");
    rig_ticks(&r, 2);
    assert_leaf(&r, 4, "closed 0 10");
    assert_told(&r, "stop 2 f0 stop_frame; ");
    /* From closing back to half. */
    (void)order(&r, OBAN_OP_DOOR_OPEN, 4);
    rig_ticks(&r, 5);
    (void)order(&r, OBAN_OP_DOOR_CLOSE, 4);
    rig_ticks(&r, 3);
    assert_leaf(&r, 4, "closing 8 18");
    oban_world_events_clear(r.world);
    (void)order(&r, OBAN_OP_DOOR_OPEN, 4);
    assert_told(&r, "stop 4 f8 replaced; start 5 f8; ");
    rig_tick(&r);
    assert_leaf(&r, 4, "opening 7 17");
    /* And once more: on to the end again. */
    (void)order(&r, OBAN_OP_DOOR_CLOSE, 4);
    rig_tick(&r);
    assert_leaf(&r, 4, "closing 8 18");
    (void)order(&r, OBAN_OP_DOOR_OPEN, 4);
    rig_ticks(&r, 3);
    assert_leaf(&r, 4, "open 5 15");
    rig_close(&r);
}

/* Opens to its end and closes by playing back; its loop flags mean nothing. */
static void without_half_stop(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    assert_int_equal(define(&r, 9, 0, "whole", rig_at(10, 20, 0)), OBAN_OK);
    (void)order(&r, OBAN_OP_DOOR_OPEN, 9);
    oban_world_events_clear(r.world);
    assert_int_equal(ticks_to_events(&r), 6);
    assert_leaf(&r, 9, "open 5 15");
    assert_told(&r, "stop 1 f5 end; ");
    (void)order(&r, OBAN_OP_DOOR_CLOSE, 9);
    oban_world_events_clear(r.world);
    rig_ticks(&r, 2);
    assert_leaf(&r, 9, "closing 3 13");
    (void)order(&r, OBAN_OP_DOOR_OPEN, 9); /* and back */
    rig_tick(&r);
    assert_leaf(&r, 9, "opening 4 14");
    (void)order(&r, OBAN_OP_DOOR_CLOSE, 9);
    rig_ticks(&r, 4);
    assert_leaf(&r, 9, "closed 0 10");
    rig_close(&r);
}

static void jammed(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    (void)order(&r, OBAN_OP_DOOR_OPEN, 4);
    rig_ticks(&r, 2);
    oban_world_events_clear(r.world);
    assert_int_equal(order(&r, OBAN_OP_DOOR_JAM, 4), OBAN_OK);
    assert_int_equal(r.result.kind, OBAN_RESULT_JAMMED);
    rig_ticks(&r, 9);
    assert_leaf(&r, 4, "opening 2 12");
    assert_int_equal(order(&r, OBAN_OP_DOOR_CLOSE, 4), OBAN_OK);
    assert_string_equal(r.result.warnings[0].data, "door 4 is jammed");
    assert_int_equal(order(&r, OBAN_OP_DOOR_JAM, 4), OBAN_OK);
    assert_string_equal(r.result.warnings[0].data, "door 4 is jammed already");
    assert_told(&r, "");
    assert_int_equal(order(&r, OBAN_OP_DOOR_UNJAM, 4), OBAN_OK);
    assert_int_equal(ticks_to_events(&r), 3);
    assert_leaf(&r, 4, "open 5 15");
    assert_int_equal(order(&r, OBAN_OP_DOOR_UNJAM, 4), OBAN_OK);
    assert_string_equal(r.result.warnings[0].data, "door 4 is not jammed");
    rig_close(&r);
}

static void leaves_go_together(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    assert_int_equal(define(&r, 4, 1, "whole", rig_at(50, 20, 0)), OBAN_OK);
    assert_int_equal(order(&r, OBAN_OP_DOOR_OPEN, 4), OBAN_OK);
    assert_int_equal(r.result.item_count, 2);
    rig_ticks(&r, 4);
    assert_int_equal(leaf_of(&r, 4, 0)->player.frame, 4);
    assert_int_equal(leaf_of(&r, 4, 1)->player.frame, 4);
    assert_true(oban_world_object_matrix(r.world, leaf_of(&r, 4, 1)).m[9] == 54.0f);
    rig_close(&r);
}

static void what_is_refused(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    uint64_t hash = oban_world_hash(r.world);
    assert_int_equal(order(&r, OBAN_OP_DOOR_OPEN, 7), OBAN_NO_DOOR);
    assert_string_equal(r.result.message.data, "no door 7; the nearest is 4");
    assert_int_equal(order(&r, OBAN_OP_DOOR_JAM, 0), OBAN_NO_DOOR);
    assert_int_equal(order(&r, OBAN_OP_DOOR_OPEN, -1), OBAN_BAD_FIELD);
    oban_command anim = rig_range(OBAN_OP_ENV_ANIM, 4, 4);
    assert_int_equal(oban_world_apply(r.world, &anim, &r.result), OBAN_NO_OBJECT);
    assert_string_equal(r.result.message.data, "no object 4; none is alive");
    assert_int_equal(define(&r, 5, 0, "nothing", rig_at(0, 0, 0)), OBAN_NO_ANIM);
    assert_true(oban_world_hash(r.world) == hash);
    assert_int_equal(define(&r, 9, 0, "half", rig_at(0, 0, 0)), OBAN_OK);
    assert_int_equal(order(&r, OBAN_OP_DOOR_OPEN, 7), OBAN_NO_DOOR);
    assert_string_equal(r.result.message.data, "no door 7; the nearest are 4 and 9");
    rig_close(&r);
}

/* Defined anew it is closed, where the record says. */
static void defined_anew(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    (void)order(&r, OBAN_OP_DOOR_OPEN, 4);
    rig_ticks(&r, 2);
    oban_world_events_clear(r.world);
    assert_int_equal(define(&r, 4, 0, "whole", rig_at(40, 20, 0)), OBAN_OK);
    assert_told(&r, "stop 1 f2 replaced; ");
    assert_leaf(&r, 4, "closed 0 40");
    assert_int_equal(leaf_of(&r, 4, 0)->life, 1);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stands_where_its_record_says),
        cmocka_unit_test(opens_and_closes_twice),
        cmocka_unit_test(turns_midway),
        cmocka_unit_test(without_half_stop),
        cmocka_unit_test(jammed),
        cmocka_unit_test(leaves_go_together),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(defined_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
