/* SPDX-License-Identifier: MIT */
/* See fields.h. */
#include "clients/obanctl/fields.h"

#include "clients/obanctl/memory.h"

#include <stdlib.h>
#include <string.h>

static void *field_at(void *entry, const field_row *row)
{
    return (char *)entry + row->offset;
}

void fields_free(void *entry, const field_row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (rows[i].type == FIELD_TEXT) {
            char **text = field_at(entry, &rows[i]);

            free(*text);
            *text = NULL;
        }
    }
}

static bool read_text(const oban_json *value, char **out)
{
    oban_json_type type = oban_json_type_of(value);
    const char *text = type == OBAN_JSON_STRING ? oban_json_string(value) : NULL;

    if (type != OBAN_JSON_STRING && type != OBAN_JSON_NULL) {
        return false;
    }
    if (text == NULL || *out == NULL || strcmp(text, *out) != 0) {
        free(*out);
        *out = memory_string(text);
    }
    return true;
}

static bool read_matrix(const oban_json *value, float out[12])
{
    const oban_json *item;
    int count = 0;

    if (oban_json_type_of(value) != OBAN_JSON_ARRAY) {
        return false;
    }
    for (item = oban_json_first(value); item != NULL; item = oban_json_next(item)) {
        if (count == 12 || !oban_json_f32(item, &out[count++])) {
            return false;
        }
    }
    return count == 12;
}

static bool field_read(const field_row *row, const oban_json *value, void *at)
{
    switch (row->type) {
    case FIELD_INT:
        return oban_json_integer(value, -FIELDS_WHOLE_MAX, FIELDS_WHOLE_MAX, at);
    case FIELD_BOOL:
        *(bool *)at = oban_json_type_of(value) == OBAN_JSON_BOOL && oban_json_bool(value);
        return oban_json_type_of(value) == OBAN_JSON_BOOL;
    case FIELD_TEXT:
        return read_text(value, at);
    case FIELD_F32:
        return oban_json_f32(value, at);
    case FIELD_MATRIX:
        return read_matrix(value, at);
    }
    return false;
}

bool fields_read(const oban_json *from, const field_row *rows, size_t count, void *entry,
                 oban_line *fault)
{
    for (const oban_json *one = oban_json_first(from); one != NULL; one = oban_json_next(one)) {
        const char *key = oban_json_key(one);

        for (size_t i = 0; i < count; ++i) {
            if (strcmp(rows[i].name, key) == 0 &&
                !field_read(&rows[i], one, field_at(entry, &rows[i]))) {
                oban_line_add(fault, "a value of the wrong kind in ");
                oban_line_add(fault, rows[i].name);
                return false;
            }
        }
    }
    return true;
}

static void field_write(const field_row *row, const void *at, oban_writer *writer)
{
    const float *matrix = at;

    oban_writer_key(writer, row->name);
    switch (row->type) {
    case FIELD_INT:
        oban_writer_i64(writer, *(const int64_t *)at);
        break;
    case FIELD_BOOL:
        oban_writer_bool(writer, *(const bool *)at);
        break;
    case FIELD_TEXT:
        oban_writer_string(writer, *(const char *const *)at);
        break;
    case FIELD_F32:
        oban_writer_f32(writer, *(const float *)at);
        break;
    case FIELD_MATRIX:
        oban_writer_array_begin(writer);
        for (int i = 0; i < 12; ++i) {
            oban_writer_f32(writer, matrix[i]);
        }
        oban_writer_array_end(writer);
        break;
    }
}

void fields_write(const void *entry, const field_row *rows, size_t count, oban_writer *writer)
{
    for (size_t i = 0; i < count; ++i) {
        field_write(&rows[i], (const char *)entry + rows[i].offset, writer);
    }
}
