/* SPDX-License-Identifier: MIT */
/* The sources of options: the command line (argp), OBAND_* variables, a config file (inih).
 * Not here: the table, and what a text must be (options.c).
 * Next: store.h. */
#include "server/options.h"
#include "server/options_row.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define READ_KEY_FIRST 1000 /* argp keys of options without a letter: this and the option's id */

/* "PLACE: " in front of what stands in the message. */
static bool read_fail(oban_line *message, const char *place, uint32_t line)
{
    oban_line why = *message;
    oban_line_clear(message);
    oban_line_add(message, place);
    if (line > 0) {
        oban_line_add(message, ":");
        oban_line_add_u64(message, line);
    }
    oban_line_add(message, ": ");
    oban_line_add(message, why.data);
    return false;
}

static bool read_unknown(const char *name, size_t bytes, oban_line *message)
{
    oban_line_clear(message);
    oban_line_add(message, "no such option");
    oban_option_nearest(name, bytes, message);
    return false;
}

/* ---- the command line ----------------------------------------------------------------------- */

typedef struct read_argv {
    oban_options *options;
    oban_line *message;
    bool failed;
    char names[OBAN_OPTION_COUNT][OBAN_OPTION_NAME_MAX + 1];
    struct argp_option rows[OBAN_OPTION_COUNT + 2];
    struct argp argp;
} read_argv;

static const char read_doc[] =
    "Plays Oni object animations at 60 ticks a second and streams their matrices over WebSocket.\n"
    "\n"
    "Examples:\n"
    "  oband --anims clips --scene warehouse.json\n"
    "  oband --anims clips --listen 127.0.0.1:0 --listen unix:/tmp/oband.sock\n"
    "  oband --anims clips --manual-clock --trace wire\n"
    "  OBAND_LOG_LEVEL=debug oband --config oband.conf --print-config\n"
    "\n"
    "Options:\v"
    "Each option is also a variable (OBAND_CLIENTS_MAX; lists by commas or newlines) and a line of "
    "the config file (clients-max = 10; lists by lines): the file that --config names, else "
    "$XDG_CONFIG_HOME/oband/oband.conf, else /etc/oband.conf. The command line comes before the "
    "environment, that before the file.\n"
    "\n"
    "Exit codes: 0 stopped as asked; 1 it could not run (an address in use); 2 a wrong option, a "
    "bad scene, or no such folder of animations.";

static error_t read_argp_key(int key, char *text, struct argp_state *state)
{
    read_argv *reader = state->input;
    uint32_t id = (uint32_t)(key - READ_KEY_FIRST);
    if (key == 'h') {
        id = OBAN_OPTION_help;
    } else if (key == ARGP_KEY_ARG) {
        reader->failed = true;
        oban_line_clear(reader->message);
        oban_line_add(reader->message, "does not belong here; folders and files of animations are "
                                       "given with --anims");
        (void)read_fail(reader->message, text, 0);
        return EINVAL;
    } else if (key < READ_KEY_FIRST || id >= OBAN_OPTION_COUNT) {
        return ARGP_ERR_UNKNOWN;
    }
    if (!oban_option_set(reader->options, id, text, OBAN_FROM_ARGV, 0, reader->message)) {
        char place[OBAN_OPTION_NAME_MAX + 3];
        snprintf(place, sizeof place, "--%s", reader->names[id]);
        reader->failed = true;
        (void)read_fail(reader->message, place, 0);
        return EINVAL;
    }
    return 0;
}

/* Adds the default to a help text. */
static char *read_help_filter(int key, const char *text, void *input)
{
    uint32_t id = (uint32_t)(key - READ_KEY_FIRST);
    char *longer = NULL;
    char *same;
    int rc = -1;
    (void)input;
    memcpy(&same, &text, sizeof same); /* argp gives back only what it did not lend */
    if (key >= READ_KEY_FIRST && id < OBAN_OPTION_COUNT && text != NULL) {
        const oban_option_row *row = oban_option_row_of(id);
        if (row->kind == OBAN_OPTION_NUMBER) {
            rc = asprintf(&longer, "%s [%llu]", text, (unsigned long long)row->standard);
        } else if (row->text != NULL && row->text[0] != '\0') {
            rc = asprintf(&longer, "%s [%s]", text, row->text);
        }
    }
    return rc > 0 ? longer : same;
}

static void read_argv_init(read_argv *reader, oban_options *options, oban_line *message)
{
    *reader = (read_argv){.options = options, .message = message};
    struct argp_option *at = reader->rows;
    for (int limits = 0; limits <= 1; limits++) {
        if (limits == 1) {
            *at++ = (struct argp_option){.doc = "Limits:", .group = 2};
        }
        for (uint32_t id = 0; id < OBAN_OPTION_COUNT; id++) {
            const oban_option_row *row = oban_option_row_of(id);
            bool flag = row->kind == OBAN_OPTION_FLAG;
            if (row->limit != (limits == 1)) {
                continue;
            }
            oban_option_name(row, reader->names[id]);
            *at++ = (struct argp_option){
                .name = reader->names[id],
                .key = id == OBAN_OPTION_help ? 'h' : READ_KEY_FIRST + (int)id,
                .arg = flag && row->where == OBAN_OPTION_ANYWHERE ? "yes|no" : row->arg,
                .flags = flag && row->where == OBAN_OPTION_ANYWHERE ? OPTION_ARG_OPTIONAL : 0,
                .doc = row->help,
                .group = 1 + limits,
            };
        }
    }
    reader->argp = (struct argp){
        .options = reader->rows,
        .parser = read_argp_key,
        .doc = read_doc,
        .help_filter = read_help_filter,
    };
}

/* How many options begin with this name; the first (or the one that is the name) goes to *id. */
static uint32_t read_matches(const read_argv *reader, const char *name, size_t bytes, uint32_t *id)
{
    uint32_t count = 0;
    for (uint32_t i = OBAN_OPTION_COUNT; i-- > 0;) {
        if (strncmp(reader->names[i], name, bytes) != 0) {
            continue;
        }
        *id = i;
        count++;
        if (reader->names[i][bytes] == '\0') {
            return 1;
        }
    }
    return count;
}

/* argp's own complaints name neither the nearest option nor exit code 2, so the arguments are
 * looked over first. Returns how many the argument takes (1 or 2), or 0. */
static int read_look_over(const read_argv *reader, char **argument, oban_line *message)
{
    const char *name = argument[0] + 2;
    size_t bytes = strcspn(name, "=");
    uint32_t id = 0;
    uint32_t matches = read_matches(reader, name, bytes, &id);
    oban_line_clear(message);
    if (matches == 0) {
        (void)read_unknown(name, bytes, message);
    } else if (matches > 1) {
        oban_line_add(message, "can be several options; write the whole name");
    } else {
        bool flag = oban_option_row_of(id)->kind == OBAN_OPTION_FLAG;
        bool given = name[bytes] == '=';
        if (flag && given && oban_option_row_of(id)->where != OBAN_OPTION_ANYWHERE) {
            oban_line_add(message, "takes no value");
        } else if (!flag && !given && argument[1] == NULL) {
            oban_line_add(message, "expected ");
            oban_line_add(message, oban_option_row_of(id)->arg);
            oban_line_add(message, " behind it");
        } else {
            return flag || given ? 1 : 2;
        }
    }
    (void)read_fail(message, argument[0], 0);
    return 0;
}

static bool read_look_over_all(const read_argv *reader, int argc, char **argv, oban_line *message)
{
    for (int i = 1; i < argc;) {
        const char *text = argv[i];
        int taken = 1;
        if (strcmp(text, "--") == 0) {
            return true;
        }
        if (strncmp(text, "--", 2) == 0) {
            taken = read_look_over(reader, argv + i, message);
        } else if (text[0] == '-' && text[1] != '\0' && strcmp(text, "-h") != 0) {
            oban_line_clear(message);
            oban_line_add(message, "no such option; options have two dashes, only -h has one");
            return read_fail(message, text, 0);
        }
        if (taken == 0) {
            return false;
        }
        i += taken;
    }
    return true;
}

static bool read_from_argv(int argc, char **argv, oban_options *options, oban_line *message)
{
    read_argv reader;
    read_argv_init(&reader, options, message);
    if (!read_look_over_all(&reader, argc, argv, message)) {
        return false;
    }
    error_t rc = argp_parse(&reader.argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP,
                            NULL, &reader);
    if (rc != 0 && !reader.failed) {
        oban_line_clear(message);
        oban_line_add(message, "the arguments cannot be read: ");
        oban_line_add(message, strerror(rc));
    }
    return rc == 0;
}

void oban_options_help(FILE *out)
{
    oban_options options;
    oban_line message;
    read_argv reader;
    char name[] = "oband";
    read_argv_init(&reader, &options, &message);
    argp_help(&reader.argp, out, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, name);
}

/* ---- the environment ------------------------------------------------------------------------ */

static const char *read_variable(char *const *environment, const char *name)
{
    size_t bytes = strlen(name);
    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, name, bytes) == 0 && (*environment)[bytes] == '=') {
            return *environment + bytes + 1;
        }
    }
    return NULL;
}

/* Sets a list from texts with commas or newlines between them; empty ones are passed over. */
static bool read_set_list(oban_options *options, uint32_t id, const char *texts, oban_line *message)
{
    char *copy = strdup(texts);
    char *rest = NULL;
    bool good = copy != NULL;
    for (char *text = good ? strtok_r(copy, ",\n", &rest) : NULL; text != NULL && good;
         text = strtok_r(NULL, ",\n", &rest)) {
        text += strspn(text, " \t");
        for (size_t end = strlen(text); end > 0 && strchr(" \t\r", text[end - 1]) != NULL; end--) {
            text[end - 1] = '\0';
        }
        good = text[0] == '\0' ||
               oban_option_set(options, id, text, OBAN_FROM_ENVIRONMENT, 0, message);
    }
    free(copy);
    return good;
}

static bool read_from_variable(const char *variable, oban_options *options, oban_line *message)
{
    char name[OBAN_OPTION_NAME_MAX + 1];
    size_t bytes = strcspn(variable, "=");
    const char *text = variable + bytes + (variable[bytes] == '=');
    size_t begin = strlen("OBAND_");
    size_t length = bytes - begin;
    for (size_t i = 0; i < length && i < sizeof name; i++) {
        name[i] = (char)tolower((unsigned char)variable[begin + i]);
    }
    uint32_t id = length < sizeof name ? oban_option_find(name, length) : OBAN_OPTION_COUNT;
    oban_line place;
    oban_line_clear(&place);
    oban_line_add_text(&place, (oban_text){variable, (uint32_t)bytes});
    if (id == OBAN_OPTION_COUNT || oban_option_row_of(id)->where == OBAN_OPTION_ARGV) {
        /* Others may have variables of this beginning: told, but no error. */
        (void)read_unknown(name, length < sizeof name ? length : 0, &options->warning);
        (void)read_fail(&options->warning, place.data, 0);
        return true;
    }
    if (text[0] == '\0') {
        return true; /* empty is as good as unset */
    }
    bool good = oban_option_row_of(id)->kind == OBAN_OPTION_LIST
                    ? read_set_list(options, id, text, message)
                    : oban_option_set(options, id, text, OBAN_FROM_ENVIRONMENT, 0, message);
    return good || read_fail(message, place.data, 0);
}

static bool read_from_environment(char *const *environment, oban_options *options,
                                  oban_line *message)
{
    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, "OBAND_", 6) == 0 &&
            !read_from_variable(*environment, options, message)) {
            return false;
        }
    }
    return true;
}

/* ---- the config file ------------------------------------------------------------------------ */

typedef struct read_file {
    oban_options *options;
    oban_line *message;
    FILE *stream;
    uint32_t line; /* counted here, since not every inih tells it */
    bool failed;
} read_file;

static void read_file_fail(read_file *file, const char *name, const char *why)
{
    if (!file->failed) {
        if (why != NULL) {
            oban_line_clear(file->message);
            oban_line_add(file->message, why);
        }
        if (name != NULL) {
            (void)read_fail(file->message, name, 0);
        }
        (void)read_fail(file->message, file->options->config_path, file->line);
        file->failed = true;
    }
}

static int read_file_key(void *context, const char *section, const char *name, const char *text)
{
    read_file *file = context;
    uint32_t id = oban_option_find(name, strlen(name));
    if (section[0] != '\0' && strcmp(section, "oband") != 0) {
        read_file_fail(file, section, "no such section; there is [oband] or none");
    } else if (id == OBAN_OPTION_COUNT) {
        (void)read_unknown(name, strlen(name), file->message);
        read_file_fail(file, name, NULL);
    } else if (oban_option_row_of(id)->where != OBAN_OPTION_ANYWHERE) {
        read_file_fail(file, name, "cannot be given in a file");
    } else if (oban_option_row_of(id)->kind != OBAN_OPTION_LIST &&
               file->options->origins[id].source == OBAN_FROM_FILE) {
        read_file_fail(file, name, "is given twice");
    } else if (!oban_option_set(file->options, id, text, OBAN_FROM_FILE, file->line,
                                file->message)) {
        read_file_fail(file, name, NULL);
    }
    return !file->failed;
}

/* fgets for inih, which would cut a long line in two without a word. */
static char *read_file_line(char *out, int size, void *context)
{
    read_file *file = context;
    if (file->failed || fgets(out, size, file->stream) == NULL) {
        return NULL;
    }
    file->line++;
    if (strchr(out, '\n') == NULL && !feof(file->stream)) {
        read_file_fail(file, NULL, "the line is too long; 190 bytes at most");
        return NULL;
    }
    return out;
}

static bool read_from_file(oban_options *options, oban_line *message)
{
    read_file file = {.options = options, .message = message};
    oban_line_clear(message);
    file.stream = fopen(options->config_path, "re");
    if (file.stream == NULL) {
        oban_line_add(message, strerror(errno));
        return read_fail(message, options->config_path, 0);
    }
    struct stat kind;
    if (fstat(fileno(file.stream), &kind) != 0 || S_ISDIR(kind.st_mode)) {
        fclose(file.stream);
        oban_line_add(message, "is a directory");
        return read_fail(message, options->config_path, 0);
    }
    ini_allow_multiline = false; /* an indented line is a line like others */
    int rc = ini_parse_stream(read_file_line, &file, read_file_key, &file);
    if (rc != 0 && !file.failed) {
        file.line = rc > 0 ? (uint32_t)rc : 0;
        read_file_fail(&file, NULL, "expected 'name = value', '[oband]' or '; a comment'");
    }
    fclose(file.stream);
    return !file.failed;
}

/* The config file to read: the one named, else the first of the usual ones that is there. */
static char *read_config_path(char *const *environment, const oban_options *options)
{
    const char *base = read_variable(environment, "XDG_CONFIG_HOME");
    const char *middle = "/oband/oband.conf";
    char *path = NULL;
    if (options->config != NULL) {
        return strdup(options->config);
    }
    if (base == NULL || base[0] != '/') {
        base = read_variable(environment, "HOME");
        middle = "/.config/oband/oband.conf";
    }
    if (base != NULL && base[0] == '/' && asprintf(&path, "%s%s", base, middle) > 0) {
        FILE *there = fopen(path, "re");
        if (there != NULL) {
            fclose(there);
            return path;
        }
        free(path);
    }
    FILE *there = fopen("/etc/oband.conf", "re");
    if (there == NULL) {
        return NULL;
    }
    fclose(there);
    return strdup("/etc/oband.conf");
}

bool oban_options_read(int argc, char **argv, char *const *environment, oban_options *out,
                       oban_line *message)
{
    oban_line_clear(message);
    if (!oban_options_standard(out)) {
        oban_line_add(message, "out of memory");
        return false;
    }
    if (!read_from_argv(argc, argv, out, message)) {
        return false;
    }
    if (out->help || out->version) {
        return true; /* must help even those whose config is broken */
    }
    if (!read_from_environment(environment, out, message)) {
        return false;
    }
    out->config_path = read_config_path(environment, out);
    return out->config_path == NULL || read_from_file(out, message);
}
