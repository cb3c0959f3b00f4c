/* SPDX-License-Identifier: MIT */
/* WebSocket headers of 2, 4 and 10 bytes, several messages in one buffer, pieces of whole frames.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/wire/ws_frame.h"

#include <stdlib.h>
#include <string.h>

static void *memory_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, bytes);
}

static const oban_alloc memory = {memory_resize, NULL};

static size_t frame_of(oban_writer *writer, char letter, size_t payload)
{
    char *text = malloc(payload + 1);
    assert_non_null(text);
    memset(text, letter, payload + 1);
    size_t mark = oban_ws_begin(writer);
    oban_writer_bytes(writer, text, payload);
    oban_ws_end(writer, mark);
    free(text);
    return mark;
}

static void test_headers(void **state)
{
    (void)state;
    static const struct {
        size_t payload;
        size_t header;
        unsigned char second;
    } cases[] = {{0, 2, 0},     {1, 2, 1},       {125, 2, 125},    {126, 4, 126},
                 {300, 4, 126}, {65535, 4, 126}, {65536, 10, 127}, {200000, 10, 127}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        oban_writer writer;
        oban_writer_init(&writer, &memory);
        frame_of(&writer, 'a', 3); /* something in front */
        size_t mark = frame_of(&writer, 'b', cases[i].payload);
        const unsigned char *at = (const unsigned char *)writer.data + mark;
        assert_int_equal(writer.bytes, 5 + cases[i].header + cases[i].payload);
        assert_int_equal(at[0], 0x81);
        assert_int_equal(at[1], cases[i].second);
        uint64_t length = cases[i].header == 2 ? at[1] : 0;
        for (size_t b = 2; b < cases[i].header; b++) {
            length = length << 8 | at[b];
        }
        assert_int_equal(length, cases[i].payload);
        for (size_t b = 0; b < cases[i].payload; b++) {
            assert_int_equal(at[cases[i].header + b], 'b');
        }
        assert_int_equal(oban_ws_frame_bytes((const char *)at), cases[i].header + cases[i].payload);
        oban_writer_fini(&writer);
    }
}

static void test_pieces(void **state)
{
    (void)state;
    oban_writer writer;
    oban_writer_init(&writer, &memory);
    frame_of(&writer, 'a', 98);    /* 100 */
    frame_of(&writer, 'b', 296);   /* 300 */
    frame_of(&writer, 'c', 69990); /* 70000 */
    assert_int_equal(writer.bytes, 70400);
    assert_int_equal(oban_ws_piece_bytes(writer.data, writer.bytes, 99), 100); /* one at least */
    assert_int_equal(oban_ws_piece_bytes(writer.data, writer.bytes, 399), 100);
    assert_int_equal(oban_ws_piece_bytes(writer.data, writer.bytes, 400), 400);
    assert_int_equal(oban_ws_piece_bytes(writer.data, writer.bytes, 70400), 70400);
    assert_int_equal(oban_ws_piece_bytes(writer.data, 400, 70400), 400);
    assert_int_equal(oban_ws_piece_bytes(writer.data + 400, 70000, 10), 70000);
    oban_writer_fini(&writer);
}

static void test_failed_writer(void **state)
{
    (void)state;
    oban_writer writer;
    oban_writer_init(&writer, &memory);
    size_t mark = oban_ws_begin(&writer);
    writer.failed = true;
    writer.bytes = 0;
    oban_ws_end(&writer, mark);
    assert_int_equal(writer.bytes, 0);
    oban_writer_fini(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_failed_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
