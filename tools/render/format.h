/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The formats of files in which pictures are written. */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include "png/png_writer.h"

typedef enum picture_format {
    FORMAT_BY_ENDING = 0, /* of the name of OUTPUT; PNG if it is none of these */
    FORMAT_PNG,
    FORMAT_BMP,  /* with alpha */
    FORMAT_TGA,  /* with alpha, compressed by runs */
    FORMAT_QOI,  /* with alpha */
    FORMAT_PPM,  /* P6: RGB, over white */
    FORMAT_PAM,  /* P7: RGB_ALPHA */
    FORMAT_RGBA, /* the bytes of the pixels and nothing else */
    FORMAT_COUNT,
} picture_format;

/* Lists the names: "png, bmp, ...". */
#define FORMAT_NAMES "png, bmp, tga, qoi, ppm, pam or rgba"

/* Returns the format with a name ("bmp"), whatever its case; FORMAT_BY_ENDING: there is none. */
picture_format format_find(const char *name);
/* Returns the name of a format, which is the ending of its files without the point. */
const char *format_name(picture_format format);
/* Returns the format itself, or the one of the ending of a name. */
picture_format format_of(picture_format format, const char *path);

/* Passes a file of a format other than PNG to the sink piece by piece. Returns NULL, or why that failed as a static
 * text; what the sink refuses is not looked at. */
const char *format_encode(picture_format format, const png_canvas *canvas, png_sink *sink, void *user);

#endif
