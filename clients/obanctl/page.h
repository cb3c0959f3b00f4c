/* SPDX-License-Identifier: MIT */
/* Text for people and programs, gathered and then written at once. What comes from outside goes in
 * escaped: a terminal never sees a control character that is not ours.
 * Not here: tables (table.h), the whole screen (screen.h).
 * Next: table.h. */
#ifndef OBANCTL_PAGE_H
#define OBANCTL_PAGE_H

#include "proto/json/writer.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ctl_page {
    oban_writer text;
} ctl_page;

/* Once, before anything else: the locale of characters (never of numbers). */
void page_setup(void);

void page_init(ctl_page *page);
void page_fini(ctl_page *page);
void page_add(ctl_page *page, const char *ours);
void page_format(ctl_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What others wrote: control characters, bidi controls, and what the locale cannot show come out as
 * \u001b; NULL as nothing. */
void page_safe(ctl_page *page, const char *theirs);
void page_safe_bytes(ctl_page *page, const char *theirs, size_t bytes);
/* As page_safe, but exactly so many columns: cut with a mark, or padded (on the left when `right`).
 */
void page_cell(ctl_page *page, const char *theirs, unsigned columns, bool right);
/* The columns that page_safe takes for it. */
unsigned page_columns(const char *theirs);
/* A JSON text as one line with its end. It stays the same JSON: what a terminal might obey is
 * written as an escape. */
void page_json_line(ctl_page *page, const char *text, size_t bytes);

/* Writes all of it and empties the page. Returns false when the file cannot be written (errno says
 * why: EPIPE when the reader is gone). */
bool page_write(ctl_page *page, int fd);

/* One line to standard error: "obanctl: ...", or the name that the program was called by; all of it
 * is escaped. */
void page_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
