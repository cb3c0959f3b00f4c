/* SPDX-License-Identifier: MIT */
/* Animations written as .oni and .dat: the layout of the fact sheet byte by byte, and everything
 * read back as it was.
 * Next: level_test.c. */
#include "proto/format/oni_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proto/format/clip_file.h"
#include "tests/unit/format/memory.h"

static const oban_key keys[3] = {
    {{0.1f, 0.2f, 0.3f, 0.4f}, {1, 2, 3}, 0},
    {{0, 0, 0, 1}, {4, 5, 6}, 7},
    {{1, 0, 0, 0}, {7, 8, 9}, 65534},
};

static oban_clip_def def_of(const char *name, uint32_t key_count)
{
    return (oban_clip_def){.name = oban_text_of(name),
                           .flags = 0x80000011u,
                           .start = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
                           .base = {{0.5f, 0, 0, 0, 0.5f, 0, 0, 0, 0.5f, 0, 0, 0}},
                           .frame_length = -2,
                           .frame_count = 65535,
                           .half_stop = -1,
                           .keys = keys,
                           .key_count = key_count};
}

static uint32_t u32_at(const oban_writer *writer, size_t at)
{
    const unsigned char *b = (const unsigned char *)writer->data + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The offsets that oni-formats 1.4 a gives for one OBAN with one key. */
static void test_layout(void **state)
{
    (void)state;
    memory own = {0};
    oban_writer writer;
    oban_write_fault fault;
    oban_alloc alloc = memory_alloc(&own);
    oban_clip_def def = def_of("shpadoinkle", 1);
    oban_writer_init(&writer, &alloc);
    assert_int_equal(oban_oni_write(&writer, &def, 1, &fault), OBAN_OK);
    assert_int_equal(writer.bytes, 0x120);
    assert_memory_equal(writer.data,
                        "\x1f\x27\xdc\x33\xdf\xbc\x03\x00"
                        "23RV\x40\x00\x14\x00\x10\x00\x08\x00",
                        20);
    assert_int_equal(u32_at(&writer, 0x14), 1);
    assert_int_equal(u32_at(&writer, 0x20), 0x80);
    assert_int_equal(u32_at(&writer, 0x24), 0xa0);
    assert_int_equal(u32_at(&writer, 0x28), 0x60);
    assert_int_equal(u32_at(&writer, 0x2c), 0x10);
    assert_memory_equal(writer.data + 0x40, "NABO", 4);
    assert_int_equal(u32_at(&writer, 0x44), 8);
    assert_int_equal(u32_at(&writer, 0x4c), 0xa0);
    assert_int_equal(u32_at(&writer, 0x50), 0);
    assert_string_equal(writer.data + 0x60, "OBANshpadoinkle");
    assert_int_equal(u32_at(&writer, 0x80), 1);
    assert_int_equal(u32_at(&writer, 0x98), 0x3f800000); /* the first matrix: 1 */
    assert_int_equal(u32_at(&writer, 0xc8), 0x3f000000); /* the second: 0.5 */
    assert_int_equal(u32_at(&writer, 0xf8), 0xfffffffe); /* -2, 65535 */
    assert_int_equal(u32_at(&writer, 0xfc), 0x0001ffff); /* -1, one key */
    assert_int_equal(u32_at(&writer, 0x100), 0x3dcccccd);
    oban_writer_fini(&writer);
    assert_int_equal(own.blocks, 0);
}

static void assert_same(const oban_clip *clip, const oban_clip_def *def)
{
    oban_clip_def back = oban_clip_def_of(clip);
    assert_true(oban_text_equal(back.name, def->name));
    assert_int_equal(back.flags, def->flags);
    assert_memory_equal(&back.start, &def->start, sizeof back.start);
    assert_memory_equal(&back.base, &def->base, sizeof back.base);
    assert_int_equal(back.frame_length, def->frame_length);
    assert_int_equal(back.frame_count, def->frame_count);
    assert_int_equal(back.half_stop, def->half_stop);
    assert_int_equal(back.key_count, def->key_count);
    assert_memory_equal(back.keys, def->keys, def->key_count * sizeof *def->keys);
}

static void test_read_back(void **state)
{
    (void)state;
    for (int dat = 0; dat < 2; dat++) {
        memory own = {0};
        oban_writer writer;
        oban_write_fault fault;
        oban_clip_file file;
        oban_alloc alloc = memory_alloc(&own);
        const oban_clip_def defs[3] = {def_of("a", 3), def_of("b b", 1), def_of("c%/\xc3\xa9", 2)};
        oban_writer_init(&writer, &alloc);
        oban_status status =
            dat ? oban_dat_write(&writer, &(oban_dat_def){.id = 0, .defs = defs, .count = 3},
                                 &fault)
                : oban_oni_write(&writer, defs, 3, &fault);
        assert_int_equal(status, OBAN_OK);
        assert_int_equal(oban_clip_file_read(&alloc, oban_text_of("other.oni"), writer.data,
                                             writer.bytes, &file),
                         OBAN_OK);
        assert_int_equal(file.count, 3);
        assert_int_equal(file.faults.errors, 0);
        for (uint32_t i = 0; i < 3; i++) {
            assert_same(file.items[i].clip, &defs[i]);
        }
        oban_clip_file_fini(&file);
        oban_writer_fini(&writer);
        assert_int_equal(own.blocks, 0);
    }
}

static void test_refused(void **state)
{
    static const char sixty[] = "012345678901234567890123456789012345678901234567890123456789";
    (void)state;
    oban_clip_def long_name = def_of(sixty, 1);
    oban_clip_def wide = def_of("w", 1);
    oban_clip_def frames = def_of("f", 1);
    wide.half_stop = 40000;
    frames.frame_count = 70000;
    const struct {
        oban_clip_def defs[2];
        uint32_t index;
        const char *message;
    } rows[] = {
        {{def_of("a", 1), long_name},
         1,
         "has a name of 60 bytes; .oni and .dat files hold at most 59"},
        {{wide, def_of("a", 1)},
         0,
         "has a frame length or half-stop frame that 16 bits do not hold"},
        {{def_of("a", 1), frames}, 1, "has a frame count that 16 bits do not hold"},
        {{def_of("a", 1), def_of("a", 2)}, 1, "has the name of another one in the file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_writer writer;
        oban_write_fault fault;
        oban_alloc alloc = memory_alloc(&own);
        oban_writer_init(&writer, &alloc);
        assert_int_equal(oban_oni_write(&writer, rows[i].defs, 2, &fault), OBAN_BAD_CLIP);
        assert_string_equal(fault.message.data, rows[i].message);
        assert_int_equal(fault.index, rows[i].index);
        assert_int_equal(writer.bytes, 0);
        oban_writer_fini(&writer);
        assert_int_equal(own.blocks, 0);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    const oban_clip_def defs[2] = {def_of("b", 1), def_of("a", 1)};
    for (long call = 1;; call++) {
        memory own = {.refuse_at = call};
        oban_writer writer;
        oban_write_fault fault;
        oban_alloc alloc = memory_alloc(&own);
        oban_writer_init(&writer, &alloc);
        oban_status status =
            oban_dat_write(&writer, &(oban_dat_def){.defs = defs, .count = 2}, &fault);
        bool done = own.calls < call;
        assert_int_equal(status, done ? OBAN_OK : OBAN_NO_MEMORY);
        oban_writer_fini(&writer);
        assert_int_equal(own.blocks, 0);
        if (done) {
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_read_back),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
