/* SPDX-License-Identifier: MIT */
/* `oban diff`: in what two animations, folders or levels differ: the numbers of their files, and
 * how far apart what they move is at worst. Next: library.h. */
#include "clients/oban/command.h"
#include "clients/oban/library.h"
#include "clients/oban/tell.h"
#include "core/math/trs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With one tolerance given, the other; as for reducing. */
#define DIFF_UNITS 0.001
#define DIFF_DEGREES 0.01
#define DEGREES_PER_RADIAN 57.295779513082320877

const tool_option diff_options[] = {
    {"tolerance", 't', "UNITS", "positions and scales so near are the same (0; with -a 0.001)"},
    {"angle", 'a', "DEGREES", "rotations so near are the same (0; with -t 0.01)"},
    {0},
};

const char diff_more[] =
    "Compares two animations whatever their names, or two folders or levels, name by name. Tells\n"
    "the numbers that differ, and over the frames that both have the greatest distance, angle and\n"
    "difference of scale, each with its frame. Silent, exit code 0, when nothing differs; 3 when\n"
    "something does, 1 when a file is wrong. With a tolerance only what is shown counts: keys may\n"
    "differ as long as every frame is as near as that.\n";

/* A number of a clip that files say. */
typedef enum diff_number {
    DIFF_FRAMES,
    DIFF_KEYS,
    DIFF_FLAGS,
    DIFF_HALF_STOP,
    DIFF_FRAME_LENGTH,
    DIFF_NUMBERS
} diff_number;

static const struct {
    const char *name;
    bool shown; /* it changes what is seen, and so it counts also with a tolerance */
} diff_numbers[DIFF_NUMBERS] = {
    [DIFF_FRAMES] = {"frames", true},
    [DIFF_KEYS] = {"keys", false},
    [DIFF_FLAGS] = {"flags", true},
    [DIFF_HALF_STOP] = {"half_stop", true},
    [DIFF_FRAME_LENGTH] = {"frame_length", false},
};

typedef struct diff_worst {
    double most;
    uint32_t frame;
} diff_worst;

/* Two clips side by side. `a` or `b` NULL: only one side has it. */
typedef struct diff_pair {
    const oban_clip *a;
    const oban_clip *b;
    int64_t numbers[2][DIFF_NUMBERS];
    bool start;      /* the start matrices differ */
    bool data;       /* keys or bases differ, in whatever bit */
    diff_worst way;  /* units */
    diff_worst turn; /* degrees */
    diff_worst size; /* of a scale of 1 */
} diff_pair;

typedef struct diff_output {
    double units;
    double degrees;
    bool tolerant;
    bool json;
    uint32_t compared;
    uint32_t different;
    ctl_page page;
} diff_output;

/* ---- comparing ------------------------------------------------------------------------------- */

static void read_numbers(const oban_clip *clip, int64_t out[DIFF_NUMBERS])
{
    out[DIFF_FRAMES] = clip->frame_count;
    out[DIFF_KEYS] = clip->key_count;
    out[DIFF_FLAGS] = clip->flags;
    out[DIFF_HALF_STOP] = clip->half_stop;
    out[DIFF_FRAME_LENGTH] = clip->frame_length;
}

static void note_worst(diff_worst *worst, double value, uint32_t frame)
{
    /* What is not finite at one side is as far away as can be. */
    value = isnan(value) ? HUGE_VAL : value;
    if (value > worst->most) {
        *worst = (diff_worst){value, frame};
    }
}

/* Degrees between two rotations; exact also for small ones, where a cosine is not. */
static double degrees_between(const oban_quat *a, const oban_quat *b)
{
    const double p[4] = {(double)a->x, (double)a->y, (double)a->z, (double)a->w};
    double q[4] = {(double)b->x, (double)b->y, (double)b->z, (double)b->w};
    double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    double apart = 0;
    double together = 0;

    for (int i = 0; i < 4; i++) {
        q[i] = dot < 0 ? -q[i] : q[i];
        apart += (p[i] - q[i]) * (p[i] - q[i]);
        together += (p[i] + q[i]) * (p[i] + q[i]);
    }
    return 4 * atan2(sqrt(apart), sqrt(together)) * DEGREES_PER_RADIAN;
}

static void compare_frame(diff_pair *pair, uint32_t frame)
{
    oban_mat34 a = oban_clip_matrix(pair->a, (int32_t)frame);
    oban_mat34 b = oban_clip_matrix(pair->b, (int32_t)frame);
    double way = 0;
    oban_trs first;
    oban_trs second;

    if (oban_mat34_same(&a, &b)) {
        return;
    }
    first = oban_trs_of(&a);
    second = oban_trs_of(&b);
    for (int i = 0; i < 3; i++) {
        double step = (double)a.m[9 + i] - (double)b.m[9 + i];
        way += step * step;
        note_worst(&pair->size, fabs((double)first.scale[i] - (double)second.scale[i]), frame);
    }
    note_worst(&pair->way, sqrt(way), frame);
    note_worst(&pair->turn, degrees_between(&first.rotation, &second.rotation), frame);
}

static diff_pair compare(const oban_clip *a, const oban_clip *b)
{
    diff_pair pair = {.a = a, .b = b};
    uint32_t frames = a->frame_count < b->frame_count ? a->frame_count : b->frame_count;

    read_numbers(a, pair.numbers[0]);
    read_numbers(b, pair.numbers[1]);
    pair.start = !oban_mat34_same(&a->start, &b->start);
    pair.data = !oban_mat34_same(&a->base, &b->base) || a->key_count != b->key_count ||
                memcmp(a->keys, b->keys, a->key_count * sizeof *a->keys) != 0;
    for (uint32_t frame = 0; frame < frames; frame++) {
        compare_frame(&pair, frame);
    }
    return pair;
}

static bool number_differs(const diff_output *out, const diff_pair *pair, diff_number number)
{
    return pair->numbers[0][number] != pair->numbers[1][number] &&
           (diff_numbers[number].shown || !out->tolerant);
}

static bool pair_differs(const diff_output *out, const diff_pair *pair)
{
    bool differs = pair->way.most > out->units || pair->turn.most > out->degrees ||
                   pair->size.most > out->units || (!out->tolerant && (pair->start || pair->data));

    for (diff_number number = 0; number < DIFF_NUMBERS; number++) {
        differs = differs || number_differs(out, pair, number);
    }
    return differs;
}

/* ---- telling --------------------------------------------------------------------------------- */

static void text_worst(ctl_page *page, const char *label, const diff_worst *worst, const char *unit)
{
    if (worst->most > 0) {
        page_format(page, "  %-13s%.7g%s at frame %u\n", label, worst->most, unit, worst->frame);
    }
}

static void text_pair(diff_output *out, const diff_pair *pair)
{
    ctl_page *page = &out->page;

    page_safe(page, pair->a->name);
    if (strcmp(pair->a->name, pair->b->name) != 0) {
        page_add(page, " and ");
        page_safe(page, pair->b->name);
    }
    page_add(page, "\n");
    for (diff_number number = 0; number < DIFF_NUMBERS; number++) {
        if (number_differs(out, pair, number)) {
            page_format(page,
                        number == DIFF_FLAGS ? "  %-13s0x%llx, 0x%llx\n" : "  %-13s%lld, %lld\n",
                        diff_numbers[number].name, (long long)pair->numbers[0][number],
                        (long long)pair->numbers[1][number]);
        }
    }
    text_worst(page, "distance", &pair->way, " units");
    text_worst(page, "angle", &pair->turn, " degrees");
    text_worst(page, "scale", &pair->size, "");
    if (pair->start) {
        page_format(page, "  %-13sthe matrices differ\n", "start");
    }
    if (pair->data && !(pair->way.most > 0 || pair->turn.most > 0 || pair->size.most > 0)) {
        page_format(page, "  %-13sother numbers, which show the same at these frames\n",
                    "keys, base");
    }
}

static void json_number(oban_writer *writer, const char *key, double value)
{
    oban_writer_key(writer, key);
    if (isfinite(value)) {
        oban_writer_f64(writer, value);
    } else {
        oban_writer_null(writer);
    }
}

static void json_worst(oban_writer *writer, const char *key, const char *at,
                       const diff_worst *worst)
{
    json_number(writer, key, worst->most);
    oban_writer_key(writer, at);
    oban_writer_u64(writer, worst->frame);
}

static void json_pair(diff_output *out, const diff_pair *pair)
{
    oban_writer *writer = &out->page.text;

    oban_writer_object_begin(writer);
    oban_writer_key(writer, "name");
    oban_writer_string(writer, pair->a->name);
    oban_writer_key(writer, "other_name");
    oban_writer_string(writer, pair->b->name);
    for (diff_number number = 0; number < DIFF_NUMBERS; number++) {
        oban_writer_key(writer, diff_numbers[number].name);
        oban_writer_array_begin(writer);
        oban_writer_i64(writer, pair->numbers[0][number]);
        oban_writer_i64(writer, pair->numbers[1][number]);
        oban_writer_array_end(writer);
    }
    oban_writer_key(writer, "start");
    oban_writer_bool(writer, pair->start);
    oban_writer_key(writer, "data");
    oban_writer_bool(writer, pair->data);
    json_worst(writer, "distance", "distance_at", &pair->way);
    json_worst(writer, "angle", "angle_at", &pair->turn);
    json_worst(writer, "scale", "scale_at", &pair->size);
    oban_writer_object_end(writer);
}

static void take_pair(diff_output *out, const oban_clip *a, const oban_clip *b)
{
    diff_pair pair = compare(a, b);

    out->compared++;
    if (!pair_differs(out, &pair)) {
        return;
    }
    out->different++;
    if (out->json) {
        json_pair(out, &pair);
    } else {
        text_pair(out, &pair);
    }
}

/* ---- two sets -------------------------------------------------------------------------------- */

typedef struct diff_side {
    tool_library library;
    uint32_t *sorted;
    const char *path;
    uint32_t at;
    uint32_t lone; /* how many the other has not */
} diff_side;

static const oban_clip *side_clip(const diff_side *side, uint32_t at)
{
    return at < side->library.clip_count ? side->library.clips[side->sorted[at]].clip : NULL;
}

/* What one side alone has: told at once, or kept for the JSON behind the pairs. */
static void take_lone(diff_output *out, diff_side *side, const oban_clip *clip)
{
    side->lone++;
    out->different++;
    if (!out->json) {
        page_safe(&out->page, clip->name);
        page_add(&out->page, "\n  only in ");
        page_safe(&out->page, side->path);
        page_add(&out->page, "\n");
    }
}

/* Goes through both in byte order of the names. `lone` NULL: tells all; else appends the names that
 * this side alone has. */
static void walk(diff_output *out, diff_side *a, diff_side *b, const diff_side *lone)
{
    a->at = 0;
    b->at = 0;
    while (side_clip(a, a->at) != NULL || side_clip(b, b->at) != NULL) {
        const oban_clip *left = side_clip(a, a->at);
        const oban_clip *right = side_clip(b, b->at);
        int order = left == NULL ? 1 : right == NULL ? -1 : strcmp(left->name, right->name);
        diff_side *from = order < 0 ? a : b;

        if (lone == NULL && order == 0) {
            tell_progress("comparing", a->at, a->library.clip_count);
            take_pair(out, left, right);
        } else if (lone == NULL) {
            take_lone(out, from, order < 0 ? left : right);
        } else if (order != 0 && lone == from) {
            oban_writer_string(&out->page.text, (order < 0 ? left : right)->name);
        }
        a->at += order <= 0 ? 1 : 0;
        b->at += order >= 0 ? 1 : 0;
    }
}

static void json_lone(diff_output *out, diff_side *a, diff_side *b, const char *key,
                      const diff_side *lone)
{
    oban_writer_key(&out->page.text, key);
    oban_writer_array_begin(&out->page.text);
    if (lone != NULL) {
        walk(out, a, b, lone);
    }
    oban_writer_array_end(&out->page.text);
}

static tool_exit print_diff(diff_output *out, diff_side *a, diff_side *b)
{
    bool one = a->library.clip_count == 1 && b->library.clip_count == 1;
    oban_writer *writer = &out->page.text;
    tool_exit done;

    page_init(&out->page);
    if (out->json) {
        oban_writer_object_begin(writer);
        oban_writer_key(writer, "different");
        oban_writer_array_begin(writer);
    }
    if (one) {
        take_pair(out, side_clip(a, 0), side_clip(b, 0));
    } else {
        walk(out, a, b, NULL);
    }
    if (out->json) {
        oban_writer_array_end(writer);
        json_lone(out, a, b, "only_first", one ? NULL : a);
        json_lone(out, a, b, "only_second", one ? NULL : b);
        oban_writer_key(writer, "compared");
        oban_writer_u64(writer, out->compared);
        oban_writer_object_end(writer);
        page_add(&out->page, "\n");
    }
    done = tell_page(&out->page);
    page_fini(&out->page);
    return done != TOOL_DONE ? done : out->different > 0 ? TOOL_DIFFERENT : TOOL_DONE;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool side_load(diff_side *side, char *path)
{
    side->path = path;
    library_init(&side->library);
    library_load_all(&side->library, &path, 1);
    bool bad = library_tell(&side->library, false);
    bad = library_tell_twice(&side->library) > 0 || bad;
    if (!bad && side->library.clip_count == 0) {
        tell(path, NULL, "it holds no animation");
        bad = true;
    }
    side->sorted = library_sorted(&side->library);
    return !bad;
}

static void side_fini(diff_side *side)
{
    free(side->sorted);
    library_fini(&side->library);
}

tool_exit diff_run(tool_args *args)
{
    diff_output out = {.json = args->json};
    diff_side a = {0};
    diff_side b = {0};

    out.tolerant = args_has(args, "tolerance") || args_has(args, "angle");
    out.units = args_number(args, "tolerance", 0, 1e30, out.tolerant ? DIFF_UNITS : 0);
    out.degrees = args_number(args, "angle", 0, 360, out.tolerant ? DIFF_DEGREES : 0);
    if (args->word_count != 2) {
        args_misuse("diff: expected two paths, found %u", args->word_count);
    }
    bool good = side_load(&a, args->words[0]);
    good = side_load(&b, args->words[1]) && good;
    /* Half a comparison would be one of something else. */
    tool_exit done = good ? print_diff(&out, &a, &b) : TOOL_REFUSED;
    side_fini(&a);
    side_fini(&b);
    return done;
}
