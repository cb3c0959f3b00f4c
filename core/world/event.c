/* SPDX-License-Identifier: MIT */
/* Words of events. Not here: who publishes them (publish.c). Next: publish.c. */
#include "core/world/event.h"

#include "core/base/assert.h"

const char *oban_event_type_word(oban_event_type type)
{
    static const char *const words[OBAN_EVENT_TYPE_COUNT] = {
#define OBAN_X(NAME, word) word,
        OBAN_EVENT_TYPES(OBAN_X)
#undef OBAN_X
    };
    OBAN_ASSERT((unsigned)type < OBAN_EVENT_TYPE_COUNT);
    return words[type];
}

const char *oban_kind_word(oban_kind kind)
{
    static const char *const words[] = {
        [0] = "none",
        [OBAN_KIND_OBJECT] = "object",
        [OBAN_KIND_DOOR] = "door",
        [OBAN_KIND_CHARACTER] = "character",
        [OBAN_KIND_SECTOR] = "sector",
        [OBAN_KIND_CAMERA] = "camera",
        [OBAN_KIND_REF] = "ref",
    };
    OBAN_ASSERT((unsigned)kind < sizeof words / sizeof words[0]);
    return words[kind];
}
