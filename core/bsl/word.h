/* SPDX-License-Identifier: MIT */
/* The words of BSL text: bare words, quoted strings, brackets, ends of statements; and the numbers
 * that bare words may be. Internal to core/bsl.
 * Not here: what a statement means (line.h).
 * Next: word.c, line.c. */
#ifndef OBAN_BSL_WORD_H
#define OBAN_BSL_WORD_H

#include "core/bsl/line.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum word_kind {
    WORD_BARE,   /* text as it stands */
    WORD_QUOTED, /* text without its quotes; on one line, UTF-8, no control characters */
    WORD_MARK,   /* one of ( ) { } , as text */
    WORD_NEWLINE,
    WORD_SEMICOLON,
    WORD_TEXT_END
} word_kind;

typedef struct word {
    word_kind kind;
    oban_text text;
    oban_place place;
} word;

/* The next word; blanks and comments are passed over (a comment ends before its line does).
 * Returns OK or BAD_SCRIPT: a character that may not stand there, a quote without its end. */
oban_status word_next(oban_bsl_reader *reader, word *out, oban_bsl_fault *fault);

/* Whether this is the given mark. */
bool word_is_mark(const word *w, char mark);
/* Whether this is a bare word that can name something: a letter or _, then letters, digits, _. */
bool word_is_name(const word *w);

/* A word as a number: -1, 5, .4, 1.0, f60 (a whole number). Exact in double up to 15 digits and 22
 * decimals, as a JSON reader gives them; digits beyond the nineteenth do not count. Returns false
 * when the text is no number or is at or above 1e30. */
bool word_number(oban_text text, double *out);

/* Adds a piece of the source in single quotes, cut when long. */
void word_tell(oban_text text, oban_line *line);

#endif
