/* SPDX-License-Identifier: MIT */
/* What comes about in the world, in the order in which it does. Read after the tick, then cleared.
 * Not here: seq numbers and JSON (server/sim, proto/wire).
 * Next: world.h. */
#ifndef OBAN_WORLD_EVENT_H
#define OBAN_WORLD_EVENT_H

#include "core/anim/player.h"
#include "core/world/object.h"

#include <stdint.h>

/* X(NAME, word): the types of protocol 6. TIME is made by the host of the world, which owns the
 * clock. */
#define OBAN_EVENT_TYPES(X)                                                                        \
    X(STOP, "stop")                                                                                \
    X(START, "start")                                                                              \
    X(CREATED, "created")                                                                          \
    X(KILLED, "killed")                                                                            \
    X(SHOWN, "shown")                                                                              \
    X(HIDDEN, "hidden")                                                                            \
    X(PLACED, "placed")                                                                            \
    X(CAMERA, "camera")                                                                            \
    X(WARNING, "warning")                                                                          \
    X(TIME, "time")

typedef enum oban_event_type {
#define OBAN_X(NAME, word) OBAN_EVENT_##NAME,
    OBAN_EVENT_TYPES(OBAN_X)
#undef OBAN_X
        OBAN_EVENT_TYPE_COUNT
} oban_event_type;

/* How time changed (TIME events). */
typedef enum oban_time_change {
    OBAN_TIME_PAUSED,
    OBAN_TIME_RESUMED,
    OBAN_TIME_SPEED,
    OBAN_TIME_LATE
} oban_time_change;

typedef struct oban_event {
    oban_event_type type;
    oban_kind kind; /* of the thing it is about; 0 when about none */
    uint64_t tick;
    int32_t number; /* of the thing as the world has it; the reference for KIND_REF */
    uint32_t part;
    const char *name; /* of a character; the world's own, for good */
    uint32_t life;
    uint32_t run;                      /* START, STOP */
    int32_t frame;                     /* START, STOP */
    oban_stop_reason reason;           /* STOP */
    char anim[OBAN_CLIP_NAME_MAX + 1]; /* START, STOP; "" when none */
    oban_camera_mode mode;             /* CAMERA */
    float fov;                         /* CAMERA */
    oban_time_change change;           /* TIME */
    uint64_t ticks;                    /* TIME, late: the ticks lost */
    const char *message;               /* WARNING: a literal; else NULL */
} oban_event;

const char *oban_event_type_word(oban_event_type type);
const char *oban_kind_word(oban_kind kind);

#endif
