/* SPDX-License-Identifier: MIT */
/* See outputs.h. */
#include "clients/oban/outputs.h"

#include "clients/oban/objects.h"
#include "clients/oban/read.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define OUTPUT_PREFIX "OBAN"

static tool_output *add_output(tool_outputs *outputs, char *path, uint32_t room)
{
    uint32_t count = outputs->count;

    if ((count & (count - 1)) == 0) {
        size_t items = count == 0 ? 1 : (size_t)count * 2;
        outputs->items = memory_resize(outputs->items, items * sizeof *outputs->items);
    }
    tool_output *output = &outputs->items[outputs->count++];
    memset(output, 0, sizeof *output);
    output->path = path;
    output->clips = memory_take(((size_t)room + 1) * sizeof *output->clips);
    return output;
}

void outputs_fini(tool_outputs *outputs)
{
    for (uint32_t i = 0; i < outputs->count; i++) {
        free(outputs->items[i].path);
        free(outputs->items[i].clips);
    }
    free(outputs->items);
    memset(outputs, 0, sizeof *outputs);
}

void outputs_one(tool_outputs *outputs, const tool_library *library, const char *path, bool clips)
{
    tool_output *output = add_output(outputs, memory_string(path), library->clip_count);

    for (uint32_t i = 0; clips && i < library->clip_count; i++) {
        output->clips[output->count++] = i;
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

char *outputs_name_of(const char *path)
{
    oban_line name;
    const char *base = read_base_name(path);

    oban_clip_file_name(oban_text_of(base), &name);
    return memory_string(name.data);
}

static bool is_forbidden(unsigned char c)
{
    return c < 0x20 || c == 0x7f || strchr("\"%*/:<>?\\|", c) != NULL;
}

/* OBAN<name> with %XX for what is forbidden and for the first `letters` letters. */
static char *file_stem(const char *name, uint32_t letters)
{
    char *stem = memory_take(sizeof OUTPUT_PREFIX + 3 * strlen(name));
    char *at = stem + sprintf(stem, OUTPUT_PREFIX);

    for (; *name != '\0'; name++) {
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
        if (is_forbidden((unsigned char)*name) || (letter && letters > 0)) {
            at += sprintf(at, "%%%02X", (unsigned)(unsigned char)*name);
            letters -= letter && letters > 0 ? 1 : 0;
        } else {
            *at++ = *name;
        }
    }
    *at = '\0';
    return stem;
}

/* The name of the source without its extension, when it names the animation; else NULL. */
static char *source_stem(const tool_library *library, const tool_clip *one)
{
    const tool_file *file = &library->files[one->file];
    const char *base = read_base_name(file->path);
    char *name = outputs_name_of(file->path);
    bool same =
        file->count == 1 && strcmp(file->path, "-") != 0 && strcmp(name, one->clip->name) == 0;
    char *stem = same ? memory_string(base) : NULL;

    free(name);
    if (stem != NULL && strrchr(stem, '.') != NULL) {
        *strrchr(stem, '.') = '\0';
    }
    return stem;
}

static char *join(const char *folder, const char *stem, const tool_format *format)
{
    char *path = NULL;
    size_t bytes = strlen(folder);
    const char *slash = bytes > 0 && folder[bytes - 1] != '/' ? "/" : "";

    if (asprintf(&path, "%s%s%s.%s", folder, slash, stem, format->name) < 0) {
        memory_out();
    }
    return path;
}

/* The folder of a source, with its slash; "" for this one. */
static char *folder_of(const char *path)
{
    char *folder = memory_string(path);
    folder[read_base_name(path) - path] = '\0';
    return folder;
}

/* Owns: free. */
static char *path_for(const tool_library *library, const tool_clip *one, const char *folder,
                      const tool_format *format, uint32_t letters)
{
    char *stem = letters == 0 ? source_stem(library, one) : NULL;
    char *beside = folder == NULL ? folder_of(library_path_of(library, one)) : NULL;
    char *path;

    stem = stem != NULL ? stem : file_stem(one->clip->name, letters);
    path = join(folder != NULL ? folder : beside, stem, format);
    free(stem);
    free(beside);
    return path;
}

static int by_name_nocase(const void *a, const void *b, void *context)
{
    const tool_library *library = context;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    const char *one = library->clips[left].clip->name;
    const char *other = library->clips[right].clip->name;
    int order = strcasecmp(one, other);

    order = order != 0 ? order : strcmp(one, other);
    return order != 0 ? order : left < right ? -1 : left > right;
}

void outputs_each(tool_outputs *outputs, const tool_library *library, const char *folder,
                  const tool_format *format)
{
    tool_library context = *library;
    uint32_t *sorted = library_sorted(library);
    uint32_t letters = 0;

    qsort_r(sorted, library->clip_count, sizeof *sorted, by_name_nocase, &context);
    for (uint32_t i = 0; i < library->clip_count; i++) {
        const tool_clip *one = &library->clips[sorted[i]];
        const tool_clip *before = i > 0 ? &library->clips[sorted[i - 1]] : NULL;
        bool clash = before != NULL && folder != NULL &&
                     strcasecmp(before->clip->name, one->clip->name) == 0 &&
                     strcmp(before->clip->name, one->clip->name) != 0;
        letters = clash ? letters + 1 : 0;
        tool_output *output =
            add_output(outputs, path_for(library, one, folder, format, letters), 1);
        output->clips[output->count++] = sorted[i];
        output->file = one->file;
    }
    free(sorted);
}

void outputs_one_of_objects(tool_outputs *outputs, const char *path)
{
    tool_output *output = add_output(outputs, memory_string(path), 0);

    output->objects = true;
    output->file = OBJECTS_ALL;
}

void outputs_objects(tool_outputs *outputs, const tool_library *library, const char *folder,
                     const tool_format *format)
{
    for (uint32_t i = 0; i < library->file_count; i++) {
        const tool_file *file = &library->files[i];
        const char *base = strcmp(file->path, "-") == 0 ? "stdin" : read_base_name(file->path);
        const char *dot = strrchr(base, '.');
        int bytes = dot != NULL ? (int)(dot - base) : (int)strlen(base);
        char *stem = NULL;

        if (file->objects.count == 0) {
            continue;
        }
        if (asprintf(&stem, "%s%.*s", file->count > 0 ? "OBOA" : "", bytes, base) < 0) {
            memory_out();
        }
        char *beside = folder_of(file->path);
        tool_output *output =
            add_output(outputs, join(folder != NULL ? folder : beside, stem, format), 0);
        output->objects = true;
        output->file = i;
        free(beside);
        free(stem);
    }
}

/* ---- what stands against it ------------------------------------------------------------------ */

static int by_path(const void *a, const void *b)
{
    return strcmp((*(const tool_output *const *)a)->path, (*(const tool_output *const *)b)->path);
}

static bool check_one_path(const tool_outputs *outputs, const tool_library *library)
{
    const tool_output **sorted = memory_take(((size_t)outputs->count + 1) * sizeof *sorted);
    bool good = true;

    for (uint32_t i = 0; i < outputs->count; i++) {
        sorted[i] = &outputs->items[i];
    }
    qsort(sorted, outputs->count, sizeof(const tool_output *), by_path);
    for (uint32_t i = 1; i < outputs->count; i++) {
        if (strcmp(sorted[i - 1]->path, sorted[i]->path) == 0) {
            tell(library->files[sorted[i]->file].path, NULL,
                 "would be written to %s, and so would %s", sorted[i]->path,
                 library->files[sorted[i - 1]->file].path);
            good = false;
        }
    }
    free(sorted);
    return good;
}

bool outputs_check(const tool_outputs *outputs, const tool_library *library, bool force)
{
    bool good = library_tell_twice(library) == 0 && check_one_path(outputs, library);

    for (uint32_t i = 0; i < outputs->count && !force; i++) {
        struct stat found;
        const char *path = outputs->items[i].path;
        if (strcmp(path, "-") != 0 && lstat(path, &found) == 0 &&
            (S_ISREG(found.st_mode) || S_ISLNK(found.st_mode))) {
            tell(path, NULL, "is there already; --force overwrites it");
            good = false;
        }
    }
    return good;
}
