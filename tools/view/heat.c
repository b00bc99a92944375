/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "heat.h"

#include <stdlib.h>

#include "base/error.h"

static pietra_result make_map(const document *document, pietra_device *device, const pietra_frame *frame,
                              uint32_t width, uint32_t height, pietra_heatmap_kind kind, pietra_error *error,
                              pietra_scene **map, uint32_t *map_height)
{
    const size_t columns = (width + PIETRA_TILE_SIDE - 1) / PIETRA_TILE_SIDE;
    const size_t rows = (height + PIETRA_TILE_SIDE - 1) / PIETRA_TILE_SIDE;
    uint32_t *counts = malloc(columns * rows * sizeof *counts), map_width;
    pietra_heatmap counted;

    if (!counts)
        return error_set_memory(error);
    pietra_result result =
        pietra_heatmap_count(device, document->stream, frame, width, height, kind, error, counts, &counted);
    if (result == PIETRA_OK)
        result = pietra_heatmap_scene(&counted, error, map, &map_width, map_height);
    free(counts);
    return result;
}

/* Adds a part of the map, from the row y0 to the row y1 of its pixels, moved up. */
static pietra_result add_part(pietra_scene *scene, const pietra_scene *map, pietra_path *path, double width, double y0,
                              double y1, double up, float opacity, pietra_error *error)
{
    const pietra_transform move = pietra_translate(0, -up);

    pietra_path_reset(path);
    pietra_path_rect(path, 0, y0, width, y1 - y0);
    pietra_result result = pietra_scene_begin_clip(scene, path, &move, PIETRA_FILL_NONZERO, error);
    if (result == PIETRA_OK)
        result = pietra_scene_begin_group(scene, opacity, error);
    if (result == PIETRA_OK)
        result = pietra_scene_append(scene, map, &move, error);
    if (result == PIETRA_OK)
        result = pietra_scene_end_group(scene, error);
    return result == PIETRA_OK ? pietra_scene_end_clip(scene, error) : result;
}

/* Maps of up to 4,096 pixels, which windows are, have tiles of 16 pixels. Larger ones are drawn smaller. */
static pietra_result compose(pietra_scene *scene, pietra_path *path, const document *document,
                             const pietra_frame *frame, const pietra_scene *map, double width, double height,
                             double map_height, pietra_error *error)
{
    pietra_result result = pietra_scene_append(scene, document->scene, &frame->transform, error);

    if (result == PIETRA_OK)
        result = add_part(scene, map, path, width, 0, height, 0, HEAT_OPACITY, error);
    if (result == PIETRA_OK)
        result = add_part(scene, map, path, width, height, map_height, map_height - height, 1, error);
    return result;
}

pietra_result heat_encode(const document *document, pietra_device *device, const pietra_frame *frame, uint32_t width,
                          uint32_t height, pietra_heatmap_kind kind, pietra_error *error, pietra_stream **stream)
{
    pietra_scene *map = NULL, *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    uint32_t map_height = 0;
    pietra_result result = scene && path
                               ? make_map(document, device, frame, width, height, kind, error, &map, &map_height)
                               : error_set_memory(error);

    if (result == PIETRA_OK)
        result = compose(scene, path, document, frame, map, width, height, map_height, error);
    if (result == PIETRA_OK)
        result = pietra_stream_encode(scene, error, stream);
    pietra_scene_destroy(scene);
    pietra_scene_destroy(map);
    pietra_path_destroy(path);
    return result;
}
