/* SPDX-License-Identifier: MIT */
/* A conversion: what the command line asked for, and what came of it. Internal to `oban convert`.
 * Next: convert.c, convert_write.c. */
#ifndef OBAN_TOOL_CONVERT_H
#define OBAN_TOOL_CONVERT_H

#include "clients/oban/exits.h"
#include "clients/oban/library.h"
#include "clients/oban/options.h"
#include "clients/oban/outputs.h"

#include <stdbool.h>
#include <string.h>

typedef struct convert {
    const tool_args *args;
    const tool_format *to;
    const char *output; /* -o; NULL: beside the sources */
    bool folder;        /* -o is one */
    bool force;
    tool_export export;
    tool_library library;
    bool objects; /* only those */
    uint32_t written;
    tool_exit exit;
    oban_writer list; /* of what was written, for --json */
} convert;

/* A .dat takes animations and objects together. */
static inline bool convert_is_level(const tool_format *format)
{
    return strcmp(format->name, "dat") == 0;
}

/* The options of all that reads, changes and writes; rows of a table. */
#define CONVERT_OPTIONS                                                                            \
    {"to", 't', "FORMAT", "what to make; oban --help lists them (from -o's name)"},                \
        {"output", 'o', "FILE|DIR",                                                                \
         "one file for all, or a folder for one each; - is standard output"},                      \
        {"force", 'f', NULL, "overwrite what is there"},                                           \
        {"keep-going", 'k', NULL, "write one file for all even when some of them cannot be read"}, \
        {"name", 'n', "NAME", "the name of the one animation (from its file)"},                    \
        {"every-frame", '\0', NULL, "from 3D programs and tables: a key at every frame"},          \
        {"tolerance", '\0', "UNITS", "the same: fewest keys, positions within this (0.001)"},      \
        {"tolerance-angle", '\0', "DEGREES", "and rotations within this (0.01)"},                  \
        {"camera", '\0', NULL, "to 3D programs: as a camera, 45 degrees high"},                    \
        {"box", '\0', NULL, "the same as a box"},                                                  \
        {"per-frame", '\0', NULL, "to 3D programs and tables: a sample per frame, not per key"},   \
        {"level", '\0', "N", "to dat: id of the level (from the name level<N>_...)"},              \
        {"objects", '\0', NULL, "only the objects of levels and scenes: to xml, dat or json"},     \
    {                                                                                              \
        "physics", '\0', NULL, "objects to xml: in the form that levels are built from"            \
    }

/* Changes what was read before it is written. False when it cannot: that has been told. */
typedef bool (*convert_change)(tool_library *library, const tool_args *args);

/* `oban convert` with a change in the middle (NULL: none). The command's options hold
 * CONVERT_OPTIONS. */
tool_exit convert_with(tool_args *args, convert_change change);

/* Writes all outputs; what cannot be written is told and stands in into->exit. */
void convert_write(convert *into, const tool_outputs *outputs);

#endif
