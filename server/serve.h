/* SPDX-License-Identifier: MIT */
/* The sim from the inside: what sim.c, clockwork.c, ops.c and script.c share.
 *
 * A command of the world is done in one of two ways: within a pass (phase 3 of a running tick; what
 * it changed is published at the tick's end), or, while time is held, by itself and published at
 * once. Not here: what others may know of it (sim.h). Next: sim.c. */
#ifndef OBAN_SERVER_SERVE_H
#define OBAN_SERVER_SERVE_H

#include "proto/wire/reply.h"
#include "proto/wire/request.h"
#include "server/fanout.h"
#include "server/pacer.h"
#include "server/requests.h"
#include "server/sim.h"

#define OBAN_RATE_HZ 60u

/* The step that is going on. */
typedef struct oban_step {
    bool active;
    bool awaits; /* the last slice ended early, for somebody who lags */
    oban_client *client;
    oban_wire_id id;
    char id_bytes[4 * OBAN_ID_CHARACTERS_MAX];
    uint64_t left;
    uint64_t done;
} oban_step;

struct oban_sim {
    oban_sim_def def;
    oban_alloc alloc;
    oban_world *world;
    oban_hub *hub;
    oban_request_queue queue;
    oban_pacer pacer;
    oban_step step;
    bool started;
    bool held;      /* time is held: paused, or manual_clock */
    bool in_pass;   /* in phase 3 of a running tick */
    bool unsettled; /* commands have been applied since the last tick_end */
    uint64_t created_ns;
    uint64_t tasks; /* BSL texts so far */
    oban_writer warnings;
};

/* ---- sim.c: the tick and the lines ---- */

/* Evaluates what was applied, so that matrices and the hash are those of now. */
void sim_settle(oban_sim *sim);
/* Before a command, or the commands of a text: while time is held each is a pass of its own. */
void sim_commands_begin(oban_sim *sim);
/* After a command that changed something: publishes at once when time is held. */
void sim_commands_done(oban_sim *sim);
/* Serves what a client has waiting, as far as it can be served now. */
void sim_serve_line(oban_sim *sim, oban_client *client);
uint64_t sim_now_ns(const oban_sim *sim);

/* ---- clockwork.c: pause, resume, step ---- */

void sim_pause(oban_sim *sim, oban_client *client, const oban_request *request, bool ended_step);
void sim_resume(oban_sim *sim, oban_client *client, const oban_request *request);
void sim_step(oban_sim *sim, oban_client *client, const oban_request *request);
/* A slice of the step that is going on. */
void sim_step_run(oban_sim *sim);
/* Ends the step where it is and answers it. Returns whose it was: its line may be served then. */
oban_client *sim_step_end(oban_sim *sim);

/* ---- ops.c: one request done and answered ---- */

void sim_serve(oban_sim *sim, oban_client *client, const oban_request *request, bool ended_step);
/* Opens a reply; the caller writes its result. sim->warnings is empty then, and goes with it. */
oban_writer *sim_reply_begin(oban_sim *sim, const oban_wire_id *id);
/* Ends a reply to something that was done. */
void sim_reply_end(oban_sim *sim, oban_client *client);
void sim_refuse(oban_sim *sim, oban_client *client, const oban_wire_id *id,
                const oban_refusal *refusal);
/* Adds a warning to the reply that is open. */
void sim_warn(oban_sim *sim, const char *message);

/* ---- script.c: BSL texts ---- */

void sim_script(oban_sim *sim, oban_client *client, const oban_request *request);

#endif
