/* SPDX-License-Identifier: MIT */
/* Reading Collada: its elements into a document.
 * Not here: what it means (collada_motion.c).
 * Next: collada_doc.h. */
#include "proto/format/collada.h"

#include "proto/format/collada_doc.h"
#include "proto/format/oban_xml.h"
#include "proto/format/xml_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAE_DEPTH_MAX 256u
#define DAE_TOKEN_BYTES 64u

typedef enum dae_library { DAE_OTHER, DAE_ANIMATIONS, DAE_SCENES } dae_library;

/* What the text of the element that is open is. */
typedef enum dae_content {
    DAE_NOTHING,
    DAE_NUMBERS, /* into the values */
    DAE_WAYS,    /* INTERPOLATION: into the values */
    DAE_WORD     /* one word, kept in `token` */
} dae_content;

typedef struct dae_reading {
    xml_source source;
    dae_document document;
    dae_library library;
    uint32_t library_depth;
    uint32_t asset_depth; /* of the file's own asset; 0: not in it */
    uint32_t node;        /* the innermost open */
    uint32_t node_depth[DAE_DEPTH_MAX];
    uint32_t nodes_open;
    uint32_t extra_depth; /* of our extra; 0: not in one */
    bool in_sampler;
    dae_content content;
    uint32_t content_depth;
    uint32_t content_first; /* of the values */
    char token[DAE_TOKEN_BYTES];
    uint32_t token_bytes;
    bool seen_asset;
} dae_reading;

/* ---- the document ---- */

void *dae_push(dae_document *document, dae_list *list)
{
    const oban_alloc *alloc = &document->file->alloc;
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        void *items = capacity < list->capacity ? NULL
                                                : alloc->resize(alloc->context, list->items,
                                                                list->capacity * list->item_bytes,
                                                                capacity * list->item_bytes);
        if (items == NULL) {
            document->status = OBAN_NO_MEMORY;
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    void *item = (char *)list->items + list->count++ * list->item_bytes;
    memset(item, 0, list->item_bytes);
    return item;
}

oban_line *dae_refuse(dae_document *document, uint32_t line, const char *message)
{
    oban_file_fault *fault = clip_add_fault(document->file, OBAN_SEVERITY_ERROR,
                                            (oban_text){NULL, 0}, message, &document->spare);
    fault->line = line;
    fault->column = line == 0 ? 0 : 1;
    if (document->status == OBAN_OK) {
        document->status = OBAN_BAD_FILE;
    }
    return &fault->message;
}

static void dae_out_of_memory(dae_reading *reading)
{
    reading->document.status = OBAN_NO_MEMORY;
    xml_source_out_of_memory(&reading->source);
}

/* A new item, or NULL with the reading ended. */
static void *dae_add(dae_reading *reading, dae_list *list)
{
    if (list->count == DAE_ITEMS_MAX && list != &reading->document.values) {
        (void)xml_source_refuse(&reading->source, xml_source_here(&reading->source),
                                "over 300,000 nodes, transforms, sources, samplers or channels");
        return NULL;
    }
    void *item = dae_push(&reading->document, list);
    if (item == NULL) {
        dae_out_of_memory(reading);
    }
    return item;
}

static uint32_t dae_line(const dae_reading *reading)
{
    return xml_source_here(&reading->source).line;
}

static oban_line *dae_stop(dae_reading *reading, const char *message)
{
    return xml_source_refuse(&reading->source, xml_source_here(&reading->source), message);
}

/* ---- attributes ---- */

static const char *dae_attribute(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return "";
}

/* A copy, without the # of a reference; an id over the limit ends the reading. */
static void dae_copy(dae_reading *reading, const char *text, dae_text *out)
{
    text += text[0] == '#' ? 1 : 0;
    size_t bytes = strlen(text);
    if (bytes >= DAE_ID_BYTES) {
        (void)dae_stop(reading, "an id or name of over 127 bytes");
        return;
    }
    memcpy(out->data, text, bytes + 1);
}

/* ---- contents ---- */

static void dae_begin_content(dae_reading *reading, uint32_t depth, dae_content content)
{
    reading->content = content;
    reading->content_depth = depth;
    reading->content_first = reading->document.values.count;
    reading->token_bytes = 0;
}

static double dae_way_of(const char *word)
{
    static const char *const words[] = {"LINEAR", "STEP", "BEZIER", "HERMITE"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

/* The token is whole: a number, or the word of a way. */
static void dae_end_token(dae_reading *reading)
{
    char *end = NULL;
    if (reading->token_bytes == 0 || reading->content == DAE_WORD) {
        return;
    }
    reading->token[reading->token_bytes] = '\0';
    double value =
        reading->content == DAE_WAYS ? dae_way_of(reading->token) : strtod(reading->token, &end);
    bool odd = reading->content == DAE_WAYS
                   ? value < 0
                   : *end != '\0' || !isfinite(value) ||
                         strspn(reading->token, "+-.0123456789eE") != reading->token_bytes;
    if (odd) {
        oban_line *line = dae_stop(reading, reading->content == DAE_WAYS
                                                ? "expected LINEAR, STEP, BEZIER or HERMITE, found "
                                                : "expected a number, found ");
        oban_line_add(line, reading->token);
        return;
    }
    reading->token_bytes = 0;
    double *kept = dae_add(reading, &reading->document.values);
    if (kept != NULL) {
        *kept = value;
    }
}

static void dae_text_piece(void *context, uint32_t depth, oban_text text)
{
    dae_reading *reading = context;
    if (reading->content == DAE_NOTHING || depth != reading->content_depth + 1) {
        return;
    }
    for (uint32_t i = 0; i < text.bytes && reading->source.status == OBAN_OK; i++) {
        char c = text.data[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            dae_end_token(reading);
        } else if (reading->token_bytes + 1 < DAE_TOKEN_BYTES) {
            reading->token[reading->token_bytes++] = c;
        } else {
            (void)dae_stop(reading, "a number or word of over 63 bytes");
        }
    }
}

/* The numbers of the element that ends; must be `wanted` of them. */
static const double *dae_numbers(dae_reading *reading, const char *name, uint32_t wanted)
{
    const dae_list *values = &reading->document.values;
    uint32_t found = values->count - reading->content_first;
    if (found != wanted) {
        oban_line *line = dae_stop(reading, "<");
        oban_line_add(line, name);
        oban_line_add(line, ">: expected ");
        oban_line_add_u64(line, wanted);
        oban_line_add(line, " numbers, found ");
        oban_line_add_u64(line, found);
        return NULL;
    }
    return wanted == 0 ? NULL : DAE_AT(*values, double, reading->content_first);
}

/* ---- asset ---- */

static void dae_start_asset(dae_reading *reading, uint32_t depth, const char *name,
                            const char **attributes)
{
    dae_document *document = &reading->document;
    if (strcmp(name, "unit") == 0) {
        const char *meter = dae_attribute(attributes, "meter");
        char *end = NULL;
        double value = strtod(meter, &end);
        if (meter[0] != '\0' && (*end != '\0' || !(value > 1e-9) || !(value < 1e9))) {
            (void)dae_stop(reading, "<unit>: expected meter to be a number above 0");
        } else if (meter[0] != '\0') {
            document->units = 10 * value;
        }
    } else if (strcmp(name, "up_axis") == 0) {
        dae_begin_content(reading, depth, DAE_WORD);
    }
}

static void dae_end_axis(dae_reading *reading)
{
    static const char *const words[] = {"Y_UP", "Z_UP", "X_UP"};
    reading->token[reading->token_bytes] = '\0';
    for (int i = 0; i < 3; i++) {
        if (strcmp(words[i], reading->token) == 0) {
            reading->document.axis = (dae_axis)i;
            return;
        }
    }
    oban_line *line = dae_stop(reading, "<up_axis>: expected X_UP, Y_UP or Z_UP, found ");
    oban_line_add(line, reading->token);
}

/* ---- animations ---- */

static void dae_start_source(dae_reading *reading, const char **attributes)
{
    dae_source *source = dae_add(reading, &reading->document.sources);
    if (source != NULL) {
        dae_copy(reading, dae_attribute(attributes, "id"), &source->id);
        source->stride = 1;
        source->line = dae_line(reading);
    }
}

static dae_source *dae_last_source(dae_reading *reading)
{
    dae_list *sources = &reading->document.sources;
    return sources->count == 0 ? NULL : DAE_AT(*sources, dae_source, sources->count - 1);
}

static void dae_start_input(dae_reading *reading, const char **attributes)
{
    dae_list *samplers = &reading->document.samplers;
    const char *semantic = dae_attribute(attributes, "semantic");
    const char *source = dae_attribute(attributes, "source");
    if (!reading->in_sampler || samplers->count == 0) {
        return;
    }
    dae_sampler *sampler = DAE_AT(*samplers, dae_sampler, samplers->count - 1);
    dae_text *place = strcmp(semantic, "INPUT") == 0           ? &sampler->input
                      : strcmp(semantic, "OUTPUT") == 0        ? &sampler->output
                      : strcmp(semantic, "INTERPOLATION") == 0 ? &sampler->way
                      : strcmp(semantic, "IN_TANGENT") == 0    ? &sampler->tangent_in
                      : strcmp(semantic, "OUT_TANGENT") == 0   ? &sampler->tangent_out
                                                               : NULL;
    if (place != NULL) {
        dae_copy(reading, source, place);
    }
}

static void dae_start_channel(dae_reading *reading, const char **attributes)
{
    dae_channel *channel = dae_add(reading, &reading->document.channels);
    if (channel != NULL) {
        dae_copy(reading, dae_attribute(attributes, "source"), &channel->sampler);
        dae_copy(reading, dae_attribute(attributes, "target"), &channel->target);
        channel->line = dae_line(reading);
    }
}

static void dae_start_animations(dae_reading *reading, uint32_t depth, const char *name,
                                 const char **attributes)
{
    if (strcmp(name, "source") == 0) {
        dae_start_source(reading, attributes);
    } else if (strcmp(name, "float_array") == 0) {
        dae_begin_content(reading, depth, DAE_NUMBERS);
    } else if (strcmp(name, "Name_array") == 0 || strcmp(name, "IDREF_array") == 0) {
        dae_begin_content(reading, depth, DAE_WAYS);
    } else if (strcmp(name, "accessor") == 0 && dae_last_source(reading) != NULL) {
        unsigned long stride = strtoul(dae_attribute(attributes, "stride"), NULL, 10);
        dae_last_source(reading)->stride = stride < 1 || stride > 64 ? 1 : (uint32_t)stride;
    } else if (strcmp(name, "sampler") == 0) {
        dae_sampler *sampler = dae_add(reading, &reading->document.samplers);
        reading->in_sampler = sampler != NULL;
        if (sampler != NULL) {
            dae_copy(reading, dae_attribute(attributes, "id"), &sampler->id);
            sampler->line = dae_line(reading);
        }
    } else if (strcmp(name, "input") == 0) {
        dae_start_input(reading, attributes);
    } else if (strcmp(name, "channel") == 0) {
        dae_start_channel(reading, attributes);
    }
}

/* ---- nodes ---- */

static dae_node *dae_open_node(dae_reading *reading)
{
    return reading->nodes_open == 0 ? NULL
                                    : DAE_AT(reading->document.nodes, dae_node, reading->node);
}

static void dae_start_node(dae_reading *reading, uint32_t depth, const char **attributes)
{
    dae_list *nodes = &reading->document.nodes;
    uint32_t parent = reading->nodes_open == 0 ? DAE_NONE : reading->node;
    dae_node *node = dae_add(reading, nodes);
    if (node == NULL) {
        return;
    }
    dae_copy(reading, dae_attribute(attributes, "id"), &node->id);
    dae_copy(reading, dae_attribute(attributes, "name"), &node->name);
    node->parent = parent;
    node->first = reading->document.transforms.count;
    node->line = dae_line(reading);
    node->extra_start = node->extra_base = node->extra_keys = DAE_NONE;
    reading->node = nodes->count - 1;
    reading->node_depth[reading->nodes_open++] = depth;
}

static const struct {
    const char *name;
    dae_kind kind;
    uint32_t numbers;
} dae_kinds[] = {
    {"translate", DAE_TRANSLATE, 3}, {"rotate", DAE_ROTATE, 4}, {"scale", DAE_SCALE, 3},
    {"matrix", DAE_MATRIX, 16},      {"lookat", DAE_LOOKAT, 9},
};
#define DAE_KINDS (sizeof dae_kinds / sizeof dae_kinds[0])

static int dae_kind_of(const char *name)
{
    for (size_t i = 0; i < DAE_KINDS; i++) {
        if (strcmp(dae_kinds[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static void dae_start_scenes(dae_reading *reading, uint32_t depth, const char *name,
                             const char **attributes)
{
    dae_node *node = dae_open_node(reading);
    if (strcmp(name, "node") == 0) {
        dae_start_node(reading, depth, attributes);
        return;
    }
    if (node == NULL || depth != reading->node_depth[reading->nodes_open - 1] + 1) {
        return;
    }
    if (strcmp(name, "skew") == 0) {
        (void)dae_stop(reading, "<skew> is not read; save the node with a matrix");
    } else if (dae_kind_of(name) >= 0) {
        /* Transforms of a node stand in front of its children. */
        if (node->count == 0) {
            node->first = reading->document.transforms.count;
        } else if (node->first + node->count != reading->document.transforms.count) {
            (void)dae_stop(reading, "a transform behind the node's children");
            return;
        }
        dae_transform *transform = dae_add(reading, &reading->document.transforms);
        if (transform != NULL) {
            dae_copy(reading, dae_attribute(attributes, "sid"), &transform->sid);
            node->count++;
            dae_begin_content(reading, depth, DAE_NUMBERS);
        }
    } else if (strcmp(name, "instance_camera") == 0) {
        node->camera = true;
    } else if (strcmp(name, "extra") == 0 &&
               strcmp(dae_attribute(attributes, "type"), "oban") == 0) {
        reading->extra_depth = depth;
        node->has_extra = true;
    }
}

static void dae_end_transform(dae_reading *reading, const char *name)
{
    int kind = dae_kind_of(name);
    const dae_list *transforms = &reading->document.transforms;
    dae_transform *transform = DAE_AT(*transforms, dae_transform, transforms->count - 1);
    const double *numbers = dae_numbers(reading, name, dae_kinds[kind].numbers);
    if (numbers != NULL) {
        transform->kind = dae_kinds[kind].kind;
        memcpy(transform->values, numbers, dae_kinds[kind].numbers * sizeof *numbers);
    }
    reading->document.values.count = reading->content_first;
}

/* ---- our extra ---- */

static const char *const dae_extra_names[] = {"flags", "frame_length", "frame_count", "half_stop"};

static void dae_end_extra(dae_reading *reading, const char *name)
{
    dae_node *node = dae_open_node(reading);
    uint32_t first = reading->content_first;
    uint32_t found = reading->document.values.count - first;
    const double *numbers = found == 0 ? NULL : DAE_AT(reading->document.values, double, first);
    if (node == NULL || found == 0) {
        return;
    }
    if (strcmp(name, "start") == 0 && found == 12) {
        node->extra_start = first;
    } else if (strcmp(name, "base") == 0 && found == 12) {
        node->extra_base = first;
    } else if (strcmp(name, "keys") == 0) {
        node->extra_keys = first;
        node->extra_key_numbers = found;
    } else if (strcmp(name, "rigid") == 0) {
        node->extra_rigid = numbers[0] != 0;
    }
    for (size_t i = 0; i < sizeof dae_extra_names / sizeof dae_extra_names[0]; i++) {
        if (strcmp(name, dae_extra_names[i]) == 0 && fabs(numbers[0]) < 5e9) {
            node->extra_numbers[i] = (int64_t)numbers[0];
        }
    }
}

/* ---- all elements ---- */

static void dae_start(void *context, uint32_t depth, const char *name, const char **attributes)
{
    dae_reading *reading = context;
    if (depth == 0) {
        if (strcmp(name, "COLLADA") != 0) {
            oban_line *line = dae_stop(reading, "expected <COLLADA>, found <");
            oban_line_add_text(line, (oban_text){name, (uint32_t)strnlen(name, 60)});
            oban_line_add(line, ">");
        }
    } else if (depth == 1) {
        reading->library =
            strcmp(name, "library_animations") == 0 ? DAE_ANIMATIONS
            : strcmp(name, "library_visual_scenes") == 0 || strcmp(name, "library_nodes") == 0
                ? DAE_SCENES
                : DAE_OTHER;
        reading->asset_depth = strcmp(name, "asset") == 0 ? depth + 1 : 0;
    } else if (reading->asset_depth != 0) {
        if (depth == reading->asset_depth) {
            dae_start_asset(reading, depth, name, attributes);
        }
    } else if (reading->extra_depth != 0) {
        if (depth == reading->extra_depth + 2) {
            dae_begin_content(reading, depth, DAE_NUMBERS);
        }
    } else if (reading->library == DAE_ANIMATIONS) {
        dae_start_animations(reading, depth, name, attributes);
    } else if (reading->library == DAE_SCENES) {
        dae_start_scenes(reading, depth, name, attributes);
    }
}

static void dae_end_source_numbers(dae_reading *reading)
{
    dae_source *source = dae_last_source(reading);
    if (source != NULL) {
        source->first = reading->content_first;
        source->count = reading->document.values.count - reading->content_first;
    }
}

static void dae_end_content(dae_reading *reading, const char *name)
{
    dae_end_token(reading);
    if (reading->content == DAE_WORD) {
        dae_end_axis(reading);
    } else if (reading->extra_depth != 0) {
        dae_end_extra(reading, name);
    } else if (reading->library == DAE_ANIMATIONS) {
        dae_end_source_numbers(reading);
    } else {
        dae_end_transform(reading, name);
    }
    reading->content = DAE_NOTHING;
}

static void dae_end(void *context, uint32_t depth, const char *name)
{
    dae_reading *reading = context;
    if (reading->content != DAE_NOTHING && depth == reading->content_depth) {
        dae_end_content(reading, name);
        return;
    }
    if (reading->extra_depth != 0 && depth == reading->extra_depth) {
        reading->extra_depth = 0;
    } else if (strcmp(name, "sampler") == 0) {
        reading->in_sampler = false;
    } else if (reading->nodes_open > 0 && depth == reading->node_depth[reading->nodes_open - 1]) {
        reading->nodes_open--;
        reading->node = reading->nodes_open == 0
                            ? 0
                            : DAE_AT(reading->document.nodes, dae_node, reading->node)->parent;
    }
}

/* ---- the file ---- */

bool oban_collada_looks_like(const void *bytes, size_t size)
{
    size_t looked = size < 4096 ? size : 4096;
    return oban_xml_looks_like(bytes, size) && memmem(bytes, looked, "<COLLADA", 8) != NULL;
}

static void dae_list_free(dae_document *document, dae_list *list)
{
    oban_alloc_give(&document->file->alloc, list->items, list->capacity * list->item_bytes);
}

static void dae_init(dae_document *document, oban_clip_file *out, const oban_import *import)
{
    document->file = out;
    document->import = import;
    document->units = 10;
    document->values.item_bytes = sizeof(double);
    document->sources.item_bytes = sizeof(dae_source);
    document->samplers.item_bytes = sizeof(dae_sampler);
    document->channels.item_bytes = sizeof(dae_channel);
    document->nodes.item_bytes = sizeof(dae_node);
    document->transforms.item_bytes = sizeof(dae_transform);
}

static void dae_run(dae_reading *reading, const void *bytes, size_t size)
{
    dae_document *document = &reading->document;
    const xml_listener listener = {dae_start, dae_end, dae_text_piece, reading, DAE_DEPTH_MAX - 1};
    oban_status status =
        xml_source_run(&reading->source, &listener, &document->file->alloc, bytes, size);
    if (status == OBAN_BAD_FILE) {
        oban_file_fault spare;
        oban_file_fault *fault =
            clip_add_fault(document->file, OBAN_SEVERITY_ERROR, (oban_text){NULL, 0},
                           reading->source.message.data, &spare);
        fault->line = reading->source.place.line;
        fault->column = reading->source.place.column;
    }
    document->status = status;
}

oban_status oban_collada_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                              size_t size, const oban_import *import, oban_clip_file *out)
{
    clip_add_init(out, alloc);
    dae_reading *reading = oban_alloc_take(alloc, sizeof *reading);
    if (reading == NULL) {
        return clip_add_end(out, OBAN_NO_MEMORY);
    }
    memset(reading, 0, sizeof *reading);
    dae_document *document = &reading->document;
    dae_init(document, out, import);
    clip_add_file_name(file_name, &document->file_name);
    dae_run(reading, bytes, size);
    if (document->status == OBAN_OK) {
        dae_make_clips(document);
    }
    oban_status status = document->status;
    dae_list *const lists[] = {&document->values,   &document->sources, &document->samplers,
                               &document->channels, &document->nodes,   &document->transforms};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        dae_list_free(document, lists[i]);
    }
    oban_alloc_give(alloc, reading, sizeof *reading);
    return clip_add_end(out, status);
}
