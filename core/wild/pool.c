/* SPDX-License-Identifier: MIT */
/* See pool.h. Next: names.c. */
#include "core/wild/pool.h"

#include "core/base/assert.h"
#include "core/base/room.h"

#include <string.h>

#define POOL_PER_CHUNK 64u

bool oban_wild_pool_reserve(const oban_alloc *alloc, oban_wild_pool *pool, uint32_t more)
{
    uint32_t fresh = more > pool->spare_count ? more - pool->spare_count : 0;
    uint64_t chunks = ((uint64_t)pool->used + fresh + POOL_PER_CHUNK - 1) / POOL_PER_CHUNK;
    void **list = oban_room_make(alloc, pool->chunks, &pool->chunk_capacity, sizeof *list, chunks);
    if (list == NULL) {
        return false;
    }
    pool->chunks = list;
    while (pool->chunk_count < chunks) {
        void *chunk = oban_alloc_take(alloc, POOL_PER_CHUNK * pool->item_bytes);
        if (chunk == NULL) {
            return false; /* what came so far stays as room */
        }
        pool->chunks[pool->chunk_count++] = chunk;
    }
    return true;
}

void *oban_wild_pool_take(oban_wild_pool *pool)
{
    void *item = pool->spare;
    if (item != NULL) {
        memcpy(&pool->spare, item, sizeof pool->spare);
        pool->spare_count -= 1;
    } else {
        OBAN_ASSERT(pool->used / POOL_PER_CHUNK < pool->chunk_count);
        item = (char *)pool->chunks[pool->used / POOL_PER_CHUNK] +
               pool->used % POOL_PER_CHUNK * pool->item_bytes;
        pool->used += 1;
    }
    memset(item, 0, pool->item_bytes);
    return item;
}

void oban_wild_pool_give(oban_wild_pool *pool, void *item)
{
    memcpy(item, &pool->spare, sizeof pool->spare);
    pool->spare = item;
    pool->spare_count += 1;
}

void oban_wild_pool_fini(const oban_alloc *alloc, oban_wild_pool *pool)
{
    for (uint32_t i = 0; i < pool->chunk_count; i++) {
        oban_alloc_give(alloc, pool->chunks[i], POOL_PER_CHUNK * pool->item_bytes);
    }
    oban_alloc_give(alloc, pool->chunks, pool->chunk_capacity * sizeof *pool->chunks);
    memset(pool, 0, sizeof *pool);
}
