/* SPDX-License-Identifier: MIT */
/* env_show: the hidden references of the static level. Not here: objects; the two name spaces have
 * nothing to do with each other. Next: camera.c. */
#include "core/base/room.h"
#include "core/world/apply.h"
#include "core/world/publish.h"
#include "core/world/select.h"

#include <string.h>

static uint32_t refs_find(const oban_world *world, int32_t ref)
{
    uint32_t low = 0;
    uint32_t high = world->refs.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (world->refs.items[middle] < ref) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void refs_put(oban_world *world, uint32_t at, int32_t ref, bool hide)
{
    int32_t *place = world->refs.items + at;
    uint32_t behind = world->refs.count - at;
    if (hide) {
        memmove(place + 1, place, behind * sizeof *place);
        *place = ref;
        world->refs.count += 1;
    } else {
        memmove(place, place + 1, (behind - 1) * sizeof *place);
        world->refs.count -= 1;
    }
    oban_publish_touch_refs(world);
    oban_publish_event(world, hide ? OBAN_EVENT_HIDDEN : OBAN_EVENT_SHOWN, OBAN_KIND_REF)->number =
        ref;
}

static oban_status refs_reserve(oban_world *world, oban_result *result)
{
    const oban_needs needs = {.events = 1};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    int32_t *items = oban_room_make(&world->alloc, world->refs.items, &world->refs.capacity,
                                    sizeof *items, (uint64_t)world->refs.count + 1);
    if (items == NULL) {
        oban_line_add(&result->message, "memory ran out; nothing was changed");
        return oban_result_fail(result, OBAN_NO_MEMORY, NULL);
    }
    world->refs.items = items;
    return OBAN_OK;
}

oban_status oban_apply_env_show(oban_world *world, const oban_command *command, oban_result *result)
{
    uint32_t at = refs_find(world, command->ref);
    bool hidden = at < world->refs.count && world->refs.items[at] == command->ref;
    bool hide = !command->visible;
    if (hide && !hidden && world->refs.count >= OBAN_REFS_HIDDEN_MAX) {
        oban_line_add(&result->message, "refs_hidden_max is ");
        oban_line_add_u64(&result->message, OBAN_REFS_HIDDEN_MAX);
        oban_line_add(&result->message, ": so many references are hidden already");
        return oban_result_fail(result, OBAN_LIMIT, "ref");
    }
    if (refs_reserve(world, result) != OBAN_OK) {
        return result->status;
    }
    if (hide != hidden) {
        refs_put(world, at, command->ref, hide);
    }
    result->kind = OBAN_RESULT_REF;
    result->ref = command->ref;
    result->visible = command->visible;
    return OBAN_OK;
}

const int32_t *oban_world_hidden_refs(const oban_world *world, uint32_t *count, uint64_t *touched)
{
    *count = world->refs.count;
    *touched = world->refs.touched;
    return world->refs.items;
}
