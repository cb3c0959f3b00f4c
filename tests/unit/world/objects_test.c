/* SPDX-License-Identifier: MIT */
/* Tests of objects: obj_create, obj_kill, obj_show, obj_hide, obj_place, obj_define, guards, ranges
 * and limits. Not here: what plays (runs_test.c), stamps (publish_test.c). */
#include "tests/unit/world/rig.h"

#include <math.h>

/* The items of the last result, such as "3 5 5.1": numbers, and parts that are not 0. */
static const char *items(const rig *r)
{
    static char text[4096];
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < r->result.item_count && at < sizeof text - 40; i++) {
        const oban_result_item *item = &r->result.items[i];
        at += (size_t)sprintf(text + at, "%s%d", i > 0 ? " " : "", (int)item->object);
        if (item->part != 0) {
            at += (size_t)sprintf(text + at, ".%u", item->part);
        }
    }
    return text;
}

/* All that live, in the same way. */
static const char *living(const rig *r)
{
    static char text[4096];
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < oban_world_live_count(r->world); i++) {
        const oban_object *object = oban_world_live_at(r->world, i);
        at += (size_t)sprintf(text + at, "%s%d", i > 0 ? " " : "", (int)object->number);
        if (object->part != 0) {
            at += (size_t)sprintf(text + at, ".%u", object->part);
        }
    }
    return text;
}

static oban_command with_part(oban_command command, uint32_t part)
{
    OBAN_SET(&command, part, part);
    return command;
}

static oban_command with_life(oban_command command, uint32_t life)
{
    OBAN_SET(&command, life, life);
    return command;
}

static oban_command without_create(oban_command command)
{
    OBAN_SET(&command, create, false);
    return command;
}

static oban_command with_play(oban_command command)
{
    OBAN_SET(&command, play, true);
    return command;
}

/* A record that does not live. */
static void record(rig *r, int32_t number, uint32_t part, const char *anim)
{
    rig_do(r, without_create(with_part(rig_define(number, anim, NULL), part)));
}

/* ---- obj_create ------------------------------------------------------------------------------ */

static void a_bare_object_is_at_the_identity(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 5));
    assert_int_equal(r.result.kind, OBAN_RESULT_CREATED);
    assert_int_equal(r.result.item_count, 1);
    assert_int_equal(r.result.items[0].object, 5);
    assert_int_equal(r.result.items[0].life, 1);
    assert_events(&r, "created 5");
    const oban_object *object = rig_object(&r, 5);
    oban_mat34 one = oban_mat34_identity();
    assert_true(oban_mat34_same(&object->m, &one));
    assert_true(object->alive && object->visible && !object->posed && !object->player.playing);
    assert_null(object->clip);
    assert_int_equal(object->h, 1);
    rig_close(&r);
}

static void it_stands_at_the_start_matrix_of_its_animation(void **state)
{
    (void)state;
    rig r;
    oban_mat34 place = rig_at(1, 2, 3);
    rig_open(&r);
    rig_add(&r, "world", 0, 10);
    rig_add(&r, "local", OBAN_CLIP_LOCAL, 10);
    rig_do(&r, rig_define(1, "world", &place));
    rig_do(&r, rig_define(2, "local", &place));
    rig_do(&r, rig_define(3, NULL, &place));
    rig_stands_at(&r, 1, 0, 7, 0);
    rig_stands_at(&r, 2, 1, 2, 3);
    rig_stands_at(&r, 3, 1, 2, 3);
    rig_ticks(&r, 3);
    rig_stands_at(&r, 1, 0, 7, 0);
    rig_stands_at(&r, 2, 1, 2, 3);
    rig_close(&r);
}

static void a_new_life_begins_anew(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_add(&r, "b", 0, 10);
    rig_do(&r, rig_define(1, "a", NULL));
    rig_do(&r, rig_setanim(1, "b"));
    rig_do(&r, rig_on(OBAN_OP_OBJ_HIDE, 1));
    rig_ticks(&r, 3);
    uint32_t h = rig_object(&r, 1)->h;
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 1));
    assert_events(&r, "stop 1/1 b f3 killed; killed 1");
    assert_int_equal(r.result.kind, OBAN_RESULT_KILLED);
    assert_int_equal(r.result.items[0].life, 1);
    assert_null(oban_world_object(r.world, 1, 0));
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    const oban_object *object = rig_object(&r, 1);
    assert_int_equal(object->life, 2);
    assert_true(object->h != h);
    assert_true(object->visible);
    assert_string_equal(object->clip->name, "a"); /* its record's, not what was set on it */
    assert_int_equal(object->player.run, 0);
    assert_int_equal(object->player.frame, 0);
    rig_stands_at(&r, 1, 0, 7, 0);
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    assert_int_equal(r.result.items[0].run, 1); /* from 1 per life */
    rig_close(&r);
}

static void creating_what_lives_changes_nothing(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 5));
    uint64_t hash = oban_world_hash(r.world);
    rig_warned(&r, rig_on(OBAN_OP_OBJ_CREATE, 3), "object 3 is alive already");
    assert_string_equal(items(&r), "");
    rig_warned(&r, rig_range(OBAN_OP_OBJ_CREATE, 4, 5), "objects 4 and 5 are alive already");
    rig_warned(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 3), "objects 1, 2 and 3 are alive already");
    rig_warned(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 4),
               "objects 1, 2, 3 and 1 other are alive already");
    rig_warned(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 5),
               "objects 1, 2, 3 and 2 others are alive already");
    assert_true(hash == oban_world_hash(r.world));
    rig_warned(&r, rig_range(OBAN_OP_OBJ_CREATE, 0, 6),
               "objects 1, 2, 3 and 2 others are alive already");
    assert_string_equal(items(&r), "0 6");
    assert_string_equal(living(&r), "0 1 2 3 4 5 6");
    rig_close(&r);
}

static void with_a_scene_a_range_creates_records_only(void **state)
{
    (void)state;
    rig r;
    rig_open_with(&r, 100, true);
    record(&r, 2, 0, NULL);
    record(&r, 4, 0, NULL);
    record(&r, 4, 1, NULL);
    record(&r, 9, 0, NULL);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 8));
    assert_string_equal(items(&r), "2 4 4.1");
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 6)); /* a single number may be bare */
    assert_string_equal(items(&r), "6");
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 6));
    rig_warned(&r, rig_range(OBAN_OP_OBJ_CREATE, 5, 7), "nothing in the range has a record");
    assert_string_equal(items(&r), "");
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 9, 9));
    assert_string_equal(living(&r), "2 4 4.1 9");
    rig_close(&r);
}

static void with_nothing_loaded_a_range_creates_all(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    record(&r, 4, 2, NULL);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 3, 5));
    assert_string_equal(items(&r), "3 4.2 5"); /* 4 has a record, and is that */
    rig_close(&r);
}

static void all_parts_of_a_number_are_created_and_meant(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    record(&r, 7, 0, NULL);
    record(&r, 7, 1, NULL);
    record(&r, 7, 5, NULL);
    rig_do(&r, with_part(rig_on(OBAN_OP_OBJ_CREATE, 7), 1));
    assert_string_equal(living(&r), "7.1");
    rig_warned(&r, rig_on(OBAN_OP_OBJ_CREATE, 7), "object 7 is alive already");
    assert_string_equal(items(&r), "7 7.5");
    rig_do(&r, rig_on(OBAN_OP_OBJ_HIDE, 7));
    assert_string_equal(items(&r), "7 7.1 7.5");
    rig_do(&r, with_part(rig_on(OBAN_OP_OBJ_CREATE, 7), 3)); /* a part without record: bare */
    assert_string_equal(living(&r), "7 7.1 7.3 7.5");
    rig_warned(&r, rig_on(OBAN_OP_OBJ_CREATE, 7), "object 7 is alive already"); /* told once */
    rig_do(&r, with_part(rig_on(OBAN_OP_OBJ_KILL, 7), 1));
    assert_string_equal(living(&r), "7 7.3 7.5");
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 7));
    assert_string_equal(items(&r), "7 7.3 7.5");
    assert_string_equal(living(&r), "");
    rig_close(&r);
}

/* ---- ranges, guards, messages ---------------------------------------------------------------- */

static void a_range_passes_over_holes(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 9));
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 3));
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 6));
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 10, 12));
    rig_do(&r, rig_range(OBAN_OP_OBJ_HIDE, 0, 100));
    assert_string_equal(items(&r), "3 6 9 10 11 12");
    rig_do(&r, rig_range(OBAN_OP_OBJ_KILL, 5, 10));
    assert_string_equal(items(&r), "6 9 10");
    assert_string_equal(living(&r), "3 11 12");
    rig_close(&r);
}

static void a_range_is_no_error(void **state)
{
    (void)state;
    static const oban_op ops[] = {OBAN_OP_OBJ_KILL,  OBAN_OP_OBJ_SHOW, OBAN_OP_OBJ_HIDE,
                                  OBAN_OP_ENV_ANIM,  OBAN_OP_ENV_STOP, OBAN_OP_ENV_PAUSE,
                                  OBAN_OP_ENV_RESUME};
    rig r;
    rig_open(&r);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 50));
    uint64_t hash = oban_world_hash(r.world);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        rig_warned(&r, rig_range(ops[i], 1101, 1),
                   "the range 1101 to 1 ends below its start: it is empty");
        assert_int_equal(r.result.item_count, 0);
        assert_true(r.result.kind != OBAN_RESULT_NOTHING);
        rig_warned(&r, rig_range(ops[i], 3, 9), "no object from 3 to 9 is alive");
        assert_int_equal(r.result.item_count, 0);
        rig_warned(&r, with_life(rig_range(ops[i], 3, 99), 2),
                   "no object from 3 to 99 is alive with this part and life");
    }
    rig_warned(&r, rig_range(OBAN_OP_OBJ_CREATE, 9, 3),
               "the range 9 to 3 ends below its start: it is empty");
    assert_int_equal(r.result.kind, OBAN_RESULT_CREATED);
    assert_true(hash == oban_world_hash(r.world));
    rig_close(&r);
}

static void a_range_spans_65536_numbers_at_most(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 65536));
    assert_int_equal(r.result.item_count, 65536);
    rig_do(&r, rig_range(OBAN_OP_OBJ_KILL, 1, 65536));
    rig_refused(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 65537), OBAN_LIMIT, "to",
                "the range 1 to 65537 spans 65537 numbers; a range spans at most 65536");
    rig_refused(&r, rig_range(OBAN_OP_OBJ_KILL, 0, INT32_MAX), OBAN_LIMIT, "to",
                "the range 0 to 2147483647 spans 2147483648 numbers; a range spans at most 65536");
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, INT32_MAX - 2, INT32_MAX));
    assert_string_equal(living(&r), "2147483645 2147483646 2147483647");
    rig_do(&r, rig_range(OBAN_OP_OBJ_KILL, INT32_MAX - 65535, INT32_MAX));
    assert_string_equal(living(&r), "");
    rig_close(&r);
}

static void a_single_number_that_is_not_alive_is_refused(void **state)
{
    (void)state;
    static const oban_op ops[] = {OBAN_OP_OBJ_KILL,   OBAN_OP_OBJ_SHOW,  OBAN_OP_OBJ_HIDE,
                                  OBAN_OP_ENV_ANIM,   OBAN_OP_ENV_STOP,  OBAN_OP_ENV_PAUSE,
                                  OBAN_OP_ENV_RESUME, OBAN_OP_OBJ_PLACE, OBAN_OP_ENV_SETANIM};
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        oban_command command = rig_on(ops[i], 33);
        OBAN_SET(&command, matrix, oban_mat34_identity());
        OBAN_SET(&command, anim, oban_text_of("a"));
        rig_refused(&r, command, OBAN_NO_OBJECT, "object", "no object 33; none is alive");
    }
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 30));
    rig_refused(&r, rig_on(OBAN_OP_OBJ_KILL, 33), OBAN_NO_OBJECT, "object",
                "no object 33; the nearest is 30");
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 3));
    rig_refused(&r, rig_on(OBAN_OP_OBJ_KILL, 33), OBAN_NO_OBJECT, "object",
                "no object 33; the nearest are 3 and 30");
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 40));
    rig_refused(&r, rig_on(OBAN_OP_OBJ_KILL, 33), OBAN_NO_OBJECT, "object",
                "no object 33; the nearest are 30 and 40");
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 35));
    rig_refused(&r, rig_on(OBAN_OP_OBJ_KILL, 33), OBAN_NO_OBJECT, "object",
                "no object 33; the nearest are 30 and 35");
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 36));
    rig_refused(&r, rig_on(OBAN_OP_OBJ_KILL, 34), OBAN_NO_OBJECT, "object",
                "no object 34; the nearest are 35 and 36");
    rig_close(&r);
}

static void guards_filter_a_range_and_bind_a_number(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 4));
    rig_do(&r, with_part(rig_on(OBAN_OP_OBJ_CREATE, 2), 3));
    rig_do(&r, rig_range(OBAN_OP_OBJ_KILL, 3, 4));
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 3, 4));
    rig_do(&r, with_life(rig_range(OBAN_OP_OBJ_HIDE, 1, 9), 1));
    assert_string_equal(items(&r), "1 2 2.3");
    rig_do(&r, with_life(rig_range(OBAN_OP_OBJ_HIDE, 1, 9), 2));
    assert_string_equal(items(&r), "3 4");
    rig_do(&r, with_part(rig_range(OBAN_OP_OBJ_HIDE, 1, 9), 3));
    assert_string_equal(items(&r), "2.3");
    rig_do(&r, with_life(rig_on(OBAN_OP_OBJ_HIDE, 3), 2));
    assert_string_equal(items(&r), "3");
    rig_refused(&r, with_life(rig_on(OBAN_OP_OBJ_HIDE, 3), 1), OBAN_NO_OBJECT, "life",
                "object 3 is in life 2, not 1");
    rig_refused(&r, with_part(rig_on(OBAN_OP_OBJ_HIDE, 3), 1), OBAN_NO_OBJECT, "part",
                "object 3 has no living part 1");
    rig_refused(&r, with_part(with_life(rig_on(OBAN_OP_OBJ_HIDE, 2), 4), 3), OBAN_NO_OBJECT, "life",
                "object 2 is in life 1, not 4");
    rig_close(&r);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void objects_max_is_of_the_living(void **state)
{
    (void)state;
    rig r;
    rig_open_with(&r, 5, false);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 3));
    rig_refused(&r, rig_range(OBAN_OP_OBJ_CREATE, 4, 6), OBAN_LIMIT, "object",
                "objects_max is 5: 3 are alive and this would bring 3 more");
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 4, 5));
    rig_refused(&r, rig_on(OBAN_OP_OBJ_CREATE, 6), OBAN_LIMIT, "object",
                "objects_max is 5: 5 are alive and this would bring 1 more");
    rig_refused(&r, rig_define(6, NULL, NULL), OBAN_LIMIT, "object",
                "objects_max is 5: 5 are alive and this would bring 1 more");
    record(&r, 6, 0, NULL); /* records do not live */
    rig_warned(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 5),
               "objects 1, 2, 3 and 2 others are alive already");
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 1));
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 6));
    assert_string_equal(living(&r), "2 3 4 5 6");
    rig_close(&r);
}

static void numbers_max_is_of_all_slots(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    for (int32_t i = 0; i < 16; i++) {
        int32_t first = i * (int32_t)OBAN_RANGE_MAX;
        int32_t last = first + (int32_t)OBAN_RANGE_MAX - 1;
        rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, first, last));
        rig_do(&r, rig_range(OBAN_OP_OBJ_KILL, first, last));
        oban_world_events_clear(r.world);
    }
    rig_refused(
        &r, rig_on(OBAN_OP_OBJ_CREATE, INT32_MAX), OBAN_LIMIT, "object",
        "numbers_max is 1048576: 1048576 numbers and parts are in use and this needs 1 more");
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 77)); /* has its slot */
    assert_int_equal(r.result.items[0].life, 2);
    rig_close(&r);
}

/* One text of a few bytes must not hold a tick up, nor fill memory with its events. */
static void a_pass_may_do_only_so_much(void **state)
{
    (void)state;
    rig r;
    oban_result result;
    oban_command create = rig_range(OBAN_OP_OBJ_CREATE, 0, 65535);
    oban_command kill = rig_range(OBAN_OP_OBJ_KILL, 0, 65535);
    oban_command show = rig_range(OBAN_OP_OBJ_SHOW, 0, 65535);
    rig_open(&r);
    oban_world_pass_begin(r.world);
    assert_int_equal(oban_world_apply(r.world, &create, &result), OBAN_OK);
    assert_int_equal(oban_world_apply(r.world, &kill, &result), OBAN_OK);
    assert_int_equal(oban_world_apply(r.world, &create, &result), OBAN_OK);
    uint64_t hash = oban_world_hash(r.world); /* 196,608 events, and each kill may bring two */
    assert_int_equal(oban_world_apply(r.world, &kill, &result), OBAN_LIMIT);
    assert_string_equal(
        result.message.data,
        "pass_events_max is 262144: the commands of this tick have done so much already");
    assert_true(oban_world_hash(r.world) == hash);
    oban_world_events_clear(r.world);
    oban_world_pass_begin(r.world);
    uint32_t done = 0; /* each looks at 65,536 and changes nothing */
    while (oban_world_apply(r.world, &show, &result) == OBAN_OK) {
        done++;
    }
    assert_int_equal(result.status, OBAN_LIMIT);
    assert_int_equal(done, 15);
    oban_world_pass_begin(r.world);
    assert_int_equal(oban_world_apply(r.world, &show, &result), OBAN_OK);
    rig_close(&r);
}

/* ---- what a command may not be --------------------------------------------------------------- */

static void fields_out_of_their_rows_are_refused(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_do(&r, rig_define(1, "a", NULL));
    rig_refused(&r, rig_on(OBAN_OP_OBJ_CREATE, -1), OBAN_BAD_FIELD, "object",
                "object must be 0 to 2147483647");
    rig_refused(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, -1), OBAN_BAD_FIELD, "to",
                "to must be 0 to 2147483647");
    rig_refused(&r, with_part(rig_on(OBAN_OP_OBJ_CREATE, 1), 65536), OBAN_BAD_FIELD, "part",
                "part must be 0 to 65535");
    rig_refused(&r, with_life(rig_on(OBAN_OP_OBJ_KILL, 1), 0), OBAN_BAD_FIELD, "life",
                "life must be 1 to 4294967295");
    oban_command command = rig_on(OBAN_OP_ENV_ANIM, 1);
    OBAN_SET(&command, stop_frame, 65536);
    rig_refused(&r, command, OBAN_BAD_FIELD, "stop_frame", "stop_frame must be 0 to 65535");
    command = rig_on(OBAN_OP_OBJ_PLACE, 1);
    rig_refused(&r, command, OBAN_BAD_FIELD, "matrix", "matrix is needed");
    OBAN_SET(&command, matrix, oban_mat34_identity());
    command.matrix.m[4] = NAN;
    rig_refused(&r, command, OBAN_BAD_FIELD, "matrix", "matrix must be twelve finite numbers");
    command = rig_define(1, NULL, NULL);
    OBAN_SET(&command, name, oban_text_of("a\tb"));
    rig_refused(&r, command, OBAN_BAD_FIELD, "name",
                "name must be text of at most 127 bytes without control characters");
    rig_refused(&r, rig_command(OBAN_OP_ENV_SETANIM), OBAN_BAD_FIELD, "anim", "anim is needed");
    rig_refused(&r, rig_command(OBAN_OP_ENV_STOP), OBAN_BAD_FIELD, "object", "object is needed");
    rig_refused(&r, rig_command(OBAN_OP_COUNT), OBAN_UNKNOWN_OP, NULL,
                "the world has no such command");
    rig_do(&r, rig_command(OBAN_OP_OBJ_CREATE)); /* BSL: a missing number is 0 */
    assert_string_equal(living(&r), "0 1");
    rig_close(&r);
}

/* ---- obj_show, obj_hide ---------------------------------------------------------------------- */

static void showing_and_hiding_tell_only_changes(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 2));
    rig_settle(&r);
    rig_do(&r, rig_on(OBAN_OP_OBJ_SHOW, 1));
    assert_int_equal(r.result.kind, OBAN_RESULT_SHOWN);
    assert_events(&r, "");
    rig_do(&r, rig_on(OBAN_OP_OBJ_HIDE, 1));
    assert_int_equal(r.result.kind, OBAN_RESULT_HIDDEN);
    rig_do(&r, rig_range(OBAN_OP_OBJ_HIDE, 1, 2));
    assert_events(&r, "hidden 1; hidden 2");
    assert_false(rig_object(&r, 2)->visible);
    rig_do(&r, rig_on(OBAN_OP_OBJ_SHOW, 2));
    assert_events(&r, "hidden 1; hidden 2; shown 2");
    assert_true(rig_object(&r, 2)->visible);
    rig_close(&r);
}

/* ---- obj_place ------------------------------------------------------------------------------- */

static oban_command place(int32_t number, float x, float y, float z)
{
    oban_command command = rig_on(OBAN_OP_OBJ_PLACE, number);
    OBAN_SET(&command, matrix, rig_at(x, y, z));
    return command;
}

static void placing_what_plays_in_the_world_stops_it(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_do(&r, with_play(rig_define(1, "a", NULL)));
    rig_ticks(&r, 3);
    rig_do(&r, place(1, 5, 6, 7));
    assert_int_equal(r.result.kind, OBAN_RESULT_PLACED);
    assert_events(&r, "stop 1/1 a f3 command; placed 1");
    rig_stands_at(&r, 1, 5, 6, 7);
    rig_ticks(&r, 2);
    rig_stands_at(&r, 1, 5, 6, 7);
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1)); /* in world coordinates, wherever it stood */
    rig_ticks(&r, 2);
    rig_stands_at(&r, 1, 2, 0, 0);
    rig_close(&r);
}

static void placing_what_plays_a_local_one_moves_its_origin(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "door", OBAN_CLIP_LOCAL, 10);
    oban_mat34 first = rig_at(100, 0, 0);
    rig_do(&r, with_play(rig_define(1, "door", &first)));
    rig_ticks(&r, 3);
    rig_stands_at(&r, 1, 103, 0, 0);
    rig_do(&r, place(1, 200, 1, 0));
    assert_events(&r, "placed 1");
    rig_stands_at(&r, 1, 203, 1, 0);
    rig_tick(&r);
    rig_stands_at(&r, 1, 204, 1, 0);
    assert_true(rig_object(&r, 1)->player.playing);
    rig_do(&r, rig_on(OBAN_OP_ENV_STOP, 1));
    rig_tick(&r);
    rig_stands_at(&r, 1, 204, 1, 0); /* a stop leaves it there */
    rig_do(&r, place(1, 9, 9, 9));
    rig_tick(&r);
    rig_stands_at(&r, 1, 9, 9, 9); /* stopped: stands at the matrix */
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    rig_tick(&r);
    rig_stands_at(&r, 1, 10, 9, 9); /* and has it as origin */
    rig_close(&r);
}

/* ---- obj_define ------------------------------------------------------------------------------ */

static void defining_creates_unless_told_not_to(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_do(&r, without_create(rig_define(1, "a", NULL)));
    assert_int_equal(r.result.kind, OBAN_RESULT_DEFINED);
    assert_int_equal(r.result.items[0].life, 0);
    assert_events(&r, "");
    assert_string_equal(living(&r), "");
    rig_do(&r, rig_define(1, NULL, NULL));
    assert_int_equal(r.result.items[0].life, 1);
    assert_events(&r, "created 1");
    assert_string_equal(rig_object(&r, 1)->clip->name, "a"); /* fields not given stay */
    rig_close(&r);
}

static void defining_can_play_at_once(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_add(&r, "loop", OBAN_CLIP_LOOP, 10);
    rig_tick(&r);
    rig_do(&r, with_play(rig_define(1, "a", NULL)));
    assert_events(&r, "created 1; start 1/1 a f0");
    assert_int_equal(r.result.items[0].run, 1);
    assert_int_equal(r.result.items[0].ends, 11);
    rig_do(&r, with_play(rig_define(2, "loop", NULL)));
    assert_true(r.result.items[0].ends == UINT64_MAX);
    rig_refused(&r, with_play(rig_define(3, NULL, NULL)), OBAN_NO_ANIM, "play",
                "object 3 has no animation to play");
    rig_refused(&r, without_create(with_play(rig_define(3, "a", NULL))), OBAN_BAD_FIELD, "play",
                "play needs a living object, and create is false");
    rig_do(&r, without_create(with_play(rig_define(1, NULL, NULL)))); /* alive: may */
    assert_int_equal(r.result.items[0].run, 2);
    rig_refused(&r, rig_define(4, "none", NULL), OBAN_NO_ANIM, "anim", "no animation 'none'");
    rig_close(&r);
}

static void defining_the_living_changes_it_in_place(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 10);
    rig_add(&r, "b", 0, 20);
    oban_mat34 there = rig_at(3, 0, 0);
    rig_do(&r, with_play(rig_define(1, "a", NULL)));
    rig_ticks(&r, 2);
    oban_command command = rig_define(1, NULL, NULL);
    OBAN_SET(&command, name, oban_text_of("van"));
    OBAN_SET(&command, geometry, oban_text_of("van.glb"));
    rig_do(&r, command);
    assert_events(&r, "");
    assert_string_equal(rig_object(&r, 1)->name, "van");
    assert_string_equal(rig_object(&r, 1)->geometry, "van.glb");
    rig_do(&r, rig_define(1, "a", NULL)); /* the same: goes on */
    assert_events(&r, "");
    assert_true(rig_object(&r, 1)->player.playing);
    rig_do(&r, rig_define(1, "b", NULL));
    assert_events(&r, "stop 1/1 a f2 replaced; placed 1");
    rig_stands_at(&r, 1, 0, 7, 0); /* like a created one */
    assert_int_equal(rig_object(&r, 1)->player.run, 1);
    assert_int_equal(rig_object(&r, 1)->player.frame, 0);
    rig_do(&r, rig_define(1, NULL, &there));
    assert_events(&r, "stop 1/1 a f2 replaced; placed 1; placed 1");
    rig_stands_at(&r, 1, 3, 0, 0);
    command = rig_define(1, NULL, NULL);
    OBAN_SET(&command, name, oban_text_of(""));
    OBAN_SET(&command, anim, oban_text_of(""));
    rig_do(&r, command); /* empty takes away */
    assert_null(rig_object(&r, 1)->name);
    assert_null(rig_object(&r, 1)->clip);
    rig_stands_at(&r, 1, 3, 0, 0);
    rig_refused(&r, rig_on(OBAN_OP_ENV_ANIM, 1), OBAN_NO_ANIM, "object",
                "object 1 has no animation");
    rig_close(&r);
}

static void a_record_outlives_its_object(void **state)
{
    (void)state;
    rig r;
    rig_open_with(&r, 10, true);
    rig_add(&r, "a", 0, 10);
    oban_command command = rig_define(1, "a", NULL);
    OBAN_SET(&command, name, oban_text_of("van"));
    rig_do(&r, command);
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 1));
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 0, 9));
    assert_string_equal(items(&r), "1");
    assert_string_equal(rig_object(&r, 1)->name, "van");
    assert_string_equal(rig_object(&r, 1)->clip->name, "a");
    rig_close(&r);
}

/* Any order of coming and going leaves both indices sorted and whole. */
static void the_index_holds_against_a_model(void **state)
{
    (void)state;
    enum { NUMBERS = 60 };
    rig r;
    bool alive[NUMBERS] = {false};
    uint64_t random = 21;
    rig_open(&r);
    for (int round = 0; round < 3000; round++) {
        int32_t first = (int32_t)(rig_random(&random) % NUMBERS);
        int32_t last = first + (int32_t)(rig_random(&random) % 12);
        bool create = rig_random(&random) % 2 != 0;
        last = last < NUMBERS ? last : NUMBERS - 1;
        assert_int_equal(
            rig_apply(&r, rig_range(create ? OBAN_OP_OBJ_CREATE : OBAN_OP_OBJ_KILL, first, last)),
            OBAN_OK);
        uint32_t changed = 0;
        for (int32_t i = first; i <= last; i++) {
            changed += alive[i] != create;
            alive[i] = create;
        }
        assert_int_equal(r.result.item_count, changed);
        uint32_t at = 0;
        for (int32_t i = 0; i < NUMBERS; i++) {
            assert_true((oban_world_object(r.world, i, 0) != NULL) == alive[i]);
            if (alive[i]) {
                assert_int_equal(oban_world_live_at(r.world, at++)->number, i);
            }
        }
        assert_int_equal(oban_world_live_count(r.world), at);
        rig_settle(&r);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_object_is_at_the_identity),
        cmocka_unit_test(it_stands_at_the_start_matrix_of_its_animation),
        cmocka_unit_test(a_new_life_begins_anew),
        cmocka_unit_test(creating_what_lives_changes_nothing),
        cmocka_unit_test(with_a_scene_a_range_creates_records_only),
        cmocka_unit_test(with_nothing_loaded_a_range_creates_all),
        cmocka_unit_test(all_parts_of_a_number_are_created_and_meant),
        cmocka_unit_test(a_range_passes_over_holes),
        cmocka_unit_test(a_range_is_no_error),
        cmocka_unit_test(a_range_spans_65536_numbers_at_most),
        cmocka_unit_test(a_single_number_that_is_not_alive_is_refused),
        cmocka_unit_test(guards_filter_a_range_and_bind_a_number),
        cmocka_unit_test(objects_max_is_of_the_living),
        cmocka_unit_test(numbers_max_is_of_all_slots),
        cmocka_unit_test(a_pass_may_do_only_so_much),
        cmocka_unit_test(fields_out_of_their_rows_are_refused),
        cmocka_unit_test(showing_and_hiding_tell_only_changes),
        cmocka_unit_test(placing_what_plays_in_the_world_stops_it),
        cmocka_unit_test(placing_what_plays_a_local_one_moves_its_origin),
        cmocka_unit_test(defining_creates_unless_told_not_to),
        cmocka_unit_test(defining_can_play_at_once),
        cmocka_unit_test(defining_the_living_changes_it_in_place),
        cmocka_unit_test(a_record_outlives_its_object),
        cmocka_unit_test(the_index_holds_against_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
