/* SPDX-License-Identifier: MIT */
/* An object of the world, and the camera: what others may read of them. Only the world writes.
 * Next: event.h, world.h. */
#ifndef OBAN_WORLD_OBJECT_H
#define OBAN_WORLD_OBJECT_H

#include "core/anim/clip.h"
#include "core/anim/player.h"
#include "core/math/mat34.h"
#include "core/world/command.h"

#include <stdbool.h>
#include <stdint.h>

#define OBAN_OBJECT_NAME_MAX 127u

/* What a thing is, on the wire and in events. Numbers are those of the binary frames (protocol 4).
 */
typedef enum oban_kind {
    OBAN_KIND_OBJECT = 1,
    OBAN_KIND_DOOR = 2,
    OBAN_KIND_CHARACTER = 3,
    OBAN_KIND_SECTOR = 4,
    OBAN_KIND_CAMERA = 5,
    OBAN_KIND_REF = 6 /* a reference of the static level; in events only */
} oban_kind;

/* Objects, leaves of doors and characters share one space of numbers in the world, and so one
 * index, one player, one table of state: objects have the numbers from 0 on, as everybody knows
 * them, doors and characters those below. On the wire nobody sees that. */
#define OBAN_DOOR_MAX 1000000000
#define OBAN_CHARACTER_FIRST INT32_MIN /* number 0; the named ones behind the numbers */
#define OBAN_CHARACTER_NAMED (OBAN_CHARACTER_FIRST + OBAN_WHO_NUMBER_MAX + 1)
#define OBAN_CHARACTER_LAST (-OBAN_DOOR_MAX - 3)

static inline int32_t oban_door_number(int32_t door)
{
    return -1 - door;
}

/* The door of such a number, and back; the leaf is the part. */
static inline int32_t oban_door_of(int32_t number)
{
    return -1 - number;
}

static inline oban_kind oban_kind_of(int32_t number)
{
    return number >= 0                    ? OBAN_KIND_OBJECT
           : number >= -1 - OBAN_DOOR_MAX ? OBAN_KIND_DOOR
                                          : OBAN_KIND_CHARACTER;
}

/* What a leaf of a door is or does. */
typedef enum oban_door_state {
    OBAN_DOOR_CLOSED,
    OBAN_DOOR_OPENING,
    OBAN_DOOR_OPEN,
    OBAN_DOOR_CLOSING
} oban_door_state;

/* The fields of an object's entry that are sent only when they changed (protocol 4: "and whatever
 * else changed"). Each has a stamp: the publication in which it last changed. */
typedef enum oban_object_stamp {
    OBAN_STAMP_NAME,
    OBAN_STAMP_FRAMES,
    OBAN_STAMP_STEP,
    OBAN_STAMP_RUN,
    OBAN_STAMP_STATE,
    OBAN_STAMP_VISIBLE,
    OBAN_STAMP_STOP_FRAME,
    OBAN_STAMP_GEOMETRY,
    OBAN_STAMP_DOOR,       /* door_state and jammed, of doors */
    OBAN_STAMP_NOROTATION, /* of characters */
    OBAN_STAMP_COUNT
} oban_object_stamp;

typedef struct oban_object {
    /* identity */
    int32_t number;
    uint32_t part;
    uint32_t life; /* counts from 1 per number and part; 0 before the first */
    uint32_t h;    /* unique within the session; new in each life */
    bool alive;
    /* the record, which outlives the object */
    bool listed; /* a record of a scene or of obj_define, not made bare */
    const oban_clip *record_clip;
    oban_mat34 record_matrix;
    /* the object in this life */
    char *name;            /* owned by the world; NULL: none */
    char *geometry;        /* owned by the world; NULL: none */
    const oban_clip *clip; /* NULL: none */
    oban_player player;
    oban_mat34 origin; /* of a local animation */
    bool posed;        /* m follows the player; else the object just stands at m */
    bool visible;
    oban_door_state door; /* of a door's leaf */
    bool jammed;
    bool norotation; /* of a character: its position only */
    bool broken;     /* its matrix is not finite: told by an event, left out of frames */
    oban_mat34 m;    /* where it is, as published */
    /* publication bookkeeping, no state */
    bool dirty;       /* m must be evaluated in phase 4 */
    uint64_t born;    /* the publication in which this life was first published */
    uint64_t touched; /* the newest publication in which anything of it changed */
    uint64_t stamps[OBAN_STAMP_COUNT];
} oban_object;

/* Something that was alive and is gone: a client whose last publication P has born <= P < gone
 * holds it and must be told. */
typedef struct oban_gone {
    oban_kind kind;
    int32_t number;
    uint32_t part;
    const char *name; /* of a character; the world's own, for good */
    uint32_t life;
    uint32_t h;
    uint64_t born;
    uint64_t gone;
} oban_gone;

typedef enum oban_camera_mode {
    OBAN_CAMERA_FREE,
    OBAN_CAMERA_SCRIPTED,
    OBAN_CAMERA_DETACHED,
    OBAN_CAMERA_ORBIT
} oban_camera_mode;

typedef struct oban_camera {
    oban_mat34 m;  /* always rigid and right-handed */
    bool mirrored; /* the animation's matrix had a negative determinant */
    float fov;     /* vertical, degrees */
    oban_camera_mode mode;
    const oban_clip *clip; /* what plays, was interpolated to, or is held; NULL: none */
    oban_camera_part part; /* of cm_anim: what is taken from the clip */
    oban_player player;    /* of cm_anim; frame and run serve cm_interpolate too */
    bool interpolating;
    int32_t ticks;   /* of the interpolation */
    oban_mat34 from; /* its start and its target, rigid */
    oban_mat34 target;
    float speed; /* of an orbit, in degrees per tick; `ticks` 0: for ever */
    /* publication bookkeeping, no state */
    bool dirty;
    uint64_t touched;
} oban_camera;

/* Whether the camera has not yet ended what it does. */
bool oban_camera_busy(const oban_camera *camera);

#endif
