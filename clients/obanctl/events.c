/* SPDX-License-Identifier: MIT */
/* obanctl events: what comes about, one line each, written at once.
 * Next: answer.h. */
#include "clients/obanctl/answer.h"
#include "clients/obanctl/command.h"
#include "clients/obanctl/signals.h"

#include <string.h>

static const char *const in_front[] = {"op",   "seq",    "tick", "type", "kind",      "part",
                                       "life", "object", "door", "leaf", "character", NULL};

static void add_word(ctl_page *page, const oban_json *root, const char *key, unsigned columns)
{
    const oban_json *value = oban_json_member(root, key);
    bool is_word = value != NULL && oban_json_type_of(value) == OBAN_JSON_STRING;
    const char *word = is_word ? oban_json_string(value) : "";
    unsigned wide = page_columns(word);

    page_cell(page, word, wide > columns ? wide : columns, false);
}

/* "#1207 tick 12345  stop     object 501.1 (life 2) run=3 anim=Blackvan_FB01 frame=70 reason=end"
 */
static void add_event(ctl_session *session)
{
    ctl_page *page = &session->out;
    int64_t life = session_number(session, "life");

    page_format(page, "#%lld tick %lld  ", (long long)session_number(session, "seq"),
                (long long)session_number(session, "tick"));
    add_word(page, session->root, "type", 8);
    page_add(page, " ");
    if (!answer_thing(page, session->root)) {
        add_word(page, session->root, "kind", 0);
    }
    if (life > 1) {
        page_format(page, " (life %lld)", (long long)life);
    }
    answer_members(page, session->root, in_front);
    page_add(page, "\n");
}

void events_run(ctl_session *session)
{
    const ctl_options *options = session->options;
    int64_t end_us = session_seconds(options->for_s);
    uint64_t printed = 0;

    signals_start(session->connection);
    for (;;) {
        session_news news = session_next(session, end_us);

        if (news == SESSION_OVER || connection_now_us() >= end_us) {
            return;
        }
        if (news != SESSION_MESSAGE || session->kind != MESSAGE_EVENT) {
            continue;
        }
        if (options->json) {
            page_json_line(&session->out, session->text.data, session->text.bytes);
        } else {
            add_event(session);
        }
        if (!session_write(session) || ++printed == options->count) {
            return;
        }
    }
}
