#include "render/cpu/occlude.h"

/* Each element is held against all of them. */
#define COVERS_MOST 4u

typedef struct cover_list {
    pixel_box boxes[COVERS_MOST];
    uint count;
} cover_list;

static bool box_holds(pixel_box outer, pixel_box inner)
{
    return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1 && outer.y1 >= inner.y1;
}

static int64_t box_area(pixel_box box) { return (int64_t)(box.x1 - box.x0) * (box.y1 - box.y0); }

static bool is_hidden(const cover_list *covers, pixel_box clip)
{
    for (uint i = 0; i < covers->count; i++) {
        if (box_holds(covers->boxes[i], clip)) {
            return true;
        }
    }
    return false;
}

/* The pixels that an element is sure to replace; empty for most. */
static pixel_box box_replaced(const cpu_frame *frame, const cpu_element *element)
{
    if ((element->kind & (ELEMENT_COVER | ELEMENT_CRISP)) != ELEMENT_COVER) {
        return box_of(0, 0, 0, 0);
    }
    const stream_path *path = &frame->stream.paths[frame->stream.elements[element->element].path];
    const float *points = frame->stream.points + 2 * (size_t)path->first_point;
    snapped_rect rect = element_rect(element->matrix, points[0], points[1], points[4], points[5]);
    return rect.valid ? box_intersection(rect_inside(rect), element->clip) : box_of(0, 0, 0, 0);
}

/* Among too many the largest stay. */
static void add_cover(cover_list *covers, pixel_box box)
{
    uint smallest = 0;
    for (uint i = 1; i < covers->count; i++) {
        if (box_area(covers->boxes[i]) < box_area(covers->boxes[smallest])) {
            smallest = i;
        }
    }
    if (covers->count < COVERS_MOST) {
        covers->boxes[covers->count++] = box;
    } else if (box_area(box) > box_area(covers->boxes[smallest])) {
        covers->boxes[smallest] = box;
    }
}

/* From the topmost down. A cover is outside every layer, so layers below it are closed before it is painted, and what a layer draws lies
 * inside the layer's box: where a begin goes, its content goes too. */
void cpu_occlude(cpu_frame *frame)
{
    cover_list covers = {.count = 0};
    uint kept = frame->element_count;
    if (kept == 0) {
        return; /* there is no array */
    }
    for (uint i = frame->element_count; i-- > 0;) {
        const cpu_element *element = &frame->elements[i];
        if (is_hidden(&covers, element->clip)) {
            continue;
        }
        pixel_box box = box_replaced(frame, element);
        if (box.x1 > box.x0 && box.y1 > box.y0) {
            add_cover(&covers, box);
        }
        if (--kept != i) {
            frame->elements[kept] = *element;
        }
    }
    frame->elements += kept;
    frame->element_count -= kept;
}
