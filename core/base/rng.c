/* SPDX-License-Identifier: MIT */
/* The world's random numbers: PCG-XSH-RR 64/32 with the stream of its authors' "oneseq" form.
 * Not here: who draws, and when (../anim/player.h).
 * Next: ../math/mat34.h. */
#include "core/base/rng.h"

/* Source: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
 * Algorithms for Random Number Generation" (2014), and the constants of pcg-c. */
#define RNG_MULTIPLIER 6364136223846793005u
#define RNG_INCREMENT 1442695040888963407u

static uint32_t rng_next32(oban_rng *rng)
{
    uint64_t old = rng->state;
    rng->state = old * RNG_MULTIPLIER + RNG_INCREMENT;
    uint32_t folded = (uint32_t)((old >> 18 ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return folded >> turn | folded << ((32u - turn) & 31u);
}

void oban_rng_seed(oban_rng *rng, uint64_t seed)
{
    rng->state = 0;
    (void)rng_next32(rng);
    rng->state += seed;
    (void)rng_next32(rng);
}

/* The upper half: one draw is one step of the state, whatever the width. */
uint16_t oban_rng_next16(oban_rng *rng)
{
    return (uint16_t)(rng_next32(rng) >> 16);
}
