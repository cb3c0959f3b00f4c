/* SPDX-License-Identifier: MIT */
/* Fuzz target: BSL lines, read to their end, and each fault shown with its caret. */
#include "core/bsl/line.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oban_text text = {.data = (const char *)data, .bytes = (uint32_t)size};
    oban_bsl_reader reader;
    oban_bsl_reader_init(&reader, text);
    for (size_t reads = 0;; reads++) {
        MUST(reads <= size + 1); /* each read takes something */
        oban_bsl_statement statement;
        oban_bsl_fault fault;
        bool end = false;
        oban_status status = oban_bsl_read(&reader, &statement, &end, &fault);
        if (status == OBAN_OK && end) {
            return 0;
        }
        if (status != OBAN_OK) {
            oban_line source;
            oban_line caret;
            MUST(fault.place.line >= 1 && fault.place.column >= 1 && fault.message.bytes > 0);
            oban_bsl_caret(text, fault.place, &source, &caret);
        }
        if (status == OBAN_BAD_SCRIPT) {
            return 0;
        }
    }
}
