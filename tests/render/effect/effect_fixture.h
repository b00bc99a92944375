/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Images of 15-bit texels for tests of stage 11. Everything that can fail is asserted. */
#ifndef PIETRA_TESTS_EFFECT_FIXTURE_H
#define PIETRA_TESTS_EFFECT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/effect/demand.h"
#include "render/effect/effect.h"

static const effect_box EVERYWHERE = {-EFFECT_COORDINATE_MOST, -EFFECT_COORDINATE_MOST, EFFECT_COORDINATE_MOST,
                                      EFFECT_COORDINATE_MOST};

static inline size_t box_width(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (size_t)(box.right - box.left);
}

static inline size_t box_height(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (size_t)(box.bottom - box.top);
}

/* Returns an image of zeros. Its rows lie further apart than they are long. free_image frees it. */
static inline effect_image new_image(effect_box box)
{
    size_t stride = box_width(box) + 3;
    effect_image image = {
        .texels = calloc(stride * box_height(box) + 1, 4 * sizeof(uint16_t)), .stride = stride, .box = box};
    assert_non_null(image.texels);
    return image;
}

static inline void free_image(effect_image *image)
{
    free(image->texels);
    image->texels = NULL;
}

static inline uint16_t *at(const effect_image *image, int x, int y)
{
    return image->texels + 4 * ((size_t)(y - image->box.top) * image->stride + (size_t)(x - image->box.left));
}

static inline uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(next_random(state) % limit);
}

/* Runs of opaque, of transparent and of any texels. */
static inline void fill_randomly(const effect_image *image, uint64_t *state)
{
    uint32_t kind = 0, left = 0;
    for (int y = image->box.top; y < image->box.bottom; y++)
        for (int x = image->box.left; x < image->box.right; x++) {
            if (left-- == 0) {
                kind = random_below(state, 4);
                left = random_below(state, 20);
            }
            uint32_t a = kind == 0 ? 0 : kind == 1 ? EFFECT_ONE : random_below(state, EFFECT_ONE + 1);
            for (int i = 0; i < 3; i++)
                at(image, x, y)[i] =
                    (uint16_t)(random_below(state, 8) ? random_below(state, a + 1) : (random_below(state, 2) ? a : 0));
            at(image, x, y)[3] = (uint16_t)a;
        }
}

static inline effect_image random_image(effect_box box, uint64_t seed)
{
    effect_image image = new_image(box);
    fill_randomly(&image, &seed);
    return image;
}

/* Returns an image that holds the texels of another in a box, and around it others that must count for nothing. */
static inline effect_image poisoned_image(const effect_image *in, effect_box box, uint64_t seed)
{
    effect_image made = random_image(effect_box_is_empty(box) ? (effect_box){0} : effect_box_grow(box, 3, 2), seed);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            bool held = x >= in->box.left && x < in->box.right && y >= in->box.top && y < in->box.bottom;
            memcpy(at(&made, x, y), held ? at(in, x, y) : (uint16_t[4]){0}, 4 * sizeof *made.texels);
        }
    return made;
}

/* Fails unless the texels of both images that lie in `box` are the same. Both hold it. */
static inline void assert_same_texels(const effect_image *found, const effect_image *right, effect_box box,
                                      const char *what)
{
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++)
            for (int i = 0; i < 4; i++)
                if (at(found, x, y)[i] != at(right, x, y)[i])
                    fail_msg("%s: channel %d at %d, %d is %d, not %d", what, i, x, y, at(found, x, y)[i],
                             at(right, x, y)[i]);
}

/* Fails unless no channel exceeds alpha and alpha does not exceed EFFECT_ONE. */
static inline void assert_premultiplied(const effect_image *image, const char *what)
{
    for (int y = image->box.top; y < image->box.bottom; y++)
        for (int x = image->box.left; x < image->box.right; x++) {
            const uint16_t *texel = at(image, x, y);
            if (texel[3] > EFFECT_ONE || texel[0] > texel[3] || texel[1] > texel[3] || texel[2] > texel[3])
                fail_msg("%s: %d %d %d %d at %d, %d", what, texel[0], texel[1], texel[2], texel[3], x, y);
        }
}

#endif
