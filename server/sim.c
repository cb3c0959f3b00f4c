/* SPDX-License-Identifier: MIT */
/* The sim: ticks that are due, their phase 3, and the lines of requests that wait for it.
 * Not here: single ops (ops.c), pause, resume and step (clockwork.c).
 * Next: serve.h, clockwork.c. */
#include "server/sim.h"

#include "core/base/assert.h"
#include "proto/wire/snapshot.h"
#include "server/serve.h"

#include <string.h>

/* ---- the world between ticks ---- */

uint64_t sim_now_ns(const oban_sim *sim)
{
    return sim->def.now_ns(sim->def.context);
}

void sim_settle(oban_sim *sim)
{
    if (sim->unsettled) {
        sim->unsettled = false;
        oban_world_tick_end(sim->world);
        oban_hub_tick_ended(sim->hub);
    }
}

void sim_commands_begin(oban_sim *sim)
{
    if (!sim->in_pass) {
        oban_world_pass_begin(sim->world);
    }
}

void sim_commands_done(oban_sim *sim)
{
    if (!sim->in_pass) {
        sim_settle(sim);
        oban_hub_publish(sim->hub);
    }
}

/* ---- lines ---- */

/* Whether it changes the world, and so must wait for a pass while time runs. */
static bool sim_needs_pass(const oban_request *request)
{
    oban_wire_class class_ = oban_wire_row_of(request->op).class_;
    return request->refusal == NULL && (class_ == OBAN_CLASS_COMMAND || class_ == OBAN_CLASS_TEXT);
}

/* Whether the first of a client's line can be served now. */
static bool sim_can_serve(const oban_sim *sim, const oban_client *client,
                          const oban_request *request)
{
    if (client != NULL &&
        (oban_hub_blocked(client) || (sim->step.active && sim->step.client == client))) {
        return false;
    }
    return sim->in_pass || sim->held || !sim_needs_pass(request);
}

static void sim_let_read(oban_client *client)
{
    oban_request_line *line = oban_hub_requests(client);
    if (line->reading_held && line->bytes <= OBAN_WAITING_BYTES_MAX / 2) {
        line->reading_held = false;
        oban_hub_hold_reading(client, false);
    }
}

/* Takes one out of the queue and serves it. */
static void sim_serve_waiting(oban_sim *sim, oban_waiting *waiting)
{
    oban_client *client = waiting->client;
    oban_request_queue_remove(&sim->queue, client != NULL ? oban_hub_requests(client) : NULL,
                              waiting);
    sim_serve(sim, client, waiting->request, waiting->ended_step);
    oban_request_free(&sim->queue, waiting);
    if (client != NULL) {
        sim_let_read(client);
    }
}

void sim_serve_line(oban_sim *sim, oban_client *client)
{
    const oban_request_line *line = oban_hub_requests(client);
    while (line->first != NULL && sim_can_serve(sim, client, line->first->request)) {
        sim_serve_waiting(sim, line->first);
    }
}

/* One walk over all that waits, in the order of arrival. Returns whether anything was served. */
static bool sim_serve_walk(oban_sim *sim)
{
    bool served = false;
    oban_waiting *waiting = NULL;
    oban_request_walk_start(&sim->queue);
    while ((waiting = oban_request_walk_next(&sim->queue)) != NULL) {
        oban_client *client = waiting->client;
        bool first = client == NULL || oban_hub_requests(client)->first == waiting;
        if (first && sim_can_serve(sim, client, waiting->request)) {
            sim_serve_waiting(sim, waiting);
            served = true;
        }
    }
    return served;
}

/* All that waits: phase 3, or what is left when time becomes held. What is served may hold time or
 * let it run, start or end a step, and so close and open lines that the walk has passed. */
static void sim_serve_all(oban_sim *sim)
{
    while (sim_serve_walk(sim)) {
    }
}

/* When time has just become held, nothing waits for a tick any more. */
static void sim_serve_rest(oban_sim *sim, bool was_held)
{
    if (sim->held && !was_held) {
        sim_serve_all(sim);
    }
}

static void sim_wait(oban_sim *sim, oban_client *client, const oban_request *request,
                     bool ended_step)
{
    oban_request_line *line = oban_hub_requests(client);
    oban_waiting *waiting = oban_request_queue_add(&sim->queue, client, line, request);
    if (waiting == NULL) {
        oban_hub_fail(client, "out of memory");
        return;
    }
    waiting->ended_step = ended_step;
    if (line->bytes > OBAN_WAITING_BYTES_MAX && !line->reading_held) {
        line->reading_held = true;
        oban_hub_hold_reading(client, true);
    }
}

/* ---- what the hub tells ---- */

/* A request has come: it is served now or waits. */
static void sim_arrived(oban_sim *sim, oban_client *client, const oban_request *request)
{
    bool is_pause = request->op == OBAN_WIRE_PAUSE && request->refusal == NULL;
    bool was_held = sim->held;
    if (is_pause && sim->step.active && sim->step.client == client) {
        /* Ahead of its turn, which only its answer keeps. */
        sim_wait(sim, client, request, true);
        (void)sim_step_end(sim);
        sim_serve_line(sim, client);
    } else if (oban_hub_requests(client)->first != NULL || !sim_can_serve(sim, client, request)) {
        sim_wait(sim, client, request, false);
    } else {
        sim_serve(sim, client, request, false);
    }
    sim_serve_rest(sim, was_held);
}

static void sim_message(void *context, oban_client *client, const char *text, size_t bytes)
{
    oban_sim *sim = context;
    oban_request request;
    oban_refusal room;
    oban_json *root = NULL;
    uint64_t per_s = sim->def.limits.commands_per_s_max;
    bool in_time = oban_request_line_take(oban_hub_requests(client), per_s, sim_now_ns(sim));
    oban_request_read(text, bytes, sim->def.limits.script_bytes_max, &request, &room, &root);
    if (!in_time) {
        oban_refusal_set(&room, OBAN_RATE_LIMITED, NULL, "commands_per_s_max is ");
        oban_line_add_u64(&room.message, per_s);
        oban_line_add(&room.message, "; this request was not done");
        request.refusal = &room;
    }
    sim_arrived(sim, client, &request);
    oban_json_free(root);
}

static void sim_drained(void *context, oban_client *client)
{
    oban_sim *sim = context;
    bool was_held = sim->held;
    sim->step.awaits = false;
    sim_serve_line(sim, client);
    sim_serve_rest(sim, was_held);
}

/* What the client asked of the world and only waits for the tick is still done; the rest is
 * dropped, and its step ends. */
static void sim_closed(void *context, oban_client *client)
{
    oban_sim *sim = context;
    oban_request_line *line = oban_hub_requests(client);
    if (sim->step.active && sim->step.client == client) {
        sim->step.active = false;
    }
    while (line->first != NULL) {
        oban_waiting *waiting = line->first;
        if (sim->held || !sim_needs_pass(waiting->request)) {
            oban_request_queue_remove(&sim->queue, line, waiting);
            oban_request_free(&sim->queue, waiting);
        } else {
            waiting->client = NULL;
            line->first = waiting->next_in_line;
        }
    }
    line->last = NULL;
}

static void sim_hello(void *context, oban_writer *writer)
{
    static const char *const capabilities[] = {"json",  "bsl",        "held_time", "camera",
                                               "doors", "characters", NULL};
    static const char *const manual[] = {"json",   "bsl",          "held_time",
                                         "camera", "manual_clock", NULL};
    const oban_sim *sim = context;
    const oban_limits *limits = &sim->def.limits;
    const oban_wire_limit rows[] = {
#define OBAN_LIMIT(name, standard, lowest, highest, help) {#name, limits->name},
#include "server/limits.def"
#undef OBAN_LIMIT
    };
    uint32_t objects = 0;
    uint32_t first = oban_world_live_of(sim->world, OBAN_KIND_OBJECT, &objects);
    oban_wire_hello_write(writer, &(oban_wire_hello){
                                      .session = sim->def.session,
                                      .tick = oban_world_tick(sim->world),
                                      .seq = oban_hub_seq(sim->hub),
                                      .paused = sim->held,
                                      .seed = sim->def.seed,
                                      .limits = rows,
                                      .limit_count = sizeof rows / sizeof rows[0],
                                      .capabilities = sim->def.manual_clock ? manual : capabilities,
                                      .objects = objects - first,
                                      .clips = oban_world_clip_count(sim->world),
                                      .clients = oban_hub_client_count(sim->hub),
                                  });
}

static uint64_t sim_host_now(void *context)
{
    return sim_now_ns(context);
}

/* ---- life ---- */

static oban_status sim_create_world(oban_sim *sim)
{
    const oban_limits *limits = &sim->def.limits;
    oban_world_def def = {.alloc = sim->alloc,
                          .seed = sim->def.seed,
                          .objects_max = (uint32_t)limits->objects_max,
                          .anims_max = (uint32_t)limits->anims_max,
                          .scene_loaded = sim->def.scene_loaded};
    return oban_world_create(&def, &sim->world);
}

static oban_status sim_create_hub(oban_sim *sim)
{
    oban_hub_def def = {.alloc = sim->alloc,
                        .world = sim->world,
                        .transport = sim->def.transport,
                        .host = {.context = sim,
                                 .message = sim_message,
                                 .drained = sim_drained,
                                 .closed = sim_closed,
                                 .hello = sim_hello,
                                 .now_ns = sim_host_now},
                        .clients_max = (uint32_t)sim->def.limits.clients_max,
                        .events_bytes_max = sim->def.limits.events_bytes_max,
                        .commands_per_s_max = sim->def.limits.commands_per_s_max};
    return oban_hub_create(&def, &sim->hub);
}

oban_status oban_sim_create(const oban_sim_def *def, oban_sim **out)
{
    oban_sim *sim = oban_alloc_take(&def->alloc, sizeof *sim);
    if (sim == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(sim, 0, sizeof *sim);
    sim->def = *def;
    sim->alloc = def->alloc;
    sim->queue.alloc = def->alloc;
    sim->held = true;
    sim->created_ns = sim_now_ns(sim);
    oban_writer_init(&sim->warnings, &sim->alloc);
    if (sim_create_world(sim) != OBAN_OK || sim_create_hub(sim) != OBAN_OK) {
        oban_sim_destroy(sim);
        return OBAN_NO_MEMORY;
    }
    *out = sim;
    return OBAN_OK;
}

void oban_sim_destroy(oban_sim *sim)
{
    if (sim == NULL) {
        return;
    }
    oban_request_queue_fini(&sim->queue);
    oban_hub_destroy(sim->hub);
    if (sim->world != NULL) {
        oban_world_destroy(sim->world);
    }
    oban_writer_fini(&sim->warnings);
    oban_alloc_give(&sim->alloc, sim, sizeof *sim);
}

oban_world *oban_sim_world(oban_sim *sim)
{
    return sim->world;
}

oban_hub *oban_sim_hub(oban_sim *sim)
{
    return sim->hub;
}

oban_status oban_sim_scene(oban_sim *sim, const oban_command *commands, uint32_t count,
                           uint32_t *index, oban_result *result)
{
    for (*index = 0; *index < count; (*index)++) {
        oban_world_pass_begin(sim->world);
        oban_status status = oban_world_apply(sim->world, &commands[*index], result);
        oban_world_events_clear(sim->world);
        if (status != OBAN_OK) {
            return status;
        }
    }
    oban_world_tick_end(sim->world);
    oban_world_events_clear(sim->world);
    return OBAN_OK;
}

void oban_sim_start(oban_sim *sim)
{
    sim->started = true;
    sim->held = sim->def.manual_clock;
    oban_pacer_start(&sim->pacer, sim_now_ns(sim), OBAN_RATE_HZ);
}

/* ---- ticks ---- */

/* Phase 3. What is behind a pause in the queue still belongs to this tick. */
static void sim_pass(oban_sim *sim)
{
    oban_world_pass_begin(sim->world);
    sim->in_pass = true;
    sim_serve_all(sim);
    sim->in_pass = false;
}

static void sim_tick(oban_sim *sim)
{
    oban_world_tick_begin(sim->world);
    sim_pass(sim);
    sim->unsettled = true;
    sim_settle(sim);
}

static void sim_run_due(oban_sim *sim)
{
    uint32_t catch_up_max = (uint32_t)sim->def.limits.catch_up_ticks_max;
    oban_pacer_due due = oban_pacer_take(&sim->pacer, sim_now_ns(sim), catch_up_max);
    if (due.ticks == 0) {
        return;
    }
    oban_hub_replies_defer(sim->hub);
    for (uint32_t i = 0; i < due.ticks && !sim->held; i++) {
        sim_tick(sim);
    }
    if (due.lost > 0) {
        oban_hub_time_event(sim->hub, OBAN_TIME_LATE, due.lost);
    }
    oban_hub_replies_flush(sim->hub);
    oban_hub_publish(sim->hub);
}

void oban_sim_run(oban_sim *sim)
{
    oban_hub_reap(sim->hub);
    if (!sim->started) {
        return;
    }
    if (sim->step.active) {
        sim_step_run(sim);
    } else if (!sim->held) {
        sim_run_due(sim);
    }
}

oban_sim_want oban_sim_wants(const oban_sim *sim)
{
    if (!sim->started || (sim->held && !sim->step.active)) {
        return OBAN_SIM_HELD;
    }
    return sim->step.active && !sim->step.awaits ? OBAN_SIM_AT_ONCE : OBAN_SIM_RUNNING;
}

void oban_sim_state_json(oban_sim *sim, oban_writer *writer)
{
    oban_wire_state(writer, sim->world, sim->def.session, oban_hub_seq(sim->hub), sim->held);
}
