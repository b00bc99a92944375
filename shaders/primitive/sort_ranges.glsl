/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The ranges of a sort, shared by its kernels. SORT_VALUES: with a value to each key. SORT_U64: as in sort_key.glsl. */
#ifndef SORT_RANGES_GLSL
#define SORT_RANGES_GLSL

#include "layout/primitive.h"
#include "primitive/sort_key.glsl"

layout(scalar, binding = 0) buffer keys_a_buffer
{
    sort_key keys_a[];
};
layout(scalar, binding = 0) buffer key_groups_a_buffer
{
    uvec4 key_groups_a[];
};
layout(scalar, binding = 1) buffer keys_b_buffer
{
    sort_key keys_b[];
};
layout(scalar, binding = 2) buffer scratch_buffer
{
    sort_plan plan;
    uint tables[];
};
layout(scalar, binding = 3) readonly buffer counts_buffer
{
    uint counts[];
};
#ifdef SORT_VALUES
layout(scalar, binding = 4) buffer values_a_buffer
{
    uint values_a[];
};
layout(scalar, binding = 5) buffer values_b_buffer
{
    uint values_b[];
};
#endif
layout(push_constant, scalar) uniform push_block
{
    sort_push push;
};

uint sort_count()
{
    return min(counts[push.count_word], push.max_count);
}

uint sort_bits()
{
    return push.bits_word == SORT_FIXED_BITS ? push.max_bits : min(counts[push.bits_word], push.max_bits);
}

uint sort_partition_count(uint count)
{
    return count / push.partition_keys + uint(count % push.partition_keys != 0u);
}

/* Returns where the table of a pass starts. */
uint sort_table(uint pass)
{
    return pass * sort_partition_count(push.max_count) * SORT_BINS;
}

#endif
