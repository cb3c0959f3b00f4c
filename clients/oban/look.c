/* SPDX-License-Identifier: MIT */
/* `oban look`: a camera clip from where it is and what it looks at.
 * Not here: the views and ways themselves (core/anim/look.h). */
#include "core/anim/look.h"
#include "clients/oban/command.h"
#include "clients/oban/formats.h"
#include "clients/oban/outputs.h"
#include "clients/oban/read.h"
#include "clients/oban/save.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"
#include "core/anim/reduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_FRAMES_MAX 65535
#define LOOK_VIEWS_MAX 10000u
#define LOOK_SPAN_FRAMES 60u /* between two views, when nothing is said */

const tool_option look_options[] = {
    {"eye", 'e', "X Y Z", "where the camera is; again for each further view"},
    {"target", 't', "X Y Z", "what it looks at; of each view, else as in the one before"},
    {"up", 'u', "X Y Z", "which way is up (0 1 0)"},
    {"at", 'a', "FRAME", "the frame of a view (at even speed)"},
    {"frames", 'n', "N", "how many in all (60 from view to view)"},
    {"smooth", 's', NULL, "on a curve through the views, not from corner to corner"},
    {"every-frame", '\0', NULL, "a key at every frame, needed or not"},
    {"name", '\0', "NAME", "of the animation (from the file's name)"},
    {"to", '\0', "FORMAT", "what to make (from -o's name)"},
    {"output", 'o', "FILE", "the file; - is standard output"},
    {"force", 'f', NULL, "overwrite what is there"},
    {0},
};

const char look_more[] =
    "One --eye and --target make an animation of one key, to cut or to glide to with\n"
    "cm_interpolate. Several make a path: views in the order of the command line, --up and --at\n"
    "behind the --eye they belong to. A file of views as CSV may be given instead: lines of\n"
    "x,y,z,tx,ty,tz or with a frame as a seventh number. Oni's camera looks along its own -z.\n";

typedef struct look_view {
    oban_view view;
    int64_t frame; /* -1: not said */
    bool has_target;
} look_view;

typedef struct look {
    const tool_args *args;
    look_view *views;
    uint32_t count;
    uint32_t frames;
    const char *from; /* what views came from, for faults */
} look;

/* ---- views -------------------------------------------------------------------------------------
 */

static look_view *add_view(look *all)
{
    if (all->count == LOOK_VIEWS_MAX) {
        args_misuse("look: over %u views", LOOK_VIEWS_MAX);
    }
    all->views = memory_resize(all->views, (all->count + 1) * sizeof *all->views);
    look_view *view = &all->views[all->count];
    memset(view, 0, sizeof *view);
    view->frame = -1;
    view->view.up[1] = 1;
    if (all->count > 0) {
        memcpy(view->view.target, view[-1].view.target, sizeof view->view.target);
        memcpy(view->view.up, view[-1].view.up, sizeof view->view.up);
    }
    all->count++;
    return view;
}

static void take_numbers(const char *option, char **words, float *out)
{
    for (int i = 0; i < 3; i++) {
        double value = 0;
        if (!args_read_number(words[i], &value) || !(fabs(value) < 1e9)) {
            args_misuse("--%s: expected 3 numbers within 1e9, found '%s'", option, words[i]);
        }
        out[i] = (float)value;
    }
}

static void take_options(look *all)
{
    for (uint32_t i = 0; i < all->args->given_count; i++) {
        const tool_given *given = &all->args->given[i];
        const char *name = given->option->name;
        bool of_view =
            strcmp(name, "target") == 0 || strcmp(name, "up") == 0 || strcmp(name, "at") == 0;
        if (strcmp(name, "eye") == 0) {
            take_numbers(name, given->values, add_view(all)->view.eye);
        }
        if (!of_view) {
            continue;
        }
        if (all->count == 0) {
            args_misuse("--%s stands behind the --eye it belongs to", name);
        }
        look_view *view = &all->views[all->count - 1];
        if (name[0] == 'a') {
            int64_t frame = 0;
            if (!args_read_whole(given->values[0], &frame) || frame < 0 ||
                frame >= LOOK_FRAMES_MAX) {
                args_misuse("--at: expected a frame from 0 to 65534, found '%s'", given->values[0]);
            }
            view->frame = frame;
        } else {
            take_numbers(name, given->values, name[0] == 't' ? view->view.target : view->view.up);
            view->has_target |= name[0] == 't';
        }
    }
}

/* One line of x,y,z,tx,ty,tz[,frame]; told when it is none. */
static bool take_line(look *all, char *line, uint32_t number)
{
    double values[7];
    int count = 0;
    char where[32];

    snprintf(where, sizeof where, "line %u", number);
    for (char *word = strtok(line, ",; \t\r"); word != NULL; word = strtok(NULL, ",; \t\r")) {
        if (count == 7 || !args_read_number(word, &values[count]) || !(fabs(values[count]) < 1e9)) {
            tell(all->from, where, "expected 6 numbers, or 7 with a frame, found '%.40s'", word);
            return false;
        }
        count++;
    }
    if (count == 0) {
        return true;
    }
    if (count < 6 || (count == 7 && (values[6] < 0 || values[6] >= LOOK_FRAMES_MAX ||
                                     values[6] != floor(values[6])))) {
        tell(all->from, where, "expected 6 numbers, or 7 with a frame from 0 to 65534, found %d",
             count);
        return false;
    }
    look_view *view = add_view(all);
    for (int i = 0; i < 3; i++) {
        view->view.eye[i] = (float)values[i];
        view->view.target[i] = (float)values[3 + i];
    }
    view->has_target = true;
    view->frame = count == 7 ? (int64_t)values[6] : -1;
    return true;
}

static bool take_file(look *all, const char *path)
{
    size_t size = 0;
    const char *why = NULL;
    char *text = NULL;
    uint32_t number = 0;
    bool good = read_file(path, &text, &size, &why);

    all->from = path;
    if (!good) {
        tell(path, NULL, "%s", why);
    }
    for (char *line = text; good && line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        number++;
        bool header = number == 1 && strspn(line, "0123456789+-. \t\xef\xbb\xbf") == 0;
        good = header || take_line(all, line, number);
        line = end == NULL ? NULL : end + 1;
    }
    free(text);
    return good;
}

/* ---- the path ----------------------------------------------------------------------------------
 */

/* Whether views say their frames: all or none, rising from 0. */
static bool timed(const look *all, bool *good)
{
    uint32_t said = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        said += all->views[i].frame >= 0 ? 1u : 0u;
    }
    *good = said == 0 || said == all->count;
    for (uint32_t i = 0; i < all->count && said > 0 && *good; i++) {
        *good = i == 0 ? all->views[0].frame == 0 : all->views[i].frame > all->views[i - 1].frame;
    }
    if (!*good) {
        tell(all->from, "frames", "a path names the frame of each view or of none, rising from 0");
    }
    return said > 0;
}

/* Where on the path each frame is. */
static void spread(const look *all, const oban_way *eyes, const oban_way *targets, bool by_frames,
                   double *at)
{
    double length = 0;
    uint32_t view = 0;

    if (!by_frames) {
        if (oban_way_even(memory_alloc(), eyes, all->frames, at, &length) != OBAN_OK) {
            memory_out();
        }
        /* Where the eye stands still the look sets the speed. */
        if (!(length > 0) &&
            oban_way_even(memory_alloc(), targets, all->frames, at, &length) != OBAN_OK) {
            memory_out();
        }
        return;
    }
    for (uint32_t i = 0; i < all->frames; i++) {
        while (view + 2 < all->count && all->views[view + 1].frame <= (int64_t)i) {
            view++;
        }
        double span = (double)(all->views[view + 1].frame - all->views[view].frame);
        at[i] = (double)view + (double)((int64_t)i - all->views[view].frame) / span;
    }
}

static const char *fault_of(oban_view_fault fault)
{
    switch (fault) {
    case OBAN_VIEW_NOWHERE:
        return "the eye is at the target: there is no way to look";
    case OBAN_VIEW_NO_UP:
        return "up points along the look; --up says another way";
    case OBAN_VIEW_NOT_FINITE:
    case OBAN_VIEW_GOOD:
        break;
    }
    return "a number that is not finite";
}

/* A key at every frame; false (told) when the camera cannot look somewhere on the way. */
static bool make_keys(const look *all, const oban_way ways[3], const double *at, oban_key *keys)
{
    for (uint32_t i = 0; i < all->frames; i++) {
        oban_view view;
        char where[32];
        oban_way_at(&ways[0], at[i], view.eye);
        oban_way_at(&ways[1], at[i], view.target);
        oban_way_at(&ways[2], at[i], view.up);
        oban_view_fault fault = oban_view_key(&view, (int32_t)i, &keys[i]);
        if (fault != OBAN_VIEW_GOOD) {
            snprintf(where, sizeof where, "frame %u", i);
            tell(all->from, where, "%s", fault_of(fault));
            return false;
        }
    }
    return true;
}

/* Few keys, or all. Returns how many. */
static uint32_t thin(const look *all, oban_key *keys)
{
    const oban_tolerance tolerance = {OBAN_TOLERANCE_DISTANCE, OBAN_TOLERANCE_DEGREES};
    oban_pose *poses = memory_take(all->frames * sizeof *poses);
    uint32_t count = all->frames;

    for (uint32_t i = 0; i < all->frames; i++) {
        poses[i].rotation = keys[i].rotation;
        memcpy(poses[i].position, keys[i].position, sizeof keys[i].position);
    }
    oban_poses_align(poses, all->frames);
    if (args_has(all->args, "every-frame")) {
        for (uint32_t i = 0; i < count; i++) {
            keys[i].rotation = poses[i].rotation;
        }
    } else {
        oban_poses_reduce(poses, all->frames, &tolerance, keys, &count);
    }
    free(poses);
    return count;
}

/* The keys of all; NULL when it was told why not. Owns: free. */
static oban_key *make_path(look *all, uint32_t *count)
{
    bool good = false;
    bool by_frames = timed(all, &good);
    int64_t fallback = all->count == 1 ? 1
                       : by_frames     ? all->views[all->count - 1].frame + 1
                                       : (int64_t)LOOK_SPAN_FRAMES * (all->count - 1) + 1;
    if (fallback > LOOK_FRAMES_MAX) {
        fallback = LOOK_FRAMES_MAX;
    }
    int64_t frames = args_whole(all->args, "frames", 1, LOOK_FRAMES_MAX, fallback);
    if (!good) {
        return NULL;
    }
    if (by_frames && args_has(all->args, "frames") && frames != fallback) {
        args_misuse("--frames: the views' own frames say %lld", (long long)fallback);
    }
    all->frames = (uint32_t)frames;
    float(*points)[3] = memory_take(3 * (size_t)all->count * sizeof *points);
    double *at = memory_take(all->frames * sizeof *at);
    oban_key *keys = memory_take(all->frames * sizeof *keys);
    for (uint32_t i = 0; i < all->count; i++) {
        memcpy(points[i], all->views[i].view.eye, sizeof points[i]);
        memcpy(points[all->count + i], all->views[i].view.target, sizeof points[i]);
        memcpy(points[2 * all->count + i], all->views[i].view.up, sizeof points[i]);
    }
    bool smooth = args_has(all->args, "smooth");
    const oban_way ways[3] = {
        {(const float(*)[3])points, all->count, smooth},
        {(const float(*)[3])(points + all->count), all->count, smooth},
        {(const float(*)[3])(points + 2 * (size_t)all->count), all->count, false}};
    if (all->count > 1) {
        spread(all, &ways[0], &ways[1], by_frames, at);
    }
    good = make_keys(all, ways, at, keys);
    *count = good ? thin(all, keys) : 0;
    free(points);
    free(at);
    if (!good) {
        free(keys);
        keys = NULL;
    }
    return keys;
}

/* ---- the command -------------------------------------------------------------------------------
 */

static tool_exit write_clip(const look *all, const oban_key *keys, uint32_t count,
                            const tool_format *format, const char *path)
{
    const char *given = args_value(all->args, "name");
    char *name = given != NULL            ? memory_string(given)
                 : strcmp(path, "-") == 0 ? memory_string("camera")
                                          : outputs_name_of(path);
    oban_mat34 start = oban_quat_matrix(&keys[0].rotation, 2.0f, keys[0].position);
    const oban_clip_def def = {.name = oban_text_of(name),
                               .start = start,
                               .base = oban_mat34_identity(),
                               .frame_length = 1,
                               .frame_count = (int32_t)all->frames,
                               .keys = keys,
                               .key_count = count};
    const tool_export export = {.camera = true};
    oban_clip_report report;
    oban_file_faults faults;
    oban_writer text;
    tool_exit done = TOOL_REFUSED;

    oban_clip_check(&def, &report);
    oban_file_faults_init(&faults, memory_alloc());
    oban_writer_init(&text, memory_alloc());
    if (report.refused) {
        oban_line why;
        oban_line_clear(&why);
        oban_clip_finding_line(&report.findings[0], &why);
        tell(path, name, "%s", why.data);
    } else if (format->write(&def, 1, &export, &text, &faults) != OBAN_OK) {
        tell_faults(path, &faults);
    } else if (save_file(path, text.data, text.bytes, args_has(all->args, "force"))) {
        done = TOOL_DONE;
    }
    oban_writer_fini(&text);
    oban_file_faults_fini(&faults);
    free(name);
    return done;
}

static const tool_format *format_for(const tool_args *args, const char *path)
{
    const char *word = args_value(args, "to");
    const tool_format *format = word != NULL ? format_find(word) : format_of_name(path);

    if (format == NULL || format->write == NULL) {
        oban_line list;
        formats_list(&list);
        args_misuse("look: expected a file name of %s, or --to, found '%s'", list.data,
                    word != NULL ? word : path);
    }
    return format;
}

tool_exit look_run(tool_args *args)
{
    look all = {.args = args, .from = "look"};
    const char *path = args_has(args, "output") ? args_value(args, "output") : "";
    uint32_t count = 0;
    tool_exit done = TOOL_REFUSED;

    if (path[0] == '\0') {
        args_misuse("look: -o FILE says where the animation goes");
    }
    const tool_format *format = format_for(args, path);
    take_options(&all);
    if (args->word_count > 1 || (args->word_count == 1 && all.count > 0)) {
        args_misuse("look: one file of views, or --eye and --target");
    }
    bool good = args->word_count == 0 || take_file(&all, args->words[0]);
    if (good && args->word_count == 0 && (all.count == 0 || !all.views[0].has_target)) {
        args_misuse("look: --eye X Y Z --target X Y Z, or a file of views");
    }
    if (good && all.count == 0) {
        tell(args->words[0], NULL, "it holds no view");
        good = false;
    }
    oban_key *keys = good ? make_path(&all, &count) : NULL;
    if (keys != NULL) {
        done = write_clip(&all, keys, count, format, path);
    }
    free(keys);
    free(all.views);
    return done;
}
