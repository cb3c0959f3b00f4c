/* SPDX-License-Identifier: MIT */
/* Numbers as Oni's files hold them: little-endian, whatever the machine. Internal to proto/format.
 * Not here: where they stand (container.h).
 * Next: container.h. */
#ifndef OBAN_PROTO_FORMAT_LITTLE_H
#define OBAN_PROTO_FORMAT_LITTLE_H

#include "core/math/mat34.h"
#include "proto/json/writer.h"

#include <stdint.h>
#include <string.h>

static inline uint32_t little_u16(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t little_u32(const unsigned char *at)
{
    return little_u16(at) | little_u16(at + 2) << 16;
}

static inline uint64_t little_u64(const unsigned char *at)
{
    return (uint64_t)little_u32(at) | (uint64_t)little_u32(at + 4) << 32;
}

static inline int32_t little_i16(const unsigned char *at)
{
    int32_t value = (int32_t)little_u16(at);
    return value >= 0x8000 ? value - 0x10000 : value;
}

static inline int32_t little_i32(const unsigned char *at)
{
    uint32_t bits = little_u32(at);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float little_f32(const unsigned char *at)
{
    uint32_t bits = little_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline oban_mat34 little_mat34(const unsigned char *at)
{
    oban_mat34 matrix;
    for (uint32_t i = 0; i < 12; i++) {
        matrix.m[i] = little_f32(at + 4 * (size_t)i);
    }
    return matrix;
}

/* ---- written, at the end of a writer ---- */

static inline void little_put_u16(oban_writer *writer, uint32_t value)
{
    const unsigned char bytes[2] = {(unsigned char)(value & 0xffu),
                                    (unsigned char)(value >> 8 & 0xffu)};
    oban_writer_bytes(writer, bytes, sizeof bytes);
}

static inline void little_put_u32(oban_writer *writer, uint32_t value)
{
    little_put_u16(writer, value & 0xffffu);
    little_put_u16(writer, value >> 16);
}

static inline void little_put_u64(oban_writer *writer, uint64_t value)
{
    little_put_u32(writer, (uint32_t)value);
    little_put_u32(writer, (uint32_t)(value >> 32));
}

static inline void little_put_i32(oban_writer *writer, int32_t value)
{
    little_put_u32(writer, (uint32_t)value);
}

static inline void little_put_f32(oban_writer *writer, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    little_put_u32(writer, bits);
}

static inline void little_put_mat34(oban_writer *writer, const oban_mat34 *matrix)
{
    for (uint32_t i = 0; i < 12; i++) {
        little_put_f32(writer, matrix->m[i]);
    }
}

/* Zeros until `bytes` are written in all. */
static inline void little_pad(oban_writer *writer, size_t bytes)
{
    static const char zeros[64] = {0};
    while (!writer->failed && writer->bytes < bytes) {
        size_t left = bytes - writer->bytes;
        oban_writer_bytes(writer, zeros, left < sizeof zeros ? left : sizeof zeros);
    }
}

#endif
