/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "exact/exact_shadow.h"

#include <math.h>
#include <string.h>

#define SIDE 4  /* places along a side of a pixel */
#define ROWS 16 /* of a pair of corners */

static double part_below(double x, double sigma)
{
    return sigma > 0 ? 0.5 * erfc(-x / sigma * 0.70710678118654752) : x > 0;
}

/* Returns how much of a row between two rows shows at u. */
static double row_part(const stream_box_shadow *s, double u, double v, double top, double bottom, double left,
                       double right)
{
    double sigma = (double)s->sigma;
    return (part_below(v - top, sigma) - part_below(v - bottom, sigma)) *
           (part_below(u - left, sigma) - part_below(u - right, sigma));
}

/* How far a row at a distance from a corner's side lies from the other side. */
static double bulge(double radius, double y)
{
    return y < radius ? radius - sqrt(radius * radius - (radius - y) * (radius - y)) : 0;
}

static double level_at(const stream_box_shadow *s, double u, double v)
{
    const double x0 = (double)s->x0, x1 = (double)s->x1, y0 = (double)s->y0, y1 = (double)s->y1;
    const double top = fmax((double)s->top_left, (double)s->top_right),
                 bottom = fmax((double)s->bottom_left, (double)s->bottom_right);
    double sum = row_part(s, u, v, y0 + top, y1 - bottom, x0, x1);
    for (int i = 0; i < ROWS; i++) {
        const double from = (double)(i * i) / (ROWS * ROWS), to = (double)((i + 1) * (i + 1)) / (ROWS * ROWS);
        const double upper = top * (from + to) / 2, lower = bottom * (from + to) / 2;
        sum += row_part(s, u, v, y0 + top * from, y0 + top * to, x0 + bulge((double)s->top_left, upper),
                        x1 - bulge((double)s->top_right, upper));
        sum += row_part(s, u, v, y1 - bottom * to, y1 - bottom * from, x0 + bulge((double)s->bottom_left, lower),
                        x1 - bulge((double)s->bottom_right, lower));
    }
    return s->is_inset ? 1 - sum : sum;
}

void exact_shadow_color(const exact_stream *stream, const stream_paint *paint, exact_matrix matrix, uint32_t x,
                        uint32_t y, float *color)
{
    stream_box_shadow shadow;
    memcpy(&shadow, stream->words + stream->header.box_shadows + paint->first_stop * (sizeof shadow / 4),
           sizeof shadow);
    const double determinant = matrix.a * matrix.d - matrix.b * matrix.c;
    double sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double px = x + (i % SIDE + 0.5) / SIDE - matrix.e, py = y + (i / SIDE + 0.5) / SIDE - matrix.f;
        const double u = (matrix.d * px - matrix.c * py) / determinant,
                     v = (matrix.a * py - matrix.b * px) / determinant;
        sum += level_at(&shadow, (double)paint->a * u + (double)paint->c * v + (double)paint->e,
                        (double)paint->b * u + (double)paint->d * v + (double)paint->f);
    }
    for (int c = 0; c < 4; c++)
        color[c] = (float)((paint->color >> 8 * c & 0xff) / 255.0 * sum / (SIDE * SIDE));
}
