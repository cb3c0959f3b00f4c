/* SPDX-License-Identifier: MIT */
/* Texts of OniSplit's XML as values. The grammar is looked over here; only then strtof, which reads
 * exactly what is left (nobody in this project calls setlocale, so the point is a point).
 * Next: oban_xml.c. */
#include "proto/format/xml_values.h"

#include "core/anim/clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XML_VALUE_TOLD_BYTES 40u

const xml_flag xml_flags[] = {
    {"NormalLoop", OBAN_CLIP_LOOP},
    {"BackToBackLoop", OBAN_CLIP_PING_PONG},
    {"RandomStartFrame", OBAN_CLIP_RANDOM_START},
    {"Autostart", OBAN_CLIP_AUTOSTART},
    {"ZAxisUp", OBAN_CLIP_LOCAL},
    {NULL, 0},
};

bool xml_value_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool xml_value_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint32_t xml_value_skip(const char *text, uint32_t at)
{
    while (xml_value_is_blank(text[at])) {
        at++;
    }
    return at;
}

/* The bytes up to the next blank. */
static uint32_t xml_value_word(const char *word)
{
    uint32_t bytes = 0;
    while (word[bytes] != '\0' && !xml_value_is_blank(word[bytes])) {
        bytes++;
    }
    return bytes;
}

static void xml_value_tell(const char *word, uint32_t bytes, oban_line *line)
{
    bool cut = bytes > XML_VALUE_TOLD_BYTES;
    if (bytes == 0) {
        oban_line_add(line, "nothing");
        return;
    }
    if (cut) {
        bytes = XML_VALUE_TOLD_BYTES;
        while (bytes > 0 && ((unsigned char)word[bytes] & 0xc0u) == 0x80u) {
            bytes--;
        }
    }
    oban_line_add(line, "'");
    oban_line_add_text(line, (oban_text){word, bytes});
    oban_line_add(line, cut ? "...'" : "'");
}

static oban_line *xml_value_fail(xml_value_fault *fault, uint32_t at, const char *message)
{
    fault->at = at;
    oban_line_clear(&fault->message);
    oban_line_add(&fault->message, message);
    return &fault->message;
}

static uint32_t xml_value_digits(const char *word, uint32_t at)
{
    while (xml_value_is_digit(word[at])) {
        at++;
    }
    return at;
}

/* [+-] digits [. digits] [e [+-] digits], with a digit before or behind the point. */
static bool xml_value_is_float(const char *word, uint32_t bytes)
{
    uint32_t at = word[0] == '+' || word[0] == '-' ? 1 : 0;
    uint32_t end = xml_value_digits(word, at);
    uint32_t digits = end - at;
    at = end;
    if (word[at] == '.') {
        end = xml_value_digits(word, at + 1);
        digits += end - at - 1;
        at = end;
    }
    if (digits == 0) {
        return false;
    }
    if (word[at] == 'e' || word[at] == 'E') {
        at += word[at + 1] == '+' || word[at + 1] == '-' ? 2 : 1;
        end = xml_value_digits(word, at);
        if (end == at) {
            return false;
        }
        at = end;
    }
    return at == bytes;
}

static bool xml_value_word_is(const char *word, uint32_t bytes, const char *other)
{
    return bytes == strlen(other) && memcmp(word, other, bytes) == 0;
}

static bool xml_value_float(const char *text, uint32_t at, uint32_t bytes, float *out,
                            xml_value_fault *fault)
{
    const char *word = text + at;
    if (xml_value_word_is(word, bytes, "NaN")) {
        *out = NAN;
        return true;
    }
    if (xml_value_word_is(word, bytes, "INF") || xml_value_word_is(word, bytes, "-INF")) {
        *out = word[0] == '-' ? -INFINITY : INFINITY;
        return true;
    }
    if (!xml_value_is_float(word, bytes)) {
        xml_value_tell(word, bytes, xml_value_fail(fault, at, "expected a number, found "));
        return false;
    }
    *out = strtof(word, NULL);
    if (!isfinite(*out)) {
        oban_line *line = xml_value_fail(fault, at, "expected a number that float32 holds, found ");
        xml_value_tell(word, bytes, line);
        return false;
    }
    return true;
}

bool xml_value_floats(const char *text, uint32_t count, float *out, bool *more,
                      xml_value_fault *fault)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        at = xml_value_skip(text, at);
        uint32_t bytes = xml_value_word(text + at);
        if (bytes == 0) {
            oban_line *line = xml_value_fail(fault, at, "expected ");
            oban_line_add_u64(line, count);
            oban_line_add(line, " numbers, found ");
            oban_line_add_u64(line, i);
            return false;
        }
        if (!xml_value_float(text, at, bytes, &out[i], fault)) {
            return false;
        }
        at += bytes;
    }
    *more = text[xml_value_skip(text, at)] != '\0';
    return true;
}

/* A whole number of any length, held within +-10^12. */
static bool xml_value_whole(const char *word, uint32_t bytes, int64_t *out)
{
    uint32_t at = word[0] == '+' || word[0] == '-' ? 1 : 0;
    int64_t value = 0;
    if (at == bytes || xml_value_digits(word, at) != bytes) {
        return false;
    }
    for (; at < bytes; at++) {
        value = value > INT64_C(100000000000) ? value : value * 10 + (word[at] - '0');
    }
    *out = word[0] == '-' ? -value : value;
    return true;
}

bool xml_value_integer(const char *text, int64_t lo, int64_t hi, int64_t *out,
                       xml_value_fault *fault)
{
    uint32_t at = xml_value_skip(text, 0);
    uint32_t bytes = xml_value_word(text + at);
    /* Blanks within make it no number: what is told is the whole text. */
    for (uint32_t end = at + bytes; text[end] != '\0'; end++) {
        bytes = xml_value_is_blank(text[end]) ? bytes : end + 1 - at;
    }
    if (xml_value_whole(text + at, bytes, out) && *out >= lo && *out <= hi) {
        return true;
    }
    oban_line *line = xml_value_fail(fault, at, "expected a whole number from ");
    oban_line_add_i64(line, lo);
    oban_line_add(line, " to ");
    oban_line_add_i64(line, hi);
    oban_line_add(line, ", found ");
    xml_value_tell(text + at, bytes, line);
    return false;
}

static bool xml_value_flag(const char *word, uint32_t bytes, uint32_t *flags)
{
    for (const xml_flag *flag = xml_flags; flag->name != NULL; flag++) {
        if (xml_value_word_is(word, bytes, flag->name)) {
            *flags |= flag->bit;
            return true;
        }
    }
    return false;
}

bool xml_value_flags(const char *text, uint32_t *out, xml_value_fault *fault)
{
    uint32_t at = xml_value_skip(text, 0);
    uint32_t end = (uint32_t)strlen(text);
    int64_t number = 0;
    while (end > at && xml_value_is_blank(text[end - 1])) {
        end--;
    }
    *out = 0;
    if (at == end) {
        return true;
    }
    if (xml_value_whole(text + at, end - at, &number) && number >= INT32_MIN &&
        number <= UINT32_MAX) {
        *out = (uint32_t)(uint64_t)number;
        return true;
    }
    /* Each blank or comma divides: two of them side by side leave an empty name, which is none. */
    for (uint32_t from = at; from <= end;) {
        uint32_t to = from;
        while (to < end && text[to] != ' ' && text[to] != ',') {
            to++;
        }
        if (!xml_value_flag(text + from, to - from, out)) {
            oban_line *line = xml_value_fail(
                fault, from,
                "expected NormalLoop, BackToBackLoop, RandomStartFrame, Autostart or ZAxisUp, with "
                "one blank between them, or a decimal number, found ");
            xml_value_tell(text + from, to - from, line);
            return false;
        }
        from = to + 1;
    }
    return true;
}
