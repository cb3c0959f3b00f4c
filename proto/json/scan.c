/* SPDX-License-Identifier: MIT */
/* The strict JSON scanner: says yes to RFC 8259 within our limits, else where and why not.
 * Not here: values (json.c makes them, with cJSON); this file keeps nothing but the places of keys.
 * Next: ../wire/. */
#include "core/base/assert.h"
#include "proto/json/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCAN_QUOTED_BYTES_MAX 60u /* of a key in a message; two of them leave room for words */

typedef struct scanner {
    const char *text;
    size_t bytes;
    size_t at;
    unsigned depth;
    oban_status status; /* the first fault's */
    oban_json_fault *fault;
} scanner;

/* ---- faults ---- */

static bool scan_ended(const scanner *scan)
{
    return scan->at >= scan->bytes;
}

/* The byte at hand; NUL at the end, which no rule asks for and so fits nowhere. */
static char scan_peek(const scanner *scan)
{
    return scan_ended(scan) ? '\0' : scan->text[scan->at];
}

/* Only now are lines counted: good texts do not pay for it. */
static void scan_locate(scanner *scan, size_t offset)
{
    uint32_t line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (scan->text[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    }
    scan->fault->offset = offset;
    scan->fault->line = line;
    scan->fault->column = (uint32_t)(offset - line_start) + 1;
}

/* What stands at `offset`: the character in quotes when one can see it, else its byte. */
static void scan_add_found(const scanner *scan, size_t offset)
{
    oban_line *line = &scan->fault->message;
    if (offset >= scan->bytes) {
        oban_line_add(line, "the end of the text");
        return;
    }
    uint32_t code = 0;
    uint32_t taken = oban_utf8_decode(scan->text + offset, scan->bytes - offset, &code);
    if (taken > 0 && code == 0xfeffu) {
        oban_line_add(line, "a byte order mark");
    } else if (taken > 0 && code >= 0x20u && (code < 0x7fu || code >= 0xa0u)) {
        oban_line_add(line, "'");
        oban_line_add_text(line, (oban_text){scan->text + offset, taken});
        oban_line_add(line, "'");
    } else {
        unsigned char byte = (unsigned char)scan->text[offset];
        char hex[2] = {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15u]};
        oban_line_add(line, "byte 0x");
        oban_line_add_text(line, (oban_text){hex, 2});
    }
}

/* "expected <expected>, found <what stands there>" at `offset`. Returns false, to be handed on. */
static bool scan_expected_at(scanner *scan, size_t offset, const char *expected)
{
    oban_line *line = &scan->fault->message;
    scan->status = OBAN_BAD_JSON;
    scan_locate(scan, offset);
    oban_line_add(line, "expected ");
    oban_line_add(line, expected);
    oban_line_add(line, ", found ");
    scan_add_found(scan, offset);
    return false;
}

static bool scan_expected(scanner *scan, const char *expected)
{
    return scan_expected_at(scan, scan->at, expected);
}

/* As scan_expected_at, for what is a longer piece of the text: it goes into the message up to
 * `end`. */
static bool scan_unwanted(scanner *scan, size_t start, size_t end, const char *expected)
{
    oban_line *line = &scan->fault->message;
    size_t bytes = end - start;
    bool cut = bytes > SCAN_QUOTED_BYTES_MAX;
    if (cut) {
        bytes = SCAN_QUOTED_BYTES_MAX;
        while (bytes > 0 && ((unsigned char)scan->text[start + bytes] & 0xc0u) == 0x80u) {
            bytes--; /* whole characters */
        }
    }
    scan->status = OBAN_BAD_JSON;
    scan_locate(scan, start);
    oban_line_add(line, "expected ");
    oban_line_add(line, expected);
    oban_line_add(line, ", found ");
    oban_line_add_text(line, (oban_text){scan->text + start, (uint32_t)bytes});
    oban_line_add(line, cut ? "..." : "");
    return false;
}

/* ---- literals and numbers ---- */

static void scan_blanks(scanner *scan)
{
    while (!scan_ended(scan)) {
        char c = scan->text[scan->at];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            break;
        }
        scan->at++;
    }
}

/* What comes after the word is for the caller to refuse. */
static bool scan_literal(scanner *scan, const char *word, const char *expected)
{
    for (; *word != '\0'; word++, scan->at++) {
        if (scan_peek(scan) != *word) {
            return scan_expected(scan, expected);
        }
    }
    return true;
}

static bool scan_digit(const scanner *scan)
{
    char c = scan_peek(scan);
    return c >= '0' && c <= '9';
}

static bool scan_digits(scanner *scan, const char *expected)
{
    if (!scan_digit(scan)) {
        return scan_expected(scan, expected);
    }
    while (scan_digit(scan)) {
        scan->at++;
    }
    return true;
}

/* Whether a double holds it: strtod on a copy, as cJSON will do, since the text has no NUL at its
 * end. The point is a point whatever LC_ALL says: nobody in this project calls setlocale. */
static bool scan_range(scanner *scan, size_t start)
{
    char copy[OBAN_JSON_NUMBER_BYTES_MAX + 1];
    size_t bytes = scan->at - start;
    if (bytes > OBAN_JSON_NUMBER_BYTES_MAX) {
        return scan_unwanted(scan, start, scan->at, "a number of at most 63 characters");
    }
    memcpy(copy, scan->text + start, bytes);
    copy[bytes] = '\0';
    return isfinite(strtod(copy, NULL)) ||
           scan_unwanted(scan, start, scan->at, "a number that a double can hold");
}

static bool scan_number(scanner *scan)
{
    size_t start = scan->at;
    if (scan_peek(scan) == '-') {
        scan->at++;
    }
    if (scan_peek(scan) == '0') {
        scan->at++;
        if (scan_digit(scan)) {
            return scan_expected(scan, "no digit after a leading 0");
        }
    } else if (!scan_digits(scan, "a digit after '-'")) {
        return false;
    }
    if (scan_peek(scan) == '.') {
        scan->at++;
        if (!scan_digits(scan, "a digit after the decimal point")) {
            return false;
        }
    }
    if (scan_peek(scan) == 'e' || scan_peek(scan) == 'E') {
        scan->at++;
        if (scan_peek(scan) == '+' || scan_peek(scan) == '-') {
            scan->at++;
        }
        if (!scan_digits(scan, "a digit in the exponent")) {
            return false;
        }
    }
    return scan_range(scan, start);
}

/* ---- strings ---- */

/* The value of a hex digit, or 16. */
static uint32_t scan_hex_value(char c)
{
    if (c >= '0' && c <= '9') {
        return (uint32_t)(c - '0');
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? (uint32_t)(lower - 'a') + 10u : 16u;
}

/* Four hex digits. */
static bool scan_unit(scanner *scan, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, scan->at++) {
        uint32_t value = scan_hex_value(scan_peek(scan));
        if (value > 15) {
            return scan_expected(scan, "four hex digits after \\u");
        }
        *unit = *unit << 4 | value;
    }
    return true;
}

/* From the u of an escape on. A high surrogate must have its low one at once. */
static bool scan_unicode(scanner *scan)
{
    uint32_t unit;
    uint32_t low = 0;
    size_t start = scan->at - 1;
    scan->at++;
    if (!scan_unit(scan, &unit)) {
        return false;
    }
    if (unit == 0) {
        return scan_unwanted(scan, start, scan->at, "no NUL in a string");
    }
    if (unit < 0xd800u || unit > 0xdfffu) {
        return true;
    }
    if (unit > 0xdbffu) {
        return scan_unwanted(scan, start, scan->at, "a high surrogate before a low one");
    }
    size_t second = scan->at;
    if (scan->bytes - second < 2 || memcmp(scan->text + second, "\\u", 2) != 0) {
        return scan_unwanted(scan, start, scan->at, "a low surrogate after a high one");
    }
    scan->at += 2;
    if (!scan_unit(scan, &low)) {
        return false;
    }
    if (low < 0xdc00u || low > 0xdfffu) {
        return scan_unwanted(scan, start, scan->at, "a low surrogate after a high one");
    }
    return true;
}

/* From the backslash on. */
static bool scan_escape(scanner *scan)
{
    scan->at++;
    char c = scan_peek(scan);
    if (c == 'u') {
        return scan_unicode(scan);
    }
    if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
        return scan_expected(scan, "one of \"\\/bfnrtu after a backslash");
    }
    scan->at++;
    return true;
}

/* From the opening quote to behind the closing one. */
static bool scan_string(scanner *scan)
{
    scan->at++;
    for (;;) {
        if (scan_ended(scan)) {
            return scan_expected(scan, "a closing '\"'");
        }
        unsigned char byte = (unsigned char)scan->text[scan->at];
        uint32_t code;
        uint32_t taken;
        if (byte == '"') {
            scan->at++;
            return true;
        }
        if (byte == '\\') {
            if (!scan_escape(scan)) {
                return false;
            }
        } else if (byte < 0x20u) {
            return scan_expected(scan, "an escape for a control character in a string");
        } else {
            taken = oban_utf8_decode(scan->text + scan->at, scan->bytes - scan->at, &code);
            if (taken == 0) {
                return scan_expected(scan, "valid UTF-8");
            }
            scan->at += taken;
        }
    }
}

/* ---- keys ---- */

/* A key that was scanned: from behind its opening quote to its closing one. The hash keeps the
 * comparison of two long keys for those that may be equal. */
typedef struct scan_key {
    size_t start;
    size_t end;
    uint32_t hash;
} scan_key;

static uint32_t scan_key_unit(const char *hex)
{
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        unit = unit << 4 | scan_hex_value(hex[i]);
    }
    return unit;
}

/* The next character of a key, unescaped; `at` moves on. The key has been scanned, so it is
 * well-formed. */
static uint32_t scan_key_next(const scanner *scan, size_t *at)
{
    const char *data = scan->text + *at;
    uint32_t code = 0;
    if (data[0] != '\\') {
        *at += oban_utf8_decode(data, scan->bytes - *at, &code);
        return code;
    }
    if (data[1] != 'u') {
        static const char names[] = "bfnrt";
        const char *name = strchr(names, data[1]);
        *at += 2;
        return name != NULL ? (uint32_t) "\b\f\n\r\t"[name - names] : (uint32_t)data[1];
    }
    code = scan_key_unit(data + 2);
    *at += 6;
    if (code >= 0xd800u && code <= 0xdbffu) {
        code = 0x10000u + ((code - 0xd800u) << 10) + (scan_key_unit(data + 8) - 0xdc00u);
        *at += 6;
    }
    return code;
}

static uint32_t scan_key_fold(uint32_t code)
{
    return code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code;
}

/* Whether two keys are equal but for case; `same` says whether also in case. */
static bool scan_keys_alike(const scanner *scan, scan_key a, scan_key b, bool *same)
{
    *same = true;
    while (a.start < a.end && b.start < b.end) {
        uint32_t left = scan_key_next(scan, &a.start);
        uint32_t right = scan_key_next(scan, &b.start);
        if (scan_key_fold(left) != scan_key_fold(right)) {
            return false;
        }
        *same = *same && left == right;
    }
    return a.start == a.end && b.start == b.end;
}

/* What a key says, without its escapes. */
static void scan_key_text(const scanner *scan, scan_key key, oban_line *line)
{
    while (key.start < key.end) {
        uint32_t code = scan_key_next(scan, &key.start);
        char bytes[4];
        uint32_t more = code < 0x80u ? 0u : code < 0x800u ? 1u : code < 0x10000u ? 2u : 3u;
        static const unsigned char lead[4] = {0x00, 0xc0, 0xe0, 0xf0};
        bytes[0] = (char)(lead[more] | (code >> (6u * more)));
        for (uint32_t i = 1; i <= more; i++) {
            bytes[i] = (char)(0x80u | ((code >> (6u * (more - i))) & 0x3fu));
        }
        oban_line_add_text(line, (oban_text){bytes, more + 1u});
    }
}

/* Both keys stand in the message as the text writes them. */
static bool scan_key_fault(scanner *scan, scan_key first, scan_key second, bool same)
{
    oban_line *line = &scan->fault->message;
    if (same) {
        (void)scan_unwanted(scan, second.start - 1, second.end + 1, "each key once");
        oban_line_add(line, " again");
    } else {
        (void)scan_unwanted(scan, second.start - 1, second.end + 1,
                            "keys that differ by more than case");
        oban_line_add(line, " beside ");
        size_t bytes = first.end + 2 - first.start;
        oban_line_add_text(line, (oban_text){scan->text + first.start - 1, (uint32_t)bytes});
    }
    scan_key_text(scan, second, &scan->fault->key);
    scan->status = OBAN_BAD_FIELD;
    return false;
}

/* A key's quotes to its end; it joins the keys of its object when it differs from all. */
static bool scan_member_key(scanner *scan, scan_key *keys, unsigned *count)
{
    scan_key key = {.start = scan->at + 1, .hash = 2166136261u};
    if (!scan_string(scan)) {
        return false;
    }
    key.end = scan->at - 1;
    if (*count == OBAN_JSON_KEYS_MAX) {
        return scan_unwanted(scan, key.start - 1, scan->at, "at most 64 keys in an object");
    }
    for (size_t at = key.start; at < key.end;) {
        key.hash = (key.hash ^ scan_key_fold(scan_key_next(scan, &at))) * 16777619u;
    }
    for (unsigned i = 0; i < *count; i++) {
        bool same;
        if (keys[i].hash == key.hash && scan_keys_alike(scan, keys[i], key, &same)) {
            return scan_key_fault(scan, keys[i], key, same);
        }
    }
    keys[(*count)++] = key;
    return true;
}

/* ---- values ---- */

static bool scan_value(scanner *scan, const char *expected);

/* From the opening bracket on. */
static bool scan_array(scanner *scan)
{
    scan->at++;
    scan_blanks(scan);
    if (scan_peek(scan) == ']') {
        scan->at++;
        return true;
    }
    const char *expected = "a value or ']'";
    for (;;) {
        if (!scan_value(scan, expected)) {
            return false;
        }
        scan_blanks(scan);
        if (scan_peek(scan) == ']') {
            scan->at++;
            return true;
        }
        if (scan_peek(scan) != ',') {
            return scan_expected(scan, "',' or ']'");
        }
        scan->at++;
        expected = "a value after ','";
    }
}

/* From a key's opening quote to the end of its value. */
static bool scan_member(scanner *scan, scan_key *keys, unsigned *count)
{
    if (!scan_member_key(scan, keys, count)) {
        return false;
    }
    scan_blanks(scan);
    if (scan_peek(scan) != ':') {
        return scan_expected(scan, "':' after a key");
    }
    scan->at++;
    if (scan_value(scan, "a value after ':'")) {
        return true;
    }
    if (scan->status != OBAN_BAD_FIELD) { /* the outermost member is told last, and stays */
        oban_line_clear(&scan->fault->key);
        scan_key_text(scan, keys[*count - 1], &scan->fault->key);
    }
    return false;
}

/* From the opening brace on. The table of keys stands on the stack: 16 levels of it are 24 KiB. */
static bool scan_object(scanner *scan)
{
    scan_key keys[OBAN_JSON_KEYS_MAX];
    unsigned count = 0;
    scan->at++;
    scan_blanks(scan);
    if (scan_peek(scan) == '}') {
        scan->at++;
        return true;
    }
    const char *expected = "a key in '\"' or '}'";
    for (;;) {
        scan_blanks(scan);
        if (scan_peek(scan) != '"') {
            return scan_expected(scan, expected);
        }
        if (!scan_member(scan, keys, &count)) {
            return false;
        }
        scan_blanks(scan);
        if (scan_peek(scan) == '}') {
            scan->at++;
            return true;
        }
        if (scan_peek(scan) != ',') {
            return scan_expected(scan, "',' or '}'");
        }
        scan->at++;
        expected = "a key in '\"' after ','";
    }
}

/* The recursion ends at OBAN_JSON_DEPTH_MAX levels. */
static bool scan_container(scanner *scan)
{
    if (scan->depth == OBAN_JSON_DEPTH_MAX) {
        return scan_expected(scan, "at most 16 levels of arrays and objects");
    }
    scan->depth++;
    bool good = scan_peek(scan) == '{' ? scan_object(scan) : scan_array(scan);
    scan->depth--;
    return good;
}

/* One value and the blanks before it. */
static bool scan_value(scanner *scan, const char *expected)
{
    scan_blanks(scan);
    char c = scan_peek(scan);
    switch (c) {
    case '{':
    case '[':
        return scan_container(scan);
    case '"':
        return scan_string(scan);
    case 't':
        return scan_literal(scan, "true", "true");
    case 'f':
        return scan_literal(scan, "false", "false");
    case 'n':
        return scan_literal(scan, "null", "null");
    default:
        return c == '-' || scan_digit(scan) ? scan_number(scan) : scan_expected(scan, expected);
    }
}

oban_status oban_json_scan(const char *text, size_t bytes, oban_json_fault *fault)
{
    OBAN_ASSERT(fault != NULL);
    *fault = (oban_json_fault){0};
    scanner scan = {.text = text, .bytes = bytes, .status = OBAN_OK, .fault = fault};
    if (!scan_value(&scan, "a value")) {
        return scan.status;
    }
    scan_blanks(&scan);
    if (!scan_ended(&scan)) {
        (void)scan_expected(&scan, "the end of the text");
    }
    return scan.status;
}
