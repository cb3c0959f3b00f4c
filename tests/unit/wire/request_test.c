/* SPDX-License-Identifier: MIT */
/* Requests read and copied, ops looked up, names matched. What each refusal looks like on the wire
 * is tested in ../server/sim_requests_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/wire/library.h"
#include "proto/wire/ops.h"
#include "proto/wire/request.h"

#include <stdlib.h>
#include <string.h>

static void *memory_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return context != NULL ? NULL : realloc(old, bytes);
}

static oban_json *read_text(const char *text, oban_request *request, oban_refusal *room)
{
    oban_json *root = NULL;
    oban_request_read(text, strlen(text), 1000, request, room, &root);
    return root;
}

static void test_fields_of_a_command(void **state)
{
    (void)state;
    oban_request request;
    oban_refusal room;
    oban_json *root = read_text("  {\"op\":\"env_setanim\",\"id\":\"me\",\"object\":7.0,"
                                "\"anim\":\"Door\",\"x-note\":[1]}",
                                &request, &room);
    assert_null(request.refusal);
    assert_int_equal(request.op, OBAN_OP_ENV_SETANIM);
    assert_int_equal(request.command.op, OBAN_OP_ENV_SETANIM);
    assert_int_equal(request.command.object, 7);
    assert_true(OBAN_HAS(&request.command, anim));
    assert_false(OBAN_HAS(&request.command, part));
    assert_int_equal(request.id.kind, OBAN_ID_STRING);
    oban_json_free(root);
}

static void test_copy_outlives_the_text(void **state)
{
    (void)state;
    oban_alloc good = {memory_resize, NULL};
    oban_alloc bad = {memory_resize, &good};
    oban_request request;
    oban_request *copy = NULL;
    oban_refusal room;
    size_t bytes = 0;
    oban_json *root = read_text("{\"op\":\"obj_define\",\"id\":\"me\",\"object\":1,\"anim\":\"a\","
                                "\"name\":\"bb\",\"geometry\":\"ccc\"}",
                                &request, &room);
    assert_null(oban_request_copy(&bad, &request, 8, &copy, &bytes));
    void *block = oban_request_copy(&good, &request, 8, &copy, &bytes);
    oban_json_free(root);
    memset(&request, 0xee, sizeof request);
    assert_true(oban_text_equal(copy->id.string, oban_text_of("me")));
    assert_true(oban_text_equal(copy->command.anim, oban_text_of("a")));
    assert_true(oban_text_equal(copy->command.name, oban_text_of("bb")));
    assert_true(oban_text_equal(copy->command.geometry, oban_text_of("ccc")));
    free(block);
    root = read_text("{\"op\":\"env_setanim\",\"id\":-3,\"object\":1}", &request, &room);
    block = oban_request_copy(&good, &request, 8, &copy, &bytes);
    oban_json_free(root);
    memset(&room, 0xee, sizeof room);
    assert_int_equal(copy->refusal->status, OBAN_BAD_FIELD);
    assert_string_equal(copy->refusal->field.data, "anim");
    assert_int_equal(copy->id.integer, -3);
    free(block);
}

static void test_what_is_bsl(void **state)
{
    (void)state;
    static const char *const bsl[] = {"", " \n", "env_anim 1", "\"x\"", "5", "null", "# {"};
    oban_request request;
    oban_refusal room;
    for (unsigned i = 0; i < sizeof bsl / sizeof bsl[0]; i++) {
        assert_null(read_text(bsl[i], &request, &room));
        assert_int_equal(request.op, OBAN_WIRE_BSL);
        assert_null(request.refusal);
        assert_int_equal(request.text.bytes, strlen(bsl[i]));
    }
    oban_json_free(read_text("\r\n\t [1]", &request, &room));
    assert_int_equal(request.refusal->status, OBAN_BAD_JSON);
}

/* A key twice, however it is written, is named without its escapes. */
static void test_field_of_a_duplicate(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *field;
    } cases[] = {{"{\"op\":\"ping\",\"id\":1,\"id\":2}", "id"},
                 {"{\"op\":\"ping\",\"x-a\":1,\"X-A\":2}", "X-A"},
                 {"{\"op\":\"ping\",\"x-\\\"\":1,\"x-\\\"\":2}", "x-\""}};
    oban_request request;
    oban_refusal room;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(read_text(cases[i].text, &request, &room));
        assert_int_equal(request.refusal->status, OBAN_BAD_FIELD);
        assert_string_equal(room.field.data, cases[i].field);
    }
}

static void test_every_op_is_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OBAN_WIRE_OP_COUNT; i++) {
        oban_wire_row row = oban_wire_row_of((oban_wire_op)i);
        oban_wire_op op;
        assert_true(oban_wire_op_find(oban_text_of(row.name), &op));
        assert_int_equal(op, i);
        assert_true(strlen(row.help) > 0);
        for (uint32_t a = 0; a < row.arg_count; a++) {
            assert_non_null(row.args[a].name);
        }
    }
    assert_int_equal(oban_wire_row_of(OBAN_WIRE_PING).arg_count, 0);
    assert_int_equal(oban_wire_row_of(OBAN_WIRE_ANIM_PATH).arg_count, 2);
}

static void test_nearest_op(void **state)
{
    (void)state;
    oban_line line;
    oban_line_clear(&line);
    oban_wire_op_missing(oban_text_of("anim_lst"), &line);
    assert_non_null(strstr(line.data, "'anim_list'"));
    oban_line_clear(&line);
    oban_wire_op_missing(oban_text_of("wholly_different_thing"), &line);
    assert_non_null(strstr(line.data, "see help"));
}

static void test_matches(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *name;
        bool matches;
    } cases[] = {
        {"*", "", true},
        {"", "", true},
        {"", "a", false},
        {"a*c", "abbc", true},
        {"A*C", "abbc", true},
        {"a*c", "abcd", false},
        {"*b*", "abc", true},
        {"?b?", "abc", true},
        {"?", "\xc3\xa4", true},
        {"??", "\xc3\xa4", false},
        {"a**b*", "aXb", true},
        {"abc", "abcd", false},
        {"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(
            oban_wire_matches(oban_text_of(cases[i].pattern), oban_text_of(cases[i].name)),
            cases[i].matches);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_of_a_command),
        cmocka_unit_test(test_copy_outlives_the_text),
        cmocka_unit_test(test_what_is_bsl),
        cmocka_unit_test(test_field_of_a_duplicate),
        cmocka_unit_test(test_every_op_is_found),
        cmocka_unit_test(test_nearest_op),
        cmocka_unit_test(test_matches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
