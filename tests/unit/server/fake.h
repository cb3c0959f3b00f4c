/* SPDX-License-Identifier: MIT */
/* A wire for tests of the hub and the sim: connections that take as many bytes as they are told to,
 * a clock that stands until it is moved, an allocator that can fail or trap, and transcripts: each
 * message that came out, as one short line.
 * Next: hub_test.c. */
#ifndef OBAN_TESTS_FAKE_H
#define OBAN_TESTS_FAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/anim/clip.h"
#include "core/world/world.h"
#include "proto/json/json.h"
#include "proto/json/writer.h"
#include "proto/wire/ws_frame.h"
#include "server/hub.h"
#include "server/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE_UNUSED __attribute__((unused)) static
#define FAKE_NO_LIMIT SIZE_MAX
#define FAKE_MS 1000000u

/* ---- memory ---- */

typedef struct fake_memory {
    size_t live_bytes;
    uint64_t calls;
    uint64_t fail_at; /* the call that fails; 0: none */
    bool trap;        /* no call is allowed */
} fake_memory;

FAKE_UNUSED void *fake_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    fake_memory *memory = context;
    assert_false(memory->trap && bytes > 0);
    if (bytes > 0 && ++memory->calls == memory->fail_at) {
        return NULL;
    }
    assert_true(memory->live_bytes >= old_bytes);
    memory->live_bytes += bytes;
    memory->live_bytes -= old != NULL ? old_bytes : 0;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    void *block = realloc(old, bytes);
    assert_non_null(block);
    return block;
}

/* ---- connections ---- */

typedef struct fake_bytes {
    char *data;
    size_t bytes;
    size_t at; /* read up to */
} fake_bytes;

typedef struct fake_conn {
    oban_client *client;
    fake_bytes in;   /* what the peer has read */
    fake_bytes back; /* what the wire keeps back */
    size_t room;     /* bytes that the socket still takes */
    bool wanted;
    bool dead; /* sends fail */
    bool held;
    uint32_t sends;
    uint16_t close_code;
    char close_reason[128];
    oban_json *root; /* of the message that was read last */
    char line[256];
} fake_conn;

FAKE_UNUSED void fake_bytes_add(fake_bytes *bytes, const void *data, size_t count)
{
    bytes->data = realloc(bytes->data, bytes->bytes + count + 1);
    assert_non_null(bytes->data);
    memcpy(bytes->data + bytes->bytes, data, count);
    bytes->bytes += count;
}

FAKE_UNUSED size_t fake_bytes_left(const fake_bytes *bytes)
{
    return bytes->bytes - bytes->at;
}

/* The socket takes what it has room for. */
static void fake_pump(fake_conn *conn)
{
    size_t take = fake_bytes_left(&conn->back);
    take = take < conn->room ? take : conn->room;
    if (take > 0) {
        fake_bytes_add(&conn->in, conn->back.data + conn->back.at, take);
        conn->back.at += take;
        conn->room -= conn->room == FAKE_NO_LIMIT ? 0 : take;
    }
}

static bool fake_choked(void *context, void *handle)
{
    const fake_conn *conn = handle;
    (void)context;
    return fake_bytes_left(&conn->back) > 0;
}

static bool fake_send(void *context, void *handle, const void *bytes, size_t count)
{
    fake_conn *conn = handle;
    assert_int_equal(conn->close_code, 0);
    assert_false(fake_choked(context, conn));
    assert_true(count > 0);
    if (conn->dead) {
        return false;
    }
    conn->sends++;
    fake_bytes_add(&conn->back, bytes, count);
    fake_pump(conn);
    return true;
}

static void fake_want_writable(void *context, void *handle)
{
    fake_conn *conn = handle;
    (void)context;
    assert_int_equal(conn->close_code, 0);
    conn->wanted = true;
}

static void fake_close(void *context, void *handle, uint16_t code, const char *reason)
{
    fake_conn *conn = handle;
    (void)context;
    assert_int_equal(conn->close_code, 0);
    conn->close_code = code;
    conn->client = NULL;
    snprintf(conn->close_reason, sizeof conn->close_reason, "%s", reason);
}

static void fake_hold_reading(void *context, void *handle, bool hold)
{
    fake_conn *conn = handle;
    (void)context;
    assert_int_equal(conn->close_code, 0);
    conn->held = hold;
}

static const oban_transport fake_transport = {.send = fake_send,
                                              .choked = fake_choked,
                                              .want_writable = fake_want_writable,
                                              .close = fake_close,
                                              .hold_reading = fake_hold_reading};

/* The peer reads so many bytes more; the wire tells the hub when it is through. */
FAKE_UNUSED void fake_read(fake_conn *conn, size_t bytes)
{
    conn->room = bytes == FAKE_NO_LIMIT ? bytes : conn->room + bytes;
    fake_pump(conn);
    while (conn->wanted && conn->close_code == 0 && !fake_choked(NULL, conn)) {
        conn->wanted = false;
        oban_hub_writable(conn->client);
    }
}

FAKE_UNUSED void fake_conn_fini(fake_conn *conn)
{
    free(conn->in.data);
    free(conn->back.data);
    oban_json_free(conn->root);
    memset(conn, 0, sizeof *conn);
}

/* ---- messages read back ---- */

/* The next whole message, or NULL. Its text stands at *text; valid until the next. */
FAKE_UNUSED const oban_json *fake_next_text(fake_conn *conn, const char **text, size_t *bytes)
{
    size_t left = fake_bytes_left(&conn->in);
    const char *frame = conn->in.data + conn->in.at;
    if (left < 2 || (left < 10 && (unsigned char)frame[1] > 125)) {
        return NULL;
    }
    size_t whole = oban_ws_frame_bytes(frame);
    if (whole > left) {
        return NULL;
    }
    size_t head = (unsigned char)frame[1] == 127 ? 10 : (unsigned char)frame[1] == 126 ? 4 : 2;
    oban_json_fault fault;
    assert_int_equal((unsigned char)frame[0], 0x81);
    oban_json_free(conn->root);
    *text = frame + head;
    *bytes = whole - head;
    memset(&fault, 0, sizeof fault);
    if (oban_json_parse(*text, *bytes, &conn->root, &fault) != OBAN_OK) {
        fail_msg("%s in: %.*s", fault.message.data, (int)*bytes, *text);
    }
    conn->in.at += whole;
    return conn->root;
}

FAKE_UNUSED const oban_json *fake_next(fake_conn *conn)
{
    const char *text = NULL;
    size_t bytes = 0;
    return fake_next_text(conn, &text, &bytes);
}

FAKE_UNUSED const char *fake_string(const oban_json *object, const char *key)
{
    const oban_json *member = oban_json_member(object, key);
    return member != NULL && oban_json_type_of(member) == OBAN_JSON_STRING
               ? oban_json_string(member)
               : "-";
}

FAKE_UNUSED int64_t fake_number(const oban_json *object, const char *key)
{
    const oban_json *member = oban_json_member(object, key);
    return member != NULL ? (int64_t)oban_json_number(member) : -1;
}

FAKE_UNUSED const oban_json *fake_item(const oban_json *object, const char *key, uint32_t index)
{
    const oban_json *list = oban_json_member(object, key);
    const oban_json *item = list != NULL ? oban_json_first(list) : NULL;
    while (item != NULL && index-- > 0) {
        item = oban_json_next(item);
    }
    return item;
}

FAKE_UNUSED void fake_id(const oban_json *message, char *out, size_t bytes)
{
    const oban_json *re = oban_json_member(message, "re");
    assert_non_null(re);
    if (oban_json_type_of(re) == OBAN_JSON_NUMBER) {
        snprintf(out, bytes, "%lld", (long long)oban_json_number(re));
    } else if (oban_json_type_of(re) == OBAN_JSON_STRING) {
        snprintf(out, bytes, "'%s'", oban_json_string(re));
    } else {
        snprintf(out, bytes, "null");
    }
}

/* One message as a line: "frame 3", "event 2 stop", "reply 7", "error 7 bad_field object". */
FAKE_UNUSED const char *fake_line(fake_conn *conn)
{
    const oban_json *message = fake_next(conn);
    char id[80];
    if (message == NULL) {
        return "nothing";
    }
    const char *op = fake_string(message, "op");
    long long tick = (long long)fake_number(message, "tick");
    size_t room = sizeof conn->line;
    if (strcmp(op, "frame") == 0 && fake_number(message, "skipped") > 0) {
        snprintf(conn->line, room, "frame %lld skipped %lld", tick,
                 (long long)fake_number(message, "skipped"));
    } else if (strcmp(op, "event") == 0) {
        snprintf(conn->line, room, "event %lld %s", tick, fake_string(message, "type"));
    } else if (strcmp(op, "reply") == 0) {
        fake_id(message, id, sizeof id);
        snprintf(conn->line, room, "reply %s", id);
    } else if (strcmp(op, "error") == 0) {
        fake_id(message, id, sizeof id);
        snprintf(conn->line, room, "error %s %s %s", id, fake_string(message, "code"),
                 fake_string(message, "field"));
    } else {
        snprintf(conn->line, room, "%s %lld", op, tick);
    }
    return conn->line;
}

FAKE_UNUSED void fake_expect_lines(fake_conn *conn, const char *const *lines)
{
    for (; *lines != NULL; lines++) {
        assert_string_equal(fake_line(conn), *lines);
    }
    assert_string_equal(fake_line(conn), "nothing");
}

#define fake_expect(conn, ...) fake_expect_lines((conn), (const char *const[]){__VA_ARGS__, NULL})
#define fake_expect_nothing(conn) assert_string_equal(fake_line(conn), "nothing")

/* ---- the rig ---- */

typedef struct fake_rig {
    fake_memory memory;
    uint64_t now_ns;
    uint64_t tick_cost_ns; /* the clock moves by this at each reading */
    oban_sim *sim;
    oban_hub *hub;
    oban_sim_def def;
} fake_rig;

static uint64_t fake_now(void *context)
{
    fake_rig *rig = context;
    rig->now_ns += rig->tick_cost_ns;
    return rig->now_ns;
}

/* A clip that moves along x by one a frame. */
FAKE_UNUSED void fake_clip(fake_rig *rig, const char *name, uint32_t flags, int32_t frames)
{
    oban_key keys[2] = {{.rotation = {0, 0, 0, 1}},
                        {.rotation = {0, 0, 0, 1}, .frame = frames - 1}};
    oban_clip_def def = {.name = oban_text_of(name),
                         .flags = flags,
                         .start = oban_mat34_identity(),
                         .base = oban_mat34_identity(),
                         .frame_length = 80,
                         .frame_count = frames,
                         .keys = keys,
                         .key_count = frames > 1 ? 2 : 1};
    oban_clip *clip = NULL;
    keys[1].position[0] = (float)(frames - 1);
    assert_int_equal(oban_clip_create(&rig->def.alloc, &def, &clip, NULL), OBAN_OK);
    assert_int_equal(oban_world_clip_add(oban_sim_world(rig->sim), clip), OBAN_OK);
}

FAKE_UNUSED void fake_rig_def(fake_rig *rig)
{
    memset(rig, 0, sizeof *rig);
    rig->now_ns = 1000000000u;
    rig->def = (oban_sim_def){.alloc = {fake_resize, &rig->memory},
                              .seed = 1,
                              .manual_clock = true,
                              .limits = oban_limits_standard(),
                              .transport = &fake_transport,
                              .session = "0123456789abcdef",
                              .now_ns = fake_now,
                              .context = rig};
}

/* Clips: move4, move70 (once), loop8, auto4 (autostart). Time starts. */
FAKE_UNUSED void fake_rig_start(fake_rig *rig)
{
    assert_int_equal(oban_sim_create(&rig->def, &rig->sim), OBAN_OK);
    rig->hub = oban_sim_hub(rig->sim);
    fake_clip(rig, "move4", 0, 4);
    fake_clip(rig, "move70", 0, 70);
    fake_clip(rig, "loop8", OBAN_CLIP_LOOP, 8);
    fake_clip(rig, "back6", OBAN_CLIP_PING_PONG, 6);
    oban_sim_start(rig->sim);
}

/* manual: --manual-clock, else time runs. */
FAKE_UNUSED void fake_rig_init(fake_rig *rig, bool manual)
{
    fake_rig_def(rig);
    rig->def.manual_clock = manual;
    fake_rig_start(rig);
}

FAKE_UNUSED void fake_rig_fini(fake_rig *rig)
{
    oban_sim_destroy(rig->sim);
    assert_int_equal(rig->memory.live_bytes, 0);
}

/* A client that reads all, or nothing. */
FAKE_UNUSED void fake_open(fake_rig *rig, fake_conn *conn, size_t room)
{
    memset(conn, 0, sizeof *conn);
    conn->room = room;
    conn->client = oban_hub_open(rig->hub, conn, false);
    assert_non_null(conn->client);
}

/* As fake_open, and reads hello and the snapshot. */
FAKE_UNUSED void fake_attach(fake_rig *rig, fake_conn *conn)
{
    fake_open(rig, conn, FAKE_NO_LIMIT);
    while (strncmp(fake_line(conn), "snapshot_end", 12) != 0) {
        assert_string_not_equal(conn->line, "nothing");
    }
}

FAKE_UNUSED void fake_leave(fake_conn *conn)
{
    if (conn->client != NULL) {
        oban_hub_closed(conn->client);
    }
    fake_conn_fini(conn);
}

FAKE_UNUSED void fake_say(fake_conn *conn, const char *text)
{
    if (conn->client != NULL) {
        oban_hub_message(conn->client, text, strlen(text));
    }
}

/* So many sixtieths of a second pass, each served in time. */
FAKE_UNUSED void fake_ticks(fake_rig *rig, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        rig->now_ns += 16666667;
        oban_sim_run(rig->sim);
    }
}

/* Runs a step to its end, or until it waits for somebody. */
FAKE_UNUSED void fake_run(fake_rig *rig)
{
    while (oban_sim_wants(rig->sim) == OBAN_SIM_AT_ONCE) {
        oban_sim_run(rig->sim);
    }
}

/* Steps under a manual clock, however long it takes. */
FAKE_UNUSED void fake_step(fake_rig *rig, fake_conn *conn, uint32_t ticks)
{
    char text[64];
    snprintf(text, sizeof text, "{\"op\":\"step\",\"id\":\"s\",\"ticks\":%u}", ticks);
    fake_say(conn, text);
    while (oban_sim_wants(rig->sim) != OBAN_SIM_HELD) {
        oban_sim_run(rig->sim);
        rig->now_ns += 1 * FAKE_MS;
    }
}

#endif
