/* SPDX-License-Identifier: MIT */
/* .oni files made here, good and hostile: names, tables in any order, every length, every number of
 * the header and the descriptors at its ends; never a crash, always a message.
 * Next: oban_xml_test.c. */
#include "proto/format/oni.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/format/memory.h"

#define OBAN 0x4f42414eu
#define DOOR 0x444f4f52u

enum { NAMED = 0, UNNAMED = 1, PLACEHOLDER = 2 };

typedef struct made_instance {
    uint32_t tag;
    uint32_t flags;
    const char *name; /* as the name table has it */
    uint32_t keys;
} made_instance;

/* A file in the making. */
typedef struct made {
    unsigned char bytes[8192];
    uint32_t size;
} made;

static void put(made *file, uint32_t at, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        file->bytes[at + i] = (unsigned char)(value >> (8 * i));
    }
}

static void put_f32(made *file, uint32_t at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(file, at, bits, 4);
}

static uint32_t data_size(const made_instance *instance)
{
    return (instance->flags & PLACEHOLDER) != 0 ? 0 : 0x80 + 0x20 * instance->keys;
}

/* An OBAN's data: identity matrices, keys at 0, 10, 20, ... along x. */
static void make_data(made *file, uint32_t at, const made_instance *instance, uint32_t index)
{
    put(file, at - 8, index << 8 | 1, 4);
    put(file, at + 0x0c, 0x11, 4);
    for (uint32_t i = 0; i < 12; i += 4) {
        put_f32(file, at + 0x10 + 4 * i, 1.0f);
        put_f32(file, at + 0x40 + 4 * i, 1.0f);
    }
    put(file, at + 0x70, 80, 2);
    put(file, at + 0x72, instance->keys == 0 ? 0 : (instance->keys - 1) * 10 + 1, 2);
    put(file, at + 0x74, 0xffff, 2);
    put(file, at + 0x76, instance->keys, 2);
    for (uint32_t i = 0; i < instance->keys; i++) {
        put_f32(file, at + 0x78 + 0x20 * i + 12, 1.0f);
        put_f32(file, at + 0x78 + 0x20 * i + 16, (float)i);
        put(file, at + 0x78 + 0x20 * i + 28, i * 10, 4);
    }
}

static void make(made *file, const made_instance *list, uint32_t count, bool data_first)
{
    uint32_t names_size = 0;
    uint32_t sizes = 0;
    memset(file, 0, sizeof *file);
    for (uint32_t i = 0; i < count; i++) {
        names_size += (uint32_t)strlen(list[i].name) + 1;
        sizes += data_size(&list[i]);
    }
    uint32_t first = (0x40 + 20 * count + 31) / 32 * 32;
    uint32_t names = data_first ? first + sizes : first;
    uint32_t data = data_first ? first : (first + names_size + 31) / 32 * 32;
    put(file, 0, 0x0003bcdf33dc271f, 8);
    put(file, 8, 0x56523332, 4);
    put(file, 12, 0x0008001000140040, 8);
    put(file, 0x14, count, 4);
    put(file, 0x20, data, 4);
    put(file, 0x24, sizes, 4);
    put(file, 0x28, names, 4);
    put(file, 0x2c, names_size, 4);
    uint32_t name_at = 0;
    uint32_t data_at = 8;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t d = 0x40 + 20 * i;
        uint32_t size = data_size(&list[i]);
        put(file, d, list[i].tag, 4);
        put(file, d + 4, size == 0 ? 0 : data_at, 4);
        put(file, d + 8, name_at, 4);
        put(file, d + 12, size, 4);
        put(file, d + 16, list[i].flags | 0xab00, 4);
        memcpy(file->bytes + names + name_at, list[i].name, strlen(list[i].name) + 1);
        if (size > 0) {
            make_data(file, data + data_at, &list[i], i);
        }
        name_at += (uint32_t)strlen(list[i].name) + 1;
        data_at += size;
    }
    file->size = data_first ? names + names_size : data + sizes;
}

/* Reads exactly these bytes, so that ASan sees a step beyond; the memory is counted. */
static oban_status read_exact(memory *own, const char *name, const unsigned char *bytes,
                              uint32_t size, oban_clip_file *out)
{
    oban_alloc alloc = memory_alloc(own);
    unsigned char *exact = malloc(size + (size == 0));
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    oban_status status = oban_oni_read(&alloc, oban_text_of(name), exact, size, out);
    free(exact);
    return status;
}

static void finish(memory *own, oban_clip_file *file)
{
    oban_clip_file_fini(file);
    assert_int_equal(own->blocks, 0);
    assert_int_equal(own->wrong_sizes, 0);
}

/* An expected text that ends in * is a beginning. */
static void fault_is(const oban_clip_file *file, uint32_t index, const char *expected)
{
    oban_line line;
    assert_true(index < file->faults.count);
    oban_file_fault_line(&file->faults.items[index], &line);
    size_t bytes = strlen(expected);
    if (bytes > 0 && expected[bytes - 1] == '*') {
        line.data[line.bytes < bytes - 1 ? line.bytes : bytes - 1] = '\0';
        (void)strcat(line.data, "*");
    }
    assert_string_equal(line.data, expected);
}

static void test_one(void **state)
{
    (void)state;
    for (int data_first = 0; data_first < 2; data_first++) {
        made m;
        memory own = {0};
        oban_clip_file file;
        made_instance one = {OBAN, NAMED, "OBANother", 3};
        make(&m, &one, 1, data_first != 0);
        assert_int_equal(read_exact(&own, "OBANvan%20b.oni", m.bytes, m.size, &file), OBAN_OK);
        assert_int_equal(file.faults.count, 0);
        assert_int_equal(file.count, 1);
        const oban_clip *clip = file.items[0].clip;
        assert_string_equal(clip->name, "van b");
        assert_int_equal(clip->flags, 0x11);
        assert_int_equal(clip->frame_length, 80);
        assert_int_equal(clip->frame_count, 21);
        assert_int_equal(clip->half_stop, -1);
        assert_int_equal(clip->key_count, 3);
        assert_int_equal(clip->keys[2].frame, 20);
        assert_true(clip->keys[2].position[0] == 2.0f && clip->keys[2].rotation.w == 1.0f);
        assert_true(clip->start.m[4] == 1.0f && clip->base.m[8] == 1.0f);
        assert_int_equal(file.items[0].line, 0);
        assert_true(file.items[0].offset == (data_first != 0 ? 0x68 : 0x88));
        finish(&own, &file);
    }
}

static void test_several(void **state)
{
    static const made_instance list[] = {
        {OBAN, NAMED, "OBANone", 1},   {OBAN, PLACEHOLDER, "OBANelsewhere", 0},
        {OBAN, UNNAMED, "", 2},        {OBAN, NAMED, "two", 2},
        {DOOR, NAMED, "DOORthree", 0}, {OBAN, NAMED, "OBANOBANfour", 1},
        {OBAN, NAMED, "OBAN", 1},
    };
    made m;
    memory own = {0};
    oban_clip_file file;
    (void)state;
    make(&m, list, 7, false);
    assert_int_equal(read_exact(&own, "OBANfile.oni", m.bytes, m.size, &file), OBAN_OK);
    assert_int_equal(file.count, 3);
    assert_string_equal(file.items[0].clip->name, "one");
    assert_string_equal(file.items[1].clip->name, "two");
    assert_string_equal(file.items[2].clip->name, "OBANfour");
    assert_int_equal(file.faults.count, 3);
    fault_is(&file, 0, "offset 0x68: warning: an animation without a name is left out");
    fault_is(&file, 1, "offset 0x468: error: has no name,*");
    fault_is(&file, 2, "offset 0x40: warning: passed over: 1 instance that is no OBAN");
    finish(&own, &file);
}

/* One animation with a name beside what has none: the file's name. */
static void test_one_named(void **state)
{
    static const made_instance list[] = {
        {OBAN, UNNAMED, "", 1}, {OBAN, NAMED, "OBANinside", 1}, {DOOR, PLACEHOLDER, "DOORx", 0}};
    made m;
    memory own = {0};
    oban_clip_file file;
    (void)state;
    make(&m, list, 3, true);
    assert_int_equal(read_exact(&own, "OBANfile.oni", m.bytes, m.size, &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_string_equal(file.items[0].clip->name, "file");
    finish(&own, &file);
}

static void test_findings(void **state)
{
    static const made_instance list[] = {
        {OBAN, NAMED, "OBANgood", 2}, {OBAN, NAMED, "OBANbad", 2}, {OBAN, NAMED, "OBANempty", 0}};
    made m;
    memory own = {0};
    oban_clip_file file;
    (void)state;
    make(&m, list, 3, false);
    uint32_t bad = 0xa0 + 8 + 0xc0; /* data of the second */
    put(&m, bad + 0x78 + 0x20 + 16, 0x7fc00000, 4);
    assert_int_equal(read_exact(&own, "x.oni", m.bytes, m.size, &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_string_equal(file.items[0].clip->name, "good");
    assert_int_equal(file.faults.count, 3);
    fault_is(&file, 0, "offset 0x200: error: bad: key 1 holds a number that is not finite");
    fault_is(&file, 1, "offset 0x29e: error: empty: has no keys");
    fault_is(&file, 2, "offset 0x29a: error: empty: has a frame count of 0; it must be 1 to 65535");
    finish(&own, &file);
}

typedef struct change {
    uint32_t at;
    uint64_t value;
    uint32_t bytes;
    oban_status status;
    const char *fault; /* the first */
} change;

/* One instance, two keys, "OBANx": names at 0x60, data at 0x80, 0xc0 bytes. */
static const change changes[] = {
    {0, 0x0003bcdf23c13061, 8, OBAN_OK, NULL},
    {0, 7, 8, OBAN_OK, "offset 0x0: warning: unknown template checksum 0x7"},
    {8, 0x56523331, 4, OBAN_OK, NULL}, /* a .dat */
    {8, 0x56523333, 4, OBAN_BAD_FILE,
     "offset 0x8: error: version 0x56523333: an OniX file (VR33); only .oni (VR32) and .dat (VR31) "
     "files are read"},
    {8, 0x12345678, 4, OBAN_BAD_FILE,
     "offset 0x8: error: version 0x12345678 is not that of an .oni (0x56523332) or .dat file "
     "(0x56523331)"},
    {12, 0, 8, OBAN_OK, "offset 0xc: warning: the sizes of descriptors are not 0x40 0x14 0x10 0x8"},
    {0x14, 0, 4, OBAN_OK, "offset 0x14: warning: the file holds no animation (OBAN)"},
    {0x14, 13, 4, OBAN_BAD_FILE,
     "offset 0x14: error: there is no room for 0xd instance descriptors"},
    {0x14, 0x33333334, 4, OBAN_BAD_FILE,
     "offset 0x14: error: there is no room for 0x33333334 instance descriptors"},
    {0x18, 1, 4, OBAN_OK,
     "offset 0x18: warning: name and template descriptors are ignored; an .oni file has none"},
    {0x1c, 1, 4, OBAN_OK,
     "offset 0x18: warning: name and template descriptors are ignored; an .oni file has none"},
    {0x20, 0x141, 4, OBAN_BAD_FILE,
     "offset 0x20: error: the data table: 0x141 begins behind the end of the file"},
    {0x20, 0x81, 4, OBAN_BAD_FILE,
     "offset 0x24: error: the data table: 0x141 ends behind the end of the file"},
    {0x24, 0xffffffff, 4, OBAN_BAD_FILE,
     "offset 0x24: error: the data table: 0x10000007f ends behind the end of the file"},
    {0x28, 0xffffffff, 4, OBAN_BAD_FILE,
     "offset 0x28: error: the name table: 0xffffffff begins behind the end of the file"},
    {0x2c, 0xffffffff, 4, OBAN_BAD_FILE,
     "offset 0x2c: error: the name table: 0x10000005f ends behind the end of the file"},
    {0x2c, 0, 4, OBAN_BAD_FILE,
     "offset 0x48: error: a name at 0x0 begins behind the end of the name table"},
    {0x2c, 5, 4, OBAN_BAD_FILE,
     "offset 0x48: error: the name at 0x0 has no end within the name table"},
    {0x40, DOOR, 4, OBAN_OK, "offset 0x40: warning: passed over: 1 instance that is no OBAN"},
    {0x44, 0, 4, OBAN_OK, "offset 0x14: warning: the file holds no animation (OBAN)"},
    {0x44, 7, 4, OBAN_BAD_FILE, "offset 0x44: error: data at 0x7 lies outside of the data table"},
    {0x44, 9, 4, OBAN_BAD_FILE, "offset 0x4c: error: a size of 0xc0 reaches beyond the data table"},
    {0x44, 0xffffffff, 4, OBAN_BAD_FILE,
     "offset 0x44: error: data at 0xffffffff lies outside of the data table"},
    {0x48, 6, 4, OBAN_BAD_FILE,
     "offset 0x48: error: a name at 0x6 begins behind the end of the name table"},
    {0x4c, 0x7f, 4, OBAN_BAD_FILE,
     "offset 0x4c: error: a size of 0x7f is too small for an OBAN (0x80)"},
    {0x4c, 0xbf, 4, OBAN_BAD_FILE,
     "offset 0xfe: error: there is no room for 0x2 keys in the instance"},
    {0x4c, 0xffffffff, 4, OBAN_BAD_FILE,
     "offset 0x4c: error: a size of 0xffffffff reaches beyond the data table"},
    {0x50, 2, 4, OBAN_OK, "offset 0x14: warning: the file holds no animation (OBAN)"},
    {0x50, 1, 4, OBAN_OK, "offset 0x40: warning: an animation without a name is left out"},
    {0xfe, 0xffff, 2, OBAN_BAD_FILE,
     "offset 0xfe: error: there is no room for 0xffff keys in the instance"},
    {0xfa, 12, 2, OBAN_OK,
     "offset 0xfa: warning: x: has a frame count of 12, but its last key is at frame 10"},
    {0x100, 0x3f800000, 4, OBAN_OK,
     "offset 0x100: warning: x: key 0 has a quaternion that is not of length 1; it is normalised "
     "to "
     "play"},
};

static void test_changes(void **state)
{
    static const made_instance one = {OBAN, NAMED, "OBANx", 2};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        made m;
        memory own = {0};
        oban_clip_file file;
        make(&m, &one, 1, false);
        assert_int_equal(m.size, 0x140);
        put(&m, changes[i].at, changes[i].value, changes[i].bytes);
        oban_status status = read_exact(&own, "x.oni", m.bytes, m.size, &file);
        if (status != changes[i].status) {
            fail_msg("change %zu: %s", i, oban_status_word(status));
        }
        if (changes[i].fault == NULL) {
            assert_int_equal(file.faults.count, 0);
        } else {
            fault_is(&file, 0, changes[i].fault);
        }
        assert_true(status == OBAN_OK || file.count == 0);
        finish(&own, &file);
    }
}

static const made_instance three[] = {
    {OBAN, NAMED, "OBANone", 2}, {OBAN, UNNAMED, "", 1}, {OBAN, NAMED, "OBANtwo", 3}};

/* Names first and data first, cut at every length. */
static void test_truncated(void **state)
{
    (void)state;
    for (int data_first = 0; data_first < 2; data_first++) {
        made m;
        make(&m, three, 3, data_first != 0);
        for (uint32_t size = 0; size < m.size; size++) {
            memory own = {0};
            oban_clip_file file;
            assert_int_equal(read_exact(&own, "x.oni", m.bytes, size, &file), OBAN_BAD_FILE);
            assert_int_equal(file.faults.errors, 1);
            assert_true(file.faults.items[0].message.bytes > 0);
            assert_true(file.faults.items[0].offset != OBAN_FILE_NO_OFFSET);
            finish(&own, &file);
        }
    }
}

/* Every number of the header and the descriptors, one and two at a time, at its ends. */
static void test_numbers(void **state)
{
    static const uint32_t values[] = {0, 1, 0x7fffffff, 0xffffffff};
    enum { NUMBERS = 0x7c / 4 };
    (void)state;
    for (uint32_t a = 0; a < NUMBERS; a++) {
        for (uint32_t b = a; b < NUMBERS; b++) {
            for (uint32_t v = 0; v < 16; v++) {
                made m;
                memory own = {0};
                oban_clip_file file;
                make(&m, three, 3, false);
                put(&m, 4 * a, values[v / 4], 4);
                put(&m, 4 * b, values[v % 4], 4);
                oban_status status = read_exact(&own, "x.oni", m.bytes, m.size, &file);
                assert_true(status == OBAN_OK || status == OBAN_BAD_FILE);
                assert_true(status == OBAN_OK || file.faults.errors > 0);
                for (uint32_t i = 0; i < file.faults.count; i++) {
                    assert_true(file.faults.items[i].message.bytes > 0);
                }
                finish(&own, &file);
            }
        }
    }
}

/* Any byte anywhere. */
static void test_bytes(void **state)
{
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    made m;
    (void)state;
    make(&m, three, 3, true);
    for (uint32_t at = 0; at < m.size; at++) {
        for (size_t v = 0; v < sizeof values; v++) {
            unsigned char kept = m.bytes[at];
            memory own = {0};
            oban_clip_file file;
            m.bytes[at] = values[v];
            (void)read_exact(&own, "x.oni", m.bytes, m.size, &file);
            finish(&own, &file);
            m.bytes[at] = kept;
        }
    }
}

/* A small file whose many descriptors show the same big data must not make much of it. */
static void test_overlap(void **state)
{
    made_instance list[20];
    made m;
    memory own = {0};
    oban_clip_file file;
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        list[i] = (made_instance){OBAN, NAMED, i == 0 ? "OBANx" : "y", i == 0 ? 100 : 0};
    }
    make(&m, list, 20, false);
    for (uint32_t i = 1; i < 20; i++) {
        memcpy(m.bytes + 0x40 + 20 * i, m.bytes + 0x40, 16);
    }
    assert_int_equal(read_exact(&own, "x.oni", m.bytes, m.size, &file), OBAN_BAD_FILE);
    fault_is(&file, 0, "offset 0x58: error: data at 0x8 lies over that of instance 0");
    finish(&own, &file);
    /* The file may say that they share their data, but not for ever. */
    for (uint32_t i = 0; i < 20; i++) {
        put(&m, 0x40 + 20 * i + 16, i == 0 ? 8 : 4, 4);
    }
    assert_int_equal(read_exact(&own, "x.oni", m.bytes, m.size, &file), OBAN_BAD_FILE);
    fault_is(&file, file.faults.count - 1,
             "offset 0x60: error: with a size of 0xd00 instances lie over one another");
    finish(&own, &file);
    make(&m, list, 2, false);
    memcpy(m.bytes + 0x54, m.bytes + 0x40, 16);
    put(&m, 0x54 + 4, 9, 4);
    put(&m, 0x50, 8, 4);
    put(&m, 0x64, 4, 4);
    assert_int_equal(read_exact(&own, "x.oni", m.bytes, m.size, &file), OBAN_BAD_FILE);
    finish(&own, &file);
}

static void test_no_memory(void **state)
{
    made m;
    (void)state;
    make(&m, three, 3, false);
    for (long call = 1;; call++) {
        memory own = {.refuse_at = call};
        oban_clip_file file;
        oban_status status = read_exact(&own, "x.oni", m.bytes, m.size, &file);
        bool done = own.calls < call;
        assert_int_equal(status, done ? OBAN_OK : OBAN_NO_MEMORY);
        assert_int_equal(file.count, done ? 2 : 0);
        finish(&own, &file);
        if (done) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),       cmocka_unit_test(test_several),
        cmocka_unit_test(test_one_named), cmocka_unit_test(test_findings),
        cmocka_unit_test(test_changes),   cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_overlap),   cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
