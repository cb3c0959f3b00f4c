/* SPDX-License-Identifier: MIT */
/* What is due. Sleepers lie on a wheel by the tick at which they wake, and cost nothing until then;
 * those that wake have their turn by id, as have those that are ready (a heap) and those that wait
 * for what only asking tells. Nothing here allocates but queue_reserve. Next: task.c. */
#include "core/bsl/tasks.h"

#include <string.h>

/* ---- the heap of those that are ready -----------------------------------------------------------
 */

static void heap_put(oban_machine *m, uint32_t at, task *t)
{
    m->ready[at] = t;
    t->queue_at = at;
}

static void heap_up(oban_machine *m, uint32_t at, task *t)
{
    while (at > 0 && t->id < m->ready[(at - 1) / 2]->id) {
        heap_put(m, at, m->ready[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(m, at, t);
}

static void heap_down(oban_machine *m, uint32_t at, task *t)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= m->ready_count) {
            break;
        }
        if (child + 1 < m->ready_count && m->ready[child + 1]->id < m->ready[child]->id) {
            child++;
        }
        if (t->id < m->ready[child]->id) {
            break;
        }
        heap_put(m, at, m->ready[child]);
        at = child;
    }
    heap_put(m, at, t);
}

static void heap_remove(oban_machine *m, task *t)
{
    uint32_t at = t->queue_at;
    task *last = m->ready[--m->ready_count];
    if (last == t) {
        return;
    }
    if (at > 0 && last->id < m->ready[(at - 1) / 2]->id) {
        heap_up(m, at, last);
    } else {
        heap_down(m, at, last);
    }
}

/* ---- the wheel ----------------------------------------------------------------------------------
 */

static void wheel_add(oban_machine *m, task *t)
{
    task_spoke *spoke = &m->spokes[t->until % TASKS_SPOKES];
    t->before = spoke->last;
    t->behind = NULL;
    if (spoke->last != NULL) {
        spoke->last->behind = t;
    } else {
        spoke->first = t;
    }
    spoke->last = t;
    m->asleep++;
}

static void wheel_remove(oban_machine *m, task *t)
{
    task_spoke *spoke = &m->spokes[t->until % TASKS_SPOKES];
    if (t->before != NULL) {
        t->before->behind = t->behind;
    } else {
        spoke->first = t->behind;
    }
    if (t->behind != NULL) {
        t->behind->before = t->before;
    } else {
        spoke->last = t->before;
    }
    m->asleep--;
}

/* Those of a spoke whose tick has come. They went to sleep in the order of their ids, or nearly:
 * who comes behind a younger one goes by way of the heap. */
static void wheel_wake(oban_machine *m, task_spoke *spoke)
{
    for (task *t = spoke->first; t != NULL;) {
        task *behind = t->behind;
        if (t->until <= m->tick) {
            wheel_remove(m, t);
            if (m->wake_count > 0 && m->wakes[m->wake_count - 1]->id > t->id) {
                queue_ready(m, t);
            } else {
                t->queue = TASK_WAKES;
                t->wait = OBAN_WAIT_NONE;
                t->queue_at = m->wake_count;
                m->wakes[m->wake_count++] = t;
            }
        }
        t = behind;
    }
}

void queue_wake(oban_machine *m)
{
    for (uint32_t i = m->wake_at; i < m->wake_count; i++) {
        if (m->wakes[i] != NULL) {
            queue_ready(m, m->wakes[i]); /* its turn did not come in the pass before */
        }
    }
    m->wake_at = 0;
    m->wake_count = 0;
    uint64_t ticks = m->tick - m->turned_to;
    ticks = ticks < TASKS_SPOKES ? ticks : TASKS_SPOKES;
    for (uint64_t i = 0; i < ticks && m->asleep > 0; i++) {
        wheel_wake(m, &m->spokes[(m->tick - ticks + 1 + i) % TASKS_SPOKES]);
    }
    m->turned_to = m->tick;
}

uint64_t queue_first(const oban_machine *m)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < TASKS_SPOKES && m->asleep > 0; i++) {
        for (const task *t = m->spokes[i].first; t != NULL; t = t->behind) {
            first = t->until < first ? t->until : first;
        }
    }
    return first;
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

#define QUEUE_BYTES (3 * sizeof(task *)) /* for each task */

/* One block holds all three, so that it is there whole or not at all. */
bool queue_reserve(oban_machine *m, uint32_t tasks)
{
    uint32_t wanted = m->room + m->room / 2;
    if (tasks <= m->room) {
        return true;
    }
    wanted = wanted < tasks ? tasks : wanted;
    task **block = oban_alloc_take(&m->alloc, wanted * QUEUE_BYTES);
    if (block == NULL) {
        return false;
    }
    memset(block, 0, wanted * QUEUE_BYTES);
    if (m->room > 0) {
        memcpy(block, m->ready, m->ready_count * sizeof *block);
        memcpy(block + wanted, m->wakes, m->wake_count * sizeof *block);
        memcpy(block + 2u * (size_t)wanted, m->polls, m->poll_count * sizeof *block);
    }
    queue_fini(m);
    m->ready = block;
    m->wakes = block + wanted;
    m->polls = block + 2u * (size_t)wanted;
    m->room = wanted;
    return true;
}

void queue_fini(oban_machine *m)
{
    oban_alloc_give(&m->alloc, m->ready, m->room * QUEUE_BYTES);
}

void queue_ready(oban_machine *m, task *t)
{
    t->wait = OBAN_WAIT_NONE;
    t->queue = TASK_READY;
    heap_up(m, m->ready_count++, t);
}

void queue_sleep(oban_machine *m, task *t)
{
    t->queue = TASK_SLEEPS;
    wheel_add(m, t);
}

void queue_poll(oban_machine *m, task *t)
{
    uint32_t at = queue_find_poll(m, t->id);
    memmove(m->polls + at + 1, m->polls + at, (m->poll_count - at) * sizeof *m->polls);
    m->polls[at] = t;
    m->poll_count++;
    t->queue = TASK_POLLS;
}

static void queue_remove_poll(oban_machine *m, const task *t)
{
    uint32_t at = queue_find_poll(m, t->id);
    m->poll_count--;
    memmove(m->polls + at, m->polls + at + 1, (m->poll_count - at) * sizeof *m->polls);
}

void queue_remove(oban_machine *m, task *t)
{
    switch (t->queue) {
    case TASK_READY:
        heap_remove(m, t);
        break;
    case TASK_SLEEPS:
        wheel_remove(m, t);
        break;
    case TASK_WAKES:
        m->wakes[t->queue_at] = NULL;
        break;
    case TASK_POLLS:
        queue_remove_poll(m, t);
        break;
    case TASK_NOWHERE:
        break;
    }
    t->queue = TASK_NOWHERE;
}

bool queue_is_due(const task *t)
{
    return t->queue == TASK_READY || t->queue == TASK_WAKES;
}

/* The one with the lowest id of those that are ready, and of those that wake at this very tick. */
static task *queue_due(oban_machine *m)
{
    while (m->wake_at < m->wake_count && m->wakes[m->wake_at] == NULL) {
        m->wake_at++;
    }
    task *wakes = m->wake_at < m->wake_count ? m->wakes[m->wake_at] : NULL;
    task *ready = m->ready_count > 0 ? m->ready[0] : NULL;
    return ready != NULL && (wakes == NULL || ready->id < wakes->id) ? ready : wakes;
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
