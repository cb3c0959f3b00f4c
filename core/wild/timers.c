/* SPDX-License-Identifier: MIT */
/* See timers.h. Next: state.h. */
#include "core/wild/timers.h"

#include "core/base/assert.h"
#include "core/base/room.h"

#include <string.h>

bool oban_wild_timers_reserve(const oban_alloc *alloc, oban_wild_timers *timers, uint64_t more)
{
    oban_wild_timer **items = oban_room_make(alloc, timers->items, &timers->capacity, sizeof *items,
                                             timers->count + more);
    if (items == NULL) {
        return false;
    }
    timers->items = items;
    return true;
}

static bool timers_before(const oban_wild_timer *a, const oban_wild_timer *b)
{
    if (a->due != b->due) {
        return a->due < b->due;
    }
    return a->kind != b->kind ? a->kind < b->kind : a->number < b->number;
}

/* Places count from 1, so that a parent is at half. */
static void timers_lay(oban_wild_timers *timers, uint32_t place, oban_wild_timer *timer)
{
    timers->items[place - 1] = timer;
    timer->place = place;
}

static void timers_rise(oban_wild_timers *timers, uint32_t place, oban_wild_timer *timer)
{
    while (place > 1 && timers_before(timer, timers->items[place / 2 - 1])) {
        timers_lay(timers, place, timers->items[place / 2 - 1]);
        place /= 2;
    }
    timers_lay(timers, place, timer);
}

static void timers_sink(oban_wild_timers *timers, uint32_t place, oban_wild_timer *timer)
{
    for (uint32_t child = 2 * place; child <= timers->count; child = 2 * place) {
        if (child < timers->count &&
            timers_before(timers->items[child], timers->items[child - 1])) {
            child += 1;
        }
        if (!timers_before(timers->items[child - 1], timer)) {
            break;
        }
        timers_lay(timers, place, timers->items[child - 1]);
        place = child;
    }
    timers_lay(timers, place, timer);
}

/* Up or down, whichever it must. */
static void timers_settle(oban_wild_timers *timers, uint32_t place, oban_wild_timer *timer)
{
    if (place > 1 && timers_before(timer, timers->items[place / 2 - 1])) {
        timers_rise(timers, place, timer);
    } else {
        timers_sink(timers, place, timer);
    }
}

static void timers_take_out(oban_wild_timers *timers, oban_wild_timer *timer)
{
    uint32_t place = timer->place;
    if (place == 0) {
        return;
    }
    oban_wild_timer *last = timers->items[timers->count - 1];
    timers->count -= 1;
    timer->place = 0;
    if (last != timer) {
        timers_settle(timers, place, last);
    }
}

void oban_wild_timers_set(oban_wild_timers *timers, oban_wild_timer *timer, uint64_t due)
{
    if (due == UINT64_MAX) {
        timers_take_out(timers, timer);
        return;
    }
    timer->due = due;
    if (timer->place == 0) {
        OBAN_ASSERT(timers->count < timers->capacity);
        timers->count += 1;
        timers_rise(timers, timers->count, timer);
    } else {
        timers_settle(timers, timer->place, timer);
    }
}

oban_wild_timer *oban_wild_timers_first(const oban_wild_timers *timers)
{
    return timers->count > 0 ? timers->items[0] : NULL;
}

void oban_wild_timers_fini(const oban_alloc *alloc, oban_wild_timers *timers)
{
    oban_alloc_give(alloc, timers->items, timers->capacity * sizeof *timers->items);
    memset(timers, 0, sizeof *timers);
}
