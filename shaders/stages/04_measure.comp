/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 04 measure: where each segment of a dashed stroke lies along its subpath.
 *
 * Reads the stream, segments, elements, visible, counters; writes measures except their first_task.
 * Dispatch: one workgroup for each MEASURE_PARTITION segments, and one invocation for each segment.
 * Invariant: there is a prefix sum of lengths, which starts anew with every subpath. Lengths are in fixed point, so
 * that it does not depend on the order. The course of a subpath's first measure is written by its last segment, which
 * knows it.
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

layout(scalar, binding = 2) readonly buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, binding = 3) buffer table_buffer
{
    uint look_back_words[];
};
layout(scalar, binding = 4) readonly buffer segments_buffer
{
    segment_info segments[];
};
layout(scalar, binding = 5) readonly buffer elements_buffer
{
    element_info elements[];
};
layout(scalar, binding = 6) readonly buffer visible_buffer
{
    visible_element visible_elements[];
};
layout(scalar, binding = 7) writeonly buffer measures_buffer
{
    measure measures[];
};

#include "stages/segment.glsl"

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 4
#define LOOK_BACK_OWN
#define LOOK_BACK_RECOMPUTED_INLINE
#include "primitive/look_back.glsl"

/* A sum of lengths since the last subpath that begins in it, or of all lengths if none does. */
struct length_sum {
    bool starts;
    dash_position at;
};

length_sum combine_sums(length_sum earlier, length_sum later)
{
    if (!later.starts) {
        later.starts = earlier.starts;
        later.at = dash_sum(earlier.at, later.at);
    }
    return later;
}

/* Returns a sum as words, for the scan over the workgroup. */
uvec4 sum_words(length_sum sum)
{
    return uvec4(sum.starts ? 1u : 0u, sum.at.periods, sum.at.fraction, sum.at.rest);
}
length_sum sum_of_words(uvec4 words)
{
    return length_sum(words.x != 0u, dash_position(words.y, words.z, words.w));
}
uvec4 combine_words(uvec4 earlier, uvec4 later)
{
    return sum_words(combine_sums(sum_of_words(earlier), sum_of_words(later)));
}

#define WORKGROUP_SCAN_TYPE uvec4
#define WORKGROUP_SCAN_COMBINE(earlier, later) combine_words(earlier, later)
#include "primitive/workgroup_scan.glsl"

/* A sum as parts of 30 bits, for the look-back table. The last part has 6 bits of the position. */
#define PART_MASK 0x3fffffffu
#define PART_STARTS 0x20000000u

look_back_value value_of(uvec4 words)
{
    look_back_value value;
    value.part[0] = words.w & PART_MASK;
    value.part[1] = (words.w >> 30 | words.z << 2) & PART_MASK;
    value.part[2] = (words.z >> 28 | words.y << 4) & PART_MASK;
    value.part[3] = words.y >> 26 | (words.x != 0u ? PART_STARTS : 0u);
    return value;
}

uvec4 words_of_value(look_back_value value)
{
    uint high = value.part[3] & ~PART_STARTS;
    uint rest = value.part[0] | value.part[1] << 30;
    uint fraction = value.part[1] >> 2 | value.part[2] << 28;
    uint periods = value.part[2] >> 4 | high << 26;
    return uvec4((value.part[3] & PART_STARTS) != 0u ? 1u : 0u, periods, fraction, rest);
}

look_back_value look_back_combine(look_back_value earlier, look_back_value later)
{
    return value_of(combine_words(words_of_value(earlier), words_of_value(later)));
}

bool look_back_ends(look_back_value value)
{
    return (value.part[3] & PART_STARTS) != 0u;
}

/* A segment and its own length. */
struct measured_segment {
    uint visible;
    uint segment;
    dash_position extent;
    dash_position phase; /* where its subpath starts in the pattern, if it is the first one */
    bool is_first;
};

/* Returns the last element whose measures begin at the index or before it. Elements without measures begin where the
 * next ones do. */
uint visible_of_measure(uint index)
{
    uint low = 0u;
    uint high = counters.visible_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1;
        if (visible_elements[middle].first_measure <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

measured_segment measure_segment(uint index)
{
    measured_segment measured;
    measured.visible = visible_of_measure(index);
    uint element_index = visible_elements[measured.visible].element;
    stream_element element = stream_element_at(element_index);
    measured.segment =
        stream_path_at(element.path).first_segment + index - visible_elements[measured.visible].first_measure;
    stream_style style = stream_style_at(element.style);
    PRECISE float inverse = reciprocal(style.dash_period);
    affine matrix = element_matrix_at(element_index);
    PRECISE float extent = segment_length(matrix, segment_spine(matrix, measured.segment)) * inverse;
    measured.phase = dash_phase(style);
    measured.extent = dash_extent(extent);
    measured.is_first = (stream_tag_at(measured.segment) & TAG_FIRST) != 0u;
    return measured;
}

uvec4 words_of_segment(measured_segment measured)
{
    return sum_words(
        length_sum(measured.is_first, measured.is_first ? dash_sum(measured.phase, measured.extent) : measured.extent));
}

uint first_measure(uint partition_index)
{
    return partition_index * MEASURE_PARTITION + workgroup_invocation();
}

void write_measure(uint index, measured_segment measured, uvec4 before)
{
    dash_position start = measured.is_first ? measured.phase : dash_position(before.y, before.z, before.w);
    measures[index].visible = measured.visible;
    measures[index].segment = measured.segment;
    measures[index].start = start.periods;
    measures[index].start_fraction = start.fraction;
    measures[index].start_rest = start.rest;
    measures[index].extent = measured.extent.periods;
    measures[index].extent_fraction = measured.extent.fraction;
    measures[index].extent_rest = measured.extent.rest;
    if (!measured.is_first)
        measures[index].course = COURSE_CUT;
    uint tag = stream_tag_at(measured.segment);
    if ((tag & TAG_LAST) != 0u) {
        stream_style style = stream_style_at(stream_element_at(visible_elements[measured.visible].element).style);
        measures[index - (measured.segment - segments[measured.segment].subpath)].course =
            dash_course(flatten_sink(0u), style, start, dash_sum(start, measured.extent), tag);
    }
}

void main()
{
    uint partition_index = look_back_ticket((counters.measure_count + MEASURE_PARTITION - 1u) / MEASURE_PARTITION);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    measured_segment own;
    uvec4 before = uvec4(0u);
    look_back_value aggregate;
    look_back_search search;
    uint counted = partition_index; /* the own partition first, then those that look-back misses */
    for (uint passes = 0u; true; passes++) {
        uint counted_index = first_measure(counted);
        measured_segment measured;
        uvec4 words = uvec4(0u);
        if (counted_index < counters.measure_count) {
            measured = measure_segment(counted_index);
            words = words_of_segment(measured);
        }
        uvec4 total;
        uvec4 before_segment = workgroup_exclusive_scan(words, total);
        if (passes == 0u) {
            own = measured;
            before = before_segment;
            aggregate = value_of(total);
            search = look_back_begin(partition_index, aggregate);
        } else {
            look_back_give(search, value_of(total));
        }
        if (look_back_walk_on(search))
            break;
        counted = search.next - 1u;
    }
    uvec4 before_partition = words_of_value(look_back_end(partition_index, aggregate, search));
    uint index = first_measure(partition_index);
    if (index < counters.measure_count)
        write_measure(index, own, combine_words(before_partition, before));
}
