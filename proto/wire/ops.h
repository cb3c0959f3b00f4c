/* SPDX-License-Identifier: MIT */
/* The ops of the wire: the world's commands and then the messages, under one numbering.
 * Not here: reading a request (request.h), doing it (server/ops.c).
 * Next: messages.def, ops.c, request.h. */
#ifndef OBAN_PROTO_WIRE_OPS_H
#define OBAN_PROTO_WIRE_OPS_H

#include "core/base/text.h"
#include "core/world/command.h"
#include "proto/json/writer.h"

#include <stdbool.h>
#include <stdint.h>

/* Values below OBAN_OP_COUNT are those of oban_op. */
typedef enum oban_wire_op {
    OBAN_WIRE_COMMANDS_END = OBAN_OP_COUNT - 1,
#define OBAN_MESSAGE(NAME, name, group, class_, help) OBAN_WIRE_##NAME,
#define OBAN_MESSAGE_ARG(NAME, name, member, TYPE, flags, lo, hi, help)
#include "proto/wire/messages.def"
#undef OBAN_MESSAGE
#undef OBAN_MESSAGE_ARG
    OBAN_WIRE_OP_COUNT
} oban_wire_op;

typedef enum oban_wire_class {
    OBAN_CLASS_COMMAND, /* changes the world: phase 3 of a tick */
    OBAN_CLASS_TEXT,    /* holds commands */
    OBAN_CLASS_QUERY,   /* reads */
    OBAN_CLASS_TIME     /* acts on the clock */
} oban_wire_class;

typedef struct oban_wire_row {
    const char *name;
    const char *group;
    const char *help;
    oban_wire_class class_;
    bool bsl; /* has a BSL statement of this name */
    const oban_arg_row *args;
    uint32_t arg_count;
} oban_wire_row;

oban_wire_row oban_wire_row_of(oban_wire_op op);
/* Looks an op up by its exact name. Returns false when there is none. */
bool oban_wire_op_find(oban_text name, oban_wire_op *op);
/* Adds "no op 'x'; the nearest are 'y' and 'z'" to the line. */
void oban_wire_op_missing(oban_text name, oban_line *line);
/* Writes {ops:[...]}: all ops, or the one. Source: protocol 3, help. */
void oban_wire_help(oban_writer *writer, const oban_wire_op *only);

#endif
