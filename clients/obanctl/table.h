/* SPDX-License-Identifier: MIT */
/* The scene as a table for people: the camera in a line, then one line for each object.
 * Not here: the terminal (screen.h), when to draw (follow.c, state.c).
 * Next: table.c. */
#ifndef OBANCTL_TABLE_H
#define OBANCTL_TABLE_H

#include "clients/obanctl/page.h"
#include "clients/obanctl/scene.h"

#include <stdbool.h>

typedef struct table_view {
    unsigned columns; /* 0: as wide as it needs */
    unsigned rows;    /* 0: as many as there are */
    bool colours;
    bool moment;    /* one moment only: no column of speeds */
    bool held;      /* time stands still: nothing has a speed */
    double rate_hz; /* ticks per second, for speeds */
} table_view;

/* One line of our own words (what others wrote in it is escaped), cut to the width. */
void table_line(ctl_page *page, const table_view *view, const char *style, const char *text);
void table_draw(ctl_page *page, const ctl_scene *scene, const ctl_selection *chosen,
                const table_view *view);

#endif
