/* SPDX-License-Identifier: MIT */
/* A program: one or several BSL files in one name space, compiled. Nothing runs here; a machine
 * (machine.h) runs it, a linter looks at it. What it shows: every function, every statement with
 * its place, its words and its class, and every call.
 *
 *   oban_program_create(&def, &program);
 *   oban_program_load(program, files, count, &findings);   all of them, or nothing
 *   for each function, for each statement: oban_program_function, oban_program_statement
 *
 * A file loaded again takes the place of the one of that name; what a machine still runs of the old
 * one stays until it has ended. File names and their order do not matter, but for what is there
 * twice: the first stays.
 * Not here: tasks (machine.h), what words mean (commands.def). Next: docs/bsl.md, machine.h. */
#ifndef OBAN_BSL_PROGRAM_H
#define OBAN_BSL_PROGRAM_H

#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/bsl/line.h"
#include "core/bsl/value.h"
#include "core/bsl/words.h"

#include <stdbool.h>
#include <stdint.h>

/* Limits of one file and of one program, told by LIMIT with these names. Ours. */
#define OBAN_SCRIPT_NAME_MAX 127u        /* name_bytes_max: of functions, variables and commands */
#define OBAN_SCRIPT_STRING_MAX 1023u     /* string_bytes_max: of a word or a quoted text */
#define OBAN_SCRIPT_WORDS_MAX 64u        /* words_max: arguments of one call */
#define OBAN_SCRIPT_PARAMS_MAX 16u       /* params_max: of one function */
#define OBAN_SCRIPT_LOCALS_MAX 128u      /* locals_max: params and variables of one function */
#define OBAN_SCRIPT_DEPTH_MAX 64u        /* depth_max: blocks or brackets within one another */
#define OBAN_SCRIPT_FUNCTIONS_MAX 65536u /* functions_max: of one program */
#define OBAN_SCRIPT_VARIABLES_MAX 65536u /* variables_max: global ones of one program */
#define OBAN_SCRIPT_FILES_MAX 4096u      /* files_max: of one program */
#define OBAN_FINDINGS_MAX 1000u          /* findings kept; more are counted */

/* ---- findings ----------------------------------------------------------------------------------
 */

/* Something to say about a place of a file. A fault keeps the file from being loaded; anything else
 * is what the game would pass over, or choke on, and we do not. */
typedef struct oban_finding {
    bool fault;
    oban_status status; /* BAD_SCRIPT or LIMIT for faults; UNKNOWN_OP, BAD_FIELD, ... else */
    uint32_t file;      /* index among the files given to load; else of the program */
    oban_place place;
    oban_line message; /* without the place: "expected ')', found the end of the line" */
} oban_finding;

/* A list of them, in the order of files and places. Owns its memory. */
typedef struct oban_findings {
    oban_alloc alloc;
    oban_finding *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t faults;  /* all of them, also those beyond OBAN_FINDINGS_MAX */
    uint32_t more;    /* findings that were not kept */
    oban_line unread; /* where those go */
} oban_findings;

void oban_findings_init(oban_findings *findings, oban_alloc alloc);
void oban_findings_clear(oban_findings *findings);
void oban_findings_fini(oban_findings *findings);

/* ---- loading ----------------------------------------------------------------------------------
 */

typedef struct oban_program oban_program;

typedef struct oban_script_file {
    oban_text name; /* as messages show it: "shift.bsl"; at most OBAN_SCRIPT_NAME_MAX bytes */
    oban_text text; /* copied */
    bool tolerant;  /* a statement that cannot be read does not keep the file out: it is of class
                       WARNED and only warns when it is run */
} oban_script_file;

typedef struct oban_program_def {
    oban_alloc alloc;
    uint32_t script_bytes_max; /* of one file; protocol 9 */
} oban_program_def;

/* Returns OK or NO_MEMORY. Owns: give it back with oban_program_destroy. */
oban_status oban_program_create(const oban_program_def *def, oban_program **out);
void oban_program_destroy(oban_program *program);

/* Compiles files and takes them in, all or none. `findings` is cleared first and may be NULL.
 * Returns OK (there may be findings that are no faults: a function twice, a function named like a
 * command, `a -1`, ...); BAD_SCRIPT (all faults of all files are found in one go); LIMIT (the
 * message of the last fault names it and its value); NO_MEMORY. Then nothing has changed.
 * Shape: at most OBAN_SCRIPT_FILES_MAX files. Source: facts/bsl.md 1, behaviour 7. */
oban_status oban_program_load(oban_program *program, const oban_script_file *files, uint32_t count,
                              oban_findings *findings);
/* Takes a file out. Returns OK, NO_SCRIPT (no file of that name) or NO_MEMORY. */
oban_status oban_program_unload(oban_program *program, oban_text name);

/* ---- looking: files and functions
 * --------------------------------------------------------------- */

uint32_t oban_program_file_count(const oban_program *program);
/* The file's name; its text as loaded (for carets); its lines. */
typedef struct oban_file_view {
    oban_text name;
    oban_text text;
    uint32_t lines;
    uint32_t functions;
} oban_file_view;
void oban_program_file(const oban_program *program, uint32_t index, oban_file_view *out);

typedef struct oban_function_view {
    oban_text name;
    uint32_t file;
    oban_place place; /* of its name */
    oban_value_type returns;
    uint32_t param_count;
    oban_value_type param_types[OBAN_SCRIPT_PARAMS_MAX];
    oban_text param_names[OBAN_SCRIPT_PARAMS_MAX];
    bool shadowed;            /* one of that name came before: this one is never called */
    uint32_t statement_first; /* its statements, for oban_program_statement */
    uint32_t statement_count;
} oban_function_view;

/* The functions of all files, in the order of files and places. */
uint32_t oban_program_function_count(const oban_program *program);
void oban_program_function(const oban_program *program, uint32_t index, oban_function_view *out);
/* Finds a function by its exact name. Returns false when there is none. */
bool oban_program_function_find(const oban_program *program, oban_text name, uint32_t *index);
/* Adds "no function 'x'; the nearest are 'y' and 'z'". */
void oban_program_function_missing(const oban_program *program, oban_text name, oban_line *line);

/* Global variables: declared, or assigned without a declaration (of the engine). */
typedef struct oban_variable_view {
    oban_text name;
    oban_value_type type;
    bool declared;
} oban_variable_view;
uint32_t oban_program_variable_count(const oban_program *program);
void oban_program_variable(const oban_program *program, uint32_t index, oban_variable_view *out);

/* ---- looking: statements -----------------------------------------------------------------------
 */

typedef enum oban_statement_kind {
    OBAN_STATEMENT_CALL,     /* name words, name(args) */
    OBAN_STATEMENT_ASSIGN,   /* name = expression */
    OBAN_STATEMENT_VAR,      /* var type name [= expression] */
    OBAN_STATEMENT_SLEEP,    /* words[0]: how long */
    OBAN_STATEMENT_RETURN,   /* words[0]: what, when there is one */
    OBAN_STATEMENT_FORK,     /* name and words of the call */
    OBAN_STATEMENT_SCHEDULE, /* name and words of the call */
    OBAN_STATEMENT_IF,
    OBAN_STATEMENT_ITERATE,
    OBAN_STATEMENT_FAULT /* of a tolerant file: what could not be read */
} oban_statement_kind;

/* Each statement is in exactly one class. */
typedef enum oban_statement_class {
    OBAN_CLASS_PERFORMED, /* the world or the machine does it; sleep and return are of this class */
    OBAN_CLASS_TIMELINE,  /* acknowledged, an event with a place in time */
    OBAN_CLASS_NOOP,      /* acknowledged, an event */
    OBAN_CLASS_SCRIPT_CALL, /* of a script function: calls, fork, schedule */
    OBAN_CLASS_ASSIGNMENT,  /* and `var` with a value */
    OBAN_CLASS_WARNED,      /* cannot be done: unknown command, a name missing, a word of no use */
    OBAN_CLASS_CONTROL,     /* if, iterate, var without a value: counted nowhere */
    OBAN_CLASS_COUNT
} oban_statement_class;

/* What a word of a call is. */
typedef enum oban_argument_kind {
    OBAN_ARGUMENT_WORD,      /* literal text, also of a strong call: a number, a quoted text */
    OBAN_ARGUMENT_NAME,      /* a bare name of a strong call that is no variable: literal text */
    OBAN_ARGUMENT_VARIABLE,  /* the name of a variable: known when it runs */
    OBAN_ARGUMENT_EXPRESSION /* known when it runs; the text is its source */
} oban_argument_kind;

typedef struct oban_argument_view {
    oban_argument_kind kind;
    oban_text text; /* without quotes */
    oban_place place;
} oban_argument_view;

typedef struct oban_statement_view {
    oban_statement_kind kind;
    oban_statement_class class_;
    uint32_t file;
    uint32_t function;         /* index; UINT32_MAX for the value of a global variable */
    oban_place place;          /* of its first word */
    oban_text name;            /* the command, function or variable; "sleep", "if", ... else */
    bool strong;               /* called with brackets */
    const oban_word_row *word; /* CALL of a command: its row; else NULL */
    uint32_t callee;           /* index of the script function called; UINT32_MAX: none */
    uint32_t word_count;       /* all of them */
    oban_argument_view words[OBAN_SCRIPT_WORDS_MAX];
} oban_statement_view;

uint32_t oban_program_statement_count(const oban_program *program);
/* The statements of all functions, in the order of files and places. */
void oban_program_statement(const oban_program *program, uint32_t index, oban_statement_view *out);
/* What there is to say of one statement, whatever else is loaded: unknown command (with the nearest
 * names), words too many or missing, of the wrong kind or out of range, a reversed range. Adds to
 * `findings`. The same words as the warnings of a run. Source: facts/bsl.md 1.7. */
void oban_program_check(const oban_program *program, uint32_t index, oban_findings *findings);

/* Calls within expressions: `if (trigvolume_count(50) eq 0)`. They are no statements and are
 * counted nowhere. `statement` is the one around it. */
typedef struct oban_nested_view {
    uint32_t statement;
    oban_place place;
    oban_text name;
    const oban_word_row *word; /* NULL: no command */
    uint32_t callee;           /* UINT32_MAX: no script function */
} oban_nested_view;
uint32_t oban_program_nested_count(const oban_program *program);
void oban_program_nested(const oban_program *program, uint32_t index, oban_nested_view *out);

/* The numbers of `oban script check --stats`. */
typedef struct oban_program_stats {
    uint32_t files;
    uint32_t lines;
    uint32_t functions;
    uint32_t statements; /* the sum of the classes but CONTROL */
    uint32_t classes[OBAN_CLASS_COUNT];
} oban_program_stats;
void oban_program_count(const oban_program *program, oban_program_stats *out);

#endif
