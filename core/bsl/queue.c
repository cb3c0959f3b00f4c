/* SPDX-License-Identifier: MIT */
/* What is due: a heap of sleepers by (tick, id), a heap of those that are ready by id, and those
 * that wait for what only asking tells, by id. A sleeper costs nothing until its tick. Nothing here
 * allocates but queue_reserve. Next: task.c. */
#include "core/bsl/tasks.h"

#include <string.h>

/* ---- heaps --------------------------------------------------------------------------------------
 */

static bool heap_before(const task_place *a, const task_place *b)
{
    return a->tick != b->tick ? a->tick < b->tick : a->id < b->id;
}

static void heap_put(task_heap *heap, uint32_t at, task_place place)
{
    heap->items[at] = place;
    place.task->queue_at = at;
}

static void heap_up(task_heap *heap, uint32_t at, task_place place)
{
    while (at > 0 && heap_before(&place, &heap->items[(at - 1) / 2])) {
        heap_put(heap, at, heap->items[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(heap, at, place);
}

static void heap_down(task_heap *heap, uint32_t at, task_place place)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count && heap_before(&heap->items[child + 1], &heap->items[child])) {
            child++;
        }
        if (!heap_before(&heap->items[child], &place)) {
            break;
        }
        heap_put(heap, at, heap->items[child]);
        at = child;
    }
    heap_put(heap, at, place);
}

static void heap_add(task_heap *heap, uint64_t tick, task *t)
{
    heap_up(heap, heap->count++, (task_place){tick, t->id, t});
}

static void heap_remove(task_heap *heap, task *t)
{
    uint32_t at = t->queue_at;
    task_place last = heap->items[--heap->count];
    t->queue = TASK_NOWHERE;
    if (last.task == t) {
        return;
    }
    if (at > 0 && heap_before(&last, &heap->items[(at - 1) / 2])) {
        heap_up(heap, at, last);
    } else {
        heap_down(heap, at, last);
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

#define QUEUE_BYTES (2 * sizeof(task_place) + sizeof(task *)) /* for each task */

/* One block holds all three, so that it is there whole or not at all. */
bool queue_reserve(oban_machine *m, uint32_t tasks)
{
    uint32_t wanted = m->room + m->room / 2;
    if (tasks <= m->room) {
        return true;
    }
    wanted = wanted < tasks ? tasks : wanted;
    task_place *block = oban_alloc_take(&m->alloc, wanted * QUEUE_BYTES);
    if (block == NULL) {
        return false;
    }
    memset(block, 0, wanted * QUEUE_BYTES);
    task **polls = (task **)(void *)(block + 2u * (size_t)wanted);
    if (m->room > 0) {
        memcpy(block, m->ready.items, m->ready.count * sizeof *block);
        memcpy(block + wanted, m->asleep.items, m->asleep.count * sizeof *block);
        memcpy(polls, m->polls, m->poll_count * sizeof *polls);
    }
    queue_fini(m);
    m->ready.items = block;
    m->asleep.items = block + wanted;
    m->polls = polls;
    m->room = wanted;
    return true;
}

void queue_fini(oban_machine *m)
{
    oban_alloc_give(&m->alloc, m->ready.items, m->room * QUEUE_BYTES);
}

void queue_ready(oban_machine *m, task *t)
{
    t->wait = OBAN_WAIT_NONE;
    t->queue = TASK_READY;
    heap_add(&m->ready, 0, t);
}

void queue_sleep(oban_machine *m, task *t)
{
    t->queue = TASK_SLEEPS;
    heap_add(&m->asleep, t->until, t);
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
        heap_remove(&m->ready, t);
    } else if (t->queue == TASK_SLEEPS) {
        heap_remove(&m->asleep, t);
    } else if (t->queue == TASK_POLLS) {
        uint32_t at = queue_find_poll(m, t->id);
        m->poll_count--;
        memmove(m->polls + at, m->polls + at + 1, (m->poll_count - at) * sizeof *m->polls);
        t->queue = TASK_NOWHERE;
    }
}

void queue_wake(oban_machine *m)
{
    while (m->asleep.count > 0 && m->asleep.items[0].tick < m->tick) {
        task *t = m->asleep.items[0].task;
        heap_remove(&m->asleep, t);
        queue_ready(m, t);
    }
}

bool queue_is_due(const oban_machine *m, const task *t)
{
    return t->queue == TASK_READY || (t->queue == TASK_SLEEPS && t->until <= m->tick);
}

/* The one with the lowest id of those that are ready, and of those that wake at this very tick. */
static task *queue_due(const oban_machine *m)
{
    const task_place *ready = m->ready.count > 0 ? &m->ready.items[0] : NULL;
    const task_place *wakes =
        m->asleep.count > 0 && m->asleep.items[0].tick <= m->tick ? &m->asleep.items[0] : NULL;
    if (wakes != NULL && (ready == NULL || wakes->id < ready->id)) {
        return wakes->task;
    }
    return ready != NULL ? ready->task : NULL;
}

task *queue_next(oban_machine *m)
{
    for (;;) {
        task *due = queue_due(m);
        uint32_t at = m->poll_count > 0 ? queue_find_poll(m, m->turn + 1) : 0;
        task *asks = at < m->poll_count ? m->polls[at] : NULL;
        if (asks != NULL && (due == NULL || asks->id < due->id)) {
            m->turn = asks->id;
            if (!task_asks(m, asks)) {
                continue;
            }
            due = asks;
        }
        if (due != NULL) {
            m->turn = due->id > m->turn ? due->id : m->turn;
            queue_remove(m, due);
            due->wait = OBAN_WAIT_NONE;
        }
        return due;
    }
}
