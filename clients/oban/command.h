/* SPDX-License-Identifier: MIT */
/* A command of oban: one row of one table, from which the parser and the help come.
 * Next: commands.def (how to add one), options.h, library.h, save.h. */
#ifndef OBAN_TOOL_COMMAND_H
#define OBAN_TOOL_COMMAND_H

#include "clients/oban/exits.h"
#include "clients/oban/options.h"

typedef struct tool_command {
    const char *name;
    const char *args; /* as the usage line says them */
    const char *help; /* one line */
    const char *more; /* what `oban COMMAND --help` says besides */
    const tool_option *options;
    tool_exit (*run)(tool_args *args);
} tool_command;

/* The table, ended by a row without a name. */
extern const tool_command tool_commands[];
/* NULL when there is none of this name. */
const tool_command *tool_command_find(const char *name);

#define TOOL_COMMAND(name, args, help)                                                             \
    extern const tool_option name##_options[];                                                     \
    extern const char name##_more[];                                                               \
    tool_exit name##_run(tool_args *args_given);
#include "clients/oban/commands.def"
#undef TOOL_COMMAND

#endif
