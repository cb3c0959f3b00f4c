/* SPDX-License-Identifier: MIT */
/* A command of obanctl: one row of one table, from which the parser and the help come.
 * Next: commands.c (the table), send.c, follow.c, events.c, state.c, ping.c, ask.c. */
#ifndef OBANCTL_COMMAND_H
#define OBANCTL_COMMAND_H

#include "clients/obanctl/session.h"

#include <stdbool.h>

/* Options that not every command takes. */
enum { OPTION_JSON = 1, OPTION_RATE = 2, OPTION_FOR = 4, OPTION_COUNT = 8 };

typedef struct ctl_command {
    const char *name;
    const char *args; /* as the usage line says them */
    const char *help; /* one line */
    const char *more; /* what `obanctl COMMAND --help` says besides */
    unsigned options; /* OPTION_... that it takes */
    int args_max;     /* -1: any number */
    bool watches;     /* wants snapshot, frames and events; else only its answers */
    /* Looks at the arguments before anything is connected; complains. NULL: nothing to look at. */
    bool (*check)(const ctl_options *options);
    /* Runs on an open session. What failed stands in session->exit. */
    void (*run)(ctl_session *session);
} ctl_command;

/* The table, ended by a row without a name. */
extern const ctl_command commands[];
const ctl_command *command_find(const char *name);

bool send_check(const ctl_options *options);
void send_run(ctl_session *session);
bool follow_check(const ctl_options *options);
void follow_run(ctl_session *session);
void events_run(ctl_session *session);
void state_run(ctl_session *session);
void ping_run(ctl_session *session);
void info_run(ctl_session *session);
void help_run(ctl_session *session);

#endif
