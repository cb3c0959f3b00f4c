/* SPDX-License-Identifier: MIT */
/* What options.c and options_read.c share: the rows of the option table, and setting one option.
 * Not here: anything for others (options.h).
 * Next: options.c. */
#ifndef OBAN_SERVER_OPTIONS_ROW_H
#define OBAN_SERVER_OPTIONS_ROW_H

#include "server/options.h"

#include <stddef.h>

#define OBAN_OPTION_NAME_MAX 31u

typedef enum oban_option_kind {
    OBAN_OPTION_LIST,
    OBAN_OPTION_TEXT,
    OBAN_OPTION_NUMBER,
    OBAN_OPTION_WORD,
    OBAN_OPTION_FLAG
} oban_option_kind;

typedef enum oban_option_where {
    OBAN_OPTION_ANYWHERE,
    OBAN_OPTION_NOT_FILE,
    OBAN_OPTION_ARGV
} oban_option_where;

typedef struct oban_option_row {
    const char *member; /* with underscores */
    oban_option_kind kind;
    oban_option_where where;
    bool limit;       /* a row of limits.def */
    size_t offset;    /* of the member in oban_options */
    const char *arg;  /* what stands behind the name in --help; of a WORD its words */
    const char *text; /* default of a LIST or WORD */
    uint64_t standard;
    uint64_t lowest;
    uint64_t highest;
    const char *help;
    bool (*check)(const char *text, oban_line *message); /* of a LIST; NULL: none */
} oban_option_row;

const oban_option_row *oban_option_row_of(uint32_t id);

/* The name as people write it, with dashes. */
void oban_option_name(const oban_option_row *row, char name[OBAN_OPTION_NAME_MAX + 1]);
/* Finds an option by its name; dashes and underscores are the same. Returns OBAN_OPTION_COUNT when
 * there is none. */
uint32_t oban_option_find(const char *name, size_t bytes);
/* Adds "; the nearest is 'x'", if one is near. */
void oban_option_nearest(const char *name, size_t bytes, oban_line *message);

/* Sets one option from a text, unless a source of higher rank has set it already; the text is
 * checked either way. Texts of one source add up in a LIST. `text` NULL sets a FLAG. Returns false
 * with what was expected, without the option's name. */
bool oban_option_set(oban_options *options, uint32_t id, const char *text,
                     oban_option_source source, uint32_t line, oban_line *message);
/* Sets all defaults. */
bool oban_options_standard(oban_options *options);

#endif
