/* SPDX-License-Identifier: MIT */
/* glTF written and read: the clip as it was, or, without what came along, the same matrices at
 * every frame; hostile files. The Khronos validator's opinion: tests/integration/test_gltf.py.
 * Next: collada_test.c. */
#include "proto/format/gltf.h"

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

static void write(oban_writer *writer, const oban_model_item *items, uint32_t count, bool binary,
                  bool per_frame)
{
    uint32_t bad = 0;
    assert_int_equal(
        oban_gltf_write(writer, items, count, &(oban_gltf_options){binary, per_frame}, &bad),
        OBAN_OK);
}

/* Hides what came along. */
static void hide(oban_writer *writer)
{
    char *at = writer->data;
    while ((at = memmem(at, writer->bytes - (size_t)(at - writer->data), "\"oban\":{", 8)) !=
           NULL) {
        at[1] = 'x';
    }
}

static void read_back(const oban_writer *writer, const oban_import *import, memory *own,
                      oban_clip_file *file)
{
    oban_alloc alloc = memory_alloc(own);
    assert_int_equal(
        oban_gltf_read(&alloc, oban_text_of("x.gltf"), writer->data, writer->bytes, import, file),
        OBAN_OK);
}

static void test_as_it_was(void **state)
{
    (void)state;
    for (int binary = 0; binary < 2; binary++) {
        memory own = {0};
        oban_alloc alloc = memory_alloc(&own);
        oban_writer writer;
        oban_writer again;
        oban_clip_file file;
        oban_model_item items[MODEL_CLIPS];
        for (uint32_t i = 0; i < MODEL_CLIPS; i++) {
            items[i] = oban_model_item_of(&model_clips()[i]);
        }
        oban_writer_init(&writer, &alloc);
        oban_writer_init(&again, &alloc);
        write(&writer, items, MODEL_CLIPS, binary != 0, false);
        read_back(&writer, &fewest, &own, &file);
        assert_int_equal(file.count, MODEL_CLIPS);
        assert_int_equal(file.faults.errors, 0);
        for (uint32_t i = 0; i < MODEL_CLIPS; i++) {
            model_assert_same(file.items[i].clip, &model_clips()[i]);
        }
        /* And so the file is the same when it is written again. */
        oban_clip_def defs[MODEL_CLIPS];
        for (uint32_t i = 0; i < MODEL_CLIPS; i++) {
            defs[i] = oban_clip_def_of(file.items[i].clip);
            items[i] = oban_model_item_of(&defs[i]);
        }
        write(&again, items, MODEL_CLIPS, binary != 0, false);
        assert_int_equal(again.bytes, writer.bytes);
        assert_memory_equal(again.data, writer.data, writer.bytes);
        oban_clip_file_fini(&file);
        oban_writer_fini(&writer);
        oban_writer_fini(&again);
        assert_int_equal(own.blocks, 0);
    }
}

/* As a program shows it that knows nothing of oban. */
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
            oban_writer_init(&writer, &alloc);
            write(&writer, &item, 1, (way & 1) != 0, (way & 2) != 0);
            hide(&writer);
            read_back(&writer, (way & 1) != 0 ? &every : &fewest, &own, &file);
            assert_int_equal(file.count, 1);
            model_assert_alike(file.items[0].clip, &model_clips()[i], MODEL_BARE);
            oban_clip_file_fini(&file);
            oban_writer_fini(&writer);
            assert_int_equal(own.blocks, 0);
        }
    }
}

static void test_camera(void **state)
{
    (void)state;
    for (int hidden = 0; hidden < 2; hidden++) {
        memory own = {0};
        oban_alloc alloc = memory_alloc(&own);
        oban_writer writer;
        oban_clip_file file;
        oban_model_item item = oban_model_item_of(&model_clips()[1]);
        item.camera = true;
        oban_writer_init(&writer, &alloc);
        write(&writer, &item, 1, false, false);
        assert_non_null(memmem(writer.data, writer.bytes, "\"yfov\":0.7853982", 16));
        if (hidden != 0) {
            hide(&writer);
        }
        read_back(&writer, &fewest, &own, &file);
        assert_int_equal(file.count, 1);
        if (hidden != 0) {
            model_assert_alike(file.items[0].clip, &model_clips()[1], MODEL_RIGID);
        } else {
            model_assert_same(file.items[0].clip, &model_clips()[1]);
        }
        oban_clip_file_fini(&file);
        oban_writer_fini(&writer);
        assert_int_equal(own.blocks, 0);
    }
}

/* A scene: a thing that stands, a local one at its place, a camera, boxes. */
static void test_scene(void **state)
{
    (void)state;
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_writer writer;
    oban_clip_file file;
    oban_mat34 place = oban_mat34_identity();
    place.m[9] = 100;
    oban_model_item items[3] = {
        {.name = oban_text_of("shed"), .place = place, .box = {10, 20, 30}},
        oban_model_item_of(&model_clips()[MODEL_LOCAL]),
        {.name = oban_text_of("camera"), .place = place, .camera = true, .fov = 45},
    };
    items[1].name = oban_text_of("door");
    items[1].place = place;
    items[1].box[0] = items[1].box[1] = items[1].box[2] = 1;
    oban_writer_init(&writer, &alloc);
    write(&writer, items, 3, false, false);
    hide(&writer);
    read_back(&writer, &every, &own, &file);
    assert_int_equal(file.count, 1);
    oban_mat34 is = oban_clip_matrix(file.items[0].clip, 3);
    oban_clip *clip = model_clip_of(&model_clips()[MODEL_LOCAL]);
    oban_mat34 was = model_matrix(clip, 3, true, false);
    assert_true(fabsf(is.m[9] - was.m[9] - 100) < 1e-3f);
    oban_clip_destroy(clip);
    oban_clip_file_fini(&file);
    oban_writer_fini(&writer);
    assert_int_equal(own.blocks, 0);
}

/* ---- from elsewhere ---- */

/* Two times, 0 and 1, and the values of STEP, CUBICSPLINE, ... */
static const char quarter[] =
    "{\"asset\":{\"version\":\"2.0\"},"
    "\"nodes\":[{\"name\":\"arm\",\"translation\":[0,10,0],\"children\":[1]},{\"name\":\"hand\",%s}"
    "],"
    "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}"
    "}],"
    "\"samplers\":[{\"input\":0,\"output\":1,\"interpolation\":\"%s\"}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%s,\"type\":\"SCALAR\"},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":%s,\"type\":\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,"
    "\"byteLength\":%s}],"
    "\"buffers\":[{\"byteLength\":%s,\"uri\":\"%s\"}]}";

/* 0 1, 0 0 0, 6 0 0 */
#define NUMBERS "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAMBAAAAAAAAAAAA="
#define URI "data:application/octet-stream;base64,"

static oban_status read_text(memory *own, const char *text, oban_clip_file *file)
{
    oban_alloc alloc = memory_alloc(own);
    return oban_gltf_read(&alloc, oban_text_of("x.gltf"), text, strlen(text), &every, file);
}

static void test_step(void **state)
{
    (void)state;
    memory own = {0};
    oban_clip_file file;
    char text[2048];
    snprintf(text, sizeof text, quarter, "\"scale\":[2,2,2]", "STEP", "2", "2", "24", "32",
             URI NUMBERS);
    assert_int_equal(read_text(&own, text, &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_string_equal(file.items[0].clip->name, "hand");
    assert_int_equal(file.items[0].clip->frame_count, 61);
    oban_mat34 before = oban_clip_matrix(file.items[0].clip, 59);
    oban_mat34 end = oban_clip_matrix(file.items[0].clip, 60);
    assert_true(before.m[9] == 0 && before.m[10] == 10 && before.m[0] == 2);
    assert_true(end.m[9] == 6);
    oban_clip_file_fini(&file);
    assert_int_equal(own.blocks, 0);
}

static void test_hostile(void **state)
{
    static const struct {
        const char *text;
        const char *fault;
    } rows[] = {
        {"{\"asset\":{\"version\":\"1.0\"}}",
         "error: asset.version: expected \"2.0\", found \"1.0\""},
        {"{\"asset\":",
         "line 1, column 10: error: expected a value after ':', found the end of the text"},
        {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}",
         "error: nodes[0]: it is an ancestor of itself"},
        {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[0]}]}",
         "error: nodes[0]: it is an ancestor of itself"},
        {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[9]}]}",
         "error: nodes[0]: it has a child that is no node"},
        {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[1]},{},{\"children\":[1]}]}",
         "error: nodes[1]: it has two parents"},
        {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"matrix\":[1]}]}",
         "error: nodes[0]: its matrix is not 16 numbers"},
        {"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"x.bin\"}]}",
         "error: buffers[0]: its numbers are in another file; put them inside (save it as .glb, or "
         "as glTF with embedded buffers)"},
        {"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":40,\"uri\":\"" URI
         "AAAA\"}]}",
         "error: buffers[0]: it holds fewer bytes than its byteLength"},
        {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"animations\":[{\"channels\":[{"
         "\"sampler\":0,"
         "\"target\":{\"node\":0,\"path\":\"scale\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]"
         "}",
         "error: accessors[0]: an animation needs it, and there is none with elements"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory own = {0};
        oban_clip_file file;
        oban_line line;
        assert_int_equal(read_text(&own, rows[i].text, &file), OBAN_BAD_FILE);
        oban_file_fault_line(&file.faults.items[0], &line);
        assert_string_equal(line.data, rows[i].fault);
        oban_clip_file_fini(&file);
        assert_int_equal(own.blocks, 0);
    }
}

/* 1e30 seconds; a count of a thousand million. */
static void test_huge(void **state)
{
    (void)state;
    memory own = {0};
    oban_clip_file file;
    char text[2048];
    snprintf(text, sizeof text, quarter, "\"scale\":[2,2,2]", "LINEAR", "2", "2", "24", "32",
             URI "AAAAAMrySXEAAAAAAAAAAAAAAAAAAMBAAAAAAAAAAAA=");
    assert_int_equal(read_text(&own, text, &file), OBAN_BAD_FILE);
    oban_clip_file_fini(&file);
    snprintf(text, sizeof text, quarter, "\"scale\":[2,2,2]", "LINEAR", "100000000", "2", "24",
             "32", URI NUMBERS);
    assert_int_equal(read_text(&own, text, &file), OBAN_BAD_FILE);
    oban_clip_file_fini(&file);
    assert_true(own.bytes_most < 1000000);
    assert_int_equal(own.blocks, 0);
}

static void test_no_memory(void **state)
{
    (void)state;
    memory made = {0};
    oban_alloc made_alloc = memory_alloc(&made);
    oban_writer text;
    oban_model_item item = oban_model_item_of(&model_clips()[1]);
    oban_writer_init(&text, &made_alloc);
    write(&text, &item, 1, true, false);
    for (long call = 1;; call++) {
        memory own = {.refuse_at = call};
        oban_alloc alloc = memory_alloc(&own);
        oban_writer writer;
        oban_clip_file file;
        uint32_t bad = 0;
        oban_writer_init(&writer, &alloc);
        oban_status written =
            oban_gltf_write(&writer, &item, 1, &(oban_gltf_options){false, false}, &bad);
        oban_writer_fini(&writer);
        assert_int_equal(own.blocks, 0);
        bool done = own.calls < call;
        assert_int_equal(written, done ? OBAN_OK : OBAN_NO_MEMORY);
        own = (memory){.refuse_at = call};
        oban_status status =
            oban_gltf_read(&alloc, oban_text_of("x.glb"), text.data, text.bytes, &fewest, &file);
        assert_int_equal(status, own.calls < call ? OBAN_OK : OBAN_NO_MEMORY);
        oban_clip_file_fini(&file);
        assert_int_equal(own.blocks, 0);
        if (done && own.calls < call) {
            break;
        }
    }
    oban_writer_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_it_was), cmocka_unit_test(test_by_its_motion),
        cmocka_unit_test(test_camera),    cmocka_unit_test(test_scene),
        cmocka_unit_test(test_step),      cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_huge),      cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
