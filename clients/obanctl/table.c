/* SPDX-License-Identifier: MIT */
/* See table.h. A live table (columns > 0) is drawn over the one before: each line is cleared first,
 * and at the end what is below. */
#include "clients/obanctl/table.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CELL_BYTES 64
#define NAMES_COLUMNS 18u /* clips and names have so many before numbers widen */
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

typedef enum column_id {
    COLUMN_NUMBER,
    COLUMN_NAME,
    COLUMN_CLIP,
    COLUMN_FRAME,
    COLUMN_STATE,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_Z,
    COLUMN_SPEED,
    COLUMN_COUNT
} column_id;

typedef struct column_row {
    const char *title;
    unsigned narrow; /* columns on a small terminal */
    unsigned wide;
    bool right;
} column_row;

static const column_row columns[COLUMN_COUNT] = {
    [COLUMN_NUMBER] = {"NUMBER", 6, 8, true}, [COLUMN_NAME] = {"NAME", 8, 28, false},
    [COLUMN_CLIP] = {"CLIP", 8, 32, false},   [COLUMN_FRAME] = {"FRAME", 9, 11, true},
    [COLUMN_STATE] = {"STATE", 9, 9, false},  [COLUMN_X] = {"X", 7, 10, true},
    [COLUMN_Y] = {"Y", 7, 10, true},          [COLUMN_Z] = {"Z", 7, 10, true},
    [COLUMN_SPEED] = {"SPEED", 6, 9, true},
};

typedef struct drawing {
    ctl_page *page;
    const ctl_scene *scene;
    const table_view *view;
    unsigned widths[COLUMN_COUNT]; /* 0: left out */
    unsigned rows_left;
    unsigned shown;
    unsigned chosen;
} drawing;

static bool live(const table_view *view)
{
    return view->columns > 0;
}

static void begin_line(ctl_page *page, const table_view *view)
{
    page_add(page, live(view) ? "\033[2K" : "");
}

/* A live line ends by going to the next one without scrolling. */
static void end_line(ctl_page *page, const table_view *view)
{
    page_add(page, live(view) ? "\033[E" : "\n");
}

void table_line(ctl_page *page, const table_view *view, const char *style, const char *text)
{
    begin_line(page, view);
    page_add(page, view->colours ? style : "");
    if (live(view)) {
        page_cell(page, text, view->columns, false);
    } else {
        page_safe(page, text);
    }
    page_add(page, view->colours ? PLAIN : "");
    end_line(page, view);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* As many decimals, up to two, as there is room for. */
static void number_text(double value, unsigned width, char out[CELL_BYTES])
{
    for (int decimals = 2; decimals >= 0; --decimals) {
        if (snprintf(out, CELL_BYTES, "%.*f", decimals, value) <= (int)width) {
            return;
        }
    }
    (void)snprintf(out, CELL_BYTES, "%.1e", value);
}

/* "12", "12.1", "door 3", "chr 5"; a character with a name has that in its column. */
static void number_cell(const scene_thing *thing, char room[CELL_BYTES])
{
    static const char *const prefixes[SCENE_LIST_COUNT] = {"", "door ", "chr "};
    const char *prefix = prefixes[thing->list];

    if (thing->who != NULL) {
        (void)snprintf(room, CELL_BYTES, "chr");
    } else if (thing->part > 0) {
        (void)snprintf(room, CELL_BYTES, "%s%lld.%lld", prefix, (long long)thing->number,
                       (long long)thing->part);
    } else {
        (void)snprintf(room, CELL_BYTES, "%s%lld", prefix, (long long)thing->number);
    }
}

/* A door says where it is on its way, or that it is jammed. */
static const char *state_word(const scene_thing *thing)
{
    if (thing->jammed) {
        return "jammed";
    }
    if (thing->door_state != NULL) {
        return thing->door_state;
    }
    return thing->state != NULL ? thing->state : "";
}

/* The text of a cell: one of the thing's own, or what was written into `room`. */
static const char *cell_text(const drawing *draw, const scene_thing *thing, column_id id,
                             char room[CELL_BYTES])
{
    double speed;

    switch (id) {
    case COLUMN_NUMBER:
        number_cell(thing, room);
        return room;
    case COLUMN_NAME:
        return thing->name;
    case COLUMN_CLIP:
        return thing->anim != NULL ? thing->anim : "-";
    case COLUMN_FRAME:
        (void)snprintf(room, CELL_BYTES, "%lld/%lld", (long long)thing->frame,
                       (long long)thing->frames);
        return thing->anim != NULL ? room : "-";
    case COLUMN_STATE:
        (void)snprintf(room, CELL_BYTES, thing->visible ? "%.40s" : "(%.40s)", state_word(thing));
        return room;
    case COLUMN_X:
    case COLUMN_Y:
    case COLUMN_Z:
        number_text((double)thing->m[9 + id - COLUMN_X], draw->widths[id], room);
        return room;
    case COLUMN_SPEED:
        speed = scene_speed(draw->scene, thing, draw->view->rate_hz);
        number_text(draw->view->held ? 0.0 : speed, draw->widths[id], room);
        return speed < 0.0 ? "-" : room;
    case COLUMN_COUNT:
        break;
    }
    return NULL;
}

static const char *state_style(const scene_thing *thing)
{
    if (!thing->visible || thing->state == NULL) {
        return "\033[2m";
    }
    return strcmp(thing->state, "playing") == 0  ? "\033[32m"
           : strcmp(thing->state, "paused") == 0 ? "\033[33m"
                                                 : "";
}

static void draw_thing(const scene_thing *thing, void *context)
{
    drawing *draw = context;
    char room[CELL_BYTES];

    ++draw->chosen;
    if (draw->rows_left == 0) {
        return;
    }
    --draw->rows_left;
    ++draw->shown;
    begin_line(draw->page, draw->view);
    for (column_id id = 0; id < COLUMN_COUNT; ++id) {
        bool styled = draw->view->colours && id == COLUMN_STATE;

        if (draw->widths[id] == 0) {
            continue;
        }
        page_add(draw->page, id > 0 ? " " : "");
        page_add(draw->page, styled ? state_style(thing) : "");
        page_cell(draw->page, cell_text(draw, thing, id, room), draw->widths[id],
                  columns[id].right);
        page_add(draw->page, styled ? PLAIN : "");
    }
    end_line(draw->page, draw->view);
}

/* ---- widths ---------------------------------------------------------------------------------- */

static unsigned sum_widths(const drawing *draw)
{
    unsigned sum = 0;

    for (column_id id = 0; id < COLUMN_COUNT; ++id) {
        sum += draw->widths[id] > 0 ? draw->widths[id] + 1 : 0;
    }
    return sum > 0 ? sum - 1 : 0;
}

/* Widens columns in turn, up to `most` each, while there is room. */
static void grow_widths(drawing *draw, const column_id *ids, size_t count, unsigned most)
{
    bool grew = true;

    while (grew) {
        grew = false;
        for (size_t i = 0; i < count; ++i) {
            unsigned *width = &draw->widths[ids[i]];

            if (*width > 0 && *width < columns[ids[i]].wide && *width < most &&
                sum_widths(draw) < draw->view->columns) {
                ++*width;
                grew = true;
            }
        }
    }
}

/* Narrow ones at first; what does not fit is left out from the right; what is over goes to clips
 * and names, then to all. */
static void fit_widths(drawing *draw)
{
    static const column_id all[] = {COLUMN_CLIP, COLUMN_NAME, COLUMN_NUMBER, COLUMN_X,
                                    COLUMN_Y,    COLUMN_Z,    COLUMN_SPEED,  COLUMN_FRAME};

    for (column_id id = 0; id < COLUMN_COUNT; ++id) {
        draw->widths[id] = live(draw->view) ? columns[id].narrow : columns[id].wide;
    }
    if (draw->view->moment) {
        draw->widths[COLUMN_SPEED] = 0;
    }
    if (!live(draw->view)) {
        return;
    }
    for (int id = COLUMN_COUNT - 1; id > 0 && sum_widths(draw) > draw->view->columns; --id) {
        draw->widths[id] = 0;
    }
    grow_widths(draw, all, 2, NAMES_COLUMNS);
    grow_widths(draw, all, sizeof all / sizeof all[0], UINT_MAX);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void draw_camera(const drawing *draw)
{
    const scene_camera *camera = &draw->scene->camera;
    ctl_page line;

    page_init(&line);
    page_format(&line, "camera %s at %.2f %.2f %.2f, fov %g",
                camera->mode != NULL ? camera->mode : "?", (double)camera->m[9],
                (double)camera->m[10], (double)camera->m[11], (double)camera->fov);
    if (camera->anim != NULL) {
        page_format(&line, ", %s frame %lld", camera->anim, (long long)camera->frame);
    }
    page_add(&line, camera->busy ? ", busy" : "");
    oban_writer_bytes(&line.text, "", 1);
    table_line(draw->page, draw->view, "", draw->scene->has_camera ? line.text.data : "no camera");
    page_fini(&line);
}

static void draw_titles(const drawing *draw)
{
    begin_line(draw->page, draw->view);
    page_add(draw->page, draw->view->colours ? BOLD : "");
    for (column_id id = 0; id < COLUMN_COUNT; ++id) {
        if (draw->widths[id] > 0) {
            page_add(draw->page, id > 0 ? " " : "");
            page_cell(draw->page, columns[id].title, draw->widths[id], columns[id].right);
        }
    }
    page_add(draw->page, draw->view->colours ? PLAIN : "");
    end_line(draw->page, draw->view);
}

void table_draw(ctl_page *page, const ctl_scene *scene, const ctl_selection *chosen,
                const table_view *view)
{
    unsigned overhead = 5; /* camera, empty line, titles, what counts the rest, a free line */
    drawing draw = {.page = page, .scene = scene, .view = view};

    draw.rows_left = view->rows == 0         ? UINT32_MAX
                     : view->rows > overhead ? view->rows - overhead
                                             : 0;
    fit_widths(&draw);
    draw_camera(&draw);
    begin_line(page, view);
    end_line(page, view);
    draw_titles(&draw);
    scene_each(scene, chosen, draw_thing, &draw);
    if (draw.chosen == 0 && chosen->count > 0) {
        table_line(page, view, "\033[2m", "nothing of what was asked for is there now");
    }
    if (draw.shown < draw.chosen) {
        char rest[CELL_BYTES * 2];

        (void)snprintf(rest, sizeof rest,
                       "... and %u more; name those you want: obanctl follow 1-20",
                       draw.chosen - draw.shown);
        table_line(page, view, "\033[2m", rest);
    }
    page_add(page, live(view) ? "\033[J" : "");
}
