/* SPDX-License-Identifier: MIT */
/* A command filled from the words of its statement, by the command table. Internal to core/bsl.
 * Not here: which words belong to a statement (line.c).
 * Next: fill.c. */
#ifndef OBAN_BSL_FILL_H
#define OBAN_BSL_FILL_H

#include "core/bsl/line.h"
#include "core/bsl/word.h"

#include <stdint.h>

#define FILL_WORDS_MAX 8u /* more than any command takes; further ones are counted only */

/* The words behind a command's name. */
typedef struct fill_words {
    word list[FILL_WORDS_MAX];
    uint32_t count;
    oban_place end; /* where the next word would have stood */
} fill_words;

/* Fills statement->command (its op is set, all else is 0) and the warnings.
 * Returns OK or BAD_FIELD. */
oban_status fill_command(oban_bsl_statement *statement, const fill_words *words,
                         oban_bsl_fault *fault);

/* Begins a fault; the caller adds the rest of the message. Returns `status`. */
oban_status fill_fault(oban_bsl_fault *fault, oban_status status, oban_place place,
                       const char *message);
/* Adds ", found 'x'" or ", found the end of the line". */
void fill_found(const word *w, oban_line *line);

#endif
