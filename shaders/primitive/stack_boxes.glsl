/* What the kernels of the primitive stack_monoid have in common: its ranges, and the intersection of boxes as the value. */
#ifndef STACK_BOXES_GLSL
#define STACK_BOXES_GLSL

#include "layout/primitive.h"

#define stack_value stack_box

struct stack_entry {
    uint index;
    stack_box value;
};

layout(scalar, binding = 0) readonly buffer brackets_buffer { uint brackets[]; };
layout(scalar, binding = 1) readonly buffer boxes_buffer { stack_box boxes[]; };
layout(scalar, binding = 2) writeonly buffer matches_buffer { uint matches[]; };
layout(scalar, binding = 3) writeonly buffer contexts_buffer { uint contexts[]; };
layout(scalar, binding = 4) writeonly buffer depths_buffer { uint depths[]; };
layout(scalar, binding = 5) writeonly buffer open_boxes_buffer { stack_box open_boxes[]; };
layout(scalar, binding = 6) readonly buffer count_buffer { uint bracket_count; };
layout(scalar, binding = 7) buffer table_buffer { int table[]; };
layout(scalar, binding = 8) buffer slices_buffer { stack_entry slices[]; };
layout(scalar, binding = 9) buffer below_buffer { stack_box values_below[]; };
layout(push_constant, scalar) uniform push_block { stack_monoid_push push; };

#define STACK_ROUNDS STACK_BOX_ROUNDS
#define STACK_WORD(i) table[i]
#define STACK_SLICE(i) slices[i]
#define STACK_BELOW(i) values_below[i]

uint stack_box_count()
{
    return min(bracket_count, push.max_count);
}

stack_value stack_identity()
{
    return stack_box(STACK_WHOLE_MIN, STACK_WHOLE_MIN, STACK_WHOLE_MAX, STACK_WHOLE_MAX);
}

stack_value stack_combine(stack_value outer, stack_value inner)
{
    return stack_box(max(outer.x0, inner.x0), max(outer.y0, inner.y0), min(outer.x1, inner.x1), min(outer.y1, inner.y1));
}

stack_value stack_shuffle(stack_value value, uint lane)
{
    return stack_box(subgroupShuffle(value.x0, lane), subgroupShuffle(value.y0, lane), subgroupShuffle(value.x1, lane),
                     subgroupShuffle(value.y1, lane));
}

bool stack_begins(uint i)
{
    return (brackets[i] & STACK_BEGIN) != 0u;
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
