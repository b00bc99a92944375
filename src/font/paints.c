/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws the graphs of paints of COLR into scenes. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/transform.h"
#include "font/picture.h"

#define MOST_STOPS 1024u /* stops that are read of a line of colours */
#define TWEENS 8u        /* steps between stops of different alpha */
#define UNBOUNDED 16     /* ems: how far a paint reaches that nothing bounds */

/* Formats of paints. The odd ones behind the second are those before them with variations, up to a glyph. */
enum {
    PAINT_LAYERS = 1,
    PAINT_SOLID = 2,
    PAINT_LINEAR = 4,
    PAINT_RADIAL = 6,
    PAINT_SWEEP = 8,
    PAINT_GLYPH = 10,
    PAINT_COLR_GLYPH = 11,
    PAINT_TRANSFORM = 12,
    PAINT_TRANSLATE = 14,
    PAINT_SCALE = 16,
    PAINT_SCALE_ABOUT = 18,
    PAINT_SCALE_EVENLY = 20,
    PAINT_SCALE_EVENLY_ABOUT = 22,
    PAINT_ROTATE = 24,
    PAINT_ROTATE_ABOUT = 26,
    PAINT_SKEW = 28,
    PAINT_SKEW_ABOUT = 30,
    PAINT_COMPOSITE = 32,
};

/* Modes of composition. From SCREEN on they are blend modes. */
enum {
    COMPOSITE_CLEAR,
    COMPOSITE_SOURCE,
    COMPOSITE_DESTINATION,
    COMPOSITE_OVER,
    COMPOSITE_BELOW,
    COMPOSITE_IN,
    COMPOSITE_DESTINATION_IN,
    COMPOSITE_OUT,
    COMPOSITE_DESTINATION_OUT,
    COMPOSITE_ATOP,
    COMPOSITE_DESTINATION_ATOP,
    COMPOSITE_XOR,
    COMPOSITE_PLUS,
    COMPOSITE_SCREEN,
    COMPOSITE_LAST = COMPOSITE_SCREEN + 14,
};

typedef struct painter {
    const pietra_font *font;
    const colr *colr;
    picture_request *request;
    pietra_path *path;
    font_outline outline;
    pietra_result result;
    uint32_t paint_count;
    uint64_t segment_count;
} painter;

/* Where a paint stands. Spaces are of units, y up; they lead to those of the scene. */
typedef struct place {
    pietra_transform space;
    pietra_box box; /* in the scene: all that can be seen of it */
    unsigned depth;
} place;

static bool go_on(const painter *painter)
{
    return painter->result == PIETRA_OK;
}

static void take(painter *painter, pietra_result result)
{
    if (painter->result == PIETRA_OK)
        painter->result = result;
}

/* ---- Numbers ---- */

/* The numbers of a paint or a stop. The index of their first variation stands behind them. */
typedef struct fields {
    const painter *painter;
    font_bytes bytes;
    uint32_t variation; /* FONT_NO_VARIATION: they do not vary */
} fields;

static double vary(const fields *fields, double value, uint32_t index)
{
    if (fields->variation >= FONT_NO_VARIATION - index)
        return value;
    return value + variation_delta(&fields->painter->colr->variations, fields->variation + index);
}

/* Gives a number in units; `index` counts the numbers that can vary. */
static double units(const fields *fields, size_t at, uint32_t index)
{
    return vary(fields, font_i16(fields->bytes, at), index);
}

static double fraction(const fields *fields, size_t at, uint32_t index)
{
    return units(fields, at, index) / 16384;
}

static double degrees(const fields *fields, size_t at, uint32_t index)
{
    return fraction(fields, at, index) * 180;
}

static double fixed(const fields *fields, size_t at, uint32_t index)
{
    const int64_t value = font_u32(fields->bytes, at);
    return vary(fields, (double)(value < 0x80000000 ? value : value - 0x100000000), index) / 65536;
}

static uint32_t read_u24(font_bytes bytes, size_t offset)
{
    return (uint32_t)font_u8(bytes, offset) << 16 | font_u16(bytes, offset + 1);
}

static fields fields_of(const painter *painter, font_bytes bytes, size_t variation_at)
{
    const bool varies = font_u8(bytes, 0) % 2 == 1;
    return (fields){painter, bytes, varies ? font_u32(bytes, variation_at) : FONT_NO_VARIATION};
}

/* ---- Colours ---- */

static float clamp(double value)
{
    return (float)(value < 0 ? 0 : value > 1 ? 1 : value);
}

/* A colour that is missing is transparent. */
static pietra_color find_color(const painter *painter, uint32_t index, double alpha)
{
    pietra_color color = {0};
    if (index == COLR_FOREGROUND) {
        const pietra_paint *foreground = painter->request->foreground;
        painter->request->has_foreground = true;
        color = foreground->kind == PIETRA_PAINT_SOLID ? foreground->color : (pietra_color){0, 0, 0, 1};
        color.a *= 1 - foreground->transparency;
    } else {
        colr_color(painter->colr, index, &color);
    }
    color.a *= clamp(alpha);
    return color;
}

static pietra_paint make_solid(const painter *painter, uint32_t index, double alpha)
{
    if (index != COLR_FOREGROUND || painter->request->foreground->kind == PIETRA_PAINT_SOLID)
        return (pietra_paint){.color = find_color(painter, index, alpha)};
    pietra_paint paint = *painter->request->foreground;
    painter->request->has_foreground = true;
    paint.transparency = 1 - (1 - paint.transparency) * clamp(alpha);
    return paint;
}

/* A line of colours, with its offsets from 0 to 1. */
typedef struct color_line {
    pietra_stop *stops; /* owned */
    size_t count;
    pietra_spread spread;
    double first, last; /* the offsets that became 0 and 1 */
} color_line;

typedef struct raw_stop {
    double offset;
    uint32_t order;
    pietra_color color;
} raw_stop;

static int compare_stops(const void *a, const void *b)
{
    const raw_stop *x = a, *y = b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : (x->order > y->order) - (x->order < y->order);
}

/* Colours of lines mix with their alphas (premultiplied), those of scenes do not: where alphas differ, stops between
 * come close. */
static void add_stop(color_line *line, const raw_stop *before, const raw_stop *stop, double span)
{
    if (before && before->color.a != stop->color.a && stop->offset > before->offset)
        for (unsigned i = 1; i < TWEENS; i++) {
            const double t = (double)i / TWEENS, a = (double)before->color.a, b = (double)stop->color.a;
            const double alpha = a + (b - a) * t, share = alpha > 0 ? b * t / alpha : 0;
            const pietra_color c = before->color, d = stop->color;
            line->stops[line->count++] =
                (pietra_stop){(float)((before->offset + (stop->offset - before->offset) * t - line->first) / span),
                              {c.r + (d.r - c.r) * (float)share, c.g + (d.g - c.g) * (float)share,
                               c.b + (d.b - c.b) * (float)share, (float)alpha}};
        }
    line->stops[line->count++] = (pietra_stop){(float)((stop->offset - line->first) / span), stop->color};
}

/* Where all stops lie in one place, that place is 0, and 1 lies one unit behind it. */
static bool read_line(painter *painter, font_bytes bytes, bool varies, color_line *line)
{
    static const pietra_spread spreads[] = {PIETRA_SPREAD_PAD, PIETRA_SPREAD_REPEAT, PIETRA_SPREAD_REFLECT};
    const size_t stop_bytes = varies ? 10 : 6;
    size_t count = font_u16(bytes, 1);
    count = count < MOST_STOPS ? count : MOST_STOPS;
    *line = (color_line){.spread = font_u8(bytes, 0) < 3 ? spreads[font_u8(bytes, 0)] : PIETRA_SPREAD_PAD};
    while (count > 0 && !font_has(bytes, 3, count * stop_bytes))
        count--;
    raw_stop *raw = malloc((count + 1) * sizeof *raw);
    line->stops = malloc((count * TWEENS + 1) * sizeof *line->stops);
    if (!raw || !line->stops) {
        free(raw);
        free(line->stops);
        take(painter, error_set_memory(painter->request->error));
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const font_bytes stop = font_after(bytes, 3 + i * stop_bytes);
        const fields numbers = {painter, stop, varies ? font_u32(stop, 6) : FONT_NO_VARIATION};
        raw[i] = (raw_stop){fraction(&numbers, 0, 0), (uint32_t)i,
                            find_color(painter, font_u16(stop, 2), fraction(&numbers, 4, 1))};
    }
    qsort(raw, count, sizeof *raw, compare_stops);
    line->first = count ? raw[0].offset : 0;
    line->last = count ? raw[count - 1].offset : 1;
    const bool together = line->first == line->last;
    if (together)
        line->last = line->first + 1;
    if (together && line->spread != PIETRA_SPREAD_PAD)
        count = 0; /* there is nothing to repeat */
    for (size_t i = 0; i < count; i++)
        add_stop(line, i ? &raw[i - 1] : NULL, &raw[i], line->last - line->first);
    free(raw);
    return true;
}

/* ---- Filling ---- */

static void fill(painter *painter, const pietra_paint *paint)
{
    if (go_on(painter))
        take(painter, pietra_scene_fill(painter->request->scene, painter->path, NULL, PIETRA_FILL_NONZERO, paint,
                                        painter->request->error));
}

static void fill_gradient(painter *painter, const color_line *line, pietra_paint paint, pietra_transform space)
{
    paint.stops = line->stops;
    paint.stop_count = line->count;
    paint.spread = line->spread;
    paint.transform = space;
    if (line->count > 0)
        fill(painter, &paint);
}

/* The third point turns the gradient: colours run at a right angle to the way to it from the first one. */
static void fill_linear(painter *painter, font_bytes bytes, pietra_transform space)
{
    const fields numbers = fields_of(painter, bytes, 16);
    const double x0 = units(&numbers, 4, 0), y0 = units(&numbers, 6, 1), x1 = units(&numbers, 8, 2) - x0,
                 y1 = units(&numbers, 10, 3) - y0, x2 = units(&numbers, 12, 4) - x0, y2 = units(&numbers, 14, 5) - y0;
    const double across = x2 * x2 + y2 * y2, reach = across > 0 ? (x1 * y2 - y1 * x2) / across : 0;
    color_line line;
    if (!read_line(painter, font_after(bytes, read_u24(bytes, 1)), font_u8(bytes, 0) % 2, &line))
        return;
    const double x = reach * y2, y = -reach * x2;
    const pietra_paint paint = {.kind = PIETRA_PAINT_LINEAR,
                                .x0 = x0 + x * line.first,
                                .y0 = y0 + y * line.first,
                                .x1 = x0 + x * line.last,
                                .y1 = y0 + y * line.last};
    if (x != 0 || y != 0)
        fill_gradient(painter, &line, paint, space);
    free(line.stops);
}

/* A radius that would be less than 0 is 0. */
static void fill_radial(painter *painter, font_bytes bytes, pietra_transform space)
{
    const fields numbers = fields_of(painter, bytes, 16);
    const double x0 = units(&numbers, 4, 0), y0 = units(&numbers, 6, 1), x1 = units(&numbers, 10, 3) - x0,
                 y1 = units(&numbers, 12, 4) - y0;
    const double r0 = vary(&numbers, font_u16(bytes, 8), 2), r1 = vary(&numbers, font_u16(bytes, 14), 5) - r0;
    color_line line;
    if (!read_line(painter, font_after(bytes, read_u24(bytes, 1)), font_u8(bytes, 0) % 2, &line))
        return;
    const pietra_paint paint = {.kind = PIETRA_PAINT_RADIAL,
                                .x0 = x0 + x1 * line.first,
                                .y0 = y0 + y1 * line.first,
                                .r0 = fmax(r0 + r1 * line.first, 0),
                                .x1 = x0 + x1 * line.last,
                                .y1 = y0 + y1 * line.last,
                                .r1 = fmax(r0 + r1 * line.last, 0)};
    fill_gradient(painter, &line, paint, space);
    free(line.stops);
}

/* Fills painter->path. */
static void fill_leaf(painter *painter, font_bytes bytes, pietra_transform space)
{
    switch (font_u8(bytes, 0) & ~1u) {
    case PAINT_SOLID: {
        const fields numbers = fields_of(painter, bytes, 5);
        const pietra_paint paint = make_solid(painter, font_u16(bytes, 1), fraction(&numbers, 3, 0));
        fill(painter, &paint);
        break;
    }
    case PAINT_LINEAR:
        fill_linear(painter, bytes, space);
        break;
    case PAINT_RADIAL:
        fill_radial(painter, bytes, space);
        break;
    default:
        painter->request->left_out = "sweep gradients";
        break;
    }
}

static bool is_leaf(unsigned format)
{
    return format >= PAINT_SOLID && format < PAINT_GLYPH;
}

/* ---- Spaces ---- */

static bool is_transform(unsigned format)
{
    return format >= PAINT_TRANSFORM && format < PAINT_COMPOSITE;
}

static pietra_transform about(const fields *numbers, pietra_transform transform, size_t at, uint32_t index)
{
    const double x = units(numbers, at, index), y = units(numbers, at + 2, index + 1);
    return transform_multiply(transform_multiply(transform_translate(x, y), transform), transform_translate(-x, -y));
}

static pietra_transform skew(double x_degrees, double y_degrees)
{
    return (pietra_transform){1, tan(y_degrees * RADIANS_PER_DEGREE), -tan(x_degrees * RADIANS_PER_DEGREE), 1, 0, 0};
}

static pietra_transform read_affine(const painter *painter, font_bytes bytes)
{
    const font_bytes matrix = font_after(bytes, read_u24(bytes, 4));
    const bool varies = font_u8(bytes, 0) % 2 == 1;
    const fields numbers = {painter, matrix, varies ? font_u32(matrix, 24) : FONT_NO_VARIATION};
    return (pietra_transform){fixed(&numbers, 0, 0),  fixed(&numbers, 4, 1),  fixed(&numbers, 8, 2),
                              fixed(&numbers, 12, 3), fixed(&numbers, 16, 4), fixed(&numbers, 20, 5)};
}

static pietra_transform read_transform(const painter *painter, font_bytes bytes)
{
    static const uint8_t variations_at[16] = {
        [PAINT_TRANSLATE / 2] = 8,     [PAINT_SCALE / 2] = 8,  [PAINT_SCALE_ABOUT / 2] = 12,
        [PAINT_SCALE_EVENLY / 2] = 6,  [PAINT_ROTATE / 2] = 6, [PAINT_SCALE_EVENLY_ABOUT / 2] = 10,
        [PAINT_ROTATE_ABOUT / 2] = 10, [PAINT_SKEW / 2] = 8,   [PAINT_SKEW_ABOUT / 2] = 12,
    };
    const unsigned format = font_u8(bytes, 0) & ~1u;
    const fields n = fields_of(painter, bytes, variations_at[format / 2 % 16]);
    switch (format) {
    case PAINT_TRANSFORM:
        return read_affine(painter, bytes);
    case PAINT_TRANSLATE:
        return transform_translate(units(&n, 4, 0), units(&n, 6, 1));
    case PAINT_SCALE:
        return transform_scale(fraction(&n, 4, 0), fraction(&n, 6, 1));
    case PAINT_SCALE_ABOUT:
        return about(&n, transform_scale(fraction(&n, 4, 0), fraction(&n, 6, 1)), 8, 2);
    case PAINT_SCALE_EVENLY:
        return transform_scale(fraction(&n, 4, 0), fraction(&n, 4, 0));
    case PAINT_SCALE_EVENLY_ABOUT:
        return about(&n, transform_scale(fraction(&n, 4, 0), fraction(&n, 4, 0)), 6, 1);
    case PAINT_ROTATE:
        return transform_rotate(degrees(&n, 4, 0));
    case PAINT_ROTATE_ABOUT:
        return about(&n, transform_rotate(degrees(&n, 4, 0)), 6, 1);
    case PAINT_SKEW:
        return skew(degrees(&n, 4, 0), degrees(&n, 6, 1));
    default:
        return about(&n, skew(degrees(&n, 4, 0), degrees(&n, 6, 1)), 8, 2);
    }
}

/* ---- Glyphs ---- */

/* Makes painter->path the outline of a glyph. False: there is none. */
static bool build_outline(painter *painter, uint32_t glyph, pietra_transform space)
{
    font_outline *outline = &painter->outline;
    outline->verbs.count = outline->coordinates.count = 0;
    const char *wrong = font_find_outline(painter->font, glyph, outline);
    if (wrong == font_out_of_memory)
        take(painter, error_set_memory(painter->request->error));
    if (wrong || outline->verbs.count == 0)
        return false;
    for (size_t i = 0; i + 1 < outline->coordinates.count; i += 2) {
        outline->coordinates.items[i + 1] = -outline->coordinates.items[i + 1];
        transform_point(space, &outline->coordinates.items[i], &outline->coordinates.items[i + 1]);
        if (!isfinite(outline->coordinates.items[i]) || !isfinite(outline->coordinates.items[i + 1]))
            return false;
    }
    if (!painter->request->spend(painter->request->user, outline->verbs.count)) {
        take(painter, PIETRA_ERROR_INPUT);
        return false;
    }
    pietra_path_reset(painter->path);
    pietra_path_append(painter->path, outline->verbs.items, outline->verbs.count, outline->coordinates.items);
    if (pietra_path_check(painter->path) != PIETRA_OK)
        take(painter, error_set_memory(painter->request->error));
    return go_on(painter);
}

static void build_box(const painter *painter, pietra_box box)
{
    pietra_path_reset(painter->path);
    pietra_path_rect(painter->path, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
}

static void paint(painter *painter, font_bytes bytes, place place);

/* A glyph whose paint is a leaf below transforms is filled; any other one is a clip. */
static void paint_glyph(painter *painter, font_bytes bytes, place place)
{
    font_bytes child = font_after(bytes, read_u24(bytes, 1));
    pietra_transform space = place.space;
    unsigned depth = place.depth;
    pietra_box box;
    if (!build_outline(painter, font_u16(bytes, 4), place.space) || !pietra_path_bounds(painter->path, &box))
        return;
    while (is_transform(font_u8(child, 0)) && depth < PICTURE_MOST_DEPTH) {
        space = transform_multiply(space, read_transform(painter, child));
        child = font_after(child, read_u24(child, 1));
        depth++;
    }
    if (is_leaf(font_u8(child, 0)) && transform_is_finite(space)) {
        fill_leaf(painter, child, space);
        return;
    }
    take(painter, pietra_scene_begin_clip(painter->request->scene, painter->path, NULL, PIETRA_FILL_NONZERO,
                                          painter->request->error));
    place.box = box;
    place.space = space;
    place.depth = depth;
    paint(painter, child, place);
    if (go_on(painter))
        take(painter, pietra_scene_end_clip(painter->request->scene, painter->request->error));
}

static void paint_layers(painter *painter, font_bytes bytes, place place)
{
    const uint32_t count = font_u8(bytes, 1), first = font_u32(bytes, 2);
    for (uint32_t i = 0; i < count && first <= UINT32_MAX - i && go_on(painter); i++)
        paint(painter, colr_layer_paint(painter->colr, first + i), place);
}

/* ---- Composition ---- */

static void begin_group(painter *painter, pietra_blend blend)
{
    if (go_on(painter))
        take(painter, pietra_scene_begin_blended_group(painter->request->scene, 1, blend, painter->request->error));
}

static void end_group(painter *painter)
{
    if (go_on(painter))
        take(painter, pietra_scene_end_group(painter->request->scene, painter->request->error));
}

static void begin_source(painter *painter, pietra_mask_kind kind)
{
    if (go_on(painter))
        take(painter, pietra_scene_begin_mask_source(painter->request->scene, kind, painter->request->error));
}

static void end_source(painter *painter)
{
    if (go_on(painter))
        take(painter, pietra_scene_end_mask_source(painter->request->scene, painter->request->error));
}

static void end_mask(painter *painter)
{
    if (go_on(painter))
        take(painter, pietra_scene_end_mask(painter->request->scene, painter->request->error));
}

/* Limits what follows to the inside of a paint. */
static void begin_inside(painter *painter, font_bytes bytes, place place)
{
    begin_source(painter, PIETRA_MASK_ALPHA);
    paint(painter, bytes, place);
    end_source(painter);
}

static void fill_box(painter *painter, pietra_box box, float gray)
{
    const pietra_paint paint = {.color = {gray, gray, gray, 1}};
    build_box(painter, box);
    fill(painter, &paint);
}

/* Limits what follows to the outside of a paint: where it is black on white, nothing stays. */
static void begin_outside(painter *painter, font_bytes bytes, place place)
{
    begin_source(painter, PIETRA_MASK_LUMINANCE);
    fill_box(painter, place.box, 1);
    begin_inside(painter, bytes, place);
    fill_box(painter, place.box, 0);
    end_mask(painter);
    end_source(painter);
}

static void paint_blended(painter *painter, font_bytes source, font_bytes backdrop, place place, pietra_blend blend)
{
    begin_group(painter, PIETRA_BLEND_NORMAL);
    paint(painter, backdrop, place);
    begin_group(painter, blend);
    paint(painter, source, place);
    end_group(painter);
    end_group(painter);
}

static void paint_composite(painter *painter, font_bytes bytes, place place)
{
    static const pietra_blend blends[] = {
        PIETRA_BLEND_SCREEN,      PIETRA_BLEND_OVERLAY,    PIETRA_BLEND_DARKEN,     PIETRA_BLEND_LIGHTEN,
        PIETRA_BLEND_COLOR_DODGE, PIETRA_BLEND_COLOR_BURN, PIETRA_BLEND_HARD_LIGHT, PIETRA_BLEND_SOFT_LIGHT,
        PIETRA_BLEND_DIFFERENCE,  PIETRA_BLEND_EXCLUSION,  PIETRA_BLEND_MULTIPLY,   PIETRA_BLEND_HUE,
        PIETRA_BLEND_SATURATION,  PIETRA_BLEND_COLOR,      PIETRA_BLEND_LUMINOSITY,
    };
    const font_bytes source = font_after(bytes, read_u24(bytes, 1)), backdrop = font_after(bytes, read_u24(bytes, 5));
    const unsigned mode = font_u8(bytes, 4);
    switch (mode) {
    case COMPOSITE_CLEAR:
        return;
    case COMPOSITE_SOURCE:
        paint(painter, source, place);
        return;
    case COMPOSITE_DESTINATION:
        paint(painter, backdrop, place);
        return;
    case COMPOSITE_BELOW:
        paint(painter, source, place);
        paint(painter, backdrop, place);
        return;
    case COMPOSITE_IN:
        begin_inside(painter, backdrop, place);
        paint(painter, source, place);
        end_mask(painter);
        return;
    case COMPOSITE_DESTINATION_IN:
        begin_inside(painter, source, place);
        paint(painter, backdrop, place);
        end_mask(painter);
        return;
    case COMPOSITE_OUT:
        begin_outside(painter, backdrop, place);
        paint(painter, source, place);
        end_mask(painter);
        return;
    case COMPOSITE_DESTINATION_OUT:
        begin_outside(painter, source, place);
        paint(painter, backdrop, place);
        end_mask(painter);
        return;
    default:
        break;
    }
    if (mode >= COMPOSITE_SCREEN && mode <= COMPOSITE_LAST) {
        paint_blended(painter, source, backdrop, place, blends[mode - COMPOSITE_SCREEN]);
        return;
    }
    if (mode != COMPOSITE_OVER)
        painter->request->left_out = "composite modes atop, xor and plus";
    paint(painter, backdrop, place);
    paint(painter, source, place);
}

/* ---- The graph ---- */

static pietra_box find_box(const painter *painter, uint32_t glyph, place place)
{
    pietra_box box;
    if (!colr_find_box(painter->colr, glyph, &box))
        return place.box;
    return transform_box(place.space, box);
}

static void paint_colr_glyph(painter *painter, uint32_t glyph, place place)
{
    const colr_glyph found = colr_find(painter->colr, glyph);
    place.box = find_box(painter, glyph, place);
    if (found.kind == COLR_PAINT)
        paint(painter, found.paint, place);
    for (uint32_t i = 0; i < found.layer_count && go_on(painter); i++) {
        uint32_t layer, color;
        if (++painter->paint_count > PICTURE_MOST_PAINTS ||
            !colr_read_layer(painter->colr, found.first_layer + i, &layer, &color) ||
            !build_outline(painter, layer, place.space))
            continue;
        const pietra_paint paint = make_solid(painter, color, 1);
        fill(painter, &paint);
    }
}

/* Calls itself by way of the functions above, PICTURE_MOST_DEPTH deep. */
static void paint(painter *painter, font_bytes bytes, place place)
{
    const unsigned format = font_u8(bytes, 0);
    if (!go_on(painter))
        return;
    if (++painter->paint_count > PICTURE_MOST_PAINTS || ++place.depth > PICTURE_MOST_DEPTH) {
        painter->request->left_out = "more than 10,000 paints of one glyph, or 64 in one another,";
        return;
    }
    if (is_transform(format)) {
        place.space = transform_multiply(place.space, read_transform(painter, bytes));
        if (transform_is_finite(place.space))
            paint(painter, font_after(bytes, read_u24(bytes, 1)), place);
        return;
    }
    if (is_leaf(format)) {
        build_box(painter, place.box);
        fill_leaf(painter, bytes, place.space);
    } else if (format == PAINT_LAYERS) {
        paint_layers(painter, bytes, place);
    } else if (format == PAINT_GLYPH) {
        paint_glyph(painter, bytes, place);
    } else if (format == PAINT_COLR_GLYPH) {
        paint_colr_glyph(painter, font_u16(bytes, 1), place);
    } else if (format == PAINT_COMPOSITE) {
        paint_composite(painter, bytes, place);
    }
}

pietra_result picture_paint(const pietra_font *font, uint32_t glyph, picture_request *request)
{
    const double far = UNBOUNDED * (double)font->harfbuzz->hb_face_get_upem(font->face);
    const place whole = {.space = {1, 0, 0, -1, 0, 0}, .box = {-far, -far, far, far}};
    painter painter = {.font = font, .colr = &font->colr, .request = request, .path = pietra_path_create()};
    request->has_foreground = false;
    request->left_out = NULL;
    if (!painter.path)
        return error_set_memory(request->error);
    paint_colr_glyph(&painter, glyph, whole);
    pietra_path_destroy(painter.path);
    font_outline_free(&painter.outline);
    return painter.result;
}
