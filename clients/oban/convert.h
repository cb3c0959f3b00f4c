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

/* Writes all outputs; what cannot be written is told and stands in into->exit. */
void convert_write(convert *into, const tool_outputs *outputs);

#endif
