/* SPDX-License-Identifier: MIT */
/* Tests of the state: the hash, saving, loading; one stop for each doing, whatever happens; the
 * number that every compiler must come to. */
#include "tests/unit/wild/random_run.h"

/* The hash over 3,000 ticks of random commands from seed 2024: the same with gcc and clang, at -O0
 * and -O3. It changes when behaviour, state.def, the maths or random_run.h change, and only then.
 */
#define STATE_EXPECTED_HASH 0xe4e5cb211ad8b8a0u

typedef struct saved {
    unsigned char *data;
    size_t bytes;
} saved;

static saved save(const oban_wild *wild)
{
    saved s = {NULL, oban_wild_save(wild, NULL, 0)};
    s.data = malloc(s.bytes);
    assert_non_null(s.data);
    assert_int_equal(oban_wild_save(wild, s.data, s.bytes), s.bytes);
    return s;
}

static oban_status load(wild_rig *r, saved s)
{
    oban_line line;
    oban_status status = oban_wild_load(r->wild, s.data, s.bytes, &line);
    assert_int_equal(line.bytes == 0, status == OBAN_OK);
    return status;
}

/* Puts the right hash behind bytes that were changed. */
static void sign(saved s)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_bytes(&hash, s.data, s.bytes - 8);
    uint64_t value = oban_hash_end(&hash);
    for (size_t i = 0; i < 8; i++) {
        s.data[s.bytes - 8 + i] = (unsigned char)(value >> (8 * i));
    }
}

/* ---- the number ------------------------------------------------------------------------------ */

static void every_compiler_comes_to_this_hash(void **state)
{
    (void)state;
    wild_rig r;
    uint64_t random = 2024;
    oban_hash all;
    uint64_t doings = 0;
    uint64_t stops = 0;
    run_open(&r);
    oban_hash_start(&all);
    for (int i = 0; i < 3000; i++) {
        run_tick(&r, &random);
        oban_hash_u64(&all, wild_hash(r.wild));
        doings += oban_wild_doing_count(r.wild);
        uint32_t count;
        (void)oban_wild_events(r.wild, &count);
        stops += count;
        for (const oban_wild_sector *at = oban_wild_sector_first(r.wild); at != NULL;
             at = oban_wild_sector_next(at)) {
            oban_wild_view view;
            oban_wild_sector_view(at, &view);
            for (int k = 0; k < 12; k++) {
                oban_hash_f32(&all, view.m.m[k]);
            }
        }
    }
    assert_true(doings > 3000 && stops > 50); /* that something went on */
    uint64_t got = oban_hash_end(&all);
    if (got != STATE_EXPECTED_HASH) {
        fail_msg("the hash is 0x%016llx", (unsigned long long)got);
    }
    wild_close(&r);
}

/* ---- what must always hold ------------------------------------------------------------------- */

typedef struct book {
    uint8_t state[20000]; /* of a doing: 0 never seen, 1 goes on, 2 stopped */
    uint32_t stopped;
    uint32_t by_reason[4];
} book;

static void book_events(book *b, const oban_wild *wild, uint32_t first)
{
    uint32_t count;
    const oban_wild_event *events = oban_wild_events(wild, &count);
    for (uint32_t i = first; i < count; i++) {
        if (events[i].type == OBAN_WILD_EVENT_STOP) {
            assert_true(events[i].doing < 20000);
            assert_int_equal(b->state[events[i].doing], 1);
            b->state[events[i].doing] = 2;
            b->stopped += 1;
            b->by_reason[events[i].reason] += 1;
        } else {
            assert_true(i + 1 < count && events[i + 1].type == OBAN_WILD_EVENT_STOP);
            assert_int_equal(events[i + 1].doing, events[i].doing);
            assert_int_equal(events[i + 1].reason, OBAN_WILD_STOP_END);
        }
    }
}

/* Those that go on are those not yet stopped, and each holds its sectors. */
static void book_check(const book *b, const oban_wild *wild)
{
    uint32_t held = 0;
    for (const oban_wild_doing *at = oban_wild_doing_first(wild); at != NULL;
         at = oban_wild_doing_next(at)) {
        oban_wild_doing_view view;
        oban_wild_doing_see(at, &view);
        assert_int_equal(b->state[view.doing], 1);
        assert_ptr_equal(oban_wild_doing_find(wild, view.doing), at);
        uint32_t sectors = 0;
        for (const oban_wild_sector *sector = oban_wild_doing_sector(at); sector != NULL;
             sector = oban_wild_role_next(sector)) {
            oban_wild_view seen;
            oban_wild_sector_view(sector, &seen);
            assert_int_equal(seen.doing, view.doing);
            sectors += 1;
        }
        assert_int_equal(sectors, view.sector_count);
        held += sectors;
    }
    for (const oban_wild_sector *at = oban_wild_sector_first(wild); at != NULL;
         at = oban_wild_sector_next(at)) {
        oban_wild_view seen;
        oban_wild_sector_view(at, &seen);
        held -= seen.doing != 0 ? 1 : 0;
    }
    assert_int_equal(held, 0);
}

static void each_doing_stops_once_and_failures_change_nothing(void **state)
{
    (void)state;
    static book b;
    wild_rig r;
    uint64_t random = 99;
    uint32_t failed = 0;
    memset(&b, 0, sizeof b);
    run_open(&r);
    for (int i = 0; i < 20000; i++) {
        uint32_t before_events;
        uint64_t before = wild_hash(r.wild);
        (void)oban_wild_events(r.wild, &before_events);
        r.result.doing = 0;
        oban_status status = run_command(&r, &random);
        if (status != OBAN_OK) {
            uint32_t after_events;
            (void)oban_wild_events(r.wild, &after_events);
            failed += 1;
            assert_true(before == wild_hash(r.wild));
            assert_int_equal(before_events, after_events);
            assert_true(r.result.message.bytes > 0);
        } else if (r.result.doing != 0) {
            assert_int_equal(b.state[r.result.doing], 0);
            b.state[r.result.doing] = 1;
        }
        book_events(&b, r.wild, before_events);
        if (rig_random(&random) % 3 == 0) {
            wild_step(&r, oban_wild_tick(r.wild) + rig_random(&random) % 20);
            book_events(&b, r.wild, 0);
        }
        oban_wild_evaluate(r.wild, (uint64_t)i + 1);
        if (i % 16 == 0) {
            book_check(&b, r.wild);
        }
    }
    assert_true(failed > 2000 && b.stopped > 500);
    for (int reason = 0; reason < 4; reason++) {
        assert_true(b.by_reason[reason] > 5);
    }
    wild_close(&r);
}

/* A step of many ticks against many of one, wherever it is. */
static void jumps_give_what_steps_give_in_random_runs(void **state)
{
    (void)state;
    wild_rig step;
    wild_rig jump;
    uint64_t random = 31;
    uint64_t again = 31;
    run_open(&step);
    run_open(&jump);
    for (int i = 0; i < 1500; i++) {
        for (int k = 0; k < 5; k++) {
            (void)run_command(&step, &random);
            (void)run_command(&jump, &again);
        }
        uint32_t ticks = rig_random(&random) % 60;
        assert_int_equal(rig_random(&again) % 60, ticks);
        uint64_t to = oban_wild_tick(jump.wild) + ticks;
        for (uint64_t at = oban_wild_tick(step.wild); at < to; at++) {
            wild_step(&step, at + 1);
        }
        wild_step(&jump, to);
        assert_true(wild_hash(step.wild) == wild_hash(jump.wild));
    }
    wild_close(&step);
    wild_close(&jump);
}

/* Children are where their parents put them, in whatever order all came about. */
static void matrices_are_those_of_the_parents(void **state)
{
    (void)state;
    wild_rig r;
    uint64_t random = 17;
    uint32_t children = 0;
    run_open(&r);
    for (int i = 0; i < 2000; i++) {
        run_tick(&r, &random);
        for (const oban_wild_sector *at = oban_wild_sector_first(r.wild); at != NULL;
             at = oban_wild_sector_next(at)) {
            oban_wild_view view;
            oban_wild_sector_view(at, &view);
            const oban_wild_alien *alien = oban_wild_alien_find(r.wild, oban_text_of(view.alien));
            oban_mat34 above = *oban_wild_alien_place(alien);
            if (view.parent != NULL) {
                oban_wild_view parent;
                oban_wild_sector_view(oban_wild_sector_find(alien, oban_text_of(view.parent)),
                                      &parent);
                above = parent.m;
                children += 1;
            }
            const oban_mat34 expected = oban_mat34_multiply(&above, &view.rel);
            assert_true(oban_mat34_same(&expected, &view.m));
        }
    }
    assert_true(children > 1000);
    wild_close(&r);
}

/* ---- saving and loading ---------------------------------------------------------------------- */

static void a_loaded_wild_goes_on_like_the_one_saved(void **state)
{
    (void)state;
    wild_rig a;
    wild_rig b;
    uint64_t random = 77;
    uint64_t other = 5; /* b has a past of its own */
    run_open(&a);
    run_open(&b);
    for (int i = 0; i < 100; i++) {
        run_tick(&b, &other);
    }
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 25; i++) {
            run_tick(&a, &random);
        }
        (void)run_command(&a, &random);
        oban_wild_evaluate(a.wild, 100000);
        saved s = save(a.wild);
        assert_int_equal(load(&b, s), OBAN_OK);
        oban_wild_evaluate(b.wild, 100000);
        b.next_h = a.next_h;
        assert_true(wild_hash(a.wild) == wild_hash(b.wild));
        uint64_t random_b = random;
        for (int i = 0; i < 25; i++) {
            uint32_t events_a;
            uint32_t events_b;
            run_tick(&a, &random);
            run_tick(&b, &random_b);
            assert_true(wild_hash(a.wild) == wild_hash(b.wild));
            const oban_wild_event *all_a = oban_wild_events(a.wild, &events_a);
            const oban_wild_event *all_b = oban_wild_events(b.wild, &events_b);
            assert_int_equal(events_a, events_b);
            if (events_a > 0) {
                assert_memory_equal(all_a, all_b, events_a * sizeof *all_a);
            }
        }
        free(s.data);
    }
    wild_close(&a);
    wild_close(&b);
}

static void loading_tells_what_is_gone(void **state)
{
    (void)state;
    wild_rig a;
    wild_rig b;
    uint32_t gone;
    wild_open(&a);
    wild_open(&b);
    wild_crowd(&a, 3);
    wild_crowd(&b, 5);
    oban_wild_evaluate(b.wild, 1);
    saved s = save(a.wild);
    assert_int_equal(load(&b, s), OBAN_OK);
    const oban_wild_gone *list = oban_wild_gone_list(b.wild, &gone);
    assert_int_equal(gone, 5);
    assert_int_equal(list[0].born, 1);
    assert_int_equal(oban_wild_sector_count(b.wild), 3);
    oban_wild_evaluate(b.wild, 2);
    assert_int_equal(wild_view(&b, "a", "s2").born, 2);
    free(s.data);
    wild_close(&a);
    wild_close(&b);
}

/* Any bytes: refused with a reason, or loaded into something that works. */
static void changed_bytes_are_refused_or_work(void **state)
{
    (void)state;
    wild_rig a;
    wild_rig b;
    uint64_t random = 13;
    uint32_t refused = 0;
    uint32_t taken = 0;
    run_open(&a);
    run_open(&b);
    for (int i = 0; i < 400; i++) {
        run_tick(&a, &random);
    }
    saved s = save(a.wild);
    saved changed = {malloc(s.bytes), s.bytes};
    assert_non_null(changed.data);
    for (int i = 0; i < 20000; i++) {
        memcpy(changed.data, s.data, s.bytes);
        for (uint32_t k = 0; k <= rig_random(&random) % 3; k++) {
            changed.data[8 + rig_random(&random) % (s.bytes - 16)] ^=
                (unsigned char)(1u << rig_random(&random) % 8);
        }
        sign(changed);
        uint64_t before = wild_hash(b.wild);
        if (load(&b, changed) != OBAN_OK) {
            refused += 1;
            assert_true(before == wild_hash(b.wild));
            continue;
        }
        taken += 1;
        oban_wild_evaluate(b.wild, 1);
        wild_step(&b, oban_wild_tick(b.wild) + 50);
        (void)run_command(&b, &random);
    }
    assert_true(refused > 1000 && taken > 1000);
    for (size_t cut = 0; cut < s.bytes; cut += 7) {
        changed.bytes = cut;
        assert_int_equal(load(&b, changed), OBAN_BAD_FILE);
    }
    free(changed.data);
    free(s.data);
    wild_close(&a);
    wild_close(&b);
}

static void loading_keeps_the_limits(void **state)
{
    (void)state;
    wild_rig a;
    wild_rig b;
    oban_wild_limits limits = oban_wild_limits_default();
    limits.sectors_max = 2;
    wild_open(&a);
    wild_open_with(&b, &limits);
    wild_crowd(&a, 3);
    saved s = save(a.wild);
    assert_int_equal(load(&b, s), OBAN_LIMIT);
    free(s.data);
    wild_close(&a);
    wild_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compiler_comes_to_this_hash),
        cmocka_unit_test(each_doing_stops_once_and_failures_change_nothing),
        cmocka_unit_test(jumps_give_what_steps_give_in_random_runs),
        cmocka_unit_test(matrices_are_those_of_the_parents),
        cmocka_unit_test(a_loaded_wild_goes_on_like_the_one_saved),
        cmocka_unit_test(loading_tells_what_is_gone),
        cmocka_unit_test(changed_bytes_are_refused_or_work),
        cmocka_unit_test(loading_keeps_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
