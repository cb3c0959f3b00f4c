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

static void entry_door(oban_writer *writer, const oban_object *object)
{
    static const char *const words[] = {[OBAN_DOOR_CLOSED] = "closed",
                                        [OBAN_DOOR_OPENING] = "opening",
                                        [OBAN_DOOR_OPEN] = "open",
                                        [OBAN_DOOR_CLOSING] = "closing"};
    if (oban_kind_of(object->number) == OBAN_KIND_DOOR) {
        ENTRY_KEY(writer, "door_state");
        oban_writer_string(writer, words[object->door]);
        ENTRY_KEY(writer, "jammed");
        oban_writer_bool(writer, object->jammed);
    }
}

static void entry_norotation(oban_writer *writer, const oban_object *object)
{
    if (oban_kind_of(object->number) == OBAN_KIND_CHARACTER) {
        ENTRY_KEY(writer, "norotation");
        oban_writer_bool(writer, object->norotation);
    }
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
    [OBAN_STAMP_DOOR] = entry_door,
    [OBAN_STAMP_NOROTATION] = entry_norotation,
};

void oban_wire_thing(oban_writer *writer, int32_t number, const char *name)
{
    oban_kind kind = oban_kind_of(number);
    if (kind == OBAN_KIND_OBJECT) {
        oban_writer_key(writer, "object");
        oban_writer_i64(writer, number);
    } else if (kind == OBAN_KIND_DOOR) {
        oban_writer_key(writer, "door");
        oban_writer_i64(writer, oban_door_of(number));
    } else {
        oban_writer_key(writer, "character");
        if (name != NULL) {
            oban_writer_string(writer, name);
        } else {
            oban_writer_i64(writer, (int64_t)number - OBAN_CHARACTER_FIRST);
        }
    }
}

const char *oban_wire_part_key(int32_t number)
{
    oban_kind kind = oban_kind_of(number);
    return kind == OBAN_KIND_OBJECT ? "part" : kind == OBAN_KIND_DOOR ? "leaf" : NULL;
}

static void entry_begin(oban_writer *writer, const oban_object *object)
{
    oban_writer_object_begin(writer);
    if (object->number >= 0) { /* nearly all */
        oban_writer_bytes(writer, "\"object\":", 9);
        oban_writer_i64(writer, object->number);
    } else {
        oban_wire_thing(writer, object->number, object->name);
    }
}

static void entry_part(oban_writer *writer, const oban_object *object)
{
    const char *key = oban_wire_part_key(object->number);
    if (key != NULL) {
        oban_writer_key(writer, key);
        oban_writer_u64(writer, object->part);
    }
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
    entry_part(writer, object);
    ENTRY_KEY(writer, "life");
    oban_writer_u64(writer, object->life);
    ENTRY_KEY(writer, "h");
    oban_writer_u64(writer, object->h);
    ENTRY_KEY(writer, "kind");
    oban_writer_string(writer, oban_kind_word(oban_kind_of(object->number)));
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
        entry_part(writer, object);
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
