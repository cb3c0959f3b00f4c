/* SPDX-License-Identifier: MIT */
/* See scene.h. The objects stand in glibc's balanced tree (tsearch), so that no order in which a
 * daemon names them makes this slow. */
#include "clients/obanctl/scene.h"

#include "clients/obanctl/fields.h"
#include "clients/obanctl/memory.h"

#include <math.h>
#include <search.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const field_row thing_fields[] = {
#define SCENE_FIELD(name, TYPE) {#name, FIELD_##TYPE, offsetof(scene_thing, name)},
#include "clients/obanctl/scene_fields.def"
#undef SCENE_FIELD
};

static const field_row camera_fields[] = {
#define SCENE_CAMERA_FIELD(name, TYPE) {#name, FIELD_##TYPE, offsetof(scene_camera, name)},
#include "clients/obanctl/scene_fields.def"
#undef SCENE_CAMERA_FIELD
};

enum {
    THING_FIELDS = sizeof thing_fields / sizeof thing_fields[0],
    CAMERA_FIELDS = sizeof camera_fields / sizeof camera_fields[0]
};

/* ---- the tree -------------------------------------------------------------------------------- */

static int by_identity(const void *left, const void *right)
{
    const scene_thing *a = left;
    const scene_thing *b = right;

    if (a->object != b->object) {
        return a->object < b->object ? -1 : 1;
    }
    return (a->part > b->part) - (a->part < b->part);
}

static void thing_free(void *thing)
{
    fields_free(thing, thing_fields, THING_FIELDS);
    free(thing);
}

static scene_thing *thing_find(const ctl_scene *scene, const scene_thing *identity)
{
    void *found = tfind(identity, &scene->things, by_identity);

    return found != NULL ? *(scene_thing **)found : NULL;
}

static void thing_remove(ctl_scene *scene, scene_thing *thing)
{
    (void)tdelete(thing, &scene->things, by_identity);
    thing_free(thing);
    --scene->count;
}

static scene_thing *thing_add(ctl_scene *scene, const scene_thing *identity)
{
    scene_thing *thing = memory_take(sizeof *thing);

    thing->object = identity->object;
    thing->part = identity->part;
    thing->life = identity->life;
    thing->visible = true;
    thing->first_tick = scene->tick;
    if (tsearch(thing, &scene->things, by_identity) == NULL) {
        memory_out();
    }
    ++scene->count;
    return thing;
}

void scene_init(ctl_scene *scene)
{
    memset(scene, 0, sizeof *scene);
}

void scene_clear(ctl_scene *scene)
{
    tdestroy(scene->things, thing_free);
    fields_free(&scene->camera, camera_fields, CAMERA_FIELDS);
    free(scene->hidden_refs);
    scene_init(scene);
}

void scene_fini(ctl_scene *scene)
{
    scene_clear(scene);
}

/* ---- merging --------------------------------------------------------------------------------- */

/* {object, part, life}; part 0 and life 1 may be left out. */
static bool read_identity(const oban_json *entry, scene_thing *out, oban_line *fault)
{
    const oban_json *object = oban_json_member(entry, "object");
    const oban_json *part = oban_json_member(entry, "part");
    const oban_json *life = oban_json_member(entry, "life");

    memset(out, 0, sizeof *out);
    out->life = 1;
    if (object == NULL || !oban_json_integer(object, 0, FIELDS_WHOLE_MAX, &out->object) ||
        (part != NULL && !oban_json_integer(part, 0, FIELDS_WHOLE_MAX, &out->part)) ||
        (life != NULL && !oban_json_integer(life, 1, FIELDS_WHOLE_MAX, &out->life))) {
        oban_line_add(fault, "no good object, part or life");
        return false;
    }
    return true;
}

static bool merge_gone(ctl_scene *scene, const oban_json *entry, uint64_t ticks, oban_line *fault)
{
    scene_thing identity;
    scene_thing *thing;

    (void)ticks;
    if (oban_json_type_of(entry) == OBAN_JSON_OBJECT && oban_json_member(entry, "object") == NULL) {
        return true; /* a door, a character, ...: not held here */
    }
    if (!read_identity(entry, &identity, fault)) {
        return false;
    }
    thing = thing_find(scene, &identity);
    if (thing != NULL && thing->life == identity.life) {
        thing_remove(scene, thing);
    }
    return true;
}

/* How far it went since the place before, over the ticks in which it can have gone. */
static void note_move(scene_thing *thing, const float before[3], uint64_t tick, uint64_t ticks)
{
    double x = (double)thing->m[9] - (double)before[0];
    double y = (double)thing->m[10] - (double)before[1];
    double z = (double)thing->m[11] - (double)before[2];

    if (ticks > 0) {
        thing->speed = (float)(sqrt(x * x + y * y + z * z) / (double)ticks);
        thing->moved_tick = tick;
    }
}

static bool merge_thing(ctl_scene *scene, const oban_json *entry, uint64_t ticks, oban_line *fault)
{
    bool places = oban_json_member(entry, "m") != NULL;
    scene_thing identity;
    scene_thing *thing;
    bool seen;
    float before[3];

    if (!read_identity(entry, &identity, fault)) {
        return false;
    }
    thing = thing_find(scene, &identity);
    seen = thing != NULL && thing->life == identity.life;
    if (!seen && !places) {
        oban_line_add(fault, "no m in the first entry of an object");
        return false;
    }
    if (!seen && thing != NULL) {
        thing_remove(scene, thing);
    }
    thing = seen ? thing : thing_add(scene, &identity);
    memcpy(before, thing->m + 9, sizeof before);
    if (!fields_read(entry, thing_fields, THING_FIELDS, thing, fault)) {
        return false;
    }
    if (seen && places) {
        note_move(thing, before, scene->tick, ticks);
    }
    return true;
}

static bool merge_ref(ctl_scene *scene, const oban_json *entry, uint64_t ticks, oban_line *fault)
{
    int64_t ref;

    (void)ticks;
    if (!oban_json_integer(entry, 0, FIELDS_WHOLE_MAX, &ref)) {
        oban_line_add(fault, "no whole number");
        return false;
    }
    scene->hidden_refs[scene->hidden_ref_count++] = ref;
    return true;
}

typedef bool (*merge_one)(ctl_scene *scene, const oban_json *entry, uint64_t ticks,
                          oban_line *fault);

/* Each entry of a list, which may be missing. */
static bool merge_list(ctl_scene *scene, const oban_json *message, const char *name,
                       merge_one merge, uint64_t ticks, oban_line *fault)
{
    const oban_json *list = oban_json_member(message, name);
    uint64_t index = 0;

    if (list != NULL && oban_json_type_of(list) != OBAN_JSON_ARRAY) {
        oban_line_add(fault, name);
        oban_line_add(fault, " is no list");
        return false;
    }
    for (const oban_json *one = list != NULL ? oban_json_first(list) : NULL; one != NULL;
         one = oban_json_next(one), ++index) {
        if (!merge(scene, one, ticks, fault)) {
            oban_line_add(fault, " (");
            oban_line_add(fault, name);
            oban_line_add(fault, "[");
            oban_line_add_u64(fault, index);
            oban_line_add(fault, "])");
            return false;
        }
    }
    return true;
}

static bool merge_refs(ctl_scene *scene, const oban_json *message, oban_line *fault)
{
    const oban_json *list = oban_json_member(message, "hidden_refs");

    if (list == NULL) {
        return true;
    }
    free(scene->hidden_refs);
    scene->hidden_refs = memory_take(oban_json_count(list) * sizeof *scene->hidden_refs);
    scene->hidden_ref_count = 0;
    return merge_list(scene, message, "hidden_refs", merge_ref, 0, fault);
}

static bool merge_camera(ctl_scene *scene, const oban_json *message, oban_line *fault)
{
    const oban_json *camera = oban_json_member(message, "camera");

    if (camera == NULL || oban_json_type_of(camera) == OBAN_JSON_NULL) {
        return true;
    }
    scene->has_camera = true;
    return fields_read(camera, camera_fields, CAMERA_FIELDS, &scene->camera, fault);
}

bool scene_merge(ctl_scene *scene, const oban_json *message, oban_line *fault)
{
    const oban_json *tick_value = oban_json_member(message, "tick");
    const oban_json *skipped_value = oban_json_member(message, "skipped");
    int64_t tick = 0;
    int64_t skipped = 0;
    uint64_t ticks;

    oban_line_clear(fault);
    if (tick_value == NULL || !oban_json_integer(tick_value, 0, FIELDS_WHOLE_MAX, &tick) ||
        (skipped_value != NULL &&
         !oban_json_integer(skipped_value, 0, FIELDS_WHOLE_MAX, &skipped))) {
        oban_line_add(fault, "no good tick or skipped");
        return false;
    }
    /* What moved did so in this tick or in one of those skipped: ticks without news have none. */
    ticks = (uint64_t)tick > scene->tick ? (uint64_t)tick - scene->tick : 0;
    ticks = ticks > (uint64_t)skipped + 1 ? (uint64_t)skipped + 1 : ticks;
    scene->tick = (uint64_t)tick;
    scene->skipped += (uint64_t)skipped;
    return merge_list(scene, message, "gone", merge_gone, ticks, fault) &&
           merge_list(scene, message, "objects", merge_thing, ticks, fault) &&
           merge_camera(scene, message, fault) && merge_refs(scene, message, fault);
}

/* ---- reading it ------------------------------------------------------------------------------ */

typedef struct ctl_walk {
    const ctl_selection *chosen;
    scene_visit visit;
    void *context;
} ctl_walk;

static void walk_node(const void *node, VISIT order, void *context)
{
    const scene_thing *thing = *(scene_thing *const *)node;
    const ctl_walk *walk = context;

    if ((order == postorder || order == leaf) && selection_has(walk->chosen, thing->object)) {
        walk->visit(thing, walk->context);
    }
}

void scene_each(const ctl_scene *scene, const ctl_selection *chosen, scene_visit visit,
                void *context)
{
    ctl_walk walk = {chosen, visit, context};

    twalk_r(scene->things, walk_node, &walk);
}

double scene_speed(const ctl_scene *scene, const scene_thing *thing, double rate_hz)
{
    if (scene->tick <= thing->first_tick) {
        return -1.0;
    }
    return thing->moved_tick == scene->tick ? (double)thing->speed * rate_hz : 0.0;
}

static void note_thing(const scene_thing *thing, void *context)
{
    bool *found = context;

    (void)thing;
    *found = true;
}

bool scene_has(const ctl_scene *scene, int64_t object)
{
    selection_range one = {object, object};
    ctl_selection chosen = {&one, 1};
    bool found = false;

    scene_each(scene, &chosen, note_thing, &found);
    return found;
}

static void write_thing(const scene_thing *thing, void *context)
{
    fields_write(thing, thing_fields, THING_FIELDS, context);
}

void scene_write(const ctl_scene *scene, const ctl_selection *chosen, oban_writer *writer)
{
    oban_writer_key(writer, "objects");
    oban_writer_array_begin(writer);
    scene_each(scene, chosen, write_thing, writer);
    oban_writer_array_end(writer);
    oban_writer_key(writer, "camera");
    if (scene->has_camera) {
        fields_write(&scene->camera, camera_fields, CAMERA_FIELDS, writer);
    } else {
        oban_writer_null(writer);
    }
    oban_writer_key(writer, "hidden_refs");
    oban_writer_array_begin(writer);
    for (size_t i = 0; i < scene->hidden_ref_count; ++i) {
        oban_writer_i64(writer, scene->hidden_refs[i]);
    }
    oban_writer_array_end(writer);
}
