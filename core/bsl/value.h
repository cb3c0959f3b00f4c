/* SPDX-License-Identifier: MIT */
/* Values of BSL: int, float, bool and string, and how each becomes another. A string is a number in
 * the machine's table of strings (names.h), so that a value is eight bytes and plain data.
 * Not here: variables (machine.h), operators' order (expr.c). Next: names.h, value.c. */
#ifndef OBAN_BSL_VALUE_H
#define OBAN_BSL_VALUE_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum oban_value_type {
    OBAN_VALUE_INT, /* int32_t; sums wrap */
    OBAN_VALUE_FLOAT,
    OBAN_VALUE_BOOL,
    OBAN_VALUE_STRING,
    OBAN_VALUE_VOID /* what a function without a value returns; a type only */
} oban_value_type;

typedef struct oban_value {
    oban_value_type type;
    union {
        int32_t i;  /* INT, BOOL (0 or 1) */
        float f;    /* FLOAT; always finite */
        uint32_t s; /* STRING: a number of the table of strings; 0 is the empty one */
    } as;
} oban_value;

/* The words of types: "int", "float", "bool", "string", "void"; never NULL. */
const char *oban_value_type_word(oban_value_type type);

/* Adds a finite float as text: 0.5, 12, 1234567890; the fewest digits that read back.
 * Source: ours. */
void oban_value_add_float(oban_line *line, float value);
/* A number made whole, towards 0, and no larger than an int holds. */
int32_t oban_value_int_of(double number);
/* A text as a number (word_number); false, and 0, when it is none. */
bool oban_value_number_of(oban_text text, double *out);

#endif
