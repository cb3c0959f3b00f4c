/* SPDX-License-Identifier: MIT */
/* Queues of framed bytes.
 * Next: outbox.h. */
#include "server/outbox.h"

#include "proto/wire/ws_frame.h"

#include <string.h>

#define OUTBOX_BYTES_MIN 1024u
#define OUTBOX_BYTES_KEPT 65536u /* an empty box keeps no more */
#define OUTBOX_RING_MIN 16u

/* Moves what waits to the front when that gives room enough without moving more than it frees. */
static bool outbox_slide(oban_outbox *box, size_t bytes)
{
    size_t held = oban_outbox_bytes(box);
    if (box->begin < held || box->capacity - held < bytes) {
        return false;
    }
    memmove(box->data, box->data + box->begin, held);
    box->begin = 0;
    box->end = held;
    return true;
}

static bool outbox_reserve(oban_outbox *box, const oban_alloc *alloc, size_t bytes)
{
    if (box->capacity - box->end >= bytes || outbox_slide(box, bytes)) {
        return true;
    }
    size_t capacity = box->capacity < OUTBOX_BYTES_MIN ? OUTBOX_BYTES_MIN : box->capacity;
    while (capacity - box->end < bytes) {
        capacity *= 2;
    }
    char *data = alloc->resize(alloc->context, box->data, box->capacity, capacity);
    if (data == NULL) {
        return false;
    }
    box->data = data;
    box->capacity = capacity;
    return true;
}

bool oban_outbox_put(oban_outbox *box, const oban_alloc *alloc, const void *data, size_t bytes)
{
    if (!outbox_reserve(box, alloc, bytes)) {
        return false;
    }
    memcpy(box->data + box->end, data, bytes);
    box->end += bytes;
    return true;
}

size_t oban_outbox_piece(const oban_outbox *box, size_t bytes_max, const char **data)
{
    *data = box->data + box->begin;
    return oban_ws_piece_bytes(*data, oban_outbox_bytes(box), bytes_max);
}

void oban_outbox_drop(oban_outbox *box, const oban_alloc *alloc, size_t bytes)
{
    box->begin += bytes;
    if (box->begin == box->end) {
        box->begin = 0;
        box->end = 0;
        if (box->capacity > OUTBOX_BYTES_KEPT) {
            oban_outbox_fini(box, alloc);
        }
    }
}

void oban_outbox_fini(oban_outbox *box, const oban_alloc *alloc)
{
    oban_alloc_give(alloc, box->data, box->capacity);
    memset(box, 0, sizeof *box);
}

/* ---- shared blocks ---- */

oban_blob *oban_blob_create(const oban_alloc *alloc, const void *data, size_t bytes)
{
    oban_blob *blob = oban_alloc_take(alloc, sizeof *blob + bytes);
    if (blob != NULL) {
        blob->references = 1;
        blob->bytes = bytes;
        memcpy(blob->data, data, bytes);
    }
    return blob;
}

void oban_blob_release(oban_blob *blob, const oban_alloc *alloc)
{
    if (blob != NULL && --blob->references == 0) {
        oban_alloc_give(alloc, blob, sizeof *blob + blob->bytes);
    }
}

static bool blob_queue_grow(oban_blob_queue *queue, const oban_alloc *alloc)
{
    uint32_t capacity = queue->capacity == 0 ? OUTBOX_RING_MIN : queue->capacity * 2;
    oban_blob **ring = oban_alloc_take(alloc, capacity * sizeof *ring);
    if (ring == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < queue->count; i++) {
        ring[i] = queue->ring[(queue->begin + i) % queue->capacity];
    }
    oban_alloc_give(alloc, queue->ring, queue->capacity * sizeof *ring);
    queue->ring = ring;
    queue->capacity = capacity;
    queue->begin = 0;
    return true;
}

bool oban_blob_queue_put(oban_blob_queue *queue, const oban_alloc *alloc, oban_blob *blob)
{
    if (queue->count == queue->capacity && !blob_queue_grow(queue, alloc)) {
        return false;
    }
    queue->ring[(queue->begin + queue->count) % queue->capacity] = blob;
    queue->count++;
    queue->bytes += blob->bytes;
    blob->references++;
    return true;
}

size_t oban_blob_queue_piece(const oban_blob_queue *queue, size_t bytes_max, const char **data)
{
    const oban_blob *blob = queue->ring[queue->begin];
    *data = blob->data + queue->offset;
    return oban_ws_piece_bytes(*data, blob->bytes - queue->offset, bytes_max);
}

bool oban_blob_queue_drop(oban_blob_queue *queue, const oban_alloc *alloc, size_t bytes)
{
    oban_blob *blob = queue->ring[queue->begin];
    queue->offset += bytes;
    queue->bytes -= bytes;
    if (queue->offset < blob->bytes) {
        return false;
    }
    oban_blob_release(blob, alloc);
    queue->offset = 0;
    queue->begin = (queue->begin + 1) % queue->capacity;
    queue->count--;
    return true;
}

void oban_blob_queue_fini(oban_blob_queue *queue, const oban_alloc *alloc)
{
    for (uint32_t i = 0; i < queue->count; i++) {
        oban_blob_release(queue->ring[(queue->begin + i) % queue->capacity], alloc);
    }
    oban_alloc_give(alloc, queue->ring, queue->capacity * sizeof(oban_blob *));
    memset(queue, 0, sizeof *queue);
}
