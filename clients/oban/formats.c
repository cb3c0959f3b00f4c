/* SPDX-License-Identifier: MIT */
/* See formats.h. */
#include "clients/oban/formats.h"

#include "clients/oban/objects.h"
#include "clients/obanctl/memory.h"
#include "proto/format/collada.h"
#include "proto/format/gltf.h"
#include "proto/format/level_xml.h"
#include "proto/format/oban_xml.h"
#include "proto/format/oni.h"
#include "proto/format/oni_write.h"
#include "proto/format/samples.h"
#include "proto/format/scene_json.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FORMATS_FOV 45.0f /* the game's, in degrees of the picture's height */
#define FORMATS_BOX 10.0f /* units: a metre */

/* ---- one row's calls ------------------------------------------------------------------------- */

/* Nothing of animations, and nothing wrong. */
static oban_status read_none(const oban_alloc *alloc, oban_clip_file *out)
{
    memset(out, 0, sizeof *out);
    out->alloc = *alloc;
    oban_file_faults_init(&out->faults, alloc);
    return OBAN_OK;
}

static oban_status read_xml(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                            size_t size, const tool_import *import, oban_clip_file *out)
{
    (void)import;
    return oban_level_xml_looks_like(bytes, size)
               ? read_none(alloc, out)
               : oban_xml_read(alloc, file_name, bytes, size, out);
}

static oban_status write_xml(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                             oban_writer *out, oban_file_faults *faults)
{
    (void)export;
    (void)faults;
    oban_xml_write(out, defs, count);
    return out->failed ? OBAN_NO_MEMORY : OBAN_OK;
}

static oban_status read_xml_objects(const void *bytes, size_t size, oban_level *out)
{
    if (oban_level_xml_looks_like(bytes, size)) {
        return oban_level_read(memory_alloc(), bytes, size, out);
    }
    oban_level_init(out, memory_alloc());
    return OBAN_OK;
}

static oban_status write_xml_objects(const oban_level *level, const tool_export *export,
                                     oban_writer *out, oban_file_faults *faults)
{
    (void)faults;
    if (export->physics) {
        oban_level_xml_write(out, level);
    } else {
        oban_oboa_xml_write(out, level);
    }
    return out->failed ? OBAN_NO_MEMORY : OBAN_OK;
}

static oban_status read_instances(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                                  size_t size, const tool_import *import, oban_clip_file *out)
{
    (void)import;
    return oban_oni_read(alloc, file_name, bytes, size, out);
}

static oban_status read_instance_objects(const void *bytes, size_t size, oban_level *out)
{
    return oban_level_read(memory_alloc(), bytes, size, out);
}

/* Why a format cannot hold an animation or an object, as a fault of the file to be written. */
static void add_write_fault(const oban_write_fault *why, const oban_clip_def *defs,
                            oban_file_faults *faults)
{
    oban_file_fault spare;
    oban_file_fault *fault = oban_file_faults_add(faults, OBAN_SEVERITY_ERROR, &spare);
    if (why->object) {
        oban_line_add(&fault->message, "object ");
        oban_line_add_u64(&fault->message, why->index);
        oban_line_add(&fault->message, ": ");
    } else if (defs[why->index].name.bytes <= OBAN_CLIP_NAME_MAX) {
        memcpy(fault->clip, defs[why->index].name.data, defs[why->index].name.bytes);
    }
    oban_line_add_text(&fault->message, (oban_text){why->message.data, why->message.bytes});
}

static oban_status write_oni(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                             oban_writer *out, oban_file_faults *faults)
{
    oban_write_fault why;
    (void)export;
    oban_status status = oban_oni_write(out, defs, count, &why);
    if (status == OBAN_BAD_CLIP) {
        add_write_fault(&why, defs, faults);
    }
    return status;
}

static oban_status write_dat(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                             oban_writer *out, oban_file_faults *faults)
{
    oban_write_fault why;
    oban_dat_def def = {export->level, defs, count, export->objects};
    oban_status status = oban_dat_write(out, &def, &why);
    if (status == OBAN_BAD_CLIP) {
        add_write_fault(&why, defs, faults);
    }
    return status;
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

static oban_status read_json(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                             size_t size, const tool_import *import, oban_clip_file *out)
{
    (void)import;
    if (!oban_clip_json_looks_like(bytes, size)) {
        return read_none(alloc, out);
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

/* ---- files of 3D programs -------------------------------------------------------------------- */

static oban_import import_of(const tool_import *import)
{
    return (oban_import){import->every_frame, {import->tolerance, import->tolerance_angle}};
}

/* What is to be written, an item for each animation. Owns: free. */
static oban_model_item *model_items(const oban_clip_def *defs, uint32_t count,
                                    const tool_export *export)
{
    oban_model_item *items = memory_take(((size_t)count + 1) * sizeof *items);

    for (uint32_t i = 0; i < count; i++) {
        items[i] = oban_model_item_of(&defs[i]);
        items[i].camera = export->camera;
        items[i].fov = FORMATS_FOV;
        for (int k = 0; k < 3 && export->box; k++) {
            items[i].box[k] = FORMATS_BOX;
        }
    }
    return items;
}

static void add_bad_item(const oban_clip_def *def, oban_file_faults *faults)
{
    oban_file_fault spare;
    oban_file_fault *fault = oban_file_faults_add(faults, OBAN_SEVERITY_ERROR, &spare);
    uint32_t bytes = def->name.bytes < OBAN_CLIP_NAME_MAX ? def->name.bytes : OBAN_CLIP_NAME_MAX;
    memcpy(fault->clip, def->name.data, bytes);
    oban_line_add(&fault->message, "cannot be written: it makes no animation that plays");
}

static oban_status read_dae(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                            size_t size, const tool_import *import, oban_clip_file *out)
{
    oban_import how = import_of(import);
    return oban_collada_read(alloc, file_name, bytes, size, &how, out);
}

static oban_status write_dae(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                             oban_writer *out, oban_file_faults *faults)
{
    oban_model_item *items = model_items(defs, count, export);
    uint32_t bad = 0;
    oban_status status = oban_collada_write(out, items, count, export->per_frame, &bad);

    if (status == OBAN_BAD_CLIP) {
        add_bad_item(&defs[bad], faults);
    }
    free(items);
    return status;
}

static oban_status read_gltf(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                             size_t size, const tool_import *import, oban_clip_file *out)
{
    oban_import how = import_of(import);
    return oban_gltf_read(alloc, file_name, bytes, size, &how, out);
}

static oban_status write_gltf_as(bool binary, const oban_clip_def *defs, uint32_t count,
                                 const tool_export *export, oban_writer *out,
                                 oban_file_faults *faults)
{
    oban_gltf_options options = {.binary = binary, .per_frame = export->per_frame};
    oban_model_item *items = model_items(defs, count, export);
    uint32_t bad = 0;
    oban_status status = oban_gltf_write(out, items, count, &options, &bad);

    if (status == OBAN_BAD_CLIP) {
        add_bad_item(&defs[bad], faults);
    }
    free(items);
    return status;
}

static oban_status write_gltf(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                              oban_writer *out, oban_file_faults *faults)
{
    return write_gltf_as(false, defs, count, export, out, faults);
}

static oban_status write_glb(const oban_clip_def *defs, uint32_t count, const tool_export *export,
                             oban_writer *out, oban_file_faults *faults)
{
    return write_gltf_as(true, defs, count, export, out, faults);
}

/* A scene's objects; what is wrong with it stands in out->faults, else what a level does not hold.
 */
static oban_status read_json_objects(const void *bytes, size_t size, oban_level *out)
{
    oban_scene scene;

    if (oban_clip_json_looks_like(bytes, size)) {
        oban_level_init(out, memory_alloc());
        return OBAN_OK;
    }
    oban_status status =
        oban_scene_read(memory_alloc(), (oban_text){bytes, (uint32_t)size}, NULL, &scene);
    if (status == OBAN_OK) {
        objects_of_scene(&scene, out);
    } else {
        oban_level_init(out, memory_alloc());
        out->faults = scene.faults; /* taken over */
        oban_file_faults_init(&scene.faults, memory_alloc());
    }
    oban_scene_fini(&scene);
    return status == OBAN_OK || status == OBAN_NO_MEMORY ? status : OBAN_BAD_FILE;
}

static oban_status write_json_objects(const oban_level *level, const tool_export *export,
                                      oban_writer *out, oban_file_faults *faults)
{
    (void)export;
    return objects_write_scene(level, out, faults);
}

/* ---- the table ------------------------------------------------------------------------------- */

const tool_format tool_formats[] = {
    {.name = "xml",
     .help = "OniSplit's XML, also of levels",
     .named_by_file = true,
     .read = read_xml,
     .write = write_xml,
     .read_objects = read_xml_objects,
     .write_objects = write_xml_objects},
    {.name = "oni",
     .help = "OniSplit's instance file",
     .many = true,
     .named_by_file = true,
     .read = read_instances,
     .write = write_oni,
     .read_objects = read_instance_objects},
    {.name = "dat",
     .help = "a level of the game",
     .many = true,
     .read = read_instances,
     .write = write_dat,
     .read_objects = read_instance_objects},
    {.name = "dae",
     .help = "Collada for 3D programs",
     .many = true,
     .is_model = true,
     .read = read_dae,
     .write = write_dae},
    {.name = "gltf",
     .help = "glTF 2.0 for 3D programs",
     .many = true,
     .is_model = true,
     .read = read_gltf,
     .write = write_gltf},
    {.name = "glb",
     .help = "glTF 2.0 in one binary file",
     .many = true,
     .is_model = true,
     .read = read_gltf,
     .write = write_glb},
    {.name = "csv",
     .help = "rows of frames for spreadsheets",
     .many = true,
     .is_table = true,
     .read = read_csv,
     .write = write_csv},
    {.name = "json",
     .help = "rows of frames for programs, or a scene",
     .many = true,
     .is_table = true,
     .read = read_json,
     .write = write_json,
     .read_objects = read_json_objects,
     .write_objects = write_json_objects},
    {.name = NULL},
};

void formats_list(oban_line *line)
{
    oban_line_clear(line);
    for (const tool_format *one = tool_formats; one->name != NULL; one++) {
        const char *between = one == tool_formats ? "" : one[1].name == NULL ? " or " : ", ";
        oban_line_add(line, between);
        oban_line_add(line, one->name);
    }
}

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
        bool level = size >= 12 && ((const char *)bytes)[8] == '1'; /* "13RV" */
        return format_find(level ? "dat" : "oni");
    }
    if (oban_glb_looks_like(bytes, size)) {
        return format_find("glb");
    }
    if (oban_gltf_looks_like(bytes, size)) {
        return format_find("gltf");
    }
    if (oban_collada_looks_like(bytes, size)) {
        return format_find("dae");
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
