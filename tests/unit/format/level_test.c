/* SPDX-License-Identifier: MIT */
/* Levels: objects out of .dat files and of XML of both forms, written and read again; hostile
 * bytes; the commands that the objects become. Next: oni_write_test.c. */
#include "proto/format/level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proto/format/clip_file.h"
#include "proto/format/level_xml.h"
#include "proto/format/oni_write.h"
#include "tests/unit/format/memory.h"

static const char physics[] = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                              "<Oni>\n"
                              "    <Physics>\n"
                              "        <Object>\n"
                              "            <Name>object_crane</Name>\n"
                              "            <ScriptId>30</ScriptId>\n"
                              "            <Flags>InUse FaceCollision</Flags>\n"
                              "            <Position>1 2 3</Position>\n"
                              "            <Rotation>0.5 0 0 -0.8660254</Rotation>\n"
                              "            <Scale>2</Scale>\n"
                              "            <Physics>Animated</Physics>\n"
                              "            <Particles></Particles>\n"
                              "            <Geometry>M3GAcrane</Geometry>\n"
                              "            <Animation Name=\"crane_idle\">\n"
                              "                <Start>0</Start>\n"
                              "                <Stop>0</Stop>\n"
                              "                <End>99</End>\n"
                              "                <Flags>Loop</Flags>\n"
                              "            </Animation>\n"
                              "            <Animation Name=\"crane_run\">\n"
                              "                <Start>100</Start>\n"
                              "                <Stop>0</Stop>\n"
                              "                <End>199</End>\n"
                              "                <Flags>Loop AutoStart</Flags>\n"
                              "            </Animation>\n"
                              "        </Object>\n"
                              "        <Object>\n"
                              "            <Name>lamp</Name>\n"
                              "            <ScriptId>30</ScriptId>\n"
                              "            <Flags>InUse</Flags>\n"
                              "            <Position>0 0 0</Position>\n"
                              "            <Rotation>0 0 0 1</Rotation>\n"
                              "            <Scale>1</Scale>\n"
                              "            <Physics>None</Physics>\n"
                              "            <Particles>ENVPsparks</Particles>\n"
                              "            <Geometry></Geometry>\n"
                              "            <Animation>lamp</Animation>\n"
                              "        </Object>\n"
                              "        <Object>\n"
                              "            <Name>door_7 &amp; frame</Name>\n"
                              "            <ScriptId>65535</ScriptId>\n"
                              "            <Flags>514</Flags>\n"
                              "            <Position>0 0 0</Position>\n"
                              "            <Rotation>0 0 0 1</Rotation>\n"
                              "            <Scale>1</Scale>\n"
                              "            <Physics>Static</Physics>\n"
                              "            <Particles></Particles>\n"
                              "            <Geometry></Geometry>\n"
                              "        </Object>\n"
                              "    </Physics>\n"
                              "</Oni>";

static oban_status read_text(memory *own, const char *text, oban_level *out)
{
    oban_alloc alloc = memory_alloc(own);
    return oban_level_read(&alloc, text, strlen(text), out);
}

static void finish(memory *own, oban_level *level)
{
    oban_level_fini(level);
    assert_int_equal(own->blocks, 0);
    assert_int_equal(own->wrong_sizes, 0);
}

static void assert_fault(const oban_level *level, const char *expected)
{
    oban_line line;
    assert_true(level->faults.count > 0);
    oban_file_fault_line(&level->faults.items[0], &line);
    assert_string_equal(line.data, expected);
}

static void test_physics(void **state)
{
    (void)state;
    memory own = {0};
    oban_level level;
    assert_int_equal(read_text(&own, physics, &level), OBAN_OK);
    assert_int_equal(level.faults.count, 0);
    assert_int_equal(level.count, 3);
    const oban_level_object *crane = &level.objects[0];
    assert_string_equal(crane->name, "object_crane");
    assert_string_equal(crane->geometry, "crane");
    assert_string_equal(crane->animation, "crane_run"); /* it starts by itself */
    assert_int_equal(crane->number, 30);
    assert_int_equal(crane->flags, 0x1200);
    assert_int_equal(crane->physics, 3);
    /* x = 60 degrees in the file's sense (oni-formats 8), scaled by 2. */
    assert_true(crane->transform.m[4] > 0.9999f && crane->transform.m[4] < 1.0001f);
    assert_true(crane->transform.m[5] > 1.7320f && crane->transform.m[5] < 1.7321f);
    assert_true(crane->transform.m[11] == 3.0f);
    assert_string_equal(level.objects[1].animation, "lamp");
    assert_string_equal(level.objects[1].particle, "sparks");
    assert_int_equal(level.objects[2].number, OBAN_LEVEL_NO_NUMBER);
    assert_int_equal(level.objects[2].flags, 514);
    assert_int_equal(level.clip_count, 2);
    assert_int_equal(level.clips[1].start, 100);
    assert_int_equal(level.clips[1].flags, 9);
    finish(&own, &level);
}

static void test_physics_is_stable(void **state)
{
    (void)state;
    memory own = {0};
    oban_level level;
    oban_writer writer;
    oban_alloc alloc = memory_alloc(&own);
    assert_int_equal(read_text(&own, physics, &level), OBAN_OK);
    oban_writer_init(&writer, &alloc);
    oban_level_xml_write(&writer, &level);
    assert_int_equal(writer.bytes, strlen(physics));
    assert_memory_equal(writer.data, physics, writer.bytes);
    oban_writer_fini(&writer);
    finish(&own, &level);
}

/* Fields in any order, Euler degrees, loose flags, no number. */
static void test_physics_kinder(void **state)
{
    (void)state;
    memory own = {0};
    oban_level level;
    assert_int_equal(read_text(&own,
                               "\xef\xbb\xbf<Oni><Physics><Object>"
                               "<Rotation>60 0 0</Rotation><Flags>\r\n nocollision\tINUSE </Flags>"
                               "<Name> a </Name><Colour>1</Colour></Object></Physics></Oni>",
                               &level),
                     OBAN_OK);
    assert_int_equal(level.count, 1);
    assert_int_equal(level.faults.count, 1);
    assert_fault(&level,
                 "line 2, column 44: warning: passed over: <Colour> is no field of <Object>");
    assert_string_equal(level.objects[0].name, "a");
    assert_int_equal(level.objects[0].number, OBAN_LEVEL_NO_NUMBER);
    assert_int_equal(level.objects[0].flags, 0x600);
    assert_true(level.objects[0].rotation.x < -0.4999f && level.objects[0].rotation.x > -0.5001f);
    assert_true(level.objects[0].rotation.w > 0.8660f);
    finish(&own, &level);
}

static void test_bad_xml(void **state)
{
    static const struct {
        const char *text;
        const char *fault;
    } rows[] = {
        {"<Oni><Physics><Thing/></Physics></Oni>",
         "line 1, column 15: error: expected <Object>, found <Thing>"},
        {"<Oni><Physics><Object><Position>1 2</Position></Object></Physics></Oni>",
         "line 1, column 33: error: <Position>: expected 3 numbers, found 2"},
        {"<Oni><Physics><Object><Rotation>1 2</Rotation></Object></Physics></Oni>",
         "line 1, column 33: error: <Rotation>: expected 3 numbers, found 2"},
        {"<Oni><Physics><Object><Flags>InUse Sticky</Flags></Object></Physics></Oni>",
         "line 1, column 30: error: <Flags>: expected InUse, NoCollision, NoGravity, FaceCollision "
         "or a decimal number, found Sticky"},
        {"<Oni><Physics><Object><Physics>Wild</Physics></Object></Physics></Oni>",
         "line 1, column 32: error: <Physics>: expected None, Static, Linear, Animated or Newton"},
        {"<Oni><OBOA id=\"0\"><Things/></OBOA></Oni>",
         "line 1, column 19: error: expected <Objects>, found <Things>"},
        {"<Oni><OBOA "
         "id=\"0\"><Objects><OBOAObject><Animation/></OBOAObject></Objects></OBOA></Oni>",
         "line 1, column 40: error: expected <Geometry>, found <Animation>"},
        {"<Oni><OBOA id=\"0\"><Objects><OBOAObject></OBOAObject></Objects></OBOA></Oni>",
         "line 1, column 40: error: expected <Geometry> in <OBOAObject>"},
        {"<!DOCTYPE Oni [<!ENTITY a \"a\">]><Oni>&a;</Oni>",
         "line 1, column 15: error: a DOCTYPE is not allowed"},
        {"nothing", "error: this is neither a .dat or .oni file nor XML"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_level level;
        oban_line line;
        assert_int_equal(read_text(&own, rows[i].text, &level), OBAN_BAD_FILE);
        assert_int_equal(level.count, 0);
        oban_file_fault_line(&level.faults.items[0], &line);
        if (strcmp(line.data, rows[i].fault) != 0) {
            print_error("row %zu\n", i);
        }
        assert_string_equal(line.data, rows[i].fault);
        finish(&own, &level);
    }
}

/* ---- .dat ---- */

static const oban_key keys[2] = {{{0, 0, 0, 1}, {0, 0, 0}, 0}, {{0, 0, 0, 1}, {1, 0, 0}, 9}};

static oban_clip_def clip_def(const char *name)
{
    return (oban_clip_def){.name = oban_text_of(name),
                           .flags = OBAN_CLIP_LOOP,
                           .start = oban_mat34_identity(),
                           .base = oban_mat34_identity(),
                           .frame_length = 80,
                           .frame_count = 10,
                           .half_stop = -1,
                           .keys = keys,
                           .key_count = 2};
}

/* The level of `physics` and two clips, as a .dat. */
static void write_dat(memory *own, oban_writer *writer)
{
    oban_level level;
    oban_write_fault fault;
    oban_alloc alloc = memory_alloc(own);
    const oban_clip_def defs[2] = {clip_def("lamp"), clip_def("crane_run")};
    assert_int_equal(read_text(own, physics, &level), OBAN_OK);
    oban_writer_init(writer, &alloc);
    assert_int_equal(oban_dat_write(writer, &(oban_dat_def){3, defs, 2, &level}, &fault), OBAN_OK);
    oban_level_fini(&level);
}

static void test_dat(void **state)
{
    (void)state;
    memory own = {0};
    oban_writer writer;
    oban_level level;
    oban_clip_file clips;
    oban_alloc alloc = memory_alloc(&own);
    write_dat(&own, &writer);
    assert_int_equal(oban_level_read(&alloc, writer.data, writer.bytes, &level), OBAN_OK);
    assert_int_equal(level.faults.count, 0);
    assert_int_equal(level.id, 3);
    assert_int_equal(level.count, 3);
    assert_string_equal(level.objects[0].animation, "crane_run");
    assert_string_equal(level.objects[0].geometry, "crane");
    assert_string_equal(level.objects[1].particle, "sparks");
    assert_string_equal(level.objects[2].name, "door_7 & frame");
    assert_int_equal(oban_clip_file_read(&alloc, oban_text_of("level3_Final.dat"), writer.data,
                                         writer.bytes, &clips),
                     OBAN_OK);
    assert_int_equal(clips.faults.count, 0);
    assert_int_equal(clips.count, 2);
    assert_string_equal(clips.items[0].clip->name, "crane_run");
    assert_string_equal(clips.items[1].clip->name, "lamp");
    /* Written again it is the same. */
    oban_writer again;
    oban_write_fault fault;
    const oban_clip_def defs[2] = {oban_clip_def_of(clips.items[0].clip),
                                   oban_clip_def_of(clips.items[1].clip)};
    oban_writer_init(&again, &alloc);
    assert_int_equal(oban_dat_write(&again, &(oban_dat_def){3, defs, 2, &level}, &fault), OBAN_OK);
    assert_int_equal(again.bytes, writer.bytes);
    assert_memory_equal(again.data, writer.data, writer.bytes);
    oban_writer_fini(&again);
    oban_writer_fini(&writer);
    oban_clip_file_fini(&clips);
    finish(&own, &level);
}

static void test_oboa_xml(void **state)
{
    (void)state;
    memory own = {0};
    oban_writer dat;
    oban_level level;
    oban_level back;
    oban_writer xml;
    oban_writer again;
    oban_alloc alloc = memory_alloc(&own);
    write_dat(&own, &dat);
    assert_int_equal(oban_level_read(&alloc, dat.data, dat.bytes, &level), OBAN_OK);
    oban_writer_init(&xml, &alloc);
    oban_writer_init(&again, &alloc);
    oban_oboa_xml_write(&xml, &level);
    assert_true(oban_level_xml_looks_like(xml.data, xml.bytes));
    assert_int_equal(oban_level_read(&alloc, xml.data, xml.bytes, &back), OBAN_OK);
    assert_int_equal(back.count, 3);
    assert_memory_equal(&back.objects[0].transform, &level.objects[0].transform, 48);
    oban_oboa_xml_write(&again, &back);
    assert_int_equal(again.bytes, xml.bytes);
    assert_memory_equal(again.data, xml.data, xml.bytes);
    oban_writer_fini(&xml);
    oban_writer_fini(&again);
    oban_writer_fini(&dat);
    oban_level_fini(&back);
    finish(&own, &level);
}

/* Every byte of a small level changed in turn, and the file cut at every length: a message or a
 * level, never a crash, and memory in proportion. */
static void test_every_byte(void **state)
{
    (void)state;
    memory own = {0};
    oban_writer writer;
    oban_alloc alloc = memory_alloc(&own);
    write_dat(&own, &writer);
    for (size_t i = 0; i < writer.bytes; i++) {
        static const unsigned char changes[] = {0x00, 0x01, 0x7f, 0xff};
        for (size_t k = 0; k <= sizeof changes; k++) {
            oban_level level;
            size_t size = k == sizeof changes ? i : writer.bytes;
            char *copy = malloc(size + (size == 0));
            assert_non_null(copy);
            memcpy(copy, writer.data, size);
            if (k < sizeof changes) {
                copy[i] = (char)changes[k];
            }
            oban_status status = oban_level_read(&alloc, copy, size, &level);
            assert_true(status == OBAN_OK || (status == OBAN_BAD_FILE && level.faults.errors > 0));
            oban_level_fini(&level);
            free(copy);
        }
    }
    assert_true(own.bytes_most < 1000000);
    oban_writer_fini(&writer);
    assert_int_equal(own.blocks, 0);
}

static void test_no_memory(void **state)
{
    (void)state;
    memory made = {0};
    oban_writer writer;
    write_dat(&made, &writer);
    for (long call = 1;; call++) {
        memory own = {.refuse_at = call};
        oban_level level;
        oban_alloc alloc = memory_alloc(&own);
        oban_status status = oban_level_read(&alloc, writer.data, writer.bytes, &level);
        bool done = own.calls < call;
        assert_int_equal(status, done ? OBAN_OK : OBAN_NO_MEMORY);
        finish(&own, &level);
        if (done) {
            break;
        }
    }
    oban_writer_fini(&writer);
}

/* ---- the scene ---- */

static bool find_crane(void *context, oban_text name, oban_line *line)
{
    (void)context;
    oban_line_add(line, "no such animation");
    return oban_text_equal(name, oban_text_of("crane_run"));
}

static void test_scene(void **state)
{
    (void)state;
    memory own = {0};
    oban_level level;
    oban_scene scene;
    oban_line line;
    const oban_scene_anims anims = {find_crane, NULL};
    assert_int_equal(read_text(&own, physics, &level), OBAN_OK);
    assert_int_equal(oban_level_scene(&level, &anims, &scene), OBAN_OK);
    assert_int_equal(scene.count, 2);
    const oban_command *crane = &scene.commands[0];
    assert_int_equal(crane->op, OBAN_OP_OBJ_DEFINE);
    assert_int_equal(crane->object, 30);
    assert_int_equal(crane->part, 0);
    assert_false(crane->create);
    assert_true(OBAN_HAS(crane, create));
    assert_true(OBAN_HAS(crane, anim));
    assert_int_equal(scene.commands[1].part, 1);
    assert_false(OBAN_HAS(&scene.commands[1], anim));
    assert_int_equal(scene.faults.count, 2);
    oban_file_fault_line(&scene.faults.items[0], &line);
    assert_string_equal(
        line.data, "line 27, column 9: warning: object 30 has no animation: no such animation");
    oban_file_fault_line(&scene.faults.items[1], &line);
    assert_non_null(strstr(line.data, "1 object without a number (a door) is left out"));
    oban_scene_fini(&scene);
    finish(&own, &level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_physics),
        cmocka_unit_test(test_physics_is_stable),
        cmocka_unit_test(test_physics_kinder),
        cmocka_unit_test(test_bad_xml),
        cmocka_unit_test(test_dat),
        cmocka_unit_test(test_oboa_xml),
        cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
