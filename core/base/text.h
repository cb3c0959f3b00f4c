/* SPDX-License-Identifier: MIT */
/* Text without printf: a borrowed piece of text, and a small bounded line that messages are built
 * in. Not here: JSON (proto/json), numbers with a fraction (proto/json/floats). Next:
 * ../math/mat34.h. */
#ifndef OBAN_BASE_TEXT_H
#define OBAN_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of text that somebody else owns. Not NUL-terminated; data may be NULL when bytes is 0. */
typedef struct oban_text {
    const char *data;
    uint32_t bytes;
} oban_text;

#define OBAN_LINE_BYTES 256

/* One line of text, always NUL-terminated; what does not fit is cut off (whole UTF-8 characters).
 */
typedef struct oban_line {
    uint32_t bytes;
    char data[OBAN_LINE_BYTES];
} oban_line;

/* The text of a NUL-terminated string, borrowed. */
oban_text oban_text_of(const char *string);
bool oban_text_equal(oban_text a, oban_text b);
/* As equal, but the 26 ASCII letters match in either case. */
bool oban_text_equal_nocase(oban_text a, oban_text b);

/* Decodes the UTF-8 character that data begins with; its code point goes to *code.
 * Returns its bytes, 1 to 4, or 0 when data begins with none: empty, cut short, overlong, a
 * surrogate, above U+10FFFF, a stray byte; *code is then left alone. Source: Unicode 15, table 3-7.
 */
uint32_t oban_utf8_decode(const char *data, size_t bytes, uint32_t *code);

void oban_line_clear(oban_line *line);
void oban_line_add(oban_line *line, const char *string);
void oban_line_add_text(oban_line *line, oban_text text);
void oban_line_add_u64(oban_line *line, uint64_t value);
void oban_line_add_i64(oban_line *line, int64_t value);
void oban_line_add_hex64(oban_line *line, uint64_t value); /* 16 digits */

#endif
