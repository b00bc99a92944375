// What the kernels of 10 fine have in common: a tile a workgroup, four pixels side by side an invocation.
//
// The includer defines STREAM_BINDING, CONFIG_BINDING and the bindings of the buffers below as FINE_*_BINDING.
#ifndef FINE_GLSL
#define FINE_GLSL

#define STAGE_LOCAL_SIZE 64
#include "pipeline/stage.glsl"
#include "pipeline/stream.glsl"
#include "lib/coverage.h"
#include "lib/element.h"
#include "lib/paint.h"
#include "lib/tile.h"

layout(scalar, set = 0, binding = 2) readonly buffer counters_buffer { frame_counters counters; };
layout(scalar, set = 0, binding = 3) readonly buffer tiles_buffer { tile tiles[]; };
layout(scalar, set = 0, binding = 4) readonly buffer lists_buffer { uint tile_lists[]; };
layout(scalar, set = 0, binding = 5) readonly buffer entry_sort_buffer { uint entry_half; };
layout(scalar, set = 0, binding = 6) readonly buffer entries_buffer { uint entries[]; };
layout(scalar, set = 0, binding = 7) readonly buffer runs_buffer { run runs[]; };
layout(scalar, set = 0, binding = 8) readonly buffer visible_buffer { visible_element visible[]; };
layout(scalar, set = 0, binding = 9) readonly buffer record_sort_buffer { uint record_half; };
layout(scalar, set = 0, binding = 10) readonly buffer records_buffer { uint records[]; };
layout(scalar, set = 0, binding = 11) readonly buffer lines_buffer { line lines[]; };
layout(scalar, set = 0, binding = 12) readonly buffer masks_buffer { uint masks[]; };
layout(scalar, set = 0, binding = 13) buffer target_buffer { uvec4 target[]; };
layout(scalar, set = 0, binding = 14) buffer progress_buffer { tile_progress progress[]; };

// The invocation's pixels: from the tile's corner.
int quad_x() { return int(gl_LocalInvocationIndex & 3u) * 4; }
int quad_y() { return int(gl_LocalInvocationIndex >> 2); }

struct tile_place {
    int x, y;                  // tiles of the frame
};

tile_place place_of(uint index)
{
    return tile_place(config.part.x0 + int(index % config.tile_pitch), config.part.y0 + int(index / config.tile_pitch));
}

uint target_quad(tile_place at)
{
    uint row = uint((at.y - config.part.y0) * TILE_SIDE + quad_y());
    return (row * config.target_pitch + uint(at.x * TILE_SIDE + quad_x())) / 4u;
}

void store_quad(tile_place at, uvec4 color)
{
    if (config.straight != 0u)
        color = uvec4(color_straight(color.x), color_straight(color.y), color_straight(color.z), color_straight(color.w));
    target[target_quad(at)] = color;
}

// Coverage of the four pixels by a run, 0 to 255 each.
uvec4 run_coverage(run r, bool even_odd, tile_place at)
{
    if (r.mask != NONE) {
        uint word = masks[r.mask * uint(TILE_PIXELS / 4) + gl_LocalInvocationIndex];
        return uvec4(word & 0xffu, (word >> 8) & 0xffu, (word >> 16) & 0xffu, word >> 24);
    }
    int tile_left = at.x * TILE_SUBPIXELS;
    int tile_top = at.y * TILE_SUBPIXELS;
    ivec4 area = ivec4(r.backdrop * FULL_AREA);
    for (uint i = 0u; i < r.record_count; i++) {
        line l = lines[records[record_half * config.record_capacity + r.first_record + i] >> RECORD_LINE_SHIFT];
        coverage_row row = coverage_of_row(l, tile_left, tile_top, tile_top + quad_y() * SUBPIXELS);
        area += row.left_area;
        if (row.y_lower > row.y_upper) {
            quad_area quad = coverage_of_quad(l, row, tile_left, quad_x() * SUBPIXELS);
            area += ivec4(quad.a0, quad.a1, quad.a2, quad.a3);
        }
    }
    return uvec4(coverage_level(area.x, even_odd), coverage_level(area.y, even_odd), coverage_level(area.z, even_odd),
                 coverage_level(area.w, even_odd));
}

// Nothing outside the element's clip box.
uvec4 clipped_quad(uvec4 coverage, pixel_box clip, tile_place at)
{
    if (box_covers_tile(clip, at.x, at.y))
        return coverage;
    int x = at.x * TILE_SIDE + quad_x();
    int y = at.y * TILE_SIDE + quad_y();
    return uvec4(box_has_pixel(clip, x, y) ? coverage.x : 0u, box_has_pixel(clip, x + 1, y) ? coverage.y : 0u,
                 box_has_pixel(clip, x + 2, y) ? coverage.z : 0u, box_has_pixel(clip, x + 3, y) ? coverage.w : 0u);
}

uint gradient_pixel(visible_element v, stream_paint paint, int x, int y)
{
    gradient_offset offset = gradient_at(paint, v.ga, v.gb, v.gc, v.gd, v.ge, v.gf, x, y);
    if (!offset.valid)
        return 0u;
    uint low = 0u;
    uint high = paint.stop_count;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (stream_stop_offset(paint.first_stop + middle) <= offset.t)
            low = middle;
        else
            high = middle;
    }
    return gradient_color(stream_stop_at(paint.first_stop + low), offset.t, paint.opacity);
}

uvec4 paint_quad(visible_element v, tile_place at)
{
    if (v.paint == NONE)
        return uvec4(v.color);
    stream_paint paint = stream_paint_at(v.paint);
    int x = at.x * TILE_SIDE + quad_x();
    int y = at.y * TILE_SIDE + quad_y();
    return uvec4(gradient_pixel(v, paint, x, y), gradient_pixel(v, paint, x + 1, y), gradient_pixel(v, paint, x + 2, y),
                 gradient_pixel(v, paint, x + 3, y));
}

uvec4 over_quad(uvec4 source, uvec4 level, uvec4 below)
{
    return uvec4(color_over(color_scale(source.x, level.x), below.x), color_over(color_scale(source.y, level.y), below.y),
                 color_over(color_scale(source.z, level.z), below.z), color_over(color_scale(source.w, level.w), below.w));
}

uint entry_at(tile t, uint i) { return entries[entry_half * config.entry_capacity + t.first_entry + i]; }

#endif
