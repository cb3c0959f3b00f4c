/* SPDX-License-Identifier: MIT */
/* Animations as CSV: what is not of the rows in comments, then a header, then a row for each key.
 * Next: clip_json.c. */
#include "proto/format/samples.h"
#include "proto/format/xml_values.h"
#include "proto/json/floats.h"

#include <math.h>
#include <string.h>

static void csv_text(oban_writer *writer, const char *text)
{
    oban_writer_bytes(writer, text, strlen(text));
}

static void csv_i64(oban_writer *writer, int64_t value)
{
    oban_line line;
    oban_line_clear(&line);
    oban_line_add_i64(&line, value);
    oban_writer_bytes(writer, line.data, line.bytes);
}

/* The shortest that reads back; what is not finite as XML has it. */
static void csv_float(oban_writer *writer, float value)
{
    char digits[OBAN_FLOAT_BYTES_MAX];
    size_t bytes =
        isfinite(value) ? oban_float_shortest(value, digits) : oban_float_dotnet(value, digits);
    oban_writer_bytes(writer, digits, bytes);
}

/* "# name: ..." in quotes where it would not come back without. */
static void csv_write_name(oban_writer *writer, oban_text name)
{
    bool quotes = name.bytes > 0 && (name.data[name.bytes - 1] == ' ' || name.data[0] == ' ');
    for (uint32_t i = 0; i < name.bytes; i++) {
        quotes = quotes || strchr(",;\"\t", name.data[i]) != NULL;
    }
    csv_text(writer, quotes ? "\"# name: " : "# name: ");
    for (uint32_t i = 0; i < name.bytes; i++) {
        oban_writer_bytes(writer, &name.data[i], 1);
        csv_text(writer, quotes && name.data[i] == '"' ? "\"" : "");
    }
    csv_text(writer, quotes ? "\"\n" : "\n");
}

static void csv_write_flags(oban_writer *writer, uint32_t flags)
{
    uint32_t unnamed = flags;
    const char *between = "";
    csv_text(writer, "# flags: ");
    for (const xml_flag *flag = xml_flags; flag->name != NULL; flag++) {
        unnamed &= ~flag->bit;
    }
    if (unnamed != 0) {
        csv_i64(writer, flags);
    }
    for (const xml_flag *flag = xml_flags; flag->name != NULL && unnamed == 0; flag++) {
        if ((flags & flag->bit) != 0) {
            csv_text(writer, between);
            csv_text(writer, flag->name);
            between = " ";
        }
    }
    csv_text(writer, "\n");
}

static void csv_write_integer(oban_writer *writer, const char *label, int64_t value)
{
    csv_text(writer, label);
    csv_i64(writer, value);
    csv_text(writer, "\n");
}

static void csv_write_matrix(oban_writer *writer, const char *label, const oban_mat34 *matrix)
{
    csv_text(writer, label);
    for (int i = 0; i < 12; i++) {
        csv_text(writer, i > 0 ? " " : "");
        csv_float(writer, matrix->m[i]);
    }
    csv_text(writer, "\n");
}

static void csv_write_key(oban_writer *writer, const oban_key *key)
{
    const oban_quat *q = &key->rotation;
    const float values[7] = {
        key->position[0], key->position[1], key->position[2], q->x, q->y, q->z, q->w};
    csv_i64(writer, key->frame);
    for (int i = 0; i < 7; i++) {
        csv_text(writer, ",");
        csv_float(writer, values[i]);
    }
    csv_text(writer, "\n");
}

void oban_csv_write(oban_writer *writer, const oban_clip_def *defs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const oban_clip_def *def = &defs[i];
        csv_write_name(writer, def->name);
        csv_write_flags(writer, def->flags);
        csv_write_integer(writer, "# frame_length: ", def->frame_length);
        csv_write_integer(writer, "# frame_count: ", def->frame_count);
        csv_write_integer(writer, "# half_stop: ", def->half_stop);
        csv_write_matrix(writer, "# start: ", &def->start);
        csv_write_matrix(writer, "# base: ", &def->base);
        csv_text(writer, "frame,x,y,z,qx,qy,qz,qw\n");
        for (uint32_t k = 0; k < def->key_count; k++) {
            csv_write_key(writer, &def->keys[k]);
        }
    }
}
