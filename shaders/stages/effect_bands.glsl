/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two bands at once, which halve or double an image along both axes: what lies between them never leaves shared memory.
 * The includer has staged, add_tap and summed. */
#ifndef EFFECT_BANDS_GLSL
#define EFFECT_BANDS_GLSL

#define BANDS_WEIGHTS 26u /* behind an effect_bands_job */

effect_band rows, columns;
uint edge_between;
effect_box box_between;
uint tile_columns;
int first_x, first_y; /* of the tile */
int read_x, read_y;   /* of what it reads */
uint read_columns, read_rows;

void read_bands(uint across, uint down)
{
    rows = band_parameter(0u);
    columns = band_parameter(7u);
    edge = parameter(14u);
    edge_box = box_parameter(15u);
    edge_between = parameter(19u);
    box_between = box_parameter(20u);
    tile_columns = parameter(24u);
    uint tile_rows = parameter(25u);
    first_x = job.result.box.left + int(across * tile_columns);
    first_y = job.result.box.top + int(down * tile_rows);
    read_x = effect_band_start(rows, first_x);
    read_y = effect_band_start(columns, first_y);
    read_columns = uint(effect_band_start(rows, first_x + int(tile_columns) - 1) - read_x) + rows.taps;
    read_rows = uint(effect_band_start(columns, first_y + int(tile_rows) - 1) - read_y) + columns.taps;
}

uvec2 band_input(int x, int y)
{
    return input1_packed(effect_edge_place(edge, x, edge_box.left, edge_box.right),
                         effect_edge_place(edge, y, edge_box.top, edge_box.bottom));
}

/* Returns the row of the image between the bands that shows at y. */
int row_between(int y)
{
    return effect_edge_place(edge_between, y, box_between.top, box_between.bottom);
}

void stage_tile()
{
    for (uint i = 0u; i < (EFFECT_BANDS_READ + EFFECT_INVOCATIONS - 1u) / EFFECT_INVOCATIONS; i++) {
        uint at = i * EFFECT_INVOCATIONS + gl_LocalInvocationID.x;
        if (at < read_columns * read_rows) {
            staged[at] = band_input(read_x + int(at % read_columns), row_between(read_y + int(at / read_columns)));
        }
    }
    barrier();
}

/* Returns the texel at x of the image between the bands, in a row that is staged. Where an edge repeats, it is that of
 * a column that may not be. */
uvec2 texel_between(int x, uint row)
{
    int y = read_y + int(row);
    if (edge_between == EFFECT_EDGE_NONE &&
        (x < box_between.left || x >= box_between.right || y < box_between.top || y >= box_between.bottom)) {
        return uvec2(0u);
    }
    int at_x = effect_edge_place(edge_between, x, box_between.left, box_between.right);
    int start = effect_band_start(rows, at_x);
    uint weight = BANDS_WEIGHTS + effect_band_weights(rows, at_x);
    ivec4 sum = ivec4(0);
    for (uint t = 0u; t < rows.taps; t++) {
        uvec2 texel = at_x == x ? staged[row * read_columns + uint(start - read_x) + t]
                                : band_input(start + int(t), row_between(y));
        add_tap(sum, int_parameter(weight + t), texel);
    }
    return summed(sum);
}

void run_rows()
{
    for (uint i = 0u; i < (EFFECT_BANDS_BETWEEN + EFFECT_INVOCATIONS - 1u) / EFFECT_INVOCATIONS; i++) {
        uint at = i * EFFECT_INVOCATIONS + gl_LocalInvocationID.x;
        if (at < tile_columns * read_rows) {
            staged[EFFECT_BANDS_READ + at] = texel_between(first_x + int(at % tile_columns), at / tile_columns);
        }
    }
    barrier();
}

uvec2 texel_of_columns(uint column, int y)
{
    uint row = uint(effect_band_start(columns, y) - read_y);
    uint weight = BANDS_WEIGHTS + EFFECT_BANDS_TAPS_MOST + effect_band_weights(columns, y);
    ivec4 sum = ivec4(0);
    for (uint t = 0u; t < columns.taps; t++) {
        add_tap(sum, int_parameter(weight + t), staged[EFFECT_BANDS_READ + (row + t) * tile_columns + column]);
    }
    return summed(sum);
}

void run_bands(uint across, uint down)
{
    read_bands(across, down);
    stage_tile();
    run_rows();
    uint count = tile_columns * parameter(25u);
    for (uint at = gl_LocalInvocationID.x; at < count; at += EFFECT_INVOCATIONS) {
        uint column = at % tile_columns;
        int x = first_x + int(column);
        int y = first_y + int(at / tile_columns);
        if (view_holds(job.result, x, y)) {
            set_result_packed(x, y, texel_of_columns(column, y));
        }
    }
}

#endif
