/* SPDX-License-Identifier: MIT */
/* See csv_rows.h. Next: csv_read.c. */
#include "proto/format/csv_rows.h"

#include "core/base/text.h"

#include <string.h>

static bool csv_fail(csv_rows *rows, uint32_t column, const char *fault)
{
    rows->fault = fault;
    rows->column = column;
    return false;
}

/* Where the row that begins at `at` ends, and where the next one begins. */
static size_t csv_row_end(const csv_rows *rows, size_t at, size_t *next)
{
    while (at < rows->size && rows->text[at] != '\n' && rows->text[at] != '\r') {
        at++;
    }
    bool two = at + 1 < rows->size && rows->text[at] == '\r' && rows->text[at + 1] == '\n';
    *next = at + (two ? 2 : 1);
    return at;
}

/* Takes the next row into `row`; false at the end, or when it is refused. */
static bool csv_next_row(csv_rows *rows)
{
    size_t next = 0;
    if (rows->at >= rows->size) {
        return false;
    }
    const char *begin = rows->text + rows->at;
    size_t bytes = csv_row_end(rows, rows->at, &next) - rows->at;
    rows->line++;
    if (bytes > CSV_LINE_BYTES_MAX) {
        return csv_fail(rows, 1, "the row is longer than 4095 bytes");
    }
    const char *zero = memchr(begin, '\0', bytes);
    if (zero != NULL) {
        return csv_fail(rows, (uint32_t)(zero - begin) + 1,
                        "a zero byte: this is no text in UTF-8");
    }
    memcpy(rows->row, begin, bytes);
    rows->row[bytes] = '\0';
    rows->row_bytes = (uint32_t)bytes;
    rows->at = next;
    return true;
}

/* "a ""quoted"" text", in place. Returns what follows it; NULL when it does not end. */
static char *csv_unquote(char *at, csv_field *field)
{
    char *to = at;
    field->text = at;
    for (at++; *at != '\0'; at++) {
        if (*at == '"' && at[1] != '"') {
            *to = '\0';
            field->bytes = (uint32_t)(to - field->text);
            return at + 1;
        }
        at += *at == '"' ? 1 : 0;
        *to++ = *at;
    }
    return NULL;
}

static bool csv_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Up to the separator or the end; blanks around it go. */
static char *csv_plain(const csv_rows *rows, char *at, csv_field *field)
{
    char *end;
    field->text = at;
    while (*at != '\0' && *at != rows->separator) {
        at++;
    }
    end = at;
    while (end > field->text && csv_is_blank(end[-1])) {
        end--;
    }
    field->bytes = (uint32_t)(end - field->text);
    return at;
}

static bool csv_split(csv_rows *rows)
{
    char *at = rows->row;
    bool more = true;
    rows->field_count = 0;
    while (more) {
        while (csv_is_blank(*at) && *at != rows->separator) {
            at++;
        }
        uint32_t column = (uint32_t)(at - rows->row) + 1;
        if (rows->field_count == CSV_FIELDS_MAX) {
            return csv_fail(rows, column, "the row has more than 64 fields");
        }
        csv_field *field = &rows->fields[rows->field_count++];
        field->column = column;
        at = *at == '"' ? csv_unquote(at, field) : csv_plain(rows, at, field);
        while (at != NULL && csv_is_blank(*at) && *at != rows->separator) {
            at++;
        }
        if (at == NULL || (*at != '\0' && *at != rows->separator)) {
            return csv_fail(rows, column, "the quotes of this field do not end with it");
        }
        more = *at != '\0';
        *at++ = '\0';
        field->text[field->bytes] = '\0';
    }
    while (rows->field_count > 0 && rows->fields[rows->field_count - 1].bytes == 0) {
        rows->field_count--; /* spreadsheets fill rows up with separators */
    }
    return true;
}

bool csv_rows_next(csv_rows *rows)
{
    return csv_next_row(rows) && csv_split(rows);
}

/* ---- the separator --------------------------------------------------------------------------- */

static uint32_t csv_count(oban_text row, char c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < row.bytes; i++) {
        count += row.data[i] == c ? 1 : 0;
    }
    return count;
}

static bool csv_has_only(oban_text row, const char *of)
{
    uint32_t at = 0;
    while (at < row.bytes && row.data[at] != '\0' && strchr(of, row.data[at]) != NULL) {
        at++;
    }
    return at == row.bytes;
}

/* A comment, or a row of nothing. */
static bool csv_passes(oban_text row)
{
    bool quoted = row.bytes > 1 && row.data[0] == '"';
    return csv_has_only(row, " ,;\t") || row.data[quoted ? 1 : 0] == '#';
}

/* The separator is what the first row that is no comment has most of; "sep=;" says it. */
static void csv_find_separator(csv_rows *rows)
{
    static const char separators[] = ",;\t";
    uint32_t most = 0;
    size_t next = rows->at;
    rows->separator = ',';
    for (size_t at = rows->at; at < rows->size; at = next) {
        size_t end = csv_row_end(rows, at, &next);
        size_t bytes = end - at < CSV_LINE_BYTES_MAX ? end - at : CSV_LINE_BYTES_MAX;
        oban_text row = {rows->text + at, (uint32_t)bytes};
        if (at == rows->at && bytes == 5 && memcmp(row.data, "sep=", 4) == 0 &&
            csv_has_only((oban_text){row.data + 4, 1}, separators)) {
            rows->separator = row.data[4];
            rows->at = next;
            rows->line = 1;
            return;
        }
        if (csv_passes(row)) {
            continue;
        }
        for (const char *one = separators; *one != '\0'; one++) {
            uint32_t count = csv_count(row, *one);
            rows->separator = count > most ? *one : rows->separator;
            most = count > most ? count : most;
        }
        return;
    }
}

void csv_rows_begin(csv_rows *rows, const char *text, size_t size)
{
    memset(rows, 0, sizeof *rows);
    rows->text = text;
    rows->size = size;
    rows->at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    csv_find_separator(rows);
}
