/* SPDX-License-Identifier: MIT */
/* The peer that the encoder is measured against: std::to_chars(float) of libstdc++.
 * Not here: our own encoder (../proto/json/floats.h).
 * Next: encoder.c. */
#ifndef OBAN_BENCH_TO_CHARS_H
#define OBAN_BENCH_TO_CHARS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes [{"i":0,"m":[12 floats]},...] with std::to_chars. `out` has room for 256 bytes per object.
 * Returns the length. */
size_t to_chars_objects(const float *floats, uint32_t count, char *out);
/* One float. Returns the length. */
size_t to_chars_float(float value, char *out, size_t room);

#ifdef __cplusplus
}
#endif

#endif
