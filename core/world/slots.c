/* SPDX-License-Identifier: MIT */
/* Slots and their indices. Objects lie in chunks, so that growing moves none of them.
 * Rejected: one hash table (walks must be by rising number anyway) and a balanced tree (a range of
 * 65,536 is one pass here). Next: select.c. */
#include "core/world/slots.h"

#include "core/base/assert.h"
#include "core/base/room.h"

#include <string.h>

#define SLOTS_PER_CHUNK 256u

bool oban_index_reserve(const oban_alloc *alloc, oban_index *index, uint64_t wanted)
{
    oban_object **items =
        oban_room_make(alloc, index->items, &index->capacity, sizeof *items, wanted);
    if (items == NULL) {
        return false;
    }
    index->items = items;
    return true;
}

static bool slots_less(const oban_object *object, int32_t number, uint32_t part)
{
    return object->number != number ? object->number < number : object->part < part;
}

uint32_t oban_index_find(const oban_index *index, int32_t number, uint32_t part)
{
    uint32_t low = 0;
    uint32_t high = index->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (slots_less(index->items[middle], number, part)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

oban_object *oban_index_get(const oban_index *index, int32_t number, uint32_t part)
{
    uint32_t at = oban_index_find(index, number, part);
    if (at < index->count && index->items[at]->number == number && index->items[at]->part == part) {
        return index->items[at];
    }
    return NULL;
}

void oban_index_splice(oban_index *index, oban_object *const *added, uint32_t count)
{
    uint32_t from = index->count;
    uint32_t left = count;
    uint32_t to = index->count + count;
    OBAN_ASSERT(to <= index->capacity);
    index->count = to;
    while (left > 0) {
        oban_object *next = added[left - 1];
        if (from > 0 && !slots_less(index->items[from - 1], next->number, next->part)) {
            index->items[--to] = index->items[--from];
        } else {
            index->items[--to] = next;
            left -= 1;
        }
    }
}

void oban_index_drop_dead(oban_index *index, uint32_t first, uint32_t end)
{
    uint32_t kept = first;
    for (uint32_t i = first; i < end; i++) {
        if (index->items[i]->alive) {
            index->items[kept++] = index->items[i];
        }
    }
    if (kept < end) {
        memmove(index->items + kept, index->items + end,
                (index->count - end) * sizeof *index->items);
        index->count -= end - kept;
    }
}

static bool slots_reserve_chunks(const oban_alloc *alloc, oban_slots *slots, uint32_t chunks)
{
    oban_object **list =
        oban_room_make(alloc, slots->chunks, &slots->chunk_capacity, sizeof *list, chunks);
    if (list == NULL) {
        return false;
    }
    slots->chunks = list;
    while (slots->chunk_count < chunks) {
        oban_object *chunk = oban_alloc_take(alloc, SLOTS_PER_CHUNK * sizeof *chunk);
        if (chunk == NULL) {
            return false; /* what came so far stays as room */
        }
        slots->chunks[slots->chunk_count++] = chunk;
    }
    return true;
}

bool oban_slots_reserve(const oban_alloc *alloc, oban_slots *slots, uint32_t fresh, uint32_t births)
{
    uint32_t chunks = (slots->used + fresh + SLOTS_PER_CHUNK - 1) / SLOTS_PER_CHUNK;
    return slots_reserve_chunks(alloc, slots, chunks) &&
           oban_index_reserve(alloc, &slots->all, (uint64_t)slots->all.count + fresh) &&
           oban_index_reserve(alloc, &slots->live, (uint64_t)slots->live.count + births);
}

oban_object *oban_slots_take(oban_slots *slots, int32_t number, uint32_t part)
{
    uint32_t at = slots->used;
    OBAN_ASSERT(at / SLOTS_PER_CHUNK < slots->chunk_count);
    oban_object *object = &slots->chunks[at / SLOTS_PER_CHUNK][at % SLOTS_PER_CHUNK];
    slots->used += 1;
    memset(object, 0, sizeof *object);
    object->number = number;
    object->part = part;
    object->player.step = 1;
    object->record_matrix = oban_mat34_identity();
    object->origin = oban_mat34_identity();
    object->m = oban_mat34_identity();
    return object;
}

static void slots_give_text(const oban_alloc *alloc, char *text)
{
    if (text != NULL) {
        oban_alloc_give(alloc, text, strlen(text) + 1);
    }
}

void oban_slots_fini(const oban_alloc *alloc, oban_slots *slots)
{
    for (uint32_t i = 0; i < slots->used; i++) {
        oban_object *object = &slots->chunks[i / SLOTS_PER_CHUNK][i % SLOTS_PER_CHUNK];
        slots_give_text(alloc, object->name);
        slots_give_text(alloc, object->geometry);
    }
    for (uint32_t i = 0; i < slots->chunk_count; i++) {
        oban_alloc_give(alloc, slots->chunks[i], SLOTS_PER_CHUNK * sizeof **slots->chunks);
    }
    oban_alloc_give(alloc, slots->chunks, slots->chunk_capacity * sizeof *slots->chunks);
    oban_alloc_give(alloc, slots->all.items, slots->all.capacity * sizeof *slots->all.items);
    oban_alloc_give(alloc, slots->live.items, slots->live.capacity * sizeof *slots->live.items);
    memset(slots, 0, sizeof *slots);
}
