/* SPDX-License-Identifier: MIT */
/* Writing instance files. A plan of all instances is made first: what each is, its name, its size;
 * then header, tables and data go out in one pass over it. Next: oni_write.h, little.h. */
#include "proto/format/oni_write.h"

#include "core/base/hash.h"
#include "proto/format/container.h"
#include "proto/format/little.h"

#include <stdlib.h>
#include <string.h>

#define WRITE_ALIGN 32u
#define WRITE_OBAN_BYTES 0x80u /* without keys, with its header */
#define WRITE_KEY_BYTES 0x20u
#define WRITE_OBOA_BYTES 0x20u /* without records, with its header */
#define WRITE_RECORD_BYTES 240u
#define WRITE_RECORDS_MAX 65535u
#define WRITE_DATA_MAX 0x7fffffffu
#define WRITE_CHECKSUM_OBAN UINT64_C(0x00000000004e0c24)
#define WRITE_CHECKSUM_OBOA UINT64_C(0x000000134f8986e1)

/* One instance to be. */
typedef struct write_instance {
    uint32_t tag;
    uint32_t flags;
    oban_text name; /* without its four letters */
    uint32_t size;  /* of the data with its header; 0: a placeholder */
    uint32_t data;
    uint32_t name_at;
    const oban_clip_def *clip;
} write_instance;

typedef struct write_plan {
    oban_writer *writer;
    oban_write_fault *fault;
    const oban_level *level;
    write_instance *instances;
    uint32_t count;
    uint32_t capacity;
    uint32_t *index; /* 1 more than an instance, by its name; see write_index_find */
    uint32_t index_size;
    uint32_t level_id;
    bool dat;
    uint32_t names_size;
    uint64_t data_size;
} write_plan;

static uint32_t write_align(uint64_t bytes)
{
    return (uint32_t)((bytes + WRITE_ALIGN - 1) / WRITE_ALIGN * WRITE_ALIGN);
}

/* ---- what cannot be written ---- */

static oban_status write_refuse(const write_plan *plan, uint32_t index, bool object,
                                const char *message)
{
    plan->fault->index = index;
    plan->fault->object = object;
    oban_line_clear(&plan->fault->message);
    oban_line_add(&plan->fault->message, message);
    return OBAN_BAD_CLIP;
}

static oban_status write_check_clip(const write_plan *plan, const oban_clip_def *def,
                                    uint32_t index)
{
    if (def->name.bytes == 0 || memchr(def->name.data, '\0', def->name.bytes) != NULL) {
        return write_refuse(plan, index, false, "has no name");
    }
    if (def->name.bytes > OBAN_ONI_NAME_MAX) {
        oban_status status = write_refuse(plan, index, false, "has a name of ");
        oban_line_add_u64(&plan->fault->message, def->name.bytes);
        oban_line_add(&plan->fault->message, " bytes; .oni and .dat files hold at most 59");
        return status;
    }
    if (def->key_count > OBAN_CLIP_KEYS_MAX) {
        return write_refuse(plan, index, false, "has over 65,535 keys");
    }
    if (def->frame_count < 0 || def->frame_count > UINT16_MAX) {
        return write_refuse(plan, index, false, "has a frame count that 16 bits do not hold");
    }
    if (def->frame_length < INT16_MIN || def->frame_length > INT16_MAX ||
        def->half_stop < INT16_MIN || def->half_stop > INT16_MAX) {
        return write_refuse(plan, index, false,
                            "has a frame length or half-stop frame that 16 bits do not hold");
    }
    return OBAN_OK;
}

/* ---- the plan ---- */

static bool write_plan_add(write_plan *plan, const write_instance *instance)
{
    const oban_alloc *alloc = &plan->writer->alloc;
    if (plan->count == plan->capacity) {
        uint32_t capacity = plan->capacity == 0 ? 16 : plan->capacity * 2;
        write_instance *instances =
            alloc->resize(alloc->context, plan->instances, plan->capacity * sizeof *instances,
                          capacity * sizeof *instances);
        if (instances == NULL) {
            return false;
        }
        plan->instances = instances;
        plan->capacity = capacity;
    }
    plan->instances[plan->count++] = *instance;
    return true;
}

static oban_status write_plan_clips(write_plan *plan, const oban_clip_def *defs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        oban_status status = write_check_clip(plan, &defs[i], i);
        if (status != OBAN_OK) {
            return status;
        }
        const write_instance instance = {.tag = CONTAINER_TAG_OBAN,
                                         .name = defs[i].name,
                                         .size =
                                             WRITE_OBAN_BYTES + defs[i].key_count * WRITE_KEY_BYTES,
                                         .clip = &defs[i]};
        if (!write_plan_add(plan, &instance)) {
            return OBAN_NO_MEMORY;
        }
    }
    return OBAN_OK;
}

static int write_compare_text(oban_text a, oban_text b)
{
    uint32_t shorter = a.bytes < b.bytes ? a.bytes : b.bytes;
    int order = shorter == 0 ? 0 : memcmp(a.data, b.data, shorter);
    if (order != 0) {
        return order;
    }
    return a.bytes < b.bytes ? -1 : a.bytes > b.bytes;
}

/* By tag (as its letters), then by name. */
static int write_compare(const write_instance *a, const write_instance *b)
{
    if (a->tag != b->tag) {
        return a->tag < b->tag ? -1 : 1;
    }
    return write_compare_text(a->name, b->name);
}

static int write_compare_places(const void *a, const void *b)
{
    return write_compare(*(const write_instance *const *)a, *(const write_instance *const *)b);
}

/* The named instances in the order of their names, to be given back by the caller; NULL when memory
 * is out. */
static const write_instance **write_sort(const write_plan *plan, uint32_t *count)
{
    const write_instance **sorted =
        oban_alloc_take(&plan->writer->alloc, (plan->count + 1) * sizeof(write_instance *));
    *count = 0;
    if (sorted == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        if ((plan->instances[i].flags & CONTAINER_UNNAMED) == 0) {
            sorted[(*count)++] = &plan->instances[i];
        }
    }
    qsort(sorted, *count, sizeof *sorted, write_compare_places);
    return sorted;
}

static void write_sorted_free(const write_plan *plan, const write_instance **sorted)
{
    oban_alloc_give(&plan->writer->alloc, sorted, (plan->count + 1) * sizeof(write_instance *));
}

static oban_status write_check_twice(const write_plan *plan)
{
    uint32_t count = 0;
    oban_status status = OBAN_OK;
    const write_instance **sorted = write_sort(plan, &count);
    if (sorted == NULL) {
        return OBAN_NO_MEMORY;
    }
    for (uint32_t i = 1; i < count && status == OBAN_OK; i++) {
        if (write_compare(sorted[i - 1], sorted[i]) == 0) {
            const write_instance *later = sorted[i - 1] > sorted[i] ? sorted[i - 1] : sorted[i];
            status = write_refuse(plan, (uint32_t)(later - plan->instances), false,
                                  "has the name of another one in the file");
        }
    }
    write_sorted_free(plan, sorted);
    return status;
}

/* ---- links ---- */

static uint64_t write_hash(uint32_t tag, oban_text name)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_u64(&hash, tag);
    oban_hash_bytes(&hash, name.data, name.bytes);
    return oban_hash_end(&hash);
}

/* The place in the index of an instance of this name: its own, or the empty one where it goes. */
static uint32_t *write_index_find(const write_plan *plan, uint32_t tag, oban_text name)
{
    uint32_t at = (uint32_t)(write_hash(tag, name) >> 32) & (plan->index_size - 1);
    while (plan->index[at] != 0) {
        const write_instance *instance = &plan->instances[plan->index[at] - 1];
        if (instance->tag == tag && oban_text_equal(instance->name, name)) {
            break;
        }
        at = (at + 1) & (plan->index_size - 1);
    }
    return &plan->index[at];
}

/* An index of all that is named, with room for `more`: half full at most. */
static bool write_index_make(write_plan *plan, uint64_t more)
{
    uint64_t wanted = 2 * (plan->count + more) + 16;
    for (plan->index_size = 16; plan->index_size < wanted; plan->index_size *= 2) {
        if (plan->index_size > UINT32_MAX / 2) {
            return false;
        }
    }
    plan->index = oban_alloc_take(&plan->writer->alloc, plan->index_size * sizeof *plan->index);
    if (plan->index == NULL) {
        return false;
    }
    memset(plan->index, 0, plan->index_size * sizeof *plan->index);
    for (uint32_t i = 0; i < plan->count; i++) {
        *write_index_find(plan, plan->instances[i].tag, plan->instances[i].name) = i + 1;
    }
    return true;
}

/* The instance that a link means, a placeholder when there is none: 1 more than its index, or 0
 * when memory is out. */
static uint32_t write_link(write_plan *plan, uint32_t tag, const char *name)
{
    oban_text text = oban_text_of(name);
    uint32_t *found = write_index_find(plan, tag, text);
    if (*found == 0) {
        const write_instance placeholder = {
            .tag = tag, .flags = CONTAINER_PLACEHOLDER, .name = text};
        *found = write_plan_add(plan, &placeholder) ? plan->count : 0;
    }
    return *found;
}

typedef struct write_link_kind {
    uint32_t tag;
    size_t name; /* where in a record */
    uint32_t at; /* where in the file's record */
} write_link_kind;

static const write_link_kind write_links[] = {
    {CONTAINER_TAG_M3GA, offsetof(oban_level_object, geometry), 0x00},
    {CONTAINER_TAG_OBAN, offsetof(oban_level_object, animation), 0x04},
    {CONTAINER_TAG_ENVP, offsetof(oban_level_object, particle), 0x08},
};
#define WRITE_LINKS (sizeof write_links / sizeof write_links[0])

static const char *write_link_name(const oban_level_object *object, const write_link_kind *kind)
{
    return (const char *)object + kind->name;
}

static oban_status write_plan_level(write_plan *plan)
{
    const oban_level *level = plan->level;
    if (level == NULL || level->count == 0) {
        return OBAN_OK;
    }
    if (level->count > WRITE_RECORDS_MAX) {
        return write_refuse(plan, WRITE_RECORDS_MAX, true,
                            "is one more than a file holds (65,535)");
    }
    if (!write_index_make(plan, (uint64_t)level->count * WRITE_LINKS)) {
        return OBAN_NO_MEMORY;
    }
    const write_instance oboa = {.tag = CONTAINER_TAG_OBOA,
                                 .flags = CONTAINER_UNNAMED,
                                 .size = WRITE_OBOA_BYTES + level->count * WRITE_RECORD_BYTES};
    if (!write_plan_add(plan, &oboa)) {
        return OBAN_NO_MEMORY;
    }
    for (uint32_t i = 0; i < level->count; i++) {
        for (size_t k = 0; k < WRITE_LINKS; k++) {
            const char *name = write_link_name(&level->objects[i], &write_links[k]);
            if (strlen(name) > OBAN_ONI_NAME_MAX) {
                return write_refuse(plan, i, true, "links to a name of over 59 bytes");
            }
            if (name[0] != '\0' && write_link(plan, write_links[k].tag, name) == 0) {
                return OBAN_NO_MEMORY;
            }
        }
    }
    return OBAN_OK;
}

/* Offsets of names and data. */
static oban_status write_plan_place(write_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        write_instance *instance = &plan->instances[i];
        if (instance->size > 0) {
            instance->data = (uint32_t)plan->data_size + CONTAINER_INSTANCE_HEADER_BYTES;
            plan->data_size += write_align(instance->size);
        }
        if ((instance->flags & CONTAINER_UNNAMED) == 0) {
            instance->name_at = plan->names_size;
            plan->names_size += 4 + instance->name.bytes + 1;
        }
        if (plan->data_size > WRITE_DATA_MAX) {
            return write_refuse(plan, i, false, "does not fit: the file would be over 2 GiB");
        }
    }
    return OBAN_OK;
}

/* ---- the tables ---- */

static uint32_t write_template_count(const write_plan *plan, uint32_t tag)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        count += plan->instances[i].tag == tag && plan->instances[i].size > 0 ? 1u : 0u;
    }
    return count;
}

static uint32_t write_templates(const write_plan *plan)
{
    return (write_template_count(plan, CONTAINER_TAG_OBAN) > 0 ? 1u : 0u) +
           (write_template_count(plan, CONTAINER_TAG_OBOA) > 0 ? 1u : 0u);
}

static uint32_t write_named(const write_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        count += (plan->instances[i].flags & CONTAINER_UNNAMED) == 0 ? 1u : 0u;
    }
    return count;
}

static void write_header(const write_plan *plan, uint32_t data, uint32_t names)
{
    oban_writer *writer = plan->writer;
    little_put_u64(writer, CONTAINER_CHECKSUM_PC);
    little_put_u32(writer, plan->dat ? CONTAINER_VR31 : CONTAINER_VR32);
    little_put_u64(writer, CONTAINER_DESCRIPTOR_SIZES);
    little_put_u32(writer, plan->count);
    little_put_u32(writer, plan->dat ? write_named(plan) : 0);
    little_put_u32(writer, plan->dat ? write_templates(plan) : 0);
    little_put_u32(writer, data);
    little_put_u32(writer, (uint32_t)plan->data_size);
    little_put_u32(writer, names);
    little_put_u32(writer, plan->names_size);
    little_put_u64(writer, 0);
    little_put_u64(writer, 0);
}

static void write_descriptors(const write_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const write_instance *instance = &plan->instances[i];
        little_put_u32(plan->writer, instance->tag);
        little_put_u32(plan->writer, instance->data);
        little_put_u32(plan->writer, instance->name_at);
        little_put_u32(plan->writer, instance->size);
        little_put_u32(plan->writer, instance->flags);
    }
}

static bool write_name_descriptors(const write_plan *plan)
{
    uint32_t count = 0;
    const write_instance **sorted = write_sort(plan, &count);
    if (sorted == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        little_put_u32(plan->writer, (uint32_t)(sorted[i] - plan->instances));
        little_put_u32(plan->writer, 0);
    }
    write_sorted_free(plan, sorted);
    return true;
}

static void write_template(const write_plan *plan, uint32_t tag, uint64_t checksum)
{
    uint32_t count = write_template_count(plan, tag);
    if (count > 0) {
        little_put_u64(plan->writer, checksum);
        little_put_u32(plan->writer, tag);
        little_put_u32(plan->writer, count);
    }
}

static void write_names(const write_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const write_instance *instance = &plan->instances[i];
        const char letters[4] = {(char)(instance->tag >> 24 & 0xff),
                                 (char)(instance->tag >> 16 & 0xff),
                                 (char)(instance->tag >> 8 & 0xff), (char)(instance->tag & 0xff)};
        if ((instance->flags & CONTAINER_UNNAMED) == 0) {
            oban_writer_bytes(plan->writer, letters, sizeof letters);
            oban_writer_bytes(plan->writer, instance->name.data, instance->name.bytes);
            oban_writer_bytes(plan->writer, "", 1);
        }
    }
}

/* ---- the data ---- */

static void write_clip(oban_writer *writer, const oban_clip_def *def)
{
    little_put_u64(writer, 0);
    little_put_u32(writer, 0);
    little_put_u32(writer, def->flags);
    little_put_mat34(writer, &def->start);
    little_put_mat34(writer, &def->base);
    little_put_u16(writer, (uint32_t)def->frame_length & 0xffffu);
    little_put_u16(writer, (uint32_t)def->frame_count & 0xffffu);
    little_put_u16(writer, (uint32_t)def->half_stop & 0xffffu);
    little_put_u16(writer, def->key_count);
    for (uint32_t i = 0; i < def->key_count; i++) {
        const oban_key *key = &def->keys[i];
        little_put_f32(writer, key->rotation.x);
        little_put_f32(writer, key->rotation.y);
        little_put_f32(writer, key->rotation.z);
        little_put_f32(writer, key->rotation.w);
        little_put_f32(writer, key->position[0]);
        little_put_f32(writer, key->position[1]);
        little_put_f32(writer, key->position[2]);
        little_put_i32(writer, key->frame);
    }
}

static void write_record_name(oban_writer *writer, const char *name)
{
    size_t end = writer->bytes + OBAN_LEVEL_NAME_MAX + 1;
    oban_writer_bytes(writer, name, strlen(name));
    little_pad(writer, end);
}

static void write_record(write_plan *plan, const oban_level_object *object)
{
    oban_writer *writer = plan->writer;
    for (size_t k = 0; k < WRITE_LINKS; k++) {
        const char *name = write_link_name(object, &write_links[k]);
        uint32_t link = name[0] == '\0' ? 0 : write_link(plan, write_links[k].tag, name);
        little_put_u32(writer, link == 0 ? 0 : (link - 1) << 8 | 1);
    }
    little_put_u32(writer, object->flags);
    little_put_i32(writer, object->door_gunk);
    little_put_i32(writer, object->door);
    little_put_u32(writer, object->physics);
    little_put_i32(writer, object->number);
    for (uint32_t i = 0; i < 3; i++) {
        little_put_f32(writer, object->position[i]);
    }
    little_put_f32(writer, object->rotation.x);
    little_put_f32(writer, object->rotation.y);
    little_put_f32(writer, object->rotation.z);
    little_put_f32(writer, object->rotation.w);
    little_put_f32(writer, object->scale);
    little_put_mat34(writer, &object->transform);
    write_record_name(writer, object->name);
    write_record_name(writer, object->file);
}

static void write_level(write_plan *plan)
{
    little_pad(plan->writer, plan->writer->bytes + 0x16);
    little_put_u16(plan->writer, plan->level->count);
    for (uint32_t i = 0; i < plan->level->count; i++) {
        write_record(plan, &plan->level->objects[i]);
    }
}

static void write_data(write_plan *plan)
{
    uint32_t count = plan->count;
    for (uint32_t i = 0; i < count; i++) {
        const write_instance *instance = &plan->instances[i];
        if (instance->size == 0) {
            continue;
        }
        size_t end = plan->writer->bytes + write_align(instance->size);
        little_put_u32(plan->writer, i << 8 | 1);
        little_put_u32(plan->writer, plan->dat ? plan->level_id << 25 | 1 : 0);
        if (instance->clip != NULL) {
            write_clip(plan->writer, instance->clip);
        } else {
            write_level(plan);
        }
        little_pad(plan->writer, end);
    }
}

/* ---- the files ---- */

/* Offsets count from where the file begins in the writer. */
static oban_status write_all(write_plan *plan)
{
    oban_writer *writer = plan->writer;
    size_t start = writer->bytes;
    uint64_t tables = CONTAINER_HEADER_BYTES + (uint64_t)plan->count * CONTAINER_DESCRIPTOR_BYTES;
    uint32_t data;
    uint32_t names;
    bool sorted = true;
    if (plan->dat) {
        tables += 8u * (uint64_t)write_named(plan) + 16u * (uint64_t)write_templates(plan);
        data = write_align(tables);
        names = write_align(data + plan->data_size);
    } else {
        names = write_align(tables);
        data = write_align((uint64_t)names + plan->names_size);
    }
    write_header(plan, data, names);
    write_descriptors(plan);
    if (plan->dat) {
        sorted = write_name_descriptors(plan);
        write_template(plan, CONTAINER_TAG_OBAN, WRITE_CHECKSUM_OBAN);
        write_template(plan, CONTAINER_TAG_OBOA, WRITE_CHECKSUM_OBOA);
        little_pad(writer, start + data);
        write_data(plan);
        little_pad(writer, start + names);
        write_names(plan);
    } else {
        little_pad(writer, start + names);
        write_names(plan);
        little_pad(writer, start + data);
        write_data(plan);
    }
    return writer->failed || !sorted ? OBAN_NO_MEMORY : OBAN_OK;
}

static void write_plan_fini(write_plan *plan)
{
    oban_alloc_give(&plan->writer->alloc, plan->instances,
                    plan->capacity * sizeof *plan->instances);
    oban_alloc_give(&plan->writer->alloc, plan->index, plan->index_size * sizeof *plan->index);
}

oban_status oban_oni_write(oban_writer *writer, const oban_clip_def *defs, uint32_t count,
                           oban_write_fault *fault)
{
    write_plan plan = {.writer = writer, .fault = fault};
    oban_status status = write_plan_clips(&plan, defs, count);
    if (status == OBAN_OK) {
        status = write_check_twice(&plan);
    }
    if (status == OBAN_OK) {
        status = write_plan_place(&plan);
    }
    if (status == OBAN_OK) {
        status = write_all(&plan);
    }
    write_plan_fini(&plan);
    return status;
}

static int write_compare_planned(const void *a, const void *b)
{
    return write_compare(a, b);
}

oban_status oban_dat_write(oban_writer *writer, const oban_dat_def *def, oban_write_fault *fault)
{
    write_plan plan = {
        .writer = writer, .fault = fault, .level = def->level, .level_id = def->id, .dat = true};
    oban_status status = write_plan_clips(&plan, def->defs, def->count);
    if (status == OBAN_OK) {
        status = write_check_twice(&plan);
    }
    if (status == OBAN_OK && plan.count > 0) {
        qsort(plan.instances, plan.count, sizeof *plan.instances, write_compare_planned);
    }
    if (status == OBAN_OK) {
        status = write_plan_level(&plan);
    }
    if (status == OBAN_OK) {
        status = write_plan_place(&plan);
    }
    if (status == OBAN_OK) {
        status = write_all(&plan);
    }
    write_plan_fini(&plan);
    return status;
}
