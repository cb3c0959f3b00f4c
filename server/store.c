/* SPDX-License-Identifier: MIT */
/* Loading animations and the scene.
 * Not here: the formats (proto/format).
 * Next: http.h. */
#include "server/store.h"

#include "proto/format/clip_file.h"
#include "proto/format/level.h"
#include "proto/format/scene_json.h"
#include "server/log.h"
#include "server/loop.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define STORE_PROGRESS_AFTER_NS 2000000000u
#define STORE_PROGRESS_EVERY_NS 200000000u
#define STORE_TEXT_BYTES 4608u /* a path and a message */

/* Which file a clip came from, to name it when a second one of its name comes. */
typedef struct store_source {
    const oban_clip *clip;
    char *path; /* shared by the clips of a file; owned by the first of them */
    bool owner;
} store_source;

typedef struct store_loader {
    oban_world *world;
    const oban_alloc *alloc;
    const oban_limits *limits;
    store_source *sources;
    size_t count;
    size_t capacity;
    uint32_t files;
    uint64_t start_ns;
    uint64_t progress_ns;
    bool full; /* anims_max is reached, and that has been told */
} store_loader;

/* ---- messages ------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void store_say(oban_log_level level, const char *event,
                                                            const char *format, ...)
{
    char text[STORE_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    oban_log_plain(level, event, text);
}

static void store_say_fault(oban_log_level level, const char *path, const oban_file_fault *fault)
{
    char place[64] = "";
    if (fault->line > 0) {
        snprintf(place, sizeof place, ":%u:%u", fault->line, fault->column);
    } else if (fault->offset != OBAN_FILE_NO_OFFSET) {
        snprintf(place, sizeof place, ":0x%llx", (unsigned long long)fault->offset);
    }
    const char *left_out =
        fault->severity == OBAN_SEVERITY_ERROR && level != OBAN_LOG_ERROR ? " (left out)" : "";
    store_say(level, "file_fault", "%s%s: %s%s%s%s", path, place, fault->clip,
              fault->clip[0] != '\0' ? ": " : "", fault->message.data, left_out);
}

static void store_say_faults(oban_log_level level, const char *path, const oban_file_faults *faults)
{
    for (uint32_t i = 0; i < faults->count; i++) {
        store_say_fault(level, path, &faults->items[i]);
    }
    if (faults->more > 0) {
        store_say(level, "file_fault", "%s: and %u more faults", path, faults->more);
    }
}

static void store_progress(store_loader *store)
{
    uint64_t now = oban_loop_now_ns();
    char text[96];
    if (now - store->start_ns < STORE_PROGRESS_AFTER_NS ||
        now - store->progress_ns < STORE_PROGRESS_EVERY_NS) {
        return;
    }
    store->progress_ns = now;
    snprintf(text, sizeof text, "loading: %u files, %u animations", store->files,
             oban_world_clip_count(store->world));
    oban_log_progress(text);
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool store_read_all(int fd, char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = read(fd, bytes + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            errno = n == 0 ? EIO : errno; /* it has shrunk while it was read */
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

/* The bytes of a file, to be given back with free; NULL with a reason. Non-blocking, so that a pipe
 * of that name does not hold the start up. */
static char *store_read(const char *path, size_t *size, const char **why)
{
    struct stat found;
    char *bytes = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &found) != 0) {
        *why = strerror(errno);
    } else if (!S_ISREG(found.st_mode)) {
        *why = "is no file";
    } else if (found.st_size > (off_t)OBAN_STORE_FILE_BYTES_MAX) {
        *why = "is over 256 MiB";
    } else {
        *size = (size_t)found.st_size;
        bytes = malloc(*size + 1);
        if (bytes == NULL || !store_read_all(fd, bytes, *size)) {
            *why = strerror(errno);
            free(bytes);
            bytes = NULL;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return bytes;
}

/* ---- animations ----------------------------------------------------------------------------- */

static const char *store_path_of(const store_loader *store, const oban_clip *clip)
{
    for (size_t i = 0; i < store->count; i++) {
        if (store->sources[i].clip == clip) {
            return store->sources[i].path;
        }
    }
    return "?";
}

static bool store_remember(store_loader *store, const oban_clip *clip, const char *path)
{
    bool same = store->count > 0 && strcmp(store->sources[store->count - 1].path, path) == 0;
    if (store->count == store->capacity) {
        size_t capacity = store->capacity == 0 ? 64 : store->capacity * 2;
        store_source *sources = realloc(store->sources, capacity * sizeof *sources);
        if (sources == NULL) {
            return false;
        }
        store->sources = sources;
        store->capacity = capacity;
    }
    char *kept = same ? store->sources[store->count - 1].path : strdup(path);
    if (kept == NULL) {
        return false;
    }
    store->sources[store->count++] = (store_source){.clip = clip, .path = kept, .owner = !same};
    return true;
}

static void store_say_refused(store_loader *store, const oban_clip *clip, const char *path,
                              oban_status status)
{
    bool other_case = false;
    const oban_clip *first =
        oban_world_clip_find(store->world, oban_text_of(clip->name), &other_case);
    if (status == OBAN_LIMIT) {
        if (!store->full) {
            store_say(OBAN_LOG_WARN, "anims_max",
                      "%s: %s is left out, and all that come after it: the limit anims-max is %llu",
                      path, clip->name, (unsigned long long)store->limits->anims_max);
        }
        store->full = true;
    } else if (status == OBAN_BAD_CLIP && first != NULL && !other_case) {
        store_say(OBAN_LOG_WARN, "anim_twice", "%s: %s is left out: it is in %s already", path,
                  clip->name, store_path_of(store, first));
    } else {
        store_say(OBAN_LOG_WARN, "anim_refused", "%s: %s is left out: %s", path, clip->name,
                  oban_status_meaning(status));
    }
}

/* Hands one clip to the world. Returns false when memory is out. */
static bool store_add(store_loader *store, oban_clip *clip, const char *path)
{
    if (clip->key_count > store->limits->keys_max) {
        store_say(OBAN_LOG_WARN, "keys_max",
                  "%s: %s is left out: it has %u keys, the limit keys-max is %llu", path,
                  clip->name, clip->key_count, (unsigned long long)store->limits->keys_max);
        oban_clip_destroy(clip);
        return true;
    }
    oban_status status = oban_world_clip_add(store->world, clip);
    if (status == OBAN_OK) {
        return store_remember(store, clip, path);
    }
    store_say_refused(store, clip, path, status);
    oban_clip_destroy(clip);
    return status != OBAN_NO_MEMORY;
}

static const char *store_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool store_load_bytes(store_loader *store, const char *path, const char *bytes, size_t size)
{
    oban_clip_file file;
    oban_status status =
        oban_clip_file_read(store->alloc, oban_text_of(store_base_name(path)), bytes, size, &file);
    bool good = status != OBAN_NO_MEMORY;
    store_say_faults(OBAN_LOG_WARN, path, &file.faults);
    for (uint32_t i = 0; i < file.count && good; i++) {
        oban_clip *clip = oban_clip_file_take(&file, i);
        good = clip == NULL || store_add(store, clip, path);
    }
    oban_clip_file_fini(&file);
    return good;
}

static bool store_load_file(store_loader *store, const char *path)
{
    size_t size = 0;
    const char *why = NULL;
    char *bytes = store_read(path, &size, &why);
    if (bytes == NULL) {
        store_say(OBAN_LOG_WARN, "file_fault", "%s: %s (left out)", path, why);
        return true;
    }
    bool good = store_load_bytes(store, path, bytes, size);
    free(bytes);
    store->files++;
    store_progress(store);
    if (!good) {
        store_say(OBAN_LOG_ERROR, "memory", "%s: memory is out", path);
    }
    return good;
}

static int store_is_anim(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && (strcasecmp(dot, ".xml") == 0 || strcasecmp(dot, ".oni") == 0);
}

static int store_compare(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* bytes, whatever the locale */
}

static bool store_load_folder(store_loader *store, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, store_is_anim, store_compare);
    bool good = count >= 0;
    if (!good) {
        store_say(OBAN_LOG_ERROR, "anims", "--anims %s: %s", folder, strerror(errno));
    }
    for (int i = 0; i < count; i++) {
        struct stat found;
        char *path = NULL;
        const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
        if (good && asprintf(&path, "%s%s%s", folder, slash, entries[i]->d_name) < 0) {
            path = NULL;
            good = false;
        }
        if (path != NULL && (stat(path, &found) != 0 || !S_ISDIR(found.st_mode))) {
            good = store_load_file(store, path);
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
    return good;
}

static bool store_load_path(store_loader *store, const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        store_say(OBAN_LOG_ERROR, "anims", "--anims %s: %s", path, strerror(errno));
        return false;
    }
    return S_ISDIR(found.st_mode) ? store_load_folder(store, path) : store_load_file(store, path);
}

bool oban_store_load_anims(oban_world *world, const oban_alloc *alloc,
                           const oban_option_list *levels, const oban_option_list *paths,
                           const oban_limits *limits)
{
    store_loader store = {
        .world = world, .alloc = alloc, .limits = limits, .start_ns = oban_loop_now_ns()};
    bool good = true;
    for (uint32_t i = 0; i < levels->count && good; i++) {
        good = store_load_file(&store, levels->items[i]);
    }
    for (uint32_t i = 0; i < paths->count && good; i++) {
        good = store_load_path(&store, paths->items[i]);
    }
    if (good && levels->count + paths->count > 0) {
        bool none = oban_world_clip_count(world) == 0;
        oban_log(none ? OBAN_LOG_WARN : OBAN_LOG_INFO, "loaded",
                 none ? "no animations loaded" : "animations loaded",
                 OBAN_LOG_U64("animations", oban_world_clip_count(world)),
                 OBAN_LOG_U64("files", store.files),
                 OBAN_LOG_U64("ms", (oban_loop_now_ns() - store.start_ns) / 1000000u));
    }
    for (size_t i = 0; i < store.count; i++) {
        if (store.sources[i].owner) {
            free(store.sources[i].path);
        }
    }
    free(store.sources);
    return good;
}

/* ---- levels --------------------------------------------------------------------------------- */

static bool store_find_anim(void *context, oban_text name, oban_line *line)
{
    bool other_case = false;
    const oban_clip *clip = oban_world_clip_find(context, name, &other_case);
    if (clip != NULL && other_case) {
        store_say(OBAN_LOG_WARN, "scene",
                  "animation '%.*s' is taken as '%s', which differs in case", (int)name.bytes,
                  name.data, clip->name);
    }
    if (clip != NULL) {
        return true;
    }
    oban_world_clip_missing(context, name, line);
    return false;
}

/* The records of a level: one that the world refuses is left out. */
static bool store_build_level(oban_sim *sim, const oban_scene *scene, const char *path)
{
    uint32_t built = scene->count;
    for (uint32_t start = 0; start < scene->count;) {
        uint32_t index = 0;
        oban_result result;
        oban_status status =
            oban_sim_scene(sim, scene->commands + start, scene->count - start, &index, &result);
        if (status == OBAN_NO_MEMORY) {
            store_say(OBAN_LOG_ERROR, "memory", "%s: memory is out", path);
            return false;
        }
        start += index + 1;
        if (status != OBAN_OK) {
            built--;
            store_say(OBAN_LOG_WARN, "level", "%s: object %d: %s (left out)", path,
                      scene->commands[start - 1].object,
                      result.message.bytes > 0 ? result.message.data : oban_status_meaning(status));
        }
    }
    oban_log(OBAN_LOG_INFO, "level", "level loaded", OBAN_LOG_STR("file", path),
             OBAN_LOG_U64("records", built));
    return true;
}

static bool store_build_records(oban_sim *sim, const oban_level *level, const char *path)
{
    oban_scene scene;
    const oban_scene_anims anims = {store_find_anim, oban_sim_world(sim)};
    bool good = oban_level_scene(level, &anims, &scene) == OBAN_OK;
    store_say_faults(OBAN_LOG_WARN, path, &scene.faults);
    good = good && store_build_level(sim, &scene, path);
    oban_scene_fini(&scene);
    return good;
}

/* Adds the objects of a file to those of others: records of one number in several files are parts
 * of it too. */
static bool store_add_level(oban_level *all, const oban_alloc *alloc, const char *path,
                            const char *bytes, size_t size)
{
    oban_level level;
    bool good = oban_level_read(alloc, bytes, size, &level) == OBAN_OK;
    store_say_faults(good ? OBAN_LOG_WARN : OBAN_LOG_ERROR, path, &level.faults);
    for (uint32_t i = 0; i < level.count && good; i++) {
        oban_level_object *object = oban_level_add(all);
        good = object != NULL;
        if (good) {
            *object = level.objects[i];
        }
    }
    oban_level_fini(&level);
    return good;
}

bool oban_store_load_levels(oban_sim *sim, const oban_alloc *alloc, const oban_option_list *paths)
{
    oban_level all;
    bool good = true;
    oban_level_init(&all, alloc);
    for (uint32_t i = 0; i < paths->count && good; i++) {
        size_t size = 0;
        const char *why = NULL;
        char *bytes = store_read(paths->items[i], &size, &why);
        if (bytes == NULL) {
            store_say(OBAN_LOG_ERROR, "level", "--level %s: %s", paths->items[i], why);
        }
        good = bytes != NULL && store_add_level(&all, alloc, paths->items[i], bytes, size);
        free(bytes);
    }
    if (good && paths->count > 0) {
        good = store_build_records(sim, &all, paths->items[paths->count - 1]);
    }
    oban_level_fini(&all);
    return good;
}

/* ---- the scene ------------------------------------------------------------------------------ */

static bool store_build_scene(oban_sim *sim, const oban_scene *scene, const char *path)
{
    uint32_t index = 0;
    oban_result result;
    oban_status status = oban_sim_scene(sim, scene->commands, scene->count, &index, &result);
    if (status == OBAN_OK) {
        oban_log(OBAN_LOG_INFO, "scene", "scene built", OBAN_LOG_STR("file", path),
                 OBAN_LOG_U64("commands", scene->count));
        return true;
    }
    const char *message =
        result.message.bytes > 0 ? result.message.data : oban_status_meaning(status);
    oban_op op = scene->commands[index].op;
    uint32_t in_list = 0; /* those of its kind in front of it */
    for (uint32_t i = 0; i < index; i++) {
        in_list += scene->commands[i].op == op ? 1u : 0u;
    }
    if (op == OBAN_OP_OBJ_DEFINE || op == OBAN_OP_DOOR_DEFINE) {
        store_say(OBAN_LOG_ERROR, "scene", "%s: %s[%u]: %s", path,
                  op == OBAN_OP_OBJ_DEFINE ? "objects" : "doors", in_list, message);
    } else {
        store_say(OBAN_LOG_ERROR, "scene", "%s: camera: %s", path, message);
    }
    return false;
}

/* XML: records of a level, all at once. */
static bool store_load_level_scene(oban_sim *sim, const oban_alloc *alloc, const char *path,
                                   const char *bytes, size_t size)
{
    oban_level level;
    oban_level_init(&level, alloc);
    bool good =
        store_add_level(&level, alloc, path, bytes, size) && store_build_records(sim, &level, path);
    oban_level_fini(&level);
    return good;
}

bool oban_store_load_scene(oban_sim *sim, const oban_alloc *alloc, const char *path)
{
    size_t size = 0;
    const char *why = NULL;
    oban_scene scene;
    char *bytes = store_read(path, &size, &why);
    if (bytes == NULL) {
        store_say(OBAN_LOG_ERROR, "scene", "--scene %s: %s", path, why);
        return false;
    }
    if (oban_level_xml_looks_like(bytes, size)) {
        bool built = store_load_level_scene(sim, alloc, path, bytes, size);
        free(bytes);
        return built;
    }
    const oban_scene_anims anims = {store_find_anim, oban_sim_world(sim)};
    oban_status status =
        oban_scene_read(alloc, (oban_text){.data = bytes, .bytes = (uint32_t)size}, &anims, &scene);
    free(bytes);
    bool good = status == OBAN_OK;
    store_say_faults(good ? OBAN_LOG_WARN : OBAN_LOG_ERROR, path, &scene.faults);
    if (!good && scene.faults.count == 0) {
        store_say(OBAN_LOG_ERROR, "scene", "%s: %s", path, oban_status_meaning(status));
    }
    good = good && store_build_scene(sim, &scene, path);
    oban_scene_fini(&scene);
    return good;
}
