/* SPDX-License-Identifier: MIT */
/* What waits for a slow client: a queue of framed messages of its own (replies), and a queue of
 * shared blocks (events, encoded once for all). Both hold whole WebSocket frames only.
 * Not here: bounds and what is sent first (deliver.c).
 * Next: outbox.c, client.h. */
#ifndef OBAN_SERVER_OUTBOX_H
#define OBAN_SERVER_OUTBOX_H

#include "core/base/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed one is empty. */
typedef struct oban_outbox {
    char *data;
    size_t begin;
    size_t end;
    size_t capacity;
} oban_outbox;

static inline size_t oban_outbox_bytes(const oban_outbox *box)
{
    return box->end - box->begin;
}

/* Puts frames in at the end. Returns false when memory is out; then nothing has changed. */
bool oban_outbox_put(oban_outbox *box, const oban_alloc *alloc, const void *data, size_t bytes);
/* The first frames, at most bytes_max of them, but one at least. The box must not be empty. */
size_t oban_outbox_piece(const oban_outbox *box, size_t bytes_max, const char **data);
/* Drops the first bytes; gives memory back when the box is empty and large. */
void oban_outbox_drop(oban_outbox *box, const oban_alloc *alloc, size_t bytes);
void oban_outbox_fini(oban_outbox *box, const oban_alloc *alloc);

/* A shared block. */
typedef struct oban_blob {
    uint32_t references;
    size_t bytes;
    char data[];
} oban_blob;

/* Copies; one reference, the caller's. Returns NULL when memory is out. */
oban_blob *oban_blob_create(const oban_alloc *alloc, const void *data, size_t bytes);
void oban_blob_release(oban_blob *blob, const oban_alloc *alloc);

/* A zeroed one is empty. */
typedef struct oban_blob_queue {
    oban_blob **ring;
    uint32_t capacity;
    uint32_t begin;
    uint32_t count;
    size_t offset; /* what of the first block is sent */
    size_t bytes;  /* still to be sent, of all blocks */
} oban_blob_queue;

/* Adds a reference to the block. Returns false when memory is out. */
bool oban_blob_queue_put(oban_blob_queue *queue, const oban_alloc *alloc, oban_blob *blob);
/* The first frames of the first block. The queue must not be empty. */
size_t oban_blob_queue_piece(const oban_blob_queue *queue, size_t bytes_max, const char **data);
/* Drops bytes of the first block. Returns whether that block is done. */
bool oban_blob_queue_drop(oban_blob_queue *queue, const oban_alloc *alloc, size_t bytes);
void oban_blob_queue_fini(oban_blob_queue *queue, const oban_alloc *alloc);

#endif
