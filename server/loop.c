/* SPDX-License-Identifier: MIT */
/* The event loop over libuv. Ticks come from a timerfd: a libuv timer counts whole milliseconds,
 * and at 60 Hz drifts by 2.7 % (facts: performance 4).
 *
 * One turn: timers, [prepare: what does the simulation want?], sockets and the timerfd, [check: a
 * slice of stepping], closing handles.
 *
 * Not here: which ticks are due (pacer.h).
 * Next: wire_lws.h. */
#include "server/loop.h"

#include "server/log.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#define LOOP_NS_PER_S 1000000000u
#define LOOP_TICKS_PER_S 60u
/* A period of a timerfd is whole nanoseconds: a third too long for a sixtieth. After so many it is
 * set on the exact grid again. */
#define LOOP_REARM_TICKS 600u

enum { LOOP_SIGINT, LOOP_SIGTERM, LOOP_SIGNALS };

struct oban_loop_watch {
    uv_poll_t poll;
    oban_loop_call call;
    void *context;
};

struct oban_loop {
    uv_loop_t uv;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t idle;
    uv_timer_t timer;
    uv_signal_t signals[LOOP_SIGNALS];
    uv_poll_t ticker;
    int ticker_fd;
    uint64_t grid_start_ns;
    uint64_t grid_ticks; /* expirations since then */
    oban_sim *sim;
    uint32_t catch_up_ticks;
    oban_sim_want want; /* what the handles are set for */
    bool closing;
    struct {
        oban_loop_call call;
        void *context;
    } on_timer, on_signal;
};

uint64_t oban_loop_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * LOOP_NS_PER_S + (uint64_t)now.tv_nsec;
}

static bool loop_fail(const char *what, const char *why)
{
    oban_log(OBAN_LOG_ERROR, "loop", what, OBAN_LOG_STR("reason", why));
    return false;
}

/* ---- ticks ---------------------------------------------------------------------------------- */

/* The k-th sixtieth of a second after the start of the grid, rounded up: never early. */
static uint64_t loop_grid_ns(const oban_loop *loop, uint64_t k)
{
    return loop->grid_start_ns + (k * LOOP_NS_PER_S + LOOP_TICKS_PER_S - 1) / LOOP_TICKS_PER_S;
}

static void loop_ticker_set(const oban_loop *loop, uint64_t first_ns)
{
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(first_ns / LOOP_NS_PER_S),
                     .tv_nsec = (long)(first_ns % LOOP_NS_PER_S)},
        .it_interval = {.tv_nsec = first_ns == 0 ? 0 : LOOP_NS_PER_S / LOOP_TICKS_PER_S + 1},
    };
    if (timerfd_settime(loop->ticker_fd, TFD_TIMER_ABSTIME, &when, NULL) != 0) {
        (void)loop_fail("the timer cannot be set", strerror(errno));
    }
}

static void loop_ticker_start(oban_loop *loop)
{
    loop->grid_start_ns = oban_loop_now_ns();
    loop->grid_ticks = 0;
    loop_ticker_set(loop, loop_grid_ns(loop, 1));
}

static void loop_on_tick(uv_poll_t *poll, int status, int events)
{
    oban_loop *loop = poll->data;
    uint64_t expirations = 0;
    (void)events;
    if (status < 0 || read(loop->ticker_fd, &expirations, sizeof expirations) < 0 ||
        loop->sim == NULL) {
        return;
    }
    loop->grid_ticks += expirations;
    oban_sim_run(loop->sim);
    if (expirations > loop->catch_up_ticks) {
        loop_ticker_start(loop); /* the simulation began a new grid just now: follow it */
    } else if (loop->grid_ticks >= LOOP_REARM_TICKS) {
        loop->grid_start_ns = loop_grid_ns(loop, loop->grid_ticks);
        loop->grid_ticks = 0;
        loop_ticker_set(loop, loop_grid_ns(loop, 1));
    }
}

/* ---- what the simulation wants --------------------------------------------------------------- */

static void loop_on_idle(uv_idle_t *idle)
{
    (void)idle; /* that it is there keeps the loop from sleeping */
}

static void loop_on_check(uv_check_t *check)
{
    oban_loop *loop = check->data;
    if (loop->sim != NULL && oban_sim_wants(loop->sim) == OBAN_SIM_AT_ONCE) {
        oban_sim_run(loop->sim);
    }
}

static void loop_set(oban_loop *loop, oban_sim_want want)
{
    if (want == OBAN_SIM_RUNNING) {
        loop_ticker_start(loop);
    } else if (loop->want == OBAN_SIM_RUNNING) {
        loop_ticker_set(loop, 0);
    }
    if (want == OBAN_SIM_AT_ONCE) {
        uv_idle_start(&loop->idle, loop_on_idle);
    } else if (loop->want == OBAN_SIM_AT_ONCE) {
        uv_idle_stop(&loop->idle);
    }
    loop->want = want;
}

/* Before each sleep, so that whatever a request has changed counts at once. */
static void loop_on_prepare(uv_prepare_t *prepare)
{
    oban_loop *loop = prepare->data;
    oban_sim_want want = loop->sim != NULL ? oban_sim_wants(loop->sim) : OBAN_SIM_HELD;
    if (want != loop->want) {
        loop_set(loop, want);
    }
}

void oban_loop_drive(oban_loop *loop, oban_sim *sim, uint32_t catch_up_ticks)
{
    loop->sim = sim;
    loop->catch_up_ticks = catch_up_ticks;
}

/* ---- watches, timer, signals ---------------------------------------------------------------- */

static void loop_on_readable(uv_poll_t *poll, int status, int events)
{
    oban_loop_watch *watch = poll->data;
    (void)events;
    if (status >= 0) {
        watch->call(watch->context);
    }
}

oban_loop_watch *oban_loop_watch_fd(oban_loop *loop, int fd, oban_loop_call call, void *context)
{
    oban_loop_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return NULL;
    }
    *watch = (oban_loop_watch){.call = call, .context = context};
    if (uv_poll_init(&loop->uv, &watch->poll, fd) != 0) {
        free(watch);
        return NULL;
    }
    watch->poll.data = watch;
    (void)uv_poll_start(&watch->poll, UV_READABLE, loop_on_readable);
    return watch;
}

static void loop_free_watch(uv_handle_t *handle)
{
    free(handle->data);
}

void oban_loop_unwatch(oban_loop_watch *watch)
{
    if (watch != NULL) {
        uv_close((uv_handle_t *)&watch->poll, loop_free_watch);
    }
}

static void loop_on_timer(uv_timer_t *timer)
{
    oban_loop *loop = timer->data;
    loop->on_timer.call(loop->on_timer.context);
}

void oban_loop_every(oban_loop *loop, uint32_t ms, oban_loop_call call, void *context)
{
    loop->on_timer.call = call;
    loop->on_timer.context = context;
    if (ms == 0) {
        uv_timer_stop(&loop->timer);
    } else {
        uv_timer_start(&loop->timer, loop_on_timer, ms, ms);
    }
}

static void loop_on_signal(uv_signal_t *handle, int number)
{
    oban_loop *loop = handle->data;
    (void)number;
    loop->on_signal.call(loop->on_signal.context);
}

bool oban_loop_on_signal(oban_loop *loop, oban_loop_call call, void *context)
{
    static const int numbers[LOOP_SIGNALS] = {[LOOP_SIGINT] = SIGINT, [LOOP_SIGTERM] = SIGTERM};
    loop->on_signal.call = call;
    loop->on_signal.context = context;
    for (int i = 0; i < LOOP_SIGNALS; i++) {
        int rc = uv_signal_start(&loop->signals[i], loop_on_signal, numbers[i]);
        if (rc != 0) {
            return loop_fail("signals cannot be watched", uv_strerror(rc));
        }
    }
    return true;
}

/* ---- life ----------------------------------------------------------------------------------- */

static void loop_init_handles(oban_loop *loop)
{
    (void)uv_prepare_init(&loop->uv, &loop->prepare);
    (void)uv_check_init(&loop->uv, &loop->check);
    (void)uv_idle_init(&loop->uv, &loop->idle);
    (void)uv_timer_init(&loop->uv, &loop->timer);
    for (int i = 0; i < LOOP_SIGNALS; i++) {
        (void)uv_signal_init(&loop->uv, &loop->signals[i]);
        loop->signals[i].data = loop;
    }
    loop->prepare.data = loop->check.data = loop->idle.data = loop->timer.data = loop;
    loop->ticker.data = loop;
    uv_prepare_start(&loop->prepare, loop_on_prepare);
    uv_check_start(&loop->check, loop_on_check);
}

oban_loop *oban_loop_create(void)
{
    oban_loop *loop = calloc(1, sizeof *loop);
    int rc = loop != NULL ? uv_loop_init(&loop->uv) : UV_ENOMEM;
    if (rc != 0) {
        (void)loop_fail("the loop cannot be made", uv_strerror(rc));
        free(loop);
        return NULL;
    }
    loop->want = OBAN_SIM_HELD;
    loop->ticker_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    rc = loop->ticker_fd < 0 ? -errno : uv_poll_init(&loop->uv, &loop->ticker, loop->ticker_fd);
    if (rc != 0) {
        (void)loop_fail("the timer cannot be made", uv_strerror(rc));
        if (loop->ticker_fd >= 0) {
            close(loop->ticker_fd);
        }
        (void)uv_loop_close(&loop->uv);
        free(loop);
        return NULL;
    }
    loop_init_handles(loop);
    (void)uv_poll_start(&loop->ticker, UV_READABLE, loop_on_tick);
    return loop;
}

void *oban_loop_native(oban_loop *loop)
{
    return &loop->uv;
}

void oban_loop_run(oban_loop *loop)
{
    (void)uv_run(&loop->uv, UV_RUN_DEFAULT);
}

void oban_loop_stop(oban_loop *loop)
{
    uv_stop(&loop->uv);
}

void oban_loop_close_handles(oban_loop *loop)
{
    uv_handle_t *handles[] = {
        (uv_handle_t *)&loop->prepare,
        (uv_handle_t *)&loop->check,
        (uv_handle_t *)&loop->idle,
        (uv_handle_t *)&loop->timer,
        (uv_handle_t *)&loop->ticker,
        (uv_handle_t *)&loop->signals[LOOP_SIGINT],
        (uv_handle_t *)&loop->signals[LOOP_SIGTERM],
    };
    if (loop->closing) {
        return;
    }
    loop->closing = true;
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
        uv_close(handles[i], NULL);
    }
}

void oban_loop_drain(oban_loop *loop)
{
    (void)uv_run(&loop->uv, UV_RUN_DEFAULT);
}

bool oban_loop_destroy(oban_loop *loop)
{
    if (loop == NULL) {
        return true;
    }
    oban_loop_close_handles(loop);
    oban_loop_drain(loop);
    close(loop->ticker_fd);
    bool clean = uv_loop_close(&loop->uv) == 0;
    free(loop);
    return clean;
}
