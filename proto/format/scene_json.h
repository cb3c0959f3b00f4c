/* SPDX-License-Identifier: MIT */
/* A scene in JSON (behaviour 9) made into the commands that build it.
 * Not here: doing them (core/world), the fields themselves (../wire/fields.h).
 * Next: scene_json.c. */
#ifndef OBAN_PROTO_FORMAT_SCENE_JSON_H
#define OBAN_PROTO_FORMAT_SCENE_JSON_H

#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/world/command.h"
#include "proto/format/file_fault.h"
#include "proto/json/json.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_scene {
    /* OBJ_DEFINE for each object, with create and play always given; DOOR_DEFINE for each leaf of a
     * door; CAMERA_PLACE when the scene has a camera. In the order of the file. Texts live as long
     * as the scene. */
    oban_command *commands;
    uint32_t count;
    uint32_t capacity;
    oban_file_faults faults; /* messages begin with the path: "objects[3].matrx: no such field" */
    oban_json *root;
    oban_alloc alloc;
} oban_scene;

/* Which animations there are. `find` tells whether there is one of a name; when not it adds to the
 * line why, and which are near. */
typedef struct oban_scene_anims {
    bool (*find)(void *context, oban_text name, oban_line *line);
    void *context;
} oban_scene_anims;

/* Reads a scene; with `anims` (may be NULL) the names of animations are looked up too. Returns OK;
 * BAD_JSON (the fault has line and column); BAD_SCENE with all faults (up to OBAN_FILE_FAULTS_MAX);
 * NO_MEMORY. Unless OK there are no commands. Owns: whatever it returns, end `out` with
 * oban_scene_fini. Source: behaviour 9. */
oban_status oban_scene_read(const oban_alloc *alloc, oban_text text, const oban_scene_anims *anims,
                            oban_scene *out);
void oban_scene_fini(oban_scene *scene);

#endif
