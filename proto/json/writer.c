/* SPDX-License-Identifier: MIT */
/* The append-only JSON writer.
 * Not here: how floats become text (floats.c), what is written (../wire/).
 * Next: scan.c. */
#include "proto/json/writer.h"

#include "core/base/assert.h"
#include "proto/json/floats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRITER_BYTES_MIN 256u
#define WRITER_INTEGER_BYTES 21u /* of -9223372036854775808 and of 2^64 - 1, and a comma */

void oban_writer_init(oban_writer *writer, const oban_alloc *alloc)
{
    *writer = (oban_writer){.alloc = *alloc};
}

void oban_writer_fini(oban_writer *writer)
{
    oban_alloc_give(&writer->alloc, writer->data, writer->capacity);
    *writer = (oban_writer){.alloc = writer->alloc};
}

void oban_writer_clear(oban_writer *writer)
{
    writer->bytes = 0;
    writer->failed = false;
    writer->comma = false;
}

/* Half a text must not get out: what there was is dropped, the memory stays for the next text. */
static bool writer_fail(oban_writer *writer)
{
    writer->bytes = 0;
    writer->failed = true;
    return false;
}

static bool writer_grow(oban_writer *writer, size_t more)
{
    if (more > SIZE_MAX / 2 || writer->bytes > SIZE_MAX / 2 - more) {
        return writer_fail(writer);
    }
    size_t need = writer->bytes + more;
    size_t capacity = writer->capacity < WRITER_BYTES_MIN ? WRITER_BYTES_MIN : writer->capacity;
    while (capacity < need) {
        capacity *= 2;
    }
    char *data =
        writer->alloc.resize(writer->alloc.context, writer->data, writer->capacity, capacity);
    if (data == NULL) {
        return writer_fail(writer);
    }
    writer->data = data;
    writer->capacity = capacity;
    return true;
}

bool oban_writer_reserve(oban_writer *writer, size_t more)
{
    if (writer->failed) {
        return false;
    }
    return more <= writer->capacity - writer->bytes || writer_grow(writer, more);
}

/* Makes room for a value (or key) of so many bytes and its comma, and writes the comma when one is
 * due. Returns where the value goes, or NULL. */
static char *writer_value(oban_writer *writer, size_t bytes_max)
{
    if (!oban_writer_reserve(writer, bytes_max + 1)) {
        return NULL;
    }
    if (writer->comma) {
        writer->data[writer->bytes++] = ',';
    }
    writer->comma = true;
    return writer->data + writer->bytes;
}

void oban_writer_bytes(oban_writer *writer, const void *data, size_t bytes)
{
    if (bytes > 0 && oban_writer_reserve(writer, bytes)) {
        memcpy(writer->data + writer->bytes, data, bytes);
        writer->bytes += bytes;
    }
}

void oban_writer_raw(oban_writer *writer, const char *data, size_t bytes)
{
    OBAN_ASSERT(bytes < SIZE_MAX); /* room for the comma */
    char *at = writer_value(writer, bytes);
    if (at != NULL && bytes > 0) {
        memcpy(at, data, bytes);
        writer->bytes += bytes;
    }
}

static void writer_open(oban_writer *writer, char bracket)
{
    char *at = writer_value(writer, 1);
    if (at != NULL) {
        *at = bracket;
        writer->bytes++;
        writer->comma = false;
    }
}

static void writer_close(oban_writer *writer, char bracket)
{
    if (oban_writer_reserve(writer, 1)) {
        writer->data[writer->bytes++] = bracket;
        writer->comma = true;
    }
}

void oban_writer_object_begin(oban_writer *writer)
{
    writer_open(writer, '{');
}

void oban_writer_object_end(oban_writer *writer)
{
    writer_close(writer, '}');
}

void oban_writer_array_begin(oban_writer *writer)
{
    writer_open(writer, '[');
}

void oban_writer_array_end(oban_writer *writer)
{
    writer_close(writer, ']');
}

void oban_writer_key(oban_writer *writer, const char *key)
{
    oban_text text = oban_text_of(key);
    char *at = writer_value(writer, (size_t)text.bytes + 3);
    if (at != NULL) {
        *at++ = '"';
        memcpy(at, text.data, text.bytes);
        at += text.bytes;
        *at++ = '"';
        *at = ':';
        writer->bytes += (size_t)text.bytes + 3;
        writer->comma = false;
    }
}

/* ---- strings ---- */

/* What stands for the ASCII characters that JSON does not allow in a string. DEL needs no escape;
 * it gets one because terminals and logs act on it. */
static void writer_escape(oban_writer *writer, unsigned char byte)
{
    static const char *const short_forms[14] = {
        ['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f", ['\r'] = "\\r"};
    char form[6] = {'\\', (char)byte};
    if (byte == '"' || byte == '\\') {
        oban_writer_bytes(writer, form, 2);
    } else if (byte < sizeof short_forms / sizeof short_forms[0] && short_forms[byte] != NULL) {
        oban_writer_bytes(writer, short_forms[byte], 2);
    } else {
        form[1] = 'u';
        form[2] = '0';
        form[3] = '0';
        form[4] = "0123456789abcdef"[byte >> 4];
        form[5] = "0123456789abcdef"[byte & 15u];
        oban_writer_bytes(writer, form, sizeof form);
    }
}

/* How many bytes from the start on can be copied as they are. */
static size_t writer_plain_run(const char *data, size_t bytes)
{
    size_t at = 0;
    while (at < bytes) {
        unsigned char byte = (unsigned char)data[at];
        uint32_t code;
        uint32_t taken = 1;
        if (byte >= 0x80u) {
            taken = oban_utf8_decode(data + at, bytes - at, &code);
        }
        if (taken == 0 || byte < 0x20u || byte == '"' || byte == '\\' || byte == 0x7fu) {
            break;
        }
        at += taken;
    }
    return at;
}

/* In pieces, since a bound for the whole (six bytes for one) would waste memory on long texts. Each
 * byte that is no UTF-8 becomes a U+FFFD, so the output is valid whatever comes in. */
static void writer_quote(oban_writer *writer, const char *data, size_t bytes)
{
    size_t at = 0;
    oban_writer_raw(writer, "\"", 1);
    while (at < bytes && !writer->failed) {
        size_t run = writer_plain_run(data + at, bytes - at);
        oban_writer_bytes(writer, data + at, run);
        at += run;
        if (at < bytes) {
            unsigned char byte = (unsigned char)data[at++];
            if (byte >= 0x80u) {
                oban_writer_bytes(writer, "\xef\xbf\xbd", 3);
            } else {
                writer_escape(writer, byte);
            }
        }
    }
    oban_writer_bytes(writer, "\"", 1);
}

void oban_writer_text(oban_writer *writer, oban_text text)
{
    writer_quote(writer, text.data, text.bytes);
}

void oban_writer_string(oban_writer *writer, const char *string)
{
    if (string == NULL) {
        oban_writer_null(writer);
    } else {
        writer_quote(writer, string, strlen(string));
    }
}

/* ---- the other values ---- */

void oban_writer_null(oban_writer *writer)
{
    oban_writer_raw(writer, "null", 4);
}

void oban_writer_bool(oban_writer *writer, bool value)
{
    oban_writer_raw(writer, value ? "true" : "false", value ? 4 : 5);
}

static void writer_integer(oban_writer *writer, bool negative, uint64_t magnitude)
{
    char digits[WRITER_INTEGER_BYTES];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + magnitude % 10u);
        magnitude /= 10u;
    } while (magnitude != 0);
    if (negative) {
        digits[--at] = '-';
    }
    oban_writer_raw(writer, digits + at, sizeof digits - at);
}

void oban_writer_u64(oban_writer *writer, uint64_t value)
{
    writer_integer(writer, false, value);
}

void oban_writer_i64(oban_writer *writer, int64_t value)
{
    /* Negated as unsigned: INT64_MIN has no positive twin. */
    writer_integer(writer, value < 0, value < 0 ? 0u - (uint64_t)value : (uint64_t)value);
}

/* Returns the length; there is room for OBAN_FLOAT_BYTES_MAX. */
static inline size_t writer_put_f32(char *at, float value)
{
    static const char none[4] = {'n', 'u', 'l', 'l'};
    if (!isfinite(value)) {
        memcpy(at, none, sizeof none);
        return sizeof none;
    }
    return oban_float_shortest(value, at);
}

void oban_writer_f32(oban_writer *writer, float value)
{
    char *at = writer_value(writer, OBAN_FLOAT_BYTES_MAX);
    if (at != NULL) {
        writer->bytes += writer_put_f32(at, value);
    }
}

/* The point is a point whatever LC_ALL says: nobody in this project calls setlocale. */
void oban_writer_f64(oban_writer *writer, double value)
{
    char text[32];
    if (!isfinite(value)) {
        oban_writer_null(writer);
        return;
    }
    int bytes = 0;
    for (int digits = 15; digits <= 17; digits++) {
        bytes = snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    OBAN_ASSERT(bytes > 0 && (size_t)bytes < sizeof text);
    oban_writer_raw(writer, text, (size_t)bytes);
}

void oban_writer_f32s(oban_writer *writer, const float *values, size_t count)
{
    oban_writer_array_begin(writer);
    for (size_t i = 0; i < count; i++) {
        oban_writer_f32(writer, values[i]);
    }
    oban_writer_array_end(writer);
}

/* The tick path, up to 10,000 times each sixtieth of a second: one reserve, then straight into the
 * buffer. */
void oban_writer_mat34(oban_writer *writer, const oban_mat34 *matrix)
{
    char *at = writer_value(writer, 12 * (OBAN_FLOAT_BYTES_MAX + 1) + 2);
    if (at == NULL) {
        return;
    }
    const char *start = at;
    *at++ = '[';
    for (int i = 0; i < 12; i++) {
        at += writer_put_f32(at, matrix->m[i]);
        *at++ = ',';
    }
    at[-1] = ']';
    writer->bytes += (size_t)(at - start);
}
