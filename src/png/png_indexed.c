/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "png/png_indexed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "png/png_rows.h"

#define GROUP 8u /* pixels tested together */

bool png_indexed_create(png_indexed *indexed, uint32_t width, uint32_t height)
{
    indexed->width = width;
    indexed->height = height;
    indexed->rows = 0;
    indexed->indices = memory_alloc((size_t)width * height);
    indexed->colours = malloc(sizeof *indexed->colours);
    if (!indexed->indices || !indexed->colours)
        return false;
    png_census_begin(indexed->colours);
    return true;
}

void png_indexed_destroy(png_indexed *indexed)
{
    free(indexed->indices);
    free(indexed->colours);
    indexed->colours = NULL;
    indexed->indices = NULL;
}

static inline uint32_t load_pixel(const uint8_t *at)
{
    uint32_t pixel;

    memcpy(&pixel, at, sizeof pixel);
    return pixel;
}

/* Returns whether GROUP pixels all have one colour. There are no branches, so that the compiler vectorizes it. */
static inline bool is_flat(const uint8_t *pixels, uint32_t colour)
{
    uint32_t difference = 0;

    for (size_t i = 0; i < GROUP; i++)
        difference |= load_pixel(pixels + 4 * i) ^ colour;
    return difference == 0;
}

bool png_indexed_add(png_indexed *indexed, const uint8_t *pixels, uint32_t rows)
{
    const size_t count = (size_t)rows * indexed->width;
    uint8_t *out = indexed->indices + (size_t)indexed->rows * indexed->width;
    uint32_t last = load_pixel(pixels), index = png_census_intern(indexed->colours, last);

    for (size_t i = 0; i < count && index < PALETTE_MOST;) {
        if (count - i >= GROUP && is_flat(pixels + 4 * i, last)) {
            memset(out + i, (int)index, GROUP);
            i += GROUP;
            continue;
        }
        for (size_t end = count - i < GROUP ? count : i + GROUP; i < end && index < PALETTE_MOST; i++) {
            last = load_pixel(pixels + 4 * i);
            index = png_census_intern(indexed->colours, last);
            out[i] = (uint8_t)index;
        }
    }
    if (index >= PALETTE_MOST)
        return false;
    indexed->rows += rows;
    return true;
}

void png_indexed_expand(const png_indexed *indexed, uint8_t *pixels)
{
    const size_t count = (size_t)indexed->rows * indexed->width;

    for (size_t i = 0; i < count; i++)
        memcpy(pixels + 4 * i, &indexed->colours->colours[indexed->indices[i]], 4);
}
