/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The outlines of a text that was laid out. */
#include "base/error.h"
#include "base/transform.h"
#include "font/embolden.h"
#include "text/laid_out.h"
#include "text/missing.h"

typedef struct outliner {
    const pietra_text *text;
    size_t begin, end;   /* bytes */
    font_outline glyph;  /* the glyph at hand, in its font's units */
    font_outline glyphs; /* all so far, in the text's */
} outliner;

static bool is_wanted(const outliner *outliner, size_t byte)
{
    return byte >= outliner->begin && byte < outliner->end;
}

static bool take_glyph(outliner *outliner, pietra_transform space)
{
    const font_outline *glyph = &outliner->glyph;
    font_outline *all = &outliner->glyphs;
    if (!array_reserve(&all->verbs, glyph->verbs.count) || !array_reserve(&all->coordinates, glyph->coordinates.count))
        return false;
    for (size_t i = 0; i < glyph->verbs.count; i++)
        all->verbs.items[all->verbs.count++] = glyph->verbs.items[i];
    for (size_t i = 0; i + 1 < glyph->coordinates.count; i += 2) {
        double x = glyph->coordinates.items[i], y = glyph->coordinates.items[i + 1];
        transform_point(space, &x, &y);
        all->coordinates.items[all->coordinates.count++] = x;
        all->coordinates.items[all->coordinates.count++] = y;
    }
    return true;
}

static const char *add_glyph(outliner *outliner, const pietra_text_run *run, const pietra_glyph *glyph)
{
    const double em = font_em(run->font), scale = run->size / em;
    bool light;
    outliner->glyph.verbs.count = outliner->glyph.coordinates.count = 0;
    const char *wrong = font_find_outline(run->font, glyph->id, &outliner->glyph);
    if (wrong)
        return wrong;
    if (pietra_font_lacks(run->font, &light, NULL) && light)
        font_embolden(&outliner->glyph, font_imitated_weight(run->size) * em);
    const pietra_transform place = {scale, 0, 0, scale, glyph->x, glyph->y};
    return take_glyph(outliner, transform_multiply(run->transform, place)) ? NULL : font_out_of_memory;
}

static const char *add_glyphs(outliner *outliner)
{
    const pietra_text *text = outliner->text;
    const char *wrong = NULL;
    for (size_t i = 0; i < text->runs.count && !wrong; i++) {
        const pietra_text_run *run = &text->runs.items[i];
        for (size_t k = 0; run->font && k < run->glyph_count && !wrong; k++)
            if (is_wanted(outliner, run->glyph_bytes[k]))
                wrong = add_glyph(outliner, run, &run->glyphs[k]);
    }
    return wrong;
}

/* Glyphs of no font are numbers of characters. */
static void add_missing(const outliner *outliner, pietra_path *path)
{
    const pietra_text *text = outliner->text;
    for (size_t i = 0; i < text->runs.count; i++) {
        const pietra_text_run *run = &text->runs.items[i];
        const bool upright = text->shaped.runs.items[text->placed_runs.items[i].shaped].upright;
        for (size_t k = 0; !run->font && k < run->glyph_count; k++) {
            const pietra_glyph *glyph = &run->glyphs[k];
            if (is_wanted(outliner, run->glyph_bytes[k]))
                missing_append(path, glyph->id, run->size, upright,
                               transform_multiply(run->transform, transform_translate(glyph->x, glyph->y)));
        }
    }
}

pietra_result pietra_text_outline(const pietra_text *text, size_t begin, size_t end, pietra_path *path,
                                  pietra_error *error)
{
    outliner outliner = {.text = text, .begin = begin, .end = end};
    pietra_result result = PIETRA_OK;
    if (!text)
        return error_set_null(error, "text");
    if (!path)
        return error_set_null(error, "path");
    const char *wrong = add_glyphs(&outliner);
    if (wrong == font_out_of_memory) {
        result = error_set_memory(error);
    } else if (wrong) {
        result = error_set(error, PIETRA_ERROR_INPUT, 0, "a glyph of the text %s", wrong);
    } else {
        pietra_path_append(path, outliner.glyphs.verbs.items, outliner.glyphs.verbs.count,
                           outliner.glyphs.coordinates.items);
        add_missing(&outliner, path);
    }
    font_outline_free(&outliner.glyph);
    font_outline_free(&outliner.glyphs);
    return result;
}
