/* SPDX-License-Identifier: MIT */
/* Text as XML has it. Not here: reading XML (xml_source.h). Next: xml_text.c. */
#ifndef OBAN_PROTO_FORMAT_XML_TEXT_H
#define OBAN_PROTO_FORMAT_XML_TEXT_H

#include "core/base/text.h"
#include "proto/json/writer.h"

/* Appends a text with what XML needs escaped, for content and for attributes in double quotes.
 * Bytes that are no UTF-8, control characters and what XML 1.0 forbids become '?'. Source: ours. */
void oban_xml_text(oban_writer *writer, oban_text text);

#endif
