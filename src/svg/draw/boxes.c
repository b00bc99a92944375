/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/boxes.h"

#include <stdlib.h>

#include "svg/draw/visit.h"

/* Adds what the scene gained since the last call to the innermost open element, which later adds its box to the one
 * around it. */
static void count_scene(svg_walk *walk)
{
    svg_boxes *boxes = walk->boxes;
    size_t position = pietra_scene_position(walk->scene);
    pietra_box box;
    if (boxes->open.count && pietra_scene_bounds_between(walk->scene, boxes->counted, position, &box))
        svg_extent_join(&array_last(&boxes->open)->extent, box, box);
    boxes->counted = position;
}

bool svg_boxes_begin(svg_walk *walk, uint32_t node)
{
    if (!walk->boxes)
        return true;
    count_scene(walk);
    svg_box *box = array_push(&walk->boxes->open);
    if (box)
        *box = (svg_box){.node = node};
    return box != NULL;
}

bool svg_boxes_end(svg_walk *walk)
{
    if (!walk->boxes)
        return true;
    count_scene(walk);
    svg_boxes *boxes = walk->boxes;
    svg_box box = *array_last(&boxes->open);
    boxes->open.count--;
    if (!box.extent.some)
        return true;
    if (boxes->open.count)
        svg_extent_join(&array_last(&boxes->open)->extent, box.extent.box, box.extent.box);
    svg_box *found = array_push(&boxes->found);
    if (found)
        *found = box;
    return found != NULL;
}

void svg_boxes_hide(svg_walk *walk)
{
    if (walk->boxes)
        count_scene(walk);
}

void svg_boxes_show(svg_walk *walk, const pietra_box *box)
{
    if (!walk->boxes)
        return;
    walk->boxes->counted = pietra_scene_position(walk->scene);
    if (walk->boxes->open.count && box)
        svg_extent_join(&array_last(&walk->boxes->open)->extent, *box, *box);
}

static int compare_boxes(const void *a, const void *b)
{
    const svg_box *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

void svg_boxes_report(svg_boxes *boxes, const svg_document *document)
{
    if (boxes->found.count > 1)
        qsort(boxes->found.items, boxes->found.count, sizeof(svg_box), compare_boxes);
    for (size_t i = 0; i < boxes->found.count; i++) {
        const svg_box *box = &boxes->found.items[i];
        const svg_attribute *id = svg_attribute_find(document, box->node, SVG_ID);
        if (box->node == 0)
            boxes->function(boxes->user, "", &box->extent.box);
        if (id && id->count)
            boxes->function(boxes->user, id->bytes, &box->extent.box);
    }
}

void svg_boxes_free(svg_boxes *boxes)
{
    array_free(&boxes->open);
    array_free(&boxes->found);
}
