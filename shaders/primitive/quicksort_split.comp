/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* quicksort, a dispatch a level: each partition sends its keys to the left end of its segment or to the right. For
 * bench.
 * Reads: partitions, segments, one half of the keys. Writes: the other half, and how many went where. Dispatch:
 * indirect, a workgroup a partition.
 * Invariant: in which order partitions take their room is a race, which the sorted keys do not show. */
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

#include "primitive/workgroup_scan.glsl"

shared uint staged[COMPARE_PARTITION]; /* what goes left, then what goes right */
shared uint room[2];

void main()
{
    quicksort_partition own = partitions[partition_at(push.level, gl_WorkGroupID.x)];
    uint at = segment_at(push.level, own.segment);
    quicksort_segment segment = segments[at];
    uint pivot = pivot_of(segment);
    uint valid = min(segment.count - own.first, COMPARE_PARTITION);
    uint first = segment.first + own.first;
    uint keys[COMPARE_ITEMS_PER_INVOCATION];
    uint present = 0u;
    uint left = 0u;
    [[unroll]] for (uint k = 0u; k < COMPARE_ITEMS_PER_INVOCATION; k++) {
        uint i = k * COMPARE_INVOCATIONS + workgroup_invocation();
        keys[k] = 0u;
        if (i < valid) {
            keys[k] = (push.level & 1u) == 0u ? keys_a[first + i] : keys_b[first + i];
            left += uint(keys[k] <= pivot);
            present++;
        }
    }
    uvec2 total;
    total.y = valid;
    uint left_at = workgroup_exclusive_scan(left, total.x);
    uint present_total;
    uint present_at = workgroup_exclusive_scan(present, present_total);
    uint right_at = total.x + present_at - left_at;
    [[unroll]] for (uint k = 0u; k < COMPARE_ITEMS_PER_INVOCATION; k++) {
        if (k < present) {
            bool goes_left = keys[k] <= pivot;
            staged[goes_left ? left_at : right_at] = keys[k];
            left_at += uint(goes_left);
            right_at += uint(!goes_left);
        }
    }
    if (gl_LocalInvocationIndex == 0u) {
        uint right = valid - total.x;
        room[0] = segment.first + atomicAdd(segments[at].left, total.x, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
        room[1] = segment.first + segment.count - right -
                  atomicAdd(segments[at].right, right, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    }
    barrier();
    [[unroll]] for (uint k = 0u; k < COMPARE_ITEMS_PER_INVOCATION; k++) {
        uint i = k * COMPARE_INVOCATIONS + gl_LocalInvocationIndex;
        uint to = i < total.x ? room[0] + i : room[1] + i - total.x;
        if (i < valid) {
            if ((push.level & 1u) == 0u)
                keys_b[to] = staged[i];
            else
                keys_a[to] = staged[i];
        }
    }
}
