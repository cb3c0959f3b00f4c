/* SPDX-License-Identifier: MIT */
/* Fuzz target: `.oni` files. */
#include "tests/fuzz/clip_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_clip_file("OBANfuzz.oni", data, size);
    return 0;
}
