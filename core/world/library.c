/* SPDX-License-Identifier: MIT */
/* The library of clips, by rising name. Not here: what is near to a name (near.c).
 * Next: near.c. */
#include "core/base/assert.h"
#include "core/base/room.h"
#include "core/world/apply.h"

#include <string.h>

#define LIBRARY_PREFIX "OBAN"
#define LIBRARY_PREFIX_BYTES 4u

/* Byte order; a name that begins another comes before it. */
static int library_compare(const char *name, oban_text text)
{
    uint32_t bytes = (uint32_t)strlen(name);
    uint32_t least = bytes < text.bytes ? bytes : text.bytes;
    int order = least == 0 ? 0 : memcmp(name, text.data, least);
    return order != 0 ? order : (bytes > text.bytes) - (bytes < text.bytes);
}

/* Where the name is, or would be. */
static uint32_t library_at(const oban_world *world, oban_text name)
{
    uint32_t low = 0;
    uint32_t high = world->clips.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (library_compare(world->clips.items[middle]->name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static const oban_clip *library_exact(const oban_world *world, oban_text name)
{
    uint32_t at = library_at(world, name);
    if (at < world->clips.count && library_compare(world->clips.items[at]->name, name) == 0) {
        return world->clips.items[at];
    }
    return NULL;
}

/* A walk: only a name that was not found exactly comes here. */
static const oban_clip *library_nocase(const oban_world *world, oban_text name)
{
    for (uint32_t i = 0; i < world->clips.count; i++) {
        if (oban_text_equal_nocase(oban_text_of(world->clips.items[i]->name), name)) {
            return world->clips.items[i];
        }
    }
    return NULL;
}

static const oban_clip *library_find(const oban_world *world, oban_text name, bool *other_case)
{
    const oban_clip *clip = library_exact(world, name);
    *other_case = false;
    if (clip == NULL) {
        clip = library_nocase(world, name);
        *other_case = clip != NULL;
    }
    return clip;
}

const oban_clip *oban_world_clip_find(const oban_world *world, oban_text name, bool *other_case)
{
    const oban_clip *clip = library_find(world, name, other_case);
    bool prefixed = name.bytes > LIBRARY_PREFIX_BYTES &&
                    memcmp(name.data, LIBRARY_PREFIX, LIBRARY_PREFIX_BYTES) == 0;
    if (clip == NULL && prefixed) {
        oban_text rest = {name.data + LIBRARY_PREFIX_BYTES, name.bytes - LIBRARY_PREFIX_BYTES};
        clip = library_find(world, rest, other_case);
    }
    return clip;
}

oban_status oban_world_clip_add(oban_world *world, oban_clip *clip)
{
    oban_text name = oban_text_of(clip->name);
    if (library_exact(world, name) != NULL) {
        return OBAN_BAD_CLIP;
    }
    if (world->clips.count >= world->anims_max) {
        return OBAN_LIMIT;
    }
    oban_clip **items = oban_room_make(&world->alloc, world->clips.items, &world->clips.capacity,
                                       sizeof *items, (uint64_t)world->clips.count + 1);
    if (items == NULL) {
        return OBAN_NO_MEMORY;
    }
    world->clips.items = items;
    uint32_t at = library_at(world, name);
    memmove(items + at + 1, items + at, (world->clips.count - at) * sizeof *items);
    items[at] = clip;
    world->clips.count += 1;
    return OBAN_OK;
}

uint32_t oban_world_clip_count(const oban_world *world)
{
    return world->clips.count;
}

const oban_clip *oban_world_clip_at(const oban_world *world, uint32_t index)
{
    OBAN_ASSERT(index < world->clips.count);
    return world->clips.items[index];
}

/* ---- debug_env_anim -------------------------------------------------------------------------- */

oban_status oban_apply_debug_env_anim(oban_world *world, const oban_command *command,
                                      oban_result *result)
{
    const oban_clip *clip = NULL;
    if (oban_apply_find_clip(world, result, command->anim, &clip) != OBAN_OK) {
        return result->status;
    }
    uint32_t count = clip->frame_count < OBAN_PATH_MAX ? clip->frame_count : OBAN_PATH_MAX;
    uint32_t last = clip->frame_count - 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t frame = count > 1 ? (uint32_t)((uint64_t)i * last / (count - 1)) : 0;
        oban_mat34 matrix = oban_clip_matrix(clip, (int32_t)frame);
        world->path[i].frame = (int32_t)frame;
        memcpy(world->path[i].at, matrix.m + 9, sizeof world->path[i].at);
    }
    result->kind = OBAN_RESULT_PATH;
    result->path = world->path;
    result->path_count = count;
    result->frames = clip->frame_count;
    return OBAN_OK;
}
