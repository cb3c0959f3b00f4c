/* SPDX-License-Identifier: MIT */
/* See session.h. */
#include "clients/obanctl/session.h"

#include "clients/obanctl/memory.h"
#include "clients/obanctl/refusal.h"
#include "clients/obanctl/screen.h"
#include "clients/obanctl/signals.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHOLE_MAX (((int64_t)1 << 53) - 1) /* protocol 1 */

/* ---- failing --------------------------------------------------------------------------------- */

void session_fail(ctl_session *session, exit_code code, const char *why)
{
    if (!session->over) {
        session->over = true;
        session->exit = code;
        screen_leave(); /* else the complaint goes with the other screen */
        page_complain("%s", why);
    }
}

void session_fail_message(ctl_session *session, const char *why)
{
    static const char *const ops[] = {
#define SESSION_X(NAME, op) [MESSAGE_##NAME] = (op),
        SESSION_MESSAGES(SESSION_X)
#undef SESSION_X
            [MESSAGE_OTHER] = "message"};
    char line[OBAN_LINE_BYTES + 128];

    (void)snprintf(line, sizeof line, "the daemon sent a bad %s: %s", ops[session->kind], why);
    session_fail(session, EXIT_LOST, line);
}

static void fail_unreachable(ctl_session *session, bool denied)
{
    const ctl_address *address = &session->options->address;
    char line[OBAN_LINE_BYTES + sizeof address->url + 64];
    oban_line why;

    if (!refusal_explain(address, &why)) {
        oban_line_clear(&why);
        oban_line_add(&why, connection_why(session->connection));
    }
    (void)snprintf(line, sizeof line, "%s %s: %s",
                   denied ? "no WebSocket is given at" : "nobody answers at", address->url,
                   why.data);
    session_fail(session, EXIT_UNREACHABLE, line);
    if (!denied) {
        page_complain("is it running? start one with: make run  or  oband --scene FILE");
    }
}

/* ---- opening and closing --------------------------------------------------------------------- */

int64_t session_seconds(double seconds)
{
    return seconds > 0.0 ? connection_now_us() + (int64_t)(seconds * 1e6) : CONNECTION_FOREVER;
}

int64_t session_deadline(const ctl_session *session)
{
    return session_seconds(session->options->timeout_s);
}

bool session_open(ctl_session *session, const ctl_options *options, bool watches)
{
    ctl_address address = options->address;
    char line[sizeof address.url + 64];
    oban_text ignored;

    memset(session, 0, sizeof *session);
    session->options = options;
    page_init(&session->out);
    if (!watches && !address_query(&address, "subscribe=none")) {
        session_fail(session, EXIT_MISUSE, "the URL's path is too long");
        return false;
    }
    session->connection = connection_open(&address);
    switch (connection_next(session->connection, session_deadline(session), &ignored)) {
    case CONNECTION_OPENED:
        return true;
    case CONNECTION_DENIED:
        fail_unreachable(session, true);
        return false;
    case CONNECTION_TIME:
        (void)snprintf(line, sizeof line, "no answer from %s within %g s", options->address.url,
                       options->timeout_s);
        session_fail(session, EXIT_UNREACHABLE, line);
        return false;
    default:
        fail_unreachable(session, false);
        return false;
    }
}

void session_close(ctl_session *session)
{
    signals_stop();
    oban_json_free(session->root);
    session->root = NULL;
    connection_close(session->connection);
    page_fini(&session->out);
}

/* ---- messages -------------------------------------------------------------------------------- */

static message_kind kind_of(const char *op)
{
    static const char *const ops[] = {
#define SESSION_X(NAME, op) [MESSAGE_##NAME] = (op),
        SESSION_MESSAGES(SESSION_X)
#undef SESSION_X
    };

    for (int kind = 0; kind < MESSAGE_OTHER; ++kind) {
        if (strcmp(ops[kind], op) == 0) {
            return (message_kind)kind;
        }
    }
    return MESSAGE_OTHER;
}

static bool read_message(ctl_session *session)
{
    oban_json_fault fault;
    const oban_json *op = NULL;
    oban_line why;
    oban_status status;

    session->kind = MESSAGE_OTHER;
    status = oban_json_parse(session->text.data, session->text.bytes, &session->root, &fault);
    if (status == OBAN_NO_MEMORY) {
        memory_out();
    }
    if (status != OBAN_OK) {
        session->root = NULL;
        oban_line_clear(&why);
        oban_line_add(&why, "byte ");
        oban_line_add_u64(&why, fault.offset);
        oban_line_add(&why, ": ");
        oban_line_add(&why, fault.message.data);
        session_fail_message(session, why.data);
        return false;
    }
    if (oban_json_type_of(session->root) == OBAN_JSON_OBJECT) {
        op = oban_json_member(session->root, "op");
    }
    if (op == NULL || oban_json_type_of(op) != OBAN_JSON_STRING) {
        session_fail_message(session, "not an object with an op");
        return false;
    }
    session->kind = kind_of(oban_json_string(op));
    return true;
}

static void fail_lost(ctl_session *session)
{
    char line[1024];

    (void)snprintf(line, sizeof line, "lost %s: %s", session->options->address.url,
                   connection_why(session->connection));
    session_fail(session, EXIT_LOST, line);
}

session_news session_next(ctl_session *session, int64_t deadline_us)
{
    oban_json_free(session->root);
    session->root = NULL;
    for (;;) {
        connection_news news =
            session->over ? CONNECTION_ENDED
                          : connection_next(session->connection, deadline_us, &session->text);

        switch (news) {
        case CONNECTION_MESSAGE:
            return read_message(session) ? SESSION_MESSAGE : SESSION_OVER;
        case CONNECTION_LINE:
            return SESSION_LINE;
        case CONNECTION_INPUT_END:
            return SESSION_INPUT_END;
        case CONNECTION_TIME:
            return SESSION_TIME;
        case CONNECTION_WOKEN:
            if (!signals_stopped()) {
                return SESSION_TIME; /* a resize, a Ctrl-Z: look at the flags */
            }
            session->over = true;
            return SESSION_OVER;
        case CONNECTION_OPENED:
            break;
        default:
            fail_lost(session);
            return SESSION_OVER;
        }
    }
}

int64_t session_number(const ctl_session *session, const char *key)
{
    const oban_json *value = session->root != NULL ? oban_json_member(session->root, key) : NULL;
    int64_t number = -1;

    return value != NULL && oban_json_integer(value, 0, WHOLE_MAX, &number) ? number : -1;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Whether the newest message answers the request of that id. */
static bool answers(const ctl_session *session, int64_t id)
{
    const oban_json *re = oban_json_member(session->root, "re");

    return re != NULL &&
           (id < 0 || session_number(session, "re") == id ||
            (session->kind == MESSAGE_ERROR && oban_json_type_of(re) == OBAN_JSON_NULL));
}

bool session_answer(ctl_session *session, int64_t id)
{
    int64_t deadline_us = session_deadline(session);
    char line[64];

    for (;;) {
        switch (session_next(session, deadline_us)) {
        case SESSION_MESSAGE:
            if (session->kind != MESSAGE_REPLY && session->kind != MESSAGE_ERROR) {
                break; /* frames may flood: the time is looked at below */
            }
            if (!answers(session, id)) {
                session_fail_message(session, "it answers another request");
                return false;
            }
            return true;
        case SESSION_TIME:
            break;
        default:
            return false;
        }
        if (connection_now_us() >= deadline_us) {
            (void)snprintf(line, sizeof line, "no answer within %g s", session->options->timeout_s);
            session_fail(session, EXIT_LOST, line);
            return false;
        }
    }
}

bool session_ask(ctl_session *session, const char *op, const char *key, const char *value)
{
    oban_writer request;

    oban_writer_init(&request, memory_alloc());
    oban_writer_object_begin(&request);
    oban_writer_key(&request, "op");
    oban_writer_string(&request, op);
    oban_writer_key(&request, "id");
    oban_writer_i64(&request, ++session->last_id);
    if (key != NULL) {
        oban_writer_key(&request, key);
        oban_writer_string(&request, value);
    }
    oban_writer_object_end(&request);
    connection_send(session->connection, request.data, request.bytes);
    oban_writer_fini(&request);
    return session_answer(session, session->last_id);
}

/* ---- output ---------------------------------------------------------------------------------- */

bool session_write(ctl_session *session)
{
    char line[256];

    if (page_write(&session->out, STDOUT_FILENO)) {
        return true;
    }
    if (errno == EPIPE || signals_stopped()) {
        session->over = true; /* the reader has had enough, or the user has */
        return false;
    }
    (void)snprintf(line, sizeof line, "standard output: %s", strerror(errno));
    session_fail(session, EXIT_OUTPUT, line);
    return false;
}
