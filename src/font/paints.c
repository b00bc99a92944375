/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws the graphs of paints of COLR into scenes. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/transform.h"
#include "font/painter.h"

#define UNBOUNDED 16 /* ems: how far a paint reaches that nothing bounds */

/* Modes of composition that need no group. */
enum {
    COMPOSITE_CLEAR,
    COMPOSITE_SOURCE,
    COMPOSITE_DESTINATION,
    COMPOSITE_OVER,
    COMPOSITE_BELOW,
};

/* Where a paint stands. Spaces are of units, y up; they lead to those of the scene. */
typedef struct place {
    pietra_transform space;
    pietra_box box; /* in the scene: all that can be seen of it */
    unsigned depth;
} place;

/* ---- Glyphs ---- */

/* Makes painter->path the outline of a glyph. False: there is none. */
static bool build_outline(painter *painter, uint32_t glyph, pietra_transform space)
{
    font_outline *outline = &painter->outline;
    outline->verbs.count = outline->coordinates.count = 0;
    const char *wrong = font_find_outline(painter->font, glyph, outline);
    if (wrong == font_out_of_memory)
        painter_take(painter, error_set_memory(painter->request->error));
    if (wrong || outline->verbs.count == 0)
        return false;
    for (size_t i = 0; i + 1 < outline->coordinates.count; i += 2) {
        outline->coordinates.items[i + 1] = -outline->coordinates.items[i + 1];
        transform_point(space, &outline->coordinates.items[i], &outline->coordinates.items[i + 1]);
        if (!isfinite(outline->coordinates.items[i]) || !isfinite(outline->coordinates.items[i + 1]))
            return false;
    }
    if (!painter->request->spend(painter->request->user, outline->verbs.count)) {
        painter_take(painter, PIETRA_ERROR_INPUT);
        return false;
    }
    pietra_path_reset(painter->path);
    pietra_path_append(painter->path, outline->verbs.items, outline->verbs.count, outline->coordinates.items);
    if (pietra_path_check(painter->path) != PIETRA_OK)
        painter_take(painter, error_set_memory(painter->request->error));
    return painter_goes_on(painter);
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
    font_bytes child = font_after(bytes, font_u24(bytes, 1));
    pietra_transform space = place.space;
    unsigned depth = place.depth;
    pietra_box box;
    if (!build_outline(painter, font_u16(bytes, 4), place.space) || !pietra_path_bounds(painter->path, &box))
        return;
    while (paint_is_transform(font_u8(child, 0)) && depth < PICTURE_MOST_DEPTH) {
        space = transform_multiply(space, paint_read_transform(painter->colr, child));
        child = font_after(child, font_u24(child, 1));
        depth++;
    }
    if (paint_is_leaf(font_u8(child, 0)) && transform_is_finite(space)) {
        painter_fill_leaf(painter, child, space);
        return;
    }
    painter_take(painter, pietra_scene_begin_clip(painter->request->scene, painter->path, NULL, PIETRA_FILL_NONZERO,
                                                  painter->request->error));
    place.box = box;
    place.space = space;
    place.depth = depth;
    paint(painter, child, place);
    if (painter_goes_on(painter))
        painter_take(painter, pietra_scene_end_clip(painter->request->scene, painter->request->error));
}

static void paint_layers(painter *painter, font_bytes bytes, place place)
{
    const uint32_t count = font_u8(bytes, 1), first = font_u32(bytes, 2);
    for (uint32_t i = 0; i < count && first <= UINT32_MAX - i && painter_goes_on(painter); i++)
        paint(painter, colr_layer_paint(painter->colr, first + i), place);
}

/* ---- Composition ---- */

static void begin_group(painter *painter, pietra_blend blend)
{
    if (painter_goes_on(painter))
        painter_take(painter,
                     pietra_scene_begin_blended_group(painter->request->scene, 1, blend, painter->request->error));
}

static void end_group(painter *painter)
{
    if (painter_goes_on(painter))
        painter_take(painter, pietra_scene_end_group(painter->request->scene, painter->request->error));
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
        PIETRA_BLEND_CLEAR,
        PIETRA_BLEND_SOURCE,
        PIETRA_BLEND_DESTINATION,
        PIETRA_BLEND_NORMAL,
        PIETRA_BLEND_DESTINATION_OVER,
        PIETRA_BLEND_SOURCE_IN,
        PIETRA_BLEND_DESTINATION_IN,
        PIETRA_BLEND_SOURCE_OUT,
        PIETRA_BLEND_DESTINATION_OUT,
        PIETRA_BLEND_SOURCE_ATOP,
        PIETRA_BLEND_DESTINATION_ATOP,
        PIETRA_BLEND_XOR,
        PIETRA_BLEND_PLUS,
        PIETRA_BLEND_SCREEN,
        PIETRA_BLEND_OVERLAY,
        PIETRA_BLEND_DARKEN,
        PIETRA_BLEND_LIGHTEN,
        PIETRA_BLEND_COLOR_DODGE,
        PIETRA_BLEND_COLOR_BURN,
        PIETRA_BLEND_HARD_LIGHT,
        PIETRA_BLEND_SOFT_LIGHT,
        PIETRA_BLEND_DIFFERENCE,
        PIETRA_BLEND_EXCLUSION,
        PIETRA_BLEND_MULTIPLY,
        PIETRA_BLEND_HUE,
        PIETRA_BLEND_SATURATION,
        PIETRA_BLEND_COLOR,
        PIETRA_BLEND_LUMINOSITY,
    };
    const font_bytes source = font_after(bytes, font_u24(bytes, 1)), backdrop = font_after(bytes, font_u24(bytes, 5));
    const unsigned mode = font_u8(bytes, 4);
    switch (mode) {
    case COMPOSITE_CLEAR:
        break;
    case COMPOSITE_SOURCE:
        paint(painter, source, place);
        break;
    case COMPOSITE_DESTINATION:
        paint(painter, backdrop, place);
        break;
    case COMPOSITE_BELOW:
        paint(painter, source, place);
        paint(painter, backdrop, place);
        break;
    case COMPOSITE_OVER:
        paint(painter, backdrop, place);
        paint(painter, source, place);
        break;
    default:
        if (mode < sizeof blends / sizeof blends[0])
            paint_blended(painter, source, backdrop, place, blends[mode]);
        break;
    }
}

/* ---- The graph ---- */

static void paint_colr_glyph(painter *painter, uint32_t glyph, place place)
{
    const colr_glyph found = colr_find(painter->colr, glyph);
    if (found.kind == COLR_PAINT)
        paint(painter, found.paint, place);
    for (uint32_t i = 0; i < found.layer_count && painter_goes_on(painter); i++) {
        uint32_t layer, color;
        if (++painter->paint_count > PICTURE_MOST_PAINTS ||
            !colr_read_layer(painter->colr, found.first_layer + i, &layer, &color) ||
            !build_outline(painter, layer, place.space))
            continue;
        painter_fill_solid(painter, color, 1);
    }
}

/* The box of a glyph that is shown as a part of another one may be turned. */
static bool begin_box(painter *painter, pietra_box box, pietra_transform space)
{
    const double corners[] = {box.x0, box.y0, box.x1, box.y0, box.x1, box.y1, box.x0, box.y1};
    pietra_path_reset(painter->path);
    for (size_t i = 0; i < 8; i += 2) {
        double x = corners[i], y = corners[i + 1];
        transform_point(space, &x, &y);
        (i == 0 ? pietra_path_move_to : pietra_path_line_to)(painter->path, x, y);
    }
    pietra_path_close(painter->path);
    painter_take(painter, pietra_scene_begin_clip(painter->request->scene, painter->path, NULL, PIETRA_FILL_NONZERO,
                                                  painter->request->error));
    return painter_goes_on(painter);
}

static void paint_glyph_of_glyph(painter *painter, uint32_t glyph, place place)
{
    pietra_box box;
    if (!colr_find_box(painter->colr, glyph, &box)) {
        paint_colr_glyph(painter, glyph, place);
    } else if (begin_box(painter, box, place.space)) {
        place.box = transform_box(place.space, box);
        paint_colr_glyph(painter, glyph, place);
        if (painter_goes_on(painter))
            painter_take(painter, pietra_scene_end_clip(painter->request->scene, painter->request->error));
    }
}

/* Calls itself by way of the functions above, PICTURE_MOST_DEPTH deep. */
static void paint(painter *painter, font_bytes bytes, place place)
{
    const unsigned format = font_u8(bytes, 0);
    if (!painter_goes_on(painter))
        return;
    if (++painter->paint_count > PICTURE_MOST_PAINTS || ++place.depth > PICTURE_MOST_DEPTH) {
        painter->request->left_out = "more than 10,000 paints of one glyph, or 64 in one another,";
        return;
    }
    if (paint_is_transform(format)) {
        place.space = transform_multiply(place.space, paint_read_transform(painter->colr, bytes));
        if (transform_is_finite(place.space))
            paint(painter, font_after(bytes, font_u24(bytes, 1)), place);
        return;
    }
    if (paint_is_leaf(format)) {
        build_box(painter, place.box);
        painter_fill_leaf(painter, bytes, place.space);
    } else if (format == PAINT_LAYERS) {
        paint_layers(painter, bytes, place);
    } else if (format == PAINT_GLYPH) {
        paint_glyph(painter, bytes, place);
    } else if (format == PAINT_COLR_GLYPH) {
        paint_glyph_of_glyph(painter, font_u16(bytes, 1), place);
    } else if (format == PAINT_COMPOSITE) {
        paint_composite(painter, bytes, place);
    }
}

pietra_result picture_paint(const pietra_font *font, uint32_t glyph, picture_request *request)
{
    const double far = UNBOUNDED * font_em(font);
    place whole = {.space = {1, 0, 0, -1, 0, 0}, .box = {-far, -far, far, far}};
    painter painter = {.font = font, .colr = &font->colr, .request = request, .path = pietra_path_create()};
    request->has_foreground = false;
    request->left_out = NULL;
    if (!painter.path)
        return error_set_memory(request->error);
    picture_find_box(font, glyph, &whole.box);
    paint_colr_glyph(&painter, glyph, whole);
    pietra_path_destroy(painter.path);
    font_outline_free(&painter.outline);
    return painter.result;
}
