/* SPDX-License-Identifier: MIT */
/* Which frames are meant: "0,10-20,50-", and every how many.
 * Next: frames.c. */
#ifndef OBAN_TOOL_RANGES_H
#define OBAN_TOOL_RANGES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tool_ranges {
    const char *text; /* NULL: all */
    uint32_t every;   /* counted from the beginning of each range */
} tool_ranges;

/* Whether a text is such a list; *at says where it is not. */
bool ranges_good(const char *text, uint32_t *at);
/* Whether a frame is meant. */
bool ranges_have(const tool_ranges *ranges, uint32_t frame);

#endif
