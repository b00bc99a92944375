/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What every stage's entry point begins with: extensions, layouts, and the frame's configuration.
 *
 * The includer names the binding of the configuration first: #define CONFIG_BINDING n. A workgroup of a stage has
 * STAGE_INVOCATIONS invocations in one dimension. Workgroups come in two dimensions, since some devices allow only
 * 65,535 in one.
 *
 * Trap (lavapipe of Mesa 22.3, in the Vulkan memory model): a loop whose number of rounds differs between the subgroups
 * of a workgroup must not hold a plain load or store of shared memory or of a devicecoherent buffer, nor an atomic with
 * acquire or release. The subgroups with more rounds would stop there without a message. Let all subgroups go through
 * such loops equally often, with the test inside. Relaxed atomics, ordinary buffers and `if` are harmless. One
 * invocation that alone loops over shared memory, after the others have returned, is such a loop. To sum over a
 * workgroup, use workgroup_exclusive_scan. */
#ifndef STAGE_GLSL
#define STAGE_GLSL

#pragma use_vulkan_memory_model
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

#include "layout/frame.h"
#include "layout/stream.h"

#ifndef STAGE_LOCAL_SIZE
#define STAGE_LOCAL_SIZE STAGE_INVOCATIONS
#endif
layout(local_size_x = STAGE_LOCAL_SIZE) in;

layout(scalar, set = 0, binding = CONFIG_BINDING) readonly buffer config_buffer
{
    frame_config config;
};

/* Loads from shared memory in a loop that not all subgroups go through equally often (see the trap above). */
#define RELAXED_LOAD(memory) atomicLoad(memory, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed)

uint stage_workgroup()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

/* Returns the workgroups for that many items. Each takes `partition_items` of them. */
dispatch_arguments stage_arguments(uint items, uint partition_items)
{
    uint groups = (items + partition_items - 1u) / partition_items;
    dispatch_arguments made;
    made.x = min(groups, DISPATCH_ROW);
    made.y = (groups + DISPATCH_ROW - 1u) / DISPATCH_ROW;
    made.z = 1u;
    return made;
}

#endif
