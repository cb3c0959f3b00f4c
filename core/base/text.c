/* SPDX-License-Identifier: MIT */
/* Text without printf: comparing, decoding UTF-8, and building a bounded line piece by piece.
 * Not here: JSON (proto/json), numbers with a fraction (proto/json/floats).
 * Next: status.c. */
#include "core/base/text.h"

#include <string.h>

oban_text oban_text_of(const char *string)
{
    oban_text text = {NULL, 0};
    if (string != NULL) {
        size_t bytes = strlen(string);
        text.data = string;
        text.bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
    }
    return text;
}

bool oban_text_equal(oban_text a, oban_text b)
{
    /* memcmp may not be given NULL, not even for no bytes. */
    return a.bytes == b.bytes && (a.bytes == 0 || memcmp(a.data, b.data, a.bytes) == 0);
}

static unsigned char text_lower(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + ('a' - 'A')) : byte;
}

bool oban_text_equal_nocase(oban_text a, oban_text b)
{
    if (a.bytes != b.bytes) {
        return false;
    }
    for (uint32_t i = 0; i < a.bytes; i++) {
        if (text_lower(a.data[i]) != text_lower(b.data[i])) {
            return false;
        }
    }
    return true;
}

static bool text_continues(unsigned char byte)
{
    return (byte & 0xc0u) == 0x80u;
}

/* The bytes that a lead byte announces, and the range that the byte after it must be in: this range
 * is what keeps out overlong forms, surrogates and everything above U+10FFFF. 0 for no lead byte.
 */
static uint32_t text_lead(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = lead == 0xe0u ? 0xa0u : lead == 0xf0u ? 0x90u : 0x80u;
    *high = lead == 0xedu ? 0x9fu : lead == 0xf4u ? 0x8fu : 0xbfu;
    if (lead >= 0xc2u && lead <= 0xdfu) {
        return 2;
    }
    if (lead >= 0xe0u && lead <= 0xefu) {
        return 3;
    }
    return lead >= 0xf0u && lead <= 0xf4u ? 4 : 0;
}

uint32_t oban_utf8_decode(const char *data, size_t bytes, uint32_t *code)
{
    unsigned char low;
    unsigned char high;
    if (bytes == 0) {
        return 0;
    }
    unsigned char lead = (unsigned char)data[0];
    if (lead < 0x80u) {
        *code = lead;
        return 1;
    }
    uint32_t need = text_lead(lead, &low, &high);
    if (need == 0 || bytes < need || (unsigned char)data[1] < low ||
        (unsigned char)data[1] > high) {
        return 0;
    }
    uint32_t value = lead & (0x7fu >> need);
    for (uint32_t i = 1; i < need; i++) {
        unsigned char byte = (unsigned char)data[i];
        if (!text_continues(byte)) {
            return 0;
        }
        value = value << 6 | (byte & 0x3fu);
    }
    *code = value;
    return need;
}

void oban_line_clear(oban_line *line)
{
    line->bytes = 0;
    line->data[0] = '\0';
}

void oban_line_add(oban_line *line, const char *string)
{
    oban_line_add_text(line, oban_text_of(string));
}

void oban_line_add_text(oban_line *line, oban_text text)
{
    uint32_t room = OBAN_LINE_BYTES - 1 - line->bytes;
    uint32_t take = text.bytes;
    if (take > room) {
        take = room;
        /* data[take] is the first byte that is left out: when it continues a character, that
         * character goes as a whole. A character has 3 such bytes at most; more of them is no
         * UTF-8. */
        for (int i = 0; i < 3 && take > 0 && text_continues((unsigned char)text.data[take]); i++) {
            take--;
        }
    }
    if (take > 0) {
        memcpy(line->data + line->bytes, text.data, take);
        line->bytes += take;
    }
    line->data[line->bytes] = '\0';
}

void oban_line_add_u64(oban_line *line, uint64_t value)
{
    char digits[20];
    uint32_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10u);
        value /= 10u;
    } while (value != 0);
    oban_line_add_text(line, (oban_text){digits + at, (uint32_t)sizeof digits - at});
}

void oban_line_add_i64(oban_line *line, int64_t value)
{
    if (value < 0) {
        oban_line_add(line, "-");
    }
    /* Negated as unsigned: INT64_MIN has no positive twin. */
    oban_line_add_u64(line, value < 0 ? 0u - (uint64_t)value : (uint64_t)value);
}

void oban_line_add_hex64(oban_line *line, uint64_t value)
{
    char digits[16];
    for (uint32_t i = 0; i < 16; i++) {
        digits[i] = "0123456789abcdef"[value >> (60u - 4u * i) & 0xfu];
    }
    oban_line_add_text(line, (oban_text){digits, 16});
}
