/* SPDX-License-Identifier: MIT */
/* obanctl send: messages one after the other, each answered before the next goes out. BSL is put
 * into a request of our own with an id; JSON goes as it is, and its answer is the next one, because
 * every request is answered in order (protocol 2).
 * Next: answer.c. */
#include "clients/obanctl/answer.h"
#include "clients/obanctl/command.h"
#include "clients/obanctl/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_utf8(const char *text, size_t bytes)
{
    uint32_t code;
    uint32_t used = 1;

    for (size_t at = 0; at < bytes && used > 0; at += used) {
        used = oban_utf8_decode(text + at, bytes - at, &code);
        if (used == 0) {
            return false;
        }
    }
    return true;
}

static bool from_input(const ctl_options *options)
{
    return options->arg_count == 0 ||
           (options->arg_count == 1 && strcmp(options->args[0], "-") == 0);
}

bool send_check(const ctl_options *options)
{
    if (options->arg_count == 0 && isatty(STDIN_FILENO) == 1) {
        page_complain("send: what? such as: obanctl send 'env_anim 1 3'");
        page_complain("(obanctl send - reads lines from this terminal)");
        return false;
    }
    for (int i = 0; i < options->arg_count; ++i) {
        if (!is_utf8(options->args[i], strlen(options->args[i]))) {
            page_complain("send: argument %d is not UTF-8", i + 1);
            return false;
        }
    }
    return true;
}

/* Sends one text, waits, prints. Returns false when the session is over. */
static bool send_one(ctl_session *session, const char *text, size_t bytes)
{
    size_t blank = 0;
    int64_t id = -1;
    oban_writer request;

    while (blank < bytes && strchr(" \t\r\n", text[blank]) != NULL && text[blank] != '\0') {
        ++blank;
    }
    if (blank == bytes) {
        return true; /* an empty line asks nothing */
    }
    if (text[blank] == '{' || text[blank] == '[') {
        connection_send(session->connection, text, bytes);
        return session_answer(session, id) && answer_print(session);
    }
    id = ++session->last_id;
    oban_writer_init(&request, memory_alloc());
    oban_writer_object_begin(&request);
    oban_writer_key(&request, "op");
    oban_writer_string(&request, "bsl");
    oban_writer_key(&request, "id");
    oban_writer_i64(&request, id);
    oban_writer_key(&request, "text");
    oban_writer_text(&request, (oban_text){text, (uint32_t)bytes});
    oban_writer_object_end(&request);
    connection_send(session->connection, request.data, request.bytes);
    oban_writer_fini(&request);
    return session_answer(session, id) && answer_print(session);
}

/* A line of standard input; it is not to be trusted as an argument is. */
static bool send_line(ctl_session *session, uint64_t number)
{
    oban_text line = session->text;
    char *copy;
    bool going;

    if (!is_utf8(line.data, line.bytes)) {
        page_complain("send: line %llu of standard input is not UTF-8; left out",
                      (unsigned long long)number);
        session->exit = EXIT_REFUSED;
        return true;
    }
    copy = memory_take((size_t)line.bytes + 1);
    memcpy(copy, line.data, line.bytes);
    connection_want_lines(session->connection, false);
    going = send_one(session, copy, line.bytes);
    connection_want_lines(session->connection, true);
    free(copy);
    return going;
}

static void send_lines(ctl_session *session)
{
    uint64_t number = 0;

    connection_want_lines(session->connection, true);
    for (;;) {
        switch (session_next(session, CONNECTION_FOREVER)) {
        case SESSION_LINE:
            if (!send_line(session, ++number)) {
                return;
            }
            break;
        case SESSION_INPUT_END:
        case SESSION_OVER:
            return;
        default:
            break;
        }
    }
}

void send_run(ctl_session *session)
{
    if (from_input(session->options)) {
        send_lines(session);
        return;
    }
    for (int i = 0; i < session->options->arg_count; ++i) {
        if (!send_one(session, session->options->args[i], strlen(session->options->args[i]))) {
            return;
        }
    }
}
