/* SPDX-License-Identifier: MIT */
/* The camera: what its runs do each tick, and where it looks from.
 * Not here: the commands (camera_apply.c). Next: camera_apply.c. */
#include "core/world/camera.h"

#include "core/math/trig.h"
#include "core/world/publish.h"

#include <string.h>

#define CAMERA_FOV 45.0f   /* degrees, vertical; behaviour 5 */
#define CAMERA_FOCUS 100.0 /* units ahead: what it looks at; ours */
#define CAMERA_ORBIT_TICKS 1000000

void oban_camera_init(oban_camera *camera)
{
    memset(camera, 0, sizeof *camera);
    camera->m = oban_mat34_identity();
    camera->from = camera->m;
    camera->target = camera->m;
    camera->fov = CAMERA_FOV;
    camera->part = OBAN_CAMERA_BOTH;
    camera->player.step = 1;
}

bool oban_camera_busy(const oban_camera *camera)
{
    bool endless = camera->mode == OBAN_CAMERA_ORBIT && camera->ticks == 0;
    return camera->player.playing && !endless;
}

const oban_camera *oban_world_camera(const oban_world *world)
{
    return &world->camera;
}

/* ---- phase 2 --------------------------------------------------------------------------------- */

/* An interpolation counts its k in the player's frame. */
static oban_stop_reason camera_step_interpolation(oban_camera *camera)
{
    camera->player.frame += 1;
    if (camera->player.frame < camera->ticks) {
        return OBAN_STOP_NONE;
    }
    camera->player.playing = false;
    return OBAN_STOP_END;
}

/* An orbit counts its ticks in the player's frame; one without an end begins anew from where it is
 * before the count runs out. */
static oban_stop_reason camera_step_orbit(oban_camera *camera)
{
    if (camera->ticks == 0 && camera->player.frame == CAMERA_ORBIT_TICKS) {
        camera->from = camera->m;
        camera->player.frame = 0;
    }
    camera->player.frame += 1;
    if (camera->ticks == 0 || camera->player.frame < camera->ticks) {
        return OBAN_STOP_NONE;
    }
    camera->player.playing = false;
    return OBAN_STOP_END;
}

void oban_camera_step(oban_world *world)
{
    oban_camera *camera = &world->camera;
    if (!camera->player.playing) {
        return;
    }
    oban_stop_reason reason = camera->mode == OBAN_CAMERA_ORBIT ? camera_step_orbit(camera)
                              : camera->interpolating
                                  ? camera_step_interpolation(camera)
                                  : oban_player_step(&camera->player, camera->clip);
    camera->dirty = true;
    oban_publish_touch_camera(world);
    if (reason != OBAN_STOP_NONE) {
        oban_publish_run(oban_publish_event(world, OBAN_EVENT_STOP, OBAN_KIND_CAMERA),
                         &camera->player, camera->clip, reason);
    }
}

/* ---- phase 4 --------------------------------------------------------------------------------- */

typedef struct camera_pose {
    oban_mat34 m;
    bool mirrored;
} camera_pose;

static oban_mat34 camera_between(const oban_camera *camera)
{
    float t = (float)camera->player.frame / (float)camera->ticks;
    const oban_mat34 *from = &camera->from;
    const oban_mat34 *target = &camera->target;
    oban_quat a = oban_quat_from_mat34(from);
    oban_quat b = oban_quat_from_mat34(target);
    oban_quat q = oban_quat_mix(&a, &b, t);
    float position[3];
    for (int axis = 0; axis < 3; axis++) {
        position[axis] = t * target->m[9 + axis] + (1.0f - t) * from->m[9 + axis];
    }
    return oban_quat_matrix(&q, 2.0f / oban_quat_length2(&q), position);
}

/* What the clip gives, and the rest as it was when ordered. An orientation that is none (degenerate
 * axes), and a matrix that is not finite, leave the present one. */
static camera_pose camera_follow(const oban_camera *camera)
{
    oban_mat34 whole = oban_clip_matrix(camera->clip, camera->player.frame);
    camera_pose pose = {camera->m, camera->mirrored};
    oban_mat34 rigid;
    bool mirrored;
    if (!oban_mat34_finite(&whole)) {
        return pose;
    }
    if (camera->part == OBAN_CAMERA_MOVE) {
        pose.m = camera->from;
    } else if (oban_mat34_rigid(&whole, &rigid, &mirrored)) {
        pose = (camera_pose){rigid, mirrored};
    }
    memcpy(pose.m.m + 9, camera->part == OBAN_CAMERA_LOOK ? camera->from.m + 9 : whole.m + 9,
           3 * sizeof(float));
    return pose;
}

/* About the upright line through what it looked at when ordered. */
static oban_mat34 camera_around(const oban_camera *camera)
{
    const oban_mat34 *from = &camera->from;
    oban_mat34 out;
    double sine;
    double cosine;
    oban_trig_degrees((double)camera->speed * (double)camera->player.frame, &sine, &cosine);
    for (int column = 0; column < 4; column++) {
        double v[3];
        double focus[3];
        for (int k = 0; k < 3; k++) {
            focus[k] =
                column < 3 ? 0 : (double)from->m[9 + k] - CAMERA_FOCUS * (double)from->m[6 + k];
            v[k] = (double)from->m[3 * column + k] - focus[k];
        }
        out.m[3 * column] = (float)(focus[0] + cosine * v[0] + sine * v[2]);
        out.m[3 * column + 1] = (float)(focus[1] + v[1]);
        out.m[3 * column + 2] = (float)(focus[2] - sine * v[0] + cosine * v[2]);
    }
    return oban_mat34_finite(&out) ? out : camera->m;
}

static camera_pose camera_now(const oban_camera *camera)
{
    if (camera->mode == OBAN_CAMERA_ORBIT) {
        return (camera_pose){camera_around(camera), camera->mirrored};
    }
    if (camera->clip == NULL) {
        return (camera_pose){camera->m, camera->mirrored};
    }
    if (!camera->interpolating) {
        return camera_follow(camera);
    }
    if (camera->player.frame <= 0) {
        return (camera_pose){camera->from, camera->mirrored};
    }
    if (camera->player.frame >= camera->ticks) {
        return (camera_pose){camera->target, camera->mirrored};
    }
    return (camera_pose){camera_between(camera), camera->mirrored};
}

oban_mat34 oban_world_camera_matrix(const oban_world *world)
{
    return world->camera.dirty ? camera_now(&world->camera).m : world->camera.m;
}

void oban_camera_evaluate(oban_world *world)
{
    oban_camera *camera = &world->camera;
    if (!camera->dirty) {
        return;
    }
    camera_pose pose = camera_now(camera);
    camera->dirty = false;
    if (!oban_mat34_same(&pose.m, &camera->m) || pose.mirrored != camera->mirrored) {
        camera->m = pose.m;
        camera->mirrored = pose.mirrored;
        oban_publish_touch_camera(world);
    }
}
