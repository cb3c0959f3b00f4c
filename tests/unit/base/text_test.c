/* SPDX-License-Identifier: MIT */
/* Text: comparing, UTF-8, and lines that never break a character. Next: ../json/. */
#include "core/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_text_of(void **state)
{
    (void)state;
    assert_int_equal(oban_text_of("abc").bytes, 3);
    assert_int_equal(oban_text_of("").bytes, 0);
    assert_int_equal(oban_text_of(NULL).bytes, 0);
}

static void test_equal(void **state)
{
    (void)state;
    oban_text none = {NULL, 0};
    assert_true(oban_text_equal(none, oban_text_of("")));
    assert_true(oban_text_equal(oban_text_of("Door"), oban_text_of("Door")));
    assert_false(oban_text_equal(oban_text_of("Door"), oban_text_of("door")));
    assert_false(oban_text_equal(oban_text_of("Door"), oban_text_of("Doors")));
    assert_true(oban_text_equal_nocase(oban_text_of("DoOr_1"), oban_text_of("dOoR_1")));
    assert_false(oban_text_equal_nocase(oban_text_of("door"), oban_text_of("doors")));
    /* Only letters fold: '@' and '`', '[' and '{' are 32 apart as well; so are the bytes of U+00C4,
     * U+00E4. */
    assert_false(oban_text_equal_nocase(oban_text_of("@["), oban_text_of("`{")));
    assert_false(oban_text_equal_nocase(oban_text_of("\xc3\x84"), oban_text_of("\xc3\xa4")));
}

static void test_utf8_good(void **state)
{
    static const struct {
        const char *data;
        uint32_t bytes, code;
    } rows[] = {
        {"a", 1, 'a'},
        {"\x7f", 1, 0x7f},
        {"\xc2\x80", 2, 0x80},
        {"\xdf\xbf", 2, 0x7ff},
        {"\xe0\xa0\x80", 3, 0x800},
        {"\xed\x9f\xbf", 3, 0xd7ff},
        {"\xee\x80\x80", 3, 0xe000},
        {"\xef\xbf\xbf", 3, 0xffff},
        {"\xf0\x90\x80\x80", 4, 0x10000},
        {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t code = 0;
        size_t bytes = strlen(rows[i].data);
        assert_int_equal(oban_utf8_decode(rows[i].data, bytes, &code), rows[i].bytes);
        assert_int_equal(code, rows[i].code);
        assert_int_equal(oban_utf8_decode(rows[i].data, bytes - 1, &code), 0);
    }
}

static void test_utf8_bad(void **state)
{
    static const char *const rows[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xc3(",
        "\xe0\x80\x80",
        "\xe0\x9f\xbf",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xe2\x82(",
        "\xf0\x80\x80\x80",
        "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf8\x88\x80\x80\x80",
        "\xfe",
        "\xff",
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t code = 77;
        assert_int_equal(oban_utf8_decode(rows[i], strlen(rows[i]), &code), 0);
        assert_int_equal(code, 77);
    }
}

static void test_numbers(void **state)
{
    oban_line line;
    (void)state;
    oban_line_clear(&line);
    oban_line_add_u64(&line, 0);
    oban_line_add(&line, " ");
    oban_line_add_u64(&line, UINT64_MAX);
    oban_line_add(&line, " ");
    oban_line_add_i64(&line, -1);
    oban_line_add(&line, " ");
    oban_line_add_i64(&line, INT64_MIN);
    oban_line_add(&line, " ");
    oban_line_add_i64(&line, INT64_MAX);
    oban_line_add(&line, " ");
    oban_line_add_hex64(&line, 0x0123456789abcdefu);
    assert_string_equal(line.data, "0 18446744073709551615 -1 -9223372036854775808 "
                                   "9223372036854775807 0123456789abcdef");
    assert_int_equal(line.bytes, strlen(line.data));
}

static void fill(oban_line *line, uint32_t bytes)
{
    oban_line_clear(line);
    while (line->bytes < bytes) {
        oban_line_add(line, "x");
    }
}

/* One character of 1 to 4 bytes against every room from 0 to 5: it goes in whole or not at all. */
static void test_cut(void **state)
{
    static const char *const characters[] = {"e", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x9a\xaa"};
    (void)state;
    for (uint32_t size = 1; size <= 4; size++) {
        for (uint32_t room = 0; room <= 5; room++) {
            oban_line line;
            uint32_t before = OBAN_LINE_BYTES - 1 - room;
            char twice[9];
            strcpy(twice, characters[size - 1]);
            strcat(twice, characters[size - 1]);
            fill(&line, before);
            oban_line_add(&line, twice);
            uint32_t whole = room / size > 2 ? 2 : room / size;
            assert_int_equal(line.bytes, before + whole * size);
            assert_int_equal(strlen(line.data), line.bytes);
        }
    }
}

static void test_cut_no_utf8(void **state)
{
    oban_line line;
    (void)state;
    fill(&line, OBAN_LINE_BYTES - 11);
    oban_line_add(&line, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80");
    /* No character to keep whole: not more than three bytes are given up for it. */
    assert_int_equal(line.bytes, OBAN_LINE_BYTES - 1 - 3);
    oban_line_clear(&line);
    assert_string_equal(line.data, "");
    oban_line_add(&line, NULL);
    assert_int_equal(line.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_of),     cmocka_unit_test(test_equal),
        cmocka_unit_test(test_utf8_good),   cmocka_unit_test(test_utf8_bad),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_cut),
        cmocka_unit_test(test_cut_no_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
