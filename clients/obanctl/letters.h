/* SPDX-License-Identifier: MIT */
/* Whole messages that wait, in order.
 * Next: connection.c. */
#ifndef OBANCTL_LETTERS_H
#define OBANCTL_LETTERS_H

#include <stddef.h>

typedef struct letter {
    struct letter *next;
    size_t bytes;
    char data[]; /* ends with a NUL that is not counted */
} letter;

typedef struct letters {
    letter *first;
    letter **last;
} letters;

/* A copy of `data`, with room in front of it. Owns: free. */
letter *letter_make(const char *data, size_t bytes, size_t in_front);

void letters_init(letters *queue);
void letters_fini(letters *queue);
void letters_put(letters *queue, letter *put);
/* The oldest, or NULL. */
letter *letters_take(letters *queue);

#endif
