/* SPDX-License-Identifier: MIT */
/* A request: one text message of a client, read. What is wrong with it becomes a refusal, which is
 * answered like any request, in its client's order.
 * Not here: doing it (server/ops.c), BSL statements (core/bsl/line.h).
 * Next: request.c, ops.h, fields.h, reply.h. */
#ifndef OBAN_PROTO_WIRE_REQUEST_H
#define OBAN_PROTO_WIRE_REQUEST_H

#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/bsl/line.h"
#include "proto/json/json.h"
#include "proto/wire/ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBAN_ID_CHARACTERS_MAX 64u

/* What the client calls its request. */
typedef struct oban_wire_id {
    enum { OBAN_ID_NONE, OBAN_ID_INTEGER, OBAN_ID_STRING } kind;
    int64_t integer;
    oban_text string;
} oban_wire_id;

/* Why something is not done: what an `error` says. */
typedef struct oban_refusal {
    oban_status status;
    bool has_field;
    oban_line field;
    oban_line message;
    oban_place place; /* line 0: none */
    bool has_caret;
    oban_line source; /* the line at fault, and the caret under it */
    oban_line caret;
} oban_refusal;

typedef struct oban_request {
    oban_wire_op op;
    oban_wire_id id;
    oban_command command;        /* the fields, where the op's rows put them */
    oban_text text;              /* of op bsl */
    const oban_refusal *refusal; /* not NULL: only to be answered with this */
} oban_request;

/* Reads one message: JSON when its first byte that is no blank is { or [, else BSL. Bad ones are
 * requests too: they get a refusal, which is written into `room`. script_bytes_max bounds a BSL
 * text. Owns: texts of `out` point into `text` and `*root`; give *root (NULL when there is none)
 * back with oban_json_free. Source: protocol 2. */
void oban_request_read(const char *text, size_t bytes, uint64_t script_bytes_max, oban_request *out,
                       oban_refusal *room, oban_json **root);

/* A copy of a request, in one block of *bytes, that needs neither the text nor the tree. `before`
 * bytes in front of it are the caller's. Returns the block or NULL; *copy stands in it. */
void *oban_request_copy(const oban_alloc *alloc, const oban_request *request, size_t before,
                        oban_request **copy, size_t *bytes);

/* Makes a refusal with a field (NULL: none) and the beginning of its message. */
void oban_refusal_set(oban_refusal *refusal, oban_status status, const char *field,
                      const char *message);

#endif
