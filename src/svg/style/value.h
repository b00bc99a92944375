/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values of properties: the functions that read them into declarations, and their types in a computed style. */
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

/* A url(), a shape, or neither. */
typedef struct svg_style_reference {
    uint8_t kind;  /* SVG_REFERENCE_... */
    uint32_t link; /* index of a LINK; index of the text of a SHAPE */
} svg_style_reference;

typedef struct svg_style_filter {
    uint8_t kind;   /* SVG_REFERENCE_... */
    uint32_t link;  /* index of a LINK; index of the first of FUNCTIONS */
    uint32_t count; /* of FUNCTIONS */
} svg_style_filter;

typedef struct svg_style_mask {
    uint8_t kind;  /* SVG_REFERENCE_... */
    uint32_t link; /* index of a LINK; index of the first of LAYERS */
    /* SVG_MASK_... of a LINK; number and composite of LAYERS; as `count` of svg_declaration */
    uint32_t layers;
} svg_style_mask;

/* mask-mode. It takes precedence over the mode in the mask itself. The modes of the layers repeat from the first. */
typedef struct svg_style_mask_mode {
    uint16_t modes; /* as `count` of svg_declaration */
    uint8_t count;  /* 0 if mask-mode is not set */
} svg_style_mask_mode;

/* Places of the layers of a mask, which repeat from the first: a range of the document's places. */
typedef struct svg_style_places {
    uint32_t begin, count;
} svg_style_places;

/* A dash pattern: a range of the document's lengths. */
typedef struct svg_style_dashes {
    double font_size; /* what em refers to */
    uint32_t begin, count;
} svg_style_dashes;

/* font-style. */
typedef struct svg_style_slope {
    uint8_t slope; /* SVG_UPRIGHT and so on */
    float angle;   /* degrees of SVG_OBLIQUE */
} svg_style_slope;

/* font-size-adjust. */
typedef struct svg_style_aspect {
    float part;      /* part of the em; NAN: the first font's */
    uint32_t aspect; /* SVG_ASPECT_... */
} svg_style_aspect;

/* line-height. */
typedef struct svg_style_line_height {
    svg_length length; /* its number is NAN for `normal` */
    double factor;     /* part of the font's size; NAN: `length` holds */
} svg_style_line_height;

/* baseline-shift: up, if positive. */
typedef struct svg_style_shift {
    uint8_t kind; /* SVG_SHIFT_... */
    svg_length length;
} svg_style_shift;

/* VALUE(parser, type, computed): svg_parse_<parser> reads the value. `type` is its type in a computed style, and
 * compute_<computed> of style.c makes it. */
#define SVG_VALUES(VALUE) \
    VALUE(baseline_shift, svg_style_shift, shift) \
    VALUE(blending_keyword, uint8_t, keyword) \
    VALUE(box_keyword, uint8_t, keyword) \
    VALUE(clip_path, svg_style_reference, reference) \
    VALUE(color, svg_style_paint, paint) \
    VALUE(color_scheme, uint8_t, keyword) \
    VALUE(current_color, pietra_color, color) \
    VALUE(dashes, svg_style_dashes, dashes) \
    VALUE(display, uint8_t, keyword) \
    VALUE(filter, svg_style_filter, filter) \
    VALUE(font_alternates, uint32_t, index) \
    VALUE(font_language, uint32_t, index) \
    VALUE(font_palette, uint32_t, index) \
    VALUE(font_size, double, font_size) \
    VALUE(font_size_adjust, svg_style_aspect, aspect) \
    VALUE(font_stretch, float, small_number) \
    VALUE(font_style, svg_style_slope, slope) \
    VALUE(font_variant, uint32_t, index) \
    VALUE(font_weight, float, font_weight) \
    VALUE(inline_size, svg_length, length) \
    VALUE(kerning, uint8_t, keyword) \
    VALUE(keyword, uint8_t, keyword) \
    VALUE(length, svg_length, length) \
    VALUE(line_height, svg_style_line_height, line_height) \
    VALUE(line_length, svg_length, length) \
    VALUE(marker, svg_style_reference, reference) \
    VALUE(mask, svg_style_mask, mask) \
    VALUE(mask_clip, svg_style_places, places) \
    VALUE(mask_composite, uint8_t, keyword) \
    VALUE(mask_mode, svg_style_mask_mode, mask_mode) \
    VALUE(mask_origin, svg_style_places, places) \
    VALUE(mask_position, svg_style_places, places) \
    VALUE(mask_repeat, svg_style_places, places) \
    VALUE(mask_size, svg_style_places, places) \
    VALUE(miter_limit, double, number) \
    VALUE(opacity, double, number) \
    VALUE(paint, svg_style_paint, paint) \
    VALUE(paint_order, uint8_t, keyword) \
    VALUE(signed_length, svg_length, length) \
    VALUE(spacing, svg_length, length) \
    VALUE(string, uint32_t, index) \
    VALUE(text_decoration, uint8_t, keyword)

typedef enum svg_parsed { SVG_PARSED_GOOD, SVG_PARSED_BAD, SVG_PARSED_OUT_OF_MEMORY } svg_parsed;

/* These read a value without blanks around it into a declaration. The declaration has its property, and all its other
 * bytes are zero. They return BAD if the value is not valid. */
#define SVG_VALUE(parser, type, computed) \
    typedef type svg_##parser##_value; \
    svg_parsed svg_parse_##parser(svg_document *document, text value, svg_declaration *declaration);
SVG_VALUES(SVG_VALUE)
#undef SVG_VALUE

#endif
