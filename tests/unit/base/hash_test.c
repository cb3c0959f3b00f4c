/* SPDX-License-Identifier: MIT */
/* The hash: fixed numbers, reckoned by a Python program apart from the C; recordings hold such
 * hashes, so a change here is a change of format. Next: rng_test.c. */
#include "core/base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static uint64_t hash_of_bytes(const char *first, const char *second)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_bytes(&hash, first, strlen(first));
    if (second != NULL) {
        oban_hash_bytes(&hash, second, strlen(second));
    }
    return oban_hash_end(&hash);
}

static uint64_t hash_of_float(float value)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_f32(&hash, value);
    return oban_hash_end(&hash);
}

static uint64_t hash_of_pair(uint64_t a, uint64_t b)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_u64(&hash, a);
    oban_hash_u64(&hash, b);
    return oban_hash_end(&hash);
}

static void test_words(void **state)
{
    oban_hash hash;
    (void)state;
    oban_hash_start(&hash);
    assert_int_equal(oban_hash_end(&hash), 0xefd01f60ba992926u);
    oban_hash_u64(&hash, (uint64_t)1 << 63);
    assert_int_equal(oban_hash_end(&hash), 0x974618a31f00098bu);
    assert_int_equal(hash_of_pair(1, 2), 0x83efd8014dbeb3cau);
    assert_int_equal(hash_of_pair(2, 1), 0x454429ee96c56d08u);
}

static void test_floats(void **state)
{
    (void)state;
    assert_int_equal(hash_of_float(0.0f), 0xb8371b5e9326a9e3u);
    assert_int_equal(hash_of_float(-0.0f), 0x6d85f177865dff03u);
    assert_int_equal(hash_of_float(1.5f), 0x088ce6fa8bd06dd0u);
}

static void test_bytes(void **state)
{
    (void)state;
    assert_int_equal(hash_of_bytes("", NULL), 0xb8371b5e9326a9e3u);
    assert_int_equal(hash_of_bytes("a", NULL), 0x1bba1db48b4b6d6bu);
    assert_int_equal(hash_of_bytes("abcdefgh", NULL), 0x265bbd7c24ac35fbu);
    assert_int_equal(hash_of_bytes("abcdefghi", NULL), 0xa864992fdcd8b542u);
    assert_int_equal(hash_of_bytes("ab", "c"), 0xd433312086e916e7u);
    assert_int_equal(hash_of_bytes("a", "bc"), 0xe86189be53a57ee0u);
}

/* NULL with no bytes, and data at any address. */
static void test_bytes_edges(void **state)
{
    oban_hash none;
    (void)state;
    oban_hash_start(&none);
    oban_hash_bytes(&none, NULL, 0);
    assert_int_equal(oban_hash_end(&none), hash_of_bytes("", NULL));
    for (size_t shift = 0; shift < 8; shift++) {
        char copy[24] = {0};
        memcpy(copy + shift, "abcdefghi", 9);
        assert_int_equal(hash_of_bytes(copy + shift, NULL), 0xa864992fdcd8b542u);
    }
}

/* Any one bit of the last word changes about half of the 64: between 10 and 54 for each is a wide
 * berth. */
static void test_spread(void **state)
{
    (void)state;
    uint64_t base = hash_of_pair(7, 0);
    for (unsigned bit = 0; bit < 64; bit++) {
        int changed = __builtin_popcountll(base ^ hash_of_pair(7, (uint64_t)1 << bit));
        assert_in_range(changed, 10, 54);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),  cmocka_unit_test(test_floats),
        cmocka_unit_test(test_bytes),  cmocka_unit_test(test_bytes_edges),
        cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
