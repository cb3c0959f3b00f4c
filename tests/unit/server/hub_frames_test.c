/* SPDX-License-Identifier: MIT */
/* Frames alone hold the scene: clients that keep nothing but snapshots and frames, and are choked
 * at random while random commands come, end with the state of /state to the letter; and the
 * arithmetic of `skipped`. Next: fake.h, hub_memory_test.c. */
#include "fake.h"

#define MODEL_OBJECTS 64
#define MODEL_FIELDS 15
#define MODEL_VALUE 400

/* ---- a client that keeps only frames ---- */

static const char *const model_keys[MODEL_FIELDS] = {
    "part", "life", "h",     "name",    "kind",       "anim",     "frame", "frames",
    "step", "run",  "state", "visible", "stop_frame", "geometry", "m"};

typedef struct model_object {
    bool here;
    char values[MODEL_FIELDS][MODEL_VALUE];
} model_object;

typedef struct model {
    model_object objects[MODEL_OBJECTS];
    char camera[MODEL_VALUE * 2];
    char refs[MODEL_VALUE];
    int64_t tick;
    int64_t skipped;
    int64_t frames;
} model;

/* Any value of ours as text; floats at full precision. */
static int model_print(const oban_json *value, char *out, size_t room)
{
    switch (oban_json_type_of(value)) {
    case OBAN_JSON_NULL:
        return snprintf(out, room, "null");
    case OBAN_JSON_BOOL:
        return snprintf(out, room, "%d", oban_json_bool(value));
    case OBAN_JSON_NUMBER:
        return snprintf(out, room, "%.9g", oban_json_number(value));
    case OBAN_JSON_STRING:
        return snprintf(out, room, "'%s'", oban_json_string(value));
    default:
        break;
    }
    int at = snprintf(out, room, "[");
    for (const oban_json *item = oban_json_first(value); item != NULL;
         item = oban_json_next(item)) {
        at += snprintf(out + at, room - (size_t)at,
                       "%s:", oban_json_key(item) != NULL ? oban_json_key(item) : "");
        at += model_print(item, out + at, room - (size_t)at);
        at += snprintf(out + at, room - (size_t)at, " ");
    }
    return at;
}

static void model_value(model_object *object, const char *key, const oban_json *value)
{
    for (int i = 0; i < MODEL_FIELDS; i++) {
        if (strcmp(key, model_keys[i]) == 0) {
            assert_true(model_print(value, object->values[i], MODEL_VALUE) < MODEL_VALUE);
            return;
        }
    }
    fail_msg("no such field of E: %s", key);
}

static void model_entry(model *m, const oban_json *entry)
{
    int64_t number = fake_number(entry, "object");
    assert_true(number >= 0 && number < MODEL_OBJECTS);
    model_object *object = &m->objects[number];
    bool full = oban_json_member(entry, "h") != NULL;
    if (full) {
        memset(object, 0, sizeof *object);
        object->here = true;
    }
    assert_true(object->here); /* nothing but a full entry can be the first */
    if (!full) {
        char life[16];
        const oban_json *told = oban_json_member(entry, "life");
        snprintf(life, sizeof life, "%d", told != NULL ? (int)oban_json_number(told) : 1);
        assert_string_equal(object->values[1], life);
    }
    for (const oban_json *f = oban_json_first(entry); f != NULL; f = oban_json_next(f)) {
        if (strcmp(oban_json_key(f), "object") != 0) {
            model_value(object, oban_json_key(f), f);
        }
    }
}

static void model_gone(model *m, const oban_json *gone)
{
    char life[16];
    const oban_json *told = oban_json_member(gone, "life");
    model_object *object = &m->objects[fake_number(gone, "object")];
    snprintf(life, sizeof life, "%d", told != NULL ? (int)oban_json_number(told) : 1);
    assert_true(object->here);
    assert_string_equal(object->values[1], life);
    memset(object, 0, sizeof *object);
}

static void model_lists(model *m, const oban_json *message)
{
    const oban_json *gone = oban_json_member(message, "gone");
    for (const oban_json *g = gone != NULL ? oban_json_first(gone) : NULL; g != NULL;
         g = oban_json_next(g)) {
        model_gone(m, g);
    }
    const oban_json *objects = oban_json_member(message, "objects");
    for (const oban_json *e = objects != NULL ? oban_json_first(objects) : NULL; e != NULL;
         e = oban_json_next(e)) {
        model_entry(m, e);
    }
    const oban_json *camera = oban_json_member(message, "camera");
    if (camera != NULL) {
        model_print(camera, m->camera, sizeof m->camera);
    }
    const oban_json *refs = oban_json_member(message, "hidden_refs");
    if (refs != NULL) {
        model_print(refs, m->refs, sizeof m->refs);
    }
}

/* Takes in what has come; events and replies are passed over. */
static void model_read(model *m, fake_conn *conn)
{
    for (const oban_json *message = fake_next(conn); message != NULL; message = fake_next(conn)) {
        const char *op = fake_string(message, "op");
        if (strcmp(op, "frame") == 0) {
            assert_true(fake_number(message, "tick") >= m->tick);
            m->tick = fake_number(message, "tick");
            m->frames++;
            int64_t skipped = fake_number(message, "skipped");
            assert_true(skipped != 0);
            m->skipped += skipped > 0 ? skipped : 0;
            model_lists(m, message);
        } else if (strcmp(op, "snapshot") == 0) {
            model_lists(m, message);
        }
    }
}

static void model_of_state(fake_rig *rig, model *m)
{
    oban_writer writer;
    oban_json *root = NULL;
    oban_json_fault fault;
    memset(m, 0, sizeof *m);
    oban_writer_init(&writer, &rig->def.alloc);
    oban_sim_state_json(rig->sim, &writer);
    assert_int_equal(oban_json_parse(writer.data, writer.bytes, &root, &fault), OBAN_OK);
    model_lists(m, root);
    oban_json_free(root);
    oban_writer_fini(&writer);
}

static void model_compare(const model *seen, const model *state)
{
    for (int i = 0; i < MODEL_OBJECTS; i++) {
        assert_int_equal(seen->objects[i].here, state->objects[i].here);
        for (int f = 0; f < MODEL_FIELDS; f++) {
            assert_string_equal(seen->objects[i].values[f], state->objects[i].values[f]);
        }
    }
    assert_string_equal(seen->camera, state->camera);
    assert_string_equal(seen->refs, state->refs);
}

/* ---- random commands ---- */

static void random_command(char *text, size_t room)
{
    static const char *const clips[] = {"move4", "move70", "loop8", "back6"};
    int a = rand() % MODEL_OBJECTS;
    int b = a + rand() % 4 < MODEL_OBJECTS ? a + rand() % 4 : a;
    const char *clip = clips[rand() % 4];
    switch (rand() % 14) {
    case 0:
    case 1:
        snprintf(text, room, "obj_create %d %d", a, b < MODEL_OBJECTS ? b : a);
        break;
    case 2:
        snprintf(text, room, "obj_kill %d %d", a, b);
        break;
    case 3:
        snprintf(text, room, "obj_kill %d\nobj_create %d\nenv_setanim %d %s", a, a, a, clip);
        break;
    case 4:
        snprintf(text, room, "%s %d", rand() % 2 ? "obj_hide" : "obj_show", a);
        break;
    case 5:
        snprintf(text, room, "{\"op\":\"env_stop\",\"object\":%d}", a);
        break;
    case 6:
        snprintf(text, room, "{\"op\":\"env_%s\",\"object\":%d}", rand() % 2 ? "pause" : "resume",
                 a);
        break;
    case 7:
        snprintf(text, room, "cm_anim both %s", clip);
        break;
    case 8:
        snprintf(text, room, "cm_interpolate %s %d", clip, rand() % 9);
        break;
    case 9:
        snprintf(text, room, "env_show %d %d", rand() % 5, rand() % 2);
        break;
    case 10:
        snprintf(text, room,
                 "{\"op\":\"obj_define\",\"object\":%d,\"name\":\"n%d\",\"geometry\":\"g\","
                 "\"anim\":\"%s\"}",
                 a, rand() % 100, clip);
        break;
    case 11:
        snprintf(text, room,
                 "{\"op\":\"obj_place\",\"object\":%d,\"matrix\":[1,0,0,0,1,0,0,0,1,%d,0,0.1]}", a,
                 rand() % 50);
        break;
    default:
        snprintf(text, room, "env_setanim %d %s", a, clip);
        break;
    }
}

#define RANDOM_CLIENTS 4

/* One client reads all, the others a random part, one comes back anew now and then. */
static void random_run(bool manual, unsigned seed)
{
    fake_rig rig;
    fake_conn boss;
    fake_conn conns[RANDOM_CLIENTS];
    model *models = calloc(RANDOM_CLIENTS + 1, sizeof *models);
    model *state = &models[RANDOM_CLIENTS];
    char text[200];
    assert_non_null(models);
    srand(seed);
    fake_rig_def(&rig);
    rig.def.manual_clock = manual;
    rig.def.limits.commands_per_s_max = 1000000;
    fake_rig_start(&rig);
    fake_attach(&rig, &boss);
    for (int i = 0; i < RANDOM_CLIENTS; i++) {
        fake_open(&rig, &conns[i], i == 0 ? FAKE_NO_LIMIT : 5000);
    }
    for (int round = 0; round < 1500; round++) {
        int i = 1 + rand() % (RANDOM_CLIENTS - 1);
        for (int n = rand() % 4; n > 0; n--) {
            random_command(text, sizeof text);
            fake_say(&boss, text);
        }
        if (manual) {
            fake_step(&rig, &boss, 1);
        } else {
            rig.now_ns += (uint64_t)(rand() % 4) * 16666667u;
            oban_sim_run(rig.sim);
        }
        fake_read(&conns[i], (size_t)(rand() % 6000));
        if (rand() % 200 == 0) {
            fake_leave(&conns[i]);
            memset(&models[i], 0, sizeof models[i]);
            fake_open(&rig, &conns[i], 3000);
        }
        while (strcmp(fake_line(&boss), "nothing") != 0) {
        }
        if (round % 50 == 0) {
            model_of_state(&rig, state);
            model_read(&models[0], &conns[0]);
            model_compare(&models[0], state);
            fake_read(&conns[i], FAKE_NO_LIMIT);
            model_read(&models[i], &conns[i]);
            model_compare(&models[i], state);
            conns[i].room = 2000;
        }
    }
    assert_int_equal(manual ? models[0].skipped : 0, 0);
    for (int i = 0; i < RANDOM_CLIENTS; i++) {
        model_read(&models[i], &conns[i]);
        fake_leave(&conns[i]);
    }
    fake_leave(&boss);
    fake_rig_fini(&rig);
    free(models);
}

static void test_random_held(void **state)
{
    (void)state;
    random_run(true, 1);
    random_run(true, 2);
}

static void test_random_running(void **state)
{
    (void)state;
    random_run(false, 3);
    random_run(false, 4);
}

/* ---- skipped ---- */

/* frames + skipped is the same for all clients, however they read: the ticks with something to
 * tell. */
static void test_skipped_adds_up(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn boss;
    fake_conn slow;
    model *models = calloc(2, sizeof *models);
    assert_non_null(models);
    srand(5);
    fake_rig_init(&rig, true);
    fake_attach(&rig, &boss);
    fake_open(&rig, &slow, FAKE_NO_LIMIT);
    fake_say(&boss, "obj_create 1 20");
    for (int i = 1; i <= 20; i++) {
        char text[40];
        snprintf(text, sizeof text, "env_setanim %d loop8", i);
        fake_say(&boss, text);
    }
    model_read(&models[0], &boss);
    fake_read(&slow, FAKE_NO_LIMIT);
    model_read(&models[1], &slow);
    models[0].frames = 0;
    models[1].frames = 0;
    slow.room = 3000;
    for (int i = 0; i < 400; i++) {
        fake_step(&rig, &boss, 1);
        fake_read(&slow, (size_t)(rand() % 1800));
    }
    fake_read(&slow, FAKE_NO_LIMIT);
    model_read(&models[0], &boss);
    model_read(&models[1], &slow);
    assert_int_equal(models[0].frames, 400);
    assert_int_equal(models[0].skipped, 0);
    assert_true(models[1].skipped > 20);
    assert_int_equal(models[1].frames + models[1].skipped, 400);
    fake_leave(&boss);
    fake_leave(&slow);
    fake_rig_fini(&rig);
    free(models);
}

/* Several passes of one tick count as one, and not at all for who has had a frame of that tick. */
static void test_skipped_while_held(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn boss;
    fake_conn frame;    /* choked by a frame of tick 0 */
    fake_conn snapshot; /* choked by a reply: the snapshot was its frame of tick 0 */
    fake_rig_init(&rig, true);
    fake_attach(&rig, &boss);
    fake_attach(&rig, &frame);
    fake_attach(&rig, &snapshot);
    frame.room = 0;
    snapshot.room = 0;
    fake_say(&snapshot, "{\"op\":\"ping\",\"id\":1}");
    fake_say(&boss, "obj_create 1");
    fake_say(&boss, "env_setanim 1 loop8");
    fake_say(&boss, "obj_hide 1");
    fake_step(&rig, &boss, 1);
    fake_read(&frame, FAKE_NO_LIMIT);
    fake_read(&snapshot, FAKE_NO_LIMIT);
    fake_expect(&frame, "frame 0", "event 0 created", "frame 1", "event 0 start", "event 0 hidden");
    fake_expect(&snapshot, "reply 1", "frame 1", "event 0 created", "event 0 start",
                "event 0 hidden");
    fake_leave(&boss);
    fake_leave(&frame);
    fake_leave(&snapshot);
    fake_rig_fini(&rig);
}

/* A tick that was not sent counts once, however many passes it had. */
static void test_skipped_counts_ticks_not_passes(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn boss;
    fake_conn slow;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &boss);
    fake_attach(&rig, &slow);
    slow.room = 0;
    fake_say(&slow, "{\"op\":\"ping\",\"id\":1}");
    fake_step(&rig, &boss, 1);
    fake_say(&boss, "obj_create 1");
    fake_say(&boss, "obj_hide 1");
    fake_say(&boss, "env_setanim 1 loop8");
    fake_step(&rig, &boss, 1);
    fake_read(&slow, FAKE_NO_LIMIT);
    fake_expect(&slow, "reply 1", "frame 2 skipped 1", "event 1 created", "event 1 hidden",
                "event 1 start");
    fake_leave(&boss);
    fake_leave(&slow);
    fake_rig_fini(&rig);
}

/* Two clients in step get the same bytes, whenever they came. */
static void test_equal_clients_share_bytes(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn boss;
    fake_conn a;
    fake_conn b;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &boss);
    fake_attach(&rig, &a);
    fake_say(&boss, "obj_create 1 9");
    fake_step(&rig, &boss, 30); /* nothing to tell: no frames */
    fake_attach(&rig, &b);
    fake_say(&boss, "env_setanim 1 loop8");
    while (strcmp(fake_line(&a), "nothing") != 0 || strcmp(fake_line(&b), "nothing") != 0) {
    }
    size_t from_a = a.in.at;
    size_t from_b = b.in.at;
    fake_step(&rig, &boss, 100);
    assert_int_equal(fake_bytes_left(&a.in), fake_bytes_left(&b.in));
    assert_memory_equal(a.in.data + from_a, b.in.data + from_b, fake_bytes_left(&a.in));
    fake_leave(&boss);
    fake_leave(&a);
    fake_leave(&b);
    fake_rig_fini(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_held),
        cmocka_unit_test(test_random_running),
        cmocka_unit_test(test_skipped_adds_up),
        cmocka_unit_test(test_skipped_while_held),
        cmocka_unit_test(test_skipped_counts_ticks_not_passes),
        cmocka_unit_test(test_equal_clients_share_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
