/* SPDX-License-Identifier: MIT */
/* Requests over a fake wire: limits, every refusal (which changes nothing), BSL texts, queries.
 * Next: fake.h, hub_lag_test.c. */
#include "fake.h"

/* ---- limits ---- */

static void test_rate_limit(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    char text[64];
    fake_rig_def(&rig);
    rig.def.limits.commands_per_s_max = 10;
    fake_rig_start(&rig);
    fake_attach(&rig, &conn);
    for (int i = 1; i <= 11; i++) {
        snprintf(text, sizeof text, "{\"op\":\"ping\",\"id\":%d}", i);
        fake_say(&conn, text);
    }
    for (int i = 1; i <= 10; i++) {
        snprintf(text, sizeof text, "reply %d", i);
        assert_string_equal(fake_line(&conn), text);
    }
    fake_expect(&conn, "error 11 rate_limited -");
    rig.now_ns += 100 * FAKE_MS; /* one token */
    fake_say(&conn, "{\"op\":\"ping\",\"id\":12}");
    fake_say(&conn, "{\"op\":\"ping\",\"id\":13}");
    fake_expect(&conn, "reply 12", "error 13 rate_limited -");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_clients_max(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn a;
    fake_conn b;
    fake_conn c = {.room = FAKE_NO_LIMIT};
    fake_rig_def(&rig);
    rig.def.limits.clients_max = 2;
    fake_rig_start(&rig);
    fake_attach(&rig, &a);
    fake_attach(&rig, &b);
    assert_null(oban_hub_open(rig.hub, &c, false));
    fake_leave(&a);
    fake_attach(&rig, &c);
    assert_int_equal(oban_hub_client_count(rig.hub), 2);
    fake_leave(&b);
    fake_leave(&c);
    fake_rig_fini(&rig);
}

static void test_waiting_bytes_hold_reading(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    size_t bytes = 600000;
    char *text = malloc(bytes + 1);
    assert_non_null(text);
    memset(text, ' ', bytes);
    memcpy(text + bytes - 12, "obj_create 1", 12);
    text[bytes] = '\0';
    fake_rig_init(&rig, false);
    fake_attach(&rig, &conn);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(conn.held, i > 6);
        fake_say(&conn, text);
    }
    assert_true(conn.held);
    fake_ticks(&rig, 1);
    assert_false(conn.held);
    free(text);
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* ---- refusals ---- */

typedef struct refusal_case {
    const char *text;
    const char *line;
} refusal_case;

static const refusal_case refusals[] = {
    {"{\"op\":\"env_anim\",", "error null bad_json -"},
    {"[]", "error null bad_json -"},
    {"[{\"op\":\"ping\"}]", "error null bad_json -"},
    {"{}", "error null bad_field op"},
    {"{\"op\":7,\"id\":1}", "error 1 bad_field op"},
    {"{\"op\":\"ping\"} x", "error null bad_json -"},
    {"{\"op\":\"ping\",\"op\":\"info\"}", "error null bad_field op"},
    {"{\"op\":\"ping\",\"OP\":\"info\"}", "error null bad_field OP"},
    {"{\"OP\":\"ping\",\"id\":1}", "error 1 bad_field OP"},
    {"{\"op\":\"pings\",\"id\":1}", "error 1 unknown_op op"},
    {"{\"op\":\"subscribe\",\"id\":1}", "error 1 unknown_op op"},
    {"{\"op\":\"batch\",\"id\":1,\"do\":[]}", "error 1 unknown_op op"},
    {"{\"op\":\"ping\",\"id\":1,\"extra\":1}", "error 1 bad_field extra"},
    {"{\"op\":\"ping\",\"id\":1,\"ID\":1}", "error null bad_field ID"},
    {"{\"op\":\"ping\",\"id\":1.5}", "error null bad_field id"},
    {"{\"op\":\"ping\",\"id\":9007199254740993}", "error null bad_field id"},
    {"{\"op\":\"ping\",\"id\":9007199254740992}", "error null bad_field id"},
    {"{\"op\":\"ping\",\"id\":null}", "error null bad_field id"},
    {"{\"op\":\"ping\",\"id\":{\"a\":[1]}}", "error null bad_field id"},
    {"{\"op\":\"obj_create\",\"id\":1}", "error 1 bad_field object"},
    {"{\"op\":\"obj_create\",\"id\":1,\"object\":-1}", "error 1 bad_field object"},
    {"{\"op\":\"obj_create\",\"id\":1,\"object\":3000000000}", "error 1 bad_field object"},
    {"{\"op\":\"obj_create\",\"id\":1,\"object\":1.9}", "error 1 bad_field object"},
    {"{\"op\":\"obj_create\",\"id\":1,\"object\":1e999}", "error null bad_json object"},
    {"{\"op\":\"obj_create\",\"id\":1,\"object\":01}", "error null bad_json object"},
    {"{\"op\":\"obj_create\",\"id\":1,\"object\":NaN}", "error null bad_json object"},
    {"{\"op\":\"obj_create\",\"id\":1,\"object\":\"5\"}", "error 1 bad_field object"},
    {"{\"op\":\"env_setanim\",\"id\":1,\"object\":1}", "error 1 bad_field anim"},
    {"{\"op\":\"env_setanim\",\"id\":1,\"object\":1,\"anim\":\"move4\"}",
     "error 1 no_object object"},
    {"{\"op\":\"cm_anim\",\"id\":1,\"mode\":\"both\",\"anim\":\"mvoe4\"}", "error 1 no_anim anim"},
    {"{\"op\":\"step\",\"id\":1,\"ticks\":0}", "error 1 bad_field ticks"},
    {"{\"op\":\"step\",\"id\":1,\"ticks\":1000001}", "error 1 bad_field ticks"},
    {"{\"op\":\"resume\",\"id\":1}", "error 1 not_supported -"},
    {"{\"op\":\"object_get\",\"id\":1,\"object\":1}", "error 1 no_object object"},
    {"{\"op\":\"anim_get\",\"id\":1,\"anim\":\"none\"}", "error 1 no_anim anim"},
    {"{\"op\":\"anim_path\",\"id\":1,\"anim\":\"move4\",\"every\":0}", "error 1 bad_field every"},
    {"{\"op\":\"bsl\",\"id\":1}", "error 1 bad_field text"},
    {"{\"op\":\"bsl\",\"id\":1,\"text\":5}", "error 1 bad_field text"},
    {"{\"op\":\"bsl\",\"id\":1,\"text\":\"\",\"txt\":5}", "error 1 bad_field txt"},
    {"{\"op\":\"help\",\"id\":1,\"name\":\"pign\"}", "error 1 unknown_op name"},
    {"env_amin 1 3", "error null unknown_op -"},
    {"env_anim 1 (", "error null bad_script -"},
    {"\"ping\"", "error null bad_script -"},
    {"obj_create x", "error null bad_field object"},
    {"cm_anim both nothing", "error null no_anim anim"},
};

static void test_refusals_change_nothing(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    uint64_t hash = oban_world_hash(oban_sim_world(rig.sim));
    for (unsigned i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        fake_say(&conn, refusals[i].text);
        const char *line = fake_line(&conn);
        if (strcmp(line, refusals[i].line) != 0) {
            fail_msg("%s\n gives %s\n not   %s", refusals[i].text, line, refusals[i].line);
        }
        fake_expect_nothing(&conn);
        assert_int_equal(oban_world_hash(oban_sim_world(rig.sim)), hash);
    }
    fake_say(&conn, "{\"op\":\"ping\",\"id\":1,\"x-mine\":[{}]}");
    fake_expect(&conn, "reply 1");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_long_ids_and_depth(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    char text[200];
    char id[66];
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    for (int count = 64; count <= 65; count++) {
        memset(id, 'i', sizeof id);
        id[count] = '\0';
        snprintf(text, sizeof text, "{\"op\":\"ping\",\"id\":\"%s\"}", id);
        fake_say(&conn, text);
    }
    assert_int_equal(strncmp(fake_line(&conn), "reply 'iiii", 11), 0);
    fake_expect(&conn, "error null bad_field id");
    for (int depth = 16; depth <= 17; depth++) {
        int at = snprintf(text, sizeof text, "{\"op\":\"ping\",\"x-a\":");
        for (int i = 1; i < depth; i++) {
            text[at++] = '[';
        }
        for (int i = 1; i < depth; i++) {
            text[at++] = ']';
        }
        snprintf(text + at, sizeof text - (size_t)at, "}");
        fake_say(&conn, text);
    }
    fake_expect(&conn, "reply null", "error null bad_json x-a");
    char *deep = malloc(1048577);
    assert_non_null(deep);
    memset(deep, '[', 1048576);
    deep[1048576] = '\0';
    fake_say(&conn, deep);
    free(deep);
    fake_expect(&conn, "error null bad_json -");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* ---- BSL ---- */

static void test_bsl_texts(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    fake_say(&conn, "obj_create 1 2\nenv_setanim 9 move4\nenv_setanim 1 move4");
    const oban_json *message = fake_next(&conn);
    const oban_json *result = oban_json_member(message, "result");
    assert_int_equal(fake_number(result, "task"), 1);
    assert_string_equal(fake_string(result, "state"), "done");
    assert_int_equal(oban_json_count(oban_json_member(result, "results")), 3);
    assert_int_equal(oban_json_type_of(fake_item(result, "results", 1)), OBAN_JSON_NULL);
    assert_non_null(oban_json_member(fake_item(result, "results", 2), "started"));
    assert_int_equal(strncmp(oban_json_string(fake_item(message, "warnings", 0)), "text:2:1: ", 10),
                     0);
    fake_expect(&conn, "frame 0", "event 0 created", "event 0 created", "event 0 start");
    fake_say(&conn, "  # nothing");
    result = oban_json_member(fake_next(&conn), "result");
    assert_int_equal(fake_number(result, "task"), 2);
    assert_int_equal(oban_json_count(oban_json_member(result, "results")), 0);
    fake_say(&conn, "{\"op\":\"bsl\",\"id\":3,\"text\":\"obj_kill 1\\nobj_kill 2 (\"}");
    const oban_json *error = fake_next(&conn);
    assert_string_equal(fake_string(error, "code"), "bad_script");
    assert_int_equal(fake_number(error, "line"), 2);
    assert_non_null(oban_json_member(error, "caret"));
    fake_expect_nothing(&conn);
    assert_int_equal(oban_world_live_count(oban_sim_world(rig.sim)), 2);
    fake_say(&conn, "");
    assert_string_equal(fake_string(fake_next(&conn), "op"), "reply");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_script_bytes_max(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    char text[1026];
    fake_rig_def(&rig);
    rig.def.limits.script_bytes_max = 1024;
    fake_rig_start(&rig);
    fake_attach(&rig, &conn);
    memset(text, ' ', sizeof text);
    memcpy(text, "cm_reset", 8);
    text[1024] = '\0';
    fake_say(&conn, text);
    assert_string_equal(fake_line(&conn), "reply null");
    while (strcmp(fake_line(&conn), "nothing") != 0) {
    }
    text[1024] = ' ';
    text[1025] = '\0';
    fake_say(&conn, text);
    fake_expect(&conn, "error null limit text");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

/* ---- queries ---- */

static void test_queries(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    fake_rig_init(&rig, true);
    fake_attach(&rig, &conn);
    fake_say(&conn, "{\"op\":\"info\"}");
    const oban_json *result = oban_json_member(fake_next(&conn), "result");
    assert_int_equal(strlen(fake_string(result, "hash")), 16);
    assert_int_equal(fake_number(result, "clips"), 4);
    assert_int_equal(fake_number(result, "clients"), 1);
    fake_say(&conn, "{\"op\":\"anim_list\",\"match\":\"MOVE*\"}");
    result = oban_json_member(fake_next(&conn), "result");
    assert_int_equal(oban_json_count(oban_json_member(result, "anims")), 2);
    assert_string_equal(fake_string(fake_item(result, "anims", 0), "name"), "move4");
    fake_say(&conn, "{\"op\":\"anim_get\",\"anim\":\"MOVE4\"}");
    const oban_json *message = fake_next(&conn);
    assert_non_null(oban_json_member(message, "warnings"));
    const oban_json *anim = oban_json_member(oban_json_member(message, "result"), "anim");
    assert_int_equal(oban_json_count(oban_json_member(anim, "keys")), 2);
    assert_int_equal(oban_json_count(oban_json_member(fake_item(anim, "keys", 1), "q")), 4);
    fake_say(&conn, "{\"op\":\"anim_path\",\"anim\":\"move70\",\"every\":10}");
    result = oban_json_member(fake_next(&conn), "result");
    assert_int_equal(oban_json_count(oban_json_member(result, "path")), 7);
    assert_int_equal(fake_number(fake_item(result, "path", 6), "frame"), 60);
    fake_say(&conn, "{\"op\":\"help\"}");
    result = oban_json_member(fake_next(&conn), "result");
    assert_true(oban_json_count(oban_json_member(result, "ops")) > 25);
    fake_say(&conn, "{\"op\":\"help\",\"name\":\"step\"}");
    result = oban_json_member(fake_next(&conn), "result");
    assert_string_equal(fake_string(fake_item(fake_item(result, "ops", 0), "args", 0), "name"),
                        "ticks");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

static void test_info_in_a_pass(void **state)
{
    (void)state;
    fake_rig rig;
    fake_conn conn;
    char hash[17];
    fake_rig_init(&rig, false);
    fake_attach(&rig, &conn);
    fake_say(&conn, "{\"op\":\"obj_create\",\"id\":1,\"object\":1}");
    fake_say(&conn, "{\"op\":\"env_setanim\",\"id\":2,\"object\":1,\"anim\":\"move4\"}");
    fake_say(&conn, "{\"op\":\"info\",\"id\":3}");
    fake_ticks(&rig, 1);
    assert_string_equal(fake_line(&conn), "reply 1");
    assert_string_equal(fake_line(&conn), "reply 2");
    const oban_json *result = oban_json_member(fake_next(&conn), "result");
    snprintf(hash, sizeof hash, "%s", fake_string(result, "hash"));
    char now[17];
    snprintf(now, sizeof now, "%016llx",
             (unsigned long long)oban_world_hash(oban_sim_world(rig.sim)));
    assert_string_equal(hash, now);
    fake_expect(&conn, "frame 1", "event 1 created", "event 1 start");
    fake_leave(&conn);
    fake_rig_fini(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_limit),
        cmocka_unit_test(test_clients_max),
        cmocka_unit_test(test_waiting_bytes_hold_reading),
        cmocka_unit_test(test_refusals_change_nothing),
        cmocka_unit_test(test_long_ids_and_depth),
        cmocka_unit_test(test_bsl_texts),
        cmocka_unit_test(test_script_bytes_max),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_info_in_a_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
