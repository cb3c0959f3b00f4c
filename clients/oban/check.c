/* SPDX-License-Identifier: MIT */
/* `oban check`: all that is wrong or doubtful, one line each, and what mends it; silent on what is
 * clean. What a reader found comes first, then what only a tool asks.
 * Next: core/anim/clip_doubt.h. */
#include "clients/oban/command.h"
#include "clients/oban/library.h"
#include "clients/oban/read.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"
#include "core/anim/clip_doubt.h"
#include "proto/format/scene_json.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where keys lie in an instance's data, and how long one is; oni-formats 3. */
#define CHECK_KEYS_AT 0x78u
#define CHECK_KEY_BYTES 0x20u

const tool_option check_options[] = {
    {"errors", 'e', NULL, "only what keeps an animation from being used"},
    {0},
};

const char check_more[] =
    "One line for each finding on standard error, as FILE: where: what; and what mends it. Exit\n"
    "code 0 and no word when all is clean, else 1. With --json also all findings as JSON on\n"
    "standard output. Besides what the daemon refuses or warns of: a frame count that is not last\n"
    "key + 1, quaternions that turn their sign, jumps, a half stop beyond the end, a base that\n"
    "shears, unknown flags, names that .oni cannot hold, one name in two files.\n";

typedef struct check {
    bool errors_only;
    bool json;
    uint32_t found;
    oban_writer list; /* of all findings, when JSON is wanted */
} check;

static void json_place(oban_writer *writer, const oban_file_fault *fault)
{
    if (fault->line > 0) {
        oban_writer_key(writer, "line");
        oban_writer_u64(writer, fault->line);
    }
    if (fault->line > 0 && fault->column > 0) {
        oban_writer_key(writer, "column");
        oban_writer_u64(writer, fault->column);
    }
    if (fault->line == 0 && fault->offset != OBAN_FILE_NO_OFFSET) {
        oban_writer_key(writer, "offset");
        oban_writer_u64(writer, fault->offset);
    }
}

static void json_fault(oban_writer *writer, const char *path, const oban_file_fault *fault)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "file");
    oban_writer_string(writer, path);
    json_place(writer, fault);
    oban_writer_key(writer, "severity");
    oban_writer_string(writer, fault->severity == OBAN_SEVERITY_ERROR ? "error" : "warning");
    if (fault->clip[0] != '\0') {
        oban_writer_key(writer, "clip");
        oban_writer_string(writer, fault->clip);
    }
    oban_writer_key(writer, "what");
    oban_writer_string(writer, fault->message.data);
    oban_writer_key(writer, "fix");
    oban_writer_string(writer, fault->fix);
    oban_writer_object_end(writer);
}

static void report(check *into, const char *path, const oban_file_fault *fault)
{
    if (into->errors_only && fault->severity != OBAN_SEVERITY_ERROR) {
        return;
    }
    into->found++;
    tell_fault(path, fault);
    if (into->json) {
        json_fault(&into->list, path, fault);
    }
}

/* ---- what a reader found --------------------------------------------------------------------- */

static void report_file(check *into, const tool_file *file)
{
    for (uint32_t i = 0; i < file->faults.count; i++) {
        report(into, file->path, &file->faults.items[i]);
    }
    if (file->faults.more > 0) {
        oban_file_fault more = {.severity = OBAN_SEVERITY_ERROR, .offset = OBAN_FILE_NO_OFFSET};
        oban_line_add(&more.message, "and ");
        oban_line_add_u64(&more.message, file->faults.more);
        oban_line_add(&more.message, " more findings");
        report(into, file->path, &more);
    }
}

/* ---- what only a tool asks ------------------------------------------------------------------- */

/* A doubt about a clip, at its place in the file. */
static oban_file_fault doubt_at(const tool_clip *one)
{
    oban_file_fault fault = {
        .severity = OBAN_SEVERITY_WARNING, .line = one->line, .offset = one->offset};
    memcpy(fault.clip, one->clip->name, sizeof fault.clip);
    return fault;
}

static void report_doubts(check *into, const tool_library *library, const tool_clip *one)
{
    oban_clip_doubt doubts[OBAN_DOUBT_COUNT];
    uint32_t count = oban_clip_doubts(one->clip, doubts);

    for (uint32_t i = 0; i < count; i++) {
        oban_file_fault fault = doubt_at(one);
        oban_clip_doubt_line(&doubts[i], &fault.message);
        fault.fix = oban_clip_doubt_fix(doubts[i].code);
        if (one->line == 0 && one->offset != OBAN_FILE_NO_OFFSET && doubts[i].key > 0) {
            fault.offset += CHECK_KEYS_AT + (uint64_t)doubts[i].key * CHECK_KEY_BYTES;
        }
        report(into, library_path_of(library, one), &fault);
    }
}

/* ---- scenes ---------------------------------------------------------------------------------- */

/* Names in byte order, for many objects. */
typedef struct check_names {
    const tool_library *library;
    uint32_t *sorted;
} check_names;

static const oban_clip *find_name(const check_names *names, oban_text name)
{
    uint32_t low = 0;
    uint32_t high = names->library->clip_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const oban_clip *clip = names->library->clips[names->sorted[middle]].clip;
        int order = strncmp(clip->name, name.data, name.bytes);
        order = order == 0 && clip->name[name.bytes] != '\0' ? 1 : order;
        if (order == 0) {
            return clip;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

static bool find_anim(void *context, oban_text name, oban_line *line)
{
    if (name.bytes > 0 && find_name(context, name) != NULL) {
        return true;
    }
    oban_line_add(line, "no animation '");
    oban_line_add_text(line, name);
    oban_line_add(line, "' is among those that are checked");
    return false;
}

static bool is_scene(const tool_file *file)
{
    return file->objects.count > 0 && strcmp(file->format->name, "json") == 0;
}

/* A good scene once more, with the names of its animations, when there are any to look among. */
static void report_scene(check *into, tool_library *library, const tool_file *file)
{
    check_names names = {library, NULL};
    oban_scene_anims anims = {find_anim, &names};
    const char *why = NULL;
    char *bytes = NULL;
    size_t size = 0;
    oban_scene scene;

    if (!is_scene(file) || library->clip_count == 0 || file->faults.errors > 0 ||
        strcmp(file->path, "-") == 0 || !read_file(file->path, &bytes, &size, &why)) {
        return;
    }
    names.sorted = library_sorted(library);
    (void)oban_scene_read(memory_alloc(), (oban_text){bytes, (uint32_t)size}, &anims, &scene);
    for (uint32_t i = 0; i < scene.faults.count; i++) {
        report(into, file->path, &scene.faults.items[i]);
    }
    oban_scene_fini(&scene);
    free(names.sorted);
    free(bytes);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names that are in two files, or that differ by case only: `sorted` has equal ones side by side.
 */
static void report_twice(check *into, const tool_library *library, const tool_clip *before,
                         const tool_clip *one)
{
    oban_file_fault fault = doubt_at(one);

    oban_line_add(&fault.message, "its name is in ");
    oban_line_add(&fault.message, library_path_of(library, before));
    oban_line_add(&fault.message, strcmp(before->clip->name, one->clip->name) == 0
                                      ? " too: the first counts"
                                      : " too, in other case");
    fault.fix = "give one of them another name";
    report(into, library_path_of(library, one), &fault);
}

static int by_name_nocase(const void *a, const void *b, void *context)
{
    const tool_library *library = context;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    int order = strcasecmp(library->clips[left].clip->name, library->clips[right].clip->name);

    return order != 0 ? order : left < right ? -1 : left > right;
}

static void report_names(check *into, tool_library *library)
{
    uint32_t *sorted = library_sorted(library);

    qsort_r(sorted, library->clip_count, sizeof *sorted, by_name_nocase, library);
    for (uint32_t i = 1; i < library->clip_count; i++) {
        const tool_clip *before = &library->clips[sorted[i - 1]];
        const tool_clip *one = &library->clips[sorted[i]];
        if (strcasecmp(before->clip->name, one->clip->name) == 0) {
            report_twice(into, library, before, one);
        }
    }
    free(sorted);
}

/* ---- the command ----------------------------------------------------------------------------- */

static tool_exit print_json(check *into, const tool_library *library)
{
    oban_writer all;

    oban_writer_init(&all, memory_alloc());
    oban_writer_object_begin(&all);
    oban_writer_key(&all, "files");
    oban_writer_u64(&all, library->file_count);
    oban_writer_key(&all, "clips");
    oban_writer_u64(&all, library->clip_count);
    oban_writer_key(&all, "faults");
    oban_writer_array_begin(&all);
    if (into->list.bytes > 0) {
        oban_writer_raw(&all, into->list.data, into->list.bytes);
    }
    oban_writer_array_end(&all);
    oban_writer_object_end(&all);
    return tell_json(&all);
}

tool_exit check_run(tool_args *args)
{
    tool_library library;
    check into = {.errors_only = args_has(args, "errors"), .json = args->json};
    tool_exit done = TOOL_DONE;

    oban_writer_init(&into.list, memory_alloc());
    library_init(&library);
    library_load_all(&library, args->words, args->word_count);
    for (uint32_t i = 0; i < library.file_count; i++) {
        const tool_file *file = &library.files[i];
        report_file(&into, file);
        for (uint32_t k = 0; k < file->count; k++) {
            report_doubts(&into, &library, &library.clips[file->first + k]);
        }
        report_scene(&into, &library, file);
    }
    report_names(&into, &library);
    if (into.json) {
        done = print_json(&into, &library);
    }
    library_fini(&library);
    oban_writer_fini(&into.list);
    return done == TOOL_DONE && into.found > 0 ? TOOL_REFUSED : done;
}
