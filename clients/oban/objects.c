/* SPDX-License-Identifier: MIT */
/* See objects.h. */
#include "clients/oban/objects.h"

#include "clients/obanctl/memory.h"
#include "core/math/trs.h"

#include <math.h>
#include <string.h>

#define OBJECTS_SCALE_SLACK 1e-4f

uint32_t objects_count(const tool_library *library)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < library->file_count; i++) {
        count += library->files[i].objects.count;
    }
    return count;
}

void objects_gather(const tool_library *library, uint32_t file, oban_level *out)
{
    oban_level_init(out, memory_alloc());
    for (uint32_t i = 0; i < library->file_count; i++) {
        const oban_level *from = &library->files[i].objects;
        uint32_t before = out->count;

        if (file != OBJECTS_ALL && file != i) {
            continue;
        }
        for (uint32_t k = 0; k < from->count; k++) {
            *oban_level_add(out) = from->objects[k];
        }
        for (uint32_t k = 0; k < from->clip_count; k++) {
            oban_level_clip *clip = oban_level_add_clip(out);
            *clip = from->clips[k];
            clip->object += before;
        }
        out->id = from->count > 0 ? from->id : out->id;
    }
}

/* ---- out of a scene -------------------------------------------------------------------------- */

static oban_line *warn(oban_level *level, const char *message)
{
    oban_file_fault spare;
    oban_file_fault *fault = oban_file_faults_add(&level->faults, OBAN_SEVERITY_WARNING, &spare);
    oban_line_add(&fault->message, message);
    return &fault->message;
}

/* A text that is too long for a level is cut, and that is told. */
static void set_name(oban_level *level, oban_level_name name, oban_text text, int32_t number)
{
    if (text.bytes > OBAN_LEVEL_NAME_MAX) {
        oban_line *line = warn(level, "object ");
        oban_line_add_i64(line, number);
        oban_line_add(line, ": a text of over 63 bytes is cut");
        text.bytes = OBAN_LEVEL_NAME_MAX;
    }
    if (text.bytes > 0) {
        memcpy(name, text.data, text.bytes);
    }
    name[text.bytes] = '\0';
}

static void set_place(oban_level *level, oban_level_object *object, const oban_mat34 *matrix)
{
    oban_trs trs = oban_trs_of(matrix);
    const float *s = trs.scale;
    float slack = OBJECTS_SCALE_SLACK * fabsf(s[0]);

    object->transform = *matrix;
    memcpy(object->position, trs.position, sizeof object->position);
    object->rotation = trs.rotation;
    object->scale = s[0];
    if (fabsf(s[1] - s[0]) > slack || fabsf(s[2] - s[0]) > slack || s[0] <= 0) {
        oban_line *line = warn(level, "object ");
        oban_line_add_i64(line, object->number);
        oban_line_add(line, ": its scale is not one number above 0; only the transform has it all");
    }
}

static void add_object(oban_level *level, const oban_command *command)
{
    oban_level_object *object = oban_level_add(level);
    oban_mat34 none = oban_mat34_identity();

    object->flags = OBAN_LEVEL_IN_USE;
    object->number = command->object;
    object->offset = OBAN_FILE_NO_OFFSET;
    set_name(level, object->name, command->name, command->object);
    set_name(level, object->animation, command->anim, command->object);
    set_name(level, object->geometry, command->geometry, command->object);
    object->physics = object->animation[0] != '\0' ? 3 : 0;
    set_place(level, object, OBAN_HAS(command, matrix) ? &command->matrix : &none);
}

void objects_of_scene(const oban_scene *scene, oban_level *out)
{
    uint32_t begun = 0;
    uint32_t others = 0;

    oban_level_init(out, memory_alloc());
    for (uint32_t i = 0; i < scene->count; i++) {
        const oban_command *command = &scene->commands[i];
        if (command->op == OBAN_OP_OBJ_DEFINE) {
            add_object(out, command);
            begun += command->create || command->play ? 1 : 0;
        } else {
            others++;
        }
    }
    if (begun > 0) {
        oban_line_add_u64(
            warn(out, "in a level objects wait for scripts; made or playing from the start were: "),
            begun);
    }
    if (others > 0) {
        (void)warn(out, "a level holds no camera: the scene's is left out");
    }
}

/* ---- into a scene ---------------------------------------------------------------------------- */

static void write_text(oban_writer *writer, const char *key, oban_text text)
{
    if (text.bytes > 0) {
        oban_writer_key(writer, key);
        oban_writer_text(writer, text);
    }
}

static void write_object(oban_writer *writer, const oban_command *command)
{
    oban_writer_bytes(writer, writer->comma ? ",\n" : "\n", writer->comma ? 2 : 1);
    writer->comma = false;
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "object");
    oban_writer_i64(writer, command->object);
    if (command->part > 0) {
        oban_writer_key(writer, "part");
        oban_writer_u64(writer, command->part);
    }
    write_text(writer, "name", command->name);
    write_text(writer, "anim", command->anim);
    oban_writer_key(writer, "matrix");
    oban_writer_mat34(writer, &command->matrix);
    write_text(writer, "geometry", command->geometry);
    oban_writer_key(writer, "create");
    oban_writer_bool(writer, command->create);
    oban_writer_key(writer, "play");
    oban_writer_bool(writer, command->play);
    oban_writer_object_end(writer);
}

static void copy_faults(oban_file_faults *to, const oban_file_faults *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        oban_file_fault spare;
        *oban_file_faults_add(to, from->items[i].severity, &spare) = from->items[i];
    }
    to->more += from->more;
}

oban_status objects_write_scene(const oban_level *level, oban_writer *out, oban_file_faults *faults)
{
    oban_scene scene;
    oban_status status = oban_level_scene(level, NULL, &scene);

    oban_writer_object_begin(out);
    oban_writer_key(out, "objects");
    oban_writer_array_begin(out);
    for (uint32_t i = 0; i < scene.count && status == OBAN_OK; i++) {
        write_object(out, &scene.commands[i]);
    }
    oban_writer_array_end(out);
    oban_writer_object_end(out);
    oban_writer_bytes(out, "\n", 1);
    copy_faults(faults, &scene.faults);
    oban_scene_fini(&scene);
    return out->failed ? OBAN_NO_MEMORY : status;
}
