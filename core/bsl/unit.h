/* SPDX-License-Identifier: MIT */
/* A unit: one file or text, compiled. Its code is for a small stack machine; beside it stand the
 * statements, calls and words of the source, which share its text. Once made it does not change,
 * but for its links: what its names stand for in the program that it belongs to.
 * Internal to core/bsl. Next: parse.h, program.c. */
#ifndef OBAN_BSL_UNIT_H
#define OBAN_BSL_UNIT_H

#include "core/bsl/names.h"
#include "core/bsl/program.h"

#define UNIT_NONE UINT32_MAX
#define UNIT_ARG_BITS 8u /* an instruction is its code, and an argument of 24 bits above it */
#define UNIT_ARG_MAX 0xffffffu

/* X(NAME, values that it takes from the stack, values that it leaves) */
#define UNIT_CODES(X)                                                                              \
    X(STATEMENT, 0, 0) /* of number arg begins */                                                  \
    X(FAULT, 0, 0)     /* a statement that could not be read: its message arg is told */           \
    X(ROUND, 0, 0)     /* of a loop; counts as a statement */                                      \
    X(INT, 0, 1)       /* arg, as a signed number */                                               \
    X(CONSTANT, 0, 1)  /* of number arg */                                                         \
    X(TEXT, 0, 1)      /* the word of number arg */                                                \
    X(LOCAL, 0, 1)                                                                                 \
    X(LOCAL_SET, 1, 0)                                                                             \
    X(NAME, 0, 1) /* the variable of that name; there is none: the name as text */                 \
    X(NAME_SET, 1, 0)                                                                              \
    X(NEGATE, 1, 1)                                                                                \
    X(NOT, 1, 1)                                                                                   \
    X(ADD, 2, 1)                                                                                   \
    X(SUBTRACT, 2, 1)                                                                              \
    X(EQUAL, 2, 1)                                                                                 \
    X(UNEQUAL, 2, 1)                                                                               \
    X(LESS, 2, 1)                                                                                  \
    X(MORE, 2, 1)                                                                                  \
    X(AT_MOST, 2, 1)                                                                               \
    X(AT_LEAST, 2, 1)                                                                              \
    X(BOOL, 1, 1)                                                                                  \
    X(AND, 1, 0) /* false: leaves it and jumps to arg; else takes it */                            \
    X(OR, 1, 0)                                                                                    \
    X(JUMP, 0, 0)                                                                                  \
    X(JUMP_FALSE, 1, 0)                                                                            \
    X(CALL, 0, 0) /* of number arg; takes its arguments, leaves a value when nested */             \
    X(FORK, 0, 0)                                                                                  \
    X(SCHEDULE_AT, 1, 0)    /* takes ticks, then as FORK */                                        \
    X(SCHEDULE_EVERY, 2, 0) /* takes how often and ticks, then as FORK */                          \
    X(SLEEP, 1, 0)                                                                                 \
    X(RETURN, 0, 0)                                                                                \
    X(RETURN_VALUE, 1, 0)

typedef enum unit_code {
#define OBAN_X(NAME, taken, left) UNIT_##NAME,
    UNIT_CODES(OBAN_X)
#undef OBAN_X
        UNIT_CODE_COUNT
} unit_code;

typedef enum unit_word_kind {
    UNIT_WORD_BARE,   /* literal: of a weak call, or a number */
    UNIT_WORD_QUOTED, /* literal */
    UNIT_WORD_NAME,   /* of a strong call or an expression: a variable, else literal */
    UNIT_WORD_LOCAL,  /* a parameter or a variable of the function */
    UNIT_WORD_EXPRESSION
} unit_word_kind;

/* A piece of the source. */
typedef struct unit_word {
    uint32_t offset;
    uint32_t bytes;
    oban_place place;
    unit_word_kind kind;
    uint32_t name; /* NAME: of the unit's names; else UNIT_NONE */
} unit_word;

typedef struct unit_call {
    uint32_t name; /* of the unit's names */
    oban_place place;
    oban_place end; /* where the next word would have stood */
    uint32_t word_first;
    uint32_t word_count;
    uint32_t statement;
    bool strong; /* its arguments are values on the stack, as many as words */
    bool nested; /* within an expression: leaves a value */
} unit_call;

typedef struct unit_statement {
    oban_statement_kind kind;
    oban_place place;
    uint32_t call;       /* CALL, FORK, SCHEDULE; else UNIT_NONE */
    uint32_t name;       /* ASSIGN, VAR: of the unit's names; else UNIT_NONE */
    uint32_t word_first; /* ASSIGN, VAR, SLEEP, RETURN, IF, ITERATE: what stands there */
    uint32_t word_count;
    uint32_t function; /* UNIT_NONE: of a global variable's value */
} unit_statement;

typedef struct unit_local {
    uint32_t name; /* UNIT_NONE: of a loop's own */
    oban_value_type type;
} unit_local;

typedef struct unit_function {
    uint32_t name; /* UNIT_NONE: of a text, or of a global variable's value */
    oban_place place;
    oban_value_type returns;
    uint32_t param_count;
    uint32_t local_first; /* parameters, then variables */
    uint32_t local_count;
    uint32_t stack_most; /* values besides its locals */
    uint32_t code_first;
    uint32_t statement_first;
    uint32_t statement_count;
} unit_function;

typedef struct unit_global {
    uint32_t name;
    oban_value_type type;
    oban_place place;
    uint32_t function; /* which gives it its value; UNIT_NONE: `value` is it */
    bool given;        /* it has a value */
    oban_value value;  /* a STRING: as.s is a word */
} unit_global;

/* What a name of the unit stands for; each may be there or not. */
typedef struct unit_link {
    uint32_t function; /* of the program */
    uint32_t variable; /* of the program */
    const oban_word_row *word;
    oban_op op;
    bool is_op;
    bool assigned; /* the unit assigns to it, and it is no local there */
    bool called;
} unit_link;

#define UNIT_ARRAYS(X)                                                                             \
    X(uint32_t, code)                                                                              \
    X(oban_value, constant)                                                                        \
    X(unit_word, word)                                                                             \
    X(unit_call, call)                                                                             \
    X(unit_statement, statement)                                                                   \
    X(unit_local, local)                                                                           \
    X(unit_function, function)                                                                     \
    X(unit_global, global)                                                                         \
    X(oban_line, fault)

typedef struct oban_unit {
    oban_alloc alloc;
    char *name;
    uint32_t name_bytes;
    char *text;
    uint32_t text_bytes;
    uint32_t lines;
    uint32_t holders; /* the program's list of files counts as one, each call of a task as one */
    uint64_t hash;    /* of its name and text */
    oban_names names;
    unit_link *links;       /* one for each name */
    uint32_t function_base; /* the program's number of the first function; UNIT_NONE: a text */
#define OBAN_X(type, what)                                                                         \
    type *what##s;                                                                                 \
    uint32_t what##_count;                                                                         \
    uint32_t what##_capacity;
    UNIT_ARRAYS(OBAN_X)
#undef OBAN_X
} oban_unit;

/* An empty unit with copies of its name and text. NULL: memory is out. */
oban_unit *unit_create(const oban_alloc *alloc, oban_text name, oban_text text);
void unit_destroy(oban_unit *unit);
/* Room for one more of an array; false when memory is out. */
#define OBAN_X(type, what) bool unit_reserve_##what(oban_unit *unit);
UNIT_ARRAYS(OBAN_X)
#undef OBAN_X

oban_text unit_word_text(const oban_unit *unit, const unit_word *w);
oban_text unit_name_text(const oban_unit *unit, uint32_t name);

#endif
