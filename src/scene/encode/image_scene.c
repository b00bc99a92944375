/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Images that are pictures of scenes. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/transform.h"
#include "scene/encode/encode.h"

/* Makes an image that takes over the stream and keeps the images that the stream shows. */
static pietra_result image_of_stream(pietra_stream *drawn, const pietra_image *const *shown, double width,
                                     double height, pietra_error *error, pietra_image **image)
{
    uint32_t count = stream_get_header(drawn)->surface_count, depth = 0;
    for (uint32_t i = 0; i < count; i++)
        depth = shown[i]->depth + 1 > depth ? shown[i]->depth + 1 : depth;
    if (depth > SURFACE_DEPTH_MAX)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "surfaces nest more than %u deep", SURFACE_DEPTH_MAX);
    pietra_image *made = calloc(1, sizeof *made);
    const pietra_image **kept = malloc((count + (size_t)1) * sizeof(const pietra_image *));
    if (!made || !kept) {
        free(made);
        free(kept);
        return error_set_memory(error);
    }
    for (uint32_t i = 0; i < count; i++)
        kept[i] = image_keep(shown[i]);
    atomic_init(&made->references, 1u);
    made->width = width;
    made->height = height;
    made->drawn = drawn;
    made->shown = kept;
    made->depth = depth;
    *image = made;
    return PIETRA_OK;
}

pietra_result pietra_image_create_from_scene(const pietra_scene *scene, double width, double height,
                                             pietra_error *error, pietra_image **image)
{
    if (!scene || !image)
        return error_set_null(error, !scene ? "scene" : "image");
    if (!(width > 0.0) || !(height > 0.0) || !isfinite(1.0 / width) || !isfinite(1.0 / height) || !isfinite(width) ||
        !isfinite(height)) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the sides of a scene's rectangle must be above 0");
    }
    for (size_t i = 0; i < scene->images.count; i++)
        if (scene->images.items[i]->external_id != 0)
            return error_set(error, PIETRA_ERROR_INPUT, 0, "an image of a scene that shows an external image");
    pietra_scene *unit = pietra_scene_create();
    if (!unit)
        return error_set_memory(error);
    pietra_stream *drawn = NULL;
    encode_images shown = {0};
    const pietra_transform to_unit = transform_scale(1.0 / width, 1.0 / height);
    pietra_result result = pietra_scene_append(unit, scene, &to_unit, error);
    if (result == PIETRA_OK)
        result = encode_image_scene(unit, error, &drawn, &shown);
    if (result == PIETRA_OK)
        result = image_of_stream(drawn, shown.items, width, height, error, image);
    if (result != PIETRA_OK)
        pietra_stream_destroy(drawn);
    array_free(&shown);
    pietra_scene_destroy(unit);
    return result;
}
