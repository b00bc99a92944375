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

static pietra_result check_patch(const pietra_image *image, const pietra_nine_patch *patch, pietra_error *error)
{
    const pietra_box *box = &patch->box;
    if (!isfinite(box->x0) || !isfinite(box->y0) || !isfinite(box->x1) || !isfinite(box->y1))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the box of a nine-patch has a number that is not finite");
    if (!(patch->left >= 0 && patch->top >= 0 && patch->right >= 0 && patch->bottom >= 0 &&
          patch->left + patch->right < image->width && patch->top + patch->bottom < image->height)) {
        return error_set(error, PIETRA_ERROR_INPUT, 0,
                         "borders of %g, %g, %g, %g leave nothing of an image of %g x %g, or are no borders",
                         patch->left, patch->top, patch->right, patch->bottom, image->width, image->height);
    }
    if (!(patch->scale >= 0 && isfinite(patch->scale)))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scale of a nine-patch, %g, is no number from 0 on",
                         patch->scale);
    return PIETRA_OK;
}

/* Where the pieces of a nine-patch begin along one axis, in the image and in the box, and where the last one ends. */
typedef struct patch_axis {
    double from[4], to[4];
} patch_axis;

static patch_axis axis_of(double size, double first, double last, double begin, double end, double scale)
{
    return (patch_axis){.from = {0, first, size - last, size},
                        .to = {begin, begin + scale * first, end - scale * last, end}};
}

static double fitting_scale(double borders, double side, double scale)
{
    return borders * scale > side ? side / borders : scale;
}

/* Maps a piece from the image to the box. False: it has no area. */
static bool piece_map(const patch_axis *x, const patch_axis *y, int column, int row, pietra_transform *map)
{
    const double width = x->from[column + 1] - x->from[column], height = y->from[row + 1] - y->from[row];
    if (!(width > 0 && height > 0 && x->to[column + 1] > x->to[column] && y->to[row + 1] > y->to[row]))
        return false;
    map->a = (x->to[column + 1] - x->to[column]) / width;
    map->d = (y->to[row + 1] - y->to[row]) / height;
    map->b = map->c = 0;
    map->e = x->to[column] - map->a * x->from[column];
    map->f = y->to[row] - map->d * y->from[row];
    return true;
}

static pietra_result add_pieces(pietra_scene *scene, const patch_axis *x, const patch_axis *y, pietra_paint *paint,
                                const pietra_transform *transform, pietra_path *path, pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    for (int i = 0; i < 9 && result == PIETRA_OK; i++) {
        const int column = i % 3, row = i / 3;
        if (!piece_map(x, y, column, row, &paint->transform))
            continue;
        pietra_path_reset(path);
        pietra_path_rect(path, x->to[column], y->to[row], x->to[column + 1] - x->to[column],
                         y->to[row + 1] - y->to[row]);
        result = scene_add_fill(scene, image_flag(scene), path, transform, PIETRA_FILL_NONZERO, paint, error);
    }
    return result;
}

pietra_result pietra_scene_draw_nine_patch(pietra_scene *scene, const pietra_image *image,
                                           const pietra_nine_patch *patch, const pietra_transform *transform,
                                           pietra_filter filter, pietra_error *error)
{
    if (!scene || !image || !patch)
        return error_set_null(error, !scene ? "scene" : !image ? "image" : "patch");
    pietra_result result = check_patch(image, patch, error);
    if (result != PIETRA_OK)
        return result;
    const pietra_box box = patch->box;
    double scale = patch->scale > 0 ? patch->scale : 1;
    scale = fitting_scale(patch->left + patch->right, box.x1 - box.x0, scale);
    scale = fitting_scale(patch->top + patch->bottom, box.y1 - box.y0, scale);
    const patch_axis x = axis_of(image->width, patch->left, patch->right, box.x0, box.x1, scale);
    const patch_axis y = axis_of(image->height, patch->top, patch->bottom, box.y0, box.y1, scale);
    pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE, .image = image, .filter = filter};
    pietra_path *path = pietra_path_create();
    if (!path)
        return error_set_memory(error);
    const scene_mark mark = scene_get_mark(scene);
    result = box.x1 > box.x0 && box.y1 > box.y0 ? add_pieces(scene, &x, &y, &paint, transform, path, error) : PIETRA_OK;
    if (result != PIETRA_OK)
        scene_return_to(scene, &mark);
    pietra_path_destroy(path);
    return result;
}
