/* SPDX-License-Identifier: MIT */
/* See write.h. */
#include "clients/oban/write.h"

#include "clients/oban/save.h"
#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"

/* What the daemon would refuse is not written either. */
static bool defs_good(const oban_clip_def *defs, uint32_t count, const char *path)
{
    for (uint32_t i = 0; i < count; i++) {
        oban_clip_report report;
        oban_line line;

        oban_clip_check(&defs[i], &report);
        for (uint32_t k = 0; k < report.count && report.refused; k++) {
            const oban_clip_finding *finding = &report.findings[k];
            if (oban_clip_finding_refuses(finding->code)) {
                oban_clip_finding_line(finding, &line);
                tell(path, NULL, "'%.*s' cannot be written: %s; %s", (int)defs[i].name.bytes,
                     defs[i].name.data, line.data, oban_clip_finding_fix(finding->code));
            }
        }
        if (report.refused) {
            return false;
        }
    }
    return true;
}

bool write_text(const tool_format *to, const oban_clip_def *defs, uint32_t count,
                const tool_export *export, const char *path, oban_writer *text)
{
    oban_file_faults faults;
    oban_status status;

    if (!defs_good(defs, count, path)) {
        return false;
    }
    oban_file_faults_init(&faults, memory_alloc());
    status = to->write(defs, count, export, text, &faults);
    if (status == OBAN_NO_MEMORY) {
        memory_out();
    }
    tell_faults(path, &faults);
    oban_file_faults_fini(&faults);
    return status == OBAN_OK;
}

bool write_clips(const tool_format *to, const oban_clip_def *defs, uint32_t count,
                 const tool_export *export, const char *path, bool force)
{
    oban_writer text;

    oban_writer_init(&text, memory_alloc());
    bool good = write_text(to, defs, count, export, path, &text) && save_folder_of(path) &&
                save_file(path, text.data, text.bytes, force);
    oban_writer_fini(&text);
    save_tidy();
    return good;
}
