/* SPDX-License-Identifier: MIT */
/* state.def as data: what hash, save and load walk. Next: fields.c, save.c. */
#ifndef OBAN_WORLD_FIELDS_H
#define OBAN_WORLD_FIELDS_H

#include "core/base/hash.h"
#include "core/world/state.h"

typedef enum oban_state_type {
    OBAN_STATE_BOOL,
    OBAN_STATE_U32,
    OBAN_STATE_I32,
    OBAN_STATE_U64,
    OBAN_STATE_F32,
    OBAN_STATE_ENUM,
    OBAN_STATE_MAT34,
    OBAN_STATE_CLIP,
    OBAN_STATE_TEXT
} oban_state_type;

typedef struct oban_state_field {
    const char *name;
    size_t offset;
    oban_state_type type;
    int64_t lowest;
    int64_t highest;
} oban_state_field;

typedef struct oban_state_table {
    const char *name; /* of what it is the state */
    const oban_state_field *fields;
    uint32_t count;
} oban_state_table;

/* Of struct oban_world, of an oban_object, of the oban_camera. */
const oban_state_table *oban_state_world_table(void);
const oban_state_table *oban_state_object_table(void);
const oban_state_table *oban_state_camera_table(void);

/* Adds all fields of one thing to a hash. */
void oban_state_hash(oban_hash *hash, const oban_state_table *table, const void *thing);

#endif
