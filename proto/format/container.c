/* SPDX-License-Identifier: MIT */
/* Reading the container of instances. Next: container.h, oni.c. */
#include "proto/format/container.h"

#include "proto/format/little.h"

#include <stdlib.h>
#include <string.h>

/* ---- faults ---- */

oban_line *container_warn(const container *file, uint64_t offset, const char *message,
                          oban_file_fault *spare)
{
    oban_file_fault *fault = oban_file_faults_add(file->faults, OBAN_SEVERITY_WARNING, spare);
    oban_line_add(&fault->message, message);
    fault->offset = offset;
    return &fault->message;
}

oban_status container_refuse(const container *file, uint64_t offset, const char *what,
                             uint64_t value, const char *why)
{
    oban_file_fault spare;
    oban_file_fault *fault = oban_file_faults_add(file->faults, OBAN_SEVERITY_ERROR, &spare);
    oban_line_add(&fault->message, what);
    fault->offset = offset;
    oban_file_fault_hex(value, &fault->message);
    oban_line_add(&fault->message, why);
    return OBAN_BAD_FILE;
}

/* ---- header ---- */

bool container_looks_like(const void *bytes, size_t size)
{
    if (size < CONTAINER_VERSION + 4) {
        return false;
    }
    uint32_t version = little_u32((const unsigned char *)bytes + CONTAINER_VERSION);
    return version == CONTAINER_VR31 || version == CONTAINER_VR32 || version == CONTAINER_VR33;
}

static oban_status container_check_version(container *file)
{
    if (file->size < CONTAINER_HEADER_BYTES) {
        return container_refuse(file, file->size, "the file ends after ", file->size,
                                " bytes, within its header of 0x40");
    }
    uint32_t version = little_u32(file->bytes + CONTAINER_VERSION);
    file->level = version == CONTAINER_VR31;
    if (version == CONTAINER_VR32 || file->level) {
        return OBAN_OK;
    }
    if (version == CONTAINER_VR33) {
        return container_refuse(file, CONTAINER_VERSION, "version ", version,
                                ": an OniX file (VR33); only .oni (VR32) and .dat (VR31) files are "
                                "read");
    }
    return container_refuse(file, CONTAINER_VERSION, "version ", version,
                            " is not that of an .oni (0x56523332) or .dat file (0x56523331)");
}

/* What a good reader does not need, but a good writer gets right. */
static oban_status container_look_at_header(const container *file)
{
    oban_file_fault spare;
    uint64_t checksum = little_u64(file->bytes);
    uint64_t sizes = little_u64(file->bytes + CONTAINER_SIZES);
    if (checksum != CONTAINER_CHECKSUM_PC && checksum != CONTAINER_CHECKSUM_MAC) {
        oban_file_fault_hex(checksum,
                            container_warn(file, 0, "unknown template checksum ", &spare));
    }
    if (sizes != CONTAINER_DESCRIPTOR_SIZES && file->level) {
        return container_refuse(file, CONTAINER_SIZES, "the sizes of descriptors are ", sizes,
                                ", not 0x8001000140040 as in every .dat file");
    }
    if (sizes != CONTAINER_DESCRIPTOR_SIZES) {
        (void)container_warn(file, CONTAINER_SIZES,
                             "the sizes of descriptors are not 0x40 0x14 0x10 0x8", &spare);
    }
    if (!file->level && (little_u32(file->bytes + CONTAINER_NAME_COUNT) != 0 ||
                         little_u32(file->bytes + CONTAINER_TEMPLATE_COUNT) != 0)) {
        (void)container_warn(file, CONTAINER_NAME_COUNT,
                             "name and template descriptors are ignored; an .oni file has none",
                             &spare);
    }
    return OBAN_OK;
}

static oban_status container_table(const container *file, uint64_t at, const char *what,
                                   uint32_t *offset, uint32_t *size)
{
    *offset = little_u32(file->bytes + at);
    *size = little_u32(file->bytes + at + 4);
    if (*offset > file->size) {
        return container_refuse(file, at, what, *offset, " begins behind the end of the file");
    }
    if ((uint64_t)*offset + *size > file->size) {
        return container_refuse(file, at + 4, what, (uint64_t)*offset + *size,
                                " ends behind the end of the file");
    }
    return OBAN_OK;
}

oban_status container_open(container *file, const void *bytes, size_t size,
                           oban_file_faults *faults)
{
    *file = (container){.bytes = bytes, .size = size, .faults = faults};
    oban_status status = container_check_version(file);
    if (status == OBAN_OK) {
        status = container_look_at_header(file);
    }
    if (status != OBAN_OK) {
        return status;
    }
    file->count = little_u32(file->bytes + CONTAINER_COUNT);
    if ((uint64_t)file->count * CONTAINER_DESCRIPTOR_BYTES > file->size - CONTAINER_HEADER_BYTES) {
        return container_refuse(file, CONTAINER_COUNT, "there is no room for ", file->count,
                                " instance descriptors");
    }
    status =
        container_table(file, CONTAINER_DATA, "the data table: ", &file->data, &file->data_size);
    if (status == OBAN_OK) {
        status = container_table(file, CONTAINER_NAMES, "the name table: ", &file->names,
                                 &file->names_size);
    }
    return status;
}

/* ---- instances ---- */

container_instance container_at(const container *file, uint32_t index)
{
    uint64_t at = CONTAINER_HEADER_BYTES + (uint64_t)index * CONTAINER_DESCRIPTOR_BYTES;
    const unsigned char *d = file->bytes + at;
    return (container_instance){at,
                                index,
                                little_u32(d),
                                little_u32(d + CONTAINER_DESCRIPTOR_DATA),
                                little_u32(d + CONTAINER_DESCRIPTOR_NAME),
                                little_u32(d + CONTAINER_DESCRIPTOR_SIZE),
                                little_u32(d + CONTAINER_DESCRIPTOR_FLAGS) & 0xffu};
}

oban_status container_name(const container *file, const container_instance *instance,
                           oban_text *out)
{
    uint64_t at = instance->at + CONTAINER_DESCRIPTOR_NAME;
    if (instance->name >= file->names_size) {
        return container_refuse(file, at, "a name at ", instance->name,
                                " begins behind the end of the name table");
    }
    const char *begin = (const char *)file->bytes + file->names + instance->name;
    uint32_t room = file->names_size - instance->name;
    const char *end = memchr(begin, '\0', room);
    if (end == NULL) {
        return container_refuse(file, at, "the name at ", instance->name,
                                " has no end within the name table");
    }
    *out = (oban_text){begin, (uint32_t)(end - begin)};
    return OBAN_OK;
}

/* "a size of 0x10 is too small for an OBAN (0x80)" */
static oban_status container_too_small(const container *file, uint64_t at, uint32_t size,
                                       uint32_t least, const char *what)
{
    oban_line why;
    oban_line_clear(&why);
    oban_line_add(&why, " is too small for ");
    oban_line_add(&why, what);
    oban_line_add(&why, " (");
    oban_file_fault_hex(least, &why);
    oban_line_add(&why, ")");
    return container_refuse(file, at, "a size of ", size, why.data);
}

oban_status container_data(const container *file, const container_instance *instance,
                           uint32_t least, const char *what, const unsigned char **data,
                           uint32_t *room)
{
    uint64_t data_at = instance->at + CONTAINER_DESCRIPTOR_DATA;
    uint64_t size_at = instance->at + CONTAINER_DESCRIPTOR_SIZE;
    if (instance->data < CONTAINER_INSTANCE_HEADER_BYTES || instance->data > file->data_size) {
        return container_refuse(file, data_at, "data at ", instance->data,
                                " lies outside of the data table");
    }
    if (instance->size < CONTAINER_INSTANCE_HEADER_BYTES + least) {
        return container_too_small(file, size_at, instance->size,
                                   CONTAINER_INSTANCE_HEADER_BYTES + least, what);
    }
    *room = instance->size - CONTAINER_INSTANCE_HEADER_BYTES;
    if ((uint64_t)instance->data + *room > file->data_size) {
        return container_refuse(file, size_at, "a size of ", instance->size,
                                " reaches beyond the data table");
    }
    *data = file->bytes + file->data + instance->data;
    return OBAN_OK;
}

uint32_t container_level_id(const container *file)
{
    for (uint32_t i = 0; i < file->count && file->level; i++) {
        container_instance instance = container_at(file, i);
        if (!container_is_placeholder(&instance) &&
            instance.data >= CONTAINER_INSTANCE_HEADER_BYTES && instance.data <= file->data_size) {
            return little_u32(file->bytes + file->data + instance.data - 4) >> 25;
        }
    }
    return 0;
}

/* ---- overlaps ---- */

/* From where to where the data of an instance goes, its header left out. */
typedef struct container_span {
    uint32_t begin;
    uint64_t end;
    uint32_t index;
    bool shared;
} container_span;

static int container_compare(const void *a, const void *b)
{
    const container_span *x = a;
    const container_span *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static oban_status container_look_at_spans(const container *file, const container_span *spans,
                                           uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const container_span *before = &spans[i - 1];
        bool same = before->begin == spans[i].begin && before->end == spans[i].end;
        if (before->end > spans[i].begin && !(same && before->shared && spans[i].shared)) {
            container_instance instance = container_at(file, spans[i].index);
            oban_line why;
            oban_line_clear(&why);
            oban_line_add(&why, " lies over that of instance ");
            oban_line_add_u64(&why, before->index);
            return container_refuse(file, instance.at + CONTAINER_DESCRIPTOR_DATA, "data at ",
                                    instance.data, why.data);
        }
    }
    return OBAN_OK;
}

static bool container_has_span(const container_instance *instance, uint32_t tag)
{
    return instance->tag == tag && !container_is_placeholder(instance) &&
           instance->size > CONTAINER_INSTANCE_HEADER_BYTES;
}

oban_status container_check_overlap(const container *file, uint32_t tag, const oban_alloc *alloc)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->count; i++) {
        container_instance instance = container_at(file, i);
        count += container_has_span(&instance, tag) ? 1u : 0u;
    }
    if (count < 2) {
        return OBAN_OK;
    }
    size_t bytes = count * sizeof(container_span);
    container_span *spans = oban_alloc_take(alloc, bytes);
    uint32_t at = 0;
    if (spans == NULL) {
        return OBAN_NO_MEMORY;
    }
    for (uint32_t i = 0; i < file->count && at < count; i++) {
        container_instance instance = container_at(file, i);
        if (container_has_span(&instance, tag)) {
            spans[at++] = (container_span){instance.data,
                                           (uint64_t)instance.data + instance.size -
                                               CONTAINER_INSTANCE_HEADER_BYTES,
                                           i, (instance.flags & CONTAINER_SHARED) != 0};
        }
    }
    qsort(spans, count, sizeof *spans, container_compare);
    oban_status status = container_look_at_spans(file, spans, count);
    oban_alloc_give(alloc, spans, bytes);
    return status;
}
