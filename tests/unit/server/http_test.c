/* SPDX-License-Identifier: MIT */
/* HTTP as decisions: who may connect, every refusal of protocol 1, and the pages. Next:
 * listen_test.c. */
#include "server/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *plain_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, bytes);
}

static const oban_alloc plain_alloc = {.resize = plain_resize};

static char host_name[] = "oni.test";
static char origin_name[] = "https://pages.test";
static char *host_names[] = {host_name};
static char *origin_names[] = {origin_name};
static const oban_option_list no_names = {0};
static const oban_option_list hosts = {host_names, 1};
static const oban_option_list origins = {origin_names, 1};

static void plain_state(void *context, oban_writer *writer)
{
    (void)context;
    oban_writer_object_begin(writer);
    oban_writer_object_end(writer);
}

static oban_http_rules plain_rules(void)
{
    return (oban_http_rules){
        .allow_host = &hosts, .allow_origin = &origins, .clients_max = 2, .state = plain_state};
}

static oban_http_request good_request(void)
{
    return (oban_http_request){
        .method = OBAN_HTTP_GET,
        .path = "/ws",
        .host = "localhost:8765",
        .origin = "",
        .connection = "keep-alive, Upgrade",
        .version = "13",
        .key = "dGhlIHNhbXBsZSBub25jZQ==",
        .subprotocols = "",
    };
}

/* Asks; returns the status (0: granted) and checks that the body holds the text. */
static uint32_t asks(const oban_http_rules *rules, const oban_http_request *request,
                     const char *text)
{
    oban_http_answer answer = {0};
    oban_writer_init(&answer.body, &plain_alloc);
    bool granted = oban_http_upgrade(rules, request, &answer);
    if (!granted) {
        oban_writer_bytes(&answer.body, "", 1);
        assert_string_equal(answer.type, "application/json");
        assert_true(answer.close);
        assert_memory_equal(answer.body.data, "{\"code\":\"", 9);
        assert_non_null(strstr(answer.body.data, text));
    }
    oban_writer_fini(&answer.body);
    return granted ? 0 : answer.status;
}

#define REFUSED(status, member, value, text)                                                       \
    do {                                                                                           \
        oban_http_request changed = good_request();                                                \
        changed.member = (value);                                                                  \
        assert_int_equal(asks(&rules, &changed, (text)), (status));                                \
    } while (0)

static void upgrades(void **state)
{
    (void)state;
    oban_http_rules rules = plain_rules();
    oban_http_request request = good_request();
    assert_int_equal(asks(&rules, &request, ""), 0);
    REFUSED(404, path, "/", "\"not_found\"");
    REFUSED(404, path, "/ws/", "the WebSocket is at /ws");
    REFUSED(405, method, OBAN_HTTP_HEAD, "GET");
    REFUSED(405, method, OBAN_HTTP_OTHER, "GET");
    REFUSED(400, host, "", "no Host");
    REFUSED(403, host, "evil.test", "'evil.test'");
    REFUSED(403, origin, "https://evil.test", "\"denied\"");
    REFUSED(403, origin, "null", "\"denied\"");
    REFUSED(426, version, "", "must be 13");
    REFUSED(426, version, "8", "must be 13");
    REFUSED(400, connection, "keep-alive", "Upgrade");
    REFUSED(400, key, "", "Sec-WebSocket-Key");
    REFUSED(400, key, "dGhlIHNhbXBsZSBub25jZQ=", "Sec-WebSocket-Key");
    REFUSED(400, key, "dGhlIHNhbXBsZSBub25jZ!==", "Sec-WebSocket-Key");
    REFUSED(400, subprotocols, "oban.v2, oban.v1.bin", "\"known\":[\"oban.v1\"]");
    REFUSED(400, subprotocols, "OBAN.V1", "\"bad_subprotocol\"");
    REFUSED(0, subprotocols, "oban.v1.bin,oban.v1", "");
    REFUSED(0, origin, "https://pages.test", "");
    REFUSED(0, host, "oni.test", "");
}

static void versions_are_named(void **state)
{
    oban_http_rules rules = plain_rules();
    oban_http_request request = good_request();
    oban_http_answer answer = {0};
    (void)state;
    request.version = "12";
    oban_writer_init(&answer.body, &plain_alloc);
    assert_false(oban_http_upgrade(&rules, &request, &answer));
    assert_string_equal(answer.header, "Sec-WebSocket-Version:");
    assert_string_equal(answer.header_value, "13");
    oban_writer_fini(&answer.body);
}

static void room(void **state)
{
    (void)state;
    oban_http_request request = good_request();
    oban_http_rules rules = plain_rules();
    rules.clients = 1;
    assert_int_equal(asks(&rules, &request, ""), 0);
    rules.clients = 2;
    assert_int_equal(asks(&rules, &request, "the limit clients_max is 2"), 503);
    rules.clients = 0;
    rules.files_short = true;
    assert_int_equal(asks(&rules, &request, "open-file limit"), 503);
    rules.files_short = false;
    rules.stopping = true;
    assert_int_equal(asks(&rules, &request, "stopping"), 503);
}

static void allowed_hosts(void **state)
{
    static const char *const good[] = {"localhost", "LOCALHOST:1",  "127.0.0.1", "10.1.2.3:80",
                                       "[::1]",     "[fe80::1]:80", "oni.test",  "Oni.Test:1"};
    static const char *const bad[] = {"",
                                      "evil.test",
                                      "localhost.evil.test",
                                      "localhost:",
                                      "localhost:1a",
                                      "localhost:1:2",
                                      "[::1",
                                      "[evil]",
                                      "[::1]x",
                                      "127.0.0.1.evil.test",
                                      "1.2.3",
                                      "oni.test.",
                                      "localhost:123456",
                                      "::1"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(oban_http_host_allowed(&hosts, good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(oban_http_host_allowed(&hosts, bad[i]));
    }
    assert_false(oban_http_host_allowed(&no_names, "oni.test"));
}

static void allowed_origins(void **state)
{
    static const struct {
        const char *origin;
        const char *host;
        bool allowed;
    } cases[] = {
        {"", "localhost", true}, /* no browser */
        {"http://localhost:8765", "localhost:8765", true},
        {"https://localhost:8765", "localhost:8765", true},
        {"http://localhost", "localhost:8765", false},
        {"http://localhost:8765", "localhost", false},
        {"http://localhost:8765/", "localhost:8765", false},
        {"ws://localhost", "localhost", false},
        {"null", "null", false},
        {"http://localhost.evil.test", "localhost", false},
        {"https://pages.test", "localhost", true},
        {"http://pages.test", "localhost", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(oban_http_origin_allowed(&origins, cases[i].origin, cases[i].host),
                         cases[i].allowed);
    }
}

static void subprotocols(void **state)
{
    (void)state;
    assert_string_equal(oban_http_subprotocol("oban.v1"), "oban.v1");
    assert_string_equal(oban_http_subprotocol(" x ,\toban.v1 ,y"), "oban.v1");
    assert_string_equal(oban_http_subprotocol(",,oban.v1"), "oban.v1");
    assert_null(oban_http_subprotocol(""));
    assert_null(oban_http_subprotocol("oban.v1.bin"));
    assert_null(oban_http_subprotocol("oban.v"));
    assert_null(oban_http_subprotocol("xoban.v1"));
}

static uint32_t page(const oban_http_rules *rules, oban_http_method method, const char *path,
                     const char *text)
{
    oban_http_request request = good_request();
    oban_http_answer answer = {0};
    request.method = method;
    request.path = path;
    oban_writer_init(&answer.body, &plain_alloc);
    oban_http_serve(rules, &request, &answer);
    oban_writer_bytes(&answer.body, "", 1);
    assert_non_null(strstr(answer.body.data, text));
    oban_writer_fini(&answer.body);
    return answer.status;
}

static void pages(void **state)
{
    (void)state;
    oban_http_rules rules = plain_rules();
    assert_int_equal(page(&rules, OBAN_HTTP_GET, "/healthz", "{\"status\":\"ok\""), 200);
    assert_int_equal(page(&rules, OBAN_HTTP_GET, "/readyz", "\"ready\""), 200);
    assert_int_equal(page(&rules, OBAN_HTTP_HEAD, "/state", "{}"), 200);
    assert_int_equal(page(&rules, OBAN_HTTP_GET, "/", "/healthz"), 200);
    assert_int_equal(page(&rules, OBAN_HTTP_GET, "/ws", "\"not_supported\""), 426);
    assert_int_equal(page(&rules, OBAN_HTTP_GET, "/nope", "there is no '/nope'"), 404);
    assert_int_equal(page(&rules, OBAN_HTTP_OTHER, "/state", "GET, HEAD"), 405);
    assert_int_equal(page(&rules, OBAN_HTTP_OTHER, "/nope", "\"not_found\""), 404);
    rules.stopping = true;
    assert_int_equal(page(&rules, OBAN_HTTP_GET, "/readyz", "\"stopping\""), 503);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upgrades),
        cmocka_unit_test(versions_are_named),
        cmocka_unit_test(room),
        cmocka_unit_test(allowed_hosts),
        cmocka_unit_test(allowed_origins),
        cmocka_unit_test(subprotocols),
        cmocka_unit_test(pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
