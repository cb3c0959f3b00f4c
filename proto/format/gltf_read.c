/* SPDX-License-Identifier: MIT */
/* Reading glTF: the JSON, the numbers behind it, the nodes' ways. Everything from outside is
 * bounded before it is used: counts by the file's own size, frames by 65,535, the work of all by a
 * limit. Next: gltf.h, model.h. */
#include "proto/format/gltf.h"

#include "proto/format/clip_add.h"
#include "proto/format/little.h"
#include "proto/format/model_math.h"
#include "proto/json/json.h"

#include <math.h>
#include <string.h>

#define GLTF_MAGIC 0x46546c67u
#define GLTF_CHUNK_JSON 0x4e4f534au
#define GLTF_CHUNK_BIN 0x004e4942u
#define GLTF_NODES_MAX 200000u
#define GLTF_WORK_MAX 200000000u /* frames times nodes times nodes above */

/* A buffer's bytes. */
typedef struct gltf_buffer {
    const unsigned char *bytes;
    size_t size;
    unsigned char *owned; /* decoded from base64 */
    size_t owned_bytes;
} gltf_buffer;

typedef enum gltf_path { GLTF_TRANSLATION, GLTF_ROTATION, GLTF_SCALE, GLTF_PATHS } gltf_path;
typedef enum gltf_way { GLTF_LINEAR, GLTF_STEP, GLTF_CUBIC } gltf_way;

/* One channel: times and values as floats. */
typedef struct gltf_channel {
    const float *times; /* NULL: the node's own value holds */
    const float *values;
    uint32_t count;
    gltf_way way;
    uint32_t at; /* the time in front of the last one asked for */
} gltf_channel;

typedef struct gltf_node {
    const oban_json *json;
    uint32_t parent; /* its index plus 1; 0: none */
    bool has_matrix;
    double matrix[12];
    double trs[10]; /* translation, rotation, scale */
    gltf_channel channels[GLTF_PATHS];
    bool moves; /* in the animation being read */
    uint32_t animations;
} gltf_node;

/* A block of floats that lives as long as the reading. */
typedef struct gltf_block {
    struct gltf_block *next;
    size_t bytes;
    float values[];
} gltf_block;

/* The items of a list by their numbers. */
typedef struct gltf_list {
    const oban_json **items;
    uint32_t count;
    uint32_t capacity;
} gltf_list;

typedef struct gltf_reading {
    oban_clip_file *file;
    oban_file_fault spare;
    gltf_list accessors;
    gltf_list views;
    gltf_list samplers; /* of the animation being read */
    const oban_import *import;
    const oban_json *root;
    gltf_buffer *buffers;
    uint32_t buffer_count;
    gltf_node *nodes;
    uint32_t node_count;
    gltf_block *blocks;
    uint64_t block_bytes;
    uint64_t room; /* for blocks: in proportion to the file */
    uint64_t work;
    uint32_t animation_count;
    clip_add_name file_name;
    oban_status status;
} gltf_reading;

bool oban_glb_looks_like(const void *bytes, size_t size)
{
    return size >= 12 && little_u32(bytes) == GLTF_MAGIC;
}

bool oban_gltf_looks_like(const void *bytes, size_t size)
{
    const char *text = bytes;
    size_t looked = size < 65536 ? size : 65536;
    size_t at = 0;
    while (at < looked && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0') {
        at++;
    }
    return at < looked && text[at] == '{' && memmem(text, looked, "\"asset\"", 7) != NULL;
}

/* ---- faults ---- */

/* An error about the file: what is read of it is nothing. */
static oban_line *gltf_refuse(gltf_reading *reading, const char *message)
{
    oban_file_fault *fault = clip_add_fault(reading->file, OBAN_SEVERITY_ERROR,
                                            (oban_text){NULL, 0}, message, &reading->spare);
    if (reading->status == OBAN_OK) {
        reading->status = OBAN_BAD_FILE;
    }
    return &fault->message;
}

/* "accessors[3]: <why>" */
static bool gltf_bad(gltf_reading *reading, const char *list, uint64_t index, const char *why)
{
    oban_line *line = gltf_refuse(reading, list);
    oban_line_add(line, "[");
    oban_line_add_u64(line, index);
    oban_line_add(line, "]: ");
    oban_line_add(line, why);
    return false;
}

static bool gltf_no_memory(gltf_reading *reading)
{
    reading->status = OBAN_NO_MEMORY;
    return false;
}

/* ---- JSON ---- */

static uint32_t gltf_list_count(const oban_json *list)
{
    return oban_json_type_of(list) == OBAN_JSON_ARRAY ? (uint32_t)oban_json_count(list) : 0;
}

static void gltf_list_free(gltf_reading *reading, gltf_list *list)
{
    oban_alloc_give(&reading->file->alloc, list->items, list->capacity * sizeof *list->items);
    *list = (gltf_list){NULL, 0, 0};
}

static bool gltf_list_make(gltf_reading *reading, const oban_json *json, gltf_list *list)
{
    uint32_t count = gltf_list_count(json);
    gltf_list_free(reading, list);
    if (count == 0) {
        return true;
    }
    list->items = oban_alloc_take(&reading->file->alloc, count * sizeof *list->items);
    if (list->items == NULL) {
        return gltf_no_memory(reading);
    }
    list->capacity = count;
    for (const oban_json *item = oban_json_first(json); item != NULL && list->count < count;
         item = oban_json_next(item)) {
        list->items[list->count++] = item;
    }
    return true;
}

/* NULL when there is none. */
static const oban_json *gltf_item(const gltf_list *list, int64_t index)
{
    return index >= 0 && index < (int64_t)list->count ? list->items[index] : NULL;
}

/* A whole number from 0; `fallback` when the member is not there. -1 when it is something else. */
static int64_t gltf_whole(const oban_json *object, const char *key, int64_t fallback)
{
    const oban_json *value = oban_json_member(object, key);
    int64_t number = -1;
    if (value == NULL) {
        return fallback;
    }
    return oban_json_integer(value, 0, INT64_C(1) << 40, &number) ? number : -1;
}

static bool gltf_doubles(const oban_json *list, double *out, uint32_t count)
{
    if (gltf_list_count(list) != count) {
        return false;
    }
    for (const oban_json *item = oban_json_first(list); item != NULL; item = oban_json_next(item)) {
        if (oban_json_type_of(item) != OBAN_JSON_NUMBER) {
            return false;
        }
        *out++ = oban_json_number(item);
    }
    return true;
}

static const char *gltf_text(const oban_json *object, const char *key)
{
    return oban_json_string(oban_json_member(object, key));
}

/* ---- buffers ---- */

static int gltf_digit(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static bool gltf_base64(gltf_reading *reading, const char *text, gltf_buffer *buffer)
{
    size_t length = strlen(text);
    size_t bytes = 0;
    uint32_t word = 0;
    uint32_t bits = 0;
    buffer->owned_bytes = length / 4 * 3 + 3;
    buffer->owned = oban_alloc_take(&reading->file->alloc, buffer->owned_bytes);
    if (buffer->owned == NULL) {
        return gltf_no_memory(reading);
    }
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        int digit = gltf_digit(text[i]);
        if (digit < 0) {
            return false;
        }
        word = word << 6 | (uint32_t)digit;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            buffer->owned[bytes++] = (unsigned char)(word >> bits & 0xffu);
        }
    }
    buffer->bytes = buffer->owned;
    buffer->size = bytes;
    return true;
}

static bool gltf_buffer_read(gltf_reading *reading, const oban_json *json, uint32_t index,
                             const gltf_buffer *chunk)
{
    gltf_buffer *buffer = &reading->buffers[index];
    const oban_json *uri = oban_json_member(json, "uri");
    int64_t size = gltf_whole(json, "byteLength", -1);
    if (uri == NULL && index == 0 && chunk->bytes != NULL) {
        *buffer = *chunk;
    } else {
        const char *text = oban_json_string(uri);
        const char *comma = strchr(text, ',');
        if (strncmp(text, "data:", 5) != 0) {
            return gltf_bad(reading, "buffers", index,
                            "its numbers are in another file; put them inside (save it as .glb, or "
                            "as glTF with embedded buffers)");
        }
        if (comma == NULL || comma - text < 7 || strncmp(comma - 7, ";base64", 7) != 0 ||
            !gltf_base64(reading, comma + 1, buffer)) {
            return reading->status != OBAN_OK ||
                   gltf_bad(reading, "buffers", index, "its data URI is no base64");
        }
    }
    if (size < 0 || (uint64_t)size > buffer->size) {
        return gltf_bad(reading, "buffers", index, "it holds fewer bytes than its byteLength");
    }
    return true;
}

static bool gltf_buffers(gltf_reading *reading, const gltf_buffer *chunk)
{
    const oban_json *list = oban_json_member(reading->root, "buffers");
    uint32_t count = gltf_list_count(list);
    uint32_t index = 0;
    if (count == 0) {
        return true;
    }
    reading->buffers = oban_alloc_take(&reading->file->alloc, count * sizeof *reading->buffers);
    if (reading->buffers == NULL) {
        return gltf_no_memory(reading);
    }
    memset(reading->buffers, 0, count * sizeof *reading->buffers);
    reading->buffer_count = count;
    for (const oban_json *json = oban_json_first(list); json != NULL; json = oban_json_next(json)) {
        if (!gltf_buffer_read(reading, json, index++, chunk) || reading->status != OBAN_OK) {
            return false;
        }
    }
    return true;
}

/* ---- accessors ---- */

static uint32_t gltf_component_bytes(int64_t type)
{
    switch (type) {
    case 5120:
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5126:
        return 4;
    default:
        return 0;
    }
}

/* A component as a float; whole numbers are normalised ones. Source: glTF 2.0, 3.11. */
static float gltf_component(const unsigned char *at, int64_t type)
{
    float value;
    switch (type) {
    case 5120:
        value = (float)(at[0] >= 128 ? (int)at[0] - 256 : (int)at[0]) / 127.0f;
        return value < -1.0f ? -1.0f : value;
    case 5121:
        return (float)at[0] / 255.0f;
    case 5122:
        value = (float)little_i16(at) / 32767.0f;
        return value < -1.0f ? -1.0f : value;
    case 5123:
        return (float)little_u16(at) / 65535.0f;
    default:
        return little_f32(at);
    }
}

static float *gltf_take(gltf_reading *reading, uint64_t count)
{
    uint64_t bytes = sizeof(gltf_block) + count * sizeof(float);
    reading->block_bytes += bytes;
    if (reading->block_bytes > reading->room) {
        (void)gltf_refuse(reading, "its animations use the same numbers too often");
        return NULL;
    }
    gltf_block *block = oban_alloc_take(&reading->file->alloc, (size_t)bytes);
    if (block == NULL) {
        (void)gltf_no_memory(reading);
        return NULL;
    }
    block->next = reading->blocks;
    block->bytes = (size_t)bytes;
    reading->blocks = block;
    return block->values;
}

static uint32_t gltf_parts(const char *type)
{
    return strcmp(type, "SCALAR") == 0 ? 1
           : strcmp(type, "VEC3") == 0 ? 3
           : strcmp(type, "VEC4") == 0 ? 4
                                       : 0;
}

/* Where an accessor's elements lie. Returns NULL when it was refused. */
static const unsigned char *gltf_accessor_bytes(gltf_reading *reading, const oban_json *accessor,
                                                uint64_t index, uint64_t element, uint64_t count,
                                                uint64_t *stride)
{
    int64_t view_index = gltf_whole(accessor, "bufferView", -1);
    const oban_json *view = gltf_item(&reading->views, view_index);
    int64_t buffer = gltf_whole(view, "buffer", -1);
    int64_t offset = gltf_whole(view, "byteOffset", 0);
    int64_t length = gltf_whole(view, "byteLength", -1);
    int64_t step = gltf_whole(view, "byteStride", (int64_t)element);
    int64_t start = gltf_whole(accessor, "byteOffset", 0);
    if (view == NULL || buffer < 0 || (uint64_t)buffer >= reading->buffer_count || offset < 0 ||
        length < 0 || step < 1 || start < 0) {
        (void)gltf_bad(reading, "accessors", index, "it has no buffer view that can be used");
        return NULL;
    }
    const gltf_buffer *held = &reading->buffers[buffer];
    uint64_t end = (uint64_t)start + (count - 1) * (uint64_t)step + element;
    if ((uint64_t)offset + (uint64_t)length > held->size || end > (uint64_t)length) {
        (void)gltf_bad(reading, "accessors", index, "it reaches beyond its buffer");
        return NULL;
    }
    *stride = (uint64_t)step;
    return held->bytes + offset + start;
}

/* All numbers of an accessor. Returns NULL when it was refused. */
static const float *gltf_accessor(gltf_reading *reading, int64_t index, uint32_t parts,
                                  uint32_t *count)
{
    const oban_json *accessor = gltf_item(&reading->accessors, index);
    int64_t type = gltf_whole(accessor, "componentType", -1);
    int64_t elements = gltf_whole(accessor, "count", -1);
    uint32_t bytes = gltf_component_bytes(type);
    uint64_t stride = 0;
    if (accessor == NULL || elements < 1 || elements > (INT64_C(1) << 28)) {
        (void)gltf_bad(reading, "accessors", index < 0 ? 0 : (uint64_t)index,
                       "an animation needs it, and there is none with elements");
        return NULL;
    }
    if (oban_json_member(accessor, "sparse") != NULL) {
        (void)gltf_bad(reading, "accessors", (uint64_t)index,
                       "sparse accessors are not read; save the animation with whole ones");
        return NULL;
    }
    if (bytes == 0 || gltf_parts(gltf_text(accessor, "type")) != parts) {
        (void)gltf_bad(reading, "accessors", (uint64_t)index,
                       "it is of a type that no animation has");
        return NULL;
    }
    const unsigned char *at = gltf_accessor_bytes(
        reading, accessor, (uint64_t)index, (uint64_t)bytes * parts, (uint64_t)elements, &stride);
    float *out = at == NULL ? NULL : gltf_take(reading, (uint64_t)elements * parts);
    for (int64_t i = 0; i < elements && out != NULL; i++) {
        for (uint32_t k = 0; k < parts; k++) {
            out[i * parts + k] = gltf_component(at + (uint64_t)i * stride + k * bytes, type);
        }
    }
    *count = (uint32_t)elements;
    return out;
}

/* ---- nodes ---- */

static bool gltf_node_read(gltf_reading *reading, gltf_node *node, uint32_t index)
{
    static const double rest[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    const oban_json *matrix = oban_json_member(node->json, "matrix");
    const oban_json *translation = oban_json_member(node->json, "translation");
    const oban_json *rotation = oban_json_member(node->json, "rotation");
    const oban_json *scale = oban_json_member(node->json, "scale");
    double m[16] = {0};
    memcpy(node->trs, rest, sizeof rest);
    if (matrix != NULL) {
        if (!gltf_doubles(matrix, m, 16)) {
            return gltf_bad(reading, "nodes", index, "its matrix is not 16 numbers");
        }
        node->has_matrix = true;
        for (uint32_t i = 0; i < 12; i++) {
            node->matrix[i] = m[i / 3 * 4 + i % 3];
        }
    }
    if ((translation != NULL && !gltf_doubles(translation, node->trs, 3)) ||
        (rotation != NULL && !gltf_doubles(rotation, node->trs + 3, 4)) ||
        (scale != NULL && !gltf_doubles(scale, node->trs + 7, 3))) {
        return gltf_bad(reading, "nodes", index,
                        "its translation, rotation or scale is not 3, 4 or 3 numbers");
    }
    return true;
}

static bool gltf_children(gltf_reading *reading, uint32_t parent)
{
    const oban_json *list = oban_json_member(reading->nodes[parent].json, "children");
    const oban_json *item =
        oban_json_type_of(list) == OBAN_JSON_ARRAY ? oban_json_first(list) : NULL;
    for (; item != NULL; item = oban_json_next(item)) {
        int64_t child = -1;
        if (!oban_json_integer(item, 0, (int64_t)reading->node_count - 1, &child)) {
            return gltf_bad(reading, "nodes", parent, "it has a child that is no node");
        }
        if (reading->nodes[child].parent != 0) {
            return gltf_bad(reading, "nodes", (uint64_t)child, "it has two parents");
        }
        reading->nodes[child].parent = parent + 1;
    }
    return true;
}

/* With one parent each, who goes up for longer than there are nodes goes round. */
static bool gltf_has_roots(gltf_reading *reading)
{
    for (uint32_t i = 0; i < reading->node_count; i++) {
        uint32_t fast = i + 1;
        uint32_t slow = i + 1;
        while (fast != 0) {
            fast = reading->nodes[fast - 1].parent;
            fast = fast == 0 ? 0 : reading->nodes[fast - 1].parent;
            slow = reading->nodes[slow - 1].parent;
            if (fast != 0 && fast == slow) {
                return gltf_bad(reading, "nodes", i, "it is an ancestor of itself");
            }
            if (++reading->work > GLTF_WORK_MAX) {
                return gltf_bad(reading, "nodes", i, "its nodes are too deep");
            }
        }
    }
    reading->work = 0;
    return true;
}

static bool gltf_nodes(gltf_reading *reading)
{
    const oban_json *list = oban_json_member(reading->root, "nodes");
    uint32_t count = gltf_list_count(list);
    uint32_t index = 0;
    if (count > GLTF_NODES_MAX) {
        (void)gltf_refuse(reading, "over 200,000 nodes");
        return false;
    }
    reading->nodes = oban_alloc_take(&reading->file->alloc, (count + 1u) * sizeof(gltf_node));
    if (reading->nodes == NULL) {
        return gltf_no_memory(reading);
    }
    memset(reading->nodes, 0, (count + 1u) * sizeof(gltf_node));
    reading->node_count = count;
    for (const oban_json *json = count > 0 ? oban_json_first(list) : NULL; json != NULL;
         json = oban_json_next(json)) {
        reading->nodes[index].json = json;
        if (!gltf_node_read(reading, &reading->nodes[index], index)) {
            return false;
        }
        index++;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!gltf_children(reading, i)) {
            return false;
        }
    }
    return gltf_has_roots(reading);
}

/* ---- motion ---- */

/* The index of the time at or in front of `time`; asked for in rising order. */
static uint32_t gltf_seek(gltf_channel *channel, double time)
{
    if (channel->at > 0 && (double)channel->times[channel->at] > time) {
        channel->at = 0;
    }
    while (channel->at + 1 < channel->count && (double)channel->times[channel->at + 1] <= time) {
        channel->at++;
    }
    return channel->at;
}

/* Between two elements, each of three parts: tangent in, value, tangent out. glTF 2.0, appendix C.
 */
static void gltf_cubic(const float *a, const float *b, uint32_t parts, double t, double span,
                       double *out)
{
    double t2 = t * t;
    double t3 = t2 * t;
    for (uint32_t i = 0; i < parts; i++) {
        out[i] = (2 * t3 - 3 * t2 + 1) * (double)a[parts + i] +
                 span * (t3 - 2 * t2 + t) * (double)a[2 * parts + i] +
                 (-2 * t3 + 3 * t2) * (double)b[parts + i] + span * (t3 - t2) * (double)b[i];
    }
}

static void gltf_value(gltf_channel *channel, uint32_t parts, double time, double *out)
{
    uint32_t at = gltf_seek(channel, time);
    uint32_t width = channel->way == GLTF_CUBIC ? 3 * parts : parts;
    const float *a = channel->values + (size_t)at * width;
    double start = (double)channel->times[at];
    bool ends = at + 1 >= channel->count || time <= start;
    double span = ends ? 1 : (double)channel->times[at + 1] - start;
    double t = ends || !(span > 0) ? 0 : (time - start) / span;
    if (t == 0 || channel->way == GLTF_STEP) {
        const float *value = channel->way == GLTF_CUBIC ? a + parts : a;
        for (uint32_t i = 0; i < parts; i++) {
            out[i] = (double)value[i];
        }
    } else if (channel->way == GLTF_CUBIC) {
        gltf_cubic(a, a + width, parts, t, span, out);
    } else if (parts == 4) {
        const double from[4] = {(double)a[0], (double)a[1], (double)a[2], (double)a[3]};
        const double to[4] = {(double)a[4], (double)a[5], (double)a[6], (double)a[7]};
        model_slerp(from, to, t, out);
    } else {
        for (uint32_t i = 0; i < parts; i++) {
            out[i] = (1 - t) * (double)a[i] + t * (double)a[width + i];
        }
    }
}

static void gltf_matrix_of(const double trs[10], double m[12])
{
    model_axes(trs + 3, m);
    for (int i = 0; i < 9; i++) {
        m[i] *= trs[7 + i / 3];
    }
    memcpy(m + 9, trs, 3 * sizeof *m);
}

static void gltf_local(gltf_node *node, double time, double m[12])
{
    static const uint32_t first[GLTF_PATHS] = {0, 3, 7};
    static const uint32_t parts[GLTF_PATHS] = {3, 4, 3};
    double trs[10];
    if (!node->moves && node->has_matrix) {
        memcpy(m, node->matrix, 12 * sizeof *m);
        return;
    }
    memcpy(trs, node->trs, sizeof trs);
    for (int path = 0; path < GLTF_PATHS; path++) {
        if (node->moves && node->channels[path].times != NULL) {
            gltf_value(&node->channels[path], parts[path], time, trs + first[path]);
        }
    }
    gltf_matrix_of(trs, m);
}

/* Where a node is in the world. */
static void gltf_world(gltf_reading *reading, uint32_t index, double time, double m[12])
{
    gltf_local(&reading->nodes[index], time, m);
    for (uint32_t up = reading->nodes[index].parent; up != 0; up = reading->nodes[up - 1].parent) {
        double above[12];
        gltf_local(&reading->nodes[up - 1], time, above);
        model_multiply(above, m, m);
        reading->work++;
    }
    reading->work++;
}

/* ---- animations ---- */

static bool gltf_channel_read(gltf_reading *reading, const oban_json *json, uint32_t index)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    const oban_json *target = oban_json_member(json, "target");
    const char *path = gltf_text(target, "path");
    int64_t node = gltf_whole(target, "node", -2);
    const oban_json *sampler = gltf_item(&reading->samplers, gltf_whole(json, "sampler", -1));
    int which = 0;
    while (which < GLTF_PATHS && strcmp(paths[which], path) != 0) {
        which++;
    }
    if (which == GLTF_PATHS || node == -2) {
        return true; /* weights, pointers: nothing that moves a node */
    }
    if (node < 0 || node >= (int64_t)reading->node_count || sampler == NULL) {
        return gltf_bad(reading, "animations", index, "a channel of it has no node or no sampler");
    }
    uint32_t parts = which == GLTF_ROTATION ? 4 : 3;
    uint32_t times = 0;
    uint32_t values = 0;
    const char *way = gltf_text(sampler, "interpolation");
    gltf_channel *channel = &reading->nodes[node].channels[which];
    *channel = (gltf_channel){.way = strcmp(way, "STEP") == 0          ? GLTF_STEP
                                     : strcmp(way, "CUBICSPLINE") == 0 ? GLTF_CUBIC
                                                                       : GLTF_LINEAR};
    channel->times = gltf_accessor(reading, gltf_whole(sampler, "input", -1), 1, &times);
    channel->values =
        channel->times == NULL
            ? NULL
            : gltf_accessor(reading, gltf_whole(sampler, "output", -1), parts, &values);
    if (channel->values == NULL) {
        channel->times = NULL;
        return false;
    }
    if (values != times * (channel->way == GLTF_CUBIC ? 3u : 1u)) {
        channel->times = NULL;
        return gltf_bad(reading, "animations", index,
                        "a sampler of it has not as many values as times");
    }
    channel->count = times;
    reading->nodes[node].moves = true;
    return true;
}

/* The last time of all channels as a frame; times must rise. */
static bool gltf_frames(gltf_reading *reading, uint32_t index, uint32_t *frames)
{
    double last = 0;
    for (uint32_t i = 0; i < reading->node_count; i++) {
        for (int path = 0; path < GLTF_PATHS; path++) {
            const gltf_channel *channel = &reading->nodes[i].channels[path];
            for (uint32_t k = 0; channel->times != NULL && k < channel->count; k++) {
                double time = (double)channel->times[k];
                if (!(time >= 0) || (k > 0 && time < (double)channel->times[k - 1])) {
                    return gltf_bad(reading, "animations", index,
                                    "its times must not be negative and must rise");
                }
                last = fmax(last, time);
            }
        }
    }
    double frame = floor(last * OBAN_MODEL_FPS + 0.5);
    if (!(frame < OBAN_MODEL_FRAMES_MAX)) {
        return gltf_bad(reading, "animations", index,
                        "it is longer than 65,535 frames (1,092 seconds)");
    }
    *frames = (uint32_t)frame + 1;
    return true;
}

/* The clip that was written along. */
static bool gltf_extra(gltf_reading *reading, const oban_json *node, model_extra *extra)
{
    const oban_json *json = oban_json_member(oban_json_member(node, "extras"), "oban");
    const oban_json *keys = oban_json_member(json, "keys");
    double start[12];
    double base[12];
    int64_t numbers[4];
    static const char *const names[] = {"flags", "frame_length", "frame_count", "half_stop"};
    uint32_t count = gltf_list_count(keys) / 8;
    memset(extra, 0, sizeof *extra);
    if (count == 0 || count > OBAN_CLIP_KEYS_MAX ||
        !gltf_doubles(oban_json_member(json, "start"), start, 12) ||
        !gltf_doubles(oban_json_member(json, "base"), base, 12)) {
        return true;
    }
    for (int i = 0; i < 4; i++) {
        if (!oban_json_integer(oban_json_member(json, names[i]), INT32_MIN, UINT32_MAX,
                               &numbers[i]) ||
            (i > 0 && numbers[i] > INT32_MAX)) {
            return true;
        }
    }
    extra->key_bytes = count * sizeof *extra->keys;
    extra->keys = oban_alloc_take(&reading->file->alloc, extra->key_bytes);
    if (extra->keys == NULL) {
        return gltf_no_memory(reading);
    }
    const oban_json *at = oban_json_first(keys);
    for (uint32_t i = 0; i < count; i++) {
        double row[8];
        for (int k = 0; k < 8; k++) {
            row[k] = at == NULL ? 0 : oban_json_number(at);
            at = at == NULL ? NULL : oban_json_next(at);
        }
        extra->keys[i] = (oban_key){
            .rotation = {(float)row[1], (float)row[2], (float)row[3], (float)row[4]},
            .position = {(float)row[5], (float)row[6], (float)row[7]},
            .frame = fabs(row[0]) < 2e9 ? (int32_t)row[0] : 0,
        };
    }
    extra->def = (oban_clip_def){.flags = (uint32_t)numbers[0],
                                 .frame_length = (int32_t)numbers[1],
                                 .frame_count = (int32_t)numbers[2],
                                 .half_stop = (int32_t)numbers[3],
                                 .keys = extra->keys,
                                 .key_count = count};
    for (int i = 0; i < 12; i++) {
        extra->def.start.m[i] = (float)start[i];
        extra->def.base.m[i] = (float)base[i];
    }
    extra->rigid = oban_json_bool(oban_json_member(json, "rigid"));
    extra->present = true;
    return true;
}

/* The node's name; the animation's when that moves no other node; both when the node moves in
 * several. */
static oban_text gltf_name(gltf_reading *reading, const oban_json *animation, const gltf_node *node,
                           uint32_t moved, char out[CLIP_ADD_NAME_BYTES])
{
    const char *own = gltf_text(node->json, "name");
    const char *of_animation = gltf_text(animation, "name");
    uint32_t bytes = 0;
    bool both = moved > 1 && reading->animation_count > 1 && of_animation[0] != '\0';
    const char *parts[3] = {moved == 1 && of_animation[0] != '\0' ? of_animation : own, "", ""};
    if (both && strcmp(own, of_animation) != 0) {
        parts[0] = of_animation;
        parts[1] = "_";
        parts[2] = own;
    }
    for (int i = 0; i < 3; i++) {
        for (const char *at = parts[i]; *at != '\0' && bytes < CLIP_ADD_NAME_BYTES; at++) {
            out[bytes++] = *at;
        }
    }
    oban_text name = clip_add_strip((oban_text){out, bytes});
    if (name.bytes == 0) {
        name = (oban_text){reading->file_name.data, reading->file_name.bytes};
    }
    return name;
}

static bool gltf_clip(gltf_reading *reading, const oban_json *animation, uint32_t index,
                      uint32_t frames, uint32_t moved)
{
    char name[CLIP_ADD_NAME_BYTES];
    const gltf_node *node = &reading->nodes[index];
    size_t bytes = (size_t)frames * 12 * sizeof(double);
    double *matrices = oban_alloc_take(&reading->file->alloc, bytes);
    model_extra extra;
    if (matrices == NULL) {
        return gltf_no_memory(reading);
    }
    for (uint32_t i = 0; i < frames && reading->work < GLTF_WORK_MAX; i++) {
        gltf_world(reading, index, (double)i / OBAN_MODEL_FPS, matrices + 12 * (size_t)i);
    }
    bool good = reading->work < GLTF_WORK_MAX && gltf_extra(reading, node->json, &extra);
    if (good) {
        const model_motion motion = {.name = gltf_name(reading, animation, node, moved, name),
                                     .matrices = matrices,
                                     .count = frames,
                                     .extra = &extra};
        reading->status = model_add(reading->file, &motion, reading->import);
        oban_alloc_give(&reading->file->alloc, extra.keys, extra.key_bytes);
    } else if (reading->status == OBAN_OK) {
        (void)gltf_refuse(reading, "its animations are too much work: too many frames, nodes and "
                                   "nodes above them");
    }
    oban_alloc_give(&reading->file->alloc, matrices, bytes);
    return reading->status == OBAN_OK;
}

static bool gltf_animation(gltf_reading *reading, const oban_json *animation, uint32_t index)
{
    const oban_json *channels = oban_json_member(animation, "channels");
    const oban_json *json =
        oban_json_type_of(channels) == OBAN_JSON_ARRAY ? oban_json_first(channels) : NULL;
    uint32_t frames = 0;
    uint32_t moved = 0;
    for (uint32_t i = 0; i < reading->node_count; i++) {
        memset(reading->nodes[i].channels, 0, sizeof reading->nodes[i].channels);
        reading->nodes[i].moves = false;
    }
    if (!gltf_list_make(reading, oban_json_member(animation, "samplers"), &reading->samplers)) {
        return false;
    }
    for (; json != NULL; json = oban_json_next(json)) {
        if (!gltf_channel_read(reading, json, index)) {
            return false;
        }
    }
    if (!gltf_frames(reading, index, &frames)) {
        return false;
    }
    for (uint32_t i = 0; i < reading->node_count; i++) {
        moved += reading->nodes[i].moves ? 1u : 0u;
    }
    for (uint32_t i = 0; i < reading->node_count; i++) {
        if (reading->nodes[i].moves && !gltf_clip(reading, animation, i, frames, moved)) {
            return false;
        }
    }
    return true;
}

static bool gltf_animations(gltf_reading *reading)
{
    const oban_json *list = oban_json_member(reading->root, "animations");
    uint32_t index = 0;
    oban_file_fault spare;
    reading->animation_count = gltf_list_count(list);
    if (reading->animation_count == 0) {
        (void)clip_add_fault(reading->file, OBAN_SEVERITY_WARNING, (oban_text){NULL, 0},
                             "the file holds no animation", &spare);
        return true;
    }
    for (const oban_json *json = oban_json_first(list); json != NULL; json = oban_json_next(json)) {
        if ((reading->work += reading->node_count) > GLTF_WORK_MAX) {
            (void)gltf_refuse(reading, "too many animations for so many nodes");
            return false;
        }
        if (!gltf_animation(reading, json, index++)) {
            return false;
        }
    }
    return true;
}

/* ---- the file ---- */

/* The parts of a .glb. Returns false when it was refused. */
static bool gltf_chunks(gltf_reading *reading, const unsigned char *bytes, size_t size,
                        oban_text *text, gltf_buffer *chunk)
{
    uint32_t version = little_u32(bytes + 4);
    size_t at = 12;
    if (version != 2) {
        oban_line *line = gltf_refuse(reading, "version ");
        oban_line_add_u64(line, version);
        oban_line_add(line, " of .glb; only 2 is read");
        return false;
    }
    for (uint32_t index = 0; at + 8 <= size; index++) {
        size_t length = little_u32(bytes + at);
        uint32_t kind = little_u32(bytes + at + 4);
        if (length > size - at - 8) {
            return gltf_bad(reading, "chunks", index, "it reaches beyond the end of the file");
        }
        if (kind == GLTF_CHUNK_JSON && text->data == NULL) {
            *text = (oban_text){(const char *)bytes + at + 8, (uint32_t)length};
        } else if (kind == GLTF_CHUNK_BIN && chunk->bytes == NULL) {
            chunk->bytes = bytes + at + 8;
            chunk->size = length;
        }
        at += 8 + (length + 3) / 4 * 4;
        if (at > size) {
            break;
        }
    }
    if (text->data == NULL) {
        (void)gltf_refuse(reading, "it has no JSON chunk");
        return false;
    }
    return true;
}

static void gltf_read_text(gltf_reading *reading, oban_text text, const gltf_buffer *chunk)
{
    oban_json *root = NULL;
    oban_json_fault fault;
    oban_status status = oban_json_parse(text.data, text.bytes, &root, &fault);
    if (status == OBAN_NO_MEMORY) {
        reading->status = status;
        return;
    }
    if (status != OBAN_OK) {
        oban_file_fault spare;
        oban_file_fault *told = clip_add_fault(reading->file, OBAN_SEVERITY_ERROR,
                                               (oban_text){NULL, 0}, fault.message.data, &spare);
        told->line = fault.line;
        told->column = fault.column;
        reading->status = OBAN_BAD_FILE;
        return;
    }
    reading->root = root;
    const char *version = gltf_text(oban_json_member(root, "asset"), "version");
    if (strncmp(version, "2.", 2) != 0) {
        oban_line *line = gltf_refuse(reading, "asset.version: expected \"2.0\", found \"");
        oban_line_add_text(line, (oban_text){version, (uint32_t)strnlen(version, 40)});
        oban_line_add(line, "\"");
    } else if (gltf_list_make(reading, oban_json_member(root, "accessors"), &reading->accessors) &&
               gltf_list_make(reading, oban_json_member(root, "bufferViews"), &reading->views) &&
               gltf_buffers(reading, chunk) && gltf_nodes(reading)) {
        (void)gltf_animations(reading);
    }
    oban_json_free(root);
}

static void gltf_fini(gltf_reading *reading)
{
    const oban_alloc *alloc = &reading->file->alloc;
    for (uint32_t i = 0; i < reading->buffer_count; i++) {
        oban_alloc_give(alloc, reading->buffers[i].owned, reading->buffers[i].owned_bytes);
    }
    oban_alloc_give(alloc, reading->buffers, reading->buffer_count * sizeof *reading->buffers);
    if (reading->nodes != NULL) {
        oban_alloc_give(alloc, reading->nodes, (reading->node_count + 1u) * sizeof(gltf_node));
    }
    gltf_list_free(reading, &reading->accessors);
    gltf_list_free(reading, &reading->views);
    gltf_list_free(reading, &reading->samplers);
    while (reading->blocks != NULL) {
        gltf_block *block = reading->blocks;
        reading->blocks = block->next;
        oban_alloc_give(alloc, block, block->bytes);
    }
}

oban_status oban_gltf_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                           size_t size, const oban_import *import, oban_clip_file *out)
{
    gltf_reading reading = {.file = out, .import = import, .room = 16 * (uint64_t)size + 1048576u};
    gltf_buffer chunk = {0};
    oban_text text = {NULL, 0};
    clip_add_init(out, alloc);
    clip_add_file_name(file_name, &reading.file_name);
    if (size > OBAN_GLTF_BYTES_MAX) {
        (void)gltf_refuse(&reading, "it is over 64 MiB");
    } else if (!oban_glb_looks_like(bytes, size)) {
        gltf_read_text(&reading, (oban_text){bytes, (uint32_t)size}, &chunk);
    } else if (gltf_chunks(&reading, bytes, size, &text, &chunk)) {
        gltf_read_text(&reading, text, &chunk);
    }
    gltf_fini(&reading);
    return clip_add_end(out, reading.status);
}
