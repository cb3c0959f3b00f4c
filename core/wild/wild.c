/* SPDX-License-Identifier: MIT */
/* A wild from its making to its end; room, and the answers of commands.
 * Not here: what commands do (alien.c, action.c, doing.c, remove.c). Next: action.c. */
#include "core/base/room.h"
#include "core/wild/state.h"

#include <string.h>

oban_wild_limits oban_wild_limits_default(void)
{
    return (oban_wild_limits){.aliens_max = 4096,
                              .sectors_max = 32768,
                              .actions_max = 1024,
                              .doings_max = 32768,
                              .roles_max = 1024,
                              .moves_max = 1024,
                              .commands_max = 4096};
}

oban_status oban_wild_create(const oban_alloc *alloc, const oban_wild_limits *limits, uint64_t tick,
                             oban_wild **out)
{
    oban_wild *wild = oban_alloc_take(alloc, sizeof *wild);
    if (wild == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(wild, 0, sizeof *wild);
    wild->alloc = *alloc;
    wild->limits = *limits;
    wild->tick = tick;
    wild->next_doing = 1;
    wild->next_action = 1;
    wild->next_life = 1;
    wild->alien_pool.item_bytes = sizeof(oban_wild_alien);
    wild->sector_pool.item_bytes = sizeof(oban_wild_sector);
    wild->action_pool.item_bytes = sizeof(oban_wild_action);
    wild->doing_pool.item_bytes = sizeof(oban_wild_doing);
    wild->track_pool.item_bytes = sizeof(oban_wild_track);
    *out = wild;
    return OBAN_OK;
}

#define WILD_ARRAY_FINI(wild, array)                                                               \
    oban_alloc_give(&(wild)->alloc, (wild)->array.items,                                           \
                    (wild)->array.capacity * sizeof *(wild)->array.items)

static void wild_free_retired(oban_wild *wild)
{
    while (wild->retired != NULL) {
        oban_wild_action *action = wild->retired;
        wild->retired = action->after;
        oban_wild_action_free(wild, action);
    }
}

static void wild_fini_things(oban_wild *wild)
{
    wild_free_retired(wild);
    for (uint32_t i = 0; i < wild->aliens.count; i++) {
        oban_wild_alien *alien = wild->aliens.items[i].thing;
        oban_wild_names_fini(&wild->alloc, &alien->sectors);
    }
    while (wild->all_actions.first != NULL) {
        oban_wild_action *action = wild->all_actions.first;
        OBAN_WILD_LIST_REMOVE(&wild->all_actions, action);
        oban_wild_action_free(wild, action);
    }
}

void oban_wild_destroy(oban_wild *wild)
{
    if (wild == NULL) {
        return;
    }
    oban_alloc alloc = wild->alloc;
    wild_fini_things(wild);
    oban_wild_names_fini(&alloc, &wild->aliens);
    oban_wild_names_fini(&alloc, &wild->actions);
    oban_wild_names_fini(&alloc, &wild->fresh);
    oban_wild_pool_fini(&alloc, &wild->alien_pool);
    oban_wild_pool_fini(&alloc, &wild->sector_pool);
    oban_wild_pool_fini(&alloc, &wild->action_pool);
    oban_wild_pool_fini(&alloc, &wild->doing_pool);
    oban_wild_pool_fini(&alloc, &wild->track_pool);
    oban_wild_timers_fini(&alloc, &wild->timers);
    WILD_ARRAY_FINI(wild, active);
    WILD_ARRAY_FINI(wild, dying);
    WILD_ARRAY_FINI(wild, numbers);
    WILD_ARRAY_FINI(wild, dirty);
    WILD_ARRAY_FINI(wild, events);
    WILD_ARRAY_FINI(wild, gone);
    WILD_ARRAY_FINI(wild, work);
    oban_alloc_give(&alloc, wild, sizeof *wild);
}

/* ---- room ------------------------------------------------------------------------------------ */

/* Room for `wanted` items of an array; false: memory is out. */
#define WILD_ROOM(wild, array, wanted)                                                             \
    wild_room(&(wild)->alloc, (void **)&(wild)->array.items, &(wild)->array.capacity,              \
              sizeof *(wild)->array.items, wanted)

static bool wild_room(const oban_alloc *alloc, void **items, uint32_t *capacity, size_t item_bytes,
                      uint64_t wanted)
{
    void *block;
    memcpy(&block, items, sizeof block);
    block = oban_room_make(alloc, block, capacity, item_bytes, wanted);
    if (block != NULL) {
        memcpy(items, &block, sizeof block);
    }
    return block != NULL;
}

/* Takes the places of stopped doings out of the index of numbers. */
static void wild_close_gaps(oban_wild *wild)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < wild->numbers.count; i++) {
        if (wild->numbers.items[i].doing != NULL) {
            wild->numbers.items[kept++] = wild->numbers.items[i];
        }
    }
    wild->numbers.count = kept;
}

bool oban_wild_reserve(oban_wild *wild, uint32_t sectors, uint32_t doings, uint32_t tracks)
{
    uint64_t all_sectors = (uint64_t)wild->sectors.count + sectors;
    uint64_t all_doings = (uint64_t)wild->doings.count + doings;
    wild_free_retired(wild);
    if ((uint64_t)wild->numbers.count + doings > wild->numbers.capacity) {
        wild_close_gaps(wild);
    }
    return oban_wild_pool_reserve(&wild->alloc, &wild->sector_pool, sectors) &&
           oban_wild_pool_reserve(&wild->alloc, &wild->doing_pool, doings) &&
           oban_wild_pool_reserve(&wild->alloc, &wild->track_pool, tracks) &&
           oban_wild_timers_reserve(&wild->alloc, &wild->timers, (uint64_t)doings + tracks) &&
           WILD_ROOM(wild, active, all_sectors) && WILD_ROOM(wild, dirty, all_sectors) &&
           WILD_ROOM(wild, work, all_sectors + tracks) &&
           WILD_ROOM(wild, numbers, (uint64_t)wild->numbers.count + doings) &&
           WILD_ROOM(wild, dying, wild->dying.count + all_sectors) &&
           WILD_ROOM(wild, gone, wild->gone.count + all_sectors) &&
           WILD_ROOM(wild, events, wild->events.count + 2 * all_doings);
}

/* ---- answers --------------------------------------------------------------------------------- */

void oban_wild_result_clear(oban_wild_result *result)
{
    result->status = OBAN_OK;
    result->field = NULL;
    oban_line_clear(&result->message);
    result->sectors = 0;
    result->doing = 0;
    result->started = 0;
    result->ends = 0;
    result->warning_count = 0;
}

oban_status oban_wild_fail(oban_wild_result *result, oban_status status, const char *field)
{
    result->status = status;
    result->field = field;
    return status;
}

oban_status oban_wild_fail_memory(oban_wild_result *result)
{
    oban_line_clear(&result->message);
    oban_line_add(&result->message, "memory ran out; nothing was changed");
    return oban_wild_fail(result, OBAN_NO_MEMORY, NULL);
}

oban_status oban_wild_fail_limit(oban_wild_result *result, const char *field, const char *limit,
                                 uint64_t value)
{
    oban_line_add(&result->message, limit);
    oban_line_add(&result->message, " is ");
    oban_line_add_u64(&result->message, value);
    return oban_wild_fail(result, OBAN_LIMIT, field);
}

oban_status oban_wild_fail_name(oban_wild_result *result, oban_status status, const char *field,
                                const char *what, oban_text name)
{
    oban_line_add(&result->message, what);
    oban_line_add(&result->message, " '");
    oban_line_add_text(&result->message, name.bytes > 64 ? (oban_text){name.data, 64} : name);
    oban_line_add(&result->message, "'");
    return oban_wild_fail(result, status, field);
}

oban_line *oban_wild_warn(oban_wild_result *result)
{
    uint32_t at = result->warning_count < OBAN_WILD_WARNINGS_MAX ? result->warning_count
                                                                 : OBAN_WILD_WARNINGS_MAX - 1;
    result->warning_count = at + 1;
    oban_line_clear(&result->warnings[at]);
    return &result->warnings[at];
}

bool oban_wild_name_fits(oban_wild_result *result, const char *field, oban_text name)
{
    bool fits = name.bytes > 0 && name.bytes <= OBAN_WILD_NAME_MAX;
    for (uint32_t i = 0; fits && i < name.bytes;) {
        uint32_t code = 0;
        uint32_t bytes = oban_utf8_decode(name.data + i, name.bytes - i, &code);
        fits = bytes > 0 && code >= 0x20 && code != 0x7f;
        i += bytes;
    }
    if (!fits) {
        oban_line_add(&result->message, field);
        oban_line_add(&result->message,
                      ": a name is 1 to 63 bytes of UTF-8, no control characters");
        (void)oban_wild_fail(result, OBAN_BAD_FIELD, field);
    }
    return fits;
}

void oban_wild_name_copy(char out[OBAN_WILD_NAME_MAX + 1], oban_text name)
{
    memset(out, 0, OBAN_WILD_NAME_MAX + 1);
    memcpy(out, name.data, name.bytes);
}
