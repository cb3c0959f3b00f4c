/* SPDX-License-Identifier: MIT */
/* See letters.h. */
#include "clients/obanctl/letters.h"

#include "clients/obanctl/memory.h"

#include <stdlib.h>
#include <string.h>

void letters_init(letters *queue)
{
    queue->first = NULL;
    queue->last = &queue->first;
}

letter *letter_make(const char *data, size_t bytes, size_t in_front)
{
    letter *made = memory_take(sizeof *made + in_front + bytes + 1);

    made->bytes = bytes;
    memcpy(made->data + in_front, data, bytes);
    return made;
}

void letters_put(letters *queue, letter *put)
{
    *queue->last = put;
    queue->last = &put->next;
}

letter *letters_take(letters *queue)
{
    letter *taken = queue->first;

    if (taken != NULL) {
        queue->first = taken->next;
        if (queue->first == NULL) {
            queue->last = &queue->first;
        }
    }
    return taken;
}

void letters_fini(letters *queue)
{
    for (letter *one = letters_take(queue); one != NULL; one = letters_take(queue)) {
        free(one);
    }
}
