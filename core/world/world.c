/* SPDX-License-Identifier: MIT */
/* The world as a whole: making it, and what others read of it.
 * Not here: the library (library.c), ticks (tick.c), commands (apply.c), state (save.c, load.c).
 * Next: tick.c. */
#include "core/world/camera.h"
#include "core/world/publish.h"
#include "core/world/runs.h"

#include "core/base/assert.h"

#include <string.h>

oban_status oban_world_create(const oban_world_def *def, oban_world **out)
{
    oban_world *world = oban_alloc_take(&def->alloc, sizeof *world);
    if (world == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(world, 0, sizeof *world);
    world->alloc = def->alloc;
    world->objects_max = def->objects_max;
    world->anims_max = def->anims_max;
    world->scene_loaded = def->scene_loaded;
    world->next_h = 1;
    oban_rng_seed(&world->rng, def->seed);
    oban_camera_init(&world->camera);
    if (oban_batch_create(&world->alloc, OBAN_BATCH_BEST, &world->batch) != OBAN_OK ||
        !oban_publish_reserve(world, 0, 0, 0)) {
        oban_world_destroy(world);
        return OBAN_NO_MEMORY;
    }
    *out = world;
    return OBAN_OK;
}

void oban_world_destroy(oban_world *world)
{
    if (world == NULL) {
        return;
    }
    oban_alloc alloc = world->alloc;
    oban_batch_destroy(world->batch);
    oban_slots_fini(&alloc, &world->slots);
    for (uint32_t i = 0; i < world->clips.count; i++) {
        oban_clip_destroy(world->clips.items[i]);
    }
    oban_alloc_give(&alloc, world->clips.items, world->clips.capacity * sizeof *world->clips.items);
    oban_alloc_give(&alloc, world->refs.items, world->refs.capacity * sizeof *world->refs.items);
    oban_alloc_give(&alloc, world->events.items,
                    world->events.capacity * sizeof *world->events.items);
    oban_alloc_give(&alloc, world->gone.items, world->gone.capacity * sizeof *world->gone.items);
    oban_alloc_give(&alloc, world->results.items,
                    world->results.capacity * sizeof *world->results.items);
    oban_alloc_give(&alloc, world->births.items,
                    world->births.capacity * sizeof *world->births.items);
    oban_alloc_give(&alloc, world->fresh.items, world->fresh.capacity * sizeof *world->fresh.items);
    oban_alloc_give(&alloc, world, sizeof *world);
}

uint64_t oban_world_tick(const oban_world *world)
{
    return world->tick;
}

uint32_t oban_world_live_count(const oban_world *world)
{
    return world->slots.live.count;
}

const oban_object *oban_world_live_at(const oban_world *world, uint32_t index)
{
    OBAN_ASSERT(index < world->slots.live.count);
    return world->slots.live.items[index];
}

uint32_t oban_world_live_of(const oban_world *world, oban_kind kind, uint32_t *end)
{
    const oban_index *live = &world->slots.live;
    uint32_t doors = oban_index_find(live, OBAN_CHARACTER_LAST + 1, 0);
    uint32_t objects = oban_index_find(live, 0, 0);
    *end = kind == OBAN_KIND_CHARACTER ? doors : kind == OBAN_KIND_DOOR ? objects : live->count;
    return kind == OBAN_KIND_CHARACTER ? 0 : kind == OBAN_KIND_DOOR ? doors : objects;
}

const oban_object *oban_world_object(const oban_world *world, int32_t number, uint32_t part)
{
    return oban_index_get(&world->slots.live, number, part);
}

oban_mat34 oban_world_object_matrix(const oban_world *world, const oban_object *object)
{
    (void)world;
    if (!object->dirty) {
        return object->m;
    }
    oban_mat34 matrix = oban_runs_matrix(object);
    return oban_mat34_finite(&matrix) ? matrix : object->m;
}
