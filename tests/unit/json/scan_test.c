/* SPDX-License-Identifier: MIT */
/* The strict scanner: what it takes, what it refuses, where it points, and that it never reads past
 * the text. Next: json_test.c. */
#include "proto/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The text is copied to a block of just its size, for the sanitizer to watch the end. */
static oban_status scan(const char *text, size_t bytes, oban_json_fault *fault)
{
    char *exact = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(exact);
    memcpy(exact, text, bytes);
    oban_status status = oban_json_scan(exact, bytes, fault);
    free(exact);
    return status;
}

static void test_good(void **state)
{
    static const char *const rows[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "\"\"",
        "{}",
        "[]",
        " \t\r\n[ ] \n",
        "[1 ,2\n,\t3]",
        "{\"a\":1,\"b\":{\"a\":1},\"c\":[{\"a\":1},{\"a\":1}]}",
        "{ \"a\" : 1 , \"b\" : 2 }",
        "[0.5,-0.5,10,1e5,1E+5,1e-5,0e0,0.0e-0,123.456e+7,1e308,-1.7976931348623157e308,1e-999]",
        "9007199254740993",
        "0.1000000000000000000000000000000000000000000000000000000000001",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\uFFFF\\u00e9\\ud83d\\udeaa\"",
        "\"/\x7f'\"",
        "\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"",
        "\"\xef\xbb\xbf\"",
        "{\"\":1,\" \":2}",
        "{\"a\":1,\"aa\":2,\"ab\":3}",
        "{\"@\":1,\"`\":2,\"[\":3,\"{\":4}",
        "{\"\xc3\x84\":1,\"\xc3\xa4\":2}",
        "{\"\\u00c4\":1,\"\\u00e4\":2}",
        "{\"\\n\":1,\"n\":2,\"\\\\n\":3}",
        "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
        "[[[[[[[[[[[[[[[{\"a\":1}]]]]]]]]]]]]]]]",
        "[[[[[[[[[[[[[[[[],[]],[]]]]]]]]]]]]]]]",
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        oban_json_fault fault;
        memset(&fault, 'x', sizeof fault);
        if (scan(rows[i], strlen(rows[i]), &fault) != OBAN_OK) {
            fail_msg("%s: %u:%u %s", rows[i], fault.line, fault.column, fault.message.data);
        }
        assert_int_equal(fault.message.bytes, 0);
    }
}

typedef struct bad_row {
    const char *text;
    uint32_t line, column;
    const char *message;
} bad_row;

static void check_bad(const bad_row *row, size_t bytes, oban_status expected)
{
    oban_json_fault fault;
    oban_status status = scan(row->text, bytes, &fault);
    if (status != expected || fault.line != row->line || fault.column != row->column ||
        strcmp(fault.message.data, row->message) != 0) {
        fail_msg("%s\n  gave     %s %u:%u %s\n  expected %s %u:%u %s", row->text,
                 oban_status_word(status), fault.line, fault.column, fault.message.data,
                 oban_status_word(expected), row->line, row->column, row->message);
    }
    /* Line and column are those of the offset. */
    size_t offset = 0;
    for (uint32_t line = 1; line < fault.line; line++) {
        offset = (size_t)(strchr(row->text + offset, '\n') + 1 - row->text);
    }
    assert_int_equal(fault.offset, offset + fault.column - 1);
}

#define END "the end of the text"

static const bad_row bad_rows[] = {
    /* nothing, or not at the start */
    {"", 1, 1, "expected a value, found " END},
    {" \n\t ", 2, 3, "expected a value, found " END},
    {"\xef\xbb\xbf{}", 1, 1, "expected a value, found a byte order mark"},
    {"env_anim 1", 1, 1, "expected a value, found 'e'"},
    {"'a'", 1, 1, "expected a value, found '''"},
    {"NaN", 1, 1, "expected a value, found 'N'"},
    {"Infinity", 1, 1, "expected a value, found 'I'"},
    {"// x\n1", 1, 1, "expected a value, found '/'"},
    {"\v1", 1, 1, "expected a value, found byte 0x0b"},
    {"\xc2\xa0"
     "1",
     1, 1, "expected a value, found '\xc2\xa0'"},
    {"\xff", 1, 1, "expected a value, found byte 0xff"},
    /* trailing text */
    {"{} x", 1, 4, "expected the end of the text, found 'x'"},
    {"1 2", 1, 3, "expected the end of the text, found '2'"},
    {"[]]", 1, 3, "expected the end of the text, found ']'"},
    {"{}\n\n,", 3, 1, "expected the end of the text, found ','"},
    {"nullx", 1, 5, "expected the end of the text, found 'x'"},
    {"\"a\"\"b\"", 1, 4, "expected the end of the text, found '\"'"},
    {"1\xef\xbb\xbf", 1, 2, "expected the end of the text, found a byte order mark"},
    /* literals */
    {"nul", 1, 4, "expected null, found " END},
    {"[trux]", 1, 5, "expected true, found 'x'"},
    {"False", 1, 1, "expected a value, found 'F'"},
    {"fAlse", 1, 2, "expected false, found 'A'"},
    /* numbers */
    {"1e999", 1, 1, "expected a number that a double can hold, found 1e999"},
    {"[0,-1e309]", 1, 4, "expected a number that a double can hold, found -1e309"},
    {"1.7976931348623159e308", 1, 1,
     "expected a number that a double can hold, found 1.7976931348623159e308"},
    {"01", 1, 2, "expected no digit after a leading 0, found '1'"},
    {"-01", 1, 3, "expected no digit after a leading 0, found '1'"},
    {"[00]", 1, 3, "expected no digit after a leading 0, found '0'"},
    {"1.", 1, 3, "expected a digit after the decimal point, found " END},
    {"[1.]", 1, 4, "expected a digit after the decimal point, found ']'"},
    {"1.e5", 1, 3, "expected a digit after the decimal point, found 'e'"},
    {"-.5", 1, 2, "expected a digit after '-', found '.'"},
    {".5", 1, 1, "expected a value, found '.'"},
    {"+1", 1, 1, "expected a value, found '+'"},
    {"-", 1, 2, "expected a digit after '-', found " END},
    {"--1", 1, 2, "expected a digit after '-', found '-'"},
    {"1e", 1, 3, "expected a digit in the exponent, found " END},
    {"1e+", 1, 4, "expected a digit in the exponent, found " END},
    {"1E5.5", 1, 4, "expected the end of the text, found '.'"},
    {"0x10", 1, 2, "expected the end of the text, found 'x'"},
    {"1,5", 1, 2, "expected the end of the text, found ','"},
    {"0.10000000000000000000000000000000000000000000000000000000000011", 1, 1, ""},
    /* strings */
    {"\"", 1, 2, "expected a closing '\"', found " END},
    {"[\"ab", 1, 5, "expected a closing '\"', found " END},
    {"\"a\nb\"", 1, 3, "expected an escape for a control character in a string, found byte 0x0a"},
    {"\"\t\"", 1, 2, "expected an escape for a control character in a string, found byte 0x09"},
    {"\"\x1f\"", 1, 2, "expected an escape for a control character in a string, found byte 0x1f"},
    {"\"\\x41\"", 1, 3, "expected one of \"\\/bfnrtu after a backslash, found 'x'"},
    {"\"\\'\"", 1, 3, "expected one of \"\\/bfnrtu after a backslash, found '''"},
    {"\"\\", 1, 3, "expected one of \"\\/bfnrtu after a backslash, found " END},
    {"\"\\u12g4\"", 1, 6, "expected four hex digits after \\u, found 'g'"},
    {"\"\\u12\"", 1, 6, "expected four hex digits after \\u, found '\"'"},
    {"\"\\u", 1, 4, "expected four hex digits after \\u, found " END},
    {"\"a\\u0000\"", 1, 3, "expected no NUL in a string, found \\u0000"},
    {"\"\\ud800\"", 1, 2, "expected a low surrogate after a high one, found \\ud800"},
    {"\"\\ud800", 1, 2, "expected a low surrogate after a high one, found \\ud800"},
    {"\"\\uD83Dx\\uDE00\"", 1, 2, "expected a low surrogate after a high one, found \\uD83D"},
    {"\"\\ud83d\\ud83d\"", 1, 2, "expected a low surrogate after a high one, found \\ud83d\\ud83d"},
    {"\"\\ud83d\\u0041\"", 1, 2, "expected a low surrogate after a high one, found \\ud83d\\u0041"},
    {"\"\\udeaa\"", 1, 2, "expected a high surrogate before a low one, found \\udeaa"},
    {"\"\\ud83d\\u\"", 1, 10, "expected four hex digits after \\u, found '\"'"},
    /* UTF-8 */
    {"\"\x80\"", 1, 2, "expected valid UTF-8, found byte 0x80"},
    {"\"\xc0\x80\"", 1, 2, "expected valid UTF-8, found byte 0xc0"},
    {"\"\xc1\xbf\"", 1, 2, "expected valid UTF-8, found byte 0xc1"},
    {"\"\xe0\x9f\xbf\"", 1, 2, "expected valid UTF-8, found byte 0xe0"},
    {"\"\xf0\x8f\xbf\xbf\"", 1, 2, "expected valid UTF-8, found byte 0xf0"},
    {"\"\xed\xa0\x80\"", 1, 2, "expected valid UTF-8, found byte 0xed"},
    {"\"\xf4\x90\x80\x80\"", 1, 2, "expected valid UTF-8, found byte 0xf4"},
    {"\"ab\xe2\x82\"", 1, 4, "expected valid UTF-8, found byte 0xe2"},
    {"\"\xe2\x82", 1, 2, "expected valid UTF-8, found byte 0xe2"},
    /* arrays and objects */
    {"[", 1, 2, "expected a value or ']', found " END},
    {"[1", 1, 3, "expected ',' or ']', found " END},
    {"[1,]", 1, 4, "expected a value after ',', found ']'"},
    {"[,1]", 1, 2, "expected a value or ']', found ','"},
    {"[1 2]", 1, 4, "expected ',' or ']', found '2'"},
    {"[1}", 1, 3, "expected ',' or ']', found '}'"},
    {"[1,,2]", 1, 4, "expected a value after ',', found ','"},
    {"[1.5,\n 2;]", 2, 3, "expected ',' or ']', found ';'"},
    {"{", 1, 2, "expected a key in '\"' or '}', found " END},
    {"{\"op\":\"env_anim\",", 1, 18, "expected a key in '\"' after ',', found " END},
    {"{\"a\":1,}", 1, 8, "expected a key in '\"' after ',', found '}'"},
    {"{a:1}", 1, 2, "expected a key in '\"' or '}', found 'a'"},
    {"{1:1}", 1, 2, "expected a key in '\"' or '}', found '1'"},
    {"{\"a\" 1}", 1, 6, "expected ':' after a key, found '1'"},
    {"{\"a\"}", 1, 5, "expected ':' after a key, found '}'"},
    {"{\"a\":}", 1, 6, "expected a value after ':', found '}'"},
    {"{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}', found '\"'"},
    {"{\"a\":1]", 1, 7, "expected ',' or '}', found ']'"},
    {"{\"a\":{\"b\":tru}}", 1, 14, "expected true, found '}'"},
    {"{\n  \"a\": 1,\n  \"b\": 0,\n  \"c\": \xe2\x82\xac\n}", 4, 8,
     "expected a value after ':', found '\xe2\x82\xac'"},
    {"[1] // end", 1, 5, "expected the end of the text, found '/'"},
    {"[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]", 1, 17,
     "expected at most 16 levels of arrays and objects, found '['"},
    {"[[[[[[[[[[[[[[[[{}]]]]]]]]]]]]]]]]", 1, 17,
     "expected at most 16 levels of arrays and objects, found '{'"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_rows / sizeof bad_rows[0]; i++) {
        bad_row row = bad_rows[i];
        if (row.message[0] == '\0') { /* 64 characters: quoted up to the 60th */
            row.message = "expected a number of at most 63 characters, found "
                          "0.1000000000000000000000000000000000000000000000000000000000...";
        }
        check_bad(&row, strlen(row.text), OBAN_BAD_JSON);
    }
}

static void test_raw_nul(void **state)
{
    static const bad_row rows[] = {
        {"\0", 1, 1, "expected a value, found byte 0x00"},
        {"{}\0", 1, 3, "expected the end of the text, found byte 0x00"},
        {"[\0]", 1, 2, "expected a value or ']', found byte 0x00"},
        {"\"\0\"", 1, 2, "expected an escape for a control character in a string, found byte 0x00"},
        {"\"\\\0", 1, 3, "expected one of \"\\/bfnrtu after a backslash, found byte 0x00"},
    };
    static const size_t bytes[] = {1, 3, 3, 3, 3};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_bad(&rows[i], bytes[i], OBAN_BAD_JSON);
    }
    oban_json_fault fault;
    assert_int_equal(oban_json_scan(NULL, 0, &fault), OBAN_BAD_JSON);
}

static void test_keys(void **state)
{
    static const bad_row rows[] = {
        {"{\"op\":\"ping\",\"op\":\"shutdown\"}", 1, 14,
         "expected each key once, found \"op\" again"},
        {"{\"op\":1,\n \"x\":2,\"OP\":3}", 2, 8,
         "expected keys that differ by more than case, found \"OP\" beside \"op\""},
        {"{\"op\":1,\"\\u006fp\":2}", 1, 9, "expected each key once, found \"\\u006fp\" again"},
        {"{\"op\":1,\"\\u004fp\":2}", 1, 9,
         "expected keys that differ by more than case, found \"\\u004fp\" beside \"op\""},
        {"{\"\":1,\"\":2}", 1, 7, "expected each key once, found \"\" again"},
        {"{\"\xc3\xa9\":1,\"\\u00E9\":2}", 1, 9, "expected each key once, found \"\\u00E9\" again"},
        {"{\"\xf0\x9f\x9a\xaa\":1,\"\\ud83d\\udeaa\":2}", 1, 11,
         "expected each key once, found \"\\ud83d\\udeaa\" again"},
        {"{\"\\n\\/\\\"\":1,\"\\u000a/\\u0022\":2}", 1, 13,
         "expected each key once, found \"\\u000a/\\u0022\" again"},
        {"[0,{\"b\":{\"a\":1,\"A\":2}}]", 1, 16,
         "expected keys that differ by more than case, found \"A\" beside \"a\""},
        {"{\"a\":{\"b\":1},\"b\":1,\"a\":2}", 1, 20, "expected each key once, found \"a\" again"},
        {"{\"a\":1,\"a", 1, 10, NULL}, /* cut short comes first */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bad_row row = rows[i];
        if (row.message == NULL) {
            row.message = "expected a closing '\"', found " END;
            check_bad(&row, strlen(row.text), OBAN_BAD_JSON);
        } else {
            check_bad(&row, strlen(row.text), OBAN_BAD_FIELD);
        }
    }
}

/* Long keys are cut in the message, at whole characters, and the message stays within its line. */
static void test_long_keys(void **state)
{
    char text[4096];
    char key[400] = "";
    oban_json_fault fault;
    (void)state;
    for (int i = 0; i < 100; i++) {
        strcat(key, "\xe2\x82\xac");
    }
    int bytes = snprintf(text, sizeof text, "{\"%sa\":1,\"%sA\":2}", key, key);
    assert_int_equal(scan(text, (size_t)bytes, &fault), OBAN_BAD_FIELD);
    assert_int_equal(fault.column, 308);
    assert_true(fault.message.bytes < OBAN_LINE_BYTES);
    uint32_t code;
    for (uint32_t at = 0; at < fault.message.bytes;) {
        uint32_t taken = oban_utf8_decode(fault.message.data + at, fault.message.bytes - at, &code);
        assert_int_not_equal(taken, 0);
        at += taken;
    }
    assert_non_null(strstr(fault.message.data, "... beside \"\xe2\x82\xac"));
}

static size_t object_of_keys(char *text, unsigned count)
{
    size_t at = 0;
    text[at++] = '{';
    for (unsigned i = 0; i < count; i++) {
        at += (size_t)sprintf(text + at, "%s\"k%u\":%u", i > 0 ? "," : "", i, i);
    }
    text[at++] = '}';
    return at;
}

static void test_key_limit(void **state)
{
    char text[2048];
    oban_json_fault fault;
    (void)state;
    assert_int_equal(scan(text, object_of_keys(text, 64), &fault), OBAN_OK);
    assert_int_equal(scan(text, object_of_keys(text, 65), &fault), OBAN_BAD_JSON);
    assert_string_equal(fault.message.data, "expected at most 64 keys in an object, found \"k64\"");
    assert_memory_equal(text + fault.offset, "\"k64\"", 5);
}

/* A megabyte of one byte over and over: quick, and no stack is used up. */
static void test_megabyte(void **state)
{
    static const char bytes[] = "[{\"\\ 1-,\xe2";
    size_t size = 1 << 20;
    char *text = malloc(size);
    oban_json_fault fault;
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof bytes - 1; i++) {
        memset(text, bytes[i], size);
        assert_int_equal(oban_json_scan(text, size, &fault), OBAN_BAD_JSON);
        assert_int_equal(fault.line, 1);
        if (bytes[i] == '[') {
            assert_int_equal(fault.offset, 16);
            assert_int_equal(fault.column, 17);
        }
    }
    memset(text, 'a', size);
    text[0] = text[size - 1] = '"';
    assert_int_equal(oban_json_scan(text, size, &fault), OBAN_OK);
    memset(text, '\n', size);
    assert_int_equal(oban_json_scan(text, size, &fault), OBAN_BAD_JSON);
    assert_int_equal(fault.line, size + 1);
    free(text);
}

/* 64 long keys that differ in their last character only, of equal hashes or not: the limit bounds
 * the work. */
static void test_slow_keys(void **state)
{
    size_t each = 16000;
    char *text = malloc(64 * (each + 16));
    size_t at = 0;
    oban_json_fault fault;
    (void)state;
    assert_non_null(text);
    for (unsigned i = 0; i < 64; i++) {
        text[at++] = i == 0 ? '{' : ',';
        text[at++] = '"';
        memset(text + at, 'k', each);
        at += each;
        at += (size_t)sprintf(text + at, "%02u\":0", i);
    }
    text[at++] = '}';
    assert_int_equal(oban_json_scan(text, at, &fault), OBAN_OK);
    free(text);
}

/* Every beginning of a good text is a bad text that ends too early, and is read no further than it
 * goes. */
static void test_cut_short(void **state)
{
    static const char text[] =
        "{\"a\":[1.5e+3,true,false,null,\"\\u00e9\\ud83d\\udeaa\xe2\x82\xac\"],"
        "\"b\":{\"c\":-0.25}}";
    (void)state;
    for (size_t bytes = 0; bytes < sizeof text - 1; bytes++) {
        oban_json_fault fault;
        assert_int_equal(scan(text, bytes, &fault), OBAN_BAD_JSON);
        assert_true(fault.offset <= bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),      cmocka_unit_test(test_bad),
        cmocka_unit_test(test_raw_nul),   cmocka_unit_test(test_keys),
        cmocka_unit_test(test_long_keys), cmocka_unit_test(test_key_limit),
        cmocka_unit_test(test_megabyte),  cmocka_unit_test(test_slow_keys),
        cmocka_unit_test(test_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
