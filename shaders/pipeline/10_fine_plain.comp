// 10 fine, tiles without layers: the pixels.
//
// Reads tiles, tile_lists, sorted entries, runs, visible, sorted records, lines, masks, the stream's paints; writes target.
// One tile of the list a workgroup. Entries stand in paint order, and nothing hides them: coverage, paint, blend.
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#include "pipeline/fine.glsl"

void main()
{
    uint rank = stage_workgroup();
    if (rank >= counters.class_count[TILE_CLASS_PLAIN])
        return;
    uint index = tile_lists[TILE_CLASS_PLAIN * config.tile_count + rank];
    tile t = tiles[index];
    uint first = progress[index].next_entry;
    if (first >= t.entry_count)
        return;
    tile_place at = place_of(index);
    uvec4 color = first == 0u ? uvec4(config.background) : target[target_quad(at)];
    uint i = first;
    for (uint work = 0u; i < t.entry_count && !pass_is_over(work, config.fine_work); i++) {
        uint entry = entry_at(t, i);
        work += ENTRY_WORK;
        uvec4 coverage = uvec4(255u);
        uint visible_index = entry & ~ENTRY_SOLID;
        visible_element v;
        if ((entry & ENTRY_SOLID) != 0u) {
            v = visible[visible_index];
        } else {
            run r = runs[entry];
            v = visible[r.visible];
            coverage = run_coverage(r, (v.kind & ELEMENT_EVEN_ODD) != 0u, at);
            work += r.mask == NONE ? r.record_count : 0u;
        }
        coverage = clipped_quad(coverage, v.clip, at);
        if (coverage != uvec4(0u))
            color = over_quad(paint_quad(v, at), coverage, color);
    }
    if (i < t.entry_count)
        target[target_quad(at)] = color;
    else
        store_quad(at, color);
    barrier(); // every invocation has read it
    if (gl_LocalInvocationIndex == 0u)
        progress[index].next_entry = i;
}
