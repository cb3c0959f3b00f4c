/* SPDX-License-Identifier: MIT */
/* The table of commands as data: rows of commands and arguments, expanded from commands.def.
 * Not here: what a command does (../world/), reading one from text (line.c) or JSON (proto/wire).
 * Next: commands.def, line.c. */
#include "core/anim/clip.h"
#include "core/base/assert.h"
#include "core/world/command.h"

#include <string.h>

#include <stddef.h>

/* Each field's type as a constant of its own, since commands.def names fields only. */
enum {
#define OBAN_X(field, TYPE, ctype) COMMANDS_TYPE_##field = OBAN_FIELD_##TYPE,
    OBAN_COMMAND_FIELDS(OBAN_X)
#undef OBAN_X
};

/* All argument rows, those of one command side by side. */
static const oban_arg_row commands_args[] = {
#define OBAN_COMMAND(NAME, name, group, class_, bsl, help)
#define OBAN_ARG(NAME, field, flags, lo, hi, help)                                                 \
    {#field,                                                                                       \
     OBAN_FIELD_AT_##field,                                                                        \
     (oban_field_type)COMMANDS_TYPE_##field,                                                       \
     OBAN_ARG_##flags,                                                                             \
     (lo),                                                                                         \
     (hi),                                                                                         \
     (help)},
#include "core/bsl/commands.def"
#undef OBAN_COMMAND
#undef OBAN_ARG
};

/* Where the rows of a command begin: each command names the number that its first argument then
 * takes again (COMMANDS_BACK steps the counter back by one). */
enum {
#define OBAN_COMMAND(NAME, name, group, class_, bsl, help)                                         \
    COMMANDS_FIRST_##NAME, COMMANDS_BACK_##NAME = COMMANDS_FIRST_##NAME - 1,
#define OBAN_ARG(NAME, field, flags, lo, hi, help) COMMANDS_AT_##NAME##_##field,
#include "core/bsl/commands.def"
#undef OBAN_COMMAND
#undef OBAN_ARG
};

/* How many there are: a struct for each command with one char for itself and one per argument. */
struct commands_size_none {
    char command;
/* clang-format off */
#define OBAN_COMMAND(NAME, name, group, class_, bsl, help) }; struct commands_size_##NAME { char command;
#define OBAN_ARG(NAME, field, flags, lo, hi, help) char field;
#include "core/bsl/commands.def"
#undef OBAN_COMMAND
#undef OBAN_ARG
};
/* clang-format on */

static const oban_command_row commands_rows[OBAN_OP_COUNT] = {
#define OBAN_COMMAND(NAME, name, group, class_, bsl, help)                                         \
    {(name),                                                                                       \
     (group),                                                                                      \
     OBAN_##class_,                                                                                \
     (bsl),                                                                                        \
     (help),                                                                                       \
     commands_args + COMMANDS_FIRST_##NAME,                                                        \
     sizeof(struct commands_size_##NAME) - sizeof(struct commands_size_none)},
#define OBAN_ARG(NAME, field, flags, lo, hi, help)
#include "core/bsl/commands.def"
#undef OBAN_COMMAND
#undef OBAN_ARG
};

const oban_command_row *oban_command_row_of(oban_op op)
{
    OBAN_ASSERT((unsigned)op < OBAN_OP_COUNT);
    return &commands_rows[op];
}

/* A walk over some twenty names; a hash would be the slower one. */
bool oban_command_find(oban_text name, oban_op *op)
{
    for (unsigned i = 0; i < OBAN_OP_COUNT; i++) {
        if (oban_text_equal(name, oban_text_of(commands_rows[i].name))) {
            *op = (oban_op)i;
            return true;
        }
    }
    return false;
}

size_t oban_field_offset(oban_field field)
{
    static const struct {
        size_t offset;
        oban_field_type type;
    } fields[OBAN_FIELD_COUNT] = {
#define OBAN_X(name, TYPE, ctype) {offsetof(oban_command, name), OBAN_FIELD_##TYPE},
        OBAN_COMMAND_FIELDS(OBAN_X)
#undef OBAN_X
    };
    OBAN_ASSERT((unsigned)field < OBAN_FIELD_COUNT);
    return fields[field].type == OBAN_FIELD_NONE ? SIZE_MAX : fields[field].offset;
}

bool oban_who_of(oban_text word, oban_who *out)
{
    oban_text digits = word;
    int32_t number = 0;
    *out = (oban_who){.number = -1, .name = word};
    if (word.bytes == 0 || word.bytes > OBAN_CLIP_NAME_MAX) {
        return false;
    }
    if (word.bytes > 5 && memcmp(word.data, "char_", 5) == 0) {
        digits = (oban_text){word.data + 5, word.bytes - 5};
    }
    for (uint32_t i = 0; i < digits.bytes; i++) {
        char c = digits.data[i];
        if (c < '0' || c > '9') {
            return true; /* a name */
        }
        number = number > OBAN_WHO_NUMBER_MAX ? number : 10 * number + (c - '0');
    }
    out->number = number;
    return number <= OBAN_WHO_NUMBER_MAX;
}
