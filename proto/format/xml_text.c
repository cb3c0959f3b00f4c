/* SPDX-License-Identifier: MIT */
/* See xml_text.h. */
#include "proto/format/xml_text.h"

#include <string.h>

static const char *xml_text_escape(uint32_t code)
{
    return code == '<'   ? "&lt;"
           : code == '>' ? "&gt;"
           : code == '&' ? "&amp;"
           : code == '"' ? "&quot;"
                         : NULL;
}

void oban_xml_text(oban_writer *writer, oban_text text)
{
    for (size_t at = 0; at < text.bytes;) {
        uint32_t code = 0;
        uint32_t taken = oban_utf8_decode(text.data + at, text.bytes - at, &code);
        const char *escape = taken > 0 ? xml_text_escape(code) : NULL;
        bool plain = taken > 0 && code >= 0x20u && code != 0xfffeu && code != 0xffffu;
        if (escape != NULL) {
            oban_writer_bytes(writer, escape, strlen(escape));
        } else if (plain) {
            oban_writer_bytes(writer, text.data + at, taken);
        } else {
            oban_writer_bytes(writer, "?", 1);
        }
        at += taken == 0 ? 1 : taken;
    }
}
