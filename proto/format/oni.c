/* SPDX-License-Identifier: MIT */
/* The reader of .oni files. Bytes from outside: every count and offset is looked at in 64 bits
 * before it is used, and what is wrong is told with the offset at which the file says it.
 * Little-endian, whatever the machine. Not here: names out of file names (clip_file.c). Next:
 * oni.h. */
#include "proto/format/oni.h"

#include "proto/format/clip_add.h"

#include <string.h>

/* Offsets and sizes; oni-formats 1.1, 1.2 and 3. */
enum {
    ONI_HEADER_BYTES = 0x40,
    ONI_VERSION = 0x08,
    ONI_SIZES = 0x0c,
    ONI_COUNT = 0x14,
    ONI_NAME_COUNT = 0x18,
    ONI_TEMPLATE_COUNT = 0x1c,
    ONI_DATA = 0x20,
    ONI_NAMES = 0x28,
    ONI_DESCRIPTOR_BYTES = 20,
    ONI_DESCRIPTOR_DATA = 4,
    ONI_DESCRIPTOR_NAME = 8,
    ONI_DESCRIPTOR_SIZE = 12,
    ONI_DESCRIPTOR_FLAGS = 16,
    ONI_FLAG_UNNAMED = 1,
    ONI_FLAG_PLACEHOLDER = 2,
    ONI_INSTANCE_HEADER_BYTES = 8,
    OBAN_FLAGS = 0x0c,
    OBAN_START = 0x10,
    OBAN_BASE = 0x40,
    OBAN_FRAME_LENGTH = 0x70,
    OBAN_FRAME_COUNT = 0x72,
    OBAN_HALF_STOP = 0x74,
    OBAN_KEY_COUNT = 0x76,
    OBAN_KEYS = 0x78,
    OBAN_KEY_BYTES = 0x20
};

#define ONI_VR31 0x56523331u
#define ONI_VR32 0x56523332u
#define ONI_VR33 0x56523333u
#define ONI_TAG_OBAN 0x4f42414eu
#define ONI_CHECKSUM_PC UINT64_C(0x0003bcdf33dc271f)
#define ONI_CHECKSUM_MAC UINT64_C(0x0003bcdf23c13061)
#define ONI_DESCRIPTOR_SIZES UINT64_C(0x0008001000140040)

/* One reading. */
typedef struct oni_reading {
    const unsigned char *bytes;
    uint64_t size;
    uint32_t count;
    uint32_t data, data_size;
    uint32_t names, names_size;
    uint64_t clip_bytes; /* of all instances read so far */
    oban_clip_file *file;
    clip_add_name file_name;
} oni_reading;

/* A descriptor, and where it stands. */
typedef struct oni_instance {
    uint64_t at;
    uint32_t tag;
    uint32_t data;
    uint32_t name;
    uint32_t size;
    uint32_t flags;
} oni_instance;

/* ---- numbers ----------------------------------------------------------------------------------
 */

static uint32_t oni_u16(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static uint32_t oni_u32(const unsigned char *at)
{
    return oni_u16(at) | oni_u16(at + 2) << 16;
}

static uint64_t oni_u64(const unsigned char *at)
{
    return (uint64_t)oni_u32(at) | (uint64_t)oni_u32(at + 4) << 32;
}

static int32_t oni_i16(const unsigned char *at)
{
    int32_t value = (int32_t)oni_u16(at);
    return value >= 0x8000 ? value - 0x10000 : value;
}

static int32_t oni_i32(const unsigned char *at)
{
    uint32_t bits = oni_u32(at);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float oni_f32(const unsigned char *at)
{
    uint32_t bits = oni_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- faults -----------------------------------------------------------------------------------
 */

static oban_line *oni_warn(oni_reading *reading, uint64_t offset, const char *message,
                           oban_file_fault *spare)
{
    oban_file_fault *fault =
        clip_add_fault(reading->file, OBAN_SEVERITY_WARNING, (oban_text){NULL, 0}, message, spare);
    fault->offset = offset;
    return &fault->message;
}

/* Refuses the file: "<what> <value> <why>". */
static oban_status oni_refuse(oni_reading *reading, uint64_t offset, const char *what,
                              uint64_t value, const char *why)
{
    oban_file_fault spare;
    oban_file_fault *fault =
        clip_add_fault(reading->file, OBAN_SEVERITY_ERROR, (oban_text){NULL, 0}, what, &spare);
    fault->offset = offset;
    oban_file_fault_hex(value, &fault->message);
    oban_line_add(&fault->message, why);
    return OBAN_BAD_FILE;
}

/* ---- header -----------------------------------------------------------------------------------
 */

bool oban_oni_looks_like(const void *bytes, size_t size)
{
    if (size < ONI_VERSION + 4) {
        return false;
    }
    uint32_t version = oni_u32((const unsigned char *)bytes + ONI_VERSION);
    return version == ONI_VR31 || version == ONI_VR32 || version == ONI_VR33;
}

static oban_status oni_check_version(oni_reading *reading)
{
    if (reading->size < ONI_HEADER_BYTES) {
        return oni_refuse(reading, reading->size, "the file ends after ", reading->size,
                          " bytes, within its header of 0x40");
    }
    uint32_t version = oni_u32(reading->bytes + ONI_VERSION);
    switch (version) {
    case ONI_VR32:
        return OBAN_OK;
    case ONI_VR31:
        return oni_refuse(reading, ONI_VERSION, "version ", version,
                          ": a .dat file (VR31); this version reads .oni files (VR32) only");
    case ONI_VR33:
        return oni_refuse(reading, ONI_VERSION, "version ", version,
                          ": an OniX file (VR33); this version reads .oni files (VR32) only");
    default:
        return oni_refuse(reading, ONI_VERSION, "version ", version,
                          " is not that of an .oni file (0x56523332)");
    }
}

/* What a good reader does not need, but a good writer gets right. */
static void oni_warn_header(oni_reading *reading)
{
    oban_file_fault spare;
    uint64_t checksum = oni_u64(reading->bytes);
    if (checksum != ONI_CHECKSUM_PC && checksum != ONI_CHECKSUM_MAC) {
        oban_file_fault_hex(checksum, oni_warn(reading, 0, "unknown template checksum ", &spare));
    }
    if (oni_u64(reading->bytes + ONI_SIZES) != ONI_DESCRIPTOR_SIZES) {
        (void)oni_warn(reading, ONI_SIZES, "the sizes of descriptors are not 0x40 0x14 0x10 0x8",
                       &spare);
    }
    if (oni_u32(reading->bytes + ONI_NAME_COUNT) != 0 ||
        oni_u32(reading->bytes + ONI_TEMPLATE_COUNT) != 0) {
        (void)oni_warn(reading, ONI_NAME_COUNT,
                       "name and template descriptors are ignored; an .oni file has none", &spare);
    }
}

static oban_status oni_table(oni_reading *reading, uint64_t at, const char *what, uint32_t *offset,
                             uint32_t *size)
{
    *offset = oni_u32(reading->bytes + at);
    *size = oni_u32(reading->bytes + at + 4);
    if (*offset > reading->size) {
        return oni_refuse(reading, at, what, *offset, " begins behind the end of the file");
    }
    if ((uint64_t)*offset + *size > reading->size) {
        return oni_refuse(reading, at + 4, what, (uint64_t)*offset + *size,
                          " ends behind the end of the file");
    }
    return OBAN_OK;
}

static oban_status oni_header(oni_reading *reading)
{
    oban_status status = oni_check_version(reading);
    if (status != OBAN_OK) {
        return status;
    }
    oni_warn_header(reading);
    reading->count = oni_u32(reading->bytes + ONI_COUNT);
    if ((uint64_t)reading->count * ONI_DESCRIPTOR_BYTES > reading->size - ONI_HEADER_BYTES) {
        return oni_refuse(reading, ONI_COUNT, "there is no room for ", reading->count,
                          " instance descriptors");
    }
    status = oni_table(reading, ONI_DATA, "the data table: ", &reading->data, &reading->data_size);
    if (status == OBAN_OK) {
        status = oni_table(reading, ONI_NAMES, "the name table: ", &reading->names,
                           &reading->names_size);
    }
    return status;
}

/* ---- instances --------------------------------------------------------------------------------
 */

static oni_instance oni_instance_at(const oni_reading *reading, uint32_t index)
{
    uint64_t at = ONI_HEADER_BYTES + (uint64_t)index * ONI_DESCRIPTOR_BYTES;
    const unsigned char *d = reading->bytes + at;
    return (oni_instance){at,
                          oni_u32(d),
                          oni_u32(d + ONI_DESCRIPTOR_DATA),
                          oni_u32(d + ONI_DESCRIPTOR_NAME),
                          oni_u32(d + ONI_DESCRIPTOR_SIZE),
                          oni_u32(d + ONI_DESCRIPTOR_FLAGS) & 0xffu};
}

static bool oni_is_placeholder(const oni_instance *instance)
{
    return (instance->flags & ONI_FLAG_PLACEHOLDER) != 0 || instance->size == 0 ||
           instance->data == 0;
}

static bool oni_is_named(const oni_instance *instance)
{
    return (instance->flags & ONI_FLAG_UNNAMED) == 0;
}

static oban_status oni_name(oni_reading *reading, const oni_instance *instance, oban_text *out)
{
    uint64_t at = instance->at + ONI_DESCRIPTOR_NAME;
    if (instance->name >= reading->names_size) {
        return oni_refuse(reading, at, "a name at ", instance->name,
                          " begins behind the end of the name table");
    }
    const char *begin = (const char *)reading->bytes + reading->names + instance->name;
    uint32_t room = reading->names_size - instance->name;
    const char *end = memchr(begin, '\0', room);
    if (end == NULL) {
        return oni_refuse(reading, at, "the name at ", instance->name,
                          " has no end within the name table");
    }
    *out = clip_add_strip((oban_text){begin, (uint32_t)(end - begin)});
    return OBAN_OK;
}

/* Whether the instance lies within the data table, with all its keys. */
static oban_status oni_check_data(oni_reading *reading, const oni_instance *instance,
                                  const unsigned char **data, uint32_t *key_count)
{
    uint64_t data_at = instance->at + ONI_DESCRIPTOR_DATA;
    uint64_t size_at = instance->at + ONI_DESCRIPTOR_SIZE;
    if (instance->data < ONI_INSTANCE_HEADER_BYTES || instance->data > reading->data_size) {
        return oni_refuse(reading, data_at, "data at ", instance->data,
                          " lies outside of the data table");
    }
    if (instance->size < ONI_INSTANCE_HEADER_BYTES + OBAN_KEYS) {
        return oni_refuse(reading, size_at, "a size of ", instance->size,
                          " is too small for an OBAN (0x80)");
    }
    uint64_t room = instance->size - ONI_INSTANCE_HEADER_BYTES;
    if (instance->data + room > reading->data_size) {
        return oni_refuse(reading, size_at, "a size of ", instance->size,
                          " reaches beyond the data table");
    }
    /* Instances that lie over one another could make gigabytes out of a small file. */
    reading->clip_bytes += instance->size;
    if (reading->clip_bytes > reading->size) {
        return oni_refuse(reading, size_at, "with a size of ", instance->size,
                          " instances lie over one another");
    }
    *data = reading->bytes + reading->data + instance->data;
    *key_count = oni_u16(*data + OBAN_KEY_COUNT);
    if (OBAN_KEYS + (uint64_t)*key_count * OBAN_KEY_BYTES > room) {
        return oni_refuse(reading, (uint64_t)(*data - reading->bytes) + OBAN_KEY_COUNT,
                          "there is no room for ", *key_count, " keys in the instance");
    }
    return OBAN_OK;
}

static oban_key oni_key(const unsigned char *at)
{
    return (oban_key){
        .rotation = {oni_f32(at), oni_f32(at + 4), oni_f32(at + 8), oni_f32(at + 12)},
        .position = {oni_f32(at + 16), oni_f32(at + 20), oni_f32(at + 24)},
        .frame = oni_i32(at + 28),
    };
}

static oban_mat34 oni_matrix(const unsigned char *at)
{
    oban_mat34 matrix;
    for (uint32_t i = 0; i < 12; i++) {
        matrix.m[i] = oni_f32(at + 4 * (size_t)i);
    }
    return matrix;
}

/* The offset of what a finding is about; `context` is that of the instance's data. */
static void oni_place(void *context, const oban_clip_finding *finding, oban_file_fault *fault)
{
    const uint64_t *data = context;
    switch (finding->code) {
    case OBAN_CLIP_START_NOT_FINITE:
        fault->offset = *data + OBAN_START;
        break;
    case OBAN_CLIP_BASE_NOT_FINITE:
        fault->offset = *data + OBAN_BASE;
        break;
    case OBAN_CLIP_NO_FRAMES:
    case OBAN_CLIP_FRAME_COUNT:
        fault->offset = *data + OBAN_FRAME_COUNT;
        break;
    case OBAN_CLIP_NO_KEYS:
    case OBAN_CLIP_TOO_MANY_KEYS:
        fault->offset = *data + OBAN_KEY_COUNT;
        break;
    case OBAN_CLIP_BAD_NAME:
        fault->offset = *data;
        break;
    case OBAN_CLIP_FRAMES_FALL:
    case OBAN_CLIP_NOT_FINITE:
    case OBAN_CLIP_ZERO_ROTATION:
    case OBAN_CLIP_NOT_UNIT:
    case OBAN_CLIP_FIRST_KEY:
    case OBAN_CLIP_SAME_FRAME:
    case OBAN_CLIP_FINDING_COUNT:
        fault->offset = *data + OBAN_KEYS + (uint64_t)finding->key * OBAN_KEY_BYTES;
        break;
    }
}

static oban_status oni_clip(oni_reading *reading, const oni_instance *instance, oban_text name)
{
    const unsigned char *data = NULL;
    uint32_t key_count = 0;
    oban_status status = oni_check_data(reading, instance, &data, &key_count);
    if (status != OBAN_OK) {
        return status;
    }
    size_t bytes = key_count * sizeof(oban_key);
    oban_key *keys = key_count == 0 ? NULL : oban_alloc_take(&reading->file->alloc, bytes);
    if (key_count > 0 && keys == NULL) {
        return OBAN_NO_MEMORY;
    }
    for (uint32_t i = 0; i < key_count; i++) {
        keys[i] = oni_key(data + OBAN_KEYS + (size_t)i * OBAN_KEY_BYTES);
    }
    oban_clip_def def = {
        .name = name,
        .flags = oni_u32(data + OBAN_FLAGS),
        .start = oni_matrix(data + OBAN_START),
        .base = oni_matrix(data + OBAN_BASE),
        .frame_length = oni_i16(data + OBAN_FRAME_LENGTH),
        .frame_count = (int32_t)oni_u16(data + OBAN_FRAME_COUNT),
        .half_stop = oni_i16(data + OBAN_HALF_STOP),
        .keys = keys,
        .key_count = key_count,
    };
    uint64_t offset = (uint64_t)(data - reading->bytes);
    clip_add_places places = {oni_place, &offset};
    status = clip_add(reading->file, &def, 0, offset, &places);
    oban_alloc_give(&reading->file->alloc, keys, bytes);
    return status;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

/* How many instances have a name and data of their own: with one, the file's name is its name. */
static uint32_t oni_count_named(const oni_reading *reading)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reading->count; i++) {
        oni_instance instance = oni_instance_at(reading, i);
        count += oni_is_named(&instance) && !oni_is_placeholder(&instance) ? 1 : 0;
    }
    return count;
}

/* One OBAN that is no placeholder. */
static oban_status oni_animation(oni_reading *reading, const oni_instance *instance,
                                 bool file_names_it)
{
    oban_file_fault spare;
    oban_text name = {NULL, 0};
    if (!oni_is_named(instance)) {
        (void)oni_warn(reading, instance->at, "an animation without a name is left out", &spare);
        return OBAN_OK;
    }
    oban_status status = oni_name(reading, instance, &name);
    if (status != OBAN_OK) {
        return status;
    }
    if (file_names_it) {
        name = (oban_text){reading->file_name.data, reading->file_name.bytes};
    }
    return oni_clip(reading, instance, name);
}

static oban_status oni_instances(oni_reading *reading)
{
    oban_file_fault spare;
    bool one = oni_count_named(reading) == 1;
    uint32_t others = 0;
    uint32_t animations = 0;
    for (uint32_t i = 0; i < reading->count; i++) {
        oni_instance instance = oni_instance_at(reading, i);
        if (oni_is_placeholder(&instance)) {
            continue;
        }
        if (instance.tag != ONI_TAG_OBAN) {
            others++;
            continue;
        }
        animations++;
        oban_status status = oni_animation(reading, &instance, one);
        if (status != OBAN_OK) {
            return status;
        }
    }
    if (others > 0) {
        oban_line *line = oni_warn(reading, ONI_HEADER_BYTES, "passed over: ", &spare);
        oban_line_add_u64(line, others);
        oban_line_add(line,
                      others == 1 ? " instance that is no OBAN" : " instances that are no OBAN");
    }
    if (animations == 0) {
        (void)oni_warn(reading, ONI_COUNT, "the file holds no animation (OBAN)", &spare);
    }
    return OBAN_OK;
}

oban_status oban_oni_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                          size_t size, oban_clip_file *out)
{
    oni_reading reading = {.bytes = bytes, .size = size, .file = out};
    clip_add_init(out, alloc);
    clip_add_file_name(file_name, &reading.file_name);
    oban_status status = oni_header(&reading);
    if (status == OBAN_OK) {
        status = oni_instances(&reading);
    }
    return clip_add_end(out, status);
}
