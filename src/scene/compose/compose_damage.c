/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where two streams of a composition differ. */
#include <math.h>
#include <string.h>

#include "base/extremes.h"
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

/* Thousands of boxes are looked at in a frame, so what follows neither calls nor branches. */

/* Returns a number without its fraction, where it fits. */
static inline uint32_t whole_of(double x)
{
    return (uint32_t)(int64_t)lesser(greater(x, 0), SIDE_MOST);
}

static inline uint32_t next_whole_of(double x)
{
    const double held = lesser(greater(x, 0), SIDE_MOST);
    const int64_t whole = (int64_t)held;
    return (uint32_t)(whole + ((double)whole < held));
}

/* Returns the smallest box around the image of one that is something. */
static inline pietra_box box_in(const pietra_transform *t, pietra_box box)
{
    return (pietra_box){lesser(t->a * box.x0, t->a * box.x1) + lesser(t->c * box.y0, t->c * box.y1) + t->e,
                        lesser(t->b * box.x0, t->b * box.x1) + lesser(t->d * box.y0, t->d * box.y1) + t->f,
                        greater(t->a * box.x0, t->a * box.x1) + greater(t->c * box.y0, t->c * box.y1) + t->e,
                        greater(t->b * box.x0, t->b * box.x1) + greater(t->d * box.y0, t->d * box.y1) + t->f};
}

/* Returns the pixels that a box may touch: one more on each side for what is rounded and smoothed. */
static inline pietra_pixel_box pixels_of(const damage_boxes *found, pietra_box box)
{
    const pietra_box seen = box_in(&found->frame, box);
    if (!box_is_something(seen)) /* its numbers were too large */
        return PIXEL_BOX_OF_EVERYTHING;
    return (pietra_pixel_box){whole_of(seen.x0 - 1), whole_of(seen.y0 - 1), next_whole_of(seen.x1 + 1),
                              next_whole_of(seen.y1 + 1)};
}

static double area_of(pietra_pixel_box box)
{
    return (double)(box.x1 - box.x0) * (double)(box.y1 - box.y0);
}

static bool is_within(pietra_pixel_box box, pietra_pixel_box other)
{
    return box.x0 >= other.x0 && box.y0 >= other.y0 && box.x1 <= other.x1 && box.y1 <= other.y1;
}

/* Joins a box with the one that grows least by it, or adds it. */
static void add_pixels(damage_boxes *found, pietra_pixel_box box)
{
    for (size_t i = 0; i < found->count; i++)
        if (is_within(box, found->boxes[i]))
            return;
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

/* Returns the pixels that an instance may touch as it looks or looked. */
static pietra_pixel_box pixels_of_shown(const damage_boxes *found, const compose_shown *shown, const compose_look *look)
{
    if (!box_is_something(shown->box))
        return (pietra_pixel_box){0, 0, 0, 0};
    const pietra_box own = box_in(&look->transform, shown->box);
    const pietra_pixel_box box = pixels_of(found, own);
    return shown->has_clip ? pixel_box_overlap(box, pixels_of(found, compose_clip_box(own, look->clip))) : box;
}

static void add_shown(damage_boxes *found, const compose_shown *shown)
{
    const pietra_pixel_box box = pixels_of_shown(found, shown, &shown->look);
    if (!pixel_box_is_empty(box))
        add_pixels(found, box);
}

/* Adds where something was and where it is: as one box if that is no larger, as where it moved a little. */
static void add_change(damage_boxes *found, pietra_pixel_box before, pietra_pixel_box after)
{
    const pietra_pixel_box both = pixel_box_join(before, after);
    if (pixel_box_is_empty(both))
        return;
    if (pixel_box_is_empty(before) || pixel_box_is_empty(after) || area_of(both) <= area_of(before) + area_of(after)) {
        add_pixels(found, both);
    } else {
        add_pixels(found, before);
        add_pixels(found, after);
    }
}

static bool looks_alike(const compose_shown *a, const compose_shown *b)
{
    return memcmp(&a->look, &b->look, sizeof a->look) == 0;
}

static bool reaches_all(const compose_plan *plan, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (plan->shown.items[i].reach == COMPOSE_REACHES_ALL)
            return true;
    return plan->shows_below;
}

/* Compares instances in their order. If there are as many as before, those that look otherwise differ. If not, all
 * between the first and the last that do. Returns false if all differs. */
static bool compare(damage_boxes *found, const compose_plan *before, const compose_plan *after)
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
        return true;
    if (reaches_all(before, begin, a_end) || reaches_all(after, begin, b_end))
        return false;
    if (a_end == b_end) {
        for (size_t i = begin; i < a_end; i++)
            if (!looks_alike(&a[i], &b[i]))
                add_change(found, pixels_of_shown(found, &a[i], &a[i].look), pixels_of_shown(found, &b[i], &b[i].look));
        return true;
    }
    for (size_t i = begin; i < a_end; i++)
        add_shown(found, &a[i]);
    for (size_t i = begin; i < b_end; i++)
        add_shown(found, &b[i]);
    return true;
}

/* Returns false if all differs. */
static bool add_changes(damage_boxes *found, const pietra_composition *composition)
{
    for (size_t i = 0; i < composition->changes.count; i++) {
        const compose_change *change = &composition->changes.items[i];
        const compose_shown *shown = &composition->plan.shown.items[change->shown];
        if (composition->plan.shows_below || shown->reach == COMPOSE_REACHES_ALL)
            return false;
        add_change(found, pixels_of_shown(found, shown, &change->look), pixels_of_shown(found, shown, &shown->look));
    }
    return true;
}

size_t pietra_composition_damage(const pietra_composition *composition, const pietra_transform *frame, size_t capacity,
                                 pietra_pixel_box *boxes)
{
    damage_boxes found = {.frame = transform_of_pointer(frame), .boxes = boxes, .capacity = capacity};
    if (!composition || !boxes || capacity == 0)
        return 0;
    bool is_known = transform_is_finite(found.frame);
    if (composition->has_changes)
        is_known = is_known && add_changes(&found, composition);
    else
        is_known = is_known && composition->has_before && compare(&found, &composition->next, &composition->plan);
    if (!is_known) {
        boxes[0] = PIXEL_BOX_OF_EVERYTHING;
        found.count = 1;
    }
    return found.count;
}
