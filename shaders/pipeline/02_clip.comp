// 02 clip: what is open after each begin and end.
//
// Reads brackets; writes bracket_infos; table, slices and windows are its own. One bracket an invocation.
// The stack monoid in a single pass: R. Levien, "Fast GPU bounding boxes on tree-structured scenes", 2022. What clips and groups
// hand down composes like functions, so it is combined along the stack: clip boxes, the layer, the number of layers.
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#define STAGE_LOCAL_SIZE STACK_PARTITION
#include "layout/primitive.h"
#include "pipeline/stage.glsl"
#include "lib/element.h"

layout(scalar, set = 0, binding = 1) devicecoherent buffer table_buffer { uint table[]; };
layout(scalar, set = 0, binding = 2) readonly buffer brackets_buffer { bracket brackets[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer infos_buffer { bracket_info infos[]; };

#define stack_value clip_step
#define stack_entry clip_entry

layout(scalar, set = 0, binding = 4) devicecoherent buffer slices_buffer { stack_entry slices[]; };
layout(scalar, set = 0, binding = 5) devicecoherent buffer windows_buffer { stack_entry windows[]; };

#define STACK_WORD(i) table[i]
#define STACK_SLICES(i) slices[i]
#define STACK_WINDOWS(i, partitions) windows[i]
#include "primitive/stack_monoid.glsl"

stack_value stack_identity() { return clip_step_nothing(); }
stack_value stack_combine(stack_value outer, stack_value inner) { return clip_step_compose(outer, inner); }
bool stack_begins(uint i) { return (brackets[i].flags & BRACKET_BEGIN) != 0u; }
stack_value stack_load(uint i) { return clip_step_of(brackets[i], i); }

void main()
{
    uint count = config.bracket_count;
    uint partition_index = stack_take(count);
    if (partition_index == LOOK_BACK_NO_TILE)
        return;
    stack_result result = stack_run(partition_index, count);
    if (result.index >= count)
        return;
    // The root's state stands for a stack that is empty: composed with nothing, a child cannot merge.
    clip_step state = result.context == STACK_NONE ? clip_step_nothing() : result.value;
    infos[result.index].context = result.context;
    infos[result.index].layer = state.layer;
    infos[result.index].depth = state.layers[0];
    infos[result.index].merged = clip_step_merged(state, result.begins);
    infos[result.index].box = state.box;
    if (!result.begins) {
        infos[result.index].match = result.match;
        infos[result.match].match = result.index;
    }
}
