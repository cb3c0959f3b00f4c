/* SPDX-License-Identifier: MIT */
/* See csv_line.h. */
#include "clients/oban/csv_line.h"

#include "proto/json/floats.h"

#include <string.h>

void csv_numbers(ctl_page *page, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        char digits[OBAN_FLOAT_BYTES_MAX];
        size_t bytes = oban_float_shortest(values[i], digits);
        page_add(page, ",");
        oban_writer_bytes(&page->text, digits, bytes);
    }
}

void csv_name(ctl_page *page, const char *name)
{
    if (strpbrk(name, ",;\"") == NULL) {
        page_add(page, name);
        return;
    }
    page_add(page, "\"");
    for (; *name != '\0'; name++) {
        oban_writer_bytes(&page->text, name, 1);
        page_add(page, *name == '"' ? "\"" : "");
    }
    page_add(page, "\"");
}
