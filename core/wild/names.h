/* SPDX-License-Identifier: MIT */
/* An index by name: things by rising bytes of their names, which the things hold.
 * Rejected: a hash table (names come from outside, and an enemy could fill one place).
 * Next: timers.h. */
#ifndef OBAN_WILD_NAMES_H
#define OBAN_WILD_NAMES_H

#include "core/base/alloc.h"
#include "core/base/text.h"

typedef struct oban_wild_entry {
    oban_text name;
    void *thing;     /* NULL where only the number counts */
    uint32_t number; /* such as the place in a list */
} oban_wild_entry;

typedef struct oban_wild_names {
    oban_wild_entry *items;
    uint32_t count;
    uint32_t capacity;
} oban_wild_names;

/* Room for so many more. Returns false when memory is out. */
bool oban_wild_names_reserve(const oban_alloc *alloc, oban_wild_names *names, uint32_t more);
/* Where the name is, or would be. */
uint32_t oban_wild_names_at(const oban_wild_names *names, oban_text name);
/* The entry, or NULL. */
const oban_wild_entry *oban_wild_names_entry(const oban_wild_names *names, oban_text name);
/* The thing, or NULL. */
void *oban_wild_names_find(const oban_wild_names *names, oban_text name);
/* Puts a name, not there yet, into an index that has room. */
void oban_wild_names_put(oban_wild_names *names, oban_text name, void *thing);
void oban_wild_names_drop(oban_wild_names *names, oban_text name);
/* Sorts what was written behind one another, for many at once. */
void oban_wild_names_sort(oban_wild_names *names);
/* The first of two equal names, which lie side by side once sorted; NULL: all differ. */
const oban_wild_entry *oban_wild_names_twice(const oban_wild_names *names);
/* Puts all of a sorted index, none there yet, into one that has room: one pass from behind. */
void oban_wild_names_splice(oban_wild_names *names, const oban_wild_names *added);
/* Takes out what is dead: one pass. */
void oban_wild_names_sweep(oban_wild_names *names, bool (*dead)(const void *thing));
void oban_wild_names_fini(const oban_alloc *alloc, oban_wild_names *names);

#endif
