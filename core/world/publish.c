/* SPDX-License-Identifier: MIT */
/* Publication bookkeeping. Not here: what is sent to whom (server/hub). Next: runs.c. */
#include "core/world/publish.h"

#include "core/base/assert.h"
#include "core/base/room.h"

#include <string.h>

/* What one tick can bring by itself: a start, a stop and a broken matrix for each object, and a
 * stop of the camera. */
#define PUBLISH_EVENTS_PER_OBJECT 3u
#define PUBLISH_EVENTS_BESIDE 4u

bool oban_publish_reserve(oban_world *world, uint32_t events, uint32_t births, uint32_t kills)
{
    uint64_t alive = (uint64_t)world->slots.live.count + births;
    uint64_t wanted = (uint64_t)world->events.count + events + PUBLISH_EVENTS_BESIDE +
                      alive * PUBLISH_EVENTS_PER_OBJECT;
    oban_event *items = oban_room_make(&world->alloc, world->events.items, &world->events.capacity,
                                       sizeof *items, wanted);
    if (items == NULL) {
        return false;
    }
    world->events.items = items;
    oban_gone *gone = oban_room_make(&world->alloc, world->gone.items, &world->gone.capacity,
                                     sizeof *gone, world->gone.count + alive + kills);
    if (gone == NULL) {
        return false;
    }
    world->gone.items = gone;
    return alive <= UINT32_MAX && oban_batch_reserve(world->batch, (uint32_t)alive) == OBAN_OK;
}

oban_event *oban_publish_event(oban_world *world, oban_event_type type, oban_kind kind)
{
    OBAN_ASSERT(world->events.count < world->events.capacity);
    oban_event *event = &world->events.items[world->events.count++];
    memset(event, 0, sizeof *event);
    event->type = type;
    event->kind = kind;
    event->tick = world->tick;
    return event;
}

oban_event *oban_publish_object_event(oban_world *world, oban_event_type type,
                                      const oban_object *object)
{
    oban_event *event = oban_publish_event(world, type, oban_kind_of(object->number));
    event->number = object->number;
    event->name = event->kind == OBAN_KIND_CHARACTER ? object->name : NULL;
    event->part = object->part;
    event->life = object->life;
    return event;
}

void oban_publish_run(oban_event *event, const oban_player *player, const oban_clip *clip,
                      oban_stop_reason reason)
{
    event->run = player->run;
    event->frame = player->frame;
    event->reason = reason;
    if (clip != NULL) { /* an orbit has none */
        memcpy(event->anim, clip->name, sizeof event->anim);
    }
}

oban_shown oban_publish_look(const oban_object *object)
{
    return (oban_shown){object->clip, object->player, object->visible,
                        object->door, object->jammed, object->norotation};
}

void oban_publish_stamp(oban_world *world, oban_object *object, oban_object_stamp stamp)
{
    object->stamps[stamp] = oban_publish_next(world);
    oban_publish_touch(world, object);
}

void oban_publish_touch(oban_world *world, oban_object *object)
{
    object->touched = oban_publish_next(world);
    world->changed = oban_publish_next(world);
}

void oban_publish_touch_camera(oban_world *world)
{
    world->camera.touched = oban_publish_next(world);
    world->changed = oban_publish_next(world);
}

void oban_publish_touch_refs(oban_world *world)
{
    world->refs.touched = oban_publish_next(world);
    world->changed = oban_publish_next(world);
}

static uint32_t publish_frames(const oban_clip *clip)
{
    return clip != NULL ? clip->frame_count : 0;
}

void oban_publish_changes(oban_world *world, oban_object *object, const oban_shown *before)
{
    const oban_player *was = &before->player;
    const oban_player *is = &object->player;
    const bool changed[OBAN_STAMP_COUNT] = {
        [OBAN_STAMP_FRAMES] = publish_frames(before->clip) != publish_frames(object->clip),
        [OBAN_STAMP_STEP] = was->step != is->step,
        [OBAN_STAMP_RUN] = was->run != is->run,
        [OBAN_STAMP_STATE] = was->playing != is->playing || was->paused != is->paused,
        [OBAN_STAMP_VISIBLE] = before->visible != object->visible,
        [OBAN_STAMP_STOP_FRAME] = was->stop_frame != is->stop_frame,
        [OBAN_STAMP_DOOR] = before->door != object->door || before->jammed != object->jammed,
        [OBAN_STAMP_NOROTATION] = before->norotation != object->norotation,
    };
    for (unsigned stamp = 0; stamp < OBAN_STAMP_COUNT; stamp++) {
        if (changed[stamp]) {
            oban_publish_stamp(world, object, (oban_object_stamp)stamp);
        }
    }
    if (was->frame != is->frame || before->clip != object->clip) {
        oban_publish_touch(world, object);
    }
}

void oban_publish_born(oban_world *world, oban_object *object)
{
    object->born = oban_publish_next(world);
    for (unsigned stamp = 0; stamp < OBAN_STAMP_COUNT; stamp++) {
        object->stamps[stamp] = object->born;
    }
    oban_publish_touch(world, object);
}

void oban_publish_gone(oban_world *world, const oban_object *object)
{
    uint64_t next = oban_publish_next(world);
    if (object->born == next || world->gone.count == world->gone.capacity) {
        return; /* nobody has seen it; or see oban_publish_broken */
    }
    world->gone.items[world->gone.count++] = (oban_gone){
        .kind = oban_kind_of(object->number),
        .number = object->number,
        .part = object->part,
        .name = oban_kind_of(object->number) == OBAN_KIND_CHARACTER ? object->name : NULL,
        .life = object->life,
        .h = object->h,
        .born = object->born,
        .gone = next};
    world->changed = next;
}

void oban_publish_broken(oban_world *world, oban_object *object, bool broken)
{
    if (broken) {
        oban_publish_gone(world, object);
    } else {
        oban_publish_born(world, object);
    }
    object->broken = broken;
    oban_publish_touch(world, object);
}

/* ---- what others read ------------------------------------------------------------------------ */

const oban_event *oban_world_events(const oban_world *world, uint32_t *count)
{
    *count = world->events.count;
    return world->events.items;
}

void oban_world_events_clear(oban_world *world)
{
    world->events.count = 0;
}

uint64_t oban_world_publication(const oban_world *world)
{
    return world->publication;
}

uint64_t oban_world_changed(const oban_world *world)
{
    return world->changed;
}

const oban_gone *oban_world_gone(const oban_world *world, uint32_t *count)
{
    *count = world->gone.count;
    return world->gone.items;
}

static bool publish_may_show(const oban_gone *gone, const uint64_t *seen, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (gone->born <= seen[i] && seen[i] < gone->gone) {
            return true;
        }
    }
    return false;
}

void oban_world_gone_prune(oban_world *world, const uint64_t *seen, uint32_t count)
{
    uint64_t oldest = UINT64_MAX;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        oldest = seen[i] < oldest ? seen[i] : oldest;
    }
    for (uint32_t i = 0; i < world->gone.count; i++) {
        oban_gone *gone = &world->gone.items[i];
        /* Most fall to the first test: clients are seldom far behind. */
        if (oldest < gone->gone && publish_may_show(gone, seen, count)) {
            world->gone.items[kept++] = *gone;
        }
    }
    world->gone.count = kept;
}
