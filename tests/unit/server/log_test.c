/* SPDX-License-Identifier: MIT */
/* The log: its two formats, levels, what is escaped, and lines that are too long. Next:
 * options_test.c. */
#include "proto/json/json.h"
#include "server/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int log_pipe[2];
static char log_text[65536];

static void log_to_pipe(oban_log_level level, oban_log_format format)
{
    assert_int_equal(pipe(log_pipe), 0);
    oban_log_init(log_pipe[1], level, format);
}

/* All that was written, as text. */
static const char *log_read(void)
{
    size_t bytes = 0;
    close(log_pipe[1]);
    for (ssize_t n = 1; n > 0; bytes += (size_t)n) {
        n = read(log_pipe[0], log_text + bytes, sizeof log_text - 1 - bytes);
        assert_true(n >= 0);
    }
    log_text[bytes] = '\0';
    close(log_pipe[0]);
    return log_text;
}

static void is_json_line(const char *line)
{
    oban_json_fault fault;
    size_t bytes = strcspn(line, "\n");
    assert_int_equal(oban_json_scan(line, bytes, &fault), OBAN_OK);
    assert_string_equal(line + bytes, "\n");
}

static void text_lines(void **state)
{
    (void)state;
    log_to_pipe(OBAN_LOG_INFO, OBAN_LOG_TEXT);
    oban_log(OBAN_LOG_WARN, "event", "a message", OBAN_LOG_U64("client", 3),
             OBAN_LOG_STR("peer", "127.0.0.1"), OBAN_LOG_STR("reason", "two words"),
             OBAN_LOG_STR("empty", ""));
    const char *line = log_read();
    assert_string_equal(strchr(line, ' '), " WARN  a message client=3 peer=127.0.0.1 "
                                           "reason=\"two words\" empty=\"\"\n");
}

static void levels(void **state)
{
    (void)state;
    log_to_pipe(OBAN_LOG_WARN, OBAN_LOG_TEXT);
    oban_log_plain(OBAN_LOG_INFO, "event", "not this");
    oban_log_plain(OBAN_LOG_DEBUG, "event", "nor this");
    oban_log_plain(OBAN_LOG_ERROR, "event", "this");
    oban_log_plain(OBAN_LOG_TRACE, "event", "asked for");
    const char *text = log_read();
    assert_null(strstr(text, "not this"));
    assert_null(strstr(text, "nor this"));
    assert_non_null(strstr(text, "ERROR this\n"));
    assert_non_null(strstr(text, "TRACE asked for\n"));
}

static void nothing_ends_a_line(void **state)
{
    static const char evil[] = "a\nb\r\033[2J\x7f\xc2\x85\xe2\x80\xa8\xff\"\\";
    (void)state;
    for (int format = OBAN_LOG_TEXT; format <= OBAN_LOG_JSON; format++) {
        log_to_pipe(OBAN_LOG_INFO, (oban_log_format)format);
        oban_log(OBAN_LOG_INFO, "event", evil, OBAN_LOG_STR("key", evil));
        const char *line = log_read();
        size_t bytes = strlen(line);
        for (size_t i = 0; i + 1 < bytes; i++) {
            assert_true((unsigned char)line[i] >= 0x20 && line[i] != 0x7f);
        }
        assert_non_null(
            strstr(line, "a\\nb\\r\\u001b[2J\\u007f\\u0085\\u2028\xef\xbf\xbd\\\"\\\\\""));
        if (format == OBAN_LOG_JSON) {
            is_json_line(line);
        }
    }
}

static void json_lines(void **state)
{
    (void)state;
    log_to_pipe(OBAN_LOG_INFO, OBAN_LOG_JSON);
    oban_log(OBAN_LOG_INFO, "open", "client connected",
             OBAN_LOG_U64("client", 18446744073709551615u), OBAN_LOG_STR("peer", "::1"));
    const char *line = log_read();
    is_json_line(line);
    assert_memory_equal(line, "{\"ts\":\"20", 9);
    assert_string_equal(strstr(line, "Z\","),
                        "Z\",\"level\":\"info\",\"event\":\"open\",\"msg\":\"client connected\","
                        "\"client\":18446744073709551615,\"peer\":\"::1\"}\n");
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    char *text = malloc(40001);
    assert_non_null(text);
    memset(text, '\n', 40000);
    text[40000] = '\0';
    for (size_t bytes = 8150; bytes < 8200; bytes++) {
        log_to_pipe(OBAN_LOG_INFO, OBAN_LOG_JSON);
        oban_log(OBAN_LOG_INFO, "event", "message", OBAN_LOG_BYTES("a", text, bytes),
                 OBAN_LOG_U64("b", 1), OBAN_LOG_STR("c", text), OBAN_LOG_STR("d", "x"));
        const char *line = log_read();
        assert_true(strlen(line) <= 16384);
        is_json_line(line);
    }
    log_to_pipe(OBAN_LOG_INFO, OBAN_LOG_TEXT);
    oban_log(OBAN_LOG_INFO, "event", text, OBAN_LOG_STR("c", text), OBAN_LOG_STR("d", text));
    const char *line = log_read();
    assert_true(strlen(line) <= 16384);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    free(text);
}

static void announced_plainly(void **state)
{
    (void)state;
    log_to_pipe(OBAN_LOG_ERROR, OBAN_LOG_TEXT);
    oban_log_announce("listening", "listening on ws://127.0.0.1:8765/ws");
    assert_string_equal(log_read(), "listening on ws://127.0.0.1:8765/ws\n");
    log_to_pipe(OBAN_LOG_ERROR, OBAN_LOG_JSON);
    oban_log_announce("listening", "listening on ws://127.0.0.1:8765/ws");
    const char *line = log_read();
    is_json_line(line);
    assert_non_null(strstr(line, "\"msg\":\"listening on ws://127.0.0.1:8765/ws\"}"));
}

static void no_progress_without_a_terminal(void **state)
{
    (void)state;
    log_to_pipe(OBAN_LOG_INFO, OBAN_LOG_TEXT);
    oban_log_progress("loading");
    assert_string_equal(log_read(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_lines),
        cmocka_unit_test(levels),
        cmocka_unit_test(nothing_ends_a_line),
        cmocka_unit_test(json_lines),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(announced_plainly),
        cmocka_unit_test(no_progress_without_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
