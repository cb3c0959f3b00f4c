/* SPDX-License-Identifier: MIT */
/* BSL statements that name one command each, as a person types them: `env_anim 1 3`, `cm_reset()`.
 * Words follow the rules of facts/bsl.md 1 (weak and strong calls with literal words, f60,
 * comments, `;`). Not here yet: the rest of the language (functions, tasks, sleep); the reader is
 * made to be its lexer. Next: line.c. */
#ifndef OBAN_BSL_LINE_H
#define OBAN_BSL_LINE_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/world/command.h"

#include <stdbool.h>
#include <stdint.h>

/* A place in a text: line from 1, column in bytes from 1. */
typedef struct oban_place {
    uint32_t line;
    uint32_t column;
} oban_place;

/* One statement read. */
typedef struct oban_bsl_statement {
    oban_command command; /* its texts point into the source */
    oban_place place;     /* of its first word */
    uint32_t warning_count;
    struct {
        oban_place place;
        oban_line message; /* "an extra word 'x' is ignored", "a missing number is taken as 0" */
    } warnings[OBAN_RESULT_WARNINGS_MAX];
} oban_bsl_statement;

typedef struct oban_bsl_fault {
    oban_status status; /* BAD_SCRIPT, UNKNOWN_OP or BAD_FIELD */
    const char *field;  /* the argument at fault, or NULL */
    oban_place place;
    oban_line message; /* what was found and what was expected */
} oban_bsl_fault;

typedef struct oban_bsl_reader {
    const char *text;
    uint32_t bytes;
    uint32_t at;
    oban_place place;
} oban_bsl_reader;

void oban_bsl_reader_init(oban_bsl_reader *reader, oban_text text);

/* Reads the next statement. Returns OK with *end false; OK with *end true after the last; else a
 * fault: BAD_SCRIPT for text that is no statement (nothing of the text may be done), UNKNOWN_OP for
 * a name that is no command (with the nearest names), BAD_FIELD for a word of the wrong kind or out
 * of range. After UNKNOWN_OP and BAD_FIELD the reader stands behind the statement and may go on.
 * Source: facts/bsl.md 1, protocol 2. */
oban_status oban_bsl_read(oban_bsl_reader *reader, oban_bsl_statement *statement, bool *end,
                          oban_bsl_fault *fault);

/* The line of a place, and under it a caret, for people: "env_amin 1 3\n^" (tabs kept; long lines
 * cut around the place). */
void oban_bsl_caret(oban_text text, oban_place place, oban_line *source_line,
                    oban_line *caret_line);

#endif
