/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 04 flatten: the snapped lines of every task, in stream order.
 *
 * Reads the stream, segments, elements, visible, measures; writes edges, counters, arguments.
 * Dispatch: one workgroup for each FLATTEN_PARTITION tasks, and one invocation for each task. There are no workgroups
 * if there are few tasks (see 04_flatten_few).
 * Invariant: lines are counted before they are stored, by a prefix sum. All passes over a partition share one copy of
 * the code.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "stages/flatten.glsl"

layout(scalar, binding = 9) readonly buffer measures_buffer
{
    measure measures[];
};

uint measure_of_task(uint index)
{
    uint low = 0u;
    uint high = counters.measure_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1;
        if (measures[middle].first_task <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

flatten_task dashed_task(uint index)
{
    uint m = measure_of_task(index);
    return flatten_task(measures[m].visible, measures[m].segment, m, index - measures[m].first_task);
}

flatten_task find_task(uint partition_index)
{
    uint index = partition_index * FLATTEN_PARTITION + workgroup_invocation();
    if (index >= counters.ready_tasks)
        return flatten_task(NONE, NONE, NONE, 0u);
    if (index < counters.task_count)
        return plain_task(index);
    return dashed_task(index - counters.task_count);
}

uint course_of_task(flatten_task task)
{
    if (task.measure == NONE)
        return COURSE_SOLID;
    uint first_of_subpath = task.measure - (task.segment - segments[task.segment].subpath);
    return measure_course(measures[task.measure].course, measures[first_of_subpath].course);
}

stroke_work work_of_task(flatten_sink sink, flatten_task task, pen p, stream_style style)
{
    uint course = course_of_task(task);
    stroke_segment segment = segment_stroked(p.matrix, task.segment, course != COURSE_SOLID);
    subdivision cut = stroke_subdivision(p.matrix, segment.local);
    if (course == COURSE_SOLID)
        return stroke_work_whole(p, segment, cut, sink.box);
    measure m = measures[task.measure];
    m.course = course;
    dash_range range = dashes_of_measure(sink, style, p, m, segment.local, cut, segment.dot, sink.box);
    return stroke_work_dashes(p, segment, cut, m, range, task.of_measure);
}

void flatten(inout flatten_sink sink, flatten_task task)
{
    if (task.visible == NONE)
        return;
    uint element = visible_elements[task.visible].element;
    sink.visible = task.visible;
    sink.box = box_of_visible(task.visible);
    if (task_is_fill(task)) {
        fill_segment fill = fill_segment_of(task, element, sink.box);
        sink_chords_in_cull_rect(sink, fill.device, fill.closes, fill.start, sink.box);
    } else {
        stream_element drawn = stream_element_at(element);
        stream_style style = stream_style_at(drawn.style);
        pen p = pen_make(element_matrix_at(element), style, drawn);
        sink_stroke(sink, p, sink.box, style, work_of_task(sink, task, p, style));
    }
}

void main()
{
    uint partition_count = partition_count_of(FLATTEN_PARTITION);
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    flatten_pass pass = flatten_pass(partition_index, false);
    uint found = LOOK_BACK_NO_PARTITION; /* the partition that `task` belongs to */
    flatten_task task;
    look_back_value aggregate;
    look_back_search search;
    uint before = 0u, own_count = 0u;
    uint before_partition = 0u;
    for (uint passes = 0u; true; passes++) {
        if (found != pass.partition_index)
            task = find_task(pass.partition_index);
        found = pass.partition_index;
        flatten_sink sink = sink_at(combine_counts(before_partition, before), own_count, pass.stores);
        if (sink.stores || !pass.stores)
            flatten(sink, task);
        if (pass.stores)
            break;
        uint total;
        uint before_task = workgroup_exclusive_scan(line_count_of(sink), total);
        if (passes == 0u) {
            own_count = line_count_of(sink);
            before = before_task;
            aggregate = value_of(total);
            search = look_back_begin(partition_index, aggregate);
        } else {
            look_back_give(search, value_of(total));
        }
        pass = next_pass(partition_index, aggregate, search, before_partition);
    }
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(combine_counts(before_partition, counts_of_value(aggregate)));
}
