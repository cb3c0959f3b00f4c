/* SPDX-License-Identifier: MIT */
/* Writing glTF. A clip's node turns and moves; a base that only scales is the node's own scale, any
 * other a child. The numbers are gathered first, then the text is written over them.
 * Next: gltf.h, model.h. */
#include "proto/format/gltf.h"

#include "proto/format/little.h"

#include <math.h>
#include <string.h>

#define GLTF_MAGIC 0x46546c67u
#define GLTF_CHUNK_JSON 0x4e4f534au
#define GLTF_CHUNK_BIN 0x004e4942u
#define GLTF_ARRAY_BUFFER 34962
#define GLTF_ELEMENT_BUFFER 34963
#define GLTF_FLOAT 5126
#define GLTF_U16 5123

/* Where an item's samples lie. */
typedef struct gltf_track {
    model_track track;
    bool made;
    uint32_t times;     /* accessor */
    uint32_t positions; /* the next two accessors follow */
} gltf_track;

typedef struct gltf_writing {
    oban_writer *out;
    oban_writer numbers; /* the buffer */
    oban_writer views;   /* JSON of its views and accessors, as lists */
    oban_writer accessors;
    uint32_t accessor_count;
    const oban_model_item *items;
    gltf_track *tracks;
    uint32_t count;
    uint32_t box; /* accessor of the box's positions, when has_box; its indices follow */
    bool has_box;
    bool has_camera;
} gltf_writing;

/* ---- JSON ---- */

static void gltf_u64(oban_writer *writer, const char *key, uint64_t value)
{
    oban_writer_key(writer, key);
    oban_writer_u64(writer, value);
}

static void gltf_string(oban_writer *writer, const char *key, const char *value)
{
    oban_writer_key(writer, key);
    oban_writer_string(writer, value);
}

static void gltf_floats(oban_writer *writer, const char *key, const float *values, uint32_t count)
{
    oban_writer_key(writer, key);
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < count; i++) {
        oban_writer_f32(writer, values[i]);
    }
    oban_writer_array_end(writer);
}

/* ---- numbers ---- */

typedef struct gltf_accessor {
    const char *type;
    uint32_t component;
    uint32_t count;
    int target;          /* of its view; 0: none */
    const float *lowest; /* `parts` of each; NULL: not written */
    const float *highest;
    uint32_t parts;
} gltf_accessor;

/* A view of what was added to the numbers since `from`, and an accessor of it. */
static uint32_t gltf_accessor_add(gltf_writing *writing, size_t from, const gltf_accessor *made)
{
    oban_writer *view = &writing->views;
    oban_writer *accessor = &writing->accessors;
    oban_writer_object_begin(view);
    gltf_u64(view, "buffer", 0);
    gltf_u64(view, "byteOffset", from);
    gltf_u64(view, "byteLength", writing->numbers.bytes - from);
    if (made->target != 0) {
        gltf_u64(view, "target", (uint64_t)made->target);
    }
    oban_writer_object_end(view);
    oban_writer_object_begin(accessor);
    gltf_u64(accessor, "bufferView", writing->accessor_count);
    gltf_u64(accessor, "componentType", made->component);
    gltf_u64(accessor, "count", made->count);
    gltf_string(accessor, "type", made->type);
    if (made->lowest != NULL) {
        gltf_floats(accessor, "min", made->lowest, made->parts);
        gltf_floats(accessor, "max", made->highest, made->parts);
    }
    oban_writer_object_end(accessor);
    little_pad(&writing->numbers, (writing->numbers.bytes + 3) / 4 * 4);
    return writing->accessor_count++;
}

static float gltf_time(uint32_t frame)
{
    return (float)((double)frame / OBAN_MODEL_FPS);
}

/* The usual sense is the inverse of the file's. */
static oban_quat gltf_quat(const oban_mat34 *matrix)
{
    oban_quat q = oban_quat_from_mat34(matrix);
    return (oban_quat){-q.x, -q.y, -q.z, q.w};
}

static void gltf_times(gltf_writing *writing, gltf_track *track)
{
    const model_track *frames = &track->track;
    size_t from = writing->numbers.bytes;
    for (uint32_t i = 0; i < frames->count; i++) {
        little_put_f32(&writing->numbers, gltf_time(frames->frames[i]));
    }
    float lowest = gltf_time(frames->frames[0]);
    float highest = gltf_time(frames->frames[frames->count - 1]);
    track->times = gltf_accessor_add(
        writing, from,
        &(gltf_accessor){"SCALAR", GLTF_FLOAT, frames->count, 0, &lowest, &highest, 1});
}

static void gltf_samples(gltf_writing *writing, gltf_track *track, bool rigid)
{
    const model_track *frames = &track->track;
    oban_writer *numbers = &writing->numbers;
    size_t from = numbers->bytes;
    for (uint32_t i = 0; i < frames->count; i++) {
        oban_mat34 m = model_matrix(frames->clip, (int32_t)frames->frames[i], !rigid, rigid);
        little_put_f32(numbers, m.m[9]);
        little_put_f32(numbers, m.m[10]);
        little_put_f32(numbers, m.m[11]);
    }
    track->positions = gltf_accessor_add(
        writing, from, &(gltf_accessor){"VEC3", GLTF_FLOAT, frames->count, 0, NULL, NULL, 0});
    from = numbers->bytes;
    oban_quat before = {0, 0, 0, 1};
    for (uint32_t i = 0; i < frames->count; i++) {
        oban_mat34 m = model_matrix(frames->clip, (int32_t)frames->frames[i], !rigid, rigid);
        oban_quat q = gltf_quat(&m);
        if (q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w < 0) {
            q = (oban_quat){-q.x, -q.y, -q.z, -q.w};
        }
        before = q;
        little_put_f32(numbers, q.x);
        little_put_f32(numbers, q.y);
        little_put_f32(numbers, q.z);
        little_put_f32(numbers, q.w);
    }
    (void)gltf_accessor_add(writing, from,
                            &(gltf_accessor){"VEC4", GLTF_FLOAT, frames->count, 0, NULL, NULL, 0});
}

/* A box of edge 1 that stands on the ground. */
static void gltf_box(gltf_writing *writing)
{
    static const unsigned char faces[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                            2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    static const float lowest[3] = {-0.5f, 0, -0.5f};
    static const float highest[3] = {0.5f, 1, 0.5f};
    size_t from = writing->numbers.bytes;
    for (unsigned i = 0; i < 8; i++) {
        little_put_f32(&writing->numbers, (i & 4u) != 0 ? 0.5f : -0.5f);
        little_put_f32(&writing->numbers, (i & 2u) != 0 ? 1.0f : 0.0f);
        little_put_f32(&writing->numbers, (i & 1u) != 0 ? 0.5f : -0.5f);
    }
    writing->box = gltf_accessor_add(
        writing, from,
        &(gltf_accessor){"VEC3", GLTF_FLOAT, 8, GLTF_ARRAY_BUFFER, lowest, highest, 3});
    from = writing->numbers.bytes;
    for (size_t i = 0; i < sizeof faces; i++) {
        little_put_u16(&writing->numbers, faces[i]);
    }
    (void)gltf_accessor_add(
        writing, from,
        &(gltf_accessor){"SCALAR", GLTF_U16, 36, GLTF_ELEMENT_BUFFER, NULL, NULL, 0});
}

/* ---- nodes ---- */

static bool gltf_has_box(const oban_model_item *item)
{
    return item->box[0] > 0 && item->box[1] > 0 && item->box[2] > 0;
}

/* The nodes of an item, by how many there are below its first: place, mover, base, box. */
typedef struct gltf_nodes {
    bool place; /* a local clip's origin */
    bool base;  /* a base that is more than a scale */
    bool box;
} gltf_nodes;

static gltf_nodes gltf_nodes_of(const oban_model_item *item)
{
    const oban_clip_def *clip = item->clip;
    gltf_nodes nodes = {.box = gltf_has_box(item)};
    if (clip != NULL) {
        nodes.place = (clip->flags & OBAN_CLIP_LOCAL) != 0 && !model_is_identity(&item->place);
        nodes.base = !item->camera && !model_base_is_scale(&clip->base);
    }
    return nodes;
}

static uint32_t gltf_node_count(const oban_model_item *item)
{
    gltf_nodes nodes = gltf_nodes_of(item);
    return 1u + nodes.place + nodes.base + nodes.box;
}

/* 3x4 by columns as 4x4 by columns. */
static void gltf_node_matrix(oban_writer *out, const oban_mat34 *matrix)
{
    oban_writer_key(out, "matrix");
    oban_writer_array_begin(out);
    for (uint32_t column = 0; column < 4; column++) {
        for (uint32_t row = 0; row < 3; row++) {
            oban_writer_f32(out, matrix->m[3 * column + row]);
        }
        oban_writer_u64(out, column == 3 ? 1 : 0);
    }
    oban_writer_array_end(out);
}

/* The name, with an ending for the nodes around the one that moves. */
static void gltf_node_begin(oban_writer *out, oban_text name, const char *ending)
{
    oban_line text;
    oban_line_clear(&text);
    oban_line_add_text(&text, name);
    oban_line_add(&text, ending);
    oban_writer_object_begin(out);
    oban_writer_key(out, "name");
    oban_writer_text(out, (oban_text){text.data, text.bytes});
}

static void gltf_child(oban_writer *out, bool any, uint32_t child)
{
    if (any) {
        oban_writer_key(out, "children");
        oban_writer_array_begin(out);
        oban_writer_u64(out, child);
        oban_writer_array_end(out);
    }
}

/* The clip as it was, for oban. */
static void gltf_extra(oban_writer *out, const oban_clip_def *def, bool rigid)
{
    oban_writer_key(out, "extras");
    oban_writer_object_begin(out);
    oban_writer_key(out, "oban");
    oban_writer_object_begin(out);
    oban_writer_key(out, "rigid");
    oban_writer_bool(out, rigid);
    gltf_u64(out, "flags", def->flags);
    oban_writer_key(out, "frame_length");
    oban_writer_i64(out, def->frame_length);
    oban_writer_key(out, "frame_count");
    oban_writer_i64(out, def->frame_count);
    oban_writer_key(out, "half_stop");
    oban_writer_i64(out, def->half_stop);
    gltf_floats(out, "start", def->start.m, 12);
    gltf_floats(out, "base", def->base.m, 12);
    oban_writer_key(out, "keys"); /* frame, x y z w as the file has them, position */
    oban_writer_array_begin(out);
    for (uint32_t i = 0; i < def->key_count; i++) {
        const oban_key *key = &def->keys[i];
        const float values[7] = {key->rotation.x, key->rotation.y,  key->rotation.z,
                                 key->rotation.w, key->position[0], key->position[1],
                                 key->position[2]};
        oban_writer_i64(out, key->frame);
        for (int k = 0; k < 7; k++) {
            oban_writer_f32(out, values[k]);
        }
    }
    oban_writer_array_end(out);
    oban_writer_object_end(out);
    oban_writer_object_end(out);
}

/* Where the node that moves is at frame 0. */
static void gltf_mover_place(oban_writer *out, const oban_model_item *item, const gltf_track *track)
{
    oban_mat34 m = model_matrix(track->track.clip, 0, !item->camera, item->camera);
    oban_quat q = gltf_quat(&m);
    const float rotation[4] = {q.x, q.y, q.z, q.w};
    const float *base = item->clip->base.m;
    const float scale[3] = {base[0], base[4], base[8]};
    gltf_floats(out, "translation", m.m + 9, 3);
    gltf_floats(out, "rotation", rotation, 4);
    if (!item->camera && model_base_is_scale(&item->clip->base) &&
        !model_is_identity(&item->clip->base)) {
        gltf_floats(out, "scale", scale, 3);
    }
}

/* All nodes of an item; `node` is the number of its first, `camera` that of its camera. */
static void gltf_item(gltf_writing *writing, uint32_t index, uint32_t node, uint32_t camera)
{
    oban_writer *out = writing->out;
    const oban_model_item *item = &writing->items[index];
    gltf_nodes nodes = gltf_nodes_of(item);
    if (nodes.place) {
        gltf_node_begin(out, item->name, "_place");
        gltf_node_matrix(out, &item->place);
        gltf_child(out, true, ++node);
        oban_writer_object_end(out);
    }
    gltf_node_begin(out, item->name, "");
    if (item->clip == NULL) {
        gltf_node_matrix(out, &item->place);
    } else {
        gltf_mover_place(out, item, &writing->tracks[index]);
        gltf_extra(out, item->clip, item->camera);
    }
    if (item->camera) {
        gltf_u64(out, "camera", camera);
    }
    gltf_child(out, nodes.base || nodes.box, node + 1);
    oban_writer_object_end(out);
    if (nodes.base) {
        node++;
        gltf_node_begin(out, item->name, "_base");
        gltf_node_matrix(out, &item->clip->base);
        gltf_child(out, nodes.box, node + 1);
        oban_writer_object_end(out);
    }
    if (nodes.box) {
        gltf_node_begin(out, item->name, "_box");
        gltf_floats(out, "scale", item->box, 3);
        gltf_u64(out, "mesh", 0);
        oban_writer_object_end(out);
    }
}

static void gltf_scene(gltf_writing *writing)
{
    oban_writer *out = writing->out;
    uint32_t node = 0;
    uint32_t camera = 0;
    gltf_u64(out, "scene", 0);
    oban_writer_key(out, "scenes");
    oban_writer_array_begin(out);
    oban_writer_object_begin(out);
    oban_writer_key(out, "nodes");
    oban_writer_array_begin(out);
    for (uint32_t i = 0; i < writing->count; i++) {
        oban_writer_u64(out, node);
        node += gltf_node_count(&writing->items[i]);
    }
    oban_writer_array_end(out);
    oban_writer_object_end(out);
    oban_writer_array_end(out);
    oban_writer_key(out, "nodes");
    oban_writer_array_begin(out);
    node = 0;
    for (uint32_t i = 0; i < writing->count; i++) {
        gltf_item(writing, i, node, camera);
        camera += writing->items[i].camera ? 1u : 0u;
        node += gltf_node_count(&writing->items[i]);
    }
    oban_writer_array_end(out);
}

static void gltf_cameras(gltf_writing *writing)
{
    oban_writer *out = writing->out;
    oban_writer_key(out, "cameras");
    oban_writer_array_begin(out);
    for (uint32_t i = 0; i < writing->count; i++) {
        if (!writing->items[i].camera) {
            continue;
        }
        oban_writer_object_begin(out);
        gltf_string(out, "type", "perspective");
        oban_writer_key(out, "perspective");
        oban_writer_object_begin(out);
        oban_writer_key(out, "aspectRatio");
        oban_writer_f32(out, 4.0f / 3.0f);
        oban_writer_key(out, "yfov");
        oban_writer_f32(out, (float)((double)writing->items[i].fov * 0.017453292519943295));
        gltf_u64(out, "znear", 1);
        gltf_u64(out, "zfar", 10000);
        oban_writer_object_end(out);
        oban_writer_object_end(out);
    }
    oban_writer_array_end(out);
}

static void gltf_meshes(const gltf_writing *writing)
{
    oban_writer *out = writing->out;
    oban_writer_key(out, "meshes");
    oban_writer_array_begin(out);
    oban_writer_object_begin(out);
    gltf_string(out, "name", "box");
    oban_writer_key(out, "primitives");
    oban_writer_array_begin(out);
    oban_writer_object_begin(out);
    oban_writer_key(out, "attributes");
    oban_writer_object_begin(out);
    gltf_u64(out, "POSITION", writing->box);
    oban_writer_object_end(out);
    gltf_u64(out, "indices", writing->box + 1);
    oban_writer_object_end(out);
    oban_writer_array_end(out);
    oban_writer_object_end(out);
    oban_writer_array_end(out);
}

static void gltf_channel(oban_writer *out, uint32_t sampler, uint32_t node, const char *path)
{
    oban_writer_object_begin(out);
    gltf_u64(out, "sampler", sampler);
    oban_writer_key(out, "target");
    oban_writer_object_begin(out);
    gltf_u64(out, "node", node);
    gltf_string(out, "path", path);
    oban_writer_object_end(out);
    oban_writer_object_end(out);
}

static void gltf_sampler(oban_writer *out, uint32_t input, uint32_t output)
{
    oban_writer_object_begin(out);
    gltf_u64(out, "input", input);
    gltf_u64(out, "output", output);
    gltf_string(out, "interpolation", "LINEAR");
    oban_writer_object_end(out);
}

static void gltf_animations(const gltf_writing *writing)
{
    oban_writer *out = writing->out;
    uint32_t node = 0;
    oban_writer_key(out, "animations");
    oban_writer_array_begin(out);
    for (uint32_t i = 0; i < writing->count; i++) {
        const oban_model_item *item = &writing->items[i];
        const gltf_track *track = &writing->tracks[i];
        if (track->made) {
            uint32_t mover = node + gltf_nodes_of(item).place;
            oban_writer_object_begin(out);
            oban_writer_key(out, "name");
            oban_writer_text(out, item->clip->name);
            oban_writer_key(out, "channels");
            oban_writer_array_begin(out);
            gltf_channel(out, 0, mover, "translation");
            gltf_channel(out, 1, mover, "rotation");
            oban_writer_array_end(out);
            oban_writer_key(out, "samplers");
            oban_writer_array_begin(out);
            gltf_sampler(out, track->times, track->positions);
            gltf_sampler(out, track->times, track->positions + 1);
            oban_writer_array_end(out);
            oban_writer_object_end(out);
        }
        node += gltf_node_count(item);
    }
    oban_writer_array_end(out);
}

/* ---- the buffer ---- */

static void gltf_base64(oban_writer *out, const oban_writer *numbers)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *data = (const unsigned char *)numbers->data;
    size_t bytes = numbers->bytes;
    oban_writer_raw(out, "\"data:application/octet-stream;base64,", 38);
    for (size_t i = 0; i < bytes; i += 3) {
        uint32_t word = (uint32_t)data[i] << 16;
        word |= i + 1 < bytes ? (uint32_t)data[i + 1] << 8 : 0;
        word |= i + 2 < bytes ? (uint32_t)data[i + 2] : 0;
        const char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                              i + 1 < bytes ? digits[word >> 6 & 63] : '=',
                              i + 2 < bytes ? digits[word & 63] : '='};
        oban_writer_bytes(out, four, 4);
    }
    oban_writer_bytes(out, "\"", 1);
}

static void gltf_list(oban_writer *out, const char *key, const oban_writer *list)
{
    oban_writer_key(out, key);
    oban_writer_array_begin(out);
    oban_writer_raw(out, list->data, list->bytes);
    oban_writer_array_end(out);
}

static void gltf_buffer(const gltf_writing *writing, bool binary)
{
    oban_writer *out = writing->out;
    gltf_list(out, "accessors", &writing->accessors);
    gltf_list(out, "bufferViews", &writing->views);
    oban_writer_key(out, "buffers");
    oban_writer_array_begin(out);
    oban_writer_object_begin(out);
    gltf_u64(out, "byteLength", writing->numbers.bytes);
    if (!binary) {
        oban_writer_key(out, "uri");
        gltf_base64(out, &writing->numbers);
    }
    oban_writer_object_end(out);
    oban_writer_array_end(out);
}

static void gltf_json(gltf_writing *writing, bool binary)
{
    oban_writer *out = writing->out;
    bool moves = false;
    for (uint32_t i = 0; i < writing->count; i++) {
        moves |= writing->tracks[i].made;
    }
    oban_writer_object_begin(out);
    oban_writer_key(out, "asset");
    oban_writer_object_begin(out);
    gltf_string(out, "version", "2.0");
    gltf_string(out, "generator", "oban " OBAN_VERSION);
    oban_writer_object_end(out);
    if (writing->count > 0) {
        gltf_scene(writing);
    }
    if (writing->has_camera) {
        gltf_cameras(writing);
    }
    if (writing->has_box) {
        gltf_meshes(writing);
    }
    if (moves) {
        gltf_animations(writing);
    }
    if (writing->numbers.bytes > 0) {
        gltf_buffer(writing, binary);
    }
    oban_writer_object_end(out);
}

/* ---- the file ---- */

/* Puts header and chunks around the JSON that stands in `text`. */
static void gltf_chunks(oban_writer *out, const oban_writer *text, const oban_writer *numbers)
{
    size_t json = (text->bytes + 3) / 4 * 4;
    size_t bin = numbers->bytes > 0 ? 8 + numbers->bytes : 0;
    little_put_u32(out, GLTF_MAGIC);
    little_put_u32(out, 2);
    little_put_u32(out, (uint32_t)(12 + 8 + json + bin));
    little_put_u32(out, (uint32_t)json);
    little_put_u32(out, GLTF_CHUNK_JSON);
    oban_writer_bytes(out, text->data, text->bytes);
    oban_writer_bytes(out, "   ", json - text->bytes);
    if (bin > 0) {
        little_put_u32(out, (uint32_t)numbers->bytes);
        little_put_u32(out, GLTF_CHUNK_BIN);
        oban_writer_bytes(out, numbers->data, numbers->bytes);
    }
}

static oban_status gltf_gather(gltf_writing *writing, bool per_frame, uint32_t *bad)
{
    for (uint32_t i = 0; i < writing->count; i++) {
        const oban_model_item *item = &writing->items[i];
        gltf_track *track = &writing->tracks[i];
        writing->has_camera |= item->camera;
        writing->has_box |= gltf_has_box(item);
        if (item->clip == NULL) {
            continue;
        }
        track->made = true;
        oban_status status = model_track_make(&writing->out->alloc, item->clip,
                                              per_frame ? MODEL_EVERY : MODEL_SLERP, &track->track);
        if (status != OBAN_OK) {
            *bad = i;
            return status;
        }
        gltf_times(writing, track);
        gltf_samples(writing, track, item->camera);
    }
    if (writing->has_box) {
        gltf_box(writing);
    }
    return OBAN_OK;
}

static void gltf_fini(gltf_writing *writing, size_t track_bytes)
{
    for (uint32_t i = 0; i < writing->count && writing->tracks != NULL; i++) {
        model_track_fini(&writing->tracks[i].track);
    }
    oban_alloc_give(&writing->out->alloc, writing->tracks, track_bytes);
    oban_writer_fini(&writing->numbers);
    oban_writer_fini(&writing->views);
    oban_writer_fini(&writing->accessors);
}

oban_status oban_gltf_write(oban_writer *writer, const oban_model_item *items, uint32_t count,
                            const oban_gltf_options *options, uint32_t *bad)
{
    const oban_alloc *alloc = &writer->alloc;
    size_t track_bytes = (count + 1u) * sizeof(gltf_track);
    oban_writer text;
    gltf_writing writing = {.items = items, .count = count, .out = &text};
    oban_writer_init(&text, alloc);
    oban_writer_init(&writing.numbers, alloc);
    oban_writer_init(&writing.views, alloc);
    oban_writer_init(&writing.accessors, alloc);
    writing.tracks = oban_alloc_take(alloc, track_bytes);
    oban_status status = writing.tracks == NULL ? OBAN_NO_MEMORY : OBAN_OK;
    if (status == OBAN_OK) {
        memset(writing.tracks, 0, track_bytes);
        status = gltf_gather(&writing, options->per_frame, bad);
    }
    if (status == OBAN_OK) {
        gltf_json(&writing, options->binary);
        bool failed = text.failed || writing.numbers.failed || writing.views.failed ||
                      writing.accessors.failed;
        status = failed ? OBAN_NO_MEMORY : OBAN_OK;
    }
    if (status == OBAN_OK && options->binary) {
        gltf_chunks(writer, &text, &writing.numbers);
    } else if (status == OBAN_OK) {
        oban_writer_bytes(writer, text.data, text.bytes);
        oban_writer_bytes(writer, "\n", 1);
    }
    gltf_fini(&writing, track_bytes);
    oban_writer_fini(&text);
    return status == OBAN_OK && writer->failed ? OBAN_NO_MEMORY : status;
}
