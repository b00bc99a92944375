/* Samples the pixels of a tile_command in which tile_lines meet (lib/coverage.h). Part of fine.glsl.
 *
 * The pixels of a slot are listed, and four of them are sampled at a time, one row of samples an invocation. In a row
 * each bit of a word is a cell. What lies right of a line is a mask. Masks are counted by adders that take all bits
 * side by side, apart for the two directions.
 *
 * Keeping the lines in shared memory, with a mask of them for each row of pixels, and passing over pixels in which two
 * lines do not cross, gained nothing: roads at 1024 px on an H200 took 5.1 ms in stage 10, and takes 4.3. */
#ifndef FINE_SAMPLES_GLSL
#define FINE_SAMPLES_GLSL

#include "stages/samples.glsl"

#define SAMPLED_AT_ONCE 4u /* pixels: SAMPLE_ROWS invocations each */
#define SAMPLE_WORDS 6u    /* of pixel_samples */
#define COUNT_BITS 5       /* of a count of HEAVY_TILE_LINES masks */

shared uint sampled_pixels[TILE_PIXELS / 4]; /* four to a word */
shared uint sampled_count;
shared int sampled_least[SAMPLED_AT_ONCE], sampled_most[SAMPLED_AT_ONCE];
shared uint sampled_sums[SAMPLED_AT_ONCE * 4u];

void clear_samples(uint at)
{
    sampled_least[at] = 0x7fffffff;
    sampled_most[at] = -0x7fffffff - 1;
    for (uint i = 0u; i < 4u; i++)
        sampled_sums[at * 4u + i] = 0u;
}

/* Begins and ends with a barrier. */
void list_pixels(uint slot)
{
    uint invocation = fine_invocation();
    sampled_pixels[invocation] = 0u;
    if (invocation < SAMPLED_AT_ONCE)
        clear_samples(invocation);
    if (invocation == 0u)
        sampled_count = 0u;
    barrier();
    for (uint i = 0u; i < 4u; i++) {
        if (cell_is_sampled(batch_sums[own_sum(slot, i)])) {
            uint at = atomicAdd(sampled_count, 1u);
            uint pixel = uint(quad_y() * TILE_SIDE + quad_x()) + i;
            atomicOr(sampled_pixels[at >> 2], pixel << ((at & 3u) * 8u));
        }
    }
    barrier();
}

/* The counts of masks of each bit, a word for each binary digit. */
struct mask_count {
    uint digits[COUNT_BITS];
};

mask_count count_mask(mask_count count, uint mask)
{
    for (int i = 0; i < COUNT_BITS; i++) {
        uint carry = count.digits[i] & mask;
        count.digits[i] ^= mask;
        mask = carry;
    }
    return count;
}

/* The winding numbers of the cells of a row: from a winding number on, what lines add downward and upward. */
struct sample_row {
    int winding;
    mask_count down, up;
};

sample_row find_row(uint slot, int left, int y, int row)
{
    sample_row found;
    found.winding = batch_backdrop[slot];
    for (int i = 0; i < COUNT_BITS; i++) {
        found.down.digits[i] = 0u;
        found.up.digits[i] = 0u;
    }
    uint first = tile_line_half * config.tile_line_capacity + batch_source[slot];
    uint begins_left = batch_begins_left[slot];
    uint ends_left = batch_ends_left[slot];
    uint count = batch_tile_lines[slot];
    for (uint i = 0u; i < count; i++) {
        uint index = tile_lines[first + i] >> TILE_LINE_SHIFT;
        if (lines[index].y0 > y)
            continue;
        int sign = (lines[index].visible_sign & 1u) != 0u ? -1 : 1;
        found.winding -= sign * int(begins_left >> i & 1u);
        if (lines[index].y1 > y) {
            int cell = clamp(sample_cell(line_x_at(lines[index], y) - left, row), 0, SAMPLE_COLUMNS);
            uint mask = cell >= SAMPLE_COLUMNS ? 0u : 0xffffffffu << cell;
            found.down = count_mask(found.down, sign > 0 ? mask : 0u);
            found.up = count_mask(found.up, sign > 0 ? 0u : mask);
        } else {
            found.winding += sign * int(ends_left >> i & 1u);
        }
    }
    return found;
}

/* Returns the samples of a row. Each round takes all cells that have the winding number of the first that is left. */
pixel_samples samples_of_row(sample_row row, bool even_odd)
{
    pixel_samples samples = no_samples();
    uint rest = 0xffffffffu;
    while (rest != 0u) {
        int cell = findLSB(rest);
        uint same = rest;
        int winding = row.winding;
        for (int i = 0; i < COUNT_BITS; i++) {
            uint down = row.down.digits[i] >> cell & 1u;
            uint up = row.up.digits[i] >> cell & 1u;
            winding += (int(down) - int(up)) << i;
            same &= ~(row.down.digits[i] ^ (0u - down)) & ~(row.up.digits[i] ^ (0u - up));
        }
        samples = samples_join(samples, samples_of(winding, uint(bitCount(same)), even_odd));
        rest &= ~same;
    }
    return samples;
}

/* Adds the samples of an invocation to those of its pixel. */
void add_samples(uint at, pixel_samples samples)
{
    samples = samples_join_lanes(samples);
    if ((fine_invocation() & 3u) == 0u) {
        atomicMin(sampled_least[at], samples.least);
        atomicMax(sampled_most[at], samples.most);
        atomicAdd(sampled_sums[at * 4u], samples.sum);
        atomicAdd(sampled_sums[at * 4u + 1u], samples.squares);
        atomicAdd(sampled_sums[at * 4u + 2u], samples.inside);
        atomicAdd(sampled_sums[at * 4u + 3u], samples.inside_sum);
    }
}

/* Stores the level of a pixel if its samples are complex, and clears them. */
void finish_pixel(uint slot, uint at, int x, int y, bool even_odd)
{
    pixel_samples samples =
        pixel_samples(sampled_least[at], sampled_most[at], sampled_sums[at * 4u], sampled_sums[at * 4u + 1u],
                      sampled_sums[at * 4u + 2u], sampled_sums[at * 4u + 3u]);
    clear_samples(at);
    if (!samples_are_complex(samples))
        return;
    int area = batch_backdrop[slot] * FULL_AREA;
    for (int column = 0; column < TILE_SIDE; column++)
        area += column <= x ? cell_area(batch_sums[sum_index(slot, y, column)]) : 0;
    uint level = coverage_level(coverage_area_of_samples(samples, area >> 16, uint(area & 0xffff)), false);
    uint cell = sum_index(slot, y, x);
    batch_sums[cell] = cell_with_level(batch_sums[cell], level);
}

/* Called by all invocations, after a barrier. Ends with one. */
void sample_pixels(uint slot, int tile_left, int tile_top)
{
    list_pixels(slot);
    bool even_odd = (batch_flags[slot] & ELEMENT_EVEN_ODD) != 0u;
    uint count = sampled_count;
    uint at = fine_invocation() / uint(SAMPLE_ROWS);
    int row = int(fine_invocation()) % SAMPLE_ROWS;
    for (uint first = 0u; first < count; first += SAMPLED_AT_ONCE) {
        uint entry = first + at;
        uint pixel = sampled_pixels[min(entry, uint(TILE_PIXELS) - 1u) >> 2] >> ((entry & 3u) * 8u) & 0xffu;
        int x = int(pixel) % TILE_SIDE;
        int y = int(pixel) / TILE_SIDE;
        pixel_samples samples = no_samples();
        if (entry < count)
            samples = samples_of_row(
                find_row(slot, tile_left + x * SUBPIXELS, tile_top + y * SUBPIXELS + sample_y(row), row), even_odd);
        add_samples(at, samples);
        barrier();
        if (row == 0 && entry < count)
            finish_pixel(slot, at, x, y, even_odd);
        barrier();
    }
}

#endif
