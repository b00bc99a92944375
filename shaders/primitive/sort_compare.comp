/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sort of few keys, first dispatch: every chunk is sorted by counting, for each of its keys, the keys that come before
 * it. Stable.
 * Reads: keys_a, values_a, counts. Writes: keys_b, values_b: chunks of push.partition_keys keys, each sorted;
 * result_half.
 * Dispatch: a workgroup for each SORT_COMPARED keys. No workgroup waits for another, so the whole device takes part
 * however few keys there are, where a digit at a time would keep one multiprocessor busy. Shape: a multiple of
 * SORT_COMPARED invocations, up to 1,024; shared_words hold a chunk, a multiple of SORT_COMPARE_UNIT keys.
 * Source: Knuth, "The Art of Computer Programming", volume 3, 1973, 5.2 (comparison counting). */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

#include "primitive/sort_ranges.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SHARED_WORDS) const uint shared_words = 4096u;

/* In a round of the workgroup, each replica of the keys compares them with one group of four words. */
#define REPLICAS (gl_WorkGroupSize.x / SORT_COMPARED)
#define GROUP_KEYS (4u / KEY_WORDS)
#define ROUND_KEYS (REPLICAS * GROUP_KEYS)
#define OWN_ROUNDS (max(SORT_COMPARED, ROUND_KEYS) / ROUND_KEYS)
#define IN_FLIGHT 4u

shared uvec4 chunk_groups[shared_words / 4u];
shared uint replica_ranks[gl_WorkGroupSize.x];

/* Loads a key. Keys past the end come behind all others. */
sort_key load_key(uint i, uint end, uint bits)
{
    return i < end ? significant(keys_a[i], bits) : sort_key(0xffffffffu);
}

uvec4 load_group(uint i, uint end, uint bits)
{
    if (i + GROUP_KEYS <= end) {
        uvec4 group = key_groups_a[i / GROUP_KEYS];
#ifdef SORT_U64
        return uvec4(significant(group.xy, bits), significant(group.zw, bits));
#else
        return uvec4(significant(group.x, bits), significant(group.y, bits), significant(group.z, bits),
                     significant(group.w, bits));
#endif
    }
#ifdef SORT_U64
    return uvec4(load_key(i, end, bits), load_key(i + 1u, end, bits));
#else
    return uvec4(load_key(i, end, bits), load_key(i + 1u, end, bits), load_key(i + 2u, end, bits),
                 load_key(i + 3u, end, bits));
#endif
}

sort_key group_key(uvec4 group, uint k)
{
#ifdef SORT_U64
    return k == 0u ? group.xy : group.zw;
#else
    return group[k];
#endif
}

/* Returns how many keys of these rounds come before the key, with or without those equal to it. */
uint count_before(sort_key key, uint replica, uint first_round, uint end_round, bool equal_too)
{
    uint rank = 0u;
    uint r = first_round;
    for (; r + IN_FLIGHT <= end_round; r += IN_FLIGHT) {
        uvec4 groups[IN_FLIGHT];
        [[unroll]] for (uint j = 0u; j < IN_FLIGHT; j++)
            groups[j] = chunk_groups[(r + j) * REPLICAS + replica];
        [[unroll]] for (uint j = 0u; j < IN_FLIGHT; j++) {
            [[unroll]] for (uint k = 0u; k < GROUP_KEYS; k++)
                rank +=
                    uint(equal_too ? !key_less(key, group_key(groups[j], k)) : key_less(group_key(groups[j], k), key));
        }
    }
    for (; r < end_round; r++) {
        uvec4 group = chunk_groups[r * REPLICAS + replica];
        [[unroll]] for (uint k = 0u; k < GROUP_KEYS; k++)
            rank += uint(equal_too ? !key_less(key, group_key(group, k)) : key_less(group_key(group, k), key));
    }
    return rank;
}

/* Returns how many of this workgroup's keys come before the key. Of equal keys those that stand earlier count: `place`
 * is the key's place among them. */
uint count_before_own(sort_key key, uint place, uint replica, uint first_round)
{
    uint rank = 0u;
    [[unroll]] for (uint r = 0u; r < OWN_ROUNDS; r++) {
        uvec4 group = chunk_groups[(first_round + r) * REPLICAS + replica];
        [[unroll]] for (uint k = 0u; k < GROUP_KEYS; k++) {
            sort_key other = group_key(group, k);
            uint other_place = (r * REPLICAS + replica) * GROUP_KEYS + k;
            rank += uint(key_less(other, key) || (other == key && other_place < place));
        }
    }
    return rank;
}

void main()
{
    uint count = sort_count();
    uint bits = sort_bits();
    uint first_own = gl_WorkGroupID.x * SORT_COMPARED;
    uint chunk = first_own / push.partition_keys * push.partition_keys;
    uint end = min(count, chunk + push.partition_keys);
    if (gl_GlobalInvocationID.x == 0u)
        plan.result_half = 1u;
    if (first_own >= end)
        return;
    uint rounds = (end - chunk + ROUND_KEYS - 1u) / ROUND_KEYS;
    uint own_round = (first_own - chunk) / ROUND_KEYS;
    uint end_round = max(rounds, own_round + OWN_ROUNDS);
    for (uint g = gl_LocalInvocationIndex; g < end_round * REPLICAS; g += gl_WorkGroupSize.x)
        chunk_groups[g] = load_group(chunk + g * GROUP_KEYS, end, bits);
    barrier();

    uint replica = gl_LocalInvocationIndex / SORT_COMPARED;
    uint place = gl_LocalInvocationIndex % SORT_COMPARED;
    uint i = first_own + place;
    sort_key key = load_key(i, end, bits);
    uint rank = count_before(key, replica, 0u, own_round, true) +
                count_before_own(key, first_own % ROUND_KEYS + place, replica, own_round) +
                count_before(key, replica, own_round + OWN_ROUNDS, end_round, false);
    replica_ranks[gl_LocalInvocationIndex] = rank;
    barrier();
    if (replica != 0u || i >= end)
        return;
    for (uint s = 1u; s < REPLICAS; s++)
        rank += replica_ranks[s * SORT_COMPARED + place];
    keys_b[chunk + rank] = keys_a[i];
#ifdef SORT_VALUES
    values_b[chunk + rank] = values_a[i];
#endif
}
