/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sort: sorts keys of 32 or 64 bits, alone or with a u32 value each, by their low bits. It is stable.
 *
 * The number of keys that the ranges hold and the tuning table (tuning.h) decide what is recorded:
 *
 *   few keys        Every key counts the keys before it. Or chunks are sorted in this way, and their keys look for
 *                   their places in each other's chunks. Or one workgroup sorts all keys by digits.
 *   more keys, of 32 bits, of which few are significant
 *                   There are one or two digits of up to 10 bits. One dispatch counts a digit partition by partition.
 *                   In the next, each partition reads the counts of all partitions, so that none waits for another.
 *   all others      One pass over the keys counts all digits. Then one pass a digit scatters the keys (Onesweep). A
 *                   digit in which all keys agree is left out. If the count on the device is at most SORT_SMALL
 *                   (SORT_SMALL_U64 for 64 bits), the first workgroup sorts the keys alone (bitonic).
 *
 * Sources: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022; Batcher,
 * "Sorting networks and their applications", 1968. */
#ifndef PIETRA_PRIMITIVE_SORT_H
#define PIETRA_PRIMITIVE_SORT_H

#include "primitive/primitive.h"

typedef struct sort_kernels sort_kernels;

typedef struct sort_ranges {
    gpu_range keys_a, values_a; /* max_count keys, max_count u32: the input; values only if made with values */
    gpu_range keys_b, values_b; /* work space of the same size */
    gpu_range scratch;          /* sort_kernels_scratch_bytes; begins with a sort_plan (layout/primitive.h) */
    gpu_range counts;           /* holds the count and, if they are not fixed, the significant bits */
    uint32_t count_word;        /* index in `counts` of the count; more than max_count is cut to max_count */
    uint32_t bits_word; /* index of the number of significant bits, cut to max_bits; SORT_FIXED_BITS: max_bits it is */
} sort_ranges;

/* The kernels for a kind of items. Keys of 64 bits are two u32, the low one first. */
typedef struct sort_family sort_family;

extern const sort_family sort_u32_pairs;

pietra_result sort_create(gpu_device *device, const sort_family *family, const primitive_options *options,
                          pietra_error *error, sort_kernels **kernels);
void sort_destroy(sort_kernels *kernels); /* NULL is ignored */

/* Returns the bytes of scratch that these kernels need, which is at most what any kernels need. If the look-back table
 * has rings (tuning.h), it takes 4 KiB a slot, whatever the count. Otherwise it takes 1 KiB for every partition and
 * eight bits. */
uint64_t sort_kernels_scratch_bytes(const sort_kernels *kernels, uint32_t max_count, uint32_t max_bits);
uint64_t sort_scratch_bytes(uint32_t max_count, uint32_t max_bits);

/* Records one run. max_count is 1 to SORT_MAX_COUNT, and max_bits is 0 to 32, or to 64. sort_plan.result_half, the
 * first word of scratch, says where the result lies: 0: keys_a and values_a, 1: keys_b and values_b. Bits above the
 * significant ones are carried along. */
void sort_record(gpu_recorder *recorder, const sort_kernels *kernels, const sort_ranges *ranges, uint32_t max_count,
                 uint32_t max_bits);

/* See ranges.h for what it reports. */
pietra_result sort_check(const gpu_device *device, const sort_kernels *kernels, const sort_ranges *ranges,
                         uint32_t max_count, uint32_t max_bits, pietra_error *error);

#endif
