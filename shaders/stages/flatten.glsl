/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the two kernels of flattening share: tasks, their lines, the passes over a partition, and the totals. */
#ifndef FLATTEN_GLSL
#define FLATTEN_GLSL

#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#define STAGE_LOCAL_SIZE FLATTEN_PARTITION
#include "stages/stage.glsl"
#include "stages/stream.glsl"
#include "lib/element.h"
#include "lib/line.h"

layout(scalar, binding = 2) buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, binding = 3) writeonly buffer arguments_buffer
{
    dispatch_arguments arguments[];
};
layout(scalar, binding = 4) buffer table_buffer
{
    uint look_back_words[];
};
layout(scalar, binding = 5) readonly buffer segments_buffer
{
    segment_info segments[];
};
layout(scalar, binding = 6) readonly buffer elements_buffer
{
    element_info elements[];
};
layout(scalar, binding = 7) readonly buffer visible_buffer
{
    visible_element visible_elements[];
};
layout(scalar, binding = 8) writeonly buffer edges_buffer
{
    edge edges[];
};

/* Counts what is drawn, and stores it if there is room. */
struct flatten_sink {
    uint visible;
    tile_box box;
    bool stores;
    uint line_count; /* lines so far; if it stores, the index of the next line */
};

void sink_line(inout flatten_sink sink, int ax, int ay, int bx, int by)
{
    if (!line_is_seen(ax, ay, bx, by, sink.box))
        return;
    if (sink.stores)
        edges[sink.line_count] = edge(ax, ay, bx, by, sink.visible);
    sink.line_count++;
}

float sink_dash_end(flatten_sink sink, uint dash)
{
    return stream_dash_end_at(dash);
}

#include "lib/stroke_work.h"
#include "stages/segment.glsl"

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#define LOOK_BACK_RECOMPUTED_INLINE
#include "primitive/look_back.glsl"

uint combine_counts(uint earlier, uint later)
{
    return min(earlier + later, LOOK_BACK_MAX);
}

#define WORKGROUP_SCAN_COMBINE(earlier, later) combine_counts(earlier, later)
#include "primitive/workgroup_scan.glsl"

struct flatten_task {
    uint visible;    /* NONE: there is no task */
    uint segment;    /* NONE: a layer without geometry of its own */
    uint measure;    /* NONE: not dashed */
    uint of_measure; /* counted from the measure's first task */
};

/* Returns the last element whose tasks begin at the index or before it. Elements without tasks begin where the next
 * ones do. */
uint visible_of_task(uint index)
{
    uint low = 0u;
    uint high = counters.visible_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1;
        if (visible_elements[middle].first_task <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns the tiles of an element in its own sheet. */
tile_box box_of_visible(uint visible)
{
    return tiles_in_sheet(visible_elements[visible].box, visible_elements[visible].place);
}

flatten_task plain_task(uint index)
{
    flatten_task task = flatten_task(visible_of_task(index), NONE, NONE, 0u);
    uint path = stream_element_at(visible_elements[task.visible].element).path;
    if (path != STREAM_NONE)
        task.segment = stream_path_at(path).first_segment + index - visible_elements[task.visible].first_task;
    return task;
}

/* Returns whether a task is a fill. Corners of strokes count as fills too. */
bool task_is_fill(flatten_task task)
{
    bool strokes = (visible_elements[task.visible].kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE;
    return !strokes || (task.measure == NONE && (stream_tag_at(task.segment) & TAG_CORNER) != 0u);
}

/* A fill's segment in pixels. */
struct fill_segment {
    curve device;
    bool closes; /* its subpath is open, so a line leads back to the start */
    point start;
};

fill_segment fill_segment_of(flatten_task task, uint element, tile_box box)
{
    fill_segment made = fill_segment(curve_left_of(box), false, point_of(0.0, 0.0));
    if (task.segment == NONE)
        return made;
    affine matrix = element_matrix_at(element);
    made.device = curve_transform(matrix, segment_curve(task.segment));
    uint tag = stream_tag_at(task.segment);
    made.closes = (tag & TAG_LAST) != 0u && (tag & TAG_CLOSED) == 0u;
    if (made.closes) {
        vec2 local = stream_point_at(segments[segments[task.segment].subpath].point);
        made.start = affine_apply(matrix, local.x, local.y);
    }
    return made;
}

void finish(uint total)
{
    uint overflow =
        (total > config.line_capacity ? OVERFLOW_LINES : 0u) | (total == LOOK_BACK_MAX ? OVERFLOW_COUNT : 0u);
    uint ready = overflow == 0u ? total : 0u;
    counters.line_count = total;
    counters.overflow |= overflow;
    counters.ready_lines = ready;
    arguments[ARGUMENT_TILE_LINES] = stage_arguments(ready, TILE_LINES_PARTITION);
}

look_back_value value_of(uint counts)
{
    look_back_value value;
    value.part[0] = counts;
    return value;
}

uint counts_of_value(look_back_value value)
{
    return value.part[0];
}

uint partition_count_of(uint partition_size)
{
    return (counters.ready_tasks + partition_size - 1u) / partition_size;
}

/* A pass over one partition. The first pass counts the workgroup's own partition, the next ones count those that
 * look-back misses, and the last one stores the own partition. */
struct flatten_pass {
    uint partition_index;
    bool stores;
};

flatten_pass next_pass(uint partition_index, look_back_value aggregate, inout look_back_search search,
                       out uint before_partition)
{
    flatten_pass next = flatten_pass(partition_index, look_back_walk_on(search));
    before_partition = 0u;
    if (next.stores)
        before_partition = counts_of_value(look_back_end(partition_index, aggregate, search));
    else
        next.partition_index = search.next - 1u;
    return next;
}

/* Returns a sink that counts, or one that stores from `start` on if there is room. */
flatten_sink sink_at(uint start, uint count, bool stores)
{
    flatten_sink sink;
    sink.stores = stores && combine_counts(start, count) <= config.line_capacity;
    sink.line_count = stores ? start : 0u;
    return sink;
}

uint line_count_of(flatten_sink sink)
{
    return min(sink.line_count, LOOK_BACK_MAX);
}

#endif
