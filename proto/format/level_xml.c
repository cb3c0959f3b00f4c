/* SPDX-License-Identifier: MIT */
/* Levels as XML, read and written. Both forms fill the same fields, by one table: in <OBOAObject>
 * children are fields by their order, in <Object> by their names. Next: level_xml.h, xml_source.h.
 */
#include "proto/format/level_xml.h"

#include "core/anim/clip.h"
#include "proto/format/oban_xml.h"
#include "proto/format/xml_source.h"
#include "proto/format/xml_values.h"
#include "proto/json/floats.h"

#include <math.h>
#include <string.h>

#define LEVEL_TEXT_BYTES_MAX 4096u
#define LEVEL_OBJECTS_MAX 1000000u

typedef enum level_type {
    LEVEL_NAME, /* a text; four letters of its kind in front are dropped */
    LEVEL_TEXT,
    LEVEL_FLAGS,
    LEVEL_PHYSICS,
    LEVEL_I32,
    LEVEL_FLOATS,
    LEVEL_ROTATION,
    LEVEL_CLIP,  /* <Animation> of an <Object> */
    LEVEL_IGNORE /* taken and not kept */
} level_type;

typedef struct level_field {
    const char *name;
    size_t at; /* in oban_level_object */
    level_type type;
    uint32_t count;   /* of floats */
    const char *kind; /* the four letters of a name */
} level_field;

#define LEVEL_AT(member) offsetof(oban_level_object, member)

/* In the order of OniSplit's OBOA; oni-formats 5. */
static const level_field level_record_fields[] = {
    {"Geometry", LEVEL_AT(geometry), LEVEL_NAME, 0, "M3GA"},
    {"Animation", LEVEL_AT(animation), LEVEL_NAME, 0, "OBAN"},
    {"Particle", LEVEL_AT(particle), LEVEL_NAME, 0, "ENVP"},
    {"Flags", LEVEL_AT(flags), LEVEL_FLAGS, 0, NULL},
    {"DoorGunkId", LEVEL_AT(door_gunk), LEVEL_I32, 0, NULL},
    {"DoorId", LEVEL_AT(door), LEVEL_I32, 0, NULL},
    {"PhysicsType", LEVEL_AT(physics), LEVEL_PHYSICS, 0, NULL},
    {"ScriptId", LEVEL_AT(number), LEVEL_I32, 0, NULL},
    {"Position", LEVEL_AT(position), LEVEL_FLOATS, 3, NULL},
    {"Rotation", LEVEL_AT(rotation), LEVEL_FLOATS, 4, NULL},
    {"Scale", LEVEL_AT(scale), LEVEL_FLOATS, 1, NULL},
    {"Transform", LEVEL_AT(transform), LEVEL_FLOATS, 12, NULL},
    {"Name", LEVEL_AT(name), LEVEL_TEXT, 0, NULL},
};
#define LEVEL_RECORD_FIELDS (sizeof level_record_fields / sizeof level_record_fields[0])

static const level_field level_object_fields[] = {
    {"Name", LEVEL_AT(name), LEVEL_TEXT, 0, NULL},
    {"ScriptId", LEVEL_AT(number), LEVEL_I32, 0, NULL},
    {"Flags", LEVEL_AT(flags), LEVEL_FLAGS, 0, NULL},
    {"Position", LEVEL_AT(position), LEVEL_FLOATS, 3, NULL},
    {"Rotation", LEVEL_AT(rotation), LEVEL_ROTATION, 0, NULL},
    {"Scale", LEVEL_AT(scale), LEVEL_FLOATS, 1, NULL},
    {"Physics", LEVEL_AT(physics), LEVEL_PHYSICS, 0, NULL},
    {"Particles", LEVEL_AT(particle), LEVEL_NAME, 0, "ENVP"},
    {"Geometry", LEVEL_AT(geometry), LEVEL_NAME, 0, "M3GA"},
    {"Animation", 0, LEVEL_CLIP, 0, NULL},
    {"Import", 0, LEVEL_IGNORE, 0, NULL},
};
#define LEVEL_OBJECT_FIELDS (sizeof level_object_fields / sizeof level_object_fields[0])

static const char *const level_physics[] = {"None", "Static", "Linear", "Animated", "Newton"};
#define LEVEL_PHYSICS_COUNT (sizeof level_physics / sizeof level_physics[0])

static const xml_flag level_object_flags[] = {
    {"InUse", OBAN_LEVEL_IN_USE},
    {"NoCollision", OBAN_LEVEL_NO_COLLISION},
    {"NoGravity", OBAN_LEVEL_NO_GRAVITY},
    {"FaceCollision", OBAN_LEVEL_FACE_COLLISION},
    {NULL, 0},
};
static const xml_flag level_clip_flags[] = {
    {"Loop", OBAN_CLIP_LOOP},
    {"PingPong", OBAN_CLIP_PING_PONG},
    {"RandomStart", OBAN_CLIP_RANDOM_START},
    {"AutoStart", OBAN_CLIP_AUTOSTART},
    {"Local", OBAN_CLIP_LOCAL},
    {NULL, 0},
};

enum {
    LEVEL_DEPTH_ROOT = 0,
    LEVEL_DEPTH_INSTANCE, /* OBOA, Physics */
    LEVEL_DEPTH_LIST,     /* Objects; or Object */
    LEVEL_DEPTH_INNER,    /* OBOAObject; or a field */
    LEVEL_DEPTH_DEEP      /* a field; or a part of Animation */
};

typedef enum level_form { LEVEL_OTHER, LEVEL_OBOA, LEVEL_OBJECTS } level_form;

typedef struct level_reading {
    xml_source source;
    oban_level *level;
    level_form form;
    oban_level_object *object; /* the one being read */
    oban_level_clip *clip;     /* likewise, within <Animation> */
    uint32_t next;             /* field of an <OBOAObject> */
    const level_field *field;
    const char *part; /* of <Animation> */
    char text[LEVEL_TEXT_BYTES_MAX + 1];
    uint32_t text_bytes;
    xml_place text_place;
} level_reading;

/* ---- faults ---- */

static oban_line *level_refuse(level_reading *reading, const char *message)
{
    return xml_source_refuse(&reading->source, xml_source_here(&reading->source), message);
}

static void level_tell(const char *name, oban_line *line)
{
    size_t bytes = strnlen(name, OBAN_LEVEL_NAME_MAX);
    while (bytes > 0 && name[bytes] != '\0' && ((unsigned char)name[bytes] & 0xc0u) == 0x80u) {
        bytes--;
    }
    oban_line_add(line, "<");
    oban_line_add_text(line, (oban_text){name, (uint32_t)bytes});
    oban_line_add(line, ">");
}

/* "expected <a>, found <b>" */
static void level_unexpected(level_reading *reading, const char *expected, const char *found)
{
    oban_line *line = level_refuse(reading, "expected ");
    level_tell(expected, line);
    oban_line_add(line, ", found ");
    level_tell(found, line);
}

/* Refuses the text of an element, at its beginning. */
static oban_line *level_bad_text(level_reading *reading, const char *name)
{
    oban_line *line = xml_source_refuse(&reading->source, reading->text_place, "");
    level_tell(name, line);
    oban_line_add(line, ": ");
    return line;
}

/* ---- values ---- */

static bool level_same_nocase(const char *word, size_t bytes, const char *name)
{
    return oban_text_equal_nocase((oban_text){word, (uint32_t)bytes}, oban_text_of(name));
}

/* Names by any blanks or commas, in any case, or one decimal number. Returns false at a word that
 * is neither; *bad is where it begins. */
static bool level_read_flags(const char *text, const xml_flag *names, uint32_t *out,
                             const char **bad)
{
    xml_value_fault unused;
    int64_t number = 0;
    *out = 0;
    if (xml_value_integer(text, 0, UINT32_MAX, &number, &unused)) {
        *out = (uint32_t)number;
        return true;
    }
    for (const char *at = text; *at != '\0';) {
        size_t bytes = strcspn(at, " ,\t\r\n");
        const xml_flag *flag = names;
        while (bytes > 0 && flag->name != NULL && !level_same_nocase(at, bytes, flag->name)) {
            flag++;
        }
        if (bytes > 0 && flag->name == NULL) {
            *bad = at;
            return false;
        }
        *out |= bytes > 0 ? flag->bit : 0;
        at += bytes;
        at += strspn(at, " ,\t\r\n");
    }
    return true;
}

static void level_flags(level_reading *reading, const char *name, const xml_flag *names,
                        uint32_t *out)
{
    const char *bad = "";
    if (level_read_flags(reading->text, names, out, &bad)) {
        return;
    }
    oban_line *line = level_bad_text(reading, name);
    oban_line_add(line, "expected ");
    for (const xml_flag *flag = names; flag->name != NULL; flag++) {
        oban_line_add(line, flag == names ? "" : ", ");
        oban_line_add(line, flag->name);
    }
    oban_line_add(line, " or a decimal number, found ");
    oban_line_add_text(line, (oban_text){bad, (uint32_t)strcspn(bad, " ,\t\r\n")});
}

/* The text without blanks at its ends. */
static oban_text level_trimmed(const level_reading *reading)
{
    uint32_t begin = 0;
    uint32_t end = reading->text_bytes;
    while (begin < end && xml_value_is_blank(reading->text[begin])) {
        begin++;
    }
    while (end > begin && xml_value_is_blank(reading->text[end - 1])) {
        end--;
    }
    return (oban_text){reading->text + begin, end - begin};
}

static void level_name(level_reading *reading, const char *element, oban_text text,
                       const char *kind, char *out)
{
    if (kind != NULL && text.bytes > 4 && memcmp(text.data, kind, 4) == 0) {
        text.data += 4;
        text.bytes -= 4;
    }
    if (text.bytes > 0 && text.data[0] == '#' && kind != NULL) {
        text.bytes = 0; /* a child without a name of its own */
    }
    if (text.bytes > OBAN_LEVEL_NAME_MAX) {
        oban_line *line = level_bad_text(reading, element);
        oban_line_add(line, "expected at most 63 bytes");
        return;
    }
    memcpy(out, text.data, text.bytes);
    out[text.bytes] = '\0';
}

static void level_physics_word(level_reading *reading, const char *element, uint32_t *out)
{
    oban_text text = level_trimmed(reading);
    xml_value_fault fault;
    int64_t number = 0;
    for (uint32_t i = 0; i < LEVEL_PHYSICS_COUNT; i++) {
        if (level_same_nocase(text.data, text.bytes, level_physics[i])) {
            *out = i;
            return;
        }
    }
    if (xml_value_integer(reading->text, 0, UINT32_MAX, &number, &fault)) {
        *out = (uint32_t)number;
        return;
    }
    oban_line *line = level_bad_text(reading, element);
    oban_line_add(line, "expected None, Static, Linear, Animated or Newton");
}

static bool level_numbers(level_reading *reading, const char *element, uint32_t count, float *out)
{
    xml_value_fault fault;
    bool more = false;
    if (xml_value_floats(reading->text, count, out, &more, &fault)) {
        return true;
    }
    oban_line *line = level_bad_text(reading, element);
    oban_line_add_text(line, (oban_text){fault.message.data, fault.message.bytes});
    return false;
}

static int64_t level_integer(level_reading *reading, const char *element)
{
    xml_value_fault fault;
    int64_t number = 0;
    if (!xml_value_integer(reading->text, INT32_MIN, INT32_MAX, &number, &fault)) {
        oban_line *line = level_bad_text(reading, element);
        oban_line_add_text(line, (oban_text){fault.message.data, fault.message.bytes});
    }
    return number;
}

/* Euler degrees, x then y then z as OniSplit takes them, as a quaternion in the file's sense.
 * Source: oni-formats 5 and 8. */
static oban_quat level_euler(const float degrees[3])
{
    double half[3];
    for (uint32_t i = 0; i < 3; i++) {
        half[i] = (double)degrees[i] * 3.14159265358979323846 / 360.0;
    }
    double sx = sin(half[0]), cx = cos(half[0]);
    double sy = sin(half[1]), cy = cos(half[1]);
    double sz = sin(half[2]), cz = cos(half[2]);
    /* qx * qy * qz, then its inverse. */
    return (oban_quat){(float)-(sx * cy * cz + cx * sy * sz), (float)-(cx * sy * cz - sx * cy * sz),
                       (float)-(cx * cy * sz + sx * sy * cz), (float)(cx * cy * cz - sx * sy * sz)};
}

/* Three numbers are Euler degrees, four a quaternion. */
static void level_rotation(level_reading *reading, const char *element, oban_quat *out)
{
    xml_value_fault fault;
    float values[4];
    bool more = false;
    if (xml_value_floats(reading->text, 4, values, &more, &fault)) {
        *out = (oban_quat){values[0], values[1], values[2], values[3]};
    } else if (level_numbers(reading, element, 3, values)) {
        *out = level_euler(values);
    }
}

static void level_value(level_reading *reading, const level_field *field)
{
    char *at = (char *)reading->object + field->at;
    float values[12];
    switch (field->type) {
    case LEVEL_NAME:
    case LEVEL_TEXT:
        level_name(reading, field->name, level_trimmed(reading), field->kind, at);
        break;
    case LEVEL_FLAGS:
        level_flags(reading, field->name, level_object_flags, &reading->object->flags);
        break;
    case LEVEL_PHYSICS:
        level_physics_word(reading, field->name, &reading->object->physics);
        break;
    case LEVEL_I32: {
        int32_t number = (int32_t)level_integer(reading, field->name);
        memcpy(at, &number, sizeof number);
        break;
    }
    case LEVEL_FLOATS:
        if (level_numbers(reading, field->name, field->count, values)) {
            memcpy(at, values, field->count * sizeof *values);
        }
        break;
    case LEVEL_ROTATION:
        level_rotation(reading, field->name, &reading->object->rotation);
        break;
    case LEVEL_CLIP:
    case LEVEL_IGNORE:
        break;
    }
}

/* ---- elements ---- */

static const char *level_attribute(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return NULL;
}

static void level_begin_object(level_reading *reading)
{
    if (reading->level->count == LEVEL_OBJECTS_MAX) {
        (void)level_refuse(reading, "over 1,000,000 objects");
        return;
    }
    reading->object = oban_level_add(reading->level);
    if (reading->object == NULL) {
        xml_source_out_of_memory(&reading->source);
        return;
    }
    xml_place place = xml_source_here(&reading->source);
    reading->object->line = place.line;
    reading->object->column = place.column;
    reading->object->number = OBAN_LEVEL_NO_NUMBER;
    reading->object->rotation.w = 1.0f;
    reading->object->scale = 1.0f;
    reading->object->transform = oban_mat34_identity();
    reading->next = 0;
}

static void level_begin_clip(level_reading *reading, const char **attributes)
{
    const char *name = level_attribute(attributes, "Name");
    reading->clip = oban_level_add_clip(reading->level);
    if (reading->clip == NULL) {
        xml_source_out_of_memory(&reading->source);
        return;
    }
    reading->clip->object = reading->level->count - 1;
    reading->text_place = xml_source_here(&reading->source);
    if (name != NULL) {
        level_name(reading, "Animation", oban_text_of(name), "OBAN", reading->clip->name);
    }
}

static void level_begin_field(level_reading *reading, const char *name, const char **attributes)
{
    for (size_t i = 0; i < LEVEL_OBJECT_FIELDS; i++) {
        if (strcmp(level_object_fields[i].name, name) == 0) {
            reading->field = &level_object_fields[i];
        }
    }
    if (reading->field == NULL) {
        oban_file_fault spare;
        oban_file_fault *fault =
            oban_file_faults_add(&reading->level->faults, OBAN_SEVERITY_WARNING, &spare);
        xml_place place = xml_source_here(&reading->source);
        fault->line = place.line;
        fault->column = place.column;
        oban_line_add(&fault->message, "passed over: ");
        level_tell(name, &fault->message);
        oban_line_add(&fault->message, " is no field of <Object>");
    } else if (reading->field->type == LEVEL_CLIP) {
        level_begin_clip(reading, attributes);
    }
}

static void level_begin_part(level_reading *reading, const char *name)
{
    static const char *const parts[] = {"Start", "Stop", "End", "Flags"};
    reading->part = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcmp(parts[i], name) == 0) {
            reading->part = parts[i];
        }
    }
    if (reading->part == NULL && reading->clip != NULL) {
        level_unexpected(reading, "Start", name);
    }
}

static void level_start_oboa(level_reading *reading, uint32_t depth, const char *name)
{
    if (depth == LEVEL_DEPTH_LIST && strcmp(name, "Objects") != 0) {
        level_unexpected(reading, "Objects", name);
    } else if (depth == LEVEL_DEPTH_INNER) {
        if (strcmp(name, "OBOAObject") != 0) {
            level_unexpected(reading, "OBOAObject", name);
        } else {
            level_begin_object(reading);
        }
    } else if (depth == LEVEL_DEPTH_DEEP) {
        if (reading->next == LEVEL_RECORD_FIELDS) {
            level_unexpected(reading, "/OBOAObject", name);
        } else if (strcmp(name, level_record_fields[reading->next].name) != 0) {
            level_unexpected(reading, level_record_fields[reading->next].name, name);
        } else {
            reading->field = &level_record_fields[reading->next++];
        }
    } else if (depth > LEVEL_DEPTH_DEEP) {
        level_unexpected(reading, "/", name);
    }
}

static void level_start_objects(level_reading *reading, uint32_t depth, const char *name,
                                const char **attributes)
{
    if (depth == LEVEL_DEPTH_LIST) {
        if (strcmp(name, "Object") != 0) {
            level_unexpected(reading, "Object", name);
        } else {
            level_begin_object(reading);
        }
    } else if (depth == LEVEL_DEPTH_INNER) {
        reading->field = NULL;
        reading->clip = NULL;
        level_begin_field(reading, name, attributes);
    } else if (depth == LEVEL_DEPTH_DEEP && reading->clip != NULL) {
        level_begin_part(reading, name);
    } else if (depth > LEVEL_DEPTH_DEEP && reading->clip != NULL) {
        level_unexpected(reading, "/", name);
    }
}

static void level_start(void *context, uint32_t depth, const char *name, const char **attributes)
{
    level_reading *reading = context;
    reading->text_bytes = 0;
    reading->text_place = xml_source_here(&reading->source);
    if (depth == LEVEL_DEPTH_ROOT) {
        if (strcmp(name, "Oni") != 0) {
            level_unexpected(reading, "Oni", name);
        }
    } else if (depth == LEVEL_DEPTH_INSTANCE) {
        const char *type = level_attribute(attributes, "type");
        type = type == NULL ? name : type;
        reading->form = strcmp(type, "OBOA") == 0      ? LEVEL_OBOA
                        : strcmp(type, "Physics") == 0 ? LEVEL_OBJECTS
                                                       : LEVEL_OTHER;
    } else if (reading->form == LEVEL_OBOA) {
        level_start_oboa(reading, depth, name);
    } else if (reading->form == LEVEL_OBJECTS) {
        level_start_objects(reading, depth, name, attributes);
    }
}

static void level_text(void *context, uint32_t depth, oban_text text)
{
    level_reading *reading = context;
    (void)depth;
    if (reading->field == NULL && reading->part == NULL) {
        return;
    }
    if (text.bytes > LEVEL_TEXT_BYTES_MAX - reading->text_bytes) {
        (void)level_refuse(reading, "a text of over 4096 bytes");
        return;
    }
    if (reading->text_bytes == 0) {
        reading->text_place = xml_source_here(&reading->source);
    }
    memcpy(reading->text + reading->text_bytes, text.data, text.bytes);
    reading->text_bytes += text.bytes;
}

static void level_end_part(level_reading *reading)
{
    oban_level_clip *clip = reading->clip;
    if (strcmp(reading->part, "Flags") == 0) {
        level_flags(reading, "Flags", level_clip_flags, &clip->flags);
    } else {
        int32_t number = (int32_t)level_integer(reading, reading->part);
        *(reading->part[0] == 'E'   ? &clip->end
          : reading->part[2] == 'o' ? &clip->stop
                                    : &clip->start) = number;
    }
    reading->part = NULL;
}

/* The animation of an <Object>: its first clip that starts by itself, else its first. */
static void level_choose_animation(level_reading *reading)
{
    const oban_level *level = reading->level;
    const oban_level_clip *chosen = NULL;
    for (uint32_t i = level->clip_count; i > 0; i--) {
        const oban_level_clip *clip = &level->clips[i - 1];
        if (clip->object != level->count - 1) {
            break;
        }
        bool chosen_starts = chosen != NULL && (chosen->flags & OBAN_CLIP_AUTOSTART) != 0;
        if ((clip->flags & OBAN_CLIP_AUTOSTART) != 0 || !chosen_starts) {
            chosen = clip;
        }
    }
    if (chosen != NULL) {
        memcpy(reading->object->animation, chosen->name, sizeof chosen->name);
    }
}

static void level_end_object(level_reading *reading)
{
    oban_level_object *object = reading->object;
    object->flags |= OBAN_LEVEL_IN_USE;
    level_choose_animation(reading);
    object->transform = oban_level_transform(object->position, &object->rotation, object->scale);
    reading->object = NULL;
}

/* <OBOAObject>: complete, and dropped again when it is an empty slot. */
static void level_end_record(level_reading *reading)
{
    if (reading->next < LEVEL_RECORD_FIELDS) {
        oban_line *line = level_refuse(reading, "expected ");
        level_tell(level_record_fields[reading->next].name, line);
        oban_line_add(line, " in <OBOAObject>");
    } else if ((reading->object->flags & OBAN_LEVEL_IN_USE) == 0) {
        reading->level->count--;
    }
    reading->object = NULL;
}

static void level_end_field(level_reading *reading, uint32_t depth)
{
    const level_field *field = reading->field;
    uint32_t at = reading->form == LEVEL_OBOA ? LEVEL_DEPTH_DEEP : LEVEL_DEPTH_INNER;
    if (field == NULL || depth != at) {
        return;
    }
    reading->text[reading->text_bytes] = '\0';
    if (field->type == LEVEL_CLIP && reading->clip->name[0] == '\0') {
        /* Only a name: there is no clip to tell of. */
        level_name(reading, "Animation", level_trimmed(reading), "OBAN",
                   reading->object->animation);
        reading->level->clip_count--;
    } else {
        level_value(reading, field);
    }
    reading->field = NULL;
    reading->clip = NULL;
}

static void level_end(void *context, uint32_t depth, const char *name)
{
    level_reading *reading = context;
    (void)name;
    if (reading->form == LEVEL_OTHER) {
        return;
    }
    if (reading->part != NULL && depth == LEVEL_DEPTH_DEEP) {
        reading->text[reading->text_bytes] = '\0';
        level_end_part(reading);
        reading->text_bytes = 0;
        return;
    }
    level_end_field(reading, depth);
    if (reading->form == LEVEL_OBOA && depth == LEVEL_DEPTH_INNER && reading->object != NULL) {
        level_end_record(reading);
    } else if (reading->form == LEVEL_OBJECTS && depth == LEVEL_DEPTH_LIST &&
               reading->object != NULL) {
        level_end_object(reading);
    }
}

oban_status level_xml_read(oban_level *level, const void *bytes, size_t size)
{
    level_reading *reading = oban_alloc_take(&level->alloc, sizeof *reading);
    if (reading == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(reading, 0, sizeof *reading);
    reading->level = level;
    const xml_listener listener = {level_start, level_end, level_text, reading, 0};
    oban_status status = xml_source_run(&reading->source, &listener, &level->alloc, bytes, size);
    if (status == OBAN_BAD_FILE) {
        oban_file_fault spare;
        oban_file_fault *fault = oban_file_faults_add(&level->faults, OBAN_SEVERITY_ERROR, &spare);
        fault->line = reading->source.place.line;
        fault->column = reading->source.place.column;
        fault->message = reading->source.message;
    }
    oban_alloc_give(&level->alloc, reading, sizeof *reading);
    return status;
}

/* ---- what it is ---- */

bool oban_level_xml_looks_like(const void *bytes, size_t size)
{
    static const char *const names[] = {"<OBOA", "<Physics", "type=\"OBOA\""};
    const char *text = bytes;
    size_t looked = size < 4096 ? size : 4096;
    if (!oban_xml_looks_like(bytes, size)) {
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (memmem(text, looked, names[i], strlen(names[i])) != NULL) {
            return true;
        }
    }
    return false;
}

/* ---- writing ---- */

static void level_put(oban_writer *writer, const char *text)
{
    oban_writer_bytes(writer, text, strlen(text));
}

static void level_put_i64(oban_writer *writer, int64_t value)
{
    oban_line line;
    oban_line_clear(&line);
    oban_line_add_i64(&line, value);
    oban_writer_bytes(writer, line.data, line.bytes);
}

/* Text with what XML needs escaped; bytes that are no UTF-8 and control characters as '?'. */
static void level_put_text(oban_writer *writer, const char *text)
{
    size_t bytes = strlen(text);
    for (size_t at = 0; at < bytes;) {
        uint32_t code = 0;
        uint32_t taken = oban_utf8_decode(text + at, bytes - at, &code);
        const char *escape = code == '<'   ? "&lt;"
                             : code == '>' ? "&gt;"
                             : code == '&' ? "&amp;"
                             : code == '"' ? "&quot;"
                                           : NULL;
        bool plain = taken > 0 && code >= 0x20u && code != 0xfffeu && code != 0xffffu;
        if (taken > 0 && escape != NULL) {
            level_put(writer, escape);
        } else if (plain) {
            oban_writer_bytes(writer, text + at, taken);
        } else {
            level_put(writer, "?");
        }
        at += taken == 0 ? 1 : taken;
    }
}

static void level_put_floats(oban_writer *writer, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char digits[OBAN_FLOAT_BYTES_MAX];
        size_t bytes = oban_float_dotnet(values[i], digits);
        level_put(writer, i == 0 ? "" : " ");
        oban_writer_bytes(writer, digits, bytes);
    }
}

static void level_put_flags(oban_writer *writer, uint32_t flags, const xml_flag *names)
{
    uint32_t named = 0;
    bool blank = false;
    for (const xml_flag *flag = names; flag->name != NULL; flag++) {
        named |= flag->bit;
    }
    if ((flags & ~named) != 0) {
        level_put_i64(writer, flags);
        return;
    }
    for (const xml_flag *flag = names; flag->name != NULL; flag++) {
        if ((flags & flag->bit) != 0) {
            level_put(writer, blank ? " " : "");
            level_put(writer, flag->name);
            blank = true;
        }
    }
}

static void level_put_physics(oban_writer *writer, uint32_t physics)
{
    if (physics < LEVEL_PHYSICS_COUNT) {
        level_put(writer, level_physics[physics]);
    } else {
        level_put_i64(writer, physics);
    }
}

static void level_put_value(oban_writer *writer, const oban_level_object *object,
                            const level_field *field)
{
    const char *at = (const char *)object + field->at;
    float values[12];
    int32_t number = 0;
    switch (field->type) {
    case LEVEL_NAME:
        level_put(writer, at[0] == '\0' ? "" : field->kind);
        level_put_text(writer, at);
        break;
    case LEVEL_TEXT:
        level_put_text(writer, at);
        break;
    case LEVEL_FLAGS:
        level_put_flags(writer, object->flags, level_object_flags);
        break;
    case LEVEL_PHYSICS:
        level_put_physics(writer, object->physics);
        break;
    case LEVEL_I32:
        memcpy(&number, at, sizeof number);
        level_put_i64(writer, number);
        break;
    case LEVEL_FLOATS:
        memcpy(values, at, field->count * sizeof *values);
        level_put_floats(writer, values, field->count);
        break;
    case LEVEL_ROTATION:
        memcpy(values, at, 4 * sizeof *values);
        level_put_floats(writer, values, 4);
        break;
    case LEVEL_CLIP:
    case LEVEL_IGNORE:
        break;
    }
}

static void level_put_field(oban_writer *writer, const char *indent,
                            const oban_level_object *object, const level_field *field)
{
    level_put(writer, indent);
    level_put(writer, "<");
    level_put(writer, field->name);
    level_put(writer, ">");
    level_put_value(writer, object, field);
    level_put(writer, "</");
    level_put(writer, field->name);
    level_put(writer, ">\n");
}

void oban_oboa_xml_write(oban_writer *writer, const oban_level *level)
{
    level_put(writer, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Oni>\n    <OBOA id=\"0\">\n"
                      "        <Objects>\n");
    for (uint32_t i = 0; i < level->count; i++) {
        level_put(writer, "            <OBOAObject>\n");
        for (size_t k = 0; k < LEVEL_RECORD_FIELDS; k++) {
            level_put_field(writer, "                ", &level->objects[i],
                            &level_record_fields[k]);
        }
        level_put(writer, "            </OBOAObject>\n");
    }
    level_put(writer, "        </Objects>\n    </OBOA>\n</Oni>");
}

static void level_put_part(oban_writer *writer, const char *name, int32_t value)
{
    level_put(writer, "                <");
    level_put(writer, name);
    level_put(writer, ">");
    level_put_i64(writer, value);
    level_put(writer, "</");
    level_put(writer, name);
    level_put(writer, ">\n");
}

static void level_put_clip(oban_writer *writer, const oban_level_clip *clip)
{
    level_put(writer, "            <Animation Name=\"");
    level_put_text(writer, clip->name);
    level_put(writer, "\">\n");
    level_put_part(writer, "Start", clip->start);
    level_put_part(writer, "Stop", clip->stop);
    level_put_part(writer, "End", clip->end);
    level_put(writer, "                <Flags>");
    level_put_flags(writer, clip->flags, level_clip_flags);
    level_put(writer, "</Flags>\n            </Animation>\n");
}

/* The clips of an object; `next` goes over those of all. */
static void level_put_clips(oban_writer *writer, const oban_level *level, uint32_t object,
                            uint32_t *next)
{
    uint32_t first = *next;
    while (*next < level->clip_count && level->clips[*next].object == object) {
        level_put_clip(writer, &level->clips[(*next)++]);
    }
    if (*next == first && level->objects[object].animation[0] != '\0') {
        level_put(writer, "            <Animation>");
        level_put_text(writer, level->objects[object].animation);
        level_put(writer, "</Animation>\n");
    }
}

void oban_level_xml_write(oban_writer *writer, const oban_level *level)
{
    uint32_t next = 0;
    level_put(writer, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Oni>\n    <Physics>\n");
    for (uint32_t i = 0; i < level->count; i++) {
        level_put(writer, "        <Object>\n");
        for (size_t k = 0; k < LEVEL_OBJECT_FIELDS; k++) {
            if (level_object_fields[k].type == LEVEL_CLIP) {
                level_put_clips(writer, level, i, &next);
            } else if (level_object_fields[k].type != LEVEL_IGNORE) {
                level_put_field(writer, "            ", &level->objects[i],
                                &level_object_fields[k]);
            }
        }
        level_put(writer, "        </Object>\n");
    }
    level_put(writer, "    </Physics>\n</Oni>");
}
