/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 10 mask: the coverage of the tile_paths that have many tile_lines, which are summed apart from the walk over
 * tile_commands.
 *
 * Reads tile_paths, sorted_values, lines, visible; writes masks: for each heavy tile_path 256 levels, four to a word,
 * row by row. */
#include "base/parallel.h"
#include "lib/coverage.h"
#include "render/reference/coverage.h"

static line line_at(const reference_frame *frame, const tile_path *r, uint i)
{
    return frame->lines[frame->sorted_values[r->first_tile_line + i] >> TILE_LINE_SHIFT];
}

/* Adds a line's part in each row of pixels. It adds nothing above the line, and below it only what crossing the
 * tile's left edge adds. */
static void add_line(int64_t *area, line l, int tile_left, int tile_top)
{
    int first = int_max((l.y0 - tile_top) / SUBPIXELS, 0);
    for (int y = first; y < TILE_SIDE; y++) {
        int pixel_top = tile_top + y * SUBPIXELS;
        coverage_row row = coverage_of_row(l, tile_left, tile_top, pixel_top);
        if (row.left_area == 0 && l.y1 <= pixel_top)
            return;
        int64_t *pixels = area + y * TILE_SIDE;
        for (int x = 0; x < TILE_SIDE; x++)
            pixels[x] += row.left_area + coverage_of_pixel(l, row, tile_left, x * SUBPIXELS);
    }
}

/* ---- Pixels in which a path meets itself ---- */

/* Columns of pixels; none if `first` is behind `last`. */
typedef struct touched_columns {
    int first, last;
} touched_columns;

/* Returns the pixels of a row in which a line has a part. The row's left upper corner is given. A horizontal line on
 * the row's upper edge has none. */
static touched_columns columns_of_line(line l, int left, int top)
{
    bool is_horizontal = l.y0 == l.y1;
    int upper = int_max(l.y0, top);
    int lower = int_min(l.y1, top + SUBPIXELS);
    if (is_horizontal ? l.y0 <= top || l.y0 >= top + SUBPIXELS : upper >= lower)
        return (touched_columns){0, -1};
    int x_upper = is_horizontal ? l.x0 : line_x_at(l, upper);
    int x_lower = is_horizontal ? l.x1 : line_x_at(l, lower);
    return (touched_columns){int_max((int_min(x_upper, x_lower) - left) >> SUBPIXEL_SHIFT, 0),
                             int_min((int_max(x_upper, x_lower) - left) >> SUBPIXEL_SHIFT, TILE_SIDE - 1)};
}

/* Points on the upper and the lower edge are outside. */
static bool point_is_in_pixel(int x, int y, int left, int top)
{
    return left <= x && x < left + SUBPIXELS && top < y && y < top + SUBPIXELS;
}

static void add_meetings(uint *meetings, line l, int tile_left, int tile_top)
{
    for (int y = 0; y < TILE_SIDE; y++) {
        int top = tile_top + y * SUBPIXELS;
        touched_columns columns = columns_of_line(l, tile_left, top);
        for (int x = columns.first; x <= columns.last; x++) {
            int left = tile_left + x * SUBPIXELS;
            uint *met = &meetings[y * TILE_SIDE + x];
            *met += MEETING_TOUCH;
            *met += point_is_in_pixel(l.x0, l.y0, left, top) ? 1 : 0;
            *met += point_is_in_pixel(l.x1, l.y1, left, top) ? 1 : 0;
        }
    }
}

/* ---- Samples of a row of pixels ---- */

#define ROW_CELLS (TILE_SIDE * SAMPLE_COLUMNS)

/* Adds what a line changes in a row of samples at y: `steps` has a sum for each cell, of what all cells from it on are
 * changed by. A line that crossed the tile's left edge above the row changes all. */
static void add_crossing(int *steps, line l, int tile_left, int tile_top, int y, int row)
{
    int sign = line_sign(l);
    if (l.y0 == l.y1) {
        if (l.x0 < tile_left && tile_left <= l.x1 && tile_top < l.y0 && l.y0 <= y)
            steps[0] -= sign;
        return;
    }
    int upper = int_max(l.y0, tile_top);
    if (upper > y)
        return;
    if (line_x_at(l, upper) < tile_left)
        steps[0] -= sign;
    if (l.y1 > y)
        steps[int_clamp(sample_cell(line_x_at(l, y) - tile_left, row), 0, ROW_CELLS)] += sign;
    else if (line_x_at(l, l.y1) < tile_left)
        steps[0] += sign;
}

/* Finds the samples of the pixels of a row, TILE_SIDE of them, whose upper edge is at `top`. */
static void sample_pixel_row(const reference_frame *frame, const tile_path *r, int top, bool even_odd,
                             pixel_samples *samples)
{
    for (int x = 0; x < TILE_SIDE; x++)
        samples[x] = no_samples();
    for (int row = 0; row < SAMPLE_ROWS; row++) {
        int steps[ROW_CELLS + 1] = {0};
        for (uint i = 0; i < r->tile_line_count; i++)
            add_crossing(steps, line_at(frame, r, i), r->x * TILE_SUBPIXELS, r->y * TILE_SUBPIXELS, top + sample_y(row),
                         row);
        int winding = r->backdrop;
        uint same = 0; /* cells of one winding number and one pixel */
        for (int cell = 0; cell < ROW_CELLS; cell++) {
            winding += steps[cell];
            same++;
            if ((cell + 1) % SAMPLE_COLUMNS == 0 || steps[cell + 1] != 0) {
                pixel_samples *pixel = &samples[cell / SAMPLE_COLUMNS];
                *pixel = samples_join(*pixel, samples_of(winding, same, even_odd));
                same = 0;
            }
        }
    }
}

static bool some_are_sampled(const uint *meetings, int count)
{
    bool some = false;
    for (int i = 0; i < count; i++)
        some |= meetings_are_sampled(meetings[i]);
    return some;
}

/* ---- Levels ---- */

static uint level_of_area(int64_t area, bool even_odd)
{
    return coverage_level_of_parts((int)(area >> 16), (uint)(area & 0xffff), even_odd);
}

static uint level_of_samples(int64_t area, pixel_samples samples)
{
    return coverage_level(coverage_area_of_samples(samples, (int)(area >> 16), (uint)(area & 0xffff)), false);
}

void reference_coverage(const reference_frame *frame, const tile_path *r, uint8_t *levels)
{
    int left = r->x * TILE_SUBPIXELS;
    int top = r->y * TILE_SUBPIXELS;
    bool even_odd = (frame->visible[r->visible].kind & ELEMENT_EVEN_ODD) != 0;
    int64_t area[TILE_PIXELS];
    uint meetings[TILE_PIXELS] = {0};
    for (int i = 0; i < TILE_PIXELS; i++)
        area[i] = (int64_t)r->backdrop * FULL_AREA;
    for (uint i = 0; i < r->tile_line_count; i++) {
        add_line(area, line_at(frame, r, i), left, top);
        add_meetings(meetings, line_at(frame, r, i), left, top);
    }
    for (int i = 0; i < TILE_PIXELS; i++)
        levels[i] = (uint8_t)level_of_area(area[i], even_odd);
    for (int first = 0; first < TILE_PIXELS; first += TILE_SIDE) {
        pixel_samples samples[TILE_SIDE];
        if (!some_are_sampled(meetings + first, TILE_SIDE))
            continue;
        sample_pixel_row(frame, r, top + first / TILE_SIDE * SUBPIXELS, even_odd, samples);
        for (int x = 0; x < TILE_SIDE; x++)
            if (meetings_are_sampled(meetings[first + x]) && samples_are_complex(samples[x]))
                levels[first + x] = (uint8_t)level_of_samples(area[first + x], samples[x]);
    }
}

/* Workers take tile_paths in turn. Each mask belongs to one tile_path. */
static void fill_masks(void *user, uint32_t worker, uint32_t count)
{
    reference_frame *frame = user;
    for (uint i = 0; i < frame->counters.tile_path_count; i++) {
        const tile_path *r = &frame->tile_paths[i];
        if (r->mask == NONE || r->mask % count != worker)
            continue;
        uint8_t levels[TILE_PIXELS];
        reference_coverage(frame, r, levels);
        for (int pixel = 0; pixel < TILE_PIXELS; pixel++)
            frame->masks[r->mask * (TILE_PIXELS / 4) + (uint)pixel / 4] |= (uint)levels[pixel] << (8 * (pixel % 4));
    }
}

pietra_result reference_10_mask(reference_frame *frame, pietra_error *error)
{
    pietra_result result;
    frame->masks = reference_allocate(frame, (uint64_t)frame->counters.heavy_count * (TILE_PIXELS / 4), sizeof(uint),
                                      error, &result);
    if (!frame->masks)
        return result;
    parallel_pool_run(frame->pool, frame->counters.heavy_count == 0 ? 1 : parallel_pool_threads(frame->pool),
                      fill_masks, frame);
    return PIETRA_OK;
}
