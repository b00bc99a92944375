/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Computed styles: the values for one instance of an element, from its declarations and the style of its parent. */
#ifndef PIETRA_SVG_STYLE_STYLE_H
#define PIETRA_SVG_STYLE_STYLE_H

#include "svg/style/declaration.h"
#include "svg/tree/document.h"

/* Properties that are inherited. Lengths in em, ex and ch are pixels already. */
typedef struct svg_inherited {
#define SVG_FIELD_inherited(parser, field) svg_##parser##_value field;
#define SVG_FIELD_noninherited(parser, field)
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) \
    SVG_FIELD_##inheritance(parser, field)
#include "svg/tree/property.def"
#undef SVG_FIELD_inherited
#undef SVG_FIELD_noninherited
    uint32_t scope; /* scope of custom properties (variable.h) */
} svg_inherited;

/* Properties that are not inherited. */
typedef struct svg_noninherited {
#define SVG_FIELD_inherited(parser, field)
#define SVG_FIELD_noninherited(parser, field) svg_##parser##_value field;
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) \
    SVG_FIELD_##inheritance(parser, field)
#include "svg/tree/property.def"
#undef SVG_FIELD_inherited
#undef SVG_FIELD_noninherited
} svg_noninherited;

extern const svg_inherited svg_inherited_initial;
extern const svg_noninherited svg_noninherited_initial;

/* Returns the initial value of font-size, which the caller chooses. */
static inline double svg_initial_font_size(const svg_document *document)
{
    return document->settings.font_size > 0 ? document->settings.font_size : SVG_MEDIUM_FONT_SIZE;
}

/* Returns what the outermost element inherits. */
static inline svg_inherited svg_style_initial(const svg_document *document)
{
    svg_inherited initial = svg_inherited_initial;
    initial.font_size = svg_initial_font_size(document);
    return initial;
}

/* Returns the opacity of the group that an element of this style makes. */
static inline double svg_group_opacity(const svg_noninherited *style)
{
    return style->opacity;
}

/* Removes opacity, blending and filters from that group. */
static inline void svg_clear_group(svg_noninherited *style)
{
    style->opacity = 1;
    style->mix_blend_mode = PIETRA_BLEND_NORMAL;
    style->filter = svg_noninherited_initial.filter;
}

/* Computes the style of an element with this set of declarations. No argument may overlap with a result. */
void svg_style_compute(svg_document *document, uint32_t set, const svg_inherited *parent,
                       const svg_noninherited *parent_noninherited, double root_font_size, svg_inherited *inherited,
                       svg_noninherited *noninherited);
/* Returns whether the set has declarations of inherited properties. */
bool svg_style_changes_inherited(const svg_document *document, uint32_t set);

/* Returns the colour of a paint of the form COLOR or CURRENT_COLOR. */
pietra_color svg_style_color(uint8_t form, pietra_color color, const svg_inherited *inherited);

#endif
