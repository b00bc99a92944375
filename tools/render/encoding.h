/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pixels as a file of any format. */
#ifndef RENDER_ENCODING_H
#define RENDER_ENCODING_H

#include "file.h"
#include "format.h"
#include "png/png_indexed.h"

typedef struct encoding {
    picture_format format; /* prepared, and not FORMAT_BY_ENDING */
    const png_canvas *canvas;
    const png_indexed *indexed;  /* holds the pixels of a PNG instead, if it has indices; NULL: none */
    png_compression compression; /* of PNG and lossless WebP */
    uint32_t quality;            /* as format_options has it */
    uint32_t threads;            /* 0: one for each core */
    double pixels_per_inch;      /* 0: nothing is said of it */
    void (*progress)(uint32_t done, uint32_t count); /* as png_options has it */
} encoding;

/* Writes the pixels to an open file, which it finishes or abandons. Failures are reported. */
status encoding_write(const encoding *encoding, file_output *output);

#endif
