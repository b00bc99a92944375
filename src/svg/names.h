/* The names of elements, attributes and properties that the front end knows, each once, as small numbers.
 *
 * SVG_NAMES lists them in byte order (a test holds it to that). The third column says what an attribute of that name holds. */
#ifndef PIETRA_SVG_NAMES_H
#define PIETRA_SVG_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef enum svg_kind {
    SVG_KIND_ELEMENT,         /* not kept as an attribute */
    SVG_KIND_TEXT,            /* kept as text */
    SVG_KIND_LENGTH,          /* kept as number and unit */
    SVG_KIND_TRANSFORM,       /* kept as a matrix */
    SVG_KIND_PATH,            /* goes to the path pool */
    SVG_KIND_STYLE,           /* a list of declarations */
    SVG_KIND_PROPERTY,        /* a declaration */
} svg_kind;

#define SVG_NAMES(X)                                              \
    X(A, "a", ELEMENT)                                            \
    X(CIRCLE, "circle", ELEMENT)                                  \
    X(CLIP_PATH, "clip-path", PROPERTY)                           \
    X(CLIP_RULE, "clip-rule", PROPERTY)                           \
    X(CLIP_PATH_ELEMENT, "clipPath", ELEMENT)                     \
    X(CLIP_PATH_UNITS, "clipPathUnits", TEXT)                     \
    X(COLOR, "color", PROPERTY)                                   \
    X(CX, "cx", LENGTH)                                           \
    X(CY, "cy", LENGTH)                                           \
    X(D, "d", PATH)                                               \
    X(DEFS, "defs", ELEMENT)                                      \
    X(DESC, "desc", ELEMENT)                                      \
    X(DISPLAY, "display", PROPERTY)                               \
    X(ELLIPSE, "ellipse", ELEMENT)                                \
    X(FILL, "fill", PROPERTY)                                     \
    X(FILL_OPACITY, "fill-opacity", PROPERTY)                     \
    X(FILL_RULE, "fill-rule", PROPERTY)                           \
    X(FILTER, "filter", PROPERTY)                                 \
    X(FONT_SIZE, "font-size", PROPERTY)                           \
    X(FOREIGN_OBJECT, "foreignObject", ELEMENT)                   \
    X(FR, "fr", LENGTH)                                           \
    X(FX, "fx", LENGTH)                                           \
    X(FY, "fy", LENGTH)                                           \
    X(G, "g", ELEMENT)                                            \
    X(GRADIENT_TRANSFORM, "gradientTransform", TRANSFORM)         \
    X(GRADIENT_UNITS, "gradientUnits", TEXT)                      \
    X(HEIGHT, "height", LENGTH)                                   \
    X(HREF, "href", TEXT)                                         \
    X(ID, "id", TEXT)                                             \
    X(IMAGE, "image", ELEMENT)                                    \
    X(LINE, "line", ELEMENT)                                      \
    X(LINEAR_GRADIENT, "linearGradient", ELEMENT)                 \
    X(MARKER, "marker", PROPERTY)                                 \
    X(MARKER_END, "marker-end", PROPERTY)                         \
    X(MARKER_MID, "marker-mid", PROPERTY)                         \
    X(MARKER_START, "marker-start", PROPERTY)                     \
    X(MASK, "mask", PROPERTY)                                     \
    X(METADATA, "metadata", ELEMENT)                              \
    X(MIX_BLEND_MODE, "mix-blend-mode", PROPERTY)                 \
    X(OFFSET, "offset", TEXT)                                     \
    X(OPACITY, "opacity", PROPERTY)                               \
    X(OVERFLOW, "overflow", PROPERTY)                             \
    X(PAINT_ORDER, "paint-order", PROPERTY)                       \
    X(PATH, "path", ELEMENT)                                      \
    X(PATTERN, "pattern", ELEMENT)                                \
    X(POINTS, "points", PATH)                                     \
    X(POLYGON, "polygon", ELEMENT)                                \
    X(POLYLINE, "polyline", ELEMENT)                              \
    X(PRESERVE_ASPECT_RATIO, "preserveAspectRatio", TEXT)         \
    X(R, "r", LENGTH)                                             \
    X(RADIAL_GRADIENT, "radialGradient", ELEMENT)                 \
    X(RECT, "rect", ELEMENT)                                      \
    X(RX, "rx", LENGTH)                                           \
    X(RY, "ry", LENGTH)                                           \
    X(SCRIPT, "script", ELEMENT)                                  \
    X(SPREAD_METHOD, "spreadMethod", TEXT)                        \
    X(STOP, "stop", ELEMENT)                                      \
    X(STOP_COLOR, "stop-color", PROPERTY)                         \
    X(STOP_OPACITY, "stop-opacity", PROPERTY)                     \
    X(STROKE, "stroke", PROPERTY)                                 \
    X(STROKE_DASHARRAY, "stroke-dasharray", PROPERTY)             \
    X(STROKE_DASHOFFSET, "stroke-dashoffset", PROPERTY)           \
    X(STROKE_LINECAP, "stroke-linecap", PROPERTY)                 \
    X(STROKE_LINEJOIN, "stroke-linejoin", PROPERTY)               \
    X(STROKE_MITERLIMIT, "stroke-miterlimit", PROPERTY)           \
    X(STROKE_OPACITY, "stroke-opacity", PROPERTY)                 \
    X(STROKE_WIDTH, "stroke-width", PROPERTY)                     \
    X(STYLE, "style", STYLE)                                      \
    X(SVG, "svg", ELEMENT)                                        \
    X(SWITCH, "switch", ELEMENT)                                  \
    X(SYMBOL, "symbol", ELEMENT)                                  \
    X(TEXT, "text", ELEMENT)                                      \
    X(TITLE, "title", ELEMENT)                                    \
    X(TRANSFORM, "transform", PROPERTY)                           \
    X(TRANSFORM_ORIGIN, "transform-origin", PROPERTY)             \
    X(USE, "use", ELEMENT)                                        \
    X(VIEW_BOX, "viewBox", TEXT)                                  \
    X(VISIBILITY, "visibility", PROPERTY)                         \
    X(WIDTH, "width", LENGTH)                                     \
    X(X, "x", LENGTH)                                             \
    X(X1, "x1", LENGTH)                                           \
    X(X2, "x2", LENGTH)                                           \
    X(XLINK_HREF, "xlink:href", TEXT)                             \
    X(Y, "y", LENGTH)                                             \
    X(Y1, "y1", LENGTH)                                           \
    X(Y2, "y2", LENGTH)

typedef enum svg_name {
#define SVG_NAME_ENUM(id, string, kind) SVG_##id,
    SVG_NAMES(SVG_NAME_ENUM)
#undef SVG_NAME_ENUM
    SVG_NAME_COUNT,
    SVG_UNKNOWN = SVG_NAME_COUNT, /* an element of SVG's name space that is not in the list */
    SVG_FOREIGN,                  /* an element of another name space */
} svg_name;

/* SVG_UNKNOWN: not in the list. */
svg_name svg_name_find(text name);
text svg_name_text(svg_name name);
svg_kind svg_name_kind(svg_name name);

#endif
