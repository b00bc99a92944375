/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Images as elements: fills of rectangles. */
#include <math.h>

#include "base/error.h"
#include "scene/build/image.h"
#include "scene/build/scene_parts.h"

static uint32_t image_flag(const pietra_scene *scene)
{
    return scene->aliased ? ELEMENT_ALIASED : ELEMENT_ALIASED_UPRIGHT;
}

pietra_result pietra_scene_draw_image(pietra_scene *scene, const pietra_image *image, const pietra_transform *transform,
                                      pietra_filter filter, pietra_error *error)
{
    if (!scene || !image)
        return error_set_null(error, !scene ? "scene" : "image");
    pietra_path *path = pietra_path_create();
    if (!path)
        return error_set_memory(error);
    pietra_path_rect(path, 0, 0, image->width, image->height);
    pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE, .image = image, .filter = filter};
    pietra_result result =
        scene_add_fill(scene, image_flag(scene), path, transform, PIETRA_FILL_NONZERO, &paint, error);
    pietra_path_destroy(path);
    return result;
}
