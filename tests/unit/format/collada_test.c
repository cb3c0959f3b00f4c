/* SPDX-License-Identifier: MIT */
/* Collada written and read: the clip as it was, or, without what came along, the same matrices at
 * every frame; files of other programs in miniature: axes, units, curves, parents; hostile ones.
 * Next: gltf_test.c. */
#include "proto/format/collada.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/format/memory.h"
#include "tests/unit/format/model_clips.h"

static const oban_import fewest = {false, {OBAN_TOLERANCE_DISTANCE, OBAN_TOLERANCE_DEGREES}};
static const oban_import every = {true, {0, 0}};

static void write(oban_writer *writer, const oban_model_item *items, uint32_t count, bool per_frame)
{
    uint32_t bad = 0;
    assert_int_equal(oban_collada_write(writer, items, count, per_frame, &bad), OBAN_OK);
}

static void hide(oban_writer *writer)
{
    char *at = writer->data;
    while ((at = memmem(at, writer->bytes - (size_t)(at - writer->data), "type=\"oban\"", 11)) !=
           NULL) {
        at[6] = 'x';
    }
}

static oban_status read_text(memory *own, const char *text, size_t bytes, const oban_import *import,
                             oban_clip_file *file)
{
    oban_alloc alloc = memory_alloc(own);
    return oban_collada_read(&alloc, oban_text_of("x.dae"), text, bytes, import, file);
}

static void test_as_it_was(void **state)
{
    (void)state;
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    for (uint32_t i = 0; i < MODEL_CLIPS; i++) {
        oban_writer writer;
        oban_writer again;
        oban_clip_file file;
        oban_model_item item = oban_model_item_of(&model_clips()[i]);
        item.camera = i == 1;
        oban_writer_init(&writer, &alloc);
        oban_writer_init(&again, &alloc);
        write(&writer, &item, 1, false);
        assert_int_equal(read_text(&own, writer.data, writer.bytes, &fewest, &file), OBAN_OK);
        assert_int_equal(file.count, 1);
        model_assert_same(file.items[0].clip, &model_clips()[i]);
        oban_clip_def def = oban_clip_def_of(file.items[0].clip);
        item = oban_model_item_of(&def);
        item.camera = i == 1;
        write(&again, &item, 1, false);
        assert_int_equal(again.bytes, writer.bytes);
        assert_memory_equal(again.data, writer.data, writer.bytes);
        oban_clip_file_fini(&file);
        oban_writer_fini(&writer);
        oban_writer_fini(&again);
    }
    assert_int_equal(own.blocks, 0);
}

static void test_by_its_motion(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MODEL_CLIPS; i++) {
        for (int way = 0; way < 4; way++) {
            memory own = {0};
            oban_alloc alloc = memory_alloc(&own);
            oban_writer writer;
            oban_clip_file file;
            oban_model_item item = oban_model_item_of(&model_clips()[i]);
            item.box[0] = item.box[1] = item.box[2] = 3;
            oban_writer_init(&writer, &alloc);
            write(&writer, &item, 1, (way & 2) != 0);
            hide(&writer);
            assert_int_equal(read_text(&own, writer.data, writer.bytes,
                                       (way & 1) != 0 ? &every : &fewest, &file),
                             OBAN_OK);
            assert_int_equal(file.count, 1);
            model_assert_alike(file.items[0].clip, &model_clips()[i], MODEL_WHOLE);
            oban_clip_file_fini(&file);
            oban_writer_fini(&writer);
            assert_int_equal(own.blocks, 0);
        }
    }
}

/* ---- in the manner of other programs ---- */

#define HEAD "<COLLADA xmlns=\"x\" version=\"1.4.1\"><asset>%s</asset>"
#define SOURCE(id, stride, numbers)                                                                \
    "<source id=\"" id "\"><float_array id=\"" id "-a\">" numbers                                  \
    "</float_array><technique_common><accessor stride=\"" stride                                   \
    "\"/></technique_common></source>"
#define WAYS(words)                                                                                \
    "<source id=\"w\"><Name_array>" words                                                          \
    "</Name_array><technique_common><accessor stride=\"1\"/></technique_common></source>"
#define SAMPLER(more)                                                                              \
    "<sampler id=\"s\"><input semantic=\"INPUT\" source=\"#i\"/><input semantic=\"OUTPUT\" "       \
    "source=\"#o\"/><input semantic=\"INTERPOLATION\" source=\"#w\"/>" more "</sampler>"

/* One node in a parent that stands 100 up the file's y, moved by one channel. */
static oban_status read_one(memory *own, const char *asset, const char *sources, const char *target,
                            const char *transforms, const char *instance, oban_clip_file *file)
{
    char text[8192];
    snprintf(text, sizeof text,
             HEAD "<library_animations><animation>%s<channel source=\"#s\" target=\"%s\"/>"
                  "</animation></library_animations><library_visual_scenes><visual_scene>"
                  "<node id=\"p\"><translate>0 100 0</translate><node id=\"n\" name=\"mover\">%s%s"
                  "</node></node></visual_scene></library_visual_scenes></COLLADA>",
             asset, sources, target, transforms, instance);
    return read_text(own, text, strlen(text), &every, file);
}

static void assert_place(const oban_clip_file *file, int32_t frame, float x, float y, float z)
{
    assert_int_equal(file->count, 1);
    oban_mat34 m = oban_clip_matrix(file->items[0].clip, frame);
    if (fabsf(m.m[9] - x) > 1e-3f || fabsf(m.m[10] - y) > 1e-3f || fabsf(m.m[11] - z) > 1e-3f) {
        print_error("frame %d: %g %g %g\n", frame, (double)m.m[9], (double)m.m[10],
                    (double)m.m[11]);
        fail();
    }
}

static const char linear[] =
    SOURCE("i", "1", "0 1") SOURCE("o", "1", "0 60") WAYS("LINEAR LINEAR") SAMPLER("");

static void test_axes_and_units(void **state)
{
    static const struct {
        const char *asset;
        float at30[3];
    } rows[] = {
        {"<unit meter=\"0.1\"/><up_axis>Y_UP</up_axis>", {30, 100, 0}},
        {"<up_axis>Y_UP</up_axis>", {300, 1000, 0}}, /* a metre is ten units */
        {"<unit meter=\"0.1\"/><up_axis>Z_UP</up_axis>", {30, 0, -100}},
        {"<unit meter=\"0.1\"/><up_axis>X_UP</up_axis>", {-100, 30, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        assert_int_equal(read_one(&own, rows[i].asset, linear, "n/t.X",
                                  "<translate sid=\"t\">0 0 0</translate>", "", &file),
                         OBAN_OK);
        assert_string_equal(file.items[0].clip->name, "mover");
        assert_int_equal(file.items[0].clip->frame_count, 61);
        assert_place(&file, 30, rows[i].at30[0], rows[i].at30[1], rows[i].at30[2]);
        oban_clip_file_fini(&file);
        assert_int_equal(own.blocks, 0);
    }
}

/* A thing's own axes turn with the world's, a camera's do not: it looks along its -z in all files.
 */
static void test_z_up_cameras(void **state)
{
    (void)state;
    for (int camera = 0; camera < 2; camera++) {
        memory own = {0};
        oban_clip_file file;
        assert_int_equal(read_one(&own, "<unit meter=\"0.1\"/><up_axis>Z_UP</up_axis>", linear,
                                  "n/t.X",
                                  "<translate sid=\"t\">0 0 0</translate><rotate>1 0 0 90</rotate>",
                                  camera ? "<instance_camera url=\"#c\"/>" : "", &file),
                         OBAN_OK);
        oban_mat34 m = oban_clip_matrix(file.items[0].clip, 0);
        /* The camera looks at the file's +y, our -z, upright. The thing is turned by 90 about x. */
        assert_true(fabsf(m.m[4] - (camera ? 1.0f : 0.0f)) < 1e-6f);
        assert_true(fabsf(m.m[5] - (camera ? 0.0f : 1.0f)) < 1e-6f);
        assert_true(fabsf(m.m[8] - (camera ? 1.0f : 0.0f)) < 1e-6f);
        oban_clip_file_fini(&file);
    }
}

static void test_curves(void **state)
{
    static const struct {
        const char *sources;
        float at15, at30, at45;
    } rows[] = {
        {SOURCE("i", "1", "0 1") SOURCE("o", "1", "0 60") WAYS("STEP STEP") SAMPLER(""), 0, 0, 0},
        /* Handles flat at both ends, a third in: 60 * (3s^2 - 2s^3) with s = t. */
        {SOURCE("i", "1", "0 1") SOURCE("o", "1", "0 60") WAYS("BEZIER BEZIER") SOURCE(
             "a", "2", "-0.33333333 0 0.66666667 60") SOURCE("b", "2", "0.33333333 0 1.3333333 60")
             SAMPLER("<input semantic=\"IN_TANGENT\" source=\"#a\"/><input "
                     "semantic=\"OUT_TANGENT\" source=\"#b\"/>"),
         9.375f, 30, 50.625f},
        /* Handles in time too: all the way in, so that it is slower at the ends. */
        {SOURCE("i", "1", "0 1") SOURCE("o", "1", "0 60") WAYS("BEZIER BEZIER")
             SOURCE("a", "2", "-1 0 0 60") SOURCE("b", "2", "1 0 2 60")
                 SAMPLER("<input semantic=\"IN_TANGENT\" source=\"#a\"/><input "
                         "semantic=\"OUT_TANGENT\" source=\"#b\"/>"),
         1.7835f, 30, 58.2165f},
        /* Values only, as 1.4.0 has them. */
        {SOURCE("i", "1", "0 1") SOURCE("o", "1", "0 60") WAYS("BEZIER BEZIER")
             SOURCE("a", "1", "0 60") SOURCE("b", "1", "0 60")
                 SAMPLER("<input semantic=\"IN_TANGENT\" source=\"#a\"/><input "
                         "semantic=\"OUT_TANGENT\" source=\"#b\"/>"),
         9.375f, 30, 50.625f},
        {SOURCE("i", "1", "0 1") SOURCE("o", "1", "0 60") WAYS("HERMITE HERMITE")
             SOURCE("a", "1", "0 0") SOURCE("b", "1", "0 0")
                 SAMPLER("<input semantic=\"IN_TANGENT\" source=\"#a\"/><input "
                         "semantic=\"OUT_TANGENT\" source=\"#b\"/>"),
         9.375f, 30, 50.625f},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        assert_int_equal(read_one(&own, "<unit meter=\"0.1\"/>", rows[i].sources, "n/t.X",
                                  "<translate sid=\"t\">0 0 0</translate>", "", &file),
                         OBAN_OK);
        assert_place(&file, 15, rows[i].at15, 100, 0);
        assert_place(&file, 30, rows[i].at30, 100, 0);
        assert_place(&file, 45, rows[i].at45, 100, 0);
        oban_clip_file_fini(&file);
        assert_int_equal(own.blocks, 0);
    }
}

static void test_targets(void **state)
{
    static const char whole[] =
        SOURCE("i", "1", "0 1") SOURCE("o", "3", "0 0 0 6 12 18") WAYS("LINEAR LINEAR") SAMPLER("");
    static const char matrix[] = SOURCE("i", "1", "0 1")
        SOURCE("o", "16", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 1 6 0 1 0 12 -1 0 0 18 0 0 0 1")
            WAYS("LINEAR LINEAR") SAMPLER("");
    (void)state;
    memory own = {0};
    oban_clip_file file;
    assert_int_equal(read_one(&own, "<unit meter=\"0.1\"/>", whole, "n/t",
                              "<translate sid=\"t\">0 0 0</translate>", "", &file),
                     OBAN_OK);
    assert_place(&file, 30, 3, 106, 9);
    oban_clip_file_fini(&file);
    assert_int_equal(read_one(&own, "<unit meter=\"0.1\"/>", matrix, "n/m",
                              "<matrix sid=\"m\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>", "",
                              &file),
                     OBAN_OK);
    assert_place(&file, 30, 3, 106, 9);
    /* Half of the quarter turn about y, still a rotation. */
    oban_mat34 m = oban_clip_matrix(file.items[0].clip, 30);
    assert_true(fabsf(m.m[0] - 0.70710678f) < 1e-5f && fabsf(m.m[2] + 0.70710678f) < 1e-5f);
    oban_clip_file_fini(&file);
    /* One number of a matrix: column 3, row 1. */
    assert_int_equal(read_one(&own, "<unit meter=\"0.1\"/>", linear, "n/m(3)(1)",
                              "<matrix sid=\"m\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>", "",
                              &file),
                     OBAN_OK);
    assert_place(&file, 30, 0, 130, 0);
    oban_clip_file_fini(&file);
    assert_int_equal(read_one(&own, "<unit meter=\"0.1\"/>", linear, "n/r.ANGLE",
                              "<rotate sid=\"r\">0 0 1 0</rotate><translate>10 0 0</translate>", "",
                              &file),
                     OBAN_OK);
    assert_place(&file, 60, 5, 108.6603f, 0);
    oban_clip_file_fini(&file);
    assert_int_equal(own.blocks, 0);
}

static void test_refused(void **state)
{
    static const struct {
        const char *asset;
        const char *sources;
        const char *target;
        const char *transforms;
        const char *fault;
    } rows[] = {
        {"<up_axis>UP</up_axis>", linear, "n/t.X", "", "<up_axis>: expected X_UP, Y_UP or Z_UP"},
        {"<unit meter=\"0\"/>", linear, "n/t.X", "", "<unit>: expected meter to be a number"},
        {"", SOURCE("i", "1", "0 x") SAMPLER(""), "n/t.X", "", "expected a number, found x"},
        {"", SOURCE("i", "1", "1 0") SOURCE("o", "1", "0 60") WAYS("LINEAR LINEAR") SAMPLER(""),
         "n/t.X", "<translate sid=\"t\">0 0 0</translate>",
         "its times must not be negative and must rise"},
        {"", SOURCE("i", "1", "0 1e9") SOURCE("o", "1", "0 60") WAYS("LINEAR LINEAR") SAMPLER(""),
         "n/t.X", "<translate sid=\"t\">0 0 0</translate>", "longer than 65,535 frames"},
        {"", SOURCE("i", "1", "0 1") SOURCE("o", "1", "0") WAYS("LINEAR LINEAR") SAMPLER(""),
         "n/t.X", "<translate sid=\"t\">0 0 0</translate>",
         "its OUTPUT has fewer keys than its INPUT"},
        {"", SOURCE("i", "1", "0 1") SOURCE("o", "1", "0 60") WAYS("BEZIER BEZIER") SAMPLER(""),
         "n/t.X", "<translate sid=\"t\">0 0 0</translate>", "have no tangents that fit"},
        {"", SOURCE("i", "1", "0 1") SOURCE("o", "1", "0 60") WAYS("BSPLINE BSPLINE") SAMPLER(""),
         "n/t.X", "<translate sid=\"t\">0 0 0</translate>",
         "expected LINEAR, STEP, BEZIER or HERMITE, found BSPLINE"},
        {"", linear, "n/t.W", "<translate sid=\"t\">0 0 0</translate>",
         "it means no number of its transform"},
        {"", linear, "n/t", "<translate sid=\"t\">0 0 0</translate>",
         "fewer numbers a key than what it moves"},
        {"", linear, "n/s.X", "<scale sid=\"s\">1 1 1</scale>", "frame 0 has axes that are flat"},
        {"", SOURCE("i", "1", "0 1") SOURCE("o", "1", "1 60") WAYS("LINEAR LINEAR") SAMPLER(""),
         "n/s.X", "<scale sid=\"s\">1 1 1</scale>",
         "frame 1 has another scale or shear than frame 0"},
        {"", linear, "n/t.X", "<skew>1 2 3 4 5 6 7</skew>", "<skew> is not read"},
        {"", linear, "n/t.X", "<translate sid=\"t\">0 0</translate>",
         "<translate>: expected 3 numbers, found 2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        oban_line line;
        (void)read_one(&own, rows[i].asset, rows[i].sources, rows[i].target, rows[i].transforms, "",
                       &file);
        assert_int_equal(file.count, 0);
        assert_true(file.faults.errors > 0);
        oban_file_fault_line(&file.faults.items[0], &line);
        if (strstr(line.data, rows[i].fault) == NULL) {
            print_error("row %zu: %s\n", i, line.data);
            fail();
        }
        oban_clip_file_fini(&file);
        assert_int_equal(own.blocks, 0);
    }
}

/* Deep, many, laughing. */
static void test_hostile(void **state)
{
    (void)state;
    memory own = {0};
    oban_clip_file file;
    size_t bytes = 2000000;
    char *text = malloc(bytes + 64);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "<COLLADA><library_visual_scenes>");
    while (at < bytes) {
        memcpy(text + at, "<node>", 6);
        at += 6;
    }
    assert_int_equal(read_text(&own, text, at, &every, &file), OBAN_BAD_FILE);
    oban_clip_file_fini(&file);
    assert_true(own.bytes_most < 4000000);
    at = (size_t)sprintf(text, "<COLLADA><library_animations>");
    while (at < bytes) {
        memcpy(text + at, "<sampler/>", 10);
        at += 10;
    }
    assert_int_equal(read_text(&own, text, at, &every, &file), OBAN_BAD_FILE);
    oban_clip_file_fini(&file);
    static const char laughs[] = "<!DOCTYPE lolz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>"
                                 "<COLLADA>&b;</COLLADA>";
    assert_int_equal(read_text(&own, laughs, strlen(laughs), &every, &file), OBAN_BAD_FILE);
    oban_clip_file_fini(&file);
    assert_int_equal(own.blocks, 0);
    free(text);
}

static void test_no_memory(void **state)
{
    (void)state;
    memory made = {0};
    oban_alloc made_alloc = memory_alloc(&made);
    oban_writer text;
    oban_model_item item = oban_model_item_of(&model_clips()[1]);
    oban_writer_init(&text, &made_alloc);
    write(&text, &item, 1, false);
    for (long call = 1;; call++) {
        memory own = {.refuse_at = call};
        oban_clip_file file;
        oban_status status = read_text(&own, text.data, text.bytes, &fewest, &file);
        bool done = own.calls < call;
        assert_int_equal(status, done ? OBAN_OK : OBAN_NO_MEMORY);
        oban_clip_file_fini(&file);
        assert_int_equal(own.blocks, 0);
        if (done) {
            break;
        }
    }
    oban_writer_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_it_was),      cmocka_unit_test(test_by_its_motion),
        cmocka_unit_test(test_axes_and_units), cmocka_unit_test(test_z_up_cameras),
        cmocka_unit_test(test_curves),         cmocka_unit_test(test_targets),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
