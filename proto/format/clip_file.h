/* SPDX-License-Identifier: MIT */
/* Animations out of the bytes of a file: .oni (oni.c) and XML (oban_xml.c), and the names they get.
 * Not here: reading the disk (server/store), what one animation means (core/anim/clip.h).
 * Next: oni.h, oban_xml.h. */
#ifndef OBAN_PROTO_FORMAT_CLIP_FILE_H
#define OBAN_PROTO_FORMAT_CLIP_FILE_H

#include "core/anim/clip.h"
#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "proto/format/file_fault.h"

#include <stddef.h>
#include <stdint.h>

/* One animation, and where it stands in the file. */
typedef struct oban_clip_file_item {
    oban_clip *clip; /* NULL once it is taken */
    uint32_t line;   /* from 1; 0: see offset */
    uint64_t offset; /* of its data; OBAN_FILE_NO_OFFSET: see line */
} oban_clip_file_item;

/* What a file held: the animations that can be used, in its order, and all that is to be said. */
typedef struct oban_clip_file {
    oban_clip_file_item *items;
    uint32_t count;
    uint32_t capacity;
    oban_file_faults faults;
    oban_alloc alloc;
} oban_clip_file;

/* Reads a file; its kind comes from its first bytes, else from the extension of `file_name` (a base
 * name: "OBANfoo.oni"), which names the animation too (behaviour 9).
 * Returns OK: the file was read; animations that were refused or have no name are left out, faults
 * tell why. BAD_FILE: nothing of it can be used, an error among the faults is the reason.
 * NO_MEMORY. Owns: whatever it returns, end `out` with oban_clip_file_fini. Source: oni-formats
 * 1, 4. */
oban_status oban_clip_file_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                                size_t size, oban_clip_file *out);

/* Takes an animation out; the caller owns it. NULL when it was taken before. */
oban_clip *oban_clip_file_take(oban_clip_file *file, uint32_t index);
/* Gives all back, with the animations that were not taken. */
void oban_clip_file_fini(oban_clip_file *file);

/* The name that a file gives its animation: "OBANfoo%20bar.oni" -> "foo bar" (extension off, %XX
 * decoded, a leading OBAN dropped). Source: behaviour 9. */
void oban_clip_file_name(oban_text file_name, oban_line *out);

/* The definition that a clip was made from, borrowed from it. */
oban_clip_def oban_clip_def_of(const oban_clip *clip);

#endif
