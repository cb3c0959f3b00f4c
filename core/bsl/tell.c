/* SPDX-License-Identifier: MIT */
/* What the machine tells its host, with the place of the task that it is about. How much a pass may
 * tell is bounded: whoever listens must be able to take it. Next: tasks.h. */
#include "core/base/assert.h"
#include "core/bsl/tasks.h"

const char *oban_task_state_word(oban_task_state state)
{
    static const char *const words[] = {"started", "waiting", "ended", "stopped"};
    OBAN_ASSERT((unsigned)state < sizeof words / sizeof words[0]);
    return words[state];
}

oban_at task_at(const oban_machine *m, const task *t)
{
    oban_at at = {.function = {"", 0}, .file = {"", 0}};
    if (t == NULL) {
        return at;
    }
    at.task = t->id;
    at.function = value_text(m, t->entry);
    if (t->frame_count > 0) {
        const task_frame *frame = &t->frames[t->frame_count - 1];
        const unit_function *function = &frame->unit->functions[frame->function];
        at.file = program_unit_name(frame->unit);
        at.function = function->name != UNIT_NONE ? unit_name_text(frame->unit, function->name)
                                                  : (oban_text){"", 0};
        at.place = function->place;
        if (frame->statement != UNIT_NONE) {
            at.place = frame->unit->statements[frame->statement].place;
            at.statement = frame->statement;
        }
    }
    return at;
}

static oban_tell tell_begin(const oban_machine *m, const task *t, oban_tell_type type)
{
    return (oban_tell){.type = type, .tick = m->tick, .at = task_at(m, t)};
}

bool tell_script(oban_machine *m, const task *t, oban_text command, oban_command_class class_,
                 const oban_text *words, uint32_t count, uint64_t duration)
{
    oban_tell tell = tell_begin(m, t, OBAN_TELL_SCRIPT);
    tell.command = command;
    tell.class_ = class_;
    tell.words = words;
    tell.word_count = count;
    tell.duration = duration;
    m->host.tell(m->host.context, &tell);
    return ++m->tells <= TASKS_TELLS_MAX;
}

void tell_warning(oban_machine *m, const task *t, oban_status status, oban_place place,
                  const char *message)
{
    oban_tell tell = tell_begin(m, t, OBAN_TELL_WARNING);
    oban_line line;
    m->tells++;
    if (m->sole != NULL && m->sole_status == OBAN_OK && status != OBAN_OK) {
        m->sole_status = status;
        m->sole->place = place;
        oban_line_clear(&m->sole->message);
        oban_line_add(&m->sole->message, message);
        return;
    }
    oban_line_clear(&line);
    oban_line_add_text(&line, tell.at.file);
    oban_line_add(&line, ":");
    oban_line_add_u64(&line, place.line);
    oban_line_add(&line, ":");
    oban_line_add_u64(&line, place.column);
    oban_line_add(&line, ": ");
    oban_line_add(&line, message);
    tell.at.place = place;
    tell.status = status;
    tell.message = line.data;
    m->host.tell(m->host.context, &tell);
}

void tell_task(oban_machine *m, const task *t, oban_task_state state)
{
    if (t->quiet) {
        return;
    }
    oban_tell tell = tell_begin(m, t, OBAN_TELL_TASK);
    tell.state = state;
    tell.wait = t->wait;
    tell.until = t->until;
    m->tells += state == OBAN_TASK_STARTED ? 1 : 0;
    m->host.tell(m->host.context, &tell);
}
