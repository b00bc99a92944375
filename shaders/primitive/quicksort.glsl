/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The ranges of the quicksort, shared by its kernels. For bench: no stage has use for it.
 * Source: Cederman and Tsigas, "GPU-Quicksort: A practical Quicksort algorithm for graphics processors", 2009. */
#ifndef QUICKSORT_GLSL
#define QUICKSORT_GLSL

#include "layout/compare.h"

layout(scalar, binding = 0) buffer keys_a_buffer
{
    uint keys_a[];
};
layout(scalar, binding = 1) buffer keys_b_buffer
{
    uint keys_b[];
};
layout(scalar, binding = 2) buffer state_buffer
{
    quicksort_state state;
};
layout(scalar, binding = 3) buffer segments_buffer
{
    quicksort_segment segments[];
};
layout(scalar, binding = 4) buffer partitions_buffer
{
    quicksort_partition partitions[];
};
layout(scalar, binding = 5) buffer pieces_buffer
{
    quicksort_piece pieces[];
};
layout(push_constant, scalar) uniform push_block
{
    quicksort_push push;
};

/* Returns where a segment lies. The segments and partitions of two levels are kept: this one and the next. */
uint segment_at(uint level, uint i)
{
    return (level & 1u) * QUICKSORT_SEGMENTS(push.count) + i;
}

uint partition_at(uint level, uint i)
{
    return (level & 1u) * QUICKSORT_PARTITIONS(push.count) + i;
}

uint pivot_of(quicksort_segment segment)
{
    return segment.low + (segment.high - segment.low) / 2u;
}

#endif
