/* SPDX-License-Identifier: MIT */
/* See ranges.h. A list is short and read anew for each frame: there is nothing to keep. */
#include "clients/oban/ranges.h"

#include <stddef.h>

/* A number, which stops at 10^9; false when there is none. */
static bool take_number(const char **at, uint32_t *out)
{
    const char *begin = *at;
    uint32_t value = 0;

    for (; **at >= '0' && **at <= '9'; (*at)++) {
        value = value < 100000000u ? value * 10 + (uint32_t)(**at - '0') : 1000000000u;
    }
    *out = value;
    return *at > begin;
}

/* "7", "7-", "7-9"; then a comma or the end. */
static bool take_range(const char **at, uint32_t *low, uint32_t *high)
{
    if (!take_number(at, low)) {
        return false;
    }
    *high = *low;
    if (**at == '-') {
        (*at)++;
        if (!take_number(at, high)) {
            *high = UINT32_MAX;
        }
    }
    if (*high < *low || (**at != ',' && **at != '\0')) {
        return false;
    }
    return **at == '\0' || *++*at != '\0';
}

bool ranges_good(const char *text, uint32_t *at)
{
    const char *left = text;
    uint32_t low;
    uint32_t high;
    bool good = true;

    do {
        good = take_range(&left, &low, &high);
    } while (good && *left != '\0');
    *at = (uint32_t)(left - text);
    return good;
}

bool ranges_have(const tool_ranges *ranges, uint32_t frame)
{
    const char *left = ranges->text;
    uint32_t low;
    uint32_t high;

    if (left == NULL) {
        return frame % ranges->every == 0;
    }
    while (*left != '\0' && take_range(&left, &low, &high)) {
        if (frame >= low && frame <= high && (frame - low) % ranges->every == 0) {
            return true;
        }
    }
    return false;
}
