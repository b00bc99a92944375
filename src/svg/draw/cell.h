/* The cells of patterns. A cell is drawn once, into a scene of its own, whatever asks for it and how often.
 *
 * Few cells whose content keeps clear of its neighbours' are appended one by one, each in its exact place. Else the
 * cell becomes an image that repeats (pietra_image_create_from_scene): where content meets across the border of two
 * cells, cutting each off there would let through what lies below, since two pixels covered by half do not cover one;
 * and many cells are cheaper so. How many pixels the image has is settled when a frame is drawn. */
#ifndef PIETRA_SVG_DRAW_CELL_H
#define PIETRA_SVG_DRAW_CELL_H

#include "svg/draw/walk.h"

#define SVG_MOST_INSTANCES 50000 /* cells times what each visits: beyond it they are an image, which is cheaper then */
/* the same of small cells: where a pixel holds several, those laid over one another cover too little */
#define SVG_FEW_INSTANCES 1000
#define SVG_SMALL_CELL 64.0 /* pixels of CSS */
#define SVG_THIN_CELL 2.0   /* pixels of CSS in one direction: narrower cells are an image, however few */
/* cells that reach into one: beyond it the pattern paints nothing, and a warning reports it */
#define SVG_MOST_OVERLAPS 10000
#define SVG_MOST_OVERLAPPING_SEGMENTS ((uint64_t)1 << 22) /* of their paths: likewise */
/* of the cells of all documents together that are drawn one by one: beyond it they are images */
#define SVG_MOST_SEGMENTS ((uint64_t)1 << 23)
#define SVG_MOST_CELLS_KEPT 1000 /* for another use */
/* patterns in more of them are left out, with a warning: images of scenes nest one deeper */
#define SVG_DEEPEST_PATTERN 15u

/* The cell if it has been drawn already, maybe in another space that shows it alike, else NULL. Valid until the next
 * one begins. */
svg_cell_drawing *svg_cell_find(const svg_walk *walk, const svg_cell_grid *grid);
/* Pushes a frame that draws a cell not found; the walk's scene is the cell's until svg_cell_end. */
pietra_result svg_cell_begin(svg_walk *walk, const svg_cell_grid *grid);
pietra_result svg_cell_end(svg_walk *walk, uint32_t index);

/* Cells by column and row. */
typedef struct svg_cell_range {
    double first_column, columns, first_row, rows;
} svg_cell_range;

/* Finds the cells that intersect the visible box. Returns false if there are none. */
bool svg_cell_find_range(const svg_cell_drawing *drawing, const svg_cell_grid *grid, svg_cell_range *range);
/* Whether they are few enough to be drawn one by one, and that does not show. */
bool svg_cell_range_is_exact(const svg_walk *walk, const svg_cell_drawing *drawing, const svg_cell_grid *grid,
                             const svg_cell_range *range);
pietra_result svg_cell_draw_range(svg_walk *walk, const svg_cell_drawing *drawing, const svg_cell_grid *grid,
                                  const svg_cell_range *range);
/* What paints all of them, for a path under this transform. drawing->image stays NULL where that is nothing. */
pietra_result svg_cell_make_paint(svg_walk *walk, svg_cell_drawing *drawing, const svg_cell_grid *grid,
                                  pietra_transform path_space, pietra_paint *paint);

/* Frees what the walk holds, and gives it its scene back where a cell was not finished. */
void svg_cell_free_all(svg_walk *walk);

#endif
