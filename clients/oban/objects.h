/* SPDX-License-Identifier: MIT */
/* The objects of levels: all of a library as one list, out of scenes in JSON, and into them.
 * Not here: reading and writing levels (proto/format/level.h, level_xml.h, oni_write.h).
 * Next: objects.c. */
#ifndef OBAN_TOOL_OBJECTS_H
#define OBAN_TOOL_OBJECTS_H

#include "clients/oban/library.h"
#include "proto/format/level.h"
#include "proto/format/scene_json.h"

/* How many objects the files of a library hold. */
uint32_t objects_count(const tool_library *library);
/* All objects, of all files or of one (`file` not OBJECTS_ALL), in their order. Owns: end `out`
 * with oban_level_fini. */
#define OBJECTS_ALL UINT32_MAX
void objects_gather(const tool_library *library, uint32_t file, oban_level *out);

/* A scene's objects as records of a level: the matrix stays as it is, position, rotation and scale
 * are taken out of it. What a level does not hold is told in out->faults: the camera, create, play,
 * a scale that is not one number. Owns: end `out` with oban_level_fini. */
void objects_of_scene(const oban_scene *scene, oban_level *out);
/* Appends a scene in JSON, a line for each object; what it does not hold is told. */
oban_status objects_write_scene(const oban_level *level, oban_writer *out,
                                oban_file_faults *faults);

#endif
