/* SPDX-License-Identifier: MIT */
/* The command line, read by argp and the table of commands.
 * Next: options.c, command.h. */
#ifndef OBANCTL_OPTIONS_H
#define OBANCTL_OPTIONS_H

#include "clients/obanctl/address.h"

#include <stdbool.h>
#include <stdint.h>

struct ctl_command;

typedef struct ctl_options {
    const struct ctl_command *command;
    char **args; /* of the command */
    int arg_count;
    ctl_address address;
    double timeout_s;
    bool json;
    double rate_hz; /* 0: not said */
    double for_s;   /* 0: without end */
    uint64_t count; /* 0: not said */
} ctl_options;

/* Reads the command line. Prints help and version, and complains about misuse, and exits then
 * (0, 64). Owns: options_fini. */
void options_parse(ctl_options *options, int argc, char **argv);
void options_fini(ctl_options *options);

#endif
