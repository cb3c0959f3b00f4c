/* SPDX-License-Identifier: MIT */
/* Which objects somebody asked for: numbers and ranges, such as "7" or "1-5".
 * Next: scene.h. */
#ifndef OBANCTL_SELECTION_H
#define OBANCTL_SELECTION_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct selection_range {
    int64_t from;
    int64_t to;
} selection_range;

/* No ranges: all objects. */
typedef struct ctl_selection {
    selection_range *ranges;
    size_t count;
} ctl_selection;

void selection_fini(ctl_selection *selection);
/* Adds what a word names ("7", "1-5", "1,3,10-20"). Returns false with what is wrong in `fault`. */
bool selection_add(ctl_selection *selection, const char *word, oban_line *fault);
bool selection_has(const ctl_selection *selection, int64_t number);

#endif
