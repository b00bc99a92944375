/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/paint_cost.h"

#include <math.h>

#include "base/array.h"
#include "base/bend.h"
#include "base/error.h"
#include "base/transform.h"
#include "lib/element_kind.h"
#include "render/frame/config.h"

/* Thousandths of a step, as measured on the CPU device at 1,000 pixels: for each pixel of a box. */
#define COST_OF_SOLID 0.15
#define COST_OF_LINEAR 2.3
#define COST_OF_ROUND 5.0     /* a radial or a sweep gradient */
#define COST_OF_STOP_ROOT 0.8 /* of a gradient, on top: for the root of the number of stops, where they are many */
#define COST_OF_NEAREST 2.0
#define COST_OF_IMAGE 42.0
#define COST_OF_SURFACE 22.0
#define COST_OF_BOX_SHADOW 22.0
/* For each pixel of a layer's box. */
#define COST_OF_LAYER 1.2
#define COST_OF_MASK 1.5
#define COST_OF_LINEAR_MASK 12.0
#define COST_OF_ISOLATED 2.0
#define COST_OF_BLEND 7.0
#define COST_OF_DEAR_BLEND 20.0 /* a mode with a root, or of all channels together */
/* For each band of rows that an element, or one of its lines, passes. */
#define COST_OF_BAND 350.0
#define COST_OF_LINE 100.0

#define BAND_ROWS 16.0
#define FEW_STOPS 8u

typedef struct cost_walk {
    const stream_view *view;
    pietra_transform frame;
    pietra_box whole;        /* the picture, in pixels */
    bool is_fine;            /* segments are looked at one by one */
    ARRAY(pietra_box) clips; /* of the begins that are open */
} cost_walk;

/* ---- Boxes ---- */

static pietra_box intersection_of(pietra_box a, pietra_box b)
{
    return (pietra_box){fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1)};
}

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
    return intersection_of((pietra_box){box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1}, clip_of(walk));
}

/* What stands in an effect may lie anywhere, and cover as much as the picture. */
static double area_of(const cost_walk *walk, pietra_box box)
{
    return box_is_empty(box) ? 0 : fmin((box.x1 - box.x0) * (box.y1 - box.y0), walk->whole.x1 * walk->whole.y1);
}

static double bands_of(const cost_walk *walk, pietra_box box)
{
    return box_is_empty(box) ? 0 : 1 + fmin(box.y1 - box.y0, walk->whole.y1) / BAND_ROWS;
}

static bool is_upright(pietra_transform t)
{
    return (t.b == 0 && t.c == 0) || (t.a == 0 && t.d == 0);
}

/* ---- Costs of pixels ---- */

static double cost_of_stops(const stream_paint *paint)
{
    return paint->stop_count > FEW_STOPS ? COST_OF_STOP_ROOT * sqrt((double)paint->stop_count) : 0;
}

static double cost_of_paint(const stream_paint *paint)
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
        return COST_OF_BOX_SHADOW;
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
    double bands, length;
} path_sums;

static path_sums sums_of_path(const stream_view *view, const stream_path *path, pietra_transform t, pietra_box seen)
{
    const uint8_t *tags = view->tags + path->first_segment;
    const float *from = view->points + 2 * (size_t)path->first_point;
    path_sums sums = {0, 0};
    for (uint32_t i = 0; i < path->segment_count; i++) {
        const int degree = tags[i] & TAG_POINTS_MASK;
        from += i > 0 && (tags[i] & TAG_FIRST) ? 2 : 0;
        double top = INFINITY, bottom = -INFINITY, down = 0, across = 0, x = 0, y = 0;
        for (int k = 0; k <= degree; k++) {
            const double px = (double)from[2 * k], py = (double)from[2 * k + 1];
            const double qx = t.a * px + t.c * py + t.e, qy = t.b * px + t.d * py + t.f;
            down += k > 0 ? fabs(qy - y) : 0;
            across += k > 0 ? fabs(qx - x) : 0;
            top = fmin(top, qy);
            bottom = fmax(bottom, qy);
            x = qx;
            y = qy;
        }
        from += 2 * degree;
        sums.length += down + across;
        if (top < seen.y1 && bottom > seen.y0)
            sums.bands += 1 + fmin(down, degree * (fmin(bottom, seen.y1) - fmax(top, seen.y0))) / BAND_ROWS;
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
    double area = area_of(walk, box), bands = bands_of(walk, box), lines = path->segment_count * bands;
    if (box_is_empty(box))
        return 0;
    if (walk->is_fine) {
        const path_sums sums = sums_of_path(walk->view, path, t, box);
        lines = fmin(lines, sums.bands);
        if (is_stroke)
            area = fmin(area, area_of_stroke(&walk->view->styles[element->style], &sums, path->segment_count, t));
    }
    return pixel_cost * area + COST_OF_BAND * bands + COST_OF_LINE * (is_stroke ? 2 : 1) * lines;
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
    return open_begin(walk, (pietra_box){-INFINITY, -INFINITY, INFINITY, INFINITY});
}

/* Adds the cost of an element. False: out of memory. */
static bool visit(cost_walk *walk, const stream_element *element, double *cost)
{
    const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    if (kind == ELEMENT_END_CLIP || kind == ELEMENT_END_GROUP || kind == ELEMENT_END_EFFECT)
        walk->clips.count--;
    if (kind == ELEMENT_BEGIN_EFFECT)
        return open_effect(walk);
    if (!is_painted(kind))
        return true;
    const bool begins = kind_begins(kind);
    const pietra_transform t = transform_of(walk, element);
    const pietra_box box = kind_is_unbounded(element->kind) ? clip_of(walk) : box_of_element(walk, element, t);
    const double pixel_cost =
        begins ? cost_of_layer(element, is_upright(t)) : cost_of_paint(&walk->view->paints[element->paint]);
    *cost += element->path != STREAM_NONE ? cost_of_outline(walk, element, t, box, pixel_cost)
                                          : pixel_cost * area_of(walk, box) + COST_OF_BAND * bands_of(walk, box);
    return !begins || open_begin(walk, box);
}

/* ---- Streams ---- */

/* Adds up what elements cost until it is more than `most`. */
static pietra_result sum_up(cost_walk *walk, double most, pietra_error *error, double *cost)
{
    bool good = true;
    *cost = 0;
    for (uint32_t i = 0; i < walk->view->header->element_count && *cost <= most && good; i++)
        good = visit(walk, &walk->view->elements[i], cost);
    array_free(&walk->clips);
    return good ? PIETRA_OK : error_set_memory(error);
}

pietra_result paint_cost(const stream_view *view, pietra_transform frame, int width, int height, double most,
                         pietra_error *error, double *cost)
{
    cost_walk walk = {.view = view, .frame = frame, .whole = {0, 0, width, height}};
    const pietra_result result = sum_up(&walk, most, error, cost);
    if (result != PIETRA_OK || *cost <= most)
        return result;
    walk.is_fine = true;
    return sum_up(&walk, most, error, cost);
}

/* ---- At a glance ---- */

/* Returns the least power of two that is larger, or 0 for 0. */
static double power_above(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return x == 0 ? 0 : ldexp(1, exponent);
}

/* Returns what an element costs at most under frames of these sizes of numbers. */
static double cost_anywhere(const paint_cost_cache *cache, const stream_view *view, const stream_element *element,
                            double area_most)
{
    const stream_transform *t = &view->transforms[element->transform];
    const double own_width = (double)element->box_x1 - (double)element->box_x0,
                 own_height = (double)element->box_y1 - (double)element->box_y0;
    if (!(own_width >= 0 && own_height >= 0) && !kind_is_unbounded(element->kind))
        return 0;
    const double width = fabs((double)t->a) * own_width + fabs((double)t->c) * own_height,
                 height = fabs((double)t->b) * own_width + fabs((double)t->d) * own_height;
    const double across = cache->a * width + cache->c * height + 2, down = cache->b * width + cache->d * height + 2;
    const bool is_everywhere = kind_is_unbounded(element->kind);
    const double area = is_everywhere ? area_most : fmin(across * down, area_most);
    const double bands = 1 + (is_everywhere ? cache->height : fmin(down, cache->height)) / BAND_ROWS;
    const double lines = element->path != STREAM_NONE ? view->paths[element->path].segment_count : 0;
    const double pixel_cost = kind_begins(element->kind & ELEMENT_KIND_MASK)
                                  ? cost_of_layer(element, false)
                                  : cost_of_paint(&view->paints[element->paint]);
    return pixel_cost * area + bands * (COST_OF_BAND + COST_OF_LINE * (element->style != STREAM_NONE ? 2 : 1) * lines);
}

/* Finds what all elements cost at most, wherever they lie, and keeps it for frames that are much the same. */
static void find_known(paint_cost_cache *cache, const pietra_stream *stream, const frame_config *config)
{
    const pietra_transform frame = config_widened(&config->transform);
    const paint_cost_cache key = {.stream_id = stream_id(stream),
                                  .a = power_above(fabs(frame.a)),
                                  .b = power_above(fabs(frame.b)),
                                  .c = power_above(fabs(frame.c)),
                                  .d = power_above(fabs(frame.d)),
                                  .width = config->width,
                                  .height = config->height};
    if (cache->stream_id == key.stream_id && cache->a == key.a && cache->b == key.b && cache->c == key.c &&
        cache->d == key.d && cache->width == key.width && cache->height == key.height)
        return;
    const stream_view view = stream_view_of(stream_words(stream));
    *cache = key;
    for (uint32_t i = 0; i < view.header->element_count; i++)
        if (is_painted(view.elements[i].kind & ELEMENT_KIND_MASK))
            cache->cost += cost_anywhere(cache, &view, &view.elements[i], key.width * key.height);
}

pietra_result paint_cost_check(paint_cost_cache *cache, const pietra_stream *stream, const frame_config *config,
                               double most, pietra_error *error)
{
    const pietra_transform frame = config_widened(&config->transform);
    double cost;
    if (most == 0)
        return PIETRA_OK;
    find_known(cache, stream, config);
    if (cache->cost <= most)
        return PIETRA_OK;
    const stream_view view = stream_view_of(stream_words(stream));
    const pietra_result result = paint_cost(&view, frame, config->width, config->height, most, error, &cost);
    return result == PIETRA_OK && cost > most ? paint_cost_error(most, error) : result;
}

pietra_result paint_cost_error(double most, pietra_error *error)
{
    return error_set(error, PIETRA_ERROR_INPUT, 0, "more than %.0f steps of painting at this size (limit \"steps\")",
                     most / 1000);
}
