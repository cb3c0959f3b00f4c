/* SPDX-License-Identifier: MIT */
/* obj_create, obj_kill, obj_show, obj_hide, obj_place. Not here: obj_define (define.c).
 * Next: define.c. */
#include "core/world/apply.h"
#include "core/world/publish.h"
#include "core/world/runs.h"
#include "core/world/select.h"

/* ---- obj_create ------------------------------------------------------------------------------ */

/* What a creation comes to: walked once to count, and again to fill the world's lists. */
typedef struct objects_plan {
    const oban_command *command;
    bool fill;
    uint32_t births;
    uint32_t fresh;
    oban_gather alive;
} objects_plan;

static void objects_plan_birth(oban_world *world, objects_plan *plan, oban_object *object)
{
    plan->births += 1;
    if (plan->fill) {
        world->births.items[world->births.count++] = object;
    }
}

/* The slot there is for a bare object, or a new one. */
static void objects_plan_bare(oban_world *world, objects_plan *plan, int32_t number)
{
    uint32_t part = OBAN_HAS(plan->command, part) ? plan->command->part : 0;
    oban_object *object = oban_index_get(&world->slots.all, number, part);
    if (object != NULL && object->alive) {
        oban_gather_add(&plan->alive, number);
        return;
    }
    if (object == NULL) {
        plan->fresh += 1;
        if (plan->fill) {
            object = oban_slots_take(&world->slots, number, part);
            world->fresh.items[world->fresh.count++] = object;
        }
    }
    objects_plan_birth(world, plan, object);
}

/* All records of one number, from *at on in the index of all; *at ends behind them. Returns whether
 * there is a record. */
static bool objects_plan_records(oban_world *world, objects_plan *plan, int32_t number,
                                 uint32_t *at)
{
    const oban_index *all = &world->slots.all;
    bool any = false;
    for (; *at < all->count && all->items[*at]->number == number; *at += 1) {
        oban_object *object = all->items[*at];
        bool fits = !OBAN_HAS(plan->command, part) || plan->command->part == object->part;
        if (!object->listed || !fits) {
            continue;
        }
        any = true;
        if (object->alive) {
            oban_gather_add(&plan->alive, number);
        } else {
            objects_plan_birth(world, plan, object);
        }
    }
    return any;
}

/* A range in a world with a scene is its records; all else may be bare. */
static void objects_plan_walk(oban_world *world, objects_plan *plan, const oban_range *range)
{
    const oban_index *all = &world->slots.all;
    uint32_t at = oban_index_find(all, range->first, 0);
    if (range->many && world->scene_loaded) {
        while (at < all->count && all->items[at]->number <= range->last) {
            (void)objects_plan_records(world, plan, all->items[at]->number, &at);
        }
        return;
    }
    for (int64_t number = range->first; number <= range->last; number++) {
        if (!objects_plan_records(world, plan, (int32_t)number, &at)) {
            objects_plan_bare(world, plan, (int32_t)number);
        }
    }
}

static void objects_create_all(oban_world *world, oban_result *result, objects_plan *plan,
                               const oban_range *range)
{
    world->births.count = 0;
    world->fresh.count = 0;
    plan->fill = true;
    objects_plan_walk(world, plan, range);
    oban_index_splice(&world->slots.all, world->fresh.items, world->fresh.count);
    oban_index_splice(&world->slots.live, world->births.items, world->births.count);
    for (uint32_t i = 0; i < world->births.count; i++) {
        oban_apply_give_life(world, world->births.items[i]);
        oban_apply_item(world, result, world->births.items[i], UINT64_MAX);
    }
}

oban_status oban_apply_obj_create(oban_world *world, const oban_command *command,
                                  oban_result *result)
{
    oban_range range;
    objects_plan plan = {.command = command};
    result->kind = OBAN_RESULT_CREATED;
    if (oban_select_range(command, result, &range) != OBAN_OK || range.empty) {
        return result->status;
    }
    objects_plan_walk(world, &plan, &range);
    const oban_needs needs = {
        .items = plan.births, .events = plan.births, .births = plan.births, .fresh = plan.fresh};
    if (oban_apply_check_limits(world, result, plan.births, plan.fresh) != OBAN_OK ||
        oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    if (plan.births == 0 && plan.alive.count == 0) {
        oban_line_add(oban_result_warn(result), "nothing in the range has a record");
    }
    oban_gather_warn(&plan.alive, result, "is alive already", "are alive already");
    plan = (objects_plan){.command = command};
    objects_create_all(world, result, &plan, &range);
    return OBAN_OK;
}

/* ---- obj_kill -------------------------------------------------------------------------------- */

static void objects_kill(oban_world *world, oban_object *object)
{
    oban_runs_stop(world, object, OBAN_STOP_KILLED);
    (void)oban_publish_object_event(world, OBAN_EVENT_KILLED, object);
    if (!object->broken) { /* else it has gone before */
        oban_publish_gone(world, object);
    }
    oban_apply_take_life(object);
}

oban_status oban_apply_obj_kill(oban_world *world, const oban_command *command, oban_result *result)
{
    oban_stretch stretch;
    oban_object *object;
    if (oban_select_living(world, command, result, &stretch) != OBAN_OK) {
        return result->status;
    }
    uint32_t most = stretch.end - stretch.first;
    uint32_t at = stretch.first;
    const oban_needs needs = {.items = most, .events = 2 * most, .kills = most};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    result->kind = OBAN_RESULT_KILLED;
    while ((object = oban_select_next(world, command, stretch, &at)) != NULL) {
        oban_apply_item(world, result, object, UINT64_MAX);
        objects_kill(world, object);
    }
    oban_index_drop_dead(&world->slots.live, stretch.first, stretch.end);
    return OBAN_OK;
}

/* ---- obj_show, obj_hide ---------------------------------------------------------------------- */

static void objects_set_visible(oban_world *world, oban_object *object, bool visible)
{
    if (object->visible == visible) {
        return;
    }
    oban_shown before = oban_publish_look(object);
    object->visible = visible;
    oban_publish_changes(world, object, &before);
    (void)oban_publish_object_event(world, visible ? OBAN_EVENT_SHOWN : OBAN_EVENT_HIDDEN, object);
}

static oban_status objects_show(oban_world *world, const oban_command *command, oban_result *result,
                                bool visible)
{
    oban_stretch stretch;
    oban_object *object;
    if (oban_select_living(world, command, result, &stretch) != OBAN_OK) {
        return result->status;
    }
    uint32_t most = stretch.end - stretch.first;
    uint32_t at = stretch.first;
    const oban_needs needs = {.items = most, .events = most};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    result->kind = visible ? OBAN_RESULT_SHOWN : OBAN_RESULT_HIDDEN;
    while ((object = oban_select_next(world, command, stretch, &at)) != NULL) {
        objects_set_visible(world, object, visible);
        oban_apply_item(world, result, object, UINT64_MAX);
    }
    return OBAN_OK;
}

oban_status oban_apply_obj_show(oban_world *world, const oban_command *command, oban_result *result)
{
    return objects_show(world, command, result, true);
}

oban_status oban_apply_obj_hide(oban_world *world, const oban_command *command, oban_result *result)
{
    return objects_show(world, command, result, false);
}

/* ---- obj_place ------------------------------------------------------------------------------- */

oban_status oban_apply_obj_place(oban_world *world, const oban_command *command,
                                 oban_result *result)
{
    oban_stretch stretch;
    oban_object *object;
    if (oban_select_living(world, command, result, &stretch) != OBAN_OK) {
        return result->status;
    }
    uint32_t most = stretch.end - stretch.first;
    uint32_t at = stretch.first;
    const oban_needs needs = {.items = most, .events = 2 * most};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    result->kind = OBAN_RESULT_PLACED;
    while ((object = oban_select_next(world, command, stretch, &at)) != NULL) {
        oban_runs_place(world, object, &command->matrix);
        oban_apply_item(world, result, object, UINT64_MAX);
    }
    return OBAN_OK;
}
