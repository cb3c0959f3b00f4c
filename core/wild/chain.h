/* SPDX-License-Identifier: MIT */
/* A role's moves, one behind the other: which goes on, and what the next makes of it. A later start
 * replaces what still goes on; what is unset is carried over; after a pause all is at rest.
 * Not here: when that happens (step.c).
 * Source: the Wild page [004] for moves; how they meet: ours. Next: state.h. */
#ifndef OBAN_WILD_CHAIN_H
#define OBAN_WILD_CHAIN_H

#include "core/wild/motion.h"

struct oban_wild_action {
    char name[OBAN_WILD_NAME_MAX + 1];
    uint64_t serial; /* rises; unique */
    bool named;      /* else it was defined anew or removed, and some doing still uses it */
    bool remove;
    uint32_t role_count;
    uint32_t move_count;
    uint32_t command_count;
    char (*roles)[OBAN_WILD_NAME_MAX + 1];
    oban_wild_move *moves; /* by start */
    oban_wild_command *commands;
    uint32_t *by_role;        /* moves by role, then start */
    uint32_t *first;          /* of each role in by_role, and the end: role_count + 1 */
    uint64_t length;          /* Wild ticks from start to end; NEVER */
    uint32_t uses;            /* doings */
    oban_wild_action *before; /* by rising serial */
    oban_wild_action *after;
};

typedef struct oban_wild_chain {
    const oban_wild_action *action;
    uint32_t next; /* in by_role: the move that comes next, or end */
    uint32_t end;
    uint64_t started; /* of the doing */
    oban_wild_motion motion;
} oban_wild_chain;

typedef enum oban_wild_chain_fault {
    OBAN_WILD_CHAIN_FITS,
    OBAN_WILD_CHAIN_RANGE,
    OBAN_WILD_CHAIN_AXIS
} oban_wild_chain_fault;

/* Stands at a pose before the first move. */
void oban_wild_chain_open(oban_wild_chain *chain, const oban_wild_action *action, uint32_t role,
                          uint64_t started, const oban_wild_pose *pose);
/* The Wild tick of the next move's start; NEVER: there is none. */
uint64_t oban_wild_chain_due(const oban_wild_chain *chain);
/* Begins all moves that have started at a tick. Only for chains that were found to fit. */
void oban_wild_chain_advance(oban_wild_chain *chain, uint64_t tick);
/* Goes through all moves of a copy. `breaks`: the Wild tick at which a forever move would leave the
 * format (its doing stops there), else NEVER. `fault_move`: the move at fault. With `anywhere` it
 * stands wherever that is best: what does not fit then never does. */
oban_wild_chain_fault oban_wild_chain_check(oban_wild_chain chain, bool anywhere, uint64_t *breaks,
                                            const oban_wild_move **fault_move);
/* The pose to stand at when it is stopped. */
void oban_wild_chain_freeze(const oban_wild_chain *chain, uint64_t tick, oban_wild_pose *out);

#endif
