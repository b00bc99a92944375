/* A tile is covered in full where no line of the element touches it and its winding is inside: as in stages 07 and 08. Lines are
 * placed here by doubles, with a margin of several subpixels: a tile that is taken for touched but is not costs time alone. */
#include "render/cpu/hide.h"

#include "lib/winding.h"

#include <string.h>

/* Lines that it pays to look at for one tile that may be covered. */
#define LINES_PER_TILE 2u
/* The part of a band's lines that are looked at before anything is found to be covered, and how many more for each tile that is. */
#define LINES_LOOKED_AT 16u
#define LINES_FOR_TILE 1u

void hide_begin(band_covers *covers, uint64_t line_count)
{
    covers->credit = line_count / LINES_LOOKED_AT;
    memset(covers->covers, 0, (size_t)covers->count * sizeof *covers->covers);
    covers->any = false;
}

/* The columns [first, end) of tiles in which the box leaves no pixel of the band out, among those that are not covered yet. */
static bool find_columns(const band_covers *covers, const frame_config *config, pixel_box box, int *first, int *end)
{
    if (box.y0 > covers->top || box.y1 < int_min(covers->top + TILE_SIDE, config->height)) {
        return false;
    }
    int from = (box.x0 + TILE_SIDE - 1) >> TILE_SHIFT;
    int to = box.x1 >= config->width ? (box.x1 + TILE_SIDE - 1) >> TILE_SHIFT : box.x1 >> TILE_SHIFT;
    from = int_max(from - covers->first, 0);
    to = int_min(to - covers->first, covers->count);
    while (from < to && covers->covers[from] != 0) {
        from++;
    }
    while (from < to && covers->covers[to - 1] != 0) {
        to--;
    }
    *first = from;
    *end = to;
    return from < to;
}

/* Marks the columns that a line touches, and counts the winding behind it if it crosses the band's upper edge. */
static void add_line(const band_covers *covers, cpu_line l)
{
    bool forward = l.ay < l.by;
    double x0 = forward ? l.ax : l.bx;
    double y0 = forward ? l.ay : l.by;
    double x1 = forward ? l.bx : l.ax;
    double y1 = forward ? l.by : l.ay;
    double top = (double)covers->top * SUBPIXELS;
    double bottom = top + TILE_SUBPIXELS;
    double slope = y1 > y0 ? (x1 - x0) / (y1 - y0) : 0.0;
    double upper = y0 < top ? x0 + (top - y0) * slope : x0;
    double lower = y1 > bottom ? x0 + (bottom - y0) * slope : x1;
    double least = (upper < lower ? upper : lower) - 4.0;
    double most = (upper < lower ? lower : upper) + 4.0;
    int origin = covers->first * TILE_SUBPIXELS;
    int first = ((int)least - origin - 1) >> TILE_SHIFT_SUBPIXELS;
    int last = ((int)most - origin + 1) >> TILE_SHIFT_SUBPIXELS;
    if (first >= covers->count) {
        return;
    }
    for (int column = int_max(first, 0); column <= int_min(last, covers->count - 1); column++) {
        covers->touched[column] = true;
    }
    if (y0 <= top && top < y1) {
        covers->steps[int_clamp(last + 1, 0, covers->count)] += forward ? 1 : -1;
    }
}

void hide_add(band_covers *covers, const frame_config *config, const cpu_element *elements, uint index, element_runs runs)
{
    const cpu_element *element = &elements[index];
    int first;
    int end;
    if (!hide_may(config, element) || !find_columns(covers, config, element->clip, &first, &end) ||
        runs.lines > (uint64_t)LINES_PER_TILE * (uint)(end - first) || runs.lines > covers->credit) {
        return;
    }
    covers->credit -= runs.lines;
    memset(covers->steps, 0, ((size_t)covers->count + 1) * sizeof *covers->steps);
    memset(covers->touched, 0, (size_t)covers->count);
    for (uint i = 0; i < runs.count; i++) {
        for (uint j = 0; j < runs.heads[i]->head.count; j++) {
            add_line(covers, runs.heads[i][1 + j].line);
        }
    }
    int winding = 0;
    for (int column = 0; column < end; column++) {
        winding += covers->steps[column];
        if (column >= first && !covers->touched[column] && is_inside(element->kind, winding) && covers->covers[column] == 0) {
            covers->covers[column] = index + 1;
            covers->any = true;
            covers->credit += LINES_FOR_TILE;
        }
    }
}

bool hide_cut(const band_covers *covers, uint element, pixel_box *box)
{
    int from = int_max((box->x0 >> TILE_SHIFT) - covers->first, 0);
    int to = int_min(((box->x1 + TILE_SIDE - 1) >> TILE_SHIFT) - covers->first, covers->count);
    int first = from;
    int end = to;
    while (first < end && covers->covers[first] > element + 1) {
        first++;
    }
    while (first < end && covers->covers[end - 1] > element + 1) {
        end--;
    }
    if (first > from) {
        box->x0 = (first + covers->first) * TILE_SIDE;
    }
    if (end < to) {
        box->x1 = (end + covers->first) * TILE_SIDE;
    }
    return first < end;
}
