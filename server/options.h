/* SPDX-License-Identifier: MIT */
/* The options of the daemon, out of one table: command line before environment before config file
 * before defaults.
 * Not here: what the options do.
 * Next: options.def, options.c, options_read.c. */
#ifndef OBAN_SERVER_OPTIONS_H
#define OBAN_SERVER_OPTIONS_H

#include "core/base/text.h"
#include "server/limits.h"
#include "server/log.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct oban_option_list {
    char **items;
    uint32_t count;
} oban_option_list;

typedef enum oban_option_id {
#define OBAND_LIST(member, arg, check, standard, help) OBAN_OPTION_##member,
#define OBAND_TEXT(member, arg, where, help) OBAN_OPTION_##member,
#define OBAND_NUMBER(member, arg, standard, lowest, highest, help) OBAN_OPTION_##member,
#define OBAND_WORD(member, words, standard, help) OBAN_OPTION_##member,
#define OBAND_FLAG(member, where, help) OBAN_OPTION_##member,
#define OBAN_LIMIT(name, standard, lowest, highest, help) OBAN_OPTION_##name,
#include "server/limits.def"
#include "server/options.def"
#undef OBAND_LIST
#undef OBAND_TEXT
#undef OBAND_NUMBER
#undef OBAND_WORD
#undef OBAND_FLAG
#undef OBAN_LIMIT
    OBAN_OPTION_COUNT
} oban_option_id;

/* In rising precedence. */
typedef enum oban_option_source {
    OBAN_FROM_DEFAULT,
    OBAN_FROM_FILE,
    OBAN_FROM_ENVIRONMENT,
    OBAN_FROM_ARGV
} oban_option_source;

typedef struct oban_options {
#define OBAND_LIST(member, arg, check, standard, help) oban_option_list member;
#define OBAND_TEXT(member, arg, where, help) char *member; /* NULL: not given */
#define OBAND_NUMBER(member, arg, standard, lowest, highest, help) uint64_t member;
#define OBAND_WORD(member, words, standard, help) uint32_t member;
#define OBAND_FLAG(member, where, help) bool member;
#include "server/options.def"
#undef OBAND_LIST
#undef OBAND_TEXT
#undef OBAND_NUMBER
#undef OBAND_WORD
#undef OBAND_FLAG
    oban_limits limits;
    struct {
        oban_option_source source;
        uint32_t line; /* in the config file */
    } origins[OBAN_OPTION_COUNT];
    char *config_path; /* the file that was read, or NULL */
    oban_line warning; /* "" or something that looks like an option and is none */
} oban_options;

/* Reads all four sources. `environment` is as environ; argv may be reordered.
 * Returns true, or false with a message that says where, what was found and what was expected.
 * Owns: end `out` with oban_options_fini either way. */
bool oban_options_read(int argc, char **argv, char *const *environment, oban_options *out,
                       oban_line *message);
void oban_options_fini(oban_options *options);

/* Writes a config file that gives these options again, with the source of each behind it. */
void oban_options_print(const oban_options *options, FILE *out);
/* Writes what --help says. */
void oban_options_help(FILE *out);

#endif
