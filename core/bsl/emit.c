/* SPDX-License-Identifier: MIT */
/* What the parser stands on: tokens, faults, code. Next: expression.c. */
#include "core/bsl/parse.h"

#include <string.h>

/* ---- tokens and faults ------------------------------------------------------------------------
 */

/* Leaves the line with a character that may not be there, but for a block's bracket behind it. */
static void parse_pass_over(parse *p)
{
    oban_bsl_reader *reader = &p->reader;
    for (; reader->at < reader->bytes; reader->at++, reader->place.column++) {
        char c = reader->text[reader->at];
        if (c == '\n' || c == '\r' || c == '{' || c == '}') {
            break;
        }
    }
}

void parse_advance(parse *p)
{
    oban_bsl_fault fault;
    p->end = p->reader.at;
    do {
        if (token_next(&p->reader, &p->t, &fault) != OBAN_OK) {
            oban_line *line = parse_fault(p, fault.place, "");
            oban_line_add(line, fault.message.data);
            parse_pass_over(p);
            p->t = (token){.kind = TOKEN_END, .place = fault.place};
            p->t.last = p->reader.at == p->reader.bytes;
            return;
        }
    } while (p->rounded > 0 && p->t.kind == TOKEN_END && !p->t.last && !p->t.semicolon);
}

oban_line *parse_fault(parse *p, oban_place place, const char *message)
{
    if (p->failed || p->stop != OBAN_OK) {
        oban_line_clear(&p->findings->unread);
        return &p->findings->unread;
    }
    p->failed = true;
    return findings_add(p->findings, true, OBAN_BAD_SCRIPT, p->file, place, message);
}

void parse_expected(parse *p, const char *what)
{
    oban_line *line = parse_fault(p, p->t.place, "expected ");
    oban_line_add(line, what);
    token_found(&p->t, line);
}

bool parse_take_mark(parse *p, const char *mark)
{
    if (!token_is_mark(&p->t, mark)) {
        oban_line *line = parse_fault(p, p->t.place, "expected '");
        oban_line_add(line, mark);
        oban_line_add(line, "'");
        token_found(&p->t, line);
        return false;
    }
    parse_advance(p);
    return true;
}

oban_line *parse_remark(parse *p, oban_status status, oban_place place, const char *message)
{
    return findings_add(p->findings, false, status, p->file, place, message);
}

void parse_limit(parse *p, const char *name, uint32_t limit, const char *what)
{
    if (p->stop == OBAN_OK) {
        p->stop = OBAN_LIMIT;
        p->failed = true;
        oban_line *line = findings_add(p->findings, true, OBAN_LIMIT, p->file, p->t.place, name);
        oban_line_add(line, " is ");
        oban_line_add_u64(line, limit);
        oban_line_add(line, ": ");
        oban_line_add(line, what);
    }
}

void parse_no_memory(parse *p)
{
    p->stop = OBAN_NO_MEMORY;
    p->failed = true;
}

/* ---- code -------------------------------------------------------------------------------------
 */

static void parse_stack(parse *p, uint32_t taken, uint32_t left)
{
    p->stack = (p->stack >= taken ? p->stack - taken : 0) + left;
    if (p->stack > p->function.stack_most) {
        p->function.stack_most = p->stack;
    }
}

static uint32_t parse_put(parse *p, unit_code code, uint32_t arg)
{
    oban_unit *unit = p->unit;
    if (p->stop != OBAN_OK) {
        return 0;
    }
    if (unit->code_count >= UNIT_ARG_MAX || arg > UNIT_ARG_MAX) {
        parse_limit(p, "code_max", UNIT_ARG_MAX, "the script is too long");
        return 0;
    }
    if (!unit_reserve_code(unit)) {
        parse_no_memory(p);
        return 0;
    }
    unit->codes[unit->code_count] = (uint32_t)code | arg << UNIT_ARG_BITS;
    return unit->code_count++;
}

uint32_t parse_emit(parse *p, unit_code code, uint32_t arg)
{
    static const uint8_t taken[] = {
#define OBAN_X(NAME, taken, left) taken,
        UNIT_CODES(OBAN_X)
#undef OBAN_X
    };
    static const uint8_t left[] = {
#define OBAN_X(NAME, taken, left) left,
        UNIT_CODES(OBAN_X)
#undef OBAN_X
    };
    parse_stack(p, taken[code], left[code]);
    return parse_put(p, code, arg);
}

uint32_t parse_emit_call(parse *p, unit_code code, uint32_t call)
{
    if (p->stop != OBAN_OK) {
        return 0;
    }
    const unit_call *c = &p->unit->calls[call];
    uint32_t extra = code == UNIT_SCHEDULE_AT ? 1 : code == UNIT_SCHEDULE_EVERY ? 2 : 0;
    parse_stack(p, (c->strong ? c->word_count : 0) + extra, c->nested ? 1 : 0);
    return parse_put(p, code, call);
}

uint32_t parse_here(const parse *p)
{
    return p->unit->code_count;
}

void parse_land(parse *p, uint32_t at)
{
    if (p->stop == OBAN_OK) {
        uint32_t code = p->unit->codes[at] & 0xffu;
        p->unit->codes[at] = code | p->unit->code_count << UNIT_ARG_BITS;
    }
}

void parse_constant(parse *p, oban_value value)
{
    oban_unit *unit = p->unit;
    if (!unit_reserve_constant(unit)) {
        parse_no_memory(p);
        return;
    }
    unit->constants[unit->constant_count++] = value;
    (void)parse_emit(p, UNIT_CONSTANT, unit->constant_count - 1);
}

void parse_int(parse *p, int32_t value)
{
    if (value >= -0x800000 && value <= 0x7fffff) {
        (void)parse_emit(p, UNIT_INT, (uint32_t)value & UNIT_ARG_MAX);
    } else {
        parse_constant(p, (oban_value){OBAN_VALUE_INT, {.i = value}});
    }
}

/* ---- names, words, locals ---------------------------------------------------------------------
 */

uint32_t parse_name(parse *p, oban_text text, oban_place place)
{
    if (text.bytes > OBAN_SCRIPT_NAME_MAX) {
        oban_line *line = parse_fault(p, place, "name_bytes_max is ");
        oban_line_add_u64(line, OBAN_SCRIPT_NAME_MAX);
        oban_line_add(line, ": this name is longer");
        return 0;
    }
    uint32_t name = oban_names_add(&p->unit->names, text);
    if (name == OBAN_NO_NAME) {
        parse_no_memory(p);
        return 0;
    }
    return name;
}

uint32_t parse_offset(const parse *p, oban_text text)
{
    return (uint32_t)(text.data - p->unit->text);
}

uint32_t parse_add_words(parse *p, const unit_word *words, uint32_t count)
{
    oban_unit *unit = p->unit;
    uint32_t first = unit->word_count;
    for (uint32_t i = 0; i < count; i++) {
        if (words[i].bytes > OBAN_SCRIPT_STRING_MAX && words[i].kind != UNIT_WORD_EXPRESSION) {
            oban_line *line = parse_fault(p, words[i].place, "string_bytes_max is ");
            oban_line_add_u64(line, OBAN_SCRIPT_STRING_MAX);
            oban_line_add(line, ": this text is longer");
        }
        if (!unit_reserve_word(unit)) {
            parse_no_memory(p);
            return 0;
        }
        unit->words[unit->word_count++] = words[i];
    }
    return first;
}

uint32_t parse_local(const parse *p, oban_text name)
{
    const oban_unit *unit = p->unit;
    for (uint32_t i = 0; i < p->function.local_count; i++) {
        uint32_t local = unit->locals[p->function.local_first + i].name;
        if (local != UNIT_NONE && oban_text_equal(unit_name_text(unit, local), name)) {
            return i;
        }
    }
    return UNIT_NONE;
}

uint32_t parse_add_local(parse *p, uint32_t name, oban_value_type type)
{
    oban_unit *unit = p->unit;
    if (p->function.local_count >= OBAN_SCRIPT_LOCALS_MAX) {
        oban_line *line = parse_fault(p, p->t.place, "locals_max is ");
        oban_line_add_u64(line, OBAN_SCRIPT_LOCALS_MAX);
        oban_line_add(line, ": the function has more variables");
        return 0;
    }
    if (!unit_reserve_local(unit)) {
        parse_no_memory(p);
        return 0;
    }
    unit->locals[unit->local_count++] = (unit_local){name, type};
    return p->function.local_count++;
}

bool parse_enter(parse *p)
{
    if (p->depth >= OBAN_SCRIPT_DEPTH_MAX) {
        oban_line *line = parse_fault(p, p->t.place, "depth_max is ");
        oban_line_add_u64(line, OBAN_SCRIPT_DEPTH_MAX);
        oban_line_add(line, ": blocks or brackets lie deeper within one another");
        return false;
    }
    p->depth++;
    return true;
}

void parse_leave(parse *p)
{
    p->depth--;
}
