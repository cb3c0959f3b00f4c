/* SPDX-License-Identifier: MIT */
/* Entries of frames and snapshots. The fields that a later entry may leave out are rows of one
 * table, in the order of the stamps. Next: entry.h, frame.c. */
#include "proto/wire/entry.h"

#include <string.h>

/* A key in the middle of an entry, its comma and colon with it: one copy of a literal. */
#define ENTRY_KEY(writer, literal)                                                                 \
    (oban_writer_bytes((writer), ",\"" literal "\":", sizeof(",\"" literal "\":") - 1),            \
     (void)((writer)->comma = false))

const char *oban_wire_state_word(const oban_player *player)
{
    return !player->playing ? "stopped" : player->paused ? "paused" : "playing";
}

const char *oban_wire_camera_mode_word(oban_camera_mode mode)
{
    static const char *const words[] = {[OBAN_CAMERA_FREE] = "free",
                                        [OBAN_CAMERA_SCRIPTED] = "scripted",
                                        [OBAN_CAMERA_DETACHED] = "detached",
                                        [OBAN_CAMERA_ORBIT] = "orbit"};
    return words[mode];
}

static void entry_name(oban_writer *writer, const oban_object *object)
{
    ENTRY_KEY(writer, "name");
    oban_writer_string(writer, object->name);
}

static void entry_frames(oban_writer *writer, const oban_object *object)
{
    ENTRY_KEY(writer, "frames");
    oban_writer_u64(writer, object->clip != NULL ? object->clip->frame_count : 0);
}

static void entry_step(oban_writer *writer, const oban_object *object)
{
    ENTRY_KEY(writer, "step");
    oban_writer_i64(writer, object->player.step);
}

static void entry_run(oban_writer *writer, const oban_object *object)
{
    ENTRY_KEY(writer, "run");
    oban_writer_u64(writer, object->player.run);
}

static void entry_state(oban_writer *writer, const oban_object *object)
{
    ENTRY_KEY(writer, "state");
    oban_writer_string(writer, oban_wire_state_word(&object->player));
}

static void entry_visible(oban_writer *writer, const oban_object *object)
{
    ENTRY_KEY(writer, "visible");
    oban_writer_bool(writer, object->visible);
}

static void entry_stop_frame(oban_writer *writer, const oban_object *object)
{
    ENTRY_KEY(writer, "stop_frame");
    oban_writer_i64(writer, object->player.stop_frame);
}

static void entry_geometry(oban_writer *writer, const oban_object *object)
{
    ENTRY_KEY(writer, "geometry");
    oban_writer_string(writer, object->geometry);
}

/* The fields with a stamp. */
static void (*const entry_fields[OBAN_STAMP_COUNT])(oban_writer *, const oban_object *) = {
    [OBAN_STAMP_NAME] = entry_name,
    [OBAN_STAMP_FRAMES] = entry_frames,
    [OBAN_STAMP_STEP] = entry_step,
    [OBAN_STAMP_RUN] = entry_run,
    [OBAN_STAMP_STATE] = entry_state,
    [OBAN_STAMP_VISIBLE] = entry_visible,
    [OBAN_STAMP_STOP_FRAME] = entry_stop_frame,
    [OBAN_STAMP_GEOMETRY] = entry_geometry,
};

static void entry_begin(oban_writer *writer, const oban_object *object)
{
    oban_writer_object_begin(writer);
    oban_writer_bytes(writer, "\"object\":", 9);
    oban_writer_i64(writer, object->number);
}

/* anim, frame and m: what every entry of an object has. */
static void entry_pose(oban_writer *writer, const oban_object *object, const oban_mat34 *m)
{
    ENTRY_KEY(writer, "anim");
    oban_writer_string(writer, object->clip != NULL ? object->clip->name : NULL);
    ENTRY_KEY(writer, "frame");
    oban_writer_i64(writer, object->player.frame);
    ENTRY_KEY(writer, "m");
    oban_writer_mat34(writer, m);
}

void oban_wire_object(oban_writer *writer, const oban_object *object, const oban_mat34 *m)
{
    entry_begin(writer, object);
    ENTRY_KEY(writer, "part");
    oban_writer_u64(writer, object->part);
    ENTRY_KEY(writer, "life");
    oban_writer_u64(writer, object->life);
    ENTRY_KEY(writer, "h");
    oban_writer_u64(writer, object->h);
    ENTRY_KEY(writer, "kind");
    oban_writer_string(writer, oban_kind_word(OBAN_KIND_OBJECT));
    entry_pose(writer, object, m);
    for (unsigned stamp = 0; stamp < OBAN_STAMP_COUNT; stamp++) {
        entry_fields[stamp](writer, object);
    }
    oban_writer_object_end(writer);
}

void oban_wire_object_change(oban_writer *writer, const oban_object *object, uint64_t last)
{
    entry_begin(writer, object);
    if (object->part != 0) {
        ENTRY_KEY(writer, "part");
        oban_writer_u64(writer, object->part);
    }
    if (object->life != 1) {
        ENTRY_KEY(writer, "life");
        oban_writer_u64(writer, object->life);
    }
    entry_pose(writer, object, &object->m);
    for (unsigned stamp = 0; stamp < OBAN_STAMP_COUNT; stamp++) {
        if (object->stamps[stamp] > last) {
            entry_fields[stamp](writer, object);
        }
    }
    oban_writer_object_end(writer);
}

void oban_wire_camera(oban_writer *writer, const oban_camera *camera, const oban_mat34 *m)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "m");
    oban_writer_mat34(writer, m);
    oban_writer_key(writer, "fov");
    oban_writer_f32(writer, camera->fov);
    oban_writer_key(writer, "mode");
    oban_writer_string(writer, oban_wire_camera_mode_word(camera->mode));
    oban_writer_key(writer, "anim");
    oban_writer_string(writer, camera->clip != NULL ? camera->clip->name : NULL);
    oban_writer_key(writer, "frame");
    oban_writer_i64(writer, camera->player.frame);
    oban_writer_key(writer, "run");
    oban_writer_u64(writer, camera->player.run);
    oban_writer_key(writer, "busy");
    oban_writer_bool(writer, oban_camera_busy(camera));
    oban_writer_key(writer, "handedness");
    oban_writer_string(writer, camera->mirrored ? "left" : "right");
    oban_writer_object_end(writer);
}
