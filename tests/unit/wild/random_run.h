/* SPDX-License-Identifier: MIT */
/* Random commands on a small wild, half of them wrong in some way. Equal seeds give equal runs: one
 * random number a statement, since compilers choose the order within one. */
#ifndef TESTS_WILD_RANDOM_RUN_H
#define TESTS_WILD_RANDOM_RUN_H

#include "tests/unit/wild/rig.h"

static const char *const run_aliens[] = {"arena", "walker", "crane", "none"};
static const char *const run_sectors[] = {"a", "b", "c", "d", "e", "f",
                                          "g", "h", "i", "j", "k", "l"};
static const char *const run_actions[] = {"kick", "drop", "spin", "jump", "wave"};

#define RUN_PICK(random, list)                                                                     \
    ((list)[rig_random(random) % (uint32_t)(sizeof(list) / sizeof *(list))])

static UNUSED void run_open_with(wild_rig *r, uint32_t sectors_max)
{
    oban_wild_limits limits = oban_wild_limits_default();
    limits.sectors_max = sectors_max;
    limits.doings_max = 12;
    limits.actions_max = 7;
    wild_open_with(r, &limits);
}

static UNUSED void run_open(wild_rig *r)
{
    run_open_with(r, 24);
}

static UNUSED oban_status run_alien(wild_rig *r, uint64_t *random)
{
    oban_wild_sector_def sectors[4];
    uint32_t count = rig_random(random) % 5;
    memset(sectors, 0, sizeof sectors);
    for (uint32_t i = 0; i < count; i++) {
        const char *parent = i > 0 ? sectors[i - 1].name.data : NULL;
        if (rig_random(random) % 4 == 0) {
            parent = RUN_PICK(random, run_sectors);
        }
        double x = (double)(int32_t)rig_random(random) / 1000.0;
        const char *name = RUN_PICK(random, run_sectors);
        sectors[i] = wild_sector(name, parent, x, 2, -x / 3);
        if (rig_random(random) % 3 == 0) {
            const double turned[9] = {0, 1, 0, -0.6, 0, 0.8, 0.8, 0, 0.6};
            memcpy(sectors[i].basis, turned, sizeof turned);
            sectors[i].has_basis = true;
        }
        if (rig_random(random) % 40 == 0) {
            sectors[i].origin[1] = 1e12;
        }
    }
    oban_wild_alien_def def = {.place = {{0, 1, 0, 1, 0, 0, 0, 0, -1, 5, 6, 7}},
                               .sectors = sectors,
                               .sector_count = count,
                               .first_h = r->next_h};
    def.alien = oban_text_of(RUN_PICK(random, run_aliens));
    def.has_place = rig_random(random) % 4 == 0;
    oban_status status = oban_wild_alien_put(r->wild, &def, &r->result);
    r->next_h += status == OBAN_OK ? count : 0;
    return status;
}

static UNUSED oban_wild_command_def run_wild_command(uint64_t *random)
{
    static const uint8_t targets[] = {0x00, 0x10, 0x20, 0x01, 0x11, 0x21, 0x02, 0x12,
                                      0x22, 0x13, 0x23, 0x04, 0x05, 0x06, 0x13, 0x05};
    uint8_t target = RUN_PICK(random, targets);
    if (rig_random(random) % 60 == 0) {
        target = (uint8_t)rig_random(random);
    }
    uint32_t shift = rig_random(random) % 16;
    shift = shift == 0 ? 0 : 10 + rig_random(random) % 22;
    int64_t raw = (int32_t)rig_random(random) >> shift;
    oban_wild_command_def command = wild_set(target, raw);
    if (rig_random(random) % 4 == 0) {
        command.op = OBAN_WILD_ADD;
    }
    if (rig_random(random) % 8 == 0) {
        command.has_raw = false;
        command.has_value = true;
        command.value = (double)(raw >> 16);
    }
    return command;
}

static UNUSED oban_status run_define(wild_rig *r, uint64_t *random)
{
    oban_wild_command_def commands[5][6];
    oban_wild_move_def moves[5];
    uint32_t roles = 1 + rig_random(random) % 3;
    uint32_t count = rig_random(random) % 6;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t commands_here = rig_random(random) % 6;
        commands[i][0] = wild_set(OBAN_WILD_RY, 65536);
        for (uint32_t k = 1; k <= commands_here; k++) {
            commands[i][k] = run_wild_command(random);
        }
        moves[i] =
            (oban_wild_move_def){.commands = commands[i], .command_count = 1 + commands_here};
        moves[i].id = 1 + rig_random(random) % roles;
        moves[i].id += rig_random(random) % 64 == 0 ? 3 : 0;
        moves[i].start = rig_random(random) % 100;
        moves[i].duration = rig_random(random) % 80;
        if (rig_random(random) % 16 == 0) {
            moves[i].duration = OBAN_WILD_FOREVER;
        }
    }
    const char *action = RUN_PICK(random, run_actions);
    bool remove = rig_random(random) % 8 == 0;
    return wild_define(r, action, roles, moves, count, remove);
}

/* A sector that is there, or NULL. */
static UNUSED const oban_wild_sector *run_some_sector(const wild_rig *r, uint64_t *random)
{
    uint32_t count = oban_wild_sector_count(r->wild);
    uint32_t skip = rig_random(random) % (count + 1);
    const oban_wild_sector *sector = oban_wild_sector_first(r->wild);
    for (; sector != NULL && skip > 0; skip--) {
        sector = oban_wild_sector_next(sector);
    }
    return sector;
}

static UNUSED oban_status run_do(wild_rig *r, uint64_t *random)
{
    oban_text sectors[3];
    const char *alien = RUN_PICK(random, run_aliens);
    const oban_text action = oban_text_of(RUN_PICK(random, run_actions));
    const oban_wild_action *there = oban_wild_action_find(r->wild, action);
    const oban_wild_sector *sector = run_some_sector(r, random);
    uint32_t count = 1 + rig_random(random) % 3;
    for (uint32_t i = 0; i < 3; i++) {
        sectors[i] = oban_text_of(RUN_PICK(random, run_sectors));
        if (sector != NULL && rig_random(random) % 16 != 0) {
            oban_wild_view view;
            oban_wild_sector_view(sector, &view);
            sectors[i] = oban_text_of(view.sector);
            alien = view.alien;
            do { /* the next of the same alien */
                sector = oban_wild_sector_next(sector);
                if (sector != NULL) {
                    oban_wild_sector_view(sector, &view);
                }
            } while (sector != NULL && strcmp(view.alien, alien) != 0);
        }
    }
    if (there != NULL && rig_random(random) % 16 != 0) {
        oban_wild_action_view view;
        oban_wild_action_see(there, &view);
        count = view.role_count;
    }
    const oban_text roles[3] = {{"r2", 2}, {"r1", 2}, {"r3", 2}};
    uint64_t now = oban_wild_tick_of(oban_wild_tick(r->wild));
    oban_wild_do_def def = {
        .alien = oban_text_of(alien), .action = action, .sectors = sectors, .sector_count = count};
    def.roles = rig_random(random) % 8 == 0 ? roles : NULL;
    if (rig_random(random) % 3 == 0) {
        def.start = now + rig_random(random) % 100 - now % 50;
    }
    def.replace = rig_random(random) % 2;
    return oban_wild_do(r->wild, &def, &r->result);
}

/* One that goes on, or a number that does not. */
static UNUSED oban_status run_abort(wild_rig *r, uint64_t *random)
{
    oban_wild_doing_view view = {.doing = rig_random(random) % 100};
    const oban_wild_doing *doing = oban_wild_doing_first(r->wild);
    if (doing != NULL && rig_random(random) % 4 != 0) {
        oban_wild_doing_see(doing, &view);
    }
    return oban_wild_abort(r->wild, view.doing, &r->result);
}

static UNUSED oban_status run_remove(wild_rig *r, uint64_t *random)
{
    oban_wild_remove_def def = {.action = {NULL, 0}};
    def.alien = oban_text_of(RUN_PICK(random, run_aliens));
    def.sector = oban_text_of(RUN_PICK(random, run_sectors));
    uint32_t which = rig_random(random) % 12;
    if (which == 0) {
        def.sector = oban_text_of("");
    } else if (which < 3) {
        def = (oban_wild_remove_def){.action = oban_text_of(RUN_PICK(random, run_actions))};
    }
    return oban_wild_remove(r->wild, &def, &r->result);
}

/* One command. The random numbers that it takes do not depend on memory. */
static UNUSED oban_status run_command(wild_rig *r, uint64_t *random)
{
    switch (rig_random(random) % 20) {
    case 0:
    case 1:
    case 2:
        return run_alien(r, random);
    case 3:
    case 4:
    case 5:
    case 6:
        return run_define(r, random);
    case 7:
        return run_remove(r, random);
    case 8:
        return run_abort(r, random);
    default:
        return run_do(r, random);
    }
}

/* Some commands, then a step of mostly one tick. */
static UNUSED void run_tick(wild_rig *r, uint64_t *random)
{
    uint32_t commands = rig_random(random) % 8;
    for (uint32_t i = 0; i < commands; i++) {
        (void)run_command(r, random);
    }
    oban_wild_evaluate(r->wild, oban_wild_tick(r->wild) + 1);
    uint32_t ticks = rig_random(random) % 8 == 0 ? rig_random(random) % 50 : 1;
    wild_step(r, oban_wild_tick(r->wild) + ticks);
}

#endif
