/* SPDX-License-Identifier: MIT */
/* WebSocket framing of whole, unmasked text messages (RFC 6455 5.2), as a server sends them, in the
 * writer that the message itself is written into.
 * Not here: reading frames, masking, control frames (the wire's library does those).
 * Next: ../../server/hub.h. */
#ifndef OBAN_PROTO_WIRE_WS_FRAME_H
#define OBAN_PROTO_WIRE_WS_FRAME_H

#include "proto/json/writer.h"

#include <stddef.h>

/* Begins a message behind what the writer holds. Returns its mark for oban_ws_end. */
size_t oban_ws_begin(oban_writer *writer);
/* Ends the message: puts the header of 2, 4 or 10 bytes in front of what was written since the
 * mark. */
void oban_ws_end(oban_writer *writer, size_t mark);
/* How many bytes the frame that `data` begins with takes, header included. `data` must begin with a
 * frame that oban_ws_end made. */
size_t oban_ws_frame_bytes(const char *data);
/* How many bytes of `data`, which is `bytes` of such frames, are whole frames of at most
 * `bytes_max` together; the first frame always is. */
size_t oban_ws_piece_bytes(const char *data, size_t bytes, size_t bytes_max);

#endif
