/* SPDX-License-Identifier: MIT */
/* Room in a growing array. Next: hash.c. */
#include "core/base/room.h"

#define ROOM_LEAST 16u

void *oban_room_make(const oban_alloc *alloc, void *block, uint32_t *capacity, size_t item_bytes,
                     uint64_t wanted)
{
    uint64_t room = (uint64_t)*capacity + *capacity / 2u;
    if (wanted <= *capacity && block != NULL) {
        return block;
    }
    room = room < wanted ? wanted : room;
    room = room < ROOM_LEAST ? ROOM_LEAST : room;
    if (room > UINT32_MAX || room > SIZE_MAX / item_bytes) {
        return NULL;
    }
    void *bigger =
        alloc->resize(alloc->context, block, *capacity * item_bytes, (size_t)room * item_bytes);
    if (bigger != NULL) {
        *capacity = (uint32_t)room;
    }
    return bigger;
}
