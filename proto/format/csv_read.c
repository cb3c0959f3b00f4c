/* SPDX-License-Identifier: MIT */
/* Animations out of CSV as spreadsheets write it: commas, semicolons or tabs, quotes, CR LF, a byte
 * order mark, empty rows and trailing separators. A decimal comma is refused by name. The form:
 * docs/formats.md. Next: csv_write.c. */
#include "proto/format/csv_rows.h"
#include "proto/format/samples.h"
#include "proto/format/samples_build.h"
#include "proto/format/xml_values.h"

#include <math.h>
#include <string.h>

#define CSV_TICKS_PER_SECOND 60.0
#define CSV_FRAME_SLACK 0.05 /* of a frame: how far a time may be from one without a word */

typedef enum csv_kind {
    CSV_UNKNOWN,
    CSV_NAME,
    CSV_FRAME,
    CSV_TIME,
    CSV_POSITION,
    CSV_ROTATION,
    CSV_EULER,
    CSV_SCALE,
    CSV_MATRIX,
    CSV_KINDS
} csv_kind;

static const struct {
    const char *name; /* a letter or two, then one of `parts`, or a whole name */
    csv_kind kind;
    uint32_t part;
} csv_columns[] = {
    {"name", CSV_NAME, 0},   {"clip", CSV_NAME, 0},    {"frame", CSV_FRAME, 0},
    {"time", CSV_TIME, 0},   {"seconds", CSV_TIME, 0}, {"x", CSV_POSITION, 0},
    {"y", CSV_POSITION, 1},  {"z", CSV_POSITION, 2},   {"qx", CSV_ROTATION, 0},
    {"qy", CSV_ROTATION, 1}, {"qz", CSV_ROTATION, 2},  {"qw", CSV_ROTATION, 3},
    {"rx", CSV_EULER, 0},    {"ry", CSV_EULER, 1},     {"rz", CSV_EULER, 2},
    {"sx", CSV_SCALE, 0},    {"sy", CSV_SCALE, 1},     {"sz", CSV_SCALE, 2},
    {"m0", CSV_MATRIX, 0},   {"m1", CSV_MATRIX, 1},    {"m2", CSV_MATRIX, 2},
    {"m3", CSV_MATRIX, 3},   {"m4", CSV_MATRIX, 4},    {"m5", CSV_MATRIX, 5},
    {"m6", CSV_MATRIX, 6},   {"m7", CSV_MATRIX, 7},    {"m8", CSV_MATRIX, 8},
    {"m9", CSV_MATRIX, 9},   {"m10", CSV_MATRIX, 10},  {"m11", CSV_MATRIX, 11},
    {NULL, CSV_UNKNOWN, 0},
};

/* How many columns make a kind whole, and what a row then has. */
static const struct {
    uint32_t parts;
    unsigned has;
    const char *names;
} csv_kinds[CSV_KINDS] = {
    [CSV_UNKNOWN] = {0, 0, ""},
    [CSV_NAME] = {1, 0, "name"},
    [CSV_FRAME] = {1, 0, "frame"},
    [CSV_TIME] = {1, 0, "time"},
    [CSV_POSITION] = {3, SAMPLES_POSITION, "x, y, z"},
    [CSV_ROTATION] = {4, SAMPLES_ROTATION, "qx, qy, qz, qw"},
    [CSV_EULER] = {3, SAMPLES_EULER, "rx, ry, rz"},
    [CSV_SCALE] = {3, SAMPLES_SCALE, "sx, sy, sz"},
    [CSV_MATRIX] = {12, SAMPLES_MATRIX, "m0 to m11"},
};

typedef struct csv_column {
    csv_kind kind;
    uint32_t part;
} csv_column;

typedef struct csv_reading {
    csv_rows rows;
    csv_column columns[CSV_FIELDS_MAX];
    uint32_t column_count; /* 0: no header yet */
    unsigned has;          /* what a row has, by the header */
    bool has_frame;
    bool has_time;
    oban_clip_file *file;
    clip_add_name file_name;
    samples_build build;
    bool named; /* by a comment: it must have rows */
    bool time_told;
    oban_status status;
} csv_reading;

/* An error about the text as such: nothing of the file is used. */
static oban_line *csv_refuse(csv_reading *csv, uint32_t column, const char *message,
                             oban_file_fault *spare)
{
    oban_line *line = samples_fault(&csv->build, csv->rows.line, column, message, spare);
    csv->status = csv->status == OBAN_OK ? OBAN_BAD_FILE : csv->status;
    return line;
}

/* ---- the header ------------------------------------------------------------------------------ */

static csv_column csv_column_of(const csv_field *field)
{
    oban_text name = {field->text, field->bytes};
    for (uint32_t i = 0; csv_columns[i].name != NULL; i++) {
        if (oban_text_equal_nocase(name, oban_text_of(csv_columns[i].name))) {
            return (csv_column){csv_columns[i].kind, csv_columns[i].part};
        }
    }
    return (csv_column){CSV_UNKNOWN, 0};
}

/* Rows begin with a number or a name, headers with the name of a column, and hold no number. */
static bool csv_is_header(const csv_reading *csv)
{
    bool known = false;
    for (uint32_t i = 0; i < csv->rows.field_count; i++) {
        char first = csv->rows.fields[i].text[0];
        if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.') {
            return false;
        }
        known = known || csv_column_of(&csv->rows.fields[i]).kind != CSV_UNKNOWN;
    }
    return known;
}

static void csv_warn_unknown(csv_reading *csv, const csv_field *field)
{
    oban_file_fault spare;
    oban_text none = {NULL, 0};
    oban_file_fault *fault =
        clip_add_fault(csv->file, OBAN_SEVERITY_WARNING, none, "the column '", &spare);
    oban_line_add_text(&fault->message, (oban_text){field->text, field->bytes});
    oban_line_add(&fault->message, "' has no meaning here and is left out");
    fault->line = csv->rows.line;
    fault->column = field->column;
}

static bool csv_whole_kinds(csv_reading *csv, const uint32_t *parts)
{
    oban_file_fault spare;
    csv->has = 0;
    for (uint32_t kind = 1; kind < CSV_KINDS; kind++) {
        if (parts[kind] == 0) {
            continue;
        }
        csv->has |= csv_kinds[kind].has;
        if (parts[kind] != (1u << csv_kinds[kind].parts) - 1) {
            oban_line *line = csv_refuse(csv, 1, "the header lacks some of the columns ", &spare);
            oban_line_add(line, csv_kinds[kind].names);
            return false;
        }
    }
    csv->has_frame = parts[CSV_FRAME] != 0;
    csv->has_time = parts[CSV_TIME] != 0;
    if ((csv->has & (SAMPLES_POSITION | SAMPLES_ROTATION | SAMPLES_EULER | SAMPLES_MATRIX)) == 0) {
        (void)csv_refuse(
            csv, 1,
            "the header names no columns of a pose: x,y,z and qx,qy,qz,qw or rx,ry,rz, "
            "or m0 to m11",
            &spare);
        return false;
    }
    return true;
}

static bool csv_take_header(csv_reading *csv)
{
    oban_file_fault spare;
    uint32_t parts[CSV_KINDS] = {0};
    csv->column_count = csv->rows.field_count;
    for (uint32_t i = 0; i < csv->rows.field_count; i++) {
        csv_column column = csv_column_of(&csv->rows.fields[i]);
        csv->columns[i] = column;
        if (column.kind == CSV_UNKNOWN && csv->rows.fields[i].bytes > 0) {
            csv_warn_unknown(csv, &csv->rows.fields[i]);
        }
        if ((parts[column.kind] & (1u << column.part)) != 0 && column.kind != CSV_UNKNOWN) {
            (void)csv_refuse(csv, csv->rows.fields[i].column,
                             "the column stands twice in the header", &spare);
            return false;
        }
        parts[column.kind] |= 1u << column.part;
    }
    return csv_whole_kinds(csv, parts);
}

/* ---- what stands in front of the rows -------------------------------------------------------- */

static bool csv_is_comment(const csv_reading *csv)
{
    return csv->rows.field_count > 0 && csv->rows.fields[0].text[0] == '#';
}

static void csv_end_clip(csv_reading *csv)
{
    bool there = csv->named || csv->build.key_count > 0 || csv->build.bad;
    oban_status status = there ? samples_end(&csv->build) : OBAN_OK;
    csv->status = csv->status == OBAN_OK ? status : csv->status;
}

static void csv_begin_clip(csv_reading *csv)
{
    samples_begin(&csv->build, csv->file);
    samples_name(&csv->build, (oban_text){csv->file_name.data, csv->file_name.bytes});
    csv->build.line = csv->rows.line > 0 ? csv->rows.line : 1;
    csv->named = false;
    csv->time_told = false;
}

/* A whole number of the fields that an animation has beside its keys. */
static bool csv_integer(csv_reading *csv, const char *value, uint32_t at, int64_t lo, int64_t hi,
                        int32_t *out)
{
    oban_file_fault spare;
    xml_value_fault fault;
    int64_t number = 0;
    if (!xml_value_integer(value, lo, hi, &number, &fault)) {
        oban_line *line = csv_refuse(csv, csv->rows.fields[0].column + at + fault.at, "", &spare);
        oban_line_add_text(line, (oban_text){fault.message.data, fault.message.bytes});
        return false;
    }
    *out = (int32_t)number;
    return true;
}

static bool csv_matrix(csv_reading *csv, const char *value, uint32_t at, oban_mat34 *out)
{
    oban_file_fault spare;
    xml_value_fault fault;
    bool more = false;
    if (!xml_value_floats(value, 12, out->m, &more, &fault)) {
        oban_line *line = csv_refuse(csv, csv->rows.fields[0].column + at + fault.at, "", &spare);
        oban_line_add_text(line, (oban_text){fault.message.data, fault.message.bytes});
        return false;
    }
    return true;
}

static bool csv_flags(csv_reading *csv, const char *value, uint32_t at)
{
    oban_file_fault spare;
    xml_value_fault fault;
    if (!xml_value_flags(value, &csv->build.def.flags, &fault)) {
        oban_line *line = csv_refuse(csv, csv->rows.fields[0].column + at + fault.at, "", &spare);
        oban_line_add_text(line, (oban_text){fault.message.data, fault.message.bytes});
        return false;
    }
    return true;
}

/* The value of "# key: value", or NULL when the comment is of another key. */
static const char *csv_value_of(const csv_reading *csv, const char *key)
{
    const char *at = csv->rows.fields[0].text + 1;
    size_t bytes = strlen(key);
    at += *at == ' ' ? 1 : 0;
    if (strncmp(at, key, bytes) != 0 || at[bytes] != ':') {
        return NULL;
    }
    at += bytes + 1;
    return *at == ' ' ? at + 1 : at;
}

/* "# key: value"; other comments mean nothing. False when it is refused (then the status is not
 * OK). */
static bool csv_take_comment(csv_reading *csv)
{
    oban_clip_def *def = &csv->build.def;
    const char *value = csv_value_of(csv, "name");
    const char *text = csv->rows.fields[0].text;
    if (value != NULL) { /* a new animation begins */
        if (csv->named || csv->build.key_count > 0 || csv->build.bad) {
            csv_end_clip(csv);
            csv_begin_clip(csv);
        }
        csv->named = true;
        samples_name(&csv->build, oban_text_of(value));
        return true;
    }
    if ((value = csv_value_of(csv, "flags")) != NULL) {
        return csv_flags(csv, value, (uint32_t)(value - text));
    }
    if ((value = csv_value_of(csv, "frame_length")) != NULL) {
        return csv_integer(csv, value, (uint32_t)(value - text), INT16_MIN, INT16_MAX,
                           &def->frame_length);
    }
    if ((value = csv_value_of(csv, "frame_count")) != NULL) {
        csv->build.has_frame_count = true;
        return csv_integer(csv, value, (uint32_t)(value - text), 0, UINT16_MAX, &def->frame_count);
    }
    if ((value = csv_value_of(csv, "half_stop")) != NULL) {
        return csv_integer(csv, value, (uint32_t)(value - text), INT16_MIN, INT16_MAX,
                           &def->half_stop);
    }
    if ((value = csv_value_of(csv, "start")) != NULL) {
        return csv_matrix(csv, value, (uint32_t)(value - text), &def->start);
    }
    if ((value = csv_value_of(csv, "base")) != NULL) {
        csv->build.has_base = true;
        return csv_matrix(csv, value, (uint32_t)(value - text), &def->base);
    }
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool csv_number(csv_reading *csv, const csv_field *field, float *out)
{
    oban_file_fault spare;
    xml_value_fault fault;
    bool more = false;
    if (field->bytes > 0 && memchr(field->text, ',', field->bytes) != NULL) {
        (void)csv_refuse(csv, field->column, "a decimal comma: write numbers with a point, as 1.5",
                         &spare);
        return false;
    }
    if (!xml_value_floats(field->text, 1, out, &more, &fault) || more) {
        oban_line *line = csv_refuse(csv, field->column, "expected a number, found '", &spare);
        oban_line_add_text(line, (oban_text){field->text, field->bytes < 40 ? field->bytes : 40});
        oban_line_add(line, "'");
        return false;
    }
    return true;
}

static bool csv_whole_frame(csv_reading *csv, const csv_field *field, int32_t *out)
{
    oban_file_fault spare;
    float value = 0;
    if (!csv_number(csv, field, &value)) {
        return false;
    }
    if (value != floorf(value) || value > 16777216.0f || value < -16777216.0f) {
        (void)csv_refuse(csv, field->column, "expected a whole number of a frame", &spare);
        return false;
    }
    *out = (int32_t)value;
    return true;
}

static bool csv_time(csv_reading *csv, const csv_field *field, int32_t *out)
{
    oban_file_fault spare;
    float seconds = 0;
    if (!csv_number(csv, field, &seconds)) {
        return false;
    }
    double frame = (double)seconds * CSV_TICKS_PER_SECOND;
    if (!(frame > -16777216.0 && frame < 16777216.0)) {
        (void)csv_refuse(csv, field->column, "expected seconds, found too large a number", &spare);
        return false;
    }
    *out = (int32_t)floor(frame + 0.5);
    if (fabs(frame - *out) > CSV_FRAME_SLACK && !csv->time_told) {
        oban_text name = {csv->build.name, csv->build.name_bytes};
        oban_file_fault *fault = clip_add_fault(
            csv->file, OBAN_SEVERITY_WARNING, name,
            "the time lies between two frames (1/60 s) and is moved to the nearest", &spare);
        fault->line = csv->rows.line;
        fault->column = field->column;
        csv->time_told = true;
    }
    return true;
}

/* ---- a row ----------------------------------------------------------------------------------- */

/* Another name in the column of names begins another animation. */
static void csv_row_name(csv_reading *csv, const csv_field *field)
{
    oban_text name = clip_add_strip((oban_text){field->text, field->bytes});
    oban_text now = {csv->build.name, csv->build.name_bytes};
    if (oban_text_equal(name, now)) {
        return;
    }
    if (csv->build.key_count > 0 || csv->build.bad) {
        csv_end_clip(csv);
        csv_begin_clip(csv);
    }
    samples_name(&csv->build, name);
}

static bool csv_take_field(csv_reading *csv, const csv_field *field, csv_column column,
                           samples_row *row)
{
    float *rotation[4] = {&row->rotation.x, &row->rotation.y, &row->rotation.z, &row->rotation.w};
    switch (column.kind) {
    case CSV_NAME:
    case CSV_UNKNOWN:
    case CSV_KINDS:
        return true;
    case CSV_FRAME:
        return csv_whole_frame(csv, field, &row->frame);
    case CSV_TIME:
        return csv->has_frame || csv_time(csv, field, &row->frame);
    case CSV_POSITION:
        return csv_number(csv, field, &row->position[column.part]);
    case CSV_ROTATION:
        return csv_number(csv, field, rotation[column.part]);
    case CSV_EULER:
        return csv_number(csv, field, &row->euler[column.part]);
    case CSV_SCALE:
        return csv_number(csv, field, &row->scale[column.part]);
    case CSV_MATRIX:
        return csv_number(csv, field, &row->matrix.m[column.part]);
    }
    return true;
}

static void csv_take_row(csv_reading *csv)
{
    static char nothing[1] = "";
    oban_file_fault spare;
    samples_row row = {.has = csv->has, .line = csv->rows.line};
    if (csv->rows.field_count > csv->column_count) {
        (void)csv_refuse(csv, csv->rows.fields[csv->column_count].column,
                         "the row has more fields than the header (decimal commas? write 1.5)",
                         &spare);
        return;
    }
    for (uint32_t i = 0; i < csv->rows.field_count; i++) {
        if (csv->columns[i].kind == CSV_NAME) {
            csv_row_name(csv, &csv->rows.fields[i]);
        }
    }
    row.frame = csv->has_frame || csv->has_time ? 0 : (int32_t)csv->build.key_count;
    for (uint32_t i = 0; i < csv->column_count; i++) {
        csv_field none = {nothing, 0, csv->rows.row_bytes + 1};
        const csv_field *field = i < csv->rows.field_count ? &csv->rows.fields[i] : &none;
        if (!csv_take_field(csv, field, csv->columns[i], &row)) {
            return;
        }
    }
    oban_status status = samples_add(&csv->build, &row);
    csv->status = csv->status == OBAN_OK ? status : csv->status;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void csv_read_rows(csv_reading *csv)
{
    oban_file_fault spare;
    while (csv->status == OBAN_OK && csv_rows_next(&csv->rows)) {
        if (csv->rows.field_count == 0) {
            continue;
        }
        if (csv_is_comment(csv)) {
            (void)csv_take_comment(csv);
        } else if (csv_is_header(csv)) {
            (void)csv_take_header(csv);
        } else if (csv->column_count == 0) {
            (void)csv_refuse(
                csv, 1, "expected a header, such as frame,x,y,z,qx,qy,qz,qw; found a row", &spare);
        } else {
            csv_take_row(csv);
        }
    }
    if (csv->rows.fault != NULL) {
        (void)csv_refuse(csv, csv->rows.column, csv->rows.fault, &spare);
    }
}

/* Why the text is none that rows can be read from; NULL when it may be one. */
static const char *csv_no_text(const char *text, size_t size)
{
    if (size > OBAN_SAMPLES_BYTES_MAX) {
        return "the text is over 32 MiB";
    }
    bool wide = size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
    return wide ? "this is UTF-16: save it as CSV in UTF-8" : NULL;
}

oban_status oban_csv_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                          size_t size, oban_clip_file *out)
{
    oban_file_fault spare;
    csv_reading csv = {.file = out};
    const char *why = csv_no_text(bytes, size);
    clip_add_init(out, alloc);
    clip_add_file_name(file_name, &csv.file_name);
    csv_begin_clip(&csv);
    csv_rows_begin(&csv.rows, bytes, why == NULL ? size : 0);
    if (why != NULL) {
        csv.rows.line = 1;
        (void)csv_refuse(&csv, 1, why, &spare);
    } else {
        csv_read_rows(&csv);
    }
    csv_end_clip(&csv);
    if (csv.status == OBAN_OK && out->count == 0 && out->faults.errors == 0) {
        (void)csv_refuse(&csv, 0, "the text holds no rows of frames", &spare);
    }
    return clip_add_end(out, csv.status);
}
