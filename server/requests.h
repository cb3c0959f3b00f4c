/* SPDX-License-Identifier: MIT */
/* Requests that wait: for phase 3 of the next tick, behind a step, behind a large reply. One queue
 * of all in the order of their arrival, and one line per client; and the client's token bucket. Not
 * here: reading them (proto/wire/request.h), when they are served (sim.c). Next: requests.c. */
#ifndef OBAN_SERVER_REQUESTS_H
#define OBAN_SERVER_REQUESTS_H

#include "core/base/alloc.h"
#include "proto/wire/request.h"
#include "server/hub.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBAN_WAITING_BYTES_MAX 4194304u /* per client; beyond, reading is held */

typedef struct oban_waiting oban_waiting;
struct oban_waiting {
    oban_waiting *next; /* of all */
    oban_waiting *previous;
    oban_waiting *next_in_line; /* of its client */
    oban_client *client;        /* NULL: it has left; what it asked of the world is still done */
    oban_request *request;
    bool ended_step; /* a pause that has ended its client's step, and is only to be answered */
    size_t bytes;
};

/* A client's part: its waiting requests and its tokens. */
typedef struct oban_request_line {
    oban_waiting *first;
    oban_waiting *last;
    size_t bytes;
    bool reading_held;
    uint64_t tokens;
    uint64_t tokens_ns; /* when they were counted */
} oban_request_line;

typedef struct oban_request_queue {
    oban_alloc alloc;
    oban_waiting *first;
    oban_waiting *last;
    oban_waiting *cursor; /* the next of a walk; moves on when that one is removed */
} oban_request_queue;

/* ---- the bucket ---- */

void oban_request_line_init(oban_request_line *line, uint64_t per_s, uint64_t now_ns);
/* Takes a token. Returns false when there is none. */
bool oban_request_line_take(oban_request_line *line, uint64_t per_s, uint64_t now_ns);

/* ---- the queue ---- */

/* Puts a copy of the request behind all. Returns it, or NULL when memory is out. */
oban_waiting *oban_request_queue_add(oban_request_queue *queue, oban_client *client,
                                     oban_request_line *line, const oban_request *request);
/* Takes one out; it must be the first of its line, or have no client. The caller frees it. */
void oban_request_queue_remove(oban_request_queue *queue, oban_request_line *line,
                               oban_waiting *waiting);
void oban_request_free(oban_request_queue *queue, oban_waiting *waiting);
/* A walk over all that waits, in the order of arrival, during which any may be removed. */
void oban_request_walk_start(oban_request_queue *queue);
oban_waiting *oban_request_walk_next(oban_request_queue *queue);
void oban_request_queue_fini(oban_request_queue *queue);

#endif
