/* SPDX-License-Identifier: MIT */
/* See selection.h. */
#include "clients/obanctl/selection.h"

#include "clients/obanctl/memory.h"

#include <stdlib.h>

enum { DIGITS_MAX = 15 };

void selection_fini(ctl_selection *selection)
{
    free(selection->ranges);
    selection->ranges = NULL;
    selection->count = 0;
}

/* Digits at *at, which moves behind them. */
static bool number(const char **at, int64_t *out)
{
    int digits = 0;

    *out = 0;
    for (; **at >= '0' && **at <= '9' && digits <= DIGITS_MAX; ++*at, ++digits) {
        *out = *out * 10 + (**at - '0');
    }
    return digits > 0 && digits <= DIGITS_MAX;
}

bool selection_add(ctl_selection *selection, const char *word)
{
    const char *at = word;

    for (;;) {
        selection_range range;

        if (!number(&at, &range.from)) {
            return false;
        }
        range.to = range.from;
        if (*at == '-') {
            ++at;
            if (!number(&at, &range.to) || range.to < range.from) {
                return false;
            }
        }
        selection->ranges = memory_resize(selection->ranges, (selection->count + 1) * sizeof range);
        selection->ranges[selection->count++] = range;
        if (*at == '\0') {
            return true;
        }
        if (*at++ != ',') {
            return false;
        }
    }
}

bool selection_has(const ctl_selection *selection, int64_t number)
{
    for (size_t i = 0; i < selection->count; ++i) {
        if (number >= selection->ranges[i].from && number <= selection->ranges[i].to) {
            return true;
        }
    }
    return selection->count == 0;
}
