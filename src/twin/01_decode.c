/* 01 decode: where each segment's points lie; each element's matrix and box; begins and ends compacted.
 *
 * Reads the stream and the frame's transform; writes segments, elements, brackets. Two prefix sums: over tags (points and the start
 * of the subpath) and over elements (begins and ends). */
#include "lib/element.h"
#include "twin/twin.h"

static void decode_segments(twin_frame *frame)
{
    uint point = 0;
    uint subpath = 0;
    for (uint segment = 0; segment < twin_header(frame)->segment_count; segment++) {
        uint tag = twin_stream_tag(frame, segment);
        if (tag & TAG_FIRST) {
            subpath = segment;
        }
        frame->segments[segment].point = (tag & TAG_FIRST) ? point : point - 1;
        frame->segments[segment].subpath = subpath;
        point += (tag & TAG_POINTS_MASK) + ((tag & TAG_FIRST) ? 1u : 0u);
    }
}

static element_info decode_element(const twin_frame *frame, uint index, uint bracket)
{
    const stream_element *element = &twin_stream_elements(frame)[index];
    uint kind = element->kind & ELEMENT_KIND_MASK;
    element_info info = {.a = 1, .d = 1, .bracket = bracket};
    if (kind == ELEMENT_END_CLIP || kind == ELEMENT_END_CLIP_SOURCE || kind == ELEMENT_END_GROUP) {
        return info;
    }
    if (kind == ELEMENT_BEGIN_CLIP_SOURCE) {
        info.box = box_everything();
        info.flags = INFO_FOLDED;
        return info;
    }
    affine m = element_matrix(frame->config, twin_stream_transforms(frame)[element->transform]);
    info.a = m.a;
    info.b = m.b;
    info.c = m.c;
    info.d = m.d;
    info.e = m.e;
    info.f = m.f;
    info.box = element_box(m, element->box_x0, element->box_y0, element->box_x1, element->box_y1);
    if (element->kind & ELEMENT_RECT) {
        const float *points = twin_stream_points(frame) + 2 * twin_stream_paths(frame)[element->path].first_point;
        snapped_rect rect = element_rect(m, points[0], points[1], points[4], points[5]);
        if (kind == ELEMENT_BEGIN_CLIP && rect_is_pixel_aligned(rect)) {
            info.box = rect_inside(rect);
            info.flags = INFO_FOLDED;
        } else if ((element->kind & ELEMENT_COVER) && rect.valid) {
            info.flags = INFO_COVER;
        }
    }
    return info;
}

static bool is_begin(uint kind)
{
    return kind == ELEMENT_BEGIN_CLIP || kind == ELEMENT_BEGIN_CLIP_SOURCE || kind == ELEMENT_BEGIN_GROUP;
}

static bool is_end(uint kind)
{
    return kind == ELEMENT_END_CLIP || kind == ELEMENT_END_CLIP_SOURCE || kind == ELEMENT_END_GROUP;
}

pietra_result twin_01_decode(twin_frame *frame, pietra_error *error)
{
    const stream_header *header = twin_header(frame);
    pietra_result result;
    if ((frame->segments = twin_allocate(frame, header->segment_count, sizeof *frame->segments, error, &result)) == NULL ||
        (frame->elements = twin_allocate(frame, header->element_count, sizeof *frame->elements, error, &result)) == NULL ||
        (frame->brackets = twin_allocate(frame, header->bracket_count, sizeof *frame->brackets, error, &result)) == NULL) {
        return result;
    }
    decode_segments(frame);
    uint bracket_count = 0;
    for (uint i = 0; i < header->element_count; i++) {
        const stream_element *element = &twin_stream_elements(frame)[i];
        uint kind = element->kind & ELEMENT_KIND_MASK;
        frame->elements[i] = decode_element(frame, i, bracket_count);
        if (is_begin(kind) || is_end(kind)) {
            bracket *b = &frame->brackets[bracket_count++];
            b->element = i;
            b->box = frame->elements[i].box;
            if (is_begin(kind)) {
                b->flags = BRACKET_BEGIN;
                if (frame->elements[i].flags & INFO_FOLDED) {
                    b->flags |= BRACKET_FOLDED;
                }
                bool from_source = kind == ELEMENT_BEGIN_CLIP && element->path == STREAM_NONE;
                if ((element->kind & ELEMENT_SOLE_CHILD) && !from_source) {
                    b->flags |= BRACKET_SOLE;
                }
            }
        }
    }
    return PIETRA_OK;
}
