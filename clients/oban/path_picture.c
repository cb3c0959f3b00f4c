/* SPDX-License-Identifier: MIT */
/* See path_picture.h. The view from above stands over the one from the side, x to the right in
 * both, so that a place in one is right over the same place in the other. */
#include "clients/oban/path_picture.h"

#include "core/base/text.h"
#include "proto/format/xml_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DRAW_WIDTH 880.0  /* of the longest way, in pixels */
#define DRAW_HEIGHT 640.0 /* of both views together */
#define DRAW_LEAST 40.0   /* a view is as high and wide at least */
#define DRAW_ROOM 18.0    /* around what is drawn, in its frame */
#define MARGIN_LEFT 90.0
#define MARGIN_TOP 30.0
#define MARGIN_RIGHT 30.0
#define MARGIN_BETWEEN 66.0
#define GRID_PIXELS 90.0 /* about so far apart */
#define NEAR_PIXELS 0.2  /* points closer than this to the one drawn last are left out */
#define LEGEND_LINE 18.0
#define LEGEND_MAX 40u
#define MARKS_WANTED 12u
#define MARKS_MAX 400u  /* of one animation */
#define LABEL_WIDE 26.0 /* room of a frame's number */
#define LABEL_HIGH 11.0

/* Colours that colour-blind people can tell apart (Okabe and Ito's). */
static const char *const path_colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                           "#e69f00", "#56b4e9", "#000000"};
#define PATH_COLOURS (sizeof path_colours / sizeof path_colours[0])

/* One view: which coordinate goes down, and whether it rises upwards. */
typedef struct path_view {
    const char *title;
    int axis;
    bool up;
    double top; /* pixels */
    double height;
} path_view;

typedef struct picture {
    oban_writer *out;
    const path_way *ways;
    uint32_t count;
    uint32_t marks;
    double low[3];
    double high[3];
    double scale; /* pixels per unit */
    double width; /* of the views, without margins */
    double grid;  /* units */
} picture;

__attribute__((format(printf, 2, 3))) static void put(picture *drawn, const char *format, ...)
{
    char line[512];
    va_list arguments;

    va_start(arguments, format);
    int bytes = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (bytes > 0) {
        oban_writer_bytes(drawn->out, line, strlen(line));
    }
}

/* ---- measures -------------------------------------------------------------------------------- */

static void measure(picture *drawn)
{
    for (int axis = 0; axis < 3; axis++) {
        drawn->low[axis] = HUGE_VAL;
        drawn->high[axis] = -HUGE_VAL;
    }
    for (uint32_t i = 0; i < drawn->count; i++) {
        for (uint32_t frame = 0; frame < drawn->ways[i].count; frame++) {
            for (int axis = 0; axis < 3; axis++) {
                double value = (double)drawn->ways[i].points[frame].at[axis];
                drawn->low[axis] = value < drawn->low[axis] ? value : drawn->low[axis];
                drawn->high[axis] = value > drawn->high[axis] ? value : drawn->high[axis];
            }
        }
    }
}

/* 1, 2 or 5 times a power of ten, not below `least`. */
static double round_step(double least)
{
    double power = pow(10, floor(log10(least)));

    for (int i = 0; i < 3; i++) {
        static const double steps[3] = {1, 2, 5};
        if (power * steps[i] >= least * 0.999) {
            return power * steps[i];
        }
    }
    return power * 10;
}

static void choose_scale(picture *drawn)
{
    double across = drawn->high[0] - drawn->low[0];
    double down = drawn->high[2] - drawn->low[2] + drawn->high[1] - drawn->low[1];
    double by_width = across > 0 ? DRAW_WIDTH / across : HUGE_VAL;
    double by_height = down > 0 ? DRAW_HEIGHT / down : HUGE_VAL;

    drawn->scale = by_width < by_height ? by_width : by_height;
    if (!isfinite(drawn->scale) || drawn->scale > 1e9) {
        drawn->scale = 1; /* it stands still */
    }
    drawn->width = across * drawn->scale;
    drawn->width = (drawn->width > DRAW_LEAST ? drawn->width : DRAW_LEAST) + 2 * DRAW_ROOM;
    drawn->grid = round_step(GRID_PIXELS / drawn->scale);
}

static double height_of(const picture *drawn, int axis)
{
    double height = (drawn->high[axis] - drawn->low[axis]) * drawn->scale;
    return (height > DRAW_LEAST ? height : DRAW_LEAST) + 2 * DRAW_ROOM;
}

/* Pixels of a coordinate; what is narrower than its view stands in the middle of it. */
static double place(const picture *drawn, int axis, double value, double room)
{
    double used = (drawn->high[axis] - drawn->low[axis]) * drawn->scale;
    return (room - used) / 2 + (value - drawn->low[axis]) * drawn->scale;
}

static double place_x(const picture *drawn, double value)
{
    return MARGIN_LEFT + place(drawn, 0, value, drawn->width);
}

static double place_down(const picture *drawn, const path_view *view, double value)
{
    double at = place(drawn, view->axis, value, view->height);
    return view->top + (view->up ? view->height - at : at);
}

/* So that the longest way has a dozen marks at round frames. */
static uint32_t choose_marks(const picture *drawn)
{
    uint32_t most = 1;

    for (uint32_t i = 0; i < drawn->count; i++) {
        most = drawn->ways[i].count > most ? drawn->ways[i].count : most;
    }
    double step = round_step((double)most / MARKS_WANTED);
    return step < 1 ? 1 : (uint32_t)step;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_grid_across(picture *drawn, const path_view *view)
{
    double first = ceil(drawn->low[0] / drawn->grid - 0.001);
    double last = floor(drawn->high[0] / drawn->grid + 0.001);

    for (double i = first; i <= last && last - first < 100; i++) {
        double x = place_x(drawn, i * drawn->grid + 0.0);
        put(drawn, "<path class=\"grid\" d=\"M%.2f %.2fv%.2f\"/>\n", x, view->top, view->height);
        put(drawn, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%.10g</text>\n", x,
            view->top + view->height + 14, i * drawn->grid + 0.0);
    }
}

static void draw_grid_down(picture *drawn, const path_view *view)
{
    double first = ceil(drawn->low[view->axis] / drawn->grid - 0.001);
    double last = floor(drawn->high[view->axis] / drawn->grid + 0.001);

    for (double i = first; i <= last && last - first < 100; i++) {
        double y = place_down(drawn, view, i * drawn->grid + 0.0);
        put(drawn, "<path class=\"grid\" d=\"M%.2f %.2fh%.2f\"/>\n", MARGIN_LEFT, y, drawn->width);
        put(drawn, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">%.10g</text>\n",
            MARGIN_LEFT - 6, y + 4, i * drawn->grid + 0.0);
    }
}

static void draw_line(picture *drawn, const path_view *view, const path_way *way)
{
    double x = 0;
    double y = 0;

    put(drawn, "<path class=\"way\" d=\"");
    for (uint32_t frame = 0; frame < way->count; frame++) {
        double next_x = place_x(drawn, (double)way->points[frame].at[0]);
        double next_y = place_down(drawn, view, (double)way->points[frame].at[view->axis]);
        bool far = fabs(next_x - x) > NEAR_PIXELS || fabs(next_y - y) > NEAR_PIXELS;

        if (frame == 0 || far || frame + 1 == way->count) {
            put(drawn, "%s%.2f %.2f", frame == 0 ? "M" : "L", next_x, next_y);
            x = next_x;
            y = next_y;
        }
    }
    put(drawn, "\"/>\n");
}

/* Where the numbers of one way stand, so that none covers another. */
typedef struct label_set {
    double at[MARKS_MAX + 2][2];
    uint32_t count;
} label_set;

static bool label_fits(label_set *labels, double x, double y)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        if (fabs(labels->at[i][0] - x) < LABEL_WIDE && fabs(labels->at[i][1] - y) < LABEL_HIGH) {
            return false;
        }
    }
    labels->at[labels->count][0] = x;
    labels->at[labels->count][1] = y;
    labels->count++;
    return true;
}

/* A disc where it begins, a square where it ends, rings with the number of the frame between. */
static void draw_marks(picture *drawn, const path_view *view, const path_way *way)
{
    uint32_t last = way->count - 1;
    uint32_t step = drawn->marks;
    label_set labels = {.count = 0};

    step = last / step > MARKS_MAX ? last / MARKS_MAX + 1 : step;
    for (uint32_t frame = 0; frame <= last; frame += step) {
        double x = place_x(drawn, (double)way->points[frame].at[0]);
        double y = place_down(drawn, view, (double)way->points[frame].at[view->axis]);
        put(drawn, "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"%d\"/>\n",
            frame == 0 ? "begin" : "mark", x, y, frame == 0 ? 4 : 3);
        if (label_fits(&labels, x, y)) {
            put(drawn, "<text x=\"%.2f\" y=\"%.2f\">%u</text>\n", x + 6, y - 5, frame);
        }
    }
    put(drawn, "<rect class=\"end\" x=\"%.2f\" y=\"%.2f\" width=\"7\" height=\"7\"/>\n",
        place_x(drawn, (double)way->points[last].at[0]) - 3.5,
        place_down(drawn, view, (double)way->points[last].at[view->axis]) - 3.5);
}

static void draw_view(picture *drawn, const path_view *view)
{
    put(drawn, "<text class=\"title\" x=\"%.2f\" y=\"%.2f\">%s</text>\n", MARGIN_LEFT,
        view->top - 10, view->title);
    draw_grid_across(drawn, view);
    draw_grid_down(drawn, view);
    put(drawn, "<rect class=\"frame\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
        MARGIN_LEFT, view->top, drawn->width, view->height);
    for (uint32_t i = 0; i < drawn->count; i++) {
        put(drawn, "<g color=\"%s\">\n", path_colours[i % PATH_COLOURS]);
        draw_line(drawn, view, &drawn->ways[i]);
        draw_marks(drawn, view, &drawn->ways[i]);
        put(drawn, "</g>\n");
    }
}

static void draw_legend(picture *drawn, double top)
{
    uint32_t named = drawn->count < LEGEND_MAX ? drawn->count : LEGEND_MAX;

    for (uint32_t i = 0; i < named; i++) {
        double y = top + LEGEND_LINE * i;
        put(drawn, "<g color=\"%s\"><path class=\"way\" d=\"M%.2f %.2fh24\"/></g>\n",
            path_colours[i % PATH_COLOURS], MARGIN_LEFT, y - 4);
        put(drawn, "<text class=\"name\" x=\"%.2f\" y=\"%.2f\">", MARGIN_LEFT + 32, y);
        oban_xml_text(drawn->out, oban_text_of(drawn->ways[i].name));
        put(drawn, ", %u frame%s</text>\n", drawn->ways[i].count,
            drawn->ways[i].count == 1 ? "" : "s");
    }
    if (named < drawn->count) {
        put(drawn, "<text class=\"name\" x=\"%.2f\" y=\"%.2f\">and %u more</text>\n", MARGIN_LEFT,
            top + LEGEND_LINE * named, drawn->count - named);
    }
}

static void draw_head(picture *drawn, double width, double height)
{
    put(drawn,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
        "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>",
        width, height, width, height);
    if (drawn->count == 1) {
        put(drawn, "The way of ");
        oban_xml_text(drawn->out, oban_text_of(drawn->ways[0].name));
    } else {
        put(drawn, "The ways of %u animations", drawn->count);
    }
    put(drawn, ", from above and from the side</title>\n"
               "<style>text{font:11px sans-serif;fill:#444}.title,.name{font-size:13px;fill:#000}"
               ".grid{stroke:#ddd}.frame{fill:none;stroke:#888}"
               ".way{fill:none;stroke:currentColor;stroke-width:1.6}"
               ".mark{fill:#fff;stroke:currentColor}.begin,.end{fill:currentColor}</style>\n");
    put(drawn, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
}

void path_picture(const path_way *ways, uint32_t count, uint32_t marks, oban_writer *out)
{
    picture drawn = {.out = out, .ways = ways, .count = count, .marks = marks};
    path_view above = {.title = "from above: x to the right, z down", .axis = 2, .top = MARGIN_TOP};
    path_view side = {.title = "from the side: x to the right, y up", .axis = 1, .up = true};

    measure(&drawn);
    choose_scale(&drawn);
    drawn.marks = marks > 0 ? marks : choose_marks(&drawn);
    above.height = height_of(&drawn, above.axis);
    side.height = height_of(&drawn, side.axis);
    side.top = above.top + above.height + MARGIN_BETWEEN;
    double legend = side.top + side.height + 48;
    uint32_t lines = count < LEGEND_MAX ? count : LEGEND_MAX + 1;
    double width = MARGIN_LEFT + drawn.width + MARGIN_RIGHT;
    draw_head(&drawn, width > 420 ? width : 420, legend + LEGEND_LINE * lines);
    draw_view(&drawn, &above);
    draw_view(&drawn, &side);
    draw_legend(&drawn, legend);
    put(&drawn, "</svg>\n");
}
