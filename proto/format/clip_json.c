/* SPDX-License-Identifier: MIT */
/* Animations as JSON, both ways: {"clips":[{name, ..., "frames":[{frame, position, rotation}]}]},
 * or one animation alone. What `oban frames --json` prints comes in too. The form: docs/formats.md.
 * Next: samples_build.c. */
#include "proto/format/samples.h"
#include "proto/format/samples_build.h"
#include "proto/json/json.h"

#include <math.h>
#include <string.h>

#define JSON_TICKS_PER_SECOND 60.0
#define JSON_FRAME_SLACK 0.05
#define JSON_VALUES_MAX 4194304u /* a tree of them takes 350 MB */

/* One reading. */
typedef struct json_reading {
    oban_clip_file *file;
    samples_build build;
    oban_line path; /* "clips[0]." or "" */
    oban_status status;
} json_reading;

/* ---- faults ---------------------------------------------------------------------------------- */

/* "clips[0].frames[3].position: expected ..." */
static oban_line *json_fault(json_reading *reading, const char *member, const char *message)
{
    oban_file_fault spare;
    oban_line *line = samples_fault(&reading->build, 0, 0, "", &spare);
    oban_line_add(line, reading->path.data);
    oban_line_add(line, member);
    oban_line_add(line, ": ");
    oban_line_add(line, message);
    return line;
}

static void json_refuse_text(json_reading *reading, uint32_t line, uint32_t column,
                             const char *message)
{
    oban_file_fault spare;
    (void)samples_fault(&reading->build, line, column, message, &spare);
    reading->status = OBAN_BAD_FILE;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool json_floats(json_reading *reading, const oban_json *value, const char *member,
                        uint32_t count, float *out)
{
    uint32_t found = 0;
    bool good = oban_json_type_of(value) == OBAN_JSON_ARRAY;
    for (const oban_json *item = oban_json_first(value); good && item != NULL;
         item = oban_json_next(item)) {
        good = found < count && oban_json_f32(item, &out[found]);
        found++;
    }
    if (!good || found != count) {
        oban_line *line = json_fault(reading, member, "expected an array of ");
        oban_line_add_u64(line, count);
        oban_line_add(line, " numbers");
        return false;
    }
    return true;
}

static bool json_integer(json_reading *reading, const oban_json *value, const char *member,
                         int64_t lo, int64_t hi, int64_t *out)
{
    if (oban_json_integer(value, lo, hi, out)) {
        return true;
    }
    oban_line *line = json_fault(reading, member, "expected a whole number from ");
    oban_line_add_i64(line, lo);
    oban_line_add(line, " to ");
    oban_line_add_i64(line, hi);
    return false;
}

/* ---- one frame ------------------------------------------------------------------------------- */

static bool json_time(json_reading *reading, const oban_json *value, samples_row *row)
{
    double frame = oban_json_number(value) * JSON_TICKS_PER_SECOND;
    if (oban_json_type_of(value) != OBAN_JSON_NUMBER || !(frame > -1e9 && frame < 1e9)) {
        (void)json_fault(reading, "time", "expected seconds");
        return false;
    }
    row->frame = (int32_t)floor(frame + 0.5);
    if (fabs(frame - row->frame) > JSON_FRAME_SLACK) {
        (void)json_fault(reading, "time", "expected a multiple of 1/60 s");
        return false;
    }
    return true;
}

static bool json_row_member(json_reading *reading, const oban_json *member, samples_row *row)
{
    const char *key = oban_json_key(member);
    int64_t frame = 0;
    float q[4] = {0, 0, 0, 1};
    if (strcmp(key, "frame") == 0) {
        bool good = json_integer(reading, member, key, INT32_MIN, INT32_MAX, &frame);
        row->frame = (int32_t)frame;
        return good;
    }
    if (strcmp(key, "time") == 0) {
        return json_time(reading, member, row);
    }
    if (strcmp(key, "position") == 0) {
        row->has |= SAMPLES_POSITION;
        return json_floats(reading, member, key, 3, row->position);
    }
    if (strcmp(key, "rotation") == 0) {
        bool good = json_floats(reading, member, key, 4, q);
        row->has |= SAMPLES_ROTATION;
        row->rotation = (oban_quat){q[0], q[1], q[2], q[3]};
        return good;
    }
    if (strcmp(key, "euler") == 0) {
        row->has |= SAMPLES_EULER;
        return json_floats(reading, member, key, 3, row->euler);
    }
    if (strcmp(key, "scale") == 0) {
        row->has |= SAMPLES_SCALE;
        return json_floats(reading, member, key, 3, row->scale);
    }
    if (strcmp(key, "matrix") == 0) {
        row->has |= SAMPLES_MATRIX;
        return json_floats(reading, member, key, 12, row->matrix.m);
    }
    if (strncmp(key, "x-", 2) == 0) {
        return true;
    }
    (void)json_fault(reading, key,
                     "no such field; there are frame, time, position, rotation, euler, scale, "
                     "matrix");
    return false;
}

static void json_row(json_reading *reading, const oban_json *item, uint32_t index)
{
    samples_row row = {.frame = (int32_t)index};
    bool good = oban_json_type_of(item) == OBAN_JSON_OBJECT;
    if (!good) {
        (void)json_fault(reading, "frame", "expected an object");
    }
    for (const oban_json *member = oban_json_first(item); good && member != NULL;
         member = oban_json_next(member)) {
        good = json_row_member(reading, member, &row);
    }
    if (good && (row.has & ~(unsigned)SAMPLES_SCALE) == 0) {
        (void)json_fault(reading, "position", "expected it, or rotation, euler or matrix");
        good = false;
    }
    if (good && samples_add(&reading->build, &row) == OBAN_NO_MEMORY) {
        reading->status = OBAN_NO_MEMORY;
    }
}

static void json_rows(json_reading *reading, const oban_json *list, const char *key)
{
    oban_line before = reading->path;
    uint32_t index = 0;
    if (oban_json_type_of(list) != OBAN_JSON_ARRAY) {
        (void)json_fault(reading, key, "expected an array");
        return;
    }
    for (const oban_json *item = oban_json_first(list);
         item != NULL && !reading->build.bad && reading->status == OBAN_OK;
         item = oban_json_next(item)) {
        oban_line_add(&reading->path, key);
        oban_line_add(&reading->path, "[");
        oban_line_add_u64(&reading->path, index);
        oban_line_add(&reading->path, "].");
        json_row(reading, item, index++);
        reading->path = before;
    }
}

/* ---- one animation --------------------------------------------------------------------------- */

static bool json_is_rows(const char *key)
{
    return strcmp(key, "frames") == 0 || strcmp(key, "keys") == 0;
}

static void json_name(json_reading *reading, const oban_json *member)
{
    if (oban_json_type_of(member) != OBAN_JSON_STRING) {
        (void)json_fault(reading, "name", "expected a text");
        return;
    }
    samples_name(&reading->build, oban_text_of(oban_json_string(member)));
}

/* What is not of the rows; those come afterwards, for they need the base. */
static void json_member(json_reading *reading, const oban_json *member)
{
    const char *key = oban_json_key(member);
    samples_build *build = &reading->build;
    oban_clip_def *def = &build->def;
    int64_t number = 0;
    if (strcmp(key, "name") == 0) {
        json_name(reading, member);
    } else if (strcmp(key, "flags") == 0) {
        (void)json_integer(reading, member, key, 0, UINT32_MAX, &number);
        def->flags = (uint32_t)number;
    } else if (strcmp(key, "frame_length") == 0) {
        (void)json_integer(reading, member, key, INT16_MIN, INT16_MAX, &number);
        def->frame_length = (int32_t)number;
    } else if (strcmp(key, "frame_count") == 0) {
        (void)json_integer(reading, member, key, 0, UINT16_MAX, &number);
        def->frame_count = (int32_t)number;
        build->has_frame_count = true;
    } else if (strcmp(key, "half_stop") == 0) {
        (void)json_integer(reading, member, key, INT16_MIN, INT16_MAX, &number);
        def->half_stop = (int32_t)number;
    } else if (strcmp(key, "start") == 0) {
        (void)json_floats(reading, member, key, 12, def->start.m);
    } else if (strcmp(key, "base") == 0) {
        (void)json_floats(reading, member, key, 12, def->base.m);
        build->has_base = true;
    } else if (!json_is_rows(key) && strncmp(key, "x-", 2) != 0) {
        (void)json_fault(reading, key, "no such field of an animation");
    }
}

static void json_clip(json_reading *reading, const oban_json *clip, oban_text name)
{
    samples_begin(&reading->build, reading->file);
    samples_name(&reading->build, name);
    if (oban_json_type_of(clip) != OBAN_JSON_OBJECT) {
        (void)json_fault(reading, "clip", "expected an object");
    }
    for (const oban_json *member = oban_json_first(clip); member != NULL && !reading->build.bad;
         member = oban_json_next(member)) {
        json_member(reading, member);
    }
    for (const oban_json *member = oban_json_first(clip);
         member != NULL && !reading->build.bad && reading->status == OBAN_OK;
         member = oban_json_next(member)) {
        if (json_is_rows(oban_json_key(member))) {
            json_rows(reading, member, oban_json_key(member));
        }
    }
    oban_status status = samples_end(&reading->build);
    reading->status = reading->status == OBAN_OK ? status : reading->status;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void json_root(json_reading *reading, const oban_json *root, oban_text name)
{
    const oban_json *clips = oban_json_member(root, "clips");
    uint32_t index = 0;
    if (clips == NULL) {
        json_clip(reading, root, name);
        return;
    }
    if (oban_json_type_of(clips) != OBAN_JSON_ARRAY) {
        (void)json_fault(reading, "clips", "expected an array");
        return;
    }
    for (const oban_json *clip = oban_json_first(clips); clip != NULL && reading->status == OBAN_OK;
         clip = oban_json_next(clip)) {
        oban_line_clear(&reading->path);
        oban_line_add(&reading->path, "clips[");
        oban_line_add_u64(&reading->path, index++);
        oban_line_add(&reading->path, "].");
        json_clip(reading, clip, index == 1 ? name : (oban_text){NULL, 0});
    }
    oban_line_clear(&reading->path);
    if (index == 0) {
        (void)json_fault(reading, "clips", "it is empty");
    }
}

/* How many values a text can hold at most: each but the first stands behind one of these. */
static size_t json_values(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += text[i] == ',' || text[i] == '[' || text[i] == '{' ? 1 : 0;
    }
    return count;
}

oban_status oban_clip_json_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                                size_t size, oban_clip_file *out)
{
    json_reading reading = {.file = out};
    oban_json_fault fault;
    oban_json *root = NULL;
    clip_add_name name;
    bool mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    const char *text = (const char *)bytes + (mark ? 3 : 0);
    clip_add_init(out, alloc);
    samples_begin(&reading.build, out);
    clip_add_file_name(file_name, &name);
    if (size > OBAN_SAMPLES_BYTES_MAX) {
        json_refuse_text(&reading, 0, 0, "the text is over 32 MiB");
        return clip_add_end(out, reading.status);
    }
    if (json_values(text, size - (mark ? 3 : 0)) > JSON_VALUES_MAX) {
        json_refuse_text(&reading, 0, 0, "the text has over 4194304 values");
        return clip_add_end(out, reading.status);
    }
    oban_status status = oban_json_parse(text, size - (mark ? 3 : 0), &root, &fault);
    if (status == OBAN_NO_MEMORY) {
        reading.status = status;
    } else if (status != OBAN_OK) {
        json_refuse_text(&reading, fault.line, fault.column, fault.message.data);
    } else {
        json_root(&reading, root, (oban_text){name.data, name.bytes});
    }
    oban_json_free(root);
    return clip_add_end(out, reading.status);
}

/* Where the string that begins at `at` ends: behind its closing quote, or the end of the text. */
static size_t json_skip_string(const char *text, size_t size, size_t at)
{
    for (at++; at < size && text[at] != '"'; at++) {
        at += text[at] == '\\' ? 1 : 0;
    }
    return at < size ? at + 1 : size;
}

static bool json_key_is_ours(const char *text, size_t bytes)
{
    static const char *const keys[] = {"\"clips\"", "\"frames\"", "\"keys\""};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (bytes == strlen(keys[i]) && memcmp(text, keys[i], bytes) == 0) {
            return true;
        }
    }
    return false;
}

/* The strings of the root are looked through, keys and values alike: a text that is no JSON is told
 * by its reader. */
bool oban_clip_json_looks_like(const void *bytes, size_t size)
{
    const char *text = bytes;
    uint32_t depth = 0;
    size_t at = 0;
    bool any = false;
    while (at < size) {
        char c = text[at];
        size_t next = c == '"' ? json_skip_string(text, size, at) : at + 1;
        if (depth == 1 && c == '"') {
            any = true;
            if (json_key_is_ours(text + at, next - at)) {
                return true;
            }
        }
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= (c == '}' || c == ']') && depth > 0 ? 1 : 0;
        at = next;
    }
    return !any;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void json_write_floats(oban_writer *writer, const char *key, const float *values,
                              size_t count)
{
    oban_writer_key(writer, key);
    oban_writer_f32s(writer, values, count);
}

static void json_write_key(oban_writer *writer, const oban_key *key)
{
    const oban_quat *q = &key->rotation;
    const float rotation[4] = {q->x, q->y, q->z, q->w};
    oban_writer_bytes(writer, writer->comma ? ",\n" : "\n", writer->comma ? 2 : 1);
    writer->comma = false;
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "frame");
    oban_writer_i64(writer, key->frame);
    json_write_floats(writer, "position", key->position, 3);
    json_write_floats(writer, "rotation", rotation, 4);
    oban_writer_object_end(writer);
}

static void json_write_clip(oban_writer *writer, const oban_clip_def *def)
{
    oban_writer_bytes(writer, writer->comma ? ",\n" : "\n", writer->comma ? 2 : 1);
    writer->comma = false;
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "name");
    oban_writer_text(writer, def->name);
    oban_writer_key(writer, "flags");
    oban_writer_u64(writer, def->flags);
    oban_writer_key(writer, "frame_length");
    oban_writer_i64(writer, def->frame_length);
    oban_writer_key(writer, "frame_count");
    oban_writer_i64(writer, def->frame_count);
    oban_writer_key(writer, "half_stop");
    oban_writer_i64(writer, def->half_stop);
    json_write_floats(writer, "start", def->start.m, 12);
    json_write_floats(writer, "base", def->base.m, 12);
    oban_writer_key(writer, "frames");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < def->key_count; i++) {
        json_write_key(writer, &def->keys[i]);
    }
    oban_writer_array_end(writer);
    oban_writer_object_end(writer);
}

void oban_clip_json_write(oban_writer *writer, const oban_clip_def *defs, uint32_t count)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "clips");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < count; i++) {
        json_write_clip(writer, &defs[i]);
    }
    oban_writer_array_end(writer);
    oban_writer_object_end(writer);
    oban_writer_bytes(writer, "\n", 1);
}
