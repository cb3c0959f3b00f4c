/* SPDX-License-Identifier: MIT */
/* Fuzz target: Collada. */
#include "proto/format/collada.h"

#include "tests/fuzz/model_file.h"

static oban_status fuzz_write(oban_writer *writer, const oban_model_item *items, uint32_t count,
                              size_t variant, uint32_t *bad)
{
    return oban_collada_write(writer, items, count, variant % 2 == 0, bad);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model_file("x.dae", data, size, oban_collada_read, fuzz_write);
    return 0;
}
