/* SPDX-License-Identifier: MIT */
/* reply and error, and the results of commands: one table says how each kind of list is called.
 * Next: reply.h. */
#include "proto/wire/reply.h"

#include "proto/wire/entry.h"

static const char *const reply_lists[] = {
    [OBAN_RESULT_NOTHING] = NULL,      [OBAN_RESULT_CREATED] = "created",
    [OBAN_RESULT_KILLED] = "killed",   [OBAN_RESULT_STARTED] = "started",
    [OBAN_RESULT_STOPPED] = "stopped", [OBAN_RESULT_PAUSED] = "paused",
    [OBAN_RESULT_RESUMED] = "resumed", [OBAN_RESULT_SHOWN] = "shown",
    [OBAN_RESULT_HIDDEN] = "hidden",   [OBAN_RESULT_PLACED] = "placed",
    [OBAN_RESULT_DEFINED] = "defined", [OBAN_RESULT_REF] = NULL,
    [OBAN_RESULT_CAMERA] = NULL,       [OBAN_RESULT_FOV] = NULL,
    [OBAN_RESULT_JAMMED] = "jammed",   [OBAN_RESULT_UNJAMMED] = "unjammed",
    [OBAN_RESULT_PATH] = NULL,
};

static void reply_head(oban_writer *writer, const char *op, const oban_wire_id *id, uint64_t tick)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "op");
    oban_writer_string(writer, op);
    oban_writer_key(writer, "re");
    if (id->kind == OBAN_ID_INTEGER) {
        oban_writer_i64(writer, id->integer);
    } else if (id->kind == OBAN_ID_STRING) {
        oban_writer_text(writer, id->string);
    } else {
        oban_writer_null(writer);
    }
    oban_writer_key(writer, "tick");
    oban_writer_u64(writer, tick);
}

void oban_wire_reply_begin(oban_writer *writer, const oban_wire_id *id, uint64_t tick)
{
    reply_head(writer, "reply", id, tick);
    oban_writer_key(writer, "result");
}

void oban_wire_reply_end(oban_writer *writer, const char *warnings, size_t bytes)
{
    if (bytes > 0) {
        oban_writer_key(writer, "warnings");
        oban_writer_array_begin(writer);
        oban_writer_raw(writer, warnings, bytes);
        oban_writer_array_end(writer);
    }
    oban_writer_object_end(writer);
}

static void reply_place(oban_writer *writer, const oban_refusal *refusal)
{
    oban_writer_key(writer, "line");
    oban_writer_u64(writer, refusal->place.line);
    oban_writer_key(writer, "column");
    oban_writer_u64(writer, refusal->place.column);
    if (refusal->has_caret) {
        oban_writer_key(writer, "source");
        oban_writer_string(writer, refusal->source.data);
        oban_writer_key(writer, "caret");
        oban_writer_string(writer, refusal->caret.data);
    }
}

void oban_wire_error(oban_writer *writer, const oban_wire_id *id, uint64_t tick,
                     const oban_refusal *refusal)
{
    reply_head(writer, "error", id, tick);
    oban_writer_key(writer, "code");
    oban_writer_string(writer, oban_status_word(refusal->status));
    if (refusal->has_field) {
        oban_writer_key(writer, "field");
        oban_writer_string(writer, refusal->field.data);
    }
    oban_writer_key(writer, "message");
    oban_writer_string(writer, refusal->message.data);
    if (refusal->place.line > 0) {
        reply_place(writer, refusal);
    }
    oban_writer_object_end(writer);
}

/* ---- results of commands ---- */

static void reply_run(oban_writer *writer, uint32_t run, uint64_t ends)
{
    oban_writer_key(writer, "run");
    oban_writer_u64(writer, run);
    oban_writer_key(writer, "ends");
    if (ends == UINT64_MAX) {
        oban_writer_null(writer);
    } else {
        oban_writer_u64(writer, ends);
    }
}

static void reply_item(oban_writer *writer, const oban_result_item *item, bool with_run)
{
    oban_writer_object_begin(writer);
    oban_wire_thing(writer, item->object, item->name);
    if (oban_wire_part_key(item->object) != NULL) {
        oban_writer_key(writer, oban_wire_part_key(item->object));
        oban_writer_u64(writer, item->part);
    }
    oban_writer_key(writer, "life");
    oban_writer_u64(writer, item->life);
    if (with_run) {
        reply_run(writer, item->run, item->ends);
    }
    oban_writer_object_end(writer);
}

static void reply_list(oban_writer *writer, const oban_result *result)
{
    oban_writer_key(writer, reply_lists[result->kind]);
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < result->item_count; i++) {
        reply_item(writer, &result->items[i], result->kind == OBAN_RESULT_STARTED);
    }
    oban_writer_array_end(writer);
}

/* {frames, path:[[frame,x,y,z], ...]} */
static void reply_path(oban_writer *writer, const oban_result *result)
{
    oban_writer_key(writer, "frames");
    oban_writer_u64(writer, result->frames);
    oban_writer_key(writer, "path");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < result->path_count; i++) {
        const oban_path_place *place = &result->path[i];
        oban_writer_array_begin(writer);
        oban_writer_i64(writer, place->frame);
        oban_writer_f32(writer, place->at[0]);
        oban_writer_f32(writer, place->at[1]);
        oban_writer_f32(writer, place->at[2]);
        oban_writer_array_end(writer);
    }
    oban_writer_array_end(writer);
}

void oban_wire_result(oban_writer *writer, const oban_result *result)
{
    oban_writer_object_begin(writer);
    if (reply_lists[result->kind] != NULL) {
        reply_list(writer, result);
    } else if (result->kind == OBAN_RESULT_REF) {
        oban_writer_key(writer, "ref");
        oban_writer_i64(writer, result->ref);
        oban_writer_key(writer, "visible");
        oban_writer_bool(writer, result->visible);
    } else if (result->kind == OBAN_RESULT_CAMERA && result->item_count > 0) {
        reply_run(writer, result->items[0].run, result->items[0].ends);
    } else if (result->kind == OBAN_RESULT_PATH) {
        reply_path(writer, result);
    } else if (result->kind == OBAN_RESULT_FOV) {
        oban_writer_key(writer, "fov");
        oban_writer_f32(writer, result->fov);
    }
    oban_writer_object_end(writer);
}

void oban_refusal_of_result(oban_refusal *refusal, const oban_result *result)
{
    oban_refusal_set(refusal, result->status, result->field, result->message.data);
}
