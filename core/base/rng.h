/* SPDX-License-Identifier: MIT */
/* The world's own random numbers: a generator whose whole state is one u64, part of the world's
 * state. The game's generator is not known, so the choice is ours: PCG-XSH-RR 64/32.
 * Next: hash.h. */
#ifndef OBAN_BASE_RNG_H
#define OBAN_BASE_RNG_H

#include <stdint.h>

typedef struct oban_rng {
    uint64_t state;
} oban_rng;

/* Starts the generator from a seed. Equal seeds give equal numbers. Source: ours. */
void oban_rng_seed(oban_rng *rng, uint64_t seed);

/* The next 16 random bits. Source: behaviour 3 (r16), the generator: ours. */
uint16_t oban_rng_next16(oban_rng *rng);

#endif
