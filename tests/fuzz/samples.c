/* SPDX-License-Identifier: MIT */
/* Fuzz target: CSV and JSON of frames. A brace says JSON. What comes in must go out and come
 * in again as the same. */
#include "proto/format/samples.h"
#include "tests/fuzz/clip_file.h"

#include <string.h>

typedef oban_status reader(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                           size_t size, oban_clip_file *out);
typedef void writing(oban_writer *writer, const oban_clip_def *defs, uint32_t count);

/* Clips whose names are one name come back too; only the hashes are compared. */
static void again(const oban_clip_file *file, reader *read, writing *write)
{
    oban_alloc alloc = fuzz_alloc();
    oban_clip_file second;
    oban_writer text;
    oban_clip_def *defs = calloc(file->count, sizeof *defs);
    MUST(defs != NULL);
    for (uint32_t i = 0; i < file->count; i++) {
        defs[i] = oban_clip_def_of(file->items[i].clip);
    }
    oban_writer_init(&text, &alloc);
    write(&text, defs, file->count);
    MUST(!text.failed);
    MUST(read(&alloc, oban_text_of("again"), text.data, text.bytes, &second) == OBAN_OK);
    MUST(second.count == file->count);
    for (uint32_t i = 0; i < file->count; i++) {
        MUST(second.items[i].clip->hash == file->items[i].clip->hash);
        MUST(strcmp(second.items[i].clip->name, file->items[i].clip->name) == 0);
    }
    oban_writer_fini(&text);
    oban_clip_file_fini(&second);
    free(defs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oban_alloc alloc = fuzz_alloc();
    oban_clip_file file;
    if (size == 0) {
        return 0;
    }
    bool csv = data[0] != '{';
    reader *read = csv ? oban_csv_read : oban_clip_json_read;
    oban_status status = read(&alloc, oban_text_of("OBANfuzz.csv"), data, size, &file);
    MUST(status == OBAN_OK || file.faults.count > 0);
    MUST(file.count > 0 || file.faults.count > 0);
    for (uint32_t i = 0; i < file.count; i++) {
        fuzz_clip(file.items[i].clip);
    }
    if (file.count > 0) {
        again(&file, read, csv ? oban_csv_write : oban_clip_json_write);
        again(&file, oban_csv_read, oban_csv_write);
    }
    oban_clip_file_fini(&file);
    return 0;
}
