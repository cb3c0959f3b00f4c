/* SPDX-License-Identifier: MIT */
/* The table of commands, out of commands.def. Next: options.c, which reads the command line by it.
 */
#include "clients/oban/command.h"

#include <string.h>

const tool_command tool_commands[] = {
#define TOOL_COMMAND(name, args, help) {#name, args, help, name##_more, name##_options, name##_run},
#include "clients/oban/commands.def"
#undef TOOL_COMMAND
    {.name = NULL},
};

const tool_command *tool_command_find(const char *name)
{
    for (const tool_command *one = tool_commands; one->name != NULL; one++) {
        if (strcmp(one->name, name) == 0) {
            return one;
        }
    }
    return NULL;
}
