/* SPDX-License-Identifier: MIT */
/* Waiting requests and token buckets.
 * Next: requests.h, sim.c. */
#include "server/requests.h"

#define REQUESTS_SECOND_NS 1000000000u

void oban_request_line_init(oban_request_line *line, uint64_t per_s, uint64_t now_ns)
{
    *line = (oban_request_line){.tokens = per_s, .tokens_ns = now_ns};
}

bool oban_request_line_take(oban_request_line *line, uint64_t per_s, uint64_t now_ns)
{
    uint64_t elapsed = now_ns > line->tokens_ns ? now_ns - line->tokens_ns : 0;
    if (elapsed >= REQUESTS_SECOND_NS) {
        line->tokens = per_s;
        line->tokens_ns = now_ns;
    } else {
        uint64_t earned = elapsed * per_s / REQUESTS_SECOND_NS;
        line->tokens = line->tokens + earned < per_s ? line->tokens + earned : per_s;
        line->tokens_ns += earned * REQUESTS_SECOND_NS / per_s;
    }
    if (line->tokens == 0) {
        return false;
    }
    line->tokens--;
    return true;
}

oban_waiting *oban_request_queue_add(oban_request_queue *queue, oban_client *client,
                                     oban_request_line *line, const oban_request *request)
{
    oban_request *copy = NULL;
    size_t bytes = 0;
    oban_waiting *waiting =
        oban_request_copy(&queue->alloc, request, sizeof(oban_waiting), &copy, &bytes);
    if (waiting == NULL) {
        return NULL;
    }
    *waiting =
        (oban_waiting){.previous = queue->last, .client = client, .request = copy, .bytes = bytes};
    *(queue->last != NULL ? &queue->last->next : &queue->first) = waiting;
    queue->last = waiting;
    *(line->last != NULL ? &line->last->next_in_line : &line->first) = waiting;
    line->last = waiting;
    line->bytes += bytes;
    return waiting;
}

void oban_request_queue_remove(oban_request_queue *queue, oban_request_line *line,
                               oban_waiting *waiting)
{
    if (queue->cursor == waiting) {
        queue->cursor = waiting->next;
    }
    *(waiting->previous != NULL ? &waiting->previous->next : &queue->first) = waiting->next;
    *(waiting->next != NULL ? &waiting->next->previous : &queue->last) = waiting->previous;
    if (line != NULL) {
        line->first = waiting->next_in_line;
        if (line->first == NULL) {
            line->last = NULL;
        }
        line->bytes -= waiting->bytes;
    }
}

void oban_request_free(oban_request_queue *queue, oban_waiting *waiting)
{
    oban_alloc_give(&queue->alloc, waiting, waiting->bytes);
}

void oban_request_walk_start(oban_request_queue *queue)
{
    queue->cursor = queue->first;
}

oban_waiting *oban_request_walk_next(oban_request_queue *queue)
{
    oban_waiting *waiting = queue->cursor;
    if (waiting != NULL) {
        queue->cursor = waiting->next;
    }
    return waiting;
}

void oban_request_queue_fini(oban_request_queue *queue)
{
    while (queue->first != NULL) {
        oban_waiting *waiting = queue->first;
        oban_request_queue_remove(queue, NULL, waiting);
        oban_request_free(queue, waiting);
    }
}
