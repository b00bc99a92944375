/* 10 mask: the coverage of the runs that have many records, summed apart from the walk over entries.
 *
 * Reads runs, sorted_values, lines, visible; writes masks: for each heavy run 256 levels, four to a word, row by row. Sums of
 * integers have no order, so on the GPU many workgroups add to one mask. */
#include "base/parallel.h"
#include "lib/coverage.h"
#include "twin/coverage.h"

uint twin_coverage(const twin_frame *frame, const run *r, int x, int y)
{
    const visible_element *v = &frame->visible[r->visible];
    int tile_left = r->x * TILE_SUBPIXELS;
    int tile_top = r->y * TILE_SUBPIXELS;
    int64_t area = (int64_t)r->backdrop * FULL_AREA;
    for (uint i = 0; i < r->record_count; i++) {
        line l = frame->lines[frame->sorted_values[r->first_record + i] >> RECORD_LINE_SHIFT];
        coverage_row row = coverage_of_row(l, tile_left, tile_top, tile_top + y * SUBPIXELS);
        area += row.left_area + coverage_of_pixel(l, row, tile_left, x * SUBPIXELS);
    }
    return coverage_level_of_parts((int)(area >> 16), (uint)(area & 0xffff), (v->kind & ELEMENT_EVEN_ODD) != 0);
}

/* Workers take runs in turn: a mask belongs to one run. */
static void fill_masks(void *user, uint32_t worker, uint32_t count)
{
    twin_frame *frame = user;
    for (uint i = 0; i < frame->counters.run_count; i++) {
        const run *r = &frame->runs[i];
        if (r->mask == NONE || r->mask % count != worker) {
            continue;
        }
        for (int pixel = 0; pixel < TILE_PIXELS; pixel++) {
            uint level = twin_coverage(frame, r, pixel % TILE_SIDE, pixel / TILE_SIDE);
            frame->masks[r->mask * (TILE_PIXELS / 4) + (uint)pixel / 4] |= level << (8 * (pixel % 4));
        }
    }
}

pietra_result twin_10_mask(twin_frame *frame, pietra_error *error)
{
    pietra_result result;
    frame->masks = twin_allocate(frame, (uint64_t)frame->counters.heavy_count * (TILE_PIXELS / 4), sizeof(uint), error, &result);
    if (frame->masks == NULL) {
        return result;
    }
    parallel_run(frame->threads == 0 || frame->counters.heavy_count == 0 ? 1 : frame->threads, fill_masks, frame);
    return PIETRA_OK;
}
