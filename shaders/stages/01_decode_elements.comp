/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 01 decode, elements: each element's matrix and box on the device, and the begins and ends, compacted.
 *
 * Reads the stream's elements, transforms, and the corners of rectangles, and sheets; writes elements, clip_events.
 * Elements of sheets that this run does not draw have no box, and are no clip events.
 * Dispatch: one workgroup for each DECODE_ELEMENTS_PARTITION elements, and one invocation for each element.
 * Invariant: a prefix sum over begins and ends keeps clip events in the order of the stream.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#include "stages/stage.glsl"
#include "stages/stream.glsl"
#include "lib/element.h"

layout(scalar, binding = 2) readonly buffer sheets_buffer
{
    frame_sheet sheets[];
};
layout(scalar, binding = 3) buffer table_buffer
{
    uint look_back_words[];
};
layout(scalar, binding = 4) writeonly buffer elements_buffer
{
    element_info elements[];
};
layout(scalar, binding = 5) writeonly buffer clip_events_buffer
{
    clip_event clip_events[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#include "primitive/look_back.glsl"
#include "primitive/workgroup_scan.glsl"

uint first_element(uint partition_index)
{
    return partition_index * DECODE_ELEMENTS_PARTITION + workgroup_invocation();
}

uint count_clip_event(uint index)
{
    if (index >= config.element_count)
        return 0u;
    uint kind = stream_element_kind_at(index) & ELEMENT_KIND_MASK;
    if (!kind_begins(kind) && !kind_ends(kind))
        return 0u;
    return sheet_is_drawn(config, sheet_of(stream_element_at(index))) ? 1u : 0u;
}

look_back_value look_back_recompute(uint partition_index)
{
    look_back_value value;
    workgroup_exclusive_scan(count_clip_event(first_element(partition_index)), value.part[0]);
    return value;
}

element_info decode_element(stream_element element, stream_transform transform, uint clip_events_before)
{
    uint kind = element.kind & ELEMENT_KIND_MASK;
    if (!kind_has_box(kind))
        return element_info_without_box(kind, clip_events_before);
    affine m = element_matrix_of(transform, element.kind, stream_transform_at(element.transform));
    element_info info = element_info_of(m, element, clip_events_before);
    if ((element.kind & ELEMENT_RECT) != 0u) {
        uint first_point = stream_path_at(element.path).first_point;
        vec2 corner = stream_point_at(first_point);
        vec2 opposite = stream_point_at(first_point + 2u);
        info = element_info_of_rect(info, element.kind, element_rect(m, corner.x, corner.y, opposite.x, opposite.y));
    }
    return info;
}

void main()
{
    uint partition_index =
        look_back_ticket((config.element_count + DECODE_ELEMENTS_PARTITION - 1u) / DECODE_ELEMENTS_PARTITION);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    uint index = first_element(partition_index);
    uint is_clip_event = count_clip_event(index);
    look_back_value aggregate;
    uint before = workgroup_exclusive_scan(is_clip_event, aggregate.part[0]);
    before += look_back(partition_index, aggregate).part[0];
    if (index >= config.element_count)
        return;
    stream_element element = stream_element_at(index);
    uint sheet = sheet_of(element);
    element_info info;
    if (!sheet_is_drawn(config, sheet)) {
        info = element_info_elsewhere(before);
    } else {
        stream_transform transform = config.transform;
        if (sheet != 0u)
            transform = sheets[sheet - config.first_sheet].transform;
        info = decode_element(element, transform, before);
        if (sheet != 0u)
            info = element_info_in_atlas(info, sheets[sheet - config.first_sheet]);
    }
    elements[index] = info;
    if (is_clip_event != 0u)
        clip_events[before] = clip_event_of(element, index, info);
}
