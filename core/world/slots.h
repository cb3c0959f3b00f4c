/* SPDX-License-Identifier: MIT */
/* Slots: the memory of objects and records, which never move and live for ever, and two indices by
 * rising (number, part): all of them, and those alive.
 * Not here: what an object is (object.h) and when it lives (objects.c). Next: state.h. */
#ifndef OBAN_WORLD_SLOTS_H
#define OBAN_WORLD_SLOTS_H

#include "core/base/alloc.h"
#include "core/world/object.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_index {
    oban_object **items; /* by rising (number, part) */
    uint32_t count;
    uint32_t capacity;
} oban_index;

typedef struct oban_slots {
    oban_object **chunks;
    uint32_t chunk_count;
    uint32_t chunk_capacity;
    uint32_t used; /* slots given out */
    oban_index all;
    oban_index live;
} oban_slots;

/* Returns whether there is room for so many items. */
bool oban_index_reserve(const oban_alloc *alloc, oban_index *index, uint64_t wanted);
/* Where (number, part) is, or would be. UINT32_MAX as part: behind all parts of the number. */
uint32_t oban_index_find(const oban_index *index, int32_t number, uint32_t part);
/* The object, or NULL. */
oban_object *oban_index_get(const oban_index *index, int32_t number, uint32_t part);
/* Puts rising objects, none of them there yet, into an index that has room: one pass from behind.
 */
void oban_index_splice(oban_index *index, oban_object *const *added, uint32_t count);
/* Takes out those between first and end that are not alive: one pass. */
void oban_index_drop_dead(oban_index *index, uint32_t first, uint32_t end);

/* Room for slots and for lives to come. Returns false when memory is out. */
bool oban_slots_reserve(const oban_alloc *alloc, oban_slots *slots, uint32_t fresh,
                        uint32_t births);
/* A slot that was reserved: reset, with this number and part, in no index yet. */
oban_object *oban_slots_take(oban_slots *slots, int32_t number, uint32_t part);
void oban_slots_fini(const oban_alloc *alloc, oban_slots *slots);

#endif
