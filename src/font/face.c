/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/face.h"

#include <stdlib.h>

#include "base/lacked_memory.h"
#include "font/font.h"

/* ---- Tables ---- */

static void free_piece(void *user)
{
    font_piece_free(user);
    free(user);
}

/* Reads a table. NULL: it is missing, or could not be read, which *wrong says. */
static hb_blob_t *read_table(const font_face *face, uint32_t tag, const char **wrong)
{
    font_piece *piece = malloc(sizeof *piece);
    if (!piece) {
        *wrong = font_out_of_memory;
        return NULL;
    }
    *wrong = sfnt_read(&face->sfnt, tag, piece);
    if (*wrong || piece->bytes.count == 0) {
        if (!*wrong)
            font_piece_free(piece);
        free(piece);
        return NULL;
    }
    return face->harfbuzz->hb_blob_create((const char *)piece->bytes.at, (unsigned)piece->bytes.count,
                                          HB_MEMORY_MODE_READONLY, piece, free_piece);
}

/* Keeps what was read, since HarfBuzz may ask again. */
static hb_blob_t *find_table(font_face *face, uint32_t tag, const char **wrong)
{
    for (size_t i = 0; i < face->tables.count; i++)
        if (face->tables.items[i].tag == tag)
            return face->tables.items[i].blob;
    hb_blob_t *blob = read_table(face, tag, wrong);
    font_table *table = *wrong ? NULL : array_push(&face->tables);
    if (table) {
        *table = (font_table){.tag = tag, .blob = blob};
        return blob;
    }
    if (!*wrong)
        *wrong = font_out_of_memory;
    face->harfbuzz->hb_blob_destroy(blob);
    return NULL;
}

/* HarfBuzz calls this on any thread. A table that cannot be read must not look like one that is not there. */
static hb_blob_t *reference_table(hb_face_t *shared, hb_tag_t tag, void *user)
{
    font_face *face = user;
    const char *wrong = NULL;
    (void)shared;
    if (tag == HB_TAG_NONE)
        return NULL;
    pthread_mutex_lock(&face->lock);
    hb_blob_t *blob = find_table(face, tag, &wrong);
    if (blob)
        face->harfbuzz->hb_blob_reference(blob);
    pthread_mutex_unlock(&face->lock);
    if (wrong)
        face->wrong = wrong;
    return blob;
}

font_bytes font_face_borrow(font_face *face, uint32_t tag, const char **wrong)
{
    unsigned count = 0;
    pthread_mutex_lock(&face->lock);
    hb_blob_t *blob = find_table(face, tag, wrong);
    pthread_mutex_unlock(&face->lock);
    const char *bytes = blob ? face->harfbuzz->hb_blob_get_data(blob, &count) : NULL;
    return (font_bytes){(const uint8_t *)bytes, count};
}

/* ---- Guarded functions ---- */

/* Without a table of their variations, advances, origins and extents of a variable font's glyphs come from their
 * points. The glyphs are counted first, as before they are drawn. */
static bool is_harmless(void *font_data, hb_codepoint_t glyph)
{
    const font_face *face = font_data;
    return !font_glyphs_check(&face->glyphs, glyph);
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

static hb_font_funcs_t *make_guards(const harfbuzz_functions *harfbuzz)
{
    void *user = (void *)(uintptr_t)harfbuzz;
    hb_font_funcs_t *guards = harfbuzz->hb_font_funcs_create();
    harfbuzz->hb_font_funcs_set_glyph_h_advance_func(guards, guard_h_advance, user, NULL);
    harfbuzz->hb_font_funcs_set_glyph_v_advance_func(guards, guard_v_advance, user, NULL);
    harfbuzz->hb_font_funcs_set_glyph_v_origin_func(guards, guard_v_origin, user, NULL);
    harfbuzz->hb_font_funcs_set_glyph_extents_func(guards, guard_extents, user, NULL);
    harfbuzz->hb_font_funcs_make_immutable(guards);
    return guards;
}

/* ---- Opening ---- */

static const char *open_glyphs(font_face *face)
{
    const char *wrong = NULL;
    face->has_glyphs = sfnt_find(&face->sfnt, FONT_TAG('g', 'l', 'y', 'f')) != NULL;
    if (!face->has_glyphs)
        return NULL;
    const font_bytes glyf = font_face_borrow(face, FONT_TAG('g', 'l', 'y', 'f'), &wrong);
    const font_bytes loca = font_face_borrow(face, FONT_TAG('l', 'o', 'c', 'a'), &wrong);
    const font_bytes head = font_face_borrow(face, FONT_TAG('h', 'e', 'a', 'd'), &wrong);
    const font_bytes maxp = font_face_borrow(face, FONT_TAG('m', 'a', 'x', 'p'), &wrong);
    face->glyphs = font_glyphs_of(glyf, loca, head, maxp);
    return wrong;
}

static const char *weigh_lookups(font_face *face)
{
    static const uint32_t tags[] = {FONT_TAG('G', 'S', 'U', 'B'), FONT_TAG('G', 'P', 'O', 'S')};
    const char *wrong = NULL;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0] && !wrong; i++) {
        const font_bytes table = font_face_borrow(face, tags[i], &wrong);
        if (!wrong)
            wrong = font_lookups_weigh(table, tags[i] == FONT_TAG('G', 'P', 'O', 'S'), &face->lookups);
    }
    return wrong;
}

static const char *open_tables(font_face *face)
{
    const harfbuzz_functions *harfbuzz = face->harfbuzz;
    const char *wrong = open_glyphs(face);
    if (!wrong)
        wrong = weigh_lookups(face);
    if (wrong)
        return wrong;
    face->drawing = font_drawing_create(harfbuzz);
    face->shared = harfbuzz->hb_face_create_for_tables(reference_table, face, NULL);
    if (!face->drawing || face->shared == harfbuzz->hb_face_get_empty())
        return font_out_of_memory;
    harfbuzz->hb_face_get_upem(face->shared);
    harfbuzz->hb_face_make_immutable(face->shared);
    if (sfnt_find(&face->sfnt, FONT_TAG('f', 'v', 'a', 'r'))) {
        face->axis_count = harfbuzz->hb_ot_var_get_axis_count(face->shared);
        if (face->axis_count > FONT_MOST_AXES)
            return "it has more than 256 axes";
        if (face->has_glyphs)
            face->guards = make_guards(harfbuzz);
    }
    face->has_documents = harfbuzz->hb_ot_color_has_svg(face->shared);
    face->has_bitmaps = harfbuzz->hb_ot_color_has_png(face->shared);
    return face->wrong;
}

static const char *open_face(font_face *face, uint32_t index)
{
    const char *wrong = harfbuzz_open(&face->harfbuzz);
    if (!wrong)
        wrong = sfnt_open(face->source, index, &face->sfnt);
    if (wrong)
        return wrong;
    const int before = lacked_memory_begin();
    wrong = open_tables(face);
    return lacked_memory_end(before) && !wrong ? font_out_of_memory : wrong;
}

const char *font_face_open(font_source *source, uint32_t index, font_face **face)
{
    font_face *made = calloc(1, sizeof *made);
    if (!made)
        return font_out_of_memory;
    living_begin(&made->living);
    pthread_mutex_init(&made->lock, NULL);
    made->source = font_source_retain(source);
    const char *wrong = open_face(made, index);
    if (wrong)
        font_face_release(made);
    else
        *face = made;
    return wrong;
}

font_face *font_face_retain(font_face *face)
{
    living_retain(&face->living);
    return face;
}

static void close_tables(font_face *face)
{
    const harfbuzz_functions *harfbuzz = face->harfbuzz;
    harfbuzz->hb_face_destroy(face->shared);
    harfbuzz->hb_draw_funcs_destroy(face->drawing);
    harfbuzz->hb_font_funcs_destroy(face->guards);
    for (size_t i = 0; i < face->tables.count; i++)
        harfbuzz->hb_blob_destroy(face->tables.items[i].blob);
    array_free(&face->tables);
}

void font_face_release(font_face *face)
{
    if (!face || !living_release(&face->living))
        return;
    if (face->shared || face->drawing || face->tables.count > 0)
        close_tables(face);
    sfnt_close(&face->sfnt);
    font_source_release(face->source);
    pthread_mutex_destroy(&face->lock);
    free(face);
}
