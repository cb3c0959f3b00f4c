/* SPDX-License-Identifier: MIT */
/* A BSL text of statements: read whole first, so that one that does not compile does nothing; then
 * done in one pass. One statement fails like its JSON op; of several, the faulty ones are warnings.
 * Not here: reading a statement (core/bsl/line.h), tasks that wait (not in this version).
 * Next: serve.h. */
#include "core/bsl/line.h"
#include "server/serve.h"

#define SCRIPT_STATEMENTS_MAX 100000u /* protocol 9, statements_per_tick_max */
#define SCRIPT_WARNINGS_TOLD 1000u

/* One text while it is done. */
typedef struct script_run {
    oban_sim *sim;
    oban_client *client;
    const oban_request *request;
    oban_bsl_reader reader;
    oban_bsl_statement statement;
    oban_bsl_fault fault;
    oban_writer *writer;
    uint32_t warnings;
    bool changed;
} script_run;

static void script_refuse(script_run *run, oban_refusal *refusal, oban_place place)
{
    refusal->place = place;
    if (place.line > 0) {
        oban_bsl_caret(run->request->text, place, &refusal->source, &refusal->caret);
        refusal->has_caret = true;
    }
    sim_refuse(run->sim, run->client, &run->request->id, refusal);
}

static void script_refuse_fault(script_run *run)
{
    oban_refusal refusal;
    oban_refusal_set(&refusal, run->fault.status, run->fault.field, run->fault.message.data);
    script_refuse(run, &refusal, run->fault.place);
}

/* "text:3:1: message", in the reply that is open. */
static void script_warn(script_run *run, oban_place place, const char *message)
{
    oban_line line;
    if (++run->warnings > SCRIPT_WARNINGS_TOLD) {
        return;
    }
    oban_line_clear(&line);
    oban_line_add(&line, "text:");
    oban_line_add_u64(&line, place.line);
    oban_line_add(&line, ":");
    oban_line_add_u64(&line, place.column);
    oban_line_add(&line, ": ");
    oban_line_add(&line, message);
    sim_warn(run->sim, line.data);
}

/* Counts the statements of the text. Returns false when it was refused. */
static bool script_compiles(script_run *run, uint32_t *count)
{
    bool end = false;
    oban_bsl_reader_init(&run->reader, run->request->text);
    for (*count = 0; !end; *count += end ? 0u : 1u) {
        if (oban_bsl_read(&run->reader, &run->statement, &end, &run->fault) == OBAN_BAD_SCRIPT) {
            script_refuse_fault(run);
            return false;
        }
        if (*count >= SCRIPT_STATEMENTS_MAX && !end) {
            oban_refusal refusal;
            oban_refusal_set(&refusal, OBAN_LIMIT, NULL,
                             "a text of more than 100000 statements (statements_per_tick_max)");
            script_refuse(run, &refusal, (oban_place){0, 0});
            return false;
        }
    }
    return true;
}

static void script_open(script_run *run)
{
    run->writer = sim_reply_begin(run->sim, &run->request->id);
    oban_writer_object_begin(run->writer);
    oban_writer_key(run->writer, "task");
    oban_writer_u64(run->writer, ++run->sim->tasks);
    oban_writer_key(run->writer, "state");
    oban_writer_string(run->writer, "done");
    oban_writer_key(run->writer, "results");
    oban_writer_array_begin(run->writer);
}

static void script_close(script_run *run)
{
    oban_writer_array_end(run->writer);
    oban_writer_object_end(run->writer);
    if (run->warnings > SCRIPT_WARNINGS_TOLD) {
        oban_line line;
        oban_line_clear(&line);
        oban_line_add_u64(&line, run->warnings - SCRIPT_WARNINGS_TOLD);
        oban_line_add(&line, " more warnings");
        sim_warn(run->sim, line.data);
    }
    sim_reply_end(run->sim, run->client);
    if (run->changed) {
        sim_commands_done(run->sim);
    }
}

/* The result of a statement that was done, and its warnings, the reader's first. */
static void script_done(script_run *run, const oban_result *result)
{
    const oban_bsl_statement *statement = &run->statement;
    run->sim->unsettled = true;
    run->changed = true;
    oban_wire_result(run->writer, result);
    for (uint32_t i = 0; i < statement->warning_count; i++) {
        script_warn(run, statement->warnings[i].place, statement->warnings[i].message.data);
    }
    for (uint32_t i = 0; i < result->warning_count; i++) {
        script_warn(run, statement->place, result->warnings[i].data);
    }
}

static void script_one(script_run *run)
{
    bool end = false;
    oban_result result;
    if (oban_bsl_read(&run->reader, &run->statement, &end, &run->fault) != OBAN_OK) {
        script_refuse_fault(run);
        return;
    }
    if (oban_world_apply(run->sim->world, &run->statement.command, &result) != OBAN_OK) {
        oban_refusal refusal;
        oban_refusal_of_result(&refusal, &result);
        script_refuse(run, &refusal, run->statement.place);
        return;
    }
    script_open(run);
    script_done(run, &result);
    script_close(run);
}

static void script_several(script_run *run)
{
    bool end = false;
    oban_result result;
    script_open(run);
    for (;;) {
        if (oban_bsl_read(&run->reader, &run->statement, &end, &run->fault) != OBAN_OK) {
            script_warn(run, run->fault.place, run->fault.message.data);
            oban_writer_null(run->writer);
        } else if (end) {
            break;
        } else if (oban_world_apply(run->sim->world, &run->statement.command, &result) != OBAN_OK) {
            script_warn(run, run->statement.place, result.message.data);
            oban_writer_null(run->writer);
        } else {
            script_done(run, &result);
        }
    }
    script_close(run);
}

void sim_script(oban_sim *sim, oban_client *client, const oban_request *request)
{
    script_run run = {.sim = sim, .client = client, .request = request};
    uint32_t count = 0;
    if (!script_compiles(&run, &count)) {
        return;
    }
    sim_commands_begin(sim);
    oban_bsl_reader_init(&run.reader, request->text);
    if (count == 1) {
        script_one(&run);
    } else {
        script_several(&run);
    }
}
