/* SPDX-License-Identifier: MIT */
/* obanctl ping: round trips through the daemon's loop, not only through the network.
 * Next: session.h. */
#include "clients/obanctl/answer.h"
#include "clients/obanctl/command.h"
#include "clients/obanctl/signals.h"

#define PAUSE_S 0.2

typedef struct trips {
    uint64_t count;
    double least_ms;
    double most_ms;
    double sum_ms;
} trips;

static void note(trips *trips_so_far, double ms)
{
    trips_so_far->least_ms =
        trips_so_far->count == 0 || ms < trips_so_far->least_ms ? ms : trips_so_far->least_ms;
    trips_so_far->most_ms = ms > trips_so_far->most_ms ? ms : trips_so_far->most_ms;
    trips_so_far->sum_ms += ms;
    ++trips_so_far->count;
}

static bool ping_once(ctl_session *session, trips *trips_so_far)
{
    int64_t start_us = connection_now_us();
    double ms;

    if (!session_ask(session, "ping", NULL, NULL)) {
        return false;
    }
    ms = (double)(connection_now_us() - start_us) / 1000.0;
    if (session->kind == MESSAGE_ERROR) {
        return answer_print(session);
    }
    note(trips_so_far, ms);
    page_format(&session->out,
                session->options->json ? "{\"tick\":%lld,\"rtt_ms\":%.3f}\n"
                                       : "answer at tick %lld in %.3f ms\n",
                (long long)session_number(session, "tick"), ms);
    return session_write(session);
}

/* Serves the connection for a moment. Returns false when it is over. */
static bool wait_a_moment(ctl_session *session)
{
    int64_t until_us = session_seconds(PAUSE_S);

    while (connection_now_us() < until_us) {
        if (session_next(session, until_us) == SESSION_OVER) {
            return false;
        }
    }
    return true;
}

void ping_run(ctl_session *session)
{
    uint64_t wanted = session->options->count > 0 ? session->options->count : 1;
    trips so_far = {0, 0.0, 0.0, 0.0};

    signals_start(session->connection);
    for (uint64_t i = 0; i < wanted; ++i) {
        if ((i > 0 && !wait_a_moment(session)) || !ping_once(session, &so_far)) {
            break;
        }
    }
    if (so_far.count > 1 && !session->options->json) {
        page_format(&session->out, "%llu answers, least %.3f, mean %.3f, most %.3f ms\n",
                    (unsigned long long)so_far.count, so_far.least_ms,
                    so_far.sum_ms / (double)so_far.count, so_far.most_ms);
        (void)session_write(session);
    }
}
