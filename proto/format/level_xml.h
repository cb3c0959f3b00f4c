/* SPDX-License-Identifier: MIT */
/* Levels as XML, in the two forms that OniSplit knows: what it extracts (<OBOA>, all that a record
 * holds) and what it builds from (<Physics><Object>, by name, with the clips).
 * Not here: the list itself (level.h).
 * Next: level_xml.c. */
#ifndef OBAN_PROTO_FORMAT_LEVEL_XML_H
#define OBAN_PROTO_FORMAT_LEVEL_XML_H

#include "proto/format/level.h"
#include "proto/json/writer.h"

/* Reads either form into a list that is begun. Returns OK; BAD_FILE with an error among the faults;
 * NO_MEMORY. Internal: oban_level_read calls it. */
oban_status level_xml_read(oban_level *level, const void *bytes, size_t size);

/* Appends a document: <Oni><OBOA id="0"><Objects>..., every field of a record but its source file.
 * Memory: see writer->failed. Source: oni-formats 5. */
void oban_oboa_xml_write(oban_writer *writer, const oban_level *level);

/* Appends a document: <Oni><Physics><Object>..., with the clips that the level tells of, else the
 * animation by its name. The transform is not written: it follows from position, rotation and
 * scale. Memory: see writer->failed. Source: oni-formats 5; the order of children: ours. */
void oban_level_xml_write(oban_writer *writer, const oban_level *level);

#endif
