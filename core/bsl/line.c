/* SPDX-License-Identifier: MIT */
/* The reader of BSL statements: words of one statement gathered, then given to fill.c, which makes
 * a typed command of them.
 * Not here: characters and numbers (word.c), people's view of a place (caret.c), functions, tasks
 * and sleep (not in this version).
 * Next: word.h, fill.h. */
#include "core/bsl/line.h"

#include "core/bsl/fill.h"
#include "core/bsl/nearest.h"
#include "core/bsl/word.h"

#include <string.h>

static oban_status line_unexpected(oban_bsl_fault *fault, const word *w, const char *expected)
{
    if (word_is_mark(w, '{') || word_is_mark(w, '}')) {
        return fill_fault(fault, OBAN_BAD_SCRIPT, w->place,
                          "not in this version: blocks in '{' and '}'");
    }
    (void)fill_fault(fault, OBAN_BAD_SCRIPT, w->place, expected);
    fill_found(w, &fault->message);
    return OBAN_BAD_SCRIPT;
}

static bool line_ends(const word *w)
{
    return w->kind == WORD_NEWLINE || w->kind == WORD_SEMICOLON || w->kind == WORD_TEXT_END;
}

static void line_keep(fill_words *words, const word *w)
{
    if (words->count < FILL_WORDS_MAX) {
        words->list[words->count] = *w;
    }
    words->count++;
}

static bool line_has_any(oban_text text, uint32_t from, const char *characters)
{
    for (uint32_t i = from; i < text.bytes; i++) {
        for (const char *c = characters; *c != '\0'; c++) {
            if (text.data[i] == *c) {
                return true;
            }
        }
    }
    return false;
}

/* name a b: literal words to the end of the line; `w` is the first of them. */
static oban_status line_weak(oban_bsl_reader *reader, word *w, fill_words *words,
                             oban_bsl_fault *fault)
{
    oban_status status = OBAN_OK;
    if (w->kind == WORD_BARE && w->text.data[0] == '=') {
        return fill_fault(fault, OBAN_BAD_SCRIPT, w->place, "not in this version: assignments");
    }
    while (status == OBAN_OK && !line_ends(w)) {
        if (word_is_mark(w, ',')) {
            return line_unexpected(fault, w, "expected a blank between words");
        }
        if (w->kind == WORD_MARK) {
            return line_unexpected(fault, w, "expected a word or the end of the statement");
        }
        line_keep(words, w);
        status = word_next(reader, w, fault);
    }
    words->end = w->place;
    return status;
}

/* The next word within brackets, where ends of lines do not count. */
static oban_status line_next_inside(oban_bsl_reader *reader, word *w, oban_bsl_fault *fault)
{
    oban_status status;
    do {
        status = word_next(reader, w, fault);
    } while (status == OBAN_OK && w->kind == WORD_NEWLINE);
    return status;
}

/* One value within brackets, and the mark behind it, which `w` is then. */
static oban_status line_value(oban_bsl_reader *reader, word *w, fill_words *words,
                              oban_bsl_fault *fault)
{
    if (w->kind != WORD_BARE && w->kind != WORD_QUOTED) {
        return line_unexpected(fault, w, "expected a value");
    }
    if (w->kind == WORD_BARE &&
        (line_has_any(w->text, 0, "+=<>!") || line_has_any(w->text, 1, "-"))) {
        return fill_fault(fault, OBAN_BAD_SCRIPT, w->place,
                          "not in this version: expressions; a name like this goes into quotes");
    }
    line_keep(words, w);
    oban_status status = line_next_inside(reader, w, fault);
    if (status == OBAN_OK && !word_is_mark(w, ',') && !word_is_mark(w, ')')) {
        (void)line_unexpected(fault, w, "expected ',' or ')'");
        if (w->kind == WORD_BARE || word_is_mark(w, '(')) {
            oban_line_add(&fault->message, "; expressions are not in this version");
        }
        return OBAN_BAD_SCRIPT;
    }
    return status;
}

/* name(a, b): the reader stands behind the bracket. */
static oban_status line_strong(oban_bsl_reader *reader, word *w, fill_words *words,
                               oban_bsl_fault *fault)
{
    oban_status status = line_next_inside(reader, w, fault);
    if (status == OBAN_OK && !word_is_mark(w, ')')) {
        status = line_value(reader, w, words, fault);
        while (status == OBAN_OK && word_is_mark(w, ',')) {
            status = line_next_inside(reader, w, fault);
            if (status == OBAN_OK) {
                status = line_value(reader, w, words, fault);
            }
        }
    }
    if (status != OBAN_OK) {
        return status;
    }
    words->end = w->place;
    status = word_next(reader, w, fault);
    if (status == OBAN_OK && !line_ends(w)) {
        return line_unexpected(fault, w, "expected the end of the statement after ')'");
    }
    return status;
}

/* ---- statements -------------------------------------------------------------------------------
 */

/* Words of the language that begin no command; facts/bsl.md 1.1. */
static bool line_is_later(oban_text name)
{
    static const char *const later[] = {
        "at",       "bool",  "else",   "every",   "float", "for",    "fork",
        "func",     "if",    "int",    "iterate", "over",  "repeat", "return",
        "schedule", "sleep", "string", "using",   "var",   "void",
    };
    for (uint32_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (oban_text_equal(name, oban_text_of(later[i]))) {
            return true;
        }
    }
    return false;
}

/* The first word must be a name, and none of the language's own. */
static oban_status line_check_name(const word *w, oban_bsl_fault *fault)
{
    if (w->kind == WORD_BARE && line_has_any(w->text, 1, "=")) {
        return fill_fault(fault, OBAN_BAD_SCRIPT, w->place, "not in this version: assignments");
    }
    if (!word_is_name(w)) {
        return line_unexpected(fault, w, "expected the name of a command");
    }
    if (line_is_later(w->text)) {
        (void)fill_fault(fault, OBAN_BAD_SCRIPT, w->place, "not in this version: ");
        word_tell(w->text, &fault->message);
        return OBAN_BAD_SCRIPT;
    }
    return OBAN_OK;
}

/* obj_kill_block: its command exists, waiting does not yet. */
static bool line_is_waiting(oban_text name)
{
    oban_op op;
    oban_text suffix = oban_text_of("_block");
    if (name.bytes <= suffix.bytes) {
        return false;
    }
    oban_text stem = {name.data, name.bytes - suffix.bytes};
    oban_text tail = {name.data + stem.bytes, suffix.bytes};
    return oban_text_equal(tail, suffix) && oban_command_find(stem, &op);
}

static oban_status line_find(const word *name, oban_op *op, oban_bsl_fault *fault)
{
    bool found = oban_command_find(name->text, op);
    if (found && oban_command_row_of(*op)->bsl) {
        return OBAN_OK;
    }
    (void)fill_fault(fault, OBAN_UNKNOWN_OP, name->place, found ? "" : "no command ");
    word_tell(name->text, &fault->message);
    if (found) {
        oban_line_add(&fault->message, " is a JSON op only: {\"op\":\"");
        oban_line_add_text(&fault->message, name->text);
        oban_line_add(&fault->message, "\",...}");
    } else if (line_is_waiting(name->text)) {
        oban_line_add(&fault->message, "; commands that wait are not in this version");
    } else {
        oban_nearest_command(name->text, &fault->message);
    }
    return OBAN_UNKNOWN_OP;
}

/* The words behind the name, in either style of call, up to the end of the statement. */
static oban_status line_arguments(oban_bsl_reader *reader, fill_words *words, oban_bsl_fault *fault)
{
    word w;
    words->count = 0;
    oban_status status = word_next(reader, &w, fault);
    if (status != OBAN_OK) {
        return status;
    }
    return word_is_mark(&w, '(') ? line_strong(reader, &w, words, fault)
                                 : line_weak(reader, &w, words, fault);
}

oban_status oban_bsl_read(oban_bsl_reader *reader, oban_bsl_statement *statement, bool *end,
                          oban_bsl_fault *fault)
{
    word name;
    fill_words words;
    oban_status status;
    do {
        status = word_next(reader, &name, fault);
    } while (status == OBAN_OK && (name.kind == WORD_NEWLINE || name.kind == WORD_SEMICOLON));
    *end = status == OBAN_OK && name.kind == WORD_TEXT_END;
    if (status != OBAN_OK || *end) {
        return status;
    }
    status = line_check_name(&name, fault);
    if (status == OBAN_OK) {
        status = line_arguments(reader, &words, fault);
    }
    /* Only now the name: a fault of the text itself counts first, since it refuses all of it. */
    memset(statement, 0, sizeof *statement);
    statement->place = name.place;
    if (status == OBAN_OK) {
        status = line_find(&name, &statement->command.op, fault);
    }
    return status == OBAN_OK ? fill_command(statement, &words, fault) : status;
}
