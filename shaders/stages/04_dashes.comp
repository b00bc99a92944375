/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 04 dashes: counts the tasks that the dashes of each measured segment make.
 *
 * Reads the stream, segments, elements, visible, measures; writes the measures' first_task, counters, arguments.
 * Dispatch: one workgroup for each MEASURE_PARTITION measures, and one invocation for each measure.
 * Invariant: there is a prefix sum over tasks.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#include "stages/stage.glsl"
#include "stages/stream.glsl"
#include "stages/measure_sink.glsl"
#include "lib/element.h"
#include "lib/dash.h"

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
layout(scalar, binding = 8) buffer measures_buffer
{
    measure measures[];
};

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

uint count_tasks(measure m)
{
    visible_element v = visible_elements[m.visible];
    stream_element drawn = stream_element_at(v.element);
    stream_style style = stream_style_at(drawn.style);
    pen p = pen_make(element_matrix_at(v.element), style, drawn);
    bool dot = (stream_tag_at(m.segment) & TAG_DOT) != 0u;
    curve local = segment_spine(p.matrix, m.segment);
    subdivision cut = stroke_subdivision(p.matrix, local);
    dash_range range =
        dashes_of_measure(flatten_sink(0u), style, p, m, local, cut, dot, tiles_in_sheet(v.box, v.place));
    return dash_task_count(p, m, range.count);
}

uint first_measure(uint partition_index)
{
    return partition_index * MEASURE_PARTITION + workgroup_invocation();
}

/* Returns the tasks of a measure. It does not read first_task, which the partition's own workgroup may or may not have
 * written yet. */
uint items_of(uint index)
{
    if (index >= counters.measure_count)
        return 0u;
    measure m;
    m.visible = measures[index].visible;
    m.segment = measures[index].segment;
    m.start = measures[index].start;
    m.start_fraction = measures[index].start_fraction;
    m.start_rest = measures[index].start_rest;
    m.extent = measures[index].extent;
    m.extent_fraction = measures[index].extent_fraction;
    m.extent_rest = measures[index].extent_rest;
    m.first_task = 0u;
    uint first_of_subpath = index - (m.segment - segments[m.segment].subpath);
    m.course = measure_course(measures[index].course, measures[first_of_subpath].course);
    return min(count_tasks(m), LOOK_BACK_MAX);
}

void finish(uint dash_tasks)
{
    uint tasks = counters.task_count + dash_tasks;
    uint overflow =
        (dash_tasks >= DASH_TASK_LIMIT ? OVERFLOW_COUNT : 0u) | (tasks > config.task_capacity ? OVERFLOW_TASKS : 0u);
    uint ready = overflow == 0u ? tasks : 0u;
    counters.dash_task_count = dash_tasks;
    counters.overflow |= overflow;
    counters.ready_tasks = ready;
    arguments[ARGUMENT_FLATTEN] = stage_arguments(ready, FLATTEN_PARTITION);
}

void main()
{
    uint partition_count = (counters.measure_count + MEASURE_PARTITION - 1u) / MEASURE_PARTITION;
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    look_back_value aggregate;
    look_back_search search;
    uint before = 0u;
    uint counted = partition_index; /* the own partition first, then those that look-back misses */
    for (uint passes = 0u; true; passes++) {
        look_back_value value;
        uint before_item = workgroup_exclusive_scan(items_of(first_measure(counted)), value.part[0]);
        if (passes == 0u) {
            before = before_item;
            aggregate = value;
            search = look_back_begin(partition_index, aggregate);
        } else {
            look_back_give(search, value);
        }
        if (look_back_walk_on(search))
            break;
        counted = search.next - 1u;
    }
    look_back_value before_partition = look_back_end(partition_index, aggregate, search);
    uint index = first_measure(partition_index);
    if (index < counters.measure_count)
        measures[index].first_task = combine_counts(before_partition.part[0], before);
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(look_back_combine(before_partition, aggregate).part[0]);
}
