/* SPDX-License-Identifier: MIT */
/* The container of instances that .oni (VR32) and .dat (VR31) files are: header, descriptors,
 * names, data. Bytes from outside: every count and offset is looked at in 64 bits before it is
 * used, and what is wrong is told with the offset at which the file says it. Internal to
 * proto/format. Not here: what an instance holds (oni.c, oboa.c), writing (container_write.c).
 * Next: container.c. Source: oni-formats 1 and 2. */
#ifndef OBAN_PROTO_FORMAT_CONTAINER_H
#define OBAN_PROTO_FORMAT_CONTAINER_H

#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "proto/format/file_fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTAINER_TAG_OBAN 0x4f42414eu
#define CONTAINER_TAG_OBOA 0x4f424f41u
#define CONTAINER_TAG_M3GA 0x4d334741u
#define CONTAINER_TAG_ENVP 0x454e5650u
#define CONTAINER_NAME_MAX 63u /* bytes of a full name, with its four letters; oni-formats 1.3 */

enum {
    CONTAINER_HEADER_BYTES = 0x40,
    CONTAINER_VERSION = 0x08,
    CONTAINER_SIZES = 0x0c,
    CONTAINER_COUNT = 0x14,
    CONTAINER_NAME_COUNT = 0x18,
    CONTAINER_TEMPLATE_COUNT = 0x1c,
    CONTAINER_DATA = 0x20,
    CONTAINER_NAMES = 0x28,
    CONTAINER_DESCRIPTOR_BYTES = 20,
    CONTAINER_DESCRIPTOR_DATA = 4,
    CONTAINER_DESCRIPTOR_NAME = 8,
    CONTAINER_DESCRIPTOR_SIZE = 12,
    CONTAINER_DESCRIPTOR_FLAGS = 16,
    CONTAINER_UNNAMED = 1,
    CONTAINER_PLACEHOLDER = 2,
    CONTAINER_SHARED = 4 | 8,
    CONTAINER_INSTANCE_HEADER_BYTES = 8
};

#define CONTAINER_VR31 0x56523331u
#define CONTAINER_VR32 0x56523332u
#define CONTAINER_VR33 0x56523333u
#define CONTAINER_CHECKSUM_PC UINT64_C(0x0003bcdf33dc271f)
#define CONTAINER_CHECKSUM_MAC UINT64_C(0x0003bcdf23c13061)
#define CONTAINER_DESCRIPTOR_SIZES UINT64_C(0x0008001000140040)

/* A file that is open for reading; all borrowed. */
typedef struct container {
    const unsigned char *bytes;
    uint64_t size;
    bool level; /* VR31: a .dat */
    uint32_t count;
    uint32_t data, data_size;
    uint32_t names, names_size;
    oban_file_faults *faults;
} container;

/* A descriptor, and where it stands. */
typedef struct container_instance {
    uint64_t at;
    uint32_t index;
    uint32_t tag;
    uint32_t data;
    uint32_t name;
    uint32_t size;
    uint32_t flags;
} container_instance;

/* Whether bytes begin like an instance file of any version. */
bool container_looks_like(const void *bytes, size_t size);

/* Looks at the header. Returns OK or BAD_FILE, with an error among the faults. */
oban_status container_open(container *file, const void *bytes, size_t size,
                           oban_file_faults *faults);

container_instance container_at(const container *file, uint32_t index);

static inline bool container_is_placeholder(const container_instance *instance)
{
    return (instance->flags & CONTAINER_PLACEHOLDER) != 0 || instance->size == 0 ||
           instance->data == 0;
}

static inline bool container_is_named(const container_instance *instance)
{
    return (instance->flags & CONTAINER_UNNAMED) == 0;
}

/* Its full name, borrowed from the file. Returns OK or BAD_FILE. */
oban_status container_name(const container *file, const container_instance *instance,
                           oban_text *out);

/* Its data behind the 8 bytes of its header, `room` bytes of it, at least `least`; `what` names its
 * kind in messages ("an OBAN"). Returns OK or BAD_FILE. */
oban_status container_data(const container *file, const container_instance *instance,
                           uint32_t least, const char *what, const unsigned char **data,
                           uint32_t *room);

/* Refuses instances of this tag that lie over one another: they could make gigabytes out of a small
 * file. Those that the file marks as shared may be the same. Returns OK, BAD_FILE or NO_MEMORY. */
oban_status container_check_overlap(const container *file, uint32_t tag, const oban_alloc *alloc);

/* The level of the file, out of an instance's header; 0 in an .oni. */
uint32_t container_level_id(const container *file);

/* A warning at an offset; returns its line, to be gone on with. */
oban_line *container_warn(const container *file, uint64_t offset, const char *message,
                          oban_file_fault *spare);
/* Refuses the file: "<what> <value in hex> <why>". Returns BAD_FILE. */
oban_status container_refuse(const container *file, uint64_t offset, const char *what,
                             uint64_t value, const char *why);

#endif
