/* SPDX-License-Identifier: MIT */
/* The crit-bit tree of names. A byte counts as nine bits, the highest of which says that it is
 * there: so a text and the longer one that it begins differ too.
 * Next: program.c. */
#include "core/bsl/names.h"

#include "core/base/room.h"

#include <string.h>

#define NAMES_LEAF 0x80000000u

void oban_names_init(oban_names *names, oban_alloc alloc)
{
    memset(names, 0, sizeof *names);
    names->alloc = alloc;
}

void oban_names_fini(oban_names *names)
{
    oban_alloc_give(&names->alloc, names->bytes, names->byte_capacity);
    oban_alloc_give(&names->alloc, names->items, names->capacity * sizeof *names->items);
    oban_alloc_give(&names->alloc, names->nodes, names->node_capacity * sizeof *names->nodes);
    oban_names_init(names, names->alloc);
}

oban_text oban_names_text(const oban_names *names, uint32_t name)
{
    const oban_name *item = &names->items[name];
    return (oban_text){names->bytes + item->offset, item->bytes};
}

static uint32_t names_byte(oban_text text, uint32_t at)
{
    return at < text.bytes ? 0x100u | (unsigned char)text.data[at] : 0;
}

static uint32_t names_side(const oban_name_node *node, oban_text text)
{
    return (names_byte(text, node->byte) & node->bit) != 0 ? 1 : 0;
}

/* The one name that the text may be, of all that are there. */
static uint32_t names_candidate(const oban_names *names, oban_text text)
{
    uint32_t at = names->root;
    while ((at & NAMES_LEAF) == 0) {
        const oban_name_node *node = &names->nodes[at];
        at = node->sides[names_side(node, text)];
    }
    return at & ~NAMES_LEAF;
}

uint32_t oban_names_find(const oban_names *names, oban_text text)
{
    if (names->count == 0) {
        return OBAN_NO_NAME;
    }
    uint32_t name = names_candidate(names, text);
    return oban_text_equal(oban_names_text(names, name), text) ? name : OBAN_NO_NAME;
}

static bool names_reserve(oban_names *names, uint32_t bytes)
{
    uint64_t total = (uint64_t)names->byte_count + bytes;
    char *room = oban_room_make(&names->alloc, names->bytes, &names->byte_capacity, 1, total);
    if (room == NULL) {
        return false;
    }
    names->bytes = room;
    oban_name *items = oban_room_make(&names->alloc, names->items, &names->capacity, sizeof *items,
                                      (uint64_t)names->count + 1);
    if (items == NULL) {
        return false;
    }
    names->items = items;
    oban_name_node *nodes = oban_room_make(&names->alloc, names->nodes, &names->node_capacity,
                                           sizeof *nodes, (uint64_t)names->count + 1);
    if (nodes == NULL) {
        return false;
    }
    names->nodes = nodes;
    return names->count < NAMES_LEAF - 1;
}

static void names_append(oban_names *names, oban_text text)
{
    names->items[names->count] = (oban_name){names->byte_count, text.bytes};
    if (text.bytes > 0) {
        memcpy(names->bytes + names->byte_count, text.data, text.bytes);
    }
    names->byte_count += text.bytes;
    names->count++;
}

/* The first byte in which the two differ, and the highest bit of it that does. */
static oban_name_node names_difference(oban_text a, oban_text b)
{
    oban_name_node node = {0, 0x100u, {0, 0}};
    while (names_byte(a, node.byte) == names_byte(b, node.byte)) {
        node.byte++;
    }
    uint32_t bits = names_byte(a, node.byte) ^ names_byte(b, node.byte);
    while ((bits & node.bit) == 0) {
        node.bit >>= 1;
    }
    return node;
}

/* Hangs the newest name in, above the first node that looks at a later place than `node` does. */
static void names_hang(oban_names *names, oban_name_node node, oban_text text)
{
    uint32_t *link = &names->root;
    while ((*link & NAMES_LEAF) == 0) {
        oban_name_node *below = &names->nodes[*link];
        if (below->byte > node.byte || (below->byte == node.byte && below->bit < node.bit)) {
            break;
        }
        link = &below->sides[names_side(below, text)];
    }
    uint32_t side = names_side(&node, text);
    uint32_t at = names->count - 2; /* as many nodes as names, less one */
    node.sides[side] = (names->count - 1) | NAMES_LEAF;
    node.sides[1 - side] = *link;
    names->nodes[at] = node;
    *link = at;
}

uint32_t oban_names_add(oban_names *names, oban_text text)
{
    oban_name_node node;
    if (names->count > 0) {
        uint32_t near = names_candidate(names, text);
        if (oban_text_equal(oban_names_text(names, near), text)) {
            return near;
        }
        node = names_difference(oban_names_text(names, near), text);
    }
    if (!names_reserve(names, text.bytes)) {
        return OBAN_NO_NAME;
    }
    names_append(names, text);
    if (names->count == 1) {
        names->root = NAMES_LEAF;
    } else {
        names_hang(names, node, text);
    }
    return names->count - 1;
}
