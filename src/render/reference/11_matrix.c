/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 matrix: feConvolveMatrix (shaders/lib/effect_matrix.h). */
#include "lib/effect_matrix.h"

#include "render/reference/effect_image.h"
#include "render/reference/effect_reference.h"

static effect_texel convolved_at(const effect_convolution *convolution, const float *kernel, effect_box region,
                                 const effect_image *in, int x, int y)
{
    effect_floats sum = effect_floats_of(0, 0, 0, 0);

    for (int row = 0; row < convolution->rows; row++)
        for (int column = 0; column < convolution->columns; column++) {
            int from_x =
                effect_edge_place(convolution->edge, x - convolution->left + column, region.left, region.right);
            int from_y = effect_edge_place(convolution->edge, y - convolution->top + row, region.top, region.bottom);
            sum = effect_add_tap(sum, effect_tap(*convolution, image_get(in, from_x, from_y)),
                                 kernel[row * convolution->columns + column]);
        }
    return effect_convolved(*convolution, sum, image_get(in, x, y).a);
}

bool reference_11_convolve(parallel_pool *pool, const effect_convolution *convolution, const float *kernel,
                           effect_box region, const effect_image *in, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, convolved_at(convolution, kernel, region, in, x, y));
    return true;
}
