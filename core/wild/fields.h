/* SPDX-License-Identifier: MIT */
/* state.def as data, and the layout of saved bytes. They are little-endian:
 *
 *   8   magic                       4   version
 *   the wild by its table           4   how many limits-bound things follow, for each kind:
 *   aliens    each by its table
 *   sectors   table, 4 place of the alien among them, 4 life of the parent (0: none)
 *   dying     4 life of each, in the order in which they vanish
 *   actions   table, 4 4 4 how many roles, moves, commands, then those (a role is a NAME)
 *   doings    table, 4 place of the alien, 8 serial of the action, 4 life of each role's sector
 *   8   hash of all the bytes before
 *
 * BOOL, U8 1 byte; U32 I32 4; U64 I64 F64 8; MAT34 48; NAME 1 (bytes) and its bytes.
 * Next: save.c, load.c. */
#ifndef OBAN_WILD_FIELDS_H
#define OBAN_WILD_FIELDS_H

#include "core/wild/state.h"

#define OBAN_WILD_SAVE_MAGIC "OBANWILD"
#define OBAN_WILD_SAVE_MAGIC_BYTES 8u
#define OBAN_WILD_SAVE_VERSION 1u
#define OBAN_WILD_SAVE_HASH_BYTES 8u

typedef enum oban_wild_field_type {
    OBAN_WILD_FIELD_BOOL,
    OBAN_WILD_FIELD_U8,
    OBAN_WILD_FIELD_U32,
    OBAN_WILD_FIELD_U64,
    OBAN_WILD_FIELD_I32,
    OBAN_WILD_FIELD_I64,
    OBAN_WILD_FIELD_F64,
    OBAN_WILD_FIELD_MAT34,
    OBAN_WILD_FIELD_NAME
} oban_wild_field_type;

typedef struct oban_wild_field {
    const char *name;
    size_t offset;
    oban_wild_field_type type;
    int64_t lowest;
    int64_t highest;
} oban_wild_field;

typedef enum oban_wild_table {
    OBAN_WILD_TABLE_WILD,
    OBAN_WILD_TABLE_ALIEN,
    OBAN_WILD_TABLE_SECTOR,
    OBAN_WILD_TABLE_ACTION,
    OBAN_WILD_TABLE_MOVE,
    OBAN_WILD_TABLE_COMMAND,
    OBAN_WILD_TABLE_DOING,
    OBAN_WILD_TABLE_COUNT
} oban_wild_table;

/* The fields of one kind of thing; how many goes to *count. */
const oban_wild_field *oban_wild_fields(oban_wild_table table, uint32_t *count);

#endif
