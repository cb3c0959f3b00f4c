/* SPDX-License-Identifier: MIT */
/* Plays the vectors of tests/conformance/wild: tick by tick, and again by jumps. What is refused
 * must have changed nothing. How a vector is written stands in tests/conformance/README.md. */
#include "tests/unit/wild/rig.h"

#include "proto/json/json.h"

#include <dirent.h>

#define FOLDER "tests/conformance/wild"
#define MOST 16

typedef struct player {
    wild_rig rig;
    const char *file;
    int step; /* of the script */
    bool jumps;
} player;

#define DEMAND(p, condition)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail_msg("%s, step %d (%s): not so: %s; %s", (p)->file, (p)->step,                     \
                     (p)->jumps ? "jumps" : "ticks", #condition, (p)->rig.result.message.data);    \
        }                                                                                          \
    } while (0)

/* ---- reading --------------------------------------------------------------------------------- */

static oban_text text_of(const oban_json *value)
{
    return oban_text_of(oban_json_string(value));
}

static oban_text text_member(const oban_json *object, const char *key)
{
    return text_of(oban_json_member(object, key));
}

static bool is_there(const oban_json *object, const char *key)
{
    return oban_json_member(object, key) != NULL;
}

static int64_t whole_member(const oban_json *object, const char *key, int64_t otherwise)
{
    return is_there(object, key) ? (int64_t)oban_json_number(oban_json_member(object, key))
                                 : otherwise;
}

static size_t numbers(const oban_json *array, double *out, size_t most)
{
    size_t count = 0;
    for (const oban_json *v = oban_json_first(array); v != NULL; v = oban_json_next(v)) {
        assert_true(count < most);
        out[count++] = oban_json_number(v);
    }
    return count;
}

static uint32_t texts(const oban_json *array, oban_text *out)
{
    uint32_t count = 0;
    for (const oban_json *v = oban_json_first(array); v != NULL; v = oban_json_next(v)) {
        assert_true(count < MOST);
        out[count++] = text_of(v);
    }
    return count;
}

/* ---- the ops --------------------------------------------------------------------------------- */

static oban_status play_alien(player *p, const oban_json *op)
{
    oban_wild_sector_def sectors[MOST];
    uint32_t count = 0;
    memset(sectors, 0, sizeof sectors);
    for (const oban_json *v = oban_json_first(oban_json_member(op, "sectors")); v != NULL;
         v = oban_json_next(v)) {
        DEMAND(p, count < MOST);
        sectors[count].name = text_member(v, "name");
        sectors[count].parent = text_member(v, "parent");
        DEMAND(p, numbers(oban_json_member(v, "origin"), sectors[count].origin, 3) == 3);
        count += 1;
    }
    return wild_alien(&p->rig, oban_json_string(oban_json_member(op, "alien")), sectors, count);
}

static uint32_t read_commands(player *p, const oban_json *array, oban_wild_command_def *out)
{
    uint32_t count = 0;
    for (const oban_json *v = oban_json_first(array); v != NULL; v = oban_json_next(v)) {
        oban_wild_command_def *command = &out[count++];
        DEMAND(p, count <= MOST);
        memset(command, 0, sizeof *command);
        bool set = oban_text_equal(text_member(v, "op"), oban_text_of("set"));
        command->op = set ? OBAN_WILD_SET : OBAN_WILD_ADD;
        DEMAND(p, oban_wild_target_find(text_member(v, "target"), &command->target));
        command->has_raw = is_there(v, "raw");
        command->raw = whole_member(v, "raw", 0);
        command->has_value = is_there(v, "value");
        command->value = oban_json_number(oban_json_member(v, "value"));
    }
    return count;
}

static void read_move(const oban_json *v, oban_wild_move_def *move)
{
    const oban_json *sector = oban_json_member(v, "sector");
    const oban_json *duration = oban_json_member(v, "duration");
    memset(move, 0, sizeof *move);
    if (oban_json_type_of(sector) == OBAN_JSON_STRING) {
        move->role = text_of(sector);
    } else {
        move->id = (uint32_t)oban_json_number(sector);
    }
    move->start = (uint32_t)whole_member(v, "start", 0);
    move->duration = oban_json_type_of(duration) == OBAN_JSON_STRING
                         ? OBAN_WILD_FOREVER
                         : (uint32_t)oban_json_number(duration);
}

static oban_status play_define(player *p, const oban_json *op)
{
    oban_text roles[MOST];
    oban_wild_move_def moves[MOST];
    oban_wild_command_def commands[MOST][MOST];
    oban_wild_action_def def = {
        .action = text_member(op, "action"), .roles = roles, .moves = moves};
    def.role_count = texts(oban_json_member(op, "sectors"), roles);
    for (const oban_json *v = oban_json_first(oban_json_member(op, "moves")); v != NULL;
         v = oban_json_next(v)) {
        DEMAND(p, def.move_count < MOST);
        oban_wild_move_def *move = &moves[def.move_count];
        read_move(v, move);
        move->commands = commands[def.move_count];
        move->command_count =
            read_commands(p, oban_json_member(v, "commands"), commands[def.move_count]);
        def.move_count += 1;
    }
    def.remove = oban_text_equal(text_member(op, "on_stop"), oban_text_of("remove"));
    return oban_wild_define(p->rig.wild, &def, &p->rig.result);
}

static oban_status play_do(player *p, const oban_json *op)
{
    oban_text sectors[MOST];
    oban_wild_do_def def = {.alien = text_member(op, "alien"),
                            .action = text_member(op, "action"),
                            .sectors = sectors,
                            .start = (uint64_t)whole_member(op, "start", 0),
                            .replace = oban_json_bool(oban_json_member(op, "replace"))};
    def.sector_count = texts(oban_json_member(op, "sectors"), sectors);
    (void)oban_wild_do(p->rig.wild, &def, &p->rig.result);
    if (is_there(op, "ends")) {
        DEMAND(p, p->rig.result.ends == (uint64_t)whole_member(op, "ends", 0));
    }
    return p->rig.result.status;
}

static oban_status play_abort(player *p, const oban_json *op)
{
    return oban_wild_abort(p->rig.wild, (uint64_t)whole_member(op, "doing", 0), &p->rig.result);
}

static oban_status play_remove(player *p, const oban_json *op)
{
    const oban_wild_remove_def def = {.alien = text_member(op, "alien"),
                                      .sector = text_member(op, "sector"),
                                      .action = text_member(op, "action")};
    return oban_wild_remove(p->rig.wild, &def, &p->rig.result);
}

/* ---- what is seen ---------------------------------------------------------------------------- */

/* The last tick is its own step, so that its events are those that are there. */
static void play_at(player *p, const oban_json *op)
{
    uint64_t to = wild_world_tick((uint64_t)whole_member(op, "wild", 0));
    uint64_t tick = oban_wild_tick(p->rig.wild);
    bool ticks = !p->jumps && to - tick < 100000;
    for (; ticks && tick + 1 < to; tick++) {
        wild_step(&p->rig, tick + 1);
    }
    if (tick + 1 < to) {
        wild_step(&p->rig, to - 1);
    }
    wild_step(&p->rig, to);
}

static void demand_numbers(player *p, const oban_json *expected, double tolerance, const float *got)
{
    double values[12];
    size_t count = numbers(expected, values, 12);
    DEMAND(p, count == 3 || count == 12);
    for (size_t i = 0; i < count; i++) {
        double apart = (double)got[i] - (double)(float)values[i];
        apart = apart < 0 ? -apart : apart;
        if (!(apart <= tolerance)) {
            fail_msg("%s, step %d: number %zu is %.12f, not %.12f", p->file, p->step, i,
                     (double)got[i], values[i]);
        }
    }
}

static void play_expect(player *p, const oban_json *op)
{
    double tolerance = oban_json_number(oban_json_member(op, "tolerance"));
    oban_wild_evaluate(p->rig.wild, oban_wild_tick(p->rig.wild) + 1);
    const oban_wild_view view =
        wild_view(&p->rig, "a", oban_json_string(oban_json_member(op, "sector")));
    DEMAND(p, is_there(op, "o") || is_there(op, "abs_o") || is_there(op, "m"));
    if (is_there(op, "o")) {
        demand_numbers(p, oban_json_member(op, "o"), tolerance, view.rel.m + 9);
    }
    if (is_there(op, "abs_o")) {
        demand_numbers(p, oban_json_member(op, "abs_o"), tolerance, view.m.m + 9);
    }
    if (is_there(op, "m")) {
        demand_numbers(p, oban_json_member(op, "m"), tolerance, view.m.m);
    }
}

static void play_stops(player *p, const oban_json *op)
{
    uint32_t count;
    const oban_wild_event *event = oban_wild_events(p->rig.wild, &count);
    const oban_wild_event *end = event + count;
    for (const oban_json *v = oban_json_first(oban_json_member(op, "list")); v != NULL;
         v = oban_json_next(v), event++) {
        if (oban_json_bool(oban_json_member(v, "overflow"))) {
            DEMAND(p, event < end && event->type == OBAN_WILD_EVENT_OVERFLOW);
            event += 1;
        }
        DEMAND(p, event < end && event->type == OBAN_WILD_EVENT_STOP);
        DEMAND(p, event->doing == (uint64_t)whole_member(v, "doing", 0));
        DEMAND(p, event->wild_tick == (uint64_t)whole_member(v, "wild", 0));
        DEMAND(p, oban_text_equal(text_member(v, "reason"),
                                  oban_text_of(oban_wild_stop_reason_word(event->reason))));
    }
    DEMAND(p, event == end);
}

/* ---- playing --------------------------------------------------------------------------------- */

static const struct {
    const char *op;
    oban_status (*command)(player *p, const oban_json *op);
    void (*look)(player *p, const oban_json *op);
} ops[] = {{"wild_alien", play_alien, NULL},   {"wild_define", play_define, NULL},
           {"wild_do", play_do, NULL},         {"wild_abort", play_abort, NULL},
           {"wild_remove", play_remove, NULL}, {"at", NULL, play_at},
           {"expect", NULL, play_expect},      {"stops", NULL, play_stops}};

static void play_command(player *p, const oban_json *op,
                         oban_status (*command)(player *p, const oban_json *op))
{
    uint64_t before = wild_hash(p->rig.wild);
    const char *code = is_there(op, "code") ? oban_json_string(oban_json_member(op, "code")) : "ok";
    oban_status status = command(p, op);
    if (strcmp(oban_status_word(status), code) != 0) {
        fail_msg("%s, step %d: %s, not %s: %s", p->file, p->step, oban_status_word(status), code,
                 p->rig.result.message.data);
    }
    if (status != OBAN_OK) {
        DEMAND(p, before == wild_hash(p->rig.wild));
        DEMAND(p, p->rig.result.message.bytes > 0 && p->rig.result.field != NULL);
    }
    DEMAND(p, p->rig.result.warning_count == (uint32_t)whole_member(op, "warnings", 0));
}

static void play_one(player *p, const oban_json *op)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (!oban_text_equal(text_member(op, "op"), oban_text_of(ops[i].op))) {
            continue;
        }
        if (ops[i].command != NULL) {
            play_command(p, op, ops[i].command);
        } else {
            ops[i].look(p, op);
        }
        return;
    }
    fail_msg("%s, step %d: no such op", p->file, p->step);
}

static void play_file(const char *name, bool jumps)
{
    static char text[65536];
    char path[512];
    oban_json *root;
    oban_json_fault fault;
    player p = {.file = name, .jumps = jumps};
    (void)snprintf(path, sizeof path, "%s/%s", FOLDER, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    if (oban_json_parse(text, bytes, &root, &fault) != OBAN_OK) {
        fail_msg("%s:%u:%u: %s", path, fault.line, fault.column, fault.message.data);
    }
    assert_true(text_member(root, "about").bytes > 0 && text_member(root, "source").bytes > 0);
    wild_open(&p.rig);
    for (const oban_json *op = oban_json_first(oban_json_member(root, "script")); op != NULL;
         op = oban_json_next(op)) {
        p.step += 1;
        play_one(&p, op);
    }
    assert_true(p.step > 2);
    wild_close(&p.rig);
    oban_json_free(root);
}

static int play_all(bool jumps)
{
    int played = 0;
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder); /* the tests run in the tree's root */
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strstr(entry->d_name, ".json") != NULL) {
            play_file(entry->d_name, jumps);
            played += 1;
        }
    }
    (void)closedir(folder);
    return played;
}

static void each_vector_tick_by_tick(void **state)
{
    (void)state;
    assert_true(play_all(false) >= 17);
}

static void each_vector_by_jumps(void **state)
{
    (void)state;
    assert_true(play_all(true) >= 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_vector_tick_by_tick),
        cmocka_unit_test(each_vector_by_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
