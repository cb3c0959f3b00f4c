/* SPDX-License-Identifier: MIT */
/* What the benches in C share: CPU time, the median, random numbers, and the lines that run.py
 * reads. Not here: what is measured. Next: encoder.c, sampler.c. */
#ifndef OBAN_BENCH_MEASURE_H
#define OBAN_BENCH_MEASURE_H

#include "core/base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* CPU time, not wall time: others use the machine too. */
static inline double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline int measure_compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static inline double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, measure_compare);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* xorshift64*: any stream of bits will do, the same one each time. */
static inline uint64_t random_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

/* From -most to most. */
static inline float random_float(uint64_t *state, float most)
{
    return ((float)(random_bits(state) >> 40) / 8388608.0f - 1.0f) * most;
}

/* One figure: run.py makes the table. */
static inline void figure(const char *name, double value)
{
    printf("%s\t%.6g\n", name, value);
}

/* A wrong answer ends the bench. */
static inline void wrong(const char *what)
{
    fprintf(stderr, "wrong answer: %s\n", what);
    exit(1);
}

static inline void *measure_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, bytes);
}

static inline oban_alloc measure_alloc(void)
{
    return (oban_alloc){.resize = measure_resize};
}

#endif
