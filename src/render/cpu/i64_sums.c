#include "render/cpu/i64_sums.h"

#include "lib/coverage.h"
#include "lib/winding.h"

#include <string.h>

static int first_tile(const cpu_coverage *coverage)
{
    return coverage->left >> TILE_SHIFT_SUBPIXELS;
}

static int tile_count(const cpu_coverage *coverage)
{
    return ((coverage->left + coverage->width * SUBPIXELS - 1) >> TILE_SHIFT_SUBPIXELS) - first_tile(coverage) + 1;
}

void i64_begin(i64_sums *sums, const cpu_coverage *coverage)
{
    memset(sums->rows, 0, (size_t)coverage->height * coverage->stride * sizeof *sums->rows);
    memset(sums->steps, 0, ((size_t)tile_count(coverage) + 1) * sizeof *sums->steps);
    sums->pending = 0;
}

/* Moves the sums of 32 bits, leaving them zero. */
static void fold(i64_sums *sums, const cpu_coverage *coverage)
{
    for (size_t i = 0; i < (size_t)coverage->height * coverage->stride; i++) {
        sums->rows[i] += coverage->rows[i];
        coverage->rows[i] = 0;
    }
    memset(coverage->touched, 0, (size_t)coverage->height * coverage->words * sizeof *coverage->touched);
    sums->pending = 0;
}

static void add_step(i64_sums *sums, const cpu_coverage *coverage, line l)
{
    if (l.y0 <= sums->band_top && sums->band_top < l.y1) {
        int tile = (line_x_at(l, sums->band_top) >> TILE_SHIFT_SUBPIXELS) + 1 - first_tile(coverage);
        if (tile < tile_count(coverage))
            sums->steps[int_max(tile, 0)] += line_sign(l);
    }
}

void i64_add(i64_sums *sums, const cpu_coverage *coverage, const cpu_edge *edges, uint count)
{
    for (uint i = 0; i < count; i++)
        add_step(sums, coverage, line_make(edges[i].ax, edges[i].ay, edges[i].bx, edges[i].by, 0));
    sums->pending += count;
    if (sums->pending > BACKDROP_LIMIT)
        fold(sums, coverage);
}

void i64_find_levels(i64_sums *sums, const cpu_coverage *coverage, uint8_t *levels, size_t pitch)
{
    fold(sums, coverage);
    for (int y = 0; y < coverage->height; y++) {
        const int64_t *row = sums->rows + (size_t)y * coverage->stride;
        int64_t sum = 0;
        int winding = 0;
        int next = 0; /* column of tiles that starts next */
        int64_t held = 0;
        for (int x = 0; x < coverage->width; x++) {
            while (((coverage->left >> SUBPIXEL_SHIFT) + x) >> TILE_SHIFT >= first_tile(coverage) + next) {
                winding += sums->steps[next++];
                held = (int64_t)(held_backdrop(0, winding) - winding) * FULL_AREA;
            }
            sum += row[x];
            int64_t area = sum + held;
            levels[(size_t)y * pitch + (size_t)x] =
                (uint8_t)coverage_level_of_parts((int)(area >> 16), (uint)(area & 0xffff), false);
        }
    }
}
