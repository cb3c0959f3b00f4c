/* SPDX-License-Identifier: MIT */
/* `oban path`: where an animation goes: a line of CSV for each frame, JSON, or a picture.
 * Next: path_picture.h. */
#include "clients/oban/command.h"
#include "clients/oban/csv_line.h"
#include "clients/oban/library.h"
#include "clients/oban/path_picture.h"
#include "clients/oban/ranges.h"
#include "clients/oban/save.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TICKS_PER_SECOND 60.0
#define PICTURE_CLIPS_MAX 200u

const tool_option path_options[] = {
    {"to", '\0', "FORMAT", "csv or svg (from -o's name, else csv)"},
    {"output", 'o', "FILE", "where to; - is standard output (-)"},
    {"at", 'a', "LIST", "csv, json: these frames: 7, 0-9, 50- or 0,10-20,50- (all)"},
    {"every", 'n', "N", "csv, json: every Nth of them (1)"},
    {"marks", 'm', "N", "svg: a mark every N frames (about a dozen in all)"},
    {"force", 'f', NULL, "overwrite what is there"},
    {0},
};

const char path_more[] =
    "As CSV: name, frame, seconds, x, y, z, and how far it has gone since frame 0. As SVG one\n"
    "picture of all: from above (x to the right, z down) and from the side (x to the right, y\n"
    "up), at one scale, with a grid in units and marks at frames: a disc where it begins, a "
    "square\n"
    "where it ends. Positions are those of `oban frames`: of a local animation (a door)\n"
    "relative to its object's origin.\n";

typedef struct path_output {
    tool_ranges ranges;
    bool json;
    const char *path;
    bool force;
    oban_writer text;
    bool bad;
} path_output;

/* ---- ways ------------------------------------------------------------------------------------ */

/* The positions at all frames; NULL, told, when one is beyond float32. Owns: free. */
static path_point *points_of(const tool_library *library, const tool_clip *one)
{
    const oban_clip *clip = one->clip;
    path_point *points = memory_take(clip->frame_count * sizeof *points);

    for (uint32_t frame = 0; frame < clip->frame_count; frame++) {
        oban_mat34 matrix = oban_clip_matrix(clip, (int32_t)frame);
        memcpy(points[frame].at, matrix.m + 9, sizeof points[frame].at);
        if (!isfinite(matrix.m[9]) || !isfinite(matrix.m[10]) || !isfinite(matrix.m[11])) {
            tell(library_path_of(library, one), clip->name,
                 "its position at frame %u is beyond float32", frame);
            free(points);
            return NULL;
        }
    }
    return points;
}

static double step_between(const float a[3], const float b[3])
{
    double x = (double)b[0] - (double)a[0];
    double y = (double)b[1] - (double)a[1];
    double z = (double)b[2] - (double)a[2];

    return sqrt(x * x + y * y + z * z);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void csv_point(ctl_page *page, const char *name, uint32_t frame, const float point[3],
                      double way)
{
    const float seconds = (float)(frame / TICKS_PER_SECOND);
    const float gone = (float)way;

    csv_name(page, name);
    page_format(page, ",%u", frame);
    csv_numbers(page, &seconds, 1);
    csv_numbers(page, point, 3);
    csv_numbers(page, &gone, 1);
    page_add(page, "\n");
}

static void json_point(oban_writer *writer, uint32_t frame, const float point[3], double way)
{
    static const char *const keys[3] = {"x", "y", "z"};

    oban_writer_object_begin(writer);
    oban_writer_key(writer, "frame");
    oban_writer_u64(writer, frame);
    oban_writer_key(writer, "seconds");
    oban_writer_f32(writer, (float)(frame / TICKS_PER_SECOND));
    for (int axis = 0; axis < 3; axis++) {
        oban_writer_key(writer, keys[axis]);
        oban_writer_f32(writer, point[axis]);
    }
    oban_writer_key(writer, "way");
    oban_writer_f32(writer, (float)way);
    oban_writer_object_end(writer);
}

static void add_clip(path_output *out, ctl_page *page, const tool_library *library,
                     const tool_clip *one)
{
    const oban_clip *clip = one->clip;
    path_point *points = points_of(library, one);
    double way = 0;

    out->bad = out->bad || points == NULL;
    if (points == NULL) {
        return;
    }
    if (out->json) {
        oban_writer_object_begin(&page->text);
        oban_writer_key(&page->text, "name");
        oban_writer_string(&page->text, clip->name);
        oban_writer_key(&page->text, "points");
        oban_writer_array_begin(&page->text);
    }
    for (uint32_t frame = 0; frame < clip->frame_count; frame++) {
        way += frame > 0 ? step_between(points[frame - 1].at, points[frame].at) : 0;
        if (!ranges_have(&out->ranges, frame)) {
            continue;
        }
        if (out->json) {
            json_point(&page->text, frame, points[frame].at, way);
        } else {
            csv_point(page, clip->name, frame, points[frame].at, way);
        }
    }
    if (out->json) {
        oban_writer_array_end(&page->text);
        oban_writer_object_end(&page->text);
    }
    free(points);
}

static void add_numbers(path_output *out, const tool_library *library, const uint32_t *sorted,
                        ctl_page *page)
{
    if (out->json) {
        oban_writer_object_begin(&page->text);
        oban_writer_key(&page->text, "clips");
        oban_writer_array_begin(&page->text);
    } else {
        page_add(page, "name,frame,seconds,x,y,z,way\n");
    }
    for (uint32_t i = 0; i < library->clip_count; i++) {
        tell_progress("path", i, library->clip_count);
        add_clip(out, page, library, &library->clips[sorted[i]]);
    }
    if (out->json) {
        oban_writer_array_end(&page->text);
        oban_writer_object_end(&page->text);
        page_add(page, "\n");
    }
}

/* ---- the picture ----------------------------------------------------------------------------- */

static void add_picture(path_output *out, const tool_library *library, const uint32_t *sorted,
                        uint32_t marks, ctl_page *page)
{
    path_way *ways = memory_take((library->clip_count + 1) * sizeof *ways);
    path_point **points = memory_take((library->clip_count + 1) * sizeof *points);

    for (uint32_t i = 0; i < library->clip_count; i++) {
        const tool_clip *one = &library->clips[sorted[i]];
        points[i] = points_of(library, one);
        out->bad = out->bad || points[i] == NULL;
        ways[i] = (path_way){one->clip->name, points[i], one->clip->frame_count};
    }
    if (!out->bad) {
        path_picture(ways, library->clip_count, marks, &page->text);
    }
    for (uint32_t i = 0; i < library->clip_count; i++) {
        free(points[i]);
    }
    free(points);
    free(ways);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Whether a picture is wanted: --to says so, else the end of -o's name. */
static bool wants_picture(const tool_args *args, const char *path)
{
    const char *to = args_value(args, "to");
    const char *dot = path != NULL ? strrchr(path, '.') : NULL;

    if (to == NULL && dot != NULL && dot[1] != '\0') {
        to = dot + 1;
        if (strcasecmp(to, "svg") != 0 && strcasecmp(to, "csv") != 0 &&
            strcasecmp(to, "json") != 0) {
            args_misuse("path: '%s' ends with no format of it; expected .csv or .svg, or --to",
                        path);
        }
        if (strcasecmp(to, "json") == 0 && !args->json) {
            args_misuse("path: for JSON give --json");
        }
        return strcasecmp(to, "svg") == 0;
    }
    if (to != NULL && strcasecmp(to, "svg") != 0 && strcasecmp(to, "csv") != 0) {
        args_misuse("--to: expected csv or svg, found '%s'", to);
    }
    return to != NULL && strcasecmp(to, "svg") == 0;
}

static tool_exit finish(path_output *out, ctl_page *page)
{
    tool_exit done = TOOL_REFUSED;

    tell_progress_end();
    if (out->path == NULL || strcmp(out->path, "-") == 0) {
        done = tell_page(page);
    } else if (save_file(out->path, page->text.data, page->text.bytes, out->force)) {
        done = TOOL_DONE;
    }
    return done == TOOL_DONE && out->bad ? TOOL_REFUSED : done;
}

tool_exit path_run(tool_args *args)
{
    tool_library library;
    uint32_t at = 0;
    path_output out = {.ranges = {args_value(args, "at"), 1},
                       .json = args->json,
                       .path = args_value(args, "output"),
                       .force = args_has(args, "force")};
    bool picture = wants_picture(args, out.path);
    uint32_t marks = (uint32_t)args_whole(args, "marks", 1, 65535, 0);
    ctl_page page;

    out.ranges.every = (uint32_t)args_whole(args, "every", 1, 65535, 1);
    if (out.ranges.text != NULL && !ranges_good(out.ranges.text, &at)) {
        args_misuse("--at: expected frames such as 7, 0-9 or 50-, divided by commas; '%s' is none "
                    "behind its character %u",
                    out.ranges.text, at);
    }
    if (picture && (args->json || args_has(args, "at") || args_has(args, "every"))) {
        args_misuse("path: --json, --at and --every are for numbers, not for a picture");
    }
    if (!picture && args_has(args, "marks")) {
        args_misuse("path: --marks is for a picture (--to svg)");
    }
    library_init(&library);
    library_load_all(&library, args->words, args->word_count);
    out.bad = library_tell(&library, true);
    if (picture && library.clip_count > PICTURE_CLIPS_MAX) {
        tell(args->words[0], NULL, "%u animations are too many for one picture; the most is %u",
             library.clip_count, PICTURE_CLIPS_MAX);
        library_fini(&library);
        return TOOL_REFUSED;
    }
    uint32_t *sorted = library_sorted(&library);
    page_init(&page);
    if (!picture) {
        add_numbers(&out, &library, sorted, &page);
    } else if (!out.bad && library.clip_count > 0) {
        add_picture(&out, &library, sorted, marks, &page);
    } else if (!out.bad) {
        tell(args->words[0], NULL, "it holds no animation");
        out.bad = true;
    }
    /* A picture of less than all would be one of something else. */
    tool_exit done = picture && out.bad ? TOOL_REFUSED : finish(&out, &page);
    page_fini(&page);
    free(sorted);
    library_fini(&library);
    return done;
}
