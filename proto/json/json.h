/* SPDX-License-Identifier: MIT */
/* Reading JSON: a strict scanner of ours goes over the text first, then cJSON makes the tree, which
 * cannot be strict by itself. cJSON is seen by json.c and nobody else.
 * Not here: writing (writer.h), what a message means (../wire/).
 * Next: writer.h. */
#ifndef OBAN_PROTO_JSON_H
#define OBAN_PROTO_JSON_H

#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBAN_JSON_DEPTH_MAX 16u
#define OBAN_JSON_KEYS_MAX 64u
#define OBAN_JSON_NUMBER_BYTES_MAX 63u /* cJSON cuts longer ones */

/* Where a text breaks the rules and what was expected there. line and column count from 1 (columns
 * in bytes), offset from 0. */
typedef struct oban_json_fault {
    size_t offset;
    uint32_t line;
    uint32_t column;
    oban_line message; /* such as "expected a value, found ','" */
    oban_line key;     /* of a key that stands twice: what it says, without escapes */
} oban_json_fault;

/* Looks a text over: RFC 8259 and nothing else. One value of any type, valid UTF-8, no NUL (nor
 * \u0000), no BOM, no lone surrogate, depth at most OBAN_JSON_DEPTH_MAX; numbers that a double
 * holds finitely, of at most OBAN_JSON_NUMBER_BYTES_MAX characters; no object of more than
 * OBAN_JSON_KEYS_MAX keys, nor one with two keys that are equal or equal but for the case of ASCII
 * letters (after unescaping). Allocates nothing; linear time but for the key check, which the limit
 * on keys bounds. text may be NULL when bytes is 0. Returns OK (fault is then empty), or BAD_JSON
 * with the fault; two such keys are BAD_FIELD with the place of the second and both keys in
 * fault->message. Source: protocol 2, traps.md, ours. */
oban_status oban_json_scan(const char *text, size_t bytes, oban_json_fault *fault);

/* A parsed value. Opaque; only valid as long as its tree. The readers below take a value of any
 * type, and NULL but for next and key: one of a wrong type is empty, false, 0 or "". */
typedef struct oban_json oban_json;

typedef enum oban_json_type {
    OBAN_JSON_NULL,
    OBAN_JSON_BOOL,
    OBAN_JSON_NUMBER,
    OBAN_JSON_STRING,
    OBAN_JSON_ARRAY,
    OBAN_JSON_OBJECT
} oban_json_type;

/* Scans, then parses. The root may be of any type. Returns OK, BAD_JSON, BAD_FIELD (as scan) or
 * NO_MEMORY. Owns: give the root back with oban_json_free. */
oban_status oban_json_parse(const char *text, size_t bytes, oban_json **root,
                            oban_json_fault *fault);
void oban_json_free(oban_json *root);

oban_json_type oban_json_type_of(const oban_json *value);
/* Member by exact key, or NULL. */
const oban_json *oban_json_member(const oban_json *object, const char *key);
/* Children in order: first, then next until NULL; for arrays and objects. */
const oban_json *oban_json_first(const oban_json *container);
const oban_json *oban_json_next(const oban_json *child);
size_t oban_json_count(const oban_json *container); /* O(n) */
/* The key of a member (NULL for array items). */
const char *oban_json_key(const oban_json *member);
bool oban_json_bool(const oban_json *value);
double oban_json_number(const oban_json *value);
/* NUL-terminated; never holds a NUL inside. */
const char *oban_json_string(const oban_json *value);
/* Whole numbers within lo..hi, 1.0 counted as whole; never beyond 2^53 - 1 either way, whatever lo
 * and hi, for there a double no longer tells integers apart. Returns false, and leaves *out alone,
 * when it is no such number. */
bool oban_json_integer(const oban_json *value, int64_t lo, int64_t hi, int64_t *out);
/* A number that float32 holds finitely. Returns false, and leaves *out alone, when it is no such
 * number. */
bool oban_json_f32(const oban_json *value, float *out);

#endif
