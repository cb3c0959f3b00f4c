/* SPDX-License-Identifier: MIT */
/* See answer.h. Any result can be shown; those of commands are said in words. */
#include "clients/obanctl/answer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SCALARS_MAX = 16 };

/* ---- values ---------------------------------------------------------------------------------- */

static void add_number(ctl_page *page, double number)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%.0f", number);
    if (number < -9007199254740992.0 || number > 9007199254740992.0 ||
        (double)(int64_t)number != number) {
        (void)snprintf(text, sizeof text, "%.9g", number);
    }
    page_add(page, text);
}

static void add_string(ctl_page *page, const char *string)
{
    bool quote = string[0] == '\0' || strpbrk(string, " =\"") != NULL;

    page_add(page, quote ? "\"" : "");
    page_safe(page, string);
    page_add(page, quote ? "\"" : "");
}

/* Not recursive by more than the depth that the parser allows (16). */
static void add_container(ctl_page *page, const oban_json *value, bool keys)
{
    bool first = true;

    page_add(page, keys ? "{" : "[");
    for (const oban_json *one = oban_json_first(value); one != NULL; one = oban_json_next(one)) {
        page_add(page, first ? "" : " ");
        first = false;
        if (keys) {
            page_safe(page, oban_json_key(one));
            page_add(page, "=");
        }
        answer_value(page, one);
    }
    page_add(page, keys ? "}" : "]");
}

void answer_value(ctl_page *page, const oban_json *value)
{
    switch (oban_json_type_of(value)) {
    case OBAN_JSON_NULL:
        page_add(page, "-");
        break;
    case OBAN_JSON_BOOL:
        page_add(page, oban_json_bool(value) ? "yes" : "no");
        break;
    case OBAN_JSON_NUMBER:
        add_number(page, oban_json_number(value));
        break;
    case OBAN_JSON_STRING:
        add_string(page, oban_json_string(value));
        break;
    case OBAN_JSON_ARRAY:
        add_container(page, value, false);
        break;
    case OBAN_JSON_OBJECT:
        add_container(page, value, true);
        break;
    }
}

static bool named(const char *const *names, const char *key)
{
    for (; names != NULL && *names != NULL; ++names) {
        if (strcmp(*names, key) == 0) {
            return true;
        }
    }
    return false;
}

void answer_members(ctl_page *page, const oban_json *object, const char *const *without)
{
    for (const oban_json *one = oban_json_first(object); one != NULL; one = oban_json_next(one)) {
        if (!named(without, oban_json_key(one))) {
            page_add(page, " ");
            page_safe(page, oban_json_key(one));
            page_add(page, "=");
            answer_value(page, one);
        }
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* Lists that say what a command did, and to which objects. */
static const char *const done_lists[] = {"created", "killed",   "started", "stopped", "paused",
                                         "resumed", "shown",    "hidden",  "placed",  "defined",
                                         "jammed",  "unjammed", NULL};

static void add_end(ctl_page *page, const oban_json *ends)
{
    if (oban_json_type_of(ends) == OBAN_JSON_NULL) {
        page_add(page, ", does not end by itself");
    } else {
        page_add(page, ", stops at tick ");
        answer_value(page, ends);
    }
}

/* " (life 2, run 3)"; a first life goes without saying. */
static void add_counts(ctl_page *page, const oban_json *life, const oban_json *run)
{
    bool says_life = life != NULL && oban_json_number(life) != 1.0;

    if (!says_life && run == NULL) {
        return;
    }
    page_add(page, says_life ? " (life " : " (run ");
    answer_value(page, says_life ? life : run);
    if (says_life && run != NULL) {
        page_add(page, ", run ");
        answer_value(page, run);
    }
    page_add(page, ")");
}

/* How things are called, and the member with their part. */
static const char *const things[][2] = {
    {"object", "part"}, {"door", "leaf"}, {"character", NULL}, {NULL, NULL}};

bool answer_thing(ctl_page *page, const oban_json *item)
{
    for (size_t i = 0; things[i][0] != NULL; ++i) {
        const oban_json *number = oban_json_member(item, things[i][0]);
        const oban_json *part = things[i][1] != NULL ? oban_json_member(item, things[i][1]) : NULL;

        if (number == NULL) {
            continue;
        }
        page_add(page, things[i][0]);
        page_add(page, " ");
        answer_value(page, number);
        if (part != NULL && oban_json_number(part) != 0.0) {
            page_add(page, ".");
            answer_value(page, part);
        }
        return true;
    }
    return false;
}

/* "started object 501.1 (life 2, run 3), stops at tick 12416" */
static void add_done(ctl_page *page, const char *verb, const oban_json *item)
{
    const oban_json *life = oban_json_member(item, "life");
    const oban_json *run = oban_json_member(item, "run");
    const oban_json *ends = oban_json_member(item, "ends");

    page_safe(page, verb);
    page_add(page, " ");
    answer_thing(page, item);
    add_counts(page, life, run);
    if (ends != NULL) {
        add_end(page, ends);
    }
    page_add(page, "\n");
}

static bool is_done_item(const char *list, const oban_json *item)
{
    bool is_thing = false;

    for (size_t i = 0; things[i][0] != NULL; ++i) {
        is_thing = is_thing || oban_json_member(item, things[i][0]) != NULL;
    }
    return named(done_lists, list) && is_thing;
}

static void add_list(ctl_page *page, const oban_json *list)
{
    const char *key = oban_json_key(list);
    const oban_json *first = oban_json_first(list);
    oban_json_type type = first != NULL ? oban_json_type_of(first) : OBAN_JSON_NULL;

    if (type != OBAN_JSON_OBJECT && type != OBAN_JSON_ARRAY && type != OBAN_JSON_STRING) {
        bool nothing = first == NULL && named(done_lists, key);

        page_add(page, nothing ? "nothing " : "");
        page_safe(page, key);
        page_add(page, nothing ? "" : ": ");
        if (!nothing) {
            answer_value(page, list);
        }
        page_add(page, "\n");
        return;
    }
    for (const oban_json *one = first; one != NULL; one = oban_json_next(one)) {
        if (is_done_item(key, one)) {
            add_done(page, key, one);
            continue;
        }
        page_safe(page, key);
        page_add(page, ":");
        if (oban_json_type_of(one) == OBAN_JSON_OBJECT) {
            answer_members(page, one, NULL);
        } else {
            page_add(page, " ");
            answer_value(page, one);
        }
        page_add(page, "\n");
    }
}

/* "camera (run 3), stops at tick 12416": what cm_anim and cm_interpolate give. */
static bool add_camera_run(ctl_page *page, const oban_json *result)
{
    const oban_json *run = oban_json_member(result, "run");
    const oban_json *ends = oban_json_member(result, "ends");

    if (run == NULL || ends == NULL || oban_json_count(result) != 2) {
        return false;
    }
    page_add(page, "started camera (run ");
    answer_value(page, run);
    page_add(page, ")");
    add_end(page, ends);
    page_add(page, "\n");
    return true;
}

static void add_result(ctl_page *page, const oban_json *result);

/* A member of a result. That a BSL text is done goes without saying; each of its statements has a
 * result of its own. */
static void add_member(ctl_page *page, const oban_json *one, bool done)
{
    static const char *const silent[] = {"task", "state", NULL};
    const char *key = oban_json_key(one);
    bool is_list = oban_json_type_of(one) == OBAN_JSON_ARRAY;

    if (is_list && strcmp(key, "results") == 0) {
        for (const oban_json *item = oban_json_first(one); item != NULL;
             item = oban_json_next(item)) {
            add_result(page, item);
        }
    } else if (is_list) {
        add_list(page, one);
    } else if (!done || !named(silent, key)) {
        page_safe(page, key);
        page_add(page, ": ");
        answer_value(page, one);
        page_add(page, "\n");
    }
}

/* Not recursive by more than the depth that the parser allows (16). */
static void add_result(ctl_page *page, const oban_json *result)
{
    const oban_json *state;
    bool done;

    if (oban_json_type_of(result) != OBAN_JSON_OBJECT) {
        answer_value(page, result);
        page_add(page, "\n");
        return;
    }
    if (add_camera_run(page, result)) {
        return;
    }
    if (oban_json_first(result) == NULL) {
        page_add(page, "done\n");
    }
    state = oban_json_member(result, "state");
    done = state != NULL && oban_json_type_of(state) == OBAN_JSON_STRING &&
           strcmp(oban_json_string(state), "done") == 0;
    for (const oban_json *one = oban_json_first(result); one != NULL; one = oban_json_next(one)) {
        add_member(page, one, done);
    }
}

/* ---- warnings and errors --------------------------------------------------------------------- */

static const char *string_of(const oban_json *object, const char *key)
{
    const oban_json *value =
        oban_json_type_of(object) == OBAN_JSON_OBJECT ? oban_json_member(object, key) : NULL;

    return value != NULL && oban_json_type_of(value) == OBAN_JSON_STRING ? oban_json_string(value)
                                                                         : NULL;
}

static void add_warnings(ctl_page *page, const oban_json *root)
{
    const oban_json *list = oban_json_member(root, "warnings");
    bool is_list = list != NULL && oban_json_type_of(list) == OBAN_JSON_ARRAY;

    for (const oban_json *one = is_list ? oban_json_first(list) : NULL; one != NULL;
         one = oban_json_next(one)) {
        const char *message = string_of(one, "message");

        page_add(page, "warning: ");
        if (oban_json_type_of(one) == OBAN_JSON_STRING) {
            page_safe(page, oban_json_string(one));
        } else if (message != NULL) {
            page_safe(page, message);
        } else {
            answer_value(page, one);
        }
        page_add(page, "\n");
    }
}

/* What somebody who got the code can do, from our own table of codes. */
static const char *advice_of(const char *code)
{
    static const struct {
        const char *word;
        const char *advice;
    } rows[] = {
#define OBAN_STATUS(name, word, number, meaning, advice) {word, advice},
#include "core/base/status.def"
#undef OBAN_STATUS
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (strcmp(rows[i].word, code) == 0) {
            return rows[i].advice;
        }
    }
    return "";
}

static void add_caret(ctl_page *page, const oban_json *root)
{
    const char *source = string_of(root, "source");
    const char *caret = string_of(root, "caret");

    if (source != NULL && caret != NULL) {
        page_add(page, "  ");
        for (; *source != '\0'; ++source) { /* tabs stay, so that the caret stands right */
            size_t plain = strcspn(source, "\t");

            page_safe_bytes(page, source, plain);
            source += plain;
            if (*source == '\0') {
                break;
            }
            page_add(page, "\t");
        }
        page_add(page, "\n  ");
        for (; *caret != '\0'; ++caret) {
            page_add(page, *caret == '\t' ? "\t" : *caret == '^' ? "^" : " ");
        }
        page_add(page, "\n");
    }
}

/* Whether the message sends people to help as the advice does. */
static bool says_help(const char *message, const char *advice)
{
    static const char words[] = "see help";

    return message != NULL && strstr(message, words) != NULL &&
           strncmp(advice, words, sizeof words - 1) == 0;
}

static void add_error(ctl_page *page, const oban_json *root)
{
    const char *code = string_of(root, "code");
    const char *message = string_of(root, "message");
    const oban_json *line = oban_json_member(root, "line");
    const oban_json *column = oban_json_member(root, "column");
    const char *advice = code != NULL ? advice_of(code) : "";

    page_add(page, "error ");
    page_safe(page, code != NULL ? code : "?");
    if (line != NULL && column != NULL) {
        page_add(page, " at line ");
        answer_value(page, line);
        page_add(page, ", column ");
        answer_value(page, column);
    }
    page_add(page, ": ");
    page_safe(page, message != NULL ? message : "no message");
    page_add(page, "\n");
    add_caret(page, root);
    if (advice[0] != '\0' && !says_help(message, advice)) {
        page_format(page, "  (%s)\n", advice);
    }
}

bool answer_print(ctl_session *session)
{
    const oban_json *result = oban_json_member(session->root, "result");
    ctl_page complaint;

    if (session->kind == MESSAGE_ERROR) {
        session->exit = EXIT_REFUSED;
    }
    if (session->options->json) {
        page_json_line(&session->out, session->text.data, session->text.bytes);
        return session_write(session);
    }
    page_init(&complaint);
    if (session->kind == MESSAGE_ERROR) {
        add_error(&complaint, session->root);
    } else if (result != NULL) {
        add_result(&session->out, result);
    }
    add_warnings(&complaint, session->root);
    if (complaint.text.bytes > 0) {
        (void)page_write(&complaint, STDERR_FILENO);
    }
    page_fini(&complaint);
    return session_write(session);
}
