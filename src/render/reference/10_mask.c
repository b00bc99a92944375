/* 10 mask: the coverage of the tile_paths that have many tile_lines, which are summed apart from the walk over
 * tile_commands.
 *
 * Reads tile_paths, sorted_values, lines, visible; writes masks: for each heavy tile_path 256 levels, four to a word,
 * row by row. */
#include "base/parallel.h"
#include "lib/coverage.h"
#include "render/reference/coverage.h"

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
        for (int x = 0; x < TILE_SIDE; x += 4) {
            quad_area quad = coverage_of_quad(l, row, tile_left, x * SUBPIXELS);
            pixels[x] += row.left_area + quad.a0;
            pixels[x + 1] += row.left_area + quad.a1;
            pixels[x + 2] += row.left_area + quad.a2;
            pixels[x + 3] += row.left_area + quad.a3;
        }
    }
}

/* ---- Pixels in which a path meets itself ---- */

/* A tile_path's lines, and the area of each pixel. */
typedef struct path_in_tile {
    const reference_frame *frame;
    const tile_path *path;
    int left, top; /* subpixels */
    bool even_odd;
    int64_t area[TILE_PIXELS];
} path_in_tile;

static line line_at(const path_in_tile *tile, uint i)
{
    return tile->frame->lines[tile->frame->sorted_values[tile->path->first_tile_line + i] >> TILE_LINE_SHIFT];
}

/* Returns whether a line has a part in a pixel whose upper left corner is given. A horizontal line on the pixel's upper
 * edge has none. */
static bool touches_pixel(line l, int left, int top)
{
    int upper = int_max(l.y0, top);
    int lower = int_min(l.y1, top + SUBPIXELS);
    if (l.y0 == l.y1)
        return top < l.y0 && l.y0 < top + SUBPIXELS && l.x0 < left + SUBPIXELS && l.x1 >= left;
    if (upper >= lower)
        return false;
    int x_upper = line_x_at(l, upper);
    int x_lower = line_x_at(l, lower);
    return int_min(x_upper, x_lower) < left + SUBPIXELS && int_max(x_upper, x_lower) >= left;
}

/* Points on the upper and the lower edge are outside. */
static bool point_is_in_pixel(int x, int y, int left, int top)
{
    return left <= x && x < left + SUBPIXELS && top < y && y < top + SUBPIXELS;
}

static bool is_sampled(const path_in_tile *tile, int left, int top)
{
    uint meetings = 0;
    for (uint i = 0; i < tile->path->tile_line_count; i++) {
        line l = line_at(tile, i);
        if (touches_pixel(l, left, top)) {
            meetings += MEETING_TOUCH;
            meetings += point_is_in_pixel(l.x0, l.y0, left, top) ? 1 : 0;
            meetings += point_is_in_pixel(l.x1, l.y1, left, top) ? 1 : 0;
        }
    }
    return meetings_are_sampled(meetings);
}

/* Adds what a line changes in a row of samples at y: `steps` has a sum for each cell, of what all cells from it on are
 * changed by. A line that crossed the tile's left edge above the row changes all. */
static void add_crossing(line l, const path_in_tile *tile, int left, int y, int row, int *steps)
{
    int sign = line_sign(l);
    if (l.y0 == l.y1) {
        if (l.x0 < tile->left && tile->left <= l.x1 && tile->top < l.y0 && l.y0 <= y)
            steps[0] -= sign;
        return;
    }
    int upper = int_max(l.y0, tile->top);
    if (upper > y)
        return;
    if (line_x_at(l, upper) < tile->left)
        steps[0] -= sign;
    if (l.y1 > y)
        steps[int_clamp(sample_cell(line_x_at(l, y) - left, row), 0, SAMPLE_COLUMNS)] += sign;
    else if (line_x_at(l, l.y1) < tile->left)
        steps[0] += sign;
}

static pixel_samples sample_pixel(const path_in_tile *tile, int left, int top)
{
    pixel_samples samples = no_samples();
    for (int row = 0; row < SAMPLE_ROWS; row++) {
        int steps[SAMPLE_COLUMNS + 1] = {0};
        for (uint i = 0; i < tile->path->tile_line_count; i++)
            add_crossing(line_at(tile, i), tile, left, top + sample_y(row), row, steps);
        int winding = tile->path->backdrop;
        for (int column = 0; column < SAMPLE_COLUMNS; column++) {
            winding += steps[column];
            samples = samples_join(samples, samples_of(winding, 1, tile->even_odd));
        }
    }
    return samples;
}

static uint pixel_level(const path_in_tile *tile, int pixel)
{
    int left = tile->left + pixel % TILE_SIDE * SUBPIXELS;
    int top = tile->top + pixel / TILE_SIDE * SUBPIXELS;
    int high = (int)(tile->area[pixel] >> 16);
    uint low = (uint)(tile->area[pixel] & 0xffff);
    if (is_sampled(tile, left, top)) {
        pixel_samples samples = sample_pixel(tile, left, top);
        if (samples_are_complex(samples))
            return coverage_level(coverage_area_of_samples(samples, high, low), false);
    }
    return coverage_level_of_parts(high, low, tile->even_odd);
}

void reference_coverage(const reference_frame *frame, const tile_path *r, uint8_t *levels)
{
    path_in_tile tile = {.frame = frame, .path = r, .left = r->x * TILE_SUBPIXELS, .top = r->y * TILE_SUBPIXELS};
    tile.even_odd = (frame->visible[r->visible].kind & ELEMENT_EVEN_ODD) != 0;
    for (int i = 0; i < TILE_PIXELS; i++)
        tile.area[i] = (int64_t)r->backdrop * FULL_AREA;
    for (uint i = 0; i < r->tile_line_count; i++)
        add_line(tile.area, line_at(&tile, i), tile.left, tile.top);
    for (int i = 0; i < TILE_PIXELS; i++)
        levels[i] = (uint8_t)pixel_level(&tile, i);
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
