/* SPDX-License-Identifier: MIT */
/* Scenes: the commands in the file's order, all faults with their paths, memory that runs out.
 * Next: clip_file_test.c. */
#include "proto/format/scene_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/format/memory.h"

#define MATRIX "[1,0,0,0,1,0,0,0,1,10,20,30]"

static void test_good(void **state)
{
    static const char text[] =
        "{\"camera\":{\"matrix\":" MATRIX
        ",\"fov\":60},\"objects\":[{\"object\":5,\"anim\":\"van\","
        "\"name\":\"Van\",\"geometry\":\"M3GMvan\"},{\"object\":5,\"part\":1,\"create\":false,"
        "\"anim\":\"van\",\"play\":true,\"matrix\":" MATRIX
        ",\"x-note\":\"mine\"}],\"doors\":[{\"door\":3,\"leaf\":1,\"anim\":\"van\"}],\"aliens\":[],"
        "\"actions\":[],\"x-editor\":{\"a\":1}}";
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_scene scene;
    (void)state;
    assert_int_equal(oban_scene_read(&alloc, oban_text_of(text), NULL, &scene), OBAN_OK);
    assert_int_equal(scene.faults.count, 0);
    assert_int_equal(scene.count, 4);
    const oban_command *c = scene.commands;
    assert_int_equal(c[3].op, OBAN_OP_DOOR_DEFINE);
    assert_int_equal(c[3].door, 3);
    assert_int_equal(c[3].leaf, 1);
    assert_int_equal(c[0].op, OBAN_OP_CAMERA_PLACE);
    assert_true(c[0].fov == 60.0f && c[0].matrix.m[11] == 30.0f);
    assert_int_equal(c[1].op, OBAN_OP_OBJ_DEFINE);
    assert_int_equal(c[1].object, 5);
    assert_true(OBAN_HAS(&c[1], create) && c[1].create && OBAN_HAS(&c[1], play) && !c[1].play);
    assert_false(OBAN_HAS(&c[1], matrix));
    assert_true(oban_text_equal(c[1].anim, oban_text_of("van")));
    assert_true(oban_text_equal(c[1].geometry, oban_text_of("M3GMvan")));
    assert_true(c[2].part == 1 && !c[2].create && c[2].play && OBAN_HAS(&c[2], matrix));
    oban_scene_fini(&scene);
    assert_int_equal(own.blocks, 0);
    assert_int_equal(own.wrong_sizes, 0);
}

static void test_empty(void **state)
{
    static const char *const texts[] = {"{}", "{\"objects\":[]}", "{\"camera\":{}}",
                                        "{\"camera\":{\"x-a\":1}}"};
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        oban_scene scene;
        assert_int_equal(oban_scene_read(&alloc, oban_text_of(texts[i]), NULL, &scene), OBAN_OK);
        assert_int_equal(scene.count, 0);
        oban_scene_fini(&scene);
    }
    assert_int_equal(own.blocks, 0);
}

typedef struct bad {
    const char *text;
    oban_status status;
    const char *faults; /* all, a line each */
} bad;

static const bad bads[] = {
    {"", OBAN_BAD_JSON, NULL},
    {"{\"objects\":[\n  {\"object\":5,}]}", OBAN_BAD_JSON, NULL},
    {"{\"objects\":[],\"objects\":[]}", OBAN_BAD_JSON, NULL},
    {"[]", OBAN_BAD_SCENE, "error: a scene: expected an object, found an array of 0"},
    {"7", OBAN_BAD_SCENE, "error: a scene: expected an object, found 7"},
    {"{\"objcts\":[]}", OBAN_BAD_SCENE, "error: objcts: no such field; the nearest is 'objects'"},
    {"{\"lights\":[]}", OBAN_BAD_SCENE,
     "error: lights: no such field; there are objects, doors, camera, aliens and actions"},
    {"{\"objects\":{}}", OBAN_BAD_SCENE, "error: objects: expected an array, found an object"},
    {"{\"objects\":null}", OBAN_BAD_SCENE, "error: objects: expected an array, found null"},
    {"{\"camera\":[]}", OBAN_BAD_SCENE, "error: camera: expected an object, found an array of 0"},
    {"{\"camera\":{\"fov\":0}}", OBAN_BAD_SCENE,
     "error: camera.fov: expected a number from 1 to 179, found 0"},
    {"{\"doors\":[{}],\"aliens\":[1],\"actions\":[2]}", OBAN_BAD_SCENE,
     "error: doors[0].door: missing; expected a whole number from 0 to 1000000000\n"
     "error: doors[0].anim: missing; expected a string of 1 to 63 bytes without control "
     "characters\n"
     "error: aliens: not in this version; leave it empty\n"
     "error: actions: not in this version; leave it empty"},
    {"{\"doors\":[{\"door\":1,\"anim\":\"a\"},{\"door\":1,\"anim\":\"a\"}]}", OBAN_BAD_SCENE,
     "error: doors[1]: door 1 leaf 0 is there already, as doors[0]"},
    {"{\"doors\":{}}", OBAN_BAD_SCENE, "error: doors: expected an array, found an object"},
    {"{\"objects\":[{\"object\":1},5]}", OBAN_BAD_SCENE,
     "error: objects[1]: expected an object, found 5"},
    {"{\"objects\":[{\"object\":1},{\"object\":2},{\"object\":3},{\"object\":4,\"matrx\":1,"
     "\"anim\":null},{\"part\":1}]}",
     OBAN_BAD_SCENE,
     "error: objects[3].matrx: no such field; the nearest is 'matrix'\n"
     "error: objects[3].anim: expected a string of 1 to 63 bytes without control characters, found "
     "null\n"
     "error: objects[4].object: missing; expected a whole number from 0 to 2147483647"},
    {"{\"objects\":[{\"object\":1,\"matrix\":[1,2,3,4,5,6,7,8,9,10,11,true]}]}", OBAN_BAD_SCENE,
     "error: objects[0].matrix[11]: expected a number that float32 holds, found true"},
    {"{\"objects\":[{\"object\":1},{\"object\":1,\"part\":1},{\"object\":1,\"part\":0},"
     "{\"object\":1,\"part\":1}]}",
     OBAN_BAD_SCENE,
     "error: objects[2]: object 1 part 0 is there already, as objects[0]\n"
     "error: objects[3]: object 1 part 1 is there already, as objects[1]"},
};

static void check_bad(const bad *row, const oban_scene *scene)
{
    char all[2048] = "";
    for (uint32_t i = 0; i < scene->faults.count; i++) {
        oban_line line;
        oban_file_fault_line(&scene->faults.items[i], &line);
        (void)strcat(strcat(all, i == 0 ? "" : "\n"), line.data);
    }
    if (row->faults != NULL) {
        assert_string_equal(all, row->faults);
    } else {
        assert_true(scene->faults.items[0].line > 0 && scene->faults.items[0].column > 0);
        assert_true(scene->faults.items[0].message.bytes > 0);
    }
}

static void test_bad(void **state)
{
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        oban_scene scene;
        assert_int_equal(oban_scene_read(&alloc, oban_text_of(bads[i].text), NULL, &scene),
                         bads[i].status);
        assert_int_equal(scene.count, 0);
        assert_true(scene.faults.errors > 0);
        check_bad(&bads[i], &scene);
        oban_scene_fini(&scene);
    }
    assert_int_equal(own.blocks, 0);
    assert_int_equal(own.wrong_sizes, 0);
}

static void test_syntax_place(void **state)
{
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_scene scene;
    (void)state;
    assert_int_equal(
        oban_scene_read(&alloc, oban_text_of("{\"objects\":[\n  {\"object\":5,}]}"), NULL, &scene),
        OBAN_BAD_JSON);
    assert_int_equal(scene.faults.items[0].line, 2);
    assert_int_equal(scene.faults.items[0].column, 15);
    oban_scene_fini(&scene);
}

/* Many objects, the last of them twice; more faults than are kept. */
static void test_many(void **state)
{
    enum { COUNT = 5000 };
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_scene scene;
    (void)state;
    char *text = malloc(COUNT * 32 + 64);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "{\"objects\":[");
    for (int i = 0; i < COUNT; i++) {
        n += (size_t)sprintf(text + n, "%s{\"object\":%d}", i == 0 ? "" : ",",
                             i == COUNT - 1 ? COUNT - 2 : i * 7 % COUNT);
    }
    n += (size_t)sprintf(text + n, "]}");
    oban_status status = oban_scene_read(&alloc, (oban_text){text, (uint32_t)n}, NULL, &scene);
    assert_int_equal(status, OBAN_BAD_SCENE);
    assert_int_equal(scene.faults.errors, 1);
    oban_scene_fini(&scene);

    n = (size_t)sprintf(text, "{\"objects\":[0");
    for (int i = 1; i < 60; i++) {
        n += (size_t)sprintf(text + n, ",0");
    }
    n += (size_t)sprintf(text + n, "]}");
    status = oban_scene_read(&alloc, (oban_text){text, (uint32_t)n}, NULL, &scene);
    assert_int_equal(status, OBAN_BAD_SCENE);
    assert_int_equal(scene.faults.count, 50);
    assert_int_equal(scene.faults.more, 10);
    assert_int_equal(scene.faults.errors, 60);
    oban_scene_fini(&scene);
    free(text);
    assert_int_equal(own.blocks, 0);
}

static void test_no_memory(void **state)
{
    static const char *const texts[] = {
        "{\"objects\":[{\"object\":1},{\"object\":2}],\"camera\":{\"fov\":50}}",
        "{\"objects\":[{\"object\":1},{\"object\":1}]}", "{"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (long call = 1;; call++) {
            memory own = {.refuse_at = call};
            oban_alloc alloc = memory_alloc(&own);
            oban_scene scene;
            oban_status status = oban_scene_read(&alloc, oban_text_of(texts[i]), NULL, &scene);
            bool done = own.calls < call;
            assert_true(done || status == OBAN_NO_MEMORY);
            assert_true(status == OBAN_OK || scene.count == 0);
            oban_scene_fini(&scene);
            assert_int_equal(own.blocks, 0);
            assert_int_equal(own.wrong_sizes, 0);
            if (done) {
                break;
            }
        }
    }
}

static bool only_door(void *context, oban_text name, oban_line *line)
{
    (void)context;
    oban_line_add(line, "none such");
    return oban_text_equal(name, oban_text_of("door"));
}

/* Animations are looked up while the file is read, so that they are told with all other faults. */
static void test_anims(void **state)
{
    (void)state;
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    const oban_scene_anims anims = {only_door, NULL};
    oban_scene scene;
    oban_text text = oban_text_of("{\"objects\":[{\"object\":1,\"anim\":\"door\",\"play\":true},"
                                  "{\"object\":2,\"anim\":\"gate\"},{\"object\":3,\"matrix\":[0]},"
                                  "{\"object\":4,\"play\":true}]}");
    assert_int_equal(oban_scene_read(&alloc, text, &anims, &scene), OBAN_BAD_SCENE);
    assert_int_equal(scene.faults.errors, 3);
    assert_string_equal(scene.faults.items[0].message.data, "objects[1].anim: none such");
    assert_string_equal(scene.faults.items[2].message.data,
                        "objects[3].play: the object names no animation");
    oban_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),  cmocka_unit_test(test_empty),
        cmocka_unit_test(test_bad),   cmocka_unit_test(test_syntax_place),
        cmocka_unit_test(test_many),  cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_anims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
