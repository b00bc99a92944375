/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Declared properties: the content of presentation attributes and style attributes, parsed once.
 *
 * The declarations of a node form a set. Each property is in the set once, because the cascade is already settled.
 * Equal sets are stored once, so a node stores only the number of its set. */
#ifndef PIETRA_SVG_TREE_DECLARED_H
#define PIETRA_SVG_TREE_DECLARED_H

#include <stdint.h>

#include "pietra/pietra.h"

typedef enum svg_form {
    SVG_FORM_INHERIT,
    SVG_FORM_INITIAL,
    SVG_FORM_VARIABLE, /* a custom property, or a value with var() in it */
    SVG_FORM_KEYWORD,
    SVG_FORM_NUMBER,
    SVG_FORM_LENGTH,
    SVG_FORM_LENGTHS,
    SVG_FORM_PAINT,
} svg_form;

typedef enum svg_paint_form {
    SVG_PAINT_NONE,
    SVG_PAINT_COLOR,
    SVG_PAINT_CURRENT_COLOR,
    SVG_PAINT_LINK,         /* never a fallback */
    SVG_PAINT_CONTEXT_FILL, /* the fill of the element that shows this one */
    SVG_PAINT_CONTEXT_STROKE,
    SVG_PAINT_ABSENT, /* only as a fallback: there is no fallback */
} svg_paint_form;

/* Keywords of properties for which the public header has no enum. */
enum { SVG_VISIBLE, SVG_HIDDEN };
enum { SVG_DISPLAY_INLINE, SVG_DISPLAY_NONE };
/* UNSAID means that no declaration sets overflow. Viewports then hide what lies beyond them (SVG 2, 5.2, in the style
 * sheet of every reader). */
enum { SVG_OVERFLOW_UNSAID, SVG_OVERFLOW_HIDDEN, SVG_OVERFLOW_VISIBLE };
enum { SVG_PAINT_STEP_FILL, SVG_PAINT_STEP_STROKE, SVG_PAINT_STEP_MARKERS, SVG_PAINT_STEP_COUNT };
/* The value of paint-order. The first step is in the two lowest bits, the second in the next two, and so on. */
#define SVG_ORDER(first, second, third) ((first) | (second) << 2 | (third) << 4)
#define SVG_ORDER_NORMAL SVG_ORDER(SVG_PAINT_STEP_FILL, SVG_PAINT_STEP_STROKE, SVG_PAINT_STEP_MARKERS)
/* LAYERS means several masks, FUNCTIONS a list of filters and functions. */
enum {
    SVG_REFERENCE_NONE,
    SVG_REFERENCE_LINK,
    SVG_REFERENCE_SHAPE,
    SVG_REFERENCE_LAYERS,
    SVG_REFERENCE_FUNCTIONS,
    SVG_REFERENCE_OTHER,
};
enum { SVG_FONT_SMALLER, SVG_FONT_LARGER };
enum { SVG_MASK_LUMINANCE, SVG_MASK_ALPHA, SVG_MASK_AS_SOURCE };
/* How the layers of a mask are composited. SEVERAL_WAYS means that no single one of these ways is enough. UNSAID means
 * that no declaration sets mask-composite. */
enum { SVG_COMPOSITE_UNSAID, SVG_COMPOSITE_ADD, SVG_COMPOSITE_INTERSECT, SVG_COMPOSITE_SEVERAL_WAYS };
/* How an image is repeated as a layer of a mask, how large it is, and the boxes in which it lies. */
enum { SVG_REPEAT_TILES, SVG_REPEAT_NOT, SVG_REPEAT_SPACED, SVG_REPEAT_ROUNDED };
enum { SVG_SIZE_GIVEN, SVG_SIZE_COVER, SVG_SIZE_CONTAIN };
enum { SVG_MASK_BOX_BORDER, SVG_MASK_BOX_FILL, SVG_MASK_BOX_STROKE, SVG_MASK_BOX_VIEW, SVG_MASK_BOX_NONE };
#define SVG_MOST_MASK_MODES 8u /* modes that count; two bits each, the first in the lowest */
enum { SVG_SCHEME_LIGHT, SVG_SCHEME_DARK };
enum { SVG_ISOLATION_AUTO, SVG_ISOLATION_ISOLATE };
enum { SVG_EFFECT_NONE, SVG_EFFECT_FIXED_STROKE };
enum { SVG_EDGES_SMOOTH, SVG_EDGES_ALIASED };
enum { SVG_INTERPOLATE_SRGB, SVG_INTERPOLATE_LINEAR };
enum { SVG_IMAGE_HIGH, SVG_IMAGE_NEAREST, SVG_IMAGE_SMOOTH };
enum { SVG_BOX_VIEW, SVG_BOX_FILL, SVG_BOX_STROKE };
enum { SVG_AUTO, SVG_NONE };
enum { SVG_EMOJI_NORMAL, SVG_EMOJI_PLAIN, SVG_EMOJI_COLORED };
enum { SVG_LEFT_TO_RIGHT, SVG_RIGHT_TO_LEFT };
enum { SVG_HORIZONTAL, SVG_VERTICAL, SVG_VERTICAL_TO_RIGHT };
enum { SVG_ANCHOR_START, SVG_ANCHOR_MIDDLE, SVG_ANCHOR_END };
enum {
    SVG_SPACE_COLLAPSED,
    SVG_SPACE_ON_ONE_LINE,   /* collapsed; lines do not wrap */
    SVG_SPACE_BETWEEN_LINES, /* collapsed, but line feeds end lines */
    SVG_SPACE_WITH_LINES,    /* kept, and line feeds end lines */
    SVG_SPACE_TAKEN,         /* the same, and blanks at the ends of lines take space */
    SVG_SPACE_KEPT,          /* kept; line feeds are blanks (xml:space) */
};
enum { SVG_WORDS_STICK_OUT, SVG_WORDS_BREAK };
enum { SVG_BREAK_USUAL, SVG_BREAK_LOOSE, SVG_BREAK_NORMAL, SVG_BREAK_STRICT, SVG_BREAK_ANYWHERE };
enum { SVG_BREAK_BETWEEN_WORDS, SVG_BREAK_WORDS, SVG_BREAK_KEEP_WORDS };
enum { SVG_ORIENTATION_MIXED, SVG_ORIENTATION_UPRIGHT, SVG_ORIENTATION_SIDEWAYS };
enum { SVG_CASE_AS_IS, SVG_CASE_UPPER, SVG_CASE_LOWER, SVG_CASE_CAPITALS, SVG_CASE_WIDE };
enum {
    SVG_BIDI_NORMAL,
    SVG_BIDI_EMBED,
    SVG_BIDI_OVERRIDE,
    SVG_BIDI_ISOLATE,
    SVG_BIDI_ISOLATE_OVERRIDE,
    SVG_BIDI_PLAIN,
};
enum {
    SVG_BASELINE_AUTO,
    SVG_BASELINE_ALPHABETIC,
    SVG_BASELINE_BEFORE_EDGE,
    SVG_BASELINE_AFTER_EDGE, /* also ideographic */
    SVG_BASELINE_MIDDLE,
    SVG_BASELINE_CENTRAL,
    SVG_BASELINE_HANGING,
    SVG_BASELINE_MATHEMATICAL,
    SVG_BASELINE_OF_PARENT, /* no-change and reset-size, of dominant-baseline */
};
enum { SVG_SHIFT_LENGTH, SVG_SHIFT_SUB, SVG_SHIFT_SUPER };
enum { SVG_UPRIGHT, SVG_ITALIC, SVG_OBLIQUE };
/* What font-size-adjust makes equal. */
enum {
    SVG_ASPECT_NONE,
    SVG_ASPECT_EX_HEIGHT,
    SVG_ASPECT_CAP_HEIGHT,
    SVG_ASPECT_CH_WIDTH,
    SVG_ASPECT_IC_WIDTH,
    SVG_ASPECT_IC_HEIGHT,
};
/* The functions of the property `filter` (Filter Effects 1, 13). */
typedef enum svg_filter_function_kind {
    SVG_FILTER_URL,
    SVG_FILTER_BLUR,
    SVG_FILTER_BRIGHTNESS,
    SVG_FILTER_CONTRAST,
    SVG_FILTER_DROP_SHADOW,
    SVG_FILTER_GRAYSCALE,
    SVG_FILTER_HUE_ROTATE,
    SVG_FILTER_INVERT,
    SVG_FILTER_OPACITY,
    SVG_FILTER_SATURATE,
    SVG_FILTER_SEPIA,
} svg_filter_function_kind;
enum { SVG_WEIGHT_BOLDER, SVG_WEIGHT_LIGHTER };
/* Lines of text-decoration. */
#define SVG_UNDERLINE 1u
#define SVG_OVERLINE 2u
#define SVG_LINE_THROUGH 4u
enum { SVG_LINE_SOLID, SVG_LINE_DOUBLE, SVG_LINE_DOTTED, SVG_LINE_DASHED, SVG_LINE_WAVY };

/* A declaration has no padding, because sets are compared as bytes. */
typedef struct svg_declaration {
    uint16_t property;  /* svg_name */
    uint8_t form;       /* svg_form */
    uint8_t keyword;    /* KEYWORD; svg_unit of LENGTH; svg_paint_form of PAINT */
    uint16_t fallback;  /* svg_paint_form of PAINT; `color` is its colour, too */
    uint16_t important; /* declared by a style attribute with !important; 0 in a set */
    /* link of PAINT and of SVG_REFERENCE_LINK; first of LENGTHS, LAYERS and FUNCTIONS; text of VARIABLE; name of
     * SVG_CUSTOM; of a string its text, counted from 1; words of font-variant */
    uint32_t reference;
    /* number of LENGTHS and FUNCTIONS; text of SVG_CUSTOM; of a mask its SVG_MASK_...; of LAYERS their number, above
     * their SVG_COMPOSITE_... in the lowest byte; of mask-mode the modes; of PAINT 1 if it has a dark colour */
    uint32_t count;
    double number;      /* NUMBER, LENGTH; of PAINT its bytes are the dark colour: four uint16_t, 65,535 is 1 */
    pietra_color color; /* PAINT */
} svg_declaration;

typedef struct svg_declaration_set {
    uint32_t begin, count;
} svg_declaration_set;

#endif
