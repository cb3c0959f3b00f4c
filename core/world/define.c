/* SPDX-License-Identifier: MIT */
/* obj_define: makes or changes a record, and by default the object that lives by it.
 * Not here: scenes (proto/format), which come as obj_define too. Next: animate.c. */
#include "core/world/apply.h"
#include "core/world/publish.h"
#include "core/world/runs.h"
#include "core/world/select.h"

#include <string.h>

/* A text to come into a slot: made before anything changes. */
typedef struct define_text {
    bool given;
    char *data; /* NULL: none */
} define_text;

/* What the definition comes to, worked out before anything changes. */
typedef struct define_plan {
    const oban_command *command;
    uint32_t part;
    oban_object *slot; /* NULL: a new one */
    bool living;
    bool birth;
    bool play;
    const oban_clip *clip; /* of `anim`; NULL: none */
    define_text name;
    define_text geometry;
} define_plan;

static oban_status define_look(oban_world *world, const oban_command *command, oban_result *result,
                               define_plan *plan)
{
    bool create = !OBAN_HAS(command, create) || command->create;
    plan->command = command;
    plan->part = OBAN_HAS(command, part) ? command->part : 0;
    plan->slot = oban_index_get(&world->slots.all, command->object, plan->part);
    plan->living = plan->slot != NULL && plan->slot->alive;
    plan->birth = create && !plan->living;
    plan->play = OBAN_HAS(command, play) && command->play;
    /* An empty name takes the animation away. */
    if (OBAN_HAS(command, anim) && command->anim.bytes > 0) {
        return oban_apply_find_clip(world, result, command->anim, &plan->clip);
    }
    return OBAN_OK;
}

static oban_status define_check_play(const define_plan *plan, oban_result *result)
{
    const oban_clip *clip = plan->clip;
    if (!plan->play) {
        return OBAN_OK;
    }
    if (!plan->living && !plan->birth) {
        oban_line_add(&result->message, "play needs a living object, and create is false");
        return oban_result_fail(result, OBAN_BAD_FIELD, "play");
    }
    if (!OBAN_HAS(plan->command, anim) && plan->slot != NULL) {
        clip = plan->living ? plan->slot->clip : plan->slot->record_clip;
    }
    if (clip == NULL) {
        oban_line_add(&result->message, "object ");
        oban_line_add_i64(&result->message, plan->command->object);
        oban_line_add(&result->message, " has no animation to play");
        return oban_result_fail(result, OBAN_NO_ANIM, "play");
    }
    return OBAN_OK;
}

static bool define_text_make(oban_world *world, oban_result *result, bool given, oban_text text,
                             define_text *out)
{
    out->given = given;
    out->data = NULL;
    return !given || oban_apply_text(world, result, text, &out->data);
}

static oban_status define_reserve(oban_world *world, oban_result *result, define_plan *plan)
{
    const oban_needs needs = {.items = 1,
                              .events = 6, /* stop, placed, created, start, and some to spare */
                              .births = plan->birth ? 1 : 0,
                              .fresh = plan->slot == NULL ? 1 : 0};
    const oban_command *command = plan->command;
    if (oban_apply_check_limits(world, result, needs.births, needs.fresh) != OBAN_OK ||
        oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    if (!define_text_make(world, result, OBAN_HAS(command, name), command->name, &plan->name)) {
        return result->status;
    }
    if (!define_text_make(world, result, OBAN_HAS(command, geometry), command->geometry,
                          &plan->geometry)) {
        oban_apply_free_text(world, plan->name.data);
        return result->status;
    }
    return OBAN_OK;
}

/* From here on nothing fails. */
static void define_set_text(oban_world *world, oban_object *object, char **place, define_text text,
                            oban_object_stamp stamp)
{
    if (text.given) {
        oban_apply_set_text(world, object, place, text.data, stamp);
    }
}

static void define_record(oban_world *world, oban_object *object, const define_plan *plan)
{
    const oban_command *command = plan->command;
    object->listed = true;
    if (OBAN_HAS(command, anim)) {
        object->record_clip = plan->clip;
    }
    if (OBAN_HAS(command, matrix)) {
        object->record_matrix = command->matrix;
    }
    define_set_text(world, object, &object->name, plan->name, OBAN_STAMP_NAME);
    define_set_text(world, object, &object->geometry, plan->geometry, OBAN_STAMP_GEOMETRY);
}

/* Another animation: the run ends, and the object stands like one just created. */
static void define_change_clip(oban_world *world, oban_object *object, const oban_clip *clip)
{
    oban_runs_stop(world, object, OBAN_STOP_REPLACED);
    oban_shown before = oban_publish_look(object);
    object->clip = clip;
    object->player = (oban_player){.step = 1, .run = object->player.run};
    oban_publish_changes(world, object, &before);
    oban_runs_stand(world, object);
    (void)oban_publish_object_event(world, OBAN_EVENT_PLACED, object);
}

static void define_change_living(oban_world *world, oban_object *object, const define_plan *plan)
{
    if (OBAN_HAS(plan->command, anim) && object->clip != plan->clip) {
        define_change_clip(world, object, plan->clip);
    } else if (OBAN_HAS(plan->command, matrix)) {
        oban_runs_place(world, object, &plan->command->matrix);
    }
}

oban_status oban_apply_obj_define(oban_world *world, const oban_command *command,
                                  oban_result *result)
{
    define_plan plan = {0};
    uint64_t ends = UINT64_MAX;
    if (define_look(world, command, result, &plan) != OBAN_OK ||
        define_check_play(&plan, result) != OBAN_OK ||
        define_reserve(world, result, &plan) != OBAN_OK) {
        return result->status;
    }
    oban_object *object = plan.slot;
    if (object == NULL) {
        object = oban_slots_take(&world->slots, command->object, plan.part);
        oban_index_splice(&world->slots.all, &object, 1);
    }
    define_record(world, object, &plan);
    if (plan.living) {
        define_change_living(world, object, &plan);
    } else if (plan.birth) {
        oban_index_splice(&world->slots.live, &object, 1);
        oban_apply_give_life(world, object);
    }
    if (plan.play) {
        oban_runs_start(world, object, object->clip, 0);
        ends = oban_runs_end(world, &object->player, object->clip);
    }
    result->kind = OBAN_RESULT_DEFINED;
    oban_apply_item(world, result, object, ends);
    return OBAN_OK;
}
