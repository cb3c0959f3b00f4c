/* SPDX-License-Identifier: MIT */
/* The pacer: exact due times, catching up, losing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/pacer.h"

static void test_due_to_the_nanosecond(void **state)
{
    (void)state;
    oban_pacer pacer;
    oban_pacer_start(&pacer, 5, 60);
    for (uint64_t k = 1; k <= 6000; k++) {
        uint64_t due = 5 + (k * 1000000000u + 59) / 60;
        assert_int_equal(oban_pacer_next_ns(&pacer), due);
        assert_int_equal(oban_pacer_take(&pacer, due - 1, 6).ticks, 0);
        assert_int_equal(oban_pacer_take(&pacer, due, 6).ticks, 1);
    }
}

static void test_six_hundred_in_ten_seconds(void **state)
{
    (void)state;
    oban_pacer pacer;
    uint64_t ticks = 0;
    oban_pacer_start(&pacer, 0, 60);
    for (uint64_t ms = 1; ms <= 10000; ms += 7) {
        oban_pacer_due due = oban_pacer_take(&pacer, ms * 1000000u, 6);
        assert_int_equal(due.lost, 0);
        ticks += due.ticks;
    }
    ticks += oban_pacer_take(&pacer, 10000000000u, 6).ticks;
    assert_int_equal(ticks, 600);
}

static void test_catch_up_at_it_and_one_over(void **state)
{
    (void)state;
    oban_pacer pacer;
    oban_pacer_start(&pacer, 0, 60);
    oban_pacer_due due = oban_pacer_take(&pacer, 100000000u, 6);
    assert_int_equal(due.ticks, 6);
    assert_int_equal(due.lost, 0);
    due = oban_pacer_take(&pacer, 100000000u + 7 * 16666667u, 6);
    assert_int_equal(due.ticks, 6);
    assert_int_equal(due.lost, 1);
    /* a new grid begins at the time of that call */
    assert_int_equal(oban_pacer_next_ns(&pacer), 100000000u + 7 * 16666667u + 16666667u);
}

static void test_clock_before_the_start(void **state)
{
    (void)state;
    oban_pacer pacer;
    oban_pacer_start(&pacer, 1000, 60);
    assert_int_equal(oban_pacer_take(&pacer, 0, 6).ticks, 0);
}

static void test_centuries(void **state)
{
    (void)state;
    oban_pacer pacer;
    oban_pacer_start(&pacer, 0, 60);
    oban_pacer_due due = oban_pacer_take(&pacer, UINT64_C(9000000000000000000), 6);
    assert_int_equal(due.ticks, 6);
    assert_int_equal(due.lost, UINT64_C(540000000000) - 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_due_to_the_nanosecond),
        cmocka_unit_test(test_six_hundred_in_ten_seconds),
        cmocka_unit_test(test_catch_up_at_it_and_one_over),
        cmocka_unit_test(test_clock_before_the_start),
        cmocka_unit_test(test_centuries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
