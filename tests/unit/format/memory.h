/* SPDX-License-Identifier: MIT */
/* Memory for tests: counts blocks, checks that sizes given back are those taken, can run out. */
#ifndef OBAN_TESTS_FORMAT_MEMORY_H
#define OBAN_TESTS_FORMAT_MEMORY_H

#include "core/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory {
    long blocks;
    long calls;
    long refuse_at; /* the call, from 1, that fails, with all after it; 0: none */
    long wrong_sizes;
    size_t bytes, bytes_most;
} memory;

typedef union memory_block {
    size_t bytes;
    max_align_t align;
} memory_block;

static inline void *memory_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    memory *own = context;
    memory_block *block = old == NULL ? NULL : (memory_block *)old - 1;
    size_t held = block == NULL ? 0 : block->bytes;
    own->wrong_sizes += held != old_bytes;
    if (bytes == 0) {
        own->blocks -= block != NULL;
        own->bytes -= held;
        free(block);
        return NULL;
    }
    own->calls++;
    if (own->refuse_at != 0 && own->calls >= own->refuse_at) {
        return NULL;
    }
    memory_block *fresh = malloc(sizeof *fresh + bytes);
    if (fresh == NULL) {
        abort();
    }
    fresh->bytes = bytes;
    if (block != NULL) {
        memcpy(fresh + 1, old, held < bytes ? held : bytes);
        free(block);
    } else {
        own->blocks++;
    }
    own->bytes += bytes - held;
    own->bytes_most = own->bytes > own->bytes_most ? own->bytes : own->bytes_most;
    return fresh + 1;
}

static inline oban_alloc memory_alloc(memory *own)
{
    return (oban_alloc){memory_resize, own};
}

/* Bytes of a file under ../shared/data, to be freed; NULL when it is not there. */
static inline unsigned char *memory_sample(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    *size = 0;
    if (file != NULL) {
        bytes = malloc(65536);
        *size = bytes == NULL ? 0 : fread(bytes, 1, 65536, file);
        (void)fclose(file);
    }
    return bytes;
}

#endif
