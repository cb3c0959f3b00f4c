/* SPDX-License-Identifier: MIT */
/* One instruction after another. A task runs until it waits, ends or is stopped; what it may do
 * without waiting is counted. Not here: commands (order.c). Next: order.c. */
#include "core/bsl/tasks.h"

#include <string.h>

/* The task at hand, and its call at hand, which any call may move. */
typedef struct run {
    oban_machine *m;
    task *t;
    task_frame *frame;
} run;

typedef run_step run_code(run *r, uint32_t arg);

static void run_push(run *r, oban_value value)
{
    r->t->values[r->t->value_count++] = value;
}

static oban_value run_pop(run *r)
{
    return r->t->values[--r->t->value_count];
}

static oban_value *run_top(run *r)
{
    return &r->t->values[r->t->value_count - 1];
}

/* ---- limits -------------------------------------------------------------------------------------
 */

/* Statements of this pass have run out: the newest go first, down to the one that runs. */
static run_step run_spent(run *r)
{
    oban_machine *m = r->m;
    m->spent = true;
    for (uint32_t i = m->task_slots; i > 0; i--) {
        task *t = m->tasks[i - 1].task;
        if (t != NULL && queue_is_due(t) && t->id > r->t->id) {
            task_stop(m, t, "statements_per_tick_max", m->statements_max);
            i = i > m->task_slots ? m->task_slots + 1 : i;
        }
    }
    task_stop(m, r->t, "statements_per_tick_max", m->statements_max);
    return RUN_OVER;
}

/* The one task that has used the most of a pass goes, and what it used is given back to those
 * behind it; once a pass, so that a pass stays bounded. */
static run_step run_runaway(run *r, const char *limit, uint32_t value)
{
    oban_machine *m = r->m;
    if (!m->forgiven) {
        m->forgiven = true;
        m->statements -= m->statements < r->t->statements ? m->statements : r->t->statements;
    }
    task_stop(m, r->t, limit, value);
    return RUN_OVER;
}

static run_step run_count(run *r)
{
    oban_machine *m = r->m;
    if (++r->t->statements > OBAN_TASK_STATEMENTS_MAX) {
        return run_runaway(r, "task_statements_max", OBAN_TASK_STATEMENTS_MAX);
    }
    if (m->statements >= m->statements_max) {
        bool most = r->t->statements > m->statements_max / 2;
        return most && !m->forgiven ? run_runaway(r, "statements_per_tick_max", m->statements_max)
                                    : run_spent(r);
    }
    m->statements++;
    if (m->tells > TASKS_TELLS_MAX) {
        task_stop(m, r->t, "tells_per_tick_max", TASKS_TELLS_MAX);
        return RUN_OVER;
    }
    return RUN_ON;
}

static run_step run_statement(run *r, uint32_t arg)
{
    r->frame->statement = arg;
    return run_count(r);
}

static run_step run_round(run *r, uint32_t arg)
{
    (void)arg;
    return run_count(r);
}

static run_step run_fault(run *r, uint32_t arg)
{
    const oban_unit *unit = r->frame->unit;
    tell_warning(r->m, r->t, OBAN_BAD_SCRIPT, task_at(r->m, r->t).place, unit->faults[arg].data);
    return RUN_ON;
}

/* ---- values -------------------------------------------------------------------------------------
 */

static run_step run_int(run *r, uint32_t arg)
{
    oban_value value = value_zero(OBAN_VALUE_INT);
    value.as.i = (arg & 0x800000u) != 0 ? (int32_t)arg - 0x1000000 : (int32_t)arg;
    run_push(r, value);
    return RUN_ON;
}

static run_step run_constant(run *r, uint32_t arg)
{
    run_push(r, r->frame->unit->constants[arg]);
    return RUN_ON;
}

static oban_value run_string_of(run *r, oban_text text)
{
    oban_value value = value_zero(OBAN_VALUE_STRING);
    value.as.s = value_string(r->m, r->t, text);
    return value;
}

static run_step run_text(run *r, uint32_t arg)
{
    const oban_unit *unit = r->frame->unit;
    run_push(r, run_string_of(r, unit_word_text(unit, &unit->words[arg])));
    return RUN_ON;
}

static run_step run_local(run *r, uint32_t arg)
{
    run_push(r, r->t->values[r->frame->base + arg]);
    return RUN_ON;
}

static run_step run_local_set(run *r, uint32_t arg)
{
    const oban_unit *unit = r->frame->unit;
    const unit_function *function = &unit->functions[r->frame->function];
    oban_value_type type = unit->locals[function->local_first + arg].type;
    oban_value value = run_pop(r);
    r->t->values[r->frame->base + arg] = value_convert(r->m, r->t, value, type);
    return RUN_ON;
}

static run_step run_name(run *r, uint32_t arg)
{
    const oban_unit *unit = r->frame->unit;
    uint32_t variable = unit->links[arg].variable;
    run_push(r, variable != OBAN_NO_NAME ? r->m->program->variables[variable].value
                                         : run_string_of(r, unit_name_text(unit, arg)));
    return RUN_ON;
}

/* A variable that no script declares is the game's: whoever listens may want to set it. */
static run_step run_name_set(run *r, uint32_t arg)
{
    const oban_unit *unit = r->frame->unit;
    program_variable *global = &r->m->program->variables[unit->links[arg].variable];
    oban_value value = run_pop(r);
    oban_line line;
    if (global->declared) {
        global->value = value_convert(r->m, r->t, value, global->type);
    } else {
        oban_text words[2] = {oban_text_of("="), value_show(r->m, value, &line)};
        global->value = value;
        global->type = value.type;
        (void)tell_script(r->m, r->t, unit_name_text(unit, arg), OBAN_NOOP, words, 2, 0);
    }
    global->set = true;
    return RUN_ON;
}

/* ---- operators ----------------------------------------------------------------------------------
 */

static run_step run_negate(run *r, uint32_t arg)
{
    (void)arg;
    oban_value value = run_pop(r);
    run_push(r, value_operate(r->m, r->t, UNIT_SUBTRACT, value_zero(OBAN_VALUE_INT), value));
    return RUN_ON;
}

static void run_set_bool(run *r, bool is_true)
{
    oban_value value = value_zero(OBAN_VALUE_BOOL);
    value.as.i = is_true ? 1 : 0;
    *run_top(r) = value;
}

static run_step run_not(run *r, uint32_t arg)
{
    (void)arg;
    run_set_bool(r, !value_truth(r->m, *run_top(r)));
    return RUN_ON;
}

static run_step run_bool(run *r, uint32_t arg)
{
    (void)arg;
    run_set_bool(r, value_truth(r->m, *run_top(r)));
    return RUN_ON;
}

static run_step run_operate(run *r, uint32_t arg)
{
    (void)arg;
    unit_code code = (unit_code)(r->frame->unit->codes[r->frame->pc - 1] & 0xffu);
    oban_value b = run_pop(r);
    oban_value a = run_pop(r);
    run_push(r, value_operate(r->m, r->t, code, a, b));
    return RUN_ON;
}

/* ---- jumps --------------------------------------------------------------------------------------
 */

static run_step run_jump(run *r, uint32_t arg)
{
    r->frame->pc = arg;
    return RUN_ON;
}

static run_step run_jump_false(run *r, uint32_t arg)
{
    if (!value_truth(r->m, run_pop(r))) {
        r->frame->pc = arg;
    }
    return RUN_ON;
}

static run_step run_and(run *r, uint32_t arg)
{
    if (run_top(r)->as.i == 0) {
        r->frame->pc = arg;
    } else {
        (void)run_pop(r);
    }
    return RUN_ON;
}

static run_step run_or(run *r, uint32_t arg)
{
    if (run_top(r)->as.i != 0) {
        r->frame->pc = arg;
    } else {
        (void)run_pop(r);
    }
    return RUN_ON;
}

/* ---- calls --------------------------------------------------------------------------------------
 */

static void run_warn_extra(run *r, const unit_call *call, const unit_function *function)
{
    if (call->word_count > function->param_count) {
        const oban_unit *unit = r->frame->unit;
        const unit_word *w = &unit->words[call->word_first + function->param_count];
        oban_line line;
        oban_line_clear(&line);
        oban_line_add(&line, "an extra word ");
        word_tell(unit_word_text(unit, w), &line);
        oban_line_add(&line, " is ignored; the function takes ");
        oban_line_add_u64(&line, function->param_count);
        tell_warning(r->m, r->t, OBAN_OK, w->place, line.data);
    }
}

/* The arguments of a call, which leave the stack; `above` values lie on top of them. */
static uint32_t run_take_values(run *r, const unit_call *call, uint32_t above, oban_value *args)
{
    uint32_t count = order_values(r->m, r->t, call, above, args);
    r->t->value_count -= (call->strong ? call->word_count : 0) + above;
    return count;
}

static run_step run_call_function(run *r, const unit_call *call, uint32_t index)
{
    oban_value args[OBAN_SCRIPT_WORDS_MAX];
    const program_function *function = &r->m->program->table.functions[index];
    uint64_t value = 0;
    run_warn_extra(r, call, &function->unit->functions[function->index]);
    uint32_t count = run_take_values(r, call, 0, args);
    const char *limit =
        task_enter(r->m, r->t, function->unit, function->index, args, count, call->nested, &value);
    if (limit != NULL) {
        task_stop(r->m, r->t, limit, value);
        return RUN_OVER;
    }
    return RUN_ON;
}

static run_step run_call(run *r, uint32_t arg)
{
    const oban_unit *unit = r->frame->unit;
    const unit_call *call = &unit->calls[arg];
    uint32_t function = unit->links[call->name].function;
    return function != UNIT_NONE ? run_call_function(r, call, function)
                                 : order_run(r->m, r->t, arg);
}

/* Endless forks: all that have come from one fork of a root go, the newest first, and the root too
 * when it is the one that forks itself. Stopping only the newest would let them fill the house anew
 * in each tick. */
static void run_stop_branch(oban_machine *m, const task *newest)
{
    uint64_t branch = newest->branch;
    uint64_t root = newest->root;
    uint32_t entry = newest->entry;
    for (uint32_t i = m->task_slots; i > 0; i--) {
        task *t = i <= m->task_slots ? m->tasks[i - 1].task : NULL;
        if (t != NULL && (t->branch == branch || (t->id == root && t->entry == entry))) {
            task_stop(m, t, "tasks_max", m->tasks_max);
        }
    }
}

/* Room for one more task: when the house is full the newest goes. False: so did the caller. */
static bool run_make_room(oban_machine *m, const task *caller)
{
    uint64_t id = caller->id;
    if (m->task_count < m->tasks_max) {
        return true;
    }
    task *newest = task_newest(m);
    if (newest->recursive || newest->generation >= TASKS_GENERATIONS) {
        run_stop_branch(m, newest);
    } else {
        task_stop(m, newest, "tasks_max", m->tasks_max);
    }
    return task_find(m, id) == caller;
}

static void run_descend(task *t, const task *from)
{
    t->root = from->root;
    t->branch = from->generation == 0 ? t->id : from->branch;
    t->generation = from->generation + 1;
    t->recursive = from->recursive || from->entry == t->entry;
}

task *run_start(oban_machine *m, task *caller, task_kind kind, uint32_t function,
                const oban_value *args, uint32_t count)
{
    const program_function *f = &m->program->table.functions[function];
    const unit_function *code = &f->unit->functions[f->index];
    task *t = NULL;
    uint64_t value = 0;
    if (!run_make_room(m, caller)) {
        return NULL;
    }
    const char *limit = NULL;
    if (task_create(m, kind, unit_name_text(f->unit, code->name), &t) != OBAN_OK) {
        return NULL;
    }
    run_descend(t, caller);
    limit = task_enter(m, t, f->unit, f->index, args, count, false, &value);
    if (limit != NULL) {
        task_stop(m, t, limit, value);
        return NULL;
    }
    return t;
}

/* What fork and schedule need: a script function. Without one they are passed over. */
static bool run_needs_function(run *r, const unit_call *call, uint32_t *function)
{
    oban_line line;
    *function = r->frame->unit->links[call->name].function;
    if (*function != UNIT_NONE) {
        return true;
    }
    oban_line_clear(&line);
    if (r->m->searches++ < TASKS_NEAREST_MAX) {
        oban_program_function_missing(r->m->program, unit_name_text(r->frame->unit, call->name),
                                      &line);
    } else {
        oban_line_add(&line, "no such function");
    }
    tell_warning(r->m, r->t, OBAN_NO_SCRIPT, call->place, line.data);
    return false;
}

/* A task beside, with the arguments of a call. NULL: there is none; the caller may be gone. */
static task *run_beside(run *r, const unit_call *call, task_kind kind, uint32_t above)
{
    oban_value args[OBAN_SCRIPT_WORDS_MAX];
    uint32_t function;
    bool there = run_needs_function(r, call, &function);
    if (there) {
        const program_function *f = &r->m->program->table.functions[function];
        run_warn_extra(r, call, &f->unit->functions[f->index]);
    }
    uint32_t count = run_take_values(r, call, above, args);
    return there ? run_start(r->m, r->t, kind, function, args, count) : NULL;
}

static run_step run_fork(run *r, uint32_t arg)
{
    uint64_t id = r->t->id;
    task *t = run_beside(r, &r->frame->unit->calls[arg], TASK_FUNCTION, 0);
    if (t != NULL) {
        tell_task(r->m, t, OBAN_TASK_STARTED);
        queue_ready(r->m, t);
    }
    return task_find(r->m, id) == r->t ? RUN_ON : RUN_OVER;
}

static uint64_t run_ticks(run *r, oban_value value)
{
    double ticks = value_number(r->m, r->t, value);
    if (ticks < 0) {
        tell_warning(r->m, r->t, OBAN_OK, task_at(r->m, r->t).place,
                     "less than 0 ticks is taken as 0");
    }
    return ticks <= 0 ? 0 : (uint64_t)oban_value_int_of(ticks);
}

static run_step run_schedule(run *r, uint32_t arg, task_kind kind, uint64_t ticks, int32_t rounds,
                             uint32_t above)
{
    uint64_t id = r->t->id;
    task *t = run_beside(r, &r->frame->unit->calls[arg], kind, above);
    if (t != NULL) {
        t->every = ticks;
        t->rounds = rounds;
        tell_task(r->m, t, OBAN_TASK_STARTED);
        if (ticks == 0) {
            queue_ready(r->m, t);
        } else {
            task_sleep(r->m, t, OBAN_WAIT_SCHEDULE, r->m->tick + ticks);
        }
    }
    return task_find(r->m, id) == r->t ? RUN_ON : RUN_OVER;
}

static run_step run_schedule_at(run *r, uint32_t arg)
{
    return run_schedule(r, arg, TASK_ONCE, run_ticks(r, *run_top(r)), 1, 1);
}

static run_step run_schedule_every(run *r, uint32_t arg)
{
    uint64_t ticks = run_ticks(r, *run_top(r));
    double rounds = value_number(r->m, r->t, r->t->values[r->t->value_count - 2]);
    if (ticks == 0) {
        tell_warning(r->m, r->t, OBAN_OK, task_at(r->m, r->t).place,
                     "every 0 ticks is taken as every tick");
        ticks = 1;
    }
    return run_schedule(r, arg, TASK_REPEAT, ticks, oban_value_int_of(rounds), 2);
}

/* A sleep of 0 ticks is none: the task goes on at once, and what it does counts on. */
static run_step run_sleep(run *r, uint32_t arg)
{
    (void)arg;
    uint64_t ticks = run_ticks(r, run_pop(r));
    if (ticks == 0) {
        return RUN_ON;
    }
    task_sleep(r->m, r->t, OBAN_WAIT_SLEEP, r->m->tick + ticks);
    return RUN_OVER;
}

static run_step run_leave(run *r, oban_value value)
{
    task_leave(r->m, r->t, value);
    if (r->t->frame_count == 0) {
        task_end(r->m, r->t);
        return RUN_OVER;
    }
    return RUN_ON;
}

static run_step run_return(run *r, uint32_t arg)
{
    (void)arg;
    return run_leave(r, value_zero(OBAN_VALUE_INT));
}

static run_step run_return_value(run *r, uint32_t arg)
{
    (void)arg;
    oban_value value = run_pop(r);
    return run_leave(r, value);
}

/* ---- the turn -----------------------------------------------------------------------------------
 */

static run_code *const run_codes[UNIT_CODE_COUNT] = {
    [UNIT_STATEMENT] = run_statement,
    [UNIT_FAULT] = run_fault,
    [UNIT_ROUND] = run_round,
    [UNIT_INT] = run_int,
    [UNIT_CONSTANT] = run_constant,
    [UNIT_TEXT] = run_text,
    [UNIT_LOCAL] = run_local,
    [UNIT_LOCAL_SET] = run_local_set,
    [UNIT_NAME] = run_name,
    [UNIT_NAME_SET] = run_name_set,
    [UNIT_NEGATE] = run_negate,
    [UNIT_NOT] = run_not,
    [UNIT_ADD] = run_operate,
    [UNIT_SUBTRACT] = run_operate,
    [UNIT_EQUAL] = run_operate,
    [UNIT_UNEQUAL] = run_operate,
    [UNIT_LESS] = run_operate,
    [UNIT_MORE] = run_operate,
    [UNIT_AT_MOST] = run_operate,
    [UNIT_AT_LEAST] = run_operate,
    [UNIT_BOOL] = run_bool,
    [UNIT_AND] = run_and,
    [UNIT_OR] = run_or,
    [UNIT_JUMP] = run_jump,
    [UNIT_JUMP_FALSE] = run_jump_false,
    [UNIT_CALL] = run_call,
    [UNIT_FORK] = run_fork,
    [UNIT_SCHEDULE_AT] = run_schedule_at,
    [UNIT_SCHEDULE_EVERY] = run_schedule_every,
    [UNIT_SLEEP] = run_sleep,
    [UNIT_RETURN] = run_return,
    [UNIT_RETURN_VALUE] = run_return_value,
};

/* A repeated call that is due: a task of its own for each time; the last time it ends. Its
 * arguments are the first values of its call, which never begins. */
static void run_repeat(oban_machine *m, task *t)
{
    uint64_t id = t->id;
    uint32_t function;
    oban_text entry = value_text(m, t->entry);
    if (!oban_program_function_find(m->program, entry, &function)) {
        oban_line line;
        oban_line_clear(&line);
        oban_program_function_missing(m->program, entry, &line);
        tell_warning(m, t, OBAN_NO_SCRIPT, task_at(m, t).place, line.data);
        task_end(m, t);
        return;
    }
    const task_frame *frame = &t->frames[0];
    uint32_t count = frame->unit->functions[frame->function].param_count;
    task *made = run_start(m, t, TASK_FUNCTION, function, t->values, count);
    if (made != NULL) {
        tell_task(m, made, OBAN_TASK_STARTED);
        queue_ready(m, made);
    }
    if (task_find(m, id) != t) {
        return;
    }
    bool last = t->rounds == 1;
    t->rounds -= t->rounds > 0 ? 1 : 0;
    if (last) {
        task_end(m, t);
    } else {
        task_sleep(m, t, OBAN_WAIT_SCHEDULE, m->tick + t->every);
    }
}

void run_turn(oban_machine *m, task *t)
{
    run r = {m, t, NULL};
    run_step step = RUN_ON;
    m->stopped_by = NULL;
    m->running = t;
    if (t->kind == TASK_REPEAT) {
        run_repeat(m, t);
        return;
    }
    if (t->kind == TASK_ONCE) {
        t->kind = TASK_FUNCTION;
    }
    while (step == RUN_ON) {
        r.frame = &t->frames[t->frame_count - 1];
        uint32_t code = r.frame->unit->codes[r.frame->pc++];
        step = run_codes[code & 0xffu](&r, code >> UNIT_ARG_BITS);
    }
}
