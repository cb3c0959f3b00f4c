/* SPDX-License-Identifier: MIT */
/* Runs of objects. Not here: which objects a command means (select.c), the camera's (camera.c).
 * Next: objects.c. */
#include "core/world/runs.h"

#include "core/world/doors.h"
#include "core/world/publish.h"

void oban_runs_start(oban_world *world, oban_object *object, const oban_clip *clip,
                     int32_t stop_frame)
{
    oban_runs_stop(world, object, OBAN_STOP_REPLACED);
    oban_shown before = oban_publish_look(object);
    object->clip = clip;
    oban_player_start(&object->player, clip, stop_frame, &world->rng);
    object->posed = true;
    object->dirty = true;
    oban_publish_changes(world, object, &before);
    oban_publish_run(oban_publish_object_event(world, OBAN_EVENT_START, object), &object->player,
                     clip, OBAN_STOP_NONE);
}

static void runs_tell_stop(oban_world *world, const oban_object *object, oban_stop_reason reason)
{
    oban_publish_run(oban_publish_object_event(world, OBAN_EVENT_STOP, object), &object->player,
                     object->clip, reason);
}

void oban_runs_stop(oban_world *world, oban_object *object, oban_stop_reason reason)
{
    if (!object->player.playing) {
        return;
    }
    oban_shown before = oban_publish_look(object);
    oban_player_stop(&object->player, object->clip);
    object->dirty = true;
    oban_publish_changes(world, object, &before);
    runs_tell_stop(world, object, reason);
}

void oban_runs_pause(oban_world *world, oban_object *object, bool paused)
{
    oban_shown before = oban_publish_look(object);
    object->player.paused = paused;
    oban_publish_changes(world, object, &before);
}

void oban_runs_step(oban_world *world, oban_object *object)
{
    oban_shown before = oban_publish_look(object);
    oban_stop_reason reason = oban_kind_of(object->number) == OBAN_KIND_DOOR
                                  ? oban_doors_step(object)
                                  : oban_player_step(&object->player, object->clip);
    object->dirty = true;
    oban_publish_changes(world, object, &before);
    if (reason != OBAN_STOP_NONE) {
        runs_tell_stop(world, object, reason);
    }
}

uint64_t oban_runs_end(const oban_world *world, const oban_player *player, const oban_clip *clip)
{
    uint64_t left = oban_player_ticks_left(player, clip);
    return left > UINT64_MAX - world->tick ? UINT64_MAX : world->tick + left;
}

/* Lets the object stand at a matrix: m no longer follows the player. */
static void runs_stand_at(oban_world *world, oban_object *object, const oban_mat34 *matrix)
{
    if (object->broken || !oban_mat34_same(&object->m, matrix)) {
        oban_publish_touch(world, object);
    }
    object->posed = false;
    object->dirty = false;
    object->broken = false;
    object->m = *matrix;
}

void oban_runs_stand(oban_world *world, oban_object *object)
{
    const oban_clip *clip = object->clip;
    bool by_clip = clip != NULL && (clip->flags & OBAN_CLIP_LOCAL) == 0 &&
                   oban_kind_of(object->number) != OBAN_KIND_DOOR;
    object->origin = object->record_matrix;
    runs_stand_at(world, object, by_clip ? &clip->start : &object->record_matrix);
}

void oban_runs_place(oban_world *world, oban_object *object, const oban_mat34 *matrix)
{
    object->origin = *matrix;
    if (object->player.playing && (object->clip->flags & OBAN_CLIP_LOCAL) != 0) {
        object->dirty = true;
    } else {
        oban_runs_stop(world, object, OBAN_STOP_COMMAND);
        runs_stand_at(world, object, matrix);
    }
    (void)oban_publish_object_event(world, OBAN_EVENT_PLACED, object);
}

oban_mat34 oban_runs_matrix(const oban_object *object)
{
    if (!object->posed) {
        return object->m;
    }
    oban_mat34 matrix = object->norotation
                            ? oban_clip_matrix_without_rotation(object->clip, object->player.frame)
                            : oban_clip_matrix(object->clip, object->player.frame);
    return oban_runs_placed(object, &matrix);
}

oban_mat34 oban_runs_placed(const oban_object *object, const oban_mat34 *matrix)
{
    /* A door's leaf moves relative to where it stands, whatever its clip is. */
    if ((object->clip->flags & OBAN_CLIP_LOCAL) == 0 &&
        oban_kind_of(object->number) != OBAN_KIND_DOOR) {
        return *matrix;
    }
    return oban_mat34_multiply(&object->origin, matrix);
}
