/* Computed styles: what holds for one instance of an element, from its declarations and its parent's style. */
#ifndef PIETRA_SVG_STYLE_STYLE_H
#define PIETRA_SVG_STYLE_STYLE_H

#include "svg/style/declaration.h"
#include "svg/css/length.h"

typedef struct svg_style_paint {
    uint8_t form;             /* svg_paint_form */
    uint8_t fallback;         /* svg_paint_form */
    uint32_t link;
    pietra_color color;
} svg_style_paint;

/* Properties that are inherited. Lengths in em, ex and ch are pixels already. */
typedef struct svg_inherited {
    pietra_color color;
    svg_style_paint fill, stroke;
    double fill_opacity, stroke_opacity;
    double font_size;
    svg_length stroke_width, dash_offset;
    double miter_limit;
    double dash_font_size;    /* what em in the dash pattern refers to */
    uint32_t dash_begin, dash_count; /* in the document's lengths */
    uint32_t scope;           /* of custom properties */
    uint32_t marker_links[3]; /* start, mid, end; where markers is SVG_REFERENCE_LINK */
    uint8_t markers[3];       /* SVG_REFERENCE_... */
    uint8_t fill_rule, clip_rule, cap, join, visibility, order;
    uint8_t edges, interpolation, image_rendering, scheme;
} svg_inherited;

/* Properties that are not. */
typedef struct svg_other {
    double opacity, stop_opacity;
    svg_style_paint stop_color, background; /* the latter of the outermost svg alone */
    uint32_t clip_link, mask_link; /* where clip and mask are SVG_REFERENCE_LINK; of LAYERS: the first */
    uint32_t mask_layers;     /* of SVG_REFERENCE_LAYERS: count of svg_declaration */
    uint16_t mask_modes;      /* mask-mode, which goes before mask_mode: as in svg_declaration, */
    uint8_t mask_mode_count;  /* so many, over and over; 0: it says nothing */
    uint8_t mask_composite;   /* mask-composite, which goes before what the layers say: SVG_COMPOSITE_... and 1; 0: it says nothing */
    uint8_t clip, mask, filter; /* SVG_REFERENCE_... */
    uint8_t mask_type, mask_mode, blend, isolation; /* mask_mode: of the element that is masked */
    uint8_t display, overflow, vector_effect, transform_box;
} svg_other;

extern const svg_inherited svg_inherited_initial;
extern const svg_other svg_other_initial;

/* The style of an element with this set of declarations. No argument may overlap with a result. */
void svg_style_compute(svg_document *document, uint32_t set, const svg_inherited *parent, const svg_other *parent_other,
                       double root_font_size, svg_inherited *inherited, svg_other *other);
/* True when the set says anything of inherited properties. */
bool svg_style_changes_inherited(const svg_document *document, uint32_t set);

/* The colour that a paint of the form COLOR or CURRENT_COLOR stands for. */
pietra_color svg_style_color(uint8_t form, pietra_color color, const svg_inherited *inherited);

#endif
