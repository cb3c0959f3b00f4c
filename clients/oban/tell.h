/* SPDX-License-Identifier: MIT */
/* What oban says: faults as `FILE: where: what` on standard error, results on standard output, a
 * progress line while work takes long. Whatever comes from files goes out escaped.
 * Next: ../obanctl/page.h, library.h. */
#ifndef OBAN_TOOL_TELL_H
#define OBAN_TOOL_TELL_H

#include "clients/oban/exits.h"
#include "clients/obanctl/page.h"
#include "proto/format/file_fault.h"

#include <stdbool.h>
#include <stdint.h>

/* One line `FILE: where: what`; `where` NULL: "file". */
__attribute__((format(printf, 3, 4))) void tell(const char *file, const char *where,
                                                const char *format, ...);
/* A fault of a file in the same form: "FILE: line 3, column 5: error: crane: ...; fix". */
void tell_fault(const char *file, const oban_file_fault *fault);
/* All of them, and how many more there are. */
void tell_faults(const char *file, const oban_file_faults *faults);
/* Where a fault is: "line 3, column 5", "offset 0x34" or "file". */
void tell_place(const oban_file_fault *fault, oban_line *line);

/* Writes a page to standard output, and empties it. DONE or OUTPUT (which is told). */
tool_exit tell_page(ctl_page *page);
/* The JSON text that a writer holds, as one line; `writer` is ended. DONE or OUTPUT. */
tool_exit tell_json(oban_writer *writer);
/* Whether standard output takes colours. */
bool tell_in_colour(void);

/* From 2 s on: "convert: 120 of 1067" on standard error when that is a terminal, redrawn at most
 * five times a second. `whole` 0: not known. Cheap enough for each file. */
void tell_progress(const char *what, uint64_t done, uint64_t whole);
/* Takes the line away. */
void tell_progress_end(void);

#endif
