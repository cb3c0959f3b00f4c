/* SPDX-License-Identifier: MIT */
/* The exit codes of obanctl, as docs/man/obanctl.1 tells them. Numbers are for ever: scripts use
 * them. Next: options.h. */
#ifndef OBANCTL_EXITS_H
#define OBANCTL_EXITS_H

typedef enum exit_code {
    EXIT_DONE = 0,
    EXIT_REFUSED = 1,     /* the daemon answered a request with an error */
    EXIT_UNREACHABLE = 3, /* nobody answers, or no WebSocket is given */
    EXIT_LOST = 4,        /* lost, timed out, or the daemon broke the protocol */
    EXIT_MISUSE = 64,     /* the command line is wrong (EX_USAGE) */
    EXIT_OUTPUT = 74      /* standard output cannot be written (EX_IOERR) */
} exit_code;

#endif
