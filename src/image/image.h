/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Raster images: decodes the bytes of a PNG, JPEG, GIF or WebP file to pixels. An animation gives its first frame. */
#ifndef PIETRA_IMAGE_IMAGE_H
#define PIETRA_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum image_kind { IMAGE_UNKNOWN, IMAGE_PNG, IMAGE_JPEG, IMAGE_GIF, IMAGE_WEBP } image_kind;

/* Straight (not premultiplied) sRGB with alpha. The picture is upright, by its EXIF orientation, and its colour profile
 * has been converted to sRGB. */
typedef struct image_pixels {
    uint32_t width, height;
    uint8_t *rgba; /* rows from the top, 4 * width bytes each; from malloc; the caller frees it */
    uint64_t work; /* pixels, and what it took beside them to read the file, in pixels; also if decoding failed */
    uint64_t most_work;
} image_pixels;

#define IMAGE_MOST_SIDE 65535u

/* The two names by which systems have libjpeg-turbo (jpeg_decode.h). */
#define IMAGE_JPEG_62_FILE "libjpeg.so.62"
#define IMAGE_JPEG_80_FILE "libjpeg.so.8"

/* Finds the kind of an image by its first bytes. */
image_kind image_sniff(const uint8_t *bytes, size_t count);
/* Decodes a whole image of at most `pixel_limit` pixels, which bounds `work` too. The size is checked before pixels are
 * allocated. Returns NULL, or what is wrong as a static text. A truncated image is an error. Any thread. */
const char *image_decode(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels);

/* ---- For the decoders ---- */

extern const char image_out_of_memory[], image_too_large[], image_broken[];

/* Checks a size and allocates pixels. Returns NULL, or what is wrong. */
const char *image_allocate(uint32_t width, uint32_t height, uint64_t pixel_limit, image_pixels *pixels);
/* Counts work that the pixels themselves do not pay for. False: it is too much, and image_decode will say so. */
bool image_work(image_pixels *pixels, uint64_t amount);

const char *image_decode_png(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels);
/* By the library with the interface of libjpeg 6.2, or of libjpeg 8: image_no_library if that one is not there. */
const char *image_decode_jpeg_62(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels);
const char *image_decode_jpeg_80(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels);
const char *image_decode_gif(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels);
const char *image_decode_webp(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels);

#endif
