/* SPDX-License-Identifier: MIT */
/* A conversation with the daemon: messages parsed and named, requests and their answers matched,
 * output, and what went wrong as an exit code. Whatever fails here has already been complained of.
 * Not here: the socket (connection.h), what a command does.
 * Next: command.h. */
#ifndef OBANCTL_SESSION_H
#define OBANCTL_SESSION_H

#include "clients/obanctl/connection.h"
#include "clients/obanctl/exits.h"
#include "clients/obanctl/options.h"
#include "clients/obanctl/page.h"
#include "proto/json/json.h"

#include <stdbool.h>
#include <stdint.h>

/* Messages of the daemon that obanctl knows. X(NAME, op) */
#define SESSION_MESSAGES(X)                                                                        \
    X(HELLO, "hello")                                                                              \
    X(SNAPSHOT, "snapshot")                                                                        \
    X(SNAPSHOT_END, "snapshot_end")                                                                \
    X(FRAME, "frame")                                                                              \
    X(EVENT, "event")                                                                              \
    X(REPLY, "reply")                                                                              \
    X(ERROR, "error")

typedef enum message_kind {
#define SESSION_X(NAME, op) MESSAGE_##NAME,
    SESSION_MESSAGES(SESSION_X)
#undef SESSION_X
        MESSAGE_OTHER /* of a later version: to be passed over */
} message_kind;

typedef enum session_news {
    SESSION_MESSAGE, /* kind, root and text of the session */
    SESSION_LINE,    /* text: a line of standard input */
    SESSION_INPUT_END,
    SESSION_TIME, /* the deadline has come */
    SESSION_OVER  /* failed or asked to stop: return */
} session_news;

typedef struct ctl_session {
    const ctl_options *options;
    ctl_connection *connection;
    ctl_page out; /* standard output */
    exit_code exit;
    bool over;
    message_kind kind;
    oban_json *root; /* of the newest message */
    oban_text text;  /* NUL-terminated */
    int64_t last_id;
} ctl_session;

/* Connects. Returns false when that failed. Owns: session_close in any case. */
bool session_open(ctl_session *session, const ctl_options *options, bool watches);
void session_close(ctl_session *session);

/* The next news, until a deadline of connection_now_us. A message stays until the next call. */
session_news session_next(ctl_session *session, int64_t deadline_us);
/* The deadline that --timeout sets from now. */
int64_t session_deadline(const ctl_session *session);
/* The earlier one of a deadline and so many seconds from now; 0 seconds: never. */
int64_t session_seconds(double seconds);

/* Waits for the answer to the request sent last: kind is then REPLY or ERROR. `id` is the id that
 * it must name; negative: any. Returns false when there is none. */
bool session_answer(ctl_session *session, int64_t id);
/* Sends a request without fields but `key` (NULL: none), and waits for its answer. */
bool session_ask(ctl_session *session, const char *op, const char *key, const char *value);

/* Writes what is in session->out. Returns false when nobody takes it; the session is then over. */
bool session_write(ctl_session *session);
/* Ends the session with a code and complains. */
void session_fail(ctl_session *session, exit_code code, const char *why);
/* The same for a message that breaks the protocol. */
void session_fail_message(ctl_session *session, const char *why);

/* A member of the newest message that is a whole number; -1 when there is none. */
int64_t session_number(const ctl_session *session, const char *key);

#endif
