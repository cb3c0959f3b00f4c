/* SPDX-License-Identifier: MIT */
/* Files on the disk into the world: animations and the scene, at the start. All that is wrong is
 * logged, with file and place.
 * Not here: the formats (proto/format).
 * Next: store.c. */
#ifndef OBAN_SERVER_STORE_H
#define OBAN_SERVER_STORE_H

#include "core/base/alloc.h"
#include "server/limits.h"
#include "server/options.h"
#include "server/sim.h"

#include <stdbool.h>

#define OBAN_STORE_FILE_BYTES_MAX (256u << 20)

/* Loads animations from levels, then from folders (their .xml and .oni files in byte order of the
 * names, no subfolders) and files. What is bad is left out with a warning. Returns false when a
 * path is not there or cannot be read as a folder, or memory is out. */
bool oban_store_load_anims(oban_world *world, const oban_alloc *alloc,
                           const oban_option_list *levels, const oban_option_list *paths,
                           const oban_limits *limits);

/* Makes records of the objects of levels (the animations are loaded before, as those of --anims
 * are). Returns false when a file cannot be read or is no level, or memory is out. */
bool oban_store_load_levels(oban_sim *sim, const oban_alloc *alloc, const oban_option_list *paths);

/* Reads a scene, JSON or XML of a level, and builds it. Returns false when anything of it is bad.
 */
bool oban_store_load_scene(oban_sim *sim, const oban_alloc *alloc, const char *path);

#endif
