/* SPDX-License-Identifier: MIT */
/* WebSocket framing in place. Most messages of a tick are of 126 to 65535 bytes, so that header's
 * four bytes are kept free; a shorter or longer one moves the message (146 KB: some 10 us).
 * Next: ws_frame.h. */
#include "proto/wire/ws_frame.h"

#include <stdint.h>
#include <string.h>

#define WS_TEXT_FINAL 0x81u
#define WS_GUESS 4u
#define WS_SHORT_MAX 125u
#define WS_MIDDLE_MAX 65535u
#define WS_MIDDLE 126u
#define WS_LONG 127u

static size_t ws_header_bytes(size_t payload)
{
    return payload <= WS_SHORT_MAX ? 2u : payload <= WS_MIDDLE_MAX ? 4u : 10u;
}

size_t oban_ws_begin(oban_writer *writer)
{
    size_t mark = writer->bytes;
    oban_writer_bytes(writer, "\0\0\0\0", WS_GUESS);
    writer->comma = false;
    return mark;
}

void oban_ws_end(oban_writer *writer, size_t mark)
{
    if (writer->failed) {
        return;
    }
    size_t payload = writer->bytes - mark - WS_GUESS;
    size_t header = ws_header_bytes(payload);
    if (header > WS_GUESS && !oban_writer_reserve(writer, header - WS_GUESS)) {
        return;
    }
    unsigned char *at = (unsigned char *)writer->data + mark;
    if (header != WS_GUESS) {
        memmove(at + header, at + WS_GUESS, payload);
    }
    at[0] = WS_TEXT_FINAL;
    if (header == 2u) {
        at[1] = (unsigned char)payload;
    } else {
        unsigned length_bytes = (unsigned)header - 2u;
        at[1] = header == 4u ? WS_MIDDLE : WS_LONG;
        for (unsigned i = 0; i < length_bytes; i++) {
            at[2 + i] = (unsigned char)((uint64_t)payload >> (8u * (length_bytes - 1u - i)));
        }
    }
    writer->bytes = mark + header + payload;
    writer->comma = false;
}

size_t oban_ws_frame_bytes(const char *data)
{
    const unsigned char *at = (const unsigned char *)data;
    unsigned length_bytes = at[1] == WS_LONG ? 8u : at[1] == WS_MIDDLE ? 2u : 0u;
    uint64_t payload = length_bytes == 0 ? at[1] : 0;
    for (unsigned i = 0; i < length_bytes; i++) {
        payload = payload << 8 | at[2 + i];
    }
    return (size_t)payload + 2u + length_bytes;
}

size_t oban_ws_piece_bytes(const char *data, size_t bytes, size_t bytes_max)
{
    size_t piece = oban_ws_frame_bytes(data);
    while (piece < bytes) {
        size_t next = oban_ws_frame_bytes(data + piece);
        if (piece + next > bytes_max) {
            break;
        }
        piece += next;
    }
    return piece;
}
