/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Levels of a pyramid: an image is halved or doubled along both axes. An invocation makes texels of one column. It goes
 * down the rows that these depend on, makes each along x, and holds them in registers. So no invocation waits for
 * another; what neighbours read in common comes from the cache.
 *
 * A workgroup that needs no texel beyond the edges reads without conditions, all before it writes: so reads wait for
 * memory together. That takes 30 us, not 41, to halve the pixels of 3840 x 2160, and 30, not 42, to double them (H200);
 * conditions without branches take longer than branches. */
#ifndef EFFECT_PYRAMID_GLSL
#define EFFECT_PYRAMID_GLSL

#extension GL_EXT_control_flow_attributes : require

#define HALVED_EACH (EFFECT_HALVED_ROWS * EFFECT_LEVEL_COLUMNS / EFFECT_INVOCATIONS)
#define DOUBLED_EACH (EFFECT_DOUBLED_ROWS * EFFECT_LEVEL_COLUMNS / EFFECT_INVOCATIONS)

/* Rows that the texels of an invocation depend on. */
#define HALVED_READ (2u * HALVED_EACH + 2u)
#define DOUBLED_READ (DOUBLED_EACH / 2u + 2u)

/* The image between is made along x alone. */
effect_box box_between;
uint edge_between;

void read_level()
{
    pixel_mask = parameter(0u);
    edge = parameter(1u);
    edge_box = box_parameter(2u);
    edge_between = parameter(6u);
    box_between = box_parameter(7u);
}

uvec2 halved(uvec2 a, uvec2 b, uvec2 c, uvec2 d)
{
    return uvec2(effect_halved(a.x, b.x, c.x, d.x), effect_halved(a.y, b.y, c.y, d.y));
}

uvec2 doubled(uvec2 near, uvec2 far)
{
    return uvec2(effect_doubled(near.x, far.x), effect_doubled(near.y, far.y));
}

/* ---- Within the edges ---- */

bool box_holds(effect_box outer, effect_box inner)
{
    return inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right &&
           inner.bottom <= outer.bottom;
}

/* Returns whether nothing that a tile of the result depends on lies beyond an edge. `read` is what it reads of the
 * input. */
bool is_within_edges(effect_box tile, effect_box read)
{
    bool between_holds = tile.left >= box_between.left && tile.right <= box_between.right &&
                         read.top >= box_between.top && read.bottom <= box_between.bottom;
    return between_holds && box_holds(job.result.box, tile) && box_holds(job.input1.box, read) &&
           box_holds(edge_box, read);
}

uint input_index(int x, int y)
{
    return job.input1.first + uint(y - job.input1.box.top) * job.input1.stride + uint(x - job.input1.box.left);
}

/* What a tap is, how four of them are halved along an axis, and the texel that this makes along both. Of pixels, taps
 * are channels of 8 bits, which are summed without a rounding. */
uvec2 tap_within(uint index)
{
    if (!effect_band_job_reads_pixels(OPERATION)) {
        return input1_texels[index];
    }
    uint pixel = pixels[index] & pixel_mask;
    return uvec2(pixel & 0x00ff00ffu, (pixel >> 8) & 0x00ff00ffu);
}

uvec2 halved_within(uvec2 a, uvec2 b, uvec2 c, uvec2 d)
{
    return effect_band_job_reads_pixels(OPERATION)
               ? uvec2(effect_halves_summed(a.x, b.x, c.x, d.x), effect_halves_summed(a.y, b.y, c.y, d.y))
               : halved(a, b, c, d);
}

uvec2 texel_within(uvec2 made)
{
    return effect_band_job_reads_pixels(OPERATION)
               ? uvec2(effect_r_g_of_sums(made.x, made.y), effect_b_a_of_sums(made.x, made.y))
               : made;
}

void halve_within(int x, int y)
{
    uint at = input_index(2 * x - 1, 2 * y - 1);
    uvec2 rows[HALVED_READ];
    [[unroll]] for (uint i = 0u; i < HALVED_READ; i++) {
        rows[i] = halved_within(tap_within(at), tap_within(at + 1u), tap_within(at + 2u), tap_within(at + 3u));
        at += job.input1.stride;
    }
    uint to = view_index(job.result, x, y);
    [[unroll]] for (uint i = 0u; i < HALVED_EACH; i++) {
        uvec2 made = halved_within(rows[2u * i], rows[2u * i + 1u], rows[2u * i + 2u], rows[2u * i + 3u]);
        set_index(to, texel_within(made));
        to += job.result.stride;
    }
}

/* The first row that is read is the one above that of an even y, and that of an odd one. */
void double_within(int x, int y)
{
    uint at = input_index(x >> 1, (y - 1) >> 1);
    uint beside = uint(2 * (x & 1) - 1);
    uvec2 rows[DOUBLED_READ];
    [[unroll]] for (uint i = 0u; i < DOUBLED_READ; i++) {
        rows[i] = doubled(read_index(at), read_index(at + beside));
        at += job.input1.stride;
    }
    uint to = view_index(job.result, x, y);
    if ((y & 1) == 0) {
        [[unroll]] for (uint i = 0u; i < DOUBLED_EACH; i++) {
            set_index(to, doubled(rows[i / 2u + 1u], rows[i % 2u == 0u ? i / 2u : i / 2u + 2u]));
            to += job.result.stride;
        }
    } else {
        [[unroll]] for (uint i = 0u; i < DOUBLED_EACH; i++) {
            set_index(to, doubled(rows[(i + 1u) / 2u], rows[i % 2u == 0u ? i / 2u + 1u : i / 2u]));
            to += job.result.stride;
        }
    }
}

/* ---- At the edges ---- */

/* Where an invocation's texels lie in each row, from the left edge of the input on. */
uvec4 tap_columns;
bvec4 tap_shows;

/* What is read of a row. */
bool row_shows;
uint row_first;

uint column_of(int x)
{
    return uint(effect_edge_place(edge, x, edge_box.left, edge_box.right) - job.input1.box.left);
}

/* Sets the taps of column x of the image between. */
void set_taps(ivec4 x)
{
    tap_columns = uvec4(column_of(x[0]), column_of(x[1]), column_of(x[2]), column_of(x[3]));
    tap_shows = lessThan(tap_columns, uvec4(job.input1.box.right - job.input1.box.left));
}

/* Sets what row y of the image between reads. */
void set_row(int y)
{
    int between = effect_edge_place(edge_between, y, box_between.top, box_between.bottom);
    uint row = uint(effect_edge_place(edge, between, edge_box.top, edge_box.bottom) - job.input1.box.top);
    row_shows = row < uint(job.input1.box.bottom - job.input1.box.top);
    row_first = job.input1.first + row * job.input1.stride;
}

uvec2 read_tap(uint t)
{
    return row_shows && tap_shows[t] ? read_index(row_first + tap_columns[t]) : uvec2(0u);
}

uvec2 halved_row(int y)
{
    set_row(y);
    return halved(read_tap(0u), read_tap(1u), read_tap(2u), read_tap(3u));
}

uvec2 doubled_row(int y)
{
    set_row(y);
    return doubled(read_tap(0u), read_tap(1u));
}

/* Texel j is made of 2j - 1 to 2j + 2. */
void halve(int x, int y)
{
    uvec2 before = halved_row(2 * y - 1);
    uvec2 first = halved_row(2 * y);
    for (int i = y; i < y + int(HALVED_EACH); i++) {
        uvec2 second = halved_row(2 * i + 1);
        uvec2 after = halved_row(2 * i + 2);
        set_texel(x, i, halved(before, first, second, after));
        before = second;
        first = after;
    }
}

/* Texels 2j and 2j + 1 are made of j and of its neighbour on their side. */
void double_up(int x, int y)
{
    int end = y + int(DOUBLED_EACH);
    uvec2 before = doubled_row((y >> 1) - 1);
    uvec2 at = doubled_row(y >> 1);
    for (int i = y >> 1; 2 * i < end; i++) {
        uvec2 after = doubled_row(i + 1);
        if (2 * i >= y) {
            set_texel(x, 2 * i, doubled(at, before));
        }
        if (2 * i + 1 < end) {
            set_texel(x, 2 * i + 1, doubled(at, after));
        }
        before = at;
        at = after;
    }
}

/* ---- Both ---- */

void halve_tile(int left, int top, int column, int share)
{
    int right = left + int(EFFECT_LEVEL_COLUMNS);
    int bottom = top + int(EFFECT_HALVED_ROWS);
    int x = left + column;
    int y = top + share * int(HALVED_EACH);
    if (is_within_edges(effect_box(left, top, right, bottom),
                        effect_box(2 * left - 1, 2 * top - 1, 2 * right + 1, 2 * bottom + 1))) {
        halve_within(x, y);
        return;
    }
    int between = effect_edge_place(edge_between, x, box_between.left, box_between.right);
    set_taps(2 * between + ivec4(-1, 0, 1, 2));
    halve(x, y);
}

void double_tile(int left, int top, int column, int share)
{
    int right = left + int(EFFECT_LEVEL_COLUMNS);
    int bottom = top + int(EFFECT_DOUBLED_ROWS);
    int x = left + column;
    int y = top + share * int(DOUBLED_EACH);
    if (is_within_edges(effect_box(left, top, right, bottom),
                        effect_box((left >> 1) - 1, (top - 1) >> 1, (right >> 1) + 2, (bottom >> 1) + 2))) {
        double_within(x, y);
        return;
    }
    int between = effect_edge_place(edge_between, x, box_between.left, box_between.right);
    int near = between >> 1;
    set_taps(ivec4(near, near + 2 * (between & 1) - 1, near, near));
    double_up(x, y);
}

void make_level(uint across, uint down, bool halves)
{
    int left = job.result.box.left + int(across * EFFECT_LEVEL_COLUMNS);
    int column = int(gl_LocalInvocationID.x % EFFECT_LEVEL_COLUMNS);
    int share = int(gl_LocalInvocationID.x / EFFECT_LEVEL_COLUMNS);
    read_level();
    if (halves) {
        halve_tile(left, job.result.box.top + int(down * EFFECT_HALVED_ROWS), column, share);
    } else {
        double_tile(left, job.result.box.top + int(down * EFFECT_DOUBLED_ROWS), column, share);
    }
}

#endif
