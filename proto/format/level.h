/* SPDX-License-Identifier: MIT */
/* The objects of a level (OBOA) as plain data: out of a .dat or .oni, or out of XML of either kind;
 * made into the commands of a scene.
 * Not here: animations (clip_file.h), writing (dat.h, level_xml.h), which door class a door has (no
 * file of a level says it; scene JSON does).
 * Next: level.c, oboa.c, level_xml.c. */
#ifndef OBAN_PROTO_FORMAT_LEVEL_H
#define OBAN_PROTO_FORMAT_LEVEL_H

#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/math/mat34.h"
#include "core/math/quat.h"
#include "proto/format/file_fault.h"
#include "proto/format/scene_json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBAN_LEVEL_NAME_MAX 63u     /* bytes of every name in a level */
#define OBAN_LEVEL_NO_NUMBER 65535  /* the script id of what scripts cannot name: doors */
#define OBAN_LEVEL_DOOR_LEAF 0x1000 /* added to the door number of a second leaf */

/* Flags of a record that are not of the running game. Source: oni-formats 5. */
enum {
    OBAN_LEVEL_IS_DOOR = 0x02,
    OBAN_LEVEL_IN_USE = 0x200,
    OBAN_LEVEL_NO_COLLISION = 0x400,
    OBAN_LEVEL_NO_GRAVITY = 0x800,
    OBAN_LEVEL_FACE_COLLISION = 0x1000
};

typedef char oban_level_name[OBAN_LEVEL_NAME_MAX + 1];

/* One record as the file has it. Names without the four letters of their kind. */
typedef struct oban_level_object {
    oban_level_name geometry;  /* M3GA; "" for none */
    oban_level_name animation; /* OBAN, played when nothing else is said; "" for none */
    oban_level_name particle;  /* ENVP; "" for none */
    uint32_t flags;
    int32_t door_gunk;
    int32_t door;
    uint32_t physics; /* 0 none, 1 static, 2 linear, 3 animated, 4 newton */
    int32_t number;   /* the script id */
    float position[3];
    oban_quat rotation; /* in the file's sense */
    float scale;
    oban_mat34 transform; /* where it stands: T * R * S, as the file has it */
    oban_level_name name;
    oban_level_name file; /* its source; what is behind the first NUL is not kept */
    uint64_t offset;      /* of the record in a binary file; OBAN_FILE_NO_OFFSET: see line */
    uint32_t line;        /* and column, in XML */
    uint32_t column;
} oban_level_object;

/* A clip as level XML tells of it: cut out of an animation in a 3D file. */
typedef struct oban_level_clip {
    uint32_t object; /* which of the objects */
    oban_level_name name;
    int32_t start;
    int32_t stop; /* the half-stop frame */
    int32_t end;
    uint32_t flags;
} oban_level_clip;

typedef struct oban_level {
    oban_level_object *objects;
    uint32_t count;
    uint32_t capacity;
    oban_level_clip *clips;
    uint32_t clip_count;
    uint32_t clip_capacity;
    uint32_t id; /* of the level, in a .dat */
    oban_file_faults faults;
    oban_alloc alloc;
} oban_level;

/* Reads the objects of a file; its kind comes from its first bytes. Empty slots (not in use) are
 * left out. A .dat or .oni without objects, and XML without any, give none: no fault.
 * Returns OK; BAD_FILE with an error among the faults; NO_MEMORY. Owns: whatever it returns, end
 * `out` with oban_level_fini. Source: oni-formats 2 and 5. */
oban_status oban_level_read(const oban_alloc *alloc, const void *bytes, size_t size,
                            oban_level *out);
void oban_level_fini(oban_level *level);

/* Whether XML is that of a level: its first element is OBOA or Physics. */
bool oban_level_xml_looks_like(const void *bytes, size_t size);

/* The commands that make records of the objects: OBJ_DEFINE with create and play off, so that they
 * wait for obj_create; records of one number become parts 0, 1, ... in their order. What has no
 * number (doors) is left out, with one warning; so is what an animation names that is not there:
 * such a record has none. Returns OK or NO_MEMORY. Owns: whatever it returns, end `out` with
 * oban_scene_fini; texts are borrowed from the level. Source: behaviour 4 and 9; oni-formats 5. */
oban_status oban_level_scene(const oban_level *level, const oban_scene_anims *anims,
                             oban_scene *out);

/* Adds an object or a clip of zeros at the end; NULL when memory is out. */
oban_level_object *oban_level_add(oban_level *level);
oban_level_clip *oban_level_add_clip(oban_level *level);
void oban_level_init(oban_level *level, const oban_alloc *alloc);

/* T(position) * R(rotation) * S(scale). A rotation that is not of length 1 is normalised; a zero
 * one counts as none. Source: oni-formats 5. */
oban_mat34 oban_level_transform(const float position[3], const oban_quat *rotation, float scale);

#endif
