/* SPDX-License-Identifier: MIT */
/* Measures the encoder of frames, [{"i":n,"m":[12 floats]},...], against cJSON (build and print)
 * and against std::to_chars, on the same floats in interleaved rounds; checks that every text reads
 * back to the same bits, and a round trip of 10 million floats. encoder [ROUNDS [FLOATS]] Not here:
 * sockets (run.py). Next: to_chars.cc, sampler.c. */
#include "bench/measure.h"
#include "bench/to_chars.h"
#include "proto/json/floats.h"
#include "proto/json/writer.h"

#include <cjson/cJSON.h>
#include <string.h>

#define ROUNDS_MAX 99u
#define OBJECT_BYTES_MAX 256u

typedef struct job {
    oban_mat34 *matrices;
    uint32_t count;
    oban_writer writer;
    char *text; /* of std::to_chars */
} job;

static uint64_t dice = 88172645463325252u;

/* ---- the three encoders ---- */

static size_t encode_ours(job *work)
{
    oban_writer *writer = &work->writer;
    oban_writer_clear(writer);
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < work->count; i++) {
        oban_writer_object_begin(writer);
        oban_writer_key(writer, "i");
        oban_writer_u64(writer, i);
        oban_writer_key(writer, "m");
        oban_writer_mat34(writer, &work->matrices[i]);
        oban_writer_object_end(writer);
    }
    oban_writer_array_end(writer);
    return writer->bytes;
}

static char *print_cjson(const job *work)
{
    cJSON *array = cJSON_CreateArray();
    for (uint32_t i = 0; i < work->count; i++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddNumberToObject(object, "i", i);
        cJSON_AddItemToObject(object, "m", cJSON_CreateFloatArray(work->matrices[i].m, 12));
        cJSON_AddItemToArray(array, object);
    }
    char *text = cJSON_PrintUnformatted(array);
    cJSON_Delete(array);
    return text;
}

static size_t encode_cjson(job *work)
{
    char *text = print_cjson(work);
    size_t bytes = strlen(text);
    cJSON_free(text);
    return bytes;
}

static size_t encode_to_chars(job *work)
{
    return to_chars_objects(work->matrices[0].m, work->count, work->text);
}

/* ---- are they right? ---- */

/* Each text, read by cJSON as doubles and made floats, must give the very bits. */
static void check_text(const job *work, const char *text, size_t bytes, const char *whose)
{
    cJSON *array = cJSON_ParseWithLength(text, bytes);
    uint32_t at = 0;
    const cJSON *object = NULL;
    cJSON_ArrayForEach(object, array)
    {
        const cJSON *number = NULL;
        uint32_t k = 0;
        cJSON_ArrayForEach(number, cJSON_GetObjectItem(object, "m"))
        {
            float value = (float)number->valuedouble;
            if (at >= work->count || k >= 12 ||
                memcmp(&value, &work->matrices[at].m[k++], sizeof value) != 0) {
                wrong(whose);
            }
        }
        if (k != 12 || cJSON_GetObjectItem(object, "i")->valuedouble != (double)at++) {
            wrong(whose);
        }
    }
    if (at != work->count) {
        wrong(whose);
    }
    cJSON_Delete(array);
}

static void check_all(job *work)
{
    size_t bytes = encode_ours(work);
    check_text(work, work->writer.data, bytes, "the writer's text reads back to other numbers");
    figure("encoder.bytes_per_object", (double)bytes / work->count);
    bytes = encode_to_chars(work);
    check_text(work, work->text, bytes, "std::to_chars' text reads back to other numbers");
    char *text = print_cjson(work);
    check_text(work, text, strlen(text), "cJSON's text reads back to other numbers");
    figure("encoder.bytes_ratio_cjson", (double)work->writer.bytes / (double)strlen(text));
    cJSON_free(text);
}

/* Half are any finite bit pattern, half are like the numbers of matrices. Read back both as float
 * and by way of double, as JavaScript does. */
static void check_round_trip(uint32_t floats)
{
    uint32_t longer = 0;
    for (uint32_t i = 0; i < floats; i++) {
        uint32_t bits = (uint32_t)(random_bits(&dice) >> 32);
        float value = random_float(&dice, i % 4 == 0 ? 1000.0f : 1.0f);
        if (i % 2 == 0 && (bits & 0x7f800000u) != 0x7f800000u) {
            memcpy(&value, &bits, sizeof value);
        }
        char text[OBAN_FLOAT_BYTES_MAX + 1];
        size_t bytes = oban_float_shortest(value, text);
        text[bytes] = '\0';
        float back = strtof(text, NULL);
        float twice = (float)strtod(text, NULL);
        if (memcmp(&back, &value, sizeof value) != 0 || memcmp(&twice, &value, sizeof value) != 0) {
            wrong(text);
        }
        char peer[32];
        longer += bytes > to_chars_float(value, peer, sizeof peer) + 2;
    }
    figure("encoder.round_trips", floats);
    figure("encoder.longer_than_peer", longer);
}

/* ---- how fast ---- */

static double time_one(size_t (*encode)(job *), job *work, uint32_t times)
{
    double start = cpu_ns();
    size_t bytes = 0;
    for (uint32_t i = 0; i < times; i++) {
        bytes += encode(work);
    }
    if (bytes == 0) {
        wrong("nothing was written");
    }
    return (cpu_ns() - start) / ((double)times * work->count);
}

static void measure(job *work, uint32_t rounds, const char *size)
{
    double ours[ROUNDS_MAX];
    double x_cjson[ROUNDS_MAX];
    double x_to_chars[ROUNDS_MAX];
    uint32_t times = 40000 / work->count;
    time_one(encode_ours, work, times); /* warm up */
    for (uint32_t round = 0; round < rounds; round++) {
        /* ours runs before and after its peers, so that drift of the machine cancels */
        double before = time_one(encode_ours, work, times);
        double to_chars = time_one(encode_to_chars, work, times);
        double cjson = time_one(encode_cjson, work, times / 4);
        ours[round] = (before + time_one(encode_ours, work, times)) / 2;
        x_cjson[round] = cjson / ours[round];
        x_to_chars[round] = to_chars / ours[round];
    }
    char name[64];
    snprintf(name, sizeof name, "encoder.%s.ns_per_object", size);
    figure(name, median(ours, rounds));
    snprintf(name, sizeof name, "encoder.%s.x_cjson", size);
    figure(name, median(x_cjson, rounds));
    snprintf(name, sizeof name, "encoder.%s.x_to_chars", size);
    figure(name, median(x_to_chars, rounds));
}

static void fill(job *work)
{
    for (uint32_t i = 0; i < work->count; i++) {
        for (int k = 0; k < 12; k++) {
            work->matrices[i].m[k] = random_float(&dice, k < 9 ? 1.0f : 1000.0f);
        }
    }
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 7;
    uint32_t floats = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 10000000;
    const uint32_t most = 10000;
    oban_alloc alloc = measure_alloc();
    job work = {.matrices = malloc(most * sizeof *work.matrices),
                .text = malloc((size_t)most * OBJECT_BYTES_MAX),
                .count = most};
    if (rounds < 1 || rounds > ROUNDS_MAX || work.matrices == NULL || work.text == NULL) {
        wrong("usage: encoder [ROUNDS [FLOATS]]");
    }
    oban_writer_init(&work.writer, &alloc);
    fill(&work);
    check_all(&work);
    measure(&work, rounds, "10k");
    work.count = 1000;
    measure(&work, rounds, "1k");
    check_round_trip(floats);
    oban_writer_fini(&work.writer);
    free(work.matrices);
    free(work.text);
    return 0;
}
