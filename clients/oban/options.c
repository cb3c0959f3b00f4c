/* SPDX-License-Identifier: MIT */
/* See options.h. By hand rather than by argp: options that take three numbers, or negative ones,
 * are not for it. */
#include "clients/oban/options.h"

#include "clients/oban/command.h"
#include "clients/oban/formats.h"
#include "clients/obanctl/memory.h"
#include "clients/obanctl/page.h"
#include "core/base/assert.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tool_option common_options[] = {
    {"json", 'j', NULL, "for programs: JSON on standard output"},
    {"help", 'h', NULL, "this, or with a command: more about it"},
    {"version", 'V', NULL, "the version"},
    {0},
};

typedef struct parse {
    tool_args *args;
    char **words; /* what is left of the command line */
    int left;
    bool help;
} parse;

void args_misuse(const char *format, ...)
{
    char *line = NULL;
    va_list arguments;

    va_start(arguments, format);
    if (vasprintf(&line, format, arguments) >= 0) {
        page_complain("%s", line);
        free(line);
    }
    va_end(arguments);
    page_complain("see oban --help");
    exit(TOOL_MISUSE);
}

/* ---- help ------------------------------------------------------------------------------------ */

static void print_options(FILE *to, const tool_option *options)
{
    for (const tool_option *one = options; one->name != NULL; one++) {
        char left[64];

        (void)snprintf(left, sizeof left, "--%s%s%s", one->name, one->value != NULL ? " " : "",
                       one->value != NULL ? one->value : "");
        (void)fprintf(to, "  %c%c%s %-26s %s\n", one->letter != '\0' ? '-' : ' ',
                      one->letter != '\0' ? one->letter : ' ', one->letter != '\0' ? "," : " ",
                      left, one->help);
    }
}

static void print_help(FILE *to)
{
    (void)fputs("Usage: oban COMMAND [OPTION...] [ARGUMENT...]\n"
                "Looks at, checks and converts Oni's object animations.\n\n"
                "Examples:\n"
                "  oban info level3_Final.dat                  what a level holds\n"
                "  oban check anims/                           what is wrong there\n"
                "  oban convert --to xml -o out/ OBANvan.oni   one format to another\n"
                "  oban matrix --euler 60 40 20                angles to a matrix\n\n"
                "Commands:\n",
                to);
    for (const tool_command *one = tool_commands; one->name != NULL; one++) {
        (void)fprintf(to, "  %-8s %-12s %s\n", one->name, one->args, one->help);
    }
    (void)fputs("\nOptions of all commands:\n", to);
    print_options(to, common_options);
    (void)fputs("\nFormats:\n", to);
    for (const tool_format *one = tool_formats; one->name != NULL; one++) {
        (void)fprintf(to, "  %-8s %s\n", one->name, one->help);
    }
    (void)fputs("\nA PATH is a file or a folder; - is standard input. NO_COLOR=1 turns colours "
                "off.\n\n"

                "Exit codes: 0 done, 1 something is wrong with a file, 4 out of memory, 64 wrong\n"
                "command line, 74 the output cannot be written.\n"
                "oban COMMAND --help tells more; so does man oban.\n",
                to);
}

static void print_command_help(const tool_command *command)
{
    (void)printf("Usage: oban %s [OPTION...] %s\n%s: %s.\n\n%s\nOptions:\n", command->name,
                 command->args, command->name, command->help, command->more);
    print_options(stdout, command->options);
    print_options(stdout, common_options);
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool args_read_number(const char *word, double *out)
{
    char *end = NULL;
    double value = strtod(word, &end);

    if (end == word || *end != '\0' || !isfinite(value) || strpbrk(word, "xX \t\n") != NULL) {
        return false;
    }
    *out = value;
    return true;
}

bool args_read_whole(const char *word, int64_t *out)
{
    char *end = NULL;
    long long value;

    errno = 0;
    value = strtoll(word, &end, 10);
    if (end == word || *end != '\0' || errno != 0 || strpbrk(word, " \t\n") != NULL) {
        return false;
    }
    *out = value;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint32_t value_count(const tool_option *option)
{
    uint32_t count = option->value != NULL ? 1 : 0;

    for (const char *at = option->value; at != NULL && *at != '\0'; at++) {
        count += *at == ' ' ? 1 : 0;
    }
    return count;
}

static const tool_option *find_in(const tool_option *options, const char *name, size_t bytes,
                                  char letter)
{
    for (const tool_option *one = options; one->name != NULL; one++) {
        bool same = name != NULL ? strlen(one->name) == bytes && memcmp(one->name, name, bytes) == 0
                                 : one->letter == letter;
        if (same) {
            return one;
        }
    }
    return NULL;
}

static const tool_option *find_option(const parse *into, const char *name, size_t bytes,
                                      char letter)
{
    const tool_option *found = find_in(common_options, name, bytes, letter);

    if (found == NULL && into->args->command != NULL) {
        found = find_in(into->args->command->options, name, bytes, letter);
    }
    return found;
}

/* Takes the values that follow; `glued` is one that stood in the same word, or NULL. */
static void take_option(parse *into, const tool_option *option, char *glued)
{
    tool_args *args = into->args;
    uint32_t needed = value_count(option) - (glued != NULL ? 1 : 0);
    tool_given *given;

    if (option == &common_options[0]) {
        args->json = true;
        return;
    }
    if (option == &common_options[1]) {
        into->help = true;
        return;
    }
    if (option == &common_options[2]) {
        (void)puts("oban " OBAN_VERSION);
        exit(TOOL_DONE);
    }
    if (needed > (uint32_t)into->left) {
        args_misuse("--%s needs %s behind it", option->name, option->value);
    }
    args->given = memory_resize(args->given, (args->given_count + 1) * sizeof *args->given);
    given = &args->given[args->given_count++];
    given->option = option;
    given->values = memory_take((value_count(option) + 1) * sizeof *given->values);
    given->values[0] = glued;
    for (uint32_t i = glued != NULL ? 1 : 0; i < value_count(option); i++) {
        given->values[i] = *into->words++;
        into->left--;
    }
}

static void take_long(parse *into, char *name)
{
    char *equals = strchr(name, '=');
    size_t bytes = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const tool_option *option = find_option(into, name, bytes, '\0');

    if (option == NULL) {
        args_misuse("%s%sno option '--%.*s'",
                    into->args->command != NULL ? into->args->command->name : "",
                    into->args->command != NULL ? " has " : "there is ", (int)bytes, name);
    }
    if (equals != NULL && value_count(option) == 0) {
        args_misuse("--%s takes no value", option->name);
    }
    take_option(into, option, equals != NULL ? equals + 1 : NULL);
}

/* "-f", "-o FILE", "-oFILE", "-fo FILE". */
static void take_letters(parse *into, char *letters)
{
    while (*letters != '\0') {
        const tool_option *option = find_option(into, NULL, 0, *letters);

        if (option == NULL) {
            args_misuse("%s%sno option '-%c'",
                        into->args->command != NULL ? into->args->command->name : "",
                        into->args->command != NULL ? " has " : "there is ", *letters);
        }
        letters++;
        if (value_count(option) > 0) {
            take_option(into, option, *letters != '\0' ? letters : NULL);
            return;
        }
        take_option(into, option, NULL);
    }
}

static void take_word(tool_args *args, char *word)
{
    if (args->command == NULL) {
        args->command = tool_command_find(word);
        if (args->command == NULL) {
            args_misuse("no command '%s'; oban --help lists them", word);
        }
        return;
    }
    args->words = memory_resize(args->words, (args->word_count + 1) * sizeof *args->words);
    args->words[args->word_count++] = word;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && word[1] != '.' && (word[1] < '0' || word[1] > '9');
}

void args_parse(tool_args *args, int argc, char **argv)
{
    parse into = {.args = args, .words = argv + 1, .left = argc - 1};
    bool options_end = false;

    memset(args, 0, sizeof *args);
    while (into.left > 0) {
        char *word = *into.words++;

        into.left--;
        if (options_end || !is_option(word)) {
            take_word(args, word);
        } else if (strcmp(word, "--") == 0) {
            options_end = true;
        } else if (word[1] == '-') {
            take_long(&into, word + 2);
        } else {
            take_letters(&into, word + 1);
        }
    }
    if (into.help && args->command != NULL) {
        print_command_help(args->command);
        exit(TOOL_DONE);
    }
    if (into.help || args->command == NULL) {
        print_help(into.help ? stdout : stderr);
        exit(into.help ? TOOL_DONE : TOOL_MISUSE);
    }
}

void args_fini(tool_args *args)
{
    for (uint32_t i = 0; i < args->given_count; i++) {
        free(args->given[i].values);
    }
    free(args->given);
    free(args->words);
    memset(args, 0, sizeof *args);
}

/* ---- what was given -------------------------------------------------------------------------- */

char **args_values(const tool_args *args, const char *name)
{
    OBAN_ASSERT(find_in(args->command->options, name, strlen(name), '\0') != NULL);
    for (uint32_t i = args->given_count; i > 0; i--) {
        if (strcmp(args->given[i - 1].option->name, name) == 0) {
            return args->given[i - 1].values;
        }
    }
    return NULL;
}

bool args_has(const tool_args *args, const char *name)
{
    return args_values(args, name) != NULL;
}

const char *args_value(const tool_args *args, const char *name)
{
    char **values = args_values(args, name);
    return values != NULL ? values[0] : NULL;
}

double args_number(const tool_args *args, const char *name, double lo, double hi, double fallback)
{
    const char *word = args_value(args, name);
    double value = fallback;

    if (word != NULL && (!args_read_number(word, &value) || value < lo || value > hi)) {
        args_misuse("--%s: expected a number from %g to %g, found '%s'", name, lo, hi, word);
    }
    return value;
}

int64_t args_whole(const tool_args *args, const char *name, int64_t lo, int64_t hi,
                   int64_t fallback)
{
    const char *word = args_value(args, name);
    int64_t value = fallback;

    if (word != NULL && (!args_read_whole(word, &value) || value < lo || value > hi)) {
        args_misuse("--%s: expected a whole number from %lld to %lld, found '%s'", name,
                    (long long)lo, (long long)hi, word);
    }
    return value;
}
