/* SPDX-License-Identifier: MIT */
/* What falls due, and when: a heap of timers that lie in the things that they are about, so that
 * each can be set anew or taken out. Ticks cost by what falls due, not by what waits.
 * Next: state.h. */
#ifndef OBAN_WILD_TIMERS_H
#define OBAN_WILD_TIMERS_H

#include "core/base/alloc.h"

#include <stdbool.h>
#include <stdint.h>

/* Of those due at one tick changes of moves come first, then the ends of doings by their number. */
typedef enum oban_wild_timer_kind {
    OBAN_WILD_TIMER_CHANGE,
    OBAN_WILD_TIMER_END
} oban_wild_timer_kind;

typedef struct oban_wild_timer {
    uint64_t due; /* Wild tick */
    oban_wild_timer_kind kind;
    uint64_t number; /* of the doing */
    uint32_t place;  /* in the heap, from 1; 0: not in it */
    void *thing;
} oban_wild_timer;

typedef struct oban_wild_timers {
    oban_wild_timer **items;
    uint32_t count;
    uint32_t capacity;
} oban_wild_timers;

/* Room for so many more. Returns false when memory is out. */
bool oban_wild_timers_reserve(const oban_alloc *alloc, oban_wild_timers *timers, uint64_t more);
/* Sets a timer, in the heap or not yet, to a tick; NEVER takes it out. Never allocates. */
void oban_wild_timers_set(oban_wild_timers *timers, oban_wild_timer *timer, uint64_t due);
/* The first that is due, or NULL when there is none. It stays in. */
oban_wild_timer *oban_wild_timers_first(const oban_wild_timers *timers);
void oban_wild_timers_fini(const oban_alloc *alloc, oban_wild_timers *timers);

#endif
