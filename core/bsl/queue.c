/* SPDX-License-Identifier: MIT */
/* What is due: a heap of sleepers by (tick, id), a heap of those that are ready by id, and those
 * that wait for what only asking tells, by id. A sleeper costs nothing until its tick. Nothing here
 * allocates but queue_reserve. Next: task.c. */
#include "core/bsl/tasks.h"

#include <string.h>

/* ---- heaps --------------------------------------------------------------------------------------
 */

static bool queue_before(task_queue queue, const task *a, const task *b)
{
    if (queue == TASK_SLEEPS && a->until != b->until) {
        return a->until < b->until;
    }
    return a->id < b->id;
}

static void heap_put(task_heap *heap, uint32_t at, task *t)
{
    heap->items[at] = t;
    t->queue_at = at;
}

static void heap_up(task_heap *heap, task_queue queue, uint32_t at, task *t)
{
    while (at > 0 && queue_before(queue, t, heap->items[(at - 1) / 2])) {
        heap_put(heap, at, heap->items[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(heap, at, t);
}

static void heap_down(task_heap *heap, task_queue queue, uint32_t at, task *t)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count &&
            queue_before(queue, heap->items[child + 1], heap->items[child])) {
            child++;
        }
        if (!queue_before(queue, heap->items[child], t)) {
            break;
        }
        heap_put(heap, at, heap->items[child]);
        at = child;
    }
    heap_put(heap, at, t);
}

static void heap_add(task_heap *heap, task_queue queue, task *t)
{
    t->queue = queue;
    heap_up(heap, queue, heap->count++, t);
}

static void heap_remove(task_heap *heap, task_queue queue, task *t)
{
    uint32_t at = t->queue_at;
    task *last = heap->items[--heap->count];
    t->queue = TASK_NOWHERE;
    if (last == t) {
        return;
    }
    if (at > 0 && queue_before(queue, last, heap->items[(at - 1) / 2])) {
        heap_up(heap, queue, at, last);
    } else {
        heap_down(heap, queue, at, last);
    }
}

/* ---- those that ask -----------------------------------------------------------------------------
 */

/* Where the first one is whose id is not below. */
static uint32_t queue_find_poll(const oban_machine *m, uint64_t id)
{
    uint32_t low = 0;
    uint32_t high = m->poll_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->polls[middle]->id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- all together -------------------------------------------------------------------------------
 */

/* One block holds all three, so that it is there whole or not at all. */
bool queue_reserve(oban_machine *m, uint32_t tasks)
{
    uint32_t wanted = m->room + m->room / 2;
    if (tasks <= m->room) {
        return true;
    }
    wanted = wanted < tasks ? tasks : wanted;
    task **block = oban_alloc_take(&m->alloc, 3u * (size_t)wanted * sizeof(task *));
    if (block == NULL) {
        return false;
    }
    memset(block, 0, 3u * (size_t)wanted * sizeof(task *));
    if (m->room > 0) {
        memcpy(block, m->ready.items, m->ready.count * sizeof(task *));
        memcpy(block + wanted, m->asleep.items, m->asleep.count * sizeof(task *));
        memcpy(block + 2u * (size_t)wanted, m->polls, m->poll_count * sizeof(task *));
    }
    queue_fini(m);
    m->ready.items = block;
    m->asleep.items = block + wanted;
    m->polls = block + 2u * (size_t)wanted;
    m->room = wanted;
    return true;
}

void queue_fini(oban_machine *m)
{
    oban_alloc_give(&m->alloc, m->ready.items, 3u * (size_t)m->room * sizeof(task *));
}

void queue_ready(oban_machine *m, task *t)
{
    t->wait = OBAN_WAIT_NONE;
    heap_add(&m->ready, TASK_READY, t);
}

void queue_sleep(oban_machine *m, task *t)
{
    heap_add(&m->asleep, TASK_SLEEPS, t);
}

void queue_poll(oban_machine *m, task *t)
{
    uint32_t at = queue_find_poll(m, t->id);
    memmove(m->polls + at + 1, m->polls + at, (m->poll_count - at) * sizeof *m->polls);
    m->polls[at] = t;
    m->poll_count++;
    t->queue = TASK_POLLS;
}

void queue_remove(oban_machine *m, task *t)
{
    if (t->queue == TASK_READY) {
        heap_remove(&m->ready, TASK_READY, t);
    } else if (t->queue == TASK_SLEEPS) {
        heap_remove(&m->asleep, TASK_SLEEPS, t);
    } else if (t->queue == TASK_POLLS) {
        uint32_t at = queue_find_poll(m, t->id);
        m->poll_count--;
        memmove(m->polls + at, m->polls + at + 1, (m->poll_count - at) * sizeof *m->polls);
        t->queue = TASK_NOWHERE;
    }
}

void queue_wake(oban_machine *m)
{
    while (m->asleep.count > 0 && m->asleep.items[0]->until <= m->tick) {
        task *t = m->asleep.items[0];
        heap_remove(&m->asleep, TASK_SLEEPS, t);
        queue_ready(m, t);
    }
}

task *queue_next(oban_machine *m)
{
    for (;;) {
        task *ready = m->ready.count > 0 ? m->ready.items[0] : NULL;
        uint32_t at = queue_find_poll(m, m->turn + 1);
        task *asks = at < m->poll_count ? m->polls[at] : NULL;
        if (asks == NULL || (ready != NULL && ready->id < asks->id)) {
            if (ready != NULL) {
                heap_remove(&m->ready, TASK_READY, ready);
                m->turn = ready->id > m->turn ? ready->id : m->turn;
            }
            return ready;
        }
        m->turn = asks->id;
        if (task_asks(m, asks)) {
            queue_remove(m, asks);
            asks->wait = OBAN_WAIT_NONE;
            return asks;
        }
    }
}
