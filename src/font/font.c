/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/font.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "font/unpack.h"

/* ---- Tables ---- */

static void free_piece(void *user)
{
    font_piece_free(user);
    free(user);
}

/* Reads a table. NULL: it is missing, or could not be read, which *wrong says. */
static hb_blob_t *read_table(pietra_font *font, uint32_t tag, const char **wrong)
{
    font_piece *piece = malloc(sizeof *piece);
    if (!piece) {
        *wrong = font_out_of_memory;
        return NULL;
    }
    *wrong = sfnt_read(&font->sfnt, tag, piece);
    if (*wrong || piece->bytes.count == 0) {
        if (!*wrong)
            font_piece_free(piece);
        free(piece);
        return NULL;
    }
    return font->harfbuzz->hb_blob_create((const char *)piece->bytes.at, (unsigned)piece->bytes.count,
                                          HB_MEMORY_MODE_READONLY, piece, free_piece);
}

/* Keeps what was read, since HarfBuzz may ask again. */
static hb_blob_t *find_table(pietra_font *font, uint32_t tag, const char **wrong)
{
    for (size_t i = 0; i < font->tables.count; i++)
        if (font->tables.items[i].tag == tag)
            return font->tables.items[i].blob;
    hb_blob_t *blob = read_table(font, tag, wrong);
    font_table *table = *wrong ? NULL : array_push(&font->tables);
    if (table) {
        *table = (font_table){.tag = tag, .blob = blob};
        return blob;
    }
    if (!*wrong)
        *wrong = font_out_of_memory;
    font->harfbuzz->hb_blob_destroy(blob);
    return NULL;
}

/* HarfBuzz calls this on any thread. A table that cannot be read must not look like one that is not there. */
static hb_blob_t *reference_table(hb_face_t *face, hb_tag_t tag, void *user)
{
    pietra_font *font = user;
    const char *wrong = NULL;
    (void)face;
    if (tag == HB_TAG_NONE)
        return NULL;
    pthread_mutex_lock(&font->lock);
    hb_blob_t *blob = find_table(font, tag, &wrong);
    if (blob)
        font->harfbuzz->hb_blob_reference(blob);
    pthread_mutex_unlock(&font->lock);
    if (wrong)
        font->wrong = wrong;
    return blob;
}

/* Gives the bytes of a table, which the font keeps. A missing table has none. */
static font_bytes borrow_table(pietra_font *font, uint32_t tag, const char **wrong)
{
    unsigned count = 0;
    hb_blob_t *blob = find_table(font, tag, wrong);
    const char *bytes = blob ? font->harfbuzz->hb_blob_get_data(blob, &count) : NULL;
    return (font_bytes){(const uint8_t *)bytes, count};
}

/* ---- Guarded functions ---- */

/* Without a table of their variations, advances, origins and extents of a variable font's glyphs come from their
 * points. The glyphs are counted first, as before they are drawn. */
static bool is_harmless(void *font_data, hb_codepoint_t glyph)
{
    const pietra_font *font = font_data;
    return !font_glyphs_check(&font->glyphs, glyph);
}

static hb_position_t guard_h_advance(hb_font_t *font, void *font_data, hb_codepoint_t glyph, void *user)
{
    const harfbuzz_functions *harfbuzz = user;
    return is_harmless(font_data, glyph)
               ? harfbuzz->hb_font_get_glyph_h_advance(harfbuzz->hb_font_get_parent(font), glyph)
               : 0;
}

static hb_position_t guard_v_advance(hb_font_t *font, void *font_data, hb_codepoint_t glyph, void *user)
{
    const harfbuzz_functions *harfbuzz = user;
    return is_harmless(font_data, glyph)
               ? harfbuzz->hb_font_get_glyph_v_advance(harfbuzz->hb_font_get_parent(font), glyph)
               : 0;
}

static hb_bool_t guard_v_origin(hb_font_t *font, void *font_data, hb_codepoint_t glyph, hb_position_t *x,
                                hb_position_t *y, void *user)
{
    const harfbuzz_functions *harfbuzz = user;
    return is_harmless(font_data, glyph) &&
           harfbuzz->hb_font_get_glyph_v_origin(harfbuzz->hb_font_get_parent(font), glyph, x, y);
}

static hb_bool_t guard_extents(hb_font_t *font, void *font_data, hb_codepoint_t glyph, hb_glyph_extents_t *extents,
                               void *user)
{
    const harfbuzz_functions *harfbuzz = user;
    return is_harmless(font_data, glyph) &&
           harfbuzz->hb_font_get_glyph_extents(harfbuzz->hb_font_get_parent(font), glyph, extents);
}

static void guard(pietra_font *font)
{
    const harfbuzz_functions *harfbuzz = font->harfbuzz;
    void *user = (void *)(uintptr_t)harfbuzz;
    hb_font_funcs_t *functions = harfbuzz->hb_font_funcs_create();
    harfbuzz->hb_font_funcs_set_glyph_h_advance_func(functions, guard_h_advance, user, NULL);
    harfbuzz->hb_font_funcs_set_glyph_v_advance_func(functions, guard_v_advance, user, NULL);
    harfbuzz->hb_font_funcs_set_glyph_v_origin_func(functions, guard_v_origin, user, NULL);
    harfbuzz->hb_font_funcs_set_glyph_extents_func(functions, guard_extents, user, NULL);
    harfbuzz->hb_font_funcs_make_immutable(functions);
    font->guarded = harfbuzz->hb_font_create_sub_font(font->plain);
    harfbuzz->hb_font_set_funcs(font->guarded, functions, font, NULL);
    harfbuzz->hb_font_make_immutable(font->guarded);
    harfbuzz->hb_font_funcs_destroy(functions);
}

/* ---- Opening ---- */

static void set_variations(pietra_font *font, const pietra_font_variation *variations, size_t count)
{
    static_assert(sizeof(hb_variation_t) == sizeof *variations, "both are a tag and a float");
    if (count > 0)
        font->harfbuzz->hb_font_set_variations(font->plain, (const hb_variation_t *)variations, (unsigned)count);
}

static const char *open_glyphs(pietra_font *font)
{
    const char *wrong = NULL;
    font->has_glyphs = sfnt_find(&font->sfnt, FONT_TAG('g', 'l', 'y', 'f')) != NULL;
    if (!font->has_glyphs)
        return NULL;
    const font_bytes glyf = borrow_table(font, FONT_TAG('g', 'l', 'y', 'f'), &wrong);
    const font_bytes loca = borrow_table(font, FONT_TAG('l', 'o', 'c', 'a'), &wrong);
    const font_bytes head = borrow_table(font, FONT_TAG('h', 'e', 'a', 'd'), &wrong);
    const font_bytes maxp = borrow_table(font, FONT_TAG('m', 'a', 'x', 'p'), &wrong);
    font->glyphs = font_glyphs_of(glyf, loca, head, maxp);
    return wrong;
}

static const char *open_pictures(pietra_font *font)
{
    const char *wrong = NULL;
    const harfbuzz_functions *harfbuzz = font->harfbuzz;
    font->has_documents = harfbuzz->hb_ot_color_has_svg(font->face);
    font->has_bitmaps = harfbuzz->hb_ot_color_has_png(font->face);
    if (!sfnt_find(&font->sfnt, FONT_TAG('C', 'O', 'L', 'R')))
        return NULL;
    unsigned axes = 0;
    const int *coordinates = harfbuzz->hb_font_get_var_coords_normalized(font->plain, &axes);
    const font_bytes table = borrow_table(font, FONT_TAG('C', 'O', 'L', 'R'), &wrong);
    const font_bytes palettes = borrow_table(font, FONT_TAG('C', 'P', 'A', 'L'), &wrong);
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

static const char *open_face(pietra_font *font, const pietra_font_variation *variations, size_t variation_count)
{
    const harfbuzz_functions *harfbuzz = font->harfbuzz;
    const bool variable = sfnt_find(&font->sfnt, FONT_TAG('f', 'v', 'a', 'r')) != NULL;
    const char *wrong = open_glyphs(font);
    if (wrong)
        return wrong;
    font->drawing = font_drawing_create(harfbuzz);
    font->outlines = calloc(1, sizeof *font->outlines); /* all places are empty */
    font->face = harfbuzz->hb_face_create_for_tables(reference_table, font, NULL);
    font->plain = harfbuzz->hb_font_create(font->face);
    if (!font->drawing || !font->outlines || font->face == harfbuzz->hb_face_get_empty() ||
        font->plain == harfbuzz->hb_font_get_empty())
        return font_out_of_memory;
    const int scale = (int)harfbuzz->hb_face_get_upem(font->face) * FONT_SUBUNITS;
    harfbuzz->hb_face_make_immutable(font->face);
    harfbuzz->hb_ot_font_set_funcs(font->plain);
    harfbuzz->hb_font_set_scale(font->plain, scale, scale);
    set_variations(font, variations, variation_count);
    harfbuzz->hb_font_make_immutable(font->plain);
    font->guarded = font->plain;
    if (variable && font->has_glyphs)
        guard(font);
    prepare_tables(font);
    wrong = open_pictures(font);
    return wrong ? wrong : font->wrong;
}

/* HarfBuzz goes on without what it finds no memory for. But malloc sets errno. */
static const char *open_font(pietra_font *font, uint32_t index, const pietra_font_variation *variations, size_t count)
{
    const char *wrong = harfbuzz_open(&font->harfbuzz);
    if (!wrong)
        wrong = sfnt_open(font->source, index, &font->sfnt);
    if (wrong)
        return wrong;
    const int before = errno;
    errno = 0;
    wrong = open_face(font, variations, count);
    if (!wrong && errno == ENOMEM)
        wrong = font_out_of_memory;
    errno = before;
    return wrong;
}

const char *font_create(font_source *source, uint32_t index, const pietra_font_variation *variations,
                        size_t variation_count, pietra_font **font)
{
    pietra_font *made = calloc(1, sizeof *made);
    if (!made)
        return font_out_of_memory;
    atomic_init(&made->owners, 1);
    pthread_mutex_init(&made->lock, NULL);
    made->source = font_source_retain(source);
    const char *wrong = open_font(made, index, variations, variation_count);
    if (wrong)
        pietra_font_destroy(made);
    else
        *font = made;
    return wrong;
}

pietra_font *font_retain(pietra_font *font)
{
    atomic_fetch_add_explicit(&font->owners, 1, memory_order_relaxed);
    return font;
}

static void close_face(pietra_font *font)
{
    const harfbuzz_functions *harfbuzz = font->harfbuzz;
    if (font->guarded != font->plain)
        harfbuzz->hb_font_destroy(font->guarded);
    harfbuzz->hb_font_destroy(font->plain);
    harfbuzz->hb_face_destroy(font->face);
    harfbuzz->hb_draw_funcs_destroy(font->drawing);
    kept_outlines_free(font->outlines);
    for (size_t i = 0; i < font->tables.count; i++)
        harfbuzz->hb_blob_destroy(font->tables.items[i].blob);
    array_free(&font->tables);
}

void pietra_font_destroy(pietra_font *font)
{
    if (!font || atomic_fetch_sub_explicit(&font->owners, 1, memory_order_acq_rel) != 1)
        return;
    if (font->face || font->drawing || font->tables.count > 0)
        close_face(font);
    sfnt_close(&font->sfnt);
    font_source_release(font->source);
    pthread_mutex_destroy(&font->lock);
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
