/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs of glyphs at places of the caller's, as one path. */
#include <math.h>

#include "base/error.h"
#include "font/font.h"

typedef struct glyph_run {
    const pietra_font *font;
    double size;
    const pietra_glyph *glyphs;
    size_t count;
} glyph_run;

static pietra_result check(const pietra_scene *scene, const glyph_run *run, const pietra_paint *paint,
                           pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    if (!run->font)
        return error_set_null(error, "font");
    if (!run->glyphs && run->count > 0)
        return error_set_null(error, "glyphs");
    if (!paint)
        return error_set_null(error, "paint");
    if (!(run->size > 0) || !isfinite(run->size))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "size is not a number above 0");
    for (size_t i = 0; i < run->count; i++)
        if (!isfinite(run->glyphs[i].x) || !isfinite(run->glyphs[i].y))
            return error_set(error, PIETRA_ERROR_INPUT, 0, "the place of glyph %zu of the run is not finite", i);
    return PIETRA_OK;
}

/* Appends an outline where a glyph stands. */
static void put(pietra_path *path, font_outline *outline, double scale, const pietra_glyph *glyph)
{
    for (size_t i = 0; i + 1 < outline->coordinates.count; i += 2) {
        outline->coordinates.items[i] = glyph->x + scale * outline->coordinates.items[i];
        outline->coordinates.items[i + 1] = glyph->y + scale * outline->coordinates.items[i + 1];
    }
    pietra_path_append(path, outline->verbs.items, outline->verbs.count, outline->coordinates.items);
}

static pietra_result build(const glyph_run *run, pietra_path *path, pietra_error *error)
{
    const double scale = run->size / run->font->harfbuzz->hb_face_get_upem(run->font->face);
    font_outline outline = {0};
    const char *wrong = NULL;
    size_t i = 0;
    for (; i < run->count && !wrong; i++) {
        outline.verbs.count = outline.coordinates.count = 0;
        wrong = font_find_outline(run->font, run->glyphs[i].id, &outline);
        if (!wrong && outline.verbs.count > 0)
            put(path, &outline, scale, &run->glyphs[i]);
    }
    font_outline_free(&outline);
    if (wrong == font_out_of_memory || pietra_path_check(path) == PIETRA_ERROR_MEMORY)
        return error_set_memory(error);
    if (wrong && wrong == run->font->wrong)
        return font_error(error, "", wrong);
    return wrong ? error_set(error, PIETRA_ERROR_INPUT, 0, "glyph %u %s", run->glyphs[i - 1].id, wrong) : PIETRA_OK;
}

/* Adds the run's outlines, which are filled if the stroke is NULL. */
static pietra_result add(pietra_scene *scene, const glyph_run *run, const pietra_transform *transform,
                         const pietra_stroke *stroke, const pietra_paint *paint, pietra_error *error)
{
    pietra_box box;
    pietra_result result = check(scene, run, paint, error);
    if (result != PIETRA_OK)
        return result;
    pietra_path *path = pietra_path_create();
    if (!path)
        return error_set_memory(error);
    result = build(run, path, error);
    if (result == PIETRA_OK && (pietra_path_bounds(path, &box) || pietra_path_check(path) != PIETRA_OK))
        result = stroke ? pietra_scene_stroke(scene, path, transform, stroke, paint, error)
                        : pietra_scene_fill(scene, path, transform, PIETRA_FILL_NONZERO, paint, error);
    pietra_path_destroy(path);
    return result;
}

pietra_result pietra_scene_fill_glyphs(pietra_scene *scene, const pietra_font *font, double size,
                                       const pietra_glyph *glyphs, size_t glyph_count,
                                       const pietra_transform *transform, const pietra_paint *paint,
                                       pietra_error *error)
{
    const glyph_run run = {font, size, glyphs, glyph_count};
    return add(scene, &run, transform, NULL, paint, error);
}

pietra_result pietra_scene_stroke_glyphs(pietra_scene *scene, const pietra_font *font, double size,
                                         const pietra_glyph *glyphs, size_t glyph_count,
                                         const pietra_transform *transform, const pietra_stroke *stroke,
                                         const pietra_paint *paint, pietra_error *error)
{
    const glyph_run run = {font, size, glyphs, glyph_count};
    if (!stroke)
        return error_set_null(error, "stroke");
    return add(scene, &run, transform, stroke, paint, error);
}
