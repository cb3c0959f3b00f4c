/* SPDX-License-Identifier: MIT */
/* Reads bytes as a file of a 3D program; each clip that comes out is played through, and all of
 * them are written and read again: as many as there were. Next: collada.c, gltf.c. */
#ifndef OBAN_FUZZ_MODEL_FILE_H
#define OBAN_FUZZ_MODEL_FILE_H

#include "proto/format/model.h"
#include "tests/fuzz/clip_file.h"

typedef oban_status (*fuzz_model_read)(const oban_alloc *alloc, oban_text file_name,
                                       const void *bytes, size_t size, const oban_import *import,
                                       oban_clip_file *out);
/* Writes; whichever form `variant` says. */
typedef oban_status (*fuzz_model_write)(oban_writer *writer, const oban_model_item *items,
                                        uint32_t count, size_t variant, uint32_t *bad);

#define FUZZ_ITEMS_MAX 8u

static inline void fuzz_model_again(const oban_clip_file *file, const char *name, size_t variant,
                                    fuzz_model_read read, fuzz_model_write write)
{
    const oban_import import = {.every_frame = true};
    oban_alloc alloc = fuzz_alloc();
    oban_model_item items[FUZZ_ITEMS_MAX];
    oban_clip_def defs[FUZZ_ITEMS_MAX];
    uint32_t count = file->count < FUZZ_ITEMS_MAX ? file->count : FUZZ_ITEMS_MAX;
    uint32_t bad = 0;
    oban_writer writer;
    oban_clip_file back;
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = oban_clip_def_of(file->items[i].clip);
        items[i] = oban_model_item_of(&defs[i]);
        items[i].camera = variant % 3 == 1;
    }
    oban_writer_init(&writer, &alloc);
    MUST(write(&writer, items, count, variant, &bad) == OBAN_OK);
    MUST(read(&alloc, oban_text_of(name), writer.data, writer.bytes, &import, &back) == OBAN_OK);
    MUST(back.count == count);
    oban_clip_file_fini(&back);
    oban_writer_fini(&writer);
}

static inline void fuzz_model_file(const char *name, const uint8_t *data, size_t size,
                                   fuzz_model_read read, fuzz_model_write write)
{
    const oban_import import = {.every_frame = size % 2 == 0, .tolerance = {0.001f, 0.01f}};
    oban_alloc alloc = fuzz_alloc();
    oban_clip_file file;
    oban_status status = read(&alloc, oban_text_of(name), data, size, &import, &file);
    MUST(status == OBAN_OK || file.faults.count > 0);
    for (uint32_t i = 0; i < file.count; i++) {
        fuzz_clip(file.items[i].clip);
    }
    if (file.count > 0) {
        fuzz_model_again(&file, name, size, read, write);
    }
    oban_clip_file_fini(&file);
}

#endif
