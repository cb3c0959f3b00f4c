/* SPDX-License-Identifier: MIT */
/* The machine: its life, its passes, what starts and stops tasks from outside.
 * Not here: running (run.c), looking (look.c). Next: tasks.h. */
#include "core/bsl/machine.h"

#include "core/base/room.h"
#include "core/bsl/parse.h"
#include "core/bsl/tasks.h"

#include <string.h>

#define MACHINE_ROOM 256u /* tasks that the queues have room for from the start */

/* ---- life ---------------------------------------------------------------------------------------
 */

/* What reset brings back, but for variables. */
static bool machine_begin_state(oban_machine *m)
{
    m->tick = 0;
    m->turned_to = 0;
    m->next_id = 1;
    m->dialog_until = 0;
    m->actor_count = 0;
    m->timer = 0;
    oban_names_fini(&m->missing);
    oban_names_fini(&m->strings);
    return oban_names_add(&m->strings, (oban_text){"", 0}) == 0;
}

oban_status oban_machine_create(const oban_machine_def *def, oban_machine **out)
{
    const oban_program_def program = {.alloc = def->alloc,
                                      .script_bytes_max = def->script_bytes_max};
    oban_machine *m = oban_alloc_take(&def->alloc, sizeof *m);
    if (m == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(m, 0, sizeof *m);
    m->alloc = def->alloc;
    m->host = def->host;
    m->tasks_max = def->tasks_max;
    m->statements_max = def->statements_per_tick_max;
    oban_names_init(&m->strings, m->alloc);
    oban_names_init(&m->missing, m->alloc);
    oban_names_init(&m->duration_names, m->alloc);
    if (!machine_begin_state(m) || !queue_reserve(m, MACHINE_ROOM) ||
        oban_program_create(&program, &m->program) != OBAN_OK) {
        oban_machine_destroy(m);
        return OBAN_NO_MEMORY;
    }
    *out = m;
    return OBAN_OK;
}

static void machine_free_tasks(oban_machine *m)
{
    for (uint32_t i = m->task_slots; i > 0; i--) {
        if (i <= m->task_slots && m->tasks[i - 1].task != NULL) {
            task_free(m, m->tasks[i - 1].task);
        }
    }
    m->task_slots = 0;
}

void oban_machine_destroy(oban_machine *m)
{
    if (m == NULL) {
        return;
    }
    machine_free_tasks(m);
    while (m->free != NULL) {
        task *t = m->free;
        m->free = t->next_free;
        oban_alloc_give(&m->alloc, t->frames, t->frame_capacity * sizeof *t->frames);
        oban_alloc_give(&m->alloc, t->values, t->value_capacity * sizeof *t->values);
        oban_alloc_give(&m->alloc, t, sizeof *t);
    }
    oban_alloc_give(&m->alloc, m->tasks, m->task_capacity * sizeof *m->tasks);
    oban_alloc_give(&m->alloc, m->durations, m->duration_capacity * sizeof *m->durations);
    queue_fini(m);
    oban_names_fini(&m->strings);
    oban_names_fini(&m->missing);
    oban_names_fini(&m->duration_names);
    oban_program_destroy(m->program);
    const oban_alloc alloc = m->alloc;
    oban_alloc_give(&alloc, m, sizeof *m);
}

/* ---- variables ----------------------------------------------------------------------------------
 */

/* A task of its own gives a value that is more than a literal. */
static void machine_compute(oban_machine *m, const program_variable *variable, uint32_t function)
{
    task *t = NULL;
    uint64_t value = 0;
    oban_unit *unit = m->program->table.files[0];
    for (uint32_t i = 0; i < m->program->table.file_count && unit != variable->unit; i++) {
        unit = m->program->table.files[i];
    }
    oban_status status = task_create(m, TASK_FUNCTION, (oban_text){"", 0}, &t);
    if (status != OBAN_OK) {
        tell_warning(m, NULL, status, variable->unit->globals[variable->global].place,
                     "a variable did not get its value: no task could be started for it");
        return;
    }
    const char *limit = task_enter(m, t, unit, function, NULL, 0, false, &value);
    if (limit != NULL) {
        task_stop(m, t, limit, value);
        return;
    }
    tell_task(m, t, OBAN_TASK_STARTED);
    queue_ready(m, t);
}

static void machine_give_value(oban_machine *m, program_variable *variable)
{
    const oban_unit *unit = variable->unit;
    variable->value = value_zero(variable->type);
    variable->set = false;
    if (unit == NULL) {
        return;
    }
    const unit_global *global = &unit->globals[variable->global];
    if (global->function != UNIT_NONE) {
        machine_compute(m, variable, global->function);
        return;
    }
    if (!global->given) {
        return;
    }
    oban_value value = global->value;
    if (value.type == OBAN_VALUE_STRING) {
        value.as.s = value_string(m, NULL, unit_word_text(unit, &unit->words[value.as.s]));
    }
    variable->value = value_convert(m, NULL, value, variable->type);
    variable->set = true;
}

/* Variables that the last load has brought, or has given another type. */
static void machine_give_values(oban_machine *m, bool all)
{
    for (uint32_t i = 0; i < m->program->variable_names.count; i++) {
        program_variable *variable = &m->program->variables[i];
        bool changed =
            variable->declared && (!variable->was_declared || variable->was_type != variable->type);
        if (all || changed) {
            machine_give_value(m, variable);
        }
        variable->was_declared = variable->declared;
        variable->was_type = variable->type;
    }
}

void oban_machine_reset(oban_machine *m)
{
    machine_free_tasks(m);
    (void)machine_begin_state(m);
    oban_machine_begin(m, 0);
    machine_give_values(m, true);
}

/* ---- files --------------------------------------------------------------------------------------
 */

oban_status oban_machine_load(oban_machine *m, const oban_script_file *files, uint32_t count,
                              oban_findings *findings)
{
    oban_status status = oban_program_load(m->program, files, count, findings);
    if (status == OBAN_OK) {
        machine_give_values(m, false);
    }
    return status;
}

oban_status oban_machine_unload(oban_machine *m, oban_text name)
{
    oban_status status = oban_program_unload(m->program, name);
    if (status == OBAN_OK) {
        machine_give_values(m, false);
    }
    return status;
}

const oban_program *oban_machine_program(const oban_machine *m)
{
    return m->program;
}

/* ---- durations ----------------------------------------------------------------------------------
 */

oban_status oban_machine_duration_set(oban_machine *m, oban_text name, uint64_t ticks)
{
    uint32_t at = oban_names_find(&m->duration_names, name);
    if (at == OBAN_NO_NAME) {
        if (m->duration_names.count >= TASKS_DURATIONS_MAX) {
            return OBAN_LIMIT;
        }
        uint64_t *durations =
            oban_room_make(&m->alloc, m->durations, &m->duration_capacity, sizeof *durations,
                           (uint64_t)m->duration_names.count + 1);
        m->durations = durations != NULL ? durations : m->durations;
        at = durations != NULL ? oban_names_add(&m->duration_names, name) : OBAN_NO_NAME;
        if (at == OBAN_NO_NAME) {
            return OBAN_NO_MEMORY;
        }
    }
    m->durations[at] = ticks;
    return OBAN_OK;
}

void oban_machine_duration_default(oban_machine *m, uint64_t ticks)
{
    m->has_default = true;
    m->duration_default = ticks;
}

/* ---- passes -------------------------------------------------------------------------------------
 */

void oban_machine_begin(oban_machine *m, uint64_t tick)
{
    m->tick = tick;
    m->turn = 0;
    m->statements = 0;
    m->tells = 0;
    m->searches = 0;
    m->forgiven = false;
    m->spent = false;
    m->swept = false;
    if (m->task_count < m->task_slots) {
        task_sweep(m);
    }
}

void oban_machine_run(oban_machine *m)
{
    queue_wake(m);
    m->turn = 0;
    while (!m->spent) {
        value_make_room(m);
        task *t = queue_next(m);
        if (t == NULL) {
            break;
        }
        run_turn(m, t);
    }
}

uint64_t oban_machine_next(const oban_machine *m, bool *polls)
{
    *polls = m->poll_count > 0;
    return m->ready_count > 0 ? m->tick : queue_first(m);
}

/* ---- texts --------------------------------------------------------------------------------------
 */

/* What a text that was refused says: its first fault. */
static void machine_refuse_text(const oban_findings *findings, oban_text_outcome *outcome)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        if (findings->items[i].fault) {
            outcome->place = findings->items[i].place;
            outcome->message = findings->items[i].message;
            return;
        }
    }
    oban_line_add(&outcome->message, "memory ran out; nothing was changed");
}

/* Whether it is but one command, which fails like its JSON op. */
static bool machine_is_sole(const oban_unit *unit)
{
    const unit_statement *statement = unit->statements;
    return unit->statement_count == 1 && statement->kind == OBAN_STATEMENT_CALL &&
           unit->links[unit->calls[statement->call].name].function == UNIT_NONE;
}

static oban_status machine_start_text(oban_machine *m, oban_unit *unit, oban_text_outcome *outcome,
                                      task **out)
{
    uint64_t value = 0;
    oban_status status = task_create(m, TASK_TEXT, (oban_text){"", 0}, out);
    if (status == OBAN_OK) {
        (*out)->quiet = true;
        if (task_enter(m, *out, unit, unit->function_count - 1, NULL, 0, false, &value) != NULL) {
            m->next_id = (*out)->id;
            task_free(m, *out);
            status = OBAN_NO_MEMORY;
        }
    }
    if (status == OBAN_LIMIT) {
        oban_line_add(&outcome->message, "tasks_max is ");
        oban_line_add_u64(&outcome->message, m->tasks_max);
        oban_line_add(&outcome->message, ": so many tasks run");
    } else if (status != OBAN_OK) {
        oban_line_add(&outcome->message, "memory ran out; nothing was changed");
    }
    return status;
}

static oban_status machine_run_text(oban_machine *m, oban_unit *unit, const oban_findings *findings,
                                    oban_text_outcome *outcome)
{
    task *t = NULL;
    oban_status status = machine_start_text(m, unit, outcome, &t);
    if (status != OBAN_OK) {
        return status;
    }
    uint64_t id = t->id;
    m->sole = machine_is_sole(unit) ? outcome : NULL;
    m->sole_status = OBAN_OK;
    for (uint32_t i = 0; i < findings->count; i++) {
        tell_warning(m, t, OBAN_OK, findings->items[i].place, findings->items[i].message.data);
    }
    run_turn(m, t);
    m->sole = NULL;
    if (m->sole_status != OBAN_OK) {
        m->next_id = id;
        return m->sole_status;
    }
    outcome->task = id;
    outcome->waits = task_find(m, id) != NULL;
    outcome->limit = outcome->waits ? NULL : m->stopped_by;
    return OBAN_OK;
}

oban_status oban_machine_text(oban_machine *m, oban_text name, oban_text text,
                              oban_text_outcome *outcome, oban_findings *findings)
{
    oban_unit *unit = NULL;
    oban_findings own;
    memset(outcome, 0, sizeof *outcome);
    oban_findings_init(&own, m->alloc);
    findings = findings != NULL ? findings : &own;
    oban_findings_clear(findings);
    value_make_room(m);
    oban_status status = program_text(m->program, name, text, findings, &unit);
    if (status == OBAN_OK) {
        outcome->statements = unit->statement_count;
        status = machine_run_text(m, unit, findings, outcome);
        program_release(m->program, unit);
    } else {
        machine_refuse_text(findings, outcome);
    }
    oban_findings_fini(&own);
    return status;
}

/* ---- calls from outside -------------------------------------------------------------------------
 */

static oban_status machine_bad_argument(oban_line *message, const char *what, uint32_t limit)
{
    oban_line_add(message, what);
    oban_line_add_u64(message, limit);
    return OBAN_BAD_FIELD;
}

static bool machine_text_good(oban_text text)
{
    for (uint32_t i = 0; i < text.bytes; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20u || c == 0x7fu) {
            return false;
        }
    }
    return true;
}

static oban_status machine_argument(oban_machine *m, const oban_call_argument *argument,
                                    oban_value *out, oban_line *message)
{
    *out = value_zero(argument->type);
    switch (argument->type) {
    case OBAN_VALUE_INT:
        out->as.i = argument->i;
        break;
    case OBAN_VALUE_BOOL:
        out->as.i = argument->i != 0 ? 1 : 0;
        break;
    case OBAN_VALUE_FLOAT:
        /* A number that is none, or endless, fails both comparisons or the second. */
        if (!(argument->f - argument->f == 0)) {
            oban_line_add(message, "an argument must be a finite number");
            return OBAN_BAD_FIELD;
        }
        out->as.f = argument->f;
        break;
    case OBAN_VALUE_STRING:
        if (argument->s.bytes > OBAN_SCRIPT_STRING_MAX) {
            return machine_bad_argument(message, "an argument is longer than string_bytes_max, ",
                                        OBAN_SCRIPT_STRING_MAX);
        }
        if (!machine_text_good(argument->s)) {
            oban_line_add(message, "an argument has a control character");
            return OBAN_BAD_FIELD;
        }
        out->as.s = value_string(m, NULL, argument->s);
        break;
    case OBAN_VALUE_VOID:
        oban_line_add(message, "an argument must be a number, true, false or a text");
        return OBAN_BAD_FIELD;
    }
    return OBAN_OK;
}

static oban_status machine_start_call(oban_machine *m, const program_function *function,
                                      const oban_value *args, uint32_t count, uint64_t *id,
                                      oban_line *message)
{
    task *t = NULL;
    uint64_t value = 0;
    const unit_function *code = &function->unit->functions[function->index];
    oban_status status =
        task_create(m, TASK_FUNCTION, unit_name_text(function->unit, code->name), &t);
    if (status == OBAN_OK &&
        task_enter(m, t, function->unit, function->index, args, count, false, &value) != NULL) {
        m->next_id = t->id;
        task_free(m, t);
        status = OBAN_NO_MEMORY;
    }
    if (status == OBAN_LIMIT) {
        oban_line_add(message, "tasks_max is ");
        oban_line_add_u64(message, m->tasks_max);
        oban_line_add(message, ": so many tasks run");
    } else if (status != OBAN_OK) {
        oban_line_add(message, "memory ran out; nothing was changed");
    } else {
        *id = t->id;
        tell_task(m, t, OBAN_TASK_STARTED);
        queue_ready(m, t);
    }
    return status;
}

oban_status oban_machine_call(oban_machine *m, oban_text name, const oban_call_argument *arguments,
                              uint32_t count, uint64_t *id, oban_line *message)
{
    oban_value args[OBAN_SCRIPT_PARAMS_MAX];
    uint32_t index;
    oban_line_clear(message);
    if (!oban_program_function_find(m->program, name, &index)) {
        oban_program_function_missing(m->program, name, message);
        return OBAN_NO_SCRIPT;
    }
    const program_function *function = &m->program->table.functions[index];
    uint32_t most = function->unit->functions[function->index].param_count;
    if (count > most) {
        return machine_bad_argument(message, "the function takes fewer arguments: ", most);
    }
    value_make_room(m);
    for (uint32_t i = 0; i < count; i++) {
        oban_status status = machine_argument(m, &arguments[i], &args[i], message);
        if (status != OBAN_OK) {
            return status;
        }
    }
    return machine_start_call(m, function, args, count, id, message);
}

oban_status oban_machine_stop(oban_machine *m, uint64_t id)
{
    task *t = task_find(m, id);
    if (t == NULL) {
        return OBAN_NO_TASK;
    }
    task_stop(m, t, NULL, 0);
    return OBAN_OK;
}

/* What a length keeps busy is busy no more once somebody says so. */
static void machine_answer(oban_machine *m, task *t)
{
    if (t->wait == OBAN_WAIT_DIALOG) {
        m->dialog_until = m->tick;
    }
    for (uint32_t i = 0; i < m->actor_count; i++) {
        if (m->actors[i].kind == t->wait && m->actors[i].who == t->who) {
            m->actors[i].until = m->tick;
        }
    }
    t->answered = t->wait == OBAN_WAIT_CAMERA || t->wait == OBAN_WAIT_OBJECTS ||
                  t->wait == OBAN_WAIT_CHARACTER;
}

oban_status oban_machine_resume(oban_machine *m, uint64_t id)
{
    task *t = task_find(m, id);
    if (t == NULL) {
        return OBAN_NO_TASK;
    }
    if (t->wait == OBAN_WAIT_NONE) {
        return OBAN_NOT_SUPPORTED;
    }
    machine_answer(m, t);
    queue_remove(m, t);
    queue_ready(m, t);
    return OBAN_OK;
}
