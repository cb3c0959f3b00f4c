/* SPDX-License-Identifier: MIT */
/* Values of a machine: strings in its table, one type made another, operators.
 * Strings that nobody holds any more are collected when the table is full, once a pass.
 * Source: facts/bsl.md 1.4, 1.5; what it leaves open is ours. Next: run.c. */
#include "core/bsl/tasks.h"
#include "core/bsl/word.h"

#include <float.h>
#include <string.h>

/* ---- collecting strings
 * -------------------------------------------------------------------------- */

/* The table that takes the place of the old one. First all strings are put into it, then, when that
 * went well, whoever holds one is given its new number. */
typedef struct value_collector {
    oban_machine *m;
    oban_names fresh;
    bool moves;
} value_collector;

/* False when memory is out. */
static bool value_keep(value_collector *c, uint32_t *string)
{
    uint32_t name = oban_names_add(&c->fresh, oban_names_text(&c->m->strings, *string));
    if (name != OBAN_NO_NAME && c->moves) {
        *string = name;
    }
    return name != OBAN_NO_NAME;
}

static bool value_keep_task(value_collector *c, task *t)
{
    bool good = value_keep(c, &t->who) && value_keep(c, &t->entry);
    for (uint32_t i = 0; i < t->value_count && good; i++) {
        if (t->values[i].type == OBAN_VALUE_STRING) {
            good = value_keep(c, &t->values[i].as.s);
        }
    }
    return good;
}

static bool value_keep_all(value_collector *c)
{
    oban_machine *m = c->m;
    oban_program *program = m->program;
    bool good = true;
    for (uint32_t i = 0; i < m->task_slots && good; i++) {
        good = m->tasks[i].task == NULL || value_keep_task(c, m->tasks[i].task);
    }
    for (uint32_t i = 0; i < program->variable_names.count && good; i++) {
        if (program->variables[i].value.type == OBAN_VALUE_STRING) {
            good = value_keep(c, &program->variables[i].value.as.s);
        }
    }
    for (uint32_t i = 0; i < m->actor_count && good; i++) {
        good = value_keep(c, &m->actors[i].who);
    }
    return good;
}

static void value_collect(oban_machine *m)
{
    value_collector c = {.m = m};
    oban_names_init(&c.fresh, m->alloc);
    m->swept = true;
    if (oban_names_add(&c.fresh, (oban_text){"", 0}) != 0 || !value_keep_all(&c)) {
        oban_names_fini(&c.fresh);
        return;
    }
    c.moves = true;
    (void)value_keep_all(&c); /* all are there: nothing is asked for */
    oban_names_fini(&m->strings);
    m->strings = c.fresh;
}

static bool value_full(const oban_machine *m, uint32_t bytes)
{
    return m->strings.count >= TASKS_STRINGS_MAX ||
           (uint64_t)m->strings.byte_count + bytes > OBAN_STRINGS_BYTES_MAX;
}

uint32_t value_string(oban_machine *m, const task *t, oban_text text)
{
    uint32_t name = oban_names_find(&m->strings, text);
    if (name != OBAN_NO_NAME) {
        return name;
    }
    if (value_full(m, text.bytes)) {
        oban_line line;
        oban_line_clear(&line);
        oban_line_add(&line, "strings_bytes_max is ");
        oban_line_add_u64(&line, OBAN_STRINGS_BYTES_MAX);
        oban_line_add(&line, ": a text is taken as empty");
        tell_warning(m, t, OBAN_OK, task_at(m, t).place, line.data);
        return 0;
    }
    name = oban_names_add(&m->strings, text);
    return name == OBAN_NO_NAME ? 0 : name;
}

void value_make_room(oban_machine *m)
{
    bool near = m->strings.count >= TASKS_STRINGS_MAX / 2 ||
                m->strings.byte_count >= OBAN_STRINGS_BYTES_MAX / 2;
    if (near && !m->swept) {
        value_collect(m);
    }
}

oban_text value_text(const oban_machine *m, uint32_t string)
{
    return oban_names_text(&m->strings, string);
}

/* ---- one type made another
 * ----------------------------------------------------------------------- */

oban_value value_zero(oban_value_type type)
{
    return (oban_value){type == OBAN_VALUE_VOID ? OBAN_VALUE_INT : type, {0}};
}

double value_number(oban_machine *m, const task *t, oban_value value)
{
    double number = 0;
    if (value.type != OBAN_VALUE_STRING) {
        return value.type == OBAN_VALUE_FLOAT ? (double)value.as.f : (double)value.as.i;
    }
    oban_text text = value_text(m, value.as.s);
    if (!oban_value_number_of(text, &number)) {
        bool is_true = oban_text_equal(text, oban_text_of("true"));
        if (!is_true && !oban_text_equal(text, oban_text_of("false"))) {
            oban_line line;
            oban_line_clear(&line);
            oban_line_add(&line, "the text ");
            word_tell(text, &line);
            oban_line_add(&line, " is taken as the number 0");
            tell_warning(m, t, OBAN_OK, task_at(m, t).place, line.data);
        }
        return is_true ? 1 : 0;
    }
    return number;
}

bool value_truth(const oban_machine *m, oban_value value)
{
    double number = 0;
    if (value.type == OBAN_VALUE_STRING) {
        oban_text text = value_text(m, value.as.s);
        return oban_value_number_of(text, &number) ? number != 0
                                                   : oban_text_equal(text, oban_text_of("true"));
    }
    return value.type == OBAN_VALUE_FLOAT ? value.as.f != 0 : value.as.i != 0;
}

static float value_finite(double number)
{
    return number > (double)FLT_MAX    ? FLT_MAX
           : number < -(double)FLT_MAX ? -FLT_MAX
                                       : (float)number;
}

oban_text value_show(const oban_machine *m, oban_value value, oban_line *line)
{
    oban_line_clear(line);
    if (value.type == OBAN_VALUE_STRING) {
        return value_text(m, value.as.s);
    }
    if (value.type == OBAN_VALUE_FLOAT) {
        oban_value_add_float(line, value.as.f);
    } else {
        oban_line_add_i64(line, value.as.i);
    }
    return (oban_text){line->data, line->bytes};
}

oban_value value_convert(oban_machine *m, const task *t, oban_value value, oban_value_type type)
{
    oban_value out = value_zero(type);
    oban_line line;
    if (value.type == type) {
        return value;
    }
    switch (type) {
    case OBAN_VALUE_INT:
        out.as.i = oban_value_int_of(value_number(m, t, value));
        break;
    case OBAN_VALUE_FLOAT:
        out.as.f = value_finite(value_number(m, t, value));
        break;
    case OBAN_VALUE_BOOL:
        out.as.i = value_truth(m, value) ? 1 : 0;
        break;
    case OBAN_VALUE_STRING:
        out.as.s = value_string(m, t, value_show(m, value, &line));
        break;
    case OBAN_VALUE_VOID:
        break;
    }
    return out;
}

/* ---- operators
 * ----------------------------------------------------------------------------------- */

/* Texts by their bytes, the shorter of two that begin alike first. */
static int value_order_texts(oban_text a, oban_text b)
{
    uint32_t bytes = a.bytes < b.bytes ? a.bytes : b.bytes;
    int order = bytes > 0 ? memcmp(a.data, b.data, bytes) : 0;
    return order != 0 ? order : a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : 0;
}

static bool value_is_whole(oban_value value)
{
    return value.type == OBAN_VALUE_INT || value.type == OBAN_VALUE_BOOL;
}

static int value_order(oban_machine *m, const task *t, oban_value a, oban_value b)
{
    if (a.type == OBAN_VALUE_STRING && b.type == OBAN_VALUE_STRING) {
        return value_order_texts(value_text(m, a.as.s), value_text(m, b.as.s));
    }
    if (value_is_whole(a) && value_is_whole(b)) {
        return a.as.i < b.as.i ? -1 : a.as.i > b.as.i ? 1 : 0;
    }
    double left = value_number(m, t, a);
    double right = value_number(m, t, b);
    return left < right ? -1 : left > right ? 1 : 0;
}

static oban_value value_sum(oban_machine *m, const task *t, oban_value a, oban_value b, bool minus)
{
    if (value_is_whole(a) && value_is_whole(b)) {
        uint32_t left = (uint32_t)a.as.i;
        uint32_t right = (uint32_t)b.as.i;
        uint32_t sum = minus ? left - right : left + right;
        oban_value out = value_zero(OBAN_VALUE_INT);
        memcpy(&out.as.i, &sum, sizeof sum);
        return out;
    }
    double left = value_number(m, t, a);
    double right = value_number(m, t, b);
    oban_value out = value_zero(OBAN_VALUE_FLOAT);
    out.as.f = value_finite(minus ? left - right : left + right);
    return out;
}

oban_value value_operate(oban_machine *m, const task *t, unit_code code, oban_value a, oban_value b)
{
    if (code == UNIT_ADD || code == UNIT_SUBTRACT) {
        return value_sum(m, t, a, b, code == UNIT_SUBTRACT);
    }
    int order = value_order(m, t, a, b);
    oban_value out = value_zero(OBAN_VALUE_BOOL);
    switch (code) {
    case UNIT_EQUAL:
        out.as.i = order == 0;
        break;
    case UNIT_UNEQUAL:
        out.as.i = order != 0;
        break;
    case UNIT_LESS:
        out.as.i = order < 0;
        break;
    case UNIT_MORE:
        out.as.i = order > 0;
        break;
    case UNIT_AT_MOST:
        out.as.i = order <= 0;
        break;
    default:
        out.as.i = order >= 0;
        break;
    }
    return out;
}
