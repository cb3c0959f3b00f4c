/* SPDX-License-Identifier: MIT */
/* The parser: source to the code of a unit, in one pass, going on after each fault. Its state is
 * here; emit.c writes code and findings, expression.c reads values and calls, parse.c statements,
 * parse_file.c functions and files. Internal to core/bsl. Next: parse.c. */
#ifndef OBAN_BSL_PARSE_H
#define OBAN_BSL_PARSE_H

#include "core/bsl/token.h"
#include "core/bsl/unit.h"

typedef struct parse {
    oban_unit *unit;
    oban_findings *findings;
    uint32_t file;
    bool is_text;
    bool tolerant;
    oban_bsl_reader reader; /* stands behind `t` */
    token t;
    uint32_t end;     /* the offset behind the token before `t` */
    uint32_t depth;   /* of blocks and brackets */
    uint32_t rounded; /* open brackets: within them ends of lines do not count */
    bool unclosed;    /* the text has ended within a block, and that is told */
    oban_status stop; /* NO_MEMORY or LIMIT: nothing more is read */
    bool failed;      /* the statement at hand; only its first fault is told */
    /* the function at hand */
    unit_function function;
    uint32_t statement; /* at hand */
    uint32_t stack;     /* values on it now */
} parse;

/* Reads a unit's text. Returns OK, BAD_SCRIPT (there are faults; all are in the findings), LIMIT or
 * NO_MEMORY. A tolerant one returns OK with faults, whose statements then only warn. */
oban_status parse_unit(oban_unit *unit, uint32_t file, bool is_text, bool tolerant,
                       oban_findings *findings);

/* ---- emit.c ---- */

/* The next token; within brackets, ends of lines are passed over. One that is none is a fault. */
void parse_advance(parse *p);
/* A fault at a place: the line to say it in (the caller's only for the first of a statement). */
oban_line *parse_fault(parse *p, oban_place place, const char *message);
/* "expected ')', found 'x'", at the token at hand. */
void parse_expected(parse *p, const char *what);
/* Takes a mark, or says that it is missing. */
bool parse_take_mark(parse *p, const char *mark);
/* A finding that is no fault. */
oban_line *parse_remark(parse *p, oban_status status, oban_place place, const char *message);
/* "depth_max is 64: ..."; ends the reading. */
void parse_limit(parse *p, const char *name, uint32_t limit, const char *what);
void parse_no_memory(parse *p);
/* One instruction. `left` less `taken` is what it does to the stack. Returns where it stands. */
uint32_t parse_emit(parse *p, unit_code code, uint32_t arg);
uint32_t parse_emit_call(parse *p, unit_code code, uint32_t call);
/* Lets the jump at `at` go to here. */
void parse_land(parse *p, uint32_t at);
uint32_t parse_here(const parse *p);
void parse_constant(parse *p, oban_value value);
void parse_int(parse *p, int32_t value);
/* The number of a name in the unit. */
uint32_t parse_name(parse *p, oban_text text, oban_place place);
/* Adds words of the source; returns the number of the first. */
uint32_t parse_add_words(parse *p, const unit_word *words, uint32_t count);
/* A local of the function at hand, or UNIT_NONE. */
uint32_t parse_local(const parse *p, oban_text name);
uint32_t parse_add_local(parse *p, uint32_t name, oban_value_type type);
bool parse_enter(parse *p); /* one deeper; false: depth_max */
void parse_leave(parse *p);
uint32_t parse_offset(const parse *p, oban_text text);

/* ---- parse.c ---- */

/* What a statement has made of the unit, to undo it. */
typedef struct parse_mark {
    uint32_t code;
    uint32_t calls;
    uint32_t words;
    uint32_t depth;
} parse_mark;

/* To the end of the line, or to a bracket of a block on it. */
void parse_skip(parse *p);
parse_mark parse_mark_of(const parse *p);
/* A statement that failed: what it made goes, and a warning comes in its place. */
void parse_give_up(parse *p, parse_mark mark);
/* A statement begins: it is the one at hand. */
void parse_begin(parse *p, oban_statement_kind kind);
unit_statement *parse_at_hand(parse *p);
/* What stands in a statement that is no call, for those who look. */
void parse_keep_source(parse *p, const unit_word *source);
void parse_take_end(parse *p);
/* Ends of lines, but no ';'. */
void parse_skip_lines(parse *p);
/* Whether the token at hand can name something. */
bool parse_is_name(const parse *p);
bool parse_take_type(parse *p, oban_value_type *type);
/* var type name: returns the name's number. */
uint32_t parse_var_head(parse *p, oban_value_type *type, token *name);
void parse_statements(parse *p);
/* Its '{' is at hand. */
void parse_block(parse *p);

/* ---- expression.c ---- */

/* An expression, as code; *source says what it is. */
void parse_expression(parse *p, unit_word *source);
/* What stands behind a call's name (the token at hand): in brackets, or words to the end of the
 * line. Arguments in brackets become code. Returns the number of the call. */
uint32_t parse_call(parse *p, const token *name, bool nested);

/* ---- findings.c ---- */

/* A finding, its message begun; never NULL (a line that nobody reads when there are too many). */
oban_line *findings_add(oban_findings *findings, bool fault, oban_status status, uint32_t file,
                        oban_place place, const char *message);

#endif
