/* SPDX-License-Identifier: MIT */
/* What is wrong with a file, and where: a bounded list that readers of files fill.
 * Not here: what is done about it (the host logs it, the tool prints it).
 * Next: clip_file.h, scene_json.h. */
#ifndef OBAN_PROTO_FORMAT_FILE_FAULT_H
#define OBAN_PROTO_FORMAT_FILE_FAULT_H

#include "core/anim/clip.h"
#include "core/base/alloc.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define OBAN_FILE_FAULTS_MAX 50u /* kept; further ones are counted */
#define OBAN_FILE_NO_OFFSET UINT64_MAX

typedef enum oban_severity {
    OBAN_SEVERITY_WARNING, /* what was read can be used */
    OBAN_SEVERITY_ERROR    /* the file, or the clip that is named, is left out */
} oban_severity;

typedef struct oban_file_fault {
    oban_severity severity;
    uint32_t line;                     /* from 1; 0: see offset */
    uint32_t column;                   /* from 1, in characters (XML) or bytes (JSON) */
    uint64_t offset;                   /* in a binary file; OBAN_FILE_NO_OFFSET: none */
    char clip[OBAN_CLIP_NAME_MAX + 1]; /* "" when it is about no clip or an unnamed one */
    oban_line message;
    const char *fix; /* what mends it, or NULL; never to be given back */
} oban_file_fault;

/* In the order in which they were found; when there are too many, errors put warnings out. */
typedef struct oban_file_faults {
    oban_file_fault *items; /* count of them */
    uint32_t count;
    uint32_t more; /* how many further ones were not kept */
    uint32_t errors;
    bool failed; /* memory ran out for the list itself */
    oban_alloc alloc;
} oban_file_faults;

void oban_file_faults_init(oban_file_faults *faults, const oban_alloc *alloc);
void oban_file_faults_fini(oban_file_faults *faults);

/* Adds a fault without a place and returns it, for the caller to fill in. Never NULL: what cannot
 * be kept goes into `spare`. */
oban_file_fault *oban_file_faults_add(oban_file_faults *faults, oban_severity severity,
                                      oban_file_fault *spare);

/* Adds a number in hex as messages show offsets: 0x and as few digits as it needs. */
void oban_file_fault_hex(uint64_t value, oban_line *line);
/* One fault for people: "line 3, column 5: error: OBANx: ..." or "offset 0x34: ...". */
void oban_file_fault_line(const oban_file_fault *fault, oban_line *line);

#endif
