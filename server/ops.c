/* SPDX-License-Identifier: MIT */
/* One request done and answered. The ops that are no commands of the world are rows of one table.
 * Not here: time (clockwork.c), BSL (script.c), when it is a request's turn (sim.c).
 * Next: serve.h, script.c. */
#include "proto/wire/entry.h"
#include "proto/wire/library.h"
#include "proto/wire/snapshot.h"
#include "server/serve.h"

#include <math.h>

#define OPS_SECOND_NS 1000000000u

/* ---- answers ---- */

oban_writer *sim_reply_begin(oban_sim *sim, const oban_wire_id *id)
{
    oban_writer *writer = oban_hub_reply_begin(sim->hub);
    oban_writer_clear(&sim->warnings);
    oban_wire_reply_begin(writer, id, oban_world_tick(sim->world));
    return writer;
}

void sim_warn(oban_sim *sim, const char *message)
{
    oban_writer_string(&sim->warnings, message);
}

static bool ops_reply_try(oban_sim *sim, oban_client *client)
{
    const oban_writer *warnings = &sim->warnings;
    if (warnings->failed) {
        return false;
    }
    oban_wire_reply_end(oban_hub_reply_writer(sim->hub), warnings->data, warnings->bytes);
    return oban_hub_reply_end(sim->hub, client);
}

/* What was done cannot be undone, and an answer must not be lost in silence: when there is no
 * memory for it, the client goes. */
void sim_reply_end(oban_sim *sim, oban_client *client)
{
    if (!ops_reply_try(sim, client) && client != NULL) {
        oban_hub_fail(client, "out of memory");
    }
}

void sim_refuse(oban_sim *sim, oban_client *client, const oban_wire_id *id,
                const oban_refusal *refusal)
{
    oban_writer *writer = oban_hub_reply_begin(sim->hub);
    oban_wire_error(writer, id, oban_world_tick(sim->world), refusal);
    if (!oban_hub_reply_end(sim->hub, client) && client != NULL) {
        oban_hub_fail(client, "out of memory");
    }
}

/* Ends the reply to a query, which changed nothing and so can still become an error. */
static void ops_query_end(oban_sim *sim, oban_client *client, const oban_request *request)
{
    if (!ops_reply_try(sim, client)) {
        oban_refusal refusal;
        oban_refusal_set(&refusal, OBAN_NO_MEMORY, NULL, oban_status_meaning(OBAN_NO_MEMORY));
        sim_refuse(sim, client, &request->id, &refusal);
    }
}

/* ---- session ---- */

static void ops_ping(oban_sim *sim, oban_client *client, const oban_request *request)
{
    oban_writer *writer = sim_reply_begin(sim, &request->id);
    oban_writer_object_begin(writer);
    oban_writer_object_end(writer);
    ops_query_end(sim, client, request);
}

static void ops_number(oban_writer *writer, const char *key, uint64_t number)
{
    oban_writer_key(writer, key);
    oban_writer_u64(writer, number);
}

static void ops_count(oban_writer *writer, const oban_world *world, const char *key, oban_kind kind)
{
    uint32_t end = 0;
    uint32_t first = oban_world_live_of(world, kind, &end);
    ops_number(writer, key, end - first);
}

/* The field of view, and what it must be on wider screens to show no more at the sides than it does
 * at 4:3. Source: facts/bsl 4.7. */
static void ops_fov(oban_writer *writer, float fov)
{
    static const struct {
        const char *key;
        double part; /* of 4:3's height */
    } screens[] = {{"fov", 1}, {"fov_16_9", 0.75}, {"fov_16_10", 1 / 1.2}};
    double half = tan((double)fov * 3.14159265358979323846 / 360);
    for (size_t i = 0; i < sizeof screens / sizeof screens[0]; i++) {
        double degrees = atan(half * screens[i].part) * 360 / 3.14159265358979323846;
        oban_writer_key(writer, screens[i].key);
        oban_writer_f32(writer, (float)(floor(degrees * 1000 + 0.5) / 1000));
    }
}

static void ops_info(oban_sim *sim, oban_client *client, const oban_request *request)
{
    oban_line hash;
    sim_settle(sim);
    oban_line_clear(&hash);
    oban_line_add_hex64(&hash, oban_world_hash(sim->world));
    oban_writer *writer = sim_reply_begin(sim, &request->id);
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "version");
    oban_writer_string(writer, OBAN_VERSION);
    oban_writer_key(writer, "session");
    oban_writer_string(writer, sim->def.session);
    ops_number(writer, "tick", oban_world_tick(sim->world));
    ops_number(writer, "seed", sim->def.seed);
    oban_writer_key(writer, "hash");
    oban_writer_string(writer, hash.data);
    ops_count(writer, sim->world, "objects", OBAN_KIND_OBJECT);
    ops_count(writer, sim->world, "doors", OBAN_KIND_DOOR);
    ops_count(writer, sim->world, "characters", OBAN_KIND_CHARACTER);
    ops_number(writer, "clips", oban_world_clip_count(sim->world));
    ops_number(writer, "clients", oban_hub_client_count(sim->hub));
    ops_number(writer, "uptime_s", (sim_now_ns(sim) - sim->created_ns) / OPS_SECOND_NS);
    ops_fov(writer, oban_world_camera(sim->world)->fov);
    ops_number(writer, "rss_bytes",
               sim->def.rss_bytes != NULL ? sim->def.rss_bytes(sim->def.context) : 0);
    oban_writer_object_end(writer);
    ops_query_end(sim, client, request);
}

static void ops_help(oban_sim *sim, oban_client *client, const oban_request *request)
{
    const oban_command *command = &request->command;
    oban_wire_op only = OBAN_WIRE_PING;
    bool one = OBAN_HAS(command, name);
    if (one && !oban_wire_op_find(command->name, &only)) {
        oban_refusal refusal;
        oban_refusal_set(&refusal, OBAN_UNKNOWN_OP, "name", "");
        oban_wire_op_missing(command->name, &refusal.message);
        sim_refuse(sim, client, &request->id, &refusal);
        return;
    }
    oban_wire_help(sim_reply_begin(sim, &request->id), one ? &only : NULL);
    ops_query_end(sim, client, request);
}

/* ---- library ---- */

static void ops_anim_list(oban_sim *sim, oban_client *client, const oban_request *request)
{
    const oban_command *command = &request->command;
    oban_text all = {NULL, 0};
    oban_text match = OBAN_HAS(command, name) ? command->name : all;
    if (OBAN_HAS(command, name) && match.data == NULL) {
        match.data = "";
    }
    oban_wire_anim_list(sim_reply_begin(sim, &request->id), sim->world, match);
    ops_query_end(sim, client, request);
}

/* The animation that the request names; refuses and returns NULL when there is none. */
static const oban_clip *ops_clip(oban_sim *sim, oban_client *client, const oban_request *request,
                                 bool *other_case)
{
    const oban_clip *clip = oban_world_clip_find(sim->world, request->command.anim, other_case);
    if (clip == NULL) {
        oban_refusal refusal;
        oban_refusal_set(&refusal, OBAN_NO_ANIM, "anim", "");
        oban_world_clip_missing(sim->world, request->command.anim, &refusal.message);
        sim_refuse(sim, client, &request->id, &refusal);
    }
    return clip;
}

static void ops_clip_end(oban_sim *sim, oban_client *client, const oban_request *request,
                         const oban_clip *clip, bool other_case)
{
    if (other_case) {
        oban_line line;
        oban_line_clear(&line);
        oban_line_add(&line, "the animation is called '");
        oban_line_add(&line, clip->name);
        oban_line_add(&line, "'; the case differs");
        sim_warn(sim, line.data);
    }
    ops_query_end(sim, client, request);
}

static void ops_anim_get(oban_sim *sim, oban_client *client, const oban_request *request)
{
    bool other_case = false;
    const oban_clip *clip = ops_clip(sim, client, request, &other_case);
    if (clip != NULL) {
        oban_wire_anim_get(sim_reply_begin(sim, &request->id), clip);
        ops_clip_end(sim, client, request, clip, other_case);
    }
}

static void ops_anim_path(oban_sim *sim, oban_client *client, const oban_request *request)
{
    const oban_command *command = &request->command;
    bool other_case = false;
    const oban_clip *clip = ops_clip(sim, client, request, &other_case);
    if (clip != NULL) {
        uint32_t every = OBAN_HAS(command, frames) ? (uint32_t)command->frames : 1;
        oban_wire_anim_path(sim_reply_begin(sim, &request->id), clip, every);
        ops_clip_end(sim, client, request, clip, other_case);
    }
}

static void ops_object_list(oban_sim *sim, oban_client *client, const oban_request *request)
{
    oban_writer *writer = sim_reply_begin(sim, &request->id);
    oban_writer_object_begin(writer);
    oban_wire_objects(writer, sim->world, sim->unsettled);
    oban_writer_object_end(writer);
    ops_query_end(sim, client, request);
}

static void ops_object_get(oban_sim *sim, oban_client *client, const oban_request *request)
{
    const oban_command *command = &request->command;
    const oban_object *object = oban_world_object(sim->world, command->object, command->part);
    if (object == NULL) {
        oban_refusal refusal;
        oban_refusal_set(&refusal, OBAN_NO_OBJECT, "object", "");
        oban_world_object_missing(sim->world, command->object, &refusal.message);
        sim_refuse(sim, client, &request->id, &refusal);
        return;
    }
    oban_mat34 m = oban_world_object_matrix(sim->world, object);
    oban_wire_object(sim_reply_begin(sim, &request->id), object, &m);
    ops_query_end(sim, client, request);
}

/* ---- commands of the world ---- */

static void ops_command(oban_sim *sim, oban_client *client, const oban_request *request)
{
    oban_result result;
    sim_commands_begin(sim);
    if (oban_world_apply(sim->world, &request->command, &result) != OBAN_OK) {
        oban_refusal refusal;
        oban_refusal_of_result(&refusal, &result);
        sim_refuse(sim, client, &request->id, &refusal);
        return;
    }
    sim->unsettled = true;
    oban_wire_result(sim_reply_begin(sim, &request->id), &result);
    for (uint32_t i = 0; i < result.warning_count; i++) {
        sim_warn(sim, result.warnings[i].data);
    }
    sim_reply_end(sim, client);
    sim_commands_done(sim);
}

/* ---- the table ---- */

typedef void (*ops_function)(oban_sim *sim, oban_client *client, const oban_request *request);

/* pause is not here: it alone must know whether it has ended a step. */
static const ops_function ops_functions[OBAN_WIRE_OP_COUNT - OBAN_OP_COUNT] = {
    [OBAN_WIRE_RESUME - OBAN_OP_COUNT] = sim_resume,
    [OBAN_WIRE_STEP - OBAN_OP_COUNT] = sim_step,
    [OBAN_WIRE_PING - OBAN_OP_COUNT] = ops_ping,
    [OBAN_WIRE_INFO - OBAN_OP_COUNT] = ops_info,
    [OBAN_WIRE_HELP - OBAN_OP_COUNT] = ops_help,
    [OBAN_WIRE_ANIM_LIST - OBAN_OP_COUNT] = ops_anim_list,
    [OBAN_WIRE_ANIM_GET - OBAN_OP_COUNT] = ops_anim_get,
    [OBAN_WIRE_ANIM_PATH - OBAN_OP_COUNT] = ops_anim_path,
    [OBAN_WIRE_OBJECT_LIST - OBAN_OP_COUNT] = ops_object_list,
    [OBAN_WIRE_OBJECT_GET - OBAN_OP_COUNT] = ops_object_get,
    [OBAN_WIRE_BSL - OBAN_OP_COUNT] = sim_script,
};

void sim_serve(oban_sim *sim, oban_client *client, const oban_request *request, bool ended_step)
{
    if (request->refusal != NULL) {
        sim_refuse(sim, client, &request->id, request->refusal);
    } else if (request->op == OBAN_WIRE_PAUSE) {
        sim_pause(sim, client, request, ended_step);
    } else if ((unsigned)request->op < OBAN_OP_COUNT) {
        ops_command(sim, client, request);
    } else {
        ops_functions[(unsigned)request->op - OBAN_OP_COUNT](sim, client, request);
    }
}
