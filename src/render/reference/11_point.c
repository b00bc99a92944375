/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 point: what makes a texel from one texel of each input, or from a few near it (shaders/lib/effect_point.h). */
#include "lib/effect_point.h"
#include "lib/effect_blend.h"
#include "render/effect/tables.h"
#include "render/reference/effect_image.h"
#include "render/reference/effect_reference.h"

void reference_11_load(parallel_pool *pool, const uint32_t *pixels, size_t stride, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y,
                      effect_texel_of_color(pixels[(size_t)(y - out->box.top) * stride + (size_t)(x - out->box.left)]));
}

void reference_11_store(parallel_pool *pool, const effect_image *in, uint32_t *pixels, size_t stride)
{
    (void)pool;
    for (int y = in->box.top; y < in->box.bottom; y++)
        for (int x = in->box.left; x < in->box.right; x++)
            pixels[(size_t)(y - in->box.top) * stride + (size_t)(x - in->box.left)] =
                effect_color_of_texel(image_get(in, x, y));
}

void reference_11_flood(parallel_pool *pool, effect_texel color, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, color);
}

/* Returns what lies at x, y after the offset. */
static effect_texel texel_after(effect_offset offset, const effect_image *in, int x, int y)
{
    int from_x = x - offset.x, from_y = y - offset.y;
    return effect_texel_between(image_get(in, from_x, from_y), image_get(in, from_x - 1, from_y),
                                image_get(in, from_x, from_y - 1), image_get(in, from_x - 1, from_y - 1), offset);
}

void reference_11_offset(parallel_pool *pool, effect_offset offset, const effect_image *in, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, texel_after(offset, in, x, y));
}

void reference_11_merge(parallel_pool *pool, const effect_image *over, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, effect_texel_over(image_get(over, x, y), image_get(out, x, y)));
}

void reference_11_composite(parallel_pool *pool, const effect_composite *composite, const effect_image *in,
                            const effect_image *in2, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, effect_texel_composite(*composite, image_get(in, x, y), image_get(in2, x, y)));
}

void reference_11_blend(parallel_pool *pool, uint mode, const effect_image *in, const effect_image *in2,
                        const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, effect_blend(image_get(in, x, y), image_get(in2, x, y), mode));
}

void reference_11_color_matrix(parallel_pool *pool, const effect_color_matrix *matrix, const effect_image *in,
                               const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, effect_texel_matrix(*matrix, image_get(in, x, y)));
}

void reference_11_transfer(parallel_pool *pool, const effect_transfer *transfer, const float *values,
                           const effect_image *in, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, effect_texel_transfer(values, *transfer, image_get(in, x, y)));
}

void reference_11_tile(parallel_pool *pool, effect_box tile, const effect_image *in, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++) {
            int from_x = effect_repeated(x, tile.left, tile.right - tile.left);
            int from_y = effect_repeated(y, tile.top, tile.bottom - tile.top);
            image_set(out, x, y, image_get(in, from_x, from_y));
        }
}

void reference_11_displace(parallel_pool *pool, const effect_displacement *displacement, const effect_image *in,
                           const effect_image *map, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++) {
            effect_texel by = image_get(map, x, y);
            int from_x = x + effect_displacement_along(displacement->scale_x, displacement->channel_x, by);
            int from_y = y + effect_displacement_along(displacement->scale_y, displacement->channel_y, by);
            image_set(out, x, y, image_get(in, from_x, from_y));
        }
}

void reference_11_shadow(parallel_pool *pool, const effect_shadow *shadow, const effect_image *in,
                         const effect_image *blurred, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++) {
            effect_texel above = texel_after(shadow->offset, blurred, x, y);
            image_set(out, x, y, effect_texel_shadow(image_get(in, x, y), shadow->color, above.a));
        }
}

/* Straight channels go through a table. */
static void recolor(const uint16_t *table, const effect_image *in, const effect_image *out)
{
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++) {
            effect_texel texel = image_get(in, x, y);
            uint r = table[effect_straight(texel.r, texel.a)];
            uint g = table[effect_straight(texel.g, texel.a)];
            uint b = table[effect_straight(texel.b, texel.a)];
            image_set(out, x, y,
                      effect_texel_of(effect_product(r, texel.a), effect_product(g, texel.a),
                                      effect_product(b, texel.a), texel.a));
        }
}

void reference_11_to_linear(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    (void)pool;
    recolor(effect_color_tables()->to_linear, in, out);
}

void reference_11_to_srgb(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    (void)pool;
    recolor(effect_color_tables()->to_srgb, in, out);
}

void reference_11_alpha(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    (void)pool;
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, effect_texel_of(0, 0, 0, image_get(in, x, y).a));
}
