/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Path data, lists of points, transforms and numbers. The first byte says which, and how the result is drawn. */
#include "fuzz/draw.h"

#include "base/number.h"
#include "svg/tree/path_data.h"
#include "svg/css/transform_list.h"

static void draw_path(const pietra_path *path, unsigned how, const pietra_transform *transform)
{
    const double dashes[] = {3, 1, 0, 2};
    const pietra_paint paint = {.color = {1, 0.5f, 0.25f, 0.75f}};
    const pietra_stroke stroke = {
        .width = how & 8 ? 0.01 : 3,
        .join = (pietra_join)(how >> 4 & 3),
        .cap = (pietra_cap)(how & 1),
        .dashes = dashes,
        .dash_count = how & 4 ? 4 : 0,
    };
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream = NULL;
    pietra_error error;
    if (scene &&
        (how & 2 ? pietra_scene_stroke(scene, path, transform, &stroke, &paint, &error)
                 : pietra_scene_fill(scene, path, transform, PIETRA_FILL_EVEN_ODD, &paint, &error)) == PIETRA_OK &&
        pietra_stream_encode(scene, &error, &stream) == PIETRA_OK) {
        draw_on_cpu(stream, NULL);
    }
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
}

static void read_path(text source, unsigned how)
{
    const pietra_transform turned = {0.6, 0.8, -0.8, 0.6, 5, -2};
    const pietra_transform *transform = how & 0x40 ? &turned : NULL;
    svg_path_pool pool = {0};
    uint32_t index;
    pietra_path *path = pietra_path_create();
    if (path && svg_path_pool_add(&pool, source, (svg_path_syntax)(how % 3), &index) && index != SVG_NO_PATH) {
        svg_path_emit(&pool, index, how & 0x80 ? &turned : NULL, path);
        draw_path(path, how / 3, transform);
    }
    pietra_path_destroy(path);
    svg_path_pool_free(&pool);
}

static void read_transform(text source, unsigned how)
{
    pietra_transform transform;
    pietra_path *path = pietra_path_create();
    if (path && svg_transform_parse(source, (how & 1) != 0, 96, NULL, &transform)) {
        pietra_path_ellipse(path, 9, 9, 5, 4);
        draw_path(path, how, &transform);
    }
    pietra_path_destroy(path);
}

static void read_numbers(text source)
{
    const char *at = source.bytes, *end = at + source.count;
    double value;
    while (at < end) {
        const char *before = at;
        if (!number_parse(&at, end, &value))
            at = before + 1;
        else if (at <= before || at > end)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    /* The copy has exactly that size, so that reading past the end is found. */
    char *copy = malloc(size - 2 + (size == 2));
    if (!copy)
        return 0;
    memcpy(copy, data + 2, size - 2);
    const text source = {copy, size - 2};
    unsigned how = data[1];
    switch (data[0] % 4) {
    case 0:
        read_transform(source, how);
        break;
    case 1:
        read_numbers(source);
        break;
    default:
        read_path(source, how);
        break;
    }
    free(copy);
    return 0;
}
