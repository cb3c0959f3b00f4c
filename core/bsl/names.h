/* SPDX-License-Identifier: MIT */
/* Names as numbers: each different text gets the next number, from 0. A crit-bit tree, not a hash:
 * what it costs is bounded by the length of the names, whatever an enemy chooses them to be.
 * Not here: what a name stands for. Next: names.c. */
#ifndef OBAN_BSL_NAMES_H
#define OBAN_BSL_NAMES_H

#include "core/base/alloc.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define OBAN_NO_NAME UINT32_MAX

typedef struct oban_name {
    uint32_t offset;
    uint32_t bytes;
} oban_name;

/* A fork of the tree: the first byte in which its two sides differ, and the bit. */
typedef struct oban_name_node {
    uint32_t byte;
    uint32_t bit;
    uint32_t sides[2]; /* a node, or a name with the highest bit set */
} oban_name_node;

typedef struct oban_names {
    oban_alloc alloc;
    char *bytes;
    uint32_t byte_count;
    uint32_t byte_capacity;
    oban_name *items;
    uint32_t count;
    uint32_t capacity;
    oban_name_node *nodes; /* one fewer than names */
    uint32_t node_capacity;
    uint32_t root;
} oban_names;

void oban_names_init(oban_names *names, oban_alloc alloc);
void oban_names_fini(oban_names *names);
/* The number of a text, or OBAN_NO_NAME. */
uint32_t oban_names_find(const oban_names *names, oban_text text);
/* The number of a text, which is new or was there. OBAN_NO_NAME: memory is out, or there are 2^31
 * of them; then nothing has changed. */
uint32_t oban_names_add(oban_names *names, oban_text text);
/* The text of a number; valid until the next one is added. */
oban_text oban_names_text(const oban_names *names, uint32_t name);

#endif
