/* SPDX-License-Identifier: MIT */
/* The commands of the camera. Not here: its ticks (camera.c). Next: refs.c. */
#include "core/world/apply.h"
#include "core/world/camera.h"
#include "core/world/publish.h"
#include "core/world/runs.h"
#include "core/world/select.h"

/* Whatever camera command: a stop, a start, a stop again (a cut), a change. */
#define CAMERA_EVENTS 4u
#define CAMERA_ORBIT_TICKS_MAX 1000000

static oban_status camera_reserve(oban_world *world, oban_result *result)
{
    const oban_needs needs = {.items = 1, .events = CAMERA_EVENTS};
    return oban_apply_reserve(world, result, &needs);
}

static void camera_tell_run(oban_world *world, oban_event_type type, oban_stop_reason reason)
{
    const oban_camera *camera = &world->camera;
    oban_publish_run(oban_publish_event(world, type, OBAN_KIND_CAMERA), &camera->player,
                     camera->clip, reason);
}

static void camera_stop(oban_world *world, oban_stop_reason reason)
{
    oban_camera *camera = &world->camera;
    if (!camera->player.playing) {
        return;
    }
    camera->player.playing = false;
    oban_publish_touch_camera(world);
    camera_tell_run(world, OBAN_EVENT_STOP, reason);
}

/* Begins a run; the pose at the order is the one it starts from. */
static void camera_begin(oban_world *world, const oban_clip *clip, oban_camera_part part)
{
    oban_camera *camera = &world->camera;
    oban_camera_evaluate(world); /* the pose of now, newer than the one published */
    camera_stop(world, OBAN_STOP_REPLACED);
    camera->from = camera->m;
    camera->target = camera->m;
    camera->clip = clip;
    camera->part = part;
    camera->mode = OBAN_CAMERA_SCRIPTED;
    camera->interpolating = false;
    camera->ticks = 0;
    camera->speed = 0;
    camera->dirty = true;
    oban_player_start(&camera->player, clip, 0, NULL);
    oban_publish_touch_camera(world);
    camera_tell_run(world, OBAN_EVENT_START, OBAN_STOP_NONE);
}

static void camera_item(oban_world *world, oban_result *result, uint64_t ends)
{
    world->results.items[0] = (oban_result_item){.run = world->camera.player.run, .ends = ends};
    world->results.count = 1;
    result->kind = OBAN_RESULT_CAMERA;
    result->items = world->results.items;
    result->item_count = 1;
}

oban_status oban_apply_cm_anim(oban_world *world, const oban_command *command, oban_result *result)
{
    const oban_clip *clip = NULL;
    if (oban_apply_find_clip(world, result, command->anim, &clip) != OBAN_OK ||
        camera_reserve(world, result) != OBAN_OK) {
        return result->status;
    }
    camera_begin(world, clip, command->mode);
    camera_item(world, result, oban_runs_end(world, &world->camera.player, clip));
    return OBAN_OK;
}

/* The animation's view at its frame 0; what is not finite or no orientation stays as it is. */
static void camera_aim(oban_camera *camera, const oban_clip *clip)
{
    oban_mat34 whole = oban_clip_matrix(clip, 0);
    if (!oban_mat34_finite(&whole)) {
        return;
    }
    if (!oban_mat34_rigid(&whole, &camera->target, &camera->mirrored)) {
        for (int axis = 9; axis < 12; axis++) {
            camera->target.m[axis] = whole.m[axis];
        }
    }
}

oban_status oban_apply_cm_interpolate(oban_world *world, const oban_command *command,
                                      oban_result *result)
{
    oban_camera *camera = &world->camera;
    const oban_clip *clip = NULL;
    if (oban_apply_find_clip(world, result, command->anim, &clip) != OBAN_OK ||
        camera_reserve(world, result) != OBAN_OK) {
        return result->status;
    }
    camera_begin(world, clip, OBAN_CAMERA_BOTH);
    camera->interpolating = true;
    camera->ticks = command->frames;
    camera_aim(camera, clip);
    camera_item(world, result, world->tick + (uint64_t)command->frames);
    if (command->frames == 0) {
        camera->player.playing = false;
        camera->from = camera->target;
        camera_tell_run(world, OBAN_EVENT_STOP, OBAN_STOP_END);
    }
    return OBAN_OK;
}

/* ---- cm_orbit -------------------------------------------------------------------------------- */

/* How long an orbit takes; 0: for ever. */
static oban_status camera_orbit_ticks(const oban_command *command, oban_result *result,
                                      int32_t *out)
{
    float speed = command->speed < 0 ? -command->speed : command->speed;
    float stop = OBAN_HAS(command, stop_angle) ? command->stop_angle : 0;
    *out = 0;
    if (!(stop > 0)) {
        return OBAN_OK;
    }
    double ticks = speed > 0 ? (double)stop / (double)speed : 1e30;
    if (ticks > (double)CAMERA_ORBIT_TICKS_MAX) {
        oban_line_add(&result->message, "at this speed it would take over 1,000,000 ticks to turn "
                                        "so far");
        return oban_result_fail(result, OBAN_BAD_FIELD, "speed");
    }
    *out = (int32_t)ticks;
    *out += (double)*out < ticks || *out == 0 ? 1 : 0;
    return OBAN_OK;
}

oban_status oban_apply_cm_orbit(oban_world *world, const oban_command *command, oban_result *result)
{
    oban_camera *camera = &world->camera;
    int32_t ticks = 0;
    if (camera_orbit_ticks(command, result, &ticks) != OBAN_OK ||
        camera_reserve(world, result) != OBAN_OK) {
        return result->status;
    }
    oban_camera_evaluate(world);
    camera_stop(world, OBAN_STOP_REPLACED);
    *camera = (oban_camera){.m = camera->m,
                            .mirrored = camera->mirrored,
                            .fov = camera->fov,
                            .mode = OBAN_CAMERA_ORBIT,
                            .part = OBAN_CAMERA_BOTH,
                            .player = {.step = 1, .run = camera->player.run + 1, .playing = true},
                            .ticks = ticks,
                            .from = camera->m,
                            .target = camera->m,
                            .speed = command->speed,
                            .touched = camera->touched};
    oban_publish_touch_camera(world);
    camera_tell_run(world, OBAN_EVENT_START, OBAN_STOP_NONE);
    camera_item(world, result, ticks == 0 ? UINT64_MAX : world->tick + (uint64_t)ticks);
    return OBAN_OK;
}

/* ---- what lets go of a run ------------------------------------------------------------------- */

static void camera_tell_change(oban_world *world)
{
    oban_event *event = oban_publish_event(world, OBAN_EVENT_CAMERA, OBAN_KIND_CAMERA);
    event->mode = world->camera.mode;
    event->fov = world->camera.fov;
    oban_publish_touch_camera(world);
}

/* Ends what it does, where it is. Returns whether anything changed. */
static bool camera_let_go(oban_world *world, oban_camera_mode mode)
{
    oban_camera *camera = &world->camera;
    oban_camera_evaluate(world);
    camera_stop(world, OBAN_STOP_COMMAND);
    bool changed = camera->clip != NULL || camera->mode != mode;
    camera->mode = mode;
    camera->speed = 0;
    camera->clip = NULL;
    camera->part = OBAN_CAMERA_BOTH;
    camera->interpolating = false;
    camera->ticks = 0;
    camera->from = camera->m;
    camera->target = camera->m;
    camera->player = (oban_player){.step = 1, .run = camera->player.run};
    return changed;
}

static oban_status camera_free(oban_world *world, oban_result *result, oban_camera_mode mode)
{
    if (camera_reserve(world, result) == OBAN_OK && camera_let_go(world, mode)) {
        camera_tell_change(world);
    }
    return result->status;
}

oban_status oban_apply_cm_reset(oban_world *world, const oban_command *command, oban_result *result)
{
    (void)command;
    return camera_free(world, result, OBAN_CAMERA_FREE);
}

oban_status oban_apply_cm_detach(oban_world *world, const oban_command *command,
                                 oban_result *result)
{
    (void)command;
    return camera_free(world, result, OBAN_CAMERA_DETACHED);
}

static bool camera_set_fov(oban_world *world, float fov)
{
    /* Both lie within 1 to 179: equal is bit for bit. */
    bool changed = world->camera.fov < fov || world->camera.fov > fov;
    world->camera.fov = fov;
    return changed;
}

oban_status oban_apply_gs_fov_set(oban_world *world, const oban_command *command,
                                  oban_result *result)
{
    if (camera_reserve(world, result) != OBAN_OK) {
        return result->status;
    }
    if (camera_set_fov(world, command->fov)) {
        camera_tell_change(world);
    }
    result->kind = OBAN_RESULT_FOV;
    result->fov = command->fov;
    return OBAN_OK;
}

static bool camera_set_pose(oban_world *world, const oban_mat34 *rigid, bool mirrored)
{
    oban_camera *camera = &world->camera;
    bool changed = camera_let_go(world, OBAN_CAMERA_FREE);
    changed = changed || camera->mirrored != mirrored || !oban_mat34_same(&camera->m, rigid);
    camera->m = *rigid;
    camera->from = *rigid;
    camera->target = *rigid;
    camera->mirrored = mirrored;
    return changed;
}

oban_status oban_apply_camera_place(oban_world *world, const oban_command *command,
                                    oban_result *result)
{
    oban_mat34 rigid;
    bool mirrored = false;
    bool changed = false;
    if (!OBAN_HAS(command, matrix) && !OBAN_HAS(command, fov)) {
        oban_line_add(&result->message, "matrix or fov is needed");
        return oban_result_fail(result, OBAN_BAD_FIELD, "matrix");
    }
    if (OBAN_HAS(command, matrix) && !oban_mat34_rigid(&command->matrix, &rigid, &mirrored)) {
        oban_line_add(&result->message, "the matrix has axes that span no space");
        return oban_result_fail(result, OBAN_BAD_FIELD, "matrix");
    }
    if (camera_reserve(world, result) != OBAN_OK) {
        return result->status;
    }
    if (OBAN_HAS(command, matrix)) {
        changed = camera_set_pose(world, &rigid, mirrored);
    }
    if (OBAN_HAS(command, fov)) {
        changed = camera_set_fov(world, command->fov) || changed;
    }
    if (changed) {
        camera_tell_change(world);
    }
    return OBAN_OK;
}
