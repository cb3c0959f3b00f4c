/* SPDX-License-Identifier: MIT */
/* Functions, global variables, and the two kinds of source: files and texts.
 * Source: facts/bsl.md 1.6. Next: unit.h, program.c. */
#include "core/bsl/parse.h"

/* ---- functions ---------------------------------------------------------------------------------
 */

static void parse_function_begin(parse *p, uint32_t name, oban_place place, oban_value_type returns)
{
    oban_unit *unit = p->unit;
    p->function = (unit_function){.name = name,
                                  .place = place,
                                  .returns = returns,
                                  .local_first = unit->local_count,
                                  .code_first = unit->code_count,
                                  .statement_first = unit->statement_count};
    p->stack = 0;
}

static void parse_function_end(parse *p)
{
    oban_unit *unit = p->unit;
    (void)parse_emit(p, UNIT_RETURN, 0);
    p->function.statement_count = unit->statement_count - p->function.statement_first;
    if (unit->function_count >= OBAN_SCRIPT_FUNCTIONS_MAX) {
        parse_limit(p, "functions_max", OBAN_SCRIPT_FUNCTIONS_MAX, "the script has more functions");
    } else if (!unit_reserve_function(unit)) {
        parse_no_memory(p);
    } else {
        unit->functions[unit->function_count++] = p->function;
    }
}

static void parse_param(parse *p)
{
    oban_value_type type;
    if (!parse_take_type(p, &type) || type == OBAN_VALUE_VOID) {
        parse_expected(p, "int, float, bool or string");
        return;
    }
    if (!parse_is_name(p)) {
        parse_expected(p, "the name of a parameter");
        return;
    }
    if (p->function.param_count == OBAN_SCRIPT_PARAMS_MAX) {
        oban_line *line = parse_fault(p, p->t.place, "params_max is ");
        oban_line_add_u64(line, OBAN_SCRIPT_PARAMS_MAX);
        oban_line_add(line, ": the function has more parameters");
        return;
    }
    (void)parse_add_local(p, parse_name(p, p->t.text, p->t.place), type);
    p->function.param_count++;
    parse_advance(p);
}

/* The '(' is at hand. */
static void parse_params(parse *p)
{
    p->rounded++;
    parse_advance(p);
    if (token_is_word(&p->t, "void")) {
        parse_advance(p);
    } else if (!token_is_mark(&p->t, ")")) {
        parse_param(p);
        while (!p->failed && token_is_mark(&p->t, ",")) {
            parse_advance(p);
            parse_param(p);
        }
    }
    p->rounded--;
    (void)parse_take_mark(p, ")");
}

/* func [type] name [(params)]; `func` is at hand. */
static void parse_function_head(parse *p)
{
    oban_value_type returns = OBAN_VALUE_VOID;
    parse_advance(p);
    parse_skip_lines(p);
    (void)parse_take_type(p, &returns);
    parse_skip_lines(p);
    if (!parse_is_name(p)) {
        parse_expected(p, "the name of a function");
        return;
    }
    parse_function_begin(p, parse_name(p, p->t.text, p->t.place), p->t.place, returns);
    parse_advance(p);
    parse_skip_lines(p);
    if (token_is_mark(&p->t, "(")) {
        parse_params(p);
    }
    parse_skip_lines(p);
    if (!p->failed && !token_is_mark(&p->t, "{")) {
        parse_expected(p, "'{'");
    }
}

static void parse_func(parse *p)
{
    p->failed = false;
    p->depth = 0;
    parse_function_begin(p, UNIT_NONE, p->t.place, OBAN_VALUE_VOID);
    parse_function_head(p);
    while (p->failed && p->stop == OBAN_OK && !token_is_mark(&p->t, "{") &&
           !(p->t.kind == TOKEN_END && p->t.last) && !token_is_word(&p->t, "func")) {
        parse_advance(p); /* its body is read, for the faults in it */
    }
    p->rounded = 0;
    if (token_is_mark(&p->t, "{") && parse_enter(p)) {
        p->failed = false;
        parse_block(p);
    }
    parse_function_end(p);
}

/* ---- global variables -------------------------------------------------------------------------
 */

/* Whether the code since `first` is but one literal, which is then its value. */
static bool parse_literal(const parse *p, uint32_t first, oban_value *value)
{
    const oban_unit *unit = p->unit;
    if (unit->code_count != first + 1) {
        return false;
    }
    uint32_t arg = unit->codes[first] >> UNIT_ARG_BITS;
    switch ((unit_code)(unit->codes[first] & 0xffu)) {
    case UNIT_INT:
        *value = (oban_value){OBAN_VALUE_INT, {.i = (int32_t)(arg << 8) >> 8}};
        return true;
    case UNIT_CONSTANT:
        *value = unit->constants[arg];
        return true;
    case UNIT_TEXT:
        *value = (oban_value){OBAN_VALUE_STRING, {.s = arg}};
        return true;
    default:
        return false;
    }
}

static void parse_add_global(parse *p, unit_global global)
{
    oban_unit *unit = p->unit;
    if (unit->global_count >= OBAN_SCRIPT_VARIABLES_MAX) {
        parse_limit(p, "variables_max", OBAN_SCRIPT_VARIABLES_MAX, "the script has more variables");
    } else if (!unit_reserve_global(unit)) {
        parse_no_memory(p);
    } else {
        unit->globals[unit->global_count++] = global;
    }
}

static void parse_global_value(parse *p, unit_global *global)
{
    unit_word source;
    uint32_t code_first = parse_here(p);
    parse_function_begin(p, UNIT_NONE, global->place, OBAN_VALUE_VOID);
    (void)parse_emit(p, UNIT_STATEMENT, p->statement);
    parse_advance(p);
    parse_expression(p, &source);
    if (p->failed) {
        return;
    }
    if (parse_literal(p, code_first + 1, &global->value)) {
        p->unit->code_count = code_first;
        parse_keep_source(p, &source);
        return;
    }
    parse_keep_source(p, &source);
    (void)parse_emit(p, UNIT_NAME_SET, global->name);
    global->function = p->unit->function_count;
    p->function.statement_first = p->statement;
    parse_function_end(p);
}

static void parse_global(parse *p)
{
    unit_global global = {.function = UNIT_NONE};
    token name = {.kind = TOKEN_END};
    p->failed = false;
    p->depth = 0;
    parse_function_begin(p, UNIT_NONE, p->t.place, OBAN_VALUE_VOID);
    parse_begin(p, OBAN_STATEMENT_VAR);
    if (p->stop != OBAN_OK) {
        return;
    }
    parse_mark mark = parse_mark_of(p);
    parse_at_hand(p)->function = UNIT_NONE;
    global.name = parse_var_head(p, &global.type, &name);
    global.place = parse_at_hand(p)->place;
    global.value = (oban_value){global.type, {.i = 0}};
    if (!p->failed && token_is_mark(&p->t, "=")) {
        global.given = true;
        parse_global_value(p, &global);
    }
    parse_take_end(p);
    if (p->stop == OBAN_OK && !p->failed) {
        parse_add_global(p, global);
    } else if (p->stop == OBAN_OK) {
        parse_give_up(p, mark);
        p->unit->code_count = mark.code; /* nothing runs it */
    }
}

/* ---- files and texts ---------------------------------------------------------------------------
 */

static void parse_file(parse *p)
{
    while (p->stop == OBAN_OK && !(p->t.kind == TOKEN_END && p->t.last)) {
        if (p->t.kind == TOKEN_END) {
            p->failed = false;
            parse_advance(p);
        } else if (token_is_word(&p->t, "func")) {
            parse_func(p);
        } else if (token_is_word(&p->t, "var")) {
            parse_global(p);
        } else {
            parse_expected(p, "'func' or 'var'");
            p->failed = true;
            parse_advance(p); /* whatever it is, it goes */
            parse_skip(p);
        }
    }
}

static void parse_text(parse *p)
{
    parse_function_begin(p, UNIT_NONE, p->t.place, OBAN_VALUE_VOID);
    while (p->stop == OBAN_OK && !(p->t.kind == TOKEN_END && p->t.last)) {
        parse_statements(p);
        if (token_is_mark(&p->t, "}")) {
            p->failed = false;
            parse_expected(p, "a statement");
            p->failed = false;
            parse_advance(p);
        }
    }
    parse_function_end(p);
}

static uint32_t parse_count_lines(const oban_unit *unit)
{
    uint32_t lines = unit->text_bytes > 0 ? 1 : 0;
    for (uint32_t i = 0; i + 1 < unit->text_bytes; i++) {
        char c = unit->text[i];
        if (c == '\n' || (c == '\r' && unit->text[i + 1] != '\n')) {
            lines++;
        }
    }
    return lines;
}

oban_status parse_unit(oban_unit *unit, uint32_t file, bool is_text, bool tolerant,
                       oban_findings *findings)
{
    parse p = {
        .unit = unit, .findings = findings, .file = file, .is_text = is_text, .tolerant = tolerant};
    uint32_t faults = findings->faults;
    unit->lines = parse_count_lines(unit);
    oban_bsl_reader_init(&p.reader, (oban_text){unit->text, unit->text_bytes});
    parse_advance(&p);
    if (is_text) {
        parse_text(&p);
    } else {
        parse_file(&p);
    }
    if (p.stop != OBAN_OK) {
        return p.stop;
    }
    return findings->faults > faults && !tolerant ? OBAN_BAD_SCRIPT : OBAN_OK;
}
