/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Constants and structs of the sorts that bench compares the primitive sort with. No stage uses them. */
#ifndef PIETRA_LAYOUT_COMPARE_H
#define PIETRA_LAYOUT_COMPARE_H

#include "layout/primitive.h"

#define COMPARE_INVOCATIONS 256u
#define COMPARE_ITEMS_PER_INVOCATION 16u /* keys an invocation */
#define COMPARE_PARTITION (COMPARE_INVOCATIONS * COMPARE_ITEMS_PER_INVOCATION)

/* Quicksort. A level cuts each of its segments in two at the middle of the values that the segment may hold, so
 * there are never more levels than bits. Segments of up to SORT_SMALL keys, and segments of a single value, are
 * finished at the end. */
#define QUICKSORT_LEVELS 32u
#define QUICKSORT_FINISHERS 4096u /* workgroups that share those segments */
#define QUICKSORT_SEGMENTS(count) \
    ((count) / SORT_SMALL + 2u) /* most segments of a level: each has more than
                                                                * SORT_SMALL keys */
#define QUICKSORT_PARTITIONS(count) ((count) / COMPARE_PARTITION + QUICKSORT_SEGMENTS(count))
#define QUICKSORT_PIECES(count) (2u * QUICKSORT_LEVELS * QUICKSORT_SEGMENTS(count) + (count) / SORT_SMALL + 2u)

STRUCT(quicksort_segment)
{
    uint first, count; /* keys */
    uint low, high;    /* least and largest value that the keys may have */
    uint left, right;  /* keys that have gone to either side */
};

STRUCT(quicksort_partition)
{
    uint segment;
    uint first; /* the first of its keys, within the segment */
};

/* A segment that remains to be finished. */
STRUCT(quicksort_piece)
{
    uint first, count; /* SORT_SMALL at most */
    uint source_half;
    uint equal; /* all keys have one value and are only copied */
};

STRUCT(quicksort_level)
{
    sort_arguments partitions, segments; /* the arguments of two dispatches */
};

STRUCT(quicksort_state)
{
    quicksort_level levels[QUICKSORT_LEVELS + 1u];
    uint piece_count;
};

STRUCT(quicksort_push)
{
    uint count; /* keys */
    uint level;
};

#endif
