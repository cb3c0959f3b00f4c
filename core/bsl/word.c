/* SPDX-License-Identifier: MIT */
/* The lexer of BSL text. No tables and no state but the reader's place.
 * Not here: statements (line.c).
 * Next: line.c. */
#include "core/bsl/word.h"

#include <string.h>

#define WORD_TOLD_BYTES 40u

void oban_bsl_reader_init(oban_bsl_reader *reader, oban_text text)
{
    reader->text = text.data;
    reader->bytes = text.bytes;
    reader->at = 0;
    reader->place = (oban_place){1, 1};
}

static bool word_at_end(const oban_bsl_reader *reader)
{
    return reader->at == reader->bytes;
}

static char word_peek(const oban_bsl_reader *reader)
{
    return word_at_end(reader) ? '\0' : reader->text[reader->at];
}

static void word_step(oban_bsl_reader *reader, uint32_t bytes)
{
    reader->at += bytes;
    reader->place.column += bytes;
}

static bool word_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* LF, CR, CRLF and LFCR are one end of a line each. */
static void word_step_line(oban_bsl_reader *reader)
{
    char first = word_peek(reader);
    reader->at++;
    char second = word_peek(reader);
    if (!word_at_end(reader) && word_is_line_end(second) && second != first) {
        reader->at++;
    }
    reader->place.line++;
    reader->place.column = 1;
}

static void word_skip(oban_bsl_reader *reader)
{
    while (word_peek(reader) == ' ' || word_peek(reader) == '\t') {
        word_step(reader, 1);
    }
    if (word_peek(reader) == '#') {
        while (!word_at_end(reader) && !word_is_line_end(word_peek(reader))) {
            word_step(reader, 1);
        }
    }
}

static bool word_is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ';' || c == ',' || c == '#' || c == '"' || c == '(' ||
           c == ')' || c == '{' || c == '}';
}

static void word_add_hex(oban_line *line, uint32_t code)
{
    char digits[6];
    uint32_t count = code > 0xffffu ? 6 : 4;
    for (uint32_t i = 0; i < count; i++) {
        digits[i] = "0123456789ABCDEF"[code >> 4u * (count - 1 - i) & 0xfu];
    }
    oban_line_add(line, "U+");
    oban_line_add_text(line, (oban_text){digits, count});
}

static oban_status word_fault(const oban_bsl_reader *reader, oban_bsl_fault *fault)
{
    fault->status = OBAN_BAD_SCRIPT;
    fault->field = NULL;
    fault->place = reader->place;
    oban_line_clear(&fault->message);
    return OBAN_BAD_SCRIPT;
}

/* Refuses the character at the reader. */
static oban_status word_refuse(const oban_bsl_reader *reader, oban_bsl_fault *fault)
{
    uint32_t code = 0;
    oban_status status = word_fault(reader, fault);
    if (oban_utf8_decode(reader->text + reader->at, reader->bytes - reader->at, &code) == 0) {
        oban_line_add(&fault->message, "this is not UTF-8");
        return status;
    }
    oban_line_add(&fault->message, code < 0x20u || (code >= 0x7fu && code < 0xa0u)
                                       ? "the control character "
                                       : "the character ");
    word_add_hex(&fault->message, code);
    oban_line_add(&fault->message, code < 0xa0u ? " may not stand in a script"
                                                : " may only stand in quotes and comments");
    return status;
}

static oban_status word_quoted(oban_bsl_reader *reader, word *out, oban_bsl_fault *fault)
{
    oban_bsl_reader opened = *reader;
    word_step(reader, 1);
    out->kind = WORD_QUOTED;
    out->text.data = reader->text + reader->at;
    while (word_peek(reader) != '"') {
        uint32_t code = 0;
        if (word_at_end(reader) || word_is_line_end(word_peek(reader))) {
            oban_status status = word_fault(&opened, fault);
            oban_line_add(&fault->message, "expected a closing '\"' on the same line");
            return status;
        }
        uint32_t bytes =
            oban_utf8_decode(reader->text + reader->at, reader->bytes - reader->at, &code);
        if (bytes == 0 || code < 0x20u || (code >= 0x7fu && code < 0xa0u)) {
            return word_refuse(reader, fault);
        }
        word_step(reader, bytes);
    }
    out->text.bytes = (uint32_t)(reader->text + reader->at - out->text.data);
    word_step(reader, 1);
    return OBAN_OK;
}

static oban_status word_bare(oban_bsl_reader *reader, word *out, oban_bsl_fault *fault)
{
    uint32_t start = reader->at;
    while (!word_at_end(reader)) {
        char c = word_peek(reader);
        if (word_is_separator(c) || word_is_line_end(c)) {
            break;
        }
        if ((unsigned char)c < 0x20u || (unsigned char)c >= 0x7fu) {
            return word_refuse(reader, fault);
        }
        word_step(reader, 1);
    }
    out->kind = WORD_BARE;
    out->text.bytes = reader->at - start;
    return OBAN_OK;
}

oban_status word_next(oban_bsl_reader *reader, word *out, oban_bsl_fault *fault)
{
    word_skip(reader);
    out->place = reader->place;
    out->text = (oban_text){NULL, 0};
    if (word_at_end(reader)) {
        out->kind = WORD_TEXT_END;
        return OBAN_OK;
    }
    out->text = (oban_text){reader->text + reader->at, 1};
    char c = word_peek(reader);
    if (word_is_line_end(c)) {
        out->kind = WORD_NEWLINE;
        word_step_line(reader);
        return OBAN_OK;
    }
    if (c == '"') {
        return word_quoted(reader, out, fault);
    }
    if (!word_is_separator(c)) {
        return word_bare(reader, out, fault);
    }
    out->kind = c == ';' ? WORD_SEMICOLON : WORD_MARK;
    word_step(reader, 1);
    return OBAN_OK;
}

bool word_is_mark(const word *w, char mark)
{
    return w->kind == WORD_MARK && w->text.data[0] == mark;
}

static bool word_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool word_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool word_is_name(const word *w)
{
    if (w->kind != WORD_BARE || !word_is_letter(w->text.data[0])) {
        return false;
    }
    for (uint32_t i = 1; i < w->text.bytes; i++) {
        if (!word_is_letter(w->text.data[i]) && !word_is_digit(w->text.data[i])) {
            return false;
        }
    }
    return true;
}

/* The digits of a number: a whole mantissa and how many decimals it has (less than none: digits
 * that were dropped). */
typedef struct word_digits {
    uint64_t mantissa;
    int32_t decimals;
    uint32_t count;
} word_digits;

/* Takes digits, with or without a point. Returns where they end. */
static uint32_t word_take_digits(oban_text text, uint32_t at, bool point_allowed,
                                 word_digits *digits)
{
    bool point = false;
    for (; at < text.bytes; at++) {
        char c = text.data[at];
        if (c == '.' && point_allowed && !point) {
            point = true;
            continue;
        }
        if (!word_is_digit(c)) {
            break;
        }
        digits->count++;
        if (digits->mantissa < UINT64_C(1000000000000000000)) {
            digits->mantissa = digits->mantissa * 10u + (uint64_t)(c - '0');
            digits->decimals += point ? 1 : 0;
        } else {
            digits->decimals -= point ? 0 : 1;
        }
    }
    return at;
}

bool word_number(oban_text text, double *out)
{
    word_digits digits = {0, 0, 0};
    uint32_t at = 0;
    bool minus = text.bytes > 0 && text.data[0] == '-';
    bool f = !minus && text.bytes > 0 && text.data[0] == 'f';
    at += minus || f ? 1 : 0;
    at = word_take_digits(text, at, !f, &digits);
    /* 1e30: far beyond every field, far below where a float32 overflows. */
    if (at < text.bytes || digits.count == 0 || digits.decimals < -12) {
        return false;
    }
    double value = (double)digits.mantissa;
    for (; digits.decimals < 0; digits.decimals++) {
        value *= 10.0;
    }
    for (; digits.decimals >= 22; digits.decimals -= 22) {
        value /= 1e22;
    }
    double divisor = 1.0;
    for (; digits.decimals > 0; digits.decimals--) {
        divisor *= 10.0;
    }
    value /= divisor;
    *out = minus ? -value : value;
    return value < 1e30;
}

void word_tell(oban_text text, oban_line *line)
{
    bool cut = text.bytes > WORD_TOLD_BYTES;
    if (cut) {
        /* Whole characters only: the first byte left out must begin one. */
        text.bytes = WORD_TOLD_BYTES;
        while (text.bytes > 0 && ((unsigned char)text.data[text.bytes] & 0xc0u) == 0x80u) {
            text.bytes--;
        }
    }
    oban_line_add(line, "'");
    oban_line_add_text(line, text);
    oban_line_add(line, cut ? "...'" : "'");
}
