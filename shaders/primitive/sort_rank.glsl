/* Ranking keys within a workgroup: counts by subgroup, then positions. What onesweep and sort_block have in common.
 *
 * How to use it: a kernel whose shape is given by specialisation constants, at least SORT_BINS invocations, includes it; SORT_WIDE,
 * SORT_PARTITIONED as in onesweep.glsl. In uniform control flow, after the first gl_NumSubgroups * BIN_PAIRS words of the pool have
 * been cleared and a barrier: lanes = pack_lanes(lanes_of_bin(bin)) for all of an invocation's keys, rank_in_subgroup for each in
 * order, a barrier, scan_counts(tile), and position_in_tile. The includer defines
 *     void sort_counts_known(uint tile, uint bin, uint count)   called for each bin as soon as the tile's count is known
 * Source: Ashkiani et al., "GPU Multisplit", 2016. */
#ifndef SORT_RANK_GLSL
#define SORT_RANK_GLSL

#include "primitive/sort_ranges.glsl"
#include "primitive/workgroup_scan.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LIMIT) const uint subgroup_limit = 128u;
layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LEAST) const uint subgroup_least = 4u;
layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint sort_items = 4u;
layout(constant_id = PRIMITIVE_CONSTANT_SHARED_WORDS) const uint shared_words = 4096u;

#define SORT_INVOCATIONS gl_WorkGroupSize.x
#define SORT_TILE (SORT_INVOCATIONS * sort_items)
#define BIN_PAIRS (SORT_BINS / 2u)
#define COUNT_ROWS (SORT_INVOCATIONS / subgroup_least)

/* First the bin counts of each subgroup, two of 16 bits in a word; then keys and values in sorted order. */
shared uint pool[shared_words];
shared uint bin_count[SORT_BINS];
shared uint bin_start[SORT_BINS];

void sort_counts_known(uint tile, uint bin, uint count);

#ifdef SORT_WIDE
/* The pool has room for two tiles of words. */
void pool_set(uint i, sort_key key)
{
    pool[i] = key.x;
    pool[SORT_TILE + i] = key.y;
}

sort_key pool_key(uint i)
{
    return uvec2(pool[i], pool[SORT_TILE + i]);
}

uint digit_word(sort_key key, uint pass)
{
    return pass < 4u ? key.x : key.y;
}
#else
void pool_set(uint i, sort_key key)
{
    pool[i] = key;
}

sort_key pool_key(uint i)
{
    return pool[i];
}

uint digit_word(sort_key key, uint pass)
{
    return key;
}
#endif

uint bin_of(sort_key key, uint pass, uint bits)
{
    return bitfieldExtract(digit_word(key, pass), int(8u * (pass & 3u)), int(min(bits - 8u * pass, 8u)));
}

/* Number of lower lanes with this bin in x, of all lanes with it in y, the lowest of them in z. */
uvec3 lanes_of_bin(uint bin)
{
#ifdef SORT_PARTITIONED
    uint lanes = subgroupPartitionNV(bin).x;
    return uvec3(bitCount(lanes & gl_SubgroupLtMask.x), bitCount(lanes), findLSB(lanes));
#else
    if (subgroup_limit <= 32u) {
        uint lanes = subgroupBallot(true).x;
        [[unroll]] for (uint b = 0u; b < 8u; b++) {
            bool bit = (bin >> b & 1u) != 0u;
            uint ballot = subgroupBallot(bit).x;
            lanes &= bit ? ballot : ~ballot;
        }
        return uvec3(bitCount(lanes & gl_SubgroupLtMask.x), bitCount(lanes), findLSB(lanes));
    }
    uvec4 lanes = subgroupBallot(true);
    [[unroll]] for (uint b = 0u; b < 8u; b++) {
        bool bit = (bin >> b & 1u) != 0u;
        uvec4 ballot = subgroupBallot(bit);
        lanes &= bit ? ballot : ~ballot;
    }
    return uvec3(subgroupBallotExclusiveBitCount(lanes), subgroupBallotBitCount(lanes), subgroupBallotFindLSB(lanes));
#endif
}

/* What ranking has to know of a key's lanes, in one word: all ballots come first, then all counting. */
uint pack_lanes(uvec3 lanes)
{
    return lanes.x | lanes.y << 8 | lanes.z << 16;
}

/* Rank among the keys of the same bin that this subgroup has seen, which it counts. */
uint rank_in_subgroup(uint bin, uint lanes)
{
    uint word = gl_SubgroupID * BIN_PAIRS + bin / 2u;
    uint shift = 16u * (bin & 1u);
    uint lower = lanes & 0xffu;
    uint before = 0u;
    if (lower == 0u)
        before = atomicAdd(pool[word], (lanes >> 8 & 0xffu) << shift, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed) >> shift & 0xffffu;
    before = subgroupShuffle(before, lanes >> 16);
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    return before + lower;
}

/* Adds up the counts of the subgroups, tells the sums; then the counts of each subgroup become the
 * tile's first position of the bin for it. The sums go to bin_count, the first positions to bin_start. */
void scan_counts(uint tile)
{
    uint pair = workgroup_invocation();
    bool owns = pair < BIN_PAIRS;
    uint counts[COUNT_ROWS];
    uint sum = 0u;
    [[unroll]] for (uint s = 0u; s < COUNT_ROWS; s++) {
        counts[s] = owns && s < gl_NumSubgroups ? pool[s * BIN_PAIRS + pair] : 0u;
        sum += counts[s];
    }
    uint low = sum & 0xffffu;
    if (owns) {
        sort_counts_known(tile, 2u * pair, low);
        sort_counts_known(tile, 2u * pair + 1u, sum >> 16);
    }
    uint total;
    uint start = workgroup_exclusive_scan(low + (sum >> 16), total);
    if (owns) {
        bin_count[2u * pair] = low;
        bin_count[2u * pair + 1u] = sum >> 16;
        bin_start[2u * pair] = start;
        bin_start[2u * pair + 1u] = start + low;
    }
    uint next = start | (start + low) << 16;
    [[unroll]] for (uint s = 0u; s < COUNT_ROWS; s++) {
        if (owns && s < gl_NumSubgroups)
            pool[s * BIN_PAIRS + pair] = next;
        next += counts[s];
    }
    barrier();
}

uint position_in_tile(uint bin, uint rank)
{
    return rank + (pool[gl_SubgroupID * BIN_PAIRS + bin / 2u] >> 16u * (bin & 1u) & 0xffffu);
}

#endif
