/* SPDX-License-Identifier: MIT */
/* The reader of OBAN XML: which elements are expected where, as OniSplit expects them. Children are
 * fields by their order; a name that does not fit is only warned of.
 * Not here: expat (xml_source.c), texts as values (xml_values.c), writing (oban_xml_write.c).
 * Next: oban_xml.h. */
#include "proto/format/oban_xml.h"

#include "proto/format/clip_add.h"
#include "proto/format/xml_source.h"
#include "proto/format/xml_values.h"

#include <string.h>

#define OBAN_XML_TEXT_BYTES_MAX 4096u /* of one field */
#define OBAN_XML_INSTANCES_MAX 4096u
#define OBAN_XML_NAME_BYTES 64u /* of an id, or of the elements of keys */

/* The children of an OBAN and of a key, in their order. */
enum {
    FIELD_FLAGS,
    FIELD_START,
    FIELD_BASE,
    FIELD_FRAME_LENGTH,
    FIELD_FRAME_COUNT,
    FIELD_HALF_STOP,
    FIELD_KEYS,
    FIELD_COUNT,
    KEY_ROTATION = 0,
    KEY_TRANSLATION,
    KEY_TIME,
    KEY_FIELD_COUNT,
    DEPTH_ROOT = 0,
    DEPTH_INSTANCE,
    DEPTH_FIELD,
    DEPTH_KEY,
    DEPTH_KEY_FIELD
};
static const char *const oban_xml_fields[] = {"Flags",       "InitialTransform", "BaseTransform",
                                              "FrameLength", "FrameCount",       "HalfStopFrame",
                                              "KeyFrames"};
static const char *const oban_xml_key_fields[] = {"Rotation", "Translation", "Time"};
static const char oban_xml_key[] = "OBANKeyFrame";

typedef struct oban_xml_id {
    char text[OBAN_XML_NAME_BYTES];
} oban_xml_id;

typedef struct oban_xml_array {
    void *items;
    uint32_t count;
    uint32_t capacity;
    size_t item_bytes;
} oban_xml_array;

/* One reading. */
typedef struct oban_xml_reading {
    xml_source source;
    oban_clip_file *file;
    clip_add_name file_name;
    oban_xml_array ids; /* oban_xml_id: of all instances so far, to find one twice */
    uint32_t instance_count;
    uint32_t clip_count;
    bool skipping; /* an instance that is no OBAN */
    /* the OBAN being read */
    uint32_t field; /* the next child */
    uint32_t key_field;
    xml_place oban_place;
    xml_place places[FIELD_COUNT];
    oban_clip_def def;
    oban_xml_array keys;       /* oban_key */
    oban_xml_array key_places; /* xml_place */
    char key_name[OBAN_XML_NAME_BYTES];
    bool key_warned[KEY_FIELD_COUNT];
    /* the text of the field being read */
    char text[OBAN_XML_TEXT_BYTES_MAX + 1];
    uint32_t text_bytes;
    xml_place text_place;
} oban_xml_reading;

/* ---- faults -----------------------------------------------------------------------------------
 */

static xml_place oban_xml_here(const oban_xml_reading *reading)
{
    return xml_source_here(&reading->source);
}

static oban_line *oban_xml_refuse(oban_xml_reading *reading, const char *message)
{
    return xml_source_refuse(&reading->source, oban_xml_here(reading), message);
}

static oban_line *oban_xml_warn(oban_xml_reading *reading, xml_place place, const char *message,
                                oban_file_fault *spare)
{
    oban_file_fault *fault =
        clip_add_fault(reading->file, OBAN_SEVERITY_WARNING, (oban_text){NULL, 0}, message, spare);
    fault->line = place.line;
    fault->column = place.column;
    return &fault->message;
}

/* <name>, cut when long. */
static void oban_xml_tell(const char *name, oban_line *line)
{
    size_t bytes = strnlen(name, OBAN_XML_NAME_BYTES);
    while (bytes > 0 && ((unsigned char)name[bytes] & 0xc0u) == 0x80u) {
        bytes--;
    }
    oban_line_add(line, "<");
    oban_line_add_text(line, (oban_text){name, (uint32_t)bytes});
    oban_line_add(line, ">");
}

/* ---- arrays -----------------------------------------------------------------------------------
 */

/* A new item at the end, of zeros; NULL when memory is out (the reading is then ended). */
static void *oban_xml_push(oban_xml_reading *reading, oban_xml_array *array)
{
    const oban_alloc *alloc = &reading->file->alloc;
    if (array->count == array->capacity) {
        uint32_t capacity = array->capacity == 0 ? 8 : array->capacity * 2;
        void *items =
            alloc->resize(alloc->context, array->items, array->capacity * array->item_bytes,
                          capacity * array->item_bytes);
        if (items == NULL) {
            xml_source_out_of_memory(&reading->source);
            return NULL;
        }
        array->items = items;
        array->capacity = capacity;
    }
    void *item = (unsigned char *)array->items + array->count++ * array->item_bytes;
    memset(item, 0, array->item_bytes);
    return item;
}

static void oban_xml_array_fini(oban_xml_reading *reading, oban_xml_array *array)
{
    oban_alloc_give(&reading->file->alloc, array->items, array->capacity * array->item_bytes);
}

/* ---- instances --------------------------------------------------------------------------------
 */

static const char *oban_xml_attribute(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return NULL;
}

/* Keeps an id, or refuses one that is there already or too long. */
static void oban_xml_keep_id(oban_xml_reading *reading, const char *id)
{
    const oban_xml_id *ids = reading->ids.items;
    for (uint32_t i = 0; i < reading->ids.count; i++) {
        if (strcmp(ids[i].text, id) == 0) {
            oban_line *line = oban_xml_refuse(reading, "the id '");
            oban_line_add(line, id);
            oban_line_add(line, "' is there twice");
            return;
        }
    }
    if (strlen(id) >= OBAN_XML_NAME_BYTES) {
        oban_line *line = oban_xml_refuse(reading, "expected an id of at most ");
        oban_line_add_u64(line, OBAN_XML_NAME_BYTES - 1);
        oban_line_add(line, " bytes");
        return;
    }
    oban_xml_id *kept = oban_xml_push(reading, &reading->ids);
    if (kept != NULL) {
        memcpy(kept->text, id, strlen(id) + 1);
    }
}

static void oban_xml_skip(oban_xml_reading *reading, const char *type)
{
    oban_file_fault spare;
    reading->skipping = true;
    oban_line *line = oban_xml_warn(reading, oban_xml_here(reading), "passed over: ", &spare);
    oban_xml_tell(type, line);
    oban_line_add(line, " is no OBAN");
}

static void oban_xml_begin(oban_xml_reading *reading)
{
    memset(&reading->def, 0, sizeof reading->def);
    reading->oban_place = oban_xml_here(reading);
    reading->field = 0;
    reading->keys.count = 0;
    reading->key_places.count = 0;
    memset(reading->key_name, 0, sizeof reading->key_name);
    memset(reading->key_warned, 0, sizeof reading->key_warned);
    reading->clip_count++;
}

static void oban_xml_instance(oban_xml_reading *reading, const char *name, const char **attributes)
{
    const char *type = oban_xml_attribute(attributes, "type");
    const char *id = oban_xml_attribute(attributes, "id");
    type = type == NULL ? name : type;
    if (reading->instance_count++ == OBAN_XML_INSTANCES_MAX) {
        oban_line *line = oban_xml_refuse(reading, "over ");
        oban_line_add_u64(line, OBAN_XML_INSTANCES_MAX);
        oban_line_add(line, " instances");
        return;
    }
    if (id != NULL) {
        oban_xml_keep_id(reading, id);
    }
    if (reading->source.status != OBAN_OK) {
        return;
    }
    if (strcmp(type, "OBAN") != 0) {
        oban_xml_skip(reading, type);
    } else if (id == NULL) {
        (void)oban_xml_refuse(reading, "expected an attribute id in <OBAN>, such as id=\"0\"");
    } else {
        oban_xml_begin(reading);
    }
}

/* ---- elements ---------------------------------------------------------------------------------
 */

static bool oban_xml_in_leaf(const oban_xml_reading *reading, uint32_t depth)
{
    return depth == DEPTH_KEY_FIELD + 1 || (depth == DEPTH_KEY && reading->field != FIELD_KEYS);
}

/* A child by its order: its name should be `expected`; else it is warned of. */
static bool oban_xml_compare(oban_xml_reading *reading, const char *name, const char *expected)
{
    oban_file_fault spare;
    if (strcmp(name, expected) == 0) {
        return true;
    }
    oban_line *line = oban_xml_warn(reading, oban_xml_here(reading), "expected ", &spare);
    oban_xml_tell(expected, line);
    oban_line_add(line, ", found ");
    oban_xml_tell(name, line);
    oban_line_add(line, "; it is read by its order");
    return false;
}

static void oban_xml_too_many(oban_xml_reading *reading, const char *parent, const char *name)
{
    oban_line *line = oban_xml_refuse(reading, "expected the end of ");
    oban_xml_tell(parent, line);
    oban_line_add(line, ", found ");
    oban_xml_tell(name, line);
}

static void oban_xml_field(oban_xml_reading *reading, const char *name)
{
    if (reading->field == FIELD_COUNT) {
        oban_xml_too_many(reading, "OBAN", name);
        return;
    }
    (void)oban_xml_compare(reading, name, oban_xml_fields[reading->field]);
    reading->places[reading->field] = oban_xml_here(reading);
}

/* The items of KeyFrames: all are named like the first. */
static void oban_xml_begin_key(oban_xml_reading *reading, const char *name)
{
    size_t bytes = strlen(name);
    if (reading->keys.count == 0 && bytes < OBAN_XML_NAME_BYTES) {
        (void)oban_xml_compare(reading, name, oban_xml_key);
        memcpy(reading->key_name, name, bytes + 1);
    } else if (strcmp(reading->key_name, name) != 0) {
        const char *first = reading->keys.count == 0 ? oban_xml_key : reading->key_name;
        oban_line *line = oban_xml_refuse(reading, "expected ");
        oban_xml_tell(first, line);
        oban_line_add(line, reading->keys.count == 0 ? ", found " : " like the first key, found ");
        oban_xml_tell(name, line);
        return;
    }
    if (reading->keys.count == OBAN_CLIP_KEYS_MAX) {
        oban_line *line = oban_xml_refuse(reading, "over ");
        oban_line_add_u64(line, OBAN_CLIP_KEYS_MAX);
        oban_line_add(line, " keys");
        return;
    }
    xml_place *place = oban_xml_push(reading, &reading->key_places);
    if (place != NULL && oban_xml_push(reading, &reading->keys) != NULL) {
        *place = oban_xml_here(reading);
        reading->key_field = 0;
    }
}

static void oban_xml_key_field(oban_xml_reading *reading, const char *name)
{
    uint32_t field = reading->key_field;
    if (field == KEY_FIELD_COUNT) {
        oban_xml_too_many(reading, reading->key_name, name);
        return;
    }
    /* Told once for each child: in thousands of keys it is the same mistake. */
    if (!reading->key_warned[field]) {
        reading->key_warned[field] = !oban_xml_compare(reading, name, oban_xml_key_fields[field]);
    }
}

static void oban_xml_root(oban_xml_reading *reading, const char *name)
{
    if (strcmp(name, "Oni") != 0) {
        oban_line *line = oban_xml_refuse(reading, "expected <Oni>, found ");
        oban_xml_tell(name, line);
    }
}

static void oban_xml_start(void *context, uint32_t depth, const char *name, const char **attributes)
{
    oban_xml_reading *reading = context;
    if (reading->skipping) {
        return;
    }
    if (oban_xml_in_leaf(reading, depth)) {
        oban_line *line = oban_xml_refuse(reading, "expected text or an end tag, found ");
        oban_xml_tell(name, line);
        return;
    }
    reading->text_bytes = 0;
    reading->text_place = oban_xml_here(reading);
    switch (depth) {
    case DEPTH_ROOT:
        oban_xml_root(reading, name);
        break;
    case DEPTH_INSTANCE:
        oban_xml_instance(reading, name, attributes);
        break;
    case DEPTH_FIELD:
        oban_xml_field(reading, name);
        break;
    case DEPTH_KEY:
        oban_xml_begin_key(reading, name);
        break;
    default:
        oban_xml_key_field(reading, name);
        break;
    }
}

/* ---- texts ------------------------------------------------------------------------------------
 */

/* The place of a byte of a text that begins at `place`. */
static xml_place oban_xml_advance(xml_place place, const char *text, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        if (text[i] == '\n') {
            place.line++;
            place.column = 1;
        } else if (((unsigned char)text[i] & 0xc0u) != 0x80u) {
            place.column++;
        }
    }
    return place;
}

/* Text between elements; blanks may stand there, and nothing else. */
static void oban_xml_bare_text(oban_xml_reading *reading, uint32_t depth, oban_text text)
{
    uint32_t at = 0;
    while (at < text.bytes && xml_value_is_blank(text.data[at])) {
        at++;
    }
    if (at == text.bytes) {
        return;
    }
    xml_place place = oban_xml_advance(oban_xml_here(reading), text.data, at);
    bool in_key = depth == DEPTH_KEY_FIELD && reading->key_field < KEY_FIELD_COUNT;
    bool in_oban = depth == DEPTH_FIELD && reading->field < FIELD_COUNT;
    oban_line *line = xml_source_refuse(&reading->source, place, "expected ");
    if (in_key) {
        oban_xml_tell(oban_xml_key_fields[reading->key_field], line);
    } else if (in_oban) {
        oban_xml_tell(oban_xml_fields[reading->field], line);
    } else {
        oban_line_add(line, "an element or an end tag");
    }
    oban_line_add(line, ", found bare text");
    if (in_key && reading->key_field == KEY_TIME) {
        oban_line_add(line, "; the wiki page lost the tags of <Time>0</Time>: put them back");
    }
}

static void oban_xml_text(void *context, uint32_t depth, oban_text text)
{
    oban_xml_reading *reading = context;
    if (reading->skipping) {
        return;
    }
    if (!oban_xml_in_leaf(reading, depth)) {
        oban_xml_bare_text(reading, depth, text);
        return;
    }
    if (text.bytes > OBAN_XML_TEXT_BYTES_MAX - reading->text_bytes) {
        oban_line *line = oban_xml_refuse(reading, "a text of over ");
        oban_line_add_u64(line, OBAN_XML_TEXT_BYTES_MAX);
        oban_line_add(line, " bytes");
        return;
    }
    if (reading->text_bytes == 0) {
        reading->text_place = oban_xml_here(reading);
    }
    memcpy(reading->text + reading->text_bytes, text.data, text.bytes);
    reading->text_bytes += text.bytes;
}

/* ---- values -----------------------------------------------------------------------------------
 */

static void oban_xml_bad_value(oban_xml_reading *reading, const char *field,
                               const xml_value_fault *fault)
{
    xml_place place = oban_xml_advance(reading->text_place, reading->text, fault->at);
    oban_line *line = xml_source_refuse(&reading->source, place, "");
    oban_xml_tell(field, line);
    oban_line_add(line, ": ");
    oban_line_add_text(line, (oban_text){fault->message.data, fault->message.bytes});
}

static void oban_xml_floats(oban_xml_reading *reading, const char *field, uint32_t count,
                            float *out)
{
    xml_value_fault fault;
    oban_file_fault spare;
    bool more = false;
    if (!xml_value_floats(reading->text, count, out, &more, &fault)) {
        oban_xml_bad_value(reading, field, &fault);
    } else if (more) {
        oban_line *line = oban_xml_warn(reading, reading->text_place, "", &spare);
        oban_xml_tell(field, line);
        oban_line_add(line, ": only the first ");
        oban_line_add_u64(line, count);
        oban_line_add(line, " numbers count");
    }
}

static int32_t oban_xml_integer(oban_xml_reading *reading, const char *field, int32_t lo,
                                int32_t hi)
{
    xml_value_fault fault;
    int64_t value = 0;
    if (!xml_value_integer(reading->text, lo, hi, &value, &fault)) {
        oban_xml_bad_value(reading, field, &fault);
        return 0;
    }
    return (int32_t)value;
}

static void oban_xml_flags(oban_xml_reading *reading)
{
    xml_value_fault fault;
    if (!xml_value_flags(reading->text, &reading->def.flags, &fault)) {
        oban_xml_bad_value(reading, oban_xml_fields[FIELD_FLAGS], &fault);
    }
}

static void oban_xml_end_field(oban_xml_reading *reading)
{
    oban_clip_def *def = &reading->def;
    const char *name = oban_xml_fields[reading->field];
    switch (reading->field++) {
    case FIELD_FLAGS:
        oban_xml_flags(reading);
        break;
    case FIELD_START:
        oban_xml_floats(reading, name, 12, def->start.m);
        break;
    case FIELD_BASE:
        oban_xml_floats(reading, name, 12, def->base.m);
        break;
    case FIELD_FRAME_LENGTH:
        def->frame_length = oban_xml_integer(reading, name, INT16_MIN, INT16_MAX);
        break;
    case FIELD_FRAME_COUNT:
        /* Written as a signed number, kept as an unsigned one. */
        def->frame_count = oban_xml_integer(reading, name, INT16_MIN, INT16_MAX) & 0xffff;
        break;
    case FIELD_HALF_STOP:
        def->half_stop = oban_xml_integer(reading, name, INT16_MIN, INT16_MAX);
        break;
    default: /* KeyFrames has no text */
        break;
    }
}

static void oban_xml_end_key_field(oban_xml_reading *reading)
{
    oban_key *key = (oban_key *)reading->keys.items + reading->keys.count - 1;
    const char *name = oban_xml_key_fields[reading->key_field];
    float q[4] = {0, 0, 0, 0};
    switch (reading->key_field++) {
    case KEY_ROTATION:
        oban_xml_floats(reading, name, 4, q);
        key->rotation = (oban_quat){q[0], q[1], q[2], q[3]};
        break;
    case KEY_TRANSLATION:
        oban_xml_floats(reading, name, 3, key->position);
        break;
    default:
        key->frame = oban_xml_integer(reading, name, INT32_MIN, INT32_MAX);
        break;
    }
}

/* ---- ends -------------------------------------------------------------------------------------
 */

static void oban_xml_place(void *context, const oban_clip_finding *finding, oban_file_fault *fault)
{
    const oban_xml_reading *reading = context;
    const xml_place *key_places = reading->key_places.items;
    xml_place place = reading->oban_place;
    switch (finding->code) {
    case OBAN_CLIP_START_NOT_FINITE:
        place = reading->places[FIELD_START];
        break;
    case OBAN_CLIP_BASE_NOT_FINITE:
        place = reading->places[FIELD_BASE];
        break;
    case OBAN_CLIP_NO_FRAMES:
    case OBAN_CLIP_FRAME_COUNT:
        place = reading->places[FIELD_FRAME_COUNT];
        break;
    case OBAN_CLIP_NO_KEYS:
    case OBAN_CLIP_TOO_MANY_KEYS:
        place = reading->places[FIELD_KEYS];
        break;
    case OBAN_CLIP_BAD_NAME:
    case OBAN_CLIP_FINDING_COUNT:
        break;
    case OBAN_CLIP_FRAMES_FALL:
    case OBAN_CLIP_NOT_FINITE:
    case OBAN_CLIP_ZERO_ROTATION:
    case OBAN_CLIP_NOT_UNIT:
    case OBAN_CLIP_FIRST_KEY:
    case OBAN_CLIP_SAME_FRAME:
        place = key_places[finding->key];
        break;
    }
    fault->line = place.line;
    fault->column = place.column;
}

static void oban_xml_end_oban(oban_xml_reading *reading)
{
    oban_file_fault spare;
    clip_add_places places = {oban_xml_place, reading};
    if (reading->instance_count > 1) {
        (void)oban_xml_warn(reading, reading->oban_place,
                            "an animation that is not the first instance has no name and is left "
                            "out; give it a file of its own",
                            &spare);
        return;
    }
    reading->def.name = (oban_text){reading->file_name.data, reading->file_name.bytes};
    reading->def.keys = reading->keys.items;
    reading->def.key_count = reading->keys.count;
    if (clip_add(reading->file, &reading->def, reading->oban_place.line, OBAN_FILE_NO_OFFSET,
                 &places) != OBAN_OK) {
        xml_source_out_of_memory(&reading->source);
    }
}

/* Whether all `count` children were there; else the next is told as missing. */
static bool oban_xml_complete(oban_xml_reading *reading, const char *const *names, uint32_t next,
                              uint32_t count, const char *end)
{
    if (next == count) {
        return true;
    }
    oban_line *line = oban_xml_refuse(reading, "expected ");
    oban_xml_tell(names[next], line);
    oban_line_add(line, ", found the end of ");
    oban_xml_tell(end, line);
    return false;
}

static void oban_xml_end_instance(oban_xml_reading *reading, const char *name)
{
    if (reading->skipping) {
        reading->skipping = false;
    } else if (oban_xml_complete(reading, oban_xml_fields, reading->field, FIELD_COUNT, name)) {
        oban_xml_end_oban(reading);
    }
}

static void oban_xml_end(void *context, uint32_t depth, const char *name)
{
    oban_xml_reading *reading = context;
    oban_file_fault spare;
    if (reading->skipping && depth != DEPTH_INSTANCE) {
        return;
    }
    reading->text[reading->text_bytes] = '\0';
    switch (depth) {
    case DEPTH_ROOT:
        if (reading->instance_count == 0) {
            (void)oban_xml_refuse(reading, "expected an instance in <Oni>, found its end");
        } else if (reading->clip_count == 0) {
            (void)oban_xml_warn(reading, oban_xml_here(reading),
                                "the file holds no animation (OBAN)", &spare);
        }
        break;
    case DEPTH_INSTANCE:
        oban_xml_end_instance(reading, name);
        break;
    case DEPTH_FIELD:
        oban_xml_end_field(reading);
        break;
    case DEPTH_KEY:
        (void)oban_xml_complete(reading, oban_xml_key_fields, reading->key_field, KEY_FIELD_COUNT,
                                name);
        break;
    default:
        oban_xml_end_key_field(reading);
        break;
    }
}

/* ---- the file ---------------------------------------------------------------------------------
 */

bool oban_xml_looks_like(const void *bytes, size_t size)
{
    const unsigned char *data = bytes;
    size_t at = 0;
    if (size >= 2 &&
        ((data[0] == 0xffu && data[1] == 0xfeu) || (data[0] == 0xfeu && data[1] == 0xffu))) {
        return true;
    }
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        at = 3;
    }
    while (at < size && xml_value_is_blank((char)data[at])) {
        at++;
    }
    return at < size && data[at] == '<';
}

oban_status oban_xml_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                          size_t size, oban_clip_file *out)
{
    oban_file_fault spare;
    oban_xml_reading reading = {.file = out};
    xml_listener listener = {oban_xml_start, oban_xml_end, oban_xml_text, &reading, 0};
    reading.ids.item_bytes = sizeof(oban_xml_id);
    reading.keys.item_bytes = sizeof(oban_key);
    reading.key_places.item_bytes = sizeof(xml_place);
    clip_add_init(out, alloc);
    clip_add_file_name(file_name, &reading.file_name);
    oban_status status = xml_source_run(&reading.source, &listener, alloc, bytes, size);
    oban_xml_array_fini(&reading, &reading.ids);
    oban_xml_array_fini(&reading, &reading.keys);
    oban_xml_array_fini(&reading, &reading.key_places);
    if (status == OBAN_BAD_FILE) {
        oban_file_fault *fault =
            clip_add_fault(out, OBAN_SEVERITY_ERROR, (oban_text){NULL, 0}, "", &spare);
        fault->line = reading.source.place.line;
        fault->column = reading.source.place.column;
        fault->message = reading.source.message;
    }
    return clip_add_end(out, status);
}
