/* SPDX-License-Identifier: MIT */
/* The writer: commas, escapes, numbers, and what happens when memory runs out at any allocation.
 * Whatever is written is looked over by our own strict scanner. Next: scan_test.c. */
#include "proto/json/json.h"
#include "proto/json/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An allocator that counts what is out, checks the sizes it is told, and fails after `left` calls.
 */
typedef struct ration {
    size_t left;
    size_t calls;
    size_t bytes_out;
} ration;

static void *ration_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    ration *self = context;
    if (bytes == 0) {
        self->bytes_out -= old_bytes;
        free(old);
        return NULL;
    }
    self->calls++;
    if (self->left == 0) {
        return NULL;
    }
    self->left--;
    /* Always moved, so that a kept pointer shows. */
    char *data = malloc(bytes);
    assert_non_null(data);
    if (old != NULL) {
        memcpy(data, old, old_bytes < bytes ? old_bytes : bytes);
    }
    self->bytes_out += bytes - old_bytes;
    free(old);
    return data;
}

static ration plenty = {.left = SIZE_MAX};
static oban_writer writer;

static int setup(void **state)
{
    (void)state;
    oban_alloc alloc = {ration_resize, &plenty};
    oban_writer_init(&writer, &alloc);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    oban_writer_fini(&writer);
    return plenty.bytes_out == 0 ? 0 : -1;
}

static void expect(const char *text)
{
    oban_json_fault fault;
    assert_false(writer.failed);
    assert_int_equal(writer.bytes, strlen(text));
    assert_memory_equal(writer.data, text, writer.bytes);
    if (oban_json_scan(writer.data, writer.bytes, &fault) != OBAN_OK) {
        fail_msg("%s: %s", text, fault.message.data);
    }
    oban_writer_clear(&writer);
}

static void test_nesting(void **state)
{
    (void)state;
    oban_writer_object_begin(&writer);
    oban_writer_object_end(&writer);
    expect("{}");
    oban_writer_array_begin(&writer);
    oban_writer_array_end(&writer);
    expect("[]");
    oban_writer_object_begin(&writer);
    oban_writer_key(&writer, "a");
    oban_writer_array_begin(&writer);
    oban_writer_array_begin(&writer);
    oban_writer_array_end(&writer);
    oban_writer_null(&writer);
    oban_writer_object_begin(&writer);
    oban_writer_key(&writer, "b");
    oban_writer_bool(&writer, true);
    oban_writer_key(&writer, "c");
    oban_writer_bool(&writer, false);
    oban_writer_object_end(&writer);
    oban_writer_raw(&writer, "{\"r\":1}", 7);
    oban_writer_string(&writer, "s");
    oban_writer_array_end(&writer);
    oban_writer_key(&writer, "d");
    oban_writer_raw(&writer, "2", 1);
    oban_writer_key(&writer, "e");
    oban_writer_string(&writer, NULL);
    oban_writer_object_end(&writer);
    expect("{\"a\":[[],null,{\"b\":true,\"c\":false},{\"r\":1},\"s\"],\"d\":2,\"e\":null}");
}

static void test_bytes(void **state)
{
    (void)state;
    oban_writer_array_begin(&writer);
    oban_writer_u64(&writer, 1);
    oban_writer_bytes(&writer, "\n ", 2);
    oban_writer_u64(&writer, 2);
    oban_writer_bytes(&writer, NULL, 0);
    oban_writer_array_end(&writer);
    expect("[1\n ,2]");
}

static void test_integers(void **state)
{
    (void)state;
    oban_writer_array_begin(&writer);
    oban_writer_u64(&writer, 0);
    oban_writer_u64(&writer, 9);
    oban_writer_u64(&writer, 10);
    oban_writer_u64(&writer, UINT64_MAX);
    oban_writer_i64(&writer, -1);
    oban_writer_i64(&writer, INT64_MIN);
    oban_writer_i64(&writer, INT64_MAX);
    oban_writer_array_end(&writer);
    expect("[0,9,10,18446744073709551615,-1,-9223372036854775808,9223372036854775807]");
}

static void test_floats(void **state)
{
    float zero = 0.0f;
    (void)state;
    oban_writer_array_begin(&writer);
    oban_writer_f32(&writer, 0.1f);
    oban_writer_f32(&writer, -0.0f);
    oban_writer_f32(&writer, 1.0f / zero);
    oban_writer_f32(&writer, zero / zero);
    oban_writer_f64(&writer, 0.1);
    oban_writer_f64(&writer, 60.0);
    oban_writer_f64(&writer, 0.1 + 0.2);
    oban_writer_f64(&writer, -1.7976931348623157e308);
    oban_writer_f64(&writer, 4.9406564584124654e-324);
    oban_writer_f64(&writer, (double)(1.0f / zero));
    oban_writer_array_end(&writer);
    expect("[0.1,-0,null,null,0.1,60,0.30000000000000004,-1.7976931348623157e+308,"
           "4.94065645841247e-324,null]");
}

static void test_mat34(void **state)
{
    oban_mat34 m = {
        {1, 0, 0, 0, 0.70710677f, -0.70710677f, 0, 1.5e-8f, 1, -225, 1188.8256f, -0.0f}};
    oban_mat34 widest;
    (void)state;
    oban_writer_array_begin(&writer);
    oban_writer_mat34(&writer, &m);
    oban_writer_mat34(&writer, &m);
    oban_writer_array_end(&writer);
    expect("[[1,0,0,0,0.70710677,-0.70710677,0,1.5e-8,1,-225,1188.8256,-0],"
           "[1,0,0,0,0.70710677,-0.70710677,0,1.5e-8,1,-225,1188.8256,-0]]");
    for (int i = 0; i < 12; i++) {
        widest.m[i] = -1.17549435e-38f;
    }
    widest.m[3] /= 0.0f;
    oban_writer_mat34(&writer, &widest);
    expect("[-1.1754944e-38,-1.1754944e-38,-1.1754944e-38,null,-1.1754944e-38,-1.1754944e-38,"
           "-1.1754944e-38,-1.1754944e-38,-1.1754944e-38,-1.1754944e-38,-1.1754944e-38,"
           "-1.1754944e-38]");
}

/* Many matrices: right over every growth of the buffer. */
static void test_mat34_many(void **state)
{
    oban_mat34 m = {{-0.12345678f, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3}};
    static const char one[] = "[-0.12345678,0,0,0,1,0,0,0,1,1,2,3]";
    (void)state;
    for (int i = 0; i < 5000; i++) {
        oban_writer_mat34(&writer, &m);
    }
    assert_int_equal(writer.bytes, 5000 * (sizeof one - 1) + 4999);
    for (size_t i = 0; i < 5000; i++) {
        assert_memory_equal(writer.data + i * sizeof one, one, sizeof one - 1);
    }
    oban_writer_clear(&writer);
}

static void test_escapes(void **state)
{
    (void)state;
    oban_writer_string(&writer, "a\"b\\c/d\b\t\n\f\r\v\x01\x1f\x7f.");
    expect("\"a\\\"b\\\\c/d\\b\\t\\n\\f\\r\\u000b\\u0001\\u001f\\u007f.\"");
    oban_writer_text(&writer, (oban_text){"x\0y", 3});
    /* Valid JSON, but our own scanner does not let it in. */
    assert_int_equal(writer.bytes, 10);
    assert_memory_equal(writer.data, "\"x\\u0000y\"", 10);
    oban_writer_clear(&writer);
    oban_writer_text(&writer, (oban_text){NULL, 0});
    expect("\"\"");
}

static void test_utf8(void **state)
{
    (void)state;
    oban_writer_string(&writer, "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\xaa \xc2\x80 \xe2\x80\xa8");
    expect("\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\xaa \xc2\x80 \xe2\x80\xa8\"");
    oban_writer_string(&writer, "a\xff"
                                "b\xc0\x80"
                                "c\xe2\x82");
    expect("\"a\xef\xbf\xbd"
           "b\xef\xbf\xbd\xef\xbf\xbd"
           "c\xef\xbf\xbd\xef\xbf\xbd\"");
    oban_writer_string(&writer, "\xed\xa0\x80\"");
    expect("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\\\"\"");
}

/* Every string of two bytes comes out as valid JSON. */
static void test_all_pairs(void **state)
{
    (void)state;
    for (unsigned pair = 0; pair < 65536; pair++) {
        char text[2] = {(char)(pair >> 8), (char)(pair & 255)};
        oban_json_fault fault;
        oban_writer_array_begin(&writer);
        oban_writer_text(&writer, (oban_text){text, 2});
        oban_writer_array_end(&writer);
        oban_status status = oban_json_scan(writer.data, writer.bytes, &fault);
        /* NUL is written as an escape, which our own scanner does not let in. */
        bool nul = text[0] == '\0' || text[1] == '\0';
        if (status != (nul ? OBAN_BAD_JSON : OBAN_OK)) {
            fail_msg("%04x: %s", pair, fault.message.data);
        }
        oban_writer_clear(&writer);
    }
}

static void test_reserve(void **state)
{
    (void)state;
    assert_true(oban_writer_reserve(&writer, 10000));
    size_t calls = plenty.calls;
    for (int i = 0; i < 5000; i++) {
        oban_writer_bool(&writer, true);
        if (i % 1000 == 999) {
            oban_writer_clear(&writer);
        }
    }
    assert_int_equal(plenty.calls, calls);
    assert_false(oban_writer_reserve(&writer, SIZE_MAX));
    assert_true(writer.failed);
    oban_writer_clear(&writer);
    assert_false(writer.failed);
    oban_writer_raw(&writer, "x", 1);
    assert_false(oban_writer_reserve(&writer, SIZE_MAX / 2));
    oban_writer_clear(&writer);
}

static void write_everything(oban_writer *out)
{
    oban_mat34 m = {{0}};
    oban_writer_object_begin(out);
    for (int i = 0; i < 40; i++) {
        oban_writer_key(out, "matrix");
        oban_writer_mat34(out, &m);
        oban_writer_key(out, "text");
        oban_writer_string(out, "some \"text\" \xff with \x01 everything in it");
        oban_writer_key(out, "numbers");
        oban_writer_array_begin(out);
        oban_writer_u64(out, 1);
        oban_writer_i64(out, -1);
        oban_writer_f32(out, 1.5f);
        oban_writer_f64(out, 1.5);
        oban_writer_bool(out, true);
        oban_writer_null(out);
        oban_writer_array_end(out);
        oban_writer_bytes(out, "\n", 1);
    }
    oban_writer_object_end(out);
}

/* Each allocation fails in turn: no half text, no further try, no leak, and it works again once
 * there is memory. */
static void test_no_memory(void **state)
{
    bool done = false;
    (void)state;
    for (size_t allowed = 0; !done; allowed++) {
        ration few = {.left = allowed};
        oban_alloc alloc = {ration_resize, &few};
        oban_writer out;
        oban_writer_init(&out, &alloc);
        write_everything(&out);
        done = !out.failed;
        if (!done) {
            assert_int_equal(out.bytes, 0);
            assert_int_equal(few.calls, allowed + 1);
            few.left = SIZE_MAX;
            oban_writer_clear(&out);
            write_everything(&out);
            assert_false(out.failed);
        }
        assert_true(out.bytes > 5000);
        assert_true(allowed < 20);
        oban_writer_fini(&out);
        assert_int_equal(few.bytes_out, 0);
        oban_writer_fini(&out); /* twice does no harm */
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_nesting),   TEST(test_bytes),      TEST(test_integers),  TEST(test_floats),
        TEST(test_mat34),     TEST(test_mat34_many), TEST(test_escapes),   TEST(test_utf8),
        TEST(test_all_pairs), TEST(test_reserve),    TEST(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
