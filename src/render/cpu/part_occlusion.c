/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/part_occlusion.h"

#include "render/cpu/covered_bins.h"
#include "render/cpu/flatten.h"

/* Each element is compared with all of them. */
#define OCCLUDERS_MOST 4u

typedef struct occluder_list {
    pixel_box boxes[OCCLUDERS_MOST];
    uint count;
} occluder_list;

static bool box_holds(pixel_box outer, pixel_box inner)
{
    return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1 && outer.y1 >= inner.y1;
}

static int64_t box_area(pixel_box box)
{
    return (int64_t)(box.x1 - box.x0) * (box.y1 - box.y0);
}

static bool is_occluded(const occluder_list *occluders, pixel_box clip)
{
    for (uint i = 0; i < occluders->count; i++)
        if (box_holds(occluders->boxes[i], clip))
            return true;
    return false;
}

/* Returns the pixels that an element is sure to replace, which are none for most. */
static pixel_box box_replaced(const cpu_frame *frame, const cpu_element *element)
{
    if ((element->kind & ELEMENT_OCCLUDER) == 0)
        return box_of(0, 0, 0, 0);
    const stream_path *path = &frame->stream.paths[frame->stream.elements[element->element].path];
    const float *points = frame->stream.points + 2 * (size_t)path->first_point;
    snapped_rect rect = element_rect(element->matrix, points[0], points[1], points[4], points[5]);
    return rect.valid ? rect_inside(rect) : box_of(0, 0, 0, 0);
}

/* If there are too many, the largest stay. */
static void add_occluder(occluder_list *occluders, pixel_box box)
{
    uint smallest = 0;
    for (uint i = 1; i < occluders->count; i++)
        if (box_area(occluders->boxes[i]) < box_area(occluders->boxes[smallest]))
            smallest = i;
    if (occluders->count < OCCLUDERS_MOST)
        occluders->boxes[occluders->count++] = box;
    else if (box_area(box) > box_area(occluders->boxes[smallest]))
        occluders->boxes[smallest] = box;
}

/* Returns whether an element is left out. Of a hidden stroke with dashes those dashes are counted that other devices
 * would draw, because they look for what is hidden bin by bin. */
static bool is_left_out(cpu_frame *frame, uint index, const occluder_list *occluders, const covered_bins *bins)
{
    const cpu_element *element = &frame->elements[index];
    bool occluded = is_occluded(occluders, element->clip);
    if ((element->kind & ELEMENT_DASHED) == 0)
        return occluded;
    if (covered_bins_hold(bins, box_tiles(element->clip, frame->config->part)))
        return true;
    if (occluded && cpu_flatten_may_go_on(frame->hidden_dash_tasks))
        frame->hidden_dash_tasks += cpu_flatten_count_dashes(frame, index);
    return occluded;
}

/* Goes from the topmost element down. An occluder is outside every layer, so the layers below it are closed before it
 * is painted. What a layer draws lies inside the layer's box, so where a begin is removed, its content is
 * removed too. */
void cpu_cull_occluded(cpu_frame *frame)
{
    occluder_list occluders = {.count = 0};
    covered_bins bins = covered_bins_of(frame->config);
    const bool has_dashes = frame->stream.header->dashed_count > 0;
    uint kept = frame->element_count;
    if (kept == 0)
        return; /* there is no array */
    for (uint i = frame->element_count; i-- > 0;) {
        const cpu_element *element = &frame->elements[i];
        bool left_out = is_left_out(frame, i, &occluders, &bins);
        pixel_box replaced = left_out && !has_dashes ? box_of(0, 0, 0, 0) : box_replaced(frame, element);
        if (has_dashes)
            covered_bins_add(&bins, replaced);
        if (left_out)
            continue;
        pixel_box box = box_intersection(replaced, element->clip);
        if (box.x1 > box.x0 && box.y1 > box.y0 && (element->kind & ELEMENT_ALIASED) == 0)
            add_occluder(&occluders, box);
        if (--kept != i)
            frame->elements[kept] = *element;
    }
    frame->elements += kept;
    frame->element_count -= kept;
}
