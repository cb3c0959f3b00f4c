/* SPDX-License-Identifier: MIT */
/* See options.h. argp reads the options; which command takes which is in the table of commands. */
#include "clients/obanctl/options.h"

#include "clients/obanctl/command.h"
#include "clients/obanctl/exits.h"
#include "clients/obanctl/memory.h"
#include "clients/obanctl/page.h"

#include <argp.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_S 10.0
#define SECONDS_MAX 1e9

enum {
    KEY_URL = 'u',
    KEY_TIMEOUT = 't',
    KEY_JSON = 'j',
    KEY_RATE = 'r',
    KEY_FOR = 'f',
    KEY_COUNT = 'n',
    KEY_HELP = 'h',
    KEY_VERSION = 'V',
    KEY_USAGE = 0x100
};

static const struct argp_option option_rows[] = {
    {"url", KEY_URL, "URL", 0, "where the daemon is: ws://HOST:PORT/ws or unix:PATH", 0},
    {"timeout", KEY_TIMEOUT, "S", 0, "seconds to wait for the connection and each answer (10)", 0},
    {"json", KEY_JSON, NULL, 0, "for programs: one JSON text a line", 0},
    {"rate", KEY_RATE, "HZ", 0, "follow: at most so many redraws or lines a second", 0},
    {"for", KEY_FOR, "S", 0, "follow, events: end after so many seconds", 0},
    {"count", KEY_COUNT, "N", 0, "follow, events, ping: end after so many", 0},
    {"help", KEY_HELP, NULL, 0, "this, or with a command: more about it", 0},
    {"version", KEY_VERSION, NULL, 0, "the version", 0},
    {"usage", KEY_USAGE, NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

static error_t on_option(int key, char *value, struct argp_state *state);

static const struct argp parser = {.options = option_rows, .parser = on_option};

typedef struct option_use {
    unsigned bit;
    const char *name;
} option_use;

static const option_use option_uses[] = {{OPTION_JSON, "--json"},
                                         {OPTION_RATE, "--rate"},
                                         {OPTION_FOR, "--for"},
                                         {OPTION_COUNT, "--count"}};

typedef struct parse {
    ctl_options *options;
    const char *url;
    unsigned used; /* OPTION_... */
    bool wants_help;
} parse;

__attribute__((format(printf, 1, 2))) static _Noreturn void misuse(const char *format, ...)
{
    char *line = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&line, format, args) >= 0) {
        page_complain("%s", line);
        free(line);
    }
    va_end(args);
    page_complain("see obanctl --help");
    exit(EXIT_MISUSE);
}

/* ---- help ------------------------------------------------------------------------------------ */

static void print_help(FILE *to)
{
    char name[] = "obanctl"; /* argp wants it writable */

    (void)fputs(
        "Usage: obanctl [OPTION...] COMMAND [ARGUMENT...]\n"
        "Talks to a running oband, which plays Oni's object animations.\n\n"
        "Examples:\n"
        "  obanctl send 'env_anim 1 3'                 start the animations of objects 1 to 3\n"
        "  obanctl send '{\"op\":\"cm_reset\"}'            any request of the protocol as JSON\n"
        "  obanctl follow 1-5                          watch them in a live table\n"
        "  obanctl follow 7 --json --count 60 | jq .   the same for a program\n"
        "  obanctl events --for 10                     what comes about in ten seconds\n"
        "  obanctl --url unix:/run/oband.sock state    another daemon\n\n"
        "Commands:\n",
        to);
    for (const ctl_command *one = commands; one->name != NULL; ++one) {
        (void)fprintf(to, "  %-7s%-14s %s\n", one->name, one->args, one->help);
    }
    (void)fputs("\nOptions:\n", to);
    (void)setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    argp_help(&parser, to, ARGP_HELP_LONG, name);
    (void)fputs("\nThe URL is " ADDRESS_DEFAULT " unless --url or the environment variable "
                "OBANCTL_URL\nsays another. NO_COLOR=1 turns colours off.\n\n"
                "Exit codes: 0 done, 1 the daemon answered an error, 3 it could not be reached,\n"
                "4 the connection was lost or timed out, 64 wrong command line.\n"
                "obanctl COMMAND --help tells more; so does man obanctl.\n",
                to);
}

static void print_command_help(const ctl_command *command)
{
    (void)printf("Usage: obanctl [--url URL] [--timeout S]");
    for (size_t i = 0; i < sizeof option_uses / sizeof option_uses[0]; ++i) {
        static const char *const values[] = {"", " HZ", " S", " N"};

        if ((command->options & option_uses[i].bit) != 0) {
            (void)printf(" [%s%s]", option_uses[i].name, values[i]);
        }
    }
    (void)printf(" %s%s%s\n%s: %s.\n\n%s", command->name, command->args[0] != '\0' ? " " : "",
                 command->args, command->name, command->help, command->more);
}

/* ---- values ---------------------------------------------------------------------------------- */

static double positive(const char *name, const char *text, double highest)
{
    char *end = NULL;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !(value > 0.0) || value > highest) {
        misuse("%s: expected a number above 0 and at most %g, found '%s'", name, highest, text);
    }
    return value;
}

static uint64_t whole(const char *name, const char *text)
{
    char *end = NULL;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value == 0) {
        misuse("%s: expected a whole number from 1, found '%s'", name, text);
    }
    return value;
}

static void take_word(ctl_options *options, char *word)
{
    if (options->command == NULL) {
        options->command = command_find(word);
        if (options->command == NULL) {
            misuse("no command '%s'; there are send, follow, events, state, ping, info and help",
                   word);
        }
        return;
    }
    options->args =
        memory_resize(options->args, ((size_t)options->arg_count + 1) * sizeof *options->args);
    options->args[options->arg_count++] = word;
}

static error_t on_option(int key, char *value, struct argp_state *state)
{
    parse *into = state->input;
    ctl_options *options = into->options;

    switch (key) {
    case KEY_URL:
        into->url = value;
        return 0;
    case KEY_TIMEOUT:
        options->timeout_s = positive("--timeout", value, SECONDS_MAX);
        return 0;
    case KEY_JSON:
        options->json = true;
        into->used |= OPTION_JSON;
        return 0;
    case KEY_RATE:
        options->rate_hz = positive("--rate", value, 1000.0);
        into->used |= OPTION_RATE;
        return 0;
    case KEY_FOR:
        options->for_s = positive("--for", value, SECONDS_MAX);
        into->used |= OPTION_FOR;
        return 0;
    case KEY_COUNT:
        options->count = whole("--count", value);
        into->used |= OPTION_COUNT;
        return 0;
    case KEY_HELP:
        into->wants_help = true;
        return 0;
    case KEY_VERSION:
        (void)puts("obanctl " OBAN_VERSION);
        exit(EXIT_DONE);
    case KEY_USAGE:
        (void)puts("Usage: obanctl [OPTION...] COMMAND [ARGUMENT...]");
        exit(EXIT_DONE);
    case ARGP_KEY_ARG:
        take_word(options, value);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Whether the command takes what it was given. */
static void check_use(const parse *into)
{
    const ctl_options *options = into->options;
    const ctl_command *command = options->command;

    for (size_t i = 0; i < sizeof option_uses / sizeof option_uses[0]; ++i) {
        if ((into->used & option_uses[i].bit & ~command->options) != 0) {
            misuse("%s takes no %s", command->name, option_uses[i].name);
        }
    }
    if (command->args_max >= 0 && options->arg_count > command->args_max) {
        misuse("%s takes no argument '%s'", command->name, options->args[command->args_max]);
    }
    if (command->check != NULL && !command->check(options)) {
        exit(EXIT_MISUSE);
    }
}

static void find_address(const parse *into)
{
    const char *from = into->url != NULL ? "--url" : "OBANCTL_URL";
    const char *url = into->url != NULL ? into->url : getenv("OBANCTL_URL");
    oban_line message;

    url = url != NULL && url[0] != '\0' ? url : ADDRESS_DEFAULT;
    if (!address_parse(url, &into->options->address, &message)) {
        misuse("%s '%.200s': %s", from, url, message.data);
    }
}

void options_parse(ctl_options *options, int argc, char **argv)
{
    parse into = {.options = options};

    memset(options, 0, sizeof *options);
    options->timeout_s = TIMEOUT_S;
    argp_err_exit_status = EXIT_MISUSE;
    (void)argp_parse(&parser, argc, argv, ARGP_NO_HELP, NULL, &into);
    if (into.wants_help && options->command != NULL) {
        print_command_help(options->command);
        exit(EXIT_DONE);
    }
    if (into.wants_help) {
        print_help(stdout);
        exit(EXIT_DONE);
    }
    if (options->command == NULL) {
        print_help(stderr);
        exit(EXIT_MISUSE);
    }
    check_use(&into);
    find_address(&into);
}

void options_fini(ctl_options *options)
{
    free(options->args);
    options->args = NULL;
}
