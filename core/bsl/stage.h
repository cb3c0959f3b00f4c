/* SPDX-License-Identifier: MIT */
/* The stage: a world and the machine that plays scripts on it, joined. It runs the phases of a tick
 * in their order and gives all that comes about, in the order in which it does, to one sink. The
 * daemon and the offline runner both stand on it.
 *
 *   oban_stage_tick_begin(s);        phases 1 and 2; a pass of phase 3 begins
 *   oban_stage_apply / _text / ...   phase 3: what arrived, in order
 *   oban_stage_tick_end(s);          phase 3: tasks that are due; phase 4; what is left to tell
 *
 * While time is held: oban_stage_pass_begin in place of tick_begin.
 * Not here: clocks, queues, JSON. Next: machine.h, ../world/world.h. */
#ifndef OBAN_BSL_STAGE_H
#define OBAN_BSL_STAGE_H

#include "core/bsl/machine.h"
#include "core/world/world.h"

typedef struct oban_stage oban_stage;

/* What came about: exactly one of the two is not NULL. Borrowed for the call. */
typedef struct oban_stage_news {
    const oban_event *event; /* of the world */
    const oban_tell *tell;   /* of the machine */
} oban_stage_news;

typedef struct oban_stage_sink {
    void *context;
    void (*news)(void *context, const oban_stage_news *news);
    /* A script's command was done, or was refused (result->status); its warnings are told as news
     * too. May be NULL. For timelines, and for the results of a text. */
    void (*done)(void *context, const oban_at *at, const oban_command *command,
                 const oban_result *result);
} oban_stage_sink;

typedef struct oban_stage_def {
    oban_alloc alloc;
    oban_world *world; /* borrowed; outlives the stage */
    oban_stage_sink sink;
    uint32_t tasks_max;
    uint32_t statements_per_tick_max;
    uint32_t script_bytes_max;
} oban_stage_def;

/* Returns OK or NO_MEMORY. Owns: the machine. */
oban_status oban_stage_create(const oban_stage_def *def, oban_stage **out);
void oban_stage_destroy(oban_stage *stage);

oban_machine *oban_stage_machine(oban_stage *stage);
/* Another world, after a reset; the machine is reset too. */
void oban_stage_world(oban_stage *stage, oban_world *world);

/* Phases 1 and 2 of the next tick; then a pass begins. */
void oban_stage_tick_begin(oban_stage *stage);
/* A pass at the present tick, while time is held. */
void oban_stage_pass_begin(oban_stage *stage);
/* As oban_world_apply; its events are news at once. */
oban_status oban_stage_apply(oban_stage *stage, const oban_command *command, oban_result *result);
/* As oban_machine_text. */
oban_status oban_stage_text(oban_stage *stage, oban_text name, oban_text text,
                            oban_text_outcome *outcome, oban_findings *findings);
/* The tasks that are due, matrices, the rest of the news. The world's events are cleared: all were
 * news. */
void oban_stage_tick_end(oban_stage *stage);

/* The hash of both, also of a machine that never ran anything. */
uint64_t oban_stage_hash(const oban_stage *stage);

#endif
