/* SPDX-License-Identifier: MIT */
/* Judging a statement without running it: its class, and what a run would warn of, whatever else is
 * loaded. Not here: animations and objects that are missing (they are the world's). Next: linked.h.
 */
#include "core/base/assert.h"
#include "core/bsl/linked.h"
#include "core/bsl/nearest.h"
#include "core/bsl/parse.h"

#include <string.h>

bool program_literal_words(const oban_unit *unit, const unit_call *call, fill_words *out)
{
    out->count = call->word_count;
    out->end = call->end;
    for (uint32_t i = 0; i < call->word_count; i++) {
        const unit_word *w = &unit->words[call->word_first + i];
        bool literal = w->kind == UNIT_WORD_BARE || w->kind == UNIT_WORD_QUOTED ||
                       (w->kind == UNIT_WORD_NAME && unit->links[w->name].variable == OBAN_NO_NAME);
        if (!literal) {
            return false;
        }
        if (i < FILL_WORDS_MAX) {
            word_kind kind = w->kind == UNIT_WORD_QUOTED ? WORD_QUOTED : WORD_BARE;
            out->list[i] = (word){kind, unit_word_text(unit, w), w->place};
        }
    }
    return true;
}

/* What the world would be asked for. OK; BAD_FIELD with the fault. */
static oban_status check_fill(const oban_unit *unit, const unit_call *call,
                              oban_bsl_statement *statement, oban_bsl_fault *fault)
{
    fill_words words;
    memset(statement, 0, sizeof *statement);
    statement->command.op = unit->links[call->name].op;
    return program_literal_words(unit, call, &words) ? fill_command(statement, &words, fault)
                                                     : OBAN_OK;
}

static oban_statement_class check_class_of_call(const oban_unit *unit, const unit_call *call)
{
    const unit_link *link = &unit->links[call->name];
    oban_bsl_statement statement;
    oban_bsl_fault fault;
    if (link->function != UNIT_NONE) {
        return OBAN_CLASS_SCRIPT_CALL;
    }
    if (link->word == NULL || !link->word->bsl) {
        return OBAN_CLASS_WARNED;
    }
    if (link->word->class_ != OBAN_PERFORMED) {
        return link->word->class_ == OBAN_TIMELINE ? OBAN_CLASS_TIMELINE : OBAN_CLASS_NOOP;
    }
    if (link->is_op && check_fill(unit, call, &statement, &fault) != OBAN_OK) {
        return OBAN_CLASS_WARNED;
    }
    return OBAN_CLASS_PERFORMED;
}

/* `iterate over` something of the game: there is nothing to go through. */
static bool check_iterates_engine(const oban_unit *unit, const unit_statement *statement)
{
    const unit_word *w = &unit->words[statement->word_first];
    return statement->word_count > 0 &&
           ((w->kind == UNIT_WORD_NAME && unit->links[w->name].variable == OBAN_NO_NAME) ||
            w->kind == UNIT_WORD_QUOTED);
}

oban_statement_class program_class(const oban_program *program, const oban_unit *unit,
                                   const unit_statement *statement)
{
    (void)program;
    switch (statement->kind) {
    case OBAN_STATEMENT_CALL:
        return check_class_of_call(unit, &unit->calls[statement->call]);
    case OBAN_STATEMENT_ASSIGN:
        return OBAN_CLASS_ASSIGNMENT;
    case OBAN_STATEMENT_VAR:
        return statement->word_count > 0 ? OBAN_CLASS_ASSIGNMENT : OBAN_CLASS_CONTROL;
    case OBAN_STATEMENT_SLEEP:
    case OBAN_STATEMENT_RETURN:
        return OBAN_CLASS_PERFORMED;
    case OBAN_STATEMENT_FORK:
    case OBAN_STATEMENT_SCHEDULE: {
        const unit_call *call = &unit->calls[statement->call];
        return unit->links[call->name].function != UNIT_NONE ? OBAN_CLASS_SCRIPT_CALL
                                                             : OBAN_CLASS_WARNED;
    }
    case OBAN_STATEMENT_IF:
        return OBAN_CLASS_CONTROL;
    case OBAN_STATEMENT_ITERATE:
        return check_iterates_engine(unit, statement) ? OBAN_CLASS_WARNED : OBAN_CLASS_CONTROL;
    case OBAN_STATEMENT_FAULT:
        break;
    }
    return OBAN_CLASS_WARNED;
}

/* ---- messages -----------------------------------------------------------------------------------
 */

void program_unknown(const oban_program *program, const oban_unit *unit, uint32_t name, bool near,
                     oban_line *line)
{
    const unit_link *link = &unit->links[name];
    oban_text text = unit_name_text(unit, name);
    if (link->word != NULL) { /* not of BSL, else it would be known */
        word_tell(text, line);
        oban_line_add(line, " is a JSON op only: {\"op\":\"");
        oban_line_add_text(line, text);
        oban_line_add(line, "\",...}");
        return;
    }
    oban_line_add(line, "no command ");
    word_tell(text, line);
    if (link->variable != OBAN_NO_NAME) {
        oban_line_add(line, "; there is a variable of that name");
    } else if (near) {
        oban_nearest nearest;
        oban_nearest_start(&nearest, text);
        oban_nearest_add_commands(&nearest);
        for (uint32_t i = 0; i < program->table.names.count && i < 1024; i++) {
            oban_nearest_add(&nearest, oban_names_text(&program->table.names, i));
        }
        oban_nearest_tell(&nearest, line);
    }
}

typedef struct check {
    const oban_program *program;
    const oban_unit *unit;
    uint32_t file;
    oban_findings *findings;
} check;

static oban_line *check_say(check *c, oban_status status, oban_place place, const char *message)
{
    return findings_add(c->findings, false, status, c->file, place, message);
}

/* Words of what the world does not do: only how many there are. */
static void check_count_words(check *c, const unit_call *call, const oban_word_row *row)
{
    uint32_t least;
    uint32_t most;
    oban_word_bounds(row, &least, &most);
    if (call->word_count < least) {
        oban_line *line = check_say(c, OBAN_BAD_FIELD, call->end, "words are missing; usage: ");
        oban_line_add(line, row->name);
        oban_line_add(line, " ");
        oban_line_add(line, row->usage);
    } else if (call->word_count > most) {
        const unit_word *w = &c->unit->words[call->word_first + most];
        uint32_t extra = call->word_count - most;
        oban_line *line =
            check_say(c, OBAN_BAD_FIELD, w->place, extra == 1 ? "an extra word " : "");
        if (extra > 1) {
            oban_line_add_u64(line, extra);
            oban_line_add(line, " extra words from ");
        }
        word_tell(unit_word_text(c->unit, w), line);
        oban_line_add(line, extra == 1 ? " is ignored" : " on are ignored");
    }
}

static void check_op(check *c, const unit_call *call)
{
    oban_bsl_statement statement;
    oban_bsl_fault fault;
    if (check_fill(c->unit, call, &statement, &fault) != OBAN_OK) {
        oban_line_add(check_say(c, fault.status, fault.place, ""), fault.message.data);
    }
    for (uint32_t i = 0; i < statement.warning_count; i++) {
        oban_line_add(check_say(c, OBAN_BAD_FIELD, statement.warnings[i].place, ""),
                      statement.warnings[i].message.data);
    }
    const oban_command *command = &statement.command;
    if (OBAN_HAS(command, to) && command->to < command->object) {
        oban_line *line = check_say(c, OBAN_BAD_FIELD, call->place, "the range from ");
        oban_line_add_i64(line, command->object);
        oban_line_add(line, " to ");
        oban_line_add_i64(line, command->to);
        oban_line_add(line, " is reversed and thus empty");
    }
}

static void check_function_words(check *c, const unit_call *call, uint32_t callee)
{
    const program_function *function = &c->program->table.functions[callee];
    const unit_function *code = &function->unit->functions[function->index];
    if (call->word_count > code->param_count) {
        const unit_word *w = &c->unit->words[call->word_first + code->param_count];
        oban_line *line = check_say(c, OBAN_BAD_FIELD, w->place, "an extra word ");
        word_tell(unit_word_text(c->unit, w), line);
        oban_line_add(line, " is ignored; the function takes ");
        oban_line_add_u64(line, code->param_count);
    }
}

static void check_call(check *c, const unit_call *call, bool needs_function)
{
    const unit_link *link = &c->unit->links[call->name];
    if (link->function != UNIT_NONE) {
        check_function_words(c, call, link->function);
    } else if (needs_function) {
        oban_line *line = check_say(c, OBAN_NO_SCRIPT, call->place, "");
        oban_program_function_missing(c->program, unit_name_text(c->unit, call->name), line);
    } else if (link->word == NULL || !link->word->bsl) {
        program_unknown(c->program, c->unit, call->name, true,
                        check_say(c, OBAN_UNKNOWN_OP, call->place, ""));
    } else if (link->is_op) {
        check_op(c, call);
    } else {
        check_count_words(c, call, link->word);
    }
}

/* Calls within the statement's expressions: calls stand in the order of their statements. */
static void check_nested(check *c, uint32_t statement)
{
    const oban_unit *unit = c->unit;
    uint32_t low = 0;
    uint32_t high = unit->call_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (unit->calls[middle].statement < statement) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < unit->call_count && unit->calls[low].statement == statement; low++) {
        if (unit->calls[low].nested) {
            check_call(c, &unit->calls[low], false);
        }
    }
}

void oban_program_check(const oban_program *program, uint32_t index, oban_findings *findings)
{
    OBAN_ASSERT(index < oban_program_statement_count(program));
    oban_statement_view view;
    oban_program_statement(program, index, &view);
    const oban_unit *unit = program->table.files[view.file];
    uint32_t at = index - program->table.statement_bases[view.file];
    const unit_statement *statement = &unit->statements[at];
    check c = {program, unit, view.file, findings};
    check_nested(&c, at);
    if (statement->call != UNIT_NONE) {
        check_call(&c, &unit->calls[statement->call], statement->kind != OBAN_STATEMENT_CALL);
    } else if (statement->kind == OBAN_STATEMENT_ITERATE && view.class_ == OBAN_CLASS_WARNED) {
        (void)check_say(&c, OBAN_NOT_SUPPORTED, statement->place,
                        "lists of the game are not there; a number of rounds is");
    }
}
