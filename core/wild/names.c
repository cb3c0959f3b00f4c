/* SPDX-License-Identifier: MIT */
/* See names.h. Next: timers.c. */
#include "core/wild/names.h"

#include "core/base/assert.h"
#include "core/base/room.h"

#include <string.h>

bool oban_wild_names_reserve(const oban_alloc *alloc, oban_wild_names *names, uint32_t more)
{
    oban_wild_entry *items = oban_room_make(alloc, names->items, &names->capacity, sizeof *items,
                                            (uint64_t)names->count + more);
    if (items == NULL) {
        return false;
    }
    names->items = items;
    return true;
}

/* Byte order; a name that begins another comes before it. */
static int names_compare(oban_text a, oban_text b)
{
    uint32_t least = a.bytes < b.bytes ? a.bytes : b.bytes;
    int order = least == 0 ? 0 : memcmp(a.data, b.data, least);
    return order != 0 ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

uint32_t oban_wild_names_at(const oban_wild_names *names, oban_text name)
{
    uint32_t low = 0;
    uint32_t high = names->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (names_compare(names->items[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const oban_wild_entry *oban_wild_names_entry(const oban_wild_names *names, oban_text name)
{
    uint32_t at = oban_wild_names_at(names, name);
    if (at < names->count && oban_text_equal(names->items[at].name, name)) {
        return &names->items[at];
    }
    return NULL;
}

void *oban_wild_names_find(const oban_wild_names *names, oban_text name)
{
    const oban_wild_entry *entry = oban_wild_names_entry(names, name);
    return entry != NULL ? entry->thing : NULL;
}

void oban_wild_names_put(oban_wild_names *names, oban_text name, void *thing)
{
    uint32_t at = oban_wild_names_at(names, name);
    OBAN_ASSERT(names->count < names->capacity);
    memmove(names->items + at + 1, names->items + at, (names->count - at) * sizeof *names->items);
    names->items[at] = (oban_wild_entry){name, thing, 0};
    names->count += 1;
}

void oban_wild_names_drop(oban_wild_names *names, oban_text name)
{
    uint32_t at = oban_wild_names_at(names, name);
    OBAN_ASSERT(at < names->count);
    names->count -= 1;
    memmove(names->items + at, names->items + at + 1, (names->count - at) * sizeof *names->items);
}

/* Lets the entry at `root` sink to its place in the heap of the first `count`. */
static void names_sink(oban_wild_entry *items, uint32_t root, uint32_t count)
{
    oban_wild_entry sinking = items[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && names_compare(items[child].name, items[child + 1].name) < 0) {
            child += 1;
        }
        if (names_compare(items[child].name, sinking.name) <= 0) {
            break;
        }
        items[root] = items[child];
        root = child;
    }
    items[root] = sinking;
}

void oban_wild_names_sort(oban_wild_names *names)
{
    oban_wild_entry *items = names->items;
    for (uint32_t i = names->count / 2; i > 0; i--) {
        names_sink(items, i - 1, names->count);
    }
    for (uint32_t left = names->count; left > 1; left--) {
        oban_wild_entry greatest = items[0];
        items[0] = items[left - 1];
        items[left - 1] = greatest;
        names_sink(items, 0, left - 1);
    }
}

const oban_wild_entry *oban_wild_names_twice(const oban_wild_names *names)
{
    for (uint32_t i = 1; i < names->count; i++) {
        if (oban_text_equal(names->items[i - 1].name, names->items[i].name)) {
            return &names->items[i];
        }
    }
    return NULL;
}

void oban_wild_names_splice(oban_wild_names *names, const oban_wild_names *added)
{
    uint32_t from = names->count;
    uint32_t left = added->count;
    uint32_t to = from + left;
    OBAN_ASSERT(to <= names->capacity);
    names->count = to;
    while (left > 0) {
        const oban_wild_entry *next = &added->items[left - 1];
        if (from > 0 && names_compare(names->items[from - 1].name, next->name) > 0) {
            names->items[--to] = names->items[--from];
        } else {
            names->items[--to] = *next;
            left -= 1;
        }
    }
}

void oban_wild_names_sweep(oban_wild_names *names, bool (*dead)(const void *thing))
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        if (!dead(names->items[i].thing)) {
            names->items[kept++] = names->items[i];
        }
    }
    names->count = kept;
}

void oban_wild_names_fini(const oban_alloc *alloc, oban_wild_names *names)
{
    oban_alloc_give(alloc, names->items, names->capacity * sizeof *names->items);
    memset(names, 0, sizeof *names);
}
