// 04 flatten few: the same as 04_flatten where pieces of work are few and not dashed, so that even a small scene fills the device.
//
// Reads the stream, segments, elements, visible; writes edges, counters, arguments.
// Dispatch: a workgroup for FLATTEN_FEW_TILE pieces of work. They are cut into chords, which its invocations share out in rounds.
// Invariant: counts before it stores; a prefix sum of lines. All passes over a tile share one copy of the code.
// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "pipeline/flatten.glsl"

#define OWNER_BITS 3 // of FLATTEN_FEW_TILE
#include "pipeline/owner.glsl"

shared flatten_item items[FLATTEN_FEW_TILE];

// At least as many as are in sight, and one for the line that closes a subpath.
uint count_chords(flatten_item item)
{
    if (item.visible == NONE)
        return 0u;
    if (item.segment == NONE)
        return 1u;
    curve device = curve_transform(element_matrix_at(visible_elements[item.visible].element), segment_curve(item.segment));
    if (item_is_fill(item))
        return chord_curve_of(device, visible_elements[item.visible].box).cut.pieces + 1u;
    return subdivision_of(device).pieces;
}

// The number of chords of a tile.
uint load_tile(uint tile)
{
    uint slot = workgroup_invocation();
    uint index = tile * FLATTEN_FEW_TILE + slot;
    flatten_item item = flatten_item(NONE, NONE, NONE, 0u);
    if (slot < FLATTEN_FEW_TILE && index < counters.ready_items)
        item = plain_item(index);
    uint total;
    uint start = workgroup_exclusive_scan(count_chords(item), total);
    if (slot < FLATTEN_FEW_TILE)
        items[slot] = item;
    if (slot <= FLATTEN_FEW_TILE)
        owner_starts[slot] = start;
    barrier();
    return total;
}

stroke_work work_of_item(flatten_sink sink, flatten_item item, pen p, stream_style style, chord_range chords)
{
    stroke_work work = stroke_work_whole(p, segment_stroked(item.segment, false), sink.box);
    work.first_piece = min(chords.first, work.cut.pieces);
    work.end_piece = min(chords.end, work.cut.pieces);
    if (work.first_piece == work.end_piece)
        work.end = 0u;
    return work;
}

void flatten_chord(inout flatten_sink sink, uint chord)
{
    uint slot = owner_of(chord);
    uint first = chord - owner_starts[slot];
    flatten(sink, items[slot], chord_range(first, first + 1u));
}

// Lines of this invocation's chords of the own tile, round by round; what does not fit here is counted anew before it is stored.
#define ROUNDS_KEPT 8u
shared uint kept_counts[ROUNDS_KEPT * FLATTEN_TILE];

// Counts, or stores from `start` on, all chords of the tile in items. Returns the sum of this invocation's counts.
uint flatten_chords(uint chord_count, bool stores, bool keeps, uint start)
{
    uint sum = 0u;
    uint count = 0u;
    bool counted = false; // this round, to be stored next
    for (uint r = 0u; r * FLATTEN_TILE < chord_count;) {
        uint chord = r * FLATTEN_TILE + workgroup_invocation();
        uint kept = r * FLATTEN_TILE + gl_LocalInvocationIndex;
        bool storing = stores && (counted || r < ROUNDS_KEPT);
        uint place = 0u;
        if (storing) {
            if (!counted)
                count = kept_counts[kept];
            uint total;
            place = combine_counts(start, workgroup_exclusive_scan(count, total));
            start = combine_counts(start, total);
        }
        flatten_sink sink = sink_at(place, count, storing);
        if (chord < chord_count && (sink.stores || !storing))
            flatten_chord(sink, chord);
        if (!storing)
            count = line_count_of(sink);
        if (keeps && r < ROUNDS_KEPT)
            kept_counts[kept] = count;
        sum = combine_counts(sum, count);
        counted = stores && !storing;
        r += counted ? 0u : 1u;
    }
    return sum;
}

void main()
{
    uint tile_count = tile_count_of(FLATTEN_FEW_TILE);
    uint tile = look_back_ticket(tile_count);
    if (tile == LOOK_BACK_NO_TILE)
        return;
    flatten_pass pass = flatten_pass(tile, false);
    uint loaded = LOOK_BACK_NO_TILE; // the tile of items
    uint chord_count = 0u;
    look_back_value aggregate;
    look_back_search search;
    uint before_tile = 0u;
    for (uint passes = 0u; true; passes++) {
        if (loaded != pass.tile)
            chord_count = load_tile(pass.tile);
        loaded = pass.tile;
        uint count = flatten_chords(chord_count, pass.stores, passes == 0u, before_tile);
        if (pass.stores)
            break;
        uint total;
        workgroup_exclusive_scan(count, total);
        if (passes == 0u) {
            aggregate = value_of(total);
            search = look_back_begin(tile, aggregate);
        } else {
            look_back_give(search, value_of(total));
        }
        pass = next_pass(tile, aggregate, search, before_tile);
    }
    if (tile == tile_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(combine_counts(before_tile, counts_of_value(aggregate)));
}
