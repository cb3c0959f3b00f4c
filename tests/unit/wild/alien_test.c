/* SPDX-License-Identifier: MIT */
/* Tests of aliens: their hierarchy, place and growth; which matrices are worked out and stamped;
 * doings by the names of roles; the views. */
#include "tests/unit/wild/rig.h"

#include <math.h>

/* body - topleg - bottomleg - foot, as in the seed's example of a leg. */
static void walker(wild_rig *r)
{
    const oban_wild_sector_def sectors[] = {
        wild_sector("body", NULL, 0, 0, 0), wild_sector("topleg", "body", 0, 40, 0),
        wild_sector("bottomleg", "topleg", 0, 30, 0), wild_sector("foot", "bottomleg", 0, 30, 0),
        wild_sector("head", "body", 0, -20, 0)};
    assert_int_equal(wild_alien(r, "walker", sectors, 5), OBAN_OK);
    oban_wild_evaluate(r->wild, 1);
}

static void children_stand_on_their_parents(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    walker(&r);
    const oban_wild_view foot = wild_view(&r, "walker", "foot");
    assert_true(foot.m.m[10] == 100);
    assert_true(foot.rel.m[10] == 30);
    assert_string_equal(foot.parent, "bottomleg");
    assert_int_equal(foot.life, 4);
    assert_int_equal(foot.h, 4);
    assert_null(wild_view(&r, "walker", "body").parent);
    assert_int_equal(oban_wild_alien_sectors(oban_wild_alien_at(r.wild, 0)), 5);
    wild_close(&r);
}

static void what_lies_below_a_move_is_stamped_and_nothing_else(void **state)
{
    (void)state;
    wild_rig r;
    const oban_wild_command_def turn[] = {wild_set(OBAN_WILD_RZ, 65536),
                                          wild_set(OBAN_WILD_R | OBAN_WILD_V, 65536)};
    const oban_wild_move_def move = WILD_MOVE(1, 0, 90, turn);
    wild_open(&r);
    walker(&r);
    assert_int_equal(wild_define(&r, "kick", 1, &move, 1, false), OBAN_OK);
    assert_int_equal(wild_do(&r, "kick", "walker", "topleg", 0, false), OBAN_OK);
    oban_wild_evaluate(r.wild, 2);
    assert_int_equal(wild_view(&r, "walker", "topleg").touched, 2); /* it has a doing now */
    assert_int_equal(wild_view(&r, "walker", "foot").touched, 1);
    r.memory.closed = 1;
    oban_wild_step(r.wild, wild_world_tick(90));
    oban_wild_evaluate(r.wild, 3);
    r.memory.closed = 0;
    assert_int_equal(wild_view(&r, "walker", "body").touched, 1);
    assert_int_equal(wild_view(&r, "walker", "head").touched, 1);
    assert_int_equal(wild_view(&r, "walker", "topleg").touched, 3);
    assert_int_equal(wild_view(&r, "walker", "bottomleg").touched, 3);
    const oban_wild_view foot = wild_view(&r, "walker", "foot");
    assert_int_equal(foot.touched, 3);
    assert_int_equal(foot.born, 1);
    /* a quarter turn about +Z takes +Y to -X */
    assert_true(foot.m.m[9] == -60 && foot.m.m[10] == 40);
    assert_int_equal(oban_wild_changed(r.wild), 3);
    oban_wild_evaluate(r.wild, 4);
    assert_int_equal(oban_wild_changed(r.wild), 3);
    wild_close(&r);
}

static void the_place_puts_an_alien_into_the_world(void **state)
{
    (void)state;
    wild_rig r;
    oban_wild_alien_def def = {.alien = {"walker", 6},
                               .has_place = true,
                               .place = {{1, 0, 0, 0, -1, 0, 0, 0, -1, 7, 8, 9}}};
    wild_open(&r);
    walker(&r);
    assert_int_equal(oban_wild_alien_put(r.wild, &def, &r.result), OBAN_OK);
    oban_wild_evaluate(r.wild, 2);
    assert_true(wild_view(&r, "walker", "foot").m.m[10] == 8 - 100);
    assert_true(wild_view(&r, "walker", "foot").rel.m[10] == 30);
    assert_int_equal(wild_view(&r, "walker", "head").touched, 2);
    def.place.m[3] = (float)INFINITY;
    uint64_t before = wild_hash(r.wild);
    assert_int_equal(oban_wild_alien_put(r.wild, &def, &r.result), OBAN_BAD_VALUE);
    assert_true(before == wild_hash(r.wild));
    wild_close(&r);
}

static void an_alien_takes_new_sectors(void **state)
{
    (void)state;
    wild_rig r;
    wild_open(&r);
    walker(&r);
    const oban_wild_sector_def toe = wild_sector("toe", "foot", 5, 0, 0);
    const oban_wild_sector_def again[] = {wild_sector("nail", "toe", 1, 0, 0),
                                          wild_sector("head", "body", 0, 0, 0)};
    const oban_wild_sector_def other = wild_sector("toe", "foot", 0, 0, 0);
    assert_int_equal(wild_alien(&r, "walker", &toe, 1), OBAN_OK);
    uint64_t before = wild_hash(r.wild);
    assert_int_equal(wild_alien(&r, "walker", again, 2), OBAN_DUPLICATE_SECTOR);
    assert_int_equal(wild_alien(&r, "other", &other, 1), OBAN_UNKNOWN_SECTOR); /* not its foot */
    assert_true(before == wild_hash(r.wild));
    oban_wild_evaluate(r.wild, 2);
    assert_true(wild_view(&r, "walker", "toe").m.m[10] == 100);
    assert_int_equal(wild_view(&r, "walker", "toe").life, 6);
    assert_int_equal(wild_view(&r, "walker", "toe").born, 2);
    wild_close(&r);
}

/* In the tick of its stop a sector that is to vanish keeps its name; in the next the name is free.
 */
static void a_name_is_free_the_tick_after(void **state)
{
    (void)state;
    wild_rig r;
    const oban_wild_sector_def sector = wild_sector("s", NULL, 0, 0, 0);
    const oban_wild_sector_def child = wild_sector("c", "s", 0, 0, 0);
    wild_open(&r);
    wild_define_drop(&r, true);
    assert_int_equal(wild_alien(&r, "a", &sector, 1), OBAN_OK);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
    assert_int_equal(oban_wild_abort(r.wild, 1, &r.result), OBAN_OK);
    assert_int_equal(wild_alien(&r, "a", &sector, 1), OBAN_DUPLICATE_SECTOR);
    assert_string_equal(r.result.message.data, "until the next tick there is a sector 's'");
    assert_int_equal(wild_alien(&r, "a", &child, 1), OBAN_UNKNOWN_SECTOR);
    wild_step(&r, 1);
    assert_int_equal(wild_alien(&r, "a", &sector, 1), OBAN_OK);
    assert_int_equal(wild_do(&r, "drop", "a", "s", 0, false), OBAN_OK);
    wild_close(&r);
}

static void sectors_may_be_given_by_the_names_of_roles(void **state)
{
    (void)state;
    wild_rig r;
    const oban_wild_command_def x[] = {wild_set(OBAN_WILD_X | OBAN_WILD_V, 65536)};
    const oban_wild_command_def y[] = {wild_set(OBAN_WILD_Y | OBAN_WILD_V, 65536)};
    const oban_wild_move_def moves[] = {WILD_MOVE(1, 0, 100, x), WILD_MOVE(2, 0, 100, y)};
    const oban_text sectors[] = {{"s0", 2}, {"s1", 2}};
    const oban_text swapped[] = {{"r2", 2}, {"r1", 2}};
    const oban_text twice[] = {{"r2", 2}, {"r2", 2}};
    const oban_text unknown[] = {{"r1", 2}, {"r3", 2}};
    oban_wild_do_def def = {
        .alien = {"a", 1}, .action = {"both", 4}, .sectors = sectors, .sector_count = 2};
    wild_open(&r);
    wild_crowd(&r, 2);
    assert_int_equal(wild_define(&r, "both", 2, moves, 2, false), OBAN_OK);
    uint64_t before = wild_hash(r.wild);
    def.roles = twice;
    assert_int_equal(oban_wild_do(r.wild, &def, &r.result), OBAN_DUPLICATE_SECTOR);
    def.roles = unknown;
    assert_int_equal(oban_wild_do(r.wild, &def, &r.result), OBAN_UNKNOWN_SECTOR);
    assert_true(before == wild_hash(r.wild));
    def.roles = swapped;
    assert_int_equal(oban_wild_do(r.wild, &def, &r.result), OBAN_OK);
    wild_to(&r, 10);
    assert_true(wild_view(&r, "a", "s0").m.m[10] == 10);
    assert_true(wild_view(&r, "a", "s1").m.m[9] == 10);
    wild_close(&r);
}

static void an_action_is_seen_as_it_is_kept(void **state)
{
    (void)state;
    wild_rig r;
    oban_wild_action_view view;
    const oban_wild_command_def value = {
        .op = OBAN_WILD_ADD, .target = OBAN_WILD_R | OBAN_WILD_V, .has_value = true, .value = 0.9};
    const oban_wild_command_def axis[] = {wild_set(OBAN_WILD_RX, 65536), value};
    const oban_wild_move_def moves[] = {WILD_MOVE(2, 50, 10, axis), WILD_MOVE(1, 0, 100, axis)};
    wild_open(&r);
    assert_int_equal(wild_define(&r, "kick", 2, moves, 2, true), OBAN_OK);
    oban_wild_action_see(oban_wild_action_at(r.wild, 0), &view);
    assert_string_equal(view.action, "kick");
    assert_true(view.remove);
    assert_int_equal(view.role_count, 2);
    assert_string_equal(view.roles[1], "r2");
    assert_int_equal(view.move_count, 2);
    assert_int_equal(view.moves[0].role, 0); /* by start */
    assert_int_equal(view.moves[1].start, 50);
    assert_int_equal(view.commands[view.moves[1].first + 1].value, 58982);
    assert_int_equal(view.commands[view.moves[1].first + 1].op, OBAN_WILD_ADD);
    wild_close(&r);
}

static void neither_or_both_cannot_be_removed(void **state)
{
    (void)state;
    wild_rig r;
    const oban_wild_remove_def neither = {.action = {NULL, 0}};
    const oban_wild_remove_def both = {.alien = {"a", 1}, .action = {"drop", 4}};
    const oban_wild_remove_def sector = {.sector = {"s0", 2}, .action = {"drop", 4}};
    wild_open(&r);
    wild_crowd(&r, 1);
    wild_define_drop(&r, false);
    assert_int_equal(oban_wild_remove(r.wild, &neither, &r.result), OBAN_BAD_FIELD);
    assert_int_equal(oban_wild_remove(r.wild, &both, &r.result), OBAN_BAD_FIELD);
    assert_int_equal(oban_wild_remove(r.wild, &sector, &r.result), OBAN_BAD_FIELD);
    assert_int_equal(oban_wild_action_count(r.wild), 1);
    assert_int_equal(oban_wild_sector_count(r.wild), 1);
    wild_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_stand_on_their_parents),
        cmocka_unit_test(what_lies_below_a_move_is_stamped_and_nothing_else),
        cmocka_unit_test(the_place_puts_an_alien_into_the_world),
        cmocka_unit_test(an_alien_takes_new_sectors),
        cmocka_unit_test(a_name_is_free_the_tick_after),
        cmocka_unit_test(sectors_may_be_given_by_the_names_of_roles),
        cmocka_unit_test(an_action_is_seen_as_it_is_kept),
        cmocka_unit_test(neither_or_both_cannot_be_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
