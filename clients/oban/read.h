/* SPDX-License-Identifier: MIT */
/* The bytes of a file, bounded: regular files of at most 256 MiB, and standard input as "-".
 * Not here: what they mean (library.h). Next: library.h. */
#ifndef OBAN_TOOL_READ_H
#define OBAN_TOOL_READ_H

#include <stdbool.h>
#include <stddef.h>

#define READ_BYTES_MAX ((size_t)256 << 20)

/* Reads a whole file into *bytes (with a NUL behind them); it never waits for a pipe but standard
 * input. False when that is not possible: *why says it. Owns: give *bytes back with free. */
bool read_file(const char *path, char **bytes, size_t *size, const char **why);

/* The name without its folders. */
const char *read_base_name(const char *path);

#endif
