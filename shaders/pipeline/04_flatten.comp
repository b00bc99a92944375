// 04 flatten: every piece of work as snapped lines, in stream order.
//
// Reads the stream, segments, elements, visible, measures; writes edges, counters, arguments.
// Dispatch: a workgroup for FLATTEN_TILE pieces of work. They are cut into units, a chord of a curve each, which its invocations
// share out in rounds; eight dashes are one unit.
// Invariant: counts before it stores; a prefix sum of lines. All passes over a tile share one copy of the code.
// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#define STAGE_LOCAL_SIZE FLATTEN_INVOCATIONS
#include "pipeline/stage.glsl"
#include "pipeline/stream.glsl"
#include "lib/element.h"
#include "lib/line.h"

layout(scalar, binding = 2) buffer counters_buffer { frame_counters counters; };
layout(scalar, binding = 3) writeonly buffer arguments_buffer { dispatch_arguments arguments[]; };
layout(scalar, binding = 4) buffer table_buffer { uint look_back_words[]; };
layout(scalar, binding = 5) readonly buffer segments_buffer { segment_info segments[]; };
layout(scalar, binding = 6) readonly buffer elements_buffer { element_info elements[]; };
layout(scalar, binding = 7) readonly buffer visible_buffer { visible_element visible_elements[]; };
layout(scalar, binding = 8) readonly buffer measures_buffer { measure measures[]; };
layout(scalar, binding = 9) writeonly buffer edges_buffer { edge edges[]; };

// Counts what is drawn, and stores it if there is room.
struct flatten_sink {
    uint visible;
    tile_box box;
    bool stores;
    uint line_count; // or, if it stores, the index of the next one
};

void sink_line(inout flatten_sink sink, int ax, int ay, int bx, int by)
{
    if (!line_is_seen(ax, ay, bx, by, sink.box))
        return;
    if (sink.stores)
        edges[sink.line_count] = edge(ax, ay, bx, by, sink.visible);
    sink.line_count++;
}

float sink_dash_length(flatten_sink sink, uint dash) { return stream_dash_at(dash); }

#include "lib/dash.h"
#include "pipeline/segment.glsl"

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#define LOOK_BACK_RECOMPUTED_INLINE
#include "primitive/look_back.glsl"

uint combine_counts(uint earlier, uint later) { return min(earlier + later, LOOK_BACK_MAX); }

#define WORKGROUP_SCAN_COMBINE(earlier, later) combine_counts(earlier, later)
#include "primitive/workgroup_scan.glsl"

#define OWNER_BITS 6 // of FLATTEN_TILE
#include "pipeline/owner.glsl"

#define ITEM_NOTHING 0u
#define ITEM_FILL 1u
#define ITEM_STROKE 2u
#define ITEM_DASHES 3u

// What all units of a piece of work have in common.
struct flatten_item {
    uint kind;
    uint visible;
    tile_box box;
    uint pieces;            // of the curve
    curve c;                // of a fill in pixels and its canonical direction, else in path space
    bool turned;            // of a fill: that is not its own
    point target;           // of a fill: start of its subpath; of a stroke: direction in which the next segment leaves
    bool dot, starts, ends, closes; // of a stroke_segment
    uint measure, dash;
    pen p;
};

shared flatten_item items[FLATTEN_TILE];

// Where a piece of work comes from.
struct item_source {
    uint visible;
    uint segment; // NONE: a layer without geometry of its own
    uint measure; // NONE: not dashed
    uint dash;    // the first one, counted in the segment
};

// The last element whose items do not begin beyond: elements that have none begin where the next ones do.
uint visible_of_item(uint index)
{
    uint low = 0u;
    uint high = counters.visible_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1;
        if (visible_elements[middle].first_item <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint measure_of_item(uint index)
{
    uint low = 0u;
    uint high = counters.measure_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1;
        if (measures[middle].first_item <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

item_source plain_source(uint index)
{
    item_source source = item_source(visible_of_item(index), NONE, NONE, 0u);
    uint path = stream_element_at(visible_elements[source.visible].element).path;
    if (path != STREAM_NONE)
        source.segment = stream_path_at(path).first_segment + index - visible_elements[source.visible].first_item;
    return source;
}

item_source dashed_source(uint index)
{
    uint m = measure_of_item(index);
    return item_source(measures[m].visible, measures[m].segment, m, (index - measures[m].first_item) * DASHES_PER_ITEM);
}

item_source source_of(uint index)
{
    if (index < counters.item_count)
        return plain_source(index);
    return dashed_source(index - counters.item_count);
}

// Each gives the number of units.
uint load_stroke(inout flatten_item item, item_source source, uint element)
{
    item.p = pen_make(element_matrix_at(element), stream_style_at(stream_element_at(element).style));
    stroke_segment segment = segment_stroked(source.segment, source.measure != NONE);
    item.c = segment.local;
    item.target = segment.next_tangent;
    item.dot = segment.dot;
    item.starts = segment.starts;
    item.ends = segment.ends;
    item.closes = segment.closes;
    if (source.measure != NONE) {
        item.kind = ITEM_DASHES;
        item.measure = source.measure;
        item.dash = source.dash;
        return 1u;
    }
    item.kind = ITEM_STROKE;
    stroke_work work = stroke_work_whole(item.p, segment, item.box);
    item.pieces = work.pieces;
    return work.end;
}

uint load_fill(inout flatten_item item, item_source source, uint element)
{
    item.kind = ITEM_FILL;
    item.c = curve_left_of(item.box);
    bool closes = false;
    if (source.segment != NONE) {
        affine matrix = element_matrix_at(element);
        item.c = curve_transform(matrix, segment_curve(source.segment));
        uint tag = stream_tag_at(source.segment);
        closes = (tag & TAG_LAST) != 0u && (tag & TAG_CLOSED) == 0u;
        if (closes) {
            vec2 local = stream_point_at(segments[segments[source.segment].subpath].point);
            item.target = affine_apply(matrix, local.x, local.y);
        }
    }
    item.turned = curve_is_turned(item.c);
    if (item.turned)
        item.c = curve_reversed(item.c);
    item.pieces = curve_pieces_in_sight(item.c, item.box);
    return item.pieces + (closes ? 1u : 0u);
}

uint load_item(uint index, uint slot)
{
    flatten_item item;
    uint units = 0u;
    item.kind = ITEM_NOTHING;
    if (index < counters.ready_items) {
        item_source source = source_of(index);
        uint element = visible_elements[source.visible].element;
        item.visible = source.visible;
        item.box = visible_elements[source.visible].box;
        if ((visible_elements[source.visible].kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE)
            units = load_stroke(item, source, element);
        else
            units = load_fill(item, source, element);
    }
    items[slot] = item;
    return units;
}

// The number of units of a tile.
uint load_tile(uint tile)
{
    uint slot = workgroup_invocation();
    uint units = 0u;
    barrier();
    if (slot < FLATTEN_TILE)
        units = load_item(tile * FLATTEN_TILE + slot, slot);
    uint total;
    uint start = workgroup_exclusive_scan(units, total);
    if (slot <= FLATTEN_TILE)
        owner_starts[slot] = start;
    barrier();
    return total;
}

stroke_work work_of_unit(flatten_sink sink, flatten_item item, stream_style style, uint unit)
{
    stroke_segment segment = stroke_segment(item.c, item.dot, item.starts, item.ends, item.closes, item.target);
    if (item.kind == ITEM_DASHES) {
        measure m = measures[item.measure];
        dash_range range = dashes_of_measure(sink, style, item.p, m, item.c, item.dot, item.box);
        return stroke_work_dashes(item.p, segment, m, range, item.dash);
    }
    stroke_work work;
    work.segment = segment;
    work.pieces = item.pieces;
    work.dashed = false;
    work.i = unit;
    work.end = unit + 1u;
    return work;
}

point chord_end(flatten_item item, uint i)
{
    PRECISE float step = reciprocal(float(item.pieces));
    return segment_point(item.c, item.turned ? item.pieces - i : i, item.pieces, step);
}

void flatten_chord(inout flatten_sink sink, flatten_item item, uint unit)
{
    point from = item.turned ? point_of(item.c.x0, item.c.y0) : point_of(item.c.x3, item.c.y3);
    point to = item.target;
    if (unit < item.pieces) {
        from = chord_end(item, unit);
        to = chord_end(item, unit + 1u);
    }
    sink_edge(sink, from, to);
}

void flatten(inout flatten_sink sink, flatten_item item, uint unit)
{
    sink.visible = item.visible;
    sink.box = item.box;
    if (item.kind == ITEM_FILL) {
        flatten_chord(sink, item, unit);
    } else {
        stream_style style;
        if (item.kind == ITEM_DASHES)
            style = stream_style_at(stream_element_at(visible_elements[item.visible].element).style);
        sink_stroke(sink, item.p, style, work_of_unit(sink, item, style, unit));
    }
}

void finish(uint total)
{
    uint overflow = (total > config.line_capacity ? OVERFLOW_LINES : 0u) | (total == LOOK_BACK_MAX ? OVERFLOW_COUNT : 0u);
    uint ready = overflow == 0u ? total : 0u;
    counters.line_count = total;
    counters.overflow |= overflow;
    counters.ready_lines = ready;
    arguments[ARGUMENT_RECORD] = stage_arguments(ready, RECORD_TILE);
}

look_back_value value_of(uint counts)
{
    look_back_value value;
    value.part[0] = counts;
    return value;
}

uint counts_of_value(look_back_value value) { return value.part[0]; }

// A pass over one tile: the own one is counted first, then those that look-back misses, and at last the own one is stored.
struct flatten_pass {
    uint tile;
    bool stores;
};

flatten_pass next_pass(uint tile, look_back_value aggregate, inout look_back_search search, out uint before_tile)
{
    flatten_pass next = flatten_pass(tile, look_back_walk_on(search));
    before_tile = 0u;
    if (next.stores)
        before_tile = counts_of_value(look_back_end(tile, aggregate, search));
    else
        next.tile = search.next - 1u;
    return next;
}

// Lines of the units of the own tile. What does not fit here is counted anew before it is stored.
#define COUNTS_KEPT 1024u
shared uint unit_counts[COUNTS_KEPT];

flatten_sink sink_at(uint start, uint count, bool stores)
{
    flatten_sink sink;
    sink.stores = stores && combine_counts(start, count) <= config.line_capacity;
    sink.line_count = stores ? start : 0u;
    return sink;
}

// Counts, or stores from `start` on, all units of the tile in items. Returns the sum of this invocation's counts.
uint flatten_units(uint unit_total, bool stores, bool keeps, uint start)
{
    uint sum = 0u;
    uint count = 0u;
    bool counted = false; // this round's, to store them next
    for (uint first = 0u; first < unit_total;) {
        uint unit = first + workgroup_invocation();
        bool storing = stores && (counted || first + FLATTEN_INVOCATIONS <= COUNTS_KEPT);
        uint place = 0u;
        if (storing) {
            if (!counted)
                count = unit < unit_total ? unit_counts[unit] : 0u;
            uint round_total;
            place = combine_counts(start, workgroup_exclusive_scan(count, round_total));
            start = combine_counts(start, round_total);
        }
        flatten_sink sink = sink_at(place, count, storing);
        if (unit < unit_total && (sink.stores || !storing)) {
            uint slot = owner_of(unit);
            flatten(sink, items[slot], unit - owner_starts[slot]);
        }
        if (!storing)
            count = min(sink.line_count, LOOK_BACK_MAX);
        if (keeps && unit < COUNTS_KEPT)
            unit_counts[unit] = count;
        sum = combine_counts(sum, count);
        counted = stores && !storing;
        first += counted ? 0u : FLATTEN_INVOCATIONS;
    }
    return sum;
}

void main()
{
    uint tile_count = (counters.ready_items + FLATTEN_TILE - 1u) / FLATTEN_TILE;
    uint tile = look_back_ticket(tile_count);
    if (tile == LOOK_BACK_NO_TILE)
        return;
    flatten_pass pass = flatten_pass(tile, false);
    uint loaded = LOOK_BACK_NO_TILE;
    uint units = 0u;
    look_back_value aggregate;
    look_back_search search;
    uint before_tile = 0u;
    for (uint passes = 0u; true; passes++) {
        if (loaded != pass.tile)
            units = load_tile(pass.tile);
        loaded = pass.tile;
        uint count = flatten_units(units, pass.stores, passes == 0u, before_tile);
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
