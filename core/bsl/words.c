/* SPDX-License-Identifier: MIT */
/* The list of words, expanded from commands.def.
 * Not here: arguments of the world's commands (commands.c). Next: commands.def. */
#include "core/bsl/words.h"

#include "core/base/assert.h"

#define WORDS_ANY UINT32_MAX

static const oban_word_row words_rows[] = {
#define OBAN_COMMAND(NAME, name, group, class_, bsl, help)                                         \
    {name, OBAN_##class_, bsl, OBAN_WAIT_NONE, OBAN_WAIT_NONE, name, OBAN_LENGTH_NONE, 0, "", help},
#define OBAN_ARG(NAME, field, flags, lo, hi, help)
#define OBAN_WORD(name, class_, wait, occupies, stem, length, word, usage, help)
#include "core/bsl/commands.def"
#undef OBAN_COMMAND
#define OBAN_COMMAND(NAME, name, group, class_, bsl, help)
#define OBAN_WORD(name, class_, wait, occupies, stem, length, word, usage, help)                   \
    {name,                                                                                         \
     OBAN_##class_,                                                                                \
     true,                                                                                         \
     OBAN_WAIT_##wait,                                                                             \
     OBAN_WAIT_##occupies,                                                                         \
     stem,                                                                                         \
     OBAN_LENGTH_##length,                                                                         \
     (word),                                                                                       \
     usage,                                                                                        \
     help},
#include "core/bsl/commands.def"
#undef OBAN_COMMAND
#undef OBAN_ARG
};

#define WORDS_COUNT (sizeof words_rows / sizeof words_rows[0])

const char *oban_wait_word(oban_wait wait)
{
    static const char *const words[OBAN_WAIT_COUNT] = {
        [OBAN_WAIT_NONE] = "nothing",
        [OBAN_WAIT_SLEEP] = "sleep",
        [OBAN_WAIT_CAMERA] = "camera",
        [OBAN_WAIT_OBJECTS] = "objects",
        [OBAN_WAIT_CHARACTER] = "character",
        [OBAN_WAIT_ANIMATION] = "animation",
        [OBAN_WAIT_FILM] = "film",
        [OBAN_WAIT_DIALOG] = "dialog",
        [OBAN_WAIT_CONSOLE] = "text_console",
        [OBAN_WAIT_GAME] = "game",
        [OBAN_WAIT_SCHEDULE] = "schedule",
        [OBAN_WAIT_TIMER] = "timer",
    };
    OBAN_ASSERT((unsigned)wait < OBAN_WAIT_COUNT);
    return words[wait];
}

uint32_t oban_word_count(void)
{
    return (uint32_t)WORDS_COUNT;
}

const oban_word_row *oban_word_at(uint32_t index)
{
    OBAN_ASSERT(index < WORDS_COUNT);
    return &words_rows[index];
}

bool oban_word_op(const oban_word_row *row, oban_op *op)
{
    return row->class_ == OBAN_PERFORMED && oban_command_find(oban_text_of(row->stem), op);
}

/* Whether the name of a family, which ends in '*', covers this one. */
static bool words_covers(oban_text family, oban_text name)
{
    uint32_t stem = family.bytes - 1;
    return family.data[stem] == '*' && name.bytes >= stem &&
           oban_text_equal((oban_text){family.data, stem}, (oban_text){name.data, stem});
}

const oban_word_row *oban_word_find(oban_text name)
{
    const oban_word_row *found = NULL;
    for (size_t i = 0; i < WORDS_COUNT; i++) {
        oban_text row = oban_text_of(words_rows[i].name);
        if (oban_text_equal(row, name)) {
            found = &words_rows[i];
            break;
        }
        if (found == NULL && words_covers(row, name)) {
            found = &words_rows[i];
        }
    }
    oban_op op;
    bool orders = found != NULL && found->class_ == OBAN_PERFORMED && found->stem[0] != '\0';
    return orders && !oban_word_op(found, &op) ? NULL : found;
}

/* Of a command of the world: its rows that are words. */
static void words_bounds_of_op(const oban_command_row *row, uint32_t *least, uint32_t *most)
{
    for (uint32_t i = 0; i < row->arg_count; i++) {
        uint32_t flags = row->args[i].flags;
        if ((flags & (OBAN_ARG_JSON_ONLY | OBAN_ARG_JSON_REQUIRED)) == 0) {
            *most += 1;
            *least += (flags & OBAN_ARG_REQUIRED) != 0 ? 1u : 0u;
        }
    }
}

static void words_bounds_of_usage(const char *usage, uint32_t *least, uint32_t *most)
{
    while (*usage != '\0') {
        bool optional = *usage == '[';
        bool alone = *usage == '.'; /* "..." that follows no word */
        bool any = false;
        for (; *usage != ' ' && *usage != '\0'; usage++) {
            any = any || *usage == '.';
        }
        usage += *usage == ' ' ? 1 : 0;
        *least += optional || alone ? 0u : 1u;
        *most = any || *most == WORDS_ANY ? WORDS_ANY : *most + 1u;
    }
}

void oban_word_bounds(const oban_word_row *row, uint32_t *least, uint32_t *most)
{
    oban_op op;
    *least = 0;
    *most = 0;
    if (oban_word_op(row, &op)) {
        words_bounds_of_op(oban_command_row_of(op), least, most);
    } else {
        words_bounds_of_usage(row->usage, least, most);
    }
}
