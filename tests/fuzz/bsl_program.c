/* SPDX-License-Identifier: MIT */
/* Fuzz target: a file compiled, looked at, and run for some ticks with every function called; the
 * same bytes then as a text. What is told must hold together, and two runs must come to the same
 * hash. */
#include "core/bsl/stage.h"
#include "tests/fuzz/fuzz.h"

#define TICKS 8
#define CALLS_MAX 20u

static void fuzz_news(void *context, const oban_stage_news *news)
{
    (void)context;
    MUST((news->event != NULL) != (news->tell != NULL));
    if (news->tell != NULL && news->tell->type == OBAN_TELL_WARNING) {
        MUST(news->tell->message != NULL && news->tell->message[0] != '\0');
    }
    if (news->tell != NULL && news->tell->type == OBAN_TELL_SCRIPT) {
        MUST(news->tell->command.bytes > 0 && news->tell->word_count <= OBAN_SCRIPT_WORDS_MAX);
        for (uint32_t i = 0; i < news->tell->word_count; i++) {
            MUST(news->tell->words[i].bytes <= 1100);
        }
    }
}

/* Every view of it, and the sums. */
static void fuzz_look(const oban_program *program)
{
    oban_program_stats stats;
    oban_findings findings;
    uint32_t counted = 0;
    oban_findings_init(&findings, fuzz_alloc());
    for (uint32_t i = 0; i < oban_program_statement_count(program); i++) {
        oban_statement_view view;
        oban_program_statement(program, i, &view);
        counted += view.class_ != OBAN_CLASS_CONTROL ? 1 : 0;
        MUST(view.place.line >= 1 && view.place.column >= 1);
        oban_program_check(program, i, &findings);
    }
    for (uint32_t i = 0; i < oban_program_function_count(program); i++) {
        oban_function_view view;
        oban_program_function(program, i, &view);
        MUST(view.statement_first + view.statement_count <= oban_program_statement_count(program));
    }
    for (uint32_t i = 0; i < oban_program_nested_count(program); i++) {
        oban_nested_view view;
        oban_program_nested(program, i, &view);
        MUST(view.statement < oban_program_statement_count(program));
    }
    oban_program_count(program, &stats);
    MUST(stats.statements == counted);
    oban_findings_fini(&findings);
}

static void fuzz_load(oban_machine *machine, oban_text text)
{
    oban_findings findings;
    oban_findings_init(&findings, fuzz_alloc());
    oban_script_file file = {{"f.bsl", 5}, text, false};
    oban_status status = oban_machine_load(machine, &file, 1, &findings);
    MUST((status == OBAN_OK) == (findings.faults == 0));
    file.tolerant = true;
    status = oban_machine_load(machine, &file, 1, &findings);
    MUST(status == OBAN_OK || status == OBAN_LIMIT);
    for (uint32_t i = 0; i < findings.count; i++) {
        oban_line source;
        oban_line caret;
        MUST(findings.items[i].message.bytes > 0 && findings.items[i].place.line >= 1);
        oban_bsl_caret(text, findings.items[i].place, &source, &caret);
    }
    oban_findings_fini(&findings);
}

static void fuzz_call_all(oban_machine *machine)
{
    const oban_program *program = oban_machine_program(machine);
    for (uint32_t i = 0; i < oban_program_function_count(program) && i < CALLS_MAX; i++) {
        oban_function_view view;
        oban_line message;
        uint64_t task;
        const oban_call_argument argument = {.type = OBAN_VALUE_STRING, .s = {"x", 1}};
        oban_program_function(program, i, &view);
        (void)oban_machine_call(machine, view.name, &argument, view.param_count > 0 ? 1 : 0, &task,
                                &message);
    }
}

static uint64_t fuzz_run(oban_text text)
{
    oban_world *world = NULL;
    oban_stage *stage = NULL;
    oban_text_outcome outcome;
    const oban_world_def world_def = {
        .alloc = fuzz_alloc(), .seed = 1, .objects_max = 100, .anims_max = 10};
    if (oban_world_create(&world_def, &world) != OBAN_OK) {
        return 0;
    }
    const oban_stage_def def = {.alloc = fuzz_alloc(),
                                .world = world,
                                .sink = {.news = fuzz_news},
                                .tasks_max = 40,
                                .statements_per_tick_max = 500,
                                .script_bytes_max = 65536};
    MUST(oban_stage_create(&def, &stage) == OBAN_OK);
    oban_machine *machine = oban_stage_machine(stage);
    fuzz_load(machine, text);
    fuzz_look(oban_machine_program(machine));
    oban_stage_pass_begin(stage);
    fuzz_call_all(machine);
    (void)oban_stage_text(stage, (oban_text){"text", 4}, text, &outcome, NULL);
    oban_stage_tick_end(stage);
    for (int i = 0; i < TICKS; i++) {
        oban_stage_tick_begin(stage);
        if (i == TICKS / 2) {
            fuzz_load(machine, text); /* while it runs */
        }
        oban_stage_tick_end(stage);
    }
    for (uint32_t i = 0; i < oban_machine_task_count(machine); i++) {
        oban_task_view view;
        oban_machine_task(machine, i, &view);
        MUST(view.task > 0);
    }
    uint64_t hash = oban_stage_hash(stage);
    oban_stage_destroy(stage);
    oban_world_destroy(world);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oban_text text = {.data = (const char *)data, .bytes = (uint32_t)size};
    MUST(fuzz_run(text) == fuzz_run(text));
    return 0;
}
