/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/wrapped_blur.h"

#include <stdlib.h>
#include <string.h>

#include "lib/effect_point.h"
#include "render/effect/demand.h"
#include "render/effect/prepare.h"

#define STRIP 16             /* rows or columns that are laid out at a time */
#define SIGMA_OF_PERIOD 1.25 /* the first harmonic of what repeats is then below 1e-13 */

static uint16_t *texel_of(const effect_image *image, int x, int y)
{
    size_t row = (size_t)(y - image->box.top), column = (size_t)(x - image->box.left);
    return image->texels + 4 * (row * image->stride + column);
}

static bool allocate(effect_image *image, effect_box box)
{
    size_t width = (size_t)(box.right - box.left), height = (size_t)(box.bottom - box.top);

    *image = (effect_image){.texels = malloc(width * height * 4 * sizeof *image->texels), .stride = width, .box = box};
    return image->texels;
}

static bool holds(effect_box box, int x, int y)
{
    return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
}

/* Fills an image with a repeated region of another. */
static void repeat(effect_box region, const effect_image *in, const effect_image *out)
{
    static const uint16_t nothing[4];

    for (int y = out->box.top; y < out->box.bottom; y++) {
        int from_y = effect_repeated(y, region.top, region.bottom - region.top);
        for (int x = out->box.left; x < out->box.right; x++) {
            int from_x = effect_repeated(x, region.left, region.right - region.left);
            memcpy(texel_of(out, x, y), holds(in->box, from_x, from_y) ? texel_of(in, from_x, from_y) : nothing,
                   4 * sizeof *out->texels);
        }
    }
}

/* Blurs a strip along one axis. */
static bool blur_strip(const effect_functions *device, parallel_pool *pool, const effect_blur *blur, effect_box region,
                       const effect_image *in, const effect_image *out)
{
    effect_image laid_out;

    if (!allocate(&laid_out, effect_demand_of_blur(blur, region, out->box)))
        return false;
    repeat(region, in, &laid_out);
    bool done = device->blur(pool, blur, region, &laid_out, out);
    free(laid_out.texels);
    return done;
}

/* A deviation of SIGMA_OF_PERIOD or more leaves the mean of the region. */
effect_blur effect_wrapped_axis(const effect_blur_axis *axis, bool vertical, int period)
{
    effect_blur held = {.edge = EFFECT_EDGE_NONE}, blur = held;
    effect_blur_of(SIGMA_OF_PERIOD * period, 0, EFFECT_EDGE_NONE, &held);
    bool larger = axis->radius << axis->halvings > held.x.radius << held.x.halvings;

    *(vertical ? &blur.y : &blur.x) = larger ? held.x : *axis;
    return blur;
}

/* Blurs along one axis, strip by strip. */
static bool blur_along(const effect_functions *device, parallel_pool *pool, const effect_blur_axis *axis, bool vertical,
                       effect_box region, const effect_image *in, const effect_image *out)
{
    int period = vertical ? region.bottom - region.top : region.right - region.left;
    int end = vertical ? out->box.right : out->box.bottom;
    effect_blur blur = effect_wrapped_axis(axis, vertical, period);
    bool done = true;

    for (int at = vertical ? out->box.left : out->box.top; done && at < end; at += STRIP) {
        effect_image strip = *out;
        int strip_end = end - at < STRIP ? end : at + STRIP;
        strip.box = vertical ? (effect_box){at, out->box.top, strip_end, out->box.bottom}
                             : (effect_box){out->box.left, at, out->box.right, strip_end};
        strip.texels = texel_of(out, strip.box.left, strip.box.top);
        done = blur_strip(device, pool, &blur, region, in, &strip);
    }
    return done;
}

bool effect_wrapped_blur(const effect_functions *device, parallel_pool *pool, const effect_blur *blur,
                         effect_box region, const effect_image *in, const effect_image *out)
{
    effect_image rows;

    if (!allocate(&rows, (effect_box){out->box.left, region.top, out->box.right, region.bottom}))
        return false;
    bool done = blur_along(device, pool, &blur->x, false, region, in, &rows) &&
                blur_along(device, pool, &blur->y, true, rows.box, &rows, out);
    free(rows.texels);
    return done;
}
