/* Pixels of a canvas as rows of a PNG: the smallest format that loses nothing, and the filters. */
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
} png_colour;                /* as in IHDR, always of 8 bits */

typedef enum png_filter { PNG_FILTER_NONE = 0, PNG_FILTER_SUB, PNG_FILTER_UP, PNG_FILTER_AVERAGE, PNG_FILTER_PAETH } png_filter;
#define PNG_FILTER_BEST 5    /* not in files: the one whose bytes are nearest to 0, row by row */

#define PALETTE_SLOTS 2048u             /* so many that most colours have one of their own */

/* The colours of pixels, as long as they are few. A pixel is read as a word of four bytes. */
typedef struct png_census {
    bool opaque, grey;
    size_t count;                       /* above PALETTE_MOST: too many, the rest is not kept */
    uint32_t colours[PALETTE_MOST];
    uint32_t keys[PALETTE_SLOTS];       /* colours by their hash */
    uint16_t places[PALETTE_SLOTS];     /* of these among the colours, plus 1; 0: the slot is free */
    uint8_t greys[256];                 /* opaque ones that occur; they are no colours yet */
} png_census;

void png_census_begin(png_census *census);
void png_census_add(png_census *census, const uint8_t *pixels, size_t count);
/* Adds what another one has found. */
void png_census_join(png_census *census, const png_census *other);
/* Chooses the format and, for a palette, sorts the colours: translucent ones first. */
png_colour png_census_end(png_census *census);
/* Place of a colour that has been added. */
uint32_t png_census_find(const png_census *census, uint32_t colour);

size_t png_pixel_bytes(png_colour colour);
/* Writes a row of pixels in a format. `out` has room for 4 bytes more than the row. */
void png_convert_row(const png_census *census, png_colour colour, const uint8_t *pixels, size_t count, uint8_t *out);
/* Writes the filter's number and the filtered row; `above` is a row of zeros for the first. `scratch` has room for one row. */
void png_filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t length, size_t pixel_bytes, uint8_t *scratch, uint8_t *out);

#endif
