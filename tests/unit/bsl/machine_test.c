/* SPDX-License-Identifier: MIT */
/* The machine alone, before a host that writes down what it is asked and told: texts, calls, waits
 * answered from outside, limits, files replaced while they run, memory, the hash.
 * Next: scripts_test.c (the language), stage_test.c. */
#include "core/bsl/machine.h"
#include "tests/unit/world/rig.h"

typedef struct host {
    rig_memory memory;
    oban_machine *machine;
    bool busy;    /* of camera, characters and objects alike */
    bool refuses; /* each command of the world */
    bool silent;  /* writes nothing down */
    uint64_t tick;
    uint64_t told; /* whatever it was */
    char log[6000];
    oban_text_outcome outcome;
} host;

__attribute__((format(printf, 2, 3))) static void note(host *h, const char *format, ...)
{
    va_list args;
    size_t at = strlen(h->log);
    if (h->silent || at > sizeof h->log - 400) {
        return;
    }
    va_start(args, format);
    (void)vsnprintf(h->log + at, sizeof h->log - at, format, args);
    va_end(args);
}

static oban_status host_apply(void *context, const oban_at *at, const oban_command *command,
                              oban_result *result)
{
    host *h = context;
    memset(result, 0, sizeof *result);
    note(h, "%s#%llu ", oban_command_row_of(command->op)->name, (unsigned long long)at->task);
    if (h->refuses) {
        result->status = OBAN_NO_OBJECT;
        result->field = "object";
        oban_line_add(&result->message, "refused");
    }
    return result->status;
}

static bool host_camera_busy(void *context)
{
    return ((host *)context)->busy;
}

static bool host_character_busy(void *context, oban_text who)
{
    host *h = context;
    assert_true(who.bytes > 0);
    return h->busy;
}

static bool host_objects_busy(void *context, int32_t first, int32_t last)
{
    host *h = context;
    assert_true(first <= last);
    return h->busy;
}

static void host_tell(void *context, const oban_tell *tell)
{
    host *h = context;
    h->told++;
    if (tell->type == OBAN_TELL_SCRIPT) {
        note(h, "%.*s", (int)tell->command.bytes, tell->command.data);
        for (uint32_t i = 0; i < tell->word_count; i++) {
            note(h, "_%.*s", (int)tell->words[i].bytes, tell->words[i].data);
        }
        note(h, " ");
    } else if (tell->type == OBAN_TELL_WARNING) {
        note(h, "[%s] ", tell->message);
    } else {
        note(h, "%s#%llu%s%s ", oban_task_state_word(tell->state),
             (unsigned long long)tell->at.task, tell->limit != NULL ? ":" : "",
             tell->limit != NULL ? tell->limit : "");
    }
}

static void open_limited(host *h, uint32_t tasks_max, uint32_t statements_max)
{
    memset(h, 0, sizeof *h);
    const oban_machine_def def = {.alloc = rig_alloc(&h->memory),
                                  .host = {h, host_apply, host_camera_busy, host_character_busy,
                                           host_objects_busy, host_tell},
                                  .tasks_max = tasks_max,
                                  .statements_per_tick_max = statements_max,
                                  .script_bytes_max = 16u << 20};
    assert_int_equal(oban_machine_create(&def, &h->machine), OBAN_OK);
}

static void open_host(host *h)
{
    open_limited(h, 4096, 100000);
}

static void close_host(host *h)
{
    oban_machine_destroy(h->machine);
    assert_int_equal(h->memory.bytes, 0);
}

static void load(host *h, const char *name, const char *text)
{
    oban_findings findings;
    oban_findings_init(&findings, (oban_alloc){rig_resize, &h->memory});
    const oban_script_file file = {oban_text_of(name), oban_text_of(text), false};
    if (oban_machine_load(h->machine, &file, 1, &findings) != OBAN_OK) {
        fail_msg("%s", findings.items[0].message.data);
    }
    oban_findings_fini(&findings);
}

static void begin(host *h)
{
    h->log[0] = '\0';
    oban_machine_begin(h->machine, h->tick);
}

static void tick(host *h)
{
    h->tick++;
    begin(h);
    oban_machine_run(h->machine);
}

static uint64_t call(host *h, const char *function)
{
    uint64_t task = 0;
    oban_line message;
    if (oban_machine_call(h->machine, oban_text_of(function), NULL, 0, &task, &message) !=
        OBAN_OK) {
        fail_msg("%s", message.data);
    }
    return task;
}

static oban_status text(host *h, const char *what)
{
    return oban_machine_text(h->machine, oban_text_of("text"), oban_text_of(what), &h->outcome,
                             NULL);
}

static uint64_t hash_of(const host *h)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_machine_hash(h->machine, &hash);
    return oban_hash_end(&hash);
}

/* ---- texts
 * --------------------------------------------------------------------------------------- */

static void test_texts(void **state)
{
    (void)state;
    host h;
    open_host(&h);
    begin(&h);
    assert_int_equal(text(&h, "env_anim 1 2"), OBAN_OK);
    assert_int_equal(h.outcome.task, 1);
    assert_false(h.outcome.waits);
    assert_int_equal(h.outcome.statements, 1);
    assert_string_equal(h.log, "env_anim#1 ");
    begin(&h);
    assert_int_equal(text(&h, "dprint a\nsleep 2; dprint b"), OBAN_OK);
    assert_true(h.outcome.waits);
    assert_string_equal(h.log, "dprint_a waiting#2 ");
    tick(&h);
    assert_string_equal(h.log, "");
    tick(&h);
    assert_string_equal(h.log, "dprint_b ended#2 ");
    assert_int_equal(text(&h, ""), OBAN_OK);
    assert_int_equal(h.outcome.statements, 0);
    close_host(&h);
}

/* What is refused has changed nothing; of several, the faulty ones are warnings. */
static void test_text_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        oban_status status;
        const char *field;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"env_amin 1", OBAN_UNKNOWN_OP, NULL, 1,
         "no command 'env_amin'; the nearest is 'env_anim'"},
        {"env_anim x", OBAN_BAD_FIELD, "object", 10,
         "object: expected a whole number from 0 to 2147483647, found 'x'"},
        {"env_anim 5 1 2", OBAN_NO_OBJECT, "object", 1, "refused"},
        {"env_anim(1 2)", OBAN_BAD_SCRIPT, NULL, 12, "expected ',' or ')', found '2'"},
        {"obj_kill 1\n)", OBAN_BAD_SCRIPT, NULL, 1, "expected a statement, found ')'"},
        {"func f { }", OBAN_BAD_SCRIPT, NULL, 1, "expected a statement, found 'func'"},
        {"env_stop 1", OBAN_UNKNOWN_OP, NULL, 1,
         "'env_stop' is a JSON op only: {\"op\":\"env_stop\",...}"},
    };
    host h;
    open_host(&h);
    h.refuses = true;
    begin(&h);
    uint64_t before = hash_of(&h);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        h.log[0] = '\0';
        assert_int_equal(text(&h, cases[i].text), cases[i].status);
        assert_string_equal(h.outcome.message.data, cases[i].message);
        assert_int_equal(h.outcome.place.column, cases[i].column);
        assert_int_equal(h.outcome.task, 0);
        if (cases[i].field != NULL) {
            assert_string_equal(h.outcome.field, cases[i].field);
        }
        assert_null(strchr(h.log, '['));
        assert_true(hash_of(&h) == before);
    }
    begin(&h);
    assert_int_equal(text(&h, "env_amin 1\nenv_anim 1"), OBAN_OK);
    assert_string_equal(h.log, "[text:1:1: no command 'env_amin'; the nearest is 'env_anim'] "
                               "env_anim#1 [text:2:1: refused] ");
    close_host(&h);
}

/* ---- calls, waits, answers
 * ------------------------------------------------------------------------ */

static void test_calls(void **state)
{
    (void)state;
    host h;
    oban_line message;
    uint64_t task;
    const oban_call_argument two[2] = {{.type = OBAN_VALUE_STRING, .s = oban_text_of("bob")},
                                       {.type = OBAN_VALUE_FLOAT, .f = 2.75f}};
    open_host(&h);
    load(&h, "t", "func f(string who, int n) { dprint(who, n) }\n");
    begin(&h);
    assert_int_equal(oban_machine_call(h.machine, oban_text_of("f"), two, 2, &task, &message),
                     OBAN_OK);
    (void)call(&h, "f");
    oban_machine_run(h.machine);
    assert_string_equal(h.log, "started#1 started#2 dprint_bob_2 ended#1 dprint__0 ended#2 ");
    assert_int_equal(oban_machine_call(h.machine, oban_text_of("ff"), two, 0, &task, &message),
                     OBAN_NO_SCRIPT);
    assert_string_equal(message.data, "no function 'ff'; the nearest is 'f'");
    const oban_call_argument bad = {.type = OBAN_VALUE_STRING, .s = {"\n", 1}};
    assert_int_equal(oban_machine_call(h.machine, oban_text_of("f"), &bad, 1, &task, &message),
                     OBAN_BAD_FIELD);
    close_host(&h);
}

static void test_waits_answered(void **state)
{
    (void)state;
    host h;
    oban_task_view view;
    open_host(&h);
    load(&h, "t",
         "func c { cm_wait; dprint c }\nfunc p { chr_envanim_block Bob x; dprint p }\n"
         "func o { env_anim_block 1 5; dprint o }\nfunc s { sleep 100; dprint s }\n"
         "func d { sound_dialog_play line; sound_dialog_play_block line; dprint d }\n");
    assert_int_equal(oban_machine_duration_set(h.machine, oban_text_of("line"), 500), OBAN_OK);
    h.busy = true;
    begin(&h);
    static const char *const names[] = {"c", "p", "o", "s", "d"};
    uint64_t tasks[5];
    for (int i = 0; i < 5; i++) {
        tasks[i] = call(&h, names[i]);
    }
    oban_machine_run(h.machine);
    tick(&h);
    assert_string_equal(h.log, "");
    assert_int_equal(oban_machine_task_count(h.machine), 5);
    oban_machine_task(h.machine, 1, &view);
    assert_int_equal(view.wait, OBAN_WAIT_CHARACTER);
    assert_true(oban_text_equal(view.who, oban_text_of("Bob")));
    assert_true(view.until == UINT64_MAX);
    oban_machine_task(h.machine, 4, &view);
    assert_int_equal(view.wait, OBAN_WAIT_DIALOG);
    assert_int_equal(view.until, 500);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(oban_machine_resume(h.machine, tasks[i]), OBAN_OK);
        assert_int_equal(oban_machine_resume(h.machine, tasks[i]), OBAN_NOT_SUPPORTED);
    }
    tick(&h);
    assert_string_equal(h.log, "dprint_c ended#1 chr_envanim#2 dprint_p ended#2 env_anim#3 "
                               "dprint_o ended#3 dprint_s ended#4 sound_dialog_play_line dprint_d "
                               "ended#5 ");
    assert_int_equal(oban_machine_resume(h.machine, 1), OBAN_NO_TASK);
    close_host(&h);
}

static void test_stop(void **state)
{
    (void)state;
    host h;
    open_host(&h);
    load(&h, "t", "func s { sleep 5; dprint s }\n");
    begin(&h);
    uint64_t first = call(&h, "s");
    uint64_t second = call(&h, "s");
    oban_machine_run(h.machine);
    h.log[0] = '\0';
    assert_int_equal(oban_machine_stop(h.machine, first), OBAN_OK);
    assert_int_equal(oban_machine_stop(h.machine, first), OBAN_NO_TASK);
    assert_string_equal(h.log, "stopped#1 ");
    for (int i = 0; i < 5; i++) {
        tick(&h);
    }
    assert_string_equal(h.log, "dprint_s ended#2 ");
    assert_int_equal(second, 2);
    close_host(&h);
}

static void test_durations(void **state)
{
    (void)state;
    host h;
    open_host(&h);
    load(&h, "t", "func f { text_console page; dprint read }\n");
    oban_machine_duration_default(h.machine, OBAN_DURATION_ASK);
    begin(&h);
    uint64_t task = call(&h, "f");
    for (int i = 0; i < 100; i++) {
        tick(&h);
    }
    assert_int_equal(oban_machine_resume(h.machine, task), OBAN_OK);
    tick(&h);
    assert_string_equal(h.log, "dprint_read ended#1 ");
    oban_machine_duration_default(h.machine, 3);
    (void)call(&h, "f");
    tick(&h);
    tick(&h);
    tick(&h);
    assert_string_equal(h.log, "");
    tick(&h);
    assert_string_equal(h.log, "dprint_read ended#2 ");
    close_host(&h);
}

/* ---- files replaced
 * ------------------------------------------------------------------------------- */

static void test_hot_reload(void **state)
{
    (void)state;
    host h;
    oban_line value;
    open_host(&h);
    load(&h, "a",
         "var int n = 1\nvar int kind = 5\nfunc main { n = n + 1; sleep 2; dprint old; sub }\n");
    load(&h, "b", "func sub { dprint(sub, n) }\n");
    begin(&h);
    (void)call(&h, "main");
    oban_machine_run(h.machine);
    load(&h, "a",
         "var int n = 100\nvar string kind = x\nvar int fresh = 9\nfunc main { dprint new }\n");
    load(&h, "b", "func sub { dprint(newsub, n, kind, fresh) }\n");
    tick(&h);
    tick(&h);
    assert_string_equal(h.log, "dprint_old dprint_newsub_2_x_9 ended#1 ");
    (void)call(&h, "main");
    tick(&h);
    assert_string_equal(h.log, "dprint_new ended#3 "); /* 2 has given `kind` its value */
    assert_true(oban_machine_variable(h.machine, oban_text_of("n"), &value));
    assert_string_equal(value.data, "2");
    assert_int_equal(oban_machine_unload(h.machine, oban_text_of("b")), OBAN_OK);
    begin(&h);
    assert_int_equal(text(&h, "sub"), OBAN_UNKNOWN_OP);
    oban_machine_reset(h.machine);
    assert_true(oban_machine_variable(h.machine, oban_text_of("n"), &value));
    assert_string_equal(value.data, "100");
    close_host(&h);
}

/* ---- limits
 * --------------------------------------------------------------------------------------- */

static void test_tasks_max(void **state)
{
    (void)state;
    host h;
    uint64_t task;
    oban_line message;
    open_limited(&h, 3, 1000);
    load(&h, "t", "func s { sleep 9 }\nfunc f { sleep 1; fork s; sleep 9 }\n");
    begin(&h);
    (void)call(&h, "f");
    (void)call(&h, "s");
    (void)call(&h, "s");
    assert_int_equal(oban_machine_call(h.machine, oban_text_of("s"), NULL, 0, &task, &message),
                     OBAN_LIMIT);
    assert_string_equal(message.data, "tasks_max is 3: so many tasks run");
    assert_int_equal(text(&h, "sleep 1"), OBAN_LIMIT);
    oban_machine_run(h.machine);
    tick(&h); /* the older one forks: the newest makes room */
    assert_string_equal(h.log, "[t:1:10: tasks_max is 3: the task is stopped] stopped#3:tasks_max "
                               "started#4 waiting#1 waiting#4 ");
    close_host(&h);
}

static void test_statements(void **state)
{
    (void)state;
    host h;
    open_limited(&h, 100, 1000);
    load(
        &h, "t",
        "func wild { iterate over 1000000 using i { } }\nfunc calm { dprint calm; sleep 1; calm }\n"
        "func some { iterate over 300 using i { } dprint some }\n");
    begin(&h);
    (void)call(&h, "calm");
    (void)call(&h, "wild");
    (void)call(&h, "calm");
    h.silent = true;
    oban_machine_run(h.machine);
    h.silent = false;
    tick(&h); /* one runaway costs nobody else anything */
    assert_string_equal(h.log, "dprint_calm waiting#1 dprint_calm waiting#3 ");
    begin(&h);
    h.silent = true;
    for (int i = 0; i < 6; i++) {
        (void)call(&h, "some");
    }
    oban_machine_run(h.machine);
    h.silent = false;
    /* Each sets a variable 300 times and takes a statement for each round: three fit. */
    assert_int_equal(oban_machine_task_count(h.machine), 2);
    begin(&h);
    assert_int_equal(text(&h, "iterate over 5000 using i { }"), OBAN_OK);
    assert_string_equal(h.outcome.limit, "statements_per_tick_max");
    assert_false(h.outcome.waits);
    close_host(&h);
}

static void test_runaway_of_its_own(void **state)
{
    (void)state;
    host h;
    open_limited(&h, 100, 1000000);
    load(&h, "t",
         "func f { var int i; iterate over 2000000 using i { } }\n"
         "func r(int n) { r(n + 1) }\n");
    begin(&h);
    (void)call(&h, "f");
    (void)call(&h, "r");
    oban_machine_run(h.machine);
    assert_non_null(strstr(h.log, "stopped#1:task_statements_max"));
    assert_non_null(strstr(h.log, "stopped#2:call_depth_max"));
    close_host(&h);
}

/* What is told in one pass is bounded. */
static void test_tells(void **state)
{
    (void)state;
    host h;
    open_host(&h);
    load(&h, "t", "func f { var int i; iterate over 90000 using i dprint i }\n");
    begin(&h);
    (void)call(&h, "f");
    h.silent = true;
    oban_machine_run(h.machine);
    assert_true(h.told < 17000);
    assert_int_equal(oban_machine_task_count(h.machine), 0);
    close_host(&h);
}

/* More texts than there is room for: those nobody holds are collected, and nothing is lost. */
static void test_strings(void **state)
{
    (void)state;
    host h;
    oban_line value;
    char *argument = malloc(1024);
    assert_non_null(argument);
    open_host(&h);
    load(&h, "t", "var string kept\nfunc f(string s) { if (s eq keep) kept = s }\n");
    for (int i = 0; i < 5000; i++) {
        oban_line message;
        uint64_t task;
        memset(argument, 'a' + i % 26, 1000);
        sprintf(argument, "%d", i);
        argument[strlen(argument)] = 'x';
        oban_call_argument one = {.type = OBAN_VALUE_STRING, .s = {argument, 1000}};
        if (i == 3) {
            one.s = oban_text_of("keep");
        }
        begin(&h);
        h.silent = true;
        assert_int_equal(oban_machine_call(h.machine, oban_text_of("f"), &one, 1, &task, &message),
                         OBAN_OK);
        oban_machine_run(h.machine);
    }
    assert_true(oban_machine_variable(h.machine, oban_text_of("kept"), &value));
    assert_string_equal(value.data, "keep");
    assert_true(h.memory.bytes < 3u << 20);
    free(argument);
    close_host(&h);
}

/* ---- what a tick costs
 * ---------------------------------------------------------------------------- */

/* A thousand tasks that sleep and wake ask for no memory. */
static void test_sleepers(void **state)
{
    (void)state;
    host h;
    open_host(&h);
    load(&h, "t",
         "func f { iterate over 1000000 using i sleep 1 }\nfunc w { iterate over 9999 using i "
         "cm_wait }\n");
    h.silent = true;
    h.busy = true;
    begin(&h);
    for (int i = 0; i < 1000; i++) {
        (void)call(&h, i % 2 == 0 ? "f" : "w");
    }
    oban_machine_run(h.machine);
    tick(&h);
    h.memory.closed = 1;
    for (int i = 0; i < 100; i++) {
        tick(&h);
    }
    h.memory.closed = 0;
    assert_int_equal(oban_machine_task_count(h.machine), 1000);
    close_host(&h);
}

static void test_next(void **state)
{
    (void)state;
    host h;
    bool polls;
    open_host(&h);
    load(&h, "t", "func f { sleep 30; sleep 12 }\nfunc c { cm_wait }\n");
    begin(&h);
    assert_true(oban_machine_next(h.machine, &polls) == UINT64_MAX);
    (void)call(&h, "f");
    oban_machine_run(h.machine);
    assert_int_equal(oban_machine_next(h.machine, &polls), 30);
    assert_false(polls);
    h.busy = true;
    (void)call(&h, "c");
    oban_machine_run(h.machine);
    assert_int_equal(oban_machine_next(h.machine, &polls), 30);
    assert_true(polls);
    close_host(&h);
}

/* ---- the hash, and memory that runs out
 * ------------------------------------------------------------ */

static const char busy_script[] = "var int n\nvar string s\nfunc main { schedule beat(a) repeat 3 "
                                  "every 2; fork side 5; s = word\n"
                                  " chr_animate Bob walk 9; chr_animate_block Bob walk 9; "
                                  "timer_start 0.1 beat; sleep 3; beat b }\n"
                                  "func side(int k) { sleep k; n = n + k; cm_wait }\nfunc "
                                  "beat(string w) { n = n + 1; dprint(w, n) }\n";

static void test_hash(void **state)
{
    (void)state;
    host a;
    host b;
    open_host(&a);
    open_host(&b);
    load(&a, "t", busy_script);
    load(&b, "t", busy_script);
    begin(&a);
    begin(&b);
    (void)call(&a, "main");
    (void)call(&b, "main");
    oban_machine_run(a.machine);
    oban_machine_run(b.machine);
    uint64_t before = hash_of(&a);
    assert_true(before == hash_of(&b));
    for (int i = 0; i < 30; i++) {
        tick(&a);
        tick(&b);
        assert_true(hash_of(&a) == hash_of(&b));
    }
    assert_true(hash_of(&a) != before);
    (void)text(&a, "n = 77");
    assert_true(hash_of(&a) != hash_of(&b));
    close_host(&a);
    close_host(&b);
}

/* Whenever memory runs out, it is told, and nothing is lost or broken. */
static void test_memory(void **state)
{
    (void)state;
    for (uint64_t fail_at = 0; fail_at < 120; fail_at++) {
        host h;
        uint64_t task;
        oban_line message;
        open_host(&h);
        h.memory.fail_at = h.memory.taken + fail_at;
        const oban_script_file file = {oban_text_of("t"), oban_text_of(busy_script), false};
        begin(&h);
        oban_status status = oban_machine_load(h.machine, &file, 1, NULL);
        assert_true(status == OBAN_OK || status == OBAN_NO_MEMORY);
        status = oban_machine_call(h.machine, oban_text_of("main"), NULL, 0, &task, &message);
        assert_true(status == OBAN_OK || status == OBAN_NO_MEMORY || status == OBAN_NO_SCRIPT);
        (void)text(&h, "dprint a; sleep 1");
        for (int i = 0; i < 20; i++) {
            tick(&h);
        }
        h.memory.fail_at = UINT64_MAX;
        close_host(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),      cmocka_unit_test(test_text_refused),
        cmocka_unit_test(test_calls),      cmocka_unit_test(test_waits_answered),
        cmocka_unit_test(test_stop),       cmocka_unit_test(test_durations),
        cmocka_unit_test(test_hot_reload), cmocka_unit_test(test_tasks_max),
        cmocka_unit_test(test_statements), cmocka_unit_test(test_runaway_of_its_own),
        cmocka_unit_test(test_tells),      cmocka_unit_test(test_strings),
        cmocka_unit_test(test_sleepers),   cmocka_unit_test(test_next),
        cmocka_unit_test(test_hash),       cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
