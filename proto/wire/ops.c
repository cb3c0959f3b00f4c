/* SPDX-License-Identifier: MIT */
/* The table of ops, looked up and told.
 * Next: ops.h. */
#include "proto/wire/ops.h"

#include "core/base/assert.h"
#include "core/bsl/nearest.h"

#define OPS_NEAREST_MAX 3u

/* One array of rows per message, empty ones included (a first row that is never counted). */
enum {
#define OBAN_MESSAGE(NAME, name, group, class_, help) OPS_##NAME##_BEGIN,
#define OBAN_MESSAGE_ARG(NAME, name, member, TYPE, flags, lo, hi, help) OPS_##NAME##_##member,
#include "proto/wire/messages.def"
#undef OBAN_MESSAGE
#undef OBAN_MESSAGE_ARG
    OPS_ROWS_END
};

/* A message's own place in the list is a row without a name: it ends the rows of the one before. */
static const oban_arg_row ops_args[OPS_ROWS_END + 1] = {
#define OBAN_MESSAGE(NAME, wire_name, group, class_, help) [OPS_##NAME##_BEGIN] = {.name = NULL},
#define OBAN_MESSAGE_ARG(NAME, wire_name, member, TYPE, flag_bits, lo, hi, help_text)              \
    [OPS_##NAME##_##member] = {.name = (wire_name),                                                \
                               .field = OBAN_FIELD_AT_##member,                                    \
                               .type = OBAN_FIELD_##TYPE,                                          \
                               .flags = (flag_bits),                                               \
                               .lowest = (lo),                                                     \
                               .highest = (hi),                                                    \
                               .help = (help_text)},
#include "proto/wire/messages.def"
#undef OBAN_MESSAGE
#undef OBAN_MESSAGE_ARG
};

typedef struct ops_message {
    const char *name;
    const char *group;
    const char *help;
    oban_wire_class class_;
    uint32_t first_arg;
} ops_message;

static const ops_message ops_messages[] = {
#define OBAN_MESSAGE(NAME, name, group, class_, help)                                              \
    {name, group, help, OBAN_CLASS_##class_, OPS_##NAME##_BEGIN + 1},
#define OBAN_MESSAGE_ARG(NAME, name, member, TYPE, flags, lo, hi, help)
#include "proto/wire/messages.def"
#undef OBAN_MESSAGE
#undef OBAN_MESSAGE_ARG
};

static oban_wire_row ops_command_row(oban_op op)
{
    const oban_command_row *row = oban_command_row_of(op);
    return (oban_wire_row){.name = row->name,
                           .group = row->group,
                           .help = row->help,
                           .class_ = OBAN_CLASS_COMMAND,
                           .bsl = row->bsl,
                           .args = row->args,
                           .arg_count = row->arg_count};
}

oban_wire_row oban_wire_row_of(oban_wire_op op)
{
    OBAN_ASSERT((unsigned)op < OBAN_WIRE_OP_COUNT);
    if ((unsigned)op < OBAN_OP_COUNT) {
        return ops_command_row((oban_op)op);
    }
    const ops_message *message = &ops_messages[(unsigned)op - OBAN_OP_COUNT];
    oban_wire_row row = {.name = message->name,
                         .group = message->group,
                         .help = message->help,
                         .class_ = message->class_,
                         .args = &ops_args[message->first_arg]};
    while (row.args[row.arg_count].name != NULL) {
        row.arg_count++;
    }
    return row;
}

bool oban_wire_op_find(oban_text name, oban_wire_op *op)
{
    for (unsigned i = 0; i < OBAN_WIRE_OP_COUNT; i++) {
        if (oban_text_equal(name, oban_text_of(oban_wire_row_of((oban_wire_op)i).name))) {
            *op = (oban_wire_op)i;
            return true;
        }
    }
    return false;
}

/* The best names so far, nearest first. */
typedef struct ops_nearest {
    oban_text names[OPS_NEAREST_MAX];
    uint32_t distances[OPS_NEAREST_MAX];
    uint32_t count;
} ops_nearest;

static void ops_nearest_put(ops_nearest *best, oban_text name, uint32_t distance)
{
    uint32_t at = best->count;
    while (at > 0 && best->distances[at - 1] > distance) {
        at--;
    }
    if (at == OPS_NEAREST_MAX) {
        return;
    }
    best->count += best->count < OPS_NEAREST_MAX ? 1u : 0u;
    for (uint32_t i = best->count - 1; i > at; i--) {
        best->names[i] = best->names[i - 1];
        best->distances[i] = best->distances[i - 1];
    }
    best->names[at] = name;
    best->distances[at] = distance;
}

void oban_wire_op_missing(oban_text name, oban_line *line)
{
    ops_nearest best = {.count = 0};
    for (unsigned i = 0; i < OBAN_WIRE_OP_COUNT; i++) {
        oban_text candidate = oban_text_of(oban_wire_row_of((oban_wire_op)i).name);
        uint32_t distance = oban_nearest_distance(name, candidate);
        if (oban_nearest_is_near(distance, name, candidate)) {
            ops_nearest_put(&best, candidate, distance);
        }
    }
    oban_line_add(line, "no op '");
    oban_line_add_text(line, (oban_text){name.data, name.bytes < 64 ? name.bytes : 64});
    oban_line_add(line, best.count == 0 ? "'; see help" : "'; the nearest ");
    oban_line_add(line, best.count == 0 ? "" : best.count == 1 ? "is '" : "are '");
    for (uint32_t i = 0; i < best.count; i++) {
        oban_line_add(line, i == 0 ? "" : i + 1 == best.count ? "' and '" : "', '");
        oban_line_add_text(line, best.names[i]);
    }
    oban_line_add(line, best.count == 0 ? "" : "'");
}

/* ---- help ---- */

static const char *ops_type_word(oban_field_type type)
{
    static const char *const words[] = {
        [OBAN_FIELD_I32] = "integer",     [OBAN_FIELD_U32] = "integer",
        [OBAN_FIELD_F32] = "number",      [OBAN_FIELD_BOOL] = "boolean",
        [OBAN_FIELD_TEXT] = "string",     [OBAN_FIELD_MODE] = "mode",
        [OBAN_FIELD_MAT34] = "matrix3x4", [OBAN_FIELD_WHO] = "name or number",
        [OBAN_FIELD_NONE] = "number",
    };
    return words[type];
}

static void ops_help_arg(oban_writer *writer, const oban_arg_row *arg)
{
    bool ranged =
        arg->type == OBAN_FIELD_I32 || arg->type == OBAN_FIELD_U32 || arg->type == OBAN_FIELD_F32;
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "name");
    oban_writer_string(writer, arg->name);
    oban_writer_key(writer, "type");
    oban_writer_string(writer, ops_type_word(arg->type));
    oban_writer_key(writer, "required");
    oban_writer_bool(writer, (arg->flags & (OBAN_ARG_REQUIRED | OBAN_ARG_JSON_REQUIRED)) != 0);
    if (ranged) {
        oban_writer_key(writer, "lowest");
        oban_writer_i64(writer, arg->lowest);
        oban_writer_key(writer, "highest");
        oban_writer_i64(writer, arg->highest);
    }
    oban_writer_key(writer, "help");
    oban_writer_string(writer, arg->help);
    oban_writer_object_end(writer);
}

static void ops_help_op(oban_writer *writer, oban_wire_op op)
{
    oban_wire_row row = oban_wire_row_of(op);
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "op");
    oban_writer_string(writer, row.name);
    oban_writer_key(writer, "group");
    oban_writer_string(writer, row.group);
    oban_writer_key(writer, "help");
    oban_writer_string(writer, row.help);
    oban_writer_key(writer, "bsl");
    oban_writer_bool(writer, row.bsl);
    oban_writer_key(writer, "args");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < row.arg_count; i++) {
        ops_help_arg(writer, &row.args[i]);
    }
    oban_writer_array_end(writer);
    oban_writer_object_end(writer);
}

void oban_wire_help(oban_writer *writer, const oban_wire_op *only)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "ops");
    oban_writer_array_begin(writer);
    for (unsigned i = 0; i < OBAN_WIRE_OP_COUNT; i++) {
        if (only == NULL || (unsigned)*only == i) {
            ops_help_op(writer, (oban_wire_op)i);
        }
    }
    oban_writer_array_end(writer);
    oban_writer_object_end(writer);
}
