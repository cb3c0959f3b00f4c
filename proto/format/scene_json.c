/* SPDX-License-Identifier: MIT */
/* A scene in JSON made into commands, with everything told that is wrong with it, each fault with
 * its path. The fields of an object are those of obj_define, read by the same table. Not here: what
 * a scene means (behaviour 9), level files. Next: scene_json.h, ../wire/fields.h. */
#include "proto/format/scene_json.h"

#include "core/base/hash.h"
#include "proto/wire/fields.h"

#include <string.h>

static const char *const scene_members[] = {"objects", "doors",   "camera",
                                            "aliens",  "actions", NULL};

/* One reading. */
typedef struct scene_reading {
    oban_scene *scene;
    const oban_scene_anims *anims;
    bool out_of_memory;
    /* where the fields being read are: "objects[3]." */
    oban_line path;
} scene_reading;

/* ---- faults -----------------------------------------------------------------------------------
 */

/* An error whose message begins with the path. */
static oban_line *scene_fault(scene_reading *reading, oban_file_fault *spare)
{
    oban_file_fault *fault =
        oban_file_faults_add(&reading->scene->faults, OBAN_SEVERITY_ERROR, spare);
    oban_line_add_text(&fault->message, (oban_text){reading->path.data, reading->path.bytes});
    return &fault->message;
}

static void scene_set_path(scene_reading *reading, const char *member, uint32_t index)
{
    oban_line_clear(&reading->path);
    oban_line_add(&reading->path, member);
    oban_line_add(&reading->path, "[");
    oban_line_add_u64(&reading->path, index);
    oban_line_add(&reading->path, "]");
}

static void scene_tell_field(void *context, const oban_field_fault *field)
{
    scene_reading *reading = context;
    oban_file_fault spare;
    oban_line *line = scene_fault(reading, &spare);
    oban_line_add(line, ".");
    oban_line_add_text(line, (oban_text){field->message.data, field->message.bytes});
}

static void scene_expected(scene_reading *reading, const char *expected, const oban_json *found)
{
    oban_file_fault spare;
    oban_line *line = scene_fault(reading, &spare);
    oban_line_add(line, ": expected ");
    oban_line_add(line, expected);
    oban_line_add(line, ", found ");
    oban_field_found(found, line);
}

/* ---- commands ---------------------------------------------------------------------------------
 */

static void scene_add(scene_reading *reading, const oban_command *command)
{
    oban_scene *scene = reading->scene;
    if (scene->count == scene->capacity) {
        uint32_t capacity = scene->capacity == 0 ? 16 : scene->capacity * 2;
        oban_command *commands =
            scene->alloc.resize(scene->alloc.context, scene->commands,
                                scene->capacity * sizeof *commands, capacity * sizeof *commands);
        if (commands == NULL) {
            reading->out_of_memory = true;
            return;
        }
        scene->commands = commands;
        scene->capacity = capacity;
    }
    scene->commands[scene->count++] = *command;
}

static bool scene_read_fields(scene_reading *reading, const oban_json *object, oban_op op,
                              oban_command *command)
{
    oban_field_listener listener = {scene_tell_field, reading};
    const oban_command_row *row = oban_command_row_of(op);
    command->op = op;
    if (oban_json_type_of(object) != OBAN_JSON_OBJECT) {
        scene_expected(reading, "an object", object);
        return false;
    }
    return oban_fields_read_all(object, row->args, row->arg_count, command, NULL, &listener) ==
           OBAN_OK;
}

static void scene_camera(scene_reading *reading, const oban_json *camera)
{
    oban_command command;
    oban_line_clear(&reading->path);
    oban_line_add(&reading->path, "camera");
    if (scene_read_fields(reading, camera, OBAN_OP_CAMERA_PLACE, &command) && command.has != 0) {
        scene_add(reading, &command);
    }
}

/* ---- objects ----------------------------------------------------------------------------------
 */

/* An object seen (or a door's leaf), and its index in the file plus one; 0: an empty slot. */
typedef struct scene_seen {
    int32_t object;
    uint32_t part;
    uint32_t index1;
} scene_seen;

/* The set of those seen: open addressing, half full at most. */
typedef struct scene_set {
    scene_seen *slots;
    uint32_t capacity; /* a power of two */
} scene_set;

static bool scene_set_init(scene_reading *reading, scene_set *set, size_t count)
{
    const oban_alloc *alloc = &reading->scene->alloc;
    set->slots = NULL;
    for (set->capacity = 16; set->capacity / 2 < count; set->capacity *= 2) {
        if (set->capacity > UINT32_MAX / 2) {
            return false;
        }
    }
    set->slots = oban_alloc_take(alloc, set->capacity * sizeof *set->slots);
    if (set->slots == NULL) {
        return false;
    }
    memset(set->slots, 0, set->capacity * sizeof *set->slots);
    return true;
}

/* The slot of an object: its own, or the empty one where it goes. */
static scene_seen *scene_set_find(const scene_set *set, const oban_command *command)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_u64(&hash, (uint64_t)(uint32_t)command->object << 32 | command->part);
    uint32_t at = (uint32_t)(oban_hash_end(&hash) >> 32) & (set->capacity - 1);
    while (set->slots[at].index1 != 0 &&
           (set->slots[at].object != command->object || set->slots[at].part != command->part)) {
        at = (at + 1) & (set->capacity - 1);
    }
    return &set->slots[at];
}

/* What the things of a list are called. */
typedef struct scene_list {
    const char *key;
    const char *thing;
    const char *part;
} scene_list;

static const scene_list scene_list_objects = {"objects", "object", "part"};
static const scene_list scene_list_doors = {"doors", "door", "leaf"};

/* Whether the thing is there for the first time; else it is told. */
static bool scene_is_new(scene_reading *reading, const scene_set *set, const scene_list *list,
                         const oban_command *command, uint32_t index)
{
    oban_file_fault spare;
    scene_seen *seen = scene_set_find(set, command);
    if (seen->index1 == 0) {
        *seen = (scene_seen){command->object, command->part, index + 1};
        return true;
    }
    oban_line *line = scene_fault(reading, &spare);
    oban_line_add(line, ": ");
    oban_line_add(line, list->thing);
    oban_line_add(line, " ");
    oban_line_add_i64(line, command->object);
    oban_line_add(line, " ");
    oban_line_add(line, list->part);
    oban_line_add(line, " ");
    oban_line_add_u64(line, command->part);
    oban_line_add(line, " is there already, as ");
    oban_line_add(line, list->key);
    oban_line_add(line, "[");
    oban_line_add_u64(line, seen->index1 - 1);
    oban_line_add(line, "]");
    return false;
}

/* Whether the animation that an object names is there, and one is named if it is to play. */
static void scene_check_anim(scene_reading *reading, const oban_command *command)
{
    oban_file_fault spare;
    oban_line why;
    oban_line_clear(&why);
    if (OBAN_HAS(command, anim)) {
        if (reading->anims == NULL ||
            reading->anims->find(reading->anims->context, command->anim, &why)) {
            return;
        }
        oban_line *line = scene_fault(reading, &spare);
        oban_line_add(line, ".anim: ");
        oban_line_add_text(line, (oban_text){why.data, why.bytes});
    } else if (command->play) {
        oban_line_add(scene_fault(reading, &spare), ".play: the object names no animation");
    }
}

static void scene_object(scene_reading *reading, const oban_json *object, const scene_set *set,
                         uint32_t index)
{
    oban_command command;
    scene_set_path(reading, "objects", index);
    if (!scene_read_fields(reading, object, OBAN_OP_OBJ_DEFINE, &command) ||
        !scene_is_new(reading, set, &scene_list_objects, &command, index)) {
        return;
    }
    if (!OBAN_HAS(&command, create)) {
        OBAN_SET(&command, create, true);
    }
    if (!OBAN_HAS(&command, play)) {
        OBAN_SET(&command, play, false);
    }
    scene_check_anim(reading, &command);
    scene_add(reading, &command);
}

static void scene_door(scene_reading *reading, const oban_json *door, const scene_set *set,
                       uint32_t index)
{
    oban_command command;
    scene_set_path(reading, "doors", index);
    if (!scene_read_fields(reading, door, OBAN_OP_DOOR_DEFINE, &command)) {
        return;
    }
    const oban_command key = {.object = command.door, .part = command.leaf};
    if (scene_is_new(reading, set, &scene_list_doors, &key, index)) {
        scene_check_anim(reading, &command);
        scene_add(reading, &command);
    }
}

static void scene_things(scene_reading *reading, const oban_json *list, bool doors)
{
    scene_set set;
    uint32_t index = 0;
    if (!scene_set_init(reading, &set, oban_json_count(list))) {
        reading->out_of_memory = true;
        return;
    }
    for (const oban_json *item = oban_json_first(list); item != NULL; item = oban_json_next(item)) {
        if (doors) {
            scene_door(reading, item, &set, index++);
        } else {
            scene_object(reading, item, &set, index++);
        }
    }
    oban_alloc_give(&reading->scene->alloc, set.slots, set.capacity * sizeof *set.slots);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static void scene_later(scene_reading *reading, const oban_json *list)
{
    oban_file_fault spare;
    if (oban_json_first(list) != NULL) {
        oban_line_add(scene_fault(reading, &spare), ": not in this version; leave it empty");
    }
}

static void scene_member(scene_reading *reading, const oban_json *member)
{
    oban_file_fault spare;
    const char *key = oban_json_key(member);
    uint32_t at = 0;
    while (scene_members[at] != NULL && strcmp(scene_members[at], key) != 0) {
        at++;
    }
    oban_line_clear(&reading->path);
    if (scene_members[at] == NULL) {
        if (strncmp(key, "x-", 2) != 0) {
            oban_line *line = scene_fault(reading, &spare);
            oban_field_key(key, line);
            oban_line_add(line, ": no such field");
            oban_field_nearest(key, scene_members, line);
        }
        return;
    }
    oban_line_add(&reading->path, key);
    if (strcmp(key, "camera") == 0) {
        scene_camera(reading, member);
    } else if (oban_json_type_of(member) != OBAN_JSON_ARRAY) {
        scene_expected(reading, "an array", member);
    } else if (strcmp(key, "objects") == 0 || strcmp(key, "doors") == 0) {
        scene_things(reading, member, strcmp(key, "doors") == 0);
    } else {
        scene_later(reading, member);
    }
}

static oban_status scene_parse(scene_reading *reading, oban_text text)
{
    oban_json_fault json;
    oban_file_fault spare;
    oban_scene *scene = reading->scene;
    oban_status status = oban_json_parse(text.data, text.bytes, &scene->root, &json);
    if (status != OBAN_OK && status != OBAN_NO_MEMORY) {
        oban_file_fault *fault = oban_file_faults_add(&scene->faults, OBAN_SEVERITY_ERROR, &spare);
        fault->line = json.line;
        fault->column = json.column;
        fault->message = json.message;
        status = OBAN_BAD_JSON;
    }
    return status;
}

static oban_status scene_build(scene_reading *reading)
{
    const oban_json *root = reading->scene->root;
    if (oban_json_type_of(root) != OBAN_JSON_OBJECT) {
        oban_line_add(&reading->path, "a scene");
        scene_expected(reading, "an object", root);
        return OBAN_BAD_SCENE;
    }
    for (const oban_json *member = oban_json_first(root); member != NULL && !reading->out_of_memory;
         member = oban_json_next(member)) {
        scene_member(reading, member);
    }
    if (reading->out_of_memory) {
        return OBAN_NO_MEMORY;
    }
    return reading->scene->faults.errors > 0 ? OBAN_BAD_SCENE : OBAN_OK;
}

static void scene_drop_commands(oban_scene *scene)
{
    oban_alloc_give(&scene->alloc, scene->commands, scene->capacity * sizeof *scene->commands);
    scene->commands = NULL;
    scene->count = 0;
    scene->capacity = 0;
}

oban_status oban_scene_read(const oban_alloc *alloc, oban_text text, const oban_scene_anims *anims,
                            oban_scene *out)
{
    scene_reading reading = {.scene = out, .anims = anims};
    memset(out, 0, sizeof *out);
    out->alloc = *alloc;
    oban_file_faults_init(&out->faults, alloc);
    oban_status status = scene_parse(&reading, text);
    if (status == OBAN_OK) {
        status = scene_build(&reading);
    }
    if (out->faults.failed) {
        status = OBAN_NO_MEMORY;
    }
    if (status != OBAN_OK) {
        scene_drop_commands(out);
    }
    return status;
}

void oban_scene_fini(oban_scene *scene)
{
    scene_drop_commands(scene);
    oban_file_faults_fini(&scene->faults);
    oban_json_free(scene->root);
    scene->root = NULL;
}
