/* What the kernels of the primitive stack_monoid have in common: its ranges, and the intersection of boxes as the value. */
#ifndef STACK_BOXES_GLSL
#define STACK_BOXES_GLSL

#include "layout/primitive.h"

/* x0, y0, x1, y1: as a vector, which is loaded and stored at once. */
#define stack_value ivec4

struct stack_entry {
    uint index;
    stack_value value;
};

layout(scalar, binding = 0) readonly buffer brackets_buffer { uint brackets[]; };
layout(scalar, binding = 0) readonly buffer bracket_groups_buffer { uvec4 bracket_groups[]; };
layout(scalar, binding = 1) readonly buffer boxes_buffer { stack_value boxes[]; };
layout(scalar, binding = 2) writeonly buffer matches_buffer { uint matches[]; };
layout(scalar, binding = 3) writeonly buffer contexts_buffer { uint contexts[]; };
layout(scalar, binding = 4) writeonly buffer depths_buffer { uint depths[]; };
layout(scalar, binding = 5) writeonly buffer open_boxes_buffer { stack_value open_boxes[]; };
layout(scalar, binding = 6) readonly buffer count_buffer { uint bracket_count; };
layout(scalar, binding = 7) buffer table_buffer { int table[]; };
layout(scalar, binding = 8) buffer slices_buffer { stack_entry slices[]; };
layout(scalar, binding = 9) buffer below_buffer { stack_value values_below[]; };
layout(push_constant, scalar) uniform push_block { stack_monoid_push push; };

#ifndef STACK_INVOCATIONS
/* Of another kernel than this one: the host says. */
layout(constant_id = PRIMITIVE_CONSTANT_SHARED_WORDS) const uint stack_invocations = 128u;
#define STACK_INVOCATIONS stack_invocations
#endif
#define STACK_WORD(i) table[i]
#define STACK_SLICE(i) slices[i]
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
