/* SPDX-License-Identifier: MIT */
/* obanctl: the command line for a running oband.
 * Reading order: options.h, command.h (the table), session.h, connection.h, then one command, such
 * as send.c; scene.h and table.h for those that show the scene. */
#include "clients/obanctl/command.h"
#include "clients/obanctl/options.h"
#include "clients/obanctl/page.h"
#include "clients/obanctl/session.h"

int main(int argc, char **argv)
{
    ctl_options options;
    ctl_session session;

    page_setup();
    options_parse(&options, argc, argv);
    if (session_open(&session, &options, options.command->watches)) {
        options.command->run(&session);
    }
    session_close(&session);
    options_fini(&options);
    return (int)session.exit;
}
