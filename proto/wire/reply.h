/* SPDX-License-Identifier: MIT */
/* The answers: reply and error (protocol 2), and what a command's result looks like.
 * Not here: results of queries (library.h, ops.h, snapshot.h), order (server/).
 * Next: reply.c, library.h. */
#ifndef OBAN_PROTO_WIRE_REPLY_H
#define OBAN_PROTO_WIRE_REPLY_H

#include "core/world/command.h"
#include "proto/json/writer.h"
#include "proto/wire/request.h"

#include <stdint.h>

/* Opens a reply up to and with "result":. The caller writes one value, then oban_wire_reply_end. */
void oban_wire_reply_begin(oban_writer *writer, const oban_wire_id *id, uint64_t tick);
/* Closes it, with `warnings` (JSON strings, commas between them) when there are any. */
void oban_wire_reply_end(oban_writer *writer, const char *warnings, size_t bytes);
void oban_wire_error(oban_writer *writer, const oban_wire_id *id, uint64_t tick,
                     const oban_refusal *refusal);

/* What a command did, as one object. Source: protocol 3. */
void oban_wire_result(oban_writer *writer, const oban_result *result);
/* A failed result as a refusal. */
void oban_refusal_of_result(oban_refusal *refusal, const oban_result *result);

#endif
