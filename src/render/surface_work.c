/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/surface_work.h"

#include <math.h>

#include "base/error.h"
#include "base/transform.h"
#include "render/stream_work.h"

static surface_key key_of(const surface_sizes *sizes, const surface_image *image)
{
    return (surface_key){surface_image_words(sizes, image), image->width, image->height};
}

void surface_work_free(surface_work *work)
{
    surface_table_free(&work->drawn);
}

bool surface_work_find(const surface_work *work, const surface_sizes *sizes, const surface_image *image,
                       uint64_t *place)
{
    return surface_table_find(&work->drawn, key_of(sizes, image), place);
}

/* Spends what strokes and painting cost at the size of an image. */
static pietra_result spend(surface_work *work, const surface_sizes *sizes, const surface_image *image,
                           pietra_error *error)
{
    const stream_view view = stream_view_of(surface_image_words(sizes, image));
    const pietra_transform frame = transform_scale(image->width, image->height);
    return stream_work_spend(&view, frame, (int)image->width, (int)image->height, work->frame, true, error, NULL);
}

pietra_result surface_work_add(surface_work *work, const surface_sizes *sizes, const surface_image *image,
                               pietra_error *error)
{
    const surface_cost *cost = &sizes->costs[image->surface];
    work->painted += (double)surface_image_texels(image) * cost->overdraw;
    work->fixed += cost->fixed;
    if (work->fixed <= SURFACE_FIXED_MOST)
        return spend(work, sizes, image, error);
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
    surface_table_free(&work->drawn);
    work->kept_texels = 0;
    return true;
}

bool surface_work_keep(surface_work *work, const surface_sizes *sizes, const surface_image *image, uint64_t place)
{
    if (!surface_table_add(&work->drawn, key_of(sizes, image), place))
        return false;
    work->kept_texels += surface_image_texels(image);
    return true;
}
