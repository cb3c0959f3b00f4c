/* SPDX-License-Identifier: MIT */
/* The option table as rows, setting one option from a text, and printing them all.
 * Not here: where the texts come from (options_read.c).
 * Next: options_read.c. */
#include "server/options.h"

#include "core/base/assert.h"
#include "core/bsl/nearest.h"
#include "server/listen.h"
#include "server/options_row.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- what each text of a list must be -------------------------------------------------------- */

static bool option_expect(const char *text, const char *expected, oban_line *message)
{
    oban_line_clear(message);
    oban_line_add(message, "expected ");
    oban_line_add(message, expected);
    oban_line_add(message, ", found '");
    oban_line_add(message, text);
    oban_line_add(message, "'");
    return false;
}

static bool option_check_PATH(const char *text, oban_line *message)
{
    return text[0] != '\0' || option_expect(text, "a folder or a file", message);
}

static bool option_check_ADDRESS(const char *text, oban_line *message)
{
    oban_address address;
    return oban_address_parse(text, &address, message);
}

static bool option_is_host(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (!isalnum((unsigned char)text[i]) && strchr("-._", text[i]) == NULL) {
            return false;
        }
    }
    return bytes > 0 && bytes <= OBAN_LISTEN_HOST_MAX;
}

static bool option_check_HOST(const char *text, oban_line *message)
{
    return option_is_host(text, strlen(text)) ||
           option_expect(text, "a host name without a port", message);
}

static bool option_check_ORIGIN(const char *text, oban_line *message)
{
    const char *slashes = strstr(text, "://");
    bool good = slashes != NULL && slashes > text && slashes[3] != '\0' &&
                strpbrk(slashes + 3, "/?#@ ,") == NULL;
    return good || option_expect(text, "an origin such as https://example.org", message);
}

/* ---- the rows ------------------------------------------------------------------------------- */

static const oban_option_row option_rows[OBAN_OPTION_COUNT] = {
#define OBAND_LIST(m, a, c, s, h)                                                                  \
    [OBAN_OPTION_##m] = {.member = #m,                                                             \
                         .kind = OBAN_OPTION_LIST,                                                 \
                         .offset = offsetof(oban_options, m),                                      \
                         .arg = (a),                                                               \
                         .text = (s),                                                              \
                         .help = (h),                                                              \
                         .check = option_check_##c},
#define OBAND_TEXT(m, a, w, h)                                                                     \
    [OBAN_OPTION_##m] = {.member = #m,                                                             \
                         .kind = OBAN_OPTION_TEXT,                                                 \
                         .where = OBAN_OPTION_##w,                                                 \
                         .offset = offsetof(oban_options, m),                                      \
                         .arg = (a),                                                               \
                         .help = (h)},
#define OBAND_NUMBER(m, a, s, lo, hi, h)                                                           \
    [OBAN_OPTION_##m] = {.member = #m,                                                             \
                         .kind = OBAN_OPTION_NUMBER,                                               \
                         .offset = offsetof(oban_options, m),                                      \
                         .arg = (a),                                                               \
                         .standard = (s),                                                          \
                         .lowest = (lo),                                                           \
                         .highest = (hi),                                                          \
                         .help = (h)},
#define OBAND_WORD(m, words, s, h)                                                                 \
    [OBAN_OPTION_##m] = {.member = #m,                                                             \
                         .kind = OBAN_OPTION_WORD,                                                 \
                         .offset = offsetof(oban_options, m),                                      \
                         .arg = (words),                                                           \
                         .text = (s),                                                              \
                         .help = (h)},
#define OBAND_FLAG(m, w, h)                                                                        \
    [OBAN_OPTION_##m] = {.member = #m,                                                             \
                         .kind = OBAN_OPTION_FLAG,                                                 \
                         .where = OBAN_OPTION_##w,                                                 \
                         .offset = offsetof(oban_options, m),                                      \
                         .help = (h)},
#define OBAN_LIMIT(m, s, lo, hi, h)                                                                \
    [OBAN_OPTION_##m] = {.member = #m,                                                             \
                         .kind = OBAN_OPTION_NUMBER,                                               \
                         .limit = true,                                                            \
                         .offset = offsetof(oban_options, limits.m),                               \
                         .arg = "NUMBER",                                                          \
                         .standard = (s),                                                          \
                         .lowest = (lo),                                                           \
                         .highest = (hi),                                                          \
                         .help = (h)},
#include "server/limits.def"
#include "server/options.def"
#undef OBAND_LIST
#undef OBAND_TEXT
#undef OBAND_NUMBER
#undef OBAND_WORD
#undef OBAND_FLAG
#undef OBAN_LIMIT
};

const oban_option_row *oban_option_row_of(uint32_t id)
{
    OBAN_ASSERT(id < OBAN_OPTION_COUNT);
    return &option_rows[id];
}

void oban_option_name(const oban_option_row *row, char name[OBAN_OPTION_NAME_MAX + 1])
{
    size_t at = 0;
    for (; at < OBAN_OPTION_NAME_MAX && row->member[at] != '\0'; at++) {
        name[at] = row->member[at] == '_' ? '-' : row->member[at];
    }
    name[at] = '\0';
}

uint32_t oban_option_find(const char *name, size_t bytes)
{
    for (uint32_t id = 0; id < OBAN_OPTION_COUNT; id++) {
        const char *member = option_rows[id].member;
        size_t at = 0;
        while (at < bytes && member[at] != '\0' &&
               (name[at] == member[at] || (name[at] == '-' && member[at] == '_'))) {
            at++;
        }
        if (at == bytes && member[at] == '\0') {
            return id;
        }
    }
    return OBAN_OPTION_COUNT;
}

void oban_option_nearest(const char *name, size_t bytes, oban_line *message)
{
    oban_text typed = {name, bytes > 64 ? 64 : (uint32_t)bytes};
    uint32_t best = UINT32_MAX;
    char best_name[OBAN_OPTION_NAME_MAX + 1] = "";
    for (uint32_t id = 0; id < OBAN_OPTION_COUNT; id++) {
        char other[OBAN_OPTION_NAME_MAX + 1];
        oban_option_name(&option_rows[id], other);
        uint32_t distance = oban_nearest_distance(typed, oban_text_of(other));
        if (distance < best && oban_nearest_is_near(distance, typed, oban_text_of(other))) {
            best = distance;
            memcpy(best_name, other, sizeof best_name);
        }
    }
    if (best_name[0] != '\0') {
        oban_line_add(message, "; the nearest is '");
        oban_line_add(message, best_name);
        oban_line_add(message, "'");
    }
}

/* ---- setting -------------------------------------------------------------------------------- */

static void *option_member(oban_options *options, const oban_option_row *row)
{
    return (char *)options + row->offset;
}

static const void *option_member_const(const oban_options *options, const oban_option_row *row)
{
    return (const char *)options + row->offset;
}

static void option_list_clear(oban_option_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        free(list->items[i]);
    }
    free(list->items);
    *list = (oban_option_list){0};
}

static bool option_out_of_memory(oban_line *message)
{
    oban_line_clear(message);
    oban_line_add(message, "out of memory");
    return false;
}

static bool option_list_add(oban_option_list *list, const char *text, oban_line *message)
{
    char **items = realloc(list->items, (list->count + 1u) * sizeof *items);
    if (items == NULL) {
        return option_out_of_memory(message);
    }
    list->items = items;
    list->items[list->count] = strdup(text);
    if (list->items[list->count] == NULL) {
        return option_out_of_memory(message);
    }
    list->count++;
    return true;
}

static bool option_read_number(const oban_option_row *row, const char *text, uint64_t *out,
                               oban_line *message)
{
    uint64_t value = 0;
    size_t digits = strspn(text, "0123456789");
    bool good = digits > 0 && text[digits] == '\0';
    for (size_t i = 0; i < digits && good; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        good = value <= (UINT64_MAX - digit) / 10u;
        value = value * 10u + digit;
    }
    if (good && value >= row->lowest && value <= row->highest) {
        *out = value;
        return true;
    }
    oban_line_clear(message);
    oban_line_add(message, "expected a whole number from ");
    oban_line_add_u64(message, row->lowest);
    oban_line_add(message, " to ");
    oban_line_add_u64(message, row->highest);
    oban_line_add(message, ", found '");
    oban_line_add(message, text);
    oban_line_add(message, "'");
    return false;
}

/* The place of a text among words with bars between them; UINT32_MAX: none. */
static uint32_t option_word_index(const char *words, const char *text)
{
    size_t bytes = strlen(text);
    uint32_t index = 0;
    for (const char *at = words;; index++) {
        size_t word = strcspn(at, "|");
        if (word == bytes && memcmp(at, text, bytes) == 0) {
            return index;
        }
        if (at[word] == '\0') {
            return UINT32_MAX;
        }
        at += word + 1;
    }
}

static bool option_read_word(const oban_option_row *row, const char *text, uint32_t *out,
                             oban_line *message)
{
    uint32_t index = option_word_index(row->arg, text);
    if (index == UINT32_MAX) {
        return option_expect(text, row->arg, message);
    }
    *out = index;
    return true;
}

static bool option_read_flag(const char *text, bool *out, oban_line *message)
{
    uint32_t yes = text == NULL ? 0 : option_word_index("yes|true|on|1", text);
    uint32_t no = text == NULL ? UINT32_MAX : option_word_index("no|false|off|0", text);
    if (yes == UINT32_MAX && no == UINT32_MAX) {
        return option_expect(text, "yes or no", message);
    }
    *out = yes != UINT32_MAX;
    return true;
}

typedef union option_value {
    uint64_t number;
    uint32_t word;
    bool flag;
} option_value;

static bool option_read(const oban_option_row *row, const char *text, option_value *value,
                        oban_line *message)
{
    switch (row->kind) {
    case OBAN_OPTION_LIST:
        return row->check(text, message);
    case OBAN_OPTION_TEXT:
        return text[0] != '\0' || option_expect(text, row->arg, message);
    case OBAN_OPTION_NUMBER:
        return option_read_number(row, text, &value->number, message);
    case OBAN_OPTION_WORD:
        return option_read_word(row, text, &value->word, message);
    case OBAN_OPTION_FLAG:
        return option_read_flag(text, &value->flag, message);
    }
    return false;
}

static bool option_store(const oban_option_row *row, void *member, const option_value *value,
                         const char *text, bool anew, oban_line *message)
{
    switch (row->kind) {
    case OBAN_OPTION_LIST:
        if (anew) {
            option_list_clear(member);
        }
        return option_list_add(member, text, message);
    case OBAN_OPTION_TEXT:
        free(*(char **)member);
        *(char **)member = strdup(text);
        return *(char **)member != NULL || option_out_of_memory(message);
    case OBAN_OPTION_NUMBER:
        *(uint64_t *)member = value->number;
        return true;
    case OBAN_OPTION_WORD:
        *(uint32_t *)member = value->word;
        return true;
    case OBAN_OPTION_FLAG:
        *(bool *)member = value->flag;
        return true;
    }
    return false;
}

bool oban_option_set(oban_options *options, uint32_t id, const char *text,
                     oban_option_source source, uint32_t line, oban_line *message)
{
    const oban_option_row *row = oban_option_row_of(id);
    option_value value = {0};
    if (!option_read(row, text, &value, message)) {
        return false;
    }
    if (source < options->origins[id].source) {
        return true;
    }
    bool anew = options->origins[id].source != source;
    options->origins[id].source = source;
    options->origins[id].line = line;
    return option_store(row, option_member(options, row), &value, text, anew, message);
}

bool oban_options_standard(oban_options *options)
{
    oban_line ignored;
    *options = (oban_options){0};
    for (uint32_t id = 0; id < OBAN_OPTION_COUNT; id++) {
        const oban_option_row *row = &option_rows[id];
        void *member = option_member(options, row);
        if (row->kind == OBAN_OPTION_NUMBER) {
            *(uint64_t *)member = row->standard;
        } else if (row->text != NULL && row->text[0] != '\0' &&
                   !oban_option_set(options, id, row->text, OBAN_FROM_DEFAULT, 0, &ignored)) {
            return false;
        }
    }
    return true;
}

void oban_options_fini(oban_options *options)
{
    for (uint32_t id = 0; id < OBAN_OPTION_COUNT; id++) {
        void *member = option_member(options, &option_rows[id]);
        if (option_rows[id].kind == OBAN_OPTION_LIST) {
            option_list_clear(member);
        } else if (option_rows[id].kind == OBAN_OPTION_TEXT) {
            free(*(char **)member);
        }
    }
    free(options->config_path);
    *options = (oban_options){0};
}

/* ---- printing ------------------------------------------------------------------------------- */

static void option_print_source(const oban_options *options, uint32_t id, FILE *out)
{
    static const char *const words[] = {"default", "file", "environment", "command line"};
    oban_option_source source = options->origins[id].source;
    if (source == OBAN_FROM_FILE && option_rows[id].kind == OBAN_OPTION_LIST) {
        fprintf(out, "  ; %s\n", options->config_path); /* of several lines */
    } else if (source == OBAN_FROM_FILE) {
        fprintf(out, "  ; %s:%u\n", options->config_path, options->origins[id].line);
    } else {
        fprintf(out, "  ; %s\n", words[source]);
    }
}

static void option_print_word(const char *words, uint32_t index, FILE *out)
{
    const char *at = words;
    for (; index > 0; index--) {
        at += strcspn(at, "|") + 1;
    }
    fprintf(out, "%.*s", (int)strcspn(at, "|"), at);
}

static void option_print_list(const oban_options *options, uint32_t id, const char *name, FILE *out)
{
    const oban_option_list *list = option_member_const(options, &option_rows[id]);
    for (uint32_t i = 0; i < list->count; i++) {
        fprintf(out, "%s = %s", name, list->items[i]);
        option_print_source(options, id, out);
    }
    if (list->count == 0) {
        fprintf(out, "; %s is not given\n", name);
    }
}

static void option_print_one(const oban_options *options, uint32_t id, FILE *out)
{
    const oban_option_row *row = &option_rows[id];
    const void *member = option_member_const(options, row);
    char name[OBAN_OPTION_NAME_MAX + 1];
    oban_option_name(row, name);
    if (row->kind == OBAN_OPTION_LIST) {
        option_print_list(options, id, name, out);
        return;
    }
    if (row->kind == OBAN_OPTION_TEXT && *(char *const *)member == NULL) {
        fprintf(out, "; %s is not given\n", name);
        return;
    }
    fprintf(out, "%s = ", name);
    if (row->kind == OBAN_OPTION_TEXT) {
        fprintf(out, "%s", *(char *const *)member);
    } else if (row->kind == OBAN_OPTION_NUMBER) {
        fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)member);
    } else if (row->kind == OBAN_OPTION_WORD) {
        option_print_word(row->arg, *(const uint32_t *)member, out);
    } else {
        fprintf(out, "%s", *(const bool *)member ? "yes" : "no");
    }
    option_print_source(options, id, out);
}

void oban_options_print(const oban_options *options, FILE *out)
{
    fprintf(out, "; oband %s: its options as a config file, with where each comes from\n",
            OBAN_VERSION);
    for (int limits = 0; limits <= 1; limits++) {
        for (uint32_t id = 0; id < OBAN_OPTION_COUNT; id++) {
            if (option_rows[id].where == OBAN_OPTION_ANYWHERE && option_rows[id].limit == limits) {
                option_print_one(options, id, out);
            }
        }
    }
}
