/* SPDX-License-Identifier: MIT */
/* The state as bytes. Not here: reading them (load.c), which fields (state.def).
 * Next: load.c. */
#include "core/world/save.h"

#include "core/world/fields.h"

#include <string.h>

/* Where bytes go; with no data they are only counted. */
typedef struct save_out {
    unsigned char *data;
    size_t bytes;
} save_out;

static void save_bytes(save_out *out, const void *data, size_t bytes)
{
    if (out->data != NULL && bytes > 0) {
        memcpy(out->data + out->bytes, data, bytes);
    }
    out->bytes += bytes;
}

static void save_number(save_out *out, uint64_t value, size_t bytes)
{
    unsigned char little[8];
    for (size_t i = 0; i < bytes; i++) {
        little[i] = (unsigned char)(value >> (8 * i));
    }
    save_bytes(out, little, bytes);
}

static void save_f32(save_out *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    save_number(out, bits, 4);
}

static void save_text(save_out *out, const char *text)
{
    size_t bytes = text != NULL ? strlen(text) : 0;
    save_number(out, bytes, 4);
    save_bytes(out, text, bytes);
}

static void save_clip(save_out *out, const oban_clip *clip)
{
    save_text(out, clip != NULL ? clip->name : NULL);
    if (clip != NULL) {
        save_number(out, clip->hash, 8);
    }
}

static void save_field(save_out *out, oban_state_type type, const void *at)
{
    switch (type) {
    case OBAN_STATE_BOOL:
        save_number(out, *(const bool *)at ? 1 : 0, 1);
        break;
    case OBAN_STATE_U32:
    case OBAN_STATE_I32:
    case OBAN_STATE_ENUM:
        save_number(out, *(const uint32_t *)at, 4);
        break;
    case OBAN_STATE_U64:
        save_number(out, *(const uint64_t *)at, 8);
        break;
    case OBAN_STATE_F32:
        save_f32(out, *(const float *)at);
        break;
    case OBAN_STATE_MAT34:
        for (int i = 0; i < 12; i++) {
            save_f32(out, ((const oban_mat34 *)at)->m[i]);
        }
        break;
    case OBAN_STATE_CLIP:
        save_clip(out, *(const oban_clip *const *)at);
        break;
    case OBAN_STATE_TEXT:
        save_text(out, *(char *const *)at);
        break;
    }
}

static void save_table(save_out *out, const oban_state_table *table, const void *thing)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const oban_state_field *field = &table->fields[i];
        save_field(out, field->type, (const char *)thing + field->offset);
    }
}

static void save_all(save_out *out, const oban_world *world)
{
    const oban_index *all = &world->slots.all;
    save_bytes(out, OBAN_SAVE_MAGIC, OBAN_SAVE_MAGIC_BYTES);
    save_number(out, OBAN_SAVE_VERSION, 4);
    save_table(out, oban_state_world_table(), world);
    save_number(out, all->count, 4);
    for (uint32_t i = 0; i < all->count; i++) {
        save_table(out, oban_state_object_table(), all->items[i]);
    }
    save_table(out, oban_state_camera_table(), &world->camera);
    save_number(out, world->refs.count, 4);
    for (uint32_t i = 0; i < world->refs.count; i++) {
        save_number(out, (uint32_t)world->refs.items[i], 4);
    }
}

size_t oban_world_save(const oban_world *world, void *out, size_t capacity)
{
    save_out sizes = {NULL, 0};
    save_all(&sizes, world);
    size_t bytes = sizes.bytes + OBAN_SAVE_HASH_BYTES;
    if (out != NULL && bytes <= capacity) {
        save_out written = {out, 0};
        oban_hash hash;
        save_all(&written, world);
        oban_hash_start(&hash);
        oban_hash_bytes(&hash, out, written.bytes);
        save_number(&written, oban_hash_end(&hash), OBAN_SAVE_HASH_BYTES);
    }
    return bytes;
}
