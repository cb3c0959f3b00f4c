/* SPDX-License-Identifier: MIT */
/* Files of either kind: which reader they get, names out of file names, taking clips, the samples
 * of
 * ../shared/data when they are there. Next: oni_test.c. */
#include "proto/format/clip_add.h"
#include "proto/format/oban_xml.h"
#include "proto/format/oni.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/format/memory.h"

#define UNIT "1 0 0 0 1 0 0 0 1 0 0 0"
#define XML                                                                                        \
    "<Oni><OBAN id=\"0\"><Flags/><I>" UNIT "</I><B>" UNIT                                          \
    "</B><L>1</L><C>1</C><H>0</H><KeyFrames>"                                                      \
    "<OBANKeyFrame><R>0 0 0 1</R><T>0 0 0</T><F>0</F></OBANKeyFrame></KeyFrames></OBAN></Oni>"

static oban_status read_as(memory *own, const char *name, const void *bytes, size_t size,
                           oban_clip_file *out)
{
    oban_alloc alloc = memory_alloc(own);
    return oban_clip_file_read(&alloc, oban_text_of(name), bytes, size, out);
}

static void finish(memory *own, oban_clip_file *file)
{
    oban_clip_file_fini(file);
    assert_int_equal(own->blocks, 0);
    assert_int_equal(own->wrong_sizes, 0);
}

static void test_names(void **state)
{
    static const char *const rows[][2] = {
        {"OBANfoo.oni", "foo"},
        {"foo.oni", "foo"},
        {"OBANfoo", "foo"},
        {"OBANfoo.bar.xml", "foo.bar"},
        {"obanfoo.xml", "obanfoo"},
        {"OBANOBANfoo.xml", "OBANfoo"},
        {"OBAN.oni", ""},
        {".oni", ""},
        {"", ""},
        {"a%20b.oni", "a b"},
        {"%4FBANx.oni", "x"},
        {"a%4fb%C3%BC.oni", "aOb\xc3\xbc"},
        {"a%.oni", "a%"},
        {"a%4.oni", "a%4"},
        {"a%zz%41.oni", "a%zzA"},
        {"%2541.oni", "%41"},
        {"a%00b.oni", "a"}, /* compared as a string; refused below */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clip_add_name name;
        char string[CLIP_ADD_NAME_BYTES + 1];
        clip_add_file_name(oban_text_of(rows[i][0]), &name);
        memcpy(string, name.data, name.bytes);
        string[name.bytes] = '\0';
        assert_string_equal(string, rows[i][1]);
    }
}

static void test_bad_names(void **state)
{
    static const char *const names[] = {
        "OBAN.xml",
        "a%00b.xml",
        "a%0Ab.xml",
        "%FF.xml",
        "",
        "0123456789012345678901234567890123456789012345678901234567890123.xml",
        "%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01"
        "%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01%01"
        "012345678901234567890123456789012345678901234567890123456789012301234567890123456789012345"
        "6"
        "012345678901234567890123456789012345678901234567890123456789012301234567890123456789012345"
        "6"
        ".xml",
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        assert_int_equal(read_as(&own, names[i], XML, strlen(XML), &file), OBAN_OK);
        assert_int_equal(file.count, 0);
        assert_int_equal(file.faults.errors, 1);
        const oban_file_fault *fault = &file.faults.items[file.faults.count - 1];
        assert_int_equal(fault->line, 1);
        assert_int_equal(fault->column, 6);
        for (const char *c = fault->clip; *c != '\0'; c++) {
            assert_true((unsigned char)*c >= 0x20);
        }
        finish(&own, &file);
    }
}

static void test_longest_name(void **state)
{
    memory own = {0};
    oban_clip_file file;
    (void)state;
    assert_int_equal(
        read_as(&own, "OBAN012345678901234567890123456789012345678901234567890123456789012.xml",
                XML, strlen(XML), &file),
        OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_int_equal(strlen(file.items[0].clip->name), 63);
    finish(&own, &file);
}

static void test_kinds(void **state)
{
    static const unsigned char dat[64] = {0x1f, 0x27, 0xdc, 0x33, 0xdf, 0xbc,
                                          0x03, 0x00, '1',  '3',  'R',  'V'};
    static const struct {
        const char *name;
        const void *bytes;
        size_t size;
        const char *fault;
    } rows[] = {
        {"x.oni", "", 0, "error: the file is empty"},
        {"x.txt", "hello", 5, "error: this is neither an .oni file nor XML of animations"},
        {"x", "hello", 5, "error: this is neither an .oni file nor XML of animations"},
        {"x.ONI", "hello", 5, "offset 0x5: error: the file ends after 0x5*"},
        {"x.Xml", "hello", 5, "line 1, column 1: error: not well-formed XML*"},
        {"x.oni", " \r\n<oni/>", 9, "line 2, column 1: error: expected <Oni>*"},
        {"x.xml", dat, 64, "offset 0xc: error: the sizes of descriptors are 0x0, not*"},
        {"level0_Final.dat", dat, 64, "offset 0xc: error: the sizes of descriptors are 0x0, not*"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        oban_line line;
        assert_int_equal(read_as(&own, rows[i].name, rows[i].bytes, rows[i].size, &file),
                         OBAN_BAD_FILE);
        assert_int_equal(file.faults.count, 1);
        oban_file_fault_line(&file.faults.items[0], &line);
        size_t bytes = strlen(rows[i].fault);
        if (rows[i].fault[bytes - 1] == '*' && line.bytes >= bytes) {
            (void)strcpy(line.data + bytes - 1, "*");
        }
        assert_string_equal(line.data, rows[i].fault);
        finish(&own, &file);
    }
}

/* XML by its content, whatever the extension; what is taken is not given back twice. */
static void test_take(void **state)
{
    memory own = {0};
    oban_clip_file file;
    (void)state;
    assert_int_equal(read_as(&own, "OBANx.oni", XML, strlen(XML), &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    oban_clip *clip = oban_clip_file_take(&file, 0);
    assert_non_null(clip);
    assert_null(oban_clip_file_take(&file, 0));
    assert_null(oban_clip_file_take(&file, 1));
    oban_clip_file_fini(&file);
    assert_true(own.blocks > 0);
    assert_string_equal(clip->name, "x");
    oban_clip_destroy(clip);
    assert_int_equal(own.blocks, 0);
}

/* Errors put warnings out of a full list; the first errors stay. */
static void test_faults(void **state)
{
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_file_faults faults;
    oban_file_fault spare;
    (void)state;
    oban_file_faults_init(&faults, &alloc);
    for (uint32_t i = 0; i < 60; i++) {
        oban_file_faults_add(&faults, OBAN_SEVERITY_WARNING, &spare)->line = i;
    }
    assert_int_equal(faults.count, 50);
    assert_int_equal(faults.more, 10);
    for (uint32_t i = 100; i < 160; i++) {
        oban_file_faults_add(&faults, OBAN_SEVERITY_ERROR, &spare)->line = i;
    }
    assert_int_equal(faults.count, 50);
    assert_int_equal(faults.more, 70);
    assert_int_equal(faults.errors, 60);
    assert_int_equal(faults.items[0].line, 100);
    assert_int_equal(faults.items[49].line, 149);
    oban_file_faults_fini(&faults);
    assert_int_equal(own.blocks, 0);
}

/* ---- samples ---- */

static void test_wiki_sample(void **state)
{
    memory own = {0};
    oban_clip_file file;
    size_t size = 0;
    (void)state;
    unsigned char *bytes = memory_sample("../shared/data/OBANwiki_sample.xml", &size);
    if (bytes == NULL) {
        print_message("no ../shared/data/OBANwiki_sample.xml here: not tried\n");
        skip();
    }
    assert_int_equal(read_as(&own, "OBANwiki_sample.xml", bytes, size, &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_string_equal(file.items[0].clip->name, "wiki_sample");
    assert_int_equal(file.items[0].clip->key_count, 2);
    assert_int_equal(file.faults.errors, 0);
    assert_int_equal(file.faults.count, 1); /* 1 1 1 1, in both keys */
    assert_int_equal(file.faults.items[0].line, 11);
    assert_non_null(strstr(file.faults.items[0].message.data, "(and 1 other key)"));

    oban_alloc alloc = memory_alloc(&own);
    oban_clip_def def = oban_clip_def_of(file.items[0].clip);
    oban_writer writer;
    oban_writer_init(&writer, &alloc);
    oban_xml_write(&writer, &def, 1);
    while (size > 0 && bytes[size - 1] == '\n') {
        size--; /* the sample ends with a line end, OniSplit's does not */
    }
    assert_int_equal(writer.bytes, size);
    assert_memory_equal(writer.data, bytes, size);
    oban_writer_fini(&writer);
    free(bytes);
    finish(&own, &file);
}

static void test_oni_sample(void **state)
{
    memory own = {0};
    oban_clip_file file;
    size_t size = 0;
    (void)state;
    unsigned char *bytes = memory_sample("../shared/data/OBANshpadoinkle.oni", &size);
    if (bytes == NULL) {
        print_message("no ../shared/data/OBANshpadoinkle.oni here: not tried\n");
        skip();
    }
    assert_int_equal(read_as(&own, "OBANshpadoinkle.oni", bytes, size, &file), OBAN_OK);
    assert_int_equal(file.faults.count, 0);
    assert_int_equal(file.count, 1);
    const oban_clip *clip = file.items[0].clip;
    assert_string_equal(clip->name, "shpadoinkle");
    assert_int_equal(clip->frame_length, 1);
    assert_int_equal(clip->frame_count, 1);
    assert_int_equal(clip->key_count, 1);
    assert_true(clip->start.m[0] == 1.0f && clip->keys[0].rotation.w == 1.0f);
    assert_true(file.items[0].offset == 0x88);
    free(bytes);
    finish(&own, &file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_bad_names),
        cmocka_unit_test(test_longest_name), cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_take),         cmocka_unit_test(test_faults),
        cmocka_unit_test(test_wiki_sample),  cmocka_unit_test(test_oni_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
