/* onesweep.glsl for subgroups of 32, which keeps each invocation's keys in registers from one reading to their place: counts are
 * published before keys are ranked, so that predecessors' are there when they are asked for, right after; values take the keys' place
 * in shared memory when those have left.
 * Reads: plan, one half of keys and values. Writes: the other half. Dispatch: indirect, from the plan.
 * The includer defines KEPT_ITEMS, what the specialisation constant of items says: in an array of known size a row's distance goes
 * into the load, where a sum of indices takes an addition for every key. SORT_VALUES, SORT_WIDE: as in onesweep.glsl.
 * Trap: registers decide. On an H200 two workgroups of 384 fit a multiprocessor with 80 of them, one with more; a mask of three in
 * DIGIT_SHIFT, which keys of 32 bits do not need, took it from 73 to 90 and 2^24 keys from 461 us to 560. Look at `bench --occupancy`
 * after a change.
 * Sources: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022; lanes with the same bin are
 * found by an OR of masks in shared memory. */
#define LOOK_BACK_CONSTANTS_ONLY
#include "primitive/look_back.glsl"
#include "primitive/sort_ranges.glsl"
#include "primitive/workgroup_scan.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LEAST) const uint subgroup_least = 4u;
layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint sort_items = 4u;

#define SORT_INVOCATIONS gl_WorkGroupSize.x
#define SORT_TILE (SORT_INVOCATIONS * sort_items)
#define COUNT_ROWS (SORT_INVOCATIONS / subgroup_least)
#define COUNT_WORDS (COUNT_ROWS * SORT_KEPT_ROW_WORDS)
#define POOL_WORDS (KEY_WORDS * SORT_TILE > COUNT_WORDS ? KEY_WORDS * SORT_TILE : COUNT_WORDS)

/* For each subgroup a row of counts by bin and of masks of the lanes with a bin; then keys, then values, in sorted order. */
shared uint pool[POOL_WORDS];
shared uint bin_count[SORT_BINS];
shared uint bin_start[SORT_BINS];
shared uint own_first[SORT_BINS]; /* what bin_start was before look-back; with a ring BIN_IS_PLACED when that has ended */

#include "primitive/sort_look_back.glsl"

#define BIN_IS_PLACED 0xffffffffu

uint digit_shift;
uint digit_mask;

#ifdef SORT_WIDE
#define DIGIT_SHIFT (8u * (push.pass & 3u))

uint digit_of(sort_key key)
{
    return (push.pass < 4u ? key.x : key.y) >> digit_shift & digit_mask;
}

void pool_set(uint i, sort_key key)
{
    pool[i] = key.x;
    pool[SORT_TILE + i] = key.y;
}

sort_key pool_key(uint i)
{
    return uvec2(pool[i], pool[SORT_TILE + i]);
}
#else
#define DIGIT_SHIFT (8u * push.pass)

uint digit_of(sort_key key)
{
    return key >> digit_shift & digit_mask;
}

void pool_set(uint i, sort_key key)
{
    pool[i] = key;
}

sort_key pool_key(uint i)
{
    return pool[i];
}
#endif

/* What lanes of a subgroup leave in shared memory for each other. */
void subgroup_fence()
{
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

/* Looks back once; who gets no answer says so, and look_back_end goes on. From a position within the tile to the place in the result,
 * modulo 2^32, is what bin_start becomes. */
void look_back_begin(uint tile, uint bin)
{
    if (bin < SORT_BINS) {
        uint next = tile;
        uint sum = 0u;
        uint polls = look_back_polls;
        walk(bin, next, sum, polls);
        if (next != 0u)
            atomicMax(shared_stuck, next, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        else {
#ifdef SORT_RING
            sum = ring_whole(sum);
#endif
            if (tile != 0u)
                publish(tile, bin, LOOK_BACK_INCLUSIVE, sum + bin_count[bin]);
            bin_start[bin] = plan.bins[push.pass * SORT_BINS + bin] + sum - bin_start[bin];
#ifdef SORT_RING
            own_first[bin] = BIN_IS_PLACED;
#endif
        }
    }
}

/* After a barrier. A predecessor did not answer: all bins again from the start, whatever it costs. With a ring those alone that wait: the
 * predecessors of others may have been overtaken. */
void look_back_end(uint source, uint tile, uint bin)
{
    if (shared_stuck != 0u) {
#ifdef SORT_RING
        bin = bin < SORT_BINS && own_first[bin] != BIN_IS_PLACED ? bin : SORT_BINS;
#endif
        uint count = bin < SORT_BINS ? bin_count[bin] : 0u;
        barrier();
        uint sum = look_back_bin(source, tile, bin, count);
        if (bin < SORT_BINS)
            bin_start[bin] = plan.bins[push.pass * SORT_BINS + bin] + sum - own_first[bin];
        barrier();
    }
}

uint row;
uint lane_bit, lower_lanes, upper_lanes;

void count_key(uint bin)
{
    atomicAdd(pool[row + bin], 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

/* Behind the keys of the bin that this subgroup had before. The highest lane with the bin leaves count and mask for the next keys. */
uint position_of(uint bin)
{
    uint at = row + bin;
    atomicOr(pool[at + SORT_BINS], lane_bit, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    subgroup_fence();
    uint lanes = pool[at + SORT_BINS];
    uint before = pool[at];
    uint position = before + bitCount(lanes & lower_lanes);
    subgroup_fence();
    if ((lanes & upper_lanes) == 0u) {
        pool[at] = position + 1u;
        pool[at + SORT_BINS] = 0u;
    }
    subgroup_fence();
    return position;
}

/* Adds up the counts of the subgroups and publishes the sums; then the counts of each subgroup become the tile's first position of the
 * bin for it. Counts are read again after the scan, see the trap in sort_rank.glsl. */
void scan_counts(uint tile)
{
    uint bin = workgroup_invocation();
    bool owns = bin < SORT_BINS;
    uint sum = 0u;
    if (owns) {
        [[unroll]] for (uint s = 0u; s < COUNT_ROWS; s++)
            sum += pool[s * SORT_KEPT_ROW_WORDS + bin];
#ifdef SORT_RING
        ring_take(bin);
#endif
        publish(tile, bin, tile == 0u ? LOOK_BACK_INCLUSIVE : LOOK_BACK_AGGREGATE, sum);
    }
    uint total;
    uint start = workgroup_exclusive_scan(sum, total);
    if (owns) {
        bin_count[bin] = sum;
        bin_start[bin] = start;
        own_first[bin] = start;
        uint next = start;
        [[unroll]] for (uint s = 0u; s < COUNT_ROWS; s++) {
            uint here = pool[s * SORT_KEPT_ROW_WORDS + bin];
            pool[s * SORT_KEPT_ROW_WORDS + bin] = next;
            next += here;
        }
    }
    barrier();
}

/* What a subgroup takes. */
struct key_span {
    sort_key rows[KEPT_ITEMS][32];
};
layout(scalar, binding = 0) buffer key_spans_a { key_span spans_of_keys_a[]; };
layout(scalar, binding = 1) buffer key_spans_b { key_span spans_of_keys_b[]; };
#ifdef SORT_VALUES
struct value_span {
    uint rows[KEPT_ITEMS][32];
};
layout(scalar, binding = 4) buffer value_spans_a { value_span spans_of_values_a[]; };
layout(scalar, binding = 5) buffer value_spans_b { value_span spans_of_values_b[]; };
#endif

#define EACH_ITEM [[unroll]] for (uint k = 0u; k < sort_items; k++)

/* All items of this invocation; of the last tile those that are there, and something else for the rest: keys that have the highest bin
 * and stay behind all others. The tests stand outside the loops, so that all loads are on their way at once. */
#define LOAD_FULL(array, half) \
    EACH_ITEM \
        array[k] = spans_of_##half[tile * gl_NumSubgroups + gl_SubgroupID].rows[k][gl_SubgroupInvocationID];
#define LOAD_CHECKED(array, half, rest) \
    EACH_ITEM \
        array[k] = first + k * gl_SubgroupSize < valid ? half[base + k * gl_SubgroupSize] : rest;
#define LOAD(array, half_a, half_b, rest) \
    if (full) { \
        if (source == 0u) { \
            LOAD_FULL(array, half_a) \
        } else { \
            LOAD_FULL(array, half_b) \
        } \
    } else { \
        if (source == 0u) { \
            LOAD_CHECKED(array, half_a, rest) \
        } else { \
            LOAD_CHECKED(array, half_b, rest) \
        } \
    }

/* Keys to their places, which values will need again. */
#ifdef SORT_VALUES
#define KEEP_PLACE places[k] = place;
#else
#define KEEP_PLACE
#endif
#define STORE_KEYS(check, half) \
    EACH_ITEM { \
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex; \
        if (check) { \
            sort_key key = pool_key(i); \
            uint place = bin_start[digit_of(key)] + i; \
            half[place] = key; \
            KEEP_PLACE \
        } \
    }
#define STORE_VALUES(check, half) \
    EACH_ITEM { \
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex; \
        if (check) \
            half[places[k]] = pool[i]; \
    }

/* By one of these, to the half that is not read; the tests stand outside the loops, as in LOAD. */
#define STORE(store, half_a, half_b) \
    if (full) { \
        if (source == 0u) { \
            store(true, half_b) \
        } else { \
            store(true, half_a) \
        } \
    } else { \
        if (source == 0u) { \
            store(i < valid, half_b) \
        } else { \
            store(i < valid, half_a) \
        } \
    }

/* Positions in the tile, two in a word. */
#define POSITION(k) (positions[k / 2u] >> 16u * (k % 2u) & 0xffffu)

void main()
{
    uint bits = plan.bits;
    digit_shift = DIGIT_SHIFT;
    digit_mask = (1u << min(bits - 8u * push.pass, 8u)) - 1u;
    table_start = sort_table(push.pass);
    uint tile = take_tile(sort_tile_count(plan.count));
    if (tile == LOOK_BACK_NO_TILE)
        return;
    uint source = plan.source_half[push.pass];
    uint valid = min(plan.count - tile * SORT_TILE, SORT_TILE);
    bool full = valid == SORT_TILE;
    uint first = gl_SubgroupID * gl_SubgroupSize * sort_items + gl_SubgroupInvocationID;
    uint base = tile * SORT_TILE + first;
    uint own_bin = workgroup_invocation();
    row = gl_SubgroupID * SORT_KEPT_ROW_WORDS;
    lower_lanes = gl_SubgroupLtMask.x;
    upper_lanes = gl_SubgroupGtMask.x;
    lane_bit = gl_SubgroupEqMask.x;
#ifdef SORT_RING
    ring_begin(tile, own_bin, source);
#endif

    if (gl_LocalInvocationIndex == 0u)
        shared_stuck = 0u;
    for (uint i = gl_SubgroupInvocationID; i < SORT_KEPT_ROW_WORDS; i += gl_SubgroupSize)
        pool[row + i] = 0u;
    subgroup_fence();
    sort_key keys[sort_items];
    LOAD(keys, keys_a, keys_b, sort_key(0xffffffffu))
    EACH_ITEM
        count_key(digit_of(keys[k]));
    barrier();
    scan_counts(tile);
    look_back_begin(tile, own_bin);

    uint positions[(sort_items + 1u) / 2u];
    EACH_ITEM {
        uint position = position_of(digit_of(keys[k]));
        positions[k / 2u] = k % 2u == 0u ? position : positions[k / 2u] | position << 16;
    }
    barrier();
    EACH_ITEM
        pool_set(POSITION(k), keys[k]);
    barrier();
    look_back_end(source, tile, own_bin);

#ifdef SORT_VALUES
    uint places[sort_items];
#endif
    STORE(STORE_KEYS, keys_a, keys_b)
#ifdef SORT_VALUES
    uint values[sort_items];
    LOAD(values, values_a, values_b, 0u)
    barrier();
    EACH_ITEM
        pool[POSITION(k)] = values[k];
    barrier();
    STORE(STORE_VALUES, values_a, values_b)
#endif
}
