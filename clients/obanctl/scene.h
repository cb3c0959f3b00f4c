/* SPDX-License-Identifier: MIT */
/* The scene as the daemon streams it, held by merging snapshots and frames: what is gone first, an
 * entry of another life replaces. Objects, doors, characters, the camera and the hidden references;
 * sectors will be a further list.
 * Not here: sockets (connection.h), showing it (table.h).
 * Next: scene_fields.def, scene.c. */
#ifndef OBANCTL_SCENE_H
#define OBANCTL_SCENE_H

#include "clients/obanctl/selection.h"
#include "core/base/text.h"
#include "proto/json/json.h"
#include "proto/json/writer.h"

#include <stdbool.h>
#include <stdint.h>

#define SCENE_C_INT(name) int64_t name;
#define SCENE_C_BOOL(name) bool name;
#define SCENE_C_TEXT(name) char *name;
#define SCENE_C_F32(name) float name;
#define SCENE_C_MATRIX(name) float name[12];

/* The lists of a frame, in the order in which they are shown. */
typedef enum scene_list {
    SCENE_OBJECTS,
    SCENE_DOORS,
    SCENE_CHARACTERS,
    SCENE_LIST_COUNT
} scene_list;

typedef struct scene_thing {
    scene_list list;
    int64_t number; /* of the object, the door or the character; -1: the character has a name */
    char *who;      /* a character's name, or NULL */
    int64_t part;   /* a door's: its leaf; a character has none */
#define SCENE_FIELD(name, TYPE) SCENE_C_##TYPE(name)
#define SCENE_DOOR_FIELD(name, TYPE) SCENE_C_##TYPE(name)
#define SCENE_CHARACTER_FIELD(name, TYPE) SCENE_C_##TYPE(name)
#include "clients/obanctl/scene_fields.def"
#undef SCENE_FIELD
#undef SCENE_DOOR_FIELD
#undef SCENE_CHARACTER_FIELD
    float speed;         /* units per tick, between the last two places */
    uint64_t first_tick; /* when this life was first seen */
    uint64_t moved_tick; /* the tick of the newest place */
} scene_thing;

typedef struct scene_camera {
#define SCENE_CAMERA_FIELD(name, TYPE) SCENE_C_##TYPE(name)
#include "clients/obanctl/scene_fields.def"
#undef SCENE_CAMERA_FIELD
} scene_camera;

typedef struct ctl_scene {
    void *things; /* a tree of scene_thing, by list, number or name, part */
    uint32_t counts[SCENE_LIST_COUNT];
    scene_camera camera;
    bool has_camera;
    int64_t *hidden_refs;
    size_t hidden_ref_count;
    uint64_t tick;
    uint64_t skipped; /* ticks that were not sent, summed up */
} ctl_scene;

void scene_init(ctl_scene *scene);
void scene_fini(ctl_scene *scene);
/* Empties it: a new session begins. */
void scene_clear(ctl_scene *scene);
/* Takes a `snapshot` or `frame` message. Returns false with what is wrong with it in `fault`; the
 * scene is then not to be used. */
bool scene_merge(ctl_scene *scene, const oban_json *message, oban_line *fault);

/* Calls for each object that was chosen, by rising (object, part); when all were, then for each
 * door and each character. */
typedef void (*scene_visit)(const scene_thing *thing, void *context);
void scene_each(const ctl_scene *scene, const ctl_selection *chosen, scene_visit visit,
                void *context);
/* Units per second at this moment; negative while only one tick of it is known. */
double scene_speed(const ctl_scene *scene, const scene_thing *thing, double rate_hz);
/* Whether it holds an object of this number, whatever its part. */
bool scene_has(const ctl_scene *scene, int64_t object);
/* "15 objects, 2 doors": lists that hold nothing go unsaid, but for the objects. Into `out`, of
 * `bytes`. */
void scene_counts(const ctl_scene *scene, char *out, size_t bytes);
/* Writes "objects":[...],"doors":[...],"characters":[...],"camera":{...},"hidden_refs":[...], full
 * entries, into an open object. */
void scene_write(const ctl_scene *scene, const ctl_selection *chosen, oban_writer *writer);

#endif
