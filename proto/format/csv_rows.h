/* SPDX-License-Identifier: MIT */
/* CSV as rows of fields: separators, quotes, line ends, marks; what a spreadsheet makes of it.
 * Internal to proto/format. Not here: what the fields mean (csv_read.c). Next: csv_rows.c. */
#ifndef OBAN_PROTO_FORMAT_CSV_ROWS_H
#define OBAN_PROTO_FORMAT_CSV_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSV_LINE_BYTES_MAX 4095u
#define CSV_FIELDS_MAX 64u

typedef struct csv_field {
    char *text; /* NUL-terminated, without quotes and outer blanks */
    uint32_t bytes;
    uint32_t column; /* from 1, in bytes */
} csv_field;

/* A text being read, and the row in hand. */
typedef struct csv_rows {
    const char *text;
    size_t size;
    size_t at;
    uint32_t line; /* of the row, from 1 */
    char separator;
    char row[CSV_LINE_BYTES_MAX + 1]; /* cut into its fields */
    uint32_t row_bytes;
    csv_field fields[CSV_FIELDS_MAX];
    uint32_t field_count; /* without empty ones at the end */
    const char *fault;    /* why there is no further row; NULL: the text is at its end */
    uint32_t column;      /* where that is */
} csv_rows;

/* Begins: a byte order mark is passed over; the separator is what the first row that is no comment
 * has most of, or what a first line "sep=;" says. */
void csv_rows_begin(csv_rows *rows, const char *text, size_t size);
/* Takes the next row. False at the end, or with a fault. */
bool csv_rows_next(csv_rows *rows);

#endif
