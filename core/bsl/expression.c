/* SPDX-License-Identifier: MIT */
/* Expressions and calls as code. From loose to tight: or; and; eq ne; < > <= >=; + -; - ! in front.
 * `and` and `or` look at their right side only when it matters.
 * Source: facts/bsl.md 1.3, 1.5; the order is ours. Next: parse.c. */
#include "core/bsl/parse.h"

#include <string.h>

/* ---- sources: what an argument is, for those who look ------------------------------------------
 */

static unit_word source_begin(const parse *p)
{
    uint32_t offset = parse_offset(p, p->t.text);
    return (unit_word){.offset = offset, .place = p->t.place, .name = UNIT_NONE};
}

/* `first` and `count`: the token that the source began with, and the code that it became. */
static void source_end(parse *p, unit_word *source, const token *first, uint32_t code_first)
{
    oban_unit *unit = p->unit;
    bool one = unit->code_count == code_first + 1;
    unit_code code = one ? (unit_code)(unit->codes[code_first] & 0xffu) : UNIT_CODE_COUNT;
    source->bytes = p->end > source->offset ? p->end - source->offset : 0;
    source->kind = code == UNIT_INT || code == UNIT_CONSTANT ? UNIT_WORD_BARE
                   : code == UNIT_LOCAL                      ? UNIT_WORD_LOCAL
                   : code == UNIT_NAME                       ? UNIT_WORD_NAME
                                                             : UNIT_WORD_EXPRESSION;
    if (code == UNIT_NAME) {
        source->name = unit->codes[code_first] >> UNIT_ARG_BITS;
    }
    if (code == UNIT_TEXT && !token_is_mark(first, "(")) {
        source->kind = first->kind == TOKEN_STRING ? UNIT_WORD_QUOTED : UNIT_WORD_BARE;
        source->bytes = first->text.bytes;
    }
}

/* ---- values ------------------------------------------------------------------------------------
 */

static void expression_level(parse *p, uint32_t level);

static void expression_number(parse *p, bool negative)
{
    double number = negative ? -p->t.number : p->t.number;
    if (p->t.kind == TOKEN_FLOAT) {
        parse_constant(p, (oban_value){OBAN_VALUE_FLOAT, {.f = (float)number}});
    } else {
        if ((double)oban_value_int_of(number) != number) {
            oban_line *line = parse_remark(p, OBAN_BAD_FIELD, p->t.place, "");
            word_tell(p->t.text, line);
            oban_line_add(line, " is more than an int holds; the nearest is taken");
        }
        parse_int(p, oban_value_int_of(number));
    }
    parse_advance(p);
}

static void expression_text(parse *p)
{
    unit_word source = source_begin(p);
    source.bytes = p->t.text.bytes;
    source.kind = p->t.kind == TOKEN_STRING ? UNIT_WORD_QUOTED : UNIT_WORD_BARE;
    (void)parse_emit(p, UNIT_TEXT, parse_add_words(p, &source, 1));
    parse_advance(p);
}

static void expression_name(parse *p)
{
    token name = p->t;
    if (token_is_word(&name, "true") || token_is_word(&name, "false")) {
        bool is_true = token_is_word(&name, "true");
        parse_constant(p, (oban_value){OBAN_VALUE_BOOL, {.i = is_true ? 1 : 0}});
        parse_advance(p);
        return;
    }
    if (token_is_reserved(name.text)) {
        parse_expected(p, "a value");
        return;
    }
    if (!token_can_name(&name)) { /* 3rd and a.b are texts */
        expression_text(p);
        return;
    }
    uint32_t local = parse_local(p, name.text);
    parse_advance(p);
    if (token_is_mark(&p->t, "(")) {
        uint32_t call = parse_call(p, &name, true);
        (void)parse_emit_call(p, UNIT_CALL, call);
    } else if (local != UNIT_NONE) {
        (void)parse_emit(p, UNIT_LOCAL, local);
    } else {
        (void)parse_emit(p, UNIT_NAME, parse_name(p, name.text, name.place));
    }
}

static void expression_brackets(parse *p)
{
    if (!parse_enter(p)) {
        return;
    }
    p->rounded++;
    parse_advance(p);
    expression_level(p, 0);
    p->rounded--;
    (void)parse_take_mark(p, ")");
    parse_leave(p);
}

/* f60 is a number, unless a variable of the function or a call in brackets has that name. */
static bool expression_is_name(const parse *p)
{
    uint32_t at = p->reader.at;
    bool called = at < p->reader.bytes && p->reader.text[at] == '(';
    return p->t.kind == TOKEN_INT && token_can_name(&p->t) &&
           (called || parse_local(p, p->t.text) != UNIT_NONE);
}

static void expression_unary(parse *p)
{
    bool minus = token_is_mark(&p->t, "-");
    if (!minus && !token_is_mark(&p->t, "!")) {
        bool number = p->t.kind == TOKEN_INT || p->t.kind == TOKEN_FLOAT;
        if (p->t.kind == TOKEN_NAME || expression_is_name(p)) {
            expression_name(p);
        } else if (number) {
            expression_number(p, false);
        } else if (p->t.kind == TOKEN_STRING) {
            expression_text(p);
        } else if (token_is_mark(&p->t, "(")) {
            expression_brackets(p);
        } else {
            parse_expected(p, "a value");
        }
        return;
    }
    parse_advance(p);
    if (minus && (p->t.kind == TOKEN_INT || p->t.kind == TOKEN_FLOAT)) {
        expression_number(p, true);
        return;
    }
    if (parse_enter(p)) {
        expression_unary(p);
        (void)parse_emit(p, minus ? UNIT_NEGATE : UNIT_NOT, 0);
        parse_leave(p);
    }
}

/* ---- operators ---------------------------------------------------------------------------------
 */

typedef struct expression_operator {
    const char *name;
    uint32_t level;
    unit_code code;
    bool odd; /* not of the game */
} expression_operator;

#define EXPRESSION_LEVELS 5u

static const expression_operator *expression_find(const token *t, uint32_t level)
{
    static const expression_operator operators[] = {
        {"or", 0, UNIT_OR, false},       {"and", 1, UNIT_AND, false},
        {"eq", 2, UNIT_EQUAL, false},    {"ne", 2, UNIT_UNEQUAL, false},
        {"==", 2, UNIT_EQUAL, true},     {"=", 2, UNIT_EQUAL, true},
        {"!=", 2, UNIT_UNEQUAL, true},   {"<", 3, UNIT_LESS, false},
        {">", 3, UNIT_MORE, false},      {"<=", 3, UNIT_AT_MOST, false},
        {">=", 3, UNIT_AT_LEAST, false}, {"+", 4, UNIT_ADD, false},
        {"-", 4, UNIT_SUBTRACT, false},
    };
    if (t->kind != TOKEN_MARK && t->kind != TOKEN_NAME) {
        return NULL;
    }
    for (uint32_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (operators[i].level == level &&
            oban_text_equal(t->text, oban_text_of(operators[i].name))) {
            return &operators[i];
        }
    }
    return NULL;
}

static bool expression_glued(const parse *p)
{
    uint32_t behind = p->reader.at;
    char c = behind < p->reader.bytes ? p->reader.text[behind] : ' ';
    return p->t.spaced && c >= '0' && c <= '9';
}

static void expression_remark(parse *p, const expression_operator *operator)
{
    if (operator->odd) {
        oban_line *line = parse_remark(p, OBAN_BAD_SCRIPT, p->t.place, "");
        word_tell(p->t.text, line);
        oban_line_add(line, " is taken as a comparison; the game has eq and ne");
    } else if (operator->code == UNIT_SUBTRACT && expression_glued(p)) {
        (void)parse_remark(p, OBAN_BAD_SCRIPT, p->t.place,
                           "taken as a subtraction; the game wants a blank behind this '-'");
    }
}

static void expression_level(parse *p, uint32_t level)
{
    if (level == EXPRESSION_LEVELS) {
        expression_unary(p);
        return;
    }
    expression_level(p, level + 1);
    const expression_operator *operator;
    while (!p->failed && (operator= expression_find(&p->t, level)) != NULL) {
        uint32_t jump = 0;
        bool lazy = operator->code == UNIT_AND || operator->code == UNIT_OR;
        expression_remark(p, operator);
        parse_advance(p);
        if (lazy) {
            (void)parse_emit(p, UNIT_BOOL, 0);
            jump = parse_emit(p, operator->code, 0);
        }
        expression_level(p, level + 1);
        if (lazy) {
            (void)parse_emit(p, UNIT_BOOL, 0);
            parse_land(p, jump);
        } else {
            (void)parse_emit(p, operator->code, 0);
        }
    }
}

void parse_expression(parse *p, unit_word *source)
{
    token first = p->t;
    uint32_t code_first = p->unit->code_count;
    *source = source_begin(p);
    expression_level(p, 0);
    source_end(p, source, &first, code_first);
}

/* ---- calls -------------------------------------------------------------------------------------
 */

/* The words of a call before they are its unit's. */
typedef struct call_words {
    unit_word list[OBAN_SCRIPT_WORDS_MAX];
    uint32_t count;
    oban_place end;
} call_words;

static void call_strong(parse *p, call_words *words)
{
    if (!parse_enter(p)) {
        return;
    }
    p->rounded++;
    parse_advance(p);
    while (!p->failed && !token_is_mark(&p->t, ")")) {
        if (words->count == OBAN_SCRIPT_WORDS_MAX) {
            oban_line *line = parse_fault(p, p->t.place, "words_max is ");
            oban_line_add_u64(line, OBAN_SCRIPT_WORDS_MAX);
            oban_line_add(line, ": the call has more arguments");
            break;
        }
        parse_expression(p, &words->list[words->count++]);
        if (!p->failed && !token_is_mark(&p->t, ")")) {
            if (!token_is_mark(&p->t, ",")) {
                parse_expected(p, "',' or ')'");
            } else {
                parse_advance(p);
            }
        }
    }
    words->end = p->t.place;
    p->rounded--;
    if (!p->failed) {
        parse_advance(p);
    }
    parse_leave(p);
}

static bool call_weak_ends(const word *w)
{
    return w->kind == WORD_NEWLINE || w->kind == WORD_SEMICOLON || w->kind == WORD_TEXT_END ||
           word_is_mark(w, '}');
}

static void call_keep(parse *p, call_words *words, const word *w)
{
    if (words->count < OBAN_SCRIPT_WORDS_MAX) {
        words->list[words->count++] =
            (unit_word){.offset = parse_offset(p, w->text),
                        .bytes = w->text.bytes,
                        .place = w->place,
                        .kind = w->kind == WORD_QUOTED ? UNIT_WORD_QUOTED : UNIT_WORD_BARE,
                        .name = UNIT_NONE};
        return;
    }
    oban_line *line = parse_fault(p, w->place, "words_max is ");
    oban_line_add_u64(line, OBAN_SCRIPT_WORDS_MAX);
    oban_line_add(line, ": the call has more words");
}

/* Words to the end of the line; the reader stands behind the name. */
static void call_weak(parse *p, call_words *words)
{
    for (;;) {
        word w;
        oban_bsl_fault fault;
        oban_bsl_reader before = p->reader;
        if (word_next(&p->reader, &w, &fault) != OBAN_OK) {
            oban_line_add(parse_fault(p, fault.place, ""), fault.message.data);
            return;
        }
        if (call_weak_ends(&w)) {
            words->end = w.place;
            p->reader = before;
            parse_advance(p);
            return;
        }
        if (word_is_mark(&w, ',')) {
            (void)parse_remark(p, OBAN_BAD_SCRIPT, w.place,
                               "a ',' between words without brackets is passed over");
        } else if (w.kind == WORD_MARK) {
            oban_line *line =
                parse_fault(p, w.place, "expected a word or the end of the statement, found ");
            word_tell(w.text, line);
            return;
        } else {
            call_keep(p, words, &w);
        }
    }
}

uint32_t parse_call(parse *p, const token *name, bool nested)
{
    call_words words;
    words.count = 0;
    bool strong = nested || token_is_mark(&p->t, "(");
    unit_call call = {.place = name->place, .strong = strong, .nested = nested};
    call.name = parse_name(p, name->text, name->place);
    if (strong) {
        call_strong(p, &words);
    } else {
        call_weak(p, &words);
    }
    call.end = words.end;
    call.statement = p->statement;
    call.word_count = words.count;
    call.word_first = parse_add_words(p, words.list, words.count);
    if (p->failed || p->stop != OBAN_OK) {
        call.word_count = 0;
    }
    if (!unit_reserve_call(p->unit)) {
        parse_no_memory(p);
        return 0;
    }
    p->unit->calls[p->unit->call_count] = call;
    return p->unit->call_count++;
}
