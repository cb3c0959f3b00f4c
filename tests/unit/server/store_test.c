/* SPDX-License-Identifier: MIT */
/* Loading from the disk: which files of a folder, in which order, what is said of bad ones, names
 * that come twice, limits, and scenes. Next: ../../integration/. */
#include "proto/format/oban_xml.h"
#include "server/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- memory, a transport that nobody uses, files, the log ---- */

static void *plain_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, bytes);
}

static const oban_alloc plain_alloc = {.resize = plain_resize};
static const oban_transport no_transport = {0};

static uint64_t no_time(void *context)
{
    (void)context;
    return 0;
}

static oban_sim *make_sim_of(uint64_t anims_max, uint64_t objects_max, bool scene)
{
    oban_sim *sim = NULL;
    oban_sim_def def = {.alloc = plain_alloc,
                        .limits = oban_limits_standard(),
                        .transport = &no_transport,
                        .scene_loaded = scene,
                        .session = "test",
                        .now_ns = no_time};
    def.limits.anims_max = anims_max;
    def.limits.objects_max = objects_max;
    assert_int_equal(oban_sim_create(&def, &sim), OBAN_OK);
    return sim;
}

static oban_sim *make_sim(uint64_t anims_max, bool scene)
{
    return make_sim_of(anims_max, 100, scene);
}

static char folder[32];
static int log_pipe[2];
static char log_text[65536];

static int begin(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/oban-store-XXXXXX");
    return mkdtemp(folder) == NULL || pipe(log_pipe) != 0 ||
           (oban_log_init(log_pipe[1], OBAN_LOG_INFO, OBAN_LOG_TEXT), 0);
}

static int end(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *log_read(void)
{
    close(log_pipe[1]);
    ssize_t bytes = read(log_pipe[0], log_text, sizeof log_text - 1);
    assert_true(bytes >= 0);
    log_text[bytes] = '\0';
    close(log_pipe[0]);
    return log_text;
}

static const char *path_of(const char *name)
{
    static char paths[4][96];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text, size_t bytes)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
}

/* An animation of so many keys; its name is the file's. */
static void write_clip(const char *name, uint32_t key_count)
{
    oban_key *keys = calloc(key_count, sizeof *keys);
    assert_non_null(keys);
    for (uint32_t i = 0; i < key_count; i++) {
        keys[i] = (oban_key){.rotation = {0, 0, 0, 1}, .frame = (int32_t)i};
    }
    oban_clip_def def = {.name = oban_text_of("x"),
                         .start = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
                         .base = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
                         .frame_length = 1,
                         .frame_count = (int32_t)key_count,
                         .keys = keys,
                         .key_count = key_count};
    oban_writer writer;
    oban_writer_init(&writer, &plain_alloc);
    oban_xml_write(&writer, &def, 1);
    write_file(name, writer.data, writer.bytes);
    oban_writer_fini(&writer);
    free(keys);
}

static bool load(oban_sim *sim, const char *path, const oban_limits *limits)
{
    char *item = strdup(path);
    const oban_option_list levels = {NULL, 0};
    const oban_option_list list = {&item, 1};
    bool good = oban_store_load_anims(oban_sim_world(sim), &plain_alloc, &levels, &list, limits);
    free(item);
    return good;
}

static bool has_clip(oban_sim *sim, const char *name)
{
    bool other_case = false;
    return oban_world_clip_find(oban_sim_world(sim), oban_text_of(name), &other_case) != NULL &&
           !other_case;
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        print_error("expected: %s\nfound: %s\n", part, text);
    }
    assert_non_null(strstr(text, part));
}

/* ---- animations ---- */

static void folders(void **state)
{
    oban_limits limits = oban_limits_standard();
    oban_sim *sim = make_sim(100, false);
    (void)state;
    write_clip("OBANone.xml", 2);
    write_clip("two.XML", 2);
    write_clip("three.txt", 2);
    write_clip("noext", 2);
    assert_int_equal(mkdir(path_of("sub.xml"), 0700), 0);
    write_clip("sub.xml/four.xml", 2);
    assert_true(load(sim, folder, &limits));
    assert_int_equal(oban_world_clip_count(oban_sim_world(sim)), 2);
    assert_true(has_clip(sim, "one"));
    assert_true(has_clip(sim, "two"));
    has(log_read(), "INFO  animations loaded animations=2 files=2 ");
    oban_sim_destroy(sim);
}

static void one_file_by_name(void **state)
{
    oban_limits limits = oban_limits_standard();
    oban_sim *sim = make_sim(100, false);
    (void)state;
    write_clip("OBANa%20b.xml", 2);
    assert_true(load(sim, path_of("OBANa%20b.xml"), &limits));
    assert_true(has_clip(sim, "a b"));
    (void)log_read();
    oban_sim_destroy(sim);
}

static void bad_files_are_left_out(void **state)
{
    oban_limits limits = oban_limits_standard();
    oban_sim *sim = make_sim(100, false);
    (void)state;
    write_clip("OBANgood.xml", 2);
    write_file("bad.xml", "<Oni>\n <nonsense", 16);
    write_file("empty.oni", "", 0);
    write_file("short.oni", "AVD33", 5);
    assert_int_equal(mkfifo(path_of("pipe.xml"), 0600), 0);
    assert_true(load(sim, folder, &limits));
    assert_int_equal(oban_world_clip_count(oban_sim_world(sim)), 1);
    const char *text = log_read();
    has(text, "WARN ");
    has(text, "/bad.xml:2:");
    has(text, "/empty.oni:");
    has(text, "/short.oni:");
    has(text, "/pipe.xml: is no file (left out)");
    oban_sim_destroy(sim);
}

static void missing_path(void **state)
{
    oban_limits limits = oban_limits_standard();
    oban_sim *sim = make_sim(100, false);
    (void)state;
    assert_false(load(sim, "/nonexistent/clips", &limits));
    has(log_read(), "ERROR --anims /nonexistent/clips: No such file or directory");
    oban_sim_destroy(sim);
}

static void same_name_twice(void **state)
{
    oban_limits limits = oban_limits_standard();
    oban_sim *sim = make_sim(100, false);
    (void)state;
    write_clip("OBANdoor.xml", 5);
    write_clip("door.xml", 9); /* later in byte order: capitals come first */
    assert_true(load(sim, folder, &limits));
    assert_int_equal(oban_world_clip_count(oban_sim_world(sim)), 1);
    assert_int_equal(oban_world_clip_at(oban_sim_world(sim), 0)->key_count, 5);
    const char *text = log_read();
    has(text, "/door.xml: door is left out: it is in ");
    has(text, "/OBANdoor.xml already");
    oban_sim_destroy(sim);
}

static void keys_max_and_one_over(void **state)
{
    oban_limits limits = oban_limits_standard();
    oban_sim *sim = make_sim(100, false);
    (void)state;
    limits.keys_max = 10;
    write_clip("at.xml", 10);
    write_clip("over.xml", 11);
    assert_true(load(sim, folder, &limits));
    assert_true(has_clip(sim, "at"));
    assert_false(has_clip(sim, "over"));
    has(log_read(), "/over.xml: over is left out: it has 11 keys, the limit keys-max is 10");
    oban_sim_destroy(sim);
}

static void anims_max_and_one_over(void **state)
{
    oban_limits limits = oban_limits_standard();
    oban_sim *sim = make_sim(2, false);
    (void)state;
    limits.anims_max = 2;
    write_clip("a.xml", 2);
    write_clip("b.xml", 2);
    write_clip("c.xml", 2);
    write_clip("d.xml", 2);
    assert_true(load(sim, folder, &limits));
    assert_int_equal(oban_world_clip_count(oban_sim_world(sim)), 2);
    const char *text = log_read();
    has(text, "/c.xml: c is left out, and all that come after it: the limit anims-max is 2");
    assert_null(strstr(text, "/d.xml"));
    oban_sim_destroy(sim);
}

/* ---- scenes ---- */

static bool scene(oban_sim *sim, const char *text)
{
    write_file("scene.json", text, strlen(text));
    return oban_store_load_scene(sim, &plain_alloc, path_of("scene.json"));
}

static void good_scene(void **state)
{
    oban_limits limits = oban_limits_standard();
    oban_sim *sim = make_sim(100, true);
    (void)state;
    write_clip("door.xml", 5);
    assert_true(load(sim, path_of("door.xml"), &limits));
    assert_true(scene(sim, "{\"objects\":[{\"object\":1,\"anim\":\"door\",\"play\":true}]}"));
    assert_int_equal(oban_world_live_count(oban_sim_world(sim)), 1);
    has(log_read(), "INFO  scene built");
    oban_sim_destroy(sim);
}

static void scene_with_faults(void **state)
{
    oban_sim *sim = make_sim(100, true);
    (void)state;
    assert_false(scene(sim, "{\"objects\":[{\"object\":-1},{\"object\":2,\"anmi\":\"x\"}]}"));
    const char *text = log_read();
    has(text, "ERROR ");
    has(text, "objects[0].object"); /* all of them are told */
    has(text, "objects[1].anmi");
    oban_sim_destroy(sim);
}

static void scene_that_is_no_json(void **state)
{
    oban_sim *sim = make_sim(100, true);
    (void)state;
    assert_false(scene(sim, "{\n \"objects\":[,]}"));
    has(log_read(), "/scene.json:2:13: ");
    oban_sim_destroy(sim);
}

static void scene_with_unknown_animations(void **state)
{
    oban_sim *sim = make_sim(100, true);
    (void)state;
    assert_false(scene(sim, "{\"objects\":[{\"object\":1,\"anim\":\"nope\"},{\"object\":2},"
                            "{\"object\":3,\"anim\":\"nor this\"}]}"));
    const char *text = log_read();
    has(text, "objects[0].anim: no animation 'nope'");
    has(text, "objects[2].anim: no animation 'nor this'");
    oban_sim_destroy(sim);
}

static void scene_that_cannot_be_built(void **state)
{
    oban_sim *sim = make_sim_of(100, 1, true);
    (void)state;
    assert_false(scene(sim, "{\"objects\":[{\"object\":1},{\"object\":2}]}"));
    has(log_read(), "/scene.json: objects[1]: ");
    oban_sim_destroy(sim);
}

static void scene_that_is_not_there(void **state)
{
    oban_sim *sim = make_sim(100, true);
    (void)state;
    assert_false(oban_store_load_scene(sim, &plain_alloc, "/nonexistent/scene.json"));
    has(log_read(), "ERROR --scene /nonexistent/scene.json: No such file or directory");
    oban_sim_destroy(sim);
}

#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORE_TEST(folders),
        STORE_TEST(one_file_by_name),
        STORE_TEST(bad_files_are_left_out),
        STORE_TEST(missing_path),
        STORE_TEST(same_name_twice),
        STORE_TEST(keys_max_and_one_over),
        STORE_TEST(anims_max_and_one_over),
        STORE_TEST(good_scene),
        STORE_TEST(scene_with_faults),
        STORE_TEST(scene_that_is_no_json),
        STORE_TEST(scene_with_unknown_animations),
        STORE_TEST(scene_that_cannot_be_built),
        STORE_TEST(scene_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
