/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: memory, and a check that is on in every build.
 * Next: request.c, clip_file.c. */
#ifndef OBAN_FUZZ_H
#define OBAN_FUZZ_H

#include "core/base/alloc.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) ((condition) ? (void)0 : abort())

static inline void *fuzz_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, bytes);
}

static inline oban_alloc fuzz_alloc(void)
{
    return (oban_alloc){.resize = fuzz_resize, .context = NULL};
}

#endif
