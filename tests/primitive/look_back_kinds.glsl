/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Prefix sums of rows of KIND_COMPONENTS words by primitive/look_back.glsl alone: every invocation takes one row,
 * so that all the work is waiting. KIND_SUMS is the number of words, the last ones, that are plain sums; the others are
 * segmented, as look_back_segment makes them. */
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#pragma use_vulkan_memory_model

layout(local_size_x = 64) in;

layout(scalar, binding = 0) readonly buffer items_buffer
{
    uint items[];
};
layout(scalar, binding = 1) writeonly buffer sums_buffer
{
    uint sums[];
};
layout(scalar, binding = 2) readonly buffer count_buffer
{
    uint row_count;
};
layout(scalar, binding = 3) buffer table_buffer
{
    uint look_back_words[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS KIND_COMPONENTS
#ifdef KIND_SUMS
#define LOOK_BACK_SEGMENTED
#define LOOK_BACK_SUMS KIND_SUMS
#endif
#include "primitive/look_back.glsl"

uint component;

#define WORKGROUP_SCAN_COMBINE(earlier, later) look_back_combine_part(component, earlier, later)
#include "primitive/workgroup_scan.glsl"

uint row_of(uint partition_index)
{
    return partition_index * gl_WorkGroupSize.x + workgroup_invocation();
}

look_back_value scan_partition(uint partition_index, out look_back_value before)
{
    look_back_value total;
    for (uint c = 0u; c < KIND_COMPONENTS; c++) {
        component = c;
        uint item = row_of(partition_index) < row_count ? items[row_of(partition_index) * KIND_COMPONENTS + c] : 0u;
        before.part[c] = workgroup_exclusive_scan(item, total.part[c]);
    }
    return total;
}

look_back_value look_back_recompute(uint partition_index)
{
    look_back_value before;
    return scan_partition(partition_index, before);
}

void main()
{
    uint partition_index = look_back_ticket((row_count + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    look_back_value before;
    look_back_value aggregate = scan_partition(partition_index, before);
    before = look_back_combine(look_back(partition_index, aggregate), before);
    for (uint c = 0u; c < KIND_COMPONENTS; c++)
        if (row_of(partition_index) < row_count)
            sums[row_of(partition_index) * KIND_COMPONENTS + c] = before.part[c];
}
