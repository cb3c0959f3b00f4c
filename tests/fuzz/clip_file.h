/* SPDX-License-Identifier: MIT */
/* Reads bytes as a clip file of a name; each clip that comes out is played through and hashed.
 * Next: oni.c, oban_xml.c. */
#ifndef OBAN_FUZZ_CLIP_FILE_H
#define OBAN_FUZZ_CLIP_FILE_H

#include "proto/format/clip_file.h"
#include "tests/fuzz/fuzz.h"

static inline void fuzz_clip(const oban_clip *clip)
{
    MUST(clip->key_count > 0 && clip->frame_count > 0);
    for (int32_t frame = -1; frame <= (int32_t)clip->frame_count && frame < 50; frame++) {
        (void)oban_clip_matrix(clip, frame);
    }
    (void)oban_clip_matrix(clip, INT32_MAX);
    (void)oban_clip_matrix(clip, INT32_MIN);
    oban_alloc alloc = fuzz_alloc();
    oban_clip_def def = oban_clip_def_of(clip);
    oban_clip *copy = NULL;
    MUST(oban_clip_create(&alloc, &def, &copy, NULL) == OBAN_OK);
    MUST(copy->hash == clip->hash);
    oban_clip_destroy(copy);
}

static inline void fuzz_clip_file(const char *name, const uint8_t *data, size_t size)
{
    oban_alloc alloc = fuzz_alloc();
    oban_clip_file file;
    oban_status status = oban_clip_file_read(&alloc, oban_text_of(name), data, size, &file);
    MUST(status == OBAN_OK || file.faults.count > 0);
    for (uint32_t i = 0; i < file.count; i++) {
        fuzz_clip(file.items[i].clip);
    }
    oban_clip_file_fini(&file);
}

#endif
