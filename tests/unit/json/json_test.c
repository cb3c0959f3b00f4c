/* SPDX-License-Identifier: MIT */
/* Parsing: values come out as written, cJSON takes all that the scanner lets through, and a failing
 * malloc at any place gives NO_MEMORY and no leak. Next: ../../../proto/wire/. */
#include "proto/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Only json.c includes cJSON's header; these two are declared here to fail its allocations. */
typedef struct cjson_hooks {
    void *(*take)(size_t bytes);
    void (*give)(void *block);
} cjson_hooks;
extern void cJSON_InitHooks(cjson_hooks *hooks);

static oban_json *parse(const char *text)
{
    oban_json *root = NULL;
    oban_json_fault fault;
    if (oban_json_parse(text, strlen(text), &root, &fault) != OBAN_OK) {
        fail_msg("%s: %s", text, fault.message.data);
    }
    return root;
}

static void test_values(void **state)
{
    oban_json *root = parse("{\"n\":null,\"t\":true,\"f\":false,\"x\":-1.5e2,"
                            "\"s\":\"a\\u00e9\\n\\ud83d\\udeaa\",\"a\":[1,2,3],\"o\":{}}");
    (void)state;
    assert_int_equal(oban_json_type_of(root), OBAN_JSON_OBJECT);
    assert_int_equal(oban_json_count(root), 7);
    assert_int_equal(oban_json_type_of(oban_json_member(root, "n")), OBAN_JSON_NULL);
    assert_int_equal(oban_json_type_of(oban_json_member(root, "t")), OBAN_JSON_BOOL);
    assert_int_equal(oban_json_type_of(oban_json_member(root, "f")), OBAN_JSON_BOOL);
    assert_int_equal(oban_json_type_of(oban_json_member(root, "x")), OBAN_JSON_NUMBER);
    assert_int_equal(oban_json_type_of(oban_json_member(root, "s")), OBAN_JSON_STRING);
    assert_int_equal(oban_json_type_of(oban_json_member(root, "a")), OBAN_JSON_ARRAY);
    assert_int_equal(oban_json_type_of(oban_json_member(root, "o")), OBAN_JSON_OBJECT);
    assert_true(oban_json_bool(oban_json_member(root, "t")));
    assert_false(oban_json_bool(oban_json_member(root, "f")));
    assert_true(oban_json_number(oban_json_member(root, "x")) == -150.0);
    assert_string_equal(oban_json_string(oban_json_member(root, "s")),
                        "a\xc3\xa9\n\xf0\x9f\x9a\xaa");
    assert_null(oban_json_member(root, "N"));
    assert_null(oban_json_member(root, ""));
    oban_json_free(root);
}

static void test_children(void **state)
{
    oban_json *root = parse("{\"b\":[10,20],\"a\":1}");
    (void)state;
    const oban_json *member = oban_json_first(root);
    assert_string_equal(oban_json_key(member), "b");
    const oban_json *item = oban_json_first(member);
    assert_null(oban_json_key(item));
    assert_true(oban_json_number(item) == 10.0);
    item = oban_json_next(item);
    assert_true(oban_json_number(item) == 20.0);
    assert_null(oban_json_next(item));
    member = oban_json_next(member);
    assert_string_equal(oban_json_key(member), "a");
    assert_null(oban_json_first(member));
    assert_int_equal(oban_json_count(member), 0);
    assert_null(oban_json_next(member));
    oban_json_free(root);
}

static void test_wrong_types(void **state)
{
    oban_json *root = parse("[\"text\",1]");
    const oban_json *text = oban_json_first(root);
    int64_t whole = 77;
    float single = 77;
    (void)state;
    assert_false(oban_json_bool(text));
    assert_true(oban_json_number(text) == 0.0);
    assert_null(oban_json_first(text));
    assert_null(oban_json_member(root, "text"));
    assert_string_equal(oban_json_string(root), "");
    assert_string_equal(oban_json_string(NULL), "");
    assert_int_equal(oban_json_type_of(NULL), OBAN_JSON_NULL);
    assert_null(oban_json_member(NULL, "a"));
    assert_int_equal(oban_json_count(NULL), 0);
    assert_false(oban_json_integer(text, 0, 9, &whole));
    assert_false(oban_json_integer(NULL, 0, 9, &whole));
    assert_false(oban_json_f32(text, &single));
    assert_false(oban_json_f32(NULL, &single));
    assert_int_equal(whole, 77);
    assert_true(single == 77.0f);
    oban_json_free(root);
    oban_json_free(NULL);
}

static void test_integer(void **state)
{
    static const struct {
        const char *text;
        int64_t lo, hi;
        bool good;
        int64_t value;
    } rows[] = {
        {"1.0", 0, 9, true, 1},
        {"-0", 0, 9, true, 0},
        {"1e3", 0, 1000, true, 1000},
        {"0", 0, 9, true, 0},
        {"9", 0, 9, true, 9},
        {"10", 0, 9, false, 0},
        {"-1", 0, 9, false, 0},
        {"1.9", 0, 9, false, 0},
        {"1e-999", 0, 9, true, 0},
        {"3000000000", INT32_MIN, INT32_MAX, false, 0},
        {"3000000000", 0, UINT32_MAX, true, 3000000000},
        {"9007199254740991", INT64_MIN, INT64_MAX, true, 9007199254740991},
        {"-9007199254740991", INT64_MIN, INT64_MAX, true, -9007199254740991},
        {"9007199254740992", INT64_MIN, INT64_MAX, false, 0},
        {"9007199254740993", INT64_MIN, INT64_MAX, false, 0},
        {"1e300", INT64_MIN, INT64_MAX, false, 0},
        {"-1e300", INT64_MIN, INT64_MAX, false, 0},
        {"true", 0, 9, false, 0},
        {"\"1\"", 0, 9, false, 0},
        {"[1]", 0, 9, false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        oban_json *root = parse(rows[i].text);
        int64_t value = -77;
        assert_int_equal(oban_json_integer(root, rows[i].lo, rows[i].hi, &value), rows[i].good);
        assert_int_equal(value, rows[i].good ? rows[i].value : -77);
        oban_json_free(root);
    }
}

static void test_f32(void **state)
{
    static const struct {
        const char *text;
        bool good;
        float value;
    } rows[] = {
        {"0.1", true, 0.1f},
        {"3.4028235e38", true, 3.40282347e38f},
        {"3.4028235677973362e38", true, 3.40282347e38f},
        {"3.4028235677973367e38", false, 0},
        {"-3.4028235677973367e38", false, 0},
        {"1e39", false, 0},
        {"1e-50", true, 0},
        {"1.1754944e-38", true, 1.17549435e-38f},
        {"null", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        oban_json *root = parse(rows[i].text);
        float value = 77.0f;
        assert_int_equal(oban_json_f32(root, &value), rows[i].good);
        assert_true(value == (rows[i].good ? rows[i].value : 77.0f));
        oban_json_free(root);
    }
}

/* The place and the words come through from the scanner; nothing is left to free. */
static void test_faults(void **state)
{
    oban_json_fault fault;
    oban_json *root = (oban_json *)(void *)&fault;
    (void)state;
    assert_int_equal(oban_json_parse("{\"a\":01}", 8, &root, &fault), OBAN_BAD_JSON);
    assert_null(root);
    assert_int_equal(fault.column, 7);
    assert_int_equal(oban_json_parse("{\"a\":1,\"A\":1}", 13, &root, &fault), OBAN_BAD_FIELD);
    assert_null(root);
    /* The text's end is where it is said to be, with no NUL there. */
    assert_int_equal(oban_json_parse("12345", 3, &root, &fault), OBAN_OK);
    assert_true(oban_json_number(root) == 123.0);
    oban_json_free(root);
}

/* Texts with random damage: what the scanner passes, cJSON must parse (else it says NO_MEMORY,
 * wrongly). */
static void test_scanner_is_stricter(void **state)
{
    static const char good[] = "{\"op\":\"env_anim\",\"id\":7,\"a\":[1,-2.5e+3,0.0,true,false,null,"
                               "\"\\u00e9\\ud83d\\udeaa\\n\",{\"k\":[]},{}],\"\xc3\xa9\":\"\"}";
    static const char damage[] = "\"\\{}[]:,0123456789-+.eEunltrfas \n\t\x01\x80\xc3\xa9\xff\0x";
    unsigned passed = 0;
    uint32_t random = 2463534242u;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        char text[sizeof good - 1];
        memcpy(text, good, sizeof text);
        for (int changes = 1 + i % 3; changes > 0; changes--) {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            text[random % sizeof text] = damage[(random >> 16) % (sizeof damage - 1)];
        }
        oban_json *root;
        oban_json_fault fault;
        oban_status status = oban_json_parse(text, sizeof text, &root, &fault);
        if (status == OBAN_NO_MEMORY) {
            fail_msg("cJSON does not take %.*s", (int)sizeof text, text);
        }
        assert_true((root != NULL) == (status == OBAN_OK));
        passed += status == OBAN_OK;
        oban_json_free(root);
    }
    assert_in_range(passed, 1000, 199000);
}

static size_t takes_left;
static size_t blocks_out;

static void *take_some(size_t bytes)
{
    if (takes_left == 0) {
        return NULL;
    }
    takes_left--;
    blocks_out++;
    return malloc(bytes);
}

static void give(void *block)
{
    blocks_out -= block != NULL;
    free(block);
}

static void test_no_memory(void **state)
{
    static const char text[] = "{\"a\":[1,\"b\",{\"c\":null}],\"d\":\"\\u00e9\"}";
    cjson_hooks hooks = {take_some, give};
    oban_status status = OBAN_NO_MEMORY;
    (void)state;
    cJSON_InitHooks(&hooks);
    for (size_t takes = 0; status == OBAN_NO_MEMORY; takes++) {
        oban_json *root;
        oban_json_fault fault;
        takes_left = takes;
        status = oban_json_parse(text, sizeof text - 1, &root, &fault);
        assert_true((root == NULL) == (status != OBAN_OK));
        assert_true(takes == 0 ? status == OBAN_NO_MEMORY : takes < 30);
        if (status == OBAN_NO_MEMORY) {
            assert_true(fault.message.bytes > 0);
        }
        oban_json_free(root);
        assert_int_equal(blocks_out, 0);
    }
    cJSON_InitHooks(NULL);
    assert_int_equal(status, OBAN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_integer),
        cmocka_unit_test(test_f32),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_scanner_is_stricter),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
