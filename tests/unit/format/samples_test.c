/* SPDX-License-Identifier: MIT */
/* Tests of proto/format: csv_read.c, csv_write.c, clip_json.c, samples_build.c: every form of a
 * row, spreadsheets' habits, each fault with its place, memory that runs out. */
#include "proto/format/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/format/memory.h"

typedef oban_status reader(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                           size_t size, oban_clip_file *out);

static oban_status read_as(memory *own, reader *read, const char *text, oban_clip_file *out)
{
    oban_alloc alloc = memory_alloc(own);
    return read(&alloc, oban_text_of("OBANfile.x"), text, strlen(text), out);
}

static void finish(memory *own, oban_clip_file *file)
{
    oban_clip_file_fini(file);
    assert_int_equal(own->blocks, 0);
    assert_int_equal(own->wrong_sizes, 0);
}

/* Whether each row is read into one clip of two keys, the second at frame 10 and at 5 6 7. */
static void expect_two_keys(reader *read, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memory own = {0};
        oban_clip_file file;
        oban_status status = read_as(&own, read, texts[i], &file);
        if (status != OBAN_OK || file.count != 1 || file.faults.count != 0) {
            fail_msg("%s: %s", texts[i],
                     file.faults.count > 0 ? file.faults.items[0].message.data : "no fault");
        }
        const oban_clip *clip = file.items[0].clip;
        assert_int_equal(clip->key_count, 2);
        assert_int_equal(clip->keys[1].frame, 10);
        assert_int_equal(clip->frame_count, 11);
        assert_true(clip->keys[1].position[0] == 5 && clip->keys[1].position[1] == 6 &&
                    clip->keys[1].position[2] == 7);
        finish(&own, &file);
    }
}

static void test_csv_habits(void **state)
{
    static const char *const texts[] = {
        "frame,x,y,z\n0,1,2,3\n10,5,6,7\n",
        "frame,x,y,z\r\n0,1,2,3\r\n10,5,6,7\r\n",
        "frame,x,y,z\r0,1,2,3\r10,5,6,7",
        "\xef\xbb\xbf\x66rame;x;y;z\n0;1;2;3\n10;5;6;7",
        "frame\tx\ty\tz\n0\t1\t2\t3\n10\t5\t6\t7\n",
        "sep=;\nframe;x;y;z\n0;1;2;3\n10;5;6;7\n",
        "\"frame\",\"x\",\"y\",\"z\"\n\"0\",\"1\",\"2\",\"3\"\n10,\"5.0\",6e0,+7\n",
        " Frame , X , Y , Z ,,\n0, 1, 2, 3,,\n,,,,\n\n10.0, 5, 6, 7,,\n,,,\n",
        "# a word, with a comma\nframe,x,y,z\n0,1,2,3\n# another\n10,5,6,7\n",
        "time,x,y,z\n0,1,2,3\n0.16666667,5,6,7\n",
        "z,y,x,frame\n3,2,1,0\n7,6,5,10\n",
        "name,frame,x,y,z\nOBANfile,0,1,2,3\nOBANfile,10,5,6,7\n",
    };
    (void)state;
    expect_two_keys(oban_csv_read, texts, sizeof texts / sizeof texts[0]);
}

static void test_json_forms(void **state)
{
    static const char *const texts[] = {
        "{\"frames\":[{\"position\":[1,2,3],\"frame\":0},{\"frame\":10,\"position\":[5,6,7]}]}",
        "{\"keys\":[{\"position\":[1,2,3],\"time\":0},{\"time\":0.16666667,\"position\":[5,6,7]}]}",
        "{\"clips\":[{\"x-note\":{},\"frames\":[{\"frame\":0,\"position\":[1,2,3],\"x-a\":1},"
        "{\"frame\":10,\"position\":[5,6,7]}]}]}",
        "\xef\xbb\xbf{\"frames\":[{\"matrix\":[1,0,0,0,1,0,0,0,1,1,2,3]},"
        "{\"frame\":10,\"matrix\":[1,0,0,0,1,0,0,0,1,5,6,7]}]}",
    };
    (void)state;
    expect_two_keys(oban_clip_json_read, texts, sizeof texts / sizeof texts[0]);
}

static void near(float found, float wanted)
{
    if (!(fabsf(found - wanted) < 2e-6f)) {
        fail_msg("%g instead of %g", (double)found, (double)wanted);
    }
}

/* x = 60 degrees is the file's quaternion (0.5, 0, 0, -0.8660254); oni-formats 8. */
static void test_forms_of_rotation(void **state)
{
    static const char *const texts[] = {
        "qx,qy,qz,qw\n0.5,0,0,-0.8660254\n",
        "rx,ry,rz\n60,0,0\n",
        "m0,m1,m2,m3,m4,m5,m6,m7,m8,m9,m10,m11\n1,0,0,0,0.5,0.8660254,0,-0.8660254,0.5,0,0,0\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        assert_int_equal(read_as(&own, oban_csv_read, texts[i], &file), OBAN_OK);
        assert_int_equal(file.count, 1);
        oban_quat q = file.items[0].clip->keys[0].rotation;
        float sign = q.x < 0 ? -1.0f : 1.0f;
        near(sign * q.x, 0.5f);
        near(q.y, 0);
        near(q.z, 0);
        near(sign * q.w, -0.8660254f);
        finish(&own, &file);
    }
}

/* The matrix of each frame is the one that was given, whatever stands in front. */
static void expect_matrix(const char *text, const float wanted[12])
{
    memory own = {0};
    oban_clip_file file;
    assert_int_equal(read_as(&own, oban_csv_read, text, &file), OBAN_OK);
    if (file.count != 1) {
        fail_msg("%s", file.faults.items[0].message.data);
    }
    oban_mat34 found = oban_clip_matrix(file.items[0].clip, 0);
    for (int i = 0; i < 12; i++) {
        near(found.m[i] / 10, wanted[i] / 10);
    }
    finish(&own, &file);
}

#define MATRICES "m0,m1,m2,m3,m4,m5,m6,m7,m8,m9,m10,m11\n"

static void test_matrices_with_a_base(void **state)
{
    static const float van[12] = {1.82f, 0, 0, 0, 0, -1.82f, 0, 1.82f, 0, 11, -5, -10};
    static const float mirror[12] = {-2, 0, 0, 0, 1, 0, 0, 0, 3, 1, 2, 3};
    (void)state;
    expect_matrix(MATRICES "1.82,0,0,0,0,-1.82,0,1.82,0,11,-5,-10\n", van);
    expect_matrix("# base: 1.82 0 0 0 1.82 0 0 0 1.82 1 2 3\n" MATRICES
                  "1.82,0,0,0,0,-1.82,0,1.82,0,11,-5,-10\n",
                  van);
    expect_matrix("# flags: ZAxisUp\n" MATRICES "1.82,0,0,0,0,-1.82,0,1.82,0,11,-5,-10\n", van);
    expect_matrix(MATRICES "-2,0,0,0,1,0,0,0,3,1,2,3\n", mirror);
}

static void test_several_clips(void **state)
{
    memory own = {0};
    oban_clip_file file;
    (void)state;
    assert_int_equal(read_as(&own, oban_csv_read,
                             "# name: a\n# flags: NormalLoop\nx,y,z\n1,2,3\n"
                             "\"# name: b, \"\"c\"\"\"\n# half_stop: 7\n4,5,6\n7,8,9\n"
                             "name,x,y,z\nd,1,2,3\ne,1,2,3\n",
                             &file),
                     OBAN_OK);
    assert_int_equal(file.faults.count, 0);
    assert_int_equal(file.count, 4);
    assert_string_equal(file.items[0].clip->name, "a");
    assert_int_equal(file.items[0].clip->flags, 1);
    assert_string_equal(file.items[1].clip->name, "b, \"c\"");
    assert_int_equal(file.items[1].clip->flags, 0);
    assert_int_equal(file.items[1].clip->half_stop, 7);
    assert_int_equal(file.items[1].clip->frame_count, 2);
    assert_string_equal(file.items[3].clip->name, "e");
    finish(&own, &file);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void test_csv_faults(void **state)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *told;
    } rows[] = {
        {"frame,x,y,z\n0,1,2,3\n1,2,three,4\n", 3, 5, "expected a number, found 'three'"},
        {"frame;x;y;z\n0;1,5;2;3\n", 2, 3, "a decimal comma"},
        {"frame,x,y,z\n0,1,5,2,3\n", 2, 9, "more fields than the header"},
        {"frame,x,y,z\n0,1,2\n", 2, 6, "expected a number, found ''"},
        {"frame,x,y,z\n0,1,,2\n", 2, 5, "expected a number, found ''"},
        {"frame,x,y,z\n0.5,1,2,3\n", 2, 1, "expected a whole number of a frame"},
        {"frame,x,y,x\n", 1, 11, "stands twice"},
        {"frame,x,y\n", 1, 1, "lacks some of the columns x, y, z"},
        {"frame,sx,sy,sz\n", 1, 1, "names no columns of a pose"},
        {"0,1,2,3\n", 1, 1, "expected a header"},
        {"x,y,z\n1,2,\"3\n", 2, 5, "do not end"},
        {"x,y,z\n1,2,\"3\"4\n", 2, 5, "do not end"},
        {"# flags: Loop\nx,y,z\n1,2,3\n", 1, 10, "expected"},
        {"# half_stop: x\nx,y,z\n1,2,3\n", 1, 14, "expected"},
        {"# base: 1 2 3\nx,y,z\n1,2,3\n", 1, 14, "expected 12 numbers"},
        {"x,y,z,sx,sy,sz\n1,2,3,1,1,1\n1,2,3,2,1,1\n", 3, 0, "the scale changes"},
        {MATRICES "1,0,0,1,1,0,0,0,1,0,0,0\n", 2, 0, "no rotation and position of the base"},
        {MATRICES "0,0,0,0,1,0,0,0,1,0,0,0\n", 2, 0, "no rotation and position of the base"},
        {"# name: a\n# name: b\nx,y,z\n1,2,3\n", 1, 0, "has no keys"},
        {"x,y,z\n1,2,3\n# name: b\n", 3, 0, "has no keys"},
        {"# nothing\n\n,,,\n", 3, 0, "holds no rows"},
        {"frame,x,y,z\n", 1, 0, "holds no rows"},
        {"\xff\xfe"
         "x",
         1, 1, "UTF-16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        (void)read_as(&own, oban_csv_read, rows[i].text, &file);
        assert_true(file.faults.count > 0);
        const oban_file_fault *fault = &file.faults.items[0];
        if (fault->line != rows[i].line || fault->column != rows[i].column ||
            strstr(fault->message.data, rows[i].told) == NULL) {
            fail_msg("%s: line %u, column %u: %s", rows[i].text, fault->line, fault->column,
                     fault->message.data);
        }
        finish(&own, &file);
    }
}

static void test_csv_warnings(void **state)
{
    memory own = {0};
    oban_clip_file file;
    (void)state;
    assert_int_equal(
        read_as(&own, oban_csv_read, "frame,x,y,z,note\n0,1,2,3,hello\n1,2,3,4,there\n", &file),
        OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_int_equal(file.faults.count, 1);
    assert_int_equal(file.faults.items[0].severity, OBAN_SEVERITY_WARNING);
    assert_int_equal(file.faults.items[0].column, 13);
    finish(&own, &file);
    assert_int_equal(read_as(&own, oban_csv_read, "time,x,y,z\n0,0,0,0\n0.025,1,0,0\n", &file),
                     OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_non_null(strstr(file.faults.items[0].message.data, "between two frames"));
    finish(&own, &file);
}

static void test_csv_long_rows_and_zero_bytes(void **state)
{
    static char text[6000];
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_clip_file file;
    (void)state;
    memset(text, 'x', sizeof text);
    assert_int_equal(oban_csv_read(&alloc, oban_text_of("a.csv"), text, sizeof text, &file),
                     OBAN_BAD_FILE);
    assert_int_equal(file.faults.count, 1);
    finish(&own, &file);
    memset(text, ',', sizeof text);
    memcpy(text, "x,y,z", 5);
    text[100] = '\n';
    assert_int_equal(oban_csv_read(&alloc, oban_text_of("a.csv"), text, 100, &file), OBAN_BAD_FILE);
    finish(&own, &file);
    assert_int_equal(oban_csv_read(&alloc, oban_text_of("a.csv"), "x,y,z\n1\0,2,3\n", 13, &file),
                     OBAN_BAD_FILE);
    assert_non_null(strstr(file.faults.items[0].message.data, "a zero byte"));
    finish(&own, &file);
}

static void test_json_faults(void **state)
{
    static const char *const rows[][2] = {
        {"{\"frames\":[{\"frame\":0}]}", "frames[0].position: expected it"},
        {"{\"frames\":[1]}", "frames[0].frame: expected an object"},
        {"{\"frames\":{}}", "frames: expected an array"},
        {"{\"clips\":[]}", "clips: it is empty"},
        {"{\"clips\":{}}", "clips: expected an array"},
        {"{\"clips\":[{\"name\":5}]}", "clips[0].name: expected a text"},
        {"{\"clips\":[{\"name\":\"a\",\"flag\":5}]}", "clips[0].flag: no such field"},
        {"{\"flags\":-1,\"frames\":[]}", "flags: expected a whole number from 0"},
        {"{\"base\":[1],\"frames\":[]}", "base: expected an array of 12 numbers"},
        {"{\"frames\":[{\"frame\":0,\"position\":[1,2,\"3\"]}]}", "expected an array of 3 numbers"},
        {"{\"frames\":[{\"frame\":0,\"position\":[1,2,1e39]}]}", "expected an array of 3 numbers"},
        {"{\"frames\":[{\"time\":0.01,\"position\":[1,2,3]}]}", "expected a multiple of 1/60 s"},
        {"{\"frames\":[]}", "has no keys"},
        {"[1,", "expected a value"},
        {"{\"frames\":[{\"frame\":0,\"rotation\":[0,0,0,0]}]}", "length 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        (void)read_as(&own, oban_clip_json_read, rows[i][0], &file);
        assert_int_equal(file.count, 0);
        assert_true(file.faults.errors > 0);
        if (strstr(file.faults.items[0].message.data, rows[i][1]) == NULL) {
            fail_msg("%s: %s", rows[i][0], file.faults.items[0].message.data);
        }
        finish(&own, &file);
    }
}

/* ---- there and back, and memory -------------------------------------------------------------- */

static const char *const both =
    "# name: a,b\n\"# name: a,b\"\n# flags: 64\n# frame_length: 80\n# frame_count: 9\n"
    "# half_stop: 4\n# start: 1 2 3 4 5 6 7 8 9 10 11 12\n# base: 2 0 0 0 -0 2 0 0 2 1e-7 3e38 0\n"
    "frame,x,y,z,qx,qy,qz,qw\n-3,1,2,3,0,0,0,1\n0,0.1,1e-30,-0,0.70710677,0,0,-0.70710677\n"
    "9,1,2,3,0,0,0,1\n# name: second\nframe,x,y,z,qx,qy,qz,qw\n0,0,0,0,1,0,0,0\n";

typedef void writing(oban_writer *writer, const oban_clip_def *defs, uint32_t count);

static void expect_same(reader *read, writing *write)
{
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_clip_file first;
    oban_clip_file second;
    oban_clip_def defs[2];
    oban_writer text;
    (void)read_as(&own, oban_csv_read, strstr(both, "\"#"), &first);
    assert_int_equal(first.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        defs[i] = oban_clip_def_of(first.items[i].clip);
    }
    oban_writer_init(&text, &alloc);
    write(&text, defs, 2);
    assert_int_equal(read(&alloc, oban_text_of("x"), text.data, text.bytes, &second), OBAN_OK);
    assert_int_equal(second.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_string_equal(first.items[i].clip->name, second.items[i].clip->name);
        assert_true(first.items[i].clip->hash == second.items[i].clip->hash);
    }
    assert_string_equal(first.items[0].clip->name, "a,b");
    oban_writer_fini(&text);
    oban_clip_file_fini(&second);
    finish(&own, &first);
}

static void test_there_and_back(void **state)
{
    (void)state;
    expect_same(oban_csv_read, oban_csv_write);
    expect_same(oban_clip_json_read, oban_clip_json_write);
}

static void test_memory_runs_out(void **state)
{
    static const char *const json =
        "{\"clips\":[{\"name\":\"a\",\"frames\":[{\"position\":[1,2,3]},{\"position\":[1,2,3]}]},"
        "{\"name\":\"b\",\"frames\":[{\"position\":[1,2,3],\"frame\":2}]}]}";
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        long refuse_at = 1;
        oban_status status = OBAN_NO_MEMORY;
        while (status == OBAN_NO_MEMORY && refuse_at < 200) {
            memory own = {.refuse_at = refuse_at++};
            oban_clip_file file;
            status = kind == 0 ? read_as(&own, oban_csv_read, both, &file)
                               : read_as(&own, oban_clip_json_read, json, &file);
            assert_true(status == OBAN_OK || file.count == 0);
            finish(&own, &file);
        }
        assert_int_equal(status, OBAN_OK);
        assert_true(refuse_at > 5);
    }
}

static void test_too_many_rows(void **state)
{
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_clip_file file;
    oban_writer text;
    (void)state;
    oban_writer_init(&text, &alloc);
    oban_writer_bytes(&text, "x,y,z\n", 6);
    for (uint32_t i = 0; i < OBAN_CLIP_KEYS_MAX + 1; i++) {
        oban_writer_bytes(&text, "1,2,3\n", 6);
    }
    assert_int_equal(oban_csv_read(&alloc, oban_text_of("x"), text.data, text.bytes - 6, &file),
                     OBAN_OK);
    assert_int_equal(file.count, 1);
    oban_clip_file_fini(&file);
    (void)oban_csv_read(&alloc, oban_text_of("x"), text.data, text.bytes, &file);
    assert_int_equal(file.count, 0);
    assert_non_null(strstr(file.faults.items[0].message.data, "more rows"));
    assert_int_equal(file.faults.items[0].line, OBAN_CLIP_KEYS_MAX + 2);
    oban_writer_fini(&text);
    finish(&own, &file);
}

static void test_looks_like(void **state)
{
    (void)state;
    assert_true(oban_clip_json_looks_like("{\"clips\":[]}", 12));
    assert_true(oban_clip_json_looks_like("{\"frames\":1}", 12));
    assert_true(oban_clip_json_looks_like("{", 1)); /* its reader tells what is wrong */
    assert_false(oban_clip_json_looks_like("{\"objects\":[]}", 14));
    assert_false(oban_clip_json_looks_like("{\"objects\":[{\"keys\":1}],\"x-\\\"keys\":\"", 37));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_habits),
        cmocka_unit_test(test_json_forms),
        cmocka_unit_test(test_forms_of_rotation),
        cmocka_unit_test(test_matrices_with_a_base),
        cmocka_unit_test(test_several_clips),
        cmocka_unit_test(test_csv_faults),
        cmocka_unit_test(test_csv_warnings),
        cmocka_unit_test(test_csv_long_rows_and_zero_bytes),
        cmocka_unit_test(test_json_faults),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_too_many_rows),
        cmocka_unit_test(test_looks_like),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
