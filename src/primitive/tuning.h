/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tuning table: the kernel shapes and crossovers that suit a device. They change times, never results.
 *
 * `bench --tune` measures them. The defaults are in tuning.c, with the reason for each. */
#ifndef PIETRA_PRIMITIVE_TUNING_H
#define PIETRA_PRIMITIVE_TUNING_H

#include "vulkan/device.h"
#include "layout/primitive.h"

/* Each entry with its least and its largest value. */
#define PRIMITIVE_TUNING(X) \
    X(sort_workgroup_invocations, 256, 1024) /* a workgroup's, in the sort by one workgroup */ \
    X(sort_workgroup_items, 1, 32)           /* keys an invocation */ \
    X(sort_workgroup_items_most, 1, 32)      /* keys an invocation, if the ranges hold more than that makes */ \
    X(sort_compare_most, 0, 8192)            /* most keys that are each compared with all others, in one dispatch */ \
    X(sort_compare_invocations, 256, 1024)   /* a workgroup's, in that sort */ \
    X(sort_merge_most, 0, 0x40000) /* most keys whose chunks are sorted so and merged in one more dispatch */ \
    X(sort_merge_chunk, 256, 4096) /* keys of such a chunk, a power of two */ \
    X(sort_table_most, 0, \
      SORT_TABLE_MOST) /* most keys of 32 bits for which partitions read the counts of all, if few passes suffice */ \
    X(sort_table_few, 0, SORT_TABLE_MOST) /* most of these for which partitions have few_items */ \
    X(sort_table_invocations, 64, 1024)   /* a partition's, in those passes */ \
    X(sort_table_few_items, 2, 32)        /* keys an invocation */ \
    X(sort_table_items, 2, 32)            /* keys an invocation above sort_table_few */ \
    X(sort_table_bits, 8, 11)             /* most bits of a digit there */ \
    X(sort_small_invocations, 256, 1024)  /* a workgroup's, in a pass over few keys */ \
    X(sort_small_items, 1, 32)            /* keys an invocation */ \
    X(sort_large_invocations, 256, 1024)  /* a workgroup's, in a pass over many keys */ \
    X(sort_large_items, 1, 32) \
    X(sort_large_from, 1, 0x80000) /* least keys in the ranges for which a pass takes the large shape */ \
    X(sort_registers, 0, 1) /* 1: that shape keeps keys in registers, if subgroups have 32 and a partition has room */ \
    X(sort_registers_from, 1, 0x10000000) /* least keys in the ranges for which it takes the larger of its shapes */ \
    X(sort_look_ahead, 1, 32)             /* predecessors that a look-back reads at once */ \
    X(sort_ring_slots, 0, 4096)      /* partitions in the look-back table of a pass, a power of two; 0: always all */ \
    X(sort_ring_from, 1, 0x10000000) /* least keys in the ranges for which it holds only those */ \
    X(sort_ring_all, 0, 1)           /* 1: for every kind of item; 0: only for keys of 32 bits with values */ \
    X(stack_invocations, 64, 1024)   /* a partition's, in the stack monoid */ \
    X(stack_items, 1, 32)            /* brackets of an invocation */ \
    X(stack_look_ahead, 64, 1024)    /* partitions that a look-back reads at once, a power of two */ \
    X(scan_invocations, 64, 1024)    /* a partition's, in scan */ \
    X(scan_items, 4, 64)             /* items of an invocation, a multiple of four */ \
    X(scan_look_ahead, 1, SCAN_LOOK_AHEAD)       /* partitions between adding up and scanning */ \
    X(segmented_invocations, 64, 1024)           /* a partition's, in segmented scan */ \
    X(segmented_items, 4, 64)                    /* items of an invocation, a multiple of four */ \
    X(compact_invocations, 64, 1024)             /* a workgroup's, in compact; each takes 32 flags */ \
    X(compact_partitions, 1, COMPACT_PARTITIONS) /* workgroups that share many flags */ \
    X(split_invocations, 64, 1024)               /* a partition's, in split; its lists lie in shared memory */ \
    X(split_items, 4, 32)                        /* items of an invocation, a multiple of four */ \
    X(histogram_words, 2048, 8192) /* words of shared memory, for as many copies of the bins as they hold */

typedef struct primitive_tuning {
#define PRIMITIVE_TUNING_MEMBER(name, least, most) uint32_t name;
    PRIMITIVE_TUNING(PRIMITIVE_TUNING_MEMBER)
#undef PRIMITIVE_TUNING_MEMBER
} primitive_tuning;

/* Returns the table that suits a device with these limits. */
primitive_tuning tuning_of(const gpu_limits *limits);
/* Returns whether the kernels can be made with the table on a device with these limits. */
bool tuning_fits(const gpu_limits *limits, const primitive_tuning *tuning);
/* Returns whether a kernel of the stack monoid can be made in this shape, for values of so many bytes, with places in
 * shared memory or not. */
bool tuning_stack_fits(const gpu_limits *limits, uint32_t invocations, uint32_t items, uint32_t look_ahead,
                       uint32_t value_bytes, bool shared_places);
/* Returns the table that `bench --tune` left for the device. It is that of tuning_of if there is none, or if it is
 * broken or does not fit. */
primitive_tuning tuning_for(const gpu_device *device);

/* Reads and writes the table as text: the line "pietra tuning 1", a line "<entry> <value>" for each entry, and the line
 * "end". Entries that are missing keep their values. tuning_parse returns false and sets nothing if the text is
 * anything else, or is cut off before its end. */
bool tuning_parse(const char *text, primitive_tuning *tuning);
#define TUNING_TEXT_BYTES 2048u
void tuning_print(const primitive_tuning *tuning, char text[TUNING_TEXT_BYTES]);

/* Sets the entry of this name. Returns false if there is none, or if it cannot have this value. */
bool tuning_set(primitive_tuning *tuning, const char *name, uint32_t value);

#endif
