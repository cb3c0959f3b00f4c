/* SPDX-License-Identifier: MIT */
/* Fields by the command table: each type at its limits and beyond, unknown and missing ones,
 * nothing written on a fault. Next: scene_json_test.c. */
#include "proto/wire/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const allowed[] = {"op", "id", NULL};

static oban_json *parse(const char *text)
{
    oban_json *root = NULL;
    oban_json_fault fault;
    if (oban_json_parse(text, strlen(text), &root, &fault) != OBAN_OK) {
        fail_msg("%s: %s", text, fault.message.data);
    }
    return root;
}

static oban_status read_op(const oban_json *root, oban_op op, oban_command *command,
                           oban_field_fault *fault)
{
    const oban_command_row *row = oban_command_row_of(op);
    command->op = op;
    return oban_fields_read(root, row->args, row->arg_count, command, allowed, fault);
}

static void test_good(void **state)
{
    oban_command c;
    oban_field_fault fault;
    (void)state;
    oban_json *root = parse("{\"op\":\"env_anim\",\"id\":[],\"object\":1.0,\"to\":2147483647,"
                            "\"stop_frame\":65535,\"life\":4294967295,\"x-mine\":{}}");
    assert_int_equal(read_op(root, OBAN_OP_ENV_ANIM, &c, &fault), OBAN_OK);
    assert_int_equal(c.op, OBAN_OP_ENV_ANIM);
    assert_int_equal(c.object, 1);
    assert_int_equal(c.to, 2147483647);
    assert_int_equal(c.stop_frame, 65535);
    assert_true(c.life == 4294967295u);
    assert_false(OBAN_HAS(&c, part));
    assert_int_equal(c.part, 0);
    assert_true(OBAN_HAS(&c, object) && OBAN_HAS(&c, to) && OBAN_HAS(&c, life));
    oban_json_free(root);
}

static void test_types(void **state)
{
    oban_command c;
    (void)state;
    oban_json *root = parse("{\"object\":5,\"name\":\"\",\"anim\":\"t\\u00fcr\",\"create\":0,"
                            "\"play\":true,\"matrix\":[1,0,0,0,1,0,0,0,1,-1.5,2,3e38]}");
    assert_int_equal(read_op(root, OBAN_OP_OBJ_DEFINE, &c, NULL), OBAN_OK);
    assert_true(OBAN_HAS(&c, name) && c.name.bytes == 0);
    assert_true(oban_text_equal(c.anim, oban_text_of("t\xc3\xbcr")));
    assert_true(OBAN_HAS(&c, create) && !c.create);
    assert_true(c.play);
    assert_true(c.matrix.m[9] == -1.5f && c.matrix.m[11] == 3e38f);
    oban_json_free(root);

    root = parse("{\"mode\":\"move\",\"anim\":\"x\"}");
    assert_int_equal(read_op(root, OBAN_OP_CM_ANIM, &c, NULL), OBAN_OK);
    assert_int_equal(c.mode, OBAN_CAMERA_MOVE);
    oban_json_free(root);

    root = parse("{\"maxspeed\":-1e30,\"maxfocalaccel\":1.5}");
    assert_int_equal(read_op(root, OBAN_OP_CM_RESET, &c, NULL), OBAN_OK);
    assert_int_equal(c.has, 0);
    oban_json_free(root);

    root = parse("{\"fov\":179}");
    assert_int_equal(read_op(root, OBAN_OP_GS_FOV_SET, &c, NULL), OBAN_OK);
    assert_true(c.fov == 179.0f);
    oban_json_free(root);
}

typedef struct bad {
    oban_op op;
    const char *text;
    const char *field;
    const char *message;
} bad;

#define I32 "object: expected a whole number from 0 to 2147483647, found "
#define ANIM "anim: expected a string of 1 to 63 bytes without control characters, found "
#define SIXTY "012345678901234567890123456789012345678901234567890123456789"

static const bad bads[] = {
    {OBAN_OP_OBJ_KILL, "{\"object\":1.9}", "object", I32 "1.9"},
    {OBAN_OP_OBJ_KILL, "{\"object\":-1}", "object", I32 "-1"},
    {OBAN_OP_OBJ_KILL, "{\"object\":3000000000}", "object", I32 "3000000000"},
    {OBAN_OP_OBJ_KILL, "{\"object\":2147483648}", "object", I32 "2147483648"},
    {OBAN_OP_OBJ_KILL, "{\"object\":9007199254740993}", "object", I32 "9007199254740992"},
    {OBAN_OP_OBJ_KILL, "{\"object\":1e300}", "object", I32 "a number beyond float32"},
    {OBAN_OP_OBJ_KILL, "{\"object\":\"5\"}", "object", I32 "'5'"},
    {OBAN_OP_OBJ_KILL, "{\"object\":true}", "object", I32 "true"},
    {OBAN_OP_OBJ_KILL, "{\"object\":null}", "object", I32 "null"},
    {OBAN_OP_OBJ_KILL, "{\"object\":[5]}", "object", I32 "an array of 1"},
    {OBAN_OP_OBJ_KILL, "{\"object\":{}}", "object", I32 "an object"},
    {OBAN_OP_OBJ_KILL, "{}", "object",
     "object: missing; expected a whole number from 0 to 2147483647"},
    {OBAN_OP_OBJ_KILL, "{\"object\":1,\"part\":65536}", "part",
     "part: expected a whole number from 0 to 65535, found 65536"},
    {OBAN_OP_OBJ_KILL, "{\"object\":1,\"life\":0}", "life",
     "life: expected a whole number from 1 to 4294967295, found 0"},
    {OBAN_OP_OBJ_KILL, "{\"object\":1,\"life\":4294967296}", "life",
     "life: expected a whole number from 1 to 4294967295, found 4294967296"},
    {OBAN_OP_OBJ_KILL, "{\"object\":1,\"lief\":2}", "lief",
     "lief: no such field; the nearest is 'life'"},
    {OBAN_OP_OBJ_KILL, "{\"object\":1,\"Op\":2}", "Op",
     "Op: no such field; there are object, to, part and life"},
    {OBAN_OP_OBJ_KILL, "{\"object\":1,\"speed_of_it\\n\":2}", "speed_of_it\n",
     "speed_of_it?: no such field; there are object, to, part and life"},
    {OBAN_OP_OBJ_KILL, "{\"object\":1,\"x\":2}", "x",
     "x: no such field; there are object, to, part and life"},
    {OBAN_OP_CM_DETACH, "{\"camera\":1}", "camera", "camera: no such field; there are none"},
    {OBAN_OP_ENV_SETANIM, "{\"object\":1}", "anim",
     "anim: missing; expected a string of 1 to 63 bytes without control characters"},
    {OBAN_OP_ENV_SETANIM, "{\"object\":1,\"anim\":\"\"}", "anim", ANIM "''"},
    {OBAN_OP_ENV_SETANIM, "{\"object\":1,\"anim\":null}", "anim", ANIM "null"},
    {OBAN_OP_ENV_SETANIM, "{\"object\":1,\"anim\":7}", "anim", ANIM "7"},
    {OBAN_OP_ENV_SETANIM, "{\"object\":1,\"anim\":\"a\\tb\"}", "anim", ANIM "'a?b'"},
    {OBAN_OP_ENV_SETANIM, "{\"object\":1,\"anim\":\"a\\u0085\"}", "anim", ANIM "'a?'"},
    {OBAN_OP_ENV_SETANIM, "{\"object\":1,\"anim\":\"" SIXTY "6789\"}", "anim",
     ANIM "'0123456789012345678901234567890123456789...'"},
    {OBAN_OP_ENV_SHOW, "{\"ref\":1,\"visible\":2}", "visible",
     "visible: expected true or false (or 1 or 0), found 2"},
    {OBAN_OP_ENV_SHOW, "{\"ref\":1,\"visible\":\"1\"}", "visible",
     "visible: expected true or false (or 1 or 0), found '1'"},
    {OBAN_OP_CM_ANIM, "{\"mode\":\"Look\",\"anim\":\"x\"}", "mode",
     "mode: expected 'look', 'move' or 'both', found 'Look'"},
    {OBAN_OP_CM_ANIM, "{\"mode\":1,\"anim\":\"x\"}", "mode",
     "mode: expected 'look', 'move' or 'both', found 1"},
    {OBAN_OP_CM_RESET, "{\"maxspeed\":\"80\"}", "maxspeed",
     "maxspeed: expected a number, found '80'"},
    {OBAN_OP_GS_FOV_SET, "{\"fov\":0.9}", "fov", "fov: expected a number from 1 to 179, found 0.9"},
    {OBAN_OP_GS_FOV_SET, "{\"fov\":179.1}", "fov",
     "fov: expected a number from 1 to 179, found 179.1"},
    {OBAN_OP_OBJ_PLACE, "{\"object\":1,\"matrix\":[1,2]}", "matrix",
     "matrix: expected an array of 12 numbers, found an array of 2"},
    {OBAN_OP_OBJ_PLACE, "{\"object\":1,\"matrix\":[1,2,3,4,5,6,7,8,9,10,11,12,13]}", "matrix",
     "matrix: expected an array of 12 numbers, found an array of 13"},
    {OBAN_OP_OBJ_PLACE, "{\"object\":1,\"matrix\":{}}", "matrix",
     "matrix: expected an array of 12 numbers, found an object"},
    {OBAN_OP_OBJ_PLACE, "{\"object\":1,\"matrix\":[1,2,3,\"4\",5,6,7,8,9,10,11,12]}", "matrix",
     "matrix[3]: expected a number that float32 holds, found '4'"},
    {OBAN_OP_OBJ_PLACE, "{\"object\":1,\"matrix\":[1,2,3,4,5,6,7,8,9,10,11,1e39]}", "matrix",
     "matrix[11]: expected a number that float32 holds, found a number beyond float32"},
    {OBAN_OP_OBJ_DEFINE, "{\"object\":1,\"matrix\":null}", "matrix",
     "matrix: expected an array of 12 numbers, found null"},
    {OBAN_OP_OBJ_DEFINE, "{\"object\":1,\"name\":\"" SIXTY SIXTY "12345678\"}", "name",
     "name: expected a string of at most 127 bytes without control characters, found "
     "'0123456789012345678901234567890123456789...'"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        oban_command c;
        oban_command before;
        oban_field_fault fault;
        memset(&c, 0x5a, sizeof c);
        c.op = bads[i].op;
        memcpy(&before, &c, sizeof c);
        oban_json *root = parse(bads[i].text);
        assert_int_equal(read_op(root, bads[i].op, &c, &fault), OBAN_BAD_FIELD);
        assert_string_equal(fault.message.data, bads[i].message);
        assert_string_equal(fault.field, bads[i].field);
        assert_memory_equal(&c, &before, sizeof c);
        assert_int_equal(read_op(root, bads[i].op, &c, NULL), OBAN_BAD_FIELD);
        oban_json_free(root);
    }
}

/* The scanner in front of the fields refuses what no double holds. */
static void test_scanner(void **state)
{
    static const char *const texts[] = {"{\"object\":1e999}", "{\"object\":01}", "{\"object\":NaN}",
                                        "{\"object\":1,\"object\":2}",
                                        "{\"object\":1,\"Object\":2}"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        oban_json *root = NULL;
        oban_json_fault fault;
        assert_int_not_equal(oban_json_parse(texts[i], strlen(texts[i]), &root, &fault), OBAN_OK);
    }
}

static void count_fault(void *context, const oban_field_fault *fault)
{
    int *count = context;
    assert_true(fault->message.bytes > 0);
    ++*count;
}

static void test_all_faults(void **state)
{
    oban_command c = {.op = OBAN_OP_OBJ_DEFINE};
    int count = 0;
    oban_field_listener listener = {count_fault, &count};
    const oban_command_row *row = oban_command_row_of(OBAN_OP_OBJ_DEFINE);
    (void)state;
    oban_json *root = parse("{\"part\":-1,\"anim\":\"\",\"nme\":\"x\",\"x-y\":1,\"op\":1}");
    assert_int_equal(oban_fields_read_all(root, row->args, row->arg_count, &c, NULL, &listener),
                     OBAN_BAD_FIELD);
    assert_int_equal(count, 5);
    oban_json_free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),       cmocka_unit_test(test_types),
        cmocka_unit_test(test_bad),        cmocka_unit_test(test_scanner),
        cmocka_unit_test(test_all_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
