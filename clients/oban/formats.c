/* SPDX-License-Identifier: MIT */
/* See formats.h. */
#include "clients/oban/formats.h"

#include "proto/format/oban_xml.h"
#include "proto/format/oni.h"
#include "proto/format/samples.h"
#include "proto/format/scene_json.h"

#include <string.h>
#include <strings.h>

/* ---- one row's calls ------------------------------------------------------------------------- */

static oban_status read_xml(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                            size_t size, const tool_import *import, oban_clip_file *out)
{
    (void)import;
    return oban_xml_read(alloc, file_name, bytes, size, out);
}

static oban_status write_xml(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                             oban_writer *out, oban_file_faults *faults)
{
    (void)export;
    (void)faults;
    oban_xml_write(out, defs, count);
    return out->failed ? OBAN_NO_MEMORY : OBAN_OK;
}

static oban_status read_oni(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                            size_t size, const tool_import *import, oban_clip_file *out)
{
    (void)import;
    return oban_oni_read(alloc, file_name, bytes, size, out);
}

static oban_status read_csv(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                            size_t size, const tool_import *import, oban_clip_file *out)
{
    (void)import;
    return oban_csv_read(alloc, file_name, bytes, size, out);
}

static oban_status write_csv(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                             oban_writer *out, oban_file_faults *faults)
{
    (void)export;
    (void)faults;
    oban_csv_write(out, defs, count);
    return out->failed ? OBAN_NO_MEMORY : OBAN_OK;
}

/* A scene holds no animation; what is wrong with it is told all the same. */
static oban_status read_scene(const oban_alloc *alloc, const void *bytes, size_t size,
                              oban_clip_file *out)
{
    oban_scene scene;
    oban_status status = oban_scene_read(alloc, (oban_text){bytes, (uint32_t)size}, NULL, &scene);

    memset(out, 0, sizeof *out);
    out->alloc = *alloc;
    out->faults = scene.faults; /* taken over */
    oban_file_faults_init(&scene.faults, alloc);
    oban_scene_fini(&scene);
    return status == OBAN_OK || status == OBAN_NO_MEMORY ? status : OBAN_BAD_FILE;
}

static oban_status read_json(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                             size_t size, const tool_import *import, oban_clip_file *out)
{
    (void)import;
    if (!oban_clip_json_looks_like(bytes, size)) {
        return read_scene(alloc, bytes, size, out);
    }
    return oban_clip_json_read(alloc, file_name, bytes, size, out);
}

static oban_status write_json(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                              oban_writer *out, oban_file_faults *faults)
{
    (void)export;
    (void)faults;
    oban_clip_json_write(out, defs, count);
    return out->failed ? OBAN_NO_MEMORY : OBAN_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

const tool_format tool_formats[] = {
    {"xml", "OniSplit's XML", false, true, false, read_xml, write_xml},
    {"oni", "OniSplit's instance file", true, true, false, read_oni, NULL},
    {"csv", "rows of frames for spreadsheets", true, false, true, read_csv, write_csv},
    {"json", "rows of frames for programs", true, false, true, read_json, write_json},
    {.name = NULL},
};

const tool_format *format_find(const char *name)
{
    for (const tool_format *one = tool_formats; one->name != NULL; one++) {
        if (strcasecmp(one->name, name) == 0) {
            return one;
        }
    }
    return NULL;
}

const tool_format *format_of_name(const char *file_name)
{
    const char *slash = strrchr(file_name, '/');
    const char *dot = strrchr(slash != NULL ? slash : file_name, '.');
    return dot != NULL ? format_find(dot + 1) : NULL;
}

const tool_format *format_of_bytes(const char *file_name, const void *bytes, size_t size)
{
    if (oban_oni_looks_like(bytes, size)) {
        return format_find("oni");
    }
    if (oban_xml_looks_like(bytes, size)) {
        return format_find("xml");
    }
    const tool_format *named = format_of_name(file_name);
    if (named == NULL && size > 0 && ((const char *)bytes)[0] == '{') {
        return format_find("json");
    }
    return named;
}
