/* SPDX-License-Identifier: MIT */
/* See memory.h. */
#include "clients/obanctl/memory.h"

#include "clients/obanctl/exits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void memory_out(void)
{
    (void)fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
    exit(EXIT_LOST);
}

static void *or_exit(void *block)
{
    if (block == NULL) {
        memory_out();
    }
    return block;
}

void *memory_take(size_t bytes)
{
    return or_exit(calloc(1, bytes > 0 ? bytes : 1));
}

void *memory_resize(void *block, size_t bytes)
{
    return or_exit(realloc(block, bytes > 0 ? bytes : 1));
}

char *memory_string(const char *string)
{
    return string != NULL ? or_exit(strdup(string)) : NULL;
}

static void *resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return memory_resize(old, bytes);
}

const oban_alloc *memory_alloc(void)
{
    static const oban_alloc alloc = {resize, NULL};
    return &alloc;
}
