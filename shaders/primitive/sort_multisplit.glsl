/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ranks of keys within a workgroup's partition by a digit of MULTISPLIT_BITS bits or fewer: each subgroup counts its
 * keys by bin in a row of its own, two bins a word; when the rows hold the positions of each subgroup's first keys, its
 * keys are ranked in their order.
 *
 * How to use it: a kernel whose shape is given by specialisation constants, shared_words being COUNT_WORDS or more,
 * defines MULTISPLIT_BITS and BIN_PAIRS, half as many as there are bins, and includes it. In uniform control flow:
 * clear_counts(); count_in_subgroup(bin) for all keys; a barrier; the includer turns pool[row * BIN_PAIRS + bin / 2]
 * from counts into first positions; a barrier; then position_in_partition(bin) for the same keys in the same order.
 * Stable, if a subgroup's keys lie side by side and are counted in their order.
 * Source: Ashkiani et al., "GPU Multisplit", 2016. */
#ifndef SORT_MULTISPLIT_GLSL
#define SORT_MULTISPLIT_GLSL

#include "primitive/sort_ranges.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LIMIT) const uint subgroup_limit = 128u;
layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LEAST) const uint subgroup_least = 4u;
layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint items_per_invocation = 4u;
layout(constant_id = PRIMITIVE_CONSTANT_SHARED_WORDS) const uint shared_words = 4096u;

#define SORT_INVOCATIONS gl_WorkGroupSize.x
#define SORT_PARTITION (SORT_INVOCATIONS * items_per_invocation)
#define COUNT_ROWS (SORT_INVOCATIONS / subgroup_least)
#define COUNT_WORDS (COUNT_ROWS * BIN_PAIRS)

shared uint pool[shared_words];

/* Clears the counts. A subgroup clears only its own row, so it may count right away. */
void clear_counts()
{
    for (uint i = gl_SubgroupInvocationID; i < BIN_PAIRS; i += gl_SubgroupSize)
        pool[gl_SubgroupID * BIN_PAIRS + i] = 0u;
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

void count_in_subgroup(uint bin)
{
    atomicAdd(pool[gl_SubgroupID * BIN_PAIRS + bin / 2u], 1u << 16u * (bin & 1u), gl_ScopeWorkgroup, 0,
              gl_SemanticsRelaxed);
}

/* Returns the number of lower lanes with this bin in x, of all lanes with it in y, and the lowest of them in z. */
uvec3 lanes_of_bin(uint bin)
{
    if (subgroup_limit <= 32u) {
        uint lanes = subgroupBallot(true).x;
        [[unroll]] for (uint b = 0u; b < MULTISPLIT_BITS; b++) {
            bool bit = (bin >> b & 1u) != 0u;
            uint ballot = subgroupBallot(bit).x;
            lanes &= bit ? ballot : ~ballot;
        }
        return uvec3(bitCount(lanes & gl_SubgroupLtMask.x), bitCount(lanes), findLSB(lanes));
    }
    uvec4 lanes = subgroupBallot(true);
    [[unroll]] for (uint b = 0u; b < MULTISPLIT_BITS; b++) {
        bool bit = (bin >> b & 1u) != 0u;
        uvec4 ballot = subgroupBallot(bit);
        lanes &= bit ? ballot : ~ballot;
    }
    return uvec3(subgroupBallotExclusiveBitCount(lanes), subgroupBallotBitCount(lanes), subgroupBallotFindLSB(lanes));
}

/* Returns the position behind the keys of the bin that this subgroup had before. One word holds all that the ballots
 * give, to save registers. */
uint position_in_partition(uint bin)
{
    uint word = gl_SubgroupID * BIN_PAIRS + bin / 2u;
    uint shift = 16u * (bin & 1u);
    uvec3 counted = lanes_of_bin(bin);
    uint lanes = counted.x | counted.y << 8 | counted.z << 16;
    uint lower = lanes & 0xffu;
    uint before = 0u;
    if (lower == 0u)
        before =
            atomicAdd(pool[word], (lanes >> 8 & 0xffu) << shift, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed) >> shift &
            0xffffu;
    before = subgroupShuffle(before, lanes >> 16);
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    return before + lower;
}

#endif
