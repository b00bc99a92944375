/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 extreme: feMorphology (shaders/lib/effect_extreme.h), along rows and then along columns. */
#include "lib/effect_extreme.h"

#include <stdlib.h>

#include "render/effect/demand.h"
#include "render/reference/effect_image.h"
#include "render/reference/effect_reference.h"

/* Returns the extreme of 2 radius + 1 texels of a row or a column. Of those outside the image, which are all alike,
 * one counts. */
static effect_texel extreme_along(uint dilates, int radius, bool vertical, const effect_image *in, int x, int y)
{
    int middle = vertical ? y : x, from = vertical ? in->box.top : in->box.left,
        end = vertical ? in->box.bottom : in->box.right;
    int first = int_max(middle - radius, from - 1), last = int_min(middle + radius, end);
    effect_texel found =
        first > last ? effect_texel_of(0, 0, 0, 0) : image_get(in, vertical ? x : first, vertical ? first : y);

    for (int i = first + 1; i <= last; i++)
        found = effect_extreme_texel(dilates, found, image_get(in, vertical ? x : i, vertical ? i : y));
    return found;
}

bool reference_11_extreme(parallel_pool *pool, const effect_extreme *extreme, const effect_image *in,
                          const effect_image *out)
{
    effect_box box = {out->box.left, in->box.top, out->box.right, in->box.bottom};
    bool empty = effect_box_is_empty(box);
    size_t width = empty ? 1 : (size_t)(box.right - box.left), height = empty ? 1 : (size_t)(box.bottom - box.top);
    effect_image rows = {.texels = calloc(width * height, 4 * sizeof *rows.texels), .stride = width, .box = box};

    (void)pool;
    if (!rows.texels)
        return false;
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++)
            image_set(&rows, x, y, extreme_along(extreme->dilates, extreme->radius_x, false, in, x, y));
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, extreme_along(extreme->dilates, extreme->radius_y, true, &rows, x, y));
    free(rows.texels);
    return true;
}
