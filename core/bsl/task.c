/* SPDX-License-Identifier: MIT */
/* Tasks: their life, their calls and what they wait for. The memory of one that ended serves the
 * next. Not here: what they run (run.c), values (task_value.c). Next: run.c. */
#include "core/base/room.h"
#include "core/bsl/tasks.h"

#include <string.h>

#define TASK_VALUES_KEPT 256u /* of a task that ended; more goes back */

/* ---- life ---------------------------------------------------------------------------------------
 */

static task *task_take(oban_machine *m)
{
    task *t = m->free;
    if (t != NULL) {
        m->free = t->next_free;
        t->next_free = NULL;
        return t;
    }
    t = oban_alloc_take(&m->alloc, sizeof *t);
    if (t != NULL) {
        memset(t, 0, sizeof *t);
    }
    return t;
}

static void task_give(oban_machine *m, task *t)
{
    t->id = 0;
    t->next_free = m->free;
    m->free = t;
}

void task_sweep(oban_machine *m)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->task_slots; i++) {
        if (m->tasks[i].task != NULL) {
            m->tasks[kept++] = m->tasks[i];
        }
    }
    m->task_slots = kept;
}

static bool task_reserve(oban_machine *m)
{
    if (m->task_slots == m->task_capacity && m->task_count <= m->task_slots / 2) {
        task_sweep(m);
    }
    struct machine_slot *tasks = oban_room_make(&m->alloc, m->tasks, &m->task_capacity,
                                                sizeof *tasks, (uint64_t)m->task_slots + 1);
    if (tasks == NULL) {
        return false;
    }
    m->tasks = tasks;
    return queue_reserve(m, m->task_count + 1);
}

oban_status task_create(oban_machine *m, task_kind kind, oban_text entry, task **out)
{
    if (m->task_count >= m->tasks_max) {
        return OBAN_LIMIT;
    }
    uint32_t name = value_string(m, NULL, entry);
    task *t = task_reserve(m) ? task_take(m) : NULL;
    if (t == NULL) {
        return OBAN_NO_MEMORY;
    }
    t->id = m->next_id++;
    t->kind = kind;
    t->queue = TASK_NOWHERE;
    t->wait = OBAN_WAIT_NONE;
    t->until = 0;
    t->who = 0;
    t->answered = false;
    t->quiet = false;
    t->entry = name;
    t->root = t->id;
    t->branch = t->id;
    t->generation = 0;
    t->recursive = false;
    t->rounds = 0;
    t->every = 0;
    t->started = m->tick;
    t->statements = 0;
    t->frame_count = 0;
    t->value_count = 0;
    m->tasks[m->task_slots++] = (struct machine_slot){t->id, t};
    m->task_count++;
    *out = t;
    return OBAN_OK;
}

/* Where the task of that id is, or would be. */
static uint32_t task_slot(const oban_machine *m, uint64_t id)
{
    uint32_t low = 0;
    uint32_t high = m->task_slots;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->tasks[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

task *task_find(const oban_machine *m, uint64_t id)
{
    uint32_t at = task_slot(m, id);
    return at < m->task_slots && m->tasks[at].id == id ? m->tasks[at].task : NULL;
}

task *task_newest(const oban_machine *m)
{
    return m->task_slots > 0 ? m->tasks[m->task_slots - 1].task : NULL;
}

static void task_drop_frames(oban_machine *m, task *t)
{
    while (t->frame_count > 0) {
        program_release(m->program, t->frames[--t->frame_count].unit);
    }
    if (t->value_capacity > TASK_VALUES_KEPT) {
        oban_alloc_give(&m->alloc, t->values, t->value_capacity * sizeof *t->values);
        t->values = NULL;
        t->value_capacity = 0;
    }
    t->value_count = 0;
}

void task_free(oban_machine *m, task *t)
{
    uint32_t at = task_slot(m, t->id);
    queue_remove(m, t);
    task_drop_frames(m, t);
    m->tasks[at].task = NULL;
    m->task_count--;
    while (m->task_slots > 0 && m->tasks[m->task_slots - 1].task == NULL) {
        m->task_slots--;
    }
    if (m->timer == t->id) {
        m->timer = 0;
    }
    task_give(m, t);
}

void task_end(oban_machine *m, task *t)
{
    tell_task(m, t, OBAN_TASK_ENDED);
    task_free(m, t);
}

static void task_say_limit(oban_machine *m, task *t, const char *limit, uint64_t value)
{
    oban_line line;
    oban_line_clear(&line);
    oban_line_add(&line, limit);
    oban_line_add(&line, " is ");
    oban_line_add_u64(&line, value);
    oban_line_add(&line, ": the task is stopped");
    tell_warning(m, t, OBAN_OK, task_at(m, t).place, line.data);
}

void task_stop(oban_machine *m, task *t, const char *limit, uint64_t value)
{
    oban_tell tell = {.type = OBAN_TELL_TASK,
                      .tick = m->tick,
                      .state = OBAN_TASK_STOPPED,
                      .limit = limit,
                      .limit_value = value};
    if (limit != NULL) {
        task_say_limit(m, t, limit, value);
        m->stopped_by = t == m->running ? limit : m->stopped_by;
    }
    tell.at = task_at(m, t);
    if (!t->quiet) {
        m->host.tell(m->host.context, &tell);
    }
    task_free(m, t);
}

/* ---- calls --------------------------------------------------------------------------------------
 */

static bool task_room(oban_machine *m, task *t, uint32_t values)
{
    task_frame *frames = oban_room_make(&m->alloc, t->frames, &t->frame_capacity, sizeof *frames,
                                        (uint64_t)t->frame_count + 1);
    if (frames == NULL) {
        return false;
    }
    t->frames = frames;
    oban_value *room =
        oban_room_make(&m->alloc, t->values, &t->value_capacity, sizeof *room, values);
    if (room == NULL) {
        return false;
    }
    t->values = room;
    return true;
}

static void task_locals(oban_machine *m, task *t, const oban_unit *unit,
                        const unit_function *function, const oban_value *args, uint32_t count)
{
    for (uint32_t i = 0; i < function->local_count; i++) {
        oban_value_type type = unit->locals[function->local_first + i].type;
        bool given = i < count && i < function->param_count;
        t->values[t->value_count + i] =
            given ? value_convert(m, t, args[i], type) : value_zero(type);
    }
    t->value_count += function->local_count;
}

const char *task_enter(oban_machine *m, task *t, oban_unit *unit, uint32_t function,
                       const oban_value *args, uint32_t count, bool keeps, uint64_t *limit)
{
    const unit_function *f = &unit->functions[function];
    uint32_t values = t->value_count + f->local_count + f->stack_most + 1;
    if (t->frame_count >= OBAN_CALL_DEPTH_MAX) {
        *limit = OBAN_CALL_DEPTH_MAX;
        return "call_depth_max";
    }
    if (values > OBAN_TASK_VALUES_MAX) {
        *limit = OBAN_TASK_VALUES_MAX;
        return "task_values_max";
    }
    if (!task_room(m, t, values)) {
        *limit = 0;
        return "no_memory";
    }
    uint32_t base = t->value_count;
    program_hold(unit);
    t->frames[t->frame_count++] =
        (task_frame){unit, function, f->code_first, base, UNIT_NONE, keeps};
    task_locals(m, t, unit, f, args, count);
    return NULL;
}

void task_leave(oban_machine *m, task *t, oban_value value)
{
    task_frame frame = t->frames[--t->frame_count];
    const unit_function *function = &frame.unit->functions[frame.function];
    t->value_count = frame.base;
    if (frame.keeps) {
        bool typed = function->returns != OBAN_VALUE_VOID;
        t->values[t->value_count++] = typed ? value_convert(m, t, value, function->returns) : value;
    }
    program_release(m->program, frame.unit);
}

/* ---- waiting ------------------------------------------------------------------------------------
 */

void task_sleep(oban_machine *m, task *t, oban_wait wait, uint64_t until)
{
    t->wait = wait;
    t->until = until;
    t->statements = 0;
    t->quiet = false;
    queue_sleep(m, t);
    tell_task(m, t, OBAN_TASK_WAITING);
}

void task_poll(oban_machine *m, task *t, oban_wait wait)
{
    t->wait = wait;
    t->until = UINT64_MAX;
    t->statements = 0;
    t->quiet = false;
    queue_poll(m, t);
    tell_task(m, t, OBAN_TASK_WAITING);
}

bool task_asks(oban_machine *m, const task *t)
{
    const oban_machine_host *host = &m->host;
    if (t->answered) {
        return true;
    }
    if (t->wait == OBAN_WAIT_CAMERA) {
        return !host->camera_busy(host->context);
    }
    if (t->wait == OBAN_WAIT_CHARACTER) {
        return !host->character_busy(host->context, value_text(m, t->who));
    }
    return !host->objects_busy(host->context, t->first, t->last);
}
