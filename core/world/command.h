/* SPDX-License-Identifier: MIT */
/* The typed command: the only door into the world, whether it came as JSON, as BSL, from a scene or
 * a recording; and what the world answers. Not here: parsing (bsl/line.h, proto/wire/request.h).
 * Next: ../bsl/commands.def, object.h. */
#ifndef OBAN_WORLD_COMMAND_H
#define OBAN_WORLD_COMMAND_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/math/mat34.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum oban_op {
#define OBAN_COMMAND(NAME, name, group, class_, bsl, help) OBAN_OP_##NAME,
#define OBAN_ARG(NAME, field, flags, lo, hi, help)
#include "core/bsl/commands.def"
#undef OBAN_COMMAND
#undef OBAN_ARG
    OBAN_OP_COUNT
} oban_op;

typedef enum oban_camera_part {
    OBAN_CAMERA_LOOK,
    OBAN_CAMERA_MOVE,
    OBAN_CAMERA_BOTH
} oban_camera_part;

/* Somebody: by number, or by name. "0" and "char_0" are number 0, whoever says so. */
typedef struct oban_who {
    int32_t number; /* -1: by name */
    oban_text name;
} oban_who;

#define OBAN_WHO_NUMBER_MAX 65535

/* What a word means. Returns false when it is empty, over 63 bytes, or a number beyond the limit.
 */
bool oban_who_of(oban_text word, oban_who *out);

/* Types of fields. The C type of each stands beside it. */
typedef enum oban_field_type {
    OBAN_FIELD_I32,   /* int32_t */
    OBAN_FIELD_U32,   /* uint32_t */
    OBAN_FIELD_F32,   /* float */
    OBAN_FIELD_BOOL,  /* bool; 0 and 1 are taken too */
    OBAN_FIELD_TEXT,  /* oban_text; highest = most bytes (0: 63) */
    OBAN_FIELD_MODE,  /* oban_camera_part: look, move, both */
    OBAN_FIELD_MAT34, /* oban_mat34: twelve finite numbers */
    OBAN_FIELD_WHO,   /* oban_who: a name, or a number from 0 to OBAN_WHO_NUMBER_MAX */
    OBAN_FIELD_NONE   /* no member: a word that is taken and means nothing */
} oban_field_type;

/* X(field, TYPE, C type): the members of a command. */
#define OBAN_COMMAND_FIELDS(X)                                                                     \
    X(object, I32, int32_t)                                                                        \
    X(to, I32, int32_t)                                                                            \
    X(part, U32, uint32_t)                                                                         \
    X(life, U32, uint32_t)                                                                         \
    X(stop_frame, I32, int32_t)                                                                    \
    X(ref, I32, int32_t)                                                                           \
    X(visible, BOOL, bool)                                                                         \
    X(create, BOOL, bool)                                                                          \
    X(play, BOOL, bool)                                                                            \
    X(anim, TEXT, oban_text)                                                                       \
    X(name, TEXT, oban_text)                                                                       \
    X(geometry, TEXT, oban_text)                                                                   \
    X(mode, MODE, oban_camera_part)                                                                \
    X(frames, I32, int32_t)                                                                        \
    X(fov, F32, float)                                                                             \
    X(matrix, MAT34, oban_mat34)                                                                   \
    X(speed, F32, float)                                                                           \
    X(stop_angle, F32, float)                                                                      \
    X(door, I32, int32_t)                                                                          \
    X(leaf, U32, uint32_t)                                                                         \
    X(character, WHO, oban_who)                                                                    \
    X(norotation, BOOL, bool)                                                                      \
    X(maxspeed, NONE, char)                                                                        \
    X(maxfocalaccel, NONE, char)

typedef enum oban_field {
#define OBAN_X(field, TYPE, ctype) OBAN_FIELD_AT_##field,
    OBAN_COMMAND_FIELDS(OBAN_X)
#undef OBAN_X
        OBAN_FIELD_COUNT
} oban_field;

/* A command: plain data. Texts are borrowed for the call. `has` has bit OBAN_FIELD_AT_x set for
 * each field that was given; a field that was not given is 0. */
typedef struct oban_command {
    oban_op op;
    uint32_t has;
#define OBAN_X(field, TYPE, ctype) ctype field;
    OBAN_COMMAND_FIELDS(OBAN_X)
#undef OBAN_X
} oban_command;

#define OBAN_HAS(command, field) (((command)->has >> OBAN_FIELD_AT_##field) & 1u)

/* Sets a field and its bit. */
#define OBAN_SET(command, field_name, value)                                                       \
    ((command)->field_name = (value), (command)->has |= 1u << OBAN_FIELD_AT_##field_name)

enum {
    OBAN_ARG_REQUIRED = 1,      /* JSON must give it; BSL takes a missing number as 0 and warns */
    OBAN_ARG_OPTIONAL = 2,      /* may be left out in both */
    OBAN_ARG_JSON_ONLY = 4,     /* has no BSL word; may be left out */
    OBAN_ARG_JSON_REQUIRED = 8, /* has no BSL word; JSON must give it */
    OBAN_ARG_IGNORED = 16       /* a BSL word that means nothing; JSON takes any number */
};

/* One row of the command table. */
typedef struct oban_arg_row {
    const char *name;
    oban_field field;
    oban_field_type type;
    uint32_t flags;
    int64_t lowest;
    int64_t highest;
    const char *help;
} oban_arg_row;

typedef enum oban_command_class { OBAN_PERFORMED, OBAN_TIMELINE, OBAN_NOOP } oban_command_class;

typedef struct oban_command_row {
    const char *name;
    const char *group;
    oban_command_class class_;
    bool bsl; /* has a BSL statement of this name */
    const char *help;
    const oban_arg_row *args;
    uint32_t arg_count;
} oban_command_row;

/* The row of an op. Never NULL for a valid op. */
const oban_command_row *oban_command_row_of(oban_op op);
/* Looks a command up by its exact name. Returns false when there is none. */
bool oban_command_find(oban_text name, oban_op *op);
/* Where a field lies in the struct, for table-driven readers; SIZE_MAX for NONE. */
size_t oban_field_offset(oban_field field);

/* ---- results ------------------------------------------------------------------------------------
 */

/* What a list of a result says of its things. */
typedef enum oban_result_kind {
    OBAN_RESULT_NOTHING, /* {} */
    OBAN_RESULT_CREATED, /* {created:[{object,part,life}]} */
    OBAN_RESULT_KILLED,
    OBAN_RESULT_STARTED, /* {started:[{object,part,life,run,ends}]} */
    OBAN_RESULT_STOPPED,
    OBAN_RESULT_PAUSED,
    OBAN_RESULT_RESUMED,
    OBAN_RESULT_SHOWN,
    OBAN_RESULT_HIDDEN,
    OBAN_RESULT_PLACED,
    OBAN_RESULT_DEFINED,
    OBAN_RESULT_REF,    /* {ref, visible} */
    OBAN_RESULT_CAMERA, /* {run, ends}: a camera run */
    OBAN_RESULT_FOV,    /* {fov} */
    OBAN_RESULT_JAMMED, /* {jammed:[{door,leaf,life}]} */
    OBAN_RESULT_UNJAMMED,
    OBAN_RESULT_PATH /* {frames, path:[[frame,x,y,z], ...]} */
} oban_result_kind;

/* What a thing is called: `object` tells of which kind it is (oban_kind_of in object.h), and for a
 * character without a number `name` is its name (the world's own, for good). */
typedef struct oban_result_item {
    int32_t object;
    uint32_t part;
    const char *name;
    uint32_t life;
    uint32_t run;
    uint64_t ends; /* tick of the stop; UINT64_MAX: never by itself */
} oban_result_item;

#define OBAN_RESULT_WARNINGS_MAX 4u
#define OBAN_PATH_MAX 256u

/* A place on an animation's path. */
typedef struct oban_path_place {
    int32_t frame;
    float at[3];
} oban_path_place;

/* The answer to a command. When status is not OK nothing was changed, `field` names the argument at
 * fault (or is NULL) and `message` says what was wrong. `items` belongs to the world and is valid
 * until the next oban_world_apply. Things alike are told in one warning ("3 objects are alive
 * already: 5, 6 and 9"), so that there are few of them. */
typedef struct oban_result {
    oban_status status;
    const char *field;
    oban_line message;
    oban_result_kind kind;
    const oban_result_item *items;
    uint32_t item_count;
    int32_t ref;
    bool visible;
    float fov;
    const oban_path_place *path; /* as items */
    uint32_t path_count;
    uint32_t frames; /* of the path's animation */
    uint32_t warning_count;
    oban_line warnings[OBAN_RESULT_WARNINGS_MAX];
} oban_result;

#endif
