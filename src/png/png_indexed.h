/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A picture of few colours that takes one byte a pixel, to which rows are added from above. So a large picture need not
 * be there as pixels. */
#ifndef PIETRA_PNG_PNG_INDEXED_H
#define PIETRA_PNG_PNG_INDEXED_H

#include "png/png_writer.h"

typedef struct png_indexed {
    uint32_t width, height;
    uint32_t rows;              /* that were added */
    uint8_t *indices;           /* of colours, in the order in which they appeared; NULL: there is no picture */
    struct png_census *colours; /* only its colours are used (png_rows.h) */
} png_indexed;

/* Returns false if memory is short. The picture is to be destroyed in any case. */
bool png_indexed_create(png_indexed *indexed, uint32_t width, uint32_t height);
void png_indexed_destroy(png_indexed *indexed);
/* Adds rows of pixels that have no gaps. False: there are more than 256 colours. The rows before stay. */
bool png_indexed_add(png_indexed *indexed, const uint8_t *pixels, uint32_t rows);
/* Writes the rows that were added as pixels. */
void png_indexed_expand(const png_indexed *indexed, uint8_t *pixels);

/* Does what png_encode does, with the same bytes. All rows must be there. */
png_result png_encode_indexed(const png_indexed *indexed, const png_options *options, png_sink *sink, void *user);

#endif
