/* SPDX-License-Identifier: MIT */
/* The inside of a program, for the files of this folder: its units and what their names stand for.
 * Next: program.c. */
#ifndef OBAN_BSL_LINKED_H
#define OBAN_BSL_LINKED_H

#include "core/bsl/fill.h"
#include "core/bsl/unit.h"

/* A function of the program: which one of which unit. */
typedef struct program_function {
    oban_unit *unit;
    uint32_t index;
    uint32_t file;
    bool shadowed;
} program_function;

/* What one state of the files comes to; made anew at each load. */
typedef struct program_table {
    oban_unit **files;
    uint32_t *statement_bases; /* of each file, and one behind the last */
    uint32_t file_count;
    uint32_t file_capacity; /* of both */
    program_function *functions;
    uint32_t function_count;
    uint32_t function_capacity;
    oban_names names; /* of functions */
    uint32_t *named;  /* for each name, the function */
    uint32_t named_capacity;
    struct program_nested {
        uint32_t file;
        uint32_t call;
    } * nested;
    uint32_t nested_count;
    uint32_t nested_capacity;
} program_table;

typedef struct program_variable {
    oban_value_type type;
    bool declared;
    const oban_unit *unit; /* declared: where */
    uint32_t global;
    /* what the last load has changed */
    bool was_declared;
    oban_value_type was_type;
    /* the machine's: kept here so that a variable and its room come together */
    oban_value value;
    bool set; /* has been given a value */
} program_variable;

struct oban_program {
    oban_alloc alloc;
    uint32_t script_bytes_max;
    program_table table;
    oban_unit **units; /* all that live: files, files that were replaced and still run, texts */
    uint32_t unit_count;
    uint32_t unit_capacity;
    oban_names variable_names; /* never fewer */
    program_variable *variables;
    uint32_t variable_capacity;
};

/* Compiles a text of statements, for one holder. Returns as oban_program_load. */
oban_status program_text(oban_program *program, oban_text name, oban_text text,
                         oban_findings *findings, oban_unit **out);
void program_hold(oban_unit *unit);
/* One holder fewer; a unit that nobody holds goes. */
void program_release(oban_program *program, oban_unit *unit);
oban_text program_unit_name(const oban_unit *unit);
/* The row and the class of a call, by what is loaded. */
oban_statement_class program_class(const oban_program *program, const oban_unit *unit,
                                   const unit_statement *statement);
/* The words of a call, for fill_command; false when some are known only when it runs. */
bool program_literal_words(const oban_unit *unit, const unit_call *call, fill_words *out);
/* "no command 'x'" and why: a JSON op, a variable, a name mistyped (with `near`). */
void program_unknown(const oban_program *program, const oban_unit *unit, uint32_t name, bool near,
                     oban_line *line);

#endif
