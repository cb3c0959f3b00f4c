/* SPDX-License-Identifier: MIT */
/* The daemon put together: loop, wire, simulation and files, from the start to the end.
 * Not here: each of them; options and the log (main.c).
 * Next: daemon.c. */
#ifndef OBAN_SERVER_DAEMON_H
#define OBAN_SERVER_DAEMON_H

#include "server/options.h"

enum {
    OBAN_EXIT_STOPPED = 0,
    OBAN_EXIT_CANNOT = 1, /* an address in use, no memory, a library missing */
    OBAN_EXIT_WRONG = 2   /* options, scene, or the path of animations */
};

/* Runs until SIGINT or SIGTERM. Returns the exit code; what was wrong is logged. */
int oban_daemon_run(const oban_options *options);

#endif
