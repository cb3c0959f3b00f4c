/* SPDX-License-Identifier: MIT */
/* Names that a person may have meant. Not here: animations and objects that are missing
 * (../world/world.h).
 * Next: nearest.h. */
#include "core/bsl/nearest.h"

#include "core/bsl/words.h"
#include "core/world/command.h"

#define NEAREST_BYTES 64u

static char nearest_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static uint32_t nearest_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* One row of the table of distances; `before` is the row above, `before2` the one above that. */
static void nearest_row(oban_text a, oban_text b, uint32_t i, const uint8_t *before2,
                        const uint8_t *before, uint8_t *row)
{
    char ai = nearest_lower(a.data[i - 1]);
    row[0] = (uint8_t)i;
    for (uint32_t j = 1; j <= b.bytes; j++) {
        char bj = nearest_lower(b.data[j - 1]);
        uint32_t best = nearest_least(before[j] + 1u, row[j - 1] + 1u);
        best = nearest_least(best, before[j - 1] + (ai == bj ? 0u : 1u));
        if (i > 1 && j > 1 && ai == nearest_lower(b.data[j - 2]) &&
            bj == nearest_lower(a.data[i - 2])) {
            best = nearest_least(best, before2[j - 2] + 1u);
        }
        row[j] = (uint8_t)best;
    }
}

uint32_t oban_nearest_distance(oban_text a, oban_text b)
{
    uint8_t rows[3][NEAREST_BYTES + 1];
    a.bytes = nearest_least(a.bytes, NEAREST_BYTES);
    b.bytes = nearest_least(b.bytes, NEAREST_BYTES);
    for (uint32_t j = 0; j <= b.bytes; j++) {
        rows[0][j] = (uint8_t)j;
        rows[2][j] = 0; /* never counted: row 1 has no row two above it */
    }
    for (uint32_t i = 1; i <= a.bytes; i++) {
        nearest_row(a, b, i, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    }
    return rows[a.bytes % 3][b.bytes];
}

bool oban_nearest_is_near(uint32_t distance, oban_text typed, oban_text name)
{
    uint32_t shorter = nearest_least(typed.bytes, name.bytes);
    return shorter > 0 && distance <= (shorter < 3 ? 1u : 1u + shorter / 4u);
}

static void nearest_tell(const oban_text *names, uint32_t count, oban_line *line)
{
    oban_line_add(line, count == 1 ? "; the nearest is '" : "; the nearest are '");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) {
            oban_line_add(line, i + 1 == count ? "' and '" : "', '");
        }
        oban_line_add_text(line, names[i]);
    }
    oban_line_add(line, "'");
}

/* Of equals the first stays in front. */
static void nearest_put(oban_nearest *list, oban_text name, uint32_t distance)
{
    uint32_t at = list->count;
    if (at == OBAN_NEAREST_TOLD) {
        at--;
        if (list->distances[at] <= distance) {
            return;
        }
    } else {
        list->count++;
    }
    for (; at > 0 && list->distances[at - 1] > distance; at--) {
        list->names[at] = list->names[at - 1];
        list->distances[at] = list->distances[at - 1];
    }
    list->names[at] = name;
    list->distances[at] = distance;
}

void oban_nearest_start(oban_nearest *nearest, oban_text typed)
{
    nearest->typed = typed;
    nearest->count = 0;
}

void oban_nearest_add(oban_nearest *nearest, oban_text name)
{
    uint32_t longer = name.bytes > nearest->typed.bytes ? name.bytes : nearest->typed.bytes;
    uint32_t shorter = nearest_least(name.bytes, nearest->typed.bytes);
    if (!oban_nearest_is_near(longer - shorter, nearest->typed, name)) {
        return; /* so far apart in length alone */
    }
    uint32_t distance = oban_nearest_distance(nearest->typed, name);
    if (oban_nearest_is_near(distance, nearest->typed, name)) {
        nearest_put(nearest, name, distance);
    }
}

void oban_nearest_tell(oban_nearest *nearest, oban_line *line)
{
    /* Beside a good guess a poor one only confuses. */
    while (nearest->count > 1 &&
           nearest->distances[nearest->count - 1] > nearest->distances[0] + 1) {
        nearest->count--;
    }
    if (nearest->count > 0) {
        nearest_tell(nearest->names, nearest->count, line);
    }
}

void oban_nearest_add_commands(oban_nearest *nearest)
{
    for (uint32_t i = 0; i < oban_word_count(); i++) {
        oban_op op;
        const oban_word_row *row = oban_word_at(i);
        oban_text name = oban_text_of(row->name);
        bool orders = row->class_ == OBAN_PERFORMED && row->stem[0] != '\0';
        if (row->bsl && name.data[name.bytes - 1] != '*' && (!orders || oban_word_op(row, &op))) {
            oban_nearest_add(nearest, name);
        }
    }
}

void oban_nearest_command(oban_text name, oban_line *line)
{
    oban_nearest nearest;
    oban_nearest_start(&nearest, name);
    for (unsigned op = 0; op < OBAN_OP_COUNT; op++) {
        oban_nearest_add(&nearest, oban_text_of(oban_command_row_of((oban_op)op)->name));
    }
    oban_nearest_tell(&nearest, line);
}
