/* SPDX-License-Identifier: MIT */
/* What the tests of wild share: a wild with a counting allocator, commands made in a line.
 * Not here: what is expected (the tests). */
#ifndef TESTS_WILD_RIG_H
#define TESTS_WILD_RIG_H

#include "tests/unit/world/rig.h" /* memory, random numbers */

#include "core/wild/wild.h"

typedef struct wild_rig {
    rig_memory memory;
    oban_alloc alloc;
    oban_wild *wild;
    oban_wild_result result;
    uint32_t next_h;
} wild_rig;

static UNUSED void wild_open_with(wild_rig *r, const oban_wild_limits *limits)
{
    r->alloc = rig_alloc(&r->memory);
    r->next_h = 1;
    assert_int_equal(oban_wild_create(&r->alloc, limits, 0, &r->wild), OBAN_OK);
}

static UNUSED void wild_open(wild_rig *r)
{
    const oban_wild_limits limits = oban_wild_limits_default();
    wild_open_with(r, &limits);
}

static UNUSED void wild_close(wild_rig *r)
{
    oban_wild_destroy(r->wild);
    assert_int_equal(r->memory.bytes, 0);
}

static UNUSED uint64_t wild_hash(const oban_wild *wild)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_wild_hash(wild, &hash);
    return oban_hash_end(&hash);
}

/* The first world tick that shows a Wild tick. */
static UNUSED uint64_t wild_world_tick(uint64_t wild_tick)
{
    return (wild_tick * 6 + 4) / 5;
}

/* Steps to a world tick; the step may not ask for memory. */
static UNUSED void wild_step(wild_rig *r, uint64_t tick)
{
    r->memory.closed = 1;
    oban_wild_step(r->wild, tick);
    oban_wild_evaluate(r->wild, tick + 1);
    r->memory.closed = 0;
}

static UNUSED void wild_to(wild_rig *r, uint64_t wild_tick)
{
    wild_step(r, wild_world_tick(wild_tick));
}

/* ---- commands in a line ---------------------------------------------------------------------- */

static UNUSED oban_wild_sector_def wild_sector(const char *name, const char *parent, double x,
                                               double y, double z)
{
    oban_wild_sector_def def = {.name = oban_text_of(name), .origin = {x, y, z}};
    if (parent != NULL) {
        def.parent = oban_text_of(parent);
    }
    return def;
}

static UNUSED oban_status wild_alien(wild_rig *r, const char *alien,
                                     const oban_wild_sector_def *sectors, uint32_t count)
{
    const oban_wild_alien_def def = {.alien = oban_text_of(alien),
                                     .sectors = sectors,
                                     .sector_count = count,
                                     .first_h = r->next_h};
    if (oban_wild_alien_put(r->wild, &def, &r->result) == OBAN_OK) {
        r->next_h += count;
    }
    return r->result.status;
}

/* One alien "a" with so many sectors s0, s1, ... at (0, 0, 0). */
static UNUSED void wild_crowd(wild_rig *r, uint32_t count)
{
    oban_wild_sector_def *sectors = calloc(count, sizeof *sectors);
    char(*names)[16] = calloc(count, sizeof *names);
    for (uint32_t i = 0; i < count; i++) {
        (void)snprintf(names[i], sizeof names[i], "s%u", i);
        sectors[i] = wild_sector(names[i], NULL, 0, 0, 0);
    }
    assert_int_equal(wild_alien(r, "a", sectors, count), OBAN_OK);
    free(sectors);
    free(names);
}

static UNUSED oban_wild_command_def wild_set(uint32_t target, int64_t raw)
{
    return (oban_wild_command_def){
        .op = OBAN_WILD_SET, .target = (uint8_t)target, .has_raw = true, .raw = raw};
}

static UNUSED oban_wild_command_def wild_add(uint32_t target, int64_t raw)
{
    return (oban_wild_command_def){
        .op = OBAN_WILD_ADD, .target = (uint8_t)target, .has_raw = true, .raw = raw};
}

#define WILD_MOVE(ID, START, DURATION, COMMANDS)                                                   \
    {                                                                                              \
        .id = (ID), .start = (START), .duration = (DURATION), .commands = (COMMANDS),              \
        .command_count = sizeof(COMMANDS) / sizeof *(COMMANDS)                                     \
    }

static UNUSED oban_status wild_define(wild_rig *r, const char *action, uint32_t roles,
                                      const oban_wild_move_def *moves, uint32_t count, bool remove)
{
    static const char *const names[] = {"r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"};
    oban_text texts[8];
    for (uint32_t i = 0; i < roles; i++) {
        texts[i] = oban_text_of(names[i]);
    }
    const oban_wild_action_def def = {.action = oban_text_of(action),
                                      .roles = texts,
                                      .role_count = roles,
                                      .moves = moves,
                                      .move_count = count,
                                      .remove = remove};
    return oban_wild_define(r->wild, &def, &r->result);
}

/* The seed's Drop, under the name "drop". */
static UNUSED void wild_define_drop(wild_rig *r, bool remove)
{
    const oban_wild_command_def commands[] = {
        wild_set(OBAN_WILD_Y | OBAN_WILD_V, -100000), wild_set(OBAN_WILD_Y | OBAN_WILD_A, 1200),
        wild_set(OBAN_WILD_X | OBAN_WILD_V, 0), wild_set(OBAN_WILD_Z | OBAN_WILD_V, 0)};
    const oban_wild_move_def move = WILD_MOVE(1, 0, 200, commands);
    assert_int_equal(wild_define(r, "drop", 1, &move, 1, remove), OBAN_OK);
}

/* A forever turn about +Y at so many raw a tick, under the name "rotor". */
static UNUSED void wild_define_rotor(wild_rig *r, int64_t raw)
{
    const oban_wild_command_def commands[] = {wild_set(OBAN_WILD_RY, 65536),
                                              wild_set(OBAN_WILD_R | OBAN_WILD_V, raw)};
    const oban_wild_move_def move = WILD_MOVE(1, 0, OBAN_WILD_FOREVER, commands);
    assert_int_equal(wild_define(r, "rotor", 1, &move, 1, false), OBAN_OK);
}

/* On one sector. */
static UNUSED oban_status wild_do(wild_rig *r, const char *action, const char *alien,
                                  const char *sector, uint64_t start, bool replace)
{
    const oban_text text = oban_text_of(sector);
    const oban_wild_do_def def = {.alien = oban_text_of(alien),
                                  .action = oban_text_of(action),
                                  .sectors = &text,
                                  .sector_count = 1,
                                  .start = start,
                                  .replace = replace};
    return oban_wild_do(r->wild, &def, &r->result);
}

static UNUSED oban_status wild_remove(wild_rig *r, const char *alien, const char *sector)
{
    oban_wild_remove_def def = {.alien = oban_text_of(alien)};
    if (sector != NULL) {
        def.sector = oban_text_of(sector);
    }
    return oban_wild_remove(r->wild, &def, &r->result);
}

static UNUSED oban_wild_view wild_view(const wild_rig *r, const char *alien, const char *sector)
{
    oban_wild_view view;
    const oban_wild_alien *a = oban_wild_alien_find(r->wild, oban_text_of(alien));
    assert_non_null(a);
    const oban_wild_sector *s = oban_wild_sector_find(a, oban_text_of(sector));
    assert_non_null(s);
    oban_wild_sector_view(s, &view);
    return view;
}

/* The stops since the last step, counted; each must have this reason. */
static UNUSED uint32_t wild_stops(const wild_rig *r, oban_wild_stop_reason reason)
{
    uint32_t count;
    uint32_t stops = 0;
    const oban_wild_event *events = oban_wild_events(r->wild, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].type == OBAN_WILD_EVENT_STOP) {
            assert_int_equal(events[i].reason, reason);
            stops += 1;
        }
    }
    return stops;
}

#endif
