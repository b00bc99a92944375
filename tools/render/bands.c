/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layout/stream.h"
#include "memory_limit.h"

#define LEAST_BYTES ((uint64_t)16 << 20) /* of a picture's pixels */
#define BAND_BYTES ((uint64_t)2 << 20)
/* One pixel, with its part of the file, takes some 8 ns, an element at least 8 us, a segment that is flattened again
 * 50 ns, an element that is walked past 15. What bands cost may take a fiftieth of the time. */
#define PIXELS_OF_A_SEGMENT 300u
#define PIXELS_OF_AN_ELEMENT 100u /* that is walked past */
#define PIXELS_OF_A_DRAWN_ELEMENT 1000u
#define LEAST_BANDS 6u /* fewer save little memory */

static uint32_t least_rows(const banded *banded)
{
    uint64_t rows = BAND_BYTES / (4 * (uint64_t)banded->width) / PIETRA_REGION_STEP * PIETRA_REGION_STEP;

    return rows < PIETRA_REGION_STEP ? PIETRA_REGION_STEP : (uint32_t)rows;
}

/* Returns the first row of a box, or the last one, beside the picture too. */
static double edge_of(const banded *banded, const stream_transform *element, const stream_element *box, bool last)
{
    const pietra_transform frame = banded->frame->transform,
                           all = pietra_multiply(frame, (pietra_transform){element->a, element->b, element->c,
                                                                           element->d, element->e, element->f});
    double x0 = all.b * box->box_x0, x1 = all.b * box->box_x1, y0 = all.d * box->box_y0, y1 = all.d * box->box_y1;

    return all.f + (last ? fmax(x0, x1) + fmax(y0, y1) : fmin(x0, x1) + fmin(y0, y1));
}

/* Returns how many bands beyond the first one an element is in. */
static double bands_beyond_first(const banded *banded, const stream_transform *transform, const stream_element *element)
{
    double rows = banded->rows, top = fmax(0, edge_of(banded, transform, element, false)),
           bottom = fmin(banded->height, edge_of(banded, transform, element, true));

    return bottom > top ? floor(bottom / rows) - floor(top / rows) : 0;
}

static double segments_again(const banded *banded, const uint32_t *words)
{
    const stream_header *header = (const stream_header *)words;
    const stream_element *elements = (const stream_element *)(words + sizeof *header / sizeof *words);
    const stream_path *paths = (const stream_path *)(words + header->paths);
    const stream_transform *transforms = (const stream_transform *)(words + header->transforms);
    double again = 0;

    for (uint32_t i = 0; i < header->element_count; i++)
        if (elements[i].path != STREAM_NONE)
            again += paths[elements[i].path].segment_count *
                     bands_beyond_first(banded, &transforms[elements[i].transform], &elements[i]);
    return again;
}

static bool cost_little(const banded *banded)
{
    const uint32_t *words = pietra_stream_bytes(banded->stream, NULL);
    const stream_header *header = (const stream_header *)words;
    const double pixels =
        (double)banded->width * banded->height + (double)header->element_count * PIXELS_OF_A_DRAWN_ELEMENT;
    const double bands = ceil(banded->height / (double)banded->rows);

    return header->element_count * bands * PIXELS_OF_AN_ELEMENT <= pixels &&
           segments_again(banded, words) * PIXELS_OF_A_SEGMENT <= pixels;
}

bool bands_suit(banded *banded)
{
    const stream_header *header = pietra_stream_bytes(banded->stream, NULL);
    pietra_device_info info;

    pietra_device_get_info(banded->device, &info);
    if (info.kind != PIETRA_DEVICE_CPU || 4 * (uint64_t)banded->width * banded->height < LEAST_BYTES ||
        header->effect_count > 0)
        return false;
    banded->rows = least_rows(banded);
    while (!cost_little(banded) && banded->rows < banded->height / LEAST_BANDS)
        banded->rows *= 2;
    return cost_little(banded);
}

static void add_stats(pietra_stats *all, const pietra_stats *band)
{
    pietra_stats sum = *band;

    sum.lines += all->lines;
    sum.tile_lines += all->tile_lines;
    sum.tile_commands += all->tile_commands;
    sum.passes += all->passes;
    sum.parts += all->parts;
    sum.frame_ms += all->frame_ms;
    sum.memory_bytes = all->memory_bytes > sum.memory_bytes ? all->memory_bytes : sum.memory_bytes;
    for (uint32_t i = 0; i < all->stage_count && i < sum.stage_count; i++)
        sum.stages[i].milliseconds += all->stages[i].milliseconds;
    *all = sum;
}

static pietra_result draw_band(const banded *banded, uint32_t y, uint32_t rows, uint8_t *pixels, pietra_error *error,
                               pietra_stats *stats)
{
    pietra_frame frame = *banded->frame;
    pietra_target target = {.width = banded->width, .height = rows, .pixels = pixels, .may_spoil = true};
    pietra_stats own;
    pietra_result result;

    frame.region = (pietra_region){.y = y, .picture_width = banded->width, .picture_height = banded->height};
    result = pietra_render(banded->device, banded->stream, &frame, &target, error, &own);
    if (result == PIETRA_OK)
        add_stats(stats, &own);
    return result;
}

static pietra_result lacks_memory(const banded *banded, pietra_error *error)
{
    error->result = PIETRA_ERROR_MEMORY;
    error->line = 0;
    snprintf(error->message, sizeof error->message, "out of memory for %u x %u pixels", banded->width, banded->height);
    return PIETRA_ERROR_MEMORY;
}

/* Returns whether indices and a canvas may exist side by side. A limit that the kernel does not tell by refusing memory
 * ends the process instead. */
static bool has_room_for_both(const banded *banded)
{
    size_t stream_bytes;

    pietra_stream_bytes(banded->stream, &stream_bytes);
    return (5.0 * banded->height + 4.0 * banded->rows) * banded->width + (double)stream_bytes <= (double)memory_limit();
}

/* Puts what is there so far into a canvas of its own: the indices, and a band behind them. */
static bool give_up_indices(const png_indexed *indexed, const png_canvas *band, uint32_t rows, png_canvas *canvas)
{
    if (!png_canvas_create(canvas, indexed->width, indexed->height))
        return false;
    png_indexed_expand(indexed, canvas->pixels);
    memcpy(canvas->pixels + 4 * (size_t)indexed->rows * indexed->width, band->pixels,
           4 * (size_t)rows * indexed->width);
    return true;
}

static pietra_result draw_bands(const banded *banded, png_canvas *band, png_indexed *indexed, png_canvas *canvas,
                                pietra_error *error, pietra_stats *stats)
{
    for (uint32_t y = 0, rows; y < banded->height; y += rows) {
        rows = banded->height - y < banded->rows ? banded->height - y : banded->rows;
        uint8_t *pixels = canvas->pixels ? canvas->pixels + 4 * (size_t)y * banded->width : band->pixels;
        pietra_result result = draw_band(banded, y, rows, pixels, error, stats);
        if (result != PIETRA_OK)
            return result;
        if (canvas->pixels || png_indexed_add(indexed, pixels, rows))
            continue;
        if (!has_room_for_both(banded) || !give_up_indices(indexed, band, rows, canvas))
            return lacks_memory(banded, error);
        png_indexed_destroy(indexed);
        png_canvas_destroy(band);
    }
    return PIETRA_OK;
}

pietra_result bands_draw(const banded *banded, png_indexed *indexed, png_canvas *canvas, pietra_error *error,
                         pietra_stats *stats)
{
    png_canvas band;
    pietra_result result;

    *stats = (pietra_stats){.parts = 0};
    if (!png_canvas_create(&band, banded->width, banded->rows) ||
        !png_indexed_create(indexed, banded->width, banded->height))
        result = lacks_memory(banded, error);
    else
        result = draw_bands(banded, &band, indexed, canvas, error, stats);
    png_canvas_destroy(&band);
    return result;
}
