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

static bool fail_word(oban_line *fault, const char *word)
{
    oban_line_add(fault, "expected numbers such as 7 or 1-5, found '");
    oban_line_add(fault, word);
    oban_line_add(fault, "'");
    return false;
}

static void add_range(oban_line *fault, int64_t from, int64_t to)
{
    oban_line_add_i64(fault, from);
    oban_line_add(fault, "-");
    oban_line_add_i64(fault, to);
}

/* "3-1 ends below its start; write 1-3" */
static bool fail_reversed(oban_line *fault, const selection_range *range)
{
    add_range(fault, range->from, range->to);
    oban_line_add(fault, " ends below its start; write ");
    add_range(fault, range->to, range->from);
    return false;
}

/* "7" or "1-5" at *at, which moves behind it. */
static bool take_range(const char **at, selection_range *out)
{
    if (!number(at, &out->from)) {
        return false;
    }
    out->to = out->from;
    if (**at != '-') {
        return true;
    }
    ++*at;
    return number(at, &out->to);
}

bool selection_add(ctl_selection *selection, const char *word, oban_line *fault)
{
    const char *at = word;

    oban_line_clear(fault);

    for (;;) {
        selection_range range;

        if (!take_range(&at, &range) || (*at != '\0' && *at != ',')) {
            return fail_word(fault, word);
        }
        if (range.to < range.from) {
            return fail_reversed(fault, &range);
        }
        selection->ranges = memory_resize(selection->ranges, (selection->count + 1) * sizeof range);
        selection->ranges[selection->count++] = range;
        if (*at == '\0') {
            return true;
        }
        ++at; /* the comma */
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
