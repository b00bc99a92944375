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

/* One url() or a shape, or none. */
typedef struct svg_style_reference {
    uint8_t kind;             /* SVG_REFERENCE_... */
    uint32_t link;            /* of a LINK; of a SHAPE its text */
} svg_style_reference;

typedef struct svg_style_mask {
    uint8_t kind;             /* SVG_REFERENCE_... */
    uint32_t link;            /* of a LINK; of LAYERS the first */
    uint32_t layers;          /* as the count of svg_declaration: of a LINK how it is read, of LAYERS their number and composite */
} svg_style_mask;

/* mask-mode, which goes before what the mask itself says: of each layer, over and over. */
typedef struct svg_style_mask_mode {
    uint16_t modes;           /* as the count of svg_declaration */
    uint8_t count;            /* 0: it says nothing */
} svg_style_mask_mode;

/* In the document's lengths. */
typedef struct svg_style_dashes {
    double font_size;         /* what em refers to */
    uint32_t begin, count;
} svg_style_dashes;

/* Properties that are inherited. Lengths in em, ex and ch are pixels already. */
typedef struct svg_inherited {
    pietra_color color;
    svg_style_paint fill, stroke;
    double fill_opacity, stroke_opacity;
    double font_size;
    svg_length stroke_width, stroke_dashoffset;
    double stroke_miterlimit;
    svg_style_dashes stroke_dasharray;
    uint32_t scope;           /* of custom properties */
    svg_style_reference marker_start, marker_mid, marker_end;
    uint8_t fill_rule, clip_rule, stroke_linecap, stroke_linejoin, visibility, paint_order;
    uint8_t shape_rendering, color_interpolation, image_rendering, color_scheme;
} svg_inherited;

/* Properties that are not. */
typedef struct svg_other {
    double opacity, stop_opacity;
    svg_style_paint stop_color, background_color; /* the latter of the outermost svg alone */
    svg_style_reference clip_path;
    svg_style_mask mask;
    svg_style_mask_mode mask_mode;
    uint8_t mask_composite;   /* goes before what the layers say */
    uint8_t filter;           /* SVG_REFERENCE_... */
    uint8_t mask_type, mix_blend_mode, isolation;
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
