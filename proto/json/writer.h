/* SPDX-License-Identifier: MIT */
/* Writing JSON: an append-only buffer. No tree, no locale, and on the tick path no printf; the
 * caller puts the braces, the writer the commas. Next: floats.h. */
#ifndef OBAN_PROTO_JSON_WRITER_H
#define OBAN_PROTO_JSON_WRITER_H

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/math/mat34.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When memory runs out the writer goes into `failed`, writes nothing more, and never hands out half
 * a text (bytes is 0 then): check failed once, at the end. clear makes it usable again. */
typedef struct oban_writer {
    char *data;
    size_t bytes;
    size_t capacity;
    bool failed;
    bool comma; /* the next value or key needs a comma in front */
    oban_alloc alloc;
} oban_writer;

void oban_writer_init(oban_writer *writer, const oban_alloc *alloc);
void oban_writer_fini(oban_writer *writer);
/* Empties it and keeps its memory. */
void oban_writer_clear(oban_writer *writer);
/* Makes room for `more` bytes beyond what is written. Returns false when memory is out. */
bool oban_writer_reserve(oban_writer *writer, size_t more);

void oban_writer_object_begin(oban_writer *writer);
void oban_writer_object_end(oban_writer *writer);
void oban_writer_array_begin(oban_writer *writer);
void oban_writer_array_end(oban_writer *writer);
/* A key that needs no escaping (a literal of ours), and its colon. */
void oban_writer_key(oban_writer *writer, const char *key);
/* Quoted; control characters (and U+007F) are escaped, a byte that is no UTF-8 becomes U+FFFD.
 * NULL: null. */
void oban_writer_string(oban_writer *writer, const char *string);
void oban_writer_text(oban_writer *writer, oban_text text); /* likewise; never null */
void oban_writer_u64(oban_writer *writer, uint64_t value);
void oban_writer_i64(oban_writer *writer, int64_t value);
void oban_writer_bool(oban_writer *writer, bool value);
void oban_writer_null(oban_writer *writer);
/* The shortest text that reads back to the same float32 (NaN and infinity, which must not come:
 * null). */
void oban_writer_f32(oban_writer *writer, float value);
void oban_writer_f64(oban_writer *writer,
                     double value); /* up to 17 digits; not for the tick path */
/* [v0,v1,...] */
void oban_writer_f32s(oban_writer *writer, const float *values, size_t count);
/* [m0,...,m11] */
void oban_writer_mat34(oban_writer *writer, const oban_mat34 *matrix);
/* Bytes as they are, counted as one value (a comma goes in front when one is due). */
void oban_writer_raw(oban_writer *writer, const char *data, size_t bytes);
/* Bytes as they are, no comma, state untouched (headers, newlines). */
void oban_writer_bytes(oban_writer *writer, const void *data, size_t bytes);

#endif
