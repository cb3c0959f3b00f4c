/* SPDX-License-Identifier: MIT */
/* The frame message. Lists are opened by their first entry, so that empty ones are left out.
 * Next: frame.h, entry.c. */
#include "proto/wire/frame.h"

#include "proto/wire/entry.h"

static void frame_gone_entry(oban_writer *writer, const oban_gone *gone)
{
    oban_writer_object_begin(writer);
    oban_wire_thing(writer, gone->number, gone->name);
    if (gone->part != 0) {
        oban_writer_key(writer, oban_wire_part_key(gone->number));
        oban_writer_u64(writer, gone->part);
    }
    if (gone->life != 1) {
        oban_writer_key(writer, "life");
        oban_writer_u64(writer, gone->life);
    }
    oban_writer_object_end(writer);
}

/* Opens a list at its first entry. */
static void frame_open(oban_writer *writer, const char *key, bool *open)
{
    if (!*open) {
        oban_writer_key(writer, key);
        oban_writer_array_begin(writer);
        *open = true;
    }
}

static bool frame_gone(oban_writer *writer, const oban_world *world, uint64_t last)
{
    uint32_t count = 0;
    const oban_gone *gone = oban_world_gone(world, &count);
    bool open = false;
    for (uint32_t i = 0; i < count; i++) {
        if (gone[i].born <= last && last < gone[i].gone) {
            frame_open(writer, "gone", &open);
            frame_gone_entry(writer, &gone[i]);
        }
    }
    if (open) {
        oban_writer_array_end(writer);
    }
    return open;
}

static bool frame_list(oban_writer *writer, const oban_world *world, uint64_t last, oban_kind kind,
                       const char *key)
{
    uint32_t end = 0;
    bool open = false;
    for (uint32_t i = oban_world_live_of(world, kind, &end); i < end; i++) {
        const oban_object *object = oban_world_live_at(world, i);
        if (object->touched <= last || object->broken) {
            continue;
        }
        frame_open(writer, key, &open);
        if (object->born > last) {
            oban_wire_object(writer, object, &object->m);
        } else {
            oban_wire_object_change(writer, object, last);
        }
    }
    if (open) {
        oban_writer_array_end(writer);
    }
    return open;
}

static bool frame_camera(oban_writer *writer, const oban_world *world, uint64_t last)
{
    const oban_camera *camera = oban_world_camera(world);
    if (camera->touched <= last) {
        return false;
    }
    oban_writer_key(writer, "camera");
    oban_wire_camera(writer, camera, &camera->m);
    return true;
}

static bool frame_hidden_refs(oban_writer *writer, const oban_world *world, uint64_t last)
{
    uint32_t count = 0;
    uint64_t touched = 0;
    const int32_t *refs = oban_world_hidden_refs(world, &count, &touched);
    if (touched <= last) {
        return false;
    }
    oban_writer_key(writer, "hidden_refs");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < count; i++) {
        oban_writer_i64(writer, refs[i]);
    }
    oban_writer_array_end(writer);
    return true;
}

bool oban_wire_frame(oban_writer *writer, const oban_world *world, uint64_t last, uint64_t skipped)
{
    bool told = skipped > 0;
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "op");
    oban_writer_string(writer, "frame");
    oban_writer_key(writer, "tick");
    oban_writer_u64(writer, oban_world_tick(world));
    told |= frame_gone(writer, world, last);
    /* Nothing has changed: spare the walk over 100,000 idle objects. */
    if (oban_world_changed(world) > last) {
        told |= frame_list(writer, world, last, OBAN_KIND_OBJECT, "objects");
        told |= frame_list(writer, world, last, OBAN_KIND_DOOR, "doors");
        told |= frame_list(writer, world, last, OBAN_KIND_CHARACTER, "characters");
        told |= frame_camera(writer, world, last);
        told |= frame_hidden_refs(writer, world, last);
    }
    if (skipped > 0) {
        oban_writer_key(writer, "skipped");
        oban_writer_u64(writer, skipped);
    }
    oban_writer_object_end(writer);
    return told;
}
