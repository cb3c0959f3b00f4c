/* SPDX-License-Identifier: MIT */
/* The tokens of BSL where it is a language: names, numbers, texts, marks and operators. Where it is
 * words to the end of a line (weak calls), word.h reads on from the same place.
 * Not here: what they mean together (parse.c). Next: token.c. */
#ifndef OBAN_BSL_TOKEN_H
#define OBAN_BSL_TOKEN_H

#include "core/bsl/word.h"

typedef enum token_kind {
    TOKEN_NAME,  /* also the words of the language, and what begins with a digit but is no number */
    TOKEN_INT,   /* `number`; f60 too */
    TOKEN_FLOAT, /* has a point */
    TOKEN_STRING, /* text without its quotes */
    TOKEN_MARK,   /* one of ( ) { } , + - = ! < > or == != <= >= */
    TOKEN_END     /* of a statement: a newline, a ';' or the end of the text (`last`) */
} token_kind;

typedef struct token {
    token_kind kind;
    bool last;      /* END: of the text */
    bool semicolon; /* END: a ';' */
    bool spaced;    /* a blank or more stands before it */
    oban_text text; /* as it stands, but for STRING's quotes */
    oban_place place;
    double number;
} token;

/* The next token. Returns OK or BAD_SCRIPT, as word_next; the reader then stands at the character
 * that may not be there, or at the open quote. */
oban_status token_next(oban_bsl_reader *reader, token *out, oban_bsl_fault *fault);
/* Whether it is this mark ("(", "<="). */
bool token_is_mark(const token *t, const char *mark);
/* Whether it is this word of the language. */
bool token_is_word(const token *t, const char *name);
/* Adds ", found 'x'". */
void token_found(const token *t, oban_line *line);

/* Whether it can name a function or a variable; f60 can too, where no number may stand. */
bool token_can_name(const token *t);
/* Whether the name is one of the language's own. */
bool token_is_reserved(oban_text name);

#endif
