/* SPDX-License-Identifier: MIT */
/* Which files a conversion writes, and what goes into each: settled whole before the first is
 * written. Next: outputs.c, convert.c. */
#ifndef OBAN_TOOL_OUTPUTS_H
#define OBAN_TOOL_OUTPUTS_H

#include "clients/oban/library.h"

#include <stdbool.h>
#include <stdint.h>

/* One file to be written: `count` of the library's animations. */
typedef struct tool_output {
    char *path;
    uint32_t *clips; /* indexes */
    uint32_t count;
    uint32_t file; /* of the first, or what there is to say it is about */
    bool objects;  /* the objects of `file` (OBJECTS_ALL: of all), not animations */
} tool_output;

typedef struct tool_outputs {
    tool_output *items;
    uint32_t count;
} tool_outputs;

/* All animations into one file, in the order in which they were read; without `clips` none, for a
 * level of objects only. */
void outputs_one(tool_outputs *outputs, const tool_library *library, const char *path, bool clips);
/* Each animation into a file of its own: into `folder`, or beside its source when that is NULL. Its
 * name is its source's when that names it, else OBAN<name>; with the format's extension. What file
 * systems forbid is written %XX, and so is a letter of a name that differs from another by case
 * only. */
void outputs_each(tool_outputs *outputs, const tool_library *library, const char *folder,
                  const tool_format *format);
/* The objects of each level into a file of its own: named as its source when that holds nothing
 * else, else OBOA<source>. */
void outputs_objects(tool_outputs *outputs, const tool_library *library, const char *folder,
                     const tool_format *format);
/* All objects into one file. */
void outputs_one_of_objects(tool_outputs *outputs, const char *path);
void outputs_fini(tool_outputs *outputs);

/* Tells which two animations want one file, and which files are there already (not with `force`).
 * Returns whether all can be written. */
bool outputs_check(const tool_outputs *outputs, const tool_library *library, bool force);

/* The animation name that a file's name gives: "a/OBANfoo.xml" is foo. Owns: free. */
char *outputs_name_of(const char *path);

#endif
