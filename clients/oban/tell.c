/* SPDX-License-Identifier: MIT */
/* See tell.h. */
#include "clients/oban/tell.h"

#include "clients/obanctl/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_AFTER_NS 2000000000u
#define PROGRESS_EVERY_NS 200000000u

static uint64_t progress_start_ns;
static uint64_t progress_last_ns;
static bool progress_shown;

static bool takes_colour(int fd)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(fd) && (no == NULL || no[0] == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

bool tell_in_colour(void)
{
    return takes_colour(STDOUT_FILENO);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void tell_start(ctl_page *page, const char *file, const char *where)
{
    tell_progress_end();
    page_init(page);
    page_safe(page, file);
    page_add(page, ": ");
    page_safe(page, where != NULL ? where : "file");
    page_add(page, ": ");
}

static void tell_end(ctl_page *page)
{
    page_add(page, "\n");
    (void)page_write(page, STDERR_FILENO);
    page_fini(page);
}

void tell(const char *file, const char *where, const char *format, ...)
{
    ctl_page page;
    char *line = NULL;
    va_list arguments;

    tell_start(&page, file, where);
    va_start(arguments, format);
    if (vasprintf(&line, format, arguments) < 0) {
        memory_out();
    }
    va_end(arguments);
    page_safe(&page, line);
    free(line);
    tell_end(&page);
}

void tell_place(const oban_file_fault *fault, oban_line *line)
{
    oban_line_clear(line);
    if (fault->line > 0) {
        oban_line_add(line, "line ");
        oban_line_add_u64(line, fault->line);
        oban_line_add(line, fault->column > 0 ? ", column " : "");
        if (fault->column > 0) {
            oban_line_add_u64(line, fault->column);
        }
    } else if (fault->offset != OBAN_FILE_NO_OFFSET) {
        oban_line_add(line, "offset ");
        oban_file_fault_hex(fault->offset, line);
    } else {
        oban_line_add(line, "file");
    }
}

void tell_fault(const char *file, const oban_file_fault *fault)
{
    ctl_page page;
    oban_line where;
    bool error = fault->severity == OBAN_SEVERITY_ERROR;
    bool colour = takes_colour(STDERR_FILENO);

    tell_place(fault, &where);
    tell_start(&page, file, where.data);
    page_add(&page, !colour ? "" : error ? "\033[31m" : "\033[33m");
    page_add(&page, error ? "error" : "warning");
    page_add(&page, colour ? "\033[0m: " : ": ");
    if (fault->clip[0] != '\0') {
        page_safe(&page, fault->clip);
        page_add(&page, ": ");
    }
    page_safe(&page, fault->message.data);
    if (fault->fix != NULL) {
        page_add(&page, "; ");
        page_add(&page, fault->fix);
    }
    tell_end(&page);
}

void tell_faults(const char *file, const oban_file_faults *faults)
{
    for (uint32_t i = 0; i < faults->count; i++) {
        tell_fault(file, &faults->items[i]);
    }
    if (faults->more > 0) {
        tell(file, NULL, "and %u more faults", faults->more);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

tool_exit tell_page(ctl_page *page)
{
    tell_progress_end();
    if (page->text.failed) {
        memory_out();
    }
    if (!page_write(page, STDOUT_FILENO)) {
        tell("standard output", NULL, "cannot be written: %s", strerror(errno));
        return TOOL_OUTPUT;
    }
    return TOOL_DONE;
}

tool_exit tell_json(oban_writer *writer)
{
    ctl_page page;

    page_init(&page);
    page_json_line(&page, writer->data, writer->bytes);
    oban_writer_fini(writer);
    tool_exit done = tell_page(&page);
    page_fini(&page);
    return done;
}

/* ---- progress -------------------------------------------------------------------------------- */

static uint64_t now_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void tell_progress(const char *what, uint64_t done, uint64_t whole)
{
    uint64_t now = now_ns();

    if (progress_start_ns == 0) {
        progress_start_ns = now;
    }
    if (now - progress_start_ns < PROGRESS_AFTER_NS || now - progress_last_ns < PROGRESS_EVERY_NS ||
        !isatty(STDERR_FILENO)) {
        return;
    }
    progress_last_ns = now;
    progress_shown = true;
    if (whole > 0) {
        (void)fprintf(stderr, "\r\033[K%s: %llu of %llu", what, (unsigned long long)done,
                      (unsigned long long)whole);
    } else {
        (void)fprintf(stderr, "\r\033[K%s: %llu", what, (unsigned long long)done);
    }
}

void tell_progress_end(void)
{
    if (progress_shown) {
        (void)fputs("\r\033[K", stderr);
        progress_shown = false;
    }
}
