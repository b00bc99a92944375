/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sort of few keys, second dispatch: each key of the sorted chunks looks for its place among all the others. Stable.
 * Reads: keys_b, values_b (chunks of push.partition_keys keys, each sorted), counts. Writes: keys_a, values_a,
 * result_half.
 * Dispatch: a workgroup for each SORT_MERGED keys. Neighbours in a chunk search along nearly the same path and share
 * reads. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = SORT_BEGIN_INVOCATIONS) in;

#include "primitive/sort_ranges.glsl"

#define REPLICAS (SORT_BEGIN_INVOCATIONS / SORT_MERGED)
#define IN_FLIGHT 4u

shared uint places[SORT_MERGED];

/* Counts the keys of IN_FLIGHT chunks, REPLICAS apart, that come before another chunk's key. It searches the chunks
 * side by side, since every step waits for memory. */
uint count_before(sort_key key, uint own_chunk, uint first_chunk, uint count, uint bits)
{
    uint starts[IN_FLIGHT], lengths[IN_FLIGHT], found[IN_FLIGHT];
    [[unroll]] for (uint k = 0u; k < IN_FLIGHT; k++) {
        uint chunk = first_chunk + k * REPLICAS;
        starts[k] = chunk * push.partition_keys;
        lengths[k] = chunk == own_chunk || starts[k] >= count ? 0u : min(count - starts[k], push.partition_keys);
        found[k] = 0u;
    }
    for (uint step = push.partition_keys; step != 0u; step >>= 1) {
        [[unroll]] for (uint k = 0u; k < IN_FLIGHT; k++) {
            uint next = found[k] + step;
            if (next <= lengths[k]) {
                sort_key other = significant(keys_b[starts[k] + next - 1u], bits);
                if (first_chunk + k * REPLICAS < own_chunk ? !key_less(key, other) : key_less(other, key))
                    found[k] = next;
            }
        }
    }
    uint sum = 0u;
    [[unroll]] for (uint k = 0u; k < IN_FLIGHT; k++)
        sum += found[k];
    return sum;
}

void main()
{
    uint count = sort_count();
    uint bits = sort_bits();
    uint place = gl_LocalInvocationIndex % SORT_MERGED;
    uint replica = gl_LocalInvocationIndex / SORT_MERGED;
    uint i = gl_WorkGroupID.x * SORT_MERGED + place;
    uint own_chunk = i / push.partition_keys;
    uint chunks = (count + push.partition_keys - 1u) / push.partition_keys;
    if (gl_GlobalInvocationID.x == 0u)
        plan.result_half = 0u;
    if (gl_LocalInvocationIndex < SORT_MERGED)
        places[gl_LocalInvocationIndex] = i % push.partition_keys;
    barrier();
    if (i < count) {
        sort_key key = significant(keys_b[i], bits);
        uint sum = 0u;
        for (uint chunk = replica; chunk < chunks; chunk += IN_FLIGHT * REPLICAS)
            sum += count_before(key, own_chunk, chunk, count, bits);
        atomicAdd(places[place], sum, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    }
    barrier();
    if (replica == 0u && i < count) {
        uint to = places[place];
        keys_a[to] = keys_b[i];
#ifdef SORT_VALUES
        values_a[to] = values_b[i];
#endif
    }
}
