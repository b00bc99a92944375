/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 01 decode: where each segment's points lie, each element's matrix and box, and the begins and ends, compacted.
 *
 * Reads the stream, the frame's transform and sheets; writes segments, elements, clip_events. It takes two prefix sums:
 * one over tags (points and the start of the subpath) and one over elements (begins and ends). */
#include "lib/element.h"
#include "render/reference/reference.h"

static void decode_segments(reference_frame *frame)
{
    uint point = 0;
    uint subpath = 0;
    for (uint segment = 0; segment < frame->stream.header->segment_count; segment++) {
        uint tag = frame->stream.tags[segment];
        if (tag & TAG_FIRST)
            subpath = segment;
        frame->segments[segment].point = (tag & TAG_FIRST) ? point : point - 1;
        frame->segments[segment].subpath = subpath;
        point += (tag & TAG_POINTS_MASK) + ((tag & TAG_FIRST) ? 1u : 0u);
    }
}

static element_info decode_element(const reference_frame *frame, uint index, const stream_transform *transform,
                                   uint clip_event)
{
    const stream_element *element = &frame->stream.elements[index];
    uint kind = element->kind & ELEMENT_KIND_MASK;
    if (!kind_has_box(kind))
        return element_info_without_box(kind, clip_event);
    affine m = element_matrix_of(*transform, element->kind, frame->stream.transforms[element->transform]);
    element_info info = element_info_of(m, *element, clip_event);
    if (element->kind & ELEMENT_RECT) {
        const float *points = frame->stream.points + 2 * frame->stream.paths[element->path].first_point;
        info = element_info_of_rect(info, element->kind, element_rect(m, points[0], points[1], points[4], points[5]));
    }
    return info;
}

static element_info decode_in_sheet(const reference_frame *frame, uint index, uint clip_event)
{
    uint sheet = sheet_of(frame->stream.elements[index]);
    if (!sheet_is_drawn(frame->config, sheet))
        return element_info_elsewhere(clip_event);
    if (sheet == 0)
        return decode_element(frame, index, &frame->config.transform, clip_event);
    const frame_sheet *drawn = &frame->sheets[sheet - frame->config.first_sheet];
    return element_info_in_atlas(decode_element(frame, index, &drawn->transform, clip_event), *drawn);
}

static bool is_clip_event(const reference_frame *frame, uint index)
{
    const stream_element *element = &frame->stream.elements[index];
    uint kind = element->kind & ELEMENT_KIND_MASK;
    return (kind_begins(kind) || kind_ends(kind)) && sheet_is_drawn(frame->config, sheet_of(*element));
}

pietra_result reference_01_decode(reference_frame *frame, pietra_error *error)
{
    const stream_header *header = frame->stream.header;
    uint clip_event_count = 0;
    for (uint i = 0; i < header->element_count; i++)
        clip_event_count += is_clip_event(frame, i);
    pietra_result result;
    if (!(frame->segments =
              reference_allocate(frame, header->segment_count, sizeof *frame->segments, error, &result)) ||
        !(frame->elements =
              reference_allocate(frame, header->element_count, sizeof *frame->elements, error, &result)) ||
        !(frame->clip_events =
              reference_allocate(frame, clip_event_count, sizeof *frame->clip_events, error, &result))) {
        return result;
    }
    decode_segments(frame);
    uint count = 0;
    for (uint i = 0; i < header->element_count; i++) {
        frame->elements[i] = decode_in_sheet(frame, i, count);
        if (is_clip_event(frame, i))
            frame->clip_events[count++] = clip_event_of(frame->stream.elements[i], i, frame->elements[i]);
    }
    frame->config.clip_event_count = count;
    return PIETRA_OK;
}
