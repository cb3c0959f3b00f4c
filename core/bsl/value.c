/* SPDX-License-Identifier: MIT */
/* Numbers as text and text as numbers. Not here: strings of a machine (string.c).
 * Next: value.h. */
#include "core/bsl/value.h"

#include "core/base/assert.h"
#include "core/bsl/word.h"

const char *oban_value_type_word(oban_value_type type)
{
    static const char *const words[] = {"int", "float", "bool", "string", "void"};
    OBAN_ASSERT((unsigned)type < sizeof words / sizeof words[0]);
    return words[type];
}

#define VALUE_DIGITS 9 /* enough to read any float back */

static double value_power(int exponent)
{
    double power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

/* digits * 10^exponent */
static double value_scale(double digits, int exponent)
{
    return exponent < 0 ? digits / value_power(-exponent) : digits * value_power(exponent);
}

/* The fewest digits that read back: size = digits * 10^*exponent. */
static uint64_t value_digits(double size, int *exponent)
{
    int scale = 0; /* size / 10^scale lies from 1 to below 10 */
    while (value_scale(size, -scale) >= 10) {
        scale++;
    }
    while (value_scale(size, -scale) < 1) {
        scale--;
    }
    uint64_t digits = 0;
    for (int count = 1;; count++) {
        *exponent = scale - count + 1;
        digits = (uint64_t)(value_scale(size, -*exponent) + 0.5);
        if (count == VALUE_DIGITS || (float)value_scale((double)digits, *exponent) == (float)size) {
            break;
        }
    }
    for (; digits % 10 == 0; digits /= 10) {
        *exponent += 1; /* 10 parts of a tenth, by rounding up */
    }
    return digits;
}

static void value_add_zeros(oban_line *line, int count)
{
    for (int i = 0; i < count; i++) {
        oban_line_add(line, "0");
    }
}

void oban_value_add_float(oban_line *line, float value)
{
    double size = value < 0 ? -(double)value : (double)value;
    int exponent = 0;
    uint64_t digits = size > 0 ? value_digits(size, &exponent) : 0;
    oban_line_add(line, value < 0 ? "-" : "");
    if (exponent >= 0) {
        oban_line_add_u64(line, digits);
        value_add_zeros(line, exponent);
        return;
    }
    oban_line text;
    oban_line_clear(&text);
    oban_line_add_u64(&text, digits);
    int before = (int)text.bytes + exponent; /* digits in front of the point */
    if (before > 0) {
        oban_line_add_text(line, (oban_text){text.data, (uint32_t)before});
    } else {
        oban_line_add(line, "0");
    }
    uint32_t from = before > 0 ? (uint32_t)before : 0;
    oban_line_add(line, ".");
    value_add_zeros(line, -before);
    oban_line_add_text(line, (oban_text){text.data + from, text.bytes - from});
}

int32_t oban_value_int_of(double number)
{
    return number >= 2147483647.0    ? INT32_MAX
           : number <= -2147483648.0 ? INT32_MIN
                                     : (int32_t)number;
}

bool oban_value_number_of(oban_text text, double *out)
{
    if (text.bytes == 0 || text.bytes > 64 || !word_number(text, out)) {
        *out = 0;
        return false;
    }
    return true;
}
