/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "panel.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define LETTER 13.0 /* size of the em, pixels */
#define MARGIN 8.0

static uint32_t least(double length, uint32_t most)
{
    const double side = ceil(length + 2 * MARGIN);

    return side < most ? (uint32_t)side : most;
}

/* Returns how wide the widest line is. The box of a text is as wide as lines may be. */
static double widest(const pietra_text *text)
{
    const pietra_text_line *lines;
    const size_t count = pietra_text_lines(text, &lines);
    double width = 0;

    for (size_t i = 0; i < count; i++)
        width = fmax(width, lines[i].x + lines[i].width);
    return width;
}

static pietra_result add_text(pietra_scene *scene, const pietra_text *text, size_t byte_count, pietra_path *path,
                              pietra_error *error)
{
    const pietra_paint ink = pietra_solid(0.93f, 0.93f, 0.95f, 1);
    const pietra_transform place = pietra_translate(MARGIN, MARGIN);
    const pietra_result result = pietra_text_outline(text, 0, byte_count, path, error);

    return result == PIETRA_OK ? pietra_scene_fill(scene, path, &place, PIETRA_FILL_NONZERO, &ink, error) : result;
}

static pietra_result fill(pietra_scene *scene, const pietra_text *text, size_t byte_count, pietra_path *path,
                          pietra_error *error, uint32_t *width, uint32_t *height)
{
    const pietra_paint paper = pietra_solid(0.09f, 0.09f, 0.12f, 1);
    pietra_box box = {0};

    pietra_text_bounds(text, &box);
    *width = least(widest(text), *width);
    *height = least(box.y1, *height);
    pietra_path_rect(path, 0, 0, *width, *height);
    const pietra_result result = pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paper, error);
    pietra_path_reset(path);
    return result == PIETRA_OK ? add_text(scene, text, byte_count, path, error) : result;
}

pietra_result panel_encode(pietra_fonts *fonts, const char *lines, pietra_error *error, pietra_stream **stream,
                           uint32_t *width, uint32_t *height)
{
    static const char *const families[] = {"monospace"};
    const pietra_text_span span = {.font = {.families = families, .family_count = 1}, .size = LETTER};
    const pietra_text_options options = {
        .width = fmax(*width - 2 * MARGIN, 1), .wrap = PIETRA_WRAP_ANYWHERE, .snap_baselines = true};
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    pietra_text *text = NULL;
    pietra_result result = scene && path
                               ? pietra_text_shape(fonts, lines, strlen(lines), &span, 1, &options, error, &text)
                               : error_set_memory(error);

    if (result == PIETRA_OK)
        result = fill(scene, text, strlen(lines), path, error, width, height);
    if (result == PIETRA_OK)
        result = pietra_stream_encode(scene, error, stream);
    pietra_text_destroy(text);
    pietra_path_destroy(path);
    pietra_scene_destroy(scene);
    return result;
}
