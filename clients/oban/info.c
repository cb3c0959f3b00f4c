/* SPDX-License-Identifier: MIT */
/* `oban info`: what animations are and do: a block for one, a table for several, JSON for programs.
 * Next: core/anim/clip_measure.h, where the numbers come from. */
#include "clients/oban/command.h"
#include "clients/oban/library.h"
#include "clients/oban/objects.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"
#include "core/anim/clip_measure.h"
#include "proto/format/xml_values.h"
#include "proto/json/floats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICKS_PER_SECOND 60.0
#define FOV_VERTICAL 45.0
#define RADIANS_PER_DEGREE 0.017453292519943295

const tool_option info_options[] = {
    {"long", 'l', NULL, "a block for each animation, also when there are several"},
    {0},
};

const char info_more[] =
    "Name, frames, seconds, keys, flags, bounds of the position, length of the path, and whether\n"
    "it looks like a camera's, an object's or a door's (a guess: only scripts know). For a camera\n"
    "also the field of view: 45 degrees vertical, and what that is across. Exit code 1 when the\n"
    "daemon would refuse one of them. Of a level or a scene also the objects.\n";

/* ---- parts ----------------------------------------------------------------------------------- */

static double seconds_of(const oban_clip *clip)
{
    return clip->frame_count / TICKS_PER_SECOND;
}

/* Horizontal degrees of a picture so many times as wide as high. */
static double fov_across(double wide)
{
    double half = FOV_VERTICAL / 2 * RADIANS_PER_DEGREE;
    return 2 * atan(tan(half) * wide) / RADIANS_PER_DEGREE;
}

static bool is_camera(const oban_clip_measure *measure)
{
    return strcmp(oban_clip_looks_word(measure->looks), "camera") == 0;
}

static void add_flags(ctl_page *page, uint32_t flags, const char *none)
{
    const char *between = "";

    for (const xml_flag *flag = xml_flags; flag->name != NULL; flag++) {
        if ((flags & flag->bit) != 0) {
            page_format(page, "%s%s", between, flag->name);
            between = " ";
            flags &= ~flag->bit;
        }
    }
    if (flags != 0) {
        page_format(page, "%s0x%x", between, flags);
        between = " ";
    }
    page_add(page, *between == '\0' ? none : "");
}

static void add_float(ctl_page *page, float value)
{
    char digits[OBAN_FLOAT_BYTES_MAX];

    if (isfinite(value)) {
        oban_writer_bytes(&page->text, digits, oban_float_shortest(value, digits));
    } else {
        page_add(page, "beyond float32");
    }
}

static void add_point(ctl_page *page, const float point[3])
{
    for (int i = 0; i < 3; i++) {
        page_add(page, i > 0 ? " " : "");
        add_float(page, point[i]);
    }
}

/* ---- a block --------------------------------------------------------------------------------- */

static void add_row(ctl_page *page, const char *label)
{
    page_format(page, "  %-11s", label);
}

static void block_way(ctl_page *page, const oban_clip_measure *measure)
{
    add_row(page, "bounds");
    add_point(page, measure->low);
    page_add(page, " to ");
    add_point(page, measure->high);
    page_add(page, "\n");
    add_row(page, "path");
    add_float(page, measure->path);
    page_add(page, " units");
    if (measure->step > 0) {
        page_add(page, ", fastest ");
        add_float(page, measure->step * (float)TICKS_PER_SECOND);
        page_format(page, " units/s into frame %u", measure->step_at);
    }
    page_add(page, "\n");
}

static void print_block(ctl_page *page, const tool_library *library, const tool_clip *one)
{
    const oban_clip *clip = one->clip;
    oban_clip_measure measure = oban_clip_measure_of(clip);

    page_add(page, tell_in_colour() ? "\033[1m" : "");
    page_safe(page, clip->name);
    page_add(page, tell_in_colour() ? "\033[0m\n" : "\n");
    add_row(page, "file");
    page_safe(page, library_path_of(library, one));
    page_add(page, "\n");
    add_row(page, "frames");
    page_format(page, "%u, 0 to %u: %.2f s\n", clip->frame_count, clip->frame_count - 1,
                seconds_of(clip));
    add_row(page, "keys");
    page_format(page, "%u, at %d to %d\n", clip->key_count, clip->keys[0].frame,
                clip->keys[clip->key_count - 1].frame);
    add_row(page, "flags");
    add_flags(page, clip->flags, "none");
    page_add(page, "\n");
    if (clip->half_stop != 0) {
        add_row(page, "half stop");
        page_format(page, "%d\n", clip->half_stop);
    }
    block_way(page, &measure);
    add_row(page, "looks like");
    page_format(page, "%s: %s\n", oban_clip_looks_word(measure.looks),
                oban_clip_looks_why(measure.looks));
    if (is_camera(&measure)) {
        add_row(page, "view");
        page_format(page, "45 degrees high; %.1f across at 4:3, %.1f at 16:9\n",
                    fov_across(4.0 / 3), fov_across(16.0 / 9));
    }
}

/* ---- a table --------------------------------------------------------------------------------- */

static unsigned widest_name(const tool_library *library)
{
    unsigned most = 4;

    for (uint32_t i = 0; i < library->clip_count; i++) {
        unsigned columns = page_columns(library->clips[i].clip->name);
        most = columns > most ? columns : most;
    }
    return most;
}

static void print_line(ctl_page *page, const oban_clip *clip, unsigned columns)
{
    oban_clip_measure measure = oban_clip_measure_of(clip);

    page_cell(page, clip->name, columns, false);
    page_format(page, "  %6u %8.2f %6u %10.1f  %-6s  ", clip->frame_count, seconds_of(clip),
                clip->key_count, (double)measure.path, oban_clip_looks_word(measure.looks));
    add_flags(page, clip->flags, "-");
    page_add(page, "\n");
}

static void print_table(ctl_page *page, const tool_library *library, const uint32_t *sorted)
{
    unsigned columns = widest_name(library);
    double seconds = 0;

    page_cell(page, "name", columns, false);
    page_add(page, "  frames  seconds   keys       path  looks   flags\n");
    for (uint32_t i = 0; i < library->clip_count; i++) {
        const oban_clip *clip = library->clips[sorted[i]].clip;
        print_line(page, clip, columns);
        seconds += seconds_of(clip);
    }
    page_format(page, "%u animations in %u file%s, %.2f s\n", library->clip_count,
                library->file_count, library->file_count == 1 ? "" : "s", seconds);
}

/* ---- objects --------------------------------------------------------------------------------- */

static void print_object(ctl_page *page, const oban_level_object *object)
{
    if (object->number == OBAN_LEVEL_NO_NUMBER) {
        page_format(page, "%6s  ", "-");
    } else {
        page_format(page, "%6d  ", object->number);
    }
    page_cell(page, object->name, 24, false);
    page_add(page, "  ");
    page_cell(page, object->animation[0] != '\0' ? object->animation : "-", 24, false);
    page_add(page, "  ");
    add_point(page, object->transform.m + 9);
    page_add(page, "\n");
}

static void print_objects(ctl_page *page, const tool_library *library)
{
    uint32_t count = objects_count(library);

    if (count == 0) {
        return;
    }
    page_add(page, library->clip_count > 0 ? "\n" : "");
    page_add(page, "number  object                    animation                 position\n");
    for (uint32_t i = 0; i < library->file_count; i++) {
        for (uint32_t k = 0; k < library->files[i].objects.count; k++) {
            print_object(page, &library->files[i].objects.objects[k]);
        }
    }
    page_format(page, "%u object%s\n", count, count == 1 ? "" : "s");
}

static void json_object(oban_writer *writer, const oban_level_object *object)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "object");
    oban_writer_i64(writer, object->number);
    oban_writer_key(writer, "name");
    oban_writer_string(writer, object->name);
    oban_writer_key(writer, "anim");
    oban_writer_string(writer, object->animation);
    oban_writer_key(writer, "geometry");
    oban_writer_string(writer, object->geometry);
    oban_writer_key(writer, "flags");
    oban_writer_u64(writer, object->flags);
    oban_writer_key(writer, "matrix");
    oban_writer_mat34(writer, &object->transform);
    oban_writer_object_end(writer);
}

static void json_objects(oban_writer *writer, const tool_library *library)
{
    oban_writer_key(writer, "objects");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < library->file_count; i++) {
        for (uint32_t k = 0; k < library->files[i].objects.count; k++) {
            json_object(writer, &library->files[i].objects.objects[k]);
        }
    }
    oban_writer_array_end(writer);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_floats(oban_writer *writer, const char *key, const float *values, size_t count)
{
    oban_writer_key(writer, key);
    oban_writer_f32s(writer, values, count);
}

static void json_flags(oban_writer *writer, uint32_t flags)
{
    oban_writer_key(writer, "flags");
    oban_writer_u64(writer, flags);
    oban_writer_key(writer, "flag_names");
    oban_writer_array_begin(writer);
    for (const xml_flag *flag = xml_flags; flag->name != NULL; flag++) {
        if ((flags & flag->bit) != 0) {
            oban_writer_string(writer, flag->name);
        }
    }
    oban_writer_array_end(writer);
}

static void json_measure(oban_writer *writer, const oban_clip_measure *measure)
{
    oban_writer_key(writer, "bounds");
    oban_writer_object_begin(writer);
    json_floats(writer, "low", measure->low, 3);
    json_floats(writer, "high", measure->high, 3);
    oban_writer_object_end(writer);
    oban_writer_key(writer, "path");
    oban_writer_f32(writer, measure->path);
    oban_writer_key(writer, "fastest");
    oban_writer_f32(writer, measure->step * (float)TICKS_PER_SECOND);
    oban_writer_key(writer, "looks");
    oban_writer_string(writer, oban_clip_looks_word(measure->looks));
    oban_writer_key(writer, "because");
    oban_writer_string(writer, oban_clip_looks_why(measure->looks));
    if (is_camera(measure)) {
        oban_writer_key(writer, "fov");
        oban_writer_object_begin(writer);
        oban_writer_key(writer, "vertical");
        oban_writer_f64(writer, FOV_VERTICAL);
        oban_writer_key(writer, "across_4_3");
        oban_writer_f32(writer, (float)fov_across(4.0 / 3));
        oban_writer_key(writer, "across_16_9");
        oban_writer_f32(writer, (float)fov_across(16.0 / 9));
        oban_writer_object_end(writer);
    }
}

static void json_clip(oban_writer *writer, const tool_library *library, const tool_clip *one)
{
    const oban_clip *clip = one->clip;
    oban_clip_measure measure = oban_clip_measure_of(clip);

    oban_writer_object_begin(writer);
    oban_writer_key(writer, "name");
    oban_writer_string(writer, clip->name);
    oban_writer_key(writer, "file");
    oban_writer_string(writer, library_path_of(library, one));
    oban_writer_key(writer, "frames");
    oban_writer_u64(writer, clip->frame_count);
    oban_writer_key(writer, "seconds");
    oban_writer_f32(writer, (float)seconds_of(clip));
    oban_writer_key(writer, "keys");
    oban_writer_u64(writer, clip->key_count);
    json_flags(writer, clip->flags);
    oban_writer_key(writer, "half_stop");
    oban_writer_i64(writer, clip->half_stop);
    json_measure(writer, &measure);
    oban_writer_object_end(writer);
}

static void print_json(ctl_page *page, const tool_library *library, const uint32_t *sorted)
{
    oban_writer *writer = &page->text;

    oban_writer_object_begin(writer);
    oban_writer_key(writer, "files");
    oban_writer_u64(writer, library->file_count);
    oban_writer_key(writer, "clips");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < library->clip_count; i++) {
        json_clip(writer, library, &library->clips[sorted[i]]);
    }
    oban_writer_array_end(writer);
    json_objects(writer, library);
    oban_writer_object_end(writer);
    page_add(page, "\n");
}

/* ---- the command ----------------------------------------------------------------------------- */

static void print_blocks(ctl_page *page, const tool_library *library, const uint32_t *sorted)
{
    for (uint32_t i = 0; i < library->clip_count; i++) {
        page_add(page, i > 0 ? "\n" : "");
        print_block(page, library, &library->clips[sorted[i]]);
    }
}

tool_exit info_run(tool_args *args)
{
    tool_library library;
    ctl_page page;

    library_init(&library);
    library_load_all(&library, args->words, args->word_count);
    bool bad = library_tell(&library, true);
    (void)library_tell_twice(&library);
    uint32_t *sorted = library_sorted(&library);
    page_init(&page);
    if (args->json) {
        print_json(&page, &library, sorted);
    } else if (library.clip_count == 1 || args_has(args, "long")) {
        print_blocks(&page, &library, sorted);
    } else if (library.clip_count > 0) {
        print_table(&page, &library, sorted);
    }
    if (!args->json) {
        print_objects(&page, &library);
    }
    tool_exit done = tell_page(&page);
    page_fini(&page);
    free(sorted);
    library_fini(&library);
    return done == TOOL_DONE && bad ? TOOL_REFUSED : done;
}
