/* SPDX-License-Identifier: MIT */
/* obanctl info and help: one question, one answer.
 * Next: answer.h. */
#include "clients/obanctl/answer.h"
#include "clients/obanctl/command.h"

#include <string.h>

void info_run(ctl_session *session)
{
    if (session_ask(session, "info", NULL, NULL)) {
        (void)answer_print(session);
    }
}

static const char *word(const oban_json *object, const char *key)
{
    const oban_json *value =
        oban_json_type_of(object) == OBAN_JSON_OBJECT ? oban_json_member(object, key) : NULL;

    return value != NULL && oban_json_type_of(value) == OBAN_JSON_STRING ? oban_json_string(value)
                                                                         : "";
}

static bool yes(const oban_json *object, const char *key)
{
    const oban_json *value =
        oban_json_type_of(object) == OBAN_JSON_OBJECT ? oban_json_member(object, key) : NULL;

    return value != NULL && oban_json_type_of(value) == OBAN_JSON_BOOL && oban_json_bool(value);
}

static const oban_json *list(const oban_json *object, const char *key)
{
    const oban_json *value = object != NULL && oban_json_type_of(object) == OBAN_JSON_OBJECT
                                 ? oban_json_member(object, key)
                                 : NULL;

    return value != NULL && oban_json_type_of(value) == OBAN_JSON_ARRAY ? value : NULL;
}

static void add_field(ctl_page *page, const oban_json *field)
{
    page_add(page, "  ");
    page_cell(page, word(field, "name"), 14, false);
    page_add(page, " ");
    page_cell(page, word(field, "type"), 10, false);
    page_add(page, yes(field, "required") ? " required  " : "           ");
    page_safe(page, word(field, "help"));
    page_add(page, "\n");
}

/* One op: in a list a line, alone with its fields. */
static void add_op(ctl_page *page, const oban_json *op, bool alone)
{
    const oban_json *fields = list(op, "args");

    page_cell(page, word(op, "op"), 16, false);
    page_add(page, " ");
    page_safe(page, word(op, "help"));
    page_add(page, yes(op, "bsl") ? " (also in BSL)\n" : "\n");
    for (const oban_json *one = alone && fields != NULL ? oban_json_first(fields) : NULL;
         one != NULL; one = oban_json_next(one)) {
        add_field(page, one);
    }
}

static void print_ops(ctl_session *session, const oban_json *ops, bool alone)
{
    const char *group = "";

    for (const oban_json *one = oban_json_first(ops); one != NULL; one = oban_json_next(one)) {
        if (!alone && strcmp(group, word(one, "group")) != 0) {
            page_add(&session->out, group[0] != '\0' ? "\n" : "");
            group = word(one, "group");
            page_safe(&session->out, group);
            page_add(&session->out, ":\n");
        }
        add_op(&session->out, one, alone);
    }
    (void)session_write(session);
}

void help_run(ctl_session *session)
{
    const ctl_options *options = session->options;
    const char *name = options->arg_count > 0 ? options->args[0] : NULL;
    const oban_json *ops;

    if (!session_ask(session, "help", name != NULL ? "name" : NULL, name)) {
        return;
    }
    ops = list(oban_json_member(session->root, "result"), "ops");
    if (options->json || session->kind == MESSAGE_ERROR || ops == NULL) {
        (void)answer_print(session);
        return;
    }
    print_ops(session, ops, name != NULL);
}
