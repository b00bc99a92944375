/* The names of elements, attributes and properties that the front end knows, each once, as small numbers.
 *
 * SVG_NAMES lists them in byte order (a test holds it to that). The third column says what an attribute of that name holds. */
#ifndef PIETRA_SVG_TREE_NAMES_H
#define PIETRA_SVG_TREE_NAMES_H

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

#define SVG_NAMESPACE "http://www.w3.org/2000/svg"

#define SVG_NAMES(NAME)                                           \
    NAME(WEBKIT_MASK, "-webkit-mask", PROPERTY)                   \
    NAME(WEBKIT_MASK_IMAGE, "-webkit-mask-image", PROPERTY)       \
    NAME(A, "a", ELEMENT)                                         \
    NAME(BACKGROUND, "background", PROPERTY)                      \
    NAME(BACKGROUND_COLOR, "background-color", PROPERTY)          \
    NAME(CIRCLE, "circle", ELEMENT)                               \
    NAME(CLIP_PATH, "clip-path", PROPERTY)                        \
    NAME(CLIP_RULE, "clip-rule", PROPERTY)                        \
    NAME(CLIP_PATH_ELEMENT, "clipPath", ELEMENT)                  \
    NAME(CLIP_PATH_UNITS, "clipPathUnits", TEXT)                  \
    NAME(COLOR, "color", PROPERTY)                                \
    NAME(COLOR_INTERPOLATION, "color-interpolation", PROPERTY)    \
    NAME(COLOR_SCHEME, "color-scheme", PROPERTY)                  \
    NAME(CX, "cx", LENGTH)                                        \
    NAME(CY, "cy", LENGTH)                                        \
    NAME(D, "d", PATH)                                            \
    NAME(DEFS, "defs", ELEMENT)                                   \
    NAME(DESC, "desc", ELEMENT)                                   \
    NAME(DISPLAY, "display", PROPERTY)                            \
    NAME(ELLIPSE, "ellipse", ELEMENT)                             \
    NAME(FILL, "fill", PROPERTY)                                  \
    NAME(FILL_OPACITY, "fill-opacity", PROPERTY)                  \
    NAME(FILL_RULE, "fill-rule", PROPERTY)                        \
    NAME(FILTER, "filter", PROPERTY)                              \
    NAME(FONT_SIZE, "font-size", PROPERTY)                        \
    NAME(FOREIGN_OBJECT, "foreignObject", ELEMENT)                \
    NAME(FR, "fr", LENGTH)                                        \
    NAME(FX, "fx", LENGTH)                                        \
    NAME(FY, "fy", LENGTH)                                        \
    NAME(G, "g", ELEMENT)                                         \
    NAME(GRADIENT_TRANSFORM, "gradientTransform", TRANSFORM)      \
    NAME(GRADIENT_UNITS, "gradientUnits", TEXT)                   \
    NAME(HEIGHT, "height", LENGTH)                                \
    NAME(HREF, "href", TEXT)                                      \
    NAME(ID, "id", TEXT)                                          \
    NAME(IMAGE, "image", ELEMENT)                                 \
    NAME(IMAGE_RENDERING, "image-rendering", PROPERTY)            \
    NAME(ISOLATION, "isolation", PROPERTY)                        \
    NAME(LINE, "line", ELEMENT)                                   \
    NAME(LINEAR_GRADIENT, "linearGradient", ELEMENT)              \
    NAME(MARKER, "marker", PROPERTY)                              \
    NAME(MARKER_END, "marker-end", PROPERTY)                      \
    NAME(MARKER_MID, "marker-mid", PROPERTY)                      \
    NAME(MARKER_START, "marker-start", PROPERTY)                  \
    NAME(MARKER_HEIGHT, "markerHeight", LENGTH)                   \
    NAME(MARKER_UNITS, "markerUnits", TEXT)                       \
    NAME(MARKER_WIDTH, "markerWidth", LENGTH)                     \
    NAME(MASK, "mask", PROPERTY)                                  \
    NAME(MASK_COMPOSITE, "mask-composite", PROPERTY)              \
    NAME(MASK_IMAGE, "mask-image", PROPERTY)                      \
    NAME(MASK_MODE, "mask-mode", PROPERTY)                        \
    NAME(MASK_TYPE, "mask-type", PROPERTY)                        \
    NAME(MASK_CONTENT_UNITS, "maskContentUnits", TEXT)            \
    NAME(MASK_UNITS, "maskUnits", TEXT)                           \
    NAME(METADATA, "metadata", ELEMENT)                           \
    NAME(MIX_BLEND_MODE, "mix-blend-mode", PROPERTY)              \
    NAME(OFFSET, "offset", TEXT)                                  \
    NAME(OPACITY, "opacity", PROPERTY)                            \
    NAME(ORIENT, "orient", TEXT)                                  \
    NAME(OVERFLOW, "overflow", PROPERTY)                          \
    NAME(PAINT_ORDER, "paint-order", PROPERTY)                    \
    NAME(PATH, "path", ELEMENT)                                   \
    NAME(PATH_LENGTH, "pathLength", TEXT)                         \
    NAME(PATTERN, "pattern", ELEMENT)                             \
    NAME(PATTERN_CONTENT_UNITS, "patternContentUnits", TEXT)      \
    NAME(PATTERN_TRANSFORM, "patternTransform", TRANSFORM)        \
    NAME(PATTERN_UNITS, "patternUnits", TEXT)                     \
    NAME(POINTS, "points", PATH)                                  \
    NAME(POLYGON, "polygon", ELEMENT)                             \
    NAME(POLYLINE, "polyline", ELEMENT)                           \
    NAME(PRESERVE_ASPECT_RATIO, "preserveAspectRatio", TEXT)      \
    NAME(R, "r", LENGTH)                                          \
    NAME(RADIAL_GRADIENT, "radialGradient", ELEMENT)              \
    NAME(RECT, "rect", ELEMENT)                                   \
    NAME(REF_X, "refX", TEXT)                                     \
    NAME(REF_Y, "refY", TEXT)                                     \
    NAME(REQUIRED_EXTENSIONS, "requiredExtensions", TEXT)         \
    NAME(REQUIRED_FEATURES, "requiredFeatures", TEXT)             \
    NAME(ROTATE, "rotate", PROPERTY)                              \
    NAME(RX, "rx", LENGTH)                                        \
    NAME(RY, "ry", LENGTH)                                        \
    NAME(SCALE, "scale", PROPERTY)                                \
    NAME(SCRIPT, "script", ELEMENT)                               \
    NAME(SHAPE_RENDERING, "shape-rendering", PROPERTY)            \
    NAME(SPREAD_METHOD, "spreadMethod", TEXT)                     \
    NAME(STOP, "stop", ELEMENT)                                   \
    NAME(STOP_COLOR, "stop-color", PROPERTY)                      \
    NAME(STOP_OPACITY, "stop-opacity", PROPERTY)                  \
    NAME(STROKE, "stroke", PROPERTY)                              \
    NAME(STROKE_DASHARRAY, "stroke-dasharray", PROPERTY)          \
    NAME(STROKE_DASHOFFSET, "stroke-dashoffset", PROPERTY)        \
    NAME(STROKE_LINECAP, "stroke-linecap", PROPERTY)              \
    NAME(STROKE_LINEJOIN, "stroke-linejoin", PROPERTY)            \
    NAME(STROKE_MITERLIMIT, "stroke-miterlimit", PROPERTY)        \
    NAME(STROKE_OPACITY, "stroke-opacity", PROPERTY)              \
    NAME(STROKE_WIDTH, "stroke-width", PROPERTY)                  \
    NAME(STYLE, "style", STYLE)                                   \
    NAME(SVG, "svg", ELEMENT)                                     \
    NAME(SWITCH, "switch", ELEMENT)                               \
    NAME(SYMBOL, "symbol", ELEMENT)                               \
    NAME(SYSTEM_LANGUAGE, "systemLanguage", TEXT)                 \
    NAME(TEXT, "text", ELEMENT)                                   \
    NAME(TITLE, "title", ELEMENT)                                 \
    NAME(TRANSFORM, "transform", PROPERTY)                        \
    NAME(TRANSFORM_BOX, "transform-box", PROPERTY)                \
    NAME(TRANSFORM_ORIGIN, "transform-origin", PROPERTY)          \
    NAME(TRANSLATE, "translate", PROPERTY)                        \
    NAME(USE, "use", ELEMENT)                                     \
    NAME(VECTOR_EFFECT, "vector-effect", PROPERTY)                \
    NAME(VIEW, "view", ELEMENT)                                   \
    NAME(VIEW_BOX, "viewBox", TEXT)                               \
    NAME(VISIBILITY, "visibility", PROPERTY)                      \
    NAME(WIDTH, "width", LENGTH)                                  \
    NAME(X, "x", LENGTH)                                          \
    NAME(X1, "x1", LENGTH)                                        \
    NAME(X2, "x2", LENGTH)                                        \
    NAME(XLINK_HREF, "xlink:href", TEXT)                          \
    NAME(Y, "y", LENGTH)                                          \
    NAME(Y1, "y1", LENGTH)                                        \
    NAME(Y2, "y2", LENGTH)

typedef enum svg_name {
#define SVG_NAME_ENUM(id, string, kind) SVG_##id,
    SVG_NAMES(SVG_NAME_ENUM)
#undef SVG_NAME_ENUM
    SVG_NAME_COUNT,
    SVG_UNKNOWN = SVG_NAME_COUNT, /* an element of SVG's name space that is not in the list */
    SVG_FOREIGN,                  /* an element of another name space */
    SVG_CUSTOM,                   /* a custom property, --x */
} svg_name;

/* SVG_UNKNOWN: not in the list. */
svg_name svg_name_find(text name);
text svg_name_text(svg_name name);
svg_kind svg_name_kind(svg_name name);

#endif
