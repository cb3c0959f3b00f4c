/* SPDX-License-Identifier: MIT */
/* state.def as data. Next: save.c. */
#include "core/wild/fields.h"

#define FIELDS_ROW(thing, member, TYPE, lowest, highest)                                           \
    {#member, offsetof(thing, member), OBAN_WILD_FIELD_##TYPE, (int64_t)(lowest),                  \
     (int64_t)(highest)},

static const oban_wild_field fields_wild[] = {
#define OBAN_WILD_STATE_WILD(member, TYPE, lowest, highest)                                        \
    FIELDS_ROW(oban_wild, member, TYPE, lowest, highest)
#include "core/wild/state.def"
};

static const oban_wild_field fields_alien[] = {
#define OBAN_WILD_STATE_ALIEN(member, TYPE, lowest, highest)                                       \
    FIELDS_ROW(oban_wild_alien, member, TYPE, lowest, highest)
#include "core/wild/state.def"
};

static const oban_wild_field fields_sector[] = {
#define OBAN_WILD_STATE_SECTOR(member, TYPE, lowest, highest)                                      \
    FIELDS_ROW(oban_wild_sector, member, TYPE, lowest, highest)
#include "core/wild/state.def"
};

static const oban_wild_field fields_action[] = {
#define OBAN_WILD_STATE_ACTION(member, TYPE, lowest, highest)                                      \
    FIELDS_ROW(oban_wild_action, member, TYPE, lowest, highest)
#include "core/wild/state.def"
};

static const oban_wild_field fields_move[] = {
#define OBAN_WILD_STATE_MOVE(member, TYPE, lowest, highest)                                        \
    FIELDS_ROW(oban_wild_move, member, TYPE, lowest, highest)
#include "core/wild/state.def"
};

static const oban_wild_field fields_command[] = {
#define OBAN_WILD_STATE_COMMAND(member, TYPE, lowest, highest)                                     \
    FIELDS_ROW(oban_wild_command, member, TYPE, lowest, highest)
#include "core/wild/state.def"
};

static const oban_wild_field fields_doing[] = {
#define OBAN_WILD_STATE_DOING(member, TYPE, lowest, highest)                                       \
    FIELDS_ROW(oban_wild_doing, member, TYPE, lowest, highest)
#include "core/wild/state.def"
};

#define FIELDS_TABLE(fields)                                                                       \
    {                                                                                              \
        fields, (uint32_t)(sizeof(fields) / sizeof *(fields))                                      \
    }

const oban_wild_field *oban_wild_fields(oban_wild_table table, uint32_t *count)
{
    static const struct {
        const oban_wild_field *fields;
        uint32_t count;
    } tables[OBAN_WILD_TABLE_COUNT] = {
        [OBAN_WILD_TABLE_WILD] = FIELDS_TABLE(fields_wild),
        [OBAN_WILD_TABLE_ALIEN] = FIELDS_TABLE(fields_alien),
        [OBAN_WILD_TABLE_SECTOR] = FIELDS_TABLE(fields_sector),
        [OBAN_WILD_TABLE_ACTION] = FIELDS_TABLE(fields_action),
        [OBAN_WILD_TABLE_MOVE] = FIELDS_TABLE(fields_move),
        [OBAN_WILD_TABLE_COMMAND] = FIELDS_TABLE(fields_command),
        [OBAN_WILD_TABLE_DOING] = FIELDS_TABLE(fields_doing),
    };
    *count = tables[table].count;
    return tables[table].fields;
}
