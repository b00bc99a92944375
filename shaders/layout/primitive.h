/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Constants of the device-wide primitives that the host and the kernels share. */
#ifndef PIETRA_LAYOUT_PRIMITIVE_H
#define PIETRA_LAYOUT_PRIMITIVE_H

#include "glue.h"

/* Look-back (primitive/look_back.glsl). A table is a ticket counter, then the words of each partition. */
#define LOOK_BACK_TABLE_WORDS(partitions, components) (1u + (partitions) * (components))
#define LOOK_BACK_MAX 0x3fffffffu /* largest sum that a table can hold; stands for larger sums too */
#define LOOK_BACK_NO_PARTITION 0xffffffffu

/* Specialisation constants of every kernel that looks back. The first two are for tests alone. */
#define LOOK_BACK_CONSTANT_ORDER 0u /* partition order over tickets: LOOK_BACK_ORDER_* */
/* p > 0: partitions p - 1, 2 p - 1, ... publish nothing, so that others run into the spin limit */
#define LOOK_BACK_CONSTANT_FAULT_PERIOD 1u
/* polls of one workgroup, for partitions that do not answer, before it counts itself */
#define LOOK_BACK_CONSTANT_SPIN_LIMIT 2u

/* The specialisation constants that follow. */
#define PRIMITIVE_CONSTANT_SUBGROUP_LIMIT 3u /* 32 or 128, an upper limit of the subgroup size */
/* a workgroup's; only kernels whose shape is tuned have this constant and those after it */
#define PRIMITIVE_CONSTANT_INVOCATIONS 4u
#define PRIMITIVE_CONSTANT_ITEMS 5u /* an invocation's; scans count groups of four */
#define PRIMITIVE_CONSTANT_SHARED_WORDS 6u
#define PRIMITIVE_CONSTANT_LOOK_AHEAD 7u     /* predecessors that a look-back reads at once */
#define PRIMITIVE_CONSTANT_SUBGROUP_LEAST 8u /* a lower limit of the subgroup size */
#define PRIMITIVE_CONSTANT_RING 9u           /* slots of a sort's look-back table; 0: one for every partition */
#define PRIMITIVE_CONSTANT_DIGIT_BITS 10u    /* most bits of a digit */
#define PRIMITIVE_CONSTANT_COUNT 11u

#define LOOK_BACK_ORDER_ASCENDING 0u
#define LOOK_BACK_ORDER_REVERSED 1u
#define LOOK_BACK_ORDER_SHUFFLED 2u

/* Default spin limit: polls of one workgroup. For one partition it polls a sixteenth as often. On a discrete GPU a
 * poll takes about 1 us, a partition some 5 us, and a partition of long curves to flatten up to a millisecond, so
 * the limit suffices to wait for a predecessor that is running. On a software device a poll takes 0.1 us and a
 * partition a millisecond. The limit takes half of the 65,535 rounds that lavapipe grants all loops of an
 * invocation. */
#define LOOK_BACK_SPIN_LIMIT 16384u
#define LOOK_BACK_SPIN_LIMIT_SOFTWARE 32768u

/* Least items of a partition of scan, segmented scan and split. It bounds the size of their tables. */
#define SCAN_PARTITION_LEAST 1024u

/* Scan (primitive/scan_partition.glsl) */
#define SCAN_LOOK_AHEAD 512u /* most partitions that are added up before the rest starts */
#define SCAN_CHUNK 128u /* partitions whose sums share two words: their number fits 8 bits, the sum of half words 24 */

STRUCT(scan_push)
{
    uint max_count; /* items that the ranges hold; a larger count on the device is cut to it */
    uint inclusive;
    uint look_ahead; /* partitions that are added up before the rest starts */
    uint chunks;     /* chunks of the other partitions */
    uint far_words;  /* words of these chunks and partitions */
};

STRUCT(segmented_scan_push)
{
    uint max_count;
    uint inclusive;
};

/* Compact. Scratch holds the total of each partition, then a bit a flag. */
#define COMPACT_WORD 32u              /* flags whose bits share a word */
#define COMPACT_STAGED 16u            /* flags that an invocation turns into indices at once */
#define COMPACT_INVOCATIONS_LEAST 64u /* bounds the number of partitions */
/* the most, under any tuning: every workgroup of the second dispatch reads their totals */
#define COMPACT_PARTITIONS 4096u

STRUCT(compact_push)
{
    uint max_count;
    uint rows;  /* a partition's: a row is a word of flags an invocation */
    uint marks; /* word of scratch at which the bits start */
};

#define SPLIT_CLASSES 4u

STRUCT(split_push)
{
    uint max_count; /* also the distance between the lists */
};

/* Copy */
#define COPY_INVOCATIONS 256u
#define COPY_IN_FLIGHT 4u /* groups of four words that an invocation has in flight at once */
#define COPY_PARTITION (COPY_INVOCATIONS * COPY_IN_FLIGHT * 4u)

STRUCT(copy_push)
{
    uint groups;
};

/* Histogram */
#define HISTOGRAM_INVOCATIONS 256u
#define HISTOGRAM_IN_FLIGHT 4u /* groups of four keys that an invocation loads at once */
#define HISTOGRAM_DIGITS 4u    /* most digits of a key */
#define HISTOGRAM_BINS 256u

STRUCT(histogram_push)
{
    uint max_count;
    uint first_bit; /* the lowest digit's */
    uint digits;
};

/* Sort. Up to SORT_SMALL keys are sorted by one workgroup; above, each 8-bit digit in which the keys differ takes one
 * pass. */
#define SORT_SMALL 2048u
#define SORT_SMALL_U64 1024u               /* the same for keys of 64 bits */
#define SORT_SMALL_WORDS (2u * SORT_SMALL) /* shared memory that such a sort takes, with either keys */
#define SORT_BEGIN_INVOCATIONS 256u        /* subgroups of 8 allow no more */
#define SORT_COMPARED 32u                  /* keys that a workgroup of sort_compare ranks */
#define SORT_COMPARE_UNIT 128u             /* keys by which a chunk grows */
#define SORT_MERGED 64u                    /* keys that a workgroup of sort_merge places */
#define SORT_PASSES 8u                     /* the most: half as many for keys of 32 bits */
#define SORT_BINS 256u
#define SORT_PARTITION_SMALL 1024u /* least keys of a partition: bounds the size of the tables */
#define SORT_PARTITION_LARGE 2048u /* the same where the ranges hold SORT_LARGE_FROM keys or more */
#define SORT_LARGE_FROM (1u << 19)
#define SORT_TABLE_MOST (1u << 21) /* keys up to which a sort may take the passes of sort_scatter */
#define SORT_TABLE_PASSES(bits, digit_bits) (((bits) + (digit_bits)-1u) / (digit_bits))
/* largest partition of sort_scatter; its table has at most a word for each key */
#define SORT_TABLE_PARTITION_MOST 16384u
/* keys that an invocation of onesweep_registers keeps in registers, when there are many */
#define SORT_REGISTER_KEYS 28u
#define SORT_REGISTER_PAIRS 22u
#define SORT_REGISTER_U64_KEYS 11u
#define SORT_REGISTER_U64_PAIRS 12u
#define SORT_REGISTER_MIDDLE 8u /* the same for fewer keys or pairs */
#define SORT_REGISTER_LANES 16u /* invocations that count keys together there */
/* a slot of a look-back table that is a ring (primitive/sort_ring.glsl) */
#define SORT_RING_SLOT_WORDS (2u * SORT_BINS)
#define SORT_RING_VALUE_LEAST 16u /* bits of a value in a low word of such a table */
#define SORT_MAX_COUNT LOOK_BACK_MAX
#define SORT_FIXED_BITS 0xffffffffu /* for sort_push.bits_word: take max_bits */

STRUCT(sort_arguments)
{
    uint x, y, z;
};

/* The head of a sort's scratch, zero before the sort. Behind it lie the look-back tables, SORT_BINS words a
 * partition: those of all partitions of the first pass, then of the second, and so on; or else two rings, which the
 * passes use in turn. */
STRUCT(sort_plan)
{
    uint result_half; /* 0: the result lies in keys_a and values_a, 1: in keys_b and values_b */
    uint finished;    /* workgroups that have added their histogram */
    uint count;
    uint bits;
    sort_arguments pass[SORT_PASSES]; /* no workgroups: all keys agree in this digit */
    uint source_half[SORT_PASSES];
    uint tickets[SORT_PASSES];
    uint bins[SORT_PASSES * SORT_BINS]; /* keys in lower bins */
};

STRUCT(sort_push)
{
    uint max_count;  /* keys that the ranges hold; a larger count on the device is cut to it */
    uint max_bits;   /* 8 times the recorded passes, or less; more significant bits on the device are cut to it */
    uint count_word; /* index of the u32 count in the count range */
    uint bits_word;  /* index of the u32 significant bits, or SORT_FIXED_BITS */
    uint pass;
    uint partition_keys; /* keys in a partition */
};

/* Stack monoid (primitive/stack_monoid.glsl). A partition is the brackets that a workgroup takes. */
#define STACK_MAX_COUNT 0x40000000u /* depths of either sign fit an int */
#define STACK_PARTITION_LEAST 64u   /* bounds the size of the tables */
#define STACK_PARTITION_MOST 8192u
#define STACK_WORDS_MOST 255u /* a partition's most; a word is what a subgroup takes at once, at most 32 brackets */
#define STACK_TABLE_WORDS(partitions) (1u + 5u * (partitions))
#define STACK_CLEARED_WORDS(partitions) (1u + (partitions))
/* entries that a partition keeps in memory: its slice, and what it finds in others; and with that those of its words */
#define STACK_SLICE(partition) ((partition) + 1u)
#define STACK_PLACES(partition) (2u * (partition) + 1u)
/* Stage 02 of the pipeline. With partitions of 512 it took 23.4 instead of 12.8 us in AntigenicShift, and 31.2 instead
 * of 24.2 in clips, on an H100. */
#define CLIP_PARTITION 256u
#define CLIP_LOOK_AHEAD 64u

STRUCT(stack_box)
{
    int x0, y0, x1, y1;
};

#define STACK_BEGIN 0x80000000u
#define STACK_NONE 0xffffffffu
#define STACK_WHOLE_MIN (-0x7fffffff - 1)
#define STACK_WHOLE_MAX 0x7fffffff

STRUCT(stack_monoid_push)
{
    uint max_count;
};

#endif
