/* SPDX-License-Identifier: MIT */
/* The command table: every row is whole, names are found exactly, fields lie where the struct has
 * them. Next: line_test.c. */
#include "core/bsl/nearest.h"
#include "core/world/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Counted apart from commands.c. */
enum {
    ARG_COUNT = 0
#define OBAN_COMMAND(NAME, name, group, class_, bsl, help)
#define OBAN_ARG(NAME, field, flags, lo, hi, help) +1
#include "core/bsl/commands.def"
#undef OBAN_COMMAND
#undef OBAN_ARG
};

static void test_rows(void **state)
{
    (void)state;
    uint32_t args = 0;
    for (unsigned op = 0; op < OBAN_OP_COUNT; op++) {
        const oban_command_row *row = oban_command_row_of((oban_op)op);
        oban_op found = OBAN_OP_COUNT;
        assert_non_null(row->name);
        assert_true(row->help[0] != '\0');
        assert_true(oban_command_find(oban_text_of(row->name), &found));
        assert_int_equal(found, op);
        for (uint32_t i = 0; i < row->arg_count; i++) {
            const oban_arg_row *arg = &row->args[i];
            assert_true(arg->field < OBAN_FIELD_COUNT);
            assert_true(arg->lowest <= arg->highest);
            assert_true(arg->help[0] != '\0');
            assert_true(arg->flags != 0 && (arg->flags & (arg->flags - 1)) == 0);
            for (uint32_t j = 0; j < i; j++) {
                assert_string_not_equal(arg->name, row->args[j].name);
            }
        }
        args += row->arg_count;
    }
    assert_int_equal(args, ARG_COUNT);
}

static void test_some_rows(void **state)
{
    (void)state;
    const oban_command_row *kill = oban_command_row_of(OBAN_OP_OBJ_KILL);
    assert_string_equal(kill->name, "obj_kill");
    assert_string_equal(kill->group, "objects");
    assert_int_equal(kill->class_, OBAN_PERFORMED);
    assert_true(kill->bsl);
    assert_int_equal(kill->arg_count, 4);
    assert_string_equal(kill->args[3].name, "life");
    assert_int_equal(kill->args[3].type, OBAN_FIELD_U32);
    assert_int_equal(kill->args[3].flags, OBAN_ARG_JSON_ONLY);
    assert_int_equal(kill->args[3].lowest, 1);
    assert_true(kill->args[3].highest == 4294967295);
    assert_int_equal(oban_command_row_of(OBAN_OP_CM_DETACH)->arg_count, 0);
    assert_false(oban_command_row_of(OBAN_OP_ENV_STOP)->bsl);
    assert_string_equal(oban_command_row_of(OBAN_OP_CAMERA_PLACE)->args[1].name, "fov");
}

static void test_find(void **state)
{
    (void)state;
    oban_op op = OBAN_OP_CM_RESET;
    assert_false(oban_command_find(oban_text_of("Obj_kill"), &op));
    assert_false(oban_command_find(oban_text_of("obj_kil"), &op));
    assert_false(oban_command_find((oban_text){NULL, 0}, &op));
    assert_int_equal(op, OBAN_OP_CM_RESET);
}

static void test_offsets(void **state)
{
    (void)state;
    assert_int_equal(oban_field_offset(OBAN_FIELD_AT_object), offsetof(oban_command, object));
    assert_int_equal(oban_field_offset(OBAN_FIELD_AT_matrix), offsetof(oban_command, matrix));
    assert_int_equal(oban_field_offset(OBAN_FIELD_AT_visible), offsetof(oban_command, visible));
    assert_true(oban_field_offset(OBAN_FIELD_AT_maxspeed) == SIZE_MAX);
}

static uint32_t distance(const char *a, const char *b)
{
    return oban_nearest_distance(oban_text_of(a), oban_text_of(b));
}

static void test_nearest(void **state)
{
    (void)state;
    assert_int_equal(distance("", ""), 0);
    assert_int_equal(distance("", "abc"), 3);
    assert_int_equal(distance("abc", ""), 3);
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("ab", "ba"), 1);
    assert_int_equal(distance("matrx", "matrix"), 1);
    assert_int_equal(distance("ANIM", "anim"), 0);
    char many[300];
    memset(many, 'x', sizeof many);
    assert_int_equal(oban_nearest_distance((oban_text){many, 300}, oban_text_of("x")), 63);

    oban_line line;
    oban_line_clear(&line);
    oban_nearest_command(oban_text_of("env_amin"), &line);
    assert_string_equal(line.data, "; the nearest is 'env_anim'");
    oban_line_clear(&line);
    oban_nearest_command(oban_text_of("obj_crete"), &line);
    assert_string_equal(line.data, "; the nearest is 'obj_create'");
    oban_line_clear(&line);
    oban_nearest_command(oban_text_of("env_sho"), &line);
    assert_string_equal(line.data, "; the nearest are 'env_show' and 'env_stop'");
    oban_line_clear(&line);
    oban_nearest_command(oban_text_of("sound_ambient_start"), &line);
    assert_string_equal(line.data, "");
    oban_nearest_command((oban_text){NULL, 0}, &line);
    assert_string_equal(line.data, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),    cmocka_unit_test(test_some_rows),
        cmocka_unit_test(test_find),    cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
