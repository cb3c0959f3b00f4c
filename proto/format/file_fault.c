/* SPDX-License-Identifier: MIT */
/* The bounded list of what is wrong with a file. Its room is taken at the first fault, whole: then
 * no later fault can be lost to memory. Next: file_fault.h. */
#include "proto/format/file_fault.h"

#include <string.h>

void oban_file_faults_init(oban_file_faults *faults, const oban_alloc *alloc)
{
    memset(faults, 0, sizeof *faults);
    faults->alloc = *alloc;
}

void oban_file_faults_fini(oban_file_faults *faults)
{
    oban_alloc_give(&faults->alloc, faults->items, OBAN_FILE_FAULTS_MAX * sizeof *faults->items);
    faults->items = NULL;
    faults->count = 0;
}

/* Makes room for an error in a full list: the last warning goes. False when all are errors. */
static bool file_fault_drop_warning(oban_file_faults *faults)
{
    for (uint32_t i = faults->count; i > 0; i--) {
        oban_file_fault *item = &faults->items[i - 1];
        if (item->severity == OBAN_SEVERITY_WARNING) {
            memmove(item, item + 1, (faults->count - i) * sizeof *item);
            faults->count--;
            faults->more++;
            return true;
        }
    }
    return false;
}

oban_file_fault *oban_file_faults_add(oban_file_faults *faults, oban_severity severity,
                                      oban_file_fault *spare)
{
    oban_file_fault *fault = spare;
    if (faults->items == NULL) {
        faults->items = oban_alloc_take(&faults->alloc, OBAN_FILE_FAULTS_MAX * sizeof *fault);
        faults->failed = faults->failed || faults->items == NULL;
    }
    bool room = faults->items != NULL &&
                (faults->count < OBAN_FILE_FAULTS_MAX ||
                 (severity == OBAN_SEVERITY_ERROR && file_fault_drop_warning(faults)));
    if (room) {
        fault = &faults->items[faults->count++];
    } else {
        faults->more++;
    }
    faults->errors += severity == OBAN_SEVERITY_ERROR ? 1 : 0;
    memset(fault, 0, sizeof *fault);
    fault->severity = severity;
    fault->offset = OBAN_FILE_NO_OFFSET;
    return fault;
}

void oban_file_fault_hex(uint64_t value, oban_line *line)
{
    oban_line digits;
    uint32_t skip = 0;
    oban_line_clear(&digits);
    oban_line_add_hex64(&digits, value);
    while (skip < 15 && digits.data[skip] == '0') {
        skip++;
    }
    oban_line_add(line, "0x");
    oban_line_add(line, digits.data + skip);
}

void oban_file_fault_line(const oban_file_fault *fault, oban_line *line)
{
    oban_line_clear(line);
    if (fault->line > 0) {
        oban_line_add(line, "line ");
        oban_line_add_u64(line, fault->line);
        oban_line_add(line, ", column ");
        oban_line_add_u64(line, fault->column);
        oban_line_add(line, ": ");
    } else if (fault->offset != OBAN_FILE_NO_OFFSET) {
        oban_line_add(line, "offset ");
        oban_file_fault_hex(fault->offset, line);
        oban_line_add(line, ": ");
    }
    oban_line_add(line, fault->severity == OBAN_SEVERITY_ERROR ? "error: " : "warning: ");
    if (fault->clip[0] != '\0') {
        oban_line_add(line, fault->clip);
        oban_line_add(line, ": ");
    }
    oban_line_add_text(line, (oban_text){fault->message.data, fault->message.bytes});
}
