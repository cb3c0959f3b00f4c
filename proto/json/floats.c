/* SPDX-License-Identifier: MIT */
/* Floats as text: the shortest decimal that reads back to the same float32, and OniSplit's two
 * forms. The first part finds the digits (Schubfach), the second lays them out, eight at a time in
 * one word. Not here: doubles (writer.c), reading numbers (cJSON; the XML reader). Next: writer.c.
 * Source: R. Giulietti, "The Schubfach way to render doubles" (2020); the code is ours. */
#include "proto/json/floats.h"

#include "core/base/assert.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the digits ---- */

#define FLOAT_POWER_FIRST (-31)

/* g(k) = ceil(10^k / 2^(floor(log2 10^k) - 63)) for k = -31..45, by tools/gen-float-table.py. */
static const uint64_t float_powers[77] = {
    0x81ceb32c4b43fcf5u, 0xa2425ff75e14fc32u, 0xcad2f7f5359a3b3fu, 0xfd87b5f28300ca0eu,
    0x9e74d1b791e07e49u, 0xc612062576589ddbu, 0xf79687aed3eec552u, 0x9abe14cd44753b53u,
    0xc16d9a0095928a28u, 0xf1c90080baf72cb2u, 0x971da05074da7befu, 0xbce5086492111aebu,
    0xec1e4a7db69561a6u, 0x9392ee8e921d5d08u, 0xb877aa3236a4b44au, 0xe69594bec44de15cu,
    0x901d7cf73ab0acdau, 0xb424dc35095cd810u, 0xe12e13424bb40e14u, 0x8cbccc096f5088ccu,
    0xafebff0bcb24aaffu, 0xdbe6fecebdedd5bfu, 0x89705f4136b4a598u, 0xabcc77118461cefdu,
    0xd6bf94d5e57a42bdu, 0x8637bd05af6c69b6u, 0xa7c5ac471b478424u, 0xd1b71758e219652cu,
    0x83126e978d4fdf3cu, 0xa3d70a3d70a3d70bu, 0xcccccccccccccccdu, 0x8000000000000000u,
    0xa000000000000000u, 0xc800000000000000u, 0xfa00000000000000u, 0x9c40000000000000u,
    0xc350000000000000u, 0xf424000000000000u, 0x9896800000000000u, 0xbebc200000000000u,
    0xee6b280000000000u, 0x9502f90000000000u, 0xba43b74000000000u, 0xe8d4a51000000000u,
    0x9184e72a00000000u, 0xb5e620f480000000u, 0xe35fa931a0000000u, 0x8e1bc9bf04000000u,
    0xb1a2bc2ec5000000u, 0xde0b6b3a76400000u, 0x8ac7230489e80000u, 0xad78ebc5ac620000u,
    0xd8d726b7177a8000u, 0x878678326eac9000u, 0xa968163f0a57b400u, 0xd3c21bcecceda100u,
    0x84595161401484a0u, 0xa56fa5b99019a5c8u, 0xcecb8f27f4200f3au, 0x813f3978f8940985u,
    0xa18f07d736b90be6u, 0xc9f2c9cd04674edfu, 0xfc6f7c4045812297u, 0x9dc5ada82b70b59eu,
    0xc5371912364ce306u, 0xf684df56c3e01bc7u, 0x9a130b963a6c115du, 0xc097ce7bc90715b4u,
    0xf0bdc21abb48db21u, 0x96769950b50d88f5u, 0xbc143fa4e250eb32u, 0xeb194f8e1ae525feu,
    0x92efd1b8d0cf37bfu, 0xb7abc627050305aeu, 0xe596b7b0c643c71au, 0x8f7e32ce7bea5c70u,
    0xb35dbf821ae4f38cu,
};

/* digits * 10^exponent; digits has no more than nine of them. */
typedef struct float_decimal {
    uint32_t digits;
    int exponent;
} float_decimal;

/* power * scaled / 2^64, rounded to odd: what is cut off stays visible in the lowest bit, which is
 * all that the comparisons below need. Two products of 64 bits, since __int128 is not C17; the
 * lowest 32 bits of the sum are left out, and for no float do they matter. */
static inline uint32_t float_round_to_odd(uint64_t power, uint32_t scaled)
{
    uint64_t low = (power & 0xffffffffu) * scaled;
    uint64_t high = (power >> 32) * scaled + (low >> 32);
    return (uint32_t)(high >> 32) | ((uint32_t)high > 1);
}

/* The shortest decimal in the interval that rounds to mantissa * 2^exponent, of these the closest.
 * `narrow`: the float below is nearer than the one above (a power of two). Interval ends count as
 * inside when the mantissa is even, for readers round ties to even. */
static inline float_decimal float_schubfach(uint32_t mantissa, int exponent, bool narrow)
{
    uint32_t odd = mantissa & 1u;
    /* floor(log10(2^exponent)), or of 3/4 * 2^exponent; then what is left of the exponent in
     * base 2. The shifts of negative numbers round down, as gcc and clang promise. */
    int k = (exponent * 1262611 - (narrow ? 524031 : 0)) >> 22;
    int shift = exponent + ((-k * 1741647) >> 19) + 1;
    uint64_t power = float_powers[-k - FLOAT_POWER_FIRST];
    /* All in quarters of 10^k. */
    uint32_t value = float_round_to_odd(power, (4 * mantissa) << shift);
    uint32_t lower = float_round_to_odd(power, (4 * mantissa - 2 + narrow) << shift) + odd;
    uint32_t upper = float_round_to_odd(power, (4 * mantissa + 2) << shift) - odd;
    /* Which candidate wins is a coin toss on real data: no branches here, each would be guessed
     * wrong half of the time. */
    uint32_t ones = value / 4;
    bool ones_down = lower <= 4 * ones;
    bool ones_up = 4 * ones + 4 <= upper;
    /* Both fit or none: the closer one, and the even one from the middle. */
    bool nearer_up = value + (ones & 1u) > 4 * ones + 2;
    ones += ones_down != ones_up ? ones_up : nearer_up;
    uint32_t tens = value / 40;
    bool tens_down = lower <= 40 * tens;
    bool tens_up = 40 * tens + 40 <= upper;
    /* The paper asks for ones >= 10 too; of all floats none has a shorter candidate without. */
    bool shorter = tens_down != tens_up;
    return (float_decimal){shorter ? tens + tens_up : ones, k + shorter};
}

/* ---- the layout ---- */

static const uint32_t float_tens[11] = {0,      1,       10,       100,       1000,      10000,
                                        100000, 1000000, 10000000, 100000000, 1000000000};

/* How many digits a number from 1 to 10^9 - 1 has. */
static inline uint32_t float_digit_count(uint32_t value)
{
    uint32_t bits = 32u - (uint32_t)__builtin_clz(value | 1u);
    uint32_t guess = (bits * 1233u) >> 12; /* bits * log10(2), at most one too few */
    return guess + (value >= float_tens[guess + 1]);
}

/* The eight digits of a number below 10^8 as bytes 0..9, the first in the lowest byte. Halves, then
 * pairs, then single digits, each step for all lanes at once; the factors are 1/100 and 1/10 in
 * fixed point. */
static inline uint64_t float_eight(uint32_t value)
{
    uint64_t halves = value / 10000u | (uint64_t)(value % 10000u) << 32;
    uint64_t hundreds = (halves * 10486u >> 20) & 0x0000007f0000007fu;
    uint64_t pairs = hundreds | (halves - 100u * hundreds) << 16;
    uint64_t tens = (pairs * 103u >> 10) & 0x000f000f000f000fu;
    return tens | (pairs - 10u * tens) << 8;
}

/* Writes 8 bytes, the lowest first, on any machine. */
static inline void float_store(char *out, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(out, &word, sizeof word);
}

#define FLOAT_ZEROS 0x3030303030303030u       /* "00000000" */
#define FLOAT_POINT_ZEROS 0x3030303030302e30u /* "0.000000" */

/* Nine digits, padded with zeros at the end: the first, and eight in a word. */
typedef struct float_nine {
    char first;
    uint64_t rest; /* characters */
    uint32_t used; /* digits without the zeros at the end, 1 to 9 */
    int exponent;  /* of the first digit */
} float_nine;

static inline float_nine float_spread(float_decimal decimal)
{
    uint32_t count = float_digit_count(decimal.digits);
    uint32_t padded = decimal.digits * float_tens[10 - count];
    uint64_t rest = float_eight(padded % 100000000u);
    float_nine nine;
    nine.first = (char)('0' + padded / 100000000u);
    nine.rest = rest | FLOAT_ZEROS;
    nine.used = rest == 0 ? 1 : 9u - (uint32_t)__builtin_clzll(rest) / 8u;
    nine.exponent = (int)count - 1 + decimal.exponent;
    return nine;
}

/* d.ddde-10 */
static char *float_put_scientific(char *out, float_nine nine)
{
    uint32_t exponent = (uint32_t)(nine.exponent < 0 ? -nine.exponent : nine.exponent);
    out[0] = nine.first;
    out[1] = '.';
    float_store(out + 2, nine.rest);
    out += nine.used > 1 ? nine.used + 1 : 1;
    *out++ = 'e';
    if (nine.exponent < 0) {
        *out++ = '-';
    }
    if (exponent >= 10) {
        *out++ = (char)('0' + exponent / 10u);
    }
    *out++ = (char)('0' + exponent % 10u);
    return out;
}

/* A number that is not whole. Stores of eight bytes may run past the end of the text, not of `out`.
 */
static inline char *float_put_fraction(char *out, float_nine nine)
{
    if (nine.exponent >= 0 && nine.exponent < 8) {
        uint32_t whole = (uint32_t)nine.exponent; /* digits before the point, less one */
        out[0] = nine.first;
        float_store(out + 1, nine.rest);
        out[whole + 1] = '.';
        float_store(out + whole + 2, nine.rest >> (8u * whole));
        return out + nine.used + 1;
    }
    if (nine.exponent < 0 && nine.exponent >= -5) {
        uint32_t zeros = (uint32_t)-nine.exponent; /* with the one before the point */
        float_store(out, FLOAT_POINT_ZEROS);
        out[zeros + 1] = nine.first;
        float_store(out + zeros + 2, nine.rest);
        return out + zeros + 1 + nine.used;
    }
    return float_put_scientific(out, nine);
}

/* Whole numbers below 10^9 are written out exactly: nine digits hold them, and every float from
 * 2^23 to there is whole, so that no shorter text with zeros at the end is needed. */
static inline bool float_whole(uint32_t mantissa, int exponent, uint32_t *whole)
{
    if (exponent >= 0) {
        uint64_t value = exponent < 8 ? (uint64_t)mantissa << exponent : UINT64_MAX;
        *whole = (uint32_t)value;
        return value < 1000000000u;
    }
    uint32_t shift = (uint32_t)-exponent;
    if (shift > 23 || (mantissa & ((1u << shift) - 1u)) != 0) {
        return false;
    }
    *whole = mantissa >> shift;
    return true;
}

/* 7.038531e-26 is the shortest text of this float, but a reader that goes through double (every
 * JavaScript client) rounds it twice and lands one float lower. It is the only such one of all
 * 2^32; it gets a digit more. */
#define FLOAT_TWICE_ROUNDED 0x15ae43fdu
static const float_decimal float_twice_rounded = {70385307, -33};

size_t oban_float_shortest(float value, char *out)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t fraction = bits & 0x7fffffu;
    uint32_t biased = bits >> 23 & 0xffu;
    OBAN_ASSERT(biased != 255);
    char *at = out;
    *at = '-';
    at += bits >> 31;
    if ((bits & 0x7fffffffu) == 0) {
        *at = '0';
        return (size_t)(at + 1 - out);
    }
    uint32_t mantissa = biased != 0 ? fraction | 0x800000u : fraction;
    int exponent = (biased != 0 ? (int)biased : 1) - 150;
    uint32_t whole;
    if (float_whole(mantissa, exponent, &whole)) {
        float_nine nine = float_spread((float_decimal){whole, 0});
        at[0] = nine.first;
        float_store(at + 1, nine.rest);
        return (size_t)(at + nine.exponent + 1 - out);
    }
    bool narrow = fraction == 0 && biased > 1;
    float_decimal decimal = float_schubfach(mantissa, exponent, narrow);
    if ((bits & 0x7fffffffu) == FLOAT_TWICE_ROUNDED) {
        decimal = float_twice_rounded;
    }
    return (size_t)(float_put_fraction(at, float_spread(decimal)) - out);
}

/* ---- OniSplit's XML ---- */

/* snprintf and strtof follow the locale; that is always "C" here, because nobody in this project
 * calls setlocale, so the point is a point whatever LC_ALL says. */
size_t oban_float_dotnet(float value, char *out)
{
    if (value != value || value - value != 0.0f) {
        const char *word = value != value ? "NaN" : value < 0.0f ? "-INF" : "INF";
        size_t bytes = 0;
        for (; word[bytes] != '\0'; bytes++) {
            out[bytes] = word[bytes];
        }
        return bytes;
    }
    char text[OBAN_FLOAT_BYTES_MAX];
    int bytes = snprintf(text, sizeof text, "%.7g", (double)value);
    if (strtof(text, NULL) != value) {
        bytes = snprintf(text, sizeof text, "%.9g", (double)value);
    }
    OBAN_ASSERT(bytes > 0 && (size_t)bytes < sizeof text);
    /* %g writes the form wanted (no zeros at the end, a signed exponent of two digits) but for the
     * E. */
    for (int i = 0; i < bytes; i++) {
        out[i] = text[i] == 'e' ? 'E' : text[i];
    }
    return (size_t)bytes;
}
