/* SPDX-License-Identifier: MIT */
/* Memory for a program that cannot go on without it: when it is out, obanctl says so and exits.
 * Not here: the allocators of liboban (core/base/alloc.h), of which this is one.
 * Next: page.h. */
#ifndef OBANCTL_MEMORY_H
#define OBANCTL_MEMORY_H

#include "core/base/alloc.h"

#include <stddef.h>

/* Says that memory is out, and exits. */
_Noreturn void memory_out(void);
/* Zeroed memory. Never NULL. Owns: give it back with free. */
void *memory_take(size_t bytes);
/* As realloc. Never NULL. */
void *memory_resize(void *block, size_t bytes);
/* A copy of a string; NULL stays NULL. Owns: free. */
char *memory_string(const char *string);
/* The same for proto's writer. */
const oban_alloc *memory_alloc(void);

#endif
