/* SPDX-License-Identifier: MIT */
/* The order of a tick. Behaviour 1 has five phases; they are these, and nothing else moves:
 *
 *   1  autostart              oban_world_tick_begin
 *   2  one step of all        oban_world_tick_begin
 *   3  commands               oban_world_apply, once for each (apply.c)
 *   4  matrices               oban_world_tick_end
 *   5  events and frames      the host: oban_world_events, oban_world_events_clear
 *
 * Objects go by rising (number, part), the camera last. Nothing here allocates: apply.c has made
 * room for the events. Next: apply.c. */
#include "core/world/camera.h"
#include "core/world/characters.h"
#include "core/world/publish.h"
#include "core/world/runs.h"

/* How many objects are evaluated at a time. */
#define TICK_STRETCH 64u

/* Phase 1: what starts by itself and does not play, starts. Doors and characters wait for orders.
 */
static void tick_autostart(oban_world *world)
{
    for (uint32_t i = oban_index_find(&world->slots.live, 0, 0); i < world->slots.live.count; i++) {
        oban_object *object = world->slots.live.items[i];
        const oban_clip *clip = object->clip;
        if (clip != NULL && (clip->flags & OBAN_CLIP_AUTOSTART) != 0 && !object->player.playing) {
            oban_runs_start(world, object, clip, 0);
        }
    }
}

/* Phase 2: what plays steps once; ends and turns are decided here. */
static void tick_step(oban_world *world)
{
    for (uint32_t i = 0; i < world->slots.live.count; i++) {
        oban_object *object = world->slots.live.items[i];
        if (object->player.playing && !object->player.paused) {
            oban_runs_step(world, object);
        }
    }
    oban_camera_step(world);
}

/* Phase 4, for one object that moved. A matrix that is not finite is told once and not shown. */
static void tick_show(oban_world *world, oban_object *object, const oban_mat34 *matrix)
{
    bool broken = !oban_mat34_finite(matrix);
    object->dirty = false;
    if (broken && !object->broken) {
        oban_publish_object_event(world, OBAN_EVENT_WARNING, object)->message =
            "the object's matrix is not finite; it is left out of frames until it is";
    }
    if (broken != object->broken) {
        oban_publish_broken(world, object, broken);
    }
    if (!broken && !oban_mat34_same(matrix, &object->m)) {
        object->m = *matrix;
        oban_publish_touch(world, object);
    }
}

/* What oban_runs_matrix gives, by way of the batch, for objects that lie side by side in the index
 * of the living: few enough to be still in the cache when their matrices come back. */
static void tick_evaluate(oban_world *world, uint32_t first, uint32_t end)
{
    oban_object *const *live = world->slots.live.items;
    for (uint32_t i = first; i < end; i++) {
        if (live[i]->dirty && live[i]->posed) {
            oban_batch_aim(world->batch, i, live[i]->clip, live[i]->player.frame);
        }
    }
    oban_batch_evaluate(world->batch);
    for (uint32_t i = first; i < end; i++) {
        if (live[i]->dirty) {
            oban_mat34 matrix = live[i]->m;
            if (live[i]->norotation) {
                matrix = oban_runs_matrix(live[i]);
            } else if (live[i]->posed) {
                matrix = oban_runs_placed(live[i], oban_batch_matrix(world->batch, i));
            }
            tick_show(world, live[i], &matrix);
        }
    }
}

void oban_world_tick_begin(oban_world *world)
{
    oban_world_events_clear(world);
    world->tick += 1;
    oban_characters_release(world);
    tick_autostart(world);
    tick_step(world);
}

void oban_world_tick_end(oban_world *world)
{
    uint32_t count = world->slots.live.count;
    for (uint32_t first = 0; first < count; first += TICK_STRETCH) {
        uint32_t left = count - first;
        tick_evaluate(world, first, first + (left < TICK_STRETCH ? left : TICK_STRETCH));
    }
    oban_camera_evaluate(world);
    world->publication += 1;
}
