/* SPDX-License-Identifier: MIT */
/* A list of findings. Not here: what is found (parse.c, check.c). Next: parse.c. */
#include "core/base/room.h"
#include "core/bsl/parse.h"

#include <string.h>

void oban_findings_init(oban_findings *findings, oban_alloc alloc)
{
    memset(findings, 0, sizeof *findings);
    findings->alloc = alloc;
}

void oban_findings_clear(oban_findings *findings)
{
    findings->count = 0;
    findings->faults = 0;
    findings->more = 0;
}

void oban_findings_fini(oban_findings *findings)
{
    oban_alloc_give(&findings->alloc, findings->items,
                    findings->capacity * sizeof *findings->items);
    oban_findings_init(findings, findings->alloc);
}

oban_line *findings_add(oban_findings *findings, bool fault, oban_status status, uint32_t file,
                        oban_place place, const char *message)
{
    oban_finding *items = findings->items;
    findings->faults += fault ? 1 : 0;
    if (findings->count < OBAN_FINDINGS_MAX) {
        items = oban_room_make(&findings->alloc, items, &findings->capacity, sizeof *items,
                               (uint64_t)findings->count + 1);
        findings->items = items != NULL ? items : findings->items;
    }
    if (items == NULL || findings->count == OBAN_FINDINGS_MAX) {
        findings->more++;
        oban_line_clear(&findings->unread);
        return &findings->unread;
    }
    oban_finding *finding = &items[findings->count++];
    *finding = (oban_finding){.fault = fault, .status = status, .file = file, .place = place};
    oban_line_add(&finding->message, message);
    return &finding->message;
}
