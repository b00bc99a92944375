/* PNG files from 8-bit RGBA, straight alpha, in the smallest of the formats grey, palette, grey with alpha, RGB and RGBA that loses
 * nothing.
 *
 * Strips of rows are compressed on several threads, each as a part of one zlib stream and in a chunk of its own. */
#ifndef PIETRA_PNG_PNG_WRITER_H
#define PIETRA_PNG_PNG_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct png_canvas {
    uint32_t width, height;
    uint8_t *pixels;      /* rows of 4 * width bytes, one after the other, aligned to 64 bytes; what they hold is undefined at first */
} png_canvas;

/* False: out of memory. */
bool png_canvas_create(png_canvas *canvas, uint32_t width, uint32_t height);
void png_canvas_destroy(png_canvas *canvas);

typedef enum png_compression {
    PNG_COMPRESSION_DEFAULT = 0,
    PNG_COMPRESSION_FAST, /* a filter for the whole picture, if any; one place tried for each match */
    PNG_COMPRESSION_BEST, /* slow: libdeflate's last level, with and without filters */
} png_compression;

typedef struct png_options {
    png_compression compression;
    uint32_t threads;     /* 0: one for each core; the bytes are the same for any number */
} png_options;

/* Takes the next bytes of the file; from any thread, but one call at a time. False: they cannot be written. */
typedef bool png_sink(void *user, const void *bytes, size_t count);

typedef enum png_result { PNG_DONE = 0, PNG_OUT_OF_MEMORY, PNG_NOT_WRITTEN } png_result;

/* Hands the file to the sink, piece by piece, as strips of rows become ready. */
png_result png_encode(const png_canvas *canvas, const png_options *options, png_sink *sink, void *user);

#endif
