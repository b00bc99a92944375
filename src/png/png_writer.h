/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Writes PNG files from 8-bit RGBA with straight alpha. The format is the smallest lossless one of grey, palette, grey
 * with alpha, RGB and RGBA.
 *
 * Several threads compress strips of rows. Each strip is a part of one zlib stream and stands in a chunk of its own. */
#ifndef PIETRA_PNG_PNG_WRITER_H
#define PIETRA_PNG_PNG_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct png_canvas {
    uint32_t width, height;
    uint8_t *pixels; /* rows of 4 * width bytes without gaps, aligned to 64 bytes; undefined at first */
} png_canvas;

/* Returns false if memory is short. */
bool png_canvas_create(png_canvas *canvas, uint32_t width, uint32_t height);
void png_canvas_destroy(png_canvas *canvas);

typedef enum png_compression {
    PNG_COMPRESSION_DEFAULT = 0,
    PNG_COMPRESSION_FAST, /* at most one filter for the whole picture, and one place tried for each match */
    PNG_COMPRESSION_BEST, /* slow: libdeflate's highest level, with and without filters */
} png_compression;

typedef struct png_options {
    png_compression compression;
    uint32_t threads;          /* 0: one for each core; the bytes do not depend on it */
    uint32_t pixels_per_metre; /* 0: nothing is said of it */
    /* Told now and then how many of `count` parts of the work are done, from any thread, but in one call at a time.
     * NULL: not wanted. */
    void (*progress)(uint32_t done, uint32_t count);
} png_options;

/* Takes the next bytes of the file, from any thread, but in one call at a time. False: they cannot be written. */
typedef bool png_sink(void *user, const void *bytes, size_t count);

typedef enum png_result { PNG_DONE = 0, PNG_OUT_OF_MEMORY, PNG_NOT_WRITTEN } png_result;

/* Opens the library that PNG_COMPRESSION_BEST needs (base/library.h). False: it is not there. */
bool png_prepare(png_compression compression);
/* Passes the file to the sink piece by piece, as strips of rows become ready. The compression must be prepared. */
png_result png_encode(const png_canvas *canvas, const png_options *options, png_sink *sink, void *user);

#endif
