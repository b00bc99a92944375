/* The tiles of patterns. A tile is drawn once, into a scene of its own, whatever asks for it and how often.
 *
 * Few tiles whose content keeps clear of its neighbours' are appended one by one, each in its exact place. Else the tile becomes an image
 * that repeats (pietra_image_create_from_scene): where content meets across the border of two tiles, cutting each off there would let
 * through what lies below, since two pixels covered by half do not cover one; and many tiles are cheaper so. How many pixels the image
 * has is settled when a frame is drawn. */
#ifndef PIETRA_SVG_DRAW_TILE_H
#define PIETRA_SVG_DRAW_TILE_H

#include "svg/draw/walk.h"

#define SVG_MOST_INSTANCES 50000 /* tiles times what each visits: beyond it they are an image, which is cheaper then */
#define SVG_FEW_INSTANCES 1000  /* the same of small tiles: where a pixel holds several, those laid over one another cover too little */
#define SVG_SMALL_TILE 64.0     /* pixels of CSS */
#define SVG_THIN_TILE 2.0       /* pixels of CSS in one direction: narrower tiles are an image, however few */
#define SVG_MOST_OVERLAPS 10000 /* tiles that reach into one: beyond it the pattern paints nothing, and a warning tells so */
#define SVG_MOST_OVERLAPPING_SEGMENTS ((uint64_t)1 << 22) /* of their paths: likewise */
#define SVG_MOST_SEGMENTS ((uint64_t)1 << 23) /* of the tiles of all documents together that are drawn one by one: beyond it they are images */
#define SVG_MOST_TILES_KEPT 1000 /* for another use */
#define SVG_DEEPEST_TILE 15u    /* patterns in more of them are left out, with a warning: images of scenes nest one deeper */

/* The tile if it has been drawn already, maybe in another space that shows it alike, else NULL. Valid until the next one begins. */
svg_tile *svg_tile_find(const svg_walk *walk, const svg_tiling *tiling);
/* Pushes a frame that draws a tile not found; the walk's scene is the tile's until svg_tile_end. */
pietra_result svg_tile_begin(svg_walk *walk, const svg_tiling *tiling);
pietra_result svg_tile_end(svg_walk *walk, uint32_t index);

/* Tiles by column and row. */
typedef struct svg_tile_range {
    double first_column, columns, first_row, rows;
} svg_tile_range;

/* Those of which something is in sight. False: none. */
bool svg_tile_find_range(const svg_tile *tile, const svg_tiling *tiling, svg_tile_range *range);
/* Whether they are few enough to be drawn one by one, and that does not show. */
bool svg_tile_range_is_exact(const svg_walk *walk, const svg_tile *tile, const svg_tiling *tiling, const svg_tile_range *range);
pietra_result svg_tile_draw_range(svg_walk *walk, const svg_tile *tile, const svg_tiling *tiling, const svg_tile_range *range);
/* What paints all of them, for a path under this transform. tile->image stays NULL where that is nothing. */
pietra_result svg_tile_make_paint(svg_walk *walk, svg_tile *tile, const svg_tiling *tiling, pietra_transform path_space, pietra_paint *paint);

/* Frees what the walk holds, and gives it its scene back where a tile was not finished. */
void svg_tile_free_all(svg_walk *walk);

#endif
