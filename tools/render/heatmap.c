/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "heatmap.h"

#include <stdlib.h>

/* Encodes the scene of a heat map, which it destroys, and puts it in place. */
static status take_place(const device *device, const char *input, const pietra_heatmap *map, placement *placement,
                         pietra_stream **stream)
{
    pietra_scene *scene;
    pietra_stream *made;
    uint32_t width, height;
    pietra_error error;

    if (pietra_heatmap_scene(map, &error, &scene, &width, &height) != PIETRA_OK ||
        pietra_stream_encode_and_destroy(scene, device->threads, &error, &made) != PIETRA_OK) {
        return report_error(input, &error);
    }
    pietra_stream_destroy(*stream);
    *stream = made;
    placement->width = width;
    placement->height = height;
    placement->transform = pietra_scale(1, 1);
    return STATUS_DRAWN;
}

status heatmap_take_place(const device *device, const char *input, placement *placement, pietra_stream **stream)
{
    const pietra_frame frame = {.transform = placement->transform};
    const size_t columns = (placement->width + PIETRA_TILE_SIDE - 1) / PIETRA_TILE_SIDE;
    const size_t rows = (placement->height + PIETRA_TILE_SIDE - 1) / PIETRA_TILE_SIDE;
    uint32_t *counts = malloc(columns * rows * sizeof *counts);
    pietra_heatmap map;
    pietra_error error;
    status result;

    if (!counts)
        return report_memory(input);
    if (pietra_heatmap_count(device->handle, *stream, &frame, placement->width, placement->height,
                             device->options->heatmap_kind, &error, counts, &map) == PIETRA_OK)
        result = take_place(device, input, &map, placement, stream);
    else
        result = report_error(input, &error);
    free(counts);
    return result;
}
