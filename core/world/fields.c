/* SPDX-License-Identifier: MIT */
/* state.def as data, and the hash over it. Not here: bytes (save.c, load.c). Next: save.c. */
#include "core/world/fields.h"

#include <string.h>

_Static_assert(sizeof(oban_camera_mode) == 4 && sizeof(oban_camera_part) == 4,
               "an ENUM of state.def is four bytes");

static const oban_state_field fields_world[] = {
#define OBAN_STATE_WORLD(member, TYPE, lowest, highest)                                            \
    {#member, offsetof(oban_world, member), OBAN_STATE_##TYPE, lowest, highest},
#define OBAN_STATE_OBJECT(member, TYPE, lowest, highest)
#define OBAN_STATE_CAMERA(member, TYPE, lowest, highest)
#include "core/world/state.def"
#undef OBAN_STATE_WORLD
#undef OBAN_STATE_OBJECT
#undef OBAN_STATE_CAMERA
};

static const oban_state_field fields_object[] = {
#define OBAN_STATE_WORLD(member, TYPE, lowest, highest)
#define OBAN_STATE_OBJECT(member, TYPE, lowest, highest)                                           \
    {#member, offsetof(oban_object, member), OBAN_STATE_##TYPE, lowest, highest},
#define OBAN_STATE_CAMERA(member, TYPE, lowest, highest)
#include "core/world/state.def"
#undef OBAN_STATE_WORLD
#undef OBAN_STATE_OBJECT
#undef OBAN_STATE_CAMERA
};

static const oban_state_field fields_camera[] = {
#define OBAN_STATE_WORLD(member, TYPE, lowest, highest)
#define OBAN_STATE_OBJECT(member, TYPE, lowest, highest)
#define OBAN_STATE_CAMERA(member, TYPE, lowest, highest)                                           \
    {#member, offsetof(oban_camera, member), OBAN_STATE_##TYPE, lowest, highest},
#include "core/world/state.def"
#undef OBAN_STATE_WORLD
#undef OBAN_STATE_OBJECT
#undef OBAN_STATE_CAMERA
};

#define FIELDS_COUNT(fields) ((uint32_t)(sizeof(fields) / sizeof *(fields)))

const oban_state_table *oban_state_world_table(void)
{
    static const oban_state_table table = {"the world", fields_world, FIELDS_COUNT(fields_world)};
    return &table;
}

const oban_state_table *oban_state_object_table(void)
{
    static const oban_state_table table = {"an object", fields_object, FIELDS_COUNT(fields_object)};
    return &table;
}

const oban_state_table *oban_state_camera_table(void)
{
    static const oban_state_table table = {"the camera", fields_camera,
                                           FIELDS_COUNT(fields_camera)};
    return &table;
}

/* ---- hash ------------------------------------------------------------------------------------ */

static void fields_hash_text(oban_hash *hash, const char *text)
{
    oban_hash_bytes(hash, text, text != NULL ? strlen(text) : 0);
}

static void fields_hash_clip(oban_hash *hash, const oban_clip *clip)
{
    fields_hash_text(hash, clip != NULL ? clip->name : NULL);
    oban_hash_u64(hash, clip != NULL ? clip->hash : 0);
}

static void fields_hash_one(oban_hash *hash, oban_state_type type, const void *at)
{
    switch (type) {
    case OBAN_STATE_BOOL:
        oban_hash_u64(hash, *(const bool *)at ? 1 : 0);
        break;
    case OBAN_STATE_U32:
    case OBAN_STATE_I32:
    case OBAN_STATE_ENUM:
        oban_hash_u64(hash, *(const uint32_t *)at);
        break;
    case OBAN_STATE_U64:
        oban_hash_u64(hash, *(const uint64_t *)at);
        break;
    case OBAN_STATE_F32:
        oban_hash_f32(hash, *(const float *)at);
        break;
    case OBAN_STATE_MAT34:
        for (int i = 0; i < 12; i++) {
            oban_hash_f32(hash, ((const oban_mat34 *)at)->m[i]);
        }
        break;
    case OBAN_STATE_CLIP:
        fields_hash_clip(hash, *(const oban_clip *const *)at);
        break;
    case OBAN_STATE_TEXT:
        fields_hash_text(hash, *(char *const *)at);
        break;
    }
}

void oban_state_hash(oban_hash *hash, const oban_state_table *table, const void *thing)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const oban_state_field *field = &table->fields[i];
        fields_hash_one(hash, field->type, (const char *)thing + field->offset);
    }
}

uint64_t oban_world_hash(const oban_world *world)
{
    const oban_index *all = &world->slots.all;
    oban_hash hash;
    oban_hash_start(&hash);
    oban_state_hash(&hash, oban_state_world_table(), world);
    oban_hash_u64(&hash, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        oban_state_hash(&hash, oban_state_object_table(), all->items[i]);
    }
    oban_state_hash(&hash, oban_state_camera_table(), &world->camera);
    oban_hash_u64(&hash, world->refs.count);
    for (uint32_t i = 0; i < world->refs.count; i++) {
        oban_hash_u64(&hash, (uint32_t)world->refs.items[i]);
    }
    return oban_hash_end(&hash);
}
