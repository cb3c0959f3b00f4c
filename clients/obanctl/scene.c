/* SPDX-License-Identifier: MIT */
/* See scene.h. The objects stand in glibc's balanced tree (tsearch), so that no order in which a
 * daemon names them makes this slow. */
#include "clients/obanctl/scene.h"

#include "clients/obanctl/fields.h"
#include "clients/obanctl/memory.h"

#include <math.h>
#include <search.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an entry of each list has besides its identity. */
#define SCENE_FIELD(name, TYPE) {#name, FIELD_##TYPE, offsetof(scene_thing, name)},
static const field_row object_fields[] = {
#include "clients/obanctl/scene_fields.def"
};
#define SCENE_DOOR_FIELD(name, TYPE) {#name, FIELD_##TYPE, offsetof(scene_thing, name)},
static const field_row door_fields[] = {
#include "clients/obanctl/scene_fields.def"
};
#undef SCENE_DOOR_FIELD
#define SCENE_CHARACTER_FIELD(name, TYPE) {#name, FIELD_##TYPE, offsetof(scene_thing, name)},
static const field_row character_fields[] = {
#include "clients/obanctl/scene_fields.def"
};
#undef SCENE_CHARACTER_FIELD
#undef SCENE_FIELD

static const field_row camera_fields[] = {
#define SCENE_CAMERA_FIELD(name, TYPE) {#name, FIELD_##TYPE, offsetof(scene_camera, name)},
#include "clients/obanctl/scene_fields.def"
#undef SCENE_CAMERA_FIELD
};

enum { CAMERA_FIELDS = sizeof camera_fields / sizeof camera_fields[0] };

#define LIST_FIELDS(fields) fields, sizeof fields / sizeof fields[0]

typedef struct list_row {
    const char *name;
    const char *key;  /* of the member with the number, or a character's name */
    const char *part; /* of the member with the part; NULL: none */
    const char *one;
    const field_row *fields;
    size_t field_count;
} list_row;

static const list_row lists[SCENE_LIST_COUNT] = {
    [SCENE_OBJECTS] = {"objects", "object", "part", "object", LIST_FIELDS(object_fields)},
    [SCENE_DOORS] = {"doors", "door", "leaf", "door", LIST_FIELDS(door_fields)},
    [SCENE_CHARACTERS] = {"characters", "character", NULL, "character",
                          LIST_FIELDS(character_fields)},
};

/* ---- the tree -------------------------------------------------------------------------------- */

static int by_identity(const void *left, const void *right)
{
    const scene_thing *a = left;
    const scene_thing *b = right;

    if (a->list != b->list) {
        return a->list < b->list ? -1 : 1;
    }
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    if (a->who != NULL && b->who != NULL && strcmp(a->who, b->who) != 0) {
        return strcmp(a->who, b->who);
    }
    return (a->part > b->part) - (a->part < b->part);
}

static void thing_free(void *context)
{
    scene_thing *thing = context;
    const list_row *list = &lists[thing->list];

    fields_free(thing, list->fields, list->field_count);
    free(thing->who);
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
    --scene->counts[thing->list];
    thing_free(thing);
}

static scene_thing *thing_add(ctl_scene *scene, const scene_thing *identity)
{
    scene_thing *thing = memory_take(sizeof *thing);

    thing->list = identity->list;
    thing->number = identity->number;
    thing->who = memory_string(identity->who);
    thing->part = identity->part;
    thing->life = identity->life;
    thing->visible = true;
    thing->first_tick = scene->tick;
    if (tsearch(thing, &scene->things, by_identity) == NULL) {
        memory_out();
    }
    ++scene->counts[thing->list];
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

/* Whose an entry is; part 0 and life 1 may be left out. `out` borrows a character's name. */
static bool read_identity(scene_list list, const oban_json *entry, scene_thing *out,
                          oban_line *fault)
{
    const list_row *row = &lists[list];
    const oban_json *number = oban_json_member(entry, row->key);
    const oban_json *part = row->part != NULL ? oban_json_member(entry, row->part) : NULL;
    const oban_json *life = oban_json_member(entry, "life");
    bool named =
        list == SCENE_CHARACTERS && number != NULL && oban_json_type_of(number) == OBAN_JSON_STRING;

    memset(out, 0, sizeof *out);
    out->list = list;
    out->life = 1;
    if (named) {
        out->number = -1;
        out->who = (char *)(uintptr_t)oban_json_string(number);
    }
    if (number == NULL ||
        (!named && !oban_json_integer(number, 0, FIELDS_WHOLE_MAX, &out->number)) ||
        (part != NULL && !oban_json_integer(part, 0, FIELDS_WHOLE_MAX, &out->part)) ||
        (life != NULL && !oban_json_integer(life, 1, FIELDS_WHOLE_MAX, &out->life))) {
        oban_line_add(fault, "no good ");
        oban_line_add(fault, row->key);
        if (row->part != NULL) {
            oban_line_add(fault, ", ");
            oban_line_add(fault, row->part);
        }
        oban_line_add(fault, " or life");
        return false;
    }
    return true;
}

static bool merge_gone(ctl_scene *scene, const oban_json *entry, uint64_t ticks, oban_line *fault)
{
    scene_list list = SCENE_OBJECTS;
    scene_thing identity;
    scene_thing *thing;

    (void)ticks;
    while (list < SCENE_LIST_COUNT && oban_json_member(entry, lists[list].key) == NULL) {
        ++list;
    }
    if (list == SCENE_LIST_COUNT) {
        if (oban_json_type_of(entry) == OBAN_JSON_OBJECT) {
            return true; /* a sector, ...: not held here */
        }
        list = SCENE_OBJECTS;
    }
    if (!read_identity(list, entry, &identity, fault)) {
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

static bool merge_thing(ctl_scene *scene, scene_list list, const oban_json *entry, uint64_t ticks,
                        oban_line *fault)
{
    bool places = oban_json_member(entry, "m") != NULL;
    scene_thing identity;
    scene_thing *thing;
    bool seen;
    float before[3];

    if (!read_identity(list, entry, &identity, fault)) {
        return false;
    }
    thing = thing_find(scene, &identity);
    seen = thing != NULL && thing->life == identity.life;
    if (!seen && !places) {
        oban_line_add(fault, "no m in the first entry of its ");
        oban_line_add(fault, lists[list].one);
        return false;
    }
    if (!seen && thing != NULL) {
        thing_remove(scene, thing);
    }
    thing = seen ? thing : thing_add(scene, &identity);
    memcpy(before, thing->m + 9, sizeof before);
    if (!fields_read(entry, lists[list].fields, lists[list].field_count, thing, fault)) {
        return false;
    }
    if (seen && places) {
        note_move(thing, before, scene->tick, ticks);
    }
    return true;
}

static bool merge_object(ctl_scene *scene, const oban_json *entry, uint64_t ticks, oban_line *fault)
{
    return merge_thing(scene, SCENE_OBJECTS, entry, ticks, fault);
}

static bool merge_door(ctl_scene *scene, const oban_json *entry, uint64_t ticks, oban_line *fault)
{
    return merge_thing(scene, SCENE_DOORS, entry, ticks, fault);
}

static bool merge_character(ctl_scene *scene, const oban_json *entry, uint64_t ticks,
                            oban_line *fault)
{
    return merge_thing(scene, SCENE_CHARACTERS, entry, ticks, fault);
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
           merge_list(scene, message, "objects", merge_object, ticks, fault) &&
           merge_list(scene, message, "doors", merge_door, ticks, fault) &&
           merge_list(scene, message, "characters", merge_character, ticks, fault) &&
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

    bool chosen = thing->list == SCENE_OBJECTS ? selection_has(walk->chosen, thing->number)
                                               : walk->chosen->count == 0;

    if ((order == postorder || order == leaf) && chosen) {
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

typedef struct scene_writing {
    oban_writer *writer;
    scene_list list;
} scene_writing;

static void write_thing(const scene_thing *thing, void *context)
{
    const scene_writing *writing = context;
    const list_row *list = &lists[thing->list];
    oban_writer *writer = writing->writer;

    if (thing->list != writing->list) {
        return;
    }
    oban_writer_object_begin(writer);
    oban_writer_key(writer, list->key);
    if (thing->who != NULL) {
        oban_writer_string(writer, thing->who);
    } else {
        oban_writer_i64(writer, thing->number);
    }
    if (list->part != NULL) {
        oban_writer_key(writer, list->part);
        oban_writer_i64(writer, thing->part);
    }
    fields_write(thing, list->fields, list->field_count, writer);
    oban_writer_object_end(writer);
}

void scene_counts(const ctl_scene *scene, char *out, size_t bytes)
{
    size_t used = 0;

    for (scene_list list = SCENE_OBJECTS; list < SCENE_LIST_COUNT && used < bytes; ++list) {
        if (list == SCENE_OBJECTS || scene->counts[list] > 0) {
            used += (size_t)snprintf(out + used, bytes - used, "%s%u %s%s", used > 0 ? ", " : "",
                                     scene->counts[list], lists[list].one,
                                     scene->counts[list] == 1 ? "" : "s");
        }
    }
}

void scene_write(const ctl_scene *scene, const ctl_selection *chosen, oban_writer *writer)
{
    for (scene_list list = SCENE_OBJECTS; list < SCENE_LIST_COUNT; ++list) {
        scene_writing writing = {writer, list};

        oban_writer_key(writer, lists[list].name);
        oban_writer_array_begin(writer);
        scene_each(scene, chosen, write_thing, &writing);
        oban_writer_array_end(writer);
    }
    oban_writer_key(writer, "camera");
    if (scene->has_camera) {
        oban_writer_object_begin(writer);
        fields_write(&scene->camera, camera_fields, CAMERA_FIELDS, writer);
        oban_writer_object_end(writer);
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
