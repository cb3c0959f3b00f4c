/* SPDX-License-Identifier: MIT */
/* The formats that oban reads and writes, as one table; which one a file has.
 * Not here: the formats themselves (proto/format), the disk (library.h, save.h).
 * Next: formats.c. */
#ifndef OBAN_TOOL_FORMATS_H
#define OBAN_TOOL_FORMATS_H

#include "proto/format/clip_file.h"
#include "proto/format/level.h"
#include "proto/json/writer.h"

#include <stdbool.h>

/* How formats of matrices over time become keys (dae, gltf, glb, csv, json). */
typedef struct tool_import {
    bool every_frame;      /* a key at every frame; else the fewest within the tolerances */
    bool reduce;           /* csv, json: reduce too (a tolerance was given) */
    float tolerance;       /* of positions, in units */
    float tolerance_angle; /* in degrees */
} tool_import;

/* What is written besides the keys. */
typedef struct tool_export {
    bool camera;               /* dae, gltf, glb: with a camera */
    bool box;                  /* the same with a box */
    bool per_frame;            /* dae, gltf, glb, csv, json: one sample per frame, not per key */
    bool physics;              /* xml of objects: the form that levels are built from */
    uint32_t level;            /* dat: id of the level */
    const oban_level *objects; /* dat: what goes in beside the animations; NULL: none */
} tool_export;

typedef struct tool_format {
    const char *name; /* "xml" */
    const char *help;
    bool many;          /* a file can hold several animations with their names */
    bool named_by_file; /* one animation alone has the name of its file */
    bool is_table;      /* rows of frames: csv, json */
    bool is_model;      /* of 3D programs: dae, gltf, glb */
    /* NULL: cannot be read or written. Statuses of read: as oban_clip_file_read. Write appends the
     * whole file; a fault that it adds says why it cannot be done. */
    oban_status (*read)(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                        size_t size, const tool_import *import, oban_clip_file *out);
    oban_status (*write)(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                         oban_writer *out, oban_file_faults *faults);
    /* The objects of a level; NULL: it holds none. Statuses: as oban_level_read. */
    oban_status (*read_objects)(const void *bytes, size_t size, oban_level *out);
    oban_status (*write_objects)(const oban_level *level, const tool_export *export,
                                 oban_writer *out, oban_file_faults *faults);
} tool_format;

/* The table, ended by a row without a name. */
extern const tool_format tool_formats[];

/* By its name ("xml", in either case); NULL when there is none. */
const tool_format *format_find(const char *name);
/* All names as a sentence has them: "xml, oni or json". */
void formats_list(oban_line *line);
/* By the extension of a file's name; NULL when it has none of ours. */
const tool_format *format_of_name(const char *file_name);
/* By the first bytes, else by the name; NULL when neither tells. */
const tool_format *format_of_bytes(const char *file_name, const void *bytes, size_t size);

#endif
