/* SPDX-License-Identifier: MIT */
/* The log: lines are built in one buffer and written with one write, so that they never mix with
 * those of another process.
 * Not here: libwebsockets' own messages (wire_lws.c hands them in).
 * Next: options.h. */
#include "server/log.h"

#include "core/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOG_LINE_BYTES 16384u
#define LOG_TAIL_BYTES 8u /* kept free for what closes a line */

typedef struct log_line {
    size_t bytes;
    char data[LOG_LINE_BYTES];
} log_line;

static struct {
    int fd;
    oban_log_level level;
    oban_log_format format;
    bool terminal;
    bool colour;
    bool progress; /* a progress line stands there */
    log_line line;
} log_state = {.fd = STDERR_FILENO, .level = OBAN_LOG_INFO, .format = OBAN_LOG_TEXT};

static const struct {
    const char *word; /* JSON and options */
    const char *text;
    const char *colour;
} log_levels[] = {
    [OBAN_LOG_ERROR] = {"error", "ERROR", "\033[31m"},
    [OBAN_LOG_WARN] = {"warn", "WARN ", "\033[33m"},
    [OBAN_LOG_INFO] = {"info", "INFO ", "\033[32m"},
    [OBAN_LOG_DEBUG] = {"debug", "DEBUG", "\033[36m"},
    [OBAN_LOG_TRACE] = {"trace", "TRACE", "\033[35m"},
};

void oban_log_init(int fd, oban_log_level level, oban_log_format format)
{
    const char *no_colour = getenv("NO_COLOR");
    log_state.fd = fd;
    log_state.level = level;
    log_state.format = format;
    log_state.terminal = isatty(fd) == 1;
    log_state.colour = log_state.terminal && (no_colour == NULL || no_colour[0] == '\0');
    log_state.progress = false;
}

bool oban_log_wants(oban_log_level level)
{
    return level <= log_state.level || level == OBAN_LOG_TRACE;
}

/* ---- building ------------------------------------------------------------------------------- */

static bool log_add_bytes(log_line *line, const char *data, size_t bytes)
{
    if (line->bytes + bytes > LOG_LINE_BYTES - LOG_TAIL_BYTES) {
        return false;
    }
    memcpy(line->data + line->bytes, data, bytes);
    line->bytes += bytes;
    return true;
}

static void log_add(log_line *line, const char *text)
{
    (void)log_add_bytes(line, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void log_addf(log_line *line, const char *format, ...)
{
    char piece[64];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    log_add(line, piece);
}

static void log_close(log_line *line, const char *text)
{
    size_t bytes = strlen(text); /* fits: the tail is kept free for it */
    memcpy(line->data + line->bytes, text, bytes);
    line->bytes += bytes;
}

/* A control character (C0, DEL, C1, and the two separators that some viewers break lines at). */
static bool log_controls(uint32_t code)
{
    return code < 0x20u || (code >= 0x7fu && code < 0xa0u) || code == 0x2028u || code == 0x2029u;
}

static bool log_add_escape(log_line *line, uint32_t code)
{
    char piece[8];
    const char *names = "\bb\nn\tt\ff\rr";
    const char *at = code != 0 && code < 0x20u ? strchr(names, (int)code) : NULL;
    if (code == '"' || code == '\\') {
        snprintf(piece, sizeof piece, "\\%c", (int)code);
    } else if (at != NULL) {
        snprintf(piece, sizeof piece, "\\%c", at[1]);
    } else {
        snprintf(piece, sizeof piece, "\\u%04x", (unsigned)(code & 0xffffu));
    }
    return log_add_bytes(line, piece, strlen(piece));
}

/* Adds text so that nothing of it can end a line or move a cursor. `quoted`: between quotes, where
 * those and backslashes are escaped too. */
static void log_add_safe(log_line *line, const char *text, size_t bytes, bool quoted)
{
    size_t at = 0;
    while (at < bytes) {
        uint32_t code = 0;
        uint32_t step = oban_utf8_decode(text + at, bytes - at, &code);
        bool fits;
        if (step == 0) {
            step = 1;
            fits = log_add_bytes(line, "\xef\xbf\xbd", 3); /* U+FFFD */
        } else if (log_controls(code) || (quoted && (code == '"' || code == '\\'))) {
            fits = log_add_escape(line, code);
        } else {
            fits = log_add_bytes(line, text + at, step);
        }
        if (!fits) {
            return;
        }
        at += step;
    }
}

/* A JSON string, closed even where the line is full. */
static void log_add_string(log_line *line, const char *text, size_t bytes)
{
    log_add(line, "\"");
    log_add_safe(line, text, bytes, true);
    log_close(line, "\"");
}

static size_t log_field_bytes(const oban_log_field *field)
{
    return field->bytes == SIZE_MAX ? strlen(field->text) : field->bytes;
}

/* A full line ends between fields, so that it stays JSON. */
static bool log_has_room(const log_line *line, const oban_log_field *field)
{
    return line->bytes + strlen(field->key) + 32 < LOG_LINE_BYTES - LOG_TAIL_BYTES;
}

/* Whether a value of the text format reads well without quotes. */
static bool log_bare(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] <= ' ' || text[i] == '"' || text[i] == '=' || text[i] == '\\') {
            return false; /* char is signed: bytes above 0x7f are quoted too */
        }
    }
    return bytes > 0;
}

static struct tm log_time(int *milliseconds)
{
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    *milliseconds = (int)(now.tv_nsec / 1000000);
    return parts;
}

static void log_build_text(log_line *line, oban_log_level level, const char *message,
                           const oban_log_field *fields, size_t count)
{
    int ms;
    struct tm now = log_time(&ms);
    log_addf(line, "%02d:%02d:%02d.%03d ", now.tm_hour, now.tm_min, now.tm_sec, ms);
    log_add(line, log_state.colour ? log_levels[level].colour : "");
    log_add(line, log_levels[level].text);
    log_add(line, log_state.colour ? "\033[0m " : " ");
    log_add_safe(line, message, strlen(message), false);
    for (size_t i = 0; i < count && log_has_room(line, &fields[i]); i++) {
        log_addf(line, " %s=", fields[i].key);
        if (fields[i].text == NULL) {
            log_addf(line, "%llu", (unsigned long long)fields[i].number);
            continue;
        }
        size_t bytes = log_field_bytes(&fields[i]);
        bool bare = log_bare(fields[i].text, bytes);
        if (bare) {
            (void)log_add_bytes(line, fields[i].text, bytes);
        } else {
            log_add_string(line, fields[i].text, bytes);
        }
    }
    log_close(line, "\n");
}

static void log_build_json(log_line *line, oban_log_level level, const char *event,
                           const char *message, const oban_log_field *fields, size_t count)
{
    int ms;
    struct tm now = log_time(&ms);
    log_addf(line, "{\"ts\":\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\",\"level\":\"",
             now.tm_year + 1900, now.tm_mon + 1, now.tm_mday, now.tm_hour, now.tm_min, now.tm_sec,
             ms);
    log_add(line, log_levels[level].word);
    log_add(line, "\",\"event\":\"");
    log_add(line, event);
    log_add(line, "\",\"msg\":");
    log_add_string(line, message, strlen(message));
    for (size_t i = 0; i < count && log_has_room(line, &fields[i]); i++) {
        log_addf(line, ",\"%s\":", fields[i].key);
        if (fields[i].text == NULL) {
            log_addf(line, "%llu", (unsigned long long)fields[i].number);
        } else {
            log_add_string(line, fields[i].text, log_field_bytes(&fields[i]));
        }
    }
    log_close(line, "}\n");
}

/* ---- writing -------------------------------------------------------------------------------- */

static void log_flush(const log_line *line)
{
    size_t done = 0;
    if (log_state.progress) {
        log_state.progress = false;
        (void)!write(log_state.fd, "\r\033[K", 4);
    }
    while (done < line->bytes) {
        ssize_t n = write(log_state.fd, line->data + done, line->bytes - done);
        if (n <= 0) {
            return; /* nobody reads the log, or slowly: never wait for it, never die of it */
        }
        done += (size_t)n;
    }
}

static void log_emit(oban_log_level level, const char *event, const char *message,
                     const oban_log_field *fields, size_t count)
{
    log_line *line = &log_state.line;
    line->bytes = 0;
    if (log_state.format == OBAN_LOG_JSON) {
        log_build_json(line, level, event, message, fields, count);
    } else {
        log_build_text(line, level, message, fields, count);
    }
    log_flush(line);
}

void oban_log_write(oban_log_level level, const char *event, const char *message,
                    const oban_log_field *fields, size_t count)
{
    if (oban_log_wants(level)) {
        log_emit(level, event, message, fields, count);
    }
}

void oban_log_announce(const char *event, const char *message)
{
    if (log_state.format == OBAN_LOG_JSON) {
        log_emit(OBAN_LOG_INFO, event, message, NULL, 0);
        return;
    }
    log_line *line = &log_state.line;
    line->bytes = 0;
    log_add_safe(line, message, strlen(message), false);
    log_close(line, "\n");
    log_flush(line);
}

void oban_log_progress(const char *message)
{
    if (!log_state.terminal || log_state.format == OBAN_LOG_JSON) {
        return;
    }
    log_line *line = &log_state.line;
    line->bytes = 0;
    log_add(line, "\r\033[K");
    log_add_safe(line, message, strlen(message), false);
    log_state.progress = false;
    log_flush(line);
    log_state.progress = true;
}
