/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 matrix: feConvolveMatrix (shaders/lib/effect_matrix.h). */
#include "lib/effect_matrix.h"

#include "render/reference/effect_image.h"
#include "render/reference/effect_reference.h"

/* Returns the texel that an edge mode reads at x, y. */
static effect_texel tapped_texel(uint edge, effect_box region, const effect_image *in, int x, int y)
{
    return image_get(in, effect_edge_place(edge, x, region.left, region.right),
                     effect_edge_place(edge, y, region.top, region.bottom));
}

static effect_texel convolved_at(const effect_convolution *convolution, const float *kernel, effect_box region,
                                 const effect_image *in, int x, int y)
{
    effect_floats sum = effect_floats_of(0, 0, 0, 0);

    for (int row = 0; row < convolution->rows; row++)
        for (int column = 0; column < convolution->columns; column++) {
            effect_texel texel =
                tapped_texel(convolution->edge, region, in, x - convolution->left + column, y - convolution->top + row);
            sum = effect_add_tap(sum, effect_tap(*convolution, texel), kernel[row * convolution->columns + column]);
        }
    return effect_convolved(*convolution, sum, tapped_texel(convolution->edge, region, in, x, y).a);
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
