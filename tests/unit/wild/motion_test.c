/* SPDX-License-Identifier: MIT */
/* Tests of the closed form: exact positions, exact angles, where a motion leaves its format; what
 * each command may hold, its limits and how numbers round. */
#include "tests/unit/wild/rig.h"

#include "core/math/trig.h"
#include "core/wild/motion.h"

#include <math.h>

__extension__ typedef __int128 wide;

static const oban_wild_pose nowhere = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};

/* ---- against big integers -------------------------------------------------------------------- */

static int32_t random_raw(uint64_t *random)
{
    return (int32_t)rig_random(random) >> rig_random(random) % 32;
}

static bool wide_fits(const oban_wild_motion *m, int i, uint64_t t)
{
    wide v = (wide)m->v[i] + (wide)m->a[i] * (wide)t;
    wide n = (wide)m->from.n[i] + 2 * (wide)m->v[i] * (wide)t + (wide)m->a[i] * (wide)t * (wide)t;
    return v >= INT32_MIN && v <= INT32_MAX && n >= -((wide)1 << 48) && n < (wide)1 << 48;
}

static void positions_are_exact_and_breaks_are_found(void **state)
{
    (void)state;
    uint64_t random = 8;
    int broke = 0;
    for (int i = 0; i < 20000; i++) {
        oban_wild_motion m;
        oban_wild_pose pose;
        oban_wild_motion_rest(&m, 100, &nowhere);
        m.v[0] = random_raw(&random);
        m.a[0] = random_raw(&random);
        m.from.n[0] = ((int64_t)random_raw(&random) * 131072) >> rig_random(&random) % 8;
        oban_wild_motion_begin(&m, OBAN_WILD_NEVER);
        uint64_t limit = rig_random(&random) >> rig_random(&random) % 32;
        uint64_t breaks = oban_wild_motion_breaks(&m, limit);
        uint64_t last = breaks == OBAN_WILD_NEVER ? limit : breaks - 1;
        broke += breaks != OBAN_WILD_NEVER;
        assert_true(breaks == OBAN_WILD_NEVER || (breaks <= limit && !wide_fits(&m, 0, breaks)));
        for (int k = 0; k < 20; k++) {
            uint64_t t = k == 0 ? last : last == 0 ? 0 : rig_random(&random) % (last + 1);
            assert_true(wide_fits(&m, 0, t));
            wide n = m.from.n[0] + 2 * (wide)m.v[0] * (wide)t + (wide)m.a[0] * (wide)t * (wide)t;
            oban_wild_motion_at(&m, 100 + t, &pose);
            assert_true((wide)pose.n[0] == n);
        }
    }
    assert_true(broke > 2000 && broke < 18000);
}

/* The first tick that does not fit is found though the motion comes back in afterwards. */
static void a_motion_that_leaves_and_comes_back_breaks(void **state)
{
    (void)state;
    oban_wild_motion m;
    oban_wild_motion_rest(&m, 0, &nowhere);
    m.from.n[0] = ((int64_t)1 << 48) - 1000;
    m.v[0] = 600;
    m.a[0] = -100; /* + 1200 t - 100 t^2: 1100 after a tick */
    oban_wild_motion_begin(&m, 12);
    assert_int_equal(oban_wild_motion_breaks(&m, 12), 1);
    m.from.n[0] -= 2600; /* the highest is + 3600 at 6 */
    assert_int_equal(oban_wild_motion_breaks(&m, 12), 6);
    m.from.n[0] -= 1;
    assert_true(oban_wild_motion_breaks(&m, 12) == OBAN_WILD_NEVER);
}

/* Angles against big integers, at times beyond any clock's. */
static void angles_are_exact_at_every_time(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (int i = 0; i < 20000; i++) {
        oban_wild_motion m;
        oban_wild_pose pose;
        double sine;
        double cosine;
        uint64_t t = ((uint64_t)rig_random(&random) << 20) >> rig_random(&random) % 40;
        oban_wild_motion_rest(&m, 0, &nowhere);
        m.v[3] = random_raw(&random);
        m.a[3] = random_raw(&random);
        m.axis[2] = 65536;
        oban_wild_motion_begin(&m, OBAN_WILD_NEVER);
        oban_wild_motion_at(&m, t, &pose);
        wide way =
            (2 * (wide)m.v[3] * (wide)t + (wide)m.a[3] * (wide)t % 47185920 * (wide)t) % 47185920;
        way += way < 0 ? 47185920 : 0;
        oban_trig_degrees((double)(int64_t)way / 131072, &sine, &cosine);
        if (t > 0) {
            assert_true(pose.basis[0] == cosine && pose.basis[1] == sine);
        }
    }
}

static void sine_and_cosine_are_those_of_the_library(void **state)
{
    (void)state;
    for (int i = -400000; i < 400000; i += 7) {
        double sine;
        double cosine;
        double degrees = i / 512.0;
        oban_trig_degrees(degrees, &sine, &cosine);
        assert_true(fabs(sine - sin(degrees * 0.017453292519943295)) < 4e-15);
        assert_true(fabs(cosine - cos(degrees * 0.017453292519943295)) < 4e-15);
    }
    double sine;
    double cosine;
    oban_trig_degrees(90, &sine, &cosine);
    assert_true(sine == 1 && cosine == 0);
    oban_trig_degrees(180, &sine, &cosine);
    assert_true(sine == 0 && cosine == -1);
}

/* Forty thousand moves, each turning on from the snapshot of the last. */
static void snapshots_keep_the_basis_square(void **state)
{
    (void)state;
    uint64_t random = 6;
    oban_wild_motion m;
    oban_wild_motion_rest(&m, 0, &nowhere);
    for (uint64_t i = 0; i < 40000; i++) {
        oban_wild_motion_snap(&m, i * 10);
        m.v[3] = 1000000 + (int32_t)(rig_random(&random) % 1000000);
        m.axis[0] = random_raw(&random);
        m.axis[1] = random_raw(&random);
        m.axis[2] = random_raw(&random) | 1;
        oban_wild_motion_begin(&m, 10);
    }
    const double *b = m.from.basis;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double dot =
                b[3 * i] * b[3 * k] + b[3 * i + 1] * b[3 * k + 1] + b[3 * i + 2] * b[3 * k + 2];
            assert_true(fabs(dot - (i == k ? 1 : 0)) < 1e-14);
        }
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Defines one SET, and says what was kept. */
static oban_status take(wild_rig *r, uint8_t target, double value, int32_t *raw)
{
    oban_wild_action_view view;
    const oban_wild_command_def command = {
        .op = OBAN_WILD_SET, .target = target, .has_value = true, .value = value};
    const oban_wild_move_def move = {
        .id = 1, .duration = 0, .commands = &command, .command_count = 1};
    oban_status status = wild_define(r, "x", 1, &move, 1, false);
    if (status == OBAN_OK) {
        oban_wild_action_see(oban_wild_action_find(r->wild, oban_text_of("x")), &view);
        *raw = view.commands[0].value;
    }
    return status;
}

static void values_round_half_up(void **state)
{
    (void)state;
    const struct {
        double value;
        int32_t raw;
    } cases[] = {{0.9, 58982},        {0.9375, 61440},          {1, 65536},
                 {-1, -65536},        {0.5 / 65536, 1},         {-0.5 / 65536, 0},
                 {-0.75 / 65536, -1}, {1.5 / 65536, 2},         {-1.5 / 65536, -1},
                 {-32768, INT32_MIN}, {32767.99998, 2147483647}};
    wild_rig r;
    int32_t raw = 0;
    wild_open(&r);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_V, cases[i].value, &raw), OBAN_OK);
        assert_int_equal(raw, cases[i].raw);
    }
    assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_V, 32768, &raw), OBAN_RANGE);
    assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_V, -32768.00001, &raw), OBAN_RANGE);
    assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_V, 1e300, &raw), OBAN_RANGE);
    assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_V, (double)INFINITY, &raw), OBAN_RANGE);
    assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_V, (double)NAN, &raw), OBAN_BAD_VALUE);
    assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_C, -7, &raw), OBAN_OK);
    assert_int_equal(raw, -7);
    assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_C, 0.25, &raw), OBAN_BAD_VALUE);
    assert_int_equal(take(&r, OBAN_WILD_X | OBAN_WILD_C, 2147483648.0, &raw), OBAN_RANGE);
    wild_close(&r);
}

static void targets_have_their_words(void **state)
{
    (void)state;
    const char *const words[] = {"x.c", "x.v", "x.a", "y.c", "y.v",  "y.a",  "z.c",
                                 "z.v", "z.a", "r.v", "r.a", "rv.x", "rv.y", "rv.z"};
    const uint8_t values[] = {0, 16, 32, 1, 17, 33, 2, 18, 34, 19, 35, 4, 5, 6};
    uint8_t target;
    uint32_t allowed = 0;
    for (size_t i = 0; i < sizeof values; i++) {
        assert_true(oban_wild_target_find(oban_text_of(words[i]), &target));
        assert_int_equal(target, values[i]);
        assert_string_equal(oban_wild_target_word(target), words[i]);
    }
    for (int i = 0; i < 256; i++) {
        allowed += oban_wild_target_word((uint8_t)i) != NULL;
    }
    assert_int_equal(allowed, 14);
    assert_true(oban_wild_target_find(oban_text_of("r.c"), &target));
    assert_null(oban_wild_target_word(target));
    assert_false(oban_wild_target_find(oban_text_of("Y.V"), &target));
    assert_false(oban_wild_target_find(oban_text_of(""), &target));
}

/* ---- limits: at each and one over ------------------------------------------------------------ */

static void each_limit_holds_and_names_itself(void **state)
{
    (void)state;
    const oban_wild_limits limits = {.aliens_max = 2,
                                     .sectors_max = 3,
                                     .actions_max = 2,
                                     .doings_max = 2,
                                     .roles_max = 2,
                                     .moves_max = 2,
                                     .commands_max = 3};
    const oban_wild_command_def commands[] = {wild_set(OBAN_WILD_X | OBAN_WILD_V, 1),
                                              wild_set(OBAN_WILD_Y | OBAN_WILD_V, 1)};
    const oban_wild_move_def moves[] = {
        WILD_MOVE(1, 0, 9, commands),
        {.id = 1, .start = 9, .duration = 1, .commands = commands, .command_count = 1},
        {.id = 1, .start = 20}};
    const oban_wild_move_def four[] = {WILD_MOVE(1, 0, 9, commands), WILD_MOVE(1, 9, 9, commands)};
    wild_rig r;
    wild_open_with(&r, &limits);
#define LIMIT(name, call)                                                                          \
    assert_int_equal(call, OBAN_LIMIT);                                                            \
    assert_memory_equal(r.result.message.data, name, sizeof(name) - 1)
    wild_crowd(&r, 3);
    const oban_wild_sector_def one = wild_sector("t", NULL, 0, 0, 0);
    LIMIT("sectors_max is 3", wild_alien(&r, "b", &one, 1));
    assert_int_equal(wild_alien(&r, "b", NULL, 0), OBAN_OK);
    LIMIT("aliens_max is 2", wild_alien(&r, "c", NULL, 0));
    assert_int_equal(wild_define(&r, "one", 2, moves, 2, false), OBAN_OK);
    LIMIT("roles_max is 2", wild_define(&r, "two", 3, moves, 2, false));
    LIMIT("moves_max is 2", wild_define(&r, "two", 2, moves, 3, false));
    LIMIT("commands_max is 3", wild_define(&r, "two", 2, four, 2, false));
    assert_int_equal(wild_define(&r, "two", 1, moves, 2, false), OBAN_OK);
    LIMIT("actions_max is 2", wild_define(&r, "three", 1, moves, 2, false));
    assert_int_equal(wild_do(&r, "two", "a", "s0", 0, false), OBAN_OK);
    LIMIT("actions_max is 2", wild_define(&r, "two", 1, moves, 2, false)); /* the old one goes on */
    assert_int_equal(wild_do(&r, "two", "a", "s1", 0, false), OBAN_OK);
    LIMIT("doings_max is 2", wild_do(&r, "two", "a", "s2", 0, false));
    assert_int_equal(wild_do(&r, "two", "a", "s1", 0, true), OBAN_OK); /* one goes, one comes */
#undef LIMIT
    wild_close(&r);
}

static void a_hierarchy_is_so_deep_and_no_deeper(void **state)
{
    (void)state;
    wild_rig r;
    char names[OBAN_WILD_DEPTH_MAX + 1][8];
    oban_wild_sector_def sectors[OBAN_WILD_DEPTH_MAX + 1];
    wild_open(&r);
    for (uint32_t i = 0; i <= OBAN_WILD_DEPTH_MAX; i++) {
        (void)snprintf(names[i], sizeof names[i], "n%u", i);
        sectors[i] = wild_sector(names[i], i > 0 ? names[i - 1] : NULL, 1, 0, 0);
    }
    assert_int_equal(wild_alien(&r, "deep", sectors, OBAN_WILD_DEPTH_MAX + 1), OBAN_LIMIT);
    assert_int_equal(wild_alien(&r, "deep", sectors, OBAN_WILD_DEPTH_MAX), OBAN_OK);
    oban_wild_evaluate(r.wild, 1);
    assert_true(wild_view(&r, "deep", "n63").m.m[9] == 64);
    wild_close(&r);
}

static void names_are_checked(void **state)
{
    (void)state;
    wild_rig r;
    char longest[65];
    memset(longest, 'x', 64);
    longest[63] = '\0';
    wild_open(&r);
    assert_int_equal(wild_alien(&r, longest, NULL, 0), OBAN_OK);
    longest[63] = 'x';
    longest[64] = '\0';
    assert_int_equal(wild_alien(&r, longest, NULL, 0), OBAN_BAD_FIELD);
    assert_int_equal(wild_alien(&r, "", NULL, 0), OBAN_BAD_FIELD);
    assert_int_equal(wild_alien(&r, "a\nb", NULL, 0), OBAN_BAD_FIELD);
    assert_int_equal(wild_alien(&r, "a\xff", NULL, 0), OBAN_BAD_FIELD);
    assert_int_equal(wild_alien(&r, "gr\xc3\xbcn", NULL, 0), OBAN_OK);
    wild_close(&r);
}

static void poses_are_checked(void **state)
{
    (void)state;
    const struct {
        double origin;
        double basis[9];
        oban_status status;
    } cases[] = {{0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, OBAN_OK},
                 {-2147483648.0, {0, 1, 0, 0, 0, 1, 1, 0, 0}, OBAN_OK},
                 {1, {1, 0, 0, 0, 1, 0, 0, 0, -1}, OBAN_OK}, /* mirrored: stays so */
                 {2147483648.0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, OBAN_RANGE},
                 {(double)INFINITY, {1, 0, 0, 0, 1, 0, 0, 0, 1}, OBAN_RANGE},
                 {(double)NAN, {1, 0, 0, 0, 1, 0, 0, 0, 1}, OBAN_BAD_VALUE},
                 {0, {2, 0, 0, 0, 1, 0, 0, 0, 1}, OBAN_BAD_VALUE},
                 {0, {1, 0, 0, 1, 0, 0, 0, 0, 1}, OBAN_BAD_VALUE},
                 {0, {0, 0, 0, 0, 0, 0, 0, 0, 0}, OBAN_BAD_VALUE},
                 {0, {(double)NAN, 0, 0, 0, 1, 0, 0, 0, 1}, OBAN_BAD_VALUE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wild_rig r;
        oban_wild_sector_def sector = wild_sector("s", NULL, cases[i].origin, 0, 0);
        wild_open(&r);
        sector.has_basis = true;
        memcpy(sector.basis, cases[i].basis, sizeof sector.basis);
        assert_int_equal(wild_alien(&r, "a", &sector, 1), cases[i].status);
        assert_int_equal(oban_wild_alien_count(r.wild), cases[i].status == OBAN_OK);
        if (cases[i].status == OBAN_OK) {
            oban_wild_evaluate(r.wild, 1);
            for (int k = 0; k < 9; k++) {
                assert_true(wild_view(&r, "a", "s").m.m[k] == (float)cases[i].basis[k]);
            }
        }
        wild_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_exact_and_breaks_are_found),
        cmocka_unit_test(a_motion_that_leaves_and_comes_back_breaks),
        cmocka_unit_test(angles_are_exact_at_every_time),
        cmocka_unit_test(sine_and_cosine_are_those_of_the_library),
        cmocka_unit_test(snapshots_keep_the_basis_square),
        cmocka_unit_test(values_round_half_up),
        cmocka_unit_test(targets_have_their_words),
        cmocka_unit_test(each_limit_holds_and_names_itself),
        cmocka_unit_test(a_hierarchy_is_so_deep_and_no_deeper),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(poses_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
