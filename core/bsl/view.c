/* SPDX-License-Identifier: MIT */
/* Looking at a program: its files, functions, variables, statements and nested calls, counted
 * through. Not here: judging a statement (check.c). Next: check.c. */
#include "core/base/assert.h"
#include "core/bsl/linked.h"
#include "core/bsl/nearest.h"

#include <string.h>

#define VIEW_NEAREST_MAX 4096u /* functions that are looked at for a name mistyped */

uint32_t oban_program_file_count(const oban_program *program)
{
    return program->table.file_count;
}

void oban_program_file(const oban_program *program, uint32_t index, oban_file_view *out)
{
    OBAN_ASSERT(index < program->table.file_count);
    const oban_unit *unit = program->table.files[index];
    *out = (oban_file_view){.name = program_unit_name(unit),
                            .text = {unit->text, unit->text_bytes},
                            .lines = unit->lines};
    for (uint32_t i = 0; i < unit->function_count; i++) {
        out->functions += unit->functions[i].name != UNIT_NONE ? 1 : 0;
    }
}

/* ---- functions ----------------------------------------------------------------------------------
 */

uint32_t oban_program_function_count(const oban_program *program)
{
    return program->table.function_count;
}

void oban_program_function(const oban_program *program, uint32_t index, oban_function_view *out)
{
    OBAN_ASSERT(index < program->table.function_count);
    const program_function *function = &program->table.functions[index];
    const oban_unit *unit = function->unit;
    const unit_function *code = &unit->functions[function->index];
    *out = (oban_function_view){.name = unit_name_text(unit, code->name),
                                .file = function->file,
                                .place = code->place,
                                .returns = code->returns,
                                .param_count = code->param_count,
                                .shadowed = function->shadowed,
                                .statement_first = program->table.statement_bases[function->file] +
                                                   code->statement_first,
                                .statement_count = code->statement_count};
    for (uint32_t i = 0; i < code->param_count; i++) {
        const unit_local *param = &unit->locals[code->local_first + i];
        out->param_types[i] = param->type;
        out->param_names[i] = unit_name_text(unit, param->name);
    }
}

bool oban_program_function_find(const oban_program *program, oban_text name, uint32_t *index)
{
    uint32_t id = oban_names_find(&program->table.names, name);
    if (id == OBAN_NO_NAME) {
        return false;
    }
    *index = program->table.named[id];
    return true;
}

void oban_program_function_missing(const oban_program *program, oban_text name, oban_line *line)
{
    oban_nearest nearest;
    oban_line_add(line, "no function ");
    word_tell(name, line);
    oban_nearest_start(&nearest, name);
    for (uint32_t i = 0; i < program->table.names.count && i < VIEW_NEAREST_MAX; i++) {
        oban_nearest_add(&nearest, oban_names_text(&program->table.names, i));
    }
    oban_nearest_tell(&nearest, line);
}

/* ---- variables ----------------------------------------------------------------------------------
 */

uint32_t oban_program_variable_count(const oban_program *program)
{
    return program->variable_names.count;
}

void oban_program_variable(const oban_program *program, uint32_t index, oban_variable_view *out)
{
    OBAN_ASSERT(index < program->variable_names.count);
    const program_variable *variable = &program->variables[index];
    *out = (oban_variable_view){.name = oban_names_text(&program->variable_names, index),
                                .type = variable->type,
                                .declared = variable->declared};
}

/* ---- statements ---------------------------------------------------------------------------------
 */

uint32_t oban_program_statement_count(const oban_program *program)
{
    const program_table *table = &program->table;
    return table->file_count > 0 ? table->statement_bases[table->file_count] : 0;
}

/* The file of a statement: the last one whose base is not behind it, by halves. */
static uint32_t view_file(const program_table *table, uint32_t statement)
{
    uint32_t low = 0;
    uint32_t high = table->file_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (table->statement_bases[middle] <= statement) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The program's number of a unit's function: they lie side by side, but for those without a name.
 */
static uint32_t view_function(const oban_program *program, uint32_t file, uint32_t index)
{
    const program_table *table = &program->table;
    const oban_unit *unit = table->files[file];
    if (index == UNIT_NONE || index >= unit->function_count ||
        unit->functions[index].name == UNIT_NONE) {
        return UINT32_MAX;
    }
    uint32_t low = 0;
    uint32_t high = table->function_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        const program_function *at = &table->functions[middle];
        if (at->file < file || (at->file == file && at->index <= index)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static oban_argument_kind view_kind(const oban_unit *unit, const unit_word *w)
{
    switch (w->kind) {
    case UNIT_WORD_NAME:
        return unit->links[w->name].variable != OBAN_NO_NAME ? OBAN_ARGUMENT_VARIABLE
                                                             : OBAN_ARGUMENT_NAME;
    case UNIT_WORD_LOCAL:
        return OBAN_ARGUMENT_VARIABLE;
    case UNIT_WORD_EXPRESSION:
        return OBAN_ARGUMENT_EXPRESSION;
    case UNIT_WORD_BARE:
    case UNIT_WORD_QUOTED:
        break;
    }
    return OBAN_ARGUMENT_WORD;
}

static void view_words(const oban_unit *unit, uint32_t first, uint32_t count,
                       oban_statement_view *out)
{
    for (uint32_t i = 0; i < count && i < OBAN_SCRIPT_WORDS_MAX; i++) {
        const unit_word *w = &unit->words[first + i];
        out->words[i] = (oban_argument_view){view_kind(unit, w), unit_word_text(unit, w), w->place};
    }
    out->word_count = count;
}

static const char *view_keyword(oban_statement_kind kind)
{
    switch (kind) {
    case OBAN_STATEMENT_SLEEP:
        return "sleep";
    case OBAN_STATEMENT_RETURN:
        return "return";
    case OBAN_STATEMENT_IF:
        return "if";
    case OBAN_STATEMENT_ITERATE:
        return "iterate";
    default:
        return "";
    }
}

static void view_call(const oban_unit *unit, const unit_call *call, oban_statement_view *out)
{
    const unit_link *link = &unit->links[call->name];
    out->name = unit_name_text(unit, call->name);
    out->strong = call->strong;
    out->callee = link->function;
    out->word =
        link->function == UNIT_NONE && link->word != NULL && link->word->bsl ? link->word : NULL;
    view_words(unit, call->word_first, call->word_count, out);
}

void oban_program_statement(const oban_program *program, uint32_t index, oban_statement_view *out)
{
    OBAN_ASSERT(index < oban_program_statement_count(program));
    uint32_t file = view_file(&program->table, index);
    const oban_unit *unit = program->table.files[file];
    const unit_statement *statement =
        &unit->statements[index - program->table.statement_bases[file]];
    out->kind = statement->kind;
    out->class_ = program_class(program, unit, statement);
    out->file = file;
    out->function = view_function(program, file, statement->function);
    out->place = statement->place;
    out->name = statement->name != UNIT_NONE ? unit_name_text(unit, statement->name)
                                             : oban_text_of(view_keyword(statement->kind));
    out->strong = false;
    out->word = NULL;
    out->callee = UINT32_MAX;
    if (statement->call != UNIT_NONE) {
        view_call(unit, &unit->calls[statement->call], out);
    } else {
        view_words(unit, statement->word_first, statement->word_count, out);
    }
}

/* ---- nested calls -------------------------------------------------------------------------------
 */

uint32_t oban_program_nested_count(const oban_program *program)
{
    return program->table.nested_count;
}

void oban_program_nested(const oban_program *program, uint32_t index, oban_nested_view *out)
{
    OBAN_ASSERT(index < program->table.nested_count);
    const struct program_nested *nested = &program->table.nested[index];
    const oban_unit *unit = program->table.files[nested->file];
    const unit_call *call = &unit->calls[nested->call];
    const unit_link *link = &unit->links[call->name];
    *out = (oban_nested_view){
        .statement = program->table.statement_bases[nested->file] + call->statement,
        .place = call->place,
        .name = unit_name_text(unit, call->name),
        .word = link->function == UNIT_NONE && link->word != NULL && link->word->bsl ? link->word
                                                                                     : NULL,
        .callee = link->function};
}

/* ---- counting -----------------------------------------------------------------------------------
 */

void oban_program_count(const oban_program *program, oban_program_stats *out)
{
    const program_table *table = &program->table;
    memset(out, 0, sizeof *out);
    out->files = table->file_count;
    out->functions = table->function_count;
    for (uint32_t file = 0; file < table->file_count; file++) {
        const oban_unit *unit = table->files[file];
        out->lines += unit->lines;
        for (uint32_t i = 0; i < unit->statement_count; i++) {
            oban_statement_class class_ = program_class(program, unit, &unit->statements[i]);
            out->classes[class_]++;
            out->statements += class_ != OBAN_CLASS_CONTROL ? 1 : 0;
        }
    }
}
