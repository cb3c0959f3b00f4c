/* SPDX-License-Identifier: MIT */
/* The exit codes of oban, as docs/man/oban.1 tells them. Numbers are for ever: scripts use them.
 * Next: options.h. */
#ifndef OBAN_TOOL_EXITS_H
#define OBAN_TOOL_EXITS_H

typedef enum tool_exit {
    TOOL_DONE = 0,
    TOOL_REFUSED = 1, /* a file is wrong, missing or would be overwritten; each is told */
    TOOL_MEMORY = 4,  /* memory is out */
    TOOL_MISUSE = 64, /* the command line is wrong (EX_USAGE) */
    TOOL_OUTPUT = 74  /* standard output cannot be written (EX_IOERR) */
} tool_exit;

#endif
