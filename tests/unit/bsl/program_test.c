/* SPDX-License-Identifier: MIT */
/* Programs: faults with their places, all in one go; what is tolerated; classes and sums; views;
 * limits; files replaced; memory that runs out. Next: machine_test.c. */
#include "core/bsl/names.h"
#include "core/bsl/program.h"
#include "tests/unit/world/rig.h"

typedef struct bench {
    rig_memory memory;
    oban_program *program;
    oban_findings findings;
} bench;

static void open_bench(bench *b)
{
    const oban_program_def def = {.alloc = rig_alloc(&b->memory), .script_bytes_max = 8u << 20};
    assert_int_equal(oban_program_create(&def, &b->program), OBAN_OK);
    oban_findings_init(&b->findings, def.alloc);
}

static void close_bench(bench *b)
{
    oban_findings_fini(&b->findings);
    oban_program_destroy(b->program);
    assert_int_equal(b->memory.bytes, 0);
}

static oban_status load(bench *b, const char *name, const char *text)
{
    const oban_script_file file = {oban_text_of(name), oban_text_of(text), false};
    return oban_program_load(b->program, &file, 1, &b->findings);
}

/* All findings as "line:column message; ..." */
static const char *told(const bench *b)
{
    static char text[8000];
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < b->findings.count && at < sizeof text - 400; i++) {
        const oban_finding *f = &b->findings.items[i];
        at +=
            (size_t)snprintf(text + at, sizeof text - at, "%s%s%u:%u %s", i > 0 ? "\n" : "",
                             f->fault ? "" : "(", f->place.line, f->place.column, f->message.data);
    }
    return text;
}

static void refused(const char *text, oban_status status, const char *expected)
{
    bench b;
    open_bench(&b);
    assert_int_equal(load(&b, "t", text), status);
    assert_string_equal(told(&b), expected);
    assert_int_equal(oban_program_file_count(b.program), 0);
    close_bench(&b);
}

static void remarked(const char *text, const char *expected)
{
    bench b;
    open_bench(&b);
    if (load(&b, "t", text) != OBAN_OK) {
        fail_msg("%s", told(&b));
    }
    assert_string_equal(told(&b), expected);
    close_bench(&b);
}

static void test_faults(void **state)
{
    (void)state;
    refused("x", OBAN_BAD_SCRIPT, "1:1 expected 'func' or 'var', found 'x'");
    refused("func", OBAN_BAD_SCRIPT,
            "1:5 expected the name of a function, found the end of the text");
    refused("func void a(void)\n{ b(1 }\n", OBAN_BAD_SCRIPT, "2:7 expected ',' or ')', found '}'");
    refused("func a { sleep ) }", OBAN_BAD_SCRIPT, "1:16 expected a value, found ')'");
    refused("func a { if x }", OBAN_BAD_SCRIPT, "1:13 expected '(' behind if, found 'x'");
    refused("func a { x = }", OBAN_BAD_SCRIPT, "1:14 expected a value, found '}'");
    refused("func a { var x }", OBAN_BAD_SCRIPT,
            "1:14 expected int, float, bool or string, found 'x'");
    refused("func a { b\n", OBAN_BAD_SCRIPT, "2:1 expected '}', found the end of the text");
    refused("func a { else b }", OBAN_BAD_SCRIPT, "1:10 expected a statement, found 'else'");
    refused("func a { b \"open }\n}", OBAN_BAD_SCRIPT,
            "1:12 expected a closing '\"' on the same line");
    refused("func a { b(1) c }", OBAN_BAD_SCRIPT,
            "1:15 expected the end of the statement, found 'c'");
    refused("func a { schedule b() in 5 }", OBAN_BAD_SCRIPT,
            "1:23 expected 'at' or 'repeat', found 'in'");
    refused("func a(b) { }", OBAN_BAD_SCRIPT, "1:8 expected int, float, bool or string, found 'b'");
    refused("func a { b 1 (2) }", OBAN_BAD_SCRIPT,
            "1:14 expected a word or the end of the statement, found '('");
    refused("func a { b(\xc3\xa9) }", OBAN_BAD_SCRIPT,
            "1:12 the character U+00E9 may only stand in quotes and comments");
    refused("func a { iterate 3 using i b }", OBAN_BAD_SCRIPT, "1:18 expected 'over', found '3'");
}

/* One fault hides no other. */
static void test_all_in_one_go(void **state)
{
    (void)state;
    refused("func a {\n x = \n good 1\n if (1 {\n  b(,)\n }\n c)\n}\nvar int\nfunc b { } }\n"
            "func c { return 1 2 }\n",
            OBAN_BAD_SCRIPT,
            "2:6 expected a value, found the end of the line\n"
            "4:8 expected ')', found '{'\n"
            "5:5 expected a value, found ','\n"
            "7:3 expected a word or the end of the statement, found ')'\n"
            "9:8 expected the name of a variable, found the end of the line\n"
            "10:12 expected 'func' or 'var', found '}'\n"
            "11:19 expected the end of the statement, found '2'");
}

static void test_tolerated(void **state)
{
    (void)state;
    remarked("func a{b}func\nvoid\nc\n(void)\n{\n}\r\n# end", "");
    remarked("func a { x = a -1 }", "(1:16 taken as a subtraction; the game wants a blank behind "
                                    "this '-'");
    remarked("func a { x = a - 1; y = 3-1; z = -1 }", "");
    remarked("func a { if (x == 5) b }",
             "(1:16 '==' is taken as a comparison; the game has eq and ne");
    remarked("func a { f 1, 2 }", "(1:13 a ',' between words without brackets is passed over");
    remarked("func a { sleep }", "(1:16 a missing number is taken as 0: ticks");
    remarked("func a { f(1,\n 2,\n) }", "");
    remarked("func a { x = 99999999999 }",
             "(1:14 '99999999999' is more than an int holds; the nearest is taken");
    remarked("func a{}\nfunc a{}",
             "(2:6 a function 'a' was there before, in t:1; this one is never called");
}

static char *repeat(const char *before, const char *what, uint32_t count, const char *behind)
{
    size_t bytes = strlen(what);
    char *text = malloc(strlen(before) + bytes * count + strlen(behind) + 1);
    assert_non_null(text);
    strcpy(text, before);
    size_t at = strlen(before);
    for (uint32_t i = 0; i < count; i++, at += bytes) {
        memcpy(text + at, what, bytes + 1);
    }
    strcpy(text + at, behind);
    return text;
}

static void limited(const char *before, const char *what, uint32_t most, const char *behind,
                    const char *limit)
{
    for (uint32_t more = 0; more < 2; more++) {
        bench b;
        char *text = repeat(before, what, most + more, behind);
        open_bench(&b);
        oban_status status = load(&b, "t", text);
        if (more == 0 && status != OBAN_OK) {
            fail_msg("%s: %s", limit, told(&b));
        }
        if (more == 1) {
            assert_true(status == OBAN_BAD_SCRIPT || status == OBAN_LIMIT);
            assert_non_null(strstr(told(&b), limit));
        }
        close_bench(&b);
        free(text);
    }
}

static void test_limits(void **state)
{
    (void)state;
    limited("func a { x", " y", 64, " }", "words_max is 64");
    limited("func a { x(1", ",1", 63, ") }", "words_max is 64");
    limited("func a { x = ", "(", 0, "1 }", "expected");
    limited("func ", "n", 127, "{}", "name_bytes_max is 127");
    limited("func a { x \"", "s", 1023, "\" }", "string_bytes_max is 1023");
    limited("func a(int p", ",int p", 15, "){}", "params_max is 16");
    limited("func a {", "{", 63, "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}",
            "depth_max is 64");
}

static void test_deep(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    char *text = repeat("func a { x = ", "(", 100000, "");
    assert_int_equal(load(&b, "t", text), OBAN_BAD_SCRIPT);
    assert_non_null(strstr(told(&b), "depth_max is 64"));
    free(text);
    text = repeat("func a { x = ", "-", 100000, "1 }");
    assert_int_equal(load(&b, "t", text), OBAN_BAD_SCRIPT);
    free(text);
    text = repeat("func a { ", "if (1) ", 100000, "x }");
    assert_int_equal(load(&b, "t", text), OBAN_BAD_SCRIPT);
    free(text);
    text = repeat("func a { dprint ", "s", 9u << 20, " }");
    assert_int_equal(load(&b, "t", text), OBAN_LIMIT);
    assert_string_equal(told(&b), "1:1 script_bytes_max is 8388608: the script has more bytes");
    free(text);
    close_bench(&b);
}

static void test_many_functions(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    char *text = malloc(100000u * 24u);
    assert_non_null(text);
    size_t at = 0;
    for (int i = 0; i < 100000; i++) {
        at += (size_t)sprintf(text + at, "func f%d{}\n", i);
    }
    assert_int_equal(load(&b, "t", text), OBAN_LIMIT);
    assert_string_equal(told(&b), "65537:14 functions_max is 65536: the script has more functions");
    free(text);
    close_bench(&b);
}

static void test_classes(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    assert_int_equal(
        load(&b, "t",
             "var int g = 1\nvar int bare\n"
             "func main {\n obj_create 1 5\n cm_wait\n sleep 5\n return\n" /* performed */
             " fade_in 60\n chr_animate_block 0 x 5\n"                     /* timeline */
             " dprint a\n ai2_anything 1\n"                                /* no-op */
             " sub\n fork sub\n schedule sub() at 5\n"                     /* script calls */
             " g = 2\n var int l = 3\n gl_fog = 1\n"                       /* assignments */
             " sleep7\n g\n cm_anim both\n env_setanim x y\n fork cm_wait\n env_stop 1\n" /* warned
                                                                                           */
             " var int n\n if (g eq trigvolume_count(1)) {\n }\n" /* nowhere */
             "}\nfunc sub {}\n"),
        OBAN_OK);
    oban_program_stats stats;
    oban_program_count(b.program, &stats);
    assert_int_equal(stats.files, 1);
    assert_int_equal(stats.functions, 2);
    assert_int_equal(stats.lines, 28);
    assert_int_equal(stats.classes[OBAN_CLASS_PERFORMED], 4);
    assert_int_equal(stats.classes[OBAN_CLASS_TIMELINE], 2);
    assert_int_equal(stats.classes[OBAN_CLASS_NOOP], 2);
    assert_int_equal(stats.classes[OBAN_CLASS_SCRIPT_CALL], 3);
    assert_int_equal(stats.classes[OBAN_CLASS_ASSIGNMENT], 4);
    assert_int_equal(stats.classes[OBAN_CLASS_WARNED], 6);
    assert_int_equal(stats.classes[OBAN_CLASS_CONTROL], 3);
    assert_int_equal(stats.statements, 21);
    close_bench(&b);
}

static void test_views(void **state)
{
    (void)state;
    bench b;
    oban_function_view f;
    oban_statement_view s;
    oban_nested_view n;
    uint32_t index;
    open_bench(&b);
    assert_int_equal(load(&b, "one.bsl", "func int half(int n, string who) { return n }\n"),
                     OBAN_OK);
    assert_int_equal(load(&b, "two.bsl",
                          "var int g = half(4)\nfunc main {\n"
                          "  half(g, \"a b\", nobody, 1 + g)\n env_anim 5 1 x\n}\n"),
                     OBAN_OK);
    assert_true(oban_program_function_find(b.program, oban_text_of("main"), &index));
    assert_int_equal(index, 1);
    oban_program_function(b.program, 0, &f);
    assert_int_equal(f.param_count, 2);
    assert_int_equal(f.param_types[1], OBAN_VALUE_STRING);
    assert_true(oban_text_equal(f.param_names[1], oban_text_of("who")));
    assert_int_equal(f.returns, OBAN_VALUE_INT);
    oban_program_function(b.program, 1, &f);
    assert_int_equal(f.place.line, 2);
    assert_int_equal(f.file, 1);
    assert_int_equal(f.statement_count, 2);
    oban_program_statement(b.program, f.statement_first, &s);
    assert_int_equal(s.callee, 0);
    assert_int_equal(s.function, 1);
    assert_int_equal(s.place.column, 3);
    assert_int_equal(s.word_count, 4);
    assert_int_equal(s.words[0].kind, OBAN_ARGUMENT_VARIABLE);
    assert_int_equal(s.words[1].kind, OBAN_ARGUMENT_WORD);
    assert_true(oban_text_equal(s.words[1].text, oban_text_of("a b")));
    assert_int_equal(s.words[2].kind, OBAN_ARGUMENT_NAME);
    assert_int_equal(s.words[3].kind, OBAN_ARGUMENT_EXPRESSION);
    assert_true(oban_text_equal(s.words[3].text, oban_text_of("1 + g")));
    oban_findings_clear(&b.findings);
    oban_program_check(b.program, f.statement_first, &b.findings);
    oban_program_check(b.program, f.statement_first + 1, &b.findings);
    assert_string_equal(told(&b), "(3:18 an extra word 'nobody' is ignored; the function takes 2\n"
                                  "(4:15 an extra word 'x' is ignored\n"
                                  "(4:2 the range from 5 to 1 is reversed and thus empty");
    assert_int_equal(oban_program_nested_count(b.program), 1);
    oban_program_nested(b.program, 0, &n);
    assert_int_equal(n.callee, 0);
    oban_program_statement(b.program, n.statement, &s);
    assert_int_equal(s.kind, OBAN_STATEMENT_VAR);
    assert_int_equal(s.function, UINT32_MAX);
    close_bench(&b);
}

static void test_checks(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    assert_int_equal(load(&b, "t",
                          "func main {\n env_amin 1\n fade_out 0 0\n letterbox 1 2 3\n"
                          " fork mian\n if (trigvolum(1) eq 0) { }\n obj_create\n"
                          " iterate over ai_list using v { }\n dprint x y z\n}\n"),
                     OBAN_OK);
    for (uint32_t i = 0; i < oban_program_statement_count(b.program); i++) {
        oban_program_check(b.program, i, &b.findings);
    }
    assert_string_equal(told(&b), "(2:2 no command 'env_amin'; the nearest is 'env_anim'\n"
                                  "(3:14 words are missing; usage: fade_out r g b ticks\n"
                                  "(4:14 2 extra words from '2' on are ignored\n"
                                  "(5:7 no function 'mian'; the nearest is 'main'\n"
                                  "(6:6 no command 'trigvolum'\n"
                                  "(7:12 a missing number is taken as 0: object\n"
                                  "(8:2 lists of the game are not there; a number of rounds is");
    close_bench(&b);
}

static void test_tolerant(void **state)
{
    (void)state;
    bench b;
    oban_program_stats stats;
    open_bench(&b);
    const oban_script_file file = {oban_text_of("t"),
                                   oban_text_of("func main {\n x =\n if (( {\n  dprint a\n }\n"
                                                " dprint b\n}\nfunc ( { dprint c }\n"),
                                   true};
    assert_int_equal(oban_program_load(b.program, &file, 1, &b.findings), OBAN_OK);
    assert_int_equal(b.findings.faults, 3);
    oban_program_count(b.program, &stats);
    assert_int_equal(stats.classes[OBAN_CLASS_WARNED], 2);
    assert_int_equal(stats.classes[OBAN_CLASS_NOOP], 3);
    close_bench(&b);
}

static void test_files(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    const oban_script_file two[2] = {{oban_text_of("a"), oban_text_of("func f { }"), false},
                                     {oban_text_of("b"), oban_text_of("func g { f )"), false}};
    assert_int_equal(oban_program_load(b.program, two, 2, &b.findings), OBAN_BAD_SCRIPT);
    assert_int_equal(b.findings.items[0].file, 1);
    assert_int_equal(oban_program_file_count(b.program), 0);
    const oban_script_file same[2] = {{oban_text_of("a"), oban_text_of(""), false},
                                      {oban_text_of("a"), oban_text_of(""), false}};
    assert_int_equal(oban_program_load(b.program, same, 2, NULL), OBAN_BAD_SCRIPT);
    assert_int_equal(load(&b, "a", "func f { }"), OBAN_OK);
    assert_int_equal(load(&b, "b", "func g { f }\nfunc h { }"), OBAN_OK);
    assert_int_equal(load(&b, "a", "func k { g }"), OBAN_OK);
    assert_int_equal(oban_program_file_count(b.program), 2);
    assert_int_equal(oban_program_function_count(b.program), 3);
    uint32_t index;
    assert_false(oban_program_function_find(b.program, oban_text_of("f"), &index));
    assert_int_equal(oban_program_unload(b.program, oban_text_of("b")), OBAN_OK);
    assert_int_equal(oban_program_unload(b.program, oban_text_of("b")), OBAN_NO_SCRIPT);
    assert_int_equal(oban_program_function_count(b.program), 1);
    close_bench(&b);
}

/* Each allocation in turn fails: nothing has changed, nothing is lost. */
static void test_memory(void **state)
{
    (void)state;
    const char *text =
        "var int g = f(1)\nvar string s = x\nfunc int f(int n) { return n + 1 }\n"
        "func main { dprint(f(g), \"q\", 1.5) ; if (1) a b c else g = 3\n fork f 1 }\n";
    for (uint64_t fail_at = 0;; fail_at++) {
        bench b;
        open_bench(&b);
        assert_int_equal(load(&b, "old", "func old { }"), OBAN_OK);
        b.memory.fail_at = b.memory.taken + fail_at;
        oban_status status = load(&b, "t", text);
        b.memory.fail_at = UINT64_MAX;
        if (status == OBAN_OK) {
            assert_int_equal(oban_program_function_count(b.program), 3);
            close_bench(&b);
            assert_true(fail_at > 10);
            return;
        }
        assert_int_equal(status, OBAN_NO_MEMORY);
        assert_int_equal(oban_program_function_count(b.program), 1);
        assert_int_equal(oban_program_file_count(b.program), 1);
        close_bench(&b);
    }
}

static void test_names(void **state)
{
    (void)state;
    rig_memory memory;
    oban_names names;
    uint64_t random = 7;
    oban_names_init(&names, rig_alloc(&memory));
    assert_int_equal(oban_names_find(&names, oban_text_of("a")), OBAN_NO_NAME);
    for (uint32_t i = 0; i < 5000; i++) {
        char name[32];
        snprintf(name, sizeof name, "%x", rig_random(&random) % 3000u);
        uint32_t before = names.count;
        uint32_t found = oban_names_find(&names, oban_text_of(name));
        uint32_t added = oban_names_add(&names, oban_text_of(name));
        assert_int_equal(added, found == OBAN_NO_NAME ? before : found);
        assert_true(oban_text_equal(oban_names_text(&names, added), oban_text_of(name)));
    }
    const oban_text odd[] = {{"", 0}, {"a", 1}, {"a\0", 2}, {"a\0\0", 3}, {"\xff", 1}};
    for (uint32_t i = 0; i < 5; i++) {
        (void)oban_names_add(&names, odd[i]);
    }
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t found = oban_names_find(&names, odd[i]);
        assert_true(oban_text_equal(oban_names_text(&names, found), odd[i]));
    }
    oban_names_fini(&names);
    assert_int_equal(memory.bytes, 0);
}

static void test_floats(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {{0.0f, "0"},
                 {1.0f, "1"},
                 {-2.5f, "-2.5"},
                 {0.99f, "0.99"},
                 {0.1f, "0.1"},
                 {1234567.0f, "1234567"},
                 {1e10f, "10000000000"},
                 {0.00001f, "0.00001"},
                 {16777216.0f, "16777216"}};
    uint64_t random = 3;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        oban_line line;
        oban_line_clear(&line);
        oban_value_add_float(&line, cases[i].value);
        assert_string_equal(line.data, cases[i].text);
    }
    for (int i = 0; i < 2000; i++) {
        oban_line line;
        float value = rig_random_float(&random, -5000.0f, 5000.0f);
        oban_line_clear(&line);
        oban_value_add_float(&line, value);
        assert_true(strtof(line.data, NULL) == value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),    cmocka_unit_test(test_all_in_one_go),
        cmocka_unit_test(test_tolerated), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_deep),      cmocka_unit_test(test_many_functions),
        cmocka_unit_test(test_classes),   cmocka_unit_test(test_views),
        cmocka_unit_test(test_checks),    cmocka_unit_test(test_tolerant),
        cmocka_unit_test(test_files),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_names),     cmocka_unit_test(test_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
