/* SPDX-License-Identifier: MIT */
/* Making and ending units. Not here: reading the source (parse.c). Next: parse.c. */
#include "core/bsl/unit.h"

#include "core/base/hash.h"
#include "core/base/room.h"

#include <string.h>

static char *unit_copy(const oban_alloc *alloc, oban_text text)
{
    char *copy = oban_alloc_take(alloc, (size_t)text.bytes + 1);
    if (copy != NULL) {
        if (text.bytes > 0) {
            memcpy(copy, text.data, text.bytes);
        }
        copy[text.bytes] = '\0';
    }
    return copy;
}

oban_unit *unit_create(const oban_alloc *alloc, oban_text name, oban_text text)
{
    oban_unit *unit = oban_alloc_take(alloc, sizeof *unit);
    if (unit == NULL) {
        return NULL;
    }
    memset(unit, 0, sizeof *unit);
    unit->alloc = *alloc;
    unit->function_base = UNIT_NONE;
    oban_names_init(&unit->names, *alloc);
    unit->name_bytes = name.bytes;
    unit->text_bytes = text.bytes;
    unit->name = unit_copy(alloc, name);
    unit->text = unit_copy(alloc, text);
    if (unit->name == NULL || unit->text == NULL) {
        unit_destroy(unit);
        return NULL;
    }
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_bytes(&hash, name.data, name.bytes);
    oban_hash_bytes(&hash, text.data, text.bytes);
    unit->hash = oban_hash_end(&hash);
    return unit;
}

void unit_destroy(oban_unit *unit)
{
    const oban_alloc alloc = unit->alloc;
    oban_alloc_give(&alloc, unit->name, (size_t)unit->name_bytes + 1);
    oban_alloc_give(&alloc, unit->text, (size_t)unit->text_bytes + 1);
    oban_alloc_give(&alloc, unit->links, ((size_t)unit->names.count + 1) * sizeof *unit->links);
    oban_names_fini(&unit->names);
#define OBAN_X(type, what)                                                                         \
    oban_alloc_give(&alloc, unit->what##s, unit->what##_capacity * sizeof *unit->what##s);
    UNIT_ARRAYS(OBAN_X)
#undef OBAN_X
    oban_alloc_give(&alloc, unit, sizeof *unit);
}

#define OBAN_X(type, what)                                                                         \
    bool unit_reserve_##what(oban_unit *unit)                                                      \
    {                                                                                              \
        void *room = oban_room_make(&unit->alloc, unit->what##s, &unit->what##_capacity,           \
                                    sizeof *unit->what##s, (uint64_t)unit->what##_count + 1);      \
        unit->what##s = room != NULL ? room : unit->what##s;                                       \
        return room != NULL;                                                                       \
    }
UNIT_ARRAYS(OBAN_X)
#undef OBAN_X

oban_text unit_word_text(const oban_unit *unit, const unit_word *w)
{
    return (oban_text){unit->text + w->offset, w->bytes};
}

oban_text unit_name_text(const oban_unit *unit, uint32_t name)
{
    return oban_names_text(&unit->names, name);
}
