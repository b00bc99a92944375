/* sort, one dispatch a digit: each tile ranks its keys, learns from its predecessors how many keys of each bin come before, and
 * scatters. Stable.
 * Reads: plan, one half of keys and values. Writes: the other half. Dispatch: indirect, from the plan.
 * The includer defines SORT_VALUES if keys have values, SORT_PARTITIONED if the device has partitioned subgroup operations. The shape
 * is given by specialisation constants: at least SORT_BINS invocations, some keys each.
 * Invariant: an invocation owns one bin in look-back. The half that is read is never written in a pass, so that a fallback can
 * count a missing tile again.
 * Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022. Rank by ballots: Ashkiani et
 * al., "GPU Multisplit", 2016. */
#define LOOK_BACK_CONSTANTS_ONLY
#include "primitive/look_back.glsl"
#include "primitive/sort_ranges.glsl"
#include "primitive/workgroup_scan.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LIMIT) const uint subgroup_limit = 128u;
layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint sort_items = 4u;
layout(constant_id = PRIMITIVE_CONSTANT_SHARED_WORDS) const uint shared_words = 4096u;
layout(constant_id = PRIMITIVE_CONSTANT_AHEAD) const uint walk_ahead = 4u;

#define SORT_INVOCATIONS gl_WorkGroupSize.x
#define SORT_TILE (SORT_INVOCATIONS * sort_items)
#define BIN_PAIRS (SORT_BINS / 2u)

/* First the bin counts of each subgroup, two of 16 bits in a word; then keys or values in sorted order. */
shared uint pool[shared_words];
shared uint bin_count[SORT_BINS];
shared uint bin_start[SORT_BINS];
shared uint shared_tile;
shared uint shared_stuck;

sort_key load_key(uint source, uint i)
{
    return source == 0u ? keys_a[i] : keys_b[i];
}

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

uint digit_word(sort_key key)
{
    return push.pass < 4u ? key.x : key.y;
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

uint digit_word(sort_key key)
{
    return key;
}
#endif

/* This invocation's items of the tile into `name`; where only `valid` of the tile are there, the others become `absent`. The test
 * stands outside the loops, so that all loads are on their way at once. */
#define LOAD_ITEMS(name, half_a, half_b, absent) \
    if (source == 0u) { \
        [[unroll]] for (uint k = 0u; k < sort_items; k++) { \
            uint i = first + k * gl_SubgroupSize; \
            name[k] = i < valid ? half_a[tile * SORT_TILE + i] : absent; \
        } \
    } else { \
        [[unroll]] for (uint k = 0u; k < sort_items; k++) { \
            uint i = first + k * gl_SubgroupSize; \
            name[k] = i < valid ? half_b[tile * SORT_TILE + i] : absent; \
        } \
    }

/* What lies sorted in the pool, to its places. */
#define STORE_ITEMS(half_a, half_b, sorted_item) \
    if (source == 0u) { \
        [[unroll]] for (uint k = 0u; k < sort_items; k++) { \
            uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex; \
            if (i < valid) \
                half_b[places[k]] = sorted_item; \
        } \
    } else { \
        [[unroll]] for (uint k = 0u; k < sort_items; k++) { \
            uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex; \
            if (i < valid) \
                half_a[places[k]] = sorted_item; \
        } \
    }

uint bin_of(sort_key key, uint bits)
{
    return bitfieldExtract(digit_word(key), int(8u * (push.pass & 3u)), int(min(bits - 8u * push.pass, 8u)));
}

uint take_tile(uint tile_count)
{
    if (gl_LocalInvocationIndex == 0u)
        shared_tile = atomicAdd(plan.tickets[push.pass], 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    barrier();
    return look_back_tile(shared_tile, tile_count);
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

/* Rank among the keys of the same bin that this subgroup has seen, which it counts. */
uint rank_in_subgroup(uint bin)
{
    uvec3 lanes = lanes_of_bin(bin);
    uint word = gl_SubgroupID * BIN_PAIRS + bin / 2u;
    uint shift = 16u * (bin & 1u);
    uint before = 0u;
    if (lanes.x == 0u)
        before = atomicAdd(pool[word], lanes.y << shift, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed) >> shift & 0xffffu;
    before = subgroupShuffle(before, lanes.z);
    subgroupBarrier();
    return before + lanes.x;
}

uint table_index(uint tile, uint bin)
{
    return sort_table(push.pass) + tile * SORT_BINS + bin;
}

void publish(uint tile, uint bin, uint state, uint value)
{
    if (!look_back_is_silent(tile))
        atomicStore(tables[table_index(tile, bin)], state << 30 | value, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}

/* Adds up the counts of the subgroups, and publishes the sums as soon as they are known; then the counts of each subgroup become the
 * tile's first position of the bin for it. The sums go to bin_count, the first positions to bin_start. */
void scan_counts(uint tile)
{
    uint pair = workgroup_invocation();
    bool owns = pair < BIN_PAIRS;
    uint sum = 0u;
    for (uint s = 0u; s < gl_NumSubgroups; s++) {
        if (owns)
            sum += pool[s * BIN_PAIRS + pair];
    }
    uint low = sum & 0xffffu;
    if (owns) {
        uint state = tile == 0u ? LOOK_BACK_INCLUSIVE : LOOK_BACK_AGGREGATE;
        publish(tile, 2u * pair, state, low);
        publish(tile, 2u * pair + 1u, state, sum >> 16);
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
    for (uint s = 0u; s < gl_NumSubgroups; s++) {
        if (owns) {
            uint count = pool[s * BIN_PAIRS + pair];
            pool[s * BIN_PAIRS + pair] = next;
            next += count;
        }
    }
    barrier();
}

/* Folds the bin's predecessors until all are known (next becomes 0) or one does not answer. Some are read at once, nearest first. */
void walk(uint bin, inout uint next, inout uint sum, inout uint polls)
{
    uint waited = 0u;
    while (next != 0u) {
        uint words[walk_ahead];
        [[unroll]] for (uint k = 0u; k < walk_ahead; k++)
            words[k] = atomicLoad(tables[table_index(next - 1u - min(k, next - 1u), bin)], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
        bool silent = false;
        waited++;
        [[unroll]] for (uint k = 0u; k < walk_ahead; k++) {
            silent = silent || words[k] >> 30 == LOOK_BACK_EMPTY;
            if (silent || next == 0u)
                continue;
            sum += words[k] & LOOK_BACK_MAX;
            next = words[k] >> 30 == LOOK_BACK_INCLUSIVE ? 0u : next - 1u;
            waited = 0u;
        }
        if (waited > LOOK_BACK_POLLS_A_TILE || (waited != 0u && polls == 0u))
            break;
        polls -= min(waited, 1u);
    }
}

/* Counts the bins of any earlier tile, which is full, into bin_count. */
void recompute(uint source, uint tile, uint bits)
{
    if (gl_LocalInvocationIndex < SORT_BINS)
        bin_count[gl_LocalInvocationIndex] = 0u;
    barrier();
    for (uint k = 0u; k < sort_items; k++) {
        sort_key key = load_key(source, tile * SORT_TILE + k * SORT_INVOCATIONS + gl_LocalInvocationIndex);
        atomicAdd(bin_count[bin_of(key, bits)], 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    }
    barrier();
}

/* Keys of the bin in all earlier tiles. Invocations without a bin take part in barriers alone. */
uint look_back_bin(uint source, uint tile, uint bin, uint count, uint bits)
{
    uint next = bin < SORT_BINS ? tile : 0u;
    uint sum = 0u;
    uint polls = look_back_polls;
    while (true) {
        walk(bin, next, sum, polls);
        if (gl_LocalInvocationIndex == 0u)
            shared_stuck = 0u;
        barrier();
        uint stuck = subgroupMax(next);
        if (stuck != 0u && subgroupElect())
            atomicMax(shared_stuck, stuck, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        barrier();
        stuck = shared_stuck;
        barrier();
        if (stuck == 0u)
            break;
        recompute(source, stuck - 1u, bits);
        if (next == stuck) {
            uint missing = bin_count[bin];
            atomicCompSwap(tables[table_index(next - 1u, bin)], LOOK_BACK_EMPTY, LOOK_BACK_AGGREGATE << 30 | missing, gl_ScopeDevice, 0,
                           gl_SemanticsRelaxed, 0, gl_SemanticsRelaxed);
            sum += missing;
            next--;
        }
        barrier();
    }
    if (bin < SORT_BINS && tile != 0u)
        publish(tile, bin, LOOK_BACK_INCLUSIVE, sum + count);
    return sum;
}

void main()
{
    uint bits = plan.bits;
    uint tile = take_tile(sort_tile_count(plan.count));
    if (tile == LOOK_BACK_NO_TILE)
        return;
    uint source = plan.source_half[push.pass];
    uint valid = min(plan.count - tile * SORT_TILE, SORT_TILE);
    uint first = gl_SubgroupID * gl_SubgroupSize * sort_items + gl_SubgroupInvocationID;
    uint own_bin = workgroup_invocation();

    for (uint i = gl_LocalInvocationIndex; i < gl_NumSubgroups * BIN_PAIRS; i += SORT_INVOCATIONS)
        pool[i] = 0u;
    sort_key keys[sort_items];
    LOAD_ITEMS(keys, keys_a, keys_b, sort_key(0xffffffffu))
    barrier();
    /* Where a key goes within the tile. What pads the last tile has the highest bin and stays behind all keys. */
    uint positions[sort_items];
    [[unroll]] for (uint k = 0u; k < sort_items; k++)
        positions[k] = rank_in_subgroup(bin_of(keys[k], bits));
    barrier();
    scan_counts(tile);
    [[unroll]] for (uint k = 0u; k < sort_items; k++) {
        uint bin = bin_of(keys[k], bits);
        positions[k] += pool[gl_SubgroupID * BIN_PAIRS + bin / 2u] >> 16u * (bin & 1u) & 0xffffu;
    }
    uint own_count = own_bin < SORT_BINS ? bin_count[own_bin] : 0u;
    uint own_start = own_bin < SORT_BINS ? bin_start[own_bin] : 0u;
    barrier();
    [[unroll]] for (uint k = 0u; k < sort_items; k++)
        pool_set(positions[k], keys[k]);
#ifdef SORT_VALUES
    /* On their way while others are waited for. */
    uint values[sort_items];
    LOAD_ITEMS(values, values_a, values_b, 0u)
#endif
    uint before = look_back_bin(source, tile, own_bin, own_count, bits);
    /* From a position within the tile to the place in the result, modulo 2^32. */
    if (own_bin < SORT_BINS)
        bin_start[own_bin] = plan.bins[push.pass * SORT_BINS + own_bin] + before - own_start;
    barrier();

    uint places[sort_items];
    [[unroll]] for (uint k = 0u; k < sort_items; k++) {
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex;
        places[k] = bin_start[bin_of(pool_key(i), bits)] + i;
    }
    STORE_ITEMS(keys_a, keys_b, pool_key(i))
#ifdef SORT_VALUES
    barrier();
    [[unroll]] for (uint k = 0u; k < sort_items; k++)
        pool[positions[k]] = values[k];
    barrier();
    STORE_ITEMS(values_a, values_b, pool[i])
#endif
}
