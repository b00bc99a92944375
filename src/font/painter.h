/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What draws the graph of paints of one glyph into a scene, and the leaves of the graph: colours and gradients. */
#ifndef PIETRA_FONT_PAINTER_H
#define PIETRA_FONT_PAINTER_H

#include "font/paint_fields.h"
#include "font/picture.h"

typedef struct painter {
    const pietra_font *font;
    const colr *colr;
    picture_request *request;
    pietra_path *path;
    font_outline outline;
    pietra_result result;
    uint32_t paint_count;
} painter;

static inline bool painter_goes_on(const painter *painter)
{
    return painter->result == PIETRA_OK;
}

/* Keeps the first failure. */
static inline void painter_take(painter *painter, pietra_result result)
{
    if (painter->result == PIETRA_OK)
        painter->result = result;
}

static inline bool paint_is_leaf(unsigned format)
{
    return format >= PAINT_SOLID && format < PAINT_GLYPH;
}

/* Returns a colour of the palette, or that of the text, times an alpha. A colour that is missing is transparent. */
pietra_color painter_color(const painter *painter, uint32_t index, double alpha);
/* Fills the painter's path with a colour of the palette, or with the foreground. */
void painter_fill_solid(painter *painter, uint32_t color, double alpha);
/* Fills it with what a leaf paints. `space` leads from the leaf's space to the scene's. */
void painter_fill_leaf(painter *painter, font_bytes bytes, pietra_transform space);

#endif
