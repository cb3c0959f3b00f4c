/* SPDX-License-Identifier: MIT */
/* Things of one size that never move: in chunks, those given back are taken first. Room is made by
 * commands; taking and giving back never allocates. Next: names.h. */
#ifndef OBAN_WILD_POOL_H
#define OBAN_WILD_POOL_H

#include "core/base/alloc.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_wild_pool {
    size_t item_bytes; /* at least a pointer's */
    void **chunks;
    uint32_t chunk_count;
    uint32_t chunk_capacity;
    uint32_t used; /* items ever taken */
    uint32_t spare_count;
    void *spare; /* a list of those given back; each begins with the next */
} oban_wild_pool;

/* Room for so many more. Returns false when memory is out; then nothing is lost. */
bool oban_wild_pool_reserve(const oban_alloc *alloc, oban_wild_pool *pool, uint32_t more);
/* One that was reserved, all 0. */
void *oban_wild_pool_take(oban_wild_pool *pool);
void oban_wild_pool_give(oban_wild_pool *pool, void *item);
void oban_wild_pool_fini(const oban_alloc *alloc, oban_wild_pool *pool);

#endif
