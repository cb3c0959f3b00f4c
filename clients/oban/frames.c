/* SPDX-License-Identifier: MIT */
/* `oban frames`: what a clip is at each frame, as CSV or JSON; or one hash of all frames.
 * The hash goes over the clips in byte order of their names: name, number of frames, each matrix's
 * bits. The same for a folder, a level and either compiler. */
#include "clients/oban/command.h"
#include "clients/oban/library.h"
#include "clients/oban/ranges.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"
#include "core/base/hash.h"
#include "core/math/trs.h"
#include "proto/json/floats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_FLUSH_BYTES ((size_t)1 << 20)

const tool_option frames_options[] = {
    {"hash", 'H', NULL, "16 hex digits over all frames and names, nothing else"},
    {"at", 'a', "LIST", "these frames: 7, 0-9, 50- or 0,10-20,50- (all)"},
    {"every", 'n', "N", "every Nth of them (1)"},
    {"trs", 't', NULL, "position, rotation (quaternion of the file's sense), scale"},
    {0},
};

const char frames_more[] =
    "Prints one line of CSV for each frame of each animation, in byte order of the names: name,\n"
    "frame and the twelve numbers of the matrix (with --trs x,y,z,qx,qy,qz,qw,sx,sy,sz). With\n"
    "--json {\"clips\":[{\"name\",\"frames\":[{\"frame\",\"matrix\"}]}]}. Matrices are in world\n"
    "coordinates; those of a local animation (a door) are relative to its object's origin.\n";

typedef struct frames_output {
    tool_ranges ranges;
    bool json;
    bool trs;
    tool_exit exit;
    ctl_page page;
    oban_quat last; /* the rotation of the frame in front; 0 0 0 0: none */
} frames_output;

/* ---- the hash -------------------------------------------------------------------------------- */

static void hash_clip(oban_hash *hash, const oban_clip *clip)
{
    oban_hash_bytes(hash, clip->name, strlen(clip->name));
    oban_hash_u64(hash, clip->frame_count);
    for (uint32_t frame = 0; frame < clip->frame_count; frame++) {
        oban_mat34 matrix = oban_clip_matrix(clip, (int32_t)frame);
        for (int i = 0; i < 12; i++) {
            oban_hash_f32(hash, matrix.m[i]);
        }
    }
}

static tool_exit print_hash(const tool_library *library, const uint32_t *sorted, bool json)
{
    oban_hash hash;
    oban_line line;
    ctl_page page;
    tool_exit done;

    oban_hash_start(&hash);
    for (uint32_t i = 0; i < library->clip_count; i++) {
        tell_progress("hashing", i, library->clip_count);
        hash_clip(&hash, library->clips[sorted[i]].clip);
    }
    oban_line_clear(&line);
    oban_line_add_hex64(&line, oban_hash_end(&hash));
    page_init(&page);
    page_format(&page, json ? "{\"hash\":\"%s\",\"clips\":%u}\n" : "%s\n", line.data,
                library->clip_count);
    done = tell_page(&page);
    page_fini(&page);
    return done;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void flush(frames_output *out)
{
    if (out->exit == TOOL_DONE) {
        out->exit = tell_page(&out->page);
    }
    oban_writer_clear(&out->page.text);
}

static void csv_numbers(ctl_page *page, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        char digits[OBAN_FLOAT_BYTES_MAX];
        size_t bytes = oban_float_shortest(values[i], digits);
        page_add(page, ",");
        oban_writer_bytes(&page->text, digits, bytes);
    }
}

/* A name may hold commas and quotes; it never holds control characters. */
static void csv_name(ctl_page *page, const char *name)
{
    if (strpbrk(name, ",;\"") == NULL) {
        page_add(page, name);
        return;
    }
    page_add(page, "\"");
    for (; *name != '\0'; name++) {
        oban_writer_bytes(&page->text, name, 1);
        page_add(page, *name == '"' ? "\"" : "");
    }
    page_add(page, "\"");
}

/* Of the two quaternions of a rotation the one nearer to the frame in front. */
static oban_trs trs_at(frames_output *out, const oban_mat34 *matrix)
{
    oban_trs trs = oban_trs_of(matrix);
    oban_quat *q = &trs.rotation;

    if (q->x * out->last.x + q->y * out->last.y + q->z * out->last.z + q->w * out->last.w < 0) {
        *q = (oban_quat){-q->x, -q->y, -q->z, -q->w};
    }
    out->last = *q;
    return trs;
}

static void csv_frame(frames_output *out, const char *name, uint32_t frame,
                      const oban_mat34 *matrix)
{
    csv_name(&out->page, name);
    page_format(&out->page, ",%u", frame);
    if (out->trs) {
        oban_trs trs = trs_at(out, matrix);
        const float rotation[4] = {trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w};
        csv_numbers(&out->page, trs.position, 3);
        csv_numbers(&out->page, rotation, 4);
        csv_numbers(&out->page, trs.scale, 3);
    } else {
        csv_numbers(&out->page, matrix->m, 12);
    }
    page_add(&out->page, "\n");
}

static void json_numbers(oban_writer *writer, const char *key, const float *values, size_t count)
{
    oban_writer_key(writer, key);
    oban_writer_f32s(writer, values, count);
}

static void json_frame(frames_output *out, uint32_t frame, const oban_mat34 *matrix)
{
    oban_writer *writer = &out->page.text;

    oban_writer_object_begin(writer);
    oban_writer_key(writer, "frame");
    oban_writer_u64(writer, frame);
    if (out->trs) {
        oban_trs trs = trs_at(out, matrix);
        const float rotation[4] = {trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w};
        json_numbers(writer, "position", trs.position, 3);
        json_numbers(writer, "rotation", rotation, 4);
        json_numbers(writer, "scale", trs.scale, 3);
    } else {
        json_numbers(writer, "matrix", matrix->m, 12);
    }
    oban_writer_object_end(writer);
}

/* Returns whether the clip has one of the frames that were asked for. */
static bool print_clip(frames_output *out, const oban_clip *clip)
{
    uint32_t printed = 0;

    out->last = (oban_quat){0, 0, 0, 0};
    if (out->json) {
        oban_writer_object_begin(&out->page.text);
        oban_writer_key(&out->page.text, "name");
        oban_writer_string(&out->page.text, clip->name);
        oban_writer_key(&out->page.text, "frames");
        oban_writer_array_begin(&out->page.text);
    }
    for (uint32_t frame = 0; frame < clip->frame_count && out->exit == TOOL_DONE; frame++) {
        if (!ranges_have(&out->ranges, frame)) {
            continue;
        }
        oban_mat34 matrix = oban_clip_matrix(clip, (int32_t)frame);
        printed++;
        if (out->json) {
            json_frame(out, frame, &matrix);
        } else {
            csv_frame(out, clip->name, frame, &matrix);
        }
        if (out->page.text.bytes > FRAMES_FLUSH_BYTES) {
            bool comma = out->page.text.comma;
            flush(out);
            out->page.text.comma = comma;
        }
    }
    if (out->json) {
        oban_writer_array_end(&out->page.text);
        oban_writer_object_end(&out->page.text);
    }
    return printed > 0;
}

static void print_begin(frames_output *out)
{
    if (out->json) {
        oban_writer_object_begin(&out->page.text);
        oban_writer_key(&out->page.text, "clips");
        oban_writer_array_begin(&out->page.text);
    } else {
        page_add(&out->page, out->trs ? "name,frame,x,y,z,qx,qy,qz,qw,sx,sy,sz\n"
                                      : "name,frame,m0,m1,m2,m3,m4,m5,m6,m7,m8,m9,m10,m11\n");
    }
}

static tool_exit print_frames(const tool_library *library, const uint32_t *sorted,
                              frames_output *out)
{
    bool lacking = false;

    page_init(&out->page);
    print_begin(out);
    for (uint32_t i = 0; i < library->clip_count; i++) {
        const tool_clip *one = &library->clips[sorted[i]];
        if (!print_clip(out, one->clip)) {
            tell(library_path_of(library, one), one->clip->name,
                 "it has the frames 0 to %u, none of those asked for", one->clip->frame_count - 1);
            lacking = true;
        }
    }
    if (out->json) {
        oban_writer_array_end(&out->page.text);
        oban_writer_object_end(&out->page.text);
        page_add(&out->page, "\n");
    }
    flush(out);
    page_fini(&out->page);
    return out->exit != TOOL_DONE ? out->exit : lacking ? TOOL_REFUSED : TOOL_DONE;
}

/* ---- the command ----------------------------------------------------------------------------- */

tool_exit frames_run(tool_args *args)
{
    tool_library library;
    uint32_t at = 0;
    frames_output out = {
        .ranges = {args_value(args, "at"), 1}, .json = args->json, .trs = args_has(args, "trs")};

    out.ranges.every = (uint32_t)args_whole(args, "every", 1, 65535, 1);
    if (out.ranges.text != NULL && !ranges_good(out.ranges.text, &at)) {
        args_misuse("--at: expected frames such as 7, 0-9 or 50-, divided by commas; '%s' is none "
                    "behind its character %u",
                    out.ranges.text, at);
    }
    library_init(&library);
    library_load_all(&library, args->words, args->word_count);
    bool bad = library_tell(&library, true);
    uint32_t *sorted = library_sorted(&library);
    tool_exit done = TOOL_REFUSED;
    if (args_has(args, "hash")) {
        /* A hash of less than all would be one of something else. */
        bad = library_tell_twice(&library) > 0 || bad;
        done = bad ? TOOL_REFUSED : print_hash(&library, sorted, args->json);
    } else {
        done = print_frames(&library, sorted, &out);
        done = done == TOOL_DONE && bad ? TOOL_REFUSED : done;
    }
    free(sorted);
    library_fini(&library);
    return done;
}
