/* SPDX-License-Identifier: MIT */
/* `oban convert`: any format to any. All is read, then all that is to be written is settled, and
 * only when nothing stands against it is the first file written.
 * Next: convert.h, outputs.h, convert_write.c. */
#include "clients/oban/convert.h"

#include "clients/oban/command.h"
#include "clients/oban/objects.h"
#include "clients/oban/read.h"
#include "clients/oban/save.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"
#include "core/anim/reduce.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LEVEL_MAX 127 /* what an instance's level id holds; oni-formats 1.2 */

const tool_option convert_options[] = {CONVERT_OPTIONS, {0}};

const char convert_more[] =
    "Without -o each animation is written beside its source, with the extension of --to. A DIR is\n"
    "what is a folder, ends with / or has no extension; each animation becomes a file of its own\n"
    "there: OBAN<name>.<ext>, or the name of its source. A FILE takes all animations; its name is\n"
    "the animation's where the format says so (xml, oni). Nothing is overwritten without\n"
    "--force, and when anything stands against it nothing is written at all. What a format cannot\n"
    "hold is told. The objects of levels go between dat, xml and json (a scene): into a folder as\n"
    "a file of their own, into one xml or json when there are no animations, or with --objects.\n";

/* ---- the command line ------------------------------------------------------------------------ */

static bool has_extension(const char *path)
{
    const char *dot = strrchr(read_base_name(path), '.');
    return dot != NULL && dot != read_base_name(path) && dot[1] != '\0';
}

static bool is_folder_name(const char *path)
{
    size_t bytes = strlen(path);

    if (strcmp(path, "-") == 0) {
        return false;
    }
    return save_is_folder(path) || (bytes > 0 && path[bytes - 1] == '/') || !has_extension(path);
}

static const tool_format *named_format(const convert *into)
{
    const char *word = args_value(into->args, "to");
    const tool_format *named = word != NULL ? format_find(word) : NULL;
    const tool_format *by_name =
        into->output != NULL && !into->folder ? format_of_name(into->output) : NULL;

    if (word != NULL && named == NULL) {
        oban_line list;
        formats_list(&list);
        args_misuse("--to: expected %s, found '%s'", list.data, word);
    }
    if (named != NULL && by_name != NULL && named != by_name) {
        args_misuse("--to %s and the name %s do not agree", named->name, into->output);
    }
    if (named == NULL && by_name == NULL) {
        args_misuse(into->folder ? "-o %s is a folder: --to says which format the files get"
                    : into->output == NULL ? "--to FORMAT or -o FILE says what to convert to%s"
                                           : "the name %s does not tell a format: --to does",
                    into->output != NULL ? into->output : "");
    }
    return named != NULL ? named : by_name;
}

/* "level3_Final.dat" is level 3; 0 when the name tells none. */
static uint32_t level_of(const char *path)
{
    const char *base = path != NULL ? read_base_name(path) : "";
    char *end = NULL;
    unsigned long level;

    if (strncasecmp(base, "level", 5) != 0 || base[5] < '0' || base[5] > '9') {
        return 0;
    }
    level = strtoul(base + 5, &end, 10);
    return *end == '_' && level <= LEVEL_MAX ? (uint32_t)level : 0;
}

static void take_options(convert *into, const tool_args *args)
{
    tool_import *import = &into->library.import;

    into->args = args;
    into->output = args_value(args, "output");
    if (into->output != NULL && into->output[0] == '\0') {
        args_misuse("-o: expected a file or a folder, found nothing");
    }
    into->folder = into->output != NULL && is_folder_name(into->output);
    into->to = named_format(into);
    into->force = args_has(args, "force");
    import->every_frame = args_has(args, "every-frame");
    import->reduce = args_has(args, "tolerance") || args_has(args, "tolerance-angle");
    import->tolerance =
        (float)args_number(args, "tolerance", 0, 1e6, (double)OBAN_TOLERANCE_DISTANCE);
    import->tolerance_angle =
        (float)args_number(args, "tolerance-angle", 0, 180, (double)OBAN_TOLERANCE_DEGREES);
    into->export.camera = args_has(args, "camera");
    into->export.box = args_has(args, "box");
    into->export.per_frame = args_has(args, "per-frame");
    into->export.level = (uint32_t)args_whole(args, "level", 0, LEVEL_MAX, level_of(into->output));
    if (into->export.camera && into->export.box) {
        args_misuse("--camera and --box: one of them");
    }
    if (import->every_frame && import->reduce) {
        args_misuse("--every-frame keeps all frames: it takes no tolerance");
    }
    if ((into->export.camera || into->export.box) && !into->to->is_model) {
        args_misuse("--%s goes with files of 3D programs, not with %s",
                    into->export.camera ? "camera" : "box", into->to->name);
    }
    if (into->export.per_frame && !into->to->is_table && !into->to->is_model) {
        args_misuse("--per-frame goes with files of 3D programs and tables, not with %s",
                    into->to->name);
    }
    into->objects = args_has(args, "objects");
    into->export.physics = args_has(args, "physics");
    if ((into->objects || into->export.physics) && into->to->write_objects == NULL &&
        !convert_is_level(into->to)) {
        args_misuse("objects go to xml, dat and json, not to %s", into->to->name);
    }
    if (into->export.physics && strcmp(into->to->name, "xml") != 0) {
        args_misuse("--physics goes with xml, not with %s", into->to->name);
    }
    if (convert_is_level(into->to) && (into->output == NULL || into->folder)) {
        args_misuse("a level is one file for all: -o level3_Final.dat");
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Whether the objects find a place: with the animations of a level, or in a file of their own. */
static bool takes_objects(const convert *into)
{
    if (objects_count(&into->library) == 0 || convert_is_level(into->to)) {
        return convert_is_level(into->to);
    }
    if (into->to->write_objects == NULL) {
        return false;
    }
    return into->output == NULL || into->folder || into->objects || into->library.clip_count == 0;
}

/* What the target does not hold is told, file by file. */
static void tell_left_out(const convert *into)
{
    bool taken = takes_objects(into);

    for (uint32_t i = 0; i < into->library.file_count; i++) {
        const tool_file *file = &into->library.files[i];
        const char *format = file->format != NULL ? file->format->name : "";

        if (file->objects.count > 0 && !taken) {
            tell(file->path, "objects", "%u are left out: %s holds none%s", file->objects.count,
                 into->to->name,
                 into->to->write_objects != NULL ? " beside animations (--objects writes them)"
                                                 : "");
        }
        if (taken && strcmp(format, "json") == 0 && strcmp(into->to->name, "json") != 0) {
            tell_faults(file->path, &file->objects.faults);
        }
        if (file->objects.clip_count > 0 && taken && !into->export.physics) {
            tell(file->path, "clips",
                 "%u cuts of animations in 3D files are left out: only "
                 "--physics keeps them",
                 file->objects.clip_count);
        }
    }
}

/* Whether what was read may go where it is to go; tells why not. */
static bool may_write(const convert *into, bool bad)
{
    const tool_library *library = &into->library;
    const char *output = into->output != NULL ? into->output : into->to->name;
    uint32_t clips = into->objects ? 0 : library->clip_count;
    bool one = into->output != NULL && !into->folder;

    if (clips == 0 && (objects_count(library) == 0 || !takes_objects(into))) {
        tell(output, NULL, "not written: there is nothing to put into it");
        return false;
    }
    if (one && bad && !args_has(into->args, "keep-going")) {
        tell(output, NULL,
             "not written: some of what was to go into it cannot be read (--keep-going leaves it "
             "out)");
        return false;
    }
    if (one && clips > 1 && !into->to->many) {
        tell(output, NULL,
             "not written: %s names one animation only, and there are %u; -o DIR writes a file for "
             "each",
             into->to->name, clips);
        return false;
    }
    return true;
}

static void check_sources(const convert *into)
{
    for (uint32_t i = 0; i < into->library.file_count && into->output == NULL; i++) {
        if (strcmp(into->library.files[i].path, "-") == 0) {
            args_misuse("what comes from standard input has no place of its own: -o says where");
        }
    }
    if (args_has(into->args, "name") && into->library.clip_count > 1) {
        args_misuse("--name: there are %u animations", into->library.clip_count);
    }
}

static void settle_and_write(convert *into)
{
    tool_outputs outputs = {0};

    bool clips = !into->objects && into->library.clip_count > 0;
    const char *folder = into->folder ? into->output : NULL;

    if (into->output != NULL && !into->folder) {
        if (clips || convert_is_level(into->to)) {
            outputs_one(&outputs, &into->library, into->output, clips);
        } else {
            outputs_one_of_objects(&outputs, into->output);
        }
    } else {
        if (clips) {
            outputs_each(&outputs, &into->library, folder, into->to);
        }
        if (into->to->write_objects != NULL) {
            outputs_objects(&outputs, &into->library, folder, into->to);
        }
    }
    tell_left_out(into);
    if (outputs_check(&outputs, &into->library, into->force)) {
        convert_write(into, &outputs);
    } else {
        into->exit = TOOL_REFUSED;
    }
    outputs_fini(&outputs);
}

static tool_exit print_json(convert *into)
{
    oban_writer all;

    oban_writer_init(&all, memory_alloc());
    oban_writer_object_begin(&all);
    oban_writer_key(&all, "written");
    oban_writer_array_begin(&all);
    oban_writer_raw(&all, into->list.bytes > 0 ? into->list.data : "", into->list.bytes);
    oban_writer_array_end(&all);
    oban_writer_object_end(&all);
    return tell_json(&all);
}

tool_exit convert_with(tool_args *args, convert_change change)
{
    convert into = {.exit = TOOL_DONE};

    library_init(&into.library);
    oban_writer_init(&into.list, memory_alloc());
    take_options(&into, args);
    library_load_all(&into.library, args->words, args->word_count);
    check_sources(&into);
    bool bad = library_tell(&into.library, true);
    if ((change == NULL || change(&into.library, args)) && may_write(&into, bad)) {
        settle_and_write(&into);
    } else {
        into.exit = TOOL_REFUSED;
    }
    if (args->json && (into.output == NULL || strcmp(into.output, "-") != 0)) {
        tool_exit told = print_json(&into);
        into.exit = into.exit == TOOL_DONE ? told : into.exit;
    }
    library_fini(&into.library);
    oban_writer_fini(&into.list);
    return into.exit == TOOL_DONE && bad ? TOOL_REFUSED : into.exit;
}

tool_exit convert_run(tool_args *args)
{
    return convert_with(args, NULL);
}
