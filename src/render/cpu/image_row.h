/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rows of colours of an image. The colour of a pixel follows from its place in the image alone. A pattern shows few
 * places again and again, so their colours are remembered. */
#ifndef PIETRA_RENDER_CPU_IMAGE_ROW_H
#define PIETRA_RENDER_CPU_IMAGE_ROW_H

#include "render/cpu/frame.h"
#include "render/cpu/kernels.h"

#define IMAGE_MEMO_BITS 12

/* Colours of places of an image as one element shows it. Zero bytes are an empty memo. */
typedef struct image_memo {
    uint16_t round;   /* entries of other rounds count for nothing */
    uint32_t element; /* the stream's element whose colours those of this round are */
    struct image_memo_entry {
        uint64_t key;
        uint32_t color;
    } *entries; /* NULL: no picture has shown a pattern so far, or memory is short */
} image_memo;

/* Forgets all colours. */
void image_memo_begin(image_memo *memo);
void image_memo_free(image_memo *memo);

/* Writes the premultiplied colours of `count` pixels from (x, y) on, and anything up to the next multiple of 16. Where
 * the level is 0, the colour may be anything. */
void image_row_shade(image_memo *memo, const cpu_kernels *kernels, const cpu_frame *frame, const cpu_element *element,
                     int x, int y, int count, const uint8_t *levels, uint32_t *colors);

#endif
