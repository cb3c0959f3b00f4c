/* SPDX-License-Identifier: MIT */
/* The fields of a line of CSV. Not here: reading CSV (proto/format/csv_rows.h).
 * Next: frames.c, path.c. */
#ifndef OBAN_TOOL_CSV_LINE_H
#define OBAN_TOOL_CSV_LINE_H

#include "clients/obanctl/page.h"

/* A name, in quotes where it needs them: it may hold commas and quotes, but no control characters.
 */
void csv_name(ctl_page *page, const char *name);
/* ",1.5,2": each with a comma in front, in the fewest digits that come back as they were. */
void csv_numbers(ctl_page *page, const float *values, int count);

#endif
