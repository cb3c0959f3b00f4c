/* SPDX-License-Identifier: MIT */
/* Commands: a call's words made into an order, what it waits for before it is given, and what it
 * keeps busy. An order that must wait leaves its task at the call, which is tried again: so it
 * waits for the order before, gives its own, and does not wait for itself (behaviour 7).
 * Not here: the rows (words.h, commands.def), what the world does. Next: machine.c. */
#include "core/bsl/tasks.h"

#include <string.h>

/* An order at hand. */
typedef struct order {
    oban_machine *m;
    task *t;
    const oban_unit *unit;
    const unit_call *call;
    const unit_link *link;
    const oban_word_row *row;
    uint32_t count; /* of its words */
    oban_text words[OBAN_SCRIPT_WORDS_MAX];
    oban_line *shown; /* room for numbers as text; taken only when there are values */
} order;

/* ---- words --------------------------------------------------------------------------------------
 */

uint32_t order_values(oban_machine *m, const task *t, const unit_call *call, uint32_t above,
                      oban_value *out)
{
    if (call->strong) {
        const oban_value *first = t->values + t->value_count - above - call->word_count;
        memcpy(out, first, call->word_count * sizeof *out);
        return call->word_count;
    }
    const oban_unit *unit = t->frames[t->frame_count - 1].unit;
    for (uint32_t i = 0; i < call->word_count; i++) {
        out[i] = value_zero(OBAN_VALUE_STRING);
        out[i].as.s = value_string(m, t, unit_word_text(unit, &unit->words[call->word_first + i]));
    }
    return call->word_count;
}

static void order_words(order *o)
{
    const unit_call *call = o->call;
    o->count = call->word_count;
    for (uint32_t i = 0; i < call->word_count; i++) {
        o->words[i] =
            call->strong
                ? value_show(o->m, o->t->values[o->t->value_count - o->count + i], &o->shown[i])
                : unit_word_text(o->unit, &o->unit->words[call->word_first + i]);
    }
}

/* The words for the world's table: numbers and names alike are words there. */
static void order_fill_words(const order *o, fill_words *out)
{
    out->count = o->count;
    out->end = o->call->end;
    for (uint32_t i = 0; i < o->count && i < FILL_WORDS_MAX; i++) {
        const unit_word *w = &o->unit->words[o->call->word_first + i];
        bool quoted = !o->call->strong && w->kind == UNIT_WORD_QUOTED;
        out->list[i] = (word){quoted ? WORD_QUOTED : WORD_BARE, o->words[i], w->place};
    }
}

/* ---- lengths ------------------------------------------------------------------------------------
 */

static uint64_t order_number(const order *o, uint32_t at, double scale)
{
    double number = 0;
    if (at >= o->count || !oban_value_number_of(o->words[at], &number) || number <= 0) {
        return 0;
    }
    return (uint64_t)oban_value_int_of(number * scale + 0.5);
}

/* A name that is not in the table: once a warning, unless somebody has said what to take. */
static uint64_t order_missing(const order *o, oban_text name)
{
    oban_machine *m = o->m;
    oban_line line;
    if (m->has_default) {
        return m->duration_default;
    }
    if (oban_names_find(&m->missing, name) != OBAN_NO_NAME ||
        m->missing.count >= TASKS_MISSING_MAX ||
        oban_names_add(&m->missing, name) == OBAN_NO_NAME) {
        return 0;
    }
    oban_line_clear(&line);
    oban_line_add(&line, "no duration for ");
    word_tell(name, &line);
    oban_line_add(&line, "; it is taken as 0 ticks");
    tell_warning(m, o->t, OBAN_OK, o->call->place, line.data);
    return 0;
}

static uint64_t order_listed(const order *o, oban_text name, uint64_t otherwise)
{
    uint32_t at = oban_names_find(&o->m->duration_names, name);
    if (at != OBAN_NO_NAME) {
        return o->m->durations[at];
    }
    /* `sound_dialog_play_block pause`: no line of that name is played. */
    bool pause =
        o->row->occupies == OBAN_WAIT_DIALOG && oban_text_equal(name, oban_text_of("pause"));
    return otherwise > 0 || pause ? otherwise : order_missing(o, name);
}

static uint64_t order_length(const order *o)
{
    uint32_t at = o->row->length_word;
    bool there = at < o->count;
    switch (o->row->length) {
    case OBAN_LENGTH_LISTED:
        return there ? order_listed(o, o->words[at], 0) : 0;
    case OBAN_LENGTH_FRAMES:
        return there ? order_listed(o, o->words[at], order_number(o, at + 1, 1)) : 0;
    case OBAN_LENGTH_TICKS:
        return o->count > 0 ? order_number(o, o->count - 1, 1) : 0;
    case OBAN_LENGTH_SECONDS:
        return order_number(o, at, 60);
    case OBAN_LENGTH_COMMAND:
        return order_listed(o, oban_text_of(o->row->name), 0);
    case OBAN_LENGTH_NONE:
        break;
    }
    return 0;
}

static uint64_t order_until(const order *o, uint64_t length)
{
    return length > UINT64_MAX - o->m->tick ? UINT64_MAX : o->m->tick + length;
}

/* ---- what is kept busy --------------------------------------------------------------------------
 */

static task_actor *order_actor(oban_machine *m, uint32_t who, oban_wait kind)
{
    for (uint32_t i = 0; i < m->actor_count; i++) {
        if (m->actors[i].who == who && m->actors[i].kind == kind) {
            return &m->actors[i];
        }
    }
    return NULL;
}

static void order_drop_actors(oban_machine *m)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->actor_count; i++) {
        if (m->actors[i].until > m->tick) {
            m->actors[kept++] = m->actors[i];
        }
    }
    m->actor_count = kept;
}

/* Whom the first word names: "char_0" and "0" are one. */
static uint32_t order_who(const order *o)
{
    oban_who who;
    oban_line line;
    oban_text name = o->count > 0 ? o->words[0] : (oban_text){"", 0};
    if (oban_who_of(name, &who) && who.number >= 0) {
        oban_line_clear(&line);
        oban_line_add_i64(&line, who.number);
        name = (oban_text){line.data, line.bytes};
    }
    return value_string(o->m, o->t, name);
}

static void order_occupy_actor(const order *o, uint64_t until)
{
    oban_machine *m = o->m;
    uint32_t who = order_who(o);
    task_actor *actor = order_actor(m, who, o->row->occupies);
    if (actor == NULL && m->actor_count == TASKS_ACTORS_MAX) {
        order_drop_actors(m);
    }
    if (actor == NULL && m->actor_count < TASKS_ACTORS_MAX) {
        actor = &m->actors[m->actor_count++];
        *actor = (task_actor){who, o->row->occupies, 0};
    }
    if (actor == NULL) {
        oban_line line;
        oban_line_clear(&line);
        oban_line_add(&line, "actors_max is ");
        oban_line_add_u64(&line, TASKS_ACTORS_MAX);
        oban_line_add(&line, ": nobody can wait for this");
        tell_warning(m, o->t, OBAN_OK, o->call->place, line.data);
        return;
    }
    actor->until = until;
}

static void order_occupy(const order *o, uint64_t length)
{
    if (o->row->occupies == OBAN_WAIT_DIALOG && o->count > 0) {
        o->m->dialog_until = order_until(o, length);
    } else if (o->row->occupies == OBAN_WAIT_ANIMATION || o->row->occupies == OBAN_WAIT_FILM) {
        order_occupy_actor(o, order_until(o, length));
    }
}

/* ---- waiting ------------------------------------------------------------------------------------
 */

/* Until when what has a length is busy; 0: it is not. */
static uint64_t order_busy_until(const order *o)
{
    oban_machine *m = o->m;
    uint64_t until = m->dialog_until;
    if (o->row->wait != OBAN_WAIT_DIALOG) {
        uint32_t who = order_who(o);
        const task_actor *actor = order_actor(m, who, o->row->wait);
        o->t->who = who;
        until = actor != NULL ? actor->until : 0;
    }
    return until > m->tick ? until : 0;
}

/* Lets the task wait when the order before has not ended. True: it waits, and will come again. */
static bool order_waits(const order *o, const oban_command *command)
{
    task *t = o->t;
    bool listed = o->row->wait == OBAN_WAIT_DIALOG || o->row->wait == OBAN_WAIT_ANIMATION ||
                  o->row->wait == OBAN_WAIT_FILM;
    bool asked = o->row->wait == OBAN_WAIT_CAMERA || o->row->wait == OBAN_WAIT_OBJECTS ||
                 o->row->wait == OBAN_WAIT_CHARACTER;
    if (t->answered || (!listed && !asked)) {
        t->answered = false;
        return false;
    }
    if (listed) {
        uint64_t until = order_busy_until(o);
        if (until > 0) {
            task_sleep(o->m, t, o->row->wait, until);
        }
        return until > 0;
    }
    t->first = command->object;
    t->last = OBAN_HAS(command, to) ? command->to : command->object;
    if (o->row->wait == OBAN_WAIT_CHARACTER && o->count > 0) {
        t->who = order_who(o);
    }
    t->wait = o->row->wait;
    if (task_asks(o->m, t)) {
        t->wait = OBAN_WAIT_NONE;
        return false;
    }
    t->wait = OBAN_WAIT_NONE;
    task_poll(o->m, t, o->row->wait);
    return true;
}

/* ---- giving orders ------------------------------------------------------------------------------
 */

static void order_say_result(const order *o, const oban_result *result)
{
    if (result->status != OBAN_OK) {
        if (o->m->sole != NULL) {
            o->m->sole->field = result->field;
        }
        tell_warning(o->m, o->t, result->status, o->call->place, result->message.data);
    }
    for (uint32_t i = 0; i < result->warning_count; i++) {
        tell_warning(o->m, o->t, OBAN_OK, o->call->place, result->warnings[i].data);
    }
}

static void order_apply(const order *o, const oban_bsl_statement *statement)
{
    oban_result result;
    oban_at at = task_at(o->m, o->t);
    (void)o->m->host.apply(o->m->host.context, &at, &statement->command, &result);
    bool fails = o->m->sole != NULL && result.status != OBAN_OK;
    for (uint32_t i = 0; i < statement->warning_count && !fails; i++) {
        tell_warning(o->m, o->t, OBAN_OK, statement->warnings[i].place,
                     statement->warnings[i].message.data);
    }
    order_say_result(o, &result);
}

/* `timer_start seconds function`: one countdown at a time. */
static void order_timer_start(const order *o, uint64_t length)
{
    oban_machine *m = o->m;
    uint32_t function;
    oban_line line;
    oban_text name = o->count > 1 ? o->words[1] : (oban_text){"", 0};
    task *old = m->timer != 0 ? task_find(m, m->timer) : NULL;
    if (!oban_program_function_find(m->program, name, &function)) {
        oban_line_clear(&line);
        oban_program_function_missing(m->program, name, &line);
        tell_warning(m, o->t, OBAN_NO_SCRIPT, o->call->place, line.data);
        return;
    }
    if (old != NULL && old->wait == OBAN_WAIT_TIMER) {
        task_stop(m, old, NULL, 0);
    }
    task *t = run_start(m, o->t, TASK_ONCE, function, NULL, 0);
    if (t != NULL) {
        m->timer = t->id;
        tell_task(m, t, OBAN_TASK_STARTED);
        task_sleep(m, t, OBAN_WAIT_TIMER, order_until(o, length > 0 ? length : 1));
    }
}

static void order_timer_stop(const order *o)
{
    task *old = o->m->timer != 0 ? task_find(o->m, o->m->timer) : NULL;
    if (old != NULL && old->wait == OBAN_WAIT_TIMER) {
        task_stop(o->m, old, NULL, 0);
    }
}

static void order_count_words(const order *o)
{
    uint32_t least;
    uint32_t most;
    oban_line line;
    oban_word_bounds(o->row, &least, &most);
    if (o->count >= least && o->count <= most) {
        return;
    }
    oban_line_clear(&line);
    if (o->count < least) {
        oban_line_add(&line, "words are missing; usage: ");
        oban_line_add(&line, o->row->name);
        oban_line_add(&line, " ");
        oban_line_add(&line, o->row->usage);
        tell_warning(o->m, o->t, OBAN_OK, o->call->end, line.data);
    } else {
        oban_line_add(&line, "extra words from ");
        word_tell(o->words[most], &line);
        oban_line_add(&line, " on mean nothing");
        tell_warning(o->m, o->t, OBAN_OK, o->unit->words[o->call->word_first + most].place,
                     line.data);
    }
}

/* What the world does not do: told to whoever can. Returns its length. */
static uint64_t order_tell(const order *o)
{
    const oban_word_row *row = o->row;
    oban_text own = unit_name_text(o->unit, o->call->name);
    bool family = row->name[strlen(row->name) - 1] == '*';
    bool alone = family || (row->wait == OBAN_WAIT_DIALOG && o->count == 0);
    uint64_t length = order_length(o);
    order_count_words(o);
    (void)tell_script(o->m, o->t, alone ? own : oban_text_of(row->stem), row->class_, o->words,
                      o->count, length);
    order_occupy(o, length);
    return length;
}

static run_step order_give(const order *o, const oban_bsl_statement *statement)
{
    oban_machine *m = o->m;
    const oban_word_row *row = o->row;
    uint64_t id = o->t->id;
    uint64_t length = 0;
    if (o->link->is_op) {
        order_apply(o, statement);
    } else if (row->stem[0] != '\0') {
        length = order_tell(o);
    }
    if (row->wait == OBAN_WAIT_TIMER) {
        order_timer_start(o, length);
    } else if (row->occupies == OBAN_WAIT_TIMER) {
        order_timer_stop(o);
    }
    if (task_find(m, id) != o->t) {
        return RUN_OVER;
    }
    if (o->call->strong) {
        o->t->value_count -= o->call->word_count;
    }
    if (o->call->nested) {
        o->t->values[o->t->value_count++] = value_zero(OBAN_VALUE_INT);
    }
    bool holds = row->wait == OBAN_WAIT_CONSOLE || row->wait == OBAN_WAIT_GAME;
    if (holds && length > 0) {
        task_sleep(m, o->t, row->wait, order_until(o, length));
        return RUN_OVER;
    }
    return RUN_ON;
}

/* Not done: a warning, and its arguments go. */
static run_step order_refuse(const order *o, oban_status status, const char *field,
                             oban_place place, const char *message)
{
    if (o->m->sole != NULL) {
        o->m->sole->field = field;
    }
    tell_warning(o->m, o->t, status, place, message);
    if (o->call->strong) {
        o->t->value_count -= o->call->word_count;
    }
    if (o->call->nested) {
        o->t->values[o->t->value_count++] = value_zero(OBAN_VALUE_INT);
    }
    return RUN_ON;
}

static run_step order_unknown(const order *o)
{
    oban_line line;
    oban_line_clear(&line);
    bool near = o->m->searches < TASKS_NEAREST_MAX;
    o->m->searches += near ? 1 : 0;
    program_unknown(o->m->program, o->unit, o->call->name, near, &line);
    return order_refuse(o, OBAN_UNKNOWN_OP, NULL, o->call->place, line.data);
}

static run_step order_known(order *o)
{
    oban_bsl_statement statement;
    oban_bsl_fault fault;
    memset(&statement, 0, sizeof statement);
    order_words(o);
    if (o->link->is_op) {
        fill_words words;
        order_fill_words(o, &words);
        statement.command.op = o->link->op;
        statement.place = o->call->place;
        if (fill_command(&statement, &words, &fault) != OBAN_OK) {
            return order_refuse(o, fault.status, fault.field, fault.place, fault.message.data);
        }
    }
    if (order_waits(o, &statement.command)) {
        o->t->frames[o->t->frame_count - 1].pc--;
        return RUN_OVER;
    }
    return order_give(o, &statement);
}

static run_step order_with_values(order *o)
{
    oban_line shown[OBAN_SCRIPT_WORDS_MAX];
    o->shown = shown;
    run_step step = order_known(o);
    o->shown = NULL;
    return step;
}

run_step order_run(oban_machine *m, task *t, uint32_t call)
{
    const oban_unit *unit = t->frames[t->frame_count - 1].unit;
    order o;
    o.m = m;
    o.t = t;
    o.unit = unit;
    o.call = &unit->calls[call];
    o.link = &unit->links[o.call->name];
    o.row = o.link->word;
    o.count = 0;
    o.shown = NULL;
    if (o.row == NULL || !o.row->bsl) {
        return order_unknown(&o);
    }
    return o.call->strong && o.call->word_count > 0 ? order_with_values(&o) : order_known(&o);
}
