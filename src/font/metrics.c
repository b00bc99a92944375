/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Distances of a font, and of its glyphs. */
#include "font/font.h"

/* Finds a metric. HarfBuzz measures an x or an H where the font does not state their heights. */
static double find_metric(const pietra_font *font, hb_ot_metrics_tag_t tag)
{
    hb_position_t position = 0;
    font->harfbuzz->hb_ot_metrics_get_position_with_fallback(font->guarded, tag, &position);
    return (double)position / FONT_SUBUNITS;
}

bool pietra_font_measure(const pietra_font *font, pietra_font_metrics *metrics)
{
    if (!font || !metrics)
        return false;
    *metrics = (pietra_font_metrics){
        .units_per_em = font_em(font),
        .ascent = find_metric(font, HB_OT_METRICS_TAG_HORIZONTAL_ASCENDER),
        .descent = -find_metric(font, HB_OT_METRICS_TAG_HORIZONTAL_DESCENDER),
        .line_gap = find_metric(font, HB_OT_METRICS_TAG_HORIZONTAL_LINE_GAP),
        .x_height = find_metric(font, HB_OT_METRICS_TAG_X_HEIGHT),
        .cap_height = find_metric(font, HB_OT_METRICS_TAG_CAP_HEIGHT),
        .underline_offset = -find_metric(font, HB_OT_METRICS_TAG_UNDERLINE_OFFSET),
        .underline_thickness = find_metric(font, HB_OT_METRICS_TAG_UNDERLINE_SIZE),
        .strikeout_offset = find_metric(font, HB_OT_METRICS_TAG_STRIKEOUT_OFFSET),
        .strikeout_thickness = find_metric(font, HB_OT_METRICS_TAG_STRIKEOUT_SIZE),
        .vertical_ascent = find_metric(font, HB_OT_METRICS_TAG_VERTICAL_ASCENDER),
        .vertical_descent = -find_metric(font, HB_OT_METRICS_TAG_VERTICAL_DESCENDER),
        .vertical_line_gap = find_metric(font, HB_OT_METRICS_TAG_VERTICAL_LINE_GAP),
    };
    return true;
}

static double find_advance(const pietra_font *font, uint32_t character, bool vertical, double otherwise)
{
    const uint32_t glyph = pietra_font_glyph(font, character);
    return glyph ? pietra_font_advance(font, glyph, vertical) : otherwise;
}

double font_find_aspect(const pietra_font *font, font_aspect aspect)
{
    const double em = font_em(font);
    switch (aspect) {
    case FONT_ASPECT_EX_HEIGHT:
        return find_metric(font, HB_OT_METRICS_TAG_X_HEIGHT) / em;
    case FONT_ASPECT_CAP_HEIGHT:
        return find_metric(font, HB_OT_METRICS_TAG_CAP_HEIGHT) / em;
    case FONT_ASPECT_CH_WIDTH:
        return find_advance(font, '0', false, em / 2) / em;
    case FONT_ASPECT_IC_WIDTH:
        return find_advance(font, 0x6c34, false, em) / em;
    case FONT_ASPECT_IC_HEIGHT:
        return find_advance(font, 0x6c34, true, em) / em;
    default:
        return 1;
    }
}

double font_script_offset(const pietra_font *font, bool superscript)
{
    return find_metric(font, superscript ? HB_OT_METRICS_TAG_SUPERSCRIPT_EM_Y_OFFSET
                                         : HB_OT_METRICS_TAG_SUBSCRIPT_EM_Y_OFFSET);
}

uint32_t pietra_font_glyph(const pietra_font *font, uint32_t character)
{
    hb_codepoint_t glyph = 0;
    if (!font || !font->harfbuzz->hb_font_get_nominal_glyph(font->plain, character, &glyph))
        return 0;
    return glyph;
}

double pietra_font_advance(const pietra_font *font, uint32_t glyph, bool vertical)
{
    if (!font || glyph >= font->harfbuzz->hb_face_get_glyph_count(font->face->shared))
        return 0;
    const hb_position_t advance = vertical ? -font->harfbuzz->hb_font_get_glyph_v_advance(font->guarded, glyph)
                                           : font->harfbuzz->hb_font_get_glyph_h_advance(font->guarded, glyph);
    return (double)advance / FONT_SUBUNITS;
}
