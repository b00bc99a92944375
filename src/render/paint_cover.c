/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/paint_cover.h"

#include <math.h>
#include <string.h>

#include "base/bend.h"
#include "base/transform.h"
#include "lib/element_kind.h"
#include "render/frame/config.h"

#define SEGMENTS_MOST 64u /* of a fill that is looked at: what covers much seldom has more */
#define MARGIN 1.0        /* pixels, by which a curve may be off when it is cut and snapped */

/* The cells of one fill. */
typedef struct fill_cells {
    const paint_cover *cover;
    uint32_t cut[COVER_CELLS];                   /* of each row, those that its outline may pass */
    int16_t steps[COVER_CELLS][COVER_CELLS + 1]; /* of the winding number, from cells to those on their right */
} fill_cells;

/* Returns the cell of a place along an axis, from -1 (before the picture) to `count` (behind it). */
static int cell_of(const paint_cover *cover, double at, int count)
{
    return (int)fmin(fmax(floor(at / cover->side), -1), count);
}

static void add_hull(fill_cells *cells, pietra_box hull)
{
    const paint_cover *cover = cells->cover;
    const int left = cell_of(cover, hull.x0 - MARGIN, cover->columns),
              right = cell_of(cover, hull.x1 + MARGIN, cover->columns),
              top = cell_of(cover, hull.y0 - MARGIN, cover->rows),
              bottom = cell_of(cover, hull.y1 + MARGIN, cover->rows);
    for (int row = top > 0 ? top : 0; row <= bottom && row < cover->rows; row++)
        for (int column = left > 0 ? left : 0; column <= right && column < cover->columns; column++)
            cells->cut[row] |= 1u << column;
}

/* A segment lies left of all cells on the right of its hull, and crosses a row's middle as the line between its ends
 * does. */
static void add_steps(fill_cells *cells, double right, double from_y, double to_y)
{
    const paint_cover *cover = cells->cover;
    const int next = cell_of(cover, right + MARGIN, cover->columns) + 1;
    if (next >= cover->columns)
        return;
    for (int row = 0; row < cover->rows; row++) {
        const double middle = (row + 0.5) * cover->side;
        cells->steps[row][next] += (int16_t)((from_y <= middle) - (to_y <= middle));
    }
}

static void add_segment(fill_cells *cells, const bend_point *p, int degree)
{
    pietra_box hull = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i <= degree; i++)
        hull = (pietra_box){fmin(hull.x0, p[i].x), fmin(hull.y0, p[i].y), fmax(hull.x1, p[i].x), fmax(hull.y1, p[i].y)};
    add_hull(cells, hull);
    add_steps(cells, hull.x1, p[0].y, p[degree].y);
}

static bend_point point_of(pietra_transform t, const float *from)
{
    bend_point p = {(double)from[0], (double)from[1]};
    transform_point(t, &p.x, &p.y);
    return p;
}

/* Adds all segments, and the lines that close subpaths. */
static void add_path(fill_cells *cells, const stream_view *view, const stream_path *path, pietra_transform t)
{
    const uint8_t *tags = view->tags + path->first_segment;
    const float *from = view->points + 2 * (size_t)path->first_point;
    bend_point first = {0, 0}, p[4];
    for (uint32_t i = 0; i < path->segment_count; i++) {
        const int degree = tags[i] & TAG_POINTS_MASK;
        from += i > 0 && (tags[i] & TAG_FIRST) ? 2 : 0;
        for (int k = 0; k <= degree; k++)
            p[k] = point_of(t, from + 2 * k);
        from += 2 * degree;
        first = tags[i] & TAG_FIRST ? p[0] : first;
        add_segment(cells, p, degree);
        if (tags[i] & TAG_LAST)
            add_segment(cells, (bend_point[]){p[degree], first}, 1);
    }
}

/* Notes what a fill covers in full. */
static void cover_by(paint_cover *cover, const fill_cells *cells, uint32_t element, bool is_even_odd)
{
    for (int row = 0; row < cover->rows; row++) {
        int winding = 0;
        for (int column = 0; column < cover->columns; column++) {
            winding += cells->steps[row][column];
            const bool is_inside = is_even_odd ? winding & 1 : winding != 0;
            if (is_inside && !(cells->cut[row] >> column & 1))
                cover->hiders[row * cover->columns + column] = element + 1;
        }
    }
}

/* Returns whether what is opaque outside of every layer fills enough cells to be worth a look. */
static bool may_hide(const paint_cover *cover, const stream_view *view, const stream_element *element,
                     pietra_transform t)
{
    const pietra_box own = {(double)element->box_x0, (double)element->box_y0, (double)element->box_x1,
                            (double)element->box_y1};
    if ((element->kind & ELEMENT_KIND_MASK) != ELEMENT_FILL || !(element->kind & ELEMENT_OPAQUE) ||
        element->path == STREAM_NONE || view->paths[element->path].segment_count > SEGMENTS_MOST ||
        !(own.x0 < own.x1 && own.y0 < own.y1))
        return false;
    const pietra_box box = transform_box(t, own);
    return box.x1 - box.x0 > 2 * cover->side && box.y1 - box.y0 > 2 * cover->side;
}

void paint_cover_find(const stream_view *view, pietra_transform frame, int width, int height, paint_cover *cover)
{
    const int larger = width > height ? width : height;
    const int tiles = (larger + TILE_SIDE * COVER_CELLS - 1) / (TILE_SIDE * COVER_CELLS), side = tiles * TILE_SIDE;
    size_t layers = 0;
    *cover = (paint_cover){.side = side, .columns = (width + side - 1) / side, .rows = (height + side - 1) / side};
    for (uint32_t i = 0; i < view->header->element_count; i++) {
        const stream_element *element = &view->elements[i];
        const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
        layers += kind_begins(kind) || kind_begins_effect(kind) ? 1 : 0;
        layers -= kind_ends(kind) || kind_ends_effect(kind) ? 1 : 0;
        if (layers > 0 || kind != ELEMENT_FILL)
            continue;
        const pietra_transform t = transform_multiply(frame, config_widened(&view->transforms[element->transform]));
        if (!may_hide(cover, view, element, t))
            continue;
        fill_cells cells = {.cover = cover};
        add_path(&cells, view, &view->paths[element->path], t);
        cover_by(cover, &cells, i, element->kind & ELEMENT_EVEN_ODD);
    }
}

static double overlap(double side, int cell, double from, double to)
{
    return fmin(to, (cell + 1) * side) - fmax(from, cell * side);
}

double paint_cover_shown(const paint_cover *cover, uint32_t element, pietra_box box)
{
    const int left = cell_of(cover, box.x0, cover->columns - 1), right = cell_of(cover, box.x1, cover->columns - 1),
              top = cell_of(cover, box.y0, cover->rows - 1), bottom = cell_of(cover, box.y1, cover->rows - 1);
    double shown = 0;
    for (int row = top; row <= bottom; row++) {
        double width = 0;
        for (int column = left; column <= right; column++)
            if (row < 0 || column < 0 || cover->hiders[row * cover->columns + column] <= element + 1)
                width += overlap(cover->side, column, box.x0, box.x1);
        shown += width * overlap(cover->side, row, box.y0, box.y1);
    }
    return shown;
}
