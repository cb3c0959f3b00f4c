/* SPDX-License-Identifier: MIT */
/* The table of statuses: words and numbers are each used once, the words are fit for the wire, and
 * the numbers that clients may have stored are the old ones. Next: hash_test.c. */
#include "core/base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *word;
    int number;
    const char *meaning;
} rows[] = {
#define OBAN_STATUS(name, word, number, meaning, advice) {word, number, meaning},
#include "core/base/status.def"
#undef OBAN_STATUS
};

#define ROWS (sizeof rows / sizeof rows[0])

static void test_lookup(void **state)
{
    (void)state;
    assert_string_equal(oban_status_word(OBAN_OK), "ok");
    assert_string_equal(oban_status_advice(OBAN_OK), "");
    assert_string_equal(oban_status_word(OBAN_NO_OBJECT), "no_object");
    assert_string_equal(oban_status_meaning(OBAN_NO_OBJECT), "no such object is alive");
    assert_string_equal(oban_status_advice(OBAN_NO_OBJECT), "create it, or name one that lives");
    for (size_t i = 0; i < ROWS; i++) {
        assert_string_equal(oban_status_word((oban_status)rows[i].number), rows[i].word);
        assert_string_equal(oban_status_meaning((oban_status)rows[i].number), rows[i].meaning);
        assert_non_null(oban_status_advice((oban_status)rows[i].number));
    }
}

static void test_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(strlen(rows[i].word) > 0 && strlen(rows[i].meaning) > 0);
        assert_int_equal(strspn(rows[i].word, "abcdefghijklmnopqrstuvwxyz_"), strlen(rows[i].word));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(rows[i].word, rows[j].word);
            assert_int_not_equal(rows[i].number, rows[j].number);
        }
    }
}

static void test_numbers_stay(void **state)
{
    (void)state;
    assert_int_equal(OBAN_OK, 0);
    assert_int_equal(OBAN_BAD_JSON, 1);
    assert_int_equal(OBAN_BAD_FIELD, 2);
    assert_int_equal(OBAN_BAD_SCRIPT, 3);
    assert_int_equal(OBAN_LIMIT, 20);
    assert_int_equal(OBAN_NO_MEMORY, 22);
    assert_int_equal(OBAN_BAD_FILE, 30);
    assert_int_equal(OBAN_BAD_REQUEST, 40);
}

static void test_unknown(void **state)
{
    (void)state;
    assert_string_equal(oban_status_word((oban_status)999), "unknown_status");
    assert_true(strlen(oban_status_meaning((oban_status)999)) > 0);
    assert_string_equal(oban_status_advice((oban_status)999), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_numbers_stay),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
