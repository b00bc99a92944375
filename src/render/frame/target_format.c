/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/frame/target_format.h"

#include <string.h>

bool target_format_is_blue_first(pietra_format format)
{
    return format == PIETRA_FORMAT_BGRA8_STRAIGHT || format == PIETRA_FORMAT_BGRA8_PREMULTIPLIED ||
           format == PIETRA_FORMAT_BGRA8_OPAQUE;
}

bool target_format_is_opaque(pietra_format format)
{
    return format == PIETRA_FORMAT_RGBA8_OPAQUE || format == PIETRA_FORMAT_BGRA8_OPAQUE;
}

static bool is_premultiplied(pietra_format format)
{
    return format == PIETRA_FORMAT_RGBA8_PREMULTIPLIED || format == PIETRA_FORMAT_BGRA8_PREMULTIPLIED;
}

static uint8_t *row_of(const pietra_target *target, uint32_t y)
{
    const size_t stride = target->stride_bytes ? target->stride_bytes : 4 * (size_t)target->width;
    return (uint8_t *)target->pixels + y * stride;
}

static void swap_colors(uint8_t *row, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++) {
        const uint8_t first = row[4 * x];
        row[4 * x] = row[4 * x + 2];
        row[4 * x + 2] = first;
    }
}

/* Premultiplied colours are those over black. */
static void make_opaque(uint8_t *row, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++)
        row[4 * x + 3] = 255;
}

/* Divides by alpha, rounded to the nearest. */
static void make_straight(uint8_t *row, uint32_t width)
{
    for (uint8_t *pixel = row; pixel < row + 4 * (size_t)width; pixel += 4) {
        unsigned alpha = pixel[3];
        for (size_t i = 0; i < 3 && alpha > 0; i++) {
            unsigned value = (pixel[i] * 255u + alpha / 2) / alpha;
            pixel[i] = (uint8_t)(value < 255 ? value : 255);
        }
    }
}

void target_format_finish(const pietra_target *target)
{
    const bool swapped = target_format_is_blue_first(target->format), opaque = target_format_is_opaque(target->format);
    for (uint32_t y = 0; (swapped || opaque) && y < target->height; y++) {
        if (swapped)
            swap_colors(row_of(target, y), target->width);
        if (opaque)
            make_opaque(row_of(target, y), target->width);
    }
}

void target_format_read_row(const pietra_target *target, uint32_t y, uint8_t *row)
{
    memcpy(row, row_of(target, y), 4 * (size_t)target->width);
    if (target_format_is_blue_first(target->format))
        swap_colors(row, target->width);
    if (target_format_is_opaque(target->format))
        make_opaque(row, target->width);
    if (is_premultiplied(target->format))
        make_straight(row, target->width);
}
