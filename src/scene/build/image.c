/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/image.h"

#include <stdlib.h>

#include "base/error.h"
#include "scene/mip_levels.h"
#include "scene/stream.h"

_Static_assert(PIETRA_MAX_IMAGE_SIDE == IMAGE_SIDE_MAX, "one limit, said twice for two readers");

/* Lays out the mip levels. Returns how many texels they have together. */
static size_t image_lay_out(pietra_image *image, uint32_t width, uint32_t height)
{
    stream_mip_level level = {width, height, 0};
    size_t count = 0;
    for (;; level = mip_level_after(level)) {
        image->mip_levels[image->mip_level_count++] = level;
        count += (size_t)level.width * level.height;
        if (level.width == 1 && level.height == 1)
            return count;
    }
}

static bool texels_are_opaque(const uint32_t *texels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (texels[i] >> 24 != 255u)
            return false;
    return true;
}

/* Makes an image of this size, with room for its texels unless it is external. */
static pietra_result make_image(uint32_t width, uint32_t height, uint32_t external_id, pietra_error *error,
                                pietra_image **image)
{
    pietra_image head = {.mip_level_count = 0};
    if (width == 0 || height == 0 || width > PIETRA_MAX_IMAGE_SIDE || height > PIETRA_MAX_IMAGE_SIDE) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "an image of %u x %u pixels: each side must be 1 to %u", width,
                         height, PIETRA_MAX_IMAGE_SIDE);
    }
    const size_t count = image_lay_out(&head, width, height);
    if (count > STREAM_MAX_COUNT) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "an image of %u x %u pixels is too large for a stream", width,
                         height);
    }
    pietra_image *made = calloc(1, sizeof *made + (external_id == 0 ? count * sizeof made->texels[0] : 0));
    if (!made)
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory for an image of %u x %u pixels", width, height);
    atomic_init(&made->references, 1u);
    made->width = width;
    made->height = height;
    made->external_id = external_id;
    made->texel_count = image_lay_out(made, width, height);
    *image = made;
    return PIETRA_OK;
}

pietra_result pietra_image_create(uint32_t width, uint32_t height, const void *pixels, size_t stride_bytes,
                                  pietra_error *error, pietra_image **image)
{
    if (!pixels || !image)
        return error_set_null(error, !pixels ? "pixels" : "image");
    size_t stride = stride_bytes != 0 ? stride_bytes : 4 * (size_t)width;
    if (height > 0 && stride > PTRDIFF_MAX / height) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%u rows of %zu bytes are more than an address reaches", height,
                         stride_bytes);
    }
    if (stride < 4 * (size_t)width) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a stride of %zu bytes is too small for %u pixels", stride_bytes,
                         width);
    }
    pietra_image *made;
    const pietra_result result = make_image(width, height, 0, error, &made);
    if (result != PIETRA_OK)
        return result;
    mip_levels_fill(made->mip_levels, made->mip_level_count, pixels, stride, made->texels);
    made->is_opaque = texels_are_opaque(made->texels, (size_t)width * height);
    *image = made;
    return PIETRA_OK;
}

pietra_result pietra_image_create_external(uint32_t width, uint32_t height, uint32_t id, pietra_error *error,
                                           pietra_image **image)
{
    if (!image)
        return error_set_null(error, "image");
    if (id == 0 || id > EXTERNAL_ID_MOST) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the id %u of an external image: it must be 1 to %u", id,
                         EXTERNAL_ID_MOST);
    }
    return make_image(width, height, id, error, image);
}

const pietra_image *image_keep(const pietra_image *image)
{
    atomic_fetch_add_explicit(&((pietra_image *)image)->references, 1u, memory_order_relaxed);
    return image;
}

void image_release(const pietra_image *image)
{
    pietra_image *counted = (pietra_image *)image;
    if (counted && atomic_fetch_sub_explicit(&counted->references, 1u, memory_order_acq_rel) == 1u) {
        for (uint32_t i = 0; counted->drawn && i < stream_get_header(counted->drawn)->surface_count; i++)
            image_release(counted->shown[i]);
        free(counted->shown);
        free(counted->drawn);
        free(counted);
    }
}

void pietra_image_destroy(pietra_image *image)
{
    image_release(image);
}
