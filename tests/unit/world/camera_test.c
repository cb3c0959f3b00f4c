/* SPDX-License-Identifier: MIT */
/* Tests of the camera: behaviour 5, one rule after the other. */
#include "tests/unit/world/rig.h"

#include <math.h>

static oban_command cm_anim(oban_camera_part mode, const char *anim)
{
    oban_command command = rig_command(OBAN_OP_CM_ANIM);
    OBAN_SET(&command, mode, mode);
    OBAN_SET(&command, anim, oban_text_of(anim));
    return command;
}

static oban_command cm_interpolate(const char *anim, int32_t frames)
{
    oban_command command = rig_command(OBAN_OP_CM_INTERPOLATE);
    OBAN_SET(&command, anim, oban_text_of(anim));
    OBAN_SET(&command, frames, frames);
    return command;
}

static oban_command camera_place(oban_mat34 matrix)
{
    oban_command command = rig_command(OBAN_OP_CAMERA_PLACE);
    OBAN_SET(&command, matrix, matrix);
    return command;
}

static oban_command fov_set(float fov)
{
    oban_command command = rig_command(OBAN_OP_GS_FOV_SET);
    OBAN_SET(&command, fov, fov);
    return command;
}

static oban_command cm_orbit(float speed, float stop)
{
    oban_command command = rig_command(OBAN_OP_CM_ORBIT);
    OBAN_SET(&command, speed, speed);
    OBAN_SET(&command, stop_angle, stop);
    return command;
}

/* A view of one key: turned by an angle about y, at a place, with a base. */
static void add_view(rig *r, const char *name, double angle, const float position[3],
                     const oban_mat34 *base)
{
    const oban_key key = {.rotation = {0, (float)sin(-angle / 2), 0, (float)cos(angle / 2)},
                          .position = {position[0], position[1], position[2]}};
    const oban_clip_def def = {.name = oban_text_of(name),
                               .base = base != NULL ? *base : oban_mat34_identity(),
                               .frame_count = 1,
                               .keys = &key,
                               .key_count = 1};
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(&r->alloc, &def, &clip, NULL), OBAN_OK);
    assert_int_equal(oban_world_clip_add(r->world, clip), OBAN_OK);
}

static void camera_at(rig *r, float x, float y, float z)
{
    oban_mat34 m = oban_world_camera_matrix(r->world);
    if (m.m[9] != x || m.m[10] != y || m.m[11] != z) {
        fail_msg("the camera is at %g %g %g, not %g %g %g", (double)m.m[9], (double)m.m[10],
                 (double)m.m[11], (double)x, (double)y, (double)z);
    }
}

/* The angle about y that it looks by, in degrees. */
static double heading(rig *r)
{
    oban_mat34 m = oban_world_camera_matrix(r->world);
    return atan2((double)m.m[6], (double)m.m[8]) * 180 / 3.14159265358979;
}

static void assert_heading(rig *r, double want)
{
    if (!(fabs(heading(r) - want) < 1e-4)) {
        fail_msg("the camera looks by %g, not %g", heading(r), want);
    }
}

static const float there[3] = {10, 20, 30};

/* ---- at rest --------------------------------------------------------------------------------- */

static void it_starts_free_at_the_identity_with_45_degrees(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    const oban_camera *camera = oban_world_camera(r.world);
    oban_mat34 one = oban_mat34_identity();
    assert_true(oban_mat34_same(&camera->m, &one));
    assert_true(camera->fov == 45);
    assert_int_equal(camera->mode, OBAN_CAMERA_FREE);
    assert_null(camera->clip);
    assert_false(oban_camera_busy(camera));
    rig_close(&r);
}

static void fov_changes_the_fov_only(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", OBAN_CLIP_LOOP, 10);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "a"));
    rig_settle(&r);
    rig_do(&r, fov_set(60));
    assert_int_equal(r.result.kind, OBAN_RESULT_FOV);
    assert_true(r.result.fov == 60);
    assert_events(&r, "camera camera");
    rig_do(&r, fov_set(60)); /* nothing new */
    assert_events(&r, "camera camera");
    uint32_t count;
    const oban_event *event = oban_world_events(r.world, &count);
    assert_true(event->fov == 60);
    assert_int_equal(event->mode, OBAN_CAMERA_SCRIPTED);
    assert_true(oban_camera_busy(oban_world_camera(r.world)));
    rig_refused(&r, fov_set(0.5f), OBAN_BAD_FIELD, "fov", "fov must be 1 to 179");
    rig_refused(&r, fov_set(180), OBAN_BAD_FIELD, "fov", "fov must be 1 to 179");
    rig_refused(&r, fov_set(NAN), OBAN_BAD_FIELD, "fov", "fov must be 1 to 179");
    rig_do(&r, fov_set(1));
    rig_do(&r, fov_set(179));
    rig_close(&r);
}

/* ---- cm_anim --------------------------------------------------------------------------------- */

static void an_animation_plays_from_frame_0_and_its_end_is_held(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", OBAN_CLIP_RANDOM_START | OBAN_CLIP_AUTOSTART, 10);
    rig_tick(&r);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "a"));
    assert_int_equal(r.result.kind, OBAN_RESULT_CAMERA);
    assert_int_equal(r.result.items[0].run, 1);
    assert_int_equal(r.result.items[0].ends, 11);
    assert_events(&r, "start camera/1 a f0");
    rig_settle(&r);
    const oban_camera *camera = oban_world_camera(r.world);
    for (int k = 1; k < 10; k++) {
        assert_true(oban_camera_busy(camera));
        rig_tick(&r);
        camera_at(&r, (float)k, 0, 0);
        assert_int_equal(camera->player.frame, k);
    }
    rig_tick(&r);
    assert_events(&r, "stop camera/1 a f9 end");
    assert_false(oban_camera_busy(camera));
    rig_ticks(&r, 5); /* no autostart for the camera */
    assert_events(&r, "");
    camera_at(&r, 9, 0, 0);
    assert_int_equal(camera->mode, OBAN_CAMERA_SCRIPTED);
    assert_string_equal(camera->clip->name, "a");
    rig_close(&r);
}

static void look_takes_the_orientation_and_move_the_position(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    add_view(&r, "view", 1.0, there, NULL);
    add_view(&r, "back", 2.0, there, NULL);
    rig_do(&r, camera_place(rig_at(1, 2, 3)));
    rig_do(&r, cm_anim(OBAN_CAMERA_LOOK, "view"));
    camera_at(&r, 1, 2, 3);
    assert_heading(&r, 57.29578);
    rig_do(&r, cm_anim(OBAN_CAMERA_MOVE, "back"));
    camera_at(&r, 10, 20, 30);
    assert_heading(&r, 57.29578); /* what it was when ordered */
    rig_tick(&r);
    camera_at(&r, 10, 20, 30);
    assert_heading(&r, 57.29578);
    rig_do(&r, camera_place(rig_at(1, 2, 3)));
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "back"));
    camera_at(&r, 10, 20, 30);
    assert_heading(&r, 114.59156);
    rig_close(&r);
}

static void scale_and_mirroring_are_divided_out_and_told(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    const oban_mat34 mirror = {{-1.82f, 0, 0, 0, 1.82f, 0, 0, 0, 1.82f, 0, 0, 0}};
    const oban_mat34 flat = {{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}};
    add_view(&r, "mirror", 0, there, &mirror);
    add_view(&r, "flat", 1.5, there, &flat);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "mirror"));
    rig_settle(&r);
    const oban_camera *camera = oban_world_camera(r.world);
    oban_mat34 want = rig_at(10, 20, 30);
    for (int i = 0; i < 12; i++) {
        assert_true(camera->m.m[i] == want.m[i]);
    }
    assert_true(camera->mirrored);
    rig_do(&r, camera_place(rig_at(0, 0, 0)));
    assert_false(camera->mirrored);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "flat")); /* no orientation in it: the present one */
    rig_settle(&r);
    camera_at(&r, 10, 20, 30);
    assert_heading(&r, 0);
    rig_close(&r);
}

/* The base carries the position out of range as soon as the key leaves 0. */
static void a_matrix_that_is_not_finite_keeps_the_present_pose(void **state)
{
    (void)state;
    rig r;
    oban_key keys[2] = {{.rotation = {0, 0, 0, 1}},
                        {.rotation = {0, 0, 0, 1}, .position = {3e38f, 0, 0}, .frame = 4}};
    const oban_clip_def def = {.name = oban_text_of("far"),
                               .base = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 2e38f, 0, 0}},
                               .frame_count = 5,
                               .keys = keys,
                               .key_count = 2};
    oban_clip *clip = NULL;
    rig_open(&r);
    assert_int_equal(oban_clip_create(&r.alloc, &def, &clip, NULL), OBAN_OK);
    assert_int_equal(oban_world_clip_add(r.world, clip), OBAN_OK);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "far"));
    rig_ticks(&r, 5);
    assert_events(&r, "stop camera/1 far f4 end");
    assert_true(oban_mat34_finite(&oban_world_camera(r.world)->m));
    assert_true(oban_world_camera(r.world)->m.m[9] > 2e38f);
    rig_close(&r);
}

static void a_local_clip_has_the_identity_as_origin(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "local", OBAN_CLIP_LOCAL, 10);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "local"));
    rig_ticks(&r, 3);
    camera_at(&r, 3, 0, 0);
    const float *m = oban_world_camera(r.world)->m.m;
    assert_true(m[4] == 0 && m[5] == -1 && m[7] == 1);
    rig_close(&r);
}

static void a_loop_is_busy_for_ever(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "loop", OBAN_CLIP_LOOP, 3);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "loop"));
    assert_true(r.result.items[0].ends == UINT64_MAX);
    rig_ticks(&r, 100);
    assert_true(oban_camera_busy(oban_world_camera(r.world)));
    rig_close(&r);
}

/* ---- cm_interpolate -------------------------------------------------------------------------- */

static void interpolation_is_k_of_n_at_n_plus_k(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    add_view(&r, "view", 1.0, there, NULL);
    rig_ticks(&r, 2);
    oban_world_tick_begin(r.world); /* tick 3 */
    rig_do(&r, cm_interpolate("view", 10));
    assert_int_equal(r.result.items[0].ends, 13);
    assert_int_equal(r.result.items[0].run, 1);
    oban_world_tick_end(r.world);
    assert_events(&r, "start camera/1 view f0");
    oban_mat34 one = oban_mat34_identity();
    const oban_camera *camera = oban_world_camera(r.world);
    assert_true(oban_mat34_same(&camera->m, &one)); /* the old pose at N */
    double before = 0;
    for (int k = 1; k < 10; k++) {
        rig_tick(&r);
        assert_events(&r, "");
        assert_true(oban_camera_busy(camera));
        assert_int_equal(camera->player.frame, k);
        assert_true(fabs((double)camera->m.m[9] - k) < 1e-5);
        assert_true(fabs((double)camera->m.m[11] - 3 * k) < 1e-5);
        /* nlerp: half way at the half, in between not quite linear */
        assert_true(heading(&r) > before + 5 && heading(&r) < before + 6.5);
        before = heading(&r);
        if (k == 5) {
            assert_heading(&r, 57.29578 / 2);
        }
    }
    oban_world_tick_begin(r.world);
    assert_false(oban_camera_busy(camera)); /* no longer busy in phase 3 of N+n */
    oban_world_tick_end(r.world);
    assert_events(&r, "stop camera/1 view f10 end");
    assert_true(oban_mat34_same(&camera->m, &camera->target));
    camera_at(&r, 10, 20, 30);
    assert_heading(&r, 57.29578);
    rig_ticks(&r, 3);
    camera_at(&r, 10, 20, 30);
    assert_string_equal(camera->clip->name, "view");
    rig_close(&r);
}

static void a_cut_starts_and_stops_in_the_same_tick(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    add_view(&r, "view", 1.0, there, NULL);
    rig_do(&r, cm_interpolate("view", 0));
    assert_events(&r, "start camera/1 view f0; stop camera/1 view f0 end");
    assert_int_equal(r.result.items[0].ends, 0);
    assert_false(oban_camera_busy(oban_world_camera(r.world)));
    camera_at(&r, 10, 20, 30);
    rig_ticks(&r, 2);
    assert_events(&r, "");
    camera_at(&r, 10, 20, 30);
    rig_refused(&r, cm_interpolate("view", 1000001), OBAN_BAD_FIELD, "frames",
                "frames must be 0 to 1000000");
    rig_close(&r);
}

static void it_goes_the_shorter_way_round(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    add_view(&r, "left", 3.0, there, NULL);
    add_view(&r, "right", -3.0, there, NULL);
    rig_do(&r, cm_interpolate("left", 0));
    rig_do(&r, cm_interpolate("right", 10));
    for (int k = 0; k < 9; k++) {
        rig_tick(&r);
        assert_true(fabs(heading(&r)) > 171);
    }
    rig_close(&r);
}

/* The pose that it goes from is the one of the very tick, after phase 2. */
static void it_goes_from_the_pose_of_the_tick(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 100);
    add_view(&r, "view", 0, there, NULL);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "a"));
    rig_ticks(&r, 5);
    oban_world_tick_begin(r.world);
    camera_at(&r, 6, 0, 0);
    rig_do(&r, cm_interpolate("view", 4));
    camera_at(&r, 6, 0, 0);
    oban_world_tick_end(r.world);
    assert_events(&r, "stop camera/1 a f6 replaced; start camera/2 view f0");
    camera_at(&r, 6, 0, 0);
    rig_tick(&r);
    camera_at(&r, 7, 5, 7.5f);
    rig_close(&r);
}

/* ---- letting go ------------------------------------------------------------------------------ */

static void each_order_ends_the_one_before(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 100);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "a"));
    rig_tick(&r);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "a"));
    rig_do(&r, cm_interpolate("a", 5));
    assert_events(&r, "stop camera/1 a f1 replaced; start camera/2 a f0; "
                      "stop camera/2 a f0 replaced; start camera/3 a f0");
    rig_ticks(&r, 2);
    rig_do(&r, rig_command(OBAN_OP_CM_RESET));
    assert_int_equal(r.result.kind, OBAN_RESULT_NOTHING);
    assert_events(&r, "stop camera/3 a f2 command; camera camera");
    assert_int_equal(oban_world_camera(r.world)->mode, OBAN_CAMERA_FREE);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "a"));
    rig_tick(&r);
    rig_do(&r, rig_command(OBAN_OP_CM_DETACH));
    assert_events(&r, "stop camera/4 a f1 command; camera camera");
    assert_int_equal(oban_world_camera(r.world)->mode, OBAN_CAMERA_DETACHED);
    rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "a"));
    rig_tick(&r);
    rig_do(&r, camera_place(rig_at(4, 5, 6)));
    assert_events(&r, "stop camera/5 a f1 command; camera camera");
    camera_at(&r, 4, 5, 6);
    assert_int_equal(oban_world_camera(r.world)->player.frame, 0);
    assert_int_equal(oban_world_camera(r.world)->player.run, 5);
    assert_null(oban_world_camera(r.world)->clip);
    rig_close(&r);
}

static void reset_and_detach_leave_it_where_it_is(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 100);
    for (int detach = 0; detach < 2; detach++) {
        oban_op op = detach ? OBAN_OP_CM_DETACH : OBAN_OP_CM_RESET;
        rig_do(&r, cm_anim(OBAN_CAMERA_BOTH, "a"));
        rig_ticks(&r, 5);
        oban_world_tick_begin(r.world);
        rig_do(&r, rig_command(op));
        oban_world_tick_end(r.world);
        camera_at(&r, 6, 0, 0); /* of this tick, not of the one published before */
        rig_ticks(&r, 3);
        camera_at(&r, 6, 0, 0);
        rig_do(&r, rig_command(op)); /* nothing new: no event */
        assert_events(&r, "");
    }
    rig_close(&r);
}

static void placing_makes_the_matrix_rigid(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, camera_place((oban_mat34){{-2, 0, 0, 0, 3, 0, 0, 0, 4, 1, 1, 1}}));
    const oban_camera *camera = oban_world_camera(r.world);
    oban_mat34 want = rig_at(1, 1, 1);
    for (int i = 0; i < 12; i++) {
        assert_true(camera->m.m[i] == want.m[i]);
    }
    assert_true(camera->mirrored);
    rig_refused(&r, camera_place((oban_mat34){{0}}), OBAN_BAD_FIELD, "matrix",
                "the matrix has axes that span no space");
    rig_refused(&r, rig_command(OBAN_OP_CAMERA_PLACE), OBAN_BAD_FIELD, "matrix",
                "matrix or fov is needed");
    oban_command command = rig_command(OBAN_OP_CAMERA_PLACE);
    OBAN_SET(&command, fov, 30);
    rig_do(&r, command);
    assert_true(camera->fov == 30);
    camera_at(&r, 1, 1, 1);
    rig_settle(&r);
    rig_do(&r, camera_place((oban_mat34){{-2, 0, 0, 0, 3, 0, 0, 0, 4, 1, 1, 1}}));
    assert_events(&r, ""); /* where it is already */
    rig_close(&r);
}

static void an_unknown_animation_is_refused(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_refused(&r, cm_anim(OBAN_CAMERA_BOTH, "x"), OBAN_NO_ANIM, "anim",
                "no animation 'x'; none is loaded");
    rig_add(&r, "View", 0, 2);
    rig_refused(&r, cm_interpolate("Vie", 5), OBAN_NO_ANIM, "anim",
                "no animation 'Vie'; the nearest is 'View'");
    rig_refused(&r, cm_anim((oban_camera_part)3, "View"), OBAN_BAD_FIELD, "mode",
                "mode must be look, move or both");
    rig_warned(&r, cm_anim(OBAN_CAMERA_BOTH, "view"),
               "animation 'view' is taken as 'View', which differs in case");
    rig_close(&r);
}

static void cm_reset_takes_the_words_of_scripts(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    oban_command command = rig_command(OBAN_OP_CM_RESET);
    command.has = 1u << OBAN_FIELD_AT_maxspeed | 1u << OBAN_FIELD_AT_maxfocalaccel;
    rig_do(&r, command);
    rig_close(&r);
}

/* About a place 100 units ahead: from (0, 0, 0), looking along -z, that is (0, 0, -100). */
static void orbits_what_it_looks_at(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    oban_command quarter = cm_orbit(45, 90);
    assert_int_equal(oban_world_apply(r.world, &quarter, &r.result), OBAN_OK);
    assert_int_equal(r.result.items[0].ends, 2);
    assert_true(oban_world_camera_busy(r.world));
    oban_world_events_clear(r.world);
    rig_ticks(&r, 2);
    oban_mat34 m = oban_world_camera(r.world)->m;
    assert_true(fabsf(m.m[9] - 100) < 1e-4f && fabsf(m.m[11] + 100) < 1e-4f);
    assert_true(fabsf(m.m[6] - 1) < 1e-6f); /* it still looks there */
    assert_false(oban_world_camera_busy(r.world));
    uint32_t count = 0;
    const oban_event *events = oban_world_events(r.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].reason, OBAN_STOP_END);
    assert_string_equal(events[0].anim, "");
    rig_ticks(&r, 3);
    assert_true(oban_mat34_same(&m, &oban_world_camera(r.world)->m)); /* held */
    rig_close(&r);
}

/* Without a stop it goes on for ever, and nobody waits for it. */
static void orbits_for_ever(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    oban_command forever = cm_orbit(-1, 0);
    oban_command reset = rig_command(OBAN_OP_CM_RESET);
    assert_int_equal(oban_world_apply(r.world, &forever, &r.result), OBAN_OK);
    assert_true(r.result.items[0].ends == UINT64_MAX);
    assert_false(oban_world_camera_busy(r.world));
    rig_settle(&r);
    oban_mat34 first = oban_world_camera(r.world)->m;
    rig_ticks(&r, 360);
    oban_mat34 round = oban_world_camera(r.world)->m;
    for (int i = 0; i < 12; i++) {
        assert_true(fabsf(first.m[i] - round.m[i]) < 1e-4f);
    }
    oban_world_events_clear(r.world);
    assert_int_equal(oban_world_apply(r.world, &reset, &r.result), OBAN_OK);
    uint32_t count = 0;
    assert_int_equal(oban_world_events(r.world, &count)[0].reason, OBAN_STOP_COMMAND);
    assert_int_equal(oban_world_camera(r.world)->mode, OBAN_CAMERA_FREE);
    oban_command slow = cm_orbit(0.0001f, 360);
    assert_int_equal(oban_world_apply(r.world, &slow, &r.result), OBAN_BAD_FIELD);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_starts_free_at_the_identity_with_45_degrees),
        cmocka_unit_test(fov_changes_the_fov_only),
        cmocka_unit_test(an_animation_plays_from_frame_0_and_its_end_is_held),
        cmocka_unit_test(look_takes_the_orientation_and_move_the_position),
        cmocka_unit_test(scale_and_mirroring_are_divided_out_and_told),
        cmocka_unit_test(a_matrix_that_is_not_finite_keeps_the_present_pose),
        cmocka_unit_test(a_local_clip_has_the_identity_as_origin),
        cmocka_unit_test(a_loop_is_busy_for_ever),
        cmocka_unit_test(interpolation_is_k_of_n_at_n_plus_k),
        cmocka_unit_test(a_cut_starts_and_stops_in_the_same_tick),
        cmocka_unit_test(it_goes_the_shorter_way_round),
        cmocka_unit_test(it_goes_from_the_pose_of_the_tick),
        cmocka_unit_test(each_order_ends_the_one_before),
        cmocka_unit_test(reset_and_detach_leave_it_where_it_is),
        cmocka_unit_test(placing_makes_the_matrix_rigid),
        cmocka_unit_test(an_unknown_animation_is_refused),
        cmocka_unit_test(cm_reset_takes_the_words_of_scripts),
        cmocka_unit_test(orbits_what_it_looks_at),
        cmocka_unit_test(orbits_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
