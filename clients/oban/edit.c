/* SPDX-License-Identifier: MIT */
/* `oban edit`: what is read is changed, step by step in the order of the command line, and then
 * written as `oban convert` writes.
 * Not here: what a step does (core/anim/edit.h), where things are written (convert.h). */
#include "core/anim/edit.h"
#include "clients/oban/command.h"
#include "clients/oban/convert.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const tool_option edit_options[] = {
    {"cut", 'c', "FROM..TO", "only these frames, which become 0 to TO - FROM"},
    {"delay", 'd', "FRAMES", "hold the first frame so much longer"},
    {"retime", 'r', "FRAMES|FACTORx", "so many frames, or so much longer: 240, 2x, 0.5x"},
    {"reverse", 'R', NULL, "from the end to the beginning"},
    {"join", 'j', "FILE", "the animation of another file behind it"},
    {"loop", 'l', "FRAMES", "bend the last frames back to the first, and loop"},
    {"shift", 's', "X Y Z", "move it"},
    {"mirror", 'm', "x|y|z", "left for right along an axis"},
    {"origin", '\0', "X Y Z RX RY RZ SCALE", "of the steps below: position, degrees, scale"},
    {"to-world", 'w', NULL, "a local animation as its object at the origin shows it"},
    {"to-local", '\0', NULL, "the other way round"},
    {"bake-base", 'b', NULL, "the base's rotation and position into the keys"},
    {"resample", '\0', "N", "a key at every Nth frame"},
    {"reduce", '\0', NULL, "as few keys as the tolerances allow"},
    {"fit-frames", '\0', NULL, "the frame count to the last key and one"},
    {"flags", '\0', "LIST", "+loop,-local or a number; also ping-pong, random, autostart"},
    {"half-stop", '\0', "FRAME", "where a door stands open; 0: nowhere"},
    {"frame-length", '\0', "N", "the number that means nothing; 80 on the CD"},
    CONVERT_OPTIONS,
    {0},
};

const char edit_more[] =
    "The steps are done in the order in which they are given, on each animation. Then all is\n"
    "written as `oban convert` writes it: -o FILE, -o DIR --to FORMAT, or beside the sources;\n"
    "nothing is overwritten without --force. Turns that are cut through, bent or retimed get a\n"
    "key at every frame; --reduce behind them takes out what is not needed, within --tolerance\n"
    "(0.001 units) and --tolerance-angle (0.01 degrees).\n";

/* One animation on its way through the steps. */
typedef struct editing {
    oban_edit edit;
    const tool_args *args;
    const char *path;
    oban_tolerance tolerance;
    oban_mat34 origin;
} editing;

/* ---- words ------------------------------------------------------------------------------------
 */

static int64_t whole_of(const char *option, const char *word, int64_t lo, int64_t hi)
{
    int64_t value = 0;

    if (!args_read_whole(word, &value) || value < lo || value > hi) {
        args_misuse("--%s: expected a whole number from %lld to %lld, found '%s'", option,
                    (long long)lo, (long long)hi, word);
    }
    return value;
}

static void floats_of(const char *option, char **words, int count, float *out)
{
    for (int i = 0; i < count; i++) {
        double value = 0;
        if (!args_read_number(words[i], &value) || !(fabs(value) < 1e9)) {
            args_misuse("--%s: expected %d numbers within 1e9, found '%s'", option, count,
                        words[i]);
        }
        out[i] = (float)value;
    }
}

static void frames_of(const char *word, uint32_t *first, uint32_t *last)
{
    char *from = memory_string(word);
    size_t bytes = strcspn(word, ".");

    if (strncmp(word + bytes, "..", 2) != 0) {
        args_misuse("--cut: expected FROM..TO such as 10..50, found '%s'", word);
    }
    from[bytes] = '\0';
    *first = (uint32_t)whole_of("cut", from, 0, OBAN_EDIT_FRAMES_MAX);
    *last = (uint32_t)whole_of("cut", word + bytes + 2, 0, OBAN_EDIT_FRAMES_MAX);
    free(from);
}

/* 240, or 2x of the frames that there are. */
static uint32_t length_of(const char *word, int32_t frames)
{
    size_t bytes = strlen(word);
    double factor = 0;

    if (bytes > 1 && word[bytes - 1] == 'x') {
        char *number = memory_string(word);
        number[bytes - 1] = '\0';
        bool good = args_read_number(number, &factor) && factor > 0 && factor < 1e6;
        free(number);
        if (!good) {
            args_misuse("--retime: expected a factor above 0 such as 2x, found '%s'", word);
        }
        double length = floor((double)(frames - 1) * factor + 0.5) + 1;
        return length > 1e9 ? 1000000000u : (uint32_t)length;
    }
    return (uint32_t)whole_of("retime", word, 1, 1000000000);
}

static const struct {
    const char *name;
    uint32_t bit;
} flag_names[] = {
    {"loop", OBAN_CLIP_LOOP},
    {"ping-pong", OBAN_CLIP_PING_PONG},
    {"random", OBAN_CLIP_RANDOM_START},
    {"autostart", OBAN_CLIP_AUTOSTART},
    {"local", OBAN_CLIP_LOCAL},
    {"NormalLoop", OBAN_CLIP_LOOP},
    {"BackToBackLoop", OBAN_CLIP_PING_PONG},
    {"RandomStartFrame", OBAN_CLIP_RANDOM_START},
    {"ZAxisUp", OBAN_CLIP_LOCAL},
};

static uint32_t flag_of(const char *word, size_t bytes)
{
    for (size_t i = 0; i < sizeof flag_names / sizeof flag_names[0]; i++) {
        if (strlen(flag_names[i].name) == bytes &&
            strncasecmp(flag_names[i].name, word, bytes) == 0) {
            return flag_names[i].bit;
        }
    }
    args_misuse(
        "--flags: expected loop, ping-pong, random, autostart or local, each with + or - in "
        "front or none, found '%.*s'",
        (int)(bytes < 40 ? bytes : 40), word);
}

/* "+loop,-local" changes; "loop,local" or a number replaces. */
static uint32_t flags_of(const char *list, uint32_t flags)
{
    int64_t number = 0;
    bool fresh = list[0] != '+' && list[0] != '-';

    if (args_read_whole(list, &number) && number >= 0 && number <= UINT32_MAX) {
        return (uint32_t)number;
    }
    flags = fresh ? 0 : flags;
    for (const char *at = list; *at != '\0';) {
        char sign = *at == '+' || *at == '-' ? *at++ : '+';
        size_t bytes = strcspn(at, ",");
        uint32_t bit = flag_of(at, bytes);
        flags = sign == '-' ? flags & ~bit : flags | bit;
        at += bytes;
        at += *at == ',' ? 1 : 0;
    }
    return flags;
}

/* Position, degrees about x, y and z (z acts first), scale. */
static oban_mat34 origin_of(char **words)
{
    float v[7];
    double s[3];
    double c[3];
    oban_mat34 m;

    floats_of("origin", words, 7, v);
    if (!(v[6] > 0)) {
        args_misuse("--origin: the scale must be above 0");
    }
    for (int i = 0; i < 3; i++) {
        s[i] = sin((double)v[3 + i] * 0.017453292519943295);
        c[i] = cos((double)v[3 + i] * 0.017453292519943295);
    }
    const double axes[9] = {c[1] * c[2],
                            c[0] * s[2] + s[0] * s[1] * c[2],
                            s[0] * s[2] - c[0] * s[1] * c[2],
                            -c[1] * s[2],
                            c[0] * c[2] - s[0] * s[1] * s[2],
                            s[0] * c[2] + c[0] * s[1] * s[2],
                            s[1],
                            -s[0] * c[1],
                            c[0] * c[1]};
    for (int i = 0; i < 9; i++) {
        m.m[i] = (float)(axes[i] * (double)v[6]);
    }
    memcpy(m.m + 9, v, 3 * sizeof *v);
    return m;
}

/* ---- steps ------------------------------------------------------------------------------------
 */

/* What a step says when it cannot be done; the reason in words. */
static bool step_failed(const editing *at, const char *step, oban_status status, const char *why)
{
    if (status == OBAN_OK) {
        return true;
    }
    if (status == OBAN_NO_MEMORY) {
        memory_out();
    }
    tell(at->path, at->edit.name, "--%s: %s", step,
         status == OBAN_LIMIT ? "an animation has at most 65,535 frames" : why);
    return false;
}

static bool step_cut(editing *at, char **values)
{
    uint32_t first = 0;
    uint32_t last = 0;

    frames_of(values[0], &first, &last);
    oban_line why;
    oban_line_clear(&why);
    oban_line_add(&why, "there are no such frames; it has 0 to ");
    oban_line_add_i64(&why, at->edit.def.frame_count - 1);
    bool had = at->edit.def.half_stop > 0;
    bool good = step_failed(at, "cut", oban_edit_cut(&at->edit, first, last), why.data);
    if (good && had && at->edit.half_stop_lost) {
        tell(at->path, at->edit.name, "its half-stop frame was cut away; it is 0 now");
        at->edit.half_stop_lost = false;
    }
    return good;
}

static bool step_delay(editing *at, char **values)
{
    int64_t frames = whole_of("delay", values[0], 0, OBAN_EDIT_FRAMES_MAX);
    return step_failed(at, "delay", oban_edit_delay(&at->edit, (uint32_t)frames), "");
}

static bool step_retime(editing *at, char **values)
{
    uint32_t frames = length_of(values[0], at->edit.def.frame_count);
    return step_failed(at, "retime", oban_edit_retime(&at->edit, frames, &at->tolerance),
                       "that leaves no frame");
}

static bool step_reverse(editing *at, char **values)
{
    (void)values;
    return step_failed(at, "reverse", oban_edit_reverse(&at->edit), "");
}

static bool step_join(editing *at, char **values)
{
    tool_library other;

    library_init(&other);
    library_load(&other, values[0]);
    bool good = !library_tell(&other, false);
    if (good && other.clip_count != 1) {
        tell(values[0], NULL, "--join takes a file of one animation; this has %u",
             other.clip_count);
        good = false;
    }
    good = good && step_failed(at, "join", oban_edit_join(&at->edit, other.clips[0].clip),
                               "the other has another base, or one of them is local and one not");
    library_fini(&other);
    return good;
}

static bool step_loop(editing *at, char **values)
{
    int64_t frames = whole_of("loop", values[0], 1, OBAN_EDIT_FRAMES_MAX);
    return step_failed(at, "loop", oban_edit_loop(&at->edit, (uint32_t)frames),
                       "it has not more frames than that");
}

static bool step_shift(editing *at, char **values)
{
    float v[3];
    floats_of("shift", values, 3, v);
    oban_edit_shift(&at->edit, v);
    return true;
}

static bool step_mirror(editing *at, char **values)
{
    const char *axis = strchr("xyz", values[0][0]);
    if (axis == NULL || values[0][0] == '\0' || values[0][1] != '\0') {
        args_misuse("--mirror: expected x, y or z, found '%s'", values[0]);
    }
    oban_edit_mirror(&at->edit, (uint32_t)(values[0][0] - 'x'));
    return true;
}

static bool step_origin(editing *at, char **values)
{
    at->origin = origin_of(values);
    return true;
}

static bool step_to_world(editing *at, char **values)
{
    (void)values;
    return step_failed(at, "to-world", oban_edit_to_world(&at->edit, &at->origin),
                       "it is not local already");
}

static bool step_to_local(editing *at, char **values)
{
    (void)values;
    return step_failed(at, "to-local", oban_edit_to_local(&at->edit, &at->origin),
                       "it is local already");
}

static bool step_bake(editing *at, char **values)
{
    (void)values;
    if (!step_failed(at, "bake-base", oban_edit_bake(&at->edit, &at->tolerance),
                     "the base is flat: it has no rotation")) {
        return false;
    }
    const float *m = at->edit.def.base.m;
    if (m[1] != 0 || m[2] != 0 || m[3] != 0 || m[5] != 0 || m[6] != 0 || m[7] != 0) {
        tell(at->path, at->edit.name, "shear stays in the base: no key can hold it");
    }
    return true;
}

static bool step_resample(editing *at, char **values)
{
    int64_t step = whole_of("resample", values[0], 1, OBAN_EDIT_FRAMES_MAX);
    return step_failed(at, "resample", oban_edit_resample(&at->edit, (uint32_t)step), "");
}

static bool step_reduce(editing *at, char **values)
{
    (void)values;
    return step_failed(at, "reduce", oban_edit_reduce(&at->edit, &at->tolerance), "");
}

static bool step_fit(editing *at, char **values)
{
    (void)values;
    return step_failed(at, "fit-frames", oban_edit_fit_frames(&at->edit),
                       "its last key is in front of frame 0");
}

static bool step_flags(editing *at, char **values)
{
    at->edit.def.flags = flags_of(values[0], at->edit.def.flags);
    return true;
}

static bool step_half_stop(editing *at, char **values)
{
    at->edit.def.half_stop = (int32_t)whole_of("half-stop", values[0], -32768, 32767);
    return true;
}

static bool step_frame_length(editing *at, char **values)
{
    at->edit.def.frame_length = (int32_t)whole_of("frame-length", values[0], -32768, 32767);
    return true;
}

static const struct {
    const char *option;
    bool (*run)(editing *at, char **values);
} steps[] = {
    {"cut", step_cut},           {"delay", step_delay},         {"retime", step_retime},
    {"reverse", step_reverse},   {"join", step_join},           {"loop", step_loop},
    {"shift", step_shift},       {"mirror", step_mirror},       {"origin", step_origin},
    {"to-world", step_to_world}, {"to-local", step_to_local},   {"bake-base", step_bake},
    {"resample", step_resample}, {"reduce", step_reduce},       {"fit-frames", step_fit},
    {"flags", step_flags},       {"half-stop", step_half_stop}, {"frame-length", step_frame_length},
};

static bool run_steps(editing *at)
{
    for (uint32_t i = 0; i < at->args->given_count; i++) {
        const tool_given *given = &at->args->given[i];
        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
            if (strcmp(steps[k].option, given->option->name) == 0 &&
                !steps[k].run(at, given->values)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- the command ------------------------------------------------------------------------------
 */

/* One animation changed; the old one goes. */
static bool edit_clip(const tool_library *library, tool_clip *clip, const tool_args *args)
{
    editing at = {.args = args,
                  .path = library_path_of(library, clip),
                  .tolerance = {library->import.tolerance, library->import.tolerance_angle},
                  .origin = oban_mat34_identity()};
    oban_clip *changed = NULL;
    oban_clip_report report;

    if (oban_edit_init(&at.edit, memory_alloc(), clip->clip) != OBAN_OK) {
        memory_out();
    }
    bool good = run_steps(&at);
    oban_status status =
        good ? oban_clip_create(memory_alloc(), &at.edit.def, &changed, &report) : OBAN_BAD_CLIP;
    if (good && status != OBAN_OK) {
        oban_line why;
        oban_line_clear(&why);
        oban_clip_finding_line(&report.findings[0], &why);
        tell(at.path, at.edit.name, "%s after these steps", why.data);
    } else if (good) {
        oban_clip_destroy(clip->clip);
        clip->clip = changed;
    }
    oban_edit_fini(&at.edit);
    return good && status == OBAN_OK;
}

static bool edit_change(tool_library *library, const tool_args *args)
{
    bool good = true;

    for (uint32_t i = 0; i < library->clip_count; i++) {
        good = edit_clip(library, &library->clips[i], args) && good;
    }
    return good;
}

tool_exit edit_run(tool_args *args)
{
    return convert_with(args, edit_change);
}
