/* SPDX-License-Identifier: MIT */
/* A place in a text as people want to see it: its line, and a caret under it.
 * Not here: what was wrong there (the message of a fault).
 * Next: line.h. */
#include "core/bsl/line.h"

#define CARET_BEFORE_MAX 100u /* bytes shown before the place, when the line is long */
#define CARET_SHOWN_MAX 200u

/* The bytes of the line that begins at `at`, without its end. */
static uint32_t caret_line_bytes(oban_text text, uint32_t at)
{
    uint32_t bytes = 0;
    while (at + bytes < text.bytes && text.data[at + bytes] != '\n' &&
           text.data[at + bytes] != '\r') {
        bytes++;
    }
    return bytes;
}

/* LF, CR, CRLF and LFCR end a line, as in word.c. The last line for a number that is too high. */
static oban_text caret_find_line(oban_text text, uint32_t line)
{
    uint32_t at = 0;
    uint32_t bytes = caret_line_bytes(text, at);
    for (uint32_t i = 1; i < line && at + bytes < text.bytes; i++) {
        uint32_t end = at + bytes;
        at = end + 1;
        if (at < text.bytes && text.data[at] != text.data[end] &&
            (text.data[at] == '\n' || text.data[at] == '\r')) {
            at++;
        }
        bytes = caret_line_bytes(text, at);
    }
    return (oban_text){text.data == NULL ? "" : text.data + at, bytes};
}

/* Copies one character; whatever a terminal or a JSON reader would stumble over becomes '?'. */
static uint32_t caret_copy(oban_text text, uint32_t at, oban_line *line)
{
    uint32_t code = 0;
    uint32_t bytes = oban_utf8_decode(text.data + at, text.bytes - at, &code);
    bool plain = bytes > 0 && (code >= 0xa0u || (code >= 0x20u && code < 0x7fu) || code == '\t');
    oban_line_add_text(line, plain ? (oban_text){text.data + at, bytes} : oban_text_of("?"));
    return bytes == 0 ? 1 : bytes;
}

static bool caret_continues(oban_text text, uint32_t at)
{
    return at < text.bytes && ((unsigned char)text.data[at] & 0xc0u) == 0x80u;
}

void oban_bsl_caret(oban_text text, oban_place place, oban_line *source_line, oban_line *caret_line)
{
    oban_text line = caret_find_line(text, place.line);
    uint32_t target = place.column == 0 ? 0 : place.column - 1;
    target = target > line.bytes ? line.bytes : target;
    uint32_t at =
        target > CARET_BEFORE_MAX && line.bytes > CARET_SHOWN_MAX ? target - CARET_BEFORE_MAX : 0;
    oban_line_clear(source_line);
    oban_line_clear(caret_line);
    while (at > 0 && at < target && caret_continues(line, at)) {
        at++;
    }
    if (at > 0) {
        oban_line_add(source_line, "...");
        oban_line_add(caret_line, "   ");
    }
    uint32_t start = at;
    while (at < line.bytes && at - start < CARET_SHOWN_MAX) {
        if (at < target) {
            oban_line_add(caret_line, line.data[at] == '\t' ? "\t" : " ");
        }
        at += caret_copy(line, at, source_line);
    }
    if (at < line.bytes) {
        oban_line_add(source_line, "...");
    }
    oban_line_add(caret_line, "^");
}
