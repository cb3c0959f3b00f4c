/* SPDX-License-Identifier: MIT */
/* Floats as text: fixed vectors, and the round trip of millions of bit patterns, through float and
 * through double. Next: writer_test.c. */
#include "proto/json/floats.h"
#include "proto/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Digits from the first that is not 0 to the last that is not. */
static unsigned significant(const char *text)
{
    unsigned count = 0;
    unsigned zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text >= '1' && *text <= '9') {
            count += zeros + 1;
            zeros = 0;
        } else if (*text == '0' && count > 0) {
            zeros++;
        }
    }
    return count;
}

/* Few cmocka calls: each costs more than the conversion. */
static void check(uint32_t bits)
{
    char text[OBAN_FLOAT_BYTES_MAX + 1];
    size_t bytes = oban_float_shortest(float_of(bits), text);
    if (bytes == 0 || bytes > 16) {
        fail_msg("%08x: %zu bytes", bits, bytes);
    }
    text[bytes] = '\0';
    char *end;
    if (bits_of(strtof(text, &end)) != bits || *end != '\0') {
        fail_msg("%08x: %s reads as %08x", bits, text, bits_of(strtof(text, NULL)));
    }
    if (significant(text) > 9) {
        fail_msg("%08x: %s has too many digits", bits, text);
    }
}

/* One digit less must not do, and no text of as many digits may be closer; printf rounds correctly
 * to any number of digits, strtof says which of these are good. Whole numbers are written out, so
 * they are let off. */
static void check_shortest(uint32_t bits, const char *text)
{
    char other[32];
    float value = float_of(bits);
    int digits = (int)significant(text);
    if ((strchr(text, '.') == NULL && strchr(text, 'e') == NULL) ||
        (bits & 0x7fffffffu) == 0x15ae43fdu) {
        return;
    }
    (void)snprintf(other, sizeof other, "%.*e", digits - 2, (double)value);
    if (digits > 1 && strtof(other, NULL) == value) {
        fail_msg("%08x: %s, but %s is shorter", bits, text, other);
    }
    (void)snprintf(other, sizeof other, "%.*e", digits - 1, (double)value);
    if (strtof(other, NULL) == value && strtod(other, NULL) != strtod(text, NULL)) {
        fail_msg("%08x: %s, but %s is closer", bits, text, other);
    }
}

/* The whole rules, and the way through double that JavaScript goes. */
static void check_closely(uint32_t bits)
{
    char text[OBAN_FLOAT_BYTES_MAX + 1];
    check(bits);
    size_t bytes = oban_float_shortest(float_of(bits), text);
    text[bytes] = '\0';
    oban_json_fault fault;
    if (oban_json_scan(text, bytes, &fault) != OBAN_OK) {
        fail_msg("%08x: %s is no JSON: %s", bits, text, fault.message.data);
    }
    if (bits_of((float)strtod(text, NULL)) != bits) {
        fail_msg("%08x: %s differs when read as a double", bits, text);
    }
    /* Plain from 1e-5 to 1e9, else with an exponent. */
    float size = float_of(bits & 0x7fffffffu);
    bool plain = size == 0.0f || (size >= 1e-5f && size < 1e9f);
    if (plain != (strchr(text, 'e') == NULL)) {
        fail_msg("%08x: %s has the wrong notation", bits, text);
    }
    check_shortest(bits, text);
}

static void test_vectors(void **state)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } rows[] = {
        {0x00000000, "0"},
        {0x80000000, "-0"},
        {0x3f800000, "1"},
        {0xbf800000, "-1"},
        {0xc3610000, "-225"},
        {0x44949a6b, "1188.8256"},
        {0x3dcccccd, "0.1"},
        {0x3eaaaaab, "0.33333334"},
        {0x3f3504f3, "0.70710677"},
        {0xbf3504f3, "-0.70710677"},
        {0x4000c000, "2.0117188"}, /* just in the middle: to the even digit */
        {0x42c80000, "100"},
        {0x42c80001, "100.00001"},
        {0x4b7fffff, "16777215"},
        {0x4b800000, "16777216"},
        {0x4cbebc20, "100000000"},
        {0x4ceb79a3, "123456792"}, /* exact, not 123456790 */
        {0x4e6e6b27, "999999936"},
        {0x4e6e6b28, "1e9"},
        {0x501502f9, "1e10"},
        {0x7f7fffff, "3.4028235e38"},
        {0xff7fffff, "-3.4028235e38"},
        {0x3727c5ac, "0.00001"},
        {0x3727c5ad, "0.000010000001"},
        {0x3727c5ab, "9.999999e-6"},
        {0x358637bd, "1e-6"},
        {0x2edbe6ff, "1e-10"},
        {0x00000001, "1e-45"},
        {0x00000002, "3e-45"},
        {0x00000003, "4e-45"},
        {0x007fffff, "1.1754942e-38"},
        {0x00800000, "1.1754944e-38"},
        {0x15ae43fd, "7.0385307e-26"},
        {0x95ae43fd, "-7.0385307e-26"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[OBAN_FLOAT_BYTES_MAX + 1];
        size_t bytes = oban_float_shortest(float_of(rows[i].bits), text);
        text[bytes] = '\0';
        assert_string_equal(text, rows[i].text);
        check(rows[i].bits);
    }
}

/* Nothing beyond OBAN_FLOAT_BYTES_MAX is touched, and the text does not depend on what was there.
 */
static void test_room(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 200000; i++) {
        char a[OBAN_FLOAT_BYTES_MAX + 8];
        char b[OBAN_FLOAT_BYTES_MAX + 8];
        float value = float_of((i * 2654435761u) & ~0x40000000u);
        memset(a, 'A', sizeof a);
        memset(b, '9', sizeof b);
        size_t bytes = oban_float_shortest(value, a);
        assert_true(oban_float_shortest(value, b) == bytes && memcmp(a, b, bytes) == 0);
        assert_memory_equal(a + OBAN_FLOAT_BYTES_MAX, "AAAAAAAA", 8);
    }
}

/* Each exponent's first and last 64 mantissas and some between, both signs. */
static void test_borders(void **state)
{
    (void)state;
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        uint32_t first = exponent << 23;
        for (uint32_t i = 0; i < 64; i++) {
            check_closely(first + i);
            check_closely(first + 0x7fffffu - i);
            check_closely((first + (0x7fffffu / 64) * i) | 0x80000000u);
        }
    }
}

static void test_random(void **state)
{
    (void)state;
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 3200000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint32_t bits = (uint32_t)(random >> 32);
        if ((bits >> 23 & 0xffu) == 0xffu) {
            bits ^= 0x40000000u;
        }
        if (i % 64 == 0) {
            check_closely(bits);
        } else {
            check(bits);
        }
    }
}

/* What matrices hold: between -1 and 1, and positions. */
static void test_random_matrices(void **state)
{
    (void)state;
    uint32_t random = 12345;
    for (int i = 0; i < 100000; i++) {
        random = random * 1664525u + 1013904223u;
        float unit = (float)(int32_t)random / 2147483648.0f;
        check_closely(bits_of(unit));
        check_closely(bits_of(unit * 1000.0f));
        check_closely(bits_of((float)(int32_t)(unit * 4000.0f) / 4.0f));
    }
}

static void test_whole(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 300000; i++) {
        char text[OBAN_FLOAT_BYTES_MAX + 1];
        char expected[16];
        uint32_t whole = i < 100000 ? i : (i * 2654435761u) % 16777216u;
        size_t bytes = oban_float_shortest((float)whole, text);
        text[bytes] = '\0';
        (void)snprintf(expected, sizeof expected, "%u", whole);
        if (strcmp(text, expected) != 0) {
            fail_msg("%s for %s", text, expected);
        }
    }
}

/* Some are from Oni's own physics.xml, by way of oni-formats 4.1. */
static void test_dotnet(void **state)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } rows[] = {
        {0x00000000, "0"},
        {0x80000000, "-0"},
        {0x3f800000, "1"},
        {0xc3610000, "-225"},
        {0x44949a6b, "1188.82556"}, /* shortest: 1188.8256 */
        {0x38d1b717, "0.0001"},
        {0x3727c5ac, "1E-05"},
        {0x3dcccccd, "0.1"},
        {0x3eaaaaab, "0.333333343"},
        {0x4b189680, "1E+07"},
        {0x4b3c614e, "12345678"},
        {0x4ceb79a3, "123456792"},
        {0x501502f9, "1E+10"},
        {0x7f7fffff, "3.40282347E+38"},
        {0x00000001, "1.401298E-45"},
        {0x7fc00000, "NaN"},
        {0xffc00000, "NaN"},
        {0x7f800000, "INF"},
        {0xff800000, "-INF"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[OBAN_FLOAT_BYTES_MAX + 1];
        size_t bytes = oban_float_dotnet(float_of(rows[i].bits), text);
        text[bytes] = '\0';
        assert_string_equal(text, rows[i].text);
    }
    char text[OBAN_FLOAT_BYTES_MAX + 1];
    text[oban_float_dotnet(1.545431e-8f, text)] = '\0';
    assert_string_equal(text, "1.545431E-08");
}

static void test_dotnet_round_trip(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 200000; i++) {
        char text[OBAN_FLOAT_BYTES_MAX + 1];
        uint32_t bits = (i * 2654435761u) & ~0x40000000u;
        size_t bytes = oban_float_dotnet(float_of(bits), text);
        assert_true(bytes > 0 && bytes <= OBAN_FLOAT_BYTES_MAX);
        text[bytes] = '\0';
        assert_int_equal(bits_of(strtof(text, NULL)), bits);
        assert_null(strchr(text, 'e'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),         cmocka_unit_test(test_room),
        cmocka_unit_test(test_borders),         cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_matrices), cmocka_unit_test(test_whole),
        cmocka_unit_test(test_dotnet),          cmocka_unit_test(test_dotnet_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
