/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "property/random_scene.h"

#include <stdio.h>
#include <stdlib.h>

#include "scene/blend.h"

#define MOST_DEPTH 6

#define IMAGES 5

typedef struct builder {
    random_source source;
    random_source others; /* for choices that do not change the shapes */
    random_kind kind;
    double side;
    pietra_scene *scene;
    pietra_path *path;
    pietra_stop stops[6];
    pietra_shadow shadow;
    double dashes[6];
    pietra_image *images[IMAGES]; /* made at first use */
} builder;

/* SplitMix64 (Steele, Lea and Flood, 2014). */
random_source random_start(uint64_t seed)
{
    return (random_source){seed};
}

static uint64_t random_bits(random_source *source)
{
    uint64_t z = source->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t random_below(random_source *source, uint32_t limit)
{
    return (uint32_t)((random_bits(source) >> 32) * limit >> 32);
}

double random_between(random_source *source, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(source) >> 11) * 0x1p-53);
}

static void demand(pietra_result result, const pietra_error *error)
{
    if (result) {
        fprintf(stderr, "random scene: %s\n", error->message);
        abort();
    }
}

/* C gives no order to the arguments of a call or the values of an initializer, so every random number gets a name
 * first. */
static double coordinate(builder *b)
{
    double reach = random_below(&b->source, 24) ? 0.25 : 40;
    double x = random_between(&b->source, -reach * b->side, (1 + reach) * b->side);
    bool whole = random_below(&b->source, 4) == 0;
    if (b->kind == RANDOM_DYADIC) {
        double scale = whole ? 1 : 16;
        return (double)(int64_t)(x * scale) / scale;
    }
    return whole ? (double)(int64_t)x : x;
}

static void add_segment(builder *b)
{
    double c[6];
    bool large, sweep;
    for (int i = 0; i < 6; i++)
        c[i] = coordinate(b);
    switch (b->kind == RANDOM_DYADIC ? 0 : random_below(&b->source, 6)) {
    case 3:
        pietra_path_quad_to(b->path, c[0], c[1], c[2], c[3]);
        break;
    case 4:
        pietra_path_cubic_to(b->path, c[0], c[1], c[2], c[3], c[4], c[5]);
        break;
    case 5:
        sweep = random_below(&b->source, 2);
        large = random_below(&b->source, 2);
        pietra_path_arc_to(b->path, c[0], c[1], c[2], large, sweep, c[4], c[5]);
        break;
    default:
        pietra_path_line_to(b->path, c[0], c[1]);
    }
}

static void make_path(builder *b)
{
    pietra_path_reset(b->path);
    uint32_t shape = random_below(&b->source, 6), subpaths = 1 + random_below(&b->source, 3);
    double x = coordinate(b), y = coordinate(b), width = coordinate(b) / 2, height = coordinate(b) / 2;
    if (shape == 0 || b->kind == RANDOM_DYADIC)
        pietra_path_rect(b->path, x, y, width, height);
    else if (shape == 1)
        pietra_path_ellipse(b->path, x, y, width / 2, height / 2);
    for (uint32_t i = 0; shape > 1 && i < subpaths; i++) {
        y = coordinate(b);
        x = coordinate(b);
        pietra_path_move_to(b->path, x, y);
        for (uint32_t count = random_below(&b->source, 7); count > 0; count--)
            add_segment(b);
        if (random_below(&b->source, 2))
            pietra_path_close(b->path);
    }
}

static pietra_transform make_transform(builder *b)
{
    pietra_transform made = {.a = 1, .d = 1};
    if (b->kind == RANDOM_DYADIC) {
        made.e = (double)random_below(&b->source, 64) / 8 - 4;
        made.f = (double)random_below(&b->source, 64) / 8 - 4;
        return made;
    }
    switch (random_below(&b->source, 4)) {
    case 0:
        made.a = random_between(&b->source, -1.5, 1.5);
        made.b = random_between(&b->source, -1, 1);
        made.c = random_between(&b->source, -1, 1);
        made.d = random_between(&b->source, -1.5, 1.5);
        made.e = coordinate(b);
        made.f = coordinate(b);
        break;
    case 1:
        made.a = random_between(&b->source, 0.2, 3);
        made.d = random_between(&b->source, 0.2, 3);
        break;
    default:
        made.e = random_between(&b->source, -9, 9);
        made.f = random_between(&b->source, -9, 9);
    }
    return made;
}

static pietra_color make_color(builder *b)
{
    float channels[4];
    for (int i = 0; i < 4; i++)
        channels[i] = (float)random_below(&b->source, 256) / 255;
    return (pietra_color){channels[0], channels[1], channels[2], random_below(&b->source, 2) ? 1 : channels[3]};
}

static pietra_image *find_image(builder *b)
{
    static const uint32_t sides[IMAGES][2] = {{1, 1}, {3, 2}, {16, 16}, {61, 40}, {300, 1}};
    uint32_t which = random_below(&b->others, IMAGES);
    if (!b->images[which]) {
        uint32_t width = sides[which][0], height = sides[which][1];
        uint8_t pixels[61 * 40 * 4];
        bool opaque = random_below(&b->others, 2);
        for (uint32_t i = 0; i < 4 * width * height; i++)
            pixels[i] = opaque && i % 4 == 3 ? 255 : (uint8_t)random_below(&b->others, 256);
        pietra_error error;
        demand(pietra_image_create(width, height, pixels, 0, &error, &b->images[which]), &error);
    }
    return b->images[which];
}

static void make_image_paint(builder *b, pietra_paint *paint)
{
    paint->kind = PIETRA_PAINT_IMAGE;
    paint->image = find_image(b);
    paint->filter = (pietra_filter)random_below(&b->others, 3);
    paint->spread = (pietra_spread)random_below(&b->others, 3);
    double scale = random_between(&b->others, -3, 3),
           turn = random_below(&b->others, 2) ? random_between(&b->others, -3, 3) : 0;
    double down = random_between(&b->others, 0.1, 3);
    paint->transform = (pietra_transform){scale, turn, -turn, down, 7, 3};
}

static void make_shadow_paint(builder *b, pietra_paint *paint)
{
    const double x = coordinate(b), y = coordinate(b);
    b->shadow = (pietra_shadow){
        .box = {x, y, x + random_between(&b->others, -2, b->side), y + random_between(&b->others, 0, b->side)}};
    for (int i = 0; i < 4; i++)
        b->shadow.radii[i] = random_below(&b->others, 3) ? random_between(&b->others, 0, b->side / 3) : 0;
    b->shadow.sigma = random_below(&b->others, 4) ? random_between(&b->others, 0.4, b->side / 8) : 0;
    b->shadow.spread = random_between(&b->others, -5, 5);
    b->shadow.x = random_between(&b->others, -9, 9);
    b->shadow.inset = random_below(&b->others, 3) == 0;
    b->shadow.color = paint->color;
    paint->kind = PIETRA_PAINT_BOX_SHADOW;
    paint->shadow = &b->shadow;
}

static pietra_paint make_paint(builder *b)
{
    uint32_t kind = b->kind == RANDOM_DYADIC ? 0 : random_below(&b->source, 5);
    pietra_paint paint = {.color = make_color(b)};
    paint.transparency = random_below(&b->source, 3) ? 0 : (float)random_between(&b->source, 0, 1);
    if (kind < 3) {
        if (b->kind != RANDOM_DYADIC && random_below(&b->others, 10) == 0)
            make_image_paint(b, &paint);
        else if (b->kind != RANDOM_DYADIC && random_below(&b->others, 12) == 0)
            make_shadow_paint(b, &paint);
        return paint;
    }
    paint.kind = random_below(&b->others, 3) == 0 ? PIETRA_PAINT_SWEEP
                 : kind == 3                      ? PIETRA_PAINT_LINEAR
                                                  : PIETRA_PAINT_RADIAL;
    paint.spread = (pietra_spread)random_below(&b->source, 3);
    paint.x0 = coordinate(b);
    paint.y0 = coordinate(b);
    paint.r0 = random_below(&b->source, 2) ? 0 : random_between(&b->source, 0, b->side / 4);
    paint.x1 = coordinate(b);
    paint.y1 = coordinate(b);
    paint.r1 = random_between(&b->source, 0, b->side);
    paint.start_degrees = random_between(&b->others, -100, 400);
    paint.end_degrees = random_between(&b->others, -100, 400);
    paint.transform = random_below(&b->source, 2) ? make_transform(b) : (pietra_transform){0};
    paint.stop_count = random_below(&b->source, 6) + 1;
    if ((paint.stop_count + paint.spread) % 4 == 0)
        paint.interpolation = paint.spread == 0 ? PIETRA_INTERPOLATION_OKLAB : PIETRA_INTERPOLATION_LINEAR_RGB;
    paint.stops = b->stops;
    for (size_t i = 0; i < paint.stop_count; i++) {
        b->stops[i].offset = random_below(&b->source, 4) ? (float)random_between(&b->source, 0, 1) : 0.5f;
        b->stops[i].color = make_color(b);
    }
    return paint;
}

static pietra_stroke make_stroke(builder *b)
{
    pietra_stroke stroke = {.width = random_between(&b->source, 0, random_below(&b->source, 3) ? 6 : 40)};
    stroke.cap = (pietra_cap)random_below(&b->source, 3);
    stroke.join = (pietra_join)random_below(&b->source, 5);
    stroke.miter_limit = random_between(&b->source, 1, 8);
    if (random_below(&b->source, 3) == 0) {
        stroke.dashes = b->dashes;
        stroke.dash_count = 1 + random_below(&b->source, 6);
        stroke.dash_offset = random_between(&b->source, -50, 50);
        for (size_t i = 0; i < stroke.dash_count; i++)
            b->dashes[i] = random_below(&b->source, 5) ? random_between(&b->source, 0.5, 30) : 0;
        b->dashes[0] += 1;
    }
    return stroke;
}

static void add_fill(builder *b)
{
    pietra_error error;
    pietra_transform transform = make_transform(b);
    pietra_paint paint = make_paint(b);
    make_path(b);
    demand(
        pietra_scene_fill(b->scene, b->path, &transform, (pietra_fill_rule)random_below(&b->source, 2), &paint, &error),
        &error);
}

static void add_stroke(builder *b)
{
    pietra_error error;
    pietra_transform transform = make_transform(b);
    pietra_paint paint = make_paint(b);
    pietra_stroke stroke = make_stroke(b);
    make_path(b);
    demand(pietra_scene_stroke(b->scene, b->path, &transform, &stroke, &paint, &error), &error);
}

static void add_content(builder *b, int depth);

static void add_clip(builder *b, int depth)
{
    pietra_error error;
    if (random_below(&b->source, 3)) {
        pietra_transform transform = make_transform(b);
        make_path(b);
        demand(pietra_scene_begin_clip(b->scene, b->path, &transform, (pietra_fill_rule)random_below(&b->source, 2),
                                       &error),
               &error);
    } else {
        demand(pietra_scene_begin_clip_source(b->scene, &error), &error);
        for (uint32_t count = random_below(&b->source, 4); count > 0; count--) {
            bool stroke = b->kind != RANDOM_DYADIC && random_below(&b->source, 3) == 0,
                 clipped = random_below(&b->source, 4) == 0;
            if (clipped) {
                pietra_transform transform = make_transform(b);
                make_path(b);
                demand(pietra_scene_begin_clip(b->scene, b->path, &transform, PIETRA_FILL_NONZERO, &error), &error);
            }
            (stroke ? add_stroke : add_fill)(b);
            if (clipped)
                demand(pietra_scene_end_clip(b->scene, &error), &error);
        }
        demand(pietra_scene_end_clip_source(b->scene, &error), &error);
    }
    add_content(b, depth + 1);
    demand(pietra_scene_end_clip(b->scene, &error), &error);
}

static void add_group(builder *b, int depth)
{
    pietra_error error;
    float opacity = random_below(&b->source, 4) ? (float)random_between(&b->source, 0, 1) : 1;
    pietra_blend blend =
        random_below(&b->source, 2) ? (pietra_blend)random_below(&b->source, BLEND_COUNT) : PIETRA_BLEND_NORMAL;
    demand(pietra_scene_begin_blended_group(b->scene, opacity, blend, &error), &error);
    add_content(b, depth + 1);
    demand(pietra_scene_end_group(b->scene, &error), &error);
}

static void add_mask(builder *b, int depth)
{
    pietra_error error;
    demand(pietra_scene_begin_mask_source(b->scene, (pietra_mask_kind)random_below(&b->source, 3), &error), &error);
    add_content(b, depth + 2);
    demand(pietra_scene_end_mask_source(b->scene, &error), &error);
    add_content(b, depth + 1);
    demand(pietra_scene_end_mask(b->scene, &error), &error);
}

static void add_image(builder *b)
{
    pietra_error error;
    double scale = random_between(&b->others, 0.1, 4),
           turn = random_below(&b->others, 3) ? 0 : random_between(&b->others, -2, 2);
    double x = random_between(&b->others, -20, b->side), y = random_between(&b->others, -20, b->side);
    pietra_transform transform = {scale, turn, -turn, scale, x, y};
    pietra_filter filter = (pietra_filter)random_below(&b->others, 3);
    demand(pietra_scene_draw_image(b->scene, find_image(b), &transform, filter, &error), &error);
}

static void add_content(builder *b, int depth)
{
    if (b->kind != RANDOM_DYADIC && random_below(&b->others, 6) == 0)
        add_image(b);
    pietra_scene_set_aliased(b->scene, random_below(&b->others, 10) == 0);
    for (uint32_t count = random_below(&b->source, depth ? 5 : 12) + !depth; count > 0; count--) {
        uint32_t what = random_below(&b->source, depth < MOST_DEPTH ? 9 : 5);
        if (what < 3 || (what < 5 && b->kind == RANDOM_DYADIC))
            add_fill(b);
        else if (what < 5)
            add_stroke(b);
        else if (what < 7)
            add_clip(b, depth);
        else if (what < 8)
            add_group(b, depth);
        else
            add_mask(b, depth);
    }
}

void random_scene_add(pietra_scene *scene, uint64_t seed, random_kind kind, double side)
{
    builder b = {
        .source = random_start(seed), .others = random_start(seed << 20), .kind = kind, .side = side, .scene = scene};
    b.path = pietra_path_create();
    if (!b.scene || !b.path)
        abort();
    add_content(&b, 0);
    pietra_path_destroy(b.path);
    for (int i = 0; i < IMAGES; i++)
        pietra_image_destroy(b.images[i]);
}

pietra_scene *random_scene_create(uint64_t seed, random_kind kind, double side)
{
    pietra_scene *scene = pietra_scene_create();
    random_scene_add(scene, seed, kind, side);
    return scene;
}
