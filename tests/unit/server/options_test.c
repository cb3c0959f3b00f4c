/* SPDX-License-Identifier: MIT */
/* Options: precedence of the four sources, lists, every limit at its ends and one beyond, and
 * messages that say where and what. Next: store_test.c. */
#include "server/options.h"
#include "server/options_row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define WORDS_MAX 16

static char file_path[64];

static void write_file(const char *text)
{
    strcpy(file_path, "/tmp/oban-options-XXXXXX");
    int fd = mkstemp(file_path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* Reads options from words and variables, each list ended by NULL. */
static bool read_words(const char *const *words, const char *const *variables, oban_options *out,
                       oban_line *message)
{
    char *argv[WORDS_MAX + 2] = {NULL};
    char *environment[WORDS_MAX + 1] = {NULL};
    int argc = 0;
    int count = 0;
    argv[argc++] = strdup("oband");
    for (; words[argc - 1] != NULL; argc++) {
        argv[argc] = strdup(words[argc - 1]);
    }
    for (; variables[count] != NULL; count++) {
        environment[count] = strdup(variables[count]);
    }
    char *kept[WORDS_MAX + 2]; /* argp turns argv around */
    memcpy(kept, argv, sizeof kept);
    bool good = oban_options_read(argc, argv, environment, out, message);
    for (int i = 0; i < argc; i++) {
        free(kept[i]);
    }
    for (int i = 0; i < count; i++) {
        free(environment[i]);
    }
    return good;
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NONE ((const char *const[]){NULL})

static void fails(const char *const *words, const char *const *variables, const char *expected)
{
    oban_options options;
    oban_line message;
    assert_false(read_words(words, variables, &options, &message));
    assert_string_equal(message.data, expected);
    oban_options_fini(&options);
}

static void fails_in_file(const char *text, const char *expected)
{
    oban_options options;
    oban_line message;
    write_file(text);
    assert_false(read_words(WORDS("--config", file_path), NONE, &options, &message));
    assert_memory_equal(message.data, file_path, strlen(file_path));
    assert_string_equal(message.data + strlen(file_path), expected);
    oban_options_fini(&options);
    unlink(file_path);
}

static void defaults(void **state)
{
    oban_options options;
    oban_line message;
    oban_limits standard = oban_limits_standard();
    (void)state;
    assert_true(read_words(NONE, NONE, &options, &message));
    assert_int_equal(options.listen.count, 1);
    assert_string_equal(options.listen.items[0], "127.0.0.1:8765");
    assert_int_equal(options.anims.count, 0);
    assert_null(options.scene);
    assert_int_equal(options.log_level, OBAN_LOG_INFO);
    assert_int_equal(options.log_format, OBAN_LOG_TEXT);
    assert_false(options.manual_clock);
    assert_memory_equal(&options.limits, &standard, sizeof standard);
    oban_options_fini(&options);
}

static void precedence(void **state)
{
    oban_options options;
    oban_line message;
    (void)state;
    write_file("; all four\n[oband]\nseed = 1\nclients-max = 11 ; a comment\nlog_level = error\n"
               "listen = 127.0.0.1:1\nlisten = 127.0.0.1:2\nmanual-clock = yes\n");
    assert_true(read_words(WORDS("--config", file_path, "--seed=3", "--listen", "unix:/tmp/x"),
                           WORDS("OBAND_SEED=2", "OBAND_CLIENTS_MAX=22", "HOME=/nonexistent"),
                           &options, &message));
    assert_int_equal(options.seed, 3);
    assert_int_equal(options.origins[OBAN_OPTION_seed].source, OBAN_FROM_ARGV);
    assert_int_equal(options.limits.clients_max, 22);
    assert_int_equal(options.origins[OBAN_OPTION_clients_max].source, OBAN_FROM_ENVIRONMENT);
    assert_int_equal(options.log_level, OBAN_LOG_ERROR);
    assert_int_equal(options.origins[OBAN_OPTION_log_level].source, OBAN_FROM_FILE);
    assert_int_equal(options.origins[OBAN_OPTION_log_level].line, 5);
    assert_int_equal(options.origins[OBAN_OPTION_objects_max].source, OBAN_FROM_DEFAULT);
    assert_true(options.manual_clock);
    assert_int_equal(options.listen.count, 1); /* a higher source replaces the list */
    assert_string_equal(options.listen.items[0], "unix:/tmp/x");
    oban_options_fini(&options);
    unlink(file_path);
}

static void lists(void **state)
{
    oban_options options;
    oban_line message;
    (void)state;
    assert_true(read_words(
        WORDS("--anims", "a", "--anims=b", "--allow-origin", "https://x.org"),
        WORDS("OBAND_LISTEN=127.0.0.1:0, [::1]:0\nunix:/tmp/a b,", "OBAND_ALLOW_HOST=oni.test"),
        &options, &message));
    assert_int_equal(options.anims.count, 2);
    assert_string_equal(options.anims.items[1], "b");
    assert_int_equal(options.listen.count, 3);
    assert_string_equal(options.listen.items[1], "[::1]:0");
    assert_string_equal(options.listen.items[2], "unix:/tmp/a b");
    assert_string_equal(options.allow_host.items[0], "oni.test");
    assert_string_equal(options.allow_origin.items[0], "https://x.org");
    oban_options_fini(&options);
}

static void flags(void **state)
{
    static const char *const yes[] = {"--manual-clock", "--manual-clock=yes", "--manual-clock=1"};
    oban_options options;
    oban_line message;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_true(read_words(WORDS(yes[i]), NONE, &options, &message));
        assert_true(options.manual_clock);
        oban_options_fini(&options);
    }
    assert_true(read_words(WORDS("--manual-clock=no"), WORDS("OBAND_MANUAL_CLOCK=true"), &options,
                           &message));
    assert_false(options.manual_clock);
    oban_options_fini(&options);
    fails(WORDS("--manual-clock=maybe"), NONE, "--manual-clock: expected yes or no, found 'maybe'");
}

/* Reads --NAME=VALUE of a limit. */
static bool limit_taken(const char *member, uint64_t value)
{
    oban_options options;
    oban_line message;
    oban_line word;
    oban_line_clear(&word);
    oban_line_add(&word, "--");
    oban_line_add(&word, member);
    for (uint32_t i = 0; i < word.bytes; i++) {
        word.data[i] = word.data[i] == '_' ? '-' : word.data[i];
    }
    oban_line_add(&word, "=");
    oban_line_add_u64(&word, value);
    bool taken = read_words(WORDS(word.data), NONE, &options, &message);
    oban_options_fini(&options);
    return taken;
}

static void every_limit_at_its_ends(void **state)
{
    (void)state;
#define OBAN_LIMIT(name, standard, lowest, highest, help)                                          \
    assert_true(limit_taken(#name, lowest));                                                       \
    assert_true(limit_taken(#name, highest));                                                      \
    assert_true(limit_taken(#name, standard));                                                     \
    assert_false(limit_taken(#name, (uint64_t)(lowest)-1));                                        \
    assert_false(limit_taken(#name, (uint64_t)(highest) + 1));
#include "server/limits.def"
#undef OBAN_LIMIT
}

static void messages_say_where(void **state)
{
    (void)state;
    fails(WORDS("--clients-mx", "3"), NONE,
          "--clients-mx: no such option; the nearest is 'clients-max'");
    fails(WORDS("--clients-max", "0"), NONE,
          "--clients-max: expected a whole number from 1 to 100000, found '0'");
    fails(WORDS("--clients-max=18446744073709551617"), NONE,
          "--clients-max: expected a whole number from 1 to 100000, found "
          "'18446744073709551617'");
    fails(WORDS("--seed"), NONE, "--seed: expected NUMBER behind it");
    fails(WORDS("--version=1"), NONE, "--version=1: takes no value");
    fails(WORDS("--log-level", "loud"), NONE,
          "--log-level: expected error|warn|info|debug, found 'loud'");
    fails(WORDS("-x"), NONE, "-x: no such option; options have two dashes, only -h has one");
    fails(WORDS("clips"), NONE,
          "clips: does not belong here; folders and files of animations are given with --anims");
    fails(WORDS("--l"), NONE, "--l: can be several options; write the whole name");
    fails(WORDS("--listen", "8765"), NONE,
          "--listen: '8765' is no address; expected HOST:PORT (127.0.0.1:8765), [::1]:PORT or "
          "unix:PATH");
    fails(WORDS("--allow-host", "a:1"), NONE,
          "--allow-host: expected a host name without a port, found 'a:1'");
    fails(WORDS("--config", "/nonexistent/x"), NONE, "/nonexistent/x: No such file or directory");
    fails(NONE, WORDS("OBAND_SEED=x"),
          "OBAND_SEED: expected a whole number from 0 to 9007199254740991, found 'x'");
}

static void messages_say_the_line(void **state)
{
    (void)state;
    fails_in_file("seed = 1\nsede = 2\n", ":2: sede: no such option; the nearest is 'seed'");
    fails_in_file("\nseed = 1\nseed = 2\n", ":3: seed: is given twice");
    fails_in_file("config = x\n", ":1: config: cannot be given in a file");
    fails_in_file("help = yes\n", ":1: help: cannot be given in a file");
    fails_in_file("[limits]\nseed = 1\n", ":2: limits: no such section; there is [oband] or none");
    fails_in_file("; fine\n  nonsense\n",
                  ":2: expected 'name = value', '[oband]' or '; a comment'");
    fails_in_file("trace = all\n", ":1: trace: expected off|wire, found 'all'");
    char text[400];
    memset(text, 'a', sizeof text);
    memcpy(text, "scene = ", 8);
    text[sizeof text - 1] = '\0';
    fails_in_file(text, ":1: the line is too long; 190 bytes at most");
}

/* Strict as everywhere: a value of lower rank that is wrong is told too. */
static void lower_sources_are_checked(void **state)
{
    (void)state;
    fails(WORDS("--seed=1"), WORDS("OBAND_SEED=x"),
          "OBAND_SEED: expected a whole number from 0 to 9007199254740991, found 'x'");
}

static void unknown_variables_are_told(void **state)
{
    oban_options options;
    oban_line message;
    (void)state;
    assert_true(read_words(NONE, WORDS("OBAND_SEDE=1"), &options, &message));
    assert_string_equal(options.warning.data, "OBAND_SEDE: no such option; the nearest is 'seed'");
    oban_options_fini(&options);
}

static void usual_file_is_read(void **state)
{
    char folder[] = "/tmp/oban-xdg-XXXXXX";
    char path[96];
    char variable[96];
    oban_options options;
    oban_line message;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "mkdir -p %s/oband && echo seed=5 > %s/oband/oband.conf", folder,
             folder);
    assert_int_equal(system(path), 0);
    snprintf(variable, sizeof variable, "XDG_CONFIG_HOME=%s", folder);
    assert_true(read_words(NONE, WORDS(variable), &options, &message));
    assert_int_equal(options.seed, 5);
    oban_options_fini(&options);
    snprintf(path, sizeof path, "rm -r %s", folder);
    assert_int_equal(system(path), 0);
}

/* What is printed gives the same options again. */
static void printed_options_read_back(void **state)
{
    oban_options options;
    oban_line message;
    char *text = NULL;
    size_t bytes = 0;
    (void)state;
    assert_true(read_words(WORDS("--anims=a b", "--anims=c", "--trace=wire", "--message-s=7",
                                 "--scene=s.json", "--manual-clock"),
                           NONE, &options, &message));
    FILE *out = open_memstream(&text, &bytes);
    oban_options_print(&options, out);
    fclose(out);
    oban_options_fini(&options);
    write_file(text);
    assert_true(read_words(WORDS("--config", file_path), NONE, &options, &message));
    assert_int_equal(options.anims.count, 2);
    assert_string_equal(options.anims.items[0], "a b");
    assert_int_equal(options.trace, 1);
    assert_int_equal(options.limits.message_s, 7);
    assert_string_equal(options.scene, "s.json");
    assert_true(options.manual_clock);
    oban_options_fini(&options);
    unlink(file_path);
    free(text);
}

static void help_begins_with_examples(void **state)
{
    char *text = NULL;
    size_t bytes = 0;
    (void)state;
    FILE *out = open_memstream(&text, &bytes);
    oban_options_help(out);
    fclose(out);
    const char *examples = strstr(text, "Examples:");
    const char *first = strstr(text, "--allow-host=NAME");
    assert_non_null(examples);
    assert_non_null(first);
    assert_true(examples < first);
    assert_non_null(strstr(text, "--clients-max=NUMBER"));
    free(text);
}

/* The man page is written by hand: it must know every option. */
static void man_page_knows_every_option(void **state)
{
    static char text[65536];
    (void)state;
    FILE *file = fopen("docs/man/oband.1", "r");
    if (file == NULL) {
        skip(); /* not run from the top of the tree */
    }
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    text[bytes] = '\0';
    fclose(file);
    for (uint32_t id = 0; id < OBAN_OPTION_COUNT; id++) {
        const char *member = oban_option_row_of(id)->member;
        char name[128] = "\\-\\-";
        for (size_t at = strlen(name); *member != '\0'; member++) {
            bool dash = *member == '_';
            at += (size_t)snprintf(name + at, sizeof name - at, dash ? "\\-" : "%c", *member);
        }
        if (strstr(text, name) == NULL) {
            print_error("docs/man/oband.1 does not tell of %s\n", name);
        }
        assert_non_null(strstr(text, name));
    }
}

static void help_in_spite_of_a_broken_config(void **state)
{
    oban_options options;
    oban_line message;
    (void)state;
    assert_true(read_words(WORDS("-h"), WORDS("OBAND_SEED=x", "OBAND_CONFIG=/nonexistent"),
                           &options, &message));
    assert_true(options.help);
    oban_options_fini(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(precedence),
        cmocka_unit_test(lists),
        cmocka_unit_test(flags),
        cmocka_unit_test(every_limit_at_its_ends),
        cmocka_unit_test(messages_say_where),
        cmocka_unit_test(messages_say_the_line),
        cmocka_unit_test(lower_sources_are_checked),
        cmocka_unit_test(unknown_variables_are_told),
        cmocka_unit_test(usual_file_is_read),
        cmocka_unit_test(printed_options_read_back),
        cmocka_unit_test(help_begins_with_examples),
        cmocka_unit_test(man_page_knows_every_option),
        cmocka_unit_test(help_in_spite_of_a_broken_config),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
