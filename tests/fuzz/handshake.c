/* SPDX-License-Identifier: MIT */
/* Fuzz target: the bytes of a connection (HTTP headers, the upgrade, WebSocket frames) against the
 * real wire: libwebsockets on the real loop, one connection over a unix socket per input. The input
 * is sent in two pieces, cut at its first 0x1e. When the peer is gone, no client may be left. */
#include "server/log.h"
#include "server/loop.h"
#include "server/options.h"
#include "server/sim.h"
#include "server/wire_lws.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

#define TURNS_MAX 400

static oban_options options;
static oban_loop *loop;
static oban_wire *wire;
static oban_sim *sim;
static struct sockaddr_un peer = {.sun_family = AF_UNIX};

static uint64_t now(void *context)
{
    (void)context;
    return oban_loop_now_ns();
}

static void start(void)
{
    char *argv[] = {(char[]){"fuzz"}, (char[]){"--manual-clock"}, NULL};
    char *none[] = {NULL};
    oban_line message;
    oban_log_init(open("/dev/null", O_WRONLY), OBAN_LOG_ERROR, OBAN_LOG_TEXT);
    MUST(oban_options_read(2, argv, none, &options, &message));
    loop = oban_loop_create();
    MUST(loop != NULL);
    wire = oban_wire_create(
        &(oban_wire_def){.alloc = fuzz_alloc(), .loop = loop, .options = &options});
    MUST(wire != NULL);
    oban_sim_def def = {.alloc = fuzz_alloc(),
                        .manual_clock = true,
                        .limits = options.limits,
                        .transport = oban_wire_transport(wire),
                        .session = "fuzz",
                        .now_ns = now};
    MUST(oban_sim_create(&def, &sim) == OBAN_OK);
    oban_wire_serve(wire, sim);
    oban_address address;
    char text[128];
    snprintf(peer.sun_path, sizeof peer.sun_path, "/tmp/oband-fuzz-%d.sock", (int)getpid());
    snprintf(text, sizeof text, "unix:%s", peer.sun_path);
    MUST(oban_address_parse(text, &address, &message));
    MUST(oban_wire_listen(wire, &address, &message));
    oban_loop_drive(loop, sim, 6);
    oban_sim_start(sim);
}

static void turn(int times)
{
    for (int i = 0; i < times; i++) {
        (void)uv_run(oban_loop_native(loop), UV_RUN_NOWAIT);
    }
}

static void drain(int fd)
{
    char bytes[65536];
    while (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
}

static void say(int fd, const uint8_t *data, size_t size)
{
    (void)send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    turn(8);
    drain(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (loop == NULL) {
        start();
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    MUST(fd >= 0 && connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0);
    const uint8_t *cut = memchr(data, 0x1e, size);
    size_t first = cut != NULL ? (size_t)(cut - data) : size;
    say(fd, data, first);
    if (cut != NULL) {
        say(fd, cut + 1, size - first - 1);
    }
    close(fd);
    for (int i = 0; oban_hub_client_count(oban_sim_hub(sim)) > 0; i++) {
        MUST(i < TURNS_MAX);
        turn(1);
    }
    turn(4);
    return 0;
}
