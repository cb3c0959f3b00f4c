/* SPDX-License-Identifier: MIT */
/* XML from outside as a stream of elements and texts, with places, made safe: no DOCTYPE, a bounded
 * depth, memory from the given allocator. The only file that sees expat is xml_source.c. Internal
 * to proto/format. Not here: which elements are expected (oban_xml.c). Next: xml_source.c. */
#ifndef OBAN_PROTO_FORMAT_XML_SOURCE_H
#define OBAN_PROTO_FORMAT_XML_SOURCE_H

#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XML_SOURCE_DEPTH_MAX 16u

/* Line and column from 1; columns count characters. */
typedef struct xml_place {
    uint32_t line;
    uint32_t column;
} xml_place;

typedef struct xml_source xml_source;

/* Who listens. `depth` counts the elements that were open before: 0 for the root. Attributes are
 * name, value, name, value, ..., NULL. Texts come in pieces, NUL-terminated they are not. */
typedef struct xml_listener {
    void (*start)(void *context, uint32_t depth, const char *name, const char **attributes);
    void (*end)(void *context, uint32_t depth, const char *name);
    void (*text)(void *context, uint32_t depth, oban_text text);
    void *context;
    uint32_t depth_max; /* 0: XML_SOURCE_DEPTH_MAX */
} xml_listener;

struct xml_source {
    void *parser;
    xml_listener listener;
    uint32_t depth;
    oban_status status; /* OK until it is refused */
    xml_place place;    /* of the refusal */
    oban_line message;
};

/* Reads the whole text. Returns OK; BAD_FILE with source->place and source->message; NO_MEMORY. */
oban_status xml_source_run(xml_source *source, const xml_listener *listener,
                           const oban_alloc *alloc, const void *bytes, size_t size);

/* Where the element, end tag or text that is being told begins. */
xml_place xml_source_here(const xml_source *source);
/* Refuses the text; the first refusal stays. Returns the line of its message, to be gone on with.
 */
oban_line *xml_source_refuse(xml_source *source, xml_place place, const char *message);
/* Ends with NO_MEMORY. */
void xml_source_out_of_memory(xml_source *source);

#endif
