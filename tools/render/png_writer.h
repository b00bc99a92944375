/* PNG files of 8-bit RGBA, straight alpha, by libdeflate.
 *
 * A canvas holds the pixels in the tail of the buffer in which they are filtered in place, so that a picture needs no second copy
 * of itself. stb_image_write counts its bytes in int and stops at 23,170 pixels square; our limit is PIETRA_MAX_SIDE. */
#ifndef RENDER_PNG_WRITER_H
#define RENDER_PNG_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct png_canvas {
    uint32_t width, height;
    uint8_t *buffer;
    uint8_t *pixels;      /* rows of 4 * width bytes, one after the other, aligned to 64 bytes; what they hold is undefined at first */
} png_canvas;

/* False: out of memory. */
bool png_canvas_create(png_canvas *canvas, uint32_t width, uint32_t height);
void png_canvas_destroy(png_canvas *canvas);

/* Encodes the canvas; its pixels are lost by that. The bytes are the caller's, who frees them. False: out of memory. */
bool png_encode(png_canvas *canvas, uint8_t **bytes, size_t *byte_count);

#endif
