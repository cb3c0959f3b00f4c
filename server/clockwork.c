/* SPDX-License-Identifier: MIT */
/* Time in hand: pause, resume, and the step, which runs in slices between which others are served.
 * Next: serve.h, ops.c. */
#include "server/serve.h"

#include <string.h>

#define CLOCKWORK_SLICE_NS 4000000u
/* A step waits so long for each client that lags: decision 0007. */
#define CLOCKWORK_PATIENCE_NS 2000000000u

static void clockwork_number(oban_writer *writer, const char *key, uint64_t number)
{
    oban_writer_key(writer, key);
    oban_writer_u64(writer, number);
}

/* {tick}, or {tick, ticks} for a step. */
static void clockwork_reply(oban_sim *sim, oban_client *client, const oban_wire_id *id,
                            const uint64_t *ticks, const char *warning)
{
    oban_writer *writer = sim_reply_begin(sim, id);
    oban_writer_object_begin(writer);
    clockwork_number(writer, "tick", oban_world_tick(sim->world));
    if (ticks != NULL) {
        clockwork_number(writer, "ticks", *ticks);
    }
    oban_writer_object_end(writer);
    if (warning != NULL) {
        sim_warn(sim, warning);
    }
    sim_reply_end(sim, client);
}

static void clockwork_refuse(oban_sim *sim, oban_client *client, const oban_request *request,
                             oban_status status, const char *message)
{
    oban_refusal refusal;
    oban_refusal_set(&refusal, status, NULL, message);
    sim_refuse(sim, client, &request->id, &refusal);
}

/* Time has changed: said behind the reply, at once unless a pass is going on. */
static void clockwork_changed(oban_sim *sim, oban_time_change change)
{
    oban_hub_time_event(sim->hub, change, 0);
    sim_commands_done(sim);
}

void sim_pause(oban_sim *sim, oban_client *client, const oban_request *request, bool ended_step)
{
    oban_client *owner = sim->step.active ? sim_step_end(sim) : NULL;
    bool change = !sim->held;
    bool idle = !change && !ended_step && owner == NULL;
    sim->held = true;
    clockwork_reply(sim, client, &request->id, NULL, idle ? "time is held already" : NULL);
    if (change) {
        clockwork_changed(sim, OBAN_TIME_PAUSED);
    }
    if (owner != NULL) {
        sim_serve_line(sim, owner);
    }
}

void sim_resume(oban_sim *sim, oban_client *client, const oban_request *request)
{
    if (sim->def.manual_clock) {
        clockwork_refuse(sim, client, request, OBAN_NOT_SUPPORTED,
                         "the clock is manual (--manual-clock); use step");
        return;
    }
    if (sim->step.active) {
        clockwork_refuse(sim, client, request, OBAN_BUSY, "a step is going on; pause ends it");
        return;
    }
    bool change = sim->held;
    sim->held = false;
    clockwork_reply(sim, client, &request->id, NULL, change ? NULL : "time runs already");
    if (change) {
        oban_pacer_start(&sim->pacer, sim_now_ns(sim), OBAN_RATE_HZ);
        clockwork_changed(sim, OBAN_TIME_RESUMED);
    }
}

/* ---- step ---- */

static void clockwork_keep_id(oban_step *step, const oban_wire_id *id)
{
    step->id = *id;
    if (id->kind == OBAN_ID_STRING && id->string.bytes > 0) {
        memcpy(step->id_bytes, id->string.data, id->string.bytes);
        step->id.string.data = step->id_bytes;
    }
}

void sim_step(oban_sim *sim, oban_client *client, const oban_request *request)
{
    const oban_command *command = &request->command;
    if (!sim->held) {
        clockwork_refuse(sim, client, request, OBAN_NOT_PAUSED,
                         "step needs held time; send pause first");
        return;
    }
    if (sim->step.active) {
        clockwork_refuse(sim, client, request, OBAN_BUSY, "another step is going on");
        return;
    }
    sim->step.active = true;
    sim->step.awaits = false;
    sim->step.client = client;
    sim->step.done = 0;
    sim->step.left = OBAN_HAS(command, frames) ? (uint64_t)command->frames : 1;
    clockwork_keep_id(&sim->step, &request->id);
}

oban_client *sim_step_end(oban_sim *sim)
{
    sim->step.active = false;
    oban_hub_order(sim->step.client);
    clockwork_reply(sim, sim->step.client, &sim->step.id, &sim->step.done, NULL);
    return sim->step.client;
}

void sim_step_run(oban_sim *sim)
{
    uint64_t start = sim_now_ns(sim);
    while (sim->step.active && sim->step.left > 0) {
        sim->step.awaits = oban_hub_awaits(sim->hub, CLOCKWORK_PATIENCE_NS);
        if (sim->step.awaits) {
            return;
        }
        oban_world_tick_begin(sim->world);
        sim->unsettled = true;
        sim->step.done++;
        sim->step.left--;
        sim_commands_done(sim);
        if (sim_now_ns(sim) - start >= CLOCKWORK_SLICE_NS) {
            break;
        }
    }
    if (sim->step.active && sim->step.left == 0) {
        sim_serve_line(sim, sim_step_end(sim));
    }
}
