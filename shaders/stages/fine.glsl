/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels of 10 fine have in common. A workgroup draws a tile, and each invocation draws four adjacent pixels.
 *
 * The includer defines STREAM_BINDING, CONFIG_BINDING, and the bindings of the buffers below as FINE_*_BINDING. */
#ifndef FINE_GLSL
#define FINE_GLSL

#define STAGE_LOCAL_SIZE 64
#include "stages/stage.glsl"
#include "stages/drawn_boxes.glsl"
#include "stages/stream.glsl"
#include "lib/coverage.h"
#include "lib/element.h"
#include "lib/paint.h"
#include "lib/tile.h"

layout(scalar, set = 0, binding = 2) readonly buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, set = 0, binding = 3) readonly buffer tiles_buffer
{
    tile tiles[];
};
layout(scalar, set = 0, binding = 4) readonly buffer lists_buffer
{
    uint tile_lists[];
};
layout(scalar, set = 0, binding = 5) readonly buffer tile_command_sort_buffer
{
    uint tile_command_half;
};
layout(scalar, set = 0, binding = 6) readonly buffer tile_commands_buffer
{
    uint tile_commands[];
};
layout(scalar, set = 0, binding = 7) readonly buffer tile_paths_buffer
{
    tile_path tile_paths[];
};
layout(scalar, set = 0, binding = 8) readonly buffer visible_buffer
{
    visible_element visible[];
};
layout(scalar, set = 0, binding = 9) readonly buffer tile_line_sort_buffer
{
    uint tile_line_half;
};
layout(scalar, set = 0, binding = 10) readonly buffer tile_lines_buffer
{
    uint tile_lines[];
};
layout(scalar, set = 0, binding = 11) readonly buffer lines_buffer
{
    line lines[];
};
layout(scalar, set = 0, binding = 12) readonly buffer masks_buffer
{
    uint masks[];
};
layout(scalar, set = 0, binding = 13) buffer target_buffer
{
    uvec4 target[];
};
layout(scalar, set = 0, binding = 14) buffer progress_buffer
{
    tile_progress progress[];
};

/* Invocations are numbered by subgroup and lane, so that four lanes share a row of pixels. */
uint fine_invocation()
{
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
}

/* These give the invocation's first pixel, from the tile's corner. */
int quad_x()
{
    return int(fine_invocation() & 3u) * 4;
}
int quad_y()
{
    return int(fine_invocation() >> 2);
}

uint target_quad(tile_place at)
{
    uint row = uint((at.y - config.part.y0) * TILE_SIDE + quad_y());
    return (row * config.target_pitch + uint(at.x * TILE_SIDE + quad_x())) / 4u;
}

void store_quad(tile_place at, uvec4 color)
{
    if (config.straight != 0u)
        color =
            uvec4(color_straight(color.x), color_straight(color.y), color_straight(color.z), color_straight(color.w));
    target[target_quad(at)] = color;
}

/* Tile_commands are taken in batches. A batch has at most one tile_line for each invocation. The invocations gather
 * side by side what the walk over a batch needs to know of its tile_commands. Each then adds one tile_line's pixels to
 * the sums of its tile_command, as coverage_walk says. */
#define BATCH_COMMANDS 8u
#define BATCH_TILE_LINES 64u

/* Flags, above those of the element's kind. */
#define BATCH_SOLID 0x80000000u
#define BATCH_MASKED 0x40000000u
#define BATCH_CLIPPED 0x20000000u /* the clip box ends within the tile */

shared uint batch_visible[BATCH_COMMANDS];
shared uint batch_element[BATCH_COMMANDS];
shared uint batch_layer[BATCH_COMMANDS];
shared uint batch_flags[BATCH_COMMANDS];
shared uint batch_color[BATCH_COMMANDS];
shared uint batch_paint[BATCH_COMMANDS];
shared uint batch_source[BATCH_COMMANDS];     /* the mask, or the first tile_line */
shared uint batch_tile_lines[BATCH_COMMANDS]; /* tile_lines that are summed here */
shared int batch_backdrop[BATCH_COMMANDS];
shared int batch_lines[6u * BATCH_TILE_LINES]; /* the lines of the batch's tile_lines */
shared uint batch_first_line[BATCH_COMMANDS];  /* where a slot's tile_lines begin there */
shared uint batch_meetings;                    /* a bit for each slot: tile_lines meet in some pixel */
shared uint batch_rows[BATCH_COMMANDS];        /* a bit for each row in which a sum, or the backdrop, is not zero */

/* Sums of each pixel for each tile_command: the area in the low PIXEL_AREA_BITS bits, then the number of tile_lines
 * that touch the pixel, then the number of their ends in it, modulo 4. A pixel that was sampled and found complex has
 * its level in the high 8 bits, and its bit PIXEL_AREA_BITS differs from the area's sign. The sums of a column lie side
 * by side for the sixteen rows of its quad, so that those who add and those who read seldom meet in a bank. */
shared int batch_sums[BATCH_COMMANDS * uint(TILE_PIXELS)];

#define PIXEL_AREA_BITS 23
#define PIXEL_TOUCH (1 << 24)
#define PIXEL_END_SHIFT 30

int pixel_area(int sum)
{
    return sum << (32 - PIXEL_AREA_BITS) >> (32 - PIXEL_AREA_BITS);
}

/* Returns the touches and ends of a pixel that was not sampled. */
uint pixel_meetings(int sum)
{
    return uint(sum - pixel_area(sum)) >> 24;
}

bool pixel_is_sampled(int sum)
{
    uint meetings = pixel_meetings(sum);
    return meetings_are_sampled((meetings & 63u) * MEETING_TOUCH + (meetings >> 6));
}

int pixel_with_level(int sum, uint level)
{
    int area = pixel_area(sum);
    uint kept = uint(area) & ((1u << PIXEL_AREA_BITS) - 1u);
    return int(kept | (area < 0 ? 0u : 1u << PIXEL_AREA_BITS) | level << 24);
}

bool pixel_has_level(int sum)
{
    return ((sum >> PIXEL_AREA_BITS ^ sum >> (PIXEL_AREA_BITS - 1)) & 1) != 0;
}

uint sum_index(uint slot, int row, int column)
{
    return slot * uint(TILE_PIXELS) + uint((column & 3) * (TILE_PIXELS / 4) + row * 4 + (column >> 2));
}

uint own_sum(uint slot, uint i)
{
    return slot * uint(TILE_PIXELS) + i * uint(TILE_PIXELS / 4) + fine_invocation();
}

void clear_sums(uint slot)
{
    for (uint i = 0u; i < 4u; i++)
        batch_sums[own_sum(slot, i)] = 0;
}

/* Must be called before the first batch. */
void clear_batch()
{
    for (uint slot = 0u; slot < BATCH_COMMANDS; slot++)
        clear_sums(slot);
}

uint command_at(tile t, uint i)
{
    return tile_commands[tile_command_half * config.tile_command_capacity + t.first_command + i];
}

void gather_command(uint slot, uint command, tile_place at)
{
    uint index = command & ~TILE_COMMAND_SOLID;
    uint flags = BATCH_SOLID;
    uint tile_line_count = 0u;
    if ((command & TILE_COMMAND_SOLID) == 0u) {
        uint mask = tile_paths[command].mask;
        index = tile_paths[command].visible;
        flags = mask != NONE ? BATCH_MASKED : 0u;
        tile_line_count = mask != NONE ? 0u : tile_paths[command].tile_line_count;
        batch_source[slot] = mask != NONE ? mask : tile_paths[command].first_tile_line;
        int backdrop = held_backdrop(visible[index].kind, tile_paths[command].backdrop);
        batch_backdrop[slot] = backdrop;
        batch_rows[slot] = backdrop != 0 ? (1u << TILE_SIDE) - 1u : 0u;
    }
    flags |= box_covers_tile(visible[index].clip, at.x, at.y) ? 0u : BATCH_CLIPPED;
    batch_visible[slot] = index;
    batch_element[slot] = visible[index].element;
    batch_layer[slot] = visible[index].layer;
    batch_flags[slot] = flags | visible[index].kind;
    batch_color[slot] = visible[index].color;
    batch_paint[slot] = visible[index].paint;
    batch_tile_lines[slot] = tile_line_count;
}

/* The loops touch shared memory by relaxed atomics alone, because their numbers of rounds differ between subgroups (see
 * the trap in stage.glsl). */
void add_tile_line(uint slot, line l, int tile_left, int tile_top)
{
    coverage_walk walk = coverage_walk_begin(l, tile_left, tile_top);
    uint rows = 0u;
    bool meets = false;
    horizontal_pixels horizontal = coverage_horizontal_pixels(l, tile_left, tile_top);
    for (int column = horizontal.first; column <= horizontal.last; column++) {
        int touch = PIXEL_TOUCH | int(coverage_horizontal_ends(l, tile_left, column) << PIXEL_END_SHIFT);
        meets = (pixel_meetings(atomicAdd(batch_sums[sum_index(slot, horizontal.row, column)], touch)) & 63u) != 0u ||
                meets;
        rows |= 1u << horizontal.row;
    }
    while (coverage_walk_goes_on(walk)) {
        if (coverage_walk_row_is_done(walk)) {
            int added = coverage_walk_next_row(walk, l, tile_left, tile_top);
            rows |= added != 0 || !coverage_walk_row_is_done(walk) ? 1u << coverage_walk_row(walk) : 0u;
            if (added != 0)
                atomicAdd(batch_sums[sum_index(slot, coverage_walk_row(walk), 0)], added);
        }
        if (!coverage_walk_row_is_done(walk)) {
            int row = coverage_walk_row(walk);
            uint at = sum_index(slot, row, walk.column);
            int touch = PIXEL_TOUCH + int(coverage_walk_ends(walk, l, tile_left, tile_top) << PIXEL_END_SHIFT);
            int had = atomicAdd(batch_sums[at], coverage_walk_pixel(walk, l, tile_left, tile_top) + touch);
            meets = (pixel_meetings(had) & 63u) != 0u || meets;
            if (coverage_walk_row_is_done(walk) && walk.column < TILE_SIDE && walk.carry != 0)
                atomicAdd(batch_sums[sum_index(slot, row, walk.column)], walk.carry);
        }
    }
    if (walk.tail != 0) {
        rows |= 1u << coverage_walk_tail_row(walk);
        atomicAdd(batch_sums[sum_index(slot, coverage_walk_tail_row(walk), 0)], walk.tail);
    }
    if (walk.below != 0) {
        rows |= ((1u << TILE_SIDE) - 1u) & ~((1u << coverage_walk_first_below(walk)) - 1u);
        for (int row = coverage_walk_first_below(walk); row < TILE_SIDE; row++)
            atomicAdd(batch_sums[sum_index(slot, row, 0)], walk.below);
    }
    atomicOr(batch_rows[slot], rows);
    if (meets)
        atomicOr(batch_meetings, 1u << slot);
}

#define MEETING_SLOTS BATCH_COMMANDS
#define MEETING_WORDS 1u
#include "stages/meetings.glsl"

uint meeting_invocation()
{
    return fine_invocation();
}

uint meeting_words()
{
    return MEETING_WORDS;
}

uint meeting_first_tile_line(uint slot)
{
    return RELAXED_LOAD(batch_first_line[slot]);
}

line meeting_line(uint at)
{
    line l;
    l.x0 = RELAXED_LOAD(batch_lines[at]);
    l.y0 = RELAXED_LOAD(batch_lines[BATCH_TILE_LINES + at]);
    l.x1 = RELAXED_LOAD(batch_lines[2u * BATCH_TILE_LINES + at]);
    int y1_sign = RELAXED_LOAD(batch_lines[3u * BATCH_TILE_LINES + at]);
    l.y1 = y1_sign >> 1;
    l.visible_sign = uint(y1_sign & 1);
    l.x_slope = uint(RELAXED_LOAD(batch_lines[4u * BATCH_TILE_LINES + at]));
    l.x_slope_fraction = uint(RELAXED_LOAD(batch_lines[5u * BATCH_TILE_LINES + at]));
    l.y_slope = 0u;
    l.y_slope_fraction = 0u;
    return l;
}

void keep_line(uint at, line l)
{
    batch_lines[at] = l.x0;
    batch_lines[BATCH_TILE_LINES + at] = l.y0;
    batch_lines[2u * BATCH_TILE_LINES + at] = l.x1;
    batch_lines[3u * BATCH_TILE_LINES + at] = l.y1 << 1 | int(l.visible_sign & 1u);
    batch_lines[4u * BATCH_TILE_LINES + at] = int(l.x_slope);
    batch_lines[5u * BATCH_TILE_LINES + at] = int(l.x_slope_fraction);
}

int meeting_backdrop(uint slot)
{
    return RELAXED_LOAD(batch_backdrop[slot]);
}

bool meeting_is_even_odd(uint slot)
{
    return (RELAXED_LOAD(batch_flags[slot]) & ELEMENT_EVEN_ODD) != 0u;
}

area_parts meeting_area(uint slot, uint pixel)
{
    int row = int(pixel) / TILE_SIDE;
    int column = int(fine_invocation() & 3u) * 4;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += column + i <= int(pixel) % TILE_SIDE
                   ? pixel_area(RELAXED_LOAD(batch_sums[sum_index(slot, row, column + i)]))
                   : 0;
    int area = meeting_backdrop(slot) * FULL_AREA + sum_of_lanes(sum);
    return area_parts(area >> 16, uint(area & 0xffff));
}

void meeting_set_level(uint slot, uint pixel, uint level)
{
    uint at = sum_index(slot, int(pixel) / TILE_SIDE, int(pixel) % TILE_SIDE);
    batch_sums[at] = pixel_with_level(batch_sums[at], level);
}

/* Returns a bit for each pixel of the invocation that is sampled: bit slot * 4 + i. */
uint own_meetings()
{
    uint mine = 0u;
    for (uint slot = 0u; slot < BATCH_COMMANDS; slot++)
        if ((batch_meetings >> slot & 1u) != 0u)
            for (uint i = 0u; i < 4u; i++)
                mine |= pixel_is_sampled(batch_sums[own_sum(slot, i)]) ? 1u << (slot * 4u + i) : 0u;
    return mine;
}

/* Gathers and sums the tile_commands from i on, and returns how many it took, at least one. It must be called after a
 * barrier, and it ends with one. */
uint take_batch(tile t, uint i, tile_place at)
{
    uint invocation = fine_invocation();
    int tile_left = at.x * TILE_SUBPIXELS;
    int tile_top = at.y * TILE_SUBPIXELS;
    uint there = min(t.command_count - i, BATCH_COMMANDS);
    if (invocation < there)
        gather_command(invocation, command_at(t, i + invocation), at);
    if (invocation == 0u)
        batch_meetings = 0u;
    clear_meetings();
    barrier();
    uint taken = 0u;
    uint sum = 0u;
    uint slot = NONE;
    uint tile_line = 0u;
    for (uint j = 0u; j < BATCH_COMMANDS; j++) {
        uint before = sum;
        sum += j < there ? batch_tile_lines[j] : BATCH_TILE_LINES + 1u;
        if (sum <= BATCH_TILE_LINES)
            taken = j + 1u;
        if (invocation >= before && invocation < sum && sum <= BATCH_TILE_LINES) {
            slot = j;
            tile_line = invocation - before;
        }
    }
    line l;
    if (slot != NONE) {
        uint at_tile_line = tile_line_half * config.tile_line_capacity + batch_source[slot] + tile_line;
        l = lines[tile_lines[at_tile_line] >> TILE_LINE_SHIFT];
        keep_line(invocation, l);
        if (tile_line == 0u)
            batch_first_line[slot] = invocation;
        add_tile_line(slot, l, tile_left, tile_top);
    }
    barrier();
    if (batch_meetings != 0u) {
        if (slot != NONE && (batch_meetings >> slot & 1u) != 0u)
            place_line(slot, tile_line, l, tile_left, tile_top);
        uint mine = list_pixels(own_meetings());
        barrier();
        sample_meetings(mine, tile_left, tile_top);
    }
    return taken;
}

/* Returns the coverage of the four pixels by a tile_command of the batch, 0 to 255 each, and clears its sums. */
uvec4 batch_coverage(uint slot)
{
    uint flags = batch_flags[slot];
    if ((flags & BATCH_SOLID) != 0u)
        return uvec4(255u);
    if ((flags & BATCH_MASKED) != 0u) {
        uint word = masks[batch_source[slot] * uint(TILE_PIXELS / 4) + fine_invocation()];
        return uvec4(word & 0xffu, (word >> 8) & 0xffu, (word >> 16) & 0xffu, word >> 24);
    }
    /* All lanes of a row take the same branch, as the shuffles require. */
    if ((batch_rows[slot] >> quad_y() & 1u) == 0u)
        return uvec4(0u);
    ivec4 sum;
    for (uint i = 0u; i < 4u; i++)
        sum[i] = batch_sums[own_sum(slot, i)];
    clear_sums(slot);
    ivec4 area = sum << (32 - PIXEL_AREA_BITS) >> (32 - PIXEL_AREA_BITS);
    area.y += area.x;
    area.z += area.y;
    area.w += area.z;
    uint lane = fine_invocation() & 3u;
    int before = area.w;
    int other = subgroupShuffleUp(before, 1u);
    before += lane >= 1u ? other : 0;
    other = subgroupShuffleUp(before, 2u);
    before += lane >= 2u ? other : 0;
    area += batch_backdrop[slot] * FULL_AREA + before - area.w;
    bool even_odd = (flags & ELEMENT_EVEN_ODD) != 0u;
    uvec4 level = uvec4(coverage_level(area.x, even_odd), coverage_level(area.y, even_odd),
                        coverage_level(area.z, even_odd), coverage_level(area.w, even_odd));
    if ((batch_meetings >> slot & 1u) != 0u)
        for (int i = 0; i < 4; i++)
            level[i] = pixel_has_level(sum[i]) ? uint(sum[i]) >> 24 : level[i];
    return level;
}

/* Chooses for each of the four pixels, by whether it lies in a box. */
uvec4 choose_in_box(pixel_box box, tile_place at, uvec4 inside, uvec4 outside)
{
    int x = at.x * TILE_SIDE + quad_x();
    int y = at.y * TILE_SIDE + quad_y();
    return uvec4(box_has_pixel(box, x, y) ? inside.x : outside.x, box_has_pixel(box, x + 1, y) ? inside.y : outside.y,
                 box_has_pixel(box, x + 2, y) ? inside.z : outside.z,
                 box_has_pixel(box, x + 3, y) ? inside.w : outside.w);
}

/* Does batch_coverage, with 0 outside the element's clip box. */
uvec4 clipped_coverage(uint slot, tile_place at)
{
    uvec4 coverage = batch_coverage(slot);
    if ((batch_flags[slot] & BATCH_CLIPPED) == 0u)
        return coverage;
    return choose_in_box(visible[batch_visible[slot]].clip, at, coverage, uvec4(0u));
}

uint gradient_pixel(visible_element v, stream_paint paint, int x, int y)
{
    gradient_offset offset = gradient_at(paint, v.ga, v.gb, v.gc, v.gd, v.ge, v.gf, x - place_x(v.place) * TILE_SIDE,
                                         y - place_y(v.place) * TILE_SIDE);
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

#ifdef FINE_COMPLEX
layout(scalar, set = 0, binding = 16) readonly buffer texels_0_buffer
{
    uint texels_0[];
};
layout(scalar, set = 0, binding = 17) readonly buffer texels_1_buffer
{
    uint texels_1[];
};
layout(scalar, set = 0, binding = 18) readonly buffer texels_2_buffer
{
    uint texels_2[];
};
layout(scalar, set = 0, binding = 19) readonly buffer texels_3_buffer
{
    uint texels_3[];
};

uint texel_at(uint index)
{
    uint at = index & ((1u << TEXEL_WINDOW_SHIFT) - 1u);
    switch (index >> TEXEL_WINDOW_SHIFT) {
    case 0u:
        return texels_0[at];
    case 1u:
        return texels_1[at];
    case 2u:
        return texels_2[at];
    default:
        return texels_3[at];
    }
}

#include "lib/image_sample.h"

uvec4 image_quad(visible_element v, stream_paint paint, int x, int y)
{
    affine m = affine(v.ga, v.gb, v.gc, v.gd, v.ge, v.gf);
    image_footprint print = footprint_unpack(v.color);
    stream_mip_level whole = stream_mip_level_at(paint.first_stop);
    stream_mip_level level = stream_mip_level_at(paint.first_stop + print.mip_level);
    int left = x - place_x(v.place) * TILE_SIDE;
    int top = y - place_y(v.place) * TILE_SIDE;
    uvec4 quad;
    for (int i = 0; i < 4; i++)
        quad[i] = image_sample(m, print, whole, level, paint, left + i, top);
    return quad;
}

#include "lib/box_shadow.h"

uvec4 shadow_quad(visible_element v, stream_paint paint, int x, int y)
{
    affine m = affine(v.ga, v.gb, v.gc, v.gd, v.ge, v.gf);
    stream_box_shadow shadow = stream_box_shadow_at(paint.first_stop);
    int left = x - place_x(v.place) * TILE_SIDE;
    int top = y - place_y(v.place) * TILE_SIDE;
    uvec4 quad;
    for (int i = 0; i < 4; i++)
        quad[i] = shadow_color(shadow, paint, m, left + i, top);
    return quad;
}
#endif

uvec4 paint_quad(uint slot, tile_place at)
{
    if (batch_paint[slot] == NONE)
        return uvec4(batch_color[slot]);
    stream_paint paint = stream_paint_at(batch_paint[slot]);
    visible_element v = visible[batch_visible[slot]];
    int x = at.x * TILE_SIDE + quad_x();
    int y = at.y * TILE_SIDE + quad_y();
#ifdef FINE_COMPLEX
    if (paint.kind == PAINT_IMAGE)
        return image_quad(v, paint, x, y);
    if (paint.kind == PAINT_BOX_SHADOW)
        return shadow_quad(v, paint, x, y);
#endif
    uvec4 quad;
    for (int i = 0; i < 4; i++)
        quad[i] = gradient_pixel(v, paint, x + i, y);
    return quad;
}

uvec4 over_quad(uvec4 source, uvec4 level, uvec4 destination)
{
    return uvec4(color_over(color_scale(source.x, level.x), destination.x),
                 color_over(color_scale(source.y, level.y), destination.y),
                 color_over(color_scale(source.z, level.z), destination.z),
                 color_over(color_scale(source.w, level.w), destination.w));
}

#endif
