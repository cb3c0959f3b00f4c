/* SPDX-License-Identifier: MIT */
/* Publication bookkeeping: events, stamps of what changed, and what is gone. None of it is state.
 * Next: publish.c. */
#ifndef OBAN_WORLD_PUBLISH_H
#define OBAN_WORLD_PUBLISH_H

#include "core/world/state.h"

/* What an entry shows of an object, but for m, name and geometry. */
typedef struct oban_shown {
    const oban_clip *clip;
    oban_player player;
    bool visible;
    oban_door_state door;
    bool jammed;
    bool norotation;
} oban_shown;

/* The number of the publication in the making. */
static inline uint64_t oban_publish_next(const oban_world *world)
{
    return world->publication + 1;
}

/* Room for a command's own events, what the ticks after it may bring with `births` more alive, and
 * `kills` things gone. Returns false when memory is out. */
bool oban_publish_reserve(oban_world *world, uint32_t events, uint32_t births, uint32_t kills);

/* A new event at the present tick, else empty. There is always room: it was reserved. */
oban_event *oban_publish_event(oban_world *world, oban_event_type type, oban_kind kind);
oban_event *oban_publish_object_event(oban_world *world, oban_event_type type,
                                      const oban_object *object);
/* A START or STOP as the player stands. */
void oban_publish_run(oban_event *event, const oban_player *player, const oban_clip *clip,
                      oban_stop_reason reason);

/* Before and after a change: what differs is stamped. */
oban_shown oban_publish_look(const oban_object *object);
void oban_publish_changes(oban_world *world, oban_object *object, const oban_shown *before);
void oban_publish_stamp(oban_world *world, oban_object *object, oban_object_stamp stamp);
/* Something that has no stamp of its own: m, frame, anim, broken. */
void oban_publish_touch(oban_world *world, oban_object *object);
void oban_publish_touch_camera(oban_world *world);
void oban_publish_touch_refs(oban_world *world);

void oban_publish_born(oban_world *world, oban_object *object);
/* Before the object's slot is cleared. Does nothing when no room is left: within a tick only (see
 * oban_publish_broken), since apply reserves it. */
void oban_publish_gone(oban_world *world, const oban_object *object);
/* An object's matrix is not finite any more, or is again: for who reads frames it goes, or comes as
 * new. Room for one change of each object is reserved; in a host that never prunes further ones
 * keep the last place. */
void oban_publish_broken(oban_world *world, oban_object *object, bool broken);

#endif
