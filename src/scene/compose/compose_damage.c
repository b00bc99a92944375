/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where two streams of a composition differ. */
#include <math.h>
#include <string.h>

#include "base/pixel_box.h"
#include "base/transform.h"
#include "scene/compose/composition.h"

#define SIDE_MOST 4294967295.0

/* Boxes of pixels that were found. */
typedef struct damage_boxes {
    pietra_transform frame;
    pietra_pixel_box *boxes;
    size_t count, capacity;
} damage_boxes;

static uint32_t held(double x)
{
    return x > 0 ? x < SIDE_MOST ? (uint32_t)x : UINT32_MAX : 0;
}

/* Returns the pixels that a box may touch: one more on each side for what is rounded and smoothed. */
static pietra_pixel_box pixels_of(const damage_boxes *found, pietra_box box)
{
    const pietra_box seen = transform_box(found->frame, box);
    return (pietra_pixel_box){held(floor(seen.x0) - 1), held(floor(seen.y0) - 1), held(ceil(seen.x1) + 1),
                              held(ceil(seen.y1) + 1)};
}

static double area_of(pietra_pixel_box box)
{
    return (double)(box.x1 - box.x0) * (double)(box.y1 - box.y0);
}

/* Joins a box with the one that grows least by it, or adds it. */
static void add_pixels(damage_boxes *found, pietra_pixel_box box)
{
    size_t best = found->count;
    double least = found->count < found->capacity ? 0 : INFINITY; /* what a box grows by, beyond the new one itself */
    for (size_t i = 0; i < found->count; i++) {
        const pietra_pixel_box both = pixel_box_join(found->boxes[i], box);
        const double more = area_of(both) - area_of(found->boxes[i]) - area_of(box);
        if (more <= least) {
            least = more;
            best = i;
        }
    }
    if (best < found->count)
        found->boxes[best] = pixel_box_join(found->boxes[best], box);
    else
        found->boxes[found->count++] = box;
}

static void add_shown(damage_boxes *found, const compose_shown *shown)
{
    if (!box_is_something(shown->box))
        return;
    const pietra_box own = transform_box(shown->look.transform, shown->box);
    pietra_pixel_box box = pixels_of(found, own);
    if (shown->has_clip)
        box = pixel_box_overlap(box, pixels_of(found, compose_clip_box(own, shown->look.clip)));
    if (!pixel_box_is_empty(box))
        add_pixels(found, box);
}

static bool looks_alike(const compose_shown *a, const compose_shown *b)
{
    return memcmp(&a->look, &b->look, sizeof a->look) == 0;
}

static bool reaches_further(const compose_plan *plan, size_t begin, size_t end)
{
    for (size_t i = 0; i < plan->shown.count; i++) {
        const compose_reach reach = plan->shown.items[i].reach;
        if (reach == COMPOSE_REACHES_BELOW || (reach == COMPOSE_REACHES_ALL && i >= begin && i < end))
            return true;
    }
    return false;
}

/* Compares the instances in their order. If there are as many as before, those that look otherwise differ. If not, all
 * between the first and the last that do. */
static void compare(damage_boxes *found, const compose_plan *before, const compose_plan *after)
{
    const compose_shown *a = before->shown.items, *b = after->shown.items;
    size_t begin = 0, a_end = before->shown.count, b_end = after->shown.count;
    while (begin < a_end && begin < b_end && looks_alike(&a[begin], &b[begin]))
        begin++;
    while (a_end > begin && b_end > begin && looks_alike(&a[a_end - 1], &b[b_end - 1])) {
        a_end--;
        b_end--;
    }
    if (begin == a_end && begin == b_end)
        return;
    if (reaches_further(before, begin, a_end) || reaches_further(after, begin, b_end)) {
        found->boxes[0] = PIXEL_BOX_OF_EVERYTHING;
        found->count = 1;
        return;
    }
    const bool pairs = a_end == b_end;
    for (size_t i = begin; i < a_end; i++)
        if (!pairs || !looks_alike(&a[i], &b[i]))
            add_shown(found, &a[i]);
    for (size_t i = begin; i < b_end; i++)
        if (!pairs || !looks_alike(&a[i], &b[i]))
            add_shown(found, &b[i]);
}

size_t pietra_composition_damage(const pietra_composition *composition, const pietra_transform *frame, size_t capacity,
                                 pietra_pixel_box *boxes)
{
    damage_boxes found = {.frame = transform_of_pointer(frame), .boxes = boxes, .capacity = capacity};
    if (!composition || !boxes || capacity == 0)
        return 0;
    if (composition->has_before && transform_is_finite(found.frame)) {
        compare(&found, &composition->next, &composition->plan);
    } else {
        boxes[0] = PIXEL_BOX_OF_EVERYTHING;
        found.count = 1;
    }
    return found.count;
}
