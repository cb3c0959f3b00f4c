/* SPDX-License-Identifier: MIT */
/* The language, one script for each feature: tests/bsl/X.bsl, with what must come about written
 * beside the lines that bring it about.
 *
 *   # anim NAME FRAMES       a clip          # object N NAME    an object that has one
 *   # duration NAME TICKS    a length        # call NAME        what is called at tick 0
 *   # ticks N                how long it runs
 *   ...  # expect: @3 | @5 waits camera | @9 told sound x [60] | @9 warns no animation 'y'
 *
 * `any` alone: whatever it is, but something. A line without `expect` may do what it likes, but
 * warn. What is expected of a line is all that comes about there, in its order: `@T` a command
 * done, `told` an event, `waits`, `warns` (the message begins so), `stopped LIMIT`. Each script
 * runs twice and must come to the same hash; with CRLF as line ends
 * it must do the same. */
#include "core/bsl/stage.h"
#include "tests/unit/world/rig.h"

#include <dirent.h>

#define FOLDER "tests/bsl"
#define LINES_MAX 400
#define SEEN_MAX 2000

typedef struct play {
    rig r;
    oban_stage *stage;
    char *text;
    size_t bytes;
    char seen[LINES_MAX][SEEN_MAX]; /* what came about at each line */
} play;

static void see(play *p, oban_place place, uint64_t tick, const char *what)
{
    assert_true(place.line < LINES_MAX);
    char *seen = p->seen[place.line];
    size_t at = strlen(seen);
    if (at < SEEN_MAX - 300) {
        snprintf(seen + at, SEEN_MAX - at, "%s@%llu%s%s", at > 0 ? " | " : "",
                 (unsigned long long)tick, what[0] != '\0' ? " " : "", what);
    }
}

static void see_tell(play *p, const oban_tell *tell)
{
    char what[1200];
    size_t at = 0;
    if (tell->type == OBAN_TELL_SCRIPT) {
        at = (size_t)snprintf(what, sizeof what, "told %.*s", (int)tell->command.bytes,
                              tell->command.data);
        for (uint32_t i = 0; i < tell->word_count && at < 800; i++) {
            at += (size_t)snprintf(what + at, sizeof what - at, " %.*s", (int)tell->words[i].bytes,
                                   tell->words[i].data);
        }
        if (tell->duration > 0) {
            snprintf(what + at, sizeof what - at, " [%llu]", (unsigned long long)tell->duration);
        }
    } else if (tell->type == OBAN_TELL_WARNING) {
        const char *message = strstr(tell->message, ": ");
        snprintf(what, sizeof what, "warns %s", message + 2);
    } else if (tell->state == OBAN_TASK_WAITING && tell->wait != OBAN_WAIT_SLEEP &&
               tell->wait != OBAN_WAIT_SCHEDULE && tell->wait != OBAN_WAIT_TIMER) {
        snprintf(what, sizeof what, "waits %s", oban_wait_word(tell->wait));
    } else if (tell->state == OBAN_TASK_STOPPED) {
        snprintf(what, sizeof what, "stopped %s", tell->limit != NULL ? tell->limit : "");
    } else {
        return;
    }
    see(p, tell->at.place, tell->tick, what);
}

static void play_news(void *context, const oban_stage_news *news)
{
    if (news->tell != NULL) {
        see_tell(context, news->tell);
    }
}

static void play_done(void *context, const oban_at *at, const oban_command *command,
                      const oban_result *result)
{
    play *p = context;
    (void)command;
    if (result->status == OBAN_OK) {
        see(p, at->place, oban_world_tick(p->r.world), "");
    }
}

static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s cannot be read", path);
        return NULL;
    }
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    *bytes = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

/* ---- the script's own demands
 * -------------------------------------------------------------------- */

static void obey(play *p, const char *line, char *call, int *ticks)
{
    char name[64];
    int number;
    oban_machine *machine = oban_stage_machine(p->stage);
    if (sscanf(line, "# anim %63s %d", name, &number) == 2) {
        rig_add(&p->r, name, 0, number);
    } else if (sscanf(line, "# object %d %63s", &number, name) == 2) {
        oban_command define = rig_define(number, name, NULL);
        OBAN_SET(&define, create, false);
        assert_int_equal(rig_apply(&p->r, define), OBAN_OK);
    } else if (sscanf(line, "# duration %63s %d", name, &number) == 2) {
        assert_int_equal(oban_machine_duration_set(machine, oban_text_of(name), (uint64_t)number),
                         OBAN_OK);
    } else if (sscanf(line, "# call %63s", name) == 1) {
        strcpy(call, name);
    } else if (sscanf(line, "# ticks %d", &number) == 1) {
        *ticks = number;
    }
}

static void play_tick(play *p)
{
    oban_stage_tick_begin(p->stage);
    oban_stage_tick_end(p->stage);
}

/* Plays it; returns the hash of all its ticks. */
static uint64_t play_script(play *p)
{
    char call[64] = "main";
    int ticks = 60;
    uint64_t task;
    oban_line message;
    oban_hash hash;
    oban_findings findings;
    char *copy = strdup(p->text);
    assert_non_null(copy);
    char *rest = copy;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        obey(p, line, call, &ticks);
    }
    free(copy);
    oban_world_events_clear(p->r.world);
    const oban_script_file file = {oban_text_of("t.bsl"), {p->text, (uint32_t)p->bytes}, false};
    oban_findings_init(&findings, p->r.alloc);
    if (oban_machine_load(oban_stage_machine(p->stage), &file, 1, &findings) != OBAN_OK) {
        fail_msg("line %u: %s", findings.items[0].place.line, findings.items[0].message.data);
    }
    for (uint32_t i = 0; i < findings.count; i++) {
        char what[300];
        snprintf(what, sizeof what, "warns %s", findings.items[i].message.data);
        see(p, findings.items[i].place, 0, what);
    }
    oban_findings_fini(&findings);
    oban_hash_start(&hash);
    oban_stage_pass_begin(p->stage);
    if (oban_machine_call(oban_stage_machine(p->stage), oban_text_of(call), NULL, 0, &task,
                          &message) != OBAN_OK) {
        fail_msg("%s", message.data);
    }
    oban_stage_tick_end(p->stage);
    for (int i = 0; i < ticks; i++) {
        play_tick(p);
        oban_hash_u64(&hash, oban_stage_hash(p->stage));
    }
    return oban_hash_end(&hash);
}

/* Each line ends as in the files of the game. */
static void make_crlf(play *p)
{
    char *text = calloc(2, p->bytes + 1);
    size_t bytes = 0;
    assert_non_null(text);
    for (size_t i = 0; i < p->bytes; i++) {
        if (p->text[i] == '\n') {
            text[bytes++] = '\r';
        }
        text[bytes++] = p->text[i];
    }
    free(p->text);
    p->text = text;
    p->bytes = bytes;
}

static uint64_t play_once(play *p, const char *path, bool crlf)
{
    memset(p->seen, 0, sizeof p->seen);
    rig_open(&p->r);
    p->text = read_file(path, &p->bytes);
    if (crlf) {
        make_crlf(p);
    }
    const oban_stage_def def = {.alloc = p->r.alloc,
                                .world = p->r.world,
                                .sink = {p, play_news, play_done},
                                .tasks_max = 64,
                                .statements_per_tick_max = 100000,
                                .script_bytes_max = 1 << 20};
    assert_int_equal(oban_stage_create(&def, &p->stage), OBAN_OK);
    uint64_t hash = play_script(p);
    oban_stage_destroy(p->stage);
    rig_close(&p->r);
    return hash;
}

/* ---- expectations
 * -------------------------------------------------------------------------------- */

static const char *trim(char *text)
{
    size_t bytes = strlen(text);
    while (bytes > 0 && (text[bytes - 1] == ' ' || text[bytes - 1] == '\r')) {
        text[--bytes] = '\0';
    }
    return text + strspn(text, " ");
}

/* What is expected may be the beginning of what was seen, item by item. */
static bool matches(char *seen, char *expected)
{
    char *seen_rest = seen[0] != '\0' ? seen : NULL;
    char *expected_rest = expected[0] != '\0' ? expected : NULL;
    while (seen_rest != NULL && expected_rest != NULL) {
        const char *s = trim(strsep(&seen_rest, "|"));
        const char *e = trim(strsep(&expected_rest, "|"));
        bool begins = strstr(e, "warns") != NULL;
        if (begins ? strncmp(s, e, strlen(e)) != 0 : strcmp(s, e) != 0) {
            return false;
        }
    }
    return seen_rest == NULL && expected_rest == NULL;
}

static int compare(play *p, const char *path)
{
    int wrong = 0;
    uint32_t number = 1;
    char *rest = p->text;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n"), number++) {
        char seen[SEEN_MAX];
        char *expected = strstr(line, "# expect:");
        strcpy(seen, p->seen[number]);
        bool good;
        if (expected == NULL) {
            good = strstr(seen, "warns") == NULL && strstr(seen, "stopped") == NULL;
        } else {
            expected += strlen("# expect:");
            expected += strspn(expected, " ");
            good = strncmp(expected, "any", 3) == 0 ? seen[0] != '\0' : matches(seen, expected);
        }
        if (!good) {
            print_error("%s:%u: seen: %s\n", path, number, p->seen[number]);
            wrong++;
        }
    }
    return wrong;
}

static void test_scripts(void **state)
{
    (void)state;
    int scripts = 0;
    int wrong = 0;
    static play p;
    static char seen[LINES_MAX][SEEN_MAX];
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[300];
        if (strstr(entry->d_name, ".bsl") == NULL) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", FOLDER, entry->d_name);
        uint64_t first = play_once(&p, path, false);
        free(p.text);
        uint64_t second = play_once(&p, path, false);
        assert_true(first == second);
        memcpy(seen, p.seen, sizeof seen);
        free(p.text);
        (void)play_once(&p, path, true);
        assert_memory_equal(seen, p.seen, sizeof seen);
        wrong += compare(&p, path);
        free(p.text);
        scripts++;
    }
    closedir(folder);
    assert_int_equal(wrong, 0);
    assert_true(scripts >= 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scripts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
