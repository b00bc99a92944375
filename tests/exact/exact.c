/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "exact/exact.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact/exact_path.h"
#include "exact/exact_shadow.h"
#include "exact/exact_surface.h"

/* What a begin opens. A clip by a source holds its coverage once the source has ended. */
typedef struct layer {
    uint32_t kind;
    float opacity;
    float *pixels;
    float *coverage; /* a clip's; NULL until a source gives it */
} layer;

typedef struct painter {
    exact_stream stream;
    exact_matrix frame;
    uint32_t width, height;
    layer *layers;
    size_t depth, capacity;
    uint32_t sources; /* open clip sources; in them only alpha counts */
    float *scratch;   /* coverage of the current element */
} painter;

static size_t pixel_count(const painter *p)
{
    return (size_t)p->width * p->height;
}

static exact_matrix element_matrix(const painter *p, uint32_t index)
{
    stream_transform t = exact_stream_transform(&p->stream, index);
    double a = (double)t.a, b = (double)t.b, c = (double)t.c, d = (double)t.d;
    double e = (double)t.e + (double)t.e_low, f = (double)t.f + (double)t.f_low;
    const exact_matrix *m = &p->frame;
    return (exact_matrix){m->a * a + m->c * b, m->b * a + m->d * b,        m->a * c + m->c * d,
                          m->b * c + m->d * d, m->a * e + m->c * f + m->e, m->b * e + m->d * f + m->f};
}

static bool cover(painter *p, const stream_element *element, float *coverage)
{
    exact_edges edges = {.width = p->width, .height = p->height};
    exact_matrix matrix = element_matrix(p, element->transform);
    bool stroke = (element->kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE;
    if (stroke)
        exact_stroke(&p->stream, element->path, element->style, matrix, &edges);
    else
        exact_fill(&p->stream, element->path, matrix, &edges);
    pietra_fill_rule rule = element->kind & ELEMENT_EVEN_ODD ? PIETRA_FILL_EVEN_ODD : PIETRA_FILL_NONZERO;
    bool ok = exact_edges_cover(&edges, stroke ? PIETRA_FILL_NONZERO : rule, coverage);
    free(edges.items);
    return ok;
}

static bool radial_offset(const stream_paint *paint, double x, double y, double *offset)
{
    double c = (double)paint->centre_distance, r0 = (double)paint->r0, dr = (double)paint->dr;
    double a = c * c - dr * dr, b = x * c + r0 * dr, k = x * x + y * y - r0 * r0;
    double roots[2];
    if (fabs(a) < 1e-7 * (c * c + dr * dr)) {
        roots[0] = roots[1] = b != 0 ? k / (2 * b) : NAN;
    } else {
        double inner = b * b - a * k, root = sqrt(inner);
        if (inner < 0)
            return false;
        roots[0] = fmax((b + root) / a, (b - root) / a);
        roots[1] = fmin((b + root) / a, (b - root) / a);
    }
    for (int i = 0; i < 2; i++) {
        if (r0 + roots[i] * dr >= 0) {
            *offset = roots[i];
            return true;
        }
    }
    return false;
}

/* Returns a direction in turns, from 0 to 1. */
static double turn(double x, double y)
{
    double turned = atan2(y, x) / 6.283185307179586;
    return turned < 0 ? turned + 1 : turned;
}

static double spread_offset(uint32_t spread, double t)
{
    if (spread == SPREAD_REPEAT)
        return t - floor(t);
    if (spread == SPREAD_REFLECT) {
        t = fabs(t - 2 * floor(t / 2));
        return t > 1 ? 2 - t : t;
    }
    return fmin(fmax(t, 0), 1);
}

static void gradient_color(const painter *p, const stream_paint *paint, exact_point at, float *color)
{
    double x = (double)paint->a * at.x + (double)paint->c * at.y + (double)paint->e;
    double y = (double)paint->b * at.x + (double)paint->d * at.y + (double)paint->f;
    double t = x;
    memset(color, 0, 4 * sizeof *color);
    if (paint->kind == PAINT_RADIAL && !radial_offset(paint, x, y, &t))
        return;
    if (paint->kind == PAINT_SWEEP)
        t = (turn(x, y) - (double)paint->r0) * (double)paint->dr;
    t = spread_offset(paint->spread, t);
    stream_stop stop, next;
    const uint32_t *stops = p->stream.words + p->stream.header.stops + paint->first_stop * (sizeof stop / 4);
    memcpy(&stop, stops, sizeof stop);
    for (uint32_t i = 1; i < paint->stop_count; i++) {
        memcpy(&next, stops + i * (sizeof next / 4), sizeof next);
        if ((double)next.offset > t)
            break;
        stop = next;
    }
    double run = t - (double)stop.offset;
    double alpha = ((double)stop.base_a + run * (double)stop.slope_a) / 255 * paint->opacity / 255;
    color[0] = (float)(((double)stop.base_r + run * (double)stop.slope_r) / 255 * alpha);
    color[1] = (float)(((double)stop.base_g + run * (double)stop.slope_g) / 255 * alpha);
    color[2] = (float)(((double)stop.base_b + run * (double)stop.slope_b) / 255 * alpha);
    color[3] = (float)alpha;
}

static exact_point unapply(exact_matrix m, exact_point p)
{
    double determinant = m.a * m.d - m.b * m.c, x = p.x - m.e, y = p.y - m.f;
    return (exact_point){(m.d * x - m.c * y) / determinant, (m.a * y - m.b * x) / determinant};
}

static float to_level(float x)
{
    return roundf(255 * x) / 255;
}

/* Composites a premultiplied colour onto a pixel, both with 8 bits a channel. */
static void lay_over(float *below, const float *color, float weight)
{
    float rest = 1 - to_level(color[3] * weight);
    for (int c = 0; c < 4; c++)
        below[c] = to_level(below[c] * rest) + to_level(color[c] * weight);
}

/* Gives the colour of a paint at a pixel. In a clip's source colours do not matter. */
static void pixel_color(const painter *p, const stream_paint *paint, const exact_surface *surface, exact_matrix matrix,
                        size_t pixel, float *color)
{
    uint32_t x = (uint32_t)(pixel % p->width), y = (uint32_t)(pixel / p->width);
    if (p->sources)
        color[0] = color[1] = color[2] = color[3] = 1;
    else if (paint->kind == PAINT_SOLID)
        for (int c = 0; c < 4; c++)
            color[c] = (float)(paint->color >> 8 * c & 0xff) / 255;
    else if (paint->kind == PAINT_SURFACE)
        exact_surface_color(surface, paint, matrix, x, y, color);
    else if (paint->kind == PAINT_BOX_SHADOW)
        exact_shadow_color(&p->stream, paint, matrix, x, y, color);
    else
        gradient_color(p, paint, unapply(matrix, (exact_point){x + 0.5, y + 0.5}), color);
}

static bool paint_element(painter *p, const stream_element *element)
{
    if (!cover(p, element, p->scratch))
        return false;
    stream_paint paint;
    memcpy(&paint, p->stream.words + p->stream.header.paints + element->paint * (sizeof paint / 4), sizeof paint);
    exact_matrix matrix = element_matrix(p, element->transform);
    exact_surface surface = {0};
    bool ok = p->sources || paint.kind != PAINT_SURFACE || exact_surface_draw(&p->stream, &paint, matrix, &surface);
    float *pixels = p->layers[p->depth - 1].pixels, color[4];
    for (size_t i = 0; ok && i < pixel_count(p); i++) {
        if (p->scratch[i] > 0) {
            pixel_color(p, &paint, &surface, matrix, i, color);
            lay_over(pixels + 4 * i, color, p->scratch[i]);
        }
    }
    free(surface.pixels);
    return ok;
}

static bool push(painter *p, uint32_t kind, float opacity)
{
    if (p->depth == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 16;
        layer *layers = realloc(p->layers, capacity * sizeof *layers);
        if (!layers)
            return false;
        p->layers = layers;
        p->capacity = capacity;
    }
    float *pixels = calloc(pixel_count(p), 4 * sizeof *pixels);
    if (!pixels)
        return false;
    p->layers[p->depth++] = (layer){kind, opacity, pixels, NULL};
    return true;
}

static bool begin_clip(painter *p, const stream_element *element)
{
    if (!push(p, ELEMENT_BEGIN_CLIP, 1))
        return false;
    if (element->path == STREAM_NONE)
        return true;
    float *coverage = malloc(pixel_count(p) * sizeof *coverage);
    p->layers[p->depth - 1].coverage = coverage;
    return coverage && cover(p, element, coverage);
}

static bool end_source(painter *p)
{
    layer *source = &p->layers[--p->depth], *clip = source - 1;
    assert(source->kind == ELEMENT_BEGIN_CLIP_SOURCE && clip->kind == ELEMENT_BEGIN_CLIP && !clip->coverage);
    p->sources--;
    clip->coverage = malloc(pixel_count(p) * sizeof *clip->coverage);
    for (size_t i = 0; clip->coverage && i < pixel_count(p); i++)
        clip->coverage[i] = source->pixels[4 * i + 3];
    free(source->pixels);
    return clip->coverage;
}

static void pop(painter *p)
{
    assert(p->depth >= 2);
    layer *top = &p->layers[--p->depth];
    for (size_t i = 0; i < pixel_count(p); i++)
        lay_over((top - 1)->pixels + 4 * i, top->pixels + 4 * i, top->coverage ? top->coverage[i] : top->opacity);
    free(top->pixels);
    free(top->coverage);
}

static bool draw_element(painter *p, const stream_element *element)
{
    switch (element->kind & ELEMENT_KIND_MASK) {
    case ELEMENT_FILL:
    case ELEMENT_STROKE:
        return paint_element(p, element);
    case ELEMENT_BEGIN_CLIP:
        return begin_clip(p, element);
    case ELEMENT_BEGIN_CLIP_SOURCE:
        p->sources++;
        return push(p, ELEMENT_BEGIN_CLIP_SOURCE, 1);
    case ELEMENT_END_CLIP_SOURCE:
        return end_source(p);
    case ELEMENT_BEGIN_GROUP:
        return push(p, ELEMENT_BEGIN_GROUP, (float)element->opacity / 255);
    case ELEMENT_END_CLIP:
    case ELEMENT_END_GROUP:
        pop(p);
        return true;
    default:
        assert(false && "an element that the exact renderer does not know");
        return false;
    }
}

bool exact_render_words(const uint32_t *words, pietra_transform t, uint32_t width, uint32_t height, float *pixels)
{
    painter p = {.frame = {t.a, t.b, t.c, t.d, t.e, t.f}, .width = width, .height = height};
    p.stream.words = words;
    memcpy(&p.stream.header, p.stream.words, sizeof p.stream.header);
    assert(p.stream.header.magic == STREAM_MAGIC && p.stream.header.version == STREAM_VERSION);
    p.scratch = malloc(pixel_count(&p) * sizeof *p.scratch);
    bool ok = p.scratch && push(&p, 0, 1);
    for (uint32_t i = 0; ok && i < p.stream.header.element_count; i++) {
        stream_element element;
        memcpy(&element, p.stream.words + p.stream.header.elements + i * (sizeof element / 4), sizeof element);
        ok = draw_element(&p, &element);
    }
    if (ok)
        memcpy(pixels, p.layers[0].pixels, 4 * pixel_count(&p) * sizeof *pixels);
    for (size_t i = 0; i < p.depth; i++) {
        free(p.layers[i].pixels);
        free(p.layers[i].coverage);
    }
    free(p.layers);
    free(p.scratch);
    return ok;
}

bool exact_render(const pietra_stream *stream, const pietra_frame *frame, uint32_t width, uint32_t height,
                  float *pixels)
{
    static const pietra_frame plain;
    frame = frame ? frame : &plain;
    pietra_transform t = frame->transform;
    if (t.a == 0 && t.b == 0 && t.c == 0 && t.d == 0 && t.e == 0 && t.f == 0)
        t.a = t.d = 1;
    size_t byte_count;
    if (!exact_render_words(pietra_stream_bytes(stream, &byte_count), t, width, height, pixels))
        return false;
    pietra_color b = frame->background;
    for (size_t i = 0; i < (size_t)width * height; i++) {
        float below[4] = {b.r * b.a, b.g * b.a, b.b * b.a, b.a};
        lay_over(below, pixels + 4 * i, 1);
        memcpy(pixels + 4 * i, below, sizeof below);
    }
    return true;
}

exact_difference exact_compare(uint32_t width, uint32_t height, const float *exact, const uint8_t *pixels,
                               bool straight, double limit)
{
    exact_difference result = {0};
    double sum = 0, counted = 0;
    for (size_t i = 0; i < (size_t)width * height; i++) {
        double alpha = pixels[4 * i + 3], worst = 0;
        for (size_t c = 0; c < 4; c++) {
            double level = pixels[4 * i + c] * (straight && c < 3 ? alpha / 255 : 1);
            double difference = fabs(level - 255 * (double)exact[4 * i + c]);
            sum += difference;
            worst = fmax(worst, difference);
        }
        counted += alpha > 0 || exact[4 * i + 3] > 0 ? 4 : 0;
        result.above += worst > limit;
        if (worst > result.greatest) {
            result.greatest = worst;
            result.x = (uint32_t)(i % width);
            result.y = (uint32_t)(i / width);
        }
    }
    result.mean = counted > 0 ? sum / counted : 0;
    return result;
}
