/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns the pixels of a canvas into rows of a PNG: chooses the smallest lossless format, and filters. */
#ifndef PIETRA_PNG_PNG_ROWS_H
#define PIETRA_PNG_PNG_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PALETTE_MOST 256u

typedef enum png_colour {
    PNG_GREY = 0,
    PNG_RGB = 2,
    PNG_PALETTE = 3,
    PNG_GREY_ALPHA = 4,
    PNG_RGBA = 6,
} png_colour; /* the values of IHDR, always with 8 bits */

typedef enum png_filter {
    PNG_FILTER_NONE = 0,
    PNG_FILTER_SUB,
    PNG_FILTER_UP,
    PNG_FILTER_AVERAGE,
    PNG_FILTER_PAETH
} png_filter;
#define PNG_FILTER_BEST 5 /* not a value of files: for each row, the filter whose bytes are nearest to 0 */

#define PALETTE_SLOTS 2048u /* many enough that most colours get their own slot */

/* The colours of pixels, while they are few. A pixel is read as a word of four bytes. */
typedef struct png_census {
    bool opaque, grey;
    size_t count;                   /* above PALETTE_MOST: too many; the rest is not kept */
    uint8_t greys[256];             /* opaque greys that occur; they are not among the colours yet */
    uint16_t places[PALETTE_SLOTS]; /* index of the keys among the colours, plus 1; 0: the slot is free */
    uint32_t keys[PALETTE_SLOTS];   /* colours by their hash */
    uint32_t colours[PALETTE_MOST];
} png_census;

void png_census_begin(png_census *census);
void png_census_add(png_census *census, const uint8_t *pixels, size_t count);
/* Adds what another census has found. */
void png_census_join(png_census *census, const png_census *other);
/* Chooses the format and, for a palette, sorts the colours: translucent ones come first. */
png_colour png_census_end(png_census *census);
/* Adds a colour and returns its index; PALETTE_MOST: there are too many. */
uint32_t png_census_intern(png_census *census, uint32_t colour);
/* Returns the index of a colour that has been added. */
uint32_t png_census_find(const png_census *census, uint32_t colour);

size_t png_pixel_bytes(png_colour colour);
/* Writes a row of pixels in a format. `out` has room for 4 bytes more than the row. */
void png_convert_row(const png_census *census, png_colour colour, const uint8_t *pixels, size_t count, uint8_t *out);
/* Writes the filter's number and the filtered row. For the first row, `above` is a row of zeros. `scratch` has room for
 * one row. */
void png_filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t length, size_t pixel_bytes,
                    uint8_t *scratch, uint8_t *out);

#endif
