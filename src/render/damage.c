/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/damage.h"

/* Two boxes are joined if that adds no more pixels than a frame of its own costs: some 0.03 ms of one core. */
#define PIXELS_OF_A_FRAME 16384.0

static double area(pietra_pixel_box box)
{
    return (double)(box.x1 - box.x0) * (double)(box.y1 - box.y0);
}

/* Returns how many pixels are drawn more if two boxes are one. */
static double waste(pietra_pixel_box a, pietra_pixel_box b)
{
    return area(pixel_box_join(a, b)) - area(a) - area(b);
}

/* Finds the two boxes whose join wastes least, and returns what it wastes. There are two at least. */
static double find_nearest(const damage_boxes *damage, uint32_t *first, uint32_t *second)
{
    double least = waste(damage->boxes[0], damage->boxes[1]);
    *first = 0;
    *second = 1;
    for (uint32_t i = 0; i < damage->count; i++) {
        for (uint32_t k = i + 1; k < damage->count; k++) {
            const double more = waste(damage->boxes[i], damage->boxes[k]);
            if (more >= least)
                continue;
            least = more;
            *first = i;
            *second = k;
        }
    }
    return least;
}

void damage_add(damage_boxes *damage, pietra_pixel_box box)
{
    uint32_t first, second;
    if (pixel_box_is_empty(box))
        return;
    damage->boxes[damage->count++] = box;
    while (damage->count > 1 &&
           (find_nearest(damage, &first, &second) <= PIXELS_OF_A_FRAME || damage->count > PIETRA_DRAWN_BOXES)) {
        damage->boxes[first] = pixel_box_join(damage->boxes[first], damage->boxes[second]);
        damage->boxes[second] = damage->boxes[--damage->count];
    }
}

void damage_add_all(damage_boxes *damage, const damage_boxes *more, uint32_t width, uint32_t height)
{
    for (uint32_t i = 0; i < more->count; i++)
        damage_add(damage, pixel_box_overlap(more->boxes[i], (pietra_pixel_box){0, 0, width, height}));
}

/* Gives what of a box lies beside another, which overlaps it: above, below, left and right. Returns how many. */
static uint32_t cut_out(pietra_pixel_box box, pietra_pixel_box hole, pietra_pixel_box pieces[4])
{
    const pietra_pixel_box middle = pixel_box_overlap(box, hole);
    const pietra_pixel_box all[] = {{box.x0, box.y0, box.x1, middle.y0},
                                    {box.x0, middle.y1, box.x1, box.y1},
                                    {box.x0, middle.y0, middle.x0, middle.y1},
                                    {middle.x1, middle.y0, box.x1, middle.y1}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (!pixel_box_is_empty(all[i]))
            pieces[count++] = all[i];
    return count;
}

static bool find_overlap(const damage_boxes *damage, uint32_t *first, uint32_t *second)
{
    for (*first = 0; *first < damage->count; ++*first)
        for (*second = *first + 1; *second < damage->count; ++*second)
            if (!pixel_box_is_empty(pixel_box_overlap(damage->boxes[*first], damage->boxes[*second])))
                return true;
    return false;
}

/* Cutting makes boxes smaller and joining makes them fewer, so there is an end. */
void damage_separate(damage_boxes *damage)
{
    uint32_t first, second;
    while (find_overlap(damage, &first, &second)) {
        pietra_pixel_box pieces[4];
        uint32_t count = cut_out(damage->boxes[second], damage->boxes[first], pieces);
        const pietra_pixel_box both = pixel_box_join(damage->boxes[first], damage->boxes[second]);
        damage->boxes[second] = damage->boxes[--damage->count];
        if (damage->count + count > PIETRA_DRAWN_BOXES) {
            damage->boxes[first] = both;
            count = 0;
        }
        for (uint32_t i = 0; i < count; i++)
            damage->boxes[damage->count++] = pieces[i];
    }
}

pietra_pixel_box damage_around(const damage_boxes *damage)
{
    pietra_pixel_box around = {0, 0, 0, 0};
    for (uint32_t i = 0; i < damage->count; i++)
        around = pixel_box_join(around, damage->boxes[i]);
    return around;
}
