/* SPDX-License-Identifier: MIT */
/* The daemon's log: one line per message to standard error, as text or as JSON. The only state of
 * the server that is global, since libraries' callbacks log too; one thread. Allocates nothing.
 * Not here: who logs what.
 * Next: log.c. */
#ifndef OBAN_SERVER_LOG_H
#define OBAN_SERVER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum oban_log_level {
    OBAN_LOG_ERROR,
    OBAN_LOG_WARN,
    OBAN_LOG_INFO,
    OBAN_LOG_DEBUG,
    OBAN_LOG_TRACE /* always written: who logs it has been asked to */
} oban_log_level;

typedef enum oban_log_format { OBAN_LOG_TEXT, OBAN_LOG_JSON } oban_log_format;

/* One key=value behind the message. Keys are literals of ours: letters, digits, '_'. */
typedef struct oban_log_field {
    const char *key;
    const char *text; /* NULL: the number counts */
    size_t bytes;     /* of text; SIZE_MAX: up to its NUL */
    uint64_t number;
} oban_log_field;

#define OBAN_LOG_STR(name, value)                                                                  \
    (oban_log_field)                                                                               \
    {                                                                                              \
        .key = (name), .text = (value), .bytes = SIZE_MAX                                          \
    }
#define OBAN_LOG_BYTES(name, value, count)                                                         \
    (oban_log_field)                                                                               \
    {                                                                                              \
        .key = (name), .text = (value), .bytes = (count)                                           \
    }
#define OBAN_LOG_U64(name, value)                                                                  \
    (oban_log_field)                                                                               \
    {                                                                                              \
        .key = (name), .number = (value)                                                           \
    }

/* Sets what is logged and how. `fd` is 2, or a test's. Colour comes with a terminal, unless
 * NO_COLOR is set. Before the first call: text, info, 2. */
void oban_log_init(int fd, oban_log_level level, oban_log_format format);
bool oban_log_wants(oban_log_level level);

/* Writes one line. `event` is a word for machines (JSON only), `message` is for people; control
 * characters in it and in values are escaped, and what is no UTF-8 is replaced. Lines over 16 KB
 * are cut, in a value. */
void oban_log_write(oban_log_level level, const char *event, const char *message,
                    const oban_log_field *fields, size_t count);

/* With no fields, and with some. */
#define oban_log_plain(level, event, message) oban_log_write((level), (event), (message), NULL, 0)
#define oban_log(level, event, message, ...)                                                       \
    oban_log_write((level), (event), (message), (const oban_log_field[]){__VA_ARGS__},             \
                   sizeof((const oban_log_field[]){__VA_ARGS__}) / sizeof(oban_log_field))

/* Writes a line that scripts wait for: at every level, and as text with nothing around it. */
void oban_log_announce(const char *event, const char *message);

/* Shows how far something has come, on a terminal only; the next line overwrites it. */
void oban_log_progress(const char *message);

#endif
