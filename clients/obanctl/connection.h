/* SPDX-License-Identifier: MIT */
/* The WebSocket to the daemon, pulled: connection_next waits for whatever comes first (a message, a
 * line of standard input, a signal, a deadline) and hands out one at a time, so that a command
 * reads from top to bottom.
 * Not here: what messages mean (session.h), why a connection was refused (refusal.h). The only
 * file that sees libwebsockets is connection.c.
 * Next: session.h. */
#ifndef OBANCTL_CONNECTION_H
#define OBANCTL_CONNECTION_H

#include "clients/obanctl/address.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONNECTION_MESSAGE_BYTES_MAX ((size_t)256 << 20) /* from the daemon */
#define CONNECTION_LINE_BYTES_MAX ((size_t)64 << 20)     /* of standard input */
#define CONNECTION_FOREVER INT64_MAX

typedef struct ctl_connection ctl_connection;

typedef enum connection_news {
    CONNECTION_OPENED,
    CONNECTION_UNREACHABLE, /* it never came up: nobody there */
    CONNECTION_DENIED,      /* it never came up: HTTP answered something else */
    CONNECTION_MESSAGE,     /* a whole text message */
    CONNECTION_LINE,        /* a line of standard input, without its end */
    CONNECTION_INPUT_END,   /* standard input has ended */
    CONNECTION_TIME,        /* the deadline has come */
    CONNECTION_WOKEN,       /* connection_wake was called */
    CONNECTION_ENDED        /* the connection is gone: connection_why */
} connection_news;

/* Starts to connect. Never NULL: what fails is told by the first connection_next. Owns: give it
 * back with connection_close. */
ctl_connection *connection_open(const ctl_address *address);
/* Says goodbye (1000), waits a moment for the answer, frees all. NULL is fine. */
void connection_close(ctl_connection *link);

/* Waits for the next news, until `deadline_us` of connection_now_us. The text (MESSAGE, LINE) is
 * NUL-terminated and valid until the next call. */
connection_news connection_next(ctl_connection *link, int64_t deadline_us, oban_text *text);

/* Sends one text message. Copies it. */
void connection_send(ctl_connection *link, const char *text, size_t bytes);
/* From now on lines of standard input are news while `want` is true. */
void connection_want_lines(ctl_connection *link, bool want);
/* Ends a connection_next that waits. May be called from a signal handler. */
void connection_wake(ctl_connection *link);
/* Why the connection is gone, for people; may hold what the daemon said: escape it. */
const char *connection_why(const ctl_connection *link);

/* A clock that never jumps. */
int64_t connection_now_us(void);

#endif
