/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "golden/nest.h"

#include <stdio.h>
#include <stdlib.h>

static void demand(pietra_result result, const pietra_error *error)
{
    if (result) {
        fprintf(stderr, "nest: %s\n", error->message);
        abort();
    }
}

nest nest_create(uint32_t width, uint32_t height)
{
    nest n = {.scene = pietra_scene_create(),
              .path = pietra_path_create(),
              .expected = picture_create(width, height),
              .known = true};
    if (!n.scene || !n.path)
        abort();
    return n;
}

void nest_destroy(nest *n)
{
    pietra_scene_destroy(n->scene);
    pietra_path_destroy(n->path);
    picture_destroy(&n->expected);
    free(n->levels);
}

static nest_box common(nest_box a, nest_box b)
{
    return (nest_box){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                      a.y1 < b.y1 ? a.y1 : b.y1};
}

static nest_box current_box(const nest *n)
{
    return n->depth ? n->levels[n->depth - 1].box
                    : (nest_box){0, 0, (int32_t)n->expected.width, (int32_t)n->expected.height};
}

static void push(nest *n, nest_box box, bool group)
{
    if (n->depth == n->capacity) {
        n->capacity = n->capacity ? 2 * n->capacity : 64;
        n->levels = realloc(n->levels, n->capacity * sizeof *n->levels);
        if (!n->levels)
            abort();
    }
    n->levels[n->depth++] = (struct nest_level){box, group};
}

static void clip_to_path(nest *n, pietra_fill_rule rule)
{
    pietra_error error;
    demand(pietra_scene_begin_clip(n->scene, n->path, NULL, rule, &error), &error);
}

/* Clips to two overlapping parts, each two thirds of the box. One of them runs in the opposite direction. */
static void clip_to_union(nest *n, double x, double y, double width, double height)
{
    pietra_error error;
    pietra_paint paint = {.color = {0, 0, 0, 1}};
    demand(pietra_scene_begin_clip_source(n->scene, &error), &error);
    pietra_path_rect(n->path, x, y, width * 2 / 3, height);
    demand(pietra_scene_fill(n->scene, n->path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
    pietra_path_reset(n->path);
    pietra_path_rect(n->path, x + width, y, -width * 2 / 3, height);
    demand(pietra_scene_fill(n->scene, n->path, NULL, PIETRA_FILL_EVEN_ODD, &paint, &error), &error);
    demand(pietra_scene_end_clip_source(n->scene, &error), &error);
}

void nest_open(nest *n, nest_shape shape, nest_box box)
{
    pietra_error error;
    double x = box.x0, y = box.y0, width = box.x1 - box.x0, height = box.y1 - box.y0;
    double rx = width / 2, ry = height / 2;
    n->known &= shape == NEST_RECT;
    pietra_path_reset(n->path);
    switch (shape) {
    case NEST_RECT:
        pietra_path_rect(n->path, x, y, width, height);
        clip_to_path(n, PIETRA_FILL_NONZERO);
        break;
    case NEST_FRACTION:
        pietra_path_rect(n->path, x + 0.3, y + 0.6, width, height);
        clip_to_path(n, PIETRA_FILL_NONZERO);
        break;
    case NEST_DISC:
        pietra_path_ellipse(n->path, x + rx, y + ry, rx, ry);
        clip_to_path(n, PIETRA_FILL_NONZERO);
        break;
    case NEST_RING:
        pietra_path_ellipse(n->path, x + rx, y + ry, rx, ry);
        pietra_path_ellipse(n->path, x + rx, y + ry, rx / 8, ry / 8);
        clip_to_path(n, PIETRA_FILL_EVEN_ODD);
        break;
    case NEST_UNION:
        clip_to_union(n, x, y, width, height);
        break;
    case NEST_GROUP:
        demand(pietra_scene_begin_group(n->scene, 254.0f / 255, &error), &error);
        break;
    }
    push(n, shape == NEST_GROUP ? current_box(n) : common(current_box(n), box), shape == NEST_GROUP);
}

void nest_open_around(nest *n, int32_t distance)
{
    double reach = distance + 0.7;
    pietra_path_reset(n->path);
    pietra_path_rect(n->path, -reach, -reach, n->expected.width + 2 * reach, n->expected.height + 2 * reach);
    clip_to_path(n, PIETRA_FILL_NONZERO);
    push(n, current_box(n), false);
}

void nest_fill(nest *n, nest_box box, uint32_t color)
{
    pietra_error error;
    uint8_t bytes[4] = {(uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color, 255};
    pietra_paint paint = {.color = {(float)bytes[0] / 255, (float)bytes[1] / 255, (float)bytes[2] / 255, 1}};
    pietra_path_reset(n->path);
    pietra_path_rect(n->path, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
    demand(pietra_scene_fill(n->scene, n->path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
    nest_box seen = common(current_box(n), box);
    for (int32_t y = seen.y0; y < seen.y1 && n->known; y++) {
        for (int32_t x = seen.x0; x < seen.x1; x++) {
            uint8_t *pixel = n->expected.pixels + 4 * ((size_t)y * n->expected.width + (size_t)x);
            for (int c = 0; c < 4; c++)
                pixel[c] = bytes[c];
        }
    }
}

void nest_close(nest *n, size_t count)
{
    pietra_error error;
    for (size_t i = 0; i < count; i++) {
        bool group = n->levels[--n->depth].group;
        demand(group ? pietra_scene_end_group(n->scene, &error) : pietra_scene_end_clip(n->scene, &error), &error);
    }
}
