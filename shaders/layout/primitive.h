/* Constants of the device-wide primitives that the host and the kernels share. */
#ifndef PIETRA_LAYOUT_PRIMITIVE_H
#define PIETRA_LAYOUT_PRIMITIVE_H

#include "glue.h"

/* Look-back (primitive/look_back.glsl). A table is a ticket counter, then the words of each tile. */
#define LOOK_BACK_TABLE_WORDS(tiles, components) (1u + (tiles) * (components))
#define LOOK_BACK_MAX 0x3fffffffu      /* largest sum that a table can hold; also "that or more" */
#define LOOK_BACK_NO_TILE 0xffffffffu

/* Specialisation constants of every kernel that looks back. The first two are for tests alone. */
#define LOOK_BACK_CONSTANT_ORDER 0u    /* tile order over tickets: LOOK_BACK_ORDER_* */
#define LOOK_BACK_CONSTANT_SILENCE 1u  /* p > 0: tiles p - 1, 2 p - 1, ... publish nothing, so that others must fall back */
#define LOOK_BACK_CONSTANT_POLLS 2u    /* polls of one workgroup in all, for a tile that does not answer */
#define LOOK_BACK_CONSTANT_COUNT 3u

#define LOOK_BACK_ORDER_ASCENDING 0u
#define LOOK_BACK_ORDER_REVERSED 1u
#define LOOK_BACK_ORDER_SHUFFLED 2u

/* Default polls of one workgroup; for one tile it polls a sixteenth of them. A poll takes about 1 us on a discrete GPU and a tile
 * some 5 us, so that a predecessor which is running is waited for. A software device takes 0.1 us and a millisecond; and half of the
 * 65,535 rounds that lavapipe lets all loops of an invocation have. */
#define LOOK_BACK_POLLS 1024u
#define LOOK_BACK_POLLS_SOFTWARE 32768u

/* Scan, compact and split: 4 * TILE_SCAN_ROUNDS items an invocation. */
#define TILE_SCAN_INVOCATIONS 256u
#define TILE_SCAN_ROUNDS 4u
#define TILE_SCAN_TILE (TILE_SCAN_INVOCATIONS * 4u * TILE_SCAN_ROUNDS)

STRUCT(scan_push) {
    uint max_count;            /* items that the ranges hold; a larger count on the device is cut to it */
    uint inclusive;
};

STRUCT(compact_push) {
    uint max_count;
};

#define SPLIT_CLASSES 4u

STRUCT(split_push) {
    uint max_count;            /* also the distance between the lists */
};

/* Histogram */
#define HISTOGRAM_INVOCATIONS 256u
#define HISTOGRAM_DIGITS 4u
#define HISTOGRAM_BINS 256u
#define HISTOGRAM_COPIES 2u

STRUCT(histogram_push) {
    uint max_count;
};

/* Sort. Up to SORT_SMALL keys are sorted by one workgroup; above, each 8-bit digit in which the keys differ takes one pass. */
#define SORT_SMALL 2048u
#define SORT_BEGIN_INVOCATIONS 256u     /* subgroups of 8 allow no more */
#define SORT_PASSES 4u
#define SORT_BINS 256u
#define SORT_INVOCATIONS 256u          /* of a pass; one a bin */
#define SORT_ITEMS_SMALL 4u            /* keys an invocation: a tile takes less time, which counts as long as the tiles are few */
#define SORT_ITEMS_LARGE 16u
#define SORT_TILE_SHIFT_SMALL 10u      /* log2 of SORT_INVOCATIONS times these */
#define SORT_TILE_SHIFT_LARGE 12u
#define SORT_LARGE_FROM (1u << 19)     /* keys that the ranges hold */
#define SORT_MAX_COUNT LOOK_BACK_MAX
#define SORT_FIXED_BITS 0xffffffffu    /* for sort_push.bits_word: take max_bits */

STRUCT(sort_arguments) {
    uint x, y, z;
};

/* The head of a sort's scratch, zero before the sort; behind it the look-back tables, SORT_BINS words a tile, of all tiles of the
 * first pass, then of the second, ... */
STRUCT(sort_plan) {
    uint result_half;          /* where the result lies: 0: keys_a and values_a, 1: keys_b and values_b */
    uint finished;             /* workgroups that have added their histogram */
    uint count;
    uint bits;
    sort_arguments pass[SORT_PASSES]; /* no workgroups: all keys agree in this digit */
    uint source_half[SORT_PASSES];
    uint tickets[SORT_PASSES];
    uint bins[SORT_PASSES * SORT_BINS]; /* keys in lower bins */
};

STRUCT(sort_push) {
    uint max_count;            /* keys that the ranges hold; a larger count on the device is cut to it */
    uint max_bits;             /* 8 times the recorded passes, or less; more significant bits on the device are cut to it */
    uint count_word;           /* index of the u32 count in the count range */
    uint bits_word;            /* index of the u32 significant bits, or SORT_FIXED_BITS */
    uint pass;
    uint tile_shift;           /* log2 of the keys in a tile */
};

/* Specialisation constant of a pass, behind those of look-back: 32 or 128, an upper limit of the subgroup size. */
#define SORT_CONSTANT_SUBGROUP_LIMIT LOOK_BACK_CONSTANT_COUNT

/* Stack monoid: a partition is STACK_PARTITION brackets, one an invocation. */
#define STACK_PARTITION 256u
#define STACK_LINKS 16u                /* of a partition that has finished, to the entry STACK_PARTITION << l below the top */
#define STACK_FINISHED_WORDS (1u + 2u * STACK_LINKS)
#define STACK_TABLE_WORDS(partitions) (1u + (1u + STACK_FINISHED_WORDS) * (partitions))
#define STACK_ENTRIES(partitions) (STACK_PARTITION * (partitions)) /* of the slices, and of the windows */

STRUCT(stack_box) {
    int x0, y0, x1, y1;
};

#define STACK_BEGIN 0x80000000u
#define STACK_NONE 0xffffffffu
#define STACK_WHOLE_MIN (-0x7fffffff - 1)
#define STACK_WHOLE_MAX 0x7fffffff

STRUCT(stack_monoid_push) {
    uint max_count;
};

#endif
