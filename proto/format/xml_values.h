/* SPDX-License-Identifier: MIT */
/* The texts of OniSplit's XML as values: numbers, vectors, flags; as strict as OniSplit is and as
 * tolerant. Internal to proto/format.
 * Not here: elements and their order (oban_xml.c).
 * Next: xml_values.c. */
#ifndef OBAN_PROTO_FORMAT_XML_VALUES_H
#define OBAN_PROTO_FORMAT_XML_VALUES_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* What is wrong with a text: where in it, and what was expected and found. */
typedef struct xml_value_fault {
    uint32_t at;
    oban_line message;
} xml_value_fault;

/* At least `count` numbers, divided by blanks; *more tells that there were others behind them,
 * which do not count. `text` is NUL-terminated. */
bool xml_value_floats(const char *text, uint32_t count, float *out, bool *more,
                      xml_value_fault *fault);
/* One whole number within lo..hi. */
bool xml_value_integer(const char *text, int64_t lo, int64_t hi, int64_t *out,
                       xml_value_fault *fault);
/* Names of flags with one blank or one comma between, or one decimal number, or nothing. */
bool xml_value_flags(const char *text, uint32_t *out, xml_value_fault *fault);

bool xml_value_is_blank(char c);

/* The flags that have names, by rising bit; ended by NULL. Source: oni-formats 3. */
typedef struct xml_flag {
    const char *name;
    uint32_t bit;
} xml_flag;
extern const xml_flag xml_flags[];

#endif
