/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The cells of patterns. A cell is drawn once, into a scene of its own, whatever uses it and however often.
 *
 * If there are few cells, and the content of each stays clear of its neighbours, they are appended one by one, each in
 * its exact place. Otherwise the cell becomes an image that repeats (pietra_image_create_from_scene). Content may meet
 * across the border of two cells. If each cell were cut off there, the destination would show through, because two
 * pixels covered by half do not cover one. Many cells are also cheaper as an image. The number of pixels of the image
 * is decided when a frame is drawn. */
#ifndef PIETRA_SVG_DRAW_CELL_H
#define PIETRA_SVG_DRAW_CELL_H

#include "svg/draw/walk.h"

#define SVG_MOST_INSTANCES 50000 /* cells times elements in each; beyond it an image is cheaper */
/* the same for small cells; several cells in one pixel would cover too little */
#define SVG_FEW_INSTANCES 1000
#define SVG_SMALL_CELL 64.0 /* area in pixels of CSS */
#define SVG_THIN_CELL 2.0   /* pixels of CSS in one direction; narrower cells become an image, however few */
/* cells that reach into one cell; beyond it the pattern paints nothing, and a warning reports it */
#define SVG_MOST_OVERLAPS 10000
#define SVG_MOST_OVERLAPPING_SEGMENTS ((uint64_t)1 << 22) /* segments of their paths; likewise */
/* segments of all cells of all documents that are drawn one by one; beyond it they become images */
#define SVG_MOST_SEGMENTS ((uint64_t)1 << 23)
#define SVG_MOST_CELLS_KEPT 1000                   /* cells that are stored for another use */
#define SVG_MOST_SEGMENTS_KEPT ((uint64_t)1 << 20) /* segments in these; each takes up to 80 bytes */
/* depth of patterns in patterns; deeper ones are left out with a warning: images of scenes nest one deeper */
#define SVG_DEEPEST_PATTERN 15u

/* Returns the cell if it has been drawn already, perhaps in another space in which it looks the same, or else NULL. The
 * result is valid until the next cell begins. */
svg_cell_drawing *svg_cell_find(const svg_walk *walk, const svg_cell_grid *grid);
/* Pushes a frame that draws a cell which svg_cell_find has not found. Until svg_cell_end the scene of the walk is that
 * of the cell. */
pietra_result svg_cell_begin(svg_walk *walk, const svg_cell_grid *grid);
pietra_result svg_cell_end(svg_walk *walk, uint32_t index);

/* A range of cells by column and row. */
typedef struct svg_cell_range {
    double first_column, columns, first_row, rows;
} svg_cell_range;

/* Finds the cells that intersect the visible box. Returns false if there are none. */
bool svg_cell_find_range(const svg_cell_drawing *drawing, const svg_cell_grid *grid, svg_cell_range *range);
/* Returns whether the cells can be drawn one by one: they are few enough, and their borders do not show. */
bool svg_cell_range_is_exact(const svg_walk *walk, const svg_cell_drawing *drawing, const svg_cell_grid *grid,
                             const svg_cell_range *range);
pietra_result svg_cell_draw_range(svg_walk *walk, const svg_cell_drawing *drawing, const svg_cell_grid *grid,
                                  const svg_cell_range *range);
/* Makes the paint of all cells, for a path under this transform. drawing->image stays NULL if they paint nothing. */
pietra_result svg_cell_make_paint(svg_walk *walk, svg_cell_drawing *drawing, const svg_cell_grid *grid,
                                  pietra_transform path_space, pietra_paint *paint);

/* Frees the cells of the walk. Restores its own scene if a cell was not finished. */
void svg_cell_free_all(svg_walk *walk);

#endif
