/* SPDX-License-Identifier: MIT */
/* The daemon's life. Start: loop, wire, simulation, animations, scene, listeners. Stop, within 3 s
 * of a signal: no new clients, time stands still, unsent facts are flushed, clients closed (1001),
 * all memory given back.
 * Not here: what happens in between (loop.h, sim.h).
 * Next: sim.h. */
#include "server/daemon.h"

#include "server/log.h"
#include "server/loop.h"
#include "server/sim.h"
#include "server/store.h"
#include "server/wire_lws.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#define DAEMON_FILES_MAX 1048576u /* libwebsockets has tables of this many entries */
#define DAEMON_FILES_SPARE 32u    /* descriptors that are no client's; protocol 9 */
#define DAEMON_STOP_EVERY_MS 20u
#define DAEMON_FLUSH_NS 1200000000u /* for unsent facts */
#define DAEMON_STOP_NS 2400000000u  /* for the whole stop */

typedef struct daemon_parts {
    const oban_options *options;
    oban_alloc alloc;
    oban_loop *loop;
    oban_wire *wire;
    oban_sim *sim;
    uint64_t stop_ns; /* when the first signal came; 0: not yet */
    bool told;        /* the clients have been told to go */
} daemon_parts;

/* ---- what the parts need of the machine -------------------------------------------------------
 */

static void *daemon_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, bytes);
}

static uint64_t daemon_now_ns(void *context)
{
    (void)context;
    return oban_loop_now_ns();
}

static uint64_t daemon_rss_bytes(void *context)
{
    char text[128] = "";
    FILE *file = fopen("/proc/self/statm", "re");
    (void)context;
    if (file == NULL) {
        return 0;
    }
    const char *line = fgets(text, sizeof text, file); /* pages: size, resident, ... */
    fclose(file);
    const char *resident = line != NULL ? strchr(line, ' ') : NULL;
    return resident != NULL ? strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Each client takes a descriptor, so the open-file limit is raised, and clients_max lowered to it.
 */
static void daemon_fit_files(oban_limits *limits)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        rlim_t most = files.rlim_max < DAEMON_FILES_MAX ? files.rlim_max : DAEMON_FILES_MAX;
        files.rlim_cur = most;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 &&
        files.rlim_cur < limits->clients_max + DAEMON_FILES_SPARE) {
        limits->clients_max =
            files.rlim_cur > DAEMON_FILES_SPARE ? files.rlim_cur - DAEMON_FILES_SPARE : 1;
        oban_log(OBAN_LOG_WARN, "clients_max",
                 "clients_max is lowered to the open-file limit less 32 (see ulimit -n)",
                 OBAN_LOG_U64("clients_max", limits->clients_max));
    }
}

/* ---- stopping -------------------------------------------------------------------------------- */

static void daemon_on_stop_tick(void *context)
{
    daemon_parts *parts = context;
    uint64_t since = oban_loop_now_ns() - parts->stop_ns;
    oban_hub *hub = oban_sim_hub(parts->sim);
    if (!parts->told && (oban_hub_flush(hub) == 0 || since > DAEMON_FLUSH_NS)) {
        oban_hub_close_all(hub, 1001, "the daemon is stopping");
        parts->told = true;
    }
    if (since > DAEMON_STOP_NS || (parts->told && oban_wire_connection_count(parts->wire) == 0)) {
        oban_loop_every(parts->loop, 0, NULL, NULL);
        oban_loop_stop(parts->loop);
    }
}

static void daemon_on_signal(void *context)
{
    daemon_parts *parts = context;
    if (parts->stop_ns != 0) {
        oban_log_plain(OBAN_LOG_WARN, "stop", "stopping at once");
        oban_loop_stop(parts->loop);
        return;
    }
    oban_log_plain(OBAN_LOG_INFO, "stop", "stopping");
    parts->stop_ns = oban_loop_now_ns();
    oban_wire_stop_listening(parts->wire);
    oban_loop_drive(parts->loop, NULL, 0);
    oban_loop_every(parts->loop, DAEMON_STOP_EVERY_MS, daemon_on_stop_tick, parts);
    daemon_on_stop_tick(parts);
}

/* ---- starting -------------------------------------------------------------------------------- */

static bool daemon_make_session(char session[33])
{
    unsigned char bytes[8];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(session + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

static bool daemon_make_sim(daemon_parts *parts)
{
    const oban_options *options = parts->options;
    oban_sim_def def = {
        .alloc = parts->alloc,
        .seed = options->seed,
        .manual_clock = options->manual_clock,
        .scene_loaded = options->scene != NULL || options->level.count > 0,
        .limits = options->limits,
        .transport = oban_wire_transport(parts->wire),
        .now_ns = daemon_now_ns,
        .rss_bytes = daemon_rss_bytes,
    };
    return daemon_make_session(def.session) && oban_sim_create(&def, &parts->sim) == OBAN_OK;
}

static int daemon_load(daemon_parts *parts)
{
    const oban_options *options = parts->options;
    if (!oban_store_load_anims(oban_sim_world(parts->sim), &parts->alloc, &options->level,
                               &options->anims, &options->limits) ||
        !oban_store_load_levels(parts->sim, &parts->alloc, &options->level)) {
        return OBAN_EXIT_WRONG;
    }
    if (options->scene != NULL &&
        !oban_store_load_scene(parts->sim, &parts->alloc, options->scene)) {
        return OBAN_EXIT_WRONG;
    }
    return OBAN_EXIT_STOPPED;
}

static int daemon_listen(daemon_parts *parts)
{
    const oban_option_list *list = &parts->options->listen;
    for (uint32_t i = 0; i < list->count; i++) {
        oban_address address;
        oban_line message;
        if (!oban_address_parse(list->items[i], &address, &message) ||
            !oban_wire_listen(parts->wire, &address, &message)) {
            oban_log_plain(OBAN_LOG_ERROR, "listen", message.data);
            return OBAN_EXIT_CANNOT;
        }
    }
    return OBAN_EXIT_STOPPED;
}

static int daemon_start(daemon_parts *parts)
{
    parts->loop = oban_loop_create();
    if (parts->loop == NULL) {
        return OBAN_EXIT_CANNOT;
    }
    parts->wire = oban_wire_create(
        &(oban_wire_def){.alloc = parts->alloc, .loop = parts->loop, .options = parts->options});
    if (parts->wire == NULL || !daemon_make_sim(parts)) {
        oban_log_plain(OBAN_LOG_ERROR, "start", "cannot start: out of memory, or see above");
        return OBAN_EXIT_CANNOT;
    }
    int rc = daemon_load(parts);
    if (rc != OBAN_EXIT_STOPPED) {
        return rc;
    }
    oban_wire_serve(parts->wire, parts->sim);
    return daemon_listen(parts);
}

/* In the order that libwebsockets needs on a foreign loop (facts: performance 5). */
static int daemon_end(daemon_parts *parts, int rc)
{
    if (parts->wire != NULL) {
        oban_wire_cut(parts->wire);
        oban_loop_close_handles(parts->loop);
        oban_loop_drain(parts->loop);
    }
    if (parts->sim != NULL) {
        oban_sim_destroy(parts->sim);
    }
    if (parts->wire != NULL) {
        oban_wire_destroy(parts->wire);
    }
    if (!oban_loop_destroy(parts->loop)) {
        oban_log_plain(OBAN_LOG_ERROR, "stop", "handles of the loop were left open");
        return OBAN_EXIT_CANNOT;
    }
    return rc;
}

int oban_daemon_run(const oban_options *options)
{
    oban_options fitted = *options; /* borrows all but the limits */
    daemon_parts parts = {.options = &fitted, .alloc = {.resize = daemon_resize}};
    (void)signal(SIGPIPE, SIG_IGN);
    daemon_fit_files(&fitted.limits);
    int rc = daemon_start(&parts);
    if (rc == OBAN_EXIT_STOPPED && !oban_loop_on_signal(parts.loop, daemon_on_signal, &parts)) {
        rc = OBAN_EXIT_CANNOT;
    }
    if (rc == OBAN_EXIT_STOPPED) {
        oban_sim_start(parts.sim);
        oban_loop_drive(parts.loop, parts.sim, (uint32_t)options->limits.catch_up_ticks_max);
        oban_wire_announce(parts.wire);
        oban_loop_run(parts.loop);
        oban_loop_drive(parts.loop, NULL, 0);
    }
    return daemon_end(&parts, rc);
}
