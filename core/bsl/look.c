/* SPDX-License-Identifier: MIT */
/* Looking at a machine: its tasks, a variable, the hash of its state.
 * Next: machine.h. */
#include "core/base/assert.h"
#include "core/bsl/tasks.h"

#include <string.h>

uint32_t oban_machine_task_count(const oban_machine *m)
{
    return m->task_count;
}

static const task *look_task(const oban_machine *m, uint32_t index)
{
    if (m->task_count == m->task_slots) {
        return m->tasks[index].task;
    }
    uint32_t at = 0;
    for (;; at++) {
        if (m->tasks[at].task != NULL && index-- == 0) {
            return m->tasks[at].task;
        }
    }
}

void oban_machine_task(const oban_machine *m, uint32_t index, oban_task_view *out)
{
    OBAN_ASSERT(index < m->task_count);
    const task *t = look_task(m, index);
    bool waits = t->wait != OBAN_WAIT_NONE;
    bool somebody = t->wait == OBAN_WAIT_CHARACTER || t->wait == OBAN_WAIT_ANIMATION ||
                    t->wait == OBAN_WAIT_FILM;
    *out = (oban_task_view){.task = t->id,
                            .state = waits ? OBAN_TASK_WAITING : OBAN_TASK_STARTED,
                            .wait = t->wait,
                            .until = waits ? t->until : m->tick,
                            .who = somebody ? value_text(m, t->who) : (oban_text){"", 0},
                            .started = t->started,
                            .depth = t->frame_count,
                            .at = task_at(m, t),
                            .entry = value_text(m, t->entry)};
}

bool oban_machine_variable(const oban_machine *m, oban_text name, oban_line *out)
{
    uint32_t at = oban_names_find(&m->program->variable_names, name);
    if (at == OBAN_NO_NAME) {
        return false;
    }
    oban_text text = value_show(m, m->program->variables[at].value, out);
    if (text.data != out->data) {
        oban_line_clear(out);
        oban_line_add_text(out, text);
    }
    return true;
}

/* ---- the hash -----------------------------------------------------------------------------------
 */

static void look_hash_text(oban_hash *hash, oban_text text)
{
    oban_hash_bytes(hash, text.data, text.bytes);
}

/* Strings by what they are, not by their numbers. */
static void look_hash_value(const oban_machine *m, oban_hash *hash, oban_value value)
{
    oban_hash_u64(hash, value.type);
    if (value.type == OBAN_VALUE_STRING) {
        look_hash_text(hash, value_text(m, value.as.s));
    } else if (value.type == OBAN_VALUE_FLOAT) {
        oban_hash_f32(hash, value.as.f);
    } else {
        oban_hash_u64(hash, (uint32_t)value.as.i);
    }
}

static void look_hash_frame(oban_hash *hash, const task_frame *frame)
{
    oban_hash_u64(hash, frame->unit->hash);
    oban_hash_u64(hash, frame->function);
    oban_hash_u64(hash, frame->pc);
    oban_hash_u64(hash, frame->base);
    oban_hash_u64(hash, frame->keeps);
}

static void look_hash_task(const oban_machine *m, oban_hash *hash, const task *t)
{
    oban_hash_u64(hash, t->id);
    oban_hash_u64(hash, t->kind);
    oban_hash_u64(hash, t->wait);
    if (t->wait != OBAN_WAIT_NONE) {
        bool objects = t->wait == OBAN_WAIT_OBJECTS;
        bool somebody = t->wait == OBAN_WAIT_CHARACTER || t->wait == OBAN_WAIT_ANIMATION ||
                        t->wait == OBAN_WAIT_FILM;
        oban_hash_u64(hash, t->until);
        look_hash_text(hash, somebody ? value_text(m, t->who) : (oban_text){"", 0});
        oban_hash_u64(hash, objects ? (uint32_t)t->first : 0);
        oban_hash_u64(hash, objects ? (uint32_t)t->last : 0);
    }
    oban_hash_u64(hash, (uint64_t)t->answered << 1 | (uint64_t)t->quiet);
    look_hash_text(hash, value_text(m, t->entry));
    oban_hash_u64(hash, t->root);
    oban_hash_u64(hash, t->branch);
    oban_hash_u64(hash, (uint64_t)t->generation << 1 | (uint64_t)t->recursive);
    oban_hash_u64(hash, (uint32_t)t->rounds);
    oban_hash_u64(hash, t->every);
    oban_hash_u64(hash, t->started);
    oban_hash_u64(hash, t->frame_count);
    for (uint32_t i = 0; i < t->frame_count; i++) {
        look_hash_frame(hash, &t->frames[i]);
    }
    oban_hash_u64(hash, t->value_count);
    for (uint32_t i = 0; i < t->value_count; i++) {
        look_hash_value(m, hash, t->values[i]);
    }
}

/* Only what is still busy: a length that has passed is no state. */
static void look_hash_busy(const oban_machine *m, oban_hash *hash)
{
    oban_hash_u64(hash, m->dialog_until > m->tick ? m->dialog_until : 0);
    for (uint32_t i = 0; i < m->actor_count; i++) {
        const task_actor *actor = &m->actors[i];
        if (actor->until > m->tick) {
            look_hash_text(hash, value_text(m, actor->who));
            oban_hash_u64(hash, actor->kind);
            oban_hash_u64(hash, actor->until);
        }
    }
}

void oban_machine_hash(const oban_machine *m, oban_hash *hash)
{
    const oban_program *program = m->program;
    oban_hash_u64(hash, m->next_id);
    oban_hash_u64(hash, m->timer);
    look_hash_busy(m, hash);
    for (uint32_t i = 0; i < program->variable_names.count; i++) {
        if (program->variables[i].set) {
            look_hash_text(hash, oban_names_text(&program->variable_names, i));
            look_hash_value(m, hash, program->variables[i].value);
        }
    }
    oban_hash_u64(hash, m->task_count);
    for (uint32_t i = 0; i < m->task_slots; i++) {
        if (m->tasks[i].task != NULL) {
            look_hash_task(m, hash, m->tasks[i].task);
        }
    }
    for (uint32_t i = 0; i < program->table.file_count; i++) {
        oban_hash_u64(hash, program->table.files[i]->hash);
    }
}
