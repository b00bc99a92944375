/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/picture.h"

#include "base/lacked_memory.h"

static bool has_png(const pietra_font *font, uint32_t glyph)
{
    hb_blob_t *png = font->harfbuzz->hb_ot_color_glyph_reference_png(font->plain, glyph);
    unsigned count = 0;
    font->harfbuzz->hb_blob_get_data(png, &count);
    font->harfbuzz->hb_blob_destroy(png);
    return count > 0;
}

static picture_kind find_kind(const pietra_font *font, uint32_t glyph)
{
    font_bytes document;
    if (font->colr.table.count > 0 && colr_find(&font->colr, glyph).kind != COLR_NONE)
        return PICTURE_PAINTS;
    if (font->face->has_documents && picture_document(font, glyph, &document))
        return PICTURE_SVG;
    return font->face->has_bitmaps && has_png(font, glyph) ? PICTURE_BITMAP : PICTURE_NONE;
}

picture_kind picture_find(const pietra_font *font, uint32_t glyph)
{
    const int before = lacked_memory_begin();
    const picture_kind kind = find_kind(font, glyph);
    return lacked_memory_end(before) ? PICTURE_UNKNOWN : kind;
}

bool picture_find_box(const pietra_font *font, uint32_t glyph, pietra_box *box)
{
    pietra_box up;
    if (!colr_find_box(&font->colr, glyph, &up))
        return false;
    *box = (pietra_box){up.x0, -up.y1, up.x1, -up.y0};
    return true;
}

/* The blob is a part of the table, which the font keeps. */
bool picture_document(const pietra_font *font, uint32_t glyph, font_bytes *document)
{
    unsigned count = 0;
    hb_blob_t *blob = font->harfbuzz->hb_ot_color_glyph_reference_svg(font->face->shared, glyph);
    const char *bytes = font->harfbuzz->hb_blob_get_data(blob, &count);
    *document = (font_bytes){(const uint8_t *)bytes, count};
    font->harfbuzz->hb_blob_destroy(blob);
    return count > 0;
}

/* Gives the corner of the outline's control box from which bitmaps of sbix are measured. Without an outline that is the
 * origin. */
static bool find_corner(const pietra_font *font, uint32_t glyph, double *x, double *y)
{
    font_outline outline = {0};
    const bool found = font_find_outline(font, glyph, &outline) != font_out_of_memory;
    *x = *y = 0;
    for (size_t i = 0; i + 1 < outline.coordinates.count; i += 2) {
        *x = i == 0 || outline.coordinates.items[i] < *x ? outline.coordinates.items[i] : *x;
        *y = i == 0 || outline.coordinates.items[i + 1] > *y ? outline.coordinates.items[i + 1] : *y;
    }
    font_outline_free(&outline);
    return found;
}

/* HarfBuzz takes the largest bitmap, and knows where it lies as the extents of the glyph. */
static hb_blob_t *find_bitmap(const pietra_font *font, uint32_t glyph, pietra_box *box)
{
    hb_glyph_extents_t extents = {0};
    double right = 0, down = 0;
    font->harfbuzz->hb_font_get_glyph_extents(font->plain, glyph, &extents);
    if (sfnt_find(&font->face->sfnt, FONT_TAG('s', 'b', 'i', 'x')) && !find_corner(font, glyph, &right, &down))
        return NULL;
    const double x = extents.x_bearing, y = -(double)extents.y_bearing;
    *box = (pietra_box){right + x / FONT_SUBUNITS, down + y / FONT_SUBUNITS,
                        right + (x + extents.width) / FONT_SUBUNITS, down + (y - extents.height) / FONT_SUBUNITS};
    return font->harfbuzz->hb_ot_color_glyph_reference_png(font->plain, glyph);
}

hb_blob_t *picture_bitmap(const pietra_font *font, uint32_t glyph, pietra_box *box)
{
    const int before = lacked_memory_begin();
    hb_blob_t *blob = find_bitmap(font, glyph, box);
    if (!lacked_memory_end(before))
        return blob;
    font->harfbuzz->hb_blob_destroy(blob);
    return NULL;
}
