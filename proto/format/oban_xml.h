/* SPDX-License-Identifier: MIT */
/* Animations as XML, read and written as OniSplit does: children by their order, numbers as the
 * file has them. The only place that knows expat; a DOCTYPE is refused. Not here: XML of levels and
 * objects, other instances than OBAN (passed over with a warning). Next: oban_xml.c. */
#ifndef OBAN_PROTO_FORMAT_OBAN_XML_H
#define OBAN_PROTO_FORMAT_OBAN_XML_H

#include "proto/format/clip_file.h"
#include "proto/json/writer.h"

#include <stdbool.h>

/* Whether bytes begin like XML: a '<' after a byte order mark and blanks, or UTF-16. */
bool oban_xml_looks_like(const void *bytes, size_t size);

/* As oban_clip_file_read, for XML. Source: oni-formats 4.2. */
oban_status oban_xml_read(const oban_alloc *alloc, oban_text file_name, const void *bytes,
                          size_t size, oban_clip_file *out);

/* Appends a whole document with these definitions, ids 0, 1, ...: LF, no byte order mark, nothing
 * behind </Oni>. Memory: see writer->failed. Names are not written: the first is the file's.
 * Source: oni-formats 4.1. */
void oban_xml_write(oban_writer *writer, const oban_clip_def *defs, uint32_t count);

#endif
