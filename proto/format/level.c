/* SPDX-License-Identifier: MIT */
/* The objects of a level: the list, binary records, and the commands that they become.
 * Not here: XML (level_xml.c).
 * Next: level.h, container.h. */
#include "proto/format/level.h"

#include "core/world/command.h"
#include "proto/format/container.h"
#include "proto/format/level_xml.h"
#include "proto/format/little.h"
#include "proto/format/oban_xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parts of an OBOA and of a record; oni-formats 5. */
enum {
    OBOA_COUNT = 0x16,
    OBOA_RECORDS = 0x18,
    OBOA_RECORD_BYTES = 240,
    RECORD_GEOMETRY = 0x00,
    RECORD_ANIMATION = 0x04,
    RECORD_PARTICLE = 0x08,
    RECORD_FLAGS = 0x0c,
    RECORD_DOOR_GUNK = 0x10,
    RECORD_DOOR = 0x14,
    RECORD_PHYSICS = 0x18,
    RECORD_NUMBER = 0x1c,
    RECORD_POSITION = 0x20,
    RECORD_ROTATION = 0x2c,
    RECORD_SCALE = 0x3c,
    RECORD_TRANSFORM = 0x40,
    RECORD_NAME = 0x70,
    RECORD_FILE = 0xb0
};

/* ---- the list ---- */

void oban_level_init(oban_level *level, const oban_alloc *alloc)
{
    memset(level, 0, sizeof *level);
    level->alloc = *alloc;
    oban_file_faults_init(&level->faults, alloc);
}

static void level_drop(oban_level *level)
{
    oban_alloc_give(&level->alloc, level->objects, level->capacity * sizeof *level->objects);
    oban_alloc_give(&level->alloc, level->clips, level->clip_capacity * sizeof *level->clips);
    level->objects = NULL;
    level->clips = NULL;
    level->count = level->capacity = level->clip_count = level->clip_capacity = 0;
}

void oban_level_fini(oban_level *level)
{
    level_drop(level);
    oban_file_faults_fini(&level->faults);
}

/* A list with room for one more; NULL when memory is out. */
static void *level_room(const oban_level *level, void *items, uint32_t count, uint32_t *capacity,
                        size_t item_bytes)
{
    if (count < *capacity) {
        return items;
    }
    uint32_t more = *capacity == 0 ? 16 : *capacity * 2;
    void *grown =
        level->alloc.resize(level->alloc.context, items, *capacity * item_bytes, more * item_bytes);
    *capacity = grown == NULL ? *capacity : more;
    return grown;
}

oban_level_object *oban_level_add(oban_level *level)
{
    oban_level_object *objects =
        level_room(level, level->objects, level->count, &level->capacity, sizeof *level->objects);
    if (objects == NULL) {
        return NULL;
    }
    level->objects = objects;
    memset(&objects[level->count], 0, sizeof *objects);
    objects[level->count].offset = OBAN_FILE_NO_OFFSET;
    return &objects[level->count++];
}

oban_level_clip *oban_level_add_clip(oban_level *level)
{
    oban_level_clip *clips = level_room(level, level->clips, level->clip_count,
                                        &level->clip_capacity, sizeof *level->clips);
    if (clips == NULL) {
        return NULL;
    }
    level->clips = clips;
    memset(&clips[level->clip_count], 0, sizeof *clips);
    return &clips[level->clip_count++];
}

oban_mat34 oban_level_transform(const float position[3], const oban_quat *rotation, float scale)
{
    float length2 = oban_quat_length2(rotation);
    oban_mat34 matrix = oban_quat_matrix(
        rotation, length2 > 0.0f && length2 - length2 == 0.0f ? 2.0f / length2 : 0.0f, position);
    for (uint32_t i = 0; i < 9; i++) {
        matrix.m[i] *= scale;
    }
    return matrix;
}

/* ---- binary records ---- */

/* A text of 64 bytes; behind its NUL there may be anything. */
static void level_text(const unsigned char *at, oban_level_name out)
{
    const unsigned char *end = memchr(at, '\0', OBAN_LEVEL_NAME_MAX);
    size_t bytes = end == NULL ? OBAN_LEVEL_NAME_MAX : (size_t)(end - at);
    memcpy(out, at, bytes);
    out[bytes] = '\0';
}

/* The name that a link leads to, without its four letters. A link into nothing is warned of. */
static oban_status level_link(const container *file, const unsigned char *at, oban_level_name out)
{
    oban_file_fault spare;
    uint32_t link = little_u32(at);
    uint64_t offset = (uint64_t)(at - file->bytes);
    oban_text name;
    out[0] = '\0';
    if (link == 0) {
        return OBAN_OK;
    }
    if (link >> 8 >= file->count) {
        oban_file_fault_hex(
            link,
            container_warn(file, offset, "a link leads to no instance of the file: ", &spare));
        return OBAN_OK;
    }
    container_instance target = container_at(file, link >> 8);
    if (!container_is_named(&target)) {
        return OBAN_OK; /* a child without a name: nobody can call it */
    }
    oban_status status = container_name(file, &target, &name);
    if (status != OBAN_OK) {
        return status;
    }
    if (name.bytes < 4 || name.bytes - 4 > OBAN_LEVEL_NAME_MAX) {
        (void)container_warn(file, offset, "a link leads to a name that is none", &spare);
        return OBAN_OK;
    }
    memcpy(out, name.data + 4, name.bytes - 4);
    out[name.bytes - 4] = '\0';
    return OBAN_OK;
}

static oban_status level_record(const container *file, const unsigned char *at,
                                oban_level_object *out)
{
    oban_status status = level_link(file, at + RECORD_GEOMETRY, out->geometry);
    if (status == OBAN_OK) {
        status = level_link(file, at + RECORD_ANIMATION, out->animation);
    }
    if (status == OBAN_OK) {
        status = level_link(file, at + RECORD_PARTICLE, out->particle);
    }
    out->flags = little_u32(at + RECORD_FLAGS);
    out->door_gunk = little_i32(at + RECORD_DOOR_GUNK);
    out->door = little_i32(at + RECORD_DOOR);
    out->physics = little_u32(at + RECORD_PHYSICS);
    out->number = little_i32(at + RECORD_NUMBER);
    for (uint32_t i = 0; i < 3; i++) {
        out->position[i] = little_f32(at + RECORD_POSITION + 4 * (size_t)i);
    }
    out->rotation =
        (oban_quat){little_f32(at + RECORD_ROTATION), little_f32(at + RECORD_ROTATION + 4),
                    little_f32(at + RECORD_ROTATION + 8), little_f32(at + RECORD_ROTATION + 12)};
    out->scale = little_f32(at + RECORD_SCALE);
    out->transform = little_mat34(at + RECORD_TRANSFORM);
    level_text(at + RECORD_NAME, out->name);
    level_text(at + RECORD_FILE, out->file);
    out->offset = (uint64_t)(at - file->bytes);
    return status;
}

static oban_status level_oboa(oban_level *level, const container *file,
                              const container_instance *instance)
{
    const unsigned char *data = NULL;
    uint32_t room = 0;
    oban_status status = container_data(file, instance, OBOA_RECORDS, "an OBOA", &data, &room);
    if (status != OBAN_OK) {
        return status;
    }
    uint32_t count = little_u16(data + OBOA_COUNT);
    if (OBOA_RECORDS + (uint64_t)count * OBOA_RECORD_BYTES > room) {
        return container_refuse(file, (uint64_t)(data - file->bytes) + OBOA_COUNT,
                                "there is no room for ", count, " objects in the instance");
    }
    for (uint32_t i = 0; i < count && status == OBAN_OK; i++) {
        const unsigned char *at = data + OBOA_RECORDS + (size_t)i * OBOA_RECORD_BYTES;
        if ((little_u32(at + RECORD_FLAGS) & OBAN_LEVEL_IN_USE) == 0) {
            continue;
        }
        oban_level_object *object = oban_level_add(level);
        status = object == NULL ? OBAN_NO_MEMORY : level_record(file, at, object);
    }
    return status;
}

static oban_status level_read_binary(oban_level *level, const void *bytes, size_t size)
{
    container file;
    oban_status status = container_open(&file, bytes, size, &level->faults);
    if (status == OBAN_OK) {
        status = container_check_overlap(&file, CONTAINER_TAG_OBOA, &level->alloc);
    }
    for (uint32_t i = 0; i < file.count && status == OBAN_OK; i++) {
        container_instance instance = container_at(&file, i);
        if (instance.tag == CONTAINER_TAG_OBOA && !container_is_placeholder(&instance)) {
            status = level_oboa(level, &file, &instance);
        }
    }
    level->id = status == OBAN_OK ? container_level_id(&file) : 0;
    return status;
}

oban_status oban_level_read(const oban_alloc *alloc, const void *bytes, size_t size,
                            oban_level *out)
{
    oban_status status = OBAN_OK;
    oban_file_fault spare;
    oban_level_init(out, alloc);
    if (container_looks_like(bytes, size)) {
        status = level_read_binary(out, bytes, size);
    } else if (oban_xml_looks_like(bytes, size)) {
        status = level_xml_read(out, bytes, size);
    } else {
        oban_file_fault *fault = oban_file_faults_add(&out->faults, OBAN_SEVERITY_ERROR, &spare);
        oban_line_add(&fault->message, "this is neither a .dat or .oni file nor XML");
        status = OBAN_BAD_FILE;
    }
    if (out->faults.failed) {
        status = OBAN_NO_MEMORY;
    }
    if (status != OBAN_OK) {
        level_drop(out);
    }
    return status;
}

/* ---- the scene ---- */

typedef struct level_order {
    int32_t number;
    uint32_t index;
} level_order;

static int level_compare(const void *a, const void *b)
{
    const level_order *x = a;
    const level_order *y = b;
    if (x->number != y->number) {
        return x->number < y->number ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static oban_line *level_warn(oban_scene *scene, const oban_level_object *object,
                             const char *message, oban_file_fault *spare)
{
    oban_file_fault *fault = oban_file_faults_add(&scene->faults, OBAN_SEVERITY_WARNING, spare);
    fault->offset = object->offset;
    fault->line = object->line;
    fault->column = object->column;
    oban_line_add(&fault->message, "object ");
    oban_line_add_i64(&fault->message, object->number);
    oban_line_add(&fault->message, message);
    return &fault->message;
}

static bool level_is_utf8(const char *text)
{
    size_t bytes = strlen(text);
    for (size_t at = 0; at < bytes;) {
        uint32_t code = 0;
        uint32_t taken = oban_utf8_decode(text + at, bytes - at, &code);
        if (taken == 0 || code < 0x20u || code == 0x7fu) {
            return false;
        }
        at += taken;
    }
    return bytes > 0;
}

static void level_set_anim(oban_scene *scene, const oban_level_object *object,
                           const oban_scene_anims *anims, oban_command *command)
{
    oban_line why;
    oban_file_fault spare;
    oban_text name = oban_text_of(object->animation);
    oban_line_clear(&why);
    if (name.bytes == 0) {
        return;
    }
    if (anims != NULL && !anims->find(anims->context, name, &why)) {
        oban_line *line = level_warn(scene, object, " has no animation: ", &spare);
        oban_line_add_text(line, (oban_text){why.data, why.bytes});
        return;
    }
    OBAN_SET(command, anim, name);
}

static void level_define(oban_scene *scene, const oban_level_object *object, uint32_t part,
                         const oban_scene_anims *anims)
{
    oban_command *command = &scene->commands[scene->count];
    oban_file_fault spare;
    if (!oban_mat34_finite(&object->transform)) {
        (void)level_warn(scene, object, " is left out: its transform is not finite", &spare);
        return;
    }
    memset(command, 0, sizeof *command);
    command->op = OBAN_OP_OBJ_DEFINE;
    OBAN_SET(command, object, object->number);
    OBAN_SET(command, part, part);
    OBAN_SET(command, matrix, object->transform);
    OBAN_SET(command, create, false);
    OBAN_SET(command, play, false);
    if (level_is_utf8(object->name)) {
        OBAN_SET(command, name, oban_text_of(object->name));
    }
    if (level_is_utf8(object->geometry)) {
        OBAN_SET(command, geometry, oban_text_of(object->geometry));
    }
    level_set_anim(scene, object, anims, command);
    scene->count++;
}

static void level_tell_doors(oban_scene *scene, uint32_t left_out)
{
    oban_file_fault spare;
    if (left_out == 0) {
        return;
    }
    oban_file_fault *fault = oban_file_faults_add(&scene->faults, OBAN_SEVERITY_WARNING, &spare);
    oban_line_add_u64(&fault->message, left_out);
    oban_line_add(&fault->message, left_out == 1 ? " object without a number (a door)"
                                                 : " objects without a number (doors)");
    oban_line_add(&fault->message, left_out == 1 ? " is" : " are");
    oban_line_add(
        &fault->message,
        " left out: a level does not say which animation a door has; \"doors\" of a scene "
        "in JSON can");
}

oban_status oban_level_scene(const oban_level *level, const oban_scene_anims *anims,
                             oban_scene *out)
{
    uint32_t left_out = 0;
    memset(out, 0, sizeof *out);
    out->alloc = level->alloc;
    oban_file_faults_init(&out->faults, &level->alloc);
    if (level->count == 0) {
        return OBAN_OK;
    }
    size_t bytes = level->count * sizeof(level_order);
    level_order *order = oban_alloc_take(&level->alloc, bytes);
    out->commands = oban_alloc_take(&level->alloc, level->count * sizeof *out->commands);
    out->capacity = out->commands != NULL ? level->count : 0;
    if (order == NULL || out->commands == NULL) {
        oban_alloc_give(&level->alloc, order, bytes);
        return OBAN_NO_MEMORY;
    }
    for (uint32_t i = 0; i < level->count; i++) {
        order[i] = (level_order){level->objects[i].number, i};
    }
    qsort(order, level->count, sizeof *order, level_compare);
    uint32_t part = 0;
    for (uint32_t i = 0; i < level->count; i++) {
        const oban_level_object *object = &level->objects[order[i].index];
        part = i > 0 && order[i - 1].number == order[i].number ? part + 1 : 0;
        if (object->number == OBAN_LEVEL_NO_NUMBER || object->number < 0) {
            left_out++;
        } else {
            level_define(out, object, part, anims);
        }
    }
    level_tell_doors(out, left_out);
    oban_alloc_give(&level->alloc, order, bytes);
    return out->faults.failed ? OBAN_NO_MEMORY : OBAN_OK;
}
