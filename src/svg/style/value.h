/* Values of properties: read from text into declarations, and what they become in a computed style. */
#ifndef PIETRA_SVG_STYLE_VALUE_H
#define PIETRA_SVG_STYLE_VALUE_H

#include "base/text.h"
#include "svg/css/length.h"
#include "svg/tree/declared.h"

typedef struct svg_document svg_document;

typedef struct svg_style_paint {
    uint8_t form;     /* svg_paint_form */
    uint8_t fallback; /* svg_paint_form */
    uint32_t link;
    pietra_color color;
} svg_style_paint;

/* One url() or a shape, or none. */
typedef struct svg_style_reference {
    uint8_t kind;  /* SVG_REFERENCE_... */
    uint32_t link; /* of a LINK; of a SHAPE its text */
} svg_style_reference;

typedef struct svg_style_mask {
    uint8_t kind;  /* SVG_REFERENCE_... */
    uint32_t link; /* of a LINK; of LAYERS the first */
    /* as the count of svg_declaration: of a LINK how it is read, of LAYERS their number and composite */
    uint32_t layers;
} svg_style_mask;

/* mask-mode, which goes before what the mask itself says: of each layer, over and over. */
typedef struct svg_style_mask_mode {
    uint16_t modes; /* as the count of svg_declaration */
    uint8_t count;  /* 0: it says nothing */
} svg_style_mask_mode;

/* In the document's lengths. */
typedef struct svg_style_dashes {
    double font_size; /* what em refers to */
    uint32_t begin, count;
} svg_style_dashes;

/* VALUE(parser, type, computed): svg_parse_<parser> reads it, a computed style has the type, made by compute_<computed>
 * of style.c. */
#define SVG_VALUES(VALUE) \
    VALUE(blending_keyword, uint8_t, keyword) \
    VALUE(box_keyword, uint8_t, keyword) \
    VALUE(clip_path, svg_style_reference, reference) \
    VALUE(color, svg_style_paint, paint) \
    VALUE(color_scheme, uint8_t, keyword) \
    VALUE(current_color, pietra_color, color) \
    VALUE(dashes, svg_style_dashes, dashes) \
    VALUE(display, uint8_t, keyword) \
    VALUE(font_size, double, font_size) \
    VALUE(keyword, uint8_t, keyword) \
    VALUE(length, svg_length, length) \
    VALUE(marker, svg_style_reference, reference) \
    VALUE(mask, svg_style_mask, mask) \
    VALUE(mask_composite, uint8_t, keyword) \
    VALUE(mask_mode, svg_style_mask_mode, mask_mode) \
    VALUE(miter_limit, double, number) \
    VALUE(opacity, double, number) \
    VALUE(paint, svg_style_paint, paint) \
    VALUE(paint_order, uint8_t, keyword) \
    VALUE(reference, svg_style_reference, reference) \
    VALUE(signed_length, svg_length, length)

typedef enum svg_parsed { SVG_PARSED_GOOD, SVG_PARSED_BAD, SVG_PARSED_OUT_OF_MEMORY } svg_parsed;

/* They read a value without blanks around it into a declaration that has its property and else zero bytes. BAD: it is
 * not valid. */
#define SVG_VALUE(parser, type, computed) \
    typedef type svg_##parser##_value; \
    svg_parsed svg_parse_##parser(svg_document *document, text value, svg_declaration *declaration);
SVG_VALUES(SVG_VALUE)
#undef SVG_VALUE

#endif
