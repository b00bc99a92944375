/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws glyphs of paints into scenes, as text does. */
#ifndef TESTS_FONT_DRAW_PICTURES_H
#define TESTS_FONT_DRAW_PICTURES_H

#include "font/picture.h"
#include "layout/stream.h"

typedef struct drawn_picture {
    pietra_result result;
    size_t element_count;
    pietra_box box; /* if there are elements */
    uint64_t segment_count;
    bool has_foreground;
    const char *left_out;
    stream_paint paint;         /* the last one, if there are elements */
    pietra_transform paint_map; /* from the scene to its gradient */
} drawn_picture;

/* Draws the paints of a glyph, black where they have the colour of the text. `most_segments` are allowed. */
drawn_picture draw_picture(const pietra_font *font, uint32_t glyph, uint64_t most_segments);

#endif
