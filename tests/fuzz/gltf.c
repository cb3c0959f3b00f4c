/* SPDX-License-Identifier: MIT */
/* Fuzz target: glTF, as text and as binary. */
#include "proto/format/gltf.h"

#include "tests/fuzz/model_file.h"

static oban_status fuzz_write(oban_writer *writer, const oban_model_item *items, uint32_t count,
                              size_t variant, uint32_t *bad)
{
    const oban_gltf_options options = {.binary = variant % 2 == 0, .per_frame = variant % 5 == 0};
    return oban_gltf_write(writer, items, count, &options, bad);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model_file("x.gltf", data, size, oban_gltf_read, fuzz_write);
    return 0;
}
