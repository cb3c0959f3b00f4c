/* SPDX-License-Identifier: MIT */
/* What the tests of anim and world share: an allocator that counts, fails and traps on order, clips
 * made in a line, commands made in a line. Not here: what is expected (the tests). */
#ifndef TESTS_WORLD_RIG_H
#define TESTS_WORLD_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/world/world.h"

#define UNUSED __attribute__((unused))

/* ---- memory ---------------------------------------------------------------------------------- */

/* Fails the allocation with this number (counted from 0) and all after it; traps when closed. */
typedef struct rig_memory {
    uint64_t taken; /* allocations asked for */
    uint64_t fail_at;
    size_t bytes; /* held now */
    int closed;
} rig_memory;

static UNUSED void *rig_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    rig_memory *memory = context;
    if (memory->closed) {
        fail_msg("memory was asked for inside a tick");
    }
    if (bytes == 0) {
        memory->bytes -= old_bytes;
        free(old);
        return NULL;
    }
    if (memory->taken++ >= memory->fail_at) {
        return NULL;
    }
    void *block = malloc(bytes); /* always another place: what keeps old addresses is found */
    assert_non_null(block);
    memset(block, 0xa5, bytes);
    if (old != NULL) {
        memcpy(block, old, old_bytes < bytes ? old_bytes : bytes);
        free(old);
    }
    memory->bytes += bytes;
    memory->bytes -= old != NULL ? old_bytes : 0;
    return block;
}

static UNUSED oban_alloc rig_alloc(rig_memory *memory)
{
    *memory = (rig_memory){.fail_at = UINT64_MAX};
    return (oban_alloc){rig_resize, memory};
}

/* ---- random numbers of the test's own -------------------------------------------------------- */

static UNUSED uint32_t rig_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

static UNUSED float rig_random_float(uint64_t *state, float low, float high)
{
    return low + (high - low) * ((float)(rig_random(state) >> 8) / 16777216.0f);
}

/* ---- clips ----------------------------------------------------------------------------------- */

static UNUSED oban_mat34 rig_at(float x, float y, float z)
{
    return (oban_mat34){{1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z}};
}

/* Two keys without rotation: x goes from 0 to `frames` - 1, so that x tells the frame. Its start
 * matrix is at y = 7. */
static UNUSED oban_clip *rig_clip(const oban_alloc *alloc, const char *name, uint32_t flags,
                                  int32_t frames)
{
    const oban_key keys[2] = {
        {.rotation = {0, 0, 0, 1}, .position = {0, 0, 0}, .frame = 0},
        {.rotation = {0, 0, 0, 1}, .position = {(float)(frames - 1), 0, 0}, .frame = frames - 1}};
    const oban_clip_def def = {.name = oban_text_of(name),
                               .flags = flags,
                               .start = rig_at(0, 7, 0),
                               .base = oban_mat34_identity(),
                               .frame_count = frames,
                               .keys = keys,
                               .key_count = frames > 1 ? 2 : 1};
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(alloc, &def, &clip, NULL), OBAN_OK);
    return clip;
}

/* ---- the world ------------------------------------------------------------------------------- */

typedef struct rig {
    rig_memory memory;
    oban_alloc alloc;
    oban_world *world;
    oban_result result;
} rig;

static UNUSED void rig_open_with(rig *r, uint32_t objects_max, bool scene_loaded)
{
    r->alloc = rig_alloc(&r->memory);
    const oban_world_def def = {.alloc = r->alloc,
                                .seed = 1,
                                .objects_max = objects_max,
                                .anims_max = 100,
                                .scene_loaded = scene_loaded};
    assert_int_equal(oban_world_create(&def, &r->world), OBAN_OK);
}

static UNUSED void rig_open(rig *r)
{
    rig_open_with(r, 200000, false);
}

static UNUSED void rig_close(rig *r)
{
    oban_world_destroy(r->world);
    assert_int_equal(r->memory.bytes, 0);
}

static UNUSED void rig_add(rig *r, const char *name, uint32_t flags, int32_t frames)
{
    assert_int_equal(oban_world_clip_add(r->world, rig_clip(&r->alloc, name, flags, frames)),
                     OBAN_OK);
}

/* One tick in which nothing may ask for memory; the events of it stay. */
static UNUSED void rig_tick(rig *r)
{
    r->memory.closed = 1;
    oban_world_tick_begin(r->world);
    oban_world_tick_end(r->world);
    r->memory.closed = 0;
}

static UNUSED void rig_ticks(rig *r, int count)
{
    for (int i = 0; i < count; i++) {
        rig_tick(r);
    }
}

/* Publishes what was done while time is held, and clears the events. */
static UNUSED void rig_settle(rig *r)
{
    r->memory.closed = 1;
    oban_world_tick_end(r->world);
    oban_world_events_clear(r->world);
    r->memory.closed = 0;
}

/* ---- commands -------------------------------------------------------------------------------- */

static UNUSED oban_command rig_command(oban_op op)
{
    oban_command command;
    memset(&command, 0, sizeof command);
    command.op = op;
    return command;
}

static UNUSED oban_command rig_on(oban_op op, int32_t object)
{
    oban_command command = rig_command(op);
    OBAN_SET(&command, object, object);
    return command;
}

static UNUSED oban_command rig_range(oban_op op, int32_t object, int32_t to)
{
    oban_command command = rig_on(op, object);
    OBAN_SET(&command, to, to);
    return command;
}

static UNUSED oban_command rig_setanim(int32_t object, const char *anim)
{
    oban_command command = rig_on(OBAN_OP_ENV_SETANIM, object);
    OBAN_SET(&command, anim, oban_text_of(anim));
    return command;
}

static UNUSED oban_command rig_define(int32_t object, const char *anim, const oban_mat34 *matrix)
{
    oban_command command = rig_on(OBAN_OP_OBJ_DEFINE, object);
    if (anim != NULL) {
        OBAN_SET(&command, anim, oban_text_of(anim));
    }
    if (matrix != NULL) {
        OBAN_SET(&command, matrix, *matrix);
    }
    return command;
}

/* Each command is a pass of its own, as while time is held. */
static UNUSED oban_status rig_apply(rig *r, oban_command command)
{
    oban_world_pass_begin(r->world);
    oban_status status = oban_world_apply(r->world, &command, &r->result);
    assert_int_equal(status, r->result.status);
    return status;
}

/* Done, without a warning. */
static UNUSED void rig_do(rig *r, oban_command command)
{
    if (rig_apply(r, command) != OBAN_OK || r->result.warning_count != 0) {
        fail_msg("status %d: %s; warnings %u: %s", (int)r->result.status, r->result.message.data,
                 r->result.warning_count, r->result.warnings[0].data);
    }
}

/* Done, with this one warning. */
static UNUSED void rig_warned(rig *r, oban_command command, const char *warning)
{
    assert_int_equal(rig_apply(r, command), OBAN_OK);
    assert_int_equal(r->result.warning_count, 1);
    assert_string_equal(r->result.warnings[0].data, warning);
}

/* Refused with this status, field and message, and nothing changed. */
static UNUSED void rig_refused(rig *r, oban_command command, oban_status status, const char *field,
                               const char *message)
{
    uint64_t hash = oban_world_hash(r->world);
    uint32_t before;
    uint32_t after;
    (void)oban_world_events(r->world, &before);
    assert_int_equal(rig_apply(r, command), status);
    assert_string_equal(r->result.message.data, message);
    if (field == NULL) {
        assert_null(r->result.field);
    } else {
        assert_non_null(r->result.field);
        assert_string_equal(r->result.field, field);
    }
    (void)oban_world_events(r->world, &after);
    assert_int_equal(before, after);
    assert_int_equal(r->result.item_count, 0);
    assert_true(hash == oban_world_hash(r->world));
}

/* ---- looking --------------------------------------------------------------------------------- */

static UNUSED const oban_object *rig_object(rig *r, int32_t number)
{
    const oban_object *object = oban_world_object(r->world, number, 0);
    assert_non_null(object);
    return object;
}

static UNUSED void rig_stands_at(rig *r, int32_t number, float x, float y, float z)
{
    oban_mat34 m = oban_world_object_matrix(r->world, rig_object(r, number));
    if (m.m[9] != x || m.m[10] != y || m.m[11] != z) {
        fail_msg("object %d stands at %g %g %g, not %g %g %g", (int)number, (double)m.m[9],
                 (double)m.m[10], (double)m.m[11], (double)x, (double)y, (double)z);
    }
}

/* All events of now in one line, such as "start 5/1 f0; stop 5/1 f3 end": type, object, run. */
static UNUSED const char *rig_events(rig *r)
{
    static char text[4096];
    uint32_t count;
    const oban_event *event = oban_world_events(r->world, &count);
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < count && at < sizeof text - 200; i++, event++) {
        bool run = event->type == OBAN_EVENT_START || event->type == OBAN_EVENT_STOP;
        at += (size_t)sprintf(text + at, "%s%s", i > 0 ? "; " : "",
                              oban_event_type_word(event->type));
        if (event->kind == OBAN_KIND_CAMERA || event->kind == OBAN_KIND_REF) {
            at += (size_t)sprintf(text + at, " %s", oban_kind_word(event->kind));
        }
        if (event->kind != OBAN_KIND_CAMERA) {
            at += (size_t)sprintf(text + at, " %d", (int)event->number);
        }
        if (event->part != 0) {
            at += (size_t)sprintf(text + at, ".%u", event->part);
        }
        if (run) {
            at += (size_t)sprintf(text + at, "/%u %s f%d", event->run, event->anim,
                                  (int)event->frame);
        }
        if (event->type == OBAN_EVENT_STOP) {
            at += (size_t)sprintf(text + at, " %s", oban_stop_reason_word(event->reason));
        }
    }
    return text;
}

#define assert_events(r, expected) assert_string_equal(rig_events(r), expected)

#endif
