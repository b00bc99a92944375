/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* split: a list of indices for each of up to SPLIT_CLASSES classes, each in order.
 * Reads: the class of each item, count. Writes: indices (the list of class c starts at c * max_count), list lengths.
 * An item whose class is SPLIT_CLASSES or more is in no list.
 * Dispatch: one workgroup a partition of SCAN_PARTITION items, at least one; surplus ones leave at once.
 * Invariant: indices may not overlap classes (a fallback reads them again). */
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

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

layout(scalar, binding = 0) readonly buffer classes_buffer
{
    uint classes[];
};
layout(scalar, binding = 0) readonly buffer class_groups_buffer
{
    uvec4 class_groups[];
};
layout(scalar, binding = 1) writeonly buffer indices_buffer
{
    uint indices[];
};
layout(scalar, binding = 2) writeonly buffer lengths_buffer
{
    uint lengths[SPLIT_CLASSES];
};
layout(scalar, binding = 3) readonly buffer count_buffer
{
    uint item_count;
};
layout(scalar, binding = 4) buffer table_buffer
{
    uint look_back_words[];
};
layout(push_constant, scalar) uniform push_block
{
    split_push push;
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS SPLIT_CLASSES
#include "primitive/look_back.glsl"

/* Within a partition a count fits 16 bits: classes 0 and 1 in x, 2 and 3 in y. */
#define WORKGROUP_SCAN_TYPE uvec2
#define PARTITION_SCAN_ITEM(i) classes[i]
#define PARTITION_SCAN_ITEMS(i) class_groups[i]
#include "primitive/partition_scan.glsl"

uvec2 partition_scan_value(uint item)
{
    uint one = 1u << 16u * (item & 1u);
    return uvec2(item < 2u ? one : 0u, item >= 2u && item < SPLIT_CLASSES ? one : 0u);
}

uint count_of_class(uvec2 counts, uint c)
{
    return (c < 2u ? counts.x : counts.y) >> 16u * (c & 1u) & 0xffffu;
}

shared uint partition_indices[SCAN_PARTITION]; /* side by side, class by class */

look_back_value aggregate_of(uvec2 counts)
{
    look_back_value value;
    for (uint c = 0u; c < SPLIT_CLASSES; c++)
        value.part[c] = count_of_class(counts, c);
    return value;
}

look_back_value look_back_recompute(uint partition_index)
{
    uint count = min(item_count, push.max_count);
    return aggregate_of(partition_scan_total_of(partition_index, count));
}

void main()
{
    uint count = min(item_count, push.max_count);
    uint partition_count = max(partition_scan_count(count), 1u);
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    partition_scan_load(partition_index, count);
    partition_scan(partition_index, count);
    uint class_end[SPLIT_CLASSES]; /* in partition_indices */
    uint end = 0u;
    [[unroll]] for (uint c = 0u; c < SPLIT_CLASSES; c++) {
        end += count_of_class(partition_scan_total, c);
        class_end[c] = end;
    }
    [[unroll]] for (uint r = 0u; r < partition_scan_groups; r++) {
        uvec2 before = partition_scan_before[r];
        [[unroll]] for (uint k = 0u; k < 4u; k++) {
            uint item = partition_scan_items[r][k];
            uint i = partition_scan_index(partition_index, r) + k;
            [[unroll]] for (uint c = 0u; c < SPLIT_CLASSES; c++) {
                if (item == c && i < count)
                    partition_indices[(c == 0u ? 0u : class_end[c - min(c, 1u)]) + count_of_class(before, c)] = i;
            }
            before += partition_scan_item_value(partition_index, r, k, item, count);
        }
    }
    look_back_value before_partition = look_back(partition_index, aggregate_of(partition_scan_total));
    barrier();
    [[unroll]] for (uint k = 0u; k < 4u * partition_scan_groups; k++) {
        uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
        uint start = 0u;
        [[unroll]] for (uint c = 0u; c < SPLIT_CLASSES; c++) {
            if (i >= start && i < class_end[c])
                indices[c * push.max_count + before_partition.part[c] + i - start] = partition_indices[i];
            start = class_end[c];
        }
    }
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u) {
        [[unroll]] for (uint c = 0u; c < SPLIT_CLASSES; c++)
            lengths[c] = before_partition.part[c] + count_of_class(partition_scan_total, c);
    }
}
