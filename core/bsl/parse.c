/* SPDX-License-Identifier: MIT */
/* Statements. After a fault the reading goes on behind the line, so that all faults of a file are
 * found in one go. Source: facts/bsl.md 1.6. Next: parse_file.c. */
#include "core/bsl/parse.h"

#include <string.h>

static void parse_statement(parse *p);

/* ---- going on after a fault --------------------------------------------------------------------
 */

/* To the end of the line, or to a bracket of a block on it: token by token, so that those in
 * comments and quotes do not count. */
void parse_skip(parse *p)
{
    p->rounded = 0;
    while (p->t.kind != TOKEN_END && !token_is_mark(&p->t, "{") && !token_is_mark(&p->t, "}")) {
        parse_advance(p);
    }
}

parse_mark parse_mark_of(const parse *p)
{
    const oban_unit *unit = p->unit;
    return (parse_mark){unit->code_count, unit->call_count, unit->word_count, p->depth};
}

static void parse_add_fault(parse *p)
{
    oban_unit *unit = p->unit;
    const oban_findings *findings = p->findings;
    if (!unit_reserve_fault(unit)) {
        parse_no_memory(p);
        return;
    }
    oban_line *line = &unit->faults[unit->fault_count];
    oban_line_clear(line);
    oban_line_add(line, "this statement could not be read");
    if (findings->count > 0 && findings->items[findings->count - 1].fault) {
        *line = findings->items[findings->count - 1].message;
    }
    (void)parse_emit(p, UNIT_FAULT, unit->fault_count++);
}

/* A statement that failed: what it made goes, and a warning comes in its place. */
void parse_give_up(parse *p, parse_mark mark)
{
    oban_unit *unit = p->unit;
    unit->code_count = mark.code;
    unit->call_count = mark.calls;
    unit->word_count = mark.words;
    p->depth = mark.depth;
    p->stack = 0;
    unit_statement *statement = &unit->statements[p->statement];
    statement->kind = OBAN_STATEMENT_FAULT;
    statement->call = UNIT_NONE;
    statement->name = UNIT_NONE;
    statement->word_count = 0;
    parse_add_fault(p);
    if (p->stop == OBAN_OK) {
        p->failed = true; /* while the rest of the line is passed over */
        parse_skip(p);
        p->failed = false;
    }
}

/* ---- statements --------------------------------------------------------------------------------
 */

void parse_begin(parse *p, oban_statement_kind kind)
{
    oban_unit *unit = p->unit;
    if (!unit_reserve_statement(unit)) {
        parse_no_memory(p);
        return;
    }
    unit->statements[unit->statement_count] = (unit_statement){.kind = kind,
                                                               .place = p->t.place,
                                                               .call = UNIT_NONE,
                                                               .name = UNIT_NONE,
                                                               .function = unit->function_count};
    p->statement = unit->statement_count++;
}

unit_statement *parse_at_hand(parse *p)
{
    return &p->unit->statements[p->statement];
}

/* What stands in a statement that is no call, for those who look. */
void parse_keep_source(parse *p, const unit_word *source)
{
    uint32_t first = parse_add_words(p, source, 1);
    if (p->stop == OBAN_OK) {
        unit_statement *statement = parse_at_hand(p);
        statement->word_first = statement->word_count == 0 ? first : statement->word_first;
        statement->word_count++;
    }
}

static bool parse_at_end(const parse *p)
{
    return p->t.kind == TOKEN_END || token_is_mark(&p->t, "}");
}

void parse_take_end(parse *p)
{
    if (!p->failed && !parse_at_end(p) && !token_is_word(&p->t, "else")) {
        parse_expected(p, "the end of the statement");
    }
}

/* Ends of lines, but no ';'. */
void parse_skip_lines(parse *p)
{
    while (p->t.kind == TOKEN_END && !p->t.last && !p->t.semicolon) {
        parse_advance(p);
    }
}

/* name(a, b), or name a b; the name is at hand. */
static uint32_t parse_whole_call(parse *p)
{
    token name = p->t;
    oban_bsl_reader behind = p->reader;
    while (behind.at < behind.bytes &&
           (behind.text[behind.at] == ' ' || behind.text[behind.at] == '\t')) {
        behind.at++;
    }
    if (behind.at < behind.bytes && behind.text[behind.at] == '(') {
        parse_advance(p);
    }
    return parse_call(p, &name, false);
}

bool parse_is_name(const parse *p)
{
    return token_can_name(&p->t);
}

static void parse_call_statement(parse *p, unit_code code)
{
    if (!parse_is_name(p)) {
        parse_expected(p, "the name of a function");
        return;
    }
    uint32_t call = parse_whole_call(p);
    parse_at_hand(p)->call = call;
    (void)parse_emit_call(p, code, call);
    parse_take_end(p);
}

static void parse_set(parse *p, oban_text name, uint32_t id)
{
    uint32_t local = parse_local(p, name);
    if (local != UNIT_NONE) {
        (void)parse_emit(p, UNIT_LOCAL_SET, local);
    } else {
        (void)parse_emit(p, UNIT_NAME_SET, id);
    }
}

/* name = expression; the '=' is at hand. */
static void parse_assign(parse *p, const token *name)
{
    unit_word source;
    uint32_t id = parse_name(p, name->text, name->place);
    parse_at_hand(p)->kind = OBAN_STATEMENT_ASSIGN;
    parse_at_hand(p)->name = id;
    parse_advance(p);
    parse_expression(p, &source);
    parse_keep_source(p, &source);
    if (!p->failed) {
        parse_set(p, name->text, id);
    }
    parse_take_end(p);
}

/* A call, or an assignment; the name is at hand. */
static void parse_named(parse *p)
{
    parse *at = p;
    token name = p->t;
    oban_bsl_reader behind = at->reader;
    token next;
    oban_bsl_fault fault;
    bool assigns = token_next(&behind, &next, &fault) == OBAN_OK && token_is_mark(&next, "=");
    if (assigns) {
        parse_advance(p);
        parse_assign(p, &name);
    } else {
        parse_call_statement(p, UNIT_CALL);
    }
}

bool parse_take_type(parse *p, oban_value_type *type)
{
    for (unsigned i = OBAN_VALUE_INT; i <= OBAN_VALUE_VOID; i++) {
        if (token_is_word(&p->t, oban_value_type_word((oban_value_type)i))) {
            *type = (oban_value_type)i;
            parse_advance(p);
            return true;
        }
    }
    return false;
}

/* var type name: returns the name's number. */
uint32_t parse_var_head(parse *p, oban_value_type *type, token *name)
{
    parse_advance(p);
    if (!parse_take_type(p, type) || *type == OBAN_VALUE_VOID) {
        parse_expected(p, "int, float, bool or string");
        return 0;
    }
    if (!parse_is_name(p)) {
        parse_expected(p, "the name of a variable");
        return 0;
    }
    *name = p->t;
    uint32_t id = parse_name(p, name->text, name->place);
    parse_at_hand(p)->name = id;
    parse_advance(p);
    return id;
}

static void parse_var(parse *p)
{
    oban_value_type type = OBAN_VALUE_INT;
    token name = {.kind = TOKEN_END};
    unit_word source;
    uint32_t id = parse_var_head(p, &type, &name);
    if (!p->failed && token_is_mark(&p->t, "=")) {
        parse_advance(p);
        parse_expression(p, &source);
        parse_keep_source(p, &source);
    } else if (!p->failed) {
        parse_int(p, 0); /* also when a loop comes by again */
    }
    if (!p->failed) {
        uint32_t local = parse_local(p, name.text);
        if (local == UNIT_NONE) {
            local = parse_add_local(p, id, type);
        }
        if (p->stop == OBAN_OK && !p->failed) {
            p->unit->locals[p->function.local_first + local].type = type;
        }
        (void)parse_emit(p, UNIT_LOCAL_SET, local);
    }
    parse_take_end(p);
}

/* Words behind `sleep n`, which the game passes over. */
static void parse_extra(parse *p)
{
    if (!p->failed && !parse_at_end(p) && !token_is_word(&p->t, "else")) {
        oban_line *line = parse_remark(p, OBAN_BAD_FIELD, p->t.place, "extra words from ");
        word_tell(p->t.text, line);
        oban_line_add(line, " on are ignored");
        while (!p->failed && !parse_at_end(p)) {
            parse_advance(p);
        }
    }
}

static void parse_sleep(parse *p)
{
    unit_word source;
    parse_advance(p);
    if (parse_at_end(p)) {
        (void)parse_remark(p, OBAN_BAD_FIELD, p->t.place, "a missing number is taken as 0: ticks");
        parse_int(p, 0);
    } else {
        parse_expression(p, &source);
        parse_keep_source(p, &source);
    }
    (void)parse_emit(p, UNIT_SLEEP, 0);
    parse_extra(p);
}

static void parse_return(parse *p)
{
    unit_word source;
    parse_advance(p);
    if (parse_at_end(p) || token_is_word(&p->t, "else")) {
        (void)parse_emit(p, UNIT_RETURN, 0);
    } else {
        parse_expression(p, &source);
        parse_keep_source(p, &source);
        (void)parse_emit(p, UNIT_RETURN_VALUE, 0);
    }
    parse_take_end(p);
}

static void parse_fork(parse *p)
{
    parse_advance(p);
    parse_call_statement(p, UNIT_FORK);
}

/* schedule f(args) at T, or repeat N every T */
static void parse_schedule(parse *p)
{
    unit_word source;
    parse_advance(p);
    if (!parse_is_name(p)) {
        parse_expected(p, "the name of a function");
        return;
    }
    token name = p->t;
    parse_advance(p);
    unit_call none = {.place = name.place, .strong = true, .end = p->t.place};
    uint32_t call = 0;
    if (token_is_mark(&p->t, "(")) {
        call = parse_call(p, &name, false);
    } else if (unit_reserve_call(p->unit)) {
        none.name = parse_name(p, name.text, name.place);
        none.statement = p->statement;
        none.word_first = p->unit->word_count;
        call = p->unit->call_count++;
        p->unit->calls[call] = none;
    } else {
        parse_no_memory(p);
    }
    parse_at_hand(p)->call = call;
    bool at = token_is_word(&p->t, "at");
    if (!at && !token_is_word(&p->t, "repeat")) {
        parse_expected(p, "'at' or 'repeat'");
        return;
    }
    parse_advance(p);
    parse_expression(p, &source);
    if (!at && !p->failed && !token_is_word(&p->t, "every")) {
        parse_expected(p, "'every'");
    } else if (!at && !p->failed) {
        parse_advance(p);
        parse_expression(p, &source);
    }
    (void)parse_emit_call(p, at ? UNIT_SCHEDULE_AT : UNIT_SCHEDULE_EVERY, call);
    parse_take_end(p);
}

/* ---- statements with statements in them ---------------------------------------------------------
 */

/* The statement of an if or a loop, one deeper. */
static void parse_inner(parse *p)
{
    parse_skip_lines(p);
    if (p->t.kind == TOKEN_END && p->t.semicolon) {
        return; /* an empty one */
    }
    if (parse_enter(p)) {
        parse_statement(p);
        parse_leave(p);
    } else {
        parse_skip(p);
        p->failed = false;
    }
}

/* Ends of statements, then `else`; else all is as it was. */
static bool parse_take_else(parse *p)
{
    parse before = *p;
    while (p->t.kind == TOKEN_END && !p->t.last) {
        oban_bsl_fault fault;
        p->end = p->reader.at;
        if (token_next(&p->reader, &p->t, &fault) != OBAN_OK) {
            break;
        }
    }
    if (token_is_word(&p->t, "else")) {
        parse_advance(p);
        return true;
    }
    p->reader = before.reader;
    p->t = before.t;
    p->end = before.end;
    return false;
}

static void parse_branches(parse *p, uint32_t jump)
{
    parse_inner(p);
    if (p->stop != OBAN_OK) {
        return;
    }
    if (parse_take_else(p)) {
        uint32_t over = parse_emit(p, UNIT_JUMP, 0);
        parse_land(p, jump);
        parse_inner(p);
        jump = over;
    }
    parse_land(p, jump);
}

static void parse_if(parse *p)
{
    unit_word source;
    parse_mark mark = parse_mark_of(p);
    parse_advance(p);
    if (!token_is_mark(&p->t, "(")) {
        parse_expected(p, "'(' behind if");
    } else {
        parse_expression(p, &source);
        parse_keep_source(p, &source);
    }
    if (p->failed && p->stop == OBAN_OK) {
        parse_give_up(p, mark); /* what hangs on it is read, and never done */
        if (!token_is_mark(&p->t, "}")) {
            parse_branches(p, parse_emit(p, UNIT_JUMP, 0));
        }
    } else {
        parse_branches(p, parse_emit(p, UNIT_JUMP_FALSE, 0));
    }
}

/* The head of `iterate over n using v`: two locals of its own, the count and the round. */
static bool parse_iterate_head(parse *p, token *variable, uint32_t *count, uint32_t *round)
{
    unit_word source;
    parse_advance(p);
    if (!token_is_word(&p->t, "over")) {
        parse_expected(p, "'over'");
        return false;
    }
    parse_advance(p);
    parse_expression(p, &source);
    parse_keep_source(p, &source);
    if (p->failed || !token_is_word(&p->t, "using")) {
        parse_expected(p, "'using'");
        return false;
    }
    parse_advance(p);
    *variable = p->t;
    if (!parse_is_name(p)) {
        parse_expected(p, "the name of a variable");
        return false;
    }
    parse_advance(p);
    *count = parse_add_local(p, UNIT_NONE, OBAN_VALUE_INT);
    *round = parse_add_local(p, UNIT_NONE, OBAN_VALUE_INT);
    return !p->failed;
}

static void parse_iterate(parse *p)
{
    token variable = {.kind = TOKEN_END};
    uint32_t count;
    uint32_t round;
    if (!parse_iterate_head(p, &variable, &count, &round)) {
        return;
    }
    uint32_t id = parse_name(p, variable.text, variable.place);
    parse_at_hand(p)->name = id;
    (void)parse_emit(p, UNIT_LOCAL_SET, count);
    parse_int(p, 0);
    (void)parse_emit(p, UNIT_LOCAL_SET, round);
    uint32_t top = parse_here(p);
    (void)parse_emit(p, UNIT_ROUND, 0);
    (void)parse_emit(p, UNIT_LOCAL, round);
    (void)parse_emit(p, UNIT_LOCAL, count);
    (void)parse_emit(p, UNIT_LESS, 0);
    uint32_t out = parse_emit(p, UNIT_JUMP_FALSE, 0);
    (void)parse_emit(p, UNIT_LOCAL, round);
    parse_set(p, variable.text, id);
    parse_inner(p);
    (void)parse_emit(p, UNIT_LOCAL, round);
    parse_int(p, 1);
    (void)parse_emit(p, UNIT_ADD, 0);
    (void)parse_emit(p, UNIT_LOCAL_SET, round);
    (void)parse_emit(p, UNIT_JUMP, top);
    parse_land(p, out);
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

static bool parse_ends_block(const parse *p)
{
    return p->stop != OBAN_OK || token_is_mark(&p->t, "}") ||
           (p->t.kind == TOKEN_END && p->t.last) || (!p->is_text && token_is_word(&p->t, "func"));
}

void parse_statements(parse *p)
{
    for (;;) {
        while (p->t.kind == TOKEN_END && !p->t.last && p->stop == OBAN_OK) {
            parse_advance(p);
            p->failed = false;
        }
        if (parse_ends_block(p)) {
            return;
        }
        parse_statement(p);
    }
}

/* The '{' is at hand. */
void parse_block(parse *p)
{
    parse_advance(p);
    parse_statements(p);
    if (p->stop == OBAN_OK) {
        bool last = p->t.kind == TOKEN_END && p->t.last;
        p->failed = last && p->unclosed; /* one is told, however many are open */
        p->unclosed = p->unclosed || last;
        (void)parse_take_mark(p, "}");
        p->failed = false;
    }
}

typedef struct parse_keyword {
    const char *name;
    oban_statement_kind kind;
    void (*read)(parse *p);
} parse_keyword;

static const parse_keyword *parse_find_keyword(const parse *p)
{
    static const parse_keyword keywords[] = {
        {"if", OBAN_STATEMENT_IF, parse_if},
        {"sleep", OBAN_STATEMENT_SLEEP, parse_sleep},
        {"var", OBAN_STATEMENT_VAR, parse_var},
        {"fork", OBAN_STATEMENT_FORK, parse_fork},
        {"return", OBAN_STATEMENT_RETURN, parse_return},
        {"schedule", OBAN_STATEMENT_SCHEDULE, parse_schedule},
        {"iterate", OBAN_STATEMENT_ITERATE, parse_iterate},
    };
    for (uint32_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (token_is_word(&p->t, keywords[i].name)) {
            return &keywords[i];
        }
    }
    return NULL;
}

static void parse_statement(parse *p)
{
    if (token_is_mark(&p->t, "{")) {
        if (parse_enter(p)) {
            parse_block(p);
            parse_leave(p);
        } else {
            parse_skip(p);
            parse_advance(p);
            p->failed = false;
        }
        return;
    }
    const parse_keyword *keyword = parse_find_keyword(p);
    parse_begin(p, keyword != NULL ? keyword->kind : OBAN_STATEMENT_CALL);
    if (p->stop != OBAN_OK) {
        return;
    }
    (void)parse_emit(p, UNIT_STATEMENT, p->statement);
    parse_mark mark = parse_mark_of(p);
    uint32_t statement = p->statement;
    p->failed = false;
    if (keyword != NULL) {
        keyword->read(p);
    } else if (parse_is_name(p)) {
        parse_named(p);
    } else {
        parse_expected(p, "a statement");
    }
    p->statement = statement;
    if (p->failed && p->stop == OBAN_OK) {
        parse_give_up(p, mark);
    }
}
