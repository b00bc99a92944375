/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* pietra_scene_load_svg. It asks a scene for what the public functions do not give, which are all that src/svg
 * knows. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/transform.h"
#include "scene/build/scene.h"
#include "svg/draw/load.h"

static bool is_length(double value)
{
    return isfinite(value) && value >= 0.0;
}

static pietra_result check(const pietra_scene *scene, const void *bytes, size_t byte_count,
                           const pietra_svg_options *options, pietra_error *error)
{
    if (!scene || (!bytes && byte_count > 0))
        return error_set_null(error, !scene ? "scene" : "bytes");
    if (!is_length(options->dpi) || !is_length(options->viewport_width) || !is_length(options->viewport_height))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "dpi or a side of the viewport is negative or not finite");
    if (!is_length(options->font_size))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "font_size is negative or not finite");
    if (!transform_is_finite(options->snap_baselines))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "snap_baselines is not finite");
    if (!scene_is_empty(scene))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a document can be loaded into an empty scene only");
    return PIETRA_OK;
}

pietra_result pietra_scene_load_svg(pietra_scene *scene, const void *bytes, size_t byte_count,
                                    const pietra_svg_options *options, pietra_error *error, double *width,
                                    double *height)
{
    static const pietra_svg_options standard = {0};
    const pietra_svg_options *asked = options ? options : &standard;
    pietra_result result = check(scene, bytes, byte_count, asked, error);
    if (result != PIETRA_OK) {
        if (asked->release)
            asked->release(asked->release_user, bytes);
        return result;
    }
    double own_width, own_height;
    result = svg_load(scene, bytes, byte_count, asked, error, &own_width, &own_height);
    if (result != PIETRA_OK) {
        scene_clear(scene);
        return result;
    }
    if (width)
        *width = own_width;
    if (height)
        *height = own_height;
    return PIETRA_OK;
}

#define PIECE_BYTES 65536u

typedef ARRAY(char) file_bytes;

static pietra_result fail_reading(const char *what, pietra_error *error)
{
    char reason[200];
    int number = errno;
    if (strerror_r(number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", number);
    return error_set(error, PIETRA_ERROR_IO, 0, "cannot %s: %s", what, reason);
}

static pietra_result read_file(const char *path, file_bytes *bytes, pietra_error *error)
{
    FILE *file = fopen(path, "rbe");
    pietra_result result = file ? PIETRA_OK : fail_reading("open", error);
    size_t count = PIECE_BYTES;
    while (result == PIETRA_OK && count == PIECE_BYTES) {
        if (!array_reserve(bytes, PIECE_BYTES)) {
            result = error_set_memory(error);
            break;
        }
        count = fread(bytes->items + bytes->count, 1, PIECE_BYTES, file);
        bytes->count += count;
        if (ferror(file))
            result = fail_reading("read", error);
    }
    if (file)
        fclose(file);
    return result;
}

pietra_result pietra_scene_load_svg_file(pietra_scene *scene, const char *path, const pietra_svg_options *options,
                                         pietra_error *error, double *width, double *height)
{
    pietra_svg_options own = options ? *options : (pietra_svg_options){0};
    file_bytes bytes = {0};
    if (!scene || !path)
        return error_set_null(error, !scene ? "scene" : "path");
    own.release = NULL;
    own.discard = NULL;
    pietra_result result = read_file(path, &bytes, error);
    if (result == PIETRA_OK)
        result = pietra_scene_load_svg(scene, bytes.items, bytes.count, &own, error, width, height);
    array_free(&bytes);
    return result;
}
