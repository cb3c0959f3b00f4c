/* SPDX-License-Identifier: MIT */
/* oban: the command line for files of object animations.
 * Reading order: commands.def (the table), command.h, options.h, library.h (reading), formats.h,
 * write.h and save.h (writing), tell.h (the terminal), then one command, such as info.c. */
#include "clients/oban/command.h"
#include "clients/oban/save.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/page.h"

int main(int argc, char **argv)
{
    tool_args args;

    page_setup();
    save_setup();
    args_parse(&args, argc, argv);
    tool_exit exit_code = args.command->run(&args);
    tell_progress_end();
    args_fini(&args);
    return (int)exit_code;
}
