/* SPDX-License-Identifier: MIT */
/* hello, snapshot, snapshot_end, and the state as one object.
 * Next: snapshot.h, entry.c. */
#include "proto/wire/snapshot.h"

#include "proto/wire/entry.h"

#define SNAPSHOT_RATE_HZ 60u

static void snapshot_op(oban_writer *writer, const char *op)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "op");
    oban_writer_string(writer, op);
}

static void snapshot_word(oban_writer *writer, const char *key, const char *word)
{
    oban_writer_key(writer, key);
    oban_writer_string(writer, word);
}

static void snapshot_number(oban_writer *writer, const char *key, uint64_t number)
{
    oban_writer_key(writer, key);
    oban_writer_u64(writer, number);
}

static void hello_lists(oban_writer *writer, const oban_wire_hello *hello)
{
    oban_writer_key(writer, "limits");
    oban_writer_object_begin(writer);
    for (uint32_t i = 0; i < hello->limit_count; i++) {
        snapshot_number(writer, hello->limits[i].name, hello->limits[i].value);
    }
    oban_writer_object_end(writer);
    oban_writer_key(writer, "capabilities");
    oban_writer_array_begin(writer);
    for (const char *const *word = hello->capabilities; *word != NULL; word++) {
        oban_writer_string(writer, *word);
    }
    oban_writer_array_end(writer);
    oban_writer_key(writer, "counts");
    oban_writer_object_begin(writer);
    snapshot_number(writer, "objects", hello->objects);
    snapshot_number(writer, "clips", hello->clips);
    snapshot_number(writer, "clients", hello->clients);
    oban_writer_object_end(writer);
}

void oban_wire_hello_write(oban_writer *writer, const oban_wire_hello *hello)
{
    snapshot_op(writer, "hello");
    snapshot_word(writer, "server", "oband");
    snapshot_word(writer, "version", OBAN_VERSION);
    snapshot_word(writer, "protocol", "oban.v1");
    snapshot_word(writer, "session", hello->session);
    snapshot_number(writer, "tick", hello->tick);
    snapshot_number(writer, "seq", hello->seq);
    snapshot_number(writer, "rate_hz", SNAPSHOT_RATE_HZ);
    oban_writer_key(writer, "paused");
    oban_writer_bool(writer, hello->paused);
    snapshot_number(writer, "speed", 1);
    snapshot_number(writer, "seed", hello->seed);
    snapshot_word(writer, "matrix", "3x4-columns");
    snapshot_word(writer, "up", "y");
    snapshot_word(writer, "handedness", "right");
    hello_lists(writer, hello);
    oban_writer_object_end(writer);
}

static void snapshot_object(oban_writer *writer, const oban_world *world, uint32_t index, bool now)
{
    const oban_object *object = oban_world_live_at(world, index);
    oban_mat34 m = now ? oban_world_object_matrix(world, object) : object->m;
    if (!object->broken && (!now || oban_mat34_finite(&m))) {
        oban_wire_object(writer, object, &m);
    }
}

void oban_wire_objects(oban_writer *writer, const oban_world *world, bool now)
{
    oban_writer_key(writer, "objects");
    oban_writer_array_begin(writer);
    uint32_t end = 0;
    for (uint32_t i = oban_world_live_of(world, OBAN_KIND_OBJECT, &end); i < end; i++) {
        snapshot_object(writer, world, i, now);
    }
    oban_writer_array_end(writer);
}

/* Whole lists: the doors and characters. */
static void snapshot_list(oban_writer *writer, const oban_world *world, oban_kind kind,
                          const char *key)
{
    uint32_t end = 0;
    oban_writer_key(writer, key);
    oban_writer_array_begin(writer);
    for (uint32_t i = oban_world_live_of(world, kind, &end); i < end; i++) {
        snapshot_object(writer, world, i, false);
    }
    oban_writer_array_end(writer);
}

static void snapshot_end_list(oban_writer *writer, const char *key)
{
    oban_writer_key(writer, key);
    oban_writer_array_begin(writer);
    oban_writer_array_end(writer);
}

/* What comes behind the objects. Sectors are not in this version; their list is there, empty. */
static void snapshot_rest(oban_writer *writer, const oban_world *world)
{
    uint32_t count = 0;
    uint64_t touched = 0;
    const int32_t *refs = oban_world_hidden_refs(world, &count, &touched);
    const oban_camera *camera = oban_world_camera(world);
    snapshot_end_list(writer, "sectors");
    oban_writer_key(writer, "camera");
    oban_wire_camera(writer, camera, &camera->m);
    oban_writer_key(writer, "hidden_refs");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < count; i++) {
        oban_writer_i64(writer, refs[i]);
    }
    oban_writer_array_end(writer);
}

bool oban_wire_snapshot_piece(oban_writer *writer, const oban_world *world, uint32_t *next)
{
    static const struct {
        oban_kind kind;
        const char *key;
    } lists[] = {{OBAN_KIND_OBJECT, "objects"},
                 {OBAN_KIND_DOOR, "doors"},
                 {OBAN_KIND_CHARACTER, "characters"}};
    /* `next` counts through the lists as they stand here, the living of one behind those of the one
     * in front. */
    bool first = *next == 0;
    uint32_t count = oban_world_live_count(world);
    uint32_t most =
        count - *next > OBAN_SNAPSHOT_PIECE_OBJECTS ? *next + OBAN_SNAPSHOT_PIECE_OBJECTS : count;
    size_t start = writer->bytes;
    uint32_t passed = 0;
    snapshot_op(writer, "snapshot");
    snapshot_number(writer, "tick", oban_world_tick(world));
    for (unsigned list = 0; list < sizeof lists / sizeof lists[0]; list++) {
        uint32_t end = 0;
        uint32_t begin = oban_world_live_of(world, lists[list].kind, &end);
        oban_writer_key(writer, lists[list].key);
        oban_writer_array_begin(writer);
        while (*next >= passed && *next < passed + (end - begin) && *next < most &&
               writer->bytes - start < OBAN_SNAPSHOT_PIECE_BYTES && !writer->failed) {
            snapshot_object(writer, world, begin + (*next)++ - passed, false);
        }
        oban_writer_array_end(writer);
        passed += end - begin;
    }
    if (first) {
        snapshot_rest(writer, world);
    }
    oban_writer_object_end(writer);
    return *next < count && !writer->failed;
}

void oban_wire_snapshot_end(oban_writer *writer, uint64_t tick, uint64_t seq)
{
    snapshot_op(writer, "snapshot_end");
    snapshot_number(writer, "tick", tick);
    snapshot_number(writer, "seq", seq);
    oban_writer_object_end(writer);
}

void oban_wire_state(oban_writer *writer, const oban_world *world, const char *session,
                     uint64_t seq, bool paused)
{
    oban_writer_object_begin(writer);
    snapshot_word(writer, "session", session);
    snapshot_number(writer, "tick", oban_world_tick(world));
    snapshot_number(writer, "seq", seq);
    oban_writer_key(writer, "paused");
    oban_writer_bool(writer, paused);
    oban_wire_objects(writer, world, false);
    snapshot_list(writer, world, OBAN_KIND_DOOR, "doors");
    snapshot_list(writer, world, OBAN_KIND_CHARACTER, "characters");
    snapshot_rest(writer, world);
    oban_writer_object_end(writer);
}
