/* SPDX-License-Identifier: MIT */
/* Fuzz target: levels, binary and XML. What is read becomes commands, is written in all three forms
 * and read again: the same objects, and the same bytes when it is written once more. */
#include "proto/format/level.h"

#include "proto/format/level_xml.h"
#include "proto/format/oni_write.h"
#include "tests/fuzz/clip_file.h"

#include <string.h>

typedef void (*fuzz_write)(oban_writer *writer, const oban_level *level);

static void fuzz_dat(oban_writer *writer, const oban_level *level)
{
    oban_write_fault fault;
    oban_status status =
        oban_dat_write(writer, &(oban_dat_def){.id = level->id & 127u, .level = level}, &fault);
    MUST(status == OBAN_OK || (status == OBAN_BAD_CLIP && writer->bytes == 0));
}

static void fuzz_again(const oban_level *level, fuzz_write write)
{
    oban_alloc alloc = fuzz_alloc();
    oban_writer first;
    oban_writer second;
    oban_level back;
    oban_writer_init(&first, &alloc);
    oban_writer_init(&second, &alloc);
    write(&first, level);
    if (first.bytes > 0) {
        MUST(oban_level_read(&alloc, first.data, first.bytes, &back) == OBAN_OK);
        write(&second, &back);
        oban_level_fini(&back);
        if (write == fuzz_dat) {
            MUST(second.bytes == first.bytes && memcmp(first.data, second.data, first.bytes) == 0);
        }
    }
    oban_writer_fini(&first);
    oban_writer_fini(&second);
}

static bool fuzz_find(void *context, oban_text name, oban_line *line)
{
    (void)context;
    oban_line_add(line, "no");
    return name.bytes % 2 == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oban_alloc alloc = fuzz_alloc();
    oban_level level;
    oban_scene scene;
    const oban_scene_anims anims = {fuzz_find, NULL};
    oban_status status = oban_level_read(&alloc, data, size, &level);
    MUST(status == OBAN_OK || level.faults.errors > 0);
    if (status == OBAN_OK) {
        MUST(oban_level_scene(&level, &anims, &scene) == OBAN_OK);
        MUST(scene.count <= level.count);
        oban_scene_fini(&scene);
        fuzz_again(&level, fuzz_dat);
        fuzz_again(&level, oban_oboa_xml_write);
        fuzz_again(&level, oban_level_xml_write);
    }
    oban_level_fini(&level);
    fuzz_clip_file("level1_Final.dat", data, size);
    return 0;
}
