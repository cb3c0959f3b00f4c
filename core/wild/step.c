/* SPDX-License-Identifier: MIT */
/* Time. Between two ticks of the world three things may fall due, and go by world tick, then by
 * this order: sectors vanish whose doing stopped at the tick before; moves change; doings end.
 * A long step does them one by one, each at its own tick, so that a jump gives what steps give.
 * Next: evaluate.c. */
#include "core/base/assert.h"
#include "core/wild/state.h"

uint64_t oban_wild_tick_of(uint64_t world_tick)
{
    return world_tick / 6 * 5 + world_tick % 6 * 5 / 6;
}

/* The first tick of the world that shows a Wild tick. */
static uint64_t step_world_tick(uint64_t wild_tick)
{
    return wild_tick / 5 * 6 + (wild_tick % 5 * 6 + 4) / 5;
}

uint64_t oban_wild_tick(const oban_wild *wild)
{
    return wild->tick;
}

static void step_fire(oban_wild *wild, oban_wild_timer *timer)
{
    if (timer->kind == OBAN_WILD_TIMER_CHANGE) {
        oban_wild_track_update(wild, timer->thing);
    } else {
        oban_wild_doing_stop(wild, timer->thing, OBAN_WILD_STOP_END);
    }
}

/* Does the next thing that is due up to a tick; false: there is none. */
static bool step_next(oban_wild *wild, uint64_t to)
{
    oban_wild_timer *timer = oban_wild_timers_first(&wild->timers);
    uint64_t due = timer != NULL ? step_world_tick(timer->due) : OBAN_WILD_NEVER;
    uint64_t vanish = wild->dying.count > 0 ? wild->dying.items[0].tick + 1 : OBAN_WILD_NEVER;
    if (vanish <= to && vanish <= due) {
        wild->tick = vanish;
        oban_wild_remove_dying(wild, vanish);
        return true;
    }
    if (due <= to) {
        wild->tick = due;
        step_fire(wild, timer);
        return true;
    }
    return false;
}

void oban_wild_step(oban_wild *wild, uint64_t world_tick)
{
    OBAN_ASSERT(world_tick >= wild->tick && world_tick < OBAN_WILD_TICK_MAX);
    uint64_t before = oban_wild_now(wild);
    oban_wild_events_clear(wild);
    while (step_next(wild, world_tick)) {
    }
    wild->tick = world_tick;
    for (uint32_t i = 0; before != oban_wild_now(wild) && i < wild->active.count; i++) {
        oban_wild_sector_touch(wild, wild->active.items[i]->sector);
    }
}
