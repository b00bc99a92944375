/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* onesweep.comp for subgroups of 32. It reads keys once and keeps them in registers until their places are known.
 * Counts are published before keys are ranked. The look-back comes when the keys lie in order in shared memory, so
 * ranking hides the wait. Values take the keys' place in shared memory after the keys have left.
 * Reads: plan, one half of keys and values. Writes: the other half. Dispatch: indirect, from the plan.
 * REGISTER_ITEMS has the value of the specialisation constant of items. An array of known size puts a row's distance
 * into the load; otherwise every key would take an addition. SORT_VALUES, SORT_U64: as in onesweep.comp.
 * Trap: the number of registers decides the speed. On an H200 two workgroups of 384 fit a multiprocessor if an
 * invocation has up to 80 registers, else one does. 2^24 pairs take 559 us with 22 items and 79 registers, and 682 us
 * with 24 items and 83 registers. Comments below say what keeps the number low.
 * Look at `bench --occupancy` after a change.
 * Sources: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022; lanes with
 * the same bin are found by an OR of masks in shared memory. */
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

#define LOOK_BACK_CONSTANTS_ONLY
#include "primitive/look_back.glsl"
#include "primitive/sort_ranges.glsl"
#include "primitive/workgroup_scan.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint items_per_invocation = 4u;

#define SORT_INVOCATIONS gl_WorkGroupSize.x
#define SORT_PARTITION (SORT_INVOCATIONS * items_per_invocation)
#define COUNT_ROWS (SORT_INVOCATIONS / SORT_REGISTER_LANES)
#define COUNT_WORDS (COUNT_ROWS * SORT_BINS)
#define POOL_WORDS (KEY_WORDS * SORT_PARTITION > COUNT_WORDS ? KEY_WORDS * SORT_PARTITION : COUNT_WORDS)

/* Rows of invocations that share one of counts: two for keys of 64 bits or with values, where a row each takes too many
 * registers. Keys of 32 bits are counted faster apart, by an eighth where few bins have most. */
#if defined(SORT_VALUES) || defined(SORT_U64)
#define ROWS_A_COUNT 2u
#else
#define ROWS_A_COUNT 1u
#endif

/* A row for each SORT_REGISTER_LANES invocations, side by side in a subgroup. At first the rows count keys by bin,
 * those of a second row of invocations in the high half of a word. Then a word of each row has where the bin's next key
 * goes, and above it a mask of the lanes that have one: of 16 lanes, so that both fit a word. Then come keys, then
 * values, in sorted order. */
shared uint pool[POOL_WORDS];
shared uint bin_count[SORT_BINS];
shared uint bin_start[SORT_BINS];
/* what bin_start was before look-back; with a ring BIN_IS_PLACED when that has ended */
shared uint own_first[SORT_BINS];
shared uint shared_shift; /* digit_shift */

#include "primitive/sort_look_back.glsl"

#define BIN_IS_PLACED 0xffffffffu

uint digit_shift;
uint digit_mask;

#ifdef SORT_U64
#define DIGIT_SHIFT (8u * (push.pass & 3u))

uint digit_of(sort_key key)
{
    return (push.pass < 4u ? key.x : key.y) >> digit_shift & digit_mask;
}

void pool_set(uint i, sort_key key)
{
    pool[i] = key.x;
    pool[SORT_PARTITION + i] = key.y;
}

sort_key pool_key(uint i)
{
    return uvec2(pool[i], pool[SORT_PARTITION + i]);
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

/* Makes what lanes of a subgroup wrote to shared memory visible to each other. */
void subgroup_fence()
{
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

/* Looks back once. An invocation that gets no answer notes it, and look_back_end goes on. bin_start becomes the
 * distance, modulo 2^32, from a position within the partition to the place in the result. */
void look_back_begin(uint partition_index, uint bin)
{
    if (bin < SORT_BINS) {
        uint from_position = plan.bins[push.pass * SORT_BINS + bin] - bin_start[bin];
        uint next = partition_index;
        uint sum = 0u;
        uint polls_left = look_back_spin_limit;
        walk(bin, next, sum, polls_left);
        if (next != 0u)
            atomicMax(shared_stuck, next, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        else {
#ifdef SORT_RING
            sum = ring_whole(sum);
#endif
            if (partition_index != 0u)
                publish(partition_index, bin, LOOK_BACK_INCLUSIVE, sum + bin_count[bin]);
            bin_start[bin] = from_position + sum;
#ifdef SORT_RING
            own_first[bin] = BIN_IS_PLACED;
#endif
        }
    }
}

/* Runs after a barrier. If a predecessor did not answer, it looks back for all bins again from the start, whatever
 * that costs. With a ring it does so only for the bins that wait, since the predecessors of others may have been
 * overtaken. */
void look_back_end(uint source, uint partition_index, uint bin)
{
    if (shared_stuck != 0u) {
#ifdef SORT_RING
        bin = bin < SORT_BINS && own_first[bin] != BIN_IS_PLACED ? bin : SORT_BINS;
#endif
        uint count = bin < SORT_BINS ? bin_count[bin] : 0u;
        barrier();
        uint sum = look_back_bin(source, partition_index, bin, count);
        if (bin < SORT_BINS)
            bin_start[bin] = plan.bins[push.pass * SORT_BINS + bin] + sum - own_first[bin];
        barrier();
    }
}

uint row, row_lane;
uint lane_bit, lower_lanes, upper_lanes;

void find_lanes()
{
    row = workgroup_invocation() / SORT_REGISTER_LANES;
    row_lane = workgroup_invocation() % SORT_REGISTER_LANES;
    lane_bit = 0x10000u << row_lane;
    lower_lanes = lane_bit - 0x10000u;
    upper_lanes = 0u - (lane_bit << 1);
}

void clear_counts()
{
    for (uint i = row % ROWS_A_COUNT * SORT_REGISTER_LANES + row_lane; i < SORT_BINS;
         i += ROWS_A_COUNT * SORT_REGISTER_LANES)
        pool[row / ROWS_A_COUNT * SORT_BINS + i] = 0u;
}

void count_key(uint bin)
{
    atomicAdd(pool[row / ROWS_A_COUNT * SORT_BINS + bin], 1u << 16u * (row % ROWS_A_COUNT), gl_ScopeWorkgroup, 0,
              gl_SemanticsRelaxed);
}

/* Returns the place behind the keys of the bin that this row had before. The highest lane with the bin leaves the word
 * for the next keys. */
uint position_of(uint bin)
{
    uint at = row * SORT_BINS + bin;
    atomicOr(pool[at], lane_bit, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    subgroup_fence();
    uint word = pool[at];
    uint position = (word & 0xffffu) + bitCount(word & lower_lanes);
    subgroup_fence();
    if ((word & upper_lanes) == 0u)
        pool[at] = position + 1u;
    subgroup_fence();
    return position;
}

/* Adds up the rows' counts and publishes the sums; then each row's word becomes the partition's first position of the
 * bin for it. Counts are read again after the scan, see the trap in sort_rank.glsl, and from the last to the first,
 * since two may stand where one will. */
void scan_counts(uint partition_index)
{
    uint bin = workgroup_invocation();
    bool owns = bin < SORT_BINS;
    uint sum = 0u;
    if (owns) {
        [[unroll]] for (uint r = 0u; r < COUNT_ROWS / ROWS_A_COUNT; r++)
            sum += pool[r * SORT_BINS + bin];
        sum = (sum & 0xffffu) + (sum >> 16);
#ifdef SORT_RING
        ring_take(bin);
#endif
        publish(partition_index, bin, partition_index == 0u ? LOOK_BACK_INCLUSIVE : LOOK_BACK_AGGREGATE, sum);
    }
    uint total;
    uint start = workgroup_exclusive_scan(sum, total);
    if (owns) {
        bin_count[bin] = sum;
        bin_start[bin] = start;
        own_first[bin] = start;
        uint next = start + sum;
        uint counted = 0u;
        /* lavapipe of Mesa 22.3 gives wrong results if r counts down. */
        [[unroll]] for (uint r = 0u; r < COUNT_ROWS; r++) {
            uint to = COUNT_ROWS - 1u - r;
            if (r % ROWS_A_COUNT == 0u)
                counted = pool[to / ROWS_A_COUNT * SORT_BINS + bin];
            next -= bitfieldExtract(counted, int(16u * (to % ROWS_A_COUNT)), 16);
            pool[to * SORT_BINS + bin] = next;
        }
    }
    barrier();
}

/* The keys that a row takes. */
struct key_span {
    sort_key items[REGISTER_ITEMS][SORT_REGISTER_LANES];
};
layout(scalar, binding = 0) buffer key_spans_a
{
    key_span spans_of_keys_a[];
};
layout(scalar, binding = 1) buffer key_spans_b
{
    key_span spans_of_keys_b[];
};
#ifdef SORT_VALUES
struct value_span {
    uint items[REGISTER_ITEMS][SORT_REGISTER_LANES];
};
layout(scalar, binding = 4) buffer value_spans_a
{
    value_span spans_of_values_a[];
};
layout(scalar, binding = 5) buffer value_spans_b
{
    value_span spans_of_values_b[];
};
#endif

#define EACH_ITEM [[unroll]] for (uint k = 0u; k < items_per_invocation; k++)

/* All items of this invocation; of the last partition those that are there, and something else for the rest: keys that
 * have the highest bin and stay behind all others. The tests stand outside the loops, so that all loads are on their
 * way at once. */
#define LOAD_FULL(array, half) \
    EACH_ITEM \
    array[k] = spans_of_##half[partition_index * COUNT_ROWS + row].items[k][row_lane];
#define LOAD_CHECKED(array, half, rest) \
    EACH_ITEM \
    array[k] = first + k * SORT_REGISTER_LANES < valid ? half[base + k * SORT_REGISTER_LANES] : rest;
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

/* A fence after so many stores keeps the compiler from starting all items' loads at once, each with a register. */
#define LOADS_AT_ONCE 3u
#define LIMIT_LOADS(k) \
    if (k % LOADS_AT_ONCE == LOADS_AT_ONCE - 1u) \
        subgroup_fence();

/* Moves keys to their places, which values will need again. Of each place a digit stays: a byte, where the place would
 * take a register. */
#ifdef SORT_VALUES
#define KEEP_DIGIT(digit) digits[k / 4u] = k % 4u == 0u ? digit : digits[k / 4u] | digit << 8u * (k % 4u);
#define REGISTER_DIGIT (digits[k / 4u] >> 8u * (k % 4u) & 0xffu)
#else
#define KEEP_DIGIT(digit)
#endif
#define STORE_KEYS(check, half) \
    EACH_ITEM \
    { \
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex; \
        if (check) { \
            sort_key key = pool_key(i); \
            uint digit = digit_of(key); \
            half[bin_start[digit] + i] = key; \
            KEEP_DIGIT(digit) \
        } \
        LIMIT_LOADS(k) \
    }
#define STORE_VALUES(check, half) \
    EACH_ITEM \
    { \
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex; \
        if (check) \
            half[bin_start[REGISTER_DIGIT] + i] = pool[i]; \
        LIMIT_LOADS(k) \
    }

/* Stores by one of these to the half that is not read. The tests stand outside the loops, as in LOAD. */
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

/* Positions in the partition, two in a word. */
#define POSITION(k) (positions[k / 2u] >> 16u * (k % 2u) & 0xffffu)

void main()
{
    uint bits = plan.bits;
    uint count = plan.count;
    uint source = plan.source_half[push.pass];
    digit_shift = DIGIT_SHIFT;
    digit_mask = (1u << min(bits - 8u * push.pass, 8u)) - 1u;
    table_start = sort_table(push.pass);
    find_lanes();
    uint ticket = draw_ticket(); /* on its way while counts are cleared */
    clear_counts();
    if (gl_LocalInvocationIndex == 0u) {
        shared_stuck = 0u;
        shared_shift = digit_shift;
    }
    uint partition_index = share_ticket(ticket, sort_partition_count(count));
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    uint valid = min(count - partition_index * SORT_PARTITION, SORT_PARTITION);
    bool full = valid == SORT_PARTITION;
    uint first = row * SORT_REGISTER_LANES * items_per_invocation + row_lane;
    uint base = partition_index * SORT_PARTITION + first;
    uint own_bin = workgroup_invocation();
#ifdef SORT_RING
    ring_begin(partition_index, own_bin, source);
#endif

    sort_key keys[items_per_invocation];
    LOAD(keys, keys_a, keys_b, sort_key(0xffffffffu))
    EACH_ITEM
    count_key(digit_of(keys[k]));
    barrier();
    scan_counts(partition_index);

    /* The compiler must not know that this is the same value, or it keeps each key's bin in a register from counting
     * on. */
    digit_shift = shared_shift;
    uint positions[(items_per_invocation + 1u) / 2u];
    EACH_ITEM
    {
        uint position = position_of(digit_of(keys[k]));
        positions[k / 2u] = k % 2u == 0u ? position : positions[k / 2u] | position << 16;
    }
    barrier();
    EACH_ITEM
    pool_set(POSITION(k), keys[k]);
    look_back_begin(partition_index, own_bin);
    barrier();
    look_back_end(source, partition_index, own_bin);

#ifdef SORT_VALUES
    uint digits[(items_per_invocation + 3u) / 4u];
#endif
    STORE(STORE_KEYS, keys_a, keys_b)
#ifdef SORT_VALUES
    uint values[items_per_invocation];
    LOAD(values, values_a, values_b, 0u)
    barrier();
    EACH_ITEM
    pool[POSITION(k)] = values[k];
    barrier();
    STORE(STORE_VALUES, values_a, values_b)
#endif
}
