/* SPDX-License-Identifier: MIT */
/* Which ticks are due: tick k is due k/rate seconds after the start, to the nanosecond, however
 * late the calls come. Pure: the clock's reading is an argument. Not here: timers (loop.c). Next:
 * sim.c. */
#ifndef OBAN_SERVER_PACER_H
#define OBAN_SERVER_PACER_H

#include <stdint.h>

typedef struct oban_pacer {
    uint64_t start_ns;
    uint64_t rate_hz;
    uint64_t done; /* ticks taken since the start */
} oban_pacer;

/* What is due: ticks to run now, and ticks that are lost for good. */
typedef struct oban_pacer_due {
    uint32_t ticks;
    uint64_t lost;
} oban_pacer_due;

void oban_pacer_start(oban_pacer *pacer, uint64_t now_ns, uint64_t rate_hz);
/* Takes what is due by now: at most catch_up_max ticks; what is beyond is lost, and a new grid of
 * due times begins now. Source: behaviour 1, Catch-up. */
oban_pacer_due oban_pacer_take(oban_pacer *pacer, uint64_t now_ns, uint32_t catch_up_max);
/* When the next tick is due. */
uint64_t oban_pacer_next_ns(const oban_pacer *pacer);

#endif
