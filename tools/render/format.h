/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The formats of files in which pictures are written. */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include "png/png_writer.h"

typedef enum picture_format {
    FORMAT_BY_ENDING = 0, /* of the name of OUTPUT; PNG if it is none of these */
    FORMAT_PNG,
    FORMAT_JPEG, /* without alpha: the picture must be opaque */
    FORMAT_WEBP, /* with alpha */
    FORMAT_BMP,  /* with alpha */
    FORMAT_TGA,  /* with alpha, compressed by runs */
    FORMAT_QOI,  /* with alpha */
    FORMAT_PPM,  /* P6: RGB, over white */
    FORMAT_PAM,  /* P7: RGB_ALPHA */
    FORMAT_RGBA, /* the bytes of the pixels and nothing else */
    FORMAT_COUNT,
} picture_format;

/* Lists the names: "png, jpeg, ...". */
#define FORMAT_NAMES "png, jpeg, webp, bmp, tga, qoi, ppm, pam or rgba"

/* The same for completions. */
#define FORMAT_WORDS "png jpeg webp bmp tga qoi ppm pam rgba"

#define FORMAT_MOST_QUALITY 100

typedef struct format_options {
    png_compression compression; /* of PNG and lossless WebP */
    uint32_t quality;            /* of JPEG and lossy WebP, 1 to 100; 0: not given, and WebP is lossless */
    uint32_t pixels_per_inch;    /* in JPEG; 0: nothing is said of it */
} format_options;

/* Returns the format with a name ("bmp") or another ending that its files have ("jpg"), whatever the case;
 * FORMAT_BY_ENDING: there is none. */
picture_format format_find(const char *name);
/* Returns the usual ending of the files of a format, without the point. */
const char *format_ending(picture_format format);
/* Returns the format itself, or the one of the ending of a name. */
picture_format format_of(picture_format format, const char *path);

/* Opens the library that writes the format, or compresses it so. Returns NULL, or what is missing as a static text. */
const char *format_prepare(picture_format format, png_compression compression);
/* Returns how many pixels a side of a picture may have. */
uint32_t format_most_side(picture_format format);
bool format_has_quality(picture_format format);
bool format_has_compression(picture_format format);

/* Passes a file of a format other than PNG, which is prepared, to the sink piece by piece. Returns NULL, or why that
 * failed as a static text; what the sink refuses is not looked at. */
const char *format_encode(picture_format format, const png_canvas *canvas, const format_options *options,
                          png_sink *sink, void *user);

#endif
