/* sort, the only dispatch where one workgroup has room for all keys: they stay in registers, and each digit in turn puts them in order
 * through shared memory. Stable.
 * Reads: keys_a, counts. Writes: keys_a, where the result lies. Dispatch: one workgroup. */
#include "primitive/sort_rank.glsl"

void sort_counts_known(uint tile, uint bin, uint count)
{
}

/* Rounds that are in use, the same in all invocations. A subgroup's keys lie side by side, so that ranks by subgroup are stable. */
uint rounds_of(uint count)
{
    return (count + SORT_INVOCATIONS - 1u) / SORT_INVOCATIONS;
}

void main()
{
    uint count = min(sort_count(), SORT_TILE);
    uint bits = sort_bits();
    uint rounds = rounds_of(count);
    uint first = gl_SubgroupID * gl_SubgroupSize * rounds + gl_SubgroupInvocationID;
    sort_key keys[sort_items];
    [[unroll]] for (uint k = 0u; k < sort_items; k++) {
        uint i = first + k * gl_SubgroupSize;
        bool there = k < rounds && i < count;
        keys[k] = there ? keys_a[i] : sort_key(0xffffffffu);
    }
    uint positions[sort_items];
    for (uint pass = 0u; 8u * pass < bits; pass++) {
        for (uint i = gl_LocalInvocationIndex; i < gl_NumSubgroups * BIN_PAIRS; i += SORT_INVOCATIONS)
            pool[i] = 0u;
        barrier();
        [[unroll]] for (uint k = 0u; k < sort_items; k++) {
            if (k < rounds)
                positions[k] = pack_lanes(lanes_of_bin(bin_of(keys[k], pass, bits)));
        }
        [[unroll]] for (uint k = 0u; k < sort_items; k++) {
            if (k < rounds)
                positions[k] = rank_in_subgroup(bin_of(keys[k], pass, bits), positions[k]);
        }
        barrier();
        scan_counts(0u);
        [[unroll]] for (uint k = 0u; k < sort_items; k++)
            positions[k] = position_in_tile(bin_of(keys[k], pass, bits), positions[k]);
        barrier();
        [[unroll]] for (uint k = 0u; k < sort_items; k++) {
            if (k < rounds)
                pool_set(positions[k], keys[k]);
        }
        barrier();
        [[unroll]] for (uint k = 0u; k < sort_items; k++) {
            if (k < rounds)
                keys[k] = pool_key(first + k * gl_SubgroupSize);
        }
        barrier();
    }
    [[unroll]] for (uint k = 0u; k < sort_items; k++) {
        uint i = first + k * gl_SubgroupSize;
        if (k < rounds && i < count) {
            keys_a[i] = keys[k];
        }
    }
    if (gl_LocalInvocationIndex == 0u)
        plan.result_half = 0u;
}
