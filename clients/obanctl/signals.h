/* SPDX-License-Identifier: MIT */
/* Signals as flags that a command looks at when connection_next says WOKEN.
 * Next: screen.h. */
#ifndef OBANCTL_SIGNALS_H
#define OBANCTL_SIGNALS_H

#include "clients/obanctl/connection.h"

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP only ask to stop. The connection is woken by them; stop
 * before it is closed. */
void signals_start(ctl_connection *connection);
/* SIGTSTP and SIGWINCH are caught too: for who draws on the whole screen. */
void signals_start_screen(void);
void signals_stop(void);
bool signals_stopped(void);
/* Whether Ctrl-Z was typed since the last call. */
bool signals_suspended(void);
/* Lets Ctrl-Z do what it does; returns when the program is continued. */
void signals_suspend(void);

#endif
