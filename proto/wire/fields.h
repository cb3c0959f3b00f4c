/* SPDX-License-Identifier: MIT */
/* The members of a JSON object read into a typed command, by rows of the command table. It serves
 * requests on the wire and the objects of a scene file alike.
 * Not here: which op it is, ids and batches (requests), JSON text (../json/json.h).
 * Next: fields.c, ../format/scene_json.h. */
#ifndef OBAN_PROTO_WIRE_FIELDS_H
#define OBAN_PROTO_WIRE_FIELDS_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/world/command.h"
#include "proto/json/json.h"

#include <stdint.h>

#define OBAN_FIELD_TEXT_MAX 63u /* bytes of a text whose row says 0 */

/* What is wrong with one member. */
typedef struct oban_field_fault {
    const char *field; /* its name: a row's, or (unknown field) a key of the tree, valid as long */
    oban_line message; /* begins with the place: "object: expected a whole number from 0 to
                          2147483647, found 1.9"; "matrix[3]: ..."; "matrx: no such field; ..." */
} oban_field_fault;

/* Reads `object` (an OBAN_JSON_OBJECT) by `rows`. `also_allowed` names further keys that are passed
 * over (such as "op", "id"): ended by NULL, or NULL for none; keys that begin with "x-" always are.
 * `out->op` is the caller's and kept; all other members of `out` are set: those not given are 0.
 * Returns OK; BAD_FIELD with the first fault: a missing required member first, in the rows' order,
 * then members in the object's order. On BAD_FIELD `out` is as it was. `fault` may be NULL.
 * Owns: texts of `out` point into the tree. Source: protocol 2, "Strict". */
oban_status oban_fields_read(const oban_json *object, const oban_arg_row *rows, uint32_t count,
                             oban_command *out, const char *const *also_allowed,
                             oban_field_fault *fault);

/* As oban_fields_read, but tells every fault to `tell`, not only the first. Returns OK or
 * BAD_FIELD.
 */
typedef struct oban_field_listener {
    void (*tell)(void *context, const oban_field_fault *fault);
    void *context;
} oban_field_listener;
oban_status oban_fields_read_all(const oban_json *object, const oban_arg_row *rows, uint32_t count,
                                 oban_command *out, const char *const *also_allowed,
                                 const oban_field_listener *listener);

/* One number for people who read a message: "1.9", "3000000000". */
void oban_field_number(double value, oban_line *line);
/* A key or another string from outside: up to 40 bytes, control characters as '?'. */
void oban_field_key(const char *string, oban_line *line);
/* What a JSON value is, for "found ...": "null", "'abc'", "1.9", "an array". */
void oban_field_found(const oban_json *value, oban_line *line);
/* Adds "; the nearest is 'matrix'" when one of the names (ended by NULL) is near to `key`. */
void oban_field_nearest(const char *key, const char *const *names, oban_line *line);

#endif
