/* SPDX-License-Identifier: MIT */
/* The bytes of what a conversion writes, and their way to the disk.
 * Not here: which files those are (outputs.c). Next: formats.h, save.h. */
#include "clients/oban/convert.h"
#include "clients/oban/objects.h"
#include "clients/oban/resample.h"
#include "clients/oban/save.h"
#include "clients/oban/tell.h"
#include "clients/oban/write.h"
#include "clients/obanctl/memory.h"
#include "core/base/assert.h"

#include <stdlib.h>
#include <string.h>

/* XML that came from XML keeps its byte order mark and its line ends. Owns: as `text`. */
static void keep_lines(const tool_file *read, oban_writer *text)
{
    oban_writer kept;

    oban_writer_init(&kept, memory_alloc());
    const char *line_end = read->crlf ? "\r\n" : "\n";
    oban_writer_bytes(&kept, "\xef\xbb\xbf", read->mark ? 3 : 0);
    for (size_t at = 0; at < text->bytes;) {
        const char *end = memchr(text->data + at, '\n', text->bytes - at);
        size_t bytes = end != NULL ? (size_t)(end - text->data) - at : text->bytes - at;
        oban_writer_bytes(&kept, text->data + at, bytes);
        if (end != NULL) {
            oban_writer_bytes(&kept, line_end, strlen(line_end));
        }
        at += bytes + (end != NULL ? 1 : 0);
    }
    oban_writer_fini(text);
    *text = kept;
}

static bool keeps_lines(const convert *into, const tool_file *read)
{
    return read->format == into->to && strcmp(into->to->name, "xml") == 0 &&
           (read->crlf || read->mark);
}

static void note_written(convert *into, const tool_output *output)
{
    into->written++;
    if (!into->args->json) {
        return;
    }
    oban_writer_object_begin(&into->list);
    oban_writer_key(&into->list, "file");
    oban_writer_string(&into->list, output->path);
    oban_writer_key(&into->list, "clips");
    oban_writer_u64(&into->list, output->count);
    if (output->objects) {
        oban_writer_key(&into->list, "objects");
        oban_writer_bool(&into->list, true);
    }
    oban_writer_object_end(&into->list);
}

/* What an output is made from. Owns: source_fini. */
typedef struct source {
    oban_clip_def *defs;
    oban_key **keys; /* those that were made for it; NULL: the animations' own */
    uint32_t count;
    char *name; /* of the one animation, when it gets another */
} source;

static void source_init(source *from, const convert *into, const tool_output *output)
{
    bool per_frame = into->export.per_frame && into->to->is_table;

    from->count = output->count;
    from->defs = memory_take(((size_t)output->count + 1) * sizeof *from->defs);
    from->keys = memory_take(((size_t)output->count + 1) * sizeof *from->keys);
    from->name = NULL;
    for (uint32_t i = 0; i < output->count; i++) {
        const oban_clip *clip = into->library.clips[output->clips[i]].clip;
        from->defs[i] = oban_clip_def_of(clip);
        if (per_frame) {
            from->keys[i] = resample(clip, NULL, &from->defs[i].key_count);
            from->defs[i].keys = from->keys[i];
        }
    }
}

static void source_fini(source *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        free(from->keys[i]);
    }
    free(from->keys);
    free(from->defs);
    free(from->name);
}

/* One animation in a file whose name names it takes that name. Owns: free. */
static char *new_name(const convert *into, const tool_output *output)
{
    const char *given = args_value(into->args, "name");

    if (output->count != 1) {
        return NULL;
    }
    if (given != NULL) {
        return memory_string(given);
    }
    bool by_file = into->output != NULL && !into->folder && strcmp(into->output, "-") != 0 &&
                   into->to->named_by_file;
    return by_file ? outputs_name_of(output->path) : NULL;
}

/* The bytes of an output; false, told, when the format cannot hold it. */
static bool make_text(const convert *into, const tool_output *output, oban_writer *text)
{
    tool_export export = into->export;
    oban_level objects;
    source from;

    if (convert_is_level(into->to)) {
        objects_gather(&into->library, OBJECTS_ALL, &objects);
        export.objects = &objects;
    }
    source_init(&from, into, output);
    from.name = new_name(into, output);
    if (from.name != NULL) {
        from.defs[0].name = oban_text_of(from.name);
    }
    bool good = write_text(into->to, from.defs, from.count, &export, output->path, text);
    source_fini(&from);
    if (export.objects != NULL) {
        oban_level_fini(&objects);
    }
    return good;
}

static bool make_objects_text(const convert *into, const tool_output *output, oban_writer *text)
{
    oban_file_faults faults;
    oban_level objects;

    objects_gather(&into->library, output->file, &objects);
    oban_file_faults_init(&faults, memory_alloc());
    OBAN_ASSERT(into->to->write_objects != NULL);
    oban_status status = into->to->write_objects(&objects, &into->export, text, &faults);
    if (status == OBAN_NO_MEMORY) {
        memory_out();
    }
    tell_faults(output->path, &faults);
    oban_file_faults_fini(&faults);
    oban_level_fini(&objects);
    return status == OBAN_OK;
}

static bool write_output(convert *into, const tool_output *output)
{
    const tool_file *read = &into->library.files[output->objects ? 0 : output->file];
    oban_writer text;

    oban_writer_init(&text, memory_alloc());
    bool good =
        output->objects ? make_objects_text(into, output, &text) : make_text(into, output, &text);
    if (good && !output->objects && keeps_lines(into, read)) {
        keep_lines(read, &text);
    }
    good = good && save_folder_of(output->path) &&
           save_file(output->path, text.data, text.bytes, into->force);
    if (good) {
        note_written(into, output);
    }
    oban_writer_fini(&text);
    return good;
}

void convert_write(convert *into, const tool_outputs *outputs)
{
    for (uint32_t i = 0; i < outputs->count; i++) {
        tell_progress("writing", i, outputs->count);
        if (!write_output(into, &outputs->items[i])) {
            into->exit = TOOL_REFUSED;
        }
    }
    save_tidy();
}
