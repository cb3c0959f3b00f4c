/* SPDX-License-Identifier: MIT */
/* The table of commands. Next: options.c, which reads the command line by it. */
#include "clients/obanctl/command.h"

#include <string.h>

const ctl_command commands[] = {
    {"send", "[TEXT...]", "send BSL or JSON, print the answers",
     "Each TEXT is one message: a BSL text, or a JSON request when it begins with '{'. With '-', "
     "or\n"
     "without TEXT, each line of standard input is one. Each is answered before the next is sent.\n"
     "Results go to standard output, warnings and errors to standard error; with --json the raw\n"
     "answers, one a line, go to standard output.\n",
     OPTION_JSON, -1, false, send_check, send_run},
    {"follow", "[NUMBERS...]", "watch objects move",
     "NUMBERS choose objects: 7, 1-5 or 1,3,10-20; without them all are shown. On a terminal it is "
     "a\n"
     "live table; with --json, or when the output is no terminal, one JSON line for the snapshot "
     "and\n"
     "then one for each frame: {tick, objects, camera, hidden_refs}, each a whole state of the\n"
     "objects chosen. A number without an object is said once and waited for. A state in brackets\n"
     "belongs to a hidden object. --count counts lines (or redraws).\n",
     OPTION_JSON | OPTION_RATE | OPTION_FOR | OPTION_COUNT, -1, true, follow_check, follow_run},
    {"events", "", "print events as they come",
     "Starts, stops and whatever else comes about, one a line; with --json the raw messages.\n",
     OPTION_JSON | OPTION_FOR | OPTION_COUNT, 0, true, NULL, events_run},
    {"state", "", "print the present state",
     "The snapshot as a table, or with --json as one JSON object.\n", OPTION_JSON, 0, true, NULL,
     state_run},
    {"ping", "", "measure round trips",
     "Prints the tick and the time from request to answer; --count says how many (1).\n",
     OPTION_JSON | OPTION_COUNT, 0, false, NULL, ping_run},
    {"info", "", "what the daemon says of itself", "Version, tick, hash of the world, counts.\n",
     OPTION_JSON, 0, false, NULL, info_run},
    {"help", "[OP]", "the daemon's ops and their fields",
     "Asks the daemon which requests it takes, or what fields one of them has.\n", OPTION_JSON, 1,
     false, NULL, help_run},
    {.name = NULL},
};

const ctl_command *command_find(const char *name)
{
    for (const ctl_command *one = commands; one->name != NULL; ++one) {
        if (strcmp(one->name, name) == 0) {
            return one;
        }
    }
    return NULL;
}
