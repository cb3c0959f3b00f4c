/* SPDX-License-Identifier: MIT */
/* Animations from files, folders and levels as one set, with their files and all that is wrong with
 * them. A folder means its files of known extensions, in byte order of their names, not its
 * subfolders; "-" is standard input. Not here: which formats there are (formats.h), writing
 * (save.h). Next: library.c. */
#ifndef OBAN_TOOL_LIBRARY_H
#define OBAN_TOOL_LIBRARY_H

#include "clients/oban/formats.h"
#include "proto/format/file_fault.h"

#include <stdbool.h>
#include <stdint.h>

/* A file that was read, or should have been. */
typedef struct tool_file {
    char *path;
    const tool_format *format; /* NULL: not known, or it could not be read */
    oban_file_faults faults;
    uint32_t first; /* its animations: first to first + count - 1 of the library's */
    uint32_t count;
    oban_level objects; /* of a level or a scene; of a scene its faults are what a level lacks */
    bool from_folder;   /* found in a folder, not named */
    bool mark;          /* begins with a byte order mark */
    bool crlf;          /* its first line ends with CR LF */
} tool_file;

typedef struct tool_clip {
    oban_clip *clip;
    uint32_t file;   /* its index */
    uint32_t line;   /* where it stands there; 0: see offset */
    uint64_t offset; /* OBAN_FILE_NO_OFFSET: see line */
} tool_clip;

typedef struct tool_library {
    tool_file *files;
    uint32_t file_count;
    tool_clip *clips; /* in the order of the files, and of each file */
    uint32_t clip_count;
    tool_import import; /* to be set before the first load */
} tool_library;

void library_init(tool_library *library);
void library_fini(tool_library *library);

/* Reads a file, a folder or standard input into the library. What is wrong stands in the files'
 * faults; a path that cannot be read becomes a file with a fault. */
void library_load(tool_library *library, const char *path);
/* Loads all words of a command; complains (64) when there are none. */
void library_load_all(tool_library *library, char **paths, uint32_t count);

/* Tells the faults of all files on standard error (`warnings`: those too). Returns whether there
 * were errors. */
bool library_tell(const tool_library *library, bool warnings);
/* Whether a file had an error. */
bool library_has_errors(const tool_library *library);

/* The indexes of the animations in byte order of their names. Owns: give it back with free. */
uint32_t *library_sorted(const tool_library *library);
/* Tells each animation whose name another of the library has too. Returns how many. */
uint32_t library_tell_twice(const tool_library *library);

const char *library_path_of(const tool_library *library, const tool_clip *clip);

#endif
