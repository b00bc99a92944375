/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A tile is covered in full where no line of the element touches it and its winding is inside, as in stages 07 and 08.
 * Lines are placed here by doubles, with a margin of several subpixels. So a tile may be taken for touched although it
 * is not, which only costs time. */
#include "render/cpu/band_occlusion.h"

#include <string.h>

#include "lib/winding.h"

/* The number of lines worth looking at for one tile that may be covered. */
#define LINES_PER_TILE 2u
/* One in LINES_LOOKED_AT of a band's lines may be examined before any tile is found to be covered. Each tile that is
 * found allows LINES_FOR_TILE more. */
#define LINES_LOOKED_AT 16u
#define LINES_FOR_TILE 1u

void occluders_begin(band_occluders *occluders, uint64_t line_count)
{
    occluders->credit = line_count / LINES_LOOKED_AT;
    memset(occluders->occluders, 0, (size_t)occluders->count * sizeof *occluders->occluders);
    occluders->any = false;
}

/* Finds the columns [first, end) of tiles in which the box contains all pixels of the band. Columns at either end that
 * are covered already are left out. */
static bool find_columns(const band_occluders *occluders, const frame_config *config, pixel_box box, int *first,
                         int *end)
{
    if (box.y0 > occluders->top || box.y1 < int_min(occluders->top + TILE_SIDE, config->height))
        return false;
    int from = (box.x0 + TILE_SIDE - 1) >> TILE_SHIFT;
    int to = box.x1 >= config->width ? (box.x1 + TILE_SIDE - 1) >> TILE_SHIFT : box.x1 >> TILE_SHIFT;
    from = int_max(from - occluders->first, 0);
    to = int_min(to - occluders->first, occluders->count);
    while (from < to && occluders->occluders[from] != 0)
        from++;
    while (from < to && occluders->occluders[to - 1] != 0)
        to--;
    *first = from;
    *end = to;
    return from < to;
}

/* Marks the columns that a line touches. If the line crosses the band's upper edge, it also adds to the winding right
 * of it. */
static void add_line(const band_occluders *occluders, cpu_edge l)
{
    bool forward = l.ay < l.by;
    double x0 = forward ? l.ax : l.bx;
    double y0 = forward ? l.ay : l.by;
    double x1 = forward ? l.bx : l.ax;
    double y1 = forward ? l.by : l.ay;
    double top = (double)occluders->top * SUBPIXELS;
    double bottom = top + TILE_SUBPIXELS;
    double slope = y1 > y0 ? (x1 - x0) / (y1 - y0) : 0.0;
    double upper = y0 < top ? x0 + (top - y0) * slope : x0;
    double lower = y1 > bottom ? x0 + (bottom - y0) * slope : x1;
    double least = (upper < lower ? upper : lower) - 4.0;
    double most = (upper < lower ? lower : upper) + 4.0;
    int origin = occluders->first * TILE_SUBPIXELS;
    int first = ((int)least - origin - 1) >> TILE_SHIFT_SUBPIXELS;
    int last = ((int)most - origin + 1) >> TILE_SHIFT_SUBPIXELS;
    if (first >= occluders->count)
        return;
    for (int column = int_max(first, 0); column <= int_min(last, occluders->count - 1); column++)
        occluders->touched[column] = true;
    if (y0 <= top && top < y1)
        occluders->steps[int_clamp(last + 1, 0, occluders->count)] += forward ? 1 : -1;
}

void occluders_add(band_occluders *occluders, const frame_config *config, const cpu_element *elements, uint index,
                   element_runs runs)
{
    const cpu_element *element = &elements[index];
    int first;
    int end;
    if (!may_occlude_tile(config, element) || !find_columns(occluders, config, element->clip, &first, &end) ||
        runs.lines > (uint64_t)LINES_PER_TILE * (uint)(end - first) || runs.lines > occluders->credit) {
        return;
    }
    occluders->credit -= runs.lines;
    memset(occluders->steps, 0, ((size_t)occluders->count + 1) * sizeof *occluders->steps);
    memset(occluders->touched, 0, (size_t)occluders->count);
    for (uint i = 0; i < runs.count; i++)
        for (uint j = 0; j < runs.heads[i]->head.count; j++)
            add_line(occluders, runs.heads[i][1 + j].edge);
    int winding = 0;
    for (int column = 0; column < end; column++) {
        winding += occluders->steps[column];
        if (column >= first && !occluders->touched[column] && is_inside(element->kind, winding) &&
            occluders->occluders[column] == 0) {
            occluders->occluders[column] = index + 1;
            occluders->any = true;
            occluders->credit += LINES_FOR_TILE;
        }
    }
}

bool occluders_cut(const band_occluders *occluders, uint element, pixel_box *box)
{
    int from = int_max((box->x0 >> TILE_SHIFT) - occluders->first, 0);
    int to = int_min(((box->x1 + TILE_SIDE - 1) >> TILE_SHIFT) - occluders->first, occluders->count);
    int first = from;
    int end = to;
    while (first < end && occluders->occluders[first] > element + 1)
        first++;
    while (first < end && occluders->occluders[end - 1] > element + 1)
        end--;
    if (first > from)
        box->x0 = (first + occluders->first) * TILE_SIDE;
    if (end < to)
        box->x1 = (end + occluders->first) * TILE_SIDE;
    return first < end;
}
