/* SPDX-License-Identifier: MIT */
/* BSL statements: what is read, every refusal with its place and message, warnings, carets.
 * Next: commands_test.c. */
#include "core/bsl/line.h"
#include "core/bsl/word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A statement as text: op, then each field that it has. */
static void show(const oban_bsl_statement *statement, char *out, size_t size)
{
    const oban_command *c = &statement->command;
    static const char *const modes[] = {"look", "move", "both"};
    int n = snprintf(out, size, "%s", oban_command_row_of(c->op)->name);
#define SHOW(field, format, ...)                                                                   \
    if (OBAN_HAS(c, field)) {                                                                      \
        n += snprintf(out + n, size - (size_t)n, " " #field "=" format, __VA_ARGS__);              \
    }
    SHOW(object, "%d", c->object)
    SHOW(to, "%d", c->to)
    SHOW(ref, "%d", c->ref)
    SHOW(visible, "%d", c->visible)
    SHOW(mode, "%s", modes[c->mode])
    SHOW(anim, "%.*s", (int)c->anim.bytes, c->anim.data)
    SHOW(frames, "%d", c->frames)
    SHOW(fov, "%.9g", (double)c->fov)
#undef SHOW
    for (uint32_t i = 0; i < statement->warning_count; i++) {
        n += snprintf(out + n, size - (size_t)n, " [%u:%u %s]", statement->warnings[i].place.line,
                      statement->warnings[i].place.column, statement->warnings[i].message.data);
    }
}

/* All statements of a text, one a line, up to a BAD_SCRIPT. */
static void read_all(const char *text, size_t bytes, char *out, size_t size)
{
    oban_bsl_reader reader;
    oban_bsl_statement statement;
    oban_bsl_fault fault;
    bool end = false;
    size_t n = 0;
    /* A copy of just these bytes: a reader that looks beyond the end is seen by ASan. */
    char *exact = malloc(bytes + (bytes == 0));
    assert_non_null(exact);
    memcpy(exact, text, bytes);
    oban_bsl_reader_init(&reader, (oban_text){exact, (uint32_t)bytes});
    out[0] = '\0';
    for (;;) {
        oban_status status = oban_bsl_read(&reader, &statement, &end, &fault);
        if (status == OBAN_OK && end) {
            break;
        }
        if (status == OBAN_OK) {
            n += (size_t)snprintf(out + n, size - n, "%s%u:%u ", n == 0 ? "" : "\n",
                                  statement.place.line, statement.place.column);
            show(&statement, out + n, size - n);
            n = strlen(out);
            continue;
        }
        assert_int_equal(status, fault.status);
        n += (size_t)snprintf(out + n, size - n, "%s%u:%u %s%s%s: %s", n == 0 ? "" : "\n",
                              fault.place.line, fault.place.column, oban_status_word(status),
                              fault.field == NULL ? "" : " ",
                              fault.field == NULL ? "" : fault.field, fault.message.data);
        if (status == OBAN_BAD_SCRIPT) {
            break;
        }
    }
    free(exact);
}

typedef struct row {
    const char *text;
    const char *expected;
} row;

static void run(const row *rows, size_t count)
{
    char out[4096];
    for (size_t i = 0; i < count; i++) {
        read_all(rows[i].text, strlen(rows[i].text), out, sizeof out);
        if (strcmp(out, rows[i].expected) != 0) {
            fail_msg("text:\n%s\nexpected:\n%s\nfound:\n%s", rows[i].text, rows[i].expected, out);
        }
    }
}

static void test_good(void **state)
{
    static const row rows[] = {
        {"", ""},
        {" \t\r\n;;\n# env_anim 1\n", ""},
        {"cm_reset", "1:1 cm_reset"},
        {"cm_reset()", "1:1 cm_reset"},
        {"cm_reset ( ) ;", "1:1 cm_reset"},
        {"cm_reset 80", "1:1 cm_reset"},
        {"cm_reset 80 fast", "1:1 cm_reset"},
        {"env_anim 1 3", "1:1 env_anim object=1 to=3"},
        {"  env_anim\t1  3  # both", "1:3 env_anim object=1 to=3"},
        {"env_anim(1, 3)", "1:1 env_anim object=1 to=3"},
        {"env_anim(\n1 # one\n,\r\n3\n)\n", "1:1 env_anim object=1 to=3"},
        {"env_anim 7", "1:1 env_anim object=7"},
        {"env_anim f7 0", "1:1 env_anim object=7 to=0"},
        {"env_anim 1.0 3.", "1:1 env_anim object=1 to=3"},
        {"env_anim 007", "1:1 env_anim object=7"},
        {"env_anim 2147483647", "1:1 env_anim object=2147483647"},
        {"env_setanim 501 Blackvan_FB01", "1:1 env_setanim object=501 anim=Blackvan_FB01"},
        {"env_setanim 501 OBANBlackvan", "1:1 env_setanim object=501 anim=OBANBlackvan"},
        {"env_setanim 501 \"black van\"", "1:1 env_setanim object=501 anim=black van"},
        {"env_setanim(501, \"t\xc3\xbcr #;,(\")",
         "1:1 env_setanim object=501 anim=t\xc3\xbcr #;,("},
        {"env_setanim 1 a-b+c=d", "1:1 env_setanim object=1 anim=a-b+c=d"},
        {"env_setanim 1 501", "1:1 env_setanim object=1 anim=501"},
        {"env_setanim 1 sleep", "1:1 env_setanim object=1 anim=sleep"},
        {"env_show 12 1", "1:1 env_show ref=12 visible=1"},
        {"env_show 12 false", "1:1 env_show ref=12 visible=0"},
        {"env_show(12, true)", "1:1 env_show ref=12 visible=1"},
        {"cm_anim both KonCam01", "1:1 cm_anim mode=both anim=KonCam01"},
        {"cm_anim look x", "1:1 cm_anim mode=look anim=x"},
        {"cm_anim move x", "1:1 cm_anim mode=move anim=x"},
        {"cm_anim KonCam01", "1:1 cm_anim mode=both anim=KonCam01"},
        {"cm_anim(KonCam01)", "1:1 cm_anim mode=both anim=KonCam01"},
        {"cm_anim both both", "1:1 cm_anim mode=both anim=both"},
        {"cm_interpolate x f60", "1:1 cm_interpolate anim=x frames=60"},
        {"cm_interpolate x 1000000", "1:1 cm_interpolate anim=x frames=1000000"},
        {"gs_fov_set 45", "1:1 gs_fov_set fov=45"},
        {"gs_fov_set 1.4", "1:1 gs_fov_set fov=1.39999998"},
        {"gs_fov_set 60.000000000000000000000000000000000001", "1:1 gs_fov_set fov=60"},
        {"gs_fov_set 000000000000000000000000000000000000000000045.5", "1:1 gs_fov_set fov=45.5"},
        {"cm_detach; cm_reset\ncm_detach", "1:1 cm_detach\n1:12 cm_reset\n2:1 cm_detach"},
        {"cm_detach\rcm_detach\r\ncm_detach\n\rcm_detach\n\ncm_detach",
         "1:1 cm_detach\n2:1 cm_detach\n3:1 cm_detach\n4:1 cm_detach\n6:1 cm_detach"},
        {"# t\xc3\xbcr\ncm_detach # \xff\x01", "2:1 cm_detach"},
    };
    (void)state;
    run(rows, sizeof rows / sizeof rows[0]);
}

static void test_warnings(void **state)
{
    static const row rows[] = {
        {"cm_interpolate KonCamFinish01",
         "1:1 cm_interpolate anim=KonCamFinish01 frames=0 [1:30 a missing number is taken as 0: "
         "frames]"},
        {"env_show",
         "1:1 env_show ref=0 visible=0 [1:9 a missing number is taken as 0: ref] [1:9 a "
         "missing number is taken as 0: visible]"},
        {"obj_kill;", "1:1 obj_kill object=0 [1:9 a missing number is taken as 0: object]"},
        {"obj_kill()", "1:1 obj_kill object=0 [1:10 a missing number is taken as 0: object]"},
        {"obj_kill 1 2 x", "1:1 obj_kill object=1 to=2 [1:14 an extra word 'x' is ignored]"},
        {"obj_kill 1 2 x y \"z z\"",
         "1:1 obj_kill object=1 to=2 [1:14 3 extra words from 'x' on are ignored]"},
        {"cm_detach(1,2,3,4,5,6,7,8,9,10,11,12)",
         "1:1 cm_detach [1:11 12 extra words from '1' on are ignored]"},
        {"cm_anim both x now",
         "1:1 cm_anim mode=both anim=x [1:16 an extra word 'now' is ignored]"},
    };
    (void)state;
    run(rows, sizeof rows / sizeof rows[0]);
}

static void test_bad_fields(void **state)
{
#define I32 "expected a whole number from 0 to 2147483647, found "
    static const row rows[] = {
        {"env_anim x", "1:10 bad_field object: object: " I32 "'x'"},
        {"env_anim -1", "1:10 bad_field object: object: " I32 "'-1'"},
        {"env_anim 1.9", "1:10 bad_field object: object: " I32 "'1.9'"},
        {"env_anim 3000000000", "1:10 bad_field object: object: " I32 "'3000000000'"},
        {"env_anim 1e3", "1:10 bad_field object: object: " I32 "'1e3'"},
        {"env_anim 0x10", "1:10 bad_field object: object: " I32 "'0x10'"},
        {"env_anim 60f", "1:10 bad_field object: object: " I32 "'60f'"},
        {"env_anim f", "1:10 bad_field object: object: " I32 "'f'"},
        {"env_anim f1.5", "1:10 bad_field object: object: " I32 "'f1.5'"},
        {"env_anim -", "1:10 bad_field object: object: " I32 "'-'"},
        {"env_anim .", "1:10 bad_field object: object: " I32 "'.'"},
        {"env_anim --1", "1:10 bad_field object: object: " I32 "'--1'"},
        {"env_anim 1.2.3", "1:10 bad_field object: object: " I32 "'1.2.3'"},
        {"env_anim \"5\"", "1:10 bad_field object: object: " I32 "'5'"},
        {"env_anim 1 -3", "1:12 bad_field to: to: " I32 "'-3'"},
        {"env_anim(1,\n  x)", "2:3 bad_field to: to: " I32 "'x'"},
        {"gs_fov_set nan", "1:12 bad_field fov: fov: expected a number from 1 to 179, found 'nan'"},
        {"gs_fov_set inf", "1:12 bad_field fov: fov: expected a number from 1 to 179, found 'inf'"},
        {"gs_fov_set .4", "1:12 bad_field fov: fov: expected a number from 1 to 179, found '.4'"},
        {"gs_fov_set 179.1",
         "1:12 bad_field fov: fov: expected a number from 1 to 179, found '179.1'"},
        {"gs_fov_set 99999999999999999999999999999999999999999999999",
         "1:12 bad_field fov: fov: expected a number from 1 to 179, found "
         "'9999999999999999999999999999999999999999...'"},
        {"gs_fov_set", "1:11 bad_field fov: fov: missing; expected a number from 1 to 179"},
        {"env_show 1 2",
         "1:12 bad_field visible: visible: expected 0, 1, true or false, found '2'"},
        {"env_show 1 .5",
         "1:12 bad_field visible: visible: expected 0, 1, true or false, found '.5'"},
        {"env_setanim 5", "1:14 bad_field anim: anim: missing; expected a text of 1 to 63 bytes"},
        {"env_setanim 5 # x",
         "1:18 bad_field anim: anim: missing; expected a text of 1 to 63 bytes"},
        {"env_setanim 5 \"\"",
         "1:15 bad_field anim: anim: expected a text of 1 to 63 bytes, found ''"},
        {"env_setanim 5 a234567890123456789012345678901234567890123456789012345678901234",
         "1:15 bad_field anim: anim: expected a text of 1 to 63 bytes, found "
         "'a234567890123456789012345678901234567890...'"},
        {"cm_anim", "1:8 bad_field mode: mode: missing; expected look, move or both"},
        {"cm_anim both", "1:13 bad_field anim: anim: missing; expected a text of 1 to 63 bytes"},
        {"cm_anim Both x", "1:9 bad_field mode: mode: expected look, move or both, found 'Both'"},
        {"cm_interpolate x 1000001",
         "1:18 bad_field frames: frames: expected a whole number from 0 "
         "to 1000000, found '1000001'"},
        {"env_anim x; cm_reset", "1:10 bad_field object: object: " I32 "'x'\n1:13 cm_reset"},
    };
    (void)state;
    run(rows, sizeof rows / sizeof rows[0]);
}

static void test_unknown(void **state)
{
    static const row rows[] = {
        {"env_amin 1 3", "1:1 unknown_op: no command 'env_amin'; the nearest is 'env_anim'"},
        {"Env_anim 1", "1:1 unknown_op: no command 'Env_anim'; the nearest is 'env_anim'"},
        {"zzz\ncm_reset", "1:1 unknown_op: no command 'zzz'\n2:1 cm_reset"},
        {"sleep7", "1:1 unknown_op: no command 'sleep7'"},
        {"env_anim_block 1",
         "1:1 unknown_op: no command 'env_anim_block'; commands that wait are not in this version"},
        {"env_stop 5", "1:1 unknown_op: 'env_stop' is a JSON op only: {\"op\":\"env_stop\",...}"},
        {"  camera_place",
         "1:3 unknown_op: 'camera_place' is a JSON op only: {\"op\":\"camera_place\",...}"},
    };
    (void)state;
    run(rows, sizeof rows / sizeof rows[0]);
}

static void test_bad_script(void **state)
{
    static const row rows[] = {
        {"cm_reset\n  sleep 5", "1:1 cm_reset\n2:3 bad_script: not in this version: 'sleep'"},
        {"func void main(void) {\n}", "1:1 bad_script: not in this version: 'func'"},
        {"var int x = 5;", "1:1 bad_script: not in this version: 'var'"},
        {"if (x eq 1) cm_reset", "1:1 bad_script: not in this version: 'if'"},
        {"else", "1:1 bad_script: not in this version: 'else'"},
        {"fork f", "1:1 bad_script: not in this version: 'fork'"},
        {"schedule f() at 5", "1:1 bad_script: not in this version: 'schedule'"},
        {"return", "1:1 bad_script: not in this version: 'return'"},
        {"for", "1:1 bad_script: not in this version: 'for'"},
        {"iterate over x using y cm_reset", "1:1 bad_script: not in this version: 'iterate'"},
        {"repeat 5", "1:1 bad_script: not in this version: 'repeat'"},
        {"gl_fog_start=.99", "1:1 bad_script: not in this version: assignments"},
        {"x = 5", "1:3 bad_script: not in this version: assignments"},
        {"x =5", "1:3 bad_script: not in this version: assignments"},
        {"{ cm_reset }", "1:1 bad_script: not in this version: blocks in '{' and '}'"},
        {"cm_reset }", "1:10 bad_script: not in this version: blocks in '{' and '}'"},
        {"5 cm_reset", "1:1 bad_script: expected the name of a command, found '5'"},
        {"\"cm_reset\"", "1:1 bad_script: expected the name of a command, found 'cm_reset'"},
        {"cm-reset", "1:1 bad_script: expected the name of a command, found 'cm-reset'"},
        {", 1", "1:1 bad_script: expected the name of a command, found ','"},
        {"env_anim 1, 3", "1:11 bad_script: expected a blank between words, found ','"},
        {"env_anim 1 (3)",
         "1:12 bad_script: expected a word or the end of the statement, found '('"},
        {"env_anim 1 )", "1:12 bad_script: expected a word or the end of the statement, found ')'"},
        {"env_anim(1", "1:11 bad_script: expected ',' or ')', found the end of the text"},
        {"env_anim(", "1:10 bad_script: expected a value, found the end of the text"},
        {"env_anim(1,)", "1:12 bad_script: expected a value, found ')'"},
        {"env_anim(,1)", "1:10 bad_script: expected a value, found ','"},
        {"env_anim(1;2)", "1:11 bad_script: expected ',' or ')', found ';'"},
        {"env_anim(1 2)",
         "1:12 bad_script: expected ',' or ')', found '2'; expressions are not in this version"},
        {"env_anim(f(1))",
         "1:11 bad_script: expected ',' or ')', found '('; expressions are not in this version"},
        {"env_anim(1+2)",
         "1:10 bad_script: not in this version: expressions; a name like this goes "
         "into quotes"},
        {"env_anim(a-1)",
         "1:10 bad_script: not in this version: expressions; a name like this goes "
         "into quotes"},
        {"env_anim(1) 2",
         "1:13 bad_script: expected the end of the statement after ')', found '2'"},
        {"env_setanim 1 \"x", "1:15 bad_script: expected a closing '\"' on the same line"},
        {"env_setanim 1 \"x\n\"", "1:15 bad_script: expected a closing '\"' on the same line"},
        {"env_setanim 1 \"a\tb\"",
         "1:17 bad_script: the control character U+0009 may not stand in a script"},
        {"env_setanim 1 \"\xff\"", "1:16 bad_script: this is not UTF-8"},
        {"env_setanim 1 \"\xc2\x85\"",
         "1:16 bad_script: the control character U+0085 may not stand in a script"},
        {"env_setanim 1 t\xc3\xbcr",
         "1:16 bad_script: the character U+00FC may only stand in quotes and comments"},
        {"\xef\xbb\xbf"
         "cm_reset",
         "1:1 bad_script: the character U+FEFF may only stand in quotes and comments"},
        {"\xf0\x9f\x9a\xaa",
         "1:1 bad_script: the character U+01F6AA may only stand in quotes and comments"},
        {"cm_reset\x01", "1:9 bad_script: the control character U+0001 may not stand in a script"},
        {"cm_reset \x7f",
         "1:10 bad_script: the control character U+007F may not stand in a script"},
        {"\xff", "1:1 bad_script: this is not UTF-8"},
        /* The text's own fault counts before an unknown name on its line. */
        {"nothing(1", "1:10 bad_script: expected ',' or ')', found the end of the text"},
    };
    (void)state;
    run(rows, sizeof rows / sizeof rows[0]);
}

static void test_nul(void **state)
{
    char out[512];
    (void)state;
    read_all("cm_reset\0x", 10, out, sizeof out);
    assert_string_equal(out,
                        "1:9 bad_script: the control character U+0000 may not stand in a script");
    read_all("cm_reset \"a\0b\"", 14, out, sizeof out);
    assert_string_equal(out,
                        "1:12 bad_script: the control character U+0000 may not stand in a script");
}

/* Texts cut anywhere and with any byte anywhere: an answer, and nothing read beyond the end. */
static void test_hostile(void **state)
{
    static const char text[] = "env_setanim(5, \"a b\") # c\r\ncm_anim both x; gs_fov_set 1.5\n";
    char copy[sizeof text];
    char out[8192];
    (void)state;
    for (size_t bytes = 0; bytes < sizeof text; bytes++) {
        read_all(text, bytes, out, sizeof out);
    }
    for (size_t at = 0; at < sizeof text - 1; at++) {
        for (int value = 0; value < 256; value++) {
            memcpy(copy, text, sizeof text);
            copy[at] = (char)(unsigned char)value;
            read_all(copy, sizeof text - 1, out, sizeof out);
        }
    }
}

static void test_numbers(void **state)
{
    static const char *const good[] = {"0",           "-0",
                                       "1",           "45.1",
                                       ".4",          "-1.5",
                                       "0.1",         "179.999",
                                       "60.",         "123456789012345",
                                       "-.000000001", "0.3333333333333333",
                                       "4294967295",  "16777217"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = 99;
        assert_true(word_number(oban_text_of(good[i]), &value));
        /* The same float32 as a JSON reader makes of it. */
        assert_true((float)value == (float)strtod(good[i], NULL));
    }
}

static void caret(const char *text, uint32_t line, uint32_t column, const char *expected,
                  const char *expected_caret)
{
    oban_line source;
    oban_line below;
    oban_bsl_caret(oban_text_of(text), (oban_place){line, column}, &source, &below);
    assert_string_equal(source.data, expected);
    assert_string_equal(below.data, expected_caret);
}

static void test_caret(void **state)
{
    char text[600];
    char expected[300];
    char below[300];
    (void)state;
    caret("env_amin 1 3", 1, 1, "env_amin 1 3", "^");
    caret("a\r\n\tenv x", 2, 6, "\tenv x", "\t    ^");
    caret("a\n\rb\rc", 3, 1, "c", "^");
    caret("x \"t\xc3\xbcr\" y", 1, 10, "x \"t\xc3\xbcr\" y", "        ^");
    caret("ab", 1, 3, "ab", "  ^");
    caret("ab", 1, 99, "ab", "  ^");
    caret("ab", 7, 1, "ab", "^");
    caret("", 1, 1, "", "^");
    caret("a\x01\xff"
          "b",
          1, 4, "a??b", "   ^");
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    text[300] = 'Y';
    memset(expected, 'x', sizeof expected);
    memcpy(expected, "...", 3);
    expected[103] = 'Y';
    memcpy(expected + 203, "...", 4);
    memset(below, ' ', sizeof below);
    memcpy(below + 103, "^", 2);
    caret(text, 1, 301, expected, below);
    oban_line source;
    oban_bsl_caret((oban_text){NULL, 0}, (oban_place){0, 0}, &source, &source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),       cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_bad_fields), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_bad_script), cmocka_unit_test(test_nul),
        cmocka_unit_test(test_hostile),    cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_caret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
