/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 10 fine: the pixels of tiles without layers.
 *
 * Reads tiles, tile_lists, sorted tile_commands, tile_paths, visible, sorted tile_lines, lines, masks, the stream's
 * paints; writes target. One workgroup draws one tile of the list. Its tile_commands stand in paint order, and none is
 * hidden, so each is painted over the ones before it. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#include "stages/fine.glsl"

void main()
{
    uint rank = stage_workgroup();
    if (rank >= counters.class_count[TILE_CLASS_PLAIN])
        return;
    uint index = tile_lists[TILE_CLASS_PLAIN * config.tile_count + rank];
    tile t = tiles[index];
    uint first = progress[index].next_command;
    if (first >= t.command_count)
        return;
    tile_place at = place_of(index);
    uvec4 color = first == 0u ? uvec4(config.background) : target[target_quad(at)];
    uint i = first;
    uint work = 0u;
    clear_batch();
    while (i < t.command_count && !pass_is_over(work, config.fine_work)) {
        uint taken = take_batch(t, i, at);
        for (uint slot = 0u; slot < taken && !pass_is_over(work, config.fine_work); slot++, i++) {
            work += COMMAND_WORK + tile_line_work(batch_tile_lines[slot]) +
                    paint_work(batch_flags[slot], batch_paint[slot]);
            uvec4 coverage = clipped_coverage(slot, at);
            if (coverage != uvec4(0u))
                color = over_quad(paint_quad(slot, at), coverage, color);
        }
        barrier(); /* every invocation has read the batch */
    }
    if (i < t.command_count)
        target[target_quad(at)] = color;
    else
        store_quad(at, color);
    barrier(); /* every invocation has read progress[index] */
    if (fine_invocation() == 0u)
        progress[index].next_command = i;
}
