/* SPDX-License-Identifier: MIT */
/* Addresses as text, and listening: a port in use, a unix path that is taken, left over, or no
 * socket. Next: log_test.c. */
#include "server/listen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void addresses(void **state)
{
    oban_address address;
    oban_line message;
    (void)state;
    assert_true(oban_address_parse("127.0.0.1:8765", &address, &message));
    assert_string_equal(address.host, "127.0.0.1");
    assert_int_equal(address.port, 8765);
    assert_true(oban_address_parse("[::1]:0", &address, &message));
    assert_string_equal(address.host, "::1");
    assert_true(address.v6);
    assert_true(oban_address_parse("localhost:65535", &address, &message));
    assert_true(oban_address_parse("unix:/tmp/a:b", &address, &message));
    assert_true(address.unix_path);
    assert_string_equal(address.host, "/tmp/a:b");
}

static void no_addresses(void **state)
{
    static const char *const bad[] = {"",           "8765",     ":8765",    "host",
                                      "host:",      "host:x",   "host:-1",  "host: 1",
                                      "host:65536", "::1:8765", "[::1]",    "[]:1",
                                      "[::1:8765",  "unix:",    "host:80x", "host:000080"};
    char long_path[200] = "unix:";
    oban_address address;
    oban_line message;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(oban_address_parse(bad[i], &address, &message));
        assert_true(message.bytes > 0);
    }
    memset(long_path + 5, 'a', 108);
    assert_false(oban_address_parse(long_path, &address, &message));
    long_path[5 + 107] = '\0';
    assert_true(oban_address_parse(long_path, &address, &message));
}

static bool opens(const char *text, oban_listener *out, oban_line *message)
{
    oban_address address;
    assert_true(oban_address_parse(text, &address, message));
    return oban_listener_open(&address, out, message);
}

static void port_in_use(void **state)
{
    oban_listener first;
    oban_listener second;
    oban_line message;
    char text[64];
    unsigned port = 0;
    (void)state;
    assert_true(opens("127.0.0.1:0", &first, &message));
    assert_int_equal(sscanf(first.url, "ws://127.0.0.1:%u/ws", &port), 1);
    assert_true(port > 0);
    snprintf(text, sizeof text, "127.0.0.1:%u", port);
    assert_false(opens(text, &second, &message));
    assert_int_equal(second.fd, -1);
    assert_non_null(strstr(message.data, text));
    assert_non_null(strstr(message.data, "Address already in use"));
    oban_listener_close(&first);
    assert_true(opens(text, &second, &message));
    oban_listener_close(&second);
    oban_listener_close(&second); /* harmless */
}

static void unix_paths(void **state)
{
    char folder[] = "/tmp/oban-listen-XXXXXX";
    char text[64];
    const char *path = text + strlen("unix:");
    oban_listener first;
    oban_listener second;
    oban_line message;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(text, sizeof text, "unix:%s/s", folder);
    assert_true(opens(text, &first, &message));
    assert_false(opens(text, &second, &message)); /* somebody answers */
    assert_non_null(strstr(message.data, "answers there already"));
    assert_int_equal(access(path, F_OK), 0);
    unlink(path); /* somebody removes it, and another daemon takes the path: */
    assert_true(opens(text, &second, &message));
    oban_listener_close(&first); /* the late end of the first does not remove the second's */
    assert_int_equal(access(path, F_OK), 0);
    close(second.fd); /* dies, and its path is left over */
    assert_true(opens(text, &second, &message));
    oban_listener_close(&second);
    assert_int_equal(access(path, F_OK), -1);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_false(opens(text, &first, &message)); /* no socket: not ours to replace */
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses),
        cmocka_unit_test(no_addresses),
        cmocka_unit_test(port_in_use),
        cmocka_unit_test(unix_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
