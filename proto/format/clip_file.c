/* SPDX-License-Identifier: MIT */
/* Animations out of a file of either kind: which kind it is, the names, the list of what was read.
 * Not here: the formats (oni.c, oban_xml.c).
 * Next: clip_add.h, oni.c. */
#include "proto/format/clip_file.h"

#include "proto/format/clip_add.h"
#include "proto/format/oban_xml.h"
#include "proto/format/oni.h"

#include <string.h>

static const char clip_file_prefix[] = "OBAN";

/* ---- the list ---------------------------------------------------------------------------------
 */

void clip_add_init(oban_clip_file *file, const oban_alloc *alloc)
{
    memset(file, 0, sizeof *file);
    file->alloc = *alloc;
    oban_file_faults_init(&file->faults, alloc);
}

oban_clip *oban_clip_file_take(oban_clip_file *file, uint32_t index)
{
    oban_clip *clip = index < file->count ? file->items[index].clip : NULL;
    if (clip != NULL) {
        file->items[index].clip = NULL;
    }
    return clip;
}

static void clip_file_drop(oban_clip_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        if (file->items[i].clip != NULL) {
            oban_clip_destroy(file->items[i].clip);
        }
    }
    oban_alloc_give(&file->alloc, file->items, file->capacity * sizeof *file->items);
    file->items = NULL;
    file->count = 0;
    file->capacity = 0;
}

void oban_clip_file_fini(oban_clip_file *file)
{
    clip_file_drop(file);
    oban_file_faults_fini(&file->faults);
}

oban_status clip_add_end(oban_clip_file *file, oban_status status)
{
    if (file->faults.failed) {
        status = OBAN_NO_MEMORY;
    }
    if (status != OBAN_OK) {
        clip_file_drop(file);
    }
    return status;
}

oban_clip_def oban_clip_def_of(const oban_clip *clip)
{
    oban_clip_def def = {
        .name = oban_text_of(clip->name),
        .flags = clip->flags,
        .start = clip->start,
        .base = clip->base,
        .frame_length = clip->frame_length,
        .frame_count = (int32_t)clip->frame_count,
        .half_stop = clip->half_stop,
        .keys = clip->keys,
        .key_count = clip->key_count,
    };
    return def;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static int clip_file_hex(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

oban_text clip_add_strip(oban_text name)
{
    uint32_t bytes = (uint32_t)sizeof clip_file_prefix - 1;
    if (name.bytes >= bytes && memcmp(name.data, clip_file_prefix, bytes) == 0) {
        name.data += bytes;
        name.bytes -= bytes;
    }
    return name;
}

/* Where the extension begins; the end when there is none. */
static uint32_t clip_file_dot(oban_text file_name)
{
    for (uint32_t i = file_name.bytes; i > 0; i--) {
        if (file_name.data[i - 1] == '.') {
            return i - 1;
        }
    }
    return file_name.bytes;
}

void clip_add_file_name(oban_text file_name, clip_add_name *out)
{
    char decoded[CLIP_ADD_NAME_BYTES];
    uint32_t bytes = 0;
    uint32_t end = clip_file_dot(file_name);
    for (uint32_t i = 0; i < end && bytes < sizeof decoded; i++) {
        int high = i + 2 < end ? clip_file_hex(file_name.data[i + 1]) : -1;
        int low = i + 2 < end ? clip_file_hex(file_name.data[i + 2]) : -1;
        if (file_name.data[i] == '%' && high >= 0 && low >= 0) {
            decoded[bytes++] = (char)(unsigned char)(high * 16 + low);
            i += 2;
        } else {
            decoded[bytes++] = file_name.data[i];
        }
    }
    /* Decoded first, as OniSplit does: a %XX may stand in the prefix too. */
    oban_text name = clip_add_strip((oban_text){decoded, bytes});
    out->bytes = name.bytes;
    memcpy(out->data, name.data, name.bytes);
}

void oban_clip_file_name(oban_text file_name, oban_line *out)
{
    clip_add_name name;
    clip_add_file_name(file_name, &name);
    oban_line_clear(out);
    oban_line_add_text(out, (oban_text){name.data, name.bytes});
}

/* ---- adding -----------------------------------------------------------------------------------
 */

/* A name from outside as a message may show it: cut, whole characters, no control characters. */
static void clip_file_show_name(oban_text name, char *out)
{
    uint32_t at = 0;
    uint32_t bytes = 0;
    while (at < name.bytes) {
        uint32_t code = 0;
        uint32_t taken = oban_utf8_decode(name.data + at, name.bytes - at, &code);
        bool plain = taken > 0 && code >= 0x20u && (code < 0x7fu || code >= 0xa0u);
        uint32_t needed = plain ? taken : 1;
        if (bytes + needed > OBAN_CLIP_NAME_MAX) {
            break;
        }
        memcpy(out + bytes, plain ? name.data + at : "?", needed);
        bytes += needed;
        at += taken == 0 ? 1 : taken;
    }
    out[bytes] = '\0';
}

oban_file_fault *clip_add_fault(oban_clip_file *file, oban_severity severity, oban_text clip,
                                const char *message, oban_file_fault *spare)
{
    oban_file_fault *fault = oban_file_faults_add(&file->faults, severity, spare);
    clip_file_show_name(clip, fault->clip);
    oban_line_add(&fault->message, message);
    return fault;
}

static void clip_file_tell(oban_clip_file *file, const oban_clip_def *def,
                           const oban_clip_report *report, const clip_add_places *places)
{
    for (uint32_t i = 0; i < report->count; i++) {
        const oban_clip_finding *finding = &report->findings[i];
        oban_file_fault spare;
        oban_severity severity =
            oban_clip_finding_refuses(finding->code) ? OBAN_SEVERITY_ERROR : OBAN_SEVERITY_WARNING;
        oban_file_fault *fault = clip_add_fault(file, severity, def->name, "", &spare);
        oban_clip_finding_line(finding, &fault->message);
        fault->fix = oban_clip_finding_fix(finding->code);
        places->place(places->context, finding, fault);
    }
}

static bool clip_file_room(oban_clip_file *file)
{
    if (file->count < file->capacity) {
        return true;
    }
    uint32_t capacity = file->capacity == 0 ? 1 : file->capacity * 2;
    oban_clip_file_item *items =
        file->alloc.resize(file->alloc.context, file->items, file->capacity * sizeof *items,
                           (size_t)capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    file->items = items;
    file->capacity = capacity;
    return true;
}

oban_status clip_add(oban_clip_file *file, const oban_clip_def *def, uint32_t line, uint64_t offset,
                     const clip_add_places *places)
{
    oban_clip *clip = NULL;
    oban_clip_report report;
    if (!clip_file_room(file)) {
        return OBAN_NO_MEMORY;
    }
    oban_status status = oban_clip_create(&file->alloc, def, &clip, &report);
    if (status == OBAN_NO_MEMORY) {
        return status;
    }
    clip_file_tell(file, def, &report, places);
    if (status == OBAN_OK) {
        file->items[file->count++] = (oban_clip_file_item){clip, line, offset};
    }
    return OBAN_OK;
}

/* ---- either kind ------------------------------------------------------------------------------
 */

static bool clip_file_extension_is(oban_text file_name, const char *extension)
{
    uint32_t dot = clip_file_dot(file_name);
    oban_text tail = {file_name.data + dot, file_name.bytes - dot};
    return file_name.bytes > 0 && oban_text_equal_nocase(tail, oban_text_of(extension));
}

oban_status oban_clip_file_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                                size_t size, oban_clip_file *out)
{
    oban_file_fault spare;
    if (oban_oni_looks_like(bytes, size)) {
        return oban_oni_read(alloc, file_name, bytes, size, out);
    }
    if (oban_xml_looks_like(bytes, size)) {
        return oban_xml_read(alloc, file_name, bytes, size, out);
    }
    if (size > 0 && clip_file_extension_is(file_name, ".oni")) {
        return oban_oni_read(alloc, file_name, bytes, size, out);
    }
    if (size > 0 && clip_file_extension_is(file_name, ".xml")) {
        return oban_xml_read(alloc, file_name, bytes, size, out);
    }
    clip_add_init(out, alloc);
    (void)clip_add_fault(out, OBAN_SEVERITY_ERROR, (oban_text){NULL, 0},
                         size == 0 ? "the file is empty"
                                   : "this is neither an .oni file nor XML of animations",
                         &spare);
    return clip_add_end(out, OBAN_BAD_FILE);
}
