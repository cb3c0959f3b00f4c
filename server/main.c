/* SPDX-License-Identifier: MIT */
/* oband: reads its options, then runs the daemon.
 * Not here: the daemon (daemon.h).
 * Next: options.h, daemon.h. */
#include "server/daemon.h"
#include "server/healthcheck.h"
#include "server/log.h"
#include "server/options.h"

#include <stdio.h>
#include <unistd.h>

/* What is asked for and done at once. */
static int main_print(const oban_options *options)
{
    if (options->help) {
        oban_options_help(stdout);
    } else if (options->version) {
        puts("oband " OBAN_VERSION);
    } else {
        oban_options_print(options, stdout);
        if (options->warning.bytes > 0) {
            fprintf(stderr, "oband: %s\n", options->warning.data);
        }
    }
    return fflush(stdout) == 0 ? OBAN_EXIT_STOPPED : OBAN_EXIT_CANNOT;
}

static int main_run(const oban_options *options)
{
    oban_log_init(STDERR_FILENO, (oban_log_level)options->log_level,
                  (oban_log_format)options->log_format);
    if (options->warning.bytes > 0) {
        oban_log_plain(OBAN_LOG_WARN, "options", options->warning.data);
    }
    return oban_daemon_run(options);
}

int main(int argc, char **argv)
{
    oban_options options;
    oban_line message;
    int rc = OBAN_EXIT_WRONG;
    if (!oban_options_read(argc, argv, environ, &options, &message)) {
        fprintf(stderr, "oband: %s\nTry 'oband --help'.\n", message.data);
    } else if (options.help || options.version || options.print_config) {
        rc = main_print(&options);
    } else if (options.healthcheck != NULL) {
        rc = oban_healthcheck(options.healthcheck, &message) ? OBAN_EXIT_STOPPED : OBAN_EXIT_CANNOT;
        fprintf(rc == OBAN_EXIT_STOPPED ? stdout : stderr, "%s\n", message.data);
    } else {
        rc = main_run(&options);
    }
    oban_options_fini(&options);
    return rc;
}
