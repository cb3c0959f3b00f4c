/* SPDX-License-Identifier: MIT */
/* Answers of the daemon, told to people.
 * Next: answer.c, send.c. */
#ifndef OBANCTL_ANSWER_H
#define OBANCTL_ANSWER_H

#include "clients/obanctl/session.h"

/* Prints the newest message, a reply or an error: results to standard output, warnings and errors
 * to standard error; with --json the raw line. Notes the exit code. Returns false when the output
 * fails. */
bool answer_print(ctl_session *session);
/* A value on one line: words plain, else as JSON. */
void answer_value(ctl_page *page, const oban_json *value);
/* Whose an item is: "object 501.1", "door 3", "character foreman". Returns false, and adds nothing,
 * when it does not say. */
bool answer_thing(ctl_page *page, const oban_json *item);
/* key=value for each member that is not in `without` (ended by NULL). */
void answer_members(ctl_page *page, const oban_json *object, const char *const *without);

#endif
