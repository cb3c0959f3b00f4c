/* SPDX-License-Identifier: MIT */
/* Fuzz target: messages of a client, through the hub and the sim over a transport in memory. The
 * input is cut into messages at bytes 0x1e. Each message is answered exactly once, all that is sent
 * is strict JSON, and what is answered with an error has changed nothing. */
#include "proto/json/json.h"
#include "server/sim.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

typedef struct wire {
    uint32_t answers;
    uint32_t errors;
} wire;

static size_t header_bytes(const uint8_t *at, size_t left, size_t *payload)
{
    MUST(left >= 2 && at[0] == 0x81);
    if (at[1] < 126) {
        *payload = at[1];
        return 2;
    }
    if (at[1] == 126) {
        MUST(left >= 4);
        *payload = ((size_t)at[2] << 8) | at[3];
        return 4;
    }
    MUST(left >= 10);
    *payload = 0;
    for (int i = 2; i < 10; i++) {
        *payload = (*payload << 8) | at[i];
    }
    return 10;
}

static void message(wire *w, const char *text, size_t bytes)
{
    oban_json_fault fault;
    MUST(oban_json_scan(text, bytes, &fault) == OBAN_OK);
    w->answers += memcmp(text, "{\"op\":\"reply\"", 13) == 0;
    if (memcmp(text, "{\"op\":\"error\"", 13) == 0) {
        w->answers++;
        w->errors++;
    }
}

static bool fake_send(void *context, void *conn, const void *bytes, size_t count)
{
    (void)conn;
    const uint8_t *at = bytes;
    while (count > 0) {
        size_t payload = 0;
        size_t head = header_bytes(at, count, &payload);
        MUST(payload <= count - head && payload > 13);
        message(context, (const char *)at + head, payload);
        at += head + payload;
        count -= head + payload;
    }
    return true;
}

static bool fake_choked(void *context, void *conn)
{
    (void)context;
    (void)conn;
    return false;
}

static void fake_want(void *context, void *conn)
{
    (void)context;
    (void)conn;
}

static void fake_close(void *context, void *conn, uint16_t code, const char *reason)
{
    (void)context;
    (void)conn;
    (void)code;
    (void)reason;
    abort(); /* nothing that a client says here is worth a close */
}

static void fake_hold(void *context, void *conn, bool hold)
{
    (void)context;
    (void)conn;
    (void)hold;
}

static uint64_t fake_now(void *context)
{
    static uint64_t now;
    (void)context;
    return now += 1000000;
}

static void add_clips(oban_world *world, const oban_alloc *alloc)
{
    static const oban_key keys[2] = {{{0, 0, 0, 1}, {0, 0, 0}, 0}, {{0, 1, 0, 0}, {5, 6, 7}, 9}};
    static const char *const names[4] = {"a", "b", "loop", "door"};
    static const uint32_t flags[4] = {0, 4, 1, 16};
    for (int i = 0; i < 4; i++) {
        oban_clip_def def = {.name = oban_text_of(names[i]),
                             .flags = flags[i],
                             .start = oban_mat34_identity(),
                             .base = oban_mat34_identity(),
                             .frame_count = 10,
                             .keys = keys,
                             .key_count = 2};
        oban_clip *clip = NULL;
        MUST(oban_clip_create(alloc, &def, &clip, NULL) == OBAN_OK);
        MUST(oban_world_clip_add(world, clip) == OBAN_OK);
    }
}

static void settle(oban_sim *sim)
{
    for (int i = 0; i < 50 && oban_sim_wants(sim) == OBAN_SIM_AT_ONCE; i++) {
        oban_sim_run(sim);
    }
}

static bool steps(const uint8_t *data, size_t size)
{
    return memmem(data, size, "ste", 3) != NULL; /* a long step may outlast this run */
}

static void play(oban_sim *sim, wire *w, oban_client *client, const uint8_t *data, size_t size)
{
    bool exact = !steps(data, size);
    while (size > 0) {
        const uint8_t *cut = memchr(data, 0x1e, size);
        size_t bytes = cut != NULL ? (size_t)(cut - data) : size;
        uint64_t before = oban_world_hash(oban_sim_world(sim));
        wire was = *w;
        char *copy = malloc(bytes + 1); /* its own block: reading over the end is seen */
        MUST(copy != NULL);
        memcpy(copy, data, bytes);
        oban_hub_message(client, copy, bytes);
        free(copy);
        settle(sim);
        if (exact) {
            MUST(w->answers == was.answers + 1);
            MUST(w->errors == was.errors || oban_world_hash(oban_sim_world(sim)) == before);
        }
        data += bytes + (cut != NULL);
        size -= bytes + (cut != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wire w = {0, 0};
    oban_transport transport = {&w, fake_send, fake_choked, fake_want, fake_close, fake_hold};
    oban_sim_def def = {.alloc = fuzz_alloc(),
                        .manual_clock = true,
                        .limits = oban_limits_standard(),
                        .transport = &transport,
                        .session = "fuzz",
                        .now_ns = fake_now};
    def.limits.objects_max = 200;
    oban_sim *sim = NULL;
    MUST(oban_sim_create(&def, &sim) == OBAN_OK);
    add_clips(oban_sim_world(sim), &def.alloc);
    oban_sim_start(sim);
    oban_client *client = oban_hub_open(oban_sim_hub(sim), &w, false);
    MUST(client != NULL);
    play(sim, &w, client, data, size);
    oban_hub_closed(client);
    oban_sim_destroy(sim);
    return 0;
}
