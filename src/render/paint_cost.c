/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/paint_cost.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/bend.h"
#include "base/error.h"
#include "base/transform.h"
#include "lib/element_kind.h"
#include "render/frame/config.h"
#include "render/paint_cover.h"

/* Thousandths of a step, as measured on the CPU device at 1,000 pixels: for each pixel of a box. */
#define COST_OF_SOLID 0.15
#define COST_OF_HIDDEN 0.1 /* what is hidden is passed over tile by tile */
#define COST_OF_LINEAR 2.3
#define COST_OF_ROUND 5.0     /* a radial or a sweep gradient */
#define COST_OF_STOP 0.5      /* of a gradient, on top of that, for each beyond CHEAP_STOPS; */
#define COST_OF_SEARCH 5.0    /* of more than FEW_STOPS, instead, */
#define COST_OF_STOP_ROOT 0.6 /* and for the root of their number */
#define COST_OF_NEAREST 2.0
#define COST_OF_IMAGE 42.0
#define COST_OF_SURFACE 22.0
#define COST_OF_BOX_SHADOW 25.0
#define COST_OF_TURNED_SHADOW 130.0
/* For each pixel of a layer's box. */
#define COST_OF_LAYER 1.2
#define COST_OF_MASK 1.5
#define COST_OF_LINEAR_MASK 12.0
#define COST_OF_ISOLATED 2.0
#define COST_OF_BLEND 7.0
#define COST_OF_DEAR_BLEND 20.0 /* a mode with a root, or of all channels together */
/* For each band of rows that an element, or one of its lines, passes; for each row or column that a line does. */
#define COST_OF_BAND 350.0
#define COST_OF_LINE 50.0
#define COST_OF_RUN 12.0

#define BAND_ROWS 16.0
#define CHEAP_STOPS 3.0
#define FEW_STOPS 8u

typedef struct cost_walk {
    const stream_view *view;
    pietra_transform frame;
    pietra_box whole;        /* the picture, in pixels */
    ARRAY(pietra_box) clips; /* of the begins that are open */
    size_t effects;          /* that are open */
    paint_cover *cover;      /* segments are looked at one by one, and what is hidden does not count; NULL: neither */
} cost_walk;

/* ---- Boxes ---- */

static pietra_box clip_of(const cost_walk *walk)
{
    return walk->clips.count > 0 ? *array_last(&walk->clips) : walk->whole;
}

static pietra_transform transform_of(const cost_walk *walk, const stream_element *element)
{
    return transform_multiply(walk->frame, config_widened(&walk->view->transforms[element->transform]));
}

/* Returns the visible box of an element in pixels. */
static pietra_box box_of_element(const cost_walk *walk, const stream_element *element, pietra_transform t)
{
    const pietra_box own = {(double)element->box_x0, (double)element->box_y0, (double)element->box_x1,
                            (double)element->box_y1};
    if (!(own.x0 <= own.x1 && own.y0 <= own.y1))
        return (pietra_box){0, 0, 0, 0};
    const pietra_box box = transform_box(t, own);
    return box_overlap((pietra_box){box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1}, clip_of(walk));
}

/* What stands in an effect may lie anywhere, and cover as much as the picture. */
static double width_of(const cost_walk *walk, pietra_box box)
{
    return fmin(box.x1 - box.x0, walk->whole.x1);
}

static double height_of(const cost_walk *walk, pietra_box box)
{
    return fmin(box.y1 - box.y0, walk->whole.y1);
}

static double area_of(const cost_walk *walk, pietra_box box)
{
    return box_is_empty(box) ? 0 : fmin((box.x1 - box.x0) * (box.y1 - box.y0), walk->whole.x1 * walk->whole.y1);
}

/* Returns the cost of so many pixels of an element's box. */
static double cost_of_pixels(const cost_walk *walk, const stream_element *element, pietra_box box, double area,
                             double pixel_cost)
{
    if (!walk->cover || walk->effects > 0 || box_is_empty(box))
        return pixel_cost * area;
    const double shown = fmin(paint_cover_shown(walk->cover, (uint32_t)(element - walk->view->elements), box), area);
    return pixel_cost * shown + fmin(pixel_cost, COST_OF_HIDDEN) * (area - shown);
}

static double bands_of(const cost_walk *walk, pietra_box box)
{
    return box_is_empty(box) ? 0 : 1 + height_of(walk, box) / BAND_ROWS;
}

static bool is_upright(pietra_transform t)
{
    return (t.b == 0 && t.c == 0) || (t.a == 0 && t.d == 0);
}

/* ---- Costs of pixels ---- */

/* Few stops are tried one by one, and more are searched. */
static double cost_of_stops(const stream_paint *paint)
{
    const double stops = paint->stop_count;
    if (paint->stop_count > FEW_STOPS)
        return COST_OF_SEARCH + COST_OF_STOP_ROOT * sqrt(stops);
    return COST_OF_STOP * fmax(stops - CHEAP_STOPS, 0);
}

static double cost_of_paint(const stream_paint *paint, bool shows_upright)
{
    switch (paint->kind) {
    case PAINT_SOLID:
        return COST_OF_SOLID;
    case PAINT_LINEAR:
        return COST_OF_LINEAR + cost_of_stops(paint);
    case PAINT_RADIAL:
    case PAINT_SWEEP:
        return COST_OF_ROUND + cost_of_stops(paint);
    case PAINT_IMAGE:
        return paint->color == FILTER_NEAREST ? COST_OF_NEAREST : COST_OF_IMAGE;
    case PAINT_SURFACE:
        return COST_OF_SURFACE;
    default:
        return shows_upright && paint->b == 0 && paint->c == 0 ? COST_OF_BOX_SHADOW : COST_OF_TURNED_SHADOW;
    }
}

static double cost_of_group(uint32_t kind, uint32_t mode)
{
    if (mode == BLEND_NORMAL)
        return kind & ELEMENT_ISOLATED ? COST_OF_ISOLATED : COST_OF_LAYER;
    return mode == BLEND_SOFT_LIGHT || (mode >= BLEND_HUE && mode <= BLEND_LUMINOSITY) ? COST_OF_DEAR_BLEND
                                                                                       : COST_OF_BLEND;
}

/* Returns the cost of a begin for each pixel. A clip to an upright rectangle only narrows boxes. */
static double cost_of_layer(const stream_element *element, bool shows_upright)
{
    const uint32_t kind = element->kind, mode = kind_mode(kind);
    if ((kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP)
        return cost_of_group(kind, mode);
    if (element->path == STREAM_NONE)
        return mode == MASK_LUMINANCE_LINEAR ? COST_OF_LINEAR_MASK : COST_OF_MASK;
    if (kind & ELEMENT_COPIES_DESTINATION)
        return COST_OF_ISOLATED;
    return (kind & ELEMENT_RECT) && shows_upright ? 0 : COST_OF_LAYER;
}

/* ---- Segments ---- */

/* What the segments of a path come to in a picture. */
typedef struct path_sums {
    double lines;  /* thousandths of a step for all of them, as lines */
    double length; /* at least theirs, in pixels */
} path_sums;

/* Returns what a line costs that passes so many rows and columns of pixels. */
static double cost_of_line(double down, double across)
{
    return COST_OF_LINE * (1 + down / BAND_ROWS) + COST_OF_RUN * (down + across);
}

/* The part of an axis that the control points of a segment take, and how far they go to and fro. */
typedef struct span {
    double from, to, way, last;
} span;

static void extend(span *s, double at)
{
    s->way += s->from <= s->to ? fabs(at - s->last) : 0;
    s->from = fmin(s->from, at);
    s->to = fmax(s->to, at);
    s->last = at;
}

/* Returns how far a segment goes within bounds, at most. */
static double way_within(const span *s, int degree, double from, double to)
{
    return fmax(fmin(s->way, degree * (fmin(s->to, to) - fmax(s->from, from))), 0);
}

static path_sums sums_of_path(const stream_view *view, const stream_path *path, pietra_transform t, pietra_box seen)
{
    const uint8_t *tags = view->tags + path->first_segment;
    const float *from = view->points + 2 * (size_t)path->first_point;
    path_sums sums = {0, 0};
    for (uint32_t i = 0; i < path->segment_count; i++) {
        const int degree = tags[i] & TAG_POINTS_MASK;
        span x = {INFINITY, -INFINITY, 0, 0}, y = x;
        from += i > 0 && (tags[i] & TAG_FIRST) ? 2 : 0;
        for (int k = 0; k <= degree; k++) {
            extend(&x, t.a * (double)from[2 * k] + t.c * (double)from[2 * k + 1] + t.e);
            extend(&y, t.b * (double)from[2 * k] + t.d * (double)from[2 * k + 1] + t.f);
        }
        from += 2 * degree;
        sums.length += x.way + y.way;
        if (y.from < seen.y1 && y.to > seen.y0)
            sums.lines +=
                cost_of_line(way_within(&y, degree, seen.y0, seen.y1), way_within(&x, degree, seen.x0, seen.x1));
    }
    return sums;
}

/* Returns the most pixels that a stroke covers. */
static double area_of_stroke(const stream_style *style, const path_sums *sums, double segments, pietra_transform t)
{
    const double stretch = sqrt(t.a * t.a + t.b * t.b + t.c * t.c + t.d * t.d);
    const double reach = 1 + stretch * (double)style->half_width;
    const double corner = style->join == STYLE_JOIN_ROUND ? 1 : fmax((double)style->miter_limit, 1.5);
    return 2 * reach * (sums->length + 2 * segments * reach * corner);
}

/* ---- Elements ---- */

/* Returns the cost of a fill, a stroke or a clip by a path. */
static double cost_of_outline(const cost_walk *walk, const stream_element *element, pietra_transform t, pietra_box box,
                              double pixel_cost)
{
    const stream_path *path = &walk->view->paths[element->path];
    const bool is_stroke = element->style != STREAM_NONE;
    if (box_is_empty(box))
        return 0;
    const double bands = bands_of(walk, box);
    double area = area_of(walk, box),
           lines = path->segment_count * cost_of_line(height_of(walk, box), width_of(walk, box));
    if (walk->cover) {
        const path_sums sums = sums_of_path(walk->view, path, t, box);
        lines = fmin(lines, sums.lines);
        if (is_stroke)
            area = fmin(area, area_of_stroke(&walk->view->styles[element->style], &sums, path->segment_count, t));
    }
    return cost_of_pixels(walk, element, box, area, pixel_cost) + COST_OF_BAND * bands + (is_stroke ? 2 : 1) * lines;
}

/* Takes a kind without flags. Sources cost what their clips do. */
static bool is_painted(uint32_t kind)
{
    return kind == ELEMENT_FILL || kind == ELEMENT_STROKE || kind == ELEMENT_BEGIN_CLIP || kind == ELEMENT_BEGIN_GROUP;
}

static bool open_begin(cost_walk *walk, pietra_box clip)
{
    pietra_box *opened = array_push(&walk->clips);
    if (opened)
        *opened = clip;
    return opened != NULL;
}

/* What stands in an effect may be shown anywhere. */
static bool open_effect(cost_walk *walk)
{
    walk->effects++;
    return open_begin(walk, (pietra_box){-INFINITY, -INFINITY, INFINITY, INFINITY});
}

/* Adds the cost of an element. False: out of memory. */
static bool visit(cost_walk *walk, const stream_element *element, double *cost)
{
    const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    if (kind == ELEMENT_END_CLIP || kind == ELEMENT_END_GROUP || kind == ELEMENT_END_EFFECT)
        walk->clips.count--;
    walk->effects -= kind == ELEMENT_END_EFFECT ? 1 : 0;
    if (kind == ELEMENT_BEGIN_EFFECT)
        return open_effect(walk);
    if (!is_painted(kind))
        return true;
    const bool begins = kind_begins(kind);
    const pietra_transform t = transform_of(walk, element);
    const pietra_box box = kind_is_unbounded(element->kind) ? clip_of(walk) : box_of_element(walk, element, t);
    const double pixel_cost = begins ? cost_of_layer(element, is_upright(t))
                                     : cost_of_paint(&walk->view->paints[element->paint], is_upright(t));
    *cost += element->path != STREAM_NONE ? cost_of_outline(walk, element, t, box, pixel_cost)
                                          : cost_of_pixels(walk, element, box, area_of(walk, box), pixel_cost) +
                                                COST_OF_BAND * bands_of(walk, box);
    return !begins || open_begin(walk, box);
}

/* ---- Streams ---- */

/* Adds up what elements cost until it is more than `most`. */
static pietra_result sum_up(cost_walk *walk, double most, uint32_t *last, pietra_error *error, double *cost)
{
    bool good = true;
    uint32_t i = 0;
    *cost = 0;
    for (; i < walk->view->header->element_count && *cost <= most && good; i++)
        good = visit(walk, &walk->view->elements[i], cost);
    if (last && i > 0)
        *last = i - 1;
    array_free(&walk->clips);
    return good ? PIETRA_OK : error_set_memory(error);
}

pietra_result paint_cost(const stream_view *view, pietra_transform frame, int width, int height, double most,
                         bool is_fine, uint32_t *last, pietra_error *error, double *cost)
{
    cost_walk walk = {.view = view, .frame = frame, .whole = {0, 0, width, height}};
    pietra_result result = is_fine ? PIETRA_OK : sum_up(&walk, most, last, error, cost);
    if (result != PIETRA_OK || (!is_fine && *cost <= most))
        return result;
    walk.cover = malloc(sizeof *walk.cover);
    if (!walk.cover)
        return error_set_memory(error);
    paint_cover_find(view, frame, width, height, walk.cover);
    result = sum_up(&walk, most, last, error, cost);
    free(walk.cover);
    return result;
}

/* ---- At a glance ---- */

#define CLASSES_APART 16.0 /* times the numbers of a transform differ, from which on the smaller ones are alike */

/* Returns the class of a number of a transform: the least quarter power of two (2^(k/4)) above it. What is known of a
 * class is known of each frame in it, and for at most a fifth too much. */
static double class_of(double x, double largest)
{
    static const double quarters[3] = {0.5946035575013605, 0.7071067811865476, 0.8408964152537145};
    int exponent;
    const double mantissa = frexp(fmax(fabs(x), largest / CLASSES_APART), &exponent);
    for (int i = 0; i < 3; i++)
        if (mantissa < quarters[i])
            return x == 0 ? 0 : ldexp(quarters[i], exponent);
    return x == 0 ? 0 : ldexp(1, exponent);
}

/* Returns how far a path goes to and fro along both axes, at most. It is the sum of the control points' steps, which
 * takes a tenth of the time that looking at segments takes. */
static pietra_box ways_of_path(const stream_view *view, const stream_path *path)
{
    const float *points = view->points + 2 * (size_t)path->first_point;
    pietra_box ways = {0, 0, 0, 0};
    for (uint32_t i = 1; i < path->point_count; i++) {
        ways.x1 += fabs((double)points[2 * i] - (double)points[2 * i - 2]);
        ways.y1 += fabs((double)points[2 * i + 1] - (double)points[2 * i - 1]);
    }
    return ways;
}

/* Returns the sides of a box under a matrix and a frame, or of one that holds it. */
static pietra_box sides_under(const paint_cost_cache *cache, const stream_transform *t, double width, double height)
{
    const double across = fabs((double)t->a) * width + fabs((double)t->c) * height,
                 down = fabs((double)t->b) * width + fabs((double)t->d) * height;
    return (pietra_box){0, 0, cache->a * across + cache->c * down, cache->b * across + cache->d * down};
}

/* Returns what the lines of an element cost at most, given the sides of its box. */
static double cost_of_lines_anywhere(const paint_cost_cache *cache, const stream_view *view,
                                     const stream_element *element, double across, double down, bool by_ways)
{
    if (element->path == STREAM_NONE)
        return 0;
    const stream_path *path = &view->paths[element->path];
    const double times = element->style != STREAM_NONE ? 2 : 1;
    double cost = path->segment_count * cost_of_line(down, across);
    if (by_ways) {
        const pietra_box ways = ways_of_path(view, path);
        const pietra_box seen = sides_under(cache, &view->transforms[element->transform], ways.x1, ways.y1);
        cost = fmin(cost, path->segment_count * cost_of_line(0, 0) + cost_of_line(seen.y1, seen.x1));
    }
    return times * cost;
}

/* Returns what an element costs at most under frames of these sizes of numbers. */
static double cost_anywhere(const paint_cost_cache *cache, const stream_view *view, const stream_element *element,
                            bool by_ways)
{
    const double width = (double)element->box_x1 - (double)element->box_x0,
                 height = (double)element->box_y1 - (double)element->box_y0;
    const bool is_everywhere = kind_is_unbounded(element->kind);
    if (!(width >= 0 && height >= 0) && !is_everywhere)
        return 0;
    const pietra_box sides = sides_under(cache, &view->transforms[element->transform], width, height);
    const double area_most = cache->width * cache->height,
                 area = is_everywhere ? area_most : fmin((sides.x1 + 2) * (sides.y1 + 2), area_most),
                 across = fmin(sides.x1 + 2, cache->width),
                 down = is_everywhere ? cache->height : fmin(sides.y1 + 2, cache->height);
    const double pixel_cost = kind_begins(element->kind & ELEMENT_KIND_MASK)
                                  ? cost_of_layer(element, false)
                                  : cost_of_paint(&view->paints[element->paint], false);
    return pixel_cost * area + COST_OF_BAND * (1 + down / BAND_ROWS) +
           cost_of_lines_anywhere(cache, view, element, across, down, by_ways);
}

static double sum_anywhere(const paint_cost_cache *cache, const stream_view *view, bool by_ways)
{
    double cost = 0;
    for (uint32_t i = 0; i < view->header->element_count; i++)
        if (is_painted(view->elements[i].kind & ELEMENT_KIND_MASK))
            cost += cost_anywhere(cache, view, &view->elements[i], by_ways);
    return cost;
}

double paint_cost_known(paint_cost_cache *cache, const pietra_stream *stream, const frame_config *config, double most)
{
    const pietra_transform frame = config_widened(&config->transform);
    const double largest = fmax(fmax(fabs(frame.a), fabs(frame.b)), fmax(fabs(frame.c), fabs(frame.d)));
    const paint_cost_cache key = {.stream_id = stream_id(stream),
                                  .a = class_of(frame.a, largest),
                                  .b = class_of(frame.b, largest),
                                  .c = class_of(frame.c, largest),
                                  .d = class_of(frame.d, largest),
                                  .width = config->width,
                                  .height = config->height};
    if (cache->stream_id == key.stream_id && cache->a == key.a && cache->b == key.b && cache->c == key.c &&
        cache->d == key.d && cache->width == key.width && cache->height == key.height)
        return cache->cost;
    const stream_view view = stream_view_of(stream_words(stream));
    *cache = key;
    cache->cost = sum_anywhere(&key, &view, false);
    if (cache->cost > most)
        cache->cost = sum_anywhere(&key, &view, true);
    return cache->cost;
}

double paint_cost_bounded(const stream_view *view, const frame_bounds *bounds)
{
    double pixel = bounds->spill > 0 ? COST_OF_DEAR_BLEND : 0; /* of the dearest layer, and of the dearest paint */
    for (uint32_t i = 0; i < view->header->paint_count; i++)
        pixel = fmax(pixel, cost_of_paint(&view->paints[i], false));
    /* A segment costs as a line does. The rows and columns that lines pass are no more than their tile_lines have. */
    const double segment = 2 * COST_OF_LINE, tile_line = 2 * (COST_OF_LINE / BAND_ROWS + COST_OF_RUN) * TILE_SIDE;
    return pixel * TILE_PIXELS * bounds->tile_commands + COST_OF_BAND * bounds->rows +
           segment * (bounds->tasks + bounds->measures) + tile_line * bounds->tile_lines;
}
