/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/color_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define MOST_STOPS 1024u /* of a line of colours; the others of a longer one are not read */
#define TWEENS 8u        /* steps between stops of different alpha */

typedef struct raw_stop {
    double offset;
    uint32_t order;
    pietra_color color;
} raw_stop;

static int compare_stops(const void *a, const void *b)
{
    const raw_stop *x = a, *y = b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : (x->order > y->order) - (x->order < y->order);
}

/* Colours of lines mix with their alphas (premultiplied), those of scenes do not: where alphas differ, stops between
 * come close. */
static void add_stop(color_line *line, const raw_stop *before, const raw_stop *stop, double span)
{
    if (before && before->color.a != stop->color.a && stop->offset > before->offset)
        for (unsigned i = 1; i < TWEENS; i++) {
            const double t = (double)i / TWEENS, a = (double)before->color.a, b = (double)stop->color.a;
            const double alpha = a + (b - a) * t, share = alpha > 0 ? b * t / alpha : 0;
            const pietra_color c = before->color, d = stop->color;
            line->stops[line->count++] =
                (pietra_stop){(float)((before->offset + (stop->offset - before->offset) * t - line->first) / span),
                              {c.r + (d.r - c.r) * (float)share, c.g + (d.g - c.g) * (float)share,
                               c.b + (d.b - c.b) * (float)share, (float)alpha}};
        }
    line->stops[line->count++] = (pietra_stop){(float)((stop->offset - line->first) / span), stop->color};
}

bool color_line_read(painter *painter, font_bytes bytes, bool varies, color_line *line)
{
    static const pietra_spread spreads[] = {PIETRA_SPREAD_PAD, PIETRA_SPREAD_REPEAT, PIETRA_SPREAD_REFLECT};
    const size_t stop_bytes = varies ? 10 : 6;
    size_t count = font_u16(bytes, 1);
    count = count < MOST_STOPS ? count : MOST_STOPS;
    *line = (color_line){.spread = font_u8(bytes, 0) < 3 ? spreads[font_u8(bytes, 0)] : PIETRA_SPREAD_PAD};
    while (count > 0 && !font_has(bytes, 3, count * stop_bytes))
        count--;
    if (!painter->request->spend(painter->request->user, count * TWEENS)) {
        painter_take(painter, PIETRA_ERROR_INPUT);
        return false;
    }
    raw_stop *raw = malloc((count + 1) * sizeof *raw);
    line->stops = malloc((count * TWEENS + 2) * sizeof *line->stops); /* two more for color_line_cut */
    if (!raw || !line->stops) {
        free(raw);
        free(line->stops);
        painter_take(painter, error_set_memory(painter->request->error));
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const font_bytes stop = font_after(bytes, 3 + i * stop_bytes);
        const paint_fields numbers = {painter->colr, stop, varies ? font_u32(stop, 6) : FONT_NO_VARIATION};
        raw[i] = (raw_stop){paint_fraction(&numbers, 0, 0), (uint32_t)i,
                            painter_color(painter, font_u16(stop, 2), paint_fraction(&numbers, 4, 1))};
    }
    qsort(raw, count, sizeof *raw, compare_stops);
    line->first = count ? raw[0].offset : 0;
    line->last = count ? raw[count - 1].offset : 1;
    const bool together = line->first == line->last;
    if (together)
        line->last = line->first + 1;
    if (together && line->spread != PIETRA_SPREAD_PAD)
        count = 0; /* there is nothing to repeat */
    for (size_t i = 0; i < count; i++)
        add_stop(line, i ? &raw[i - 1] : NULL, &raw[i], line->last - line->first);
    free(raw);
    return true;
}

static pietra_color color_between(const pietra_stop *a, const pietra_stop *b, double offset)
{
    const float t = b->offset > a->offset ? ((float)offset - a->offset) / (b->offset - a->offset) : 1;
    return (pietra_color){a->color.r + (b->color.r - a->color.r) * t, a->color.g + (b->color.g - a->color.g) * t,
                          a->color.b + (b->color.b - a->color.b) * t, a->color.a + (b->color.a - a->color.a) * t};
}

/* Beyond its ends a line has their colours. */
static pietra_color color_at(const color_line *line, double offset)
{
    if (offset <= (double)line->stops[0].offset)
        return line->stops[0].color;
    for (size_t i = 1; i < line->count; i++)
        if (offset < (double)line->stops[i].offset)
            return color_between(&line->stops[i - 1], &line->stops[i], offset);
    return line->stops[line->count - 1].color;
}

/* Stops that lie at an end stay, because several of them make a border. */
void color_line_cut(color_line *line, double from, double to)
{
    if (line->count == 0)
        return;
    const pietra_stop first = {0, color_at(line, from)}, last = {1, color_at(line, to)};
    size_t kept = 0;
    for (size_t i = 0; i < line->count; i++) {
        const double offset = (double)line->stops[i].offset;
        if (offset >= from && offset <= to)
            line->stops[kept++] = (pietra_stop){(float)((offset - from) / (to - from)), line->stops[i].color};
    }
    memmove(line->stops + 1, line->stops, kept * sizeof *line->stops);
    line->stops[0] = first;
    line->stops[kept + 1] = last;
    line->count = kept + 2;
}
