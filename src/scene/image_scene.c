/* Images that are pictures of scenes. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/transform.h"
#include "scene/encode.h"

static pietra_result image_of_stream(pietra_stream *drawn, double width, double height, pietra_error *error, pietra_image **image)
{
    pietra_image *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return error_set_memory(error);
    }
    atomic_init(&made->references, 1u);
    made->width = width;
    made->height = height;
    made->drawn = drawn;
    *image = made;
    return PIETRA_OK;
}

pietra_result pietra_image_create_from_scene(const pietra_scene *scene, double width, double height, pietra_error *error, pietra_image **image)
{
    if (scene == NULL || image == NULL) {
        return error_set_null(error, scene == NULL ? "scene" : "image");
    }
    if (!(width > 0.0) || !(height > 0.0) || !isfinite(1.0 / width) || !isfinite(1.0 / height) || !isfinite(width) || !isfinite(height)) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the sides of a scene's rectangle must be above 0");
    }
    pietra_scene *unit = pietra_scene_create();
    if (unit == NULL) {
        return error_set_memory(error);
    }
    pietra_stream *drawn = NULL;
    const pietra_transform to_unit = transform_scale(1.0 / width, 1.0 / height);
    pietra_result result = pietra_scene_append(unit, scene, &to_unit, error);
    if (result == PIETRA_OK) {
        result = encode_scene(unit, 1, error, &drawn);
    }
    if (result == PIETRA_OK) {
        result = image_of_stream(drawn, width, height, error, image);
    }
    if (result != PIETRA_OK) {
        pietra_stream_destroy(drawn);
    }
    pietra_scene_destroy(unit);
    return result;
}
