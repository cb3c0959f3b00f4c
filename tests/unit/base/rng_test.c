/* SPDX-License-Identifier: MIT */
/* The generator: fixed numbers, reckoned by a Python program apart from the C; for seed 42 they are
 * the upper halves of what PCG's authors print for pcg32_oneseq. Next: text_test.c. */
#include "core/base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_vectors(void **state)
{
    static const struct {
        uint64_t seed, first_state;
        uint16_t numbers[6];
        uint64_t last_state;
    } rows[] = {
        {0,
         0x1a08ee1184ba6d32u,
         {0xe823, 0x7a7e, 0x89fd, 0xae64, 0xcd3c, 0x6204},
         0x5b21778e3c8666a8u},
        {1,
         0x725ae23ed14fec5fu,
         {0x5435, 0x6ac2, 0x0768, 0x7556, 0x4065, 0x99b2},
         0xd4af9952dc7df4edu},
        {42,
         0x977afd8015414a94u,
         {0xc2f5, 0x6b07, 0x72b7, 0x4421, 0xf5af, 0x68be},
         0x4c7301d07b23bdfau},
        {UINT64_MAX,
         0xc1b6f9e43824ee05u,
         {0xd931, 0xcd4b, 0x7b8e, 0x999d, 0x5c4e, 0xb767},
         0xe19355c99c8ed863u},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        oban_rng rng;
        oban_rng_seed(&rng, rows[i].seed);
        assert_int_equal(rng.state, rows[i].first_state);
        for (size_t j = 0; j < 6; j++) {
            assert_int_equal(oban_rng_next16(&rng), rows[i].numbers[j]);
        }
        assert_int_equal(rng.state, rows[i].last_state);
    }
}

/* The state is all there is: put back, it gives the same numbers. */
static void test_state_is_all(void **state)
{
    oban_rng rng;
    (void)state;
    oban_rng_seed(&rng, 501);
    (void)oban_rng_next16(&rng);
    oban_rng copy = {.state = rng.state};
    for (int i = 0; i < 100; i++) {
        assert_int_equal(oban_rng_next16(&rng), oban_rng_next16(&copy));
    }
}

/* 2^20 draws: each of 16 equal parts gets 65,536 of them, give or take 5 standard deviations (248
 * each). */
static void test_even(void **state)
{
    oban_rng rng;
    int counts[16] = {0};
    (void)state;
    oban_rng_seed(&rng, 7);
    for (int i = 0; i < 1 << 20; i++) {
        counts[oban_rng_next16(&rng) >> 12]++;
    }
    for (int i = 0; i < 16; i++) {
        assert_in_range(counts[i], 65536 - 1240, 65536 + 1240);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_state_is_all),
        cmocka_unit_test(test_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
