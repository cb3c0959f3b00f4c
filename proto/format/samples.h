/* SPDX-License-Identifier: MIT */
/* Animations as tables of frames, for spreadsheets and for programs: CSV and JSON, both ways. One
 * row is one key; what the rows do not hold (flags, base, ...) stands in front of them, so that
 * nothing is lost. The forms: docs/formats.md.
 * Not here: fewer keys, a key at every frame (core/anim), scenes in JSON (scene_json.h).
 * Next: samples_build.h, csv_read.c, clip_json.c. */
#ifndef OBAN_PROTO_FORMAT_SAMPLES_H
#define OBAN_PROTO_FORMAT_SAMPLES_H

#include "proto/format/clip_file.h"
#include "proto/json/writer.h"

#include <stdbool.h>

/* Larger texts are refused: a tree of them would take gigabytes. */
#define OBAN_SAMPLES_BYTES_MAX ((size_t)32 << 20)

/* As oban_clip_file_read. Rows with a matrix are taken apart with the base that is given, else with
 * their scale, which must then be the same in all. Source: ours. */
oban_status oban_csv_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                          size_t size, oban_clip_file *out);
oban_status oban_clip_json_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                                size_t size, oban_clip_file *out);

/* Appends a whole file. Each number is the shortest that reads back to the same float32.
 * Memory: see writer->failed. */
void oban_csv_write(oban_writer *writer, const oban_clip_def *defs, uint32_t count);
void oban_clip_json_write(oban_writer *writer, const oban_clip_def *defs, uint32_t count);

/* Whether a JSON text is of animations, not of a scene: its root has "clips", "frames" or "keys".
 */
bool oban_clip_json_looks_like(const void *bytes, size_t size);

#endif
