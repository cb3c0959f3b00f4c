/* SPDX-License-Identifier: MIT */
/* The animations of .oni and .dat files.
 * Not here: the container and its bounds (container.c), names out of file names (clip_file.c).
 * Next: oni.h. */
#include "proto/format/oni.h"

#include "proto/format/clip_add.h"
#include "proto/format/container.h"
#include "proto/format/little.h"

#include <string.h>

/* Offsets and sizes of an OBAN's data; oni-formats 3. */
enum {
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

/* One reading. */
typedef struct oni_reading {
    container source;
    uint64_t clip_bytes; /* of all instances read so far */
    oban_clip_file *file;
    clip_add_name file_name;
} oni_reading;

bool oban_oni_looks_like(const void *bytes, size_t size)
{
    return container_looks_like(bytes, size);
}

/* ---- instances --------------------------------------------------------------------------------
 */

/* Whether the instance lies within the data table, with all its keys. */
static oban_status oni_check_data(oni_reading *reading, const container_instance *instance,
                                  const unsigned char **data, uint32_t *key_count)
{
    const container *source = &reading->source;
    uint32_t room = 0;
    oban_status status = container_data(source, instance, OBAN_KEYS, "an OBAN", data, &room);
    if (status != OBAN_OK) {
        return status;
    }
    /* Shared instances could make gigabytes out of a small file. */
    reading->clip_bytes += instance->size;
    if (reading->clip_bytes > source->size) {
        return container_refuse(source, instance->at + CONTAINER_DESCRIPTOR_SIZE, "with a size of ",
                                instance->size, " instances lie over one another");
    }
    *key_count = little_u16(*data + OBAN_KEY_COUNT);
    if (OBAN_KEYS + (uint64_t)*key_count * OBAN_KEY_BYTES > room) {
        return container_refuse(source, (uint64_t)(*data - source->bytes) + OBAN_KEY_COUNT,
                                "there is no room for ", *key_count, " keys in the instance");
    }
    return OBAN_OK;
}

static oban_key oni_key(const unsigned char *at)
{
    return (oban_key){
        .rotation = {little_f32(at), little_f32(at + 4), little_f32(at + 8), little_f32(at + 12)},
        .position = {little_f32(at + 16), little_f32(at + 20), little_f32(at + 24)},
        .frame = little_i32(at + 28),
    };
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

static oban_status oni_clip(oni_reading *reading, const container_instance *instance,
                            oban_text name)
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
        .flags = little_u32(data + OBAN_FLAGS),
        .start = little_mat34(data + OBAN_START),
        .base = little_mat34(data + OBAN_BASE),
        .frame_length = little_i16(data + OBAN_FRAME_LENGTH),
        .frame_count = (int32_t)little_u16(data + OBAN_FRAME_COUNT),
        .half_stop = little_i16(data + OBAN_HALF_STOP),
        .keys = keys,
        .key_count = key_count,
    };
    uint64_t offset = (uint64_t)(data - reading->source.bytes);
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
    for (uint32_t i = 0; i < reading->source.count; i++) {
        container_instance instance = container_at(&reading->source, i);
        count += container_is_named(&instance) && !container_is_placeholder(&instance) ? 1 : 0;
    }
    return count;
}

/* One OBAN that is no placeholder. */
static oban_status oni_animation(oni_reading *reading, const container_instance *instance,
                                 bool file_names_it)
{
    oban_file_fault spare;
    oban_text name = {NULL, 0};
    if (!container_is_named(instance)) {
        (void)container_warn(&reading->source, instance->at,
                             "an animation without a name is left out", &spare);
        return OBAN_OK;
    }
    oban_status status = container_name(&reading->source, instance, &name);
    if (status != OBAN_OK) {
        return status;
    }
    name = clip_add_strip(name);
    if (file_names_it) {
        name = (oban_text){reading->file_name.data, reading->file_name.bytes};
    }
    return oni_clip(reading, instance, name);
}

static oban_status oni_instances(oni_reading *reading)
{
    oban_file_fault spare;
    /* In a level's file every name is in the table. */
    bool one = !reading->source.level && oni_count_named(reading) == 1;
    uint32_t others = 0;
    uint32_t animations = 0;
    for (uint32_t i = 0; i < reading->source.count; i++) {
        container_instance instance = container_at(&reading->source, i);
        if (container_is_placeholder(&instance)) {
            continue;
        }
        if (instance.tag != CONTAINER_TAG_OBAN) {
            others++;
            continue;
        }
        animations++;
        oban_status status = oni_animation(reading, &instance, one);
        if (status != OBAN_OK) {
            return status;
        }
    }
    if (others > 0 && !reading->source.level) {
        oban_line *line =
            container_warn(&reading->source, CONTAINER_HEADER_BYTES, "passed over: ", &spare);
        oban_line_add_u64(line, others);
        oban_line_add(line,
                      others == 1 ? " instance that is no OBAN" : " instances that are no OBAN");
    }
    if (animations == 0 && !(reading->source.level && others > 0)) {
        (void)container_warn(&reading->source, CONTAINER_COUNT,
                             "the file holds no animation (OBAN)", &spare);
    }
    return OBAN_OK;
}

oban_status oban_oni_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                          size_t size, oban_clip_file *out)
{
    oni_reading reading = {.file = out};
    clip_add_init(out, alloc);
    clip_add_file_name(file_name, &reading.file_name);
    oban_status status = container_open(&reading.source, bytes, size, &out->faults);
    if (status == OBAN_OK) {
        status = container_check_overlap(&reading.source, CONTAINER_TAG_OBAN, alloc);
    }
    if (status == OBAN_OK) {
        status = oni_instances(&reading);
    }
    return clip_add_end(out, status);
}
