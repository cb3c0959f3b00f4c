/* SPDX-License-Identifier: MIT */
/* Room in a growing array. Next: hash.h. */
#ifndef OBAN_BASE_ROOM_H
#define OBAN_BASE_ROOM_H

#include "core/base/alloc.h"

#include <stddef.h>
#include <stdint.h>

/* Sees to it that the block holds `wanted` items (at least one), growing it by half or more.
 * Returns the block, which may have moved, or NULL when memory is out; then all is as it was.
 * Source: ours. */
void *oban_room_make(const oban_alloc *alloc, void *block, uint32_t *capacity, size_t item_bytes,
                     uint64_t wanted);

#endif
