/* SPDX-License-Identifier: MIT */
/* The simulation's host: owns the world, its time (running, held, stepping) and the requests that
 * wait for a tick; answers them through the hub. Not here: sockets, timers (loop.h), who gets what
 * (hub.h). Next: pacer.h, hub.h. */
#ifndef OBAN_SERVER_SIM_H
#define OBAN_SERVER_SIM_H

#include "core/base/alloc.h"
#include "core/world/world.h"
#include "proto/json/writer.h"
#include "server/hub.h"
#include "server/limits.h"
#include "server/transport.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_sim oban_sim;

typedef struct oban_sim_def {
    oban_alloc alloc;
    uint64_t seed;
    bool manual_clock; /* starts paused; resume is refused */
    bool scene_loaded;
    oban_limits limits;
    const oban_transport *transport; /* borrowed; must outlive the sim */
    char session[33];                /* new at every start */
    /* Monotonic nanoseconds. */
    uint64_t (*now_ns)(void *context);
    /* Resident memory in bytes, for info; may be NULL. */
    uint64_t (*rss_bytes)(void *context);
    void *context;
} oban_sim_def;

/* Returns OK or NO_MEMORY. Owns: the world and the hub. */
oban_status oban_sim_create(const oban_sim_def *def, oban_sim **out);
void oban_sim_destroy(oban_sim *sim);

/* The world, for loading clips before the start. */
oban_world *oban_sim_world(oban_sim *sim);
oban_hub *oban_sim_hub(oban_sim *sim);

/* Builds the scene at tick 0: each command is applied, its events are dropped (seq stays 0).
 * Returns the first failure, with *index the command at fault and `result` its answer. */
oban_status oban_sim_scene(oban_sim *sim, const oban_command *commands, uint32_t count,
                           uint32_t *index, oban_result *result);

/* Starts the clock: tick k is due k/60 s from now. */
void oban_sim_start(oban_sim *sim);

/* What the host's loop should do next. */
typedef enum oban_sim_want {
    OBAN_SIM_HELD,    /* nothing to do until a request comes */
    OBAN_SIM_RUNNING, /* call oban_sim_run at each 60th of a second */
    OBAN_SIM_AT_ONCE  /* stepping: call oban_sim_run as soon as input has been served */
} oban_sim_want;

/* Runs the ticks that are due (at most catch_up_ticks_max, the last one published), or a slice of
 * at most some milliseconds of a step. */
void oban_sim_run(oban_sim *sim);
oban_sim_want oban_sim_wants(const oban_sim *sim);

/* The snapshot as one JSON object, for GET /state: {session, tick, seq, paused, objects, doors,
 * characters, sectors, camera, hidden_refs}. */
void oban_sim_state_json(oban_sim *sim, oban_writer *writer);

#endif
