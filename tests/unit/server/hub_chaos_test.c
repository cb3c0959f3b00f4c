/* SPDX-License-Identifier: MIT */
/* Everything at once, at random: clients that come, vanish, die, choke, send good and bad requests,
 * steps and pauses, with narrow limits and memory that fails now and then. What must hold: no
 * crash, no leak, each message that gets out is whole, each answer in its client's order, seq
 * without a gap. Next: fake.h. */
#include "fake.h"

#define CHAOS_CLIENTS 12

typedef struct chaos_client {
    fake_conn conn;
    bool here;
    uint32_t asked;
    int64_t answered;
    int64_t seq;
} chaos_client;

static const char *const chaos_words[] = {
    "\"ping\"",
    "\"ping\"",
    "\"step\",\"ticks\":3",
    "\"step\",\"ticks\":1000000",
    "\"pause\"",
    "\"resume\"",
    "\"object_list\"",
    "\"info\"",
    "\"obj_create\",\"object\":1,\"to\":300",
    "\"obj_kill\",\"object\":100,\"to\":200",
    "\"env_setanim\",\"object\":7,\"anim\":\"move4\"",
    "\"env_setanim\",\"object\":9,\"anim\":\"loop8\"",
    "\"env_setanim\",\"object\":1.5,\"anim\":\"loop8\"",
    "\"nonsense\"",
    "\"bsl\",\"text\":\"cm_anim both loop8\\nenv_show 3 0\"",
    "\"anim_path\",\"anim\":\"move70\"",
};

static void chaos_open(fake_rig *rig, chaos_client *client)
{
    memset(client, 0, sizeof *client);
    client->conn.room = rand() % 2 == 0 ? FAKE_NO_LIMIT : (size_t)(rand() % 20000);
    client->seq = -1;
    client->conn.client = oban_hub_open(rig->hub, &client->conn, rand() % 10 == 0);
    client->here = client->conn.client != NULL;
    if (!client->here) {
        fake_conn_fini(&client->conn);
    }
}

static void chaos_answer(chaos_client *client, const oban_json *message)
{
    int64_t re = fake_number(message, "re");
    assert_int_equal(re, client->answered + 1);
    assert_true(re <= client->asked);
    client->answered = re;
}

static void chaos_check(chaos_client *client)
{
    for (const oban_json *m = fake_next(&client->conn); m != NULL; m = fake_next(&client->conn)) {
        const char *op = fake_string(m, "op");
        if (strcmp(op, "reply") == 0 || strcmp(op, "error") == 0) {
            chaos_answer(client, m);
        } else if (strcmp(op, "snapshot_end") == 0) {
            client->seq = fake_number(m, "seq");
        } else if (strcmp(op, "event") == 0) {
            assert_int_equal(fake_number(m, "seq"), client->seq + 1);
            client->seq++;
        }
    }
}

static void chaos_say(chaos_client *client)
{
    char text[160];
    for (int n = rand() % 6; n >= 0; n--) {
        snprintf(text, sizeof text, "{\"op\":%s,\"id\":%u}", chaos_words[(unsigned)rand() % 16],
                 ++client->asked);
        fake_say(&client->conn, text);
    }
}

static void chaos_turn(fake_rig *rig, chaos_client *client)
{
    if (!client->here) {
        chaos_open(rig, client);
        return;
    }
    switch (rand() % 16) {
    case 0:
        client->conn.dead = true;
        break;
    case 1:
        chaos_check(client);
        fake_leave(&client->conn);
        client->here = false;
        return;
    case 2:
        client->conn.room = 0;
        break;
    case 3:
    case 4:
    case 5:
        if (client->conn.client != NULL) {
            fake_read(&client->conn, rand() % 4 == 0 ? FAKE_NO_LIMIT : (size_t)(rand() % 50000));
        }
        break;
    default:
        chaos_say(client);
        break;
    }
    chaos_check(client);
    if (client->conn.close_code != 0) {
        fake_leave(&client->conn);
        client->here = false;
    }
}

static void chaos_run(bool manual, unsigned seed, bool failing)
{
    static chaos_client clients[CHAOS_CLIENTS];
    fake_rig rig;
    srand(seed);
    memset(clients, 0, sizeof clients);
    fake_rig_def(&rig);
    rig.def.manual_clock = manual;
    rig.def.limits.events_bytes_max = 65536;
    rig.def.limits.clients_max = CHAOS_CLIENTS - 2;
    fake_rig_start(&rig);
    rig.tick_cost_ns = 20000;
    for (int turn = 0; turn < 6000; turn++) {
        if (failing && rand() % 20 == 0) {
            rig.memory.fail_at = rig.memory.calls + 1 + (uint64_t)(rand() % 20);
        }
        chaos_turn(&rig, &clients[rand() % CHAOS_CLIENTS]);
        if (rand() % 3 == 0) {
            rig.now_ns += (uint64_t)(rand() % 30) * FAKE_MS;
            oban_sim_run(rig.sim);
        }
    }
    rig.memory.fail_at = 0;
    (void)oban_hub_flush(rig.hub);
    oban_hub_close_all(rig.hub, 1001, "going away");
    for (int i = 0; i < CHAOS_CLIENTS; i++) {
        fake_conn_fini(&clients[i].conn);
    }
    fake_rig_fini(&rig);
}

static void test_chaos_running(void **state)
{
    (void)state;
    chaos_run(false, 11, false);
    chaos_run(false, 12, true);
}

static void test_chaos_held(void **state)
{
    (void)state;
    chaos_run(true, 13, false);
    chaos_run(true, 14, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chaos_running),
        cmocka_unit_test(test_chaos_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
