/* SPDX-License-Identifier: MIT */
/* See page.h. */
#include "clients/obanctl/page.h"

#include "clients/obanctl/memory.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { ESCAPE_BYTES = 16 };

static bool locale_is_utf8;

void page_setup(void)
{
    (void)setlocale(LC_CTYPE, "");
    locale_is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void page_init(ctl_page *page)
{
    oban_writer_init(&page->text, memory_alloc());
}

void page_fini(ctl_page *page)
{
    oban_writer_fini(&page->text);
}

void page_add(ctl_page *page, const char *ours)
{
    oban_writer_bytes(&page->text, ours, strlen(ours));
}

void page_format(ctl_page *page, const char *format, ...)
{
    char *line = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&line, format, args) >= 0) {
        page_add(page, line);
        free(line);
    }
    va_end(args);
}

/* Characters that steer a terminal or turn the order of what is read. */
static bool steers(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

/* A code as JSON escapes it, a pair of surrogates when it must be. */
static void escape_code(uint32_t code, char *out)
{
    if (code < 0x10000) {
        (void)snprintf(out, ESCAPE_BYTES, "\\u%04x", (unsigned)code);
        return;
    }
    code -= 0x10000;
    (void)snprintf(out, ESCAPE_BYTES, "\\u%04x\\u%04x", (unsigned)(0xd800 + (code >> 10)),
                   (unsigned)(0xdc00 + (code & 0x3ff)));
}

/* One character as it may be shown. Returns the bytes used; `shown` gets the text, *columns its
 * width. */
static size_t show_one(const char *data, size_t bytes, char shown[ESCAPE_BYTES], unsigned *columns)
{
    uint32_t code = 0;
    uint32_t used = oban_utf8_decode(data, bytes, &code);
    bool shows = used > 0 && !steers(code) && (code < 0x80 || locale_is_utf8);
    int width = shows ? wcwidth((wchar_t)code) : -1;

    if (width >= 0) {
        memcpy(shown, data, used);
        shown[used] = '\0';
        *columns = (unsigned)width;
        return used;
    }
    if (used == 0) {
        (void)snprintf(shown, ESCAPE_BYTES, "\\x%02x", (unsigned)(unsigned char)data[0]);
        used = 1;
    } else {
        escape_code(code, shown);
    }
    *columns = (unsigned)strlen(shown);
    return used;
}

void page_safe_bytes(ctl_page *page, const char *theirs, size_t bytes)
{
    char shown[ESCAPE_BYTES];
    unsigned columns;

    for (size_t at = 0; at < bytes;) {
        at += show_one(theirs + at, bytes - at, shown, &columns);
        page_add(page, shown);
    }
}

void page_safe(ctl_page *page, const char *theirs)
{
    if (theirs != NULL) {
        page_safe_bytes(page, theirs, strlen(theirs));
    }
}

unsigned page_columns(const char *theirs)
{
    char shown[ESCAPE_BYTES];
    unsigned columns;
    unsigned sum = 0;
    size_t bytes = theirs != NULL ? strlen(theirs) : 0;

    for (size_t at = 0; at < bytes;) {
        at += show_one(theirs + at, bytes - at, shown, &columns);
        sum += columns;
    }
    return sum;
}

static void pad(ctl_page *page, unsigned columns)
{
    for (unsigned i = 0; i < columns; ++i) {
        page_add(page, " ");
    }
}

void page_cell(ctl_page *page, const char *theirs, unsigned columns, bool right)
{
    unsigned whole = page_columns(theirs);
    unsigned room = whole > columns && columns > 0 ? columns - 1 : columns;
    unsigned used = 0;
    size_t bytes = theirs != NULL ? strlen(theirs) : 0;

    if (right && whole < columns) {
        pad(page, columns - whole);
    }
    for (size_t at = 0; at < bytes;) {
        char shown[ESCAPE_BYTES];
        unsigned one;

        at += show_one(theirs + at, bytes - at, shown, &one);
        if (used + one > room) {
            break;
        }
        used += one;
        page_add(page, shown);
    }
    if (whole > columns && columns > 0) {
        page_add(page, locale_is_utf8 ? "\u2026" : "~");
        ++used;
    }
    if (!right || whole > columns) {
        pad(page, columns > used ? columns - used : 0);
    }
}

void page_json_line(ctl_page *page, const char *text, size_t bytes)
{
    size_t plain = 0;

    for (size_t at = 0; at < bytes;) {
        uint32_t code = 0;
        uint32_t used = oban_utf8_decode(text + at, bytes - at, &code);

        if (used == 0 || !steers(code)) {
            at += used > 0 ? used : 1;
            continue;
        }
        oban_writer_bytes(&page->text, text + plain, at - plain);
        if (code < 0x20) { /* between values, else the text would be no JSON */
            page_add(page, " ");
        } else {
            char escape[ESCAPE_BYTES];

            escape_code(code, escape);
            page_add(page, escape);
        }
        at += used;
        plain = at;
    }
    oban_writer_bytes(&page->text, text + plain, bytes - plain);
    page_add(page, "\n");
}

/* A file that takes nothing just now (a terminal set non-blocking by another) is waited for. */
static bool wait_writable(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLOUT};

    return errno == EAGAIN && poll(&wait, 1, -1) >= 0;
}

bool page_write(ctl_page *page, int fd)
{
    size_t done = 0;
    bool good = true;

    while (good && done < page->text.bytes) {
        ssize_t written = write(fd, page->text.data + done, page->text.bytes - done);

        if (written >= 0) {
            done += (size_t)written;
        } else {
            good = wait_writable(fd);
        }
    }
    oban_writer_clear(&page->text);
    return good;
}

void page_complain(const char *format, ...)
{
    char *line = NULL;
    ctl_page page;
    va_list args;

    page_init(&page);
    page_safe(&page, program_invocation_short_name);
    page_add(&page, ": ");
    va_start(args, format);
    if (vasprintf(&line, format, args) >= 0) {
        page_safe(&page, line);
        free(line);
    }
    va_end(args);
    page_add(&page, "\n");
    (void)page_write(&page, STDERR_FILENO);
    page_fini(&page);
}
