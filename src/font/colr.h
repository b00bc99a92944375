/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tables COLR and CPAL: glyphs of layers (version 0) and of graphs of paints (version 1), and their colours
 * (OpenType 1.9.1).
 *
 * What lies outside of the tables counts as 0, as nothing, or as not there. */
#ifndef PIETRA_FONT_COLR_H
#define PIETRA_FONT_COLR_H

#include "font/variation_store.h"
#include "pietra/pietra.h"

#define COLR_FOREGROUND 0xffffu /* the index of the colour of the text */

typedef struct colr {
    font_bytes table, palettes;
    variation_store variations;
} colr;

/* `coordinates` must live as long as the result. */
colr colr_of(font_bytes table, font_bytes palettes, const int *coordinates, unsigned axis_count);

typedef enum colr_kind { COLR_NONE, COLR_LAYERS, COLR_PAINT } colr_kind;

/* Where a glyph's picture is: its layers, or its paint. */
typedef struct colr_glyph {
    colr_kind kind;
    uint32_t first_layer, layer_count;
    font_bytes paint;
} colr_glyph;

colr_glyph colr_find(const colr *colr, uint32_t glyph);
/* Reads a layer of version 0. */
bool colr_read_layer(const colr *colr, uint32_t layer, uint32_t *glyph, uint32_t *color);
/* Returns a layer of version 1; no bytes: there is none. */
font_bytes colr_layer_paint(const colr *colr, uint32_t layer);
/* Gives the box beyond which nothing of a glyph is shown, in units, y up. */
bool colr_find_box(const colr *colr, uint32_t glyph, pietra_box *box);
/* Returns the first palette that is made for a dark background, or for a light one. 0: none says so. */
uint32_t colr_find_palette(const colr *colr, bool dark);
/* Gives a colour of a palette, or of the first if there are fewer. False: there is none. */
bool colr_color(const colr *colr, uint32_t palette, uint32_t index, pietra_color *color);

#endif
