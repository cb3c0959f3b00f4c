/* SPDX-License-Identifier: MIT */
/* Measures the matrices of many objects: oban_clip_matrix one by one against oban_batch, by the
 * baseline's instructions and by AVX2, in interleaved rounds over the same frames; checks that all
 * give the same bits. Up to 1,000 different clips of about ten keys, as in the game's files; each
 * object at a frame of its own, one more each tick.
 *   sampler [ROUNDS]
 * Not here: JSON (encoder.c). Next: ../core/anim/batch.c. */
#include "bench/measure.h"
#include "core/anim/batch.h"
#include "core/anim/clip.h"

#include <math.h>
#include <string.h>

#define ROUNDS_MAX 99u
#define CLIPS 1000u
#define OBJECTS_MAX 100000u
#define TICKS 64u

typedef struct theatre {
    oban_clip *clips[CLIPS];
    uint32_t count;
    const oban_clip **of; /* the clip of each object */
    int32_t *frame;
    oban_mat34 *out; /* as the world has it: one per object */
    oban_batch *baseline;
    oban_batch *avx2; /* NULL: this machine has none */
} theatre;

static uint64_t dice = 88172645463325252u;

static uint32_t below(uint32_t most)
{
    return (uint32_t)(random_bits(&dice) >> 33) % most;
}

static oban_clip *make_clip(const oban_alloc *alloc)
{
    oban_key keys[16];
    uint32_t count = 6 + below(9);
    int32_t frame = 0;
    for (uint32_t i = 0; i < count; i++) {
        oban_quat q = {random_float(&dice, 1), random_float(&dice, 1), random_float(&dice, 1),
                       0.5f};
        keys[i] = (oban_key){.rotation = oban_quat_normalise(&q), .frame = frame};
        for (int axis = 0; axis < 3; axis++) {
            keys[i].position[axis] = random_float(&dice, 1000);
        }
        frame += 5 + (int32_t)below(20);
    }
    oban_clip_def def = {.name = {"bench", 5},
                         .start = oban_mat34_identity(),
                         .base = oban_mat34_identity(),
                         .frame_count = keys[count - 1].frame + 1,
                         .keys = keys,
                         .key_count = count};
    oban_clip *clip = NULL;
    if (oban_clip_create(alloc, &def, &clip, NULL) != OBAN_OK) {
        wrong("a clip was refused");
    }
    return clip;
}

/* ---- the two ways ---- */

static void step(theatre *stage)
{
    for (uint32_t i = 0; i < stage->count; i++) {
        int32_t next = stage->frame[i] + 1;
        stage->frame[i] = next < (int32_t)stage->of[i]->frame_count ? next : 0;
    }
}

static void sample_plain(theatre *stage)
{
    for (uint32_t i = 0; i < stage->count; i++) {
        stage->out[i] = oban_clip_matrix(stage->of[i], stage->frame[i]);
    }
}

/* All that a tick needs: the frames in, the matrices out to where the world keeps them. */
static void sample_batch(theatre *stage, oban_batch *batch)
{
    for (uint32_t i = 0; i < stage->count; i++) {
        oban_batch_aim(batch, i, stage->of[i], stage->frame[i]);
    }
    oban_batch_evaluate(batch);
    for (uint32_t i = 0; i < stage->count; i++) {
        stage->out[i] = *oban_batch_matrix(batch, i);
    }
}

static void check_same(const theatre *stage, const oban_batch *batch)
{
    for (uint32_t i = 0; i < stage->count; i++) {
        oban_mat34 plain = oban_clip_matrix(stage->of[i], stage->frame[i]);
        if (!oban_mat34_same(&plain, oban_batch_matrix(batch, i))) {
            wrong("the batch's matrix has other bits than the clip's");
        }
    }
}

/* ---- how fast ---- */

/* ns per object; the step, which is the same for all, stays outside the clock. */
static double time_one(theatre *stage, oban_batch *batch, uint32_t ticks)
{
    double spent = 0;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        step(stage);
        double start = cpu_ns();
        if (batch == NULL) {
            sample_plain(stage);
        } else {
            sample_batch(stage, batch);
        }
        spent += cpu_ns() - start;
    }
    if (batch != NULL) {
        check_same(stage, batch);
    }
    return spent / ((double)ticks * stage->count);
}

static void measure(theatre *stage, uint32_t rounds, const char *size)
{
    double plain[ROUNDS_MAX];
    double x_baseline[ROUNDS_MAX];
    double x_avx2[ROUNDS_MAX];
    uint32_t ticks = TICKS * (stage->count <= 1000 ? 10 : 1);
    time_one(stage, stage->baseline, ticks / 4); /* warm up, and load the segments */
    time_one(stage, stage->baseline, ticks / 4);
    for (uint32_t round = 0; round < rounds; round++) {
        double before = time_one(stage, NULL, ticks / 2);
        double baseline = time_one(stage, stage->baseline, ticks);
        double avx2 = stage->avx2 != NULL ? time_one(stage, stage->avx2, ticks) : baseline;
        plain[round] = (before + time_one(stage, NULL, ticks / 2)) / 2;
        x_baseline[round] = plain[round] / baseline;
        x_avx2[round] = plain[round] / avx2;
    }
    char name[64];
    snprintf(name, sizeof name, "sampler.%s.plain_ns", size);
    figure(name, median(plain, rounds));
    snprintf(name, sizeof name, "sampler.%s.x_baseline", size);
    figure(name, median(x_baseline, rounds));
    snprintf(name, sizeof name, "sampler.%s.x_avx2", size);
    figure(name, median(x_avx2, rounds));
}

static void open_stage(theatre *stage, const oban_alloc *alloc)
{
    stage->of = malloc(OBJECTS_MAX * sizeof *stage->of);
    stage->frame = malloc(OBJECTS_MAX * sizeof *stage->frame);
    stage->out = malloc(OBJECTS_MAX * sizeof *stage->out);
    if (stage->of == NULL || stage->frame == NULL || stage->out == NULL ||
        oban_batch_create(alloc, OBAN_BATCH_BASELINE, &stage->baseline) != OBAN_OK ||
        oban_batch_reserve(stage->baseline, OBJECTS_MAX) != OBAN_OK) {
        wrong("no memory");
    }
    if (oban_batch_create(alloc, OBAN_BATCH_AVX2, &stage->avx2) == OBAN_OK &&
        oban_batch_reserve(stage->avx2, OBJECTS_MAX) != OBAN_OK) {
        wrong("no memory");
    }
    for (uint32_t i = 0; i < CLIPS; i++) {
        stage->clips[i] = make_clip(alloc);
    }
    for (uint32_t i = 0; i < OBJECTS_MAX; i++) {
        stage->of[i] = stage->clips[below(CLIPS)];
        stage->frame[i] = (int32_t)below(stage->of[i]->frame_count);
    }
}

static void close_stage(theatre *stage)
{
    oban_batch_destroy(stage->baseline);
    oban_batch_destroy(stage->avx2);
    for (uint32_t i = 0; i < CLIPS; i++) {
        oban_clip_destroy(stage->clips[i]);
    }
    free(stage->of);
    free(stage->frame);
    free(stage->out);
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 9;
    static theatre stage;
    oban_alloc alloc = measure_alloc();
    if (rounds < 1 || rounds > ROUNDS_MAX) {
        wrong("usage: sampler [ROUNDS]");
    }
    open_stage(&stage, &alloc);
    stage.count = 1000;
    measure(&stage, rounds, "1k");
    stage.count = 10000;
    measure(&stage, rounds, "10k");
    stage.count = 100000;
    measure(&stage, rounds, "100k");
    figure("sampler.avx2", stage.avx2 != NULL);
    close_stage(&stage);
    return 0;
}
