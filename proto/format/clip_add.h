/* SPDX-License-Identifier: MIT */
/* What the readers of animation files share: names, adding a clip with its findings, faults.
 * Internal to proto/format.
 * Next: clip_file.c, oni.c, oban_xml.c. */
#ifndef OBAN_PROTO_FORMAT_CLIP_ADD_H
#define OBAN_PROTO_FORMAT_CLIP_ADD_H

#include "proto/format/clip_file.h"

#include <stdint.h>

#define CLIP_ADD_NAME_BYTES                                                                        \
    256u /* beyond what a name may have, so that a long one shows as such                          \
          */

/* A name as it comes out of a file name. */
typedef struct clip_add_name {
    uint32_t bytes;
    char data[CLIP_ADD_NAME_BYTES];
} clip_add_name;

/* Sets the place of a finding in the file. */
typedef struct clip_add_places {
    void (*place)(void *context, const oban_clip_finding *finding, oban_file_fault *fault);
    void *context;
} clip_add_places;

void clip_add_init(oban_clip_file *file, const oban_alloc *alloc);

/* "OBANfoo%20bar.oni" -> "foo bar": the extension off, %XX decoded, a leading OBAN dropped. What is
 * no %XX stays as it is. Source: behaviour 9. */
void clip_add_file_name(oban_text file_name, clip_add_name *out);
/* Without a leading OBAN. */
oban_text clip_add_strip(oban_text name);

/* Adds a clip and tells its findings; one that the check refuses is told and left out.
 * Returns OK or NO_MEMORY. */
oban_status clip_add(oban_clip_file *file, const oban_clip_def *def, uint32_t line, uint64_t offset,
                     const clip_add_places *places);

/* Adds a fault about the clip of this name (no bytes: about none) and begins its message. Never
 * NULL; what `spare` is for: see oban_file_faults_add. */
oban_file_fault *clip_add_fault(oban_clip_file *file, oban_severity severity, oban_text clip,
                                const char *message, oban_file_fault *spare);

/* The end of a reading: on any failure, and when faults could not be kept, no clips stay. */
oban_status clip_add_end(oban_clip_file *file, oban_status status);

#endif
