#include "render/cpu/part_occlusion.h"

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
    if ((element->kind & (ELEMENT_OCCLUDER | ELEMENT_ALIASED)) != ELEMENT_OCCLUDER)
        return box_of(0, 0, 0, 0);
    const stream_path *path = &frame->stream.paths[frame->stream.elements[element->element].path];
    const float *points = frame->stream.points + 2 * (size_t)path->first_point;
    snapped_rect rect = element_rect(element->matrix, points[0], points[1], points[4], points[5]);
    return rect.valid ? box_intersection(rect_inside(rect), element->clip) : box_of(0, 0, 0, 0);
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

/* Goes from the topmost element down. An occluder is outside every layer, so the layers below it are closed before it
 * is painted. What a layer draws lies inside the layer's box, so where a begin is removed, its content is
 * removed too. */
void cpu_cull_occluded(cpu_frame *frame)
{
    occluder_list occluders = {.count = 0};
    uint kept = frame->element_count;
    if (kept == 0)
        return; /* there is no array */
    for (uint i = frame->element_count; i-- > 0;) {
        const cpu_element *element = &frame->elements[i];
        if (is_occluded(&occluders, element->clip))
            continue;
        pixel_box box = box_replaced(frame, element);
        if (box.x1 > box.x0 && box.y1 > box.y0)
            add_occluder(&occluders, box);
        if (--kept != i)
            frame->elements[kept] = *element;
    }
    frame->elements += kept;
    frame->element_count -= kept;
}
