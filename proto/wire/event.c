/* SPDX-License-Identifier: MIT */
/* The event message: which members a type has is one table.
 * Next: event.h, entry.h. */
#include "proto/wire/event.h"

#include "proto/wire/entry.h"

enum {
    EVENT_RUN = 1,    /* run, anim, frame */
    EVENT_REASON = 2, /* reason */
    EVENT_CAMERA = 4, /* mode, fov */
    EVENT_MESSAGE = 8,
    EVENT_CHANGE = 16 /* change, and the ticks of a late one */
};

static const unsigned event_members[OBAN_EVENT_TYPE_COUNT] = {
    [OBAN_EVENT_STOP] = EVENT_RUN | EVENT_REASON,
    [OBAN_EVENT_START] = EVENT_RUN,
    [OBAN_EVENT_CAMERA] = EVENT_CAMERA,
    [OBAN_EVENT_WARNING] = EVENT_MESSAGE,
    [OBAN_EVENT_TIME] = EVENT_CHANGE,
};

static const char *event_change_word(oban_time_change change)
{
    static const char *const words[] = {[OBAN_TIME_PAUSED] = "paused",
                                        [OBAN_TIME_RESUMED] = "resumed",
                                        [OBAN_TIME_SPEED] = "speed",
                                        [OBAN_TIME_LATE] = "late"};
    return words[change];
}

/* What the event is about. */
static void event_thing(oban_writer *writer, const oban_event *event)
{
    if (event->kind == 0) {
        return;
    }
    oban_writer_key(writer, "kind");
    oban_writer_string(writer, oban_kind_word(event->kind));
    if (event->kind == OBAN_KIND_OBJECT || event->kind == OBAN_KIND_DOOR ||
        event->kind == OBAN_KIND_CHARACTER) {
        oban_wire_thing(writer, event->number, event->name);
        if (oban_wire_part_key(event->number) != NULL) {
            oban_writer_key(writer, oban_wire_part_key(event->number));
            oban_writer_u64(writer, event->part);
        }
        oban_writer_key(writer, "life");
        oban_writer_u64(writer, event->life);
    } else if (event->kind == OBAN_KIND_REF) {
        oban_writer_key(writer, "ref");
        oban_writer_i64(writer, event->number);
    }
}

static void event_run(oban_writer *writer, const oban_event *event)
{
    oban_writer_key(writer, "run");
    oban_writer_u64(writer, event->run);
    oban_writer_key(writer, "anim");
    oban_writer_string(writer, event->anim[0] != '\0' ? event->anim : NULL);
    oban_writer_key(writer, "frame");
    oban_writer_i64(writer, event->frame);
}

static void event_change(oban_writer *writer, const oban_event *event)
{
    oban_writer_key(writer, "change");
    oban_writer_string(writer, event_change_word(event->change));
    if (event->change == OBAN_TIME_LATE) {
        oban_writer_key(writer, "ticks");
        oban_writer_u64(writer, event->ticks);
    }
}

static void event_rest(oban_writer *writer, const oban_event *event, unsigned members)
{
    if ((members & EVENT_RUN) != 0) {
        event_run(writer, event);
    }
    if ((members & EVENT_REASON) != 0) {
        oban_writer_key(writer, "reason");
        oban_writer_string(writer, oban_stop_reason_word(event->reason));
    }
    if ((members & EVENT_CAMERA) != 0) {
        oban_writer_key(writer, "mode");
        oban_writer_string(writer, oban_wire_camera_mode_word(event->mode));
        oban_writer_key(writer, "fov");
        oban_writer_f32(writer, event->fov);
    }
    if ((members & EVENT_MESSAGE) != 0) {
        oban_writer_key(writer, "message");
        oban_writer_string(writer, event->message);
    }
    if ((members & EVENT_CHANGE) != 0) {
        event_change(writer, event);
    }
}

void oban_wire_event(oban_writer *writer, const oban_event *event, uint64_t seq)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "op");
    oban_writer_string(writer, "event");
    oban_writer_key(writer, "seq");
    oban_writer_u64(writer, seq);
    oban_writer_key(writer, "tick");
    oban_writer_u64(writer, event->tick);
    oban_writer_key(writer, "type");
    oban_writer_string(writer, oban_event_type_word(event->type));
    event_thing(writer, event);
    event_rest(writer, event, event_members[event->type]);
    oban_writer_object_end(writer);
}
