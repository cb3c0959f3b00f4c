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

#define VALUE_DIGITS 9u /* enough to read a float back */

/* A finite float as text: 0.5, 12, 1234567890, 0.0000001; at most nine digits that count. */
void oban_value_add_float(oban_line *line, float value)
{
    double size = value < 0 ? -(double)value : (double)value;
    uint32_t decimals = 0;
    uint32_t zeros = 0;
    if (value < 0) {
        oban_line_add(line, "-");
    }
    for (; size >= 1e9; size /= 10) {
        zeros++;
    }
    while (size > 0 && size < 1e8 && decimals < 45) {
        size *= 10;
        decimals++;
    }
    uint64_t digits = (uint64_t)(size + 0.5);
    while (decimals > 0 && digits % 10 == 0) {
        digits /= 10;
        decimals--;
    }
    uint64_t scale = 1;
    for (uint32_t i = 0; i < decimals && i < 18; i++) {
        scale *= 10;
    }
    oban_line_add_u64(line, decimals > 18 ? 0 : digits / scale);
    for (uint32_t i = 0; i < zeros; i++) {
        oban_line_add(line, "0");
    }
    if (decimals > 0) {
        char fraction[46];
        uint64_t rest = decimals > 18 ? digits : digits % scale;
        for (uint32_t i = decimals; i > 0; i--) {
            fraction[i - 1] = (char)('0' + rest % 10);
            rest /= 10;
        }
        oban_line_add(line, ".");
        oban_line_add_text(line, (oban_text){fraction, decimals});
    }
}

int32_t oban_value_int_of(double number)
{
    return number >= 2147483647.0 ? INT32_MAX : number <= -2147483648.0 ? INT32_MIN : (int32_t)number;
}

bool oban_value_number_of(oban_text text, double *out)
{
    if (text.bytes == 0 || text.bytes > 64 || !word_number(text, out)) {
        *out = 0;
        return false;
    }
    return true;
}
