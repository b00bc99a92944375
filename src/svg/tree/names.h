/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The names of the elements, attributes and properties that the front end knows. Each name has one small number.
 *
 * The properties come first (property.def). The names of SVG_NAMES follow. Each list is in byte order, which a test
 * checks. The third column says what an attribute of that name holds. An element or an attribute with the name of a
 * property has the property's number. */
#ifndef PIETRA_SVG_TREE_NAMES_H
#define PIETRA_SVG_TREE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef enum svg_kind {
    SVG_KIND_ELEMENT,   /* not stored as an attribute */
    SVG_KIND_TEXT,      /* stored as a text */
    SVG_KIND_LENGTH,    /* stored as a number and a unit */
    SVG_KIND_TRANSFORM, /* stored as a matrix */
    SVG_KIND_PATH,      /* goes to the path pool */
    SVG_KIND_STYLE,     /* a list of declarations */
    SVG_KIND_PROPERTY,  /* a declaration */
    SVG_KIND_CSS,       /* a property that is no attribute */
} svg_kind;

#define SVG_NAMESPACE "http://www.w3.org/2000/svg"

#define SVG_NAMES(NAME) \
    NAME(A, "a", ELEMENT) \
    NAME(AMPLITUDE, "amplitude", TEXT) \
    NAME(AZIMUTH, "azimuth", TEXT) \
    NAME(BASE_FREQUENCY, "baseFrequency", TEXT) \
    NAME(BIAS, "bias", TEXT) \
    NAME(CIRCLE, "circle", ELEMENT) \
    NAME(CLIP_PATH_ELEMENT, "clipPath", ELEMENT) \
    NAME(CLIP_PATH_UNITS, "clipPathUnits", TEXT) \
    NAME(DEFS, "defs", ELEMENT) \
    NAME(DESC, "desc", ELEMENT) \
    NAME(DIFFUSE_CONSTANT, "diffuseConstant", TEXT) \
    NAME(DIVISOR, "divisor", TEXT) \
    NAME(DX, "dx", TEXT) \
    NAME(DY, "dy", TEXT) \
    NAME(EDGE_MODE, "edgeMode", TEXT) \
    NAME(ELEVATION, "elevation", TEXT) \
    NAME(ELLIPSE, "ellipse", ELEMENT) \
    NAME(EXPONENT, "exponent", TEXT) \
    NAME(FE_BLEND, "feBlend", ELEMENT) \
    NAME(FE_COLOR_MATRIX, "feColorMatrix", ELEMENT) \
    NAME(FE_COMPONENT_TRANSFER, "feComponentTransfer", ELEMENT) \
    NAME(FE_COMPOSITE, "feComposite", ELEMENT) \
    NAME(FE_CONVOLVE_MATRIX, "feConvolveMatrix", ELEMENT) \
    NAME(FE_DIFFUSE_LIGHTING, "feDiffuseLighting", ELEMENT) \
    NAME(FE_DISPLACEMENT_MAP, "feDisplacementMap", ELEMENT) \
    NAME(FE_DISTANT_LIGHT, "feDistantLight", ELEMENT) \
    NAME(FE_DROP_SHADOW, "feDropShadow", ELEMENT) \
    NAME(FE_FLOOD, "feFlood", ELEMENT) \
    NAME(FE_FUNC_A, "feFuncA", ELEMENT) \
    NAME(FE_FUNC_B, "feFuncB", ELEMENT) \
    NAME(FE_FUNC_G, "feFuncG", ELEMENT) \
    NAME(FE_FUNC_R, "feFuncR", ELEMENT) \
    NAME(FE_GAUSSIAN_BLUR, "feGaussianBlur", ELEMENT) \
    NAME(FE_IMAGE, "feImage", ELEMENT) \
    NAME(FE_MERGE, "feMerge", ELEMENT) \
    NAME(FE_MERGE_NODE, "feMergeNode", ELEMENT) \
    NAME(FE_MORPHOLOGY, "feMorphology", ELEMENT) \
    NAME(FE_OFFSET, "feOffset", ELEMENT) \
    NAME(FE_POINT_LIGHT, "fePointLight", ELEMENT) \
    NAME(FE_SPECULAR_LIGHTING, "feSpecularLighting", ELEMENT) \
    NAME(FE_SPOT_LIGHT, "feSpotLight", ELEMENT) \
    NAME(FE_TILE, "feTile", ELEMENT) \
    NAME(FE_TURBULENCE, "feTurbulence", ELEMENT) \
    NAME(FILTER_UNITS, "filterUnits", TEXT) \
    NAME(FOREIGN_OBJECT, "foreignObject", ELEMENT) \
    NAME(FR, "fr", LENGTH) \
    NAME(FX, "fx", LENGTH) \
    NAME(FY, "fy", LENGTH) \
    NAME(G, "g", ELEMENT) \
    NAME(GRADIENT_TRANSFORM, "gradientTransform", TRANSFORM) \
    NAME(GRADIENT_UNITS, "gradientUnits", TEXT) \
    NAME(HREF, "href", TEXT) \
    NAME(ID, "id", TEXT) \
    NAME(IMAGE, "image", ELEMENT) \
    NAME(IN, "in", TEXT) \
    NAME(IN2, "in2", TEXT) \
    NAME(INTERCEPT, "intercept", TEXT) \
    NAME(K1, "k1", TEXT) \
    NAME(K2, "k2", TEXT) \
    NAME(K3, "k3", TEXT) \
    NAME(K4, "k4", TEXT) \
    NAME(KERNEL_MATRIX, "kernelMatrix", TEXT) \
    NAME(LANG, "lang", TEXT) \
    NAME(LENGTH_ADJUST, "lengthAdjust", TEXT) \
    NAME(LIMITING_CONE_ANGLE, "limitingConeAngle", TEXT) \
    NAME(LINE, "line", ELEMENT) \
    NAME(LINEAR_GRADIENT, "linearGradient", ELEMENT) \
    NAME(MARKER_HEIGHT, "markerHeight", LENGTH) \
    NAME(MARKER_UNITS, "markerUnits", TEXT) \
    NAME(MARKER_WIDTH, "markerWidth", LENGTH) \
    NAME(MASK_CONTENT_UNITS, "maskContentUnits", TEXT) \
    NAME(MASK_UNITS, "maskUnits", TEXT) \
    NAME(METADATA, "metadata", ELEMENT) \
    NAME(MODE, "mode", TEXT) \
    NAME(NUM_OCTAVES, "numOctaves", TEXT) \
    NAME(OFFSET, "offset", TEXT) \
    NAME(OPERATOR, "operator", TEXT) \
    NAME(ORDER, "order", TEXT) \
    NAME(ORIENT, "orient", TEXT) \
    NAME(PATH, "path", ELEMENT) \
    NAME(PATH_LENGTH, "pathLength", TEXT) \
    NAME(PATTERN, "pattern", ELEMENT) \
    NAME(PATTERN_CONTENT_UNITS, "patternContentUnits", TEXT) \
    NAME(PATTERN_TRANSFORM, "patternTransform", TRANSFORM) \
    NAME(PATTERN_UNITS, "patternUnits", TEXT) \
    NAME(POINTS, "points", PATH) \
    NAME(POINTS_AT_X, "pointsAtX", TEXT) \
    NAME(POINTS_AT_Y, "pointsAtY", TEXT) \
    NAME(POINTS_AT_Z, "pointsAtZ", TEXT) \
    NAME(POLYGON, "polygon", ELEMENT) \
    NAME(POLYLINE, "polyline", ELEMENT) \
    NAME(PRESERVE_ALPHA, "preserveAlpha", TEXT) \
    NAME(PRESERVE_ASPECT_RATIO, "preserveAspectRatio", TEXT) \
    NAME(PRIMITIVE_UNITS, "primitiveUnits", TEXT) \
    NAME(RADIAL_GRADIENT, "radialGradient", ELEMENT) \
    NAME(RADIUS, "radius", TEXT) \
    NAME(RECT, "rect", ELEMENT) \
    NAME(REF_X, "refX", TEXT) \
    NAME(REF_Y, "refY", TEXT) \
    NAME(REQUIRED_EXTENSIONS, "requiredExtensions", TEXT) \
    NAME(REQUIRED_FEATURES, "requiredFeatures", TEXT) \
    NAME(RESULT, "result", TEXT) \
    NAME(ROTATE_LIST, "rotate", TEXT) /* an attribute of text; the property of that name is found first */ \
    NAME(SCALE_NUMBER, "scale", TEXT) /* of feDisplacementMap; the property of that name is found first */ \
    NAME(SCRIPT, "script", ELEMENT) \
    NAME(SEED, "seed", TEXT) \
    NAME(SIDE, "side", TEXT) \
    NAME(SLOPE, "slope", TEXT) \
    NAME(SPECULAR_CONSTANT, "specularConstant", TEXT) \
    NAME(SPECULAR_EXPONENT, "specularExponent", TEXT) \
    NAME(SPREAD_METHOD, "spreadMethod", TEXT) \
    NAME(START_OFFSET, "startOffset", LENGTH) \
    NAME(STD_DEVIATION, "stdDeviation", TEXT) \
    NAME(STITCH_TILES, "stitchTiles", TEXT) \
    NAME(STOP, "stop", ELEMENT) \
    NAME(STYLE, "style", STYLE) \
    NAME(SURFACE_SCALE, "surfaceScale", TEXT) \
    NAME(SVG, "svg", ELEMENT) \
    NAME(SWITCH, "switch", ELEMENT) \
    NAME(SYMBOL, "symbol", ELEMENT) \
    NAME(SYSTEM_LANGUAGE, "systemLanguage", TEXT) \
    NAME(TABLE_VALUES, "tableValues", TEXT) \
    NAME(TARGET_X, "targetX", TEXT) \
    NAME(TARGET_Y, "targetY", TEXT) \
    NAME(TEXT, "text", ELEMENT) \
    NAME(TEXT_LENGTH, "textLength", LENGTH) \
    NAME(TEXT_PATH, "textPath", ELEMENT) \
    NAME(TITLE, "title", ELEMENT) \
    NAME(TREF, "tref", ELEMENT) \
    NAME(TSPAN, "tspan", ELEMENT) \
    NAME(TYPE, "type", TEXT) \
    NAME(USE, "use", ELEMENT) \
    NAME(VALUES, "values", TEXT) \
    NAME(VIEW, "view", ELEMENT) \
    NAME(VIEW_BOX, "viewBox", TEXT) \
    NAME(X1, "x1", LENGTH) \
    NAME(X2, "x2", LENGTH) \
    NAME(X_CHANNEL_SELECTOR, "xChannelSelector", TEXT) \
    NAME(XLINK_HREF, "xlink:href", TEXT) \
    NAME(XML_LANG, "xml:lang", TEXT) \
    NAME(XML_SPACE, "xml:space", TEXT) \
    NAME(Y1, "y1", LENGTH) \
    NAME(Y2, "y2", LENGTH) \
    NAME(Y_CHANNEL_SELECTOR, "yChannelSelector", TEXT) \
    NAME(Z, "z", TEXT)

typedef enum svg_name {
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) SVG_##id,
#define ALIAS(id, name, kind, of, state, note) SVG_##id,
#define SHORTHAND(id, name, kind, state, note) SVG_##id,
#define NODE_PROPERTY(id, name, kind, reader, state, note) SVG_##id,
#define GEOMETRY(id, name, elements, automatic, negative) SVG_##id,
#include "svg/tree/property.def"
    SVG_PROPERTY_COUNT,
    SVG_LAST_PROPERTY = SVG_PROPERTY_COUNT - 1,
#define SVG_NAME_ENUM(id, string, kind) SVG_##id,
    SVG_NAMES(SVG_NAME_ENUM)
#undef SVG_NAME_ENUM
        SVG_NAME_COUNT,
    SVG_UNKNOWN = SVG_NAME_COUNT, /* an element of SVG's name space that is not in the list */
    SVG_FOREIGN,                  /* an element of another name space */
    SVG_CUSTOM,                   /* a custom property, --x; it sorts after all others */
} svg_name;

_Static_assert(SVG_CUSTOM <= UINT16_MAX, "nodes, attributes and declarations keep names in two bytes");

/* Returns SVG_UNKNOWN if the name is in neither list. */
svg_name svg_name_find(text name);
/* Finds a name among the properties alone. Returns SVG_UNKNOWN if it is not there. */
svg_name svg_name_find_property(text name);
text svg_name_text(svg_name name);
/* Returns whether an element holds text that is laid out. */
static inline bool svg_is_text_content(uint16_t element)
{
    return element == SVG_TEXT || element == SVG_TSPAN || element == SVG_TEXT_PATH || element == SVG_TREF;
}
svg_kind svg_name_kind(svg_name name);

#endif
