/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pixels for an image of the caller: what stage 12 makes of the words of a picture. C and GLSL share this text. */
#ifndef PIETRA_LAYOUT_IMAGE_TARGET_H
#define PIETRA_LAYOUT_IMAGE_TARGET_H

#include "frame.h"
#include "glue.h"

/* From the lowest bits up. */
CONSTANT(IMAGE_BGRA8, 0u)   /* one word: blue, green, red, alpha of 8 bits */
CONSTANT(IMAGE_RGB10A2, 1u) /* one word: red, green, blue of 10 bits, alpha of 2 */
CONSTANT(IMAGE_BGR10A2, 2u) /* one word: blue, green, red, alpha */
CONSTANT(IMAGE_RGBA16F, 3u) /* two words: red and green, blue and alpha as halves */
CONSTANT(IMAGE_FORMATS, 4u)

CONSTANT(IMAGE_INVOCATIONS, 256u)

/* A rectangle of the picture that is written. */
STRUCT(image_box)
{
    uint x, y;
    uint width;
    uint first_pixel; /* its number among the pixels of all boxes; they are numbered row by row */
};

STRUCT(image_push)
{
    uint first;         /* word of the picture's first pixel, */
    uint pitch;         /* words from one of its rows to the next */
    uint written_pitch; /* pixels from one written row to the next */
    uint count;         /* pixels of all boxes */
    uint box_count;
    image_box boxes[DRAWN_BOXES];
};

STRUCT(image_store_push)
{
    uint first; /* word of the picture's first pixel, */
    uint pitch; /* words from one of its rows to the next */
    uint x, y;  /* where the picture lies in the image */
    uint count; /* pixels of all boxes */
    uint box_count;
    image_box boxes[DRAWN_BOXES];
};

STRUCT(image_guarded_push)
{
    image_store_push store;
    frame_room room; /* of the frame whose picture it is */
};

#endif
