/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 03 occluders: for each bin, the last rectangle that covers it, is opaque, and is outside every layer.
 *
 * Reads the stream's paths and points, elements; writes bin_occluders.
 * Dispatch: one workgroup for each pair of STAGE_INVOCATIONS elements and STAGE_INVOCATIONS bins. It compares all of
 * these elements, through shared memory, with all of these bins.
 * Invariant: bin_occluders holds an element's index + 1, or 0 for none. A maximum does not depend on the order. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#include "stages/stage.glsl"
#include "stages/stream.glsl"
#include "lib/element.h"

layout(scalar, binding = 2) readonly buffer elements_buffer
{
    element_info elements[];
};
layout(scalar, binding = 3) buffer occluders_buffer
{
    uint bin_occluders[];
};

#include "primitive/workgroup_scan.glsl"

shared pixel_box occluders[STAGE_INVOCATIONS];
shared uint occluder_elements[STAGE_INVOCATIONS];

pixel_box occluder_inside(uint index)
{
    uint first_point = stream_path_at(stream_element_at(index).path).first_point;
    vec2 corner = stream_point_at(first_point);
    vec2 opposite = stream_point_at(first_point + 2u);
    return rect_inside(element_rect(element_info_matrix(elements[index]), corner.x, corner.y, opposite.x, opposite.y));
}

/* Loads the occluders among the workgroup's elements, in order, and returns how many there are. */
uint load_occluders(uint group)
{
    uint index = group * STAGE_INVOCATIONS + workgroup_invocation();
    bool is_occluder = index < config.element_count && (elements[index].flags & INFO_OCCLUDER) != 0u;
    uint count;
    uint at = workgroup_exclusive_scan(is_occluder ? 1u : 0u, count);
    if (is_occluder) {
        occluders[at] = occluder_inside(index);
        occluder_elements[at] = index;
    }
    barrier();
    return count;
}

void main()
{
    bin_grid grid = bins_of(config.part);
    uint bin_count = uint(grid.columns * grid.rows);
    uint bin_groups = (bin_count + STAGE_INVOCATIONS - 1u) / STAGE_INVOCATIONS;
    uint element_groups = (config.element_count + STAGE_INVOCATIONS - 1u) / STAGE_INVOCATIONS;
    uint group = stage_workgroup();
    if (stream.occluder_count == 0u || group >= element_groups * bin_groups)
        return;
    uint count = load_occluders(group / bin_groups);
    uint bin = group % bin_groups * STAGE_INVOCATIONS + gl_LocalInvocationIndex;
    int column = grid.x0 + int(bin) % grid.columns;
    int row = grid.y0 + int(bin) / grid.columns;
    uint last = 0u;
    for (uint i = 0u; i < count; i++) {
        if (box_covers_bin(occluders[i], column, row, config.width, config.height))
            last = occluder_elements[i] + 1u;
    }
    if (bin < bin_count && last != 0u)
        atomicMax(bin_occluders[bin], last);
}
