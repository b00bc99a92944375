/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/font.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lacked_memory.h"
#include "font/unpack.h"

/* ---- Opening ---- */

static void set_variations(const pietra_font *font, const pietra_font_variation *variations, size_t count)
{
    static_assert(sizeof(hb_variation_t) == sizeof *variations, "both are a tag and a float");
    if (count > 0)
        font->harfbuzz->hb_font_set_variations(font->plain, (const hb_variation_t *)variations, (unsigned)count);
}

static void guard(pietra_font *font)
{
    const harfbuzz_functions *harfbuzz = font->harfbuzz;
    font->guarded = harfbuzz->hb_font_create_sub_font(font->plain);
    harfbuzz->hb_font_set_funcs(font->guarded, font->face->guards, font->face, NULL);
    harfbuzz->hb_font_make_immutable(font->guarded);
}

static const char *open_layers(pietra_font *font)
{
    const char *wrong = NULL;
    if (!sfnt_find(&font->face->sfnt, FONT_TAG('C', 'O', 'L', 'R')))
        return NULL;
    unsigned axes = 0;
    const int *coordinates = font->harfbuzz->hb_font_get_var_coords_normalized(font->plain, &axes);
    const font_bytes table = font_face_borrow(font->face, FONT_TAG('C', 'O', 'L', 'R'), &wrong);
    const font_bytes palettes = font_face_borrow(font->face, FONT_TAG('C', 'P', 'A', 'L'), &wrong);
    font->colr = colr_of(table, palettes, coordinates, axes);
    return wrong;
}

/* HarfBuzz prepares tables when they are first used. Functions that cannot fail must find those of theirs prepared. */
static void prepare_tables(const pietra_font *font)
{
    hb_codepoint_t glyph;
    pietra_font_metrics metrics;
    font->harfbuzz->hb_font_get_nominal_glyph(font->plain, ' ', &glyph);
    pietra_font_advance(font, 0, false);
    pietra_font_advance(font, 0, true);
    pietra_font_measure(font, &metrics);
}

static const char *open_font(pietra_font *font, const pietra_font_variation *variations, size_t variation_count)
{
    const harfbuzz_functions *harfbuzz = font->harfbuzz;
    font->plain = harfbuzz->hb_font_create(font->face->shared);
    if (font->plain == harfbuzz->hb_font_get_empty())
        return font_out_of_memory;
    const int scale = (int)font_em(font) * FONT_SUBUNITS;
    harfbuzz->hb_ot_font_set_funcs(font->plain);
    harfbuzz->hb_font_set_scale(font->plain, scale, scale);
    set_variations(font, variations, variation_count);
    harfbuzz->hb_font_make_immutable(font->plain);
    font->guarded = font->plain;
    if (font->face->guards)
        guard(font);
    prepare_tables(font);
    const char *wrong = open_layers(font);
    return wrong ? wrong : font->face->wrong;
}

const char *font_of_face(font_face *face, const pietra_font_variation *variations, size_t variation_count,
                         pietra_font **font)
{
    pietra_font *made = calloc(1, sizeof *made);
    if (!made)
        return font_out_of_memory;
    living_begin(&made->living);
    made->face = font_face_retain(face);
    made->harfbuzz = face->harfbuzz;
    const int before = lacked_memory_begin();
    const char *wrong = open_font(made, variations, variation_count);
    if (lacked_memory_end(before) && !wrong)
        wrong = font_out_of_memory;
    face->is_spoiled |= wrong == font_out_of_memory;
    if (wrong)
        pietra_font_destroy(made);
    else
        *font = made;
    return wrong;
}

const char *font_create(font_source *source, uint32_t index, const pietra_font_variation *variations,
                        size_t variation_count, pietra_font **font)
{
    font_face *face = NULL;
    const char *wrong = font_face_open(source, index, &face);
    if (!wrong)
        wrong = font_of_face(face, variations, variation_count, font);
    font_face_release(face);
    return wrong;
}

pietra_font *font_retain(pietra_font *font)
{
    living_retain(&font->living);
    return font;
}

void pietra_font_destroy(pietra_font *font)
{
    if (!font || !living_release(&font->living))
        return;
    if (font->guarded != font->plain)
        font->harfbuzz->hb_font_destroy(font->guarded);
    font->harfbuzz->hb_font_destroy(font->plain);
    kept_outlines_free(&font->outlines);
    font_face_release(font->face);
    free(font);
}

/* ---- From bytes ---- */

pietra_result font_error(pietra_error *error, const char *what, const char *wrong)
{
    const char *colon = what[0] ? ": " : "";
    if (wrong == font_out_of_memory)
        return error_set_memory(error);
    if (font_lacks_library(wrong) || wrong == font_unreadable || wrong == font_missing)
        return error_set(error, PIETRA_ERROR_IO, 0, "%s%s%s", what, colon, wrong);
    return error_set(error, PIETRA_ERROR_INPUT, 0, "%s%s%s", what, colon, wrong);
}

bool font_are_finite(const pietra_font_variation *variations, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(variations[i].value))
            return false;
    return true;
}

pietra_result pietra_font_from_bytes(const void *bytes, size_t byte_count, uint32_t index,
                                     const pietra_font_variation *variations, size_t variation_count,
                                     pietra_error *error, pietra_font **font)
{
    font_source *source = NULL;
    if (!bytes)
        return error_set_null(error, "bytes");
    if (!variations && variation_count > 0)
        return error_set_null(error, "variations");
    if (!font)
        return error_set_null(error, "font");
    if (!font_are_finite(variations, variation_count))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a variation is not finite");
    if (byte_count > FONT_MOST_UNPACKED_BYTES)
        return font_error(error, "", font_too_large);
    const char *wrong = font_source_copy(bytes, byte_count, &source);
    if (!wrong)
        wrong = font_unpack(&source, &index);
    if (!wrong)
        wrong = font_create(source, index, variations, variation_count, font);
    font_source_release(source);
    return wrong ? font_error(error, "", wrong) : PIETRA_OK;
}
