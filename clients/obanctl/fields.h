/* SPDX-License-Identifier: MIT */
/* The members of an entry, read from JSON into a struct and written back, by rows of a table.
 * Not here: which members there are (scene_fields.def), what they mean (scene.h).
 * Next: scene.c. */
#ifndef OBANCTL_FIELDS_H
#define OBANCTL_FIELDS_H

#include "core/base/text.h"
#include "proto/json/json.h"
#include "proto/json/writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIELDS_WHOLE_MAX (((int64_t)1 << 53) - 1) /* protocol 1 */

/* int64_t, bool, char * (NULL: null), float, float[12]. */
typedef enum field_type { FIELD_INT, FIELD_BOOL, FIELD_TEXT, FIELD_F32, FIELD_MATRIX } field_type;

typedef struct field_row {
    const char *name;
    field_type type;
    size_t offset;
} field_row;

/* Takes over the members that are there; unknown ones are passed over (protocol 2). Returns false
 * with `fault` when one is of the wrong kind. */
bool fields_read(const oban_json *from, const field_row *rows, size_t count, void *entry,
                 oban_line *fault);
/* Writes all of them, as members of an open object. */
void fields_write(const void *entry, const field_row *rows, size_t count, oban_writer *writer);
/* Frees the texts. */
void fields_free(void *entry, const field_row *rows, size_t count);

#endif
