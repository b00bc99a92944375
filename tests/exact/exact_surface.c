/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "exact/exact_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 12 /* per pixel, in each direction */
#define MOST_TEXELS 1024

/* Returns the map from pixels to the unit square. */
static exact_matrix to_unit_square(const stream_paint *paint, exact_matrix m)
{
    double determinant = m.a * m.d - m.b * m.c;
    exact_matrix back = {m.d / determinant, -m.b / determinant, -m.c / determinant, m.a / determinant, 0, 0};
    double a = (double)paint->a, b = (double)paint->b, c = (double)paint->c, d = (double)paint->d;
    exact_matrix unit = {
        a * back.a + c * back.b, b * back.a + d * back.b, a * back.c + c * back.d, b * back.c + d * back.d, 0, 0};
    unit.e = (double)paint->e - unit.a * m.e - unit.c * m.f;
    unit.f = (double)paint->f - unit.b * m.e - unit.d * m.f;
    return unit;
}

static uint32_t texels_for(double across, double down)
{
    return (uint32_t)fmin(fmax(ceil(SAMPLES / hypot(across, down)), SAMPLES), MOST_TEXELS);
}

bool exact_surface_draw(const exact_stream *stream, const stream_paint *paint, exact_matrix matrix,
                        exact_surface *surface)
{
    exact_matrix unit = to_unit_square(paint, matrix);
    stream_surface record;
    memcpy(&record, stream->words + stream->header.surfaces + paint->first_stop * (sizeof record / 4), sizeof record);
    surface->width = texels_for(unit.a, unit.c);
    surface->height = texels_for(unit.b, unit.d);
    surface->pixels = calloc((size_t)surface->width * surface->height, 4 * sizeof *surface->pixels);
    pietra_transform frame = {surface->width, 0, 0, surface->height, 0, 0};
    const uint32_t *words = stream->words + stream->header.surface_words + record.first_word;
    return surface->pixels && exact_render_words(words, frame, surface->width, surface->height, surface->pixels);
}

/* Brings t into [0, 1) by the spread. */
static double wrap(double t, uint32_t spread)
{
    if (spread == SPREAD_REPEAT)
        return t - floor(t);
    double turned = spread == SPREAD_REFLECT ? fabs(t - 2 * floor(0.5 * t + 0.5)) : t;
    return fmin(fmax(turned, 0), 1);
}

/* Returns the place of a sample. If a pixel holds more squares than samples, the samples spread over one square. */
static double place(double step, double at, int sample, uint32_t spread)
{
    return wrap(step > SAMPLES && spread != SPREAD_PAD ? (sample + 0.5) / SAMPLES : at, spread);
}

static uint32_t texel_at(double t, uint32_t count)
{
    uint32_t texel = (uint32_t)(t * count);
    return texel < count ? texel : count - 1;
}

void exact_surface_color(const exact_surface *surface, const stream_paint *paint, exact_matrix matrix, uint32_t x,
                         uint32_t y, float *color)
{
    exact_matrix unit = to_unit_square(paint, matrix);
    double sum[4] = {0};
    for (int j = 0; j < SAMPLES; j++) {
        for (int i = 0; i < SAMPLES; i++) {
            double px = x + (i + 0.5) / SAMPLES, py = y + (j + 0.5) / SAMPLES;
            double u = place(hypot(unit.a, unit.c), unit.a * px + unit.c * py + unit.e, i, paint->spread);
            double v = place(hypot(unit.b, unit.d), unit.b * px + unit.d * py + unit.f, j, paint->spread);
            uint32_t column = texel_at(u, surface->width), row = texel_at(v, surface->height);
            for (int c = 0; c < 4; c++)
                sum[c] += (double)surface->pixels[4 * ((size_t)row * surface->width + column) + (size_t)c];
        }
    }
    for (int c = 0; c < 4; c++)
        color[c] = (float)(sum[c] / (SAMPLES * SAMPLES) * paint->opacity / 255);
}
