/* SPDX-License-Identifier: MIT */
/* The hash of states: 64 bits, byte order independent (numbers go in little-endian), FNV-1a mixed
 * over 8-byte words. Not for tables that an enemy can fill. Next: ../math/mat34.h. */
#ifndef OBAN_BASE_HASH_H
#define OBAN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct oban_hash {
    uint64_t value;
} oban_hash;

void oban_hash_start(oban_hash *hash);
void oban_hash_u64(oban_hash *hash, uint64_t value);
/* Floats go in as their bits. -0.0 and 0.0 differ. */
void oban_hash_f32(oban_hash *hash, float value);
/* The length goes in too: "ab","c" differs from "a","bc". */
void oban_hash_bytes(oban_hash *hash, const void *data, size_t bytes);
uint64_t oban_hash_end(const oban_hash *hash);

#endif
