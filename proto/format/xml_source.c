/* SPDX-License-Identifier: MIT */
/* expat behind a narrow door. Why it is wrapped: it must never see a DOCTYPE through, nest for
 * ever, or take memory from elsewhere. Next: xml_source.h, oban_xml.c. */
#include "proto/format/xml_source.h"

#include <expat.h>
#include <string.h>

#define XML_SOURCE_PIECE_BYTES ((size_t)1 << 20) /* expat counts in int */

/* ---- memory -----------------------------------------------------------------------------------
 */

/* expat's memory functions have no context: the allocator of the reading that this thread is in. */
static _Thread_local const oban_alloc *xml_source_alloc;

/* In front of each block its size, which our allocator wants back. */
typedef union xml_source_block {
    size_t bytes;
    max_align_t align;
} xml_source_block;

static void *xml_source_resize(void *old, size_t bytes)
{
    xml_source_block *block = old == NULL ? NULL : (xml_source_block *)old - 1;
    size_t old_bytes = block == NULL ? 0 : block->bytes + sizeof *block;
    if (bytes > SIZE_MAX - sizeof *block) {
        return NULL;
    }
    block = xml_source_alloc->resize(xml_source_alloc->context, block, old_bytes,
                                     bytes + sizeof *block);
    if (block == NULL) {
        return NULL;
    }
    block->bytes = bytes;
    return block + 1;
}

static void *xml_source_malloc(size_t bytes)
{
    return xml_source_resize(NULL, bytes);
}

static void xml_source_free(void *old)
{
    xml_source_block *block = old == NULL ? NULL : (xml_source_block *)old - 1;
    if (block != NULL) {
        oban_alloc_give(xml_source_alloc, block, block->bytes + sizeof *block);
    }
}

/* ---- refusing ---------------------------------------------------------------------------------
 */

xml_place xml_source_here(const xml_source *source)
{
    XML_Parser parser = source->parser;
    return (xml_place){(uint32_t)XML_GetCurrentLineNumber(parser),
                       (uint32_t)XML_GetCurrentColumnNumber(parser) + 1};
}

oban_line *xml_source_refuse(xml_source *source, xml_place place, const char *message)
{
    if (source->status == OBAN_OK) {
        source->status = OBAN_BAD_FILE;
        source->place = place;
        oban_line_clear(&source->message);
        oban_line_add(&source->message, message);
        (void)XML_StopParser(source->parser, XML_FALSE);
    }
    return &source->message;
}

void xml_source_out_of_memory(xml_source *source)
{
    (void)xml_source_refuse(source, (xml_place){0, 0}, "");
    source->status = OBAN_NO_MEMORY;
}

/* ---- what expat calls -------------------------------------------------------------------------
 */

/* After XML_StopParser some calls may still come: they are passed over. */

static void XMLCALL xml_source_start(void *context, const char *name, const char **attributes)
{
    xml_source *source = context;
    if (source->status != OBAN_OK) {
        return;
    }
    uint32_t depth_max = source->listener.depth_max;
    depth_max = depth_max == 0 ? XML_SOURCE_DEPTH_MAX : depth_max;
    if (source->depth == depth_max) {
        oban_line *line =
            xml_source_refuse(source, xml_source_here(source), "elements deeper than ");
        oban_line_add_u64(line, depth_max);
        return;
    }
    source->listener.start(source->listener.context, source->depth++, name, attributes);
}

static void XMLCALL xml_source_end(void *context, const char *name)
{
    xml_source *source = context;
    if (source->status == OBAN_OK) {
        source->listener.end(source->listener.context, --source->depth, name);
    }
}

static void XMLCALL xml_source_text(void *context, const char *data, int bytes)
{
    xml_source *source = context;
    if (source->status == OBAN_OK) {
        oban_text text = {data, (uint32_t)bytes};
        source->listener.text(source->listener.context, source->depth, text);
    }
}

static void XMLCALL xml_source_doctype(void *context, const char *name, const char *system_id,
                                       const char *public_id, int has_internal_subset)
{
    xml_source *source = context;
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal_subset;
    (void)xml_source_refuse(source, xml_source_here(source), "a DOCTYPE is not allowed");
}

/* ---- running ----------------------------------------------------------------------------------
 */

static void xml_source_malformed(xml_source *source)
{
    enum XML_Error code = XML_GetErrorCode(source->parser);
    if (source->status != OBAN_OK) {
        return; /* we stopped it ourselves */
    }
    if (code == XML_ERROR_NO_MEMORY) {
        xml_source_out_of_memory(source);
        return;
    }
    oban_line *line = xml_source_refuse(source, xml_source_here(source), "not well-formed XML: ");
    oban_line_add(line, XML_ErrorString(code));
}

static void xml_source_feed(xml_source *source, const char *data, size_t size)
{
    enum XML_Status result = XML_STATUS_OK;
    do {
        size_t piece = size > XML_SOURCE_PIECE_BYTES ? XML_SOURCE_PIECE_BYTES : size;
        size -= piece;
        result = XML_Parse(source->parser, data, (int)piece, size == 0);
        data += piece;
    } while (result == XML_STATUS_OK && size > 0);
    if (result != XML_STATUS_OK) {
        xml_source_malformed(source);
    }
}

oban_status xml_source_run(xml_source *source, const xml_listener *listener,
                           const oban_alloc *alloc, const void *bytes, size_t size)
{
    static const XML_Memory_Handling_Suite memory = {xml_source_malloc, xml_source_resize,
                                                     xml_source_free};
    memset(source, 0, sizeof *source);
    source->listener = *listener;
    xml_source_alloc = alloc;
    XML_Parser parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (parser == NULL) {
        return OBAN_NO_MEMORY;
    }
    source->parser = parser;
    XML_SetUserData(parser, source);
    XML_SetElementHandler(parser, xml_source_start, xml_source_end);
    XML_SetCharacterDataHandler(parser, xml_source_text);
    XML_SetStartDoctypeDeclHandler(parser, xml_source_doctype);
    xml_source_feed(source, bytes, size);
    XML_ParserFree(parser);
    source->parser = NULL;
    xml_source_alloc = NULL;
    return source->status;
}
