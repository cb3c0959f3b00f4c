/* SPDX-License-Identifier: MIT */
/* Memory: everything that liboban and liboban-proto keep comes from one allocator that they are
 * given. Not here: malloc (the server passes its own), arenas. Next: text.h. */
#ifndef OBAN_BASE_ALLOC_H
#define OBAN_BASE_ALLOC_H

#include <stddef.h>

/* One function does it all: bytes == 0 frees, old == NULL allocates, else it resizes and keeps the
 * bytes. `old_bytes` is the size that the block was given. Returns NULL when memory is out; the old
 * block is then untouched. */
typedef struct oban_alloc {
    void *(*resize)(void *context, void *old, size_t old_bytes, size_t bytes);
    void *context;
} oban_alloc;

static inline void *oban_alloc_take(const oban_alloc *alloc, size_t bytes)
{
    return alloc->resize(alloc->context, NULL, 0, bytes);
}

static inline void oban_alloc_give(const oban_alloc *alloc, void *block, size_t bytes)
{
    if (block != NULL) {
        (void)alloc->resize(alloc->context, block, bytes, 0);
    }
}

#endif
