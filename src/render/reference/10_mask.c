/* 10 mask: the coverage of the tile_paths that have many tile_lines, summed apart from the walk over tile_commands.
 *
 * Reads tile_paths, sorted_values, lines, visible; writes masks: for each heavy tile_path 256 levels, four to a word,
 * row by row. Sums of integers have no order, so on the GPU many workgroups add to one mask. */
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

void reference_coverage(const reference_frame *frame, const tile_path *r, uint8_t *levels)
{
    bool even_odd = (frame->visible[r->visible].kind & ELEMENT_EVEN_ODD) != 0;
    int64_t area[TILE_PIXELS];
    for (int i = 0; i < TILE_PIXELS; i++)
        area[i] = (int64_t)r->backdrop * FULL_AREA;
    for (uint i = 0; i < r->tile_line_count; i++) {
        line l = frame->lines[frame->sorted_values[r->first_tile_line + i] >> TILE_LINE_SHIFT];
        add_line(area, l, r->x * TILE_SUBPIXELS, r->y * TILE_SUBPIXELS);
    }
    for (int i = 0; i < TILE_PIXELS; i++)
        levels[i] = (uint8_t)coverage_level_of_parts((int)(area[i] >> 16), (uint)(area[i] & 0xffff), even_odd);
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
