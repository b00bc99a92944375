/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Levels of a pyramid: an image is halved or doubled along both axes. An invocation makes texels of one column. It goes
 * down the rows that these depend on, makes each along x, and holds the last ones in registers. So no invocation waits
 * for another; what neighbours read in common comes from the cache. */
#ifndef EFFECT_PYRAMID_GLSL
#define EFFECT_PYRAMID_GLSL

#define HALVED_EACH (EFFECT_HALVED_ROWS * EFFECT_LEVEL_COLUMNS / EFFECT_INVOCATIONS)
#define DOUBLED_EACH (EFFECT_DOUBLED_ROWS * EFFECT_LEVEL_COLUMNS / EFFECT_INVOCATIONS)

/* The image between is made along x alone. */
effect_box box_between;
uint edge_between;

/* Where an invocation's texels lie in each row, from the left edge of the input on. */
uvec4 tap_columns;
bvec4 tap_shows;

/* What is read of a row. */
bool row_shows;
uint row_first;

void read_level()
{
    pixel_mask = parameter(0u);
    edge = parameter(1u);
    edge_box = box_parameter(2u);
    edge_between = parameter(6u);
    box_between = box_parameter(7u);
}

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

uvec2 halved(uvec2 a, uvec2 b, uvec2 c, uvec2 d)
{
    return uvec2(effect_halved(a.x, b.x, c.x, d.x), effect_halved(a.y, b.y, c.y, d.y));
}

uvec2 doubled(uvec2 near, uvec2 far)
{
    return uvec2(effect_doubled(near.x, far.x), effect_doubled(near.y, far.y));
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

void make_level(uint across, uint down, bool halves)
{
    read_level();
    uint column = gl_LocalInvocationID.x % EFFECT_LEVEL_COLUMNS;
    uint share = gl_LocalInvocationID.x / EFFECT_LEVEL_COLUMNS;
    uint rows = halves ? EFFECT_HALVED_ROWS : EFFECT_DOUBLED_ROWS;
    int x = job.result.box.left + int(across * EFFECT_LEVEL_COLUMNS + column);
    int y = job.result.box.top + int(down * rows);
    int between = effect_edge_place(edge_between, x, box_between.left, box_between.right);
    if (halves) {
        set_taps(2 * between + ivec4(-1, 0, 1, 2));
        halve(x, y + int(share * HALVED_EACH));
    } else {
        int near = between >> 1;
        set_taps(ivec4(near, near + 2 * (between & 1) - 1, near, near));
        double_up(x, y + int(share * DOUBLED_EACH));
    }
}

#endif
