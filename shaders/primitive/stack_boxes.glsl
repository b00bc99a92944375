/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels of the primitive stack_monoid have in common: its ranges, and the intersection of boxes as the
 * value. */
#ifndef STACK_BOXES_GLSL
#define STACK_BOXES_GLSL

#include "layout/primitive.h"

/* x0, y0, x1, y1: as a vector, which is loaded and stored at once. */
#define stack_value ivec4
/* A corner at a time. */
#define stack_part ivec2
#define STACK_PARTS 2u
#define STACK_PART_BYTES 8u

layout(scalar, binding = 0) readonly buffer brackets_buffer
{
    uint brackets[];
};
layout(scalar, binding = 0) readonly buffer bracket_groups_buffer
{
    uvec4 bracket_groups[];
};
layout(scalar, binding = 1) readonly buffer boxes_buffer
{
    stack_value boxes[];
};
layout(scalar, binding = 2) writeonly buffer matches_buffer
{
    uint matches[];
};
layout(scalar, binding = 3) writeonly buffer contexts_buffer
{
    uint contexts[];
};
layout(scalar, binding = 3) writeonly buffer context_groups_buffer
{
    uvec4 context_groups[];
};
layout(scalar, binding = 4) writeonly buffer depths_buffer
{
    uint depths[];
};
layout(scalar, binding = 4) writeonly buffer depth_groups_buffer
{
    uvec4 depth_groups[];
};
layout(scalar, binding = 5) writeonly buffer open_boxes_buffer
{
    stack_value open_boxes[];
};
layout(scalar, binding = 6) readonly buffer count_buffer
{
    uint bracket_count;
};
layout(scalar, binding = 7) buffer table_buffer
{
    int table[];
};
layout(scalar, binding = 8) buffer slice_values_buffer
{
    stack_value slice_values[];
};
layout(scalar, binding = 9) buffer below_buffer
{
    stack_value values_below[];
};
layout(scalar, binding = 10) buffer slice_indices_buffer
{
    uint slice_indices[];
};
layout(push_constant, scalar) uniform push_block
{
    stack_monoid_push push;
};

#define STACK_WORD(i) table[i]
#define STACK_SLICE_INDEX(i) slice_indices[i]
#define STACK_SLICE_VALUE(i) slice_values[i]
#define STACK_BELOW(i) values_below[i]

uint stack_box_count()
{
    return min(bracket_count, push.max_count);
}

stack_value stack_identity()
{
    return ivec4(ivec2(STACK_WHOLE_MIN), ivec2(STACK_WHOLE_MAX));
}

stack_value stack_combine(stack_value outer, stack_value inner)
{
    return ivec4(max(outer.xy, inner.xy), min(outer.zw, inner.zw));
}

stack_value stack_shuffle(stack_value value, uint lane)
{
    return subgroupShuffle(value, lane);
}

stack_part stack_get_part(stack_value value, uint part)
{
    return part == 0u ? value.xy : value.zw;
}

void stack_set_part(inout stack_value value, uint part, stack_part bits)
{
    if (part == 0u)
        value.xy = bits;
    else
        value.zw = bits;
}

stack_part stack_part_of(uint word)
{
    return ivec2(int(word), 0);
}

uint stack_word_of(stack_part part)
{
    return uint(part.x);
}

uint stack_begins(uint first, uint count)
{
    uint bits = 0u;
    if (first + STACK_RUN <= count) {
        [[unroll]] for (uint g = 0u; g < STACK_RUN; g += 4u) {
            uvec4 group = bracket_groups[(first + g) / 4u] >> 31;
            bits |= (group.x | group.y << 1 | group.z << 2 | group.w << 3) << g;
        }
        return bits;
    }
    [[dont_unroll]] for (uint i = first; i < count; i++)
        bits |= (brackets[i] >> 31) << i - first;
    return bits;
}

stack_value stack_load(uint i)
{
    return boxes[i];
}

void stack_unmatched(uint i)
{
    matches[i] = STACK_NONE;
}

#endif
