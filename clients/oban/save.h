/* SPDX-License-Identifier: MIT */
/* Writing files: whole or not at all. A file is written beside its place under another name and
 * then put there; on SIGINT, SIGTERM, SIGHUP and full disks nothing half is left. What is there
 * stays, unless --force was given; a symbolic link stays a link, and the file it points at is
 * replaced. Next: save.c. */
#ifndef OBAN_TOOL_SAVE_H
#define OBAN_TOOL_SAVE_H

#include <stdbool.h>
#include <stddef.h>

/* Once, before anything is written: the signals. */
void save_setup(void);

/* Writes one file. "-" is standard output; a terminal, a device or a pipe is written as it is.
 * False when it could not be done or is not to be overwritten: it has been told. */
bool save_file(const char *path, const void *bytes, size_t size, bool force);

/* Makes a folder and those above it that are missing. False, told, when that is not possible. */
bool save_folder(const char *path);
/* Makes the folder that a file is to lie in. */
bool save_folder_of(const char *path);
/* Takes away the folders that were made and are empty still. Call when nothing more is written. */
void save_tidy(void);

/* Whether the path is a folder. */
bool save_is_folder(const char *path);

#endif
