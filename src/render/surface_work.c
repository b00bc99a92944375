/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/surface_work.h"

#include <math.h>

#include "base/error.h"

typedef struct surface_key {
    const uint32_t *words;
    uint32_t width, height;
} surface_key;

static uint64_t hash_of(const surface_sizes *sizes, const surface_image *image)
{
    const surface_key key = {surface_image_words(sizes, image), image->width, image->height};
    return hash_bytes(&key, sizeof key);
}

void surface_work_free(surface_work *work)
{
    hash_free(&work->table);
    array_free(&work->drawn);
}

bool surface_work_find(const surface_work *work, const surface_sizes *sizes, const surface_image *image, size_t *place)
{
    const uint32_t *words = surface_image_words(sizes, image);
    hash_walk probe = hash_find(&work->table, hash_of(sizes, image));
    for (; hash_found(&probe); hash_next(&probe)) {
        const surface_drawn *drawn = &work->drawn.items[probe.value];
        if (drawn->words == words && drawn->width == image->width && drawn->height == image->height) {
            *place = drawn->place;
            return true;
        }
    }
    return false;
}

pietra_result surface_work_add(surface_work *work, const surface_sizes *sizes, const surface_image *image,
                               pietra_error *error)
{
    const surface_cost *cost = &sizes->costs[image->surface];
    work->painted += (double)surface_image_texels(image) * cost->overdraw;
    work->fixed += cost->fixed;
    if (work->fixed <= SURFACE_FIXED_MOST)
        return PIETRA_OK;
    return error_set(error, PIETRA_ERROR_BUDGET, 0,
                     "too many pictures in pictures are to be drawn, or of too many segments");
}

uint64_t surface_work_inner_most(const surface_work *work)
{
    double halvings = fmin(work->painted / SURFACE_PAINTED_HALVING, 20.0);
    return SURFACE_INNER_TEXELS_MOST >> (unsigned)halvings;
}

bool surface_work_make_room(surface_work *work, const surface_image *image)
{
    if (work->kept_texels + surface_image_texels(image) <= SURFACE_KEPT_TEXELS_MOST)
        return false;
    hash_free(&work->table);
    array_free(&work->drawn);
    work->kept_texels = 0;
    return true;
}

bool surface_work_keep(surface_work *work, const surface_sizes *sizes, const surface_image *image, size_t place)
{
    if (!array_reserve(&work->drawn, 1) ||
        !hash_insert(&work->table, hash_of(sizes, image), (uint32_t)work->drawn.count))
        return false;
    work->drawn.items[work->drawn.count++] =
        (surface_drawn){surface_image_words(sizes, image), image->width, image->height, place};
    work->kept_texels += surface_image_texels(image);
    return true;
}
