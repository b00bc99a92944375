/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* quicksort, the other dispatch a level: makes the two halves of each segment segments of the next level, or pieces to
 * be finished where they are small or of one value. For bench.
 * Reads: segments. Writes: segments, partitions and dispatches of the next level, pieces. Dispatch: indirect, a
 * workgroup a segment. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#pragma use_vulkan_memory_model

#include "primitive/quicksort.glsl"

layout(local_size_x = COMPARE_INVOCATIONS) in;

shared uint shared_place;
shared uint shared_partition;

void finish(quicksort_segment half_segment, uint level)
{
    uint count = (half_segment.count + SORT_SMALL - 1u) / SORT_SMALL;
    if (gl_LocalInvocationIndex == 0u)
        shared_place = atomicAdd(state.piece_count, count, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < count; i += COMPARE_INVOCATIONS) {
        uint first = i * SORT_SMALL;
        pieces[shared_place + i] =
            quicksort_piece(half_segment.first + first, min(half_segment.count - first, SORT_SMALL), level & 1u,
                            uint(half_segment.low == half_segment.high));
    }
    barrier();
}

void go_on(quicksort_segment half_segment, uint level)
{
    uint count = (half_segment.count + COMPARE_PARTITION - 1u) / COMPARE_PARTITION;
    if (gl_LocalInvocationIndex == 0u) {
        shared_place = atomicAdd(state.levels[level].segments.x, 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
        shared_partition = atomicAdd(state.levels[level].partitions.x, count, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
        segments[segment_at(level, shared_place)] = half_segment;
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < count; i += COMPARE_INVOCATIONS)
        partitions[partition_at(level, shared_partition + i)] =
            quicksort_partition(shared_place, i * COMPARE_PARTITION);
    barrier();
}

void take(quicksort_segment half_segment)
{
    if (half_segment.count == 0u)
        return;
    if (half_segment.count <= SORT_SMALL || half_segment.low == half_segment.high)
        finish(half_segment, push.level + 1u);
    else
        go_on(half_segment, push.level + 1u);
}

void main()
{
    quicksort_segment segment = segments[segment_at(push.level, gl_WorkGroupID.x)];
    uint pivot = pivot_of(segment);
    take(quicksort_segment(segment.first, segment.left, segment.low, pivot, 0u, 0u));
    take(quicksort_segment(segment.first + segment.left, segment.right, pivot + 1u, segment.high, 0u, 0u));
}
