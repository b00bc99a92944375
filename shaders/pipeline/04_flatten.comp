// 04 flatten: every piece of work as snapped lines, in stream order.
//
// Reads the stream, segments, elements, visible, measures; writes edges, counters, arguments.
// Dispatch: a workgroup for FLATTEN_TILE pieces of work, one an invocation.
// Invariant: counts before it stores; a prefix sum of lines. All passes over a tile share one copy of the code.
// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#define STAGE_LOCAL_SIZE FLATTEN_TILE
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

struct flatten_item {
    uint visible; // NONE: no work
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

flatten_item plain_item(uint index)
{
    flatten_item item = flatten_item(visible_of_item(index), NONE, NONE, 0u);
    uint path = stream_element_at(visible_elements[item.visible].element).path;
    if (path != STREAM_NONE)
        item.segment = stream_path_at(path).first_segment + index - visible_elements[item.visible].first_item;
    return item;
}

flatten_item dashed_item(uint index)
{
    uint m = measure_of_item(index);
    return flatten_item(measures[m].visible, measures[m].segment, m, (index - measures[m].first_item) * DASHES_PER_ITEM);
}

flatten_item find_item(uint tile)
{
    uint index = tile * FLATTEN_TILE + workgroup_invocation();
    if (index >= counters.ready_items)
        return flatten_item(NONE, NONE, NONE, 0u);
    if (index < counters.item_count)
        return plain_item(index);
    return dashed_item(index - counters.item_count);
}

flatten_sink sink_of(flatten_item item)
{
    flatten_sink sink;
    sink.visible = item.visible;
    sink.box = tile_box(0, 0, 0, 0);
    if (item.visible != NONE)
        sink.box = visible_elements[item.visible].box;
    sink.stores = false;
    sink.line_count = 0u;
    return sink;
}

void flatten_stroke(inout flatten_sink sink, flatten_item item, uint element)
{
    stream_style style = stream_style_at(stream_element_at(element).style);
    pen p = pen_make(element_matrix_at(element), style);
    stroke_segment segment = segment_stroked(item.segment);
    stroke_work work;
    if (item.measure == NONE) {
        work = stroke_work_whole(p, segment, sink.box);
    } else {
        measure m = measures[item.measure];
        dash_range range = dashes_of_measure(sink, style, p, m, segment.local, segment.dot, sink.box);
        work = stroke_work_dashes(p, segment, m, range, item.dash);
    }
    sink_stroke(sink, p, style, work);
}

void flatten_fill(inout flatten_sink sink, flatten_item item, uint element)
{
    curve device = curve_left_of(sink.box);
    bool closes = false;
    point start = point_of(0.0, 0.0);
    if (item.segment != NONE) {
        affine matrix = element_matrix_at(element);
        device = curve_transform(matrix, segment_curve(item.segment));
        uint tag = stream_tag_at(item.segment);
        closes = (tag & TAG_LAST) != 0u && (tag & TAG_CLOSED) == 0u;
        if (closes) {
            vec2 local = stream_point_at(segments[segments[item.segment].subpath].point);
            start = affine_apply(matrix, local.x, local.y);
        }
    }
    sink_curve_in_sight(sink, device, closes, start, sink.box);
}

void flatten(inout flatten_sink sink, flatten_item item)
{
    if (item.visible == NONE)
        return;
    uint element = visible_elements[item.visible].element;
    if ((visible_elements[item.visible].kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE)
        flatten_stroke(sink, item, element);
    else
        flatten_fill(sink, item, element);
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

void set_place(inout flatten_sink sink, uint start, uint counts)
{
    uint end = combine_counts(start, counts);
    sink.stores = end <= config.line_capacity;
    sink.line_count = start;
}

void main()
{
    uint tile_count = (counters.ready_items + FLATTEN_TILE - 1u) / FLATTEN_TILE;
    uint tile = look_back_ticket(tile_count);
    if (tile == LOOK_BACK_NO_TILE)
        return;
    flatten_pass pass = flatten_pass(tile, false);
    uint found = LOOK_BACK_NO_TILE; // the tile of item
    flatten_item item;
    look_back_value aggregate;
    look_back_search search;
    uint before, own_counts;
    uint before_tile = 0u;
    for (uint passes = 0u; true; passes++) {
        if (found != pass.tile)
            item = find_item(pass.tile);
        found = pass.tile;
        flatten_sink sink = sink_of(item);
        if (pass.stores)
            set_place(sink, combine_counts(before_tile, before), own_counts);
        if (sink.stores || !pass.stores)
            flatten(sink, item);
        if (pass.stores)
            break;
        uint counts = min(sink.line_count, LOOK_BACK_MAX);
        uint total;
        uint before_item = workgroup_exclusive_scan(counts, total);
        if (passes == 0u) {
            own_counts = counts;
            before = before_item;
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
