/* SPDX-License-Identifier: MIT */
/* The whole terminal: its other screen, its size, its colours. Whatever way obanctl exits, the
 * terminal is given back.
 * Next: table.h. */
#ifndef OBANCTL_SCREEN_H
#define OBANCTL_SCREEN_H

#include <stdbool.h>

/* Whether standard output is a terminal that a cursor can be moved on. */
bool screen_is_live(void);
/* Whether colours are wanted there. */
bool screen_has_colours(void);
void screen_enter(void);
/* Harmless when not entered. */
void screen_leave(void);
/* Columns and rows: as the terminal says, else COLUMNS and LINES, else 80 x 24. */
void screen_size(unsigned *columns, unsigned *rows);

#endif
