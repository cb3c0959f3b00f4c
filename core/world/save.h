/* SPDX-License-Identifier: MIT */
/* The bytes of a saved state, little-endian:
 *
 *   8   magic                       4   version
 *   the world by its table          4   how many slots, each by its table, by rising (number, part)
 *   the camera by its table         4   how many hidden references, 4 each, rising
 *   8   hash of all the bytes before
 *
 * BOOL 1 byte; U32 I32 F32 ENUM 4; U64 8; MAT34 48; TEXT 4 (bytes, 0: none) and its bytes; CLIP as
 * TEXT, and 8 of content hash when there is one. Next: save.c, load.c. */
#ifndef OBAN_WORLD_SAVE_H
#define OBAN_WORLD_SAVE_H

#define OBAN_SAVE_MAGIC "OBANSAVE"
#define OBAN_SAVE_MAGIC_BYTES 8u
#define OBAN_SAVE_VERSION 2u
#define OBAN_SAVE_HASH_BYTES 8u

#endif
