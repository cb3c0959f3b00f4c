/* SPDX-License-Identifier: MIT */
/* The hash of states: FNV-1a over 8-byte words, with a fold after each.
 * Not for tables that an enemy can fill; a fast fingerprint and nothing more.
 * Next: rng.c. */
#include "core/base/hash.h"

#include <string.h>

#define HASH_BASIS 0xcbf29ce484222325u /* FNV-1a, 64 bits */
#define HASH_PRIME 0x00000100000001b3u

void oban_hash_start(oban_hash *hash)
{
    hash->value = HASH_BASIS;
}

/* Plain FNV-1a over whole words never lets a high bit reach a low one; the fold does. Each step can
 * be undone, so words that differ in one place alone never collide. */
void oban_hash_u64(oban_hash *hash, uint64_t value)
{
    uint64_t mixed = (hash->value ^ value) * HASH_PRIME;
    hash->value = mixed ^ mixed >> 32;
}

void oban_hash_f32(oban_hash *hash, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    oban_hash_u64(hash, bits);
}

/* Little-endian whatever the machine; what is missing of 8 bytes is 0. */
static uint64_t hash_word(const unsigned char *data, size_t bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++) {
        word |= (uint64_t)data[i] << (8u * i);
    }
    return word;
}

void oban_hash_bytes(oban_hash *hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    size_t left = bytes;
    oban_hash_u64(hash, bytes);
    for (; left >= 8; left -= 8, at += 8) {
        oban_hash_u64(hash, hash_word(at, 8));
    }
    if (left > 0) {
        oban_hash_u64(hash, hash_word(at, left));
    }
}

/* Spreads the last words over all 64 bits, since people compare and shorten hashes. Source: the
 * finalizer of MurmurHash3 (Austin Appleby, public domain). */
uint64_t oban_hash_end(const oban_hash *hash)
{
    uint64_t value = hash->value;
    value = (value ^ value >> 33) * 0xff51afd7ed558ccdu;
    value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53u;
    return value ^ value >> 33;
}
