/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Outlines of glyphs as paths. */
#include "font/font.h"

#include <math.h>

#include "base/error.h"
#include "base/lacked_memory.h"

/* Curves share no points, and TrueType implies some. So these are more than a glyph's own. */
#define MOST_DRAWN_POINTS (3 * FONT_MOST_POINTS)
#define MOST_COORDINATE 1e9 /* in subunits; a larger one comes of a broken font */

static const char too_many_points[] = "has more than 10,000 points";

/* A glyph that is being drawn. The path gets it as a whole, or not at all. */
typedef struct glyph_drawing {
    font_outline *outline;
    size_t begin; /* coordinates before this glyph */
    const char *wrong;
} glyph_drawing;

/* Rounds HarfBuzz's subunits, y up, to whole subunits, y down, and converts these to units. Adding 0 makes 0 of -0. */
static double round_to_units(float subunits)
{
    return floor((double)subunits + 0.5) / FONT_SUBUNITS + 0;
}

static void add(glyph_drawing *drawing, pietra_verb verb, const float *points, size_t count)
{
    if (drawing->wrong)
        return;
    font_outline *outline = drawing->outline;
    if (!array_reserve(&outline->verbs, 1) || !array_reserve(&outline->coordinates, 6)) {
        drawing->wrong = font_out_of_memory;
        return;
    }
    outline->verbs.items[outline->verbs.count++] = (uint8_t)verb;
    for (size_t i = 0; i < 2 * count; i++) {
        if (!(fabsf(points[i]) < (float)MOST_COORDINATE))
            drawing->wrong = "is broken";
        outline->coordinates.items[outline->coordinates.count++] = round_to_units(i % 2 ? -points[i] : points[i]);
    }
    if (outline->coordinates.count - drawing->begin > 2 * MOST_DRAWN_POINTS)
        drawing->wrong = too_many_points;
}

static void move_to(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x, float y, void *user)
{
    (void)functions, (void)state, (void)user;
    add(data, PIETRA_VERB_MOVE, (float[]){x, y}, 1);
}

static void line_to(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x, float y, void *user)
{
    (void)functions, (void)state, (void)user;
    add(data, PIETRA_VERB_LINE, (float[]){x, y}, 1);
}

static void quad_to(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x1, float y1, float x,
                    float y, void *user)
{
    (void)functions, (void)state, (void)user;
    add(data, PIETRA_VERB_QUAD, (float[]){x1, y1, x, y}, 2);
}

static void cubic_to(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x1, float y1, float x2,
                     float y2, float x, float y, void *user)
{
    (void)functions, (void)state, (void)user;
    add(data, PIETRA_VERB_CUBIC, (float[]){x1, y1, x2, y2, x, y}, 3);
}

static void close_path(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, void *user)
{
    (void)functions, (void)state, (void)user;
    add(data, PIETRA_VERB_CLOSE, NULL, 0);
}

hb_draw_funcs_t *font_drawing_create(const harfbuzz_functions *harfbuzz)
{
    hb_draw_funcs_t *functions = harfbuzz->hb_draw_funcs_create();
    if (!functions)
        return NULL;
    harfbuzz->hb_draw_funcs_set_move_to_func(functions, move_to, NULL, NULL);
    harfbuzz->hb_draw_funcs_set_line_to_func(functions, line_to, NULL, NULL);
    harfbuzz->hb_draw_funcs_set_quadratic_to_func(functions, quad_to, NULL, NULL);
    harfbuzz->hb_draw_funcs_set_cubic_to_func(functions, cubic_to, NULL, NULL);
    harfbuzz->hb_draw_funcs_set_close_path_func(functions, close_path, NULL, NULL);
    harfbuzz->hb_draw_funcs_make_immutable(functions);
    return functions;
}

static void draw(const pietra_font *font, uint32_t glyph, glyph_drawing *drawing)
{
    const int before = lacked_memory_begin();
    font->harfbuzz->hb_font_get_glyph_shape(font->plain, glyph, font->face->drawing, drawing);
    if (lacked_memory_end(before))
        drawing->wrong = font_out_of_memory;
}

static const char *draw_whole(const pietra_font *font, uint32_t glyph, font_outline *outline)
{
    glyph_drawing drawing = {.outline = outline,
                             .begin = outline->coordinates.count,
                             .wrong = font->face->has_glyphs ? font_glyphs_check(&font->face->glyphs, glyph) : NULL};
    if (!drawing.wrong)
        draw(font, glyph, &drawing);
    return drawing.wrong ? drawing.wrong : font->face->wrong;
}

const char *font_find_outline(const pietra_font *font, uint32_t glyph, font_outline *outline)
{
    const size_t verb = outline->verbs.count, coordinate = outline->coordinates.count;
    bool kept;
    if (!kept_outlines_find(&font->outlines, glyph, outline, &kept))
        return font_out_of_memory;
    if (kept)
        return NULL;
    const char *wrong = draw_whole(font, glyph, outline);
    if (!wrong && !kept_outlines_add((kept_outlines *)(uintptr_t)&font->outlines, glyph, outline, verb, coordinate))
        wrong = font_out_of_memory;
    return wrong;
}

void font_outline_free(font_outline *outline)
{
    array_free(&outline->verbs);
    array_free(&outline->coordinates);
}

pietra_result pietra_font_outline(const pietra_font *font, uint32_t glyph, pietra_path *path, pietra_error *error)
{
    if (!font)
        return error_set_null(error, "font");
    if (!path)
        return error_set_null(error, "path");
    font_outline outline = {0};
    const char *wrong = font_find_outline(font, glyph, &outline);
    pietra_result result = PIETRA_OK;
    if (wrong == font_out_of_memory)
        result = error_set_memory(error);
    else if (wrong && wrong == font->face->wrong)
        result = font_error(error, "", wrong);
    else if (wrong)
        result = error_set(error, PIETRA_ERROR_INPUT, 0, "glyph %u %s", glyph, wrong);
    else
        pietra_path_append(path, outline.verbs.items, outline.verbs.count, outline.coordinates.items);
    font_outline_free(&outline);
    return result;
}
