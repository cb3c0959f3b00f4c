/* SPDX-License-Identifier: MIT */
/* Members of a JSON object read into a typed command by the rows of the command table: one reader
 * for each type of field, one walk over the members.
 * Not here: JSON text (../json/json.h), what a command does (core/world).
 * Next: fields.h. */
#include "proto/wire/fields.h"

#include "core/bsl/nearest.h"
#include "proto/json/floats.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FIELDS_TOLD_BYTES 40u
#define FIELDS_NAMES_MAX 32u

/* One reading: where faults go, and how many there were. */
typedef struct fields_reading {
    const oban_arg_row *rows;
    uint32_t count;
    const char *const *also_allowed;
    const oban_field_listener *listener;
    uint32_t faults;
} fields_reading;

/* ---- messages ---------------------------------------------------------------------------------
 */

void oban_field_number(double value, oban_line *line)
{
    char digits[OBAN_FLOAT_BYTES_MAX];
    if (fabs(value) <= 9007199254740992.0 && value == floor(value)) {
        oban_line_add_i64(line, (int64_t)value);
    } else if (fabs(value) <= (double)FLT_MAX) {
        size_t bytes = oban_float_shortest((float)value, digits);
        oban_line_add_text(line, (oban_text){digits, (uint32_t)bytes});
    } else {
        oban_line_add(line, "a number beyond float32");
    }
}

/* Up to 40 bytes of something from outside; what would break a line of a log becomes '?'. */
void oban_field_key(const char *string, oban_line *line)
{
    oban_text text = oban_text_of(string);
    uint32_t at = 0;
    while (at < text.bytes && at < FIELDS_TOLD_BYTES) {
        uint32_t code = 0;
        uint32_t bytes = oban_utf8_decode(string + at, text.bytes - at, &code);
        bool plain = bytes > 0 && code >= 0x20u && (code < 0x7fu || code >= 0xa0u);
        oban_line_add_text(line, plain ? (oban_text){string + at, bytes} : oban_text_of("?"));
        at += bytes == 0 ? 1 : bytes;
    }
    oban_line_add(line, at < text.bytes ? "..." : "");
}

void oban_field_found(const oban_json *value, oban_line *line)
{
    switch (oban_json_type_of(value)) {
    case OBAN_JSON_NULL:
        oban_line_add(line, "null");
        break;
    case OBAN_JSON_BOOL:
        oban_line_add(line, oban_json_bool(value) ? "true" : "false");
        break;
    case OBAN_JSON_NUMBER:
        oban_field_number(oban_json_number(value), line);
        break;
    case OBAN_JSON_STRING:
        oban_line_add(line, "'");
        oban_field_key(oban_json_string(value), line);
        oban_line_add(line, "'");
        break;
    case OBAN_JSON_ARRAY:
        oban_line_add(line, "an array of ");
        oban_line_add_u64(line, oban_json_count(value));
        break;
    case OBAN_JSON_OBJECT:
        oban_line_add(line, "an object");
        break;
    }
}

void oban_field_nearest(const char *key, const char *const *names, oban_line *line)
{
    oban_text typed = oban_text_of(key);
    const char *nearest = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; names[i] != NULL; i++) {
        oban_text name = oban_text_of(names[i]);
        uint32_t distance = oban_nearest_distance(typed, name);
        if (distance < least && oban_nearest_is_near(distance, typed, name)) {
            nearest = names[i];
            least = distance;
        }
    }
    if (nearest != NULL) {
        oban_line_add(line, "; the nearest is '");
        oban_line_add(line, nearest);
        oban_line_add(line, "'");
        return;
    }
    oban_line_add(line, names[0] == NULL ? "; there are none" : "; there are ");
    for (uint32_t i = 0; names[i] != NULL; i++) {
        oban_line_add(line, i == 0 ? "" : names[i + 1] == NULL ? " and " : ", ");
        oban_line_add(line, names[i]);
    }
}

/* Begins a fault: "field: ...". */
static void fields_begin(oban_field_fault *fault, const char *field, const char *message)
{
    fault->field = field;
    oban_line_clear(&fault->message);
    oban_line_add(&fault->message, field);
    oban_line_add(&fault->message, message);
}

static void fields_tell(fields_reading *reading, const oban_field_fault *fault)
{
    reading->faults++;
    if (reading->listener != NULL && reading->listener->tell != NULL) {
        reading->listener->tell(reading->listener->context, fault);
    }
}

/* ---- one field --------------------------------------------------------------------------------
 */

static uint32_t fields_text_max(const oban_arg_row *row)
{
    return row->highest == 0 ? OBAN_FIELD_TEXT_MAX : (uint32_t)row->highest;
}

static bool fields_may_be_empty(const oban_arg_row *row)
{
    return row->field != OBAN_FIELD_AT_anim;
}

static void fields_range(const oban_arg_row *row, const char *what, oban_line *line)
{
    oban_line_add(line, what);
    oban_line_add_i64(line, row->lowest);
    oban_line_add(line, " to ");
    oban_line_add_i64(line, row->highest);
}

static void fields_expected(const oban_arg_row *row, oban_line *line)
{
    switch (row->type) {
    case OBAN_FIELD_I32:
    case OBAN_FIELD_U32:
        fields_range(row, "a whole number from ", line);
        break;
    case OBAN_FIELD_F32:
        fields_range(row, "a number from ", line);
        break;
    case OBAN_FIELD_BOOL:
        oban_line_add(line, "true or false (or 1 or 0)");
        break;
    case OBAN_FIELD_TEXT:
        oban_line_add(line,
                      fields_may_be_empty(row) ? "a string of at most " : "a string of 1 to ");
        oban_line_add_u64(line, fields_text_max(row));
        oban_line_add(line, " bytes without control characters");
        break;
    case OBAN_FIELD_MODE:
        oban_line_add(line, "'look', 'move' or 'both'");
        break;
    case OBAN_FIELD_MAT34:
        oban_line_add(line, "an array of 12 numbers");
        break;
    case OBAN_FIELD_WHO:
        oban_line_add(line, "a name of 1 to 63 bytes, or a whole number from 0 to 65535");
        break;
    case OBAN_FIELD_NONE:
        oban_line_add(line, "a number");
        break;
    }
}

static bool fields_text(const oban_arg_row *row, const oban_json *value, oban_text *out)
{
    if (oban_json_type_of(value) != OBAN_JSON_STRING) {
        return false;
    }
    *out = oban_text_of(oban_json_string(value));
    for (uint32_t i = 0; i < out->bytes;) {
        uint32_t code = 0;
        uint32_t bytes = oban_utf8_decode(out->data + i, out->bytes - i, &code);
        if (bytes == 0 || code < 0x20u || (code >= 0x7fu && code < 0xa0u)) {
            return false;
        }
        i += bytes;
    }
    return out->bytes <= fields_text_max(row) && (out->bytes > 0 || fields_may_be_empty(row));
}

static bool fields_mode(const oban_json *value, oban_camera_part *out)
{
    static const struct {
        const char *word;
        oban_camera_part part;
    } modes[] = {
        {"look", OBAN_CAMERA_LOOK}, {"move", OBAN_CAMERA_MOVE}, {"both", OBAN_CAMERA_BOTH}};
    for (uint32_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (oban_json_type_of(value) == OBAN_JSON_STRING &&
            strcmp(oban_json_string(value), modes[i].word) == 0) {
            *out = modes[i].part;
            return true;
        }
    }
    return false;
}

/* A number, or a name; "3" and "char_3" are number 3. */
static bool fields_who(const oban_arg_row *row, const oban_json *value, oban_who *out)
{
    int64_t number = 0;
    oban_text name;
    if (oban_json_type_of(value) != OBAN_JSON_STRING) {
        bool taken = oban_json_integer(value, 0, OBAN_WHO_NUMBER_MAX, &number);
        *out = (oban_who){.number = (int32_t)number};
        return taken;
    }
    return fields_text(row, value, &name) && oban_who_of(name, out);
}

static bool fields_bool(const oban_json *value, bool *out)
{
    int64_t number = 0;
    if (oban_json_type_of(value) == OBAN_JSON_BOOL) {
        *out = oban_json_bool(value);
        return true;
    }
    bool taken = oban_json_integer(value, 0, 1, &number);
    *out = number != 0;
    return taken;
}

static bool fields_float(const oban_arg_row *row, const oban_json *value, float *out)
{
    return oban_json_f32(value, out) && *out >= (float)row->lowest && *out <= (float)row->highest;
}

/* Twelve numbers. Returns false with *bad at the item at fault, or NULL when it is not twelve. */
static bool fields_matrix(const oban_json *value, oban_mat34 *out, uint32_t *index,
                          const oban_json **bad)
{
    *bad = NULL;
    if (oban_json_type_of(value) != OBAN_JSON_ARRAY || oban_json_count(value) != 12) {
        return false;
    }
    const oban_json *item = oban_json_first(value);
    for (*index = 0; *index < 12; (*index)++, item = oban_json_next(item)) {
        if (!oban_json_f32(item, &out->m[*index])) {
            *bad = item;
            return false;
        }
    }
    return true;
}

static bool fields_number(const oban_arg_row *row, const oban_json *value, void *member)
{
    int64_t number = 0;
    if (!oban_json_integer(value, row->lowest, row->highest, &number)) {
        return false;
    }
    if (row->type == OBAN_FIELD_U32) {
        uint32_t as_u32 = (uint32_t)number;
        memcpy(member, &as_u32, sizeof as_u32);
    } else {
        int32_t as_i32 = (int32_t)number;
        memcpy(member, &as_i32, sizeof as_i32);
    }
    return true;
}

/* Any type but a matrix. */
static bool fields_simple(const oban_arg_row *row, const oban_json *value, void *member)
{
    switch (row->type) {
    case OBAN_FIELD_I32:
    case OBAN_FIELD_U32:
        return fields_number(row, value, member);
    case OBAN_FIELD_F32:
        return fields_float(row, value, member);
    case OBAN_FIELD_BOOL:
        return fields_bool(value, member);
    case OBAN_FIELD_WHO:
        return fields_who(row, value, member);
    case OBAN_FIELD_TEXT:
        return fields_text(row, value, member);
    case OBAN_FIELD_MODE:
        return fields_mode(value, member);
    case OBAN_FIELD_NONE:
        return oban_json_type_of(value) == OBAN_JSON_NUMBER;
    case OBAN_FIELD_MAT34:
        break;
    }
    return false;
}

static void fields_matrix_fault(const oban_arg_row *row, uint32_t index, const oban_json *bad,
                                oban_field_fault *fault)
{
    fields_begin(fault, row->name, "[");
    oban_line_add_u64(&fault->message, index);
    oban_line_add(&fault->message, "]: expected a number that float32 holds, found ");
    oban_field_found(bad, &fault->message);
}

static void fields_one(fields_reading *reading, const oban_arg_row *row, const oban_json *value,
                       oban_command *command)
{
    oban_field_fault fault;
    uint32_t index = 0;
    const oban_json *bad = NULL;
    size_t offset = oban_field_offset(row->field);
    void *member = row->type == OBAN_FIELD_NONE ? NULL : (unsigned char *)command + offset;
    if (row->type == OBAN_FIELD_MAT34 ? fields_matrix(value, member, &index, &bad)
                                      : fields_simple(row, value, member)) {
        command->has |= row->type == OBAN_FIELD_NONE ? 0u : 1u << row->field;
        return;
    }
    if (bad != NULL) {
        fields_matrix_fault(row, index, bad, &fault);
    } else {
        fields_begin(&fault, row->name, ": expected ");
        fields_expected(row, &fault.message);
        oban_line_add(&fault.message, ", found ");
        oban_field_found(value, &fault.message);
    }
    fields_tell(reading, &fault);
}

/* ---- all members ------------------------------------------------------------------------------
 */

static void fields_unknown(fields_reading *reading, const char *key)
{
    const char *names[FIELDS_NAMES_MAX + 1];
    uint32_t count = 0;
    oban_field_fault fault;
    for (uint32_t i = 0; i < reading->count && count < FIELDS_NAMES_MAX; i++) {
        names[count++] = reading->rows[i].name;
    }
    names[count] = NULL;
    fault.field = key;
    oban_line_clear(&fault.message);
    oban_field_key(key, &fault.message);
    oban_line_add(&fault.message, ": no such field");
    oban_field_nearest(key, names, &fault.message);
    fields_tell(reading, &fault);
}

static const oban_arg_row *fields_row(const fields_reading *reading, const char *key)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        if (strcmp(reading->rows[i].name, key) == 0) {
            return &reading->rows[i];
        }
    }
    return NULL;
}

static bool fields_passed_over(const fields_reading *reading, const char *key)
{
    if (strncmp(key, "x-", 2) == 0) {
        return true;
    }
    for (uint32_t i = 0; reading->also_allowed != NULL && reading->also_allowed[i] != NULL; i++) {
        if (strcmp(reading->also_allowed[i], key) == 0) {
            return true;
        }
    }
    return false;
}

static void fields_required(fields_reading *reading, const oban_json *object)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        const oban_arg_row *row = &reading->rows[i];
        if ((row->flags & (OBAN_ARG_REQUIRED | OBAN_ARG_JSON_REQUIRED)) != 0 &&
            oban_json_member(object, row->name) == NULL) {
            oban_field_fault fault;
            fields_begin(&fault, row->name, ": missing; expected ");
            fields_expected(row, &fault.message);
            fields_tell(reading, &fault);
        }
    }
}

oban_status oban_fields_read_all(const oban_json *object, const oban_arg_row *rows, uint32_t count,
                                 oban_command *out, const char *const *also_allowed,
                                 const oban_field_listener *listener)
{
    fields_reading reading = {rows, count, also_allowed, listener, 0};
    oban_command command;
    memset(&command, 0, sizeof command);
    command.op = out->op;
    fields_required(&reading, object);
    for (const oban_json *member = oban_json_first(object); member != NULL;
         member = oban_json_next(member)) {
        const char *key = oban_json_key(member);
        const oban_arg_row *row = fields_row(&reading, key);
        if (row != NULL) {
            fields_one(&reading, row, member, &command);
        } else if (!fields_passed_over(&reading, key)) {
            fields_unknown(&reading, key);
        }
    }
    if (reading.faults > 0) {
        return OBAN_BAD_FIELD;
    }
    *out = command;
    return OBAN_OK;
}

/* Keeps the first fault only. */
typedef struct fields_first {
    oban_field_fault *fault;
    bool taken;
} fields_first;

static void fields_keep_first(void *context, const oban_field_fault *fault)
{
    fields_first *first = context;
    if (!first->taken && first->fault != NULL) {
        *first->fault = *fault;
    }
    first->taken = true;
}

oban_status oban_fields_read(const oban_json *object, const oban_arg_row *rows, uint32_t count,
                             oban_command *out, const char *const *also_allowed,
                             oban_field_fault *fault)
{
    fields_first first = {fault, false};
    oban_field_listener listener = {fields_keep_first, &first};
    return oban_fields_read_all(object, rows, count, out, also_allowed, &listener);
}
