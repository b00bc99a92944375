/* sort: keys of 32 or 64 bits, alone or with a u32 value each, by their low bits; stable.
 *
 * How many keys the ranges hold and the tuning table (tuning.h) decide what is recorded:
 *   few       every key counts the keys before it; or chunks sorted so, whose keys look for their places in each other;
 *             or one workgroup
 *             sorts all by digits
 *   more, of 32 bits and few significant ones   one or two digits of up to 10 bits: each is counted partition by
 *                                               partition in one dispatch, and in
 *             the next each partition reads the counts of all partitions, so that none waits for another
 *   else      one pass over the keys counts all digits, then one pass a digit scatters them (Onesweep); digits in which
 *             all keys agree
 *             are left out. If the count on the device is SORT_SMALL (SORT_SMALL_U64 of 64 bits) or less, the first
 *             workgroup sorts them alone (bitonic)
 * Sources: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022; Batcher,
 * "Sorting networks and their applications", 1968. */
#ifndef PIETRA_PRIMITIVE_SORT_H
#define PIETRA_PRIMITIVE_SORT_H

#include "primitive/primitive.h"

typedef struct sort_kernels sort_kernels;

typedef struct sort_ranges {
    gpu_range keys_a, values_a; /* max_count keys, max_count u32: the input; values only if made with values */
    gpu_range keys_b, values_b; /* as many: work space */
    gpu_range scratch;          /* sort_kernels_scratch_bytes; begins with a sort_plan (layout/primitive.h) */
    gpu_range counts;           /* holds the count and, if they are not fixed, the significant bits */
    uint32_t count_word;        /* index of the count in it; more than max_count is cut to that */
    uint32_t bits_word; /* index of the number of significant bits, cut to max_bits; SORT_FIXED_BITS: max_bits it is */
} sort_ranges;

/* The kernels for a kind of items. Keys of 64 bits are two u32, the low one first. */
typedef struct sort_family sort_family;

extern const sort_family sort_u32_pairs;

pietra_result sort_create(gpu_device *device, const sort_family *family, const primitive_options *options,
                          pietra_error *error, sort_kernels **kernels);
void sort_destroy(sort_kernels *kernels); /* NULL is ignored */

/* What these kernels need, which is at most what any kernels need. With rings for a look-back table (tuning.h) 4 KiB a
 * slot, whatever the count; else 1 KiB for every partition and eight bits. */
uint64_t sort_kernels_scratch_bytes(const sort_kernels *kernels, uint32_t max_count, uint32_t max_bits);
uint64_t sort_scratch_bytes(uint32_t max_count, uint32_t max_bits);

/* max_count: 1 to SORT_MAX_COUNT; max_bits: 0 to 32, or to 64. The result lies in half sort_plan.result_half (the first
 * word of scratch): 0: keys_a and values_a, 1: keys_b and values_b. Bits above the significant ones are carried
 * along. */
void sort_record(gpu_recorder *recorder, const sort_kernels *kernels, const sort_ranges *ranges, uint32_t max_count,
                 uint32_t max_bits);

/* See ranges.h for what it reports. */
pietra_result sort_check(const gpu_device *device, const sort_kernels *kernels, const sort_ranges *ranges,
                         uint32_t max_count, uint32_t max_bits, pietra_error *error);

#endif
