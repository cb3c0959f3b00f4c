/* SPDX-License-Identifier: MIT */
/* Exact integers: whole seconds and the rest apart, so that nothing overflows for centuries.
 * Next: pacer.h. */
#include "server/pacer.h"

#define PACER_SECOND_NS 1000000000u

void oban_pacer_start(oban_pacer *pacer, uint64_t now_ns, uint64_t rate_hz)
{
    *pacer = (oban_pacer){.start_ns = now_ns, .rate_hz = rate_hz};
}

/* floor(elapsed * rate / 1 s) */
static uint64_t pacer_elapsed_ticks(const oban_pacer *pacer, uint64_t now_ns)
{
    uint64_t elapsed = now_ns > pacer->start_ns ? now_ns - pacer->start_ns : 0;
    return elapsed / PACER_SECOND_NS * pacer->rate_hz +
           elapsed % PACER_SECOND_NS * pacer->rate_hz / PACER_SECOND_NS;
}

oban_pacer_due oban_pacer_take(oban_pacer *pacer, uint64_t now_ns, uint32_t catch_up_max)
{
    uint64_t all = pacer_elapsed_ticks(pacer, now_ns);
    uint64_t due = all > pacer->done ? all - pacer->done : 0;
    uint64_t ticks = due < catch_up_max ? due : catch_up_max;
    pacer->done += due;
    if (due > ticks) {
        oban_pacer_start(pacer, now_ns, pacer->rate_hz);
    }
    return (oban_pacer_due){.ticks = (uint32_t)ticks, .lost = due - ticks};
}

uint64_t oban_pacer_next_ns(const oban_pacer *pacer)
{
    uint64_t next = pacer->done + 1;
    uint64_t rest = next % pacer->rate_hz * PACER_SECOND_NS;
    return pacer->start_ns + next / pacer->rate_hz * PACER_SECOND_NS +
           (rest + pacer->rate_hz - 1) / pacer->rate_hz;
}
