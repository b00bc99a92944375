/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Colours and gradients, and what fills with them. */
#include <math.h>
#include <stdlib.h>

#include "base/transform.h"
#include "font/color_line.h"

/* Of the other radius: a paint whose last radius is 0 would have one colour. */
#define LEAST_RADIUS 1e-6

static float clamp(double value)
{
    return (float)(value < 0 ? 0 : value > 1 ? 1 : value);
}

static pietra_color find_color(const painter *painter, uint32_t index)
{
    const picture_request *request = painter->request;
    pietra_color color = {0};
    if (!request->replace || !request->replace(request->user, index, &color))
        colr_color(painter->colr, request->palette, index, &color);
    return color;
}

pietra_color painter_color(const painter *painter, uint32_t index, double alpha)
{
    pietra_color color = {0};
    if (index == COLR_FOREGROUND) {
        const pietra_paint *foreground = painter->request->foreground;
        painter->request->has_foreground = true;
        color = foreground->kind == PIETRA_PAINT_SOLID ? foreground->color : (pietra_color){0, 0, 0, 1};
        color.a *= 1 - foreground->transparency;
    } else {
        color = find_color(painter, index);
    }
    color.a *= clamp(alpha);
    return color;
}

static pietra_paint make_solid(const painter *painter, uint32_t index, double alpha)
{
    if (index != COLR_FOREGROUND || painter->request->foreground->kind == PIETRA_PAINT_SOLID)
        return (pietra_paint){.color = painter_color(painter, index, alpha)};
    pietra_paint paint = *painter->request->foreground;
    painter->request->has_foreground = true;
    paint.transparency = 1 - (1 - paint.transparency) * clamp(alpha);
    return paint;
}

static void fill(painter *painter, const pietra_paint *paint)
{
    if (painter_goes_on(painter))
        painter_take(painter, pietra_scene_fill(painter->request->scene, painter->path, NULL, PIETRA_FILL_NONZERO,
                                                paint, painter->request->error));
}

static void fill_gradient(painter *painter, const color_line *line, pietra_paint paint, pietra_transform space)
{
    paint.stops = line->stops;
    paint.stop_count = line->count;
    paint.spread = line->spread;
    paint.transform = space;
    if (line->count > 0)
        fill(painter, &paint);
}

/* The third point turns the gradient: colours run at a right angle to the way to it from the first one. */
static void fill_linear(painter *painter, font_bytes bytes, pietra_transform space)
{
    const paint_fields numbers = paint_fields_of(painter->colr, bytes, 16);
    const double x0 = paint_units(&numbers, 4, 0), y0 = paint_units(&numbers, 6, 1),
                 x1 = paint_units(&numbers, 8, 2) - x0, y1 = paint_units(&numbers, 10, 3) - y0,
                 x2 = paint_units(&numbers, 12, 4) - x0, y2 = paint_units(&numbers, 14, 5) - y0;
    const double across = x2 * x2 + y2 * y2, reach = across > 0 ? (x1 * y2 - y1 * x2) / across : 0;
    color_line line;
    if (!color_line_read(painter, font_after(bytes, font_u24(bytes, 1)), font_u8(bytes, 0) % 2, &line))
        return;
    const double x = reach * y2, y = -reach * x2;
    const pietra_paint paint = {.kind = PIETRA_PAINT_LINEAR,
                                .x0 = x0 + x * line.first,
                                .y0 = y0 + y * line.first,
                                .x1 = x0 + x * line.last,
                                .y1 = y0 + y * line.last};
    if (x != 0 || y != 0)
        fill_gradient(painter, &line, paint, space);
    free(line.stops);
}

/* The circles of a radial gradient: the one of offset 0, and what is added to it up to offset 1. */
typedef struct circles {
    double x, y, r, dx, dy, dr;
} circles;

/* Returns the circles for which two offsets become 0 and 1. */
static circles circles_between(circles c, double from, double to)
{
    const double width = to - from;
    return (circles){c.x + c.dx * from, c.y + c.dy * from, c.r + c.dr * from, c.dx * width, c.dy * width, c.dr * width};
}

/* Leaves out the offsets whose radii would be less than 0, since they have no circles. */
static void cut_circles(circles *c, color_line *line)
{
    const double point = -c->r / c->dr; /* the offset of radius 0 */
    double from = 0, to = 1;
    if (c->dr > 0 && point > 0) {
        from = point;
        to = point < 1 ? 1 : point + 1;
    } else if (c->dr < 0 && point < 1) {
        from = point > 0 ? 0 : point - 1;
        to = point;
    }
    color_line_cut(line, from, to);
    *c = circles_between(*c, from, to);
}

/* Moves circles by whole periods of the line, so that none has a radius below 0. */
static void move_circles(circles *c, const color_line *line)
{
    const double period = line->spread == PIETRA_SPREAD_REFLECT ? 2 : 1;
    double by = 0;
    if (c->dr > 0 && c->r < 0)
        by = ceil(-c->r / c->dr / period) * period;
    else if (c->dr < 0 && c->r + c->dr < 0)
        by = floor((c->r / -c->dr - 1) / period) * period;
    *c = circles_between(*c, by, by + 1);
}

static void fill_circles(painter *painter, circles c, color_line *line, pietra_transform space)
{
    if (line->count == 0 || (c.dr == 0 && c.r <= 0))
        return;
    if (c.dr != 0 && line->spread == PIETRA_SPREAD_PAD)
        cut_circles(&c, line);
    else if (c.dr != 0)
        move_circles(&c, line);
    const pietra_paint paint = {.kind = PIETRA_PAINT_RADIAL,
                                .x0 = c.x,
                                .y0 = c.y,
                                .r0 = fmax(c.r, 0),
                                .x1 = c.x + c.dx,
                                .y1 = c.y + c.dy,
                                .r1 = fmax(c.r + c.dr, LEAST_RADIUS * c.r)};
    fill_gradient(painter, line, paint, space);
}

static void fill_radial(painter *painter, font_bytes bytes, pietra_transform space)
{
    const paint_fields numbers = paint_fields_of(painter->colr, bytes, 16);
    const double x = paint_units(&numbers, 4, 0), y = paint_units(&numbers, 6, 1),
                 r = paint_vary(&numbers, font_u16(bytes, 8), 2);
    const circles whole = {.x = x,
                           .y = y,
                           .r = r,
                           .dx = paint_units(&numbers, 10, 3) - x,
                           .dy = paint_units(&numbers, 12, 4) - y,
                           .dr = paint_vary(&numbers, font_u16(bytes, 14), 5) - r};
    color_line line;
    if (!color_line_read(painter, font_after(bytes, font_u24(bytes, 1)), font_u8(bytes, 0) % 2, &line))
        return;
    fill_circles(painter, circles_between(whole, line.first, line.last), &line, space);
    free(line.stops);
}

/* Angles are stored less 180 degrees, and run from x towards y, which is up. */
static void fill_sweep(painter *painter, font_bytes bytes, pietra_transform space)
{
    const paint_fields numbers = paint_fields_of(painter->colr, bytes, 12);
    const double start = 180 + paint_degrees(&numbers, 8, 2), sweep = 180 + paint_degrees(&numbers, 10, 3) - start;
    color_line line;
    if (!color_line_read(painter, font_after(bytes, font_u24(bytes, 1)), font_u8(bytes, 0) % 2, &line))
        return;
    const pietra_paint paint = {.kind = PIETRA_PAINT_SWEEP,
                                .x0 = paint_units(&numbers, 4, 0),
                                .y0 = paint_units(&numbers, 6, 1),
                                .start_degrees = start + sweep * line.first,
                                .end_degrees = start + sweep * line.last};
    fill_gradient(painter, &line, paint, space);
    free(line.stops);
}

void painter_fill_solid(painter *painter, uint32_t color, double alpha)
{
    const pietra_paint paint = make_solid(painter, color, alpha);
    fill(painter, &paint);
}

void painter_fill_leaf(painter *painter, font_bytes bytes, pietra_transform space)
{
    switch (font_u8(bytes, 0) & ~1u) {
    case PAINT_SOLID: {
        const paint_fields numbers = paint_fields_of(painter->colr, bytes, 5);
        const pietra_paint paint = make_solid(painter, font_u16(bytes, 1), paint_fraction(&numbers, 3, 0));
        fill(painter, &paint);
        break;
    }
    case PAINT_LINEAR:
        fill_linear(painter, bytes, space);
        break;
    case PAINT_RADIAL:
        fill_radial(painter, bytes, space);
        break;
    default:
        fill_sweep(painter, bytes, space);
        break;
    }
}
