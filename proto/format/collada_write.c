/* SPDX-License-Identifier: MIT */
/* Writing Collada: each thing is a node with one matrix, which holds rotation, position and the
 * whole base. Next: collada.h, model.h. */
#include "proto/format/collada.h"

#include "proto/json/floats.h"

#include <string.h>

/* ---- text ---- */

static void dae_put(oban_writer *out, const char *text)
{
    oban_writer_bytes(out, text, strlen(text));
}

static void dae_put_u64(oban_writer *out, uint64_t value)
{
    oban_line line;
    oban_line_clear(&line);
    oban_line_add_u64(&line, value);
    oban_writer_bytes(out, line.data, line.bytes);
}

static void dae_put_i64(oban_writer *out, int64_t value)
{
    oban_line line;
    oban_line_clear(&line);
    oban_line_add_i64(&line, value);
    oban_writer_bytes(out, line.data, line.bytes);
}

static void dae_put_f32(oban_writer *out, float value)
{
    char digits[OBAN_FLOAT_BYTES_MAX];
    oban_writer_bytes(out, digits, oban_float_shortest(value, digits));
}

static void dae_put_floats(oban_writer *out, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        dae_put(out, i == 0 ? "" : " ");
        dae_put_f32(out, values[i]);
    }
}

static void dae_put_text(oban_writer *out, oban_text text)
{
    for (uint32_t i = 0; i < text.bytes; i++) {
        char c = text.data[i];
        const char *escape = c == '<'   ? "&lt;"
                             : c == '>' ? "&gt;"
                             : c == '&' ? "&amp;"
                             : c == '"' ? "&quot;"
                                        : NULL;
        if (escape != NULL) {
            dae_put(out, escape);
        } else {
            oban_writer_bytes(out, &c, 1);
        }
    }
}

/* 3x4 by columns as 4x4 by rows. */
static void dae_put_matrix(oban_writer *out, const oban_mat34 *matrix)
{
    for (uint32_t row = 0; row < 3; row++) {
        for (uint32_t column = 0; column < 4; column++) {
            dae_put_f32(out, matrix->m[3 * column + row]);
            dae_put(out, " ");
        }
    }
    dae_put(out, "0 0 0 1");
}

/* What ids are made of: names may hold what no id may. */
static void dae_id(oban_writer *out, uint32_t index, const char *ending)
{
    dae_put(out, "thing");
    dae_put_u64(out, index);
    dae_put(out, ending);
}

/* ---- animations ---- */

static void dae_source_begin(oban_writer *out, uint32_t index, const char *ending,
                             const char *array, uint32_t count)
{
    dae_put(out, "      <source id=\"");
    dae_id(out, index, ending);
    dae_put(out, "\">\n        <");
    dae_put(out, array);
    dae_put(out, " id=\"");
    dae_id(out, index, ending);
    dae_put(out, "_array\" count=\"");
    dae_put_u64(out, count);
    dae_put(out, "\">");
}

static void dae_source_end(oban_writer *out, uint32_t index, const char *ending, const char *array,
                           uint32_t count, uint32_t stride, const char *param, const char *type)
{
    dae_put(out, "</");
    dae_put(out, array);
    dae_put(out, ">\n        <technique_common>\n          <accessor source=\"#");
    dae_id(out, index, ending);
    dae_put(out, "_array\" count=\"");
    dae_put_u64(out, count);
    dae_put(out, "\" stride=\"");
    dae_put_u64(out, stride);
    dae_put(out, "\">\n            <param name=\"");
    dae_put(out, param);
    dae_put(out, "\" type=\"");
    dae_put(out, type);
    dae_put(out, "\"/>\n          </accessor>\n        </technique_common>\n      </source>\n");
}

static void dae_input(oban_writer *out, uint32_t index, const char *semantic, const char *ending)
{
    dae_put(out, "        <input semantic=\"");
    dae_put(out, semantic);
    dae_put(out, "\" source=\"#");
    dae_id(out, index, ending);
    dae_put(out, "\"/>\n");
}

static void dae_animation(oban_writer *out, uint32_t index, const oban_model_item *item,
                          const model_track *track)
{
    uint32_t count = track->count;
    dae_put(out, "    <animation id=\"");
    dae_id(out, index, "_animation");
    dae_put(out, "\" name=\"");
    dae_put_text(out, item->clip->name);
    dae_put(out, "\">\n");
    dae_source_begin(out, index, "_input", "float_array", count);
    for (uint32_t i = 0; i < count; i++) {
        dae_put(out, i == 0 ? "" : " ");
        dae_put_f32(out, (float)((double)track->frames[i] / OBAN_MODEL_FPS));
    }
    dae_source_end(out, index, "_input", "float_array", count, 1, "TIME", "float");
    dae_source_begin(out, index, "_output", "float_array", 16 * count);
    for (uint32_t i = 0; i < count; i++) {
        oban_mat34 m = model_matrix(track->clip, (int32_t)track->frames[i], false, item->camera);
        dae_put(out, i == 0 ? "" : "\n");
        dae_put_matrix(out, &m);
    }
    dae_source_end(out, index, "_output", "float_array", count, 16, "TRANSFORM", "float4x4");
    dae_source_begin(out, index, "_way", "Name_array", count);
    for (uint32_t i = 0; i < count; i++) {
        dae_put(out, i == 0 ? "LINEAR" : " LINEAR");
    }
    dae_source_end(out, index, "_way", "Name_array", count, 1, "INTERPOLATION", "name");
    dae_put(out, "      <sampler id=\"");
    dae_id(out, index, "_sampler");
    dae_put(out, "\">\n");
    dae_input(out, index, "INPUT", "_input");
    dae_input(out, index, "OUTPUT", "_output");
    dae_input(out, index, "INTERPOLATION", "_way");
    dae_put(out, "      </sampler>\n      <channel source=\"#");
    dae_id(out, index, "_sampler");
    dae_put(out, "\" target=\"");
    dae_id(out, index, "/transform\"/>\n    </animation>\n");
}

/* ---- nodes ---- */

static bool dae_has_box(const oban_model_item *item)
{
    return item->box[0] > 0 && item->box[1] > 0 && item->box[2] > 0;
}

static void dae_camera(oban_writer *out, uint32_t index, const oban_model_item *item)
{
    dae_put(out, "    <camera id=\"");
    dae_id(out, index, "_camera");
    dae_put(out, "\" name=\"");
    dae_put_text(out, item->name);
    dae_put(out, "_camera\">\n      <optics>\n        <technique_common>\n          <perspective>\n"
                 "            <yfov>");
    dae_put_f32(out, item->fov);
    dae_put(out, "</yfov>\n            <aspect_ratio>1.3333334</aspect_ratio>\n"
                 "            <znear>1</znear>\n            <zfar>10000</zfar>\n"
                 "          </perspective>\n        </technique_common>\n      </optics>\n"
                 "    </camera>\n");
}

/* A box on the ground. */
static void dae_box(oban_writer *out, uint32_t index, const oban_model_item *item)
{
    float half[2] = {item->box[0] / 2, item->box[2] / 2};
    dae_put(out, "    <geometry id=\"");
    dae_id(out, index, "_box");
    dae_put(out, "\">\n      <mesh>\n        <source id=\"");
    dae_id(out, index, "_box_positions");
    dae_put(out, "\">\n          <float_array id=\"");
    dae_id(out, index, "_box_positions_array");
    dae_put(out, "\" count=\"24\">");
    for (unsigned i = 0; i < 8; i++) {
        const float corner[3] = {(i & 4u) != 0 ? half[0] : -half[0],
                                 (i & 2u) != 0 ? item->box[1] : 0,
                                 (i & 1u) != 0 ? half[1] : -half[1]};
        dae_put(out, i == 0 ? "" : " ");
        dae_put_floats(out, corner, 3);
    }
    dae_put(out, "</float_array>\n          <technique_common>\n            <accessor source=\"#");
    dae_id(out, index, "_box_positions_array");
    dae_put(out, "\" count=\"8\" stride=\"3\">\n"
                 "              <param name=\"X\" type=\"float\"/>\n"
                 "              <param name=\"Y\" type=\"float\"/>\n"
                 "              <param name=\"Z\" type=\"float\"/>\n"
                 "            </accessor>\n          </technique_common>\n        </source>\n"
                 "        <vertices id=\"");
    dae_id(out, index, "_box_vertices");
    dae_put(out, "\">\n          <input semantic=\"POSITION\" source=\"#");
    dae_id(out, index, "_box_positions");
    dae_put(out, "\"/>\n        </vertices>\n        <triangles count=\"12\">\n"
                 "          <input semantic=\"VERTEX\" source=\"#");
    dae_id(out, index, "_box_vertices");
    dae_put(out,
            "\" offset=\"0\"/>\n"
            "          <p>0 1 3 0 3 2 4 6 7 4 7 5 0 4 5 0 5 1 2 3 7 2 7 6 0 2 6 0 6 4 1 5 7 1 7 "
            "3</p>\n        </triangles>\n      </mesh>\n    </geometry>\n");
}

static void dae_extra_value(oban_writer *out, const char *name, int64_t value)
{
    dae_put(out, "            <");
    dae_put(out, name);
    dae_put(out, ">");
    dae_put_i64(out, value);
    dae_put(out, "</");
    dae_put(out, name);
    dae_put(out, ">\n");
}

/* The clip as it was, for oban. */
static void dae_extra(oban_writer *out, const oban_clip_def *def, bool rigid)
{
    dae_put(out, "        <extra type=\"oban\">\n          <technique profile=\"oban\">\n");
    dae_extra_value(out, "rigid", rigid ? 1 : 0);
    dae_extra_value(out, "flags", def->flags);
    dae_extra_value(out, "frame_length", def->frame_length);
    dae_extra_value(out, "frame_count", def->frame_count);
    dae_extra_value(out, "half_stop", def->half_stop);
    dae_put(out, "            <start>");
    dae_put_floats(out, def->start.m, 12);
    dae_put(out, "</start>\n            <base>");
    dae_put_floats(out, def->base.m, 12);
    dae_put(out, "</base>\n            <keys>");
    for (uint32_t i = 0; i < def->key_count; i++) {
        const oban_key *key = &def->keys[i];
        const float values[7] = {key->rotation.x, key->rotation.y,  key->rotation.z,
                                 key->rotation.w, key->position[0], key->position[1],
                                 key->position[2]};
        dae_put(out, i == 0 ? "" : "\n");
        dae_put_i64(out, key->frame);
        dae_put(out, " ");
        dae_put_floats(out, values, 7);
    }
    dae_put(out, "</keys>\n          </technique>\n        </extra>\n");
}

static void dae_node(oban_writer *out, uint32_t index, const oban_model_item *item,
                     const model_track *track)
{
    bool placed = item->clip != NULL && (item->clip->flags & OBAN_CLIP_LOCAL) != 0 &&
                  !model_is_identity(&item->place);
    if (placed) {
        dae_put(out, "      <node id=\"");
        dae_id(out, index, "_place");
        dae_put(out, "\" name=\"");
        dae_put_text(out, item->name);
        dae_put(out, "_place\" type=\"NODE\">\n        <matrix sid=\"transform\">");
        dae_put_matrix(out, &item->place);
        dae_put(out, "</matrix>\n");
    }
    dae_put(out, "      <node id=\"");
    dae_id(out, index, "");
    dae_put(out, "\" name=\"");
    dae_put_text(out, item->name);
    dae_put(out, "\" type=\"NODE\">\n        <matrix sid=\"transform\">");
    if (item->clip != NULL) {
        oban_mat34 m = model_matrix(track->clip, 0, false, item->camera);
        dae_put_matrix(out, &m);
    } else {
        dae_put_matrix(out, &item->place);
    }
    dae_put(out, "</matrix>\n");
    if (item->camera) {
        dae_put(out, "        <instance_camera url=\"#");
        dae_id(out, index, "_camera\"/>\n");
    }
    if (dae_has_box(item)) {
        dae_put(out, "        <instance_geometry url=\"#");
        dae_id(out, index, "_box\"/>\n");
    }
    if (item->clip != NULL) {
        dae_extra(out, item->clip, item->camera);
    }
    dae_put(out, placed ? "      </node>\n      </node>\n" : "      </node>\n");
}

/* ---- the file ---- */

typedef bool (*dae_wanted)(const oban_model_item *item);

static bool dae_is_camera(const oban_model_item *item)
{
    return item->camera;
}

static bool dae_moves(const oban_model_item *item)
{
    return item->clip != NULL;
}

static bool dae_any(const oban_model_item *items, uint32_t count, dae_wanted wanted)
{
    for (uint32_t i = 0; i < count; i++) {
        if (wanted(&items[i])) {
            return true;
        }
    }
    return false;
}

static void dae_libraries(oban_writer *out, const oban_model_item *items, uint32_t count,
                          const model_track *tracks)
{
    if (dae_any(items, count, dae_is_camera)) {
        dae_put(out, "  <library_cameras>\n");
        for (uint32_t i = 0; i < count; i++) {
            if (items[i].camera) {
                dae_camera(out, i, &items[i]);
            }
        }
        dae_put(out, "  </library_cameras>\n");
    }
    if (dae_any(items, count, dae_has_box)) {
        dae_put(out, "  <library_geometries>\n");
        for (uint32_t i = 0; i < count; i++) {
            if (dae_has_box(&items[i])) {
                dae_box(out, i, &items[i]);
            }
        }
        dae_put(out, "  </library_geometries>\n");
    }
    if (dae_any(items, count, dae_moves)) {
        dae_put(out, "  <library_animations>\n");
        for (uint32_t i = 0; i < count; i++) {
            if (items[i].clip != NULL) {
                dae_animation(out, i, &items[i], &tracks[i]);
            }
        }
        dae_put(out, "  </library_animations>\n");
    }
}

static void dae_document(oban_writer *out, const oban_model_item *items, uint32_t count,
                         const model_track *tracks)
{
    /* A date is asked for; the same file must give the same bytes. */
    dae_put(out,
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
            "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
            "  <asset>\n    <contributor>\n      <authoring_tool>oban " OBAN_VERSION
            "</authoring_tool>\n    </contributor>\n"
            "    <created>2001-01-28T00:00:00Z</created>\n"
            "    <modified>2001-01-28T00:00:00Z</modified>\n"
            "    <unit meter=\"0.1\" name=\"decimeter\"/>\n    <up_axis>Y_UP</up_axis>\n"
            "  </asset>\n");
    dae_libraries(out, items, count, tracks);
    dae_put(out, "  <library_visual_scenes>\n    <visual_scene id=\"scene\">\n");
    for (uint32_t i = 0; i < count; i++) {
        dae_node(out, i, &items[i], &tracks[i]);
    }
    dae_put(out, "    </visual_scene>\n  </library_visual_scenes>\n  <scene>\n"
                 "    <instance_visual_scene url=\"#scene\"/>\n  </scene>\n</COLLADA>\n");
}

oban_status oban_collada_write(oban_writer *writer, const oban_model_item *items, uint32_t count,
                               bool per_frame, uint32_t *bad)
{
    const oban_alloc *alloc = &writer->alloc;
    size_t bytes = (count + 1u) * sizeof(model_track);
    model_track *tracks = oban_alloc_take(alloc, bytes);
    oban_status status = tracks == NULL ? OBAN_NO_MEMORY : OBAN_OK;
    if (tracks != NULL) {
        memset(tracks, 0, bytes);
    }
    for (uint32_t i = 0; i < count && status == OBAN_OK; i++) {
        if (items[i].clip != NULL) {
            *bad = i;
            status = model_track_make(alloc, items[i].clip, per_frame ? MODEL_EVERY : MODEL_MATRIX,
                                      &tracks[i]);
        }
    }
    if (status == OBAN_OK) {
        dae_document(writer, items, count, tracks);
        status = writer->failed ? OBAN_NO_MEMORY : OBAN_OK;
    }
    for (uint32_t i = 0; i < count && tracks != NULL; i++) {
        model_track_fini(&tracks[i]);
    }
    oban_alloc_give(alloc, tracks, bytes);
    return status;
}
