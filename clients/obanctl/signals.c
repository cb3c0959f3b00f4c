/* SPDX-License-Identifier: MIT */
/* See signals.h. Handlers rather than a signalfd: a write that hangs must end by SIGTERM too. */
#include "clients/obanctl/signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static ctl_connection *volatile woken;
static volatile sig_atomic_t stop_flag;
static volatile sig_atomic_t suspend_flag;

static void on_signal(int number)
{
    if (number == SIGTSTP) {
        suspend_flag = 1;
    } else if (number != SIGWINCH) {
        stop_flag = 1;
    }
    if (woken != NULL) {
        connection_wake(woken);
    }
}

static void catch_signal(int number, void (*handler)(int), int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
}

void signals_start(ctl_connection *connection)
{
    woken = connection;
    catch_signal(SIGINT, on_signal, 0);
    catch_signal(SIGTERM, on_signal, 0);
    catch_signal(SIGHUP, on_signal, 0);
}

void signals_start_screen(void)
{
    catch_signal(SIGTSTP, on_signal, SA_RESTART);
    catch_signal(SIGWINCH, on_signal, SA_RESTART);
}

void signals_stop(void)
{
    woken = NULL;
    catch_signal(SIGINT, SIG_DFL, 0);
    catch_signal(SIGTERM, SIG_DFL, 0);
    catch_signal(SIGHUP, SIG_DFL, 0);
    catch_signal(SIGTSTP, SIG_DFL, 0);
    catch_signal(SIGWINCH, SIG_DFL, 0);
}

bool signals_stopped(void)
{
    return stop_flag != 0;
}

bool signals_suspended(void)
{
    bool suspended = suspend_flag != 0;

    suspend_flag = 0;
    return suspended;
}

void signals_suspend(void)
{
    (void)raise(SIGSTOP);
}
