/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/frame_cost.h"

#include <math.h>
#include <stdlib.h>

#include "base/bend.h"
#include "base/transform.h"
#include "scene/build/scene.h"
#include "svg/draw/effect_cost.h"
#include "svg/draw/frame_path.h"

/* How curves become lines. See shaders/lib/subdivision.h, pen.h and stroke.h. */
#define PIECES_PER_ROOT 2.0 /* per root of one pixel; Wang's bound is 2.74, but counts depend on where a curve bends */
#define PIECES_MOST 4096.0  /* a curve's most */
#define STROKE_PIECES_MOST 2048.0
#define FAR_PIECES 1024.0 /* a curve's; renderers compute further pieces one by one */
#define FAR_REACH 1e9     /* pixels; nearer than this, renderers pass over pieces of fills beyond the picture */
#define BAND_ROWS 16.0    /* a line is counted anew in each band of the picture */
#define JOIN_LINES 5.0
#define BEND_LINES 20.0 /* lines of a piece that bends too much for the pen, beside the two of its sides */
#define CROSSINGS 2.0   /* how often one segment crosses the picture from side to side; few curves do so more often */

#define PEN_REACH 1.5      /* half widths */
#define BEND_SEARCH 2000.0 /* thousandths of a step, for a far curve of a stroke */

#define SMALL_PATH 1.0 /* pixels, sum of both sides; curves in a smaller path become few lines */

#define DASHES_OF_TASK 8.0 /* shaders/lib/dash.h */
#define DASH_DIRECTIONS 32.0
#define DASH_TASKS_AT_ONCE 131072.0

#define FEW_STOPS 8u
#define SURFACE_TEXELS 4.0 /* per pixel in each direction (render/surface_sizes.h) */
#define SURFACE_TEXELS_MOST 33554432.0
#define INNER_TEXELS_MOST 1048576.0
#define INNER_SIZES 8.0  /* steps from a size to its double */
#define IMAGE_SIDE 256.0 /* texels of the larger side, for which the cost of an image's lines is computed */

#define CACHED_PATHS 1024u
#define SPEND_MOST 1e15 /* thousandths of a step at once; no sensible limit is higher */

typedef struct known_path {
    uint32_t path, style;
    path_view view;
    pietra_box box;          /* box of all points */
    bool has_sums, is_small; /* has_sums: they are known; is_small: they are those of a small path */
    frame_path sums;
} known_path;

/* An open begin. */
typedef struct open_begin {
    pietra_box clip;  /* clips what it holds */
    pietra_box drawn; /* visible box of what it has held so far */
    double per_pixel; /* cost of its layer */
    size_t held;      /* elements directly in it */
    /* Cost of its first child's layer. If the child stays the only one, both share a layer and this is not added. */
    double shared;
    bool is_unbounded; /* a group of an unbounded operator */
    bool is_bounded;   /* an effect with a region, which is its `clip` */
    size_t begin;      /* place of an effect among the elements */
} open_begin;

/* A surface in one of its sizes. */
typedef struct known_surface {
    const pietra_image *image;
    double across, down; /* texels */
} known_surface;

/* The elements from `first` on come from this line of the document. */
typedef struct line_mark {
    size_t first;
    uint32_t line;
} line_mark;

struct svg_frame_cost {
    const pietra_scene *scene;
    pietra_transform frame;   /* leads from the scene to pixels */
    pietra_box whole;         /* pixels */
    bool is_image;            /* the scene is a surface's, and surfaces in it are as fine as it is */
    double fixed, painted;    /* thousandths of a step: fixed ones, and those that grow with the square of the size */
    double inner, inner_most; /* cost of surfaces in an image, which grows with the square of its size, and the most */
    ARRAY(open_begin) open;
    ARRAY(known_path) known;
    uint16_t places[CACHED_PATHS]; /* of known paths, by their hash: index of the path, plus 1; 0: none */
    ARRAY(known_surface) surfaces;
    hash_table surface_table;
    size_t next;            /* the next element to visit */
    size_t noted;           /* how many elements have a known line */
    ARRAY(line_mark) lines; /* lines of the elements from `next` on */
    double dash_tasks;
    bool out_of_memory;
};

/* ---- Lines ---- */

/* Returns the largest factor by which the transform stretches a vector. */
static double stretch_of(pietra_transform t)
{
    double sum = t.a * t.a + t.b * t.b + t.c * t.c + t.d * t.d, area = 2 * (t.a * t.d - t.b * t.c);
    return sqrt(0.5 * (sum + sqrt(fmax(sum * sum - area * area, 0))));
}

/* NULL: out of memory. */
static known_path *path_of(svg_frame_cost *walk, const scene_element *element)
{
    const uint32_t style = element->style == STREAM_NONE ? 0 : element->style;
    const uint32_t slot = (element->path * 31 + style) % CACHED_PATHS;
    known_path *known = walk->places[slot] ? &walk->known.items[walk->places[slot] - 1] : array_push(&walk->known);
    if (!known)
        return NULL;
    if (!walk->places[slot] || known->path != element->path || known->style != element->style) {
        path_view view = scene_path_view(walk->scene, element->path);
        *known =
            (known_path){.path = element->path, .style = element->style, .view = view, .box = svg_frame_path_box(view)};
        walk->places[slot] = (uint16_t)(known - walk->known.items + 1);
        walk->fixed += SVG_STEP_segment * 0.5 * (double)view.verb_count;
    }
    return known;
}

/* A small filled path need not be read: its curves become few lines. */
static const frame_path *sums_of(const svg_frame_cost *walk, known_path *known, double stretch)
{
    bool filled = known->style == STREAM_NONE;
    bool small = filled && stretch * ((known->box.x1 - known->box.x0) + (known->box.y1 - known->box.y0)) < SMALL_PATH;
    if (known->has_sums && (!known->is_small || small))
        return &known->sums;
    known->has_sums = true;
    known->is_small = small;
    known->sums =
        small ? svg_frame_path_small(known->view, known->box)
              : svg_frame_path(known->view, filled ? 0 : (double)walk->scene->styles.items[known->style].half_width);
    return &known->sums;
}

static double pieces_of(const frame_path *path, double stretch, double most)
{
    return path->segments + fmin(PIECES_PER_ROOT * sqrt(stretch) * path->roots, most * path->curves);
}

static bool is_far(const frame_path *path, double pieces)
{
    return path->curves > 0 && pieces - path->segments > FAR_PIECES * path->curves;
}

static double cost_of_lines(const frame_path *path, double pieces, double lines, double pixels)
{
    bool far = is_far(path, pieces);
    double bands = fmax(pixels / BAND_ROWS - lines, 0);
    return SVG_STEP_line * (lines + bands) + (far ? SVG_STEP_far_line * lines : 0) + SVG_STEP_run * pixels;
}

static double diagonal_of(const svg_frame_cost *walk)
{
    return hypot(walk->whole.x1 - walk->whole.x0, walk->whole.y1 - walk->whole.y0);
}

/* Returns how far any point of a box lies from the picture's origin, at most. */
static double reach_of(pietra_box box, pietra_transform t, double stretch)
{
    double far_corner = hypot(fmax(fabs(box.x0), fabs(box.x1)), fmax(fabs(box.y0), fabs(box.y1)));
    return stretch * far_corner + hypot(t.e, t.f);
}

/* Far curves have nearly all of their pieces beyond the picture. */
static double cost_of_fill(const svg_frame_cost *walk, const known_path *known, const frame_path *path,
                           pietra_transform t, double stretch)
{
    double pieces = pieces_of(path, stretch, PIECES_MOST);
    double reach = CROSSINGS * diagonal_of(walk) * path->segments;
    double pixels = fmin(stretch * (path->line_length + path->curve_length), reach);
    if (is_far(path, pieces) && reach_of(known->box, t, stretch) < FAR_REACH)
        return SVG_STEP_passed_line * pieces + SVG_STEP_line * pixels / BAND_ROWS + SVG_STEP_run * pixels;
    return cost_of_lines(path, pieces, pieces, pixels);
}

/* Renderers take DASH_TASKS_AT_ONCE of these tasks at once. A frame with more is tried in ever smaller parts. A dash
 * whose round caps have many directions counts as several. */
static double cost_of_dash_parts(svg_frame_cost *walk, double segments, double dashes, double directions)
{
    double before = fmax(walk->dash_tasks, DASH_TASKS_AT_ONCE);
    walk->dash_tasks += segments + dashes * fmax(directions / DASH_DIRECTIONS, 1) / DASHES_OF_TASK;
    return SVG_STEP_parted_dash * DASHES_OF_TASK * fmax(walk->dash_tasks - before, 0);
}

static double cost_of_dashes(svg_frame_cost *walk, const frame_path *path, const stream_style *style, double stretch,
                             double radius)
{
    double visible_length = (diagonal_of(walk) + 2 * radius) * path->segments;
    double length = fmin(stretch * path->line_length, visible_length) +
                    fmin(stretch * path->curve_length, CROSSINGS * visible_length);
    double inner = length / (stretch * (double)style->dash_period) * 0.5 * style->dash_count;
    double dashes = path->segments + inner;
    double caps = style->cap == STYLE_CAP_ROUND ? bend_directions(radius) : 4;
    return cost_of_dash_parts(walk, path->segments, inner, caps) +
           dashes * (SVG_STEP_dash + SVG_STEP_line * (4 + caps) + SVG_STEP_run * 2 * fmin(radius, diagonal_of(walk)));
}

/* Returns the box, in the space of the path, from which a pen reaches the picture. */
static pietra_box reached_box(const svg_frame_cost *walk, pietra_transform t, double reach)
{
    pietra_transform back;
    if (!transform_invert(t, &back))
        return (pietra_box){-INFINITY, -INFINITY, INFINITY, INFINITY};
    const pietra_box box = transform_box(back, walk->whole);
    return (pietra_box){box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach};
}

/* Far curves have nearly all of their pieces beyond what the pen reaches the picture from, and most turn there. Returns
 * their sums without those pieces and bends, and adds what passing over them costs. */
static frame_path near_part_of(svg_frame_cost *walk, const known_path *path, frame_path sums, pietra_transform t,
                               double stretch, double pieces)
{
    const double half_width = (double)walk->scene->styles.items[path->style].half_width;
    const double reach = stretch * half_width + diagonal_of(walk);
    const double share = fmin(2 * CROSSINGS * reach * sums.curves / fmax(stretch * sums.curve_length, 1), 1);
    const double bends = svg_frame_path_bends_in(path->view, half_width, reached_box(walk, t, PEN_REACH * half_width));
    walk->fixed += BEND_SEARCH * sums.curves + 2 * SVG_STEP_passed_line * (pieces - sums.segments);
    sums.roots *= share;
    sums.bend_roots *= sums.bends > 0 ? bends / sums.bends : 0;
    sums.bends = bends;
    return sums;
}

static double cost_of_stroke(svg_frame_cost *walk, const known_path *known, const frame_path *all, pietra_transform t,
                             double stretch)
{
    const stream_style *style = &walk->scene->styles.items[known->style];
    const double radius = (double)style->half_width * stretch, directions = bend_directions(radius),
                 seen = fmin(radius, diagonal_of(walk));
    const double all_pieces = pieces_of(all, stretch, STROKE_PIECES_MOST);
    const bool is_passed = is_far(all, all_pieces) && reach_of(known->box, t, stretch) + radius < FAR_REACH;
    const frame_path sums = is_passed ? near_part_of(walk, known, *all, t, stretch, all_pieces) : *all, *path = &sums;
    bool round = style->join == STYLE_JOIN_ROUND || style->cap == STYLE_CAP_ROUND;
    double pieces = pieces_of(path, stretch, STROKE_PIECES_MOST);
    double bends = fmin(path->bends * (1 + directions),
                        fmin(PIECES_PER_ROOT * sqrt(stretch) * path->bend_roots, STROKE_PIECES_MOST * path->bends) +
                            path->bends * (1 + 0.5 * directions));
    double joins = path->segments * JOIN_LINES + (round ? (0.5 * path->segments + path->dots) * directions : 0);
    double pixels =
        2 * fmin(stretch * (path->line_length + path->curve_length), CROSSINGS * diagonal_of(walk) * path->segments);
    pixels += (2 * path->segments + BEND_LINES * bends) * seen;
    double cost = cost_of_lines(path, pieces, 2 * pieces + joins + BEND_LINES * bends, pixels);
    return style->dash_count ? cost + cost_of_dashes(walk, all, style, stretch, radius) : cost;
}

/* ---- Pixels ---- */

static double pixel_cost(const scene_paint *paint)
{
    switch (paint->paint.kind) {
    case PAINT_SOLID:
        return SVG_STEP_solid;
    case PAINT_LINEAR:
        return paint->paint.stop_count > FEW_STOPS ? SVG_STEP_stops : SVG_STEP_gradient;
    case PAINT_RADIAL:
    case PAINT_SWEEP:
        return paint->paint.stop_count > FEW_STOPS ? SVG_STEP_stops : SVG_STEP_radial;
    case PAINT_SURFACE:
        return SVG_STEP_surface_pixel;
    default:
        return SVG_STEP_image;
    }
}

static double area_of(pietra_box box)
{
    return box_is_empty(box) ? 0 : (box.x1 - box.x0) * (box.y1 - box.y0);
}

static pietra_box clip_of(const svg_frame_cost *walk)
{
    return walk->open.count ? array_last(&walk->open)->clip : walk->whole;
}

/* Returns the visible box that an element may paint, in pixels. */
static pietra_box box_of(const svg_frame_cost *walk, const scene_element *element, pietra_box box, pietra_transform t)
{
    if (element->style != STREAM_NONE) {
        const stream_style *style = &walk->scene->styles.items[element->style];
        double corner = style->join == STYLE_JOIN_MITER || style->join == STYLE_JOIN_MITER_CLIP
                            ? (double)style->miter_limit + 1
                            : 1.5;
        double reach = (double)style->half_width * fmax(corner, 1.5);
        box = (pietra_box){box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach};
    }
    box = transform_box(t, box);
    return box_overlap((pietra_box){box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1}, clip_of(walk));
}

static void show_box(svg_frame_cost *walk, pietra_box box)
{
    if (walk->open.count == 0 || box_is_empty(box))
        return;
    pietra_box *drawn = &array_last(&walk->open)->drawn;
    *drawn = (pietra_box){fmin(drawn->x0, box.x0), fmin(drawn->y0, box.y0), fmax(drawn->x1, box.x1),
                          fmax(drawn->y1, box.y1)};
}

/* ---- Surfaces ---- */

static bool is_known(svg_frame_cost *walk, const known_surface *surface)
{
    uint64_t hash = hash_bytes(surface, sizeof *surface);
    for (hash_walk probe = hash_find(&walk->surface_table, hash); hash_found(&probe); hash_next(&probe))
        if (memcmp(&walk->surfaces.items[probe.value], surface, sizeof *surface) == 0)
            return true;
    if (!array_reserve(&walk->surfaces, 1) || !hash_insert(&walk->surface_table, hash, (uint32_t)walk->surfaces.count))
        walk->out_of_memory = true;
    else
        *array_push(&walk->surfaces) = *surface;
    return false;
}

/* A surface is drawn before the frame, once in each of its sizes. */
static void draw_surface(svg_frame_cost *walk, const scene_paint *paint, pietra_transform t)
{
    pietra_transform to_path = TRANSFORM_IDENTITY;
    known_surface surface;
    if (!transform_invert(paint->map, &to_path))
        return;
    pietra_transform size = transform_multiply(t, to_path);
    memset(&surface, 0, sizeof surface);
    surface.image = paint->image;
    surface.across = fmax(floor(SURFACE_TEXELS * hypot(size.a, size.b)), 1);
    surface.down = fmax(floor(SURFACE_TEXELS * hypot(size.c, size.d)), 1);
    const image_cost *cost = &paint->image->cost;
    double texels = fmin(surface.across * surface.down, walk->is_image ? INNER_TEXELS_MOST : SURFACE_TEXELS_MOST);
    double larger = fmin(fmax(surface.across, surface.down), 2 * PIETRA_MAX_SIDE);
    if (walk->is_image) { /* at another scale, surfaces of nearly one size may be of the same size */
        surface.across = floor(log2(surface.across) * INNER_SIZES);
        surface.down = floor(log2(surface.down) * INNER_SIZES);
    }
    if (is_known(walk, &surface))
        return;
    walk->fixed += SVG_STEP_surface + cost->fixed * sqrt(fmax(larger / IMAGE_SIDE, 1));
    if (walk->is_image) {
        walk->inner += (cost->texel + cost->inner_texel) * texels;
        walk->inner_most += cost->texel * INNER_TEXELS_MOST + cost->inner_most;
    } else {
        walk->fixed += cost->texel * texels + fmin(cost->inner_texel * texels, cost->inner_most);
    }
}

/* ---- Elements ---- */

static bool is_upright_rectangle(path_view path, pietra_transform t)
{
    const path_point *p = path.points;
    bool upright = (t.b == 0 && t.c == 0) || (t.a == 0 && t.d == 0);
    return upright && path.point_count == 4 && path.verb_count == 5 && p[0].y == p[1].y && p[1].x == p[2].x &&
           p[2].y == p[3].y && p[3].x == p[0].x;
}

/* Returns the cost of a layer for each pixel. */
static double layer_cost(const svg_frame_cost *walk, uint32_t kind)
{
    uint32_t mode = kind >> ELEMENT_MODE_SHIFT & ELEMENT_MODE_MASK;
    if ((kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP && mode != PIETRA_BLEND_NORMAL)
        return SVG_STEP_blend;
    bool mask = (kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP_SOURCE && mode != MASK_NONE;
    return mask || walk->scene->blends ? SVG_STEP_mask : SVG_STEP_layer;
}

static void open_layer(svg_frame_cost *walk, double per_pixel, pietra_box clip)
{
    open_begin *begin = array_push(&walk->open);
    if (begin)
        *begin =
            (open_begin){.clip = clip, .drawn = {INFINITY, INFINITY, -INFINITY, -INFINITY}, .per_pixel = per_pixel};
    else
        walk->out_of_memory = true;
}

/* An unbounded group is composited wherever the group around it is drawn, and that grows until its end. */
static void spend_all_around(svg_frame_cost *walk, double per_pixel)
{
    if (walk->open.count > 0)
        array_last(&walk->open)->per_pixel += per_pixel;
    else
        walk->painted += per_pixel * area_of(walk->whole);
}

static void close_layer(svg_frame_cost *walk)
{
    const open_begin begin = *array_last(&walk->open);
    const double cost = begin.per_pixel * area_of(begin.drawn);
    walk->open.count--;
    if (begin.is_unbounded)
        spend_all_around(walk, begin.per_pixel);
    else if (walk->open.count > 0 && array_last(&walk->open)->held == 1 && !walk->scene->blends)
        array_last(&walk->open)->shared = cost;
    else
        walk->painted += cost;
    show_box(walk, begin.drawn);
}

/* Counts an element in the begin around it. */
static void hold_element(svg_frame_cost *walk)
{
    if (walk->open.count == 0)
        return;
    open_begin *around = array_last(&walk->open);
    around->held++;
    walk->painted += around->shared;
    around->shared = 0;
}

static void visit_outline(svg_frame_cost *walk, const scene_element *element)
{
    const pietra_scene *scene = walk->scene;
    known_path *path = path_of(walk, element);
    if (!path) {
        walk->out_of_memory = true;
        return;
    }
    pietra_transform t = transform_multiply(walk->frame, scene->transforms.items[element->transform]);
    pietra_box box = box_of(walk, element, path->box, t);
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    hold_element(walk);
    walk->fixed += SVG_STEP_element + SVG_STEP_piece * (double)path->view.verb_count;
    if (!box_is_empty(box)) {
        double stretch = stretch_of(t);
        const frame_path *sums = sums_of(walk, path, stretch);
        walk->fixed += kind == ELEMENT_STROKE ? cost_of_stroke(walk, path, sums, t, stretch)
                                              : cost_of_fill(walk, path, sums, t, stretch);
        walk->painted += SVG_STEP_row * (box.y1 - box.y0);
        walk->painted +=
            (kind == ELEMENT_BEGIN_CLIP ? SVG_STEP_solid : pixel_cost(&scene->paints.items[element->paint])) *
            area_of(box);
        show_box(walk, box);
    }
    if (kind == ELEMENT_BEGIN_CLIP)
        open_layer(walk,
                   is_upright_rectangle(scene_path_view(scene, element->path), t) ? 0 : layer_cost(walk, element->kind),
                   box);
    else if (!box_is_empty(box) && scene->paints.items[element->paint].paint.kind == PAINT_SURFACE)
        draw_surface(walk, &scene->paints.items[element->paint], t);
}

/* ---- Effects ---- */

static void open_effect(svg_frame_cost *walk, const scene_element *element)
{
    const pietra_box region = walk->scene->effects.items[element->paint].region;
    const pietra_transform t = transform_multiply(walk->frame, walk->scene->transforms.items[element->transform]);
    const bool is_bounded = !box_is_empty(region);
    hold_element(walk);
    walk->fixed += SVG_STEP_effect;
    open_layer(walk, svg_effect_pixel_cost(walk->scene, element->paint),
               is_bounded ? box_overlap(transform_box(t, region), clip_of(walk)) : clip_of(walk));
    if (walk->out_of_memory)
        return;
    open_begin *begin = array_last(&walk->open);
    begin->is_bounded = is_bounded;
    begin->begin = (size_t)(element - walk->scene->elements.items);
}

/* A frame of its own draws what stands in an effect, and passes over what stands in effects in it. */
static void close_effect(svg_frame_cost *walk, const scene_element *element)
{
    const open_begin begin = *array_last(&walk->open);
    const pietra_box seen = begin.is_bounded ? begin.clip : begin.drawn;
    walk->open.count--;
    walk->fixed += SVG_STEP_effect_element * (double)((size_t)(element - walk->scene->elements.items) - begin.begin);
    walk->painted += begin.per_pixel * area_of(seen);
    show_box(walk, seen);
}

static void visit_element(svg_frame_cost *walk, const scene_element *element)
{
    switch (element->kind & ELEMENT_KIND_MASK) {
    case ELEMENT_FILL:
    case ELEMENT_STROKE:
    case ELEMENT_BEGIN_CLIP:
        visit_outline(walk, element);
        break;
    case ELEMENT_BEGIN_CLIP_SOURCE:
    case ELEMENT_BEGIN_GROUP:
        hold_element(walk);
        walk->fixed += SVG_STEP_element;
        open_layer(walk, layer_cost(walk, element->kind), clip_of(walk));
        if (scene_begins_unbounded(element) && !walk->out_of_memory)
            array_last(&walk->open)->is_unbounded = true;
        break;
    case ELEMENT_END_CLIP:
    case ELEMENT_END_GROUP:
        close_layer(walk);
        break;
    case ELEMENT_BEGIN_EFFECT:
        open_effect(walk, element);
        break;
    case ELEMENT_END_EFFECT:
        close_effect(walk, element);
        break;
    default: /* the end of a source, whose layer stays open; pictures of effects */
        break;
    }
}

static svg_frame_cost *create(const pietra_scene *scene, pietra_transform frame, pietra_box whole)
{
    svg_frame_cost *walk = calloc(1, sizeof *walk);
    if (walk)
        *walk = (svg_frame_cost){.scene = scene, .frame = frame, .whole = whole};
    return walk;
}

svg_frame_cost *svg_frame_cost_create(const pietra_scene *scene, double width, double height)
{
    const double scale = FRAME_COST_WIDTH / width;
    return create(scene, transform_scale(scale, scale),
                  (pietra_box){0, 0, FRAME_COST_WIDTH, fmin(height * scale, PIETRA_MAX_SIDE)});
}

void svg_frame_cost_destroy(svg_frame_cost *cost)
{
    if (!cost)
        return;
    array_free(&cost->known);
    array_free(&cost->open);
    array_free(&cost->lines);
    array_free(&cost->surfaces);
    hash_free(&cost->surface_table);
    free(cost);
}

static void note_line(svg_frame_cost *walk, uint32_t line)
{
    const size_t end = walk->scene->elements.count;
    line_mark *mark = walk->noted < end ? array_push(&walk->lines) : NULL;
    if (mark)
        *mark = (line_mark){walk->noted, line};
    else
        walk->out_of_memory = walk->out_of_memory || walk->noted < end;
    walk->noted = end;
}

uint32_t svg_frame_cost_line(const svg_frame_cost *walk)
{
    uint32_t line = 0;
    for (size_t i = 0; i < walk->lines.count && walk->lines.items[i].first < walk->next; i++)
        line = walk->lines.items[i].line;
    return line;
}

bool svg_frame_cost_is_of(const svg_frame_cost *walk, const pietra_scene *scene)
{
    return walk->scene == scene;
}

pietra_result svg_frame_cost_spend(svg_frame_cost *walk, svg_budget *budget, uint32_t line, size_t least)
{
    note_line(walk, line);
    const size_t end = walk->scene->elements.count;
    if (end - walk->next < least)
        return PIETRA_OK;
    while (walk->next < end && !walk->out_of_memory) {
        visit_element(walk, &walk->scene->elements.items[walk->next++]);
        if (!svg_budget_spend(budget, (uint64_t)fmin(walk->fixed + walk->painted, SPEND_MOST), 1))
            return PIETRA_ERROR_INPUT;
        walk->fixed = walk->painted = 0;
    }
    walk->lines.count = 0;
    return walk->out_of_memory ? PIETRA_ERROR_MEMORY : PIETRA_OK;
}

bool svg_frame_cost_of_image(pietra_image *image, const pietra_scene *scene, double width, double height)
{
    const double scale = IMAGE_SIDE / fmax(width, height), texels = fmax(width * scale * (height * scale), 1);
    svg_frame_cost *walk =
        create(scene, transform_scale(scale, scale), (pietra_box){0, 0, width * scale, height * scale});
    if (!walk)
        return false;
    walk->is_image = true;
    for (size_t i = 0; i < scene->elements.count && !walk->out_of_memory; i++)
        visit_element(walk, &scene->elements.items[i]);
    image->cost = (image_cost){walk->fixed, walk->painted / texels, walk->inner / texels, walk->inner_most};
    bool good = !walk->out_of_memory;
    svg_frame_cost_destroy(walk);
    return good;
}
