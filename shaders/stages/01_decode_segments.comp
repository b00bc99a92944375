/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 01 decode, segments: where each segment's points lie, and the first segment of its subpath.
 *
 * Reads the stream's tags; writes segments.
 * Dispatch: one workgroup for each DECODE_SEGMENTS_PARTITION segments, and one invocation for each word of tags.
 * Invariant: there are two prefix sums over tags, one of points and one of segments since the subpath began.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#include "stages/stage.glsl"
#include "stages/stream.glsl"

layout(scalar, binding = 2) buffer table_buffer
{
    uint look_back_words[];
};
layout(scalar, binding = 3) writeonly buffer segments_buffer
{
    segment_info segments[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 2
#define LOOK_BACK_SEGMENTED
#define LOOK_BACK_SUMS 1
#include "primitive/look_back.glsl"

#define SUM_SEGMENTS 0 /* segments since the last subpath began, its first one included */
#define SUM_POINTS 1

/* Within a partition both sums share a word. The high bits hold the points. The low bits hold the index of the segment
 * with which the last subpath began, plus one, counted from the partition's first segment. */
#define POINTS_SHIFT 16
#define STARTS_MASK 0xffffu

uint combine_sums(uint earlier, uint later)
{
    return ((earlier >> POINTS_SHIFT) + (later >> POINTS_SHIFT)) << POINTS_SHIFT |
           max(earlier & STARTS_MASK, later & STARTS_MASK);
}

#define WORKGROUP_SCAN_TYPE uint
#define WORKGROUP_SCAN_COMBINE(earlier, later) combine_sums(earlier, later)
#include "primitive/workgroup_scan.glsl"

#define TAGS_OF_WORD 4u

uint load_tags(uint partition_index)
{
    uint first = partition_index * DECODE_SEGMENTS_PARTITION + workgroup_invocation() * TAGS_OF_WORD;
    return first < config.segment_count ? stream_word(stream.tags + first / TAGS_OF_WORD) : 0u;
}

/* Returns, for each of four segments, the points of it and of those before it in the word, a byte each. */
uint points_up_to(uint tags)
{
    uint points = (tags & 0x01010101u * TAG_POINTS_MASK) + ((tags & 0x01010101u * TAG_FIRST) >> 2);
    return points * 0x01010101u;
}

uint sum_tags(uint tags)
{
    uint firsts = tags & 0x01010101u * TAG_FIRST;
    uint start = firsts != 0u ? workgroup_invocation() * TAGS_OF_WORD + uint(findMSB(firsts)) / 8u + 1u : 0u;
    return points_up_to(tags) >> 24 << POINTS_SHIFT | start;
}

look_back_value aggregate_of(uint sums)
{
    uint start = sums & STARTS_MASK;
    look_back_value value;
    value.part[SUM_SEGMENTS] =
        look_back_segment(start != 0u, int(DECODE_SEGMENTS_PARTITION - (start != 0u ? start - 1u : 0u)));
    value.part[SUM_POINTS] = sums >> POINTS_SHIFT;
    return value;
}

look_back_value look_back_recompute(uint partition_index)
{
    uint sums;
    workgroup_exclusive_scan(sum_tags(load_tags(partition_index)), sums);
    return aggregate_of(sums);
}

void write_segments(uint partition_index, uint tags, uint before, look_back_value before_partition)
{
    uint first = partition_index * DECODE_SEGMENTS_PARTITION;
    uint points_before = before_partition.part[SUM_POINTS] + (before >> POINTS_SHIFT);
    uint start = before & STARTS_MASK;
    uint subpath =
        start != 0u ? first + start - 1u : first - uint(look_back_segment_sum(before_partition.part[SUM_SEGMENTS]));
    uint points = points_up_to(tags) << 8;
    for (uint i = 0u; i < TAGS_OF_WORD; i++) {
        uint segment = first + workgroup_invocation() * TAGS_OF_WORD + i;
        bool is_first = (tags >> (8u * i) & TAG_FIRST) != 0u;
        subpath = is_first ? segment : subpath;
        if (segment < config.segment_count) {
            uint point = points_before + (points >> (8u * i) & 0xffu) - (is_first ? 0u : 1u);
            segments[segment] = segment_info(point, subpath);
        }
    }
}

void main()
{
    uint partition_index =
        look_back_ticket((config.segment_count + DECODE_SEGMENTS_PARTITION - 1u) / DECODE_SEGMENTS_PARTITION);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    uint tags = load_tags(partition_index);
    uint sums;
    uint before = workgroup_exclusive_scan(sum_tags(tags), sums);
    look_back_value before_partition = look_back(partition_index, aggregate_of(sums));
    write_segments(partition_index, tags, before, before_partition);
}
