/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "navigation.h"

#include <math.h>

#define STEPS_OF_TWO 4.0
/* Levels of the zoom are rounded, so that steps there and back lead to the same numbers. */
#define LEVEL_UNIT 0x1p-20
#define LEVEL_LEAST (-14.0)
#define LEVEL_MOST 20.0

static pietra_transform turn_and_zoom(const navigation *navigation)
{
    return pietra_multiply(pietra_rotate(navigation->degrees), pietra_scale(navigation->zoom, navigation->zoom));
}

pietra_transform navigation_transform(const navigation *navigation)
{
    pietra_transform transform = turn_and_zoom(navigation);

    transform.e = navigation->x;
    transform.f = navigation->y;
    return transform;
}

/* Returns the box of the document, turned and enlarged, with its origin at (0, 0). */
static pietra_box turned_box(const navigation *navigation)
{
    const pietra_transform transform = turn_and_zoom(navigation);
    const double x1 = transform.a * navigation->document_width, y1 = transform.b * navigation->document_width;
    const double x2 = transform.c * navigation->document_height, y2 = transform.d * navigation->document_height;

    return (pietra_box){.x0 = fmin(0, x1) + fmin(0, x2),
                        .y0 = fmin(0, y1) + fmin(0, y2),
                        .x1 = fmax(0, x1) + fmax(0, x2),
                        .y1 = fmax(0, y1) + fmax(0, y2)};
}

/* Whole pixels before a document of this length, so that it is as sharp as in a picture of its own. */
static double margin(uint32_t window, double length)
{
    return floor((window - fmax(1, floor(length + 0.5))) / 2);
}

static void center(navigation *navigation)
{
    const pietra_box box = turned_box(navigation);

    navigation->x = margin(navigation->width, box.x1 - box.x0) - box.x0;
    navigation->y = margin(navigation->height, box.y1 - box.y0) - box.y0;
}

/* The scale is that of `render -w WIDTH -h HEIGHT`. */
static void fit(navigation *navigation)
{
    navigation->zoom = 1;
    const pietra_box box = turned_box(navigation);
    const double scale = navigation->width / (box.x1 - box.x0),
                 scale_of_height = navigation->height / (box.y1 - box.y0);
    navigation->zoom = fmin(scale, scale_of_height);
}

void navigation_update(navigation *navigation)
{
    if (navigation->mode == NAVIGATION_FIT)
        fit(navigation);
    else if (navigation->mode == NAVIGATION_ACTUAL)
        navigation->zoom = 1;
    if (navigation->mode != NAVIGATION_FREE)
        center(navigation);
}

void navigation_pan(navigation *navigation, double x, double y)
{
    navigation->mode = NAVIGATION_FREE;
    navigation->x += x;
    navigation->y += y;
}

/* Moves the document so that its point (x, y) comes to a pixel. */
static void bring(navigation *navigation, double x, double y, double pixel_x, double pixel_y)
{
    pietra_map(turn_and_zoom(navigation), &x, &y);
    navigation->x = pixel_x - x;
    navigation->y = pixel_y - y;
}

/* The zoom is above 0, so there is a way back. */
static void find_point(const navigation *navigation, double *x, double *y)
{
    pietra_transform inverse;

    if (pietra_invert(navigation_transform(navigation), &inverse))
        pietra_map(inverse, x, y);
}

void navigation_zoom(navigation *navigation, double steps, double x, double y)
{
    double document_x = x, document_y = y;
    const double level = round(log2(navigation->zoom) / LEVEL_UNIT) * LEVEL_UNIT + steps / STEPS_OF_TWO;

    find_point(navigation, &document_x, &document_y);
    navigation->mode = NAVIGATION_FREE;
    navigation->zoom = exp2(fmin(fmax(level, LEVEL_LEAST), LEVEL_MOST));
    bring(navigation, document_x, document_y, x, y);
}

void navigation_turn(navigation *navigation, double degrees)
{
    const double x = navigation->width / 2.0, y = navigation->height / 2.0;
    double document_x = x, document_y = y;

    find_point(navigation, &document_x, &document_y);
    navigation->degrees = fmod(navigation->degrees + degrees, 360);
    bring(navigation, document_x, document_y, x, y);
    navigation_update(navigation);
}
