/* SPDX-License-Identifier: MIT */
/* The command line: a command, its words and its options, read by the command's own table. Options
 * may stand anywhere; "--" ends them; "-5" and "-.5" are words, not options; every command takes
 * --json, --help and --version.
 * Next: options.c, command.h. */
#ifndef OBAN_TOOL_OPTIONS_H
#define OBAN_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct tool_command;

/* One option of a command. A table ends with an empty row. */
typedef struct tool_option {
    const char *name;  /* without the dashes */
    char letter;       /* '\0': none */
    const char *value; /* as the help shows it; "X Y Z": that many words follow. NULL: none */
    const char *help;  /* one line */
} tool_option;

/* An option that was given; in the order of the command line. */
typedef struct tool_given {
    const tool_option *option;
    char **values; /* as many as the option takes */
} tool_given;

typedef struct tool_args {
    const struct tool_command *command;
    char **words; /* all but options and their values */
    uint32_t word_count;
    tool_given *given;
    uint32_t given_count;
    bool json;
} tool_args;

/* Reads the command line. Prints help or the version, or complains, and exits then (0 or 64).
 * Owns: args_fini. */
void args_parse(tool_args *args, int argc, char **argv);
void args_fini(tool_args *args);

/* Of an option that the command's table has (an assert): was it given; the first of its values and
 * all of them (NULL when not given; of several the last counts). */
bool args_has(const tool_args *args, const char *name);
const char *args_value(const tool_args *args, const char *name);
char **args_values(const tool_args *args, const char *name);
/* The value as a number from lo to hi; `fallback` when not given; complains and exits (64) when it
 * is no such number. */
double args_number(const tool_args *args, const char *name, double lo, double hi, double fallback);
int64_t args_whole(const tool_args *args, const char *name, int64_t lo, int64_t hi,
                   int64_t fallback);

/* A word as a finite number, or as a whole one; false when it is none (a point, no comma, no hex).
 */
bool args_read_number(const char *word, double *out);
bool args_read_whole(const char *word, int64_t *out);

/* Complains about the command line and exits (64). */
__attribute__((format(printf, 1, 2))) _Noreturn void args_misuse(const char *format, ...);

#endif
