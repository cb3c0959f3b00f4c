/* SPDX-License-Identifier: MIT */
/* See screen.h. */
#include "clients/obanctl/screen.h"

#include "clients/obanctl/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { SIZE_LIMIT = 10000 };

static bool entered;

static void put(const char *text)
{
    ctl_page page;

    page_init(&page);
    page_add(&page, text);
    (void)page_write(&page, STDOUT_FILENO);
    page_fini(&page);
}

bool screen_is_live(void)
{
    const char *term = getenv("TERM");

    return isatty(STDOUT_FILENO) == 1 && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0;
}

bool screen_has_colours(void)
{
    const char *no_color = getenv("NO_COLOR");

    return screen_is_live() && (no_color == NULL || no_color[0] == '\0');
}

void screen_enter(void)
{
    static bool registered;

    if (!registered) {
        registered = atexit(screen_leave) == 0;
    }
    entered = true;
    put("\033[?1049h\033[?25l\033[?7l"); /* other screen, no cursor, no wrapping */
}

void screen_leave(void)
{
    if (entered) {
        entered = false;
        put("\033[?7h\033[?25h\033[?1049l");
    }
}

/* What the terminal says, else the environment, else the usual. */
static unsigned size_of(unsigned told, const char *variable, unsigned usual)
{
    const char *text = getenv(variable);
    unsigned long number = text != NULL ? strtoul(text, NULL, 10) : 0;

    if (told > 0) {
        return told;
    }
    return number > 0 && number <= SIZE_LIMIT ? (unsigned)number : usual;
}

void screen_size(unsigned *columns, unsigned *rows)
{
    struct winsize size;

    memset(&size, 0, sizeof size);
    (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *columns = size_of(size.ws_col, "COLUMNS", 80);
    *rows = size_of(size.ws_row, "LINES", 24);
}
