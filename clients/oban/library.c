/* SPDX-License-Identifier: MIT */
/* See library.h. */
#include "clients/oban/library.h"

#include "clients/oban/options.h"
#include "clients/oban/read.h"
#include "clients/oban/resample.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void library_init(tool_library *library)
{
    memset(library, 0, sizeof *library);
}

void library_fini(tool_library *library)
{
    for (uint32_t i = 0; i < library->clip_count; i++) {
        oban_clip_destroy(library->clips[i].clip);
    }
    for (uint32_t i = 0; i < library->file_count; i++) {
        oban_file_faults_fini(&library->files[i].faults);
        oban_level_fini(&library->files[i].objects);
        free(library->files[i].path);
    }
    free(library->clips);
    free(library->files);
    memset(library, 0, sizeof *library);
}

const char *library_path_of(const tool_library *library, const tool_clip *clip)
{
    return library->files[clip->file].path;
}

/* ---- one file -------------------------------------------------------------------------------- */

/* Room grows by doubling: `count` is a power of two, or 0, when it is full. */
static bool is_full(uint32_t count)
{
    return (count & (count - 1)) == 0;
}

static tool_file *add_file(tool_library *library, const char *path)
{
    uint32_t count = library->file_count;

    if (is_full(count)) {
        size_t room = count == 0 ? 1 : (size_t)count * 2;
        library->files = memory_resize(library->files, room * sizeof *library->files);
    }
    tool_file *file = &library->files[library->file_count++];
    memset(file, 0, sizeof *file);
    file->path = memory_string(path);
    file->first = library->clip_count;
    oban_file_faults_init(&file->faults, memory_alloc());
    oban_level_init(&file->objects, memory_alloc());
    return file;
}

static void add_clip(tool_library *library, oban_clip *clip, const oban_clip_file_item *item)
{
    uint32_t count = library->clip_count;

    if (is_full(count)) {
        size_t room = count == 0 ? 1 : (size_t)count * 2;
        library->clips = memory_resize(library->clips, room * sizeof *library->clips);
    }
    library->clips[library->clip_count++] =
        (tool_clip){clip, library->file_count - 1, item->line, item->offset};
}

/* With --every-frame or a tolerance the rows of a table become other keys; the formats of models do
 * so by themselves. */
static oban_clip *resampled(oban_clip *clip, const tool_import *import)
{
    oban_tolerance tolerance = {import->tolerance, import->tolerance_angle};
    oban_clip_def def = oban_clip_def_of(clip);
    oban_clip *made = NULL;
    oban_key *keys = resample(clip, import->reduce ? &tolerance : NULL, &def.key_count);

    def.keys = keys;
    bool good = oban_clip_create(memory_alloc(), &def, &made, NULL) == OBAN_OK;
    free(keys);
    if (!good) { /* only when positions leave float32 between two keys */
        return clip;
    }
    oban_clip_destroy(clip);
    return made;
}

static void add_fault(tool_file *file, const char *message)
{
    oban_file_fault spare;
    oban_file_fault *fault = oban_file_faults_add(&file->faults, OBAN_SEVERITY_ERROR, &spare);
    oban_line_add(&fault->message, message);
}

static void note_lines(tool_file *file, const char *bytes, size_t size)
{
    const char *end = memchr(bytes, '\n', size);

    file->mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    file->crlf = end != NULL && end > bytes && end[-1] == '\r';
}

static bool same_fault(const oban_file_fault *a, const oban_file_fault *b)
{
    return a->line == b->line && a->column == b->column && a->offset == b->offset &&
           strcmp(a->message.data, b->message.data) == 0;
}

/* Takes over the faults of a second reading of the same bytes: what both found is told once. */
static void add_new_faults(oban_file_faults *faults, const oban_file_faults *more)
{
    uint32_t before = faults->count;

    for (uint32_t i = 0; i < more->count; i++) {
        oban_file_fault spare;
        bool known = false;
        for (uint32_t k = 0; k < before && !known; k++) {
            known = same_fault(&faults->items[k], &more->items[i]);
        }
        if (!known) {
            *oban_file_faults_add(faults, more->items[i].severity, &spare) = more->items[i];
        }
    }
    faults->more += more->more;
}

static void read_clips(tool_library *library, tool_file *file, const char *name, const char *bytes,
                       size_t size)
{
    oban_clip_file read;
    oban_status status = file->format->read(memory_alloc(), oban_text_of(name), bytes, size,
                                            &library->import, &read);
    if (status == OBAN_NO_MEMORY) {
        memory_out();
    }
    for (uint32_t i = 0; i < read.count; i++) {
        oban_clip *clip = oban_clip_file_take(&read, i);
        if (file->format->is_table && (library->import.every_frame || library->import.reduce)) {
            clip = resampled(clip, &library->import);
        }
        add_clip(library, clip, &read.items[i]);
        file->count++;
    }
    file->faults = read.faults; /* taken over */
    oban_file_faults_init(&read.faults, memory_alloc());
    oban_clip_file_fini(&read);
}

static void read_objects(tool_file *file, const char *bytes, size_t size)
{
    oban_status status = file->format->read_objects(bytes, size, &file->objects);

    if (status == OBAN_NO_MEMORY) {
        memory_out();
    }
    if (status != OBAN_OK || !file->format->is_table) {
        add_new_faults(&file->faults, &file->objects.faults);
        oban_file_faults_fini(&file->objects.faults);
        oban_file_faults_init(&file->objects.faults, memory_alloc());
    }
}

static void read_bytes(tool_library *library, tool_file *file, const char *bytes, size_t size)
{
    const char *name = strcmp(file->path, "-") == 0 ? "stdin" : read_base_name(file->path);

    file->format = format_of_bytes(name, bytes, size);
    if (size == 0) {
        add_fault(file, "it is empty");
        return;
    }
    if (file->format == NULL || file->format->read == NULL) {
        add_fault(file, "neither its first bytes nor its name tell a format of animations");
        return;
    }
    note_lines(file, bytes, size);
    read_clips(library, file, name, bytes, size);
    if (file->format->read_objects != NULL && file->faults.errors == 0) {
        read_objects(file, bytes, size);
    }
}

static tool_file *load_file(tool_library *library, const char *path)
{
    char *bytes = NULL;
    size_t size = 0;
    const char *why = NULL;
    tool_file *file = add_file(library, path);

    tell_progress("reading", library->file_count, 0);
    if (read_file(path, &bytes, &size, &why)) {
        read_bytes(library, file, bytes, size);
        free(bytes);
    } else {
        add_fault(file, why);
    }
    return file;
}

/* ---- folders --------------------------------------------------------------------------------- */

static int is_known(const struct dirent *entry)
{
    return format_of_name(entry->d_name) != NULL;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* whatever the locale */
}

static void load_folder(tool_library *library, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_known, by_bytes);

    if (count < 0) {
        add_fault(add_file(library, folder), strerror(errno));
    } else if (count == 0) {
        add_fault(add_file(library, folder), "no file of animations lies in it");
    }
    for (int i = 0; i < count; i++) {
        struct stat found;
        char *path = NULL;
        const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";

        if (asprintf(&path, "%s%s%s", folder, slash, entries[i]->d_name) < 0) {
            memory_out();
        }
        if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode)) {
            load_file(library, path)->from_folder = true;
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
}

void library_load(tool_library *library, const char *path)
{
    struct stat found;

    if (strcmp(path, "-") != 0 && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
        load_folder(library, path);
    } else {
        (void)load_file(library, path);
    }
}

void library_load_all(tool_library *library, char **paths, uint32_t count)
{
    if (count == 0) {
        args_misuse("expected a file, a folder or - for standard input");
    }
    for (uint32_t i = 0; i < count; i++) {
        library_load(library, paths[i]);
    }
}

/* ---- what is wrong --------------------------------------------------------------------------- */

bool library_has_errors(const tool_library *library)
{
    for (uint32_t i = 0; i < library->file_count; i++) {
        if (library->files[i].faults.errors > 0) {
            return true;
        }
    }
    return false;
}

bool library_tell(const tool_library *library, bool warnings)
{
    for (uint32_t i = 0; i < library->file_count; i++) {
        const tool_file *file = &library->files[i];

        for (uint32_t k = 0; k < file->faults.count; k++) {
            if (warnings || file->faults.items[k].severity == OBAN_SEVERITY_ERROR) {
                tell_fault(file->path, &file->faults.items[k]);
            }
        }
        if (file->faults.more > 0) {
            tell(file->path, NULL, "and %u more faults", file->faults.more);
        }
    }
    return library_has_errors(library);
}

/* ---- names ----------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b, void *context)
{
    const tool_library *library = context;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    int order = strcmp(library->clips[left].clip->name, library->clips[right].clip->name);

    return order != 0 ? order : left < right ? -1 : left > right;
}

uint32_t *library_sorted(const tool_library *library)
{
    uint32_t *sorted = memory_take(((size_t)library->clip_count + 1) * sizeof *sorted);

    for (uint32_t i = 0; i < library->clip_count; i++) {
        sorted[i] = i;
    }
    tool_library context = *library;
    qsort_r(sorted, library->clip_count, sizeof *sorted, by_name, &context);
    return sorted;
}

uint32_t library_tell_twice(const tool_library *library)
{
    uint32_t *sorted = library_sorted(library);
    uint32_t told = 0;

    for (uint32_t i = 1; i < library->clip_count; i++) {
        const tool_clip *before = &library->clips[sorted[i - 1]];
        const tool_clip *one = &library->clips[sorted[i]];

        if (strcmp(before->clip->name, one->clip->name) == 0) {
            tell(library_path_of(library, one), one->clip->name,
                 "an animation of this name is in %s already", library_path_of(library, before));
            told++;
        }
    }
    free(sorted);
    return told;
}
