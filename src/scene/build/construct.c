/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public constructors of transforms and paints. */
#include "base/transform.h"

pietra_transform pietra_translate(double x, double y)
{
    return transform_translate(x, y);
}

pietra_transform pietra_rotate(double degrees)
{
    return transform_rotate(degrees);
}

pietra_transform pietra_scale(double x, double y)
{
    return transform_scale(x, y);
}

pietra_transform pietra_multiply(pietra_transform outer, pietra_transform inner)
{
    return transform_multiply(outer, inner);
}

bool pietra_invert(pietra_transform transform, pietra_transform *inverse)
{
    return inverse && transform_invert(transform, inverse);
}

void pietra_map(pietra_transform transform, double *x, double *y)
{
    if (x && y)
        transform_point(transform, x, y);
}

pietra_paint pietra_solid(float r, float g, float b, float a)
{
    return (pietra_paint){.kind = PIETRA_PAINT_SOLID, .color = {r, g, b, a}};
}

pietra_paint pietra_linear(double x0, double y0, double x1, double y1, const pietra_stop *stops, size_t stop_count)
{
    return (pietra_paint){
        .kind = PIETRA_PAINT_LINEAR, .x0 = x0, .y0 = y0, .x1 = x1, .y1 = y1, .stops = stops, .stop_count = stop_count};
}

pietra_paint pietra_radial(double cx, double cy, double r, const pietra_stop *stops, size_t stop_count)
{
    return (pietra_paint){.kind = PIETRA_PAINT_RADIAL,
                          .x0 = cx,
                          .y0 = cy,
                          .x1 = cx,
                          .y1 = cy,
                          .r1 = r,
                          .stops = stops,
                          .stop_count = stop_count};
}

pietra_paint pietra_box_shadow(const pietra_shadow *shadow)
{
    return (pietra_paint){.kind = PIETRA_PAINT_BOX_SHADOW, .shadow = shadow};
}

pietra_paint pietra_sweep(double cx, double cy, double start_degrees, double end_degrees, const pietra_stop *stops,
                          size_t stop_count)
{
    return (pietra_paint){.kind = PIETRA_PAINT_SWEEP,
                          .x0 = cx,
                          .y0 = cy,
                          .start_degrees = start_degrees,
                          .end_degrees = end_degrees,
                          .stops = stops,
                          .stop_count = stop_count};
}
