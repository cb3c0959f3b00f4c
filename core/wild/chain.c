/* SPDX-License-Identifier: MIT */
/* See chain.h. Next: state.h. */
#include "core/wild/chain.h"

void oban_wild_chain_open(oban_wild_chain *chain, const oban_wild_action *action, uint32_t role,
                          uint64_t started, const oban_wild_pose *pose)
{
    chain->action = action;
    chain->next = action->first[role];
    chain->end = action->first[role + 1];
    chain->started = started;
    oban_wild_motion_rest(&chain->motion, started, pose);
}

static const oban_wild_move *chain_next(const oban_wild_chain *chain)
{
    return chain->next < chain->end ? &chain->action->moves[chain->action->by_role[chain->next]]
                                    : NULL;
}

uint64_t oban_wild_chain_due(const oban_wild_chain *chain)
{
    const oban_wild_move *move = chain_next(chain);
    return move != NULL ? chain->started + move->start : OBAN_WILD_NEVER;
}

/* The snapshot of a move's start, and its commands on it. */
static oban_wild_chain_fault chain_enter(oban_wild_chain *chain, bool anywhere)
{
    const oban_wild_move *move = chain_next(chain);
    oban_wild_motion_snap(&chain->motion, chain->started + move->start);
    for (int i = 0; i < 3 && anywhere; i++) {
        chain->motion.from.n[i] = 0;
    }
    for (uint32_t i = 0; i < move->count; i++) {
        const oban_wild_command *command = &chain->action->commands[move->first + i];
        if (!oban_wild_motion_command(&chain->motion, command)) {
            return OBAN_WILD_CHAIN_RANGE;
        }
    }
    chain->next += 1;
    return oban_wild_motion_axisless(&chain->motion) ? OBAN_WILD_CHAIN_AXIS : OBAN_WILD_CHAIN_FITS;
}

/* A forever move lasts as long as it fits its format. */
static uint64_t chain_lasts(const oban_wild_motion *motion, uint32_t duration)
{
    if (duration != OBAN_WILD_FOREVER) {
        return duration;
    }
    uint64_t breaks = oban_wild_motion_breaks(motion, OBAN_WILD_TICK_MAX);
    return breaks == OBAN_WILD_NEVER ? breaks : breaks - 1;
}

static oban_wild_chain_fault chain_begin(oban_wild_chain *chain, bool anywhere)
{
    const oban_wild_move *move = chain_next(chain);
    oban_wild_chain_fault fault = chain_enter(chain, anywhere);
    if (fault == OBAN_WILD_CHAIN_FITS) {
        oban_wild_motion_begin(&chain->motion, chain_lasts(&chain->motion, move->duration));
    }
    return fault;
}

void oban_wild_chain_advance(oban_wild_chain *chain, uint64_t tick)
{
    while (oban_wild_chain_due(chain) <= tick) {
        (void)chain_begin(chain, false);
    }
}

oban_wild_chain_fault oban_wild_chain_check(oban_wild_chain chain, bool anywhere, uint64_t *breaks,
                                            const oban_wild_move **fault_move)
{
    *breaks = OBAN_WILD_NEVER;
    while (chain.next < chain.end) {
        *fault_move = chain_next(&chain);
        bool forever = (*fault_move)->duration == OBAN_WILD_FOREVER;
        oban_wild_chain_fault fault = chain_begin(&chain, anywhere);
        if (fault != OBAN_WILD_CHAIN_FITS) {
            return fault;
        }
        uint64_t start = chain.motion.start;
        uint64_t cut = oban_wild_chain_due(&chain);
        uint64_t limit = cut == OBAN_WILD_NEVER ? cut : cut - start;
        limit = !forever && (*fault_move)->duration < limit ? (*fault_move)->duration : limit;
        if (limit != OBAN_WILD_NEVER) {
            if (oban_wild_motion_breaks(&chain.motion, limit) != OBAN_WILD_NEVER) {
                return OBAN_WILD_CHAIN_RANGE;
            }
        } else if (chain.motion.duration != OBAN_WILD_NEVER) {
            *breaks = start + chain.motion.duration + 1;
        }
    }
    return OBAN_WILD_CHAIN_FITS;
}

void oban_wild_chain_freeze(const oban_wild_chain *chain, uint64_t tick, oban_wild_pose *out)
{
    oban_wild_motion_at(&chain->motion, tick, out);
    if (chain->motion.turns && tick > chain->motion.start) {
        oban_wild_basis_settle(out->basis);
    }
}
