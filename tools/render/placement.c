/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "placement.h"

#include <math.h>
#include <string.h>

bool placement_is_cut(const placement *placement)
{
    const options *options = placement->options;

    return options->export_area_drawing || (placement->element_id && !options->export_area_page);
}

/* The whole drawing comes first, with an empty id. */
void placement_take_box(void *user, const char *id, const pietra_box *box)
{
    placement *placement = user;
    const char *wanted = placement->element_id ? placement->element_id : "";

    if (!placement->boxed && strcmp(id, wanted) == 0) {
        placement->box = *box;
        placement->boxed = true;
    }
}

/* Returns a side of the picture: the nearest whole number of pixels, at least 1. */
static double side(double length, double scale)
{
    return fmax(1, floor(length * scale + 0.5));
}

/* Returns how many pixels a CSS pixel gets, for an area of this size. */
static double find_scale(const picture_size *size, double width, double height)
{
    double scale = size->zoom > 0 ? size->zoom : 1;

    if (size->width)
        scale = size->width / width;
    if (size->height && (!size->width || size->height / height < scale))
        scale = size->height / height;
    return scale;
}

/* Makes the picture an element's box. All of the box shows, so its sides are rounded up, except for rounding errors. */
static void cut_to_element(placement *placement, double *width, double *height)
{
    const double slack = 1e-6;
    pietra_box box = placement->box;
    double across = fmax(box.x1 - box.x0, slack), down = fmax(box.y1 - box.y0, slack),
           scale = find_scale(placement->size, across, down);

    *width = fmax(1, ceil(across * scale - slack));
    *height = fmax(1, ceil(down * scale - slack));
    placement->transform = (pietra_transform){.a = scale, .d = scale, .e = -box.x0 * scale, .f = -box.y0 * scale};
}

/* Cuts the picture of the page between pixels, so that the remaining pixels do not change. False: nothing remains. */
static bool cut_to_drawing(placement *placement, double *width, double *height)
{
    const double slack = 1e-6;
    double scale = placement->transform.a;
    double x0 = fmax(0, floor(placement->box.x0 * scale + slack)),
           x1 = fmin(*width, ceil(placement->box.x1 * scale - slack));
    double y0 = fmax(0, floor(placement->box.y0 * scale + slack)),
           y1 = fmin(*height, ceil(placement->box.y1 * scale - slack));

    placement->transform.e = -x0;
    placement->transform.f = -y0;
    *width = x1 - x0;
    *height = y1 - y0;
    return *width > 0 && *height > 0;
}

status placement_find(placement *placement)
{
    const options *options = placement->options;
    double width, height;

    if (!(placement->document_width > 0) || !(placement->document_height > 0) || !isfinite(placement->document_width) ||
        !isfinite(placement->document_height)) {
        return report(STATUS_INPUT, placement->input, 0, "the document's size is %g x %g", placement->document_width,
                      placement->document_height);
    }
    double scale = find_scale(placement->size, placement->document_width, placement->document_height);
    placement->transform = (pietra_transform){.a = scale, .d = scale};
    width = side(placement->document_width, scale);
    height = side(placement->document_height, scale);
    if (placement_is_cut(placement) && placement->element_id)
        cut_to_element(placement, &width, &height);
    if (options->export_area_drawing && (!placement->boxed || !cut_to_drawing(placement, &width, &height)))
        return report(STATUS_INPUT, placement->input, 0, "nothing is drawn on the page");
    if (!(width <= PIETRA_MAX_SIDE) || !(height <= PIETRA_MAX_SIDE)) {
        return report(STATUS_INPUT, placement->input, 0,
                      "the picture would be %.9g x %.9g pixels; a side has at most %u", width, height, PIETRA_MAX_SIDE);
    }
    placement->width = (uint32_t)width;
    placement->height = (uint32_t)height;
    return STATUS_DRAWN;
}
