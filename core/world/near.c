/* SPDX-License-Identifier: MIT */
/* What somebody may have meant: the animations with the nearest names, the objects with the nearest
 * numbers. Not here: names of commands (../bsl/nearest.h), which are few.
 * Next: select.c. */
#include "core/world/state.h"

#include <string.h>

#define NEAR_TOLD 3u

/* ---- names ----------------------------------------------------------------------------------- */

/* Where each byte stands in what was typed, a bit for each place; letters in either case. */
typedef struct near_pattern {
    uint64_t places[256];
    uint32_t bytes;
} near_pattern;

static unsigned char near_lower(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + ('a' - 'A')) : byte;
}

static void near_pattern_make(oban_text typed, near_pattern *pattern)
{
    memset(pattern, 0, sizeof *pattern);
    pattern->bytes = typed.bytes < 64 ? typed.bytes : 64;
    for (uint32_t i = 0; i < pattern->bytes; i++) {
        pattern->places[near_lower(typed.data[i])] |= (uint64_t)1 << i;
    }
}

/* The edit distance, a column of the table in two words: a client may ask for wrong names by the
 * thousand, in a library of 20,000. Source: Myers 1999, as put by Hyyro 2001. */
static uint32_t near_distance(const near_pattern *pattern, const char *name)
{
    uint64_t up = UINT64_MAX;
    uint64_t down = 0;
    uint64_t last = (uint64_t)1 << (pattern->bytes - 1);
    uint32_t distance = pattern->bytes;
    for (; *name != '\0'; name++) {
        uint64_t equal = pattern->places[near_lower(*name)];
        uint64_t across = (((equal & up) + up) ^ up) | equal | down;
        uint64_t more = down | ~(across | up);
        uint64_t less = up & across;
        distance += (more & last) != 0;
        distance -= (less & last) != 0;
        more = more << 1 | 1;
        less = less << 1;
        up = less | ~(across | more);
        down = more & across;
    }
    return distance;
}

/* The best names so far, nearest first; of equals the first in the library stays in front. */
typedef struct near_list {
    uint32_t count;
    uint32_t distances[NEAR_TOLD];
    const char *names[NEAR_TOLD];
} near_list;

static void near_list_put(near_list *list, const char *name, uint32_t distance)
{
    uint32_t at = list->count;
    while (at > 0 && list->distances[at - 1] > distance) {
        at -= 1;
    }
    if (at == NEAR_TOLD) {
        return;
    }
    list->count += list->count < NEAR_TOLD;
    for (uint32_t i = list->count - 1; i > at; i--) {
        list->names[i] = list->names[i - 1];
        list->distances[i] = list->distances[i - 1];
    }
    list->names[at] = name;
    list->distances[at] = distance;
}

static void near_find(const oban_world *world, oban_text typed, near_list *list)
{
    near_pattern pattern;
    uint32_t most = 1 + typed.bytes / 3;
    if (typed.bytes == 0) {
        return;
    }
    near_pattern_make(typed, &pattern);
    for (uint32_t i = 0; i < world->clips.count; i++) {
        const char *name = world->clips.items[i]->name;
        uint32_t bytes = (uint32_t)strlen(name);
        uint32_t apart = bytes > pattern.bytes ? bytes - pattern.bytes : pattern.bytes - bytes;
        if (apart <= most) {
            uint32_t distance = near_distance(&pattern, name);
            if (distance <= most) {
                near_list_put(list, name, distance);
            }
        }
    }
}

void oban_world_clip_missing(const oban_world *world, oban_text name, oban_line *line)
{
    near_list list = {0};
    near_find(world, name, &list);
    oban_line_add(line, "no animation '");
    oban_line_add_text(line, name.bytes > 64 ? (oban_text){name.data, 64} : name);
    oban_line_add(line, world->clips.count == 0 ? "'; none is loaded" : "'");
    for (uint32_t i = 0; i < list.count; i++) {
        const char *first = list.count == 1 ? "; the nearest is '" : "; the nearest are '";
        oban_line_add(line, i == 0 ? first : i + 1 == list.count ? " and '" : ", '");
        oban_line_add(line, list.names[i]);
        oban_line_add(line, "'");
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int64_t near_apart(int32_t a, int32_t b)
{
    int64_t apart = (int64_t)a - b;
    return apart < 0 ? -apart : apart;
}

/* The number of the living object next to a place in the index, below (step -1) or above; false:
 * none. Doors and characters have the numbers below 0. */
static bool near_number(const oban_index *live, int32_t number, int step, int32_t *out)
{
    if (step < 0) {
        uint32_t at = oban_index_find(live, number, 0);
        *out = at > 0 ? live->items[at - 1]->number : 0;
        return at > 0 && *out >= 0;
    }
    uint32_t at = oban_index_find(live, number, UINT32_MAX);
    *out = at < live->count ? live->items[at]->number : 0;
    return at < live->count;
}

/* The nearest living number on either side of low and high, which is left out. */
static bool near_next(const oban_index *live, int32_t number, int32_t low, int32_t high,
                      int32_t *out)
{
    int32_t below;
    int32_t above;
    bool has_below = near_number(live, low, -1, &below);
    bool has_above = near_number(live, high, 1, &above);
    bool take_below =
        has_below && (!has_above || near_apart(below, number) <= near_apart(above, number));
    *out = take_below ? below : above;
    return has_below || has_above;
}

void oban_world_object_missing(const oban_world *world, int32_t number, oban_line *line)
{
    const oban_index *live = &world->slots.live;
    int32_t one;
    int32_t two;
    oban_line_add(line, "no object ");
    oban_line_add_i64(line, number);
    if (!near_next(live, number, number, number, &one)) {
        oban_line_add(line, "; none is alive");
        return;
    }
    if (!near_next(live, number, one < number ? one : number, one > number ? one : number, &two)) {
        oban_line_add(line, "; the nearest is ");
        oban_line_add_i64(line, one);
        return;
    }
    oban_line_add(line, "; the nearest are ");
    oban_line_add_i64(line, one < two ? one : two);
    oban_line_add(line, " and ");
    oban_line_add_i64(line, one < two ? two : one);
}
