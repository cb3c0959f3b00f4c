/* SPDX-License-Identifier: MIT */
/* The event loop: the one file that knows libuv. It turns, ticks the simulation at sixtieths of a
 * second, watches sockets and signals.
 * Not here: which ticks are due (pacer.h), WebSockets (wire_lws.h; libwebsockets runs on this
 * loop). Next: loop.c. */
#ifndef OBAN_SERVER_LOOP_H
#define OBAN_SERVER_LOOP_H

#include "server/sim.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_loop oban_loop;
typedef struct oban_loop_watch oban_loop_watch;

typedef void (*oban_loop_call)(void *context);

/* Returns NULL when it cannot be made; the reason is logged. Owns: end it with oban_loop_destroy.
 */
oban_loop *oban_loop_create(void);
/* Ends what is left. Returns false when handles of others were still open (a bug of ours). */
bool oban_loop_destroy(oban_loop *loop);

/* The libuv loop itself, for libraries that run on it. */
void *oban_loop_native(oban_loop *loop);

/* Calls back while the descriptor is readable. Returns NULL when it cannot. The descriptor must
 * stay open until oban_loop_unwatch. */
oban_loop_watch *oban_loop_watch_fd(oban_loop *loop, int fd, oban_loop_call call, void *context);
void oban_loop_unwatch(oban_loop_watch *watch);

/* Calls back for each SIGINT and SIGTERM. */
bool oban_loop_on_signal(oban_loop *loop, oban_loop_call call, void *context);

/* Calls back every `ms` milliseconds from now on; 0 ends it. There is one such timer; not for
 * ticks. */
void oban_loop_every(oban_loop *loop, uint32_t ms, oban_loop_call call, void *context);

/* Drives the simulation as it wants (sim.h) from now on; NULL: none any more. After a stall of more
 * than `catch_up_ticks` it has begun a new grid of ticks, and the timer follows. */
void oban_loop_drive(oban_loop *loop, oban_sim *sim, uint32_t catch_up_ticks);

/* Turns until oban_loop_stop. */
void oban_loop_run(oban_loop *loop);
void oban_loop_stop(oban_loop *loop);
/* Ends all handles of our own; oban_loop_drain then turns until those of others have ended too. */
void oban_loop_close_handles(oban_loop *loop);
void oban_loop_drain(oban_loop *loop);

uint64_t oban_loop_now_ns(void); /* monotonic */

#endif
