/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Boxes of elements while they are encoded: sums, intersections, and the boxes that a stream keeps. */
#ifndef PIETRA_SCENE_ENCODE_ENCODE_BOX_H
#define PIETRA_SCENE_ENCODE_ENCODE_BOX_H

#include "base/transform.h"
#include "scene/encode/encode.h"
#include "scene/limit.h"

static const encode_box encode_box_nothing = {INFINITY, INFINITY, -INFINITY, -INFINITY};
static const encode_box encode_box_unlimited = {-STREAM_BOX_LIMIT, -STREAM_BOX_LIMIT, STREAM_BOX_LIMIT,
                                                STREAM_BOX_LIMIT};
static const encode_box encode_box_everything = {-INFINITY, -INFINITY, INFINITY, INFINITY};

static inline float lesser(float a, float b)
{
    return a < b ? a : b;
}
static inline float greater(float a, float b)
{
    return a > b ? a : b;
}

static inline encode_box encode_box_union(encode_box a, encode_box b)
{
    return (encode_box){lesser(a.x0, b.x0), lesser(a.y0, b.y0), greater(a.x1, b.x1), greater(a.y1, b.y1)};
}

static inline encode_box encode_box_intersection(encode_box a, encode_box b)
{
    encode_box both = {greater(a.x0, b.x0), greater(a.y0, b.y0), lesser(a.x1, b.x1), lesser(a.y1, b.y1)};
    return both.x0 <= both.x1 && both.y0 <= both.y1 ? both : encode_box_nothing;
}

static inline encode_box encode_box_of(const stream_element *element, pietra_transform transform)
{
    if (element->box_x1 < element->box_x0)
        return encode_box_nothing;
    pietra_box box =
        transform_box(transform, (pietra_box){element->box_x0, element->box_y0, element->box_x1, element->box_y1});
    return (encode_box){limit_down(box.x0), limit_down(box.y0), limit_up(box.x1), limit_up(box.y1)};
}

static inline void encode_box_set(stream_element *element, encode_box box)
{
    bool empty = !(box.x0 <= box.x1);
    element->box_x0 = empty ? 0.0f : box.x0;
    element->box_y0 = empty ? 0.0f : box.y0;
    element->box_x1 = empty ? -1.0f : box.x1;
    element->box_y1 = empty ? -1.0f : box.y1;
}

#endif
