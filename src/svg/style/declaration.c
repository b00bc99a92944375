#include "svg/style/declaration.h"

#include <assert.h>
#include <math.h>

#include "base/number.h"
#include "svg/css/color.h"
#include "svg/style/css_shape.h"
#include "svg/css/css_token.h"
#include "svg/tree/document.h"
#include "svg/style/mask_value.h"
#include "svg/style/reference.h"
#include "svg/style/variable.h"

typedef struct keyword_entry {
    uint8_t property;
    text name;
    uint8_t keyword;
} keyword_entry;

static const keyword_entry keywords[] = {
    { SVG_CLIP_RULE, TEXT_LITERAL("nonzero"), PIETRA_FILL_NONZERO },
    { SVG_CLIP_RULE, TEXT_LITERAL("evenodd"), PIETRA_FILL_EVEN_ODD },
    { SVG_FILL_RULE, TEXT_LITERAL("nonzero"), PIETRA_FILL_NONZERO },
    { SVG_FILL_RULE, TEXT_LITERAL("evenodd"), PIETRA_FILL_EVEN_ODD },
    { SVG_STROKE_LINECAP, TEXT_LITERAL("butt"), PIETRA_CAP_BUTT },
    { SVG_STROKE_LINECAP, TEXT_LITERAL("round"), PIETRA_CAP_ROUND },
    { SVG_STROKE_LINECAP, TEXT_LITERAL("square"), PIETRA_CAP_SQUARE },
    { SVG_STROKE_LINEJOIN, TEXT_LITERAL("miter"), PIETRA_JOIN_MITER },
    { SVG_STROKE_LINEJOIN, TEXT_LITERAL("round"), PIETRA_JOIN_ROUND },
    { SVG_STROKE_LINEJOIN, TEXT_LITERAL("bevel"), PIETRA_JOIN_BEVEL },
    { SVG_STROKE_LINEJOIN, TEXT_LITERAL("miter-clip"), PIETRA_JOIN_MITER_CLIP },
    { SVG_STROKE_LINEJOIN, TEXT_LITERAL("arcs"), PIETRA_JOIN_ARCS },
    { SVG_VISIBILITY, TEXT_LITERAL("visible"), SVG_VISIBLE },
    { SVG_VISIBILITY, TEXT_LITERAL("hidden"), SVG_HIDDEN },
    { SVG_VISIBILITY, TEXT_LITERAL("collapse"), SVG_HIDDEN },
    { SVG_OVERFLOW, TEXT_LITERAL("hidden"), SVG_OVERFLOW_HIDDEN },
    { SVG_OVERFLOW, TEXT_LITERAL("scroll"), SVG_OVERFLOW_HIDDEN },
    { SVG_OVERFLOW, TEXT_LITERAL("visible"), SVG_OVERFLOW_VISIBLE },
    { SVG_OVERFLOW, TEXT_LITERAL("auto"), SVG_OVERFLOW_VISIBLE },
    { SVG_OVERFLOW, TEXT_LITERAL("clip"), SVG_OVERFLOW_HIDDEN },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("normal"), PIETRA_BLEND_NORMAL },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("multiply"), PIETRA_BLEND_MULTIPLY },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("screen"), PIETRA_BLEND_SCREEN },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("overlay"), PIETRA_BLEND_OVERLAY },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("darken"), PIETRA_BLEND_DARKEN },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("lighten"), PIETRA_BLEND_LIGHTEN },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("color-dodge"), PIETRA_BLEND_COLOR_DODGE },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("color-burn"), PIETRA_BLEND_COLOR_BURN },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("hard-light"), PIETRA_BLEND_HARD_LIGHT },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("soft-light"), PIETRA_BLEND_SOFT_LIGHT },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("difference"), PIETRA_BLEND_DIFFERENCE },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("exclusion"), PIETRA_BLEND_EXCLUSION },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("hue"), PIETRA_BLEND_HUE },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("saturation"), PIETRA_BLEND_SATURATION },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("color"), PIETRA_BLEND_COLOR },
    { SVG_MIX_BLEND_MODE, TEXT_LITERAL("luminosity"), PIETRA_BLEND_LUMINOSITY },
    { SVG_ISOLATION, TEXT_LITERAL("auto"), SVG_ISOLATION_AUTO },
    { SVG_ISOLATION, TEXT_LITERAL("isolate"), SVG_ISOLATION_ISOLATE },
    { SVG_MASK_TYPE, TEXT_LITERAL("luminance"), SVG_MASK_LUMINANCE },
    { SVG_MASK_TYPE, TEXT_LITERAL("alpha"), SVG_MASK_ALPHA },
    { SVG_VECTOR_EFFECT, TEXT_LITERAL("none"), SVG_EFFECT_NONE },
    { SVG_VECTOR_EFFECT, TEXT_LITERAL("non-scaling-stroke"), SVG_EFFECT_FIXED_STROKE },
    { SVG_SHAPE_RENDERING, TEXT_LITERAL("auto"), SVG_EDGES_SMOOTH },
    { SVG_SHAPE_RENDERING, TEXT_LITERAL("geometricprecision"), SVG_EDGES_SMOOTH },
    { SVG_SHAPE_RENDERING, TEXT_LITERAL("optimizespeed"), SVG_EDGES_CRISP },
    { SVG_SHAPE_RENDERING, TEXT_LITERAL("crispedges"), SVG_EDGES_CRISP },
    { SVG_COLOR_INTERPOLATION, TEXT_LITERAL("auto"), SVG_INTERPOLATE_SRGB },
    { SVG_COLOR_INTERPOLATION, TEXT_LITERAL("srgb"), SVG_INTERPOLATE_SRGB },
    { SVG_COLOR_INTERPOLATION, TEXT_LITERAL("linearrgb"), SVG_INTERPOLATE_LINEAR },
    { SVG_IMAGE_RENDERING, TEXT_LITERAL("auto"), SVG_IMAGE_HIGH },
    { SVG_IMAGE_RENDERING, TEXT_LITERAL("smooth"), SVG_IMAGE_SMOOTH },
    { SVG_IMAGE_RENDERING, TEXT_LITERAL("optimizespeed"), SVG_IMAGE_NEAREST },
    { SVG_IMAGE_RENDERING, TEXT_LITERAL("optimizequality"), SVG_IMAGE_HIGH },
    { SVG_IMAGE_RENDERING, TEXT_LITERAL("high-quality"), SVG_IMAGE_HIGH },
    { SVG_IMAGE_RENDERING, TEXT_LITERAL("crisp-edges"), SVG_IMAGE_NEAREST },
    { SVG_IMAGE_RENDERING, TEXT_LITERAL("-webkit-optimize-contrast"), SVG_IMAGE_NEAREST },
    { SVG_IMAGE_RENDERING, TEXT_LITERAL("pixelated"), SVG_IMAGE_NEAREST },
    { SVG_TRANSFORM_BOX, TEXT_LITERAL("view-box"), SVG_BOX_VIEW },
    { SVG_TRANSFORM_BOX, TEXT_LITERAL("border-box"), SVG_BOX_STROKE },
    { SVG_TRANSFORM_BOX, TEXT_LITERAL("stroke-box"), SVG_BOX_STROKE },
    { SVG_TRANSFORM_BOX, TEXT_LITERAL("fill-box"), SVG_BOX_FILL },
    { SVG_TRANSFORM_BOX, TEXT_LITERAL("content-box"), SVG_BOX_FILL },
};

static svg_parsed parse_keyword(text value, svg_declaration *declaration)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (keywords[i].property == declaration->property && text_equal_ignoring_case(value, keywords[i].name)) {
            declaration->form = SVG_FORM_KEYWORD;
            declaration->keyword = keywords[i].keyword;
            return SVG_PARSED_GOOD;
        }
    return SVG_PARSED_BAD;
}

/* A number or a percentage, limited to 0 and 1. */
static svg_parsed parse_opacity(text value, svg_declaration *declaration)
{
    const char *at = value.bytes, *end = at + value.count;
    double number;
    svg_length length;
    bool plain;
    if (svg_calc_scan(&at, end, 0, &length, &plain) && (plain || length.unit == SVG_UNIT_PERCENT))
        number = plain ? length.number : length.number / 100;
    else if (!number_scan(&at, end, &number))
        return SVG_PARSED_BAD;
    if (at < end && *at == '%') {
        number /= 100;
        at++;
    }
    if (at != end)
        return SVG_PARSED_BAD;
    declaration->form = SVG_FORM_NUMBER;
    declaration->number = number < 0 ? 0 : number > 1 ? 1 : number;
    return SVG_PARSED_GOOD;
}

/* No miter is shorter than the stroke is wide: limits below 1 are as good as 1 (SVG 2, 13.5.5). */
static svg_parsed parse_miter_limit(text value, svg_declaration *declaration)
{
    const char *at = value.bytes, *end = at + value.count;
    double number;
    if (!number_scan(&at, end, &number) || at != end || !(number >= 0) || !isfinite(number))
        return SVG_PARSED_BAD;
    declaration->form = SVG_FORM_NUMBER;
    declaration->number = fmax(number, 1);
    return SVG_PARSED_GOOD;
}

static svg_parsed parse_length(svg_document *document, text value, bool negative_allowed, svg_declaration *declaration)
{
    svg_length length;
    if (!svg_length_parse_any(value, &document->units, &length) || (svg_length_is_negative(length) && !negative_allowed))
        return SVG_PARSED_BAD;
    declaration->form = SVG_FORM_LENGTH;
    declaration->keyword = (uint8_t)length.unit;
    declaration->number = length.number;
    return SVG_PARSED_GOOD;
}

/* Absolute sizes as CSS Fonts 3, section 3.5, maps them, for a medium of 16 pixels. */
static svg_parsed parse_font_size(svg_document *document, text value, svg_declaration *declaration)
{
    static const struct {
        text name;
        double pixels;
    } sizes[] = {
        { TEXT_LITERAL("xx-small"), 16 * 3 / 5.0 }, { TEXT_LITERAL("x-small"), 12 }, { TEXT_LITERAL("small"), 16 * 8 / 9.0 },
        { TEXT_LITERAL("medium"), 16 },             { TEXT_LITERAL("large"), 16 * 6 / 5.0 }, { TEXT_LITERAL("x-large"), 24 },
        { TEXT_LITERAL("xx-large"), 32 },
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (text_equal_ignoring_case(value, sizes[i].name)) {
            declaration->form = SVG_FORM_LENGTH;
            declaration->keyword = SVG_UNIT_PX;
            declaration->number = sizes[i].pixels;
            return SVG_PARSED_GOOD;
        }
    if (text_equal_ignoring_case(value, TEXT("smaller")) || text_equal_ignoring_case(value, TEXT("larger"))) {
        declaration->form = SVG_FORM_KEYWORD;
        declaration->keyword = text_lower(value.bytes[0]) == 's' ? SVG_FONT_SMALLER : SVG_FONT_LARGER;
        return SVG_PARSED_GOOD;
    }
    return parse_length(document, value, false, declaration);
}

/* Lengths, none negative, separated by commas or blanks; `none` is the empty list. */
static svg_parsed parse_dashes(svg_document *document, text value, svg_declaration *declaration)
{
    const char *at = value.bytes, *end = at + value.count;
    size_t before = document->lengths.count;
    declaration->form = SVG_FORM_LENGTHS;
    declaration->reference = (uint32_t)before;
    if (text_equal_ignoring_case(value, TEXT("none")))
        at = end;
    while (at < end) {
        svg_length length;
        if (!svg_length_scan_any(&at, end, &document->units, &length) || svg_length_is_negative(length))
            goto bad;
        if (!svg_budget_charge(document->budget, SVG_LIMIT_lengths, 1))
            goto bad;
        svg_length *added = array_push(&document->lengths);
        if (!added)
            return SVG_PARSED_OUT_OF_MEMORY;
        *added = length;
        at = text_skip_space(at, end);
        bool comma = at < end && *at == ',';
        if (comma)
            at++;
        at = text_skip_space(at, end);
        if (comma && at == end)
            goto bad;
    }
    declaration->count = (uint32_t)(document->lengths.count - before);
    if (declaration->count == 0)
        declaration->reference = 0;
    return value.count ? SVG_PARSED_GOOD : SVG_PARSED_BAD;
bad:
    document->lengths.count = before;
    return SVG_PARSED_BAD;
}

static void set_dark(svg_declaration *declaration, pietra_color dark)
{
    const float channels[4] = { dark.r, dark.g, dark.b, dark.a };
    uint16_t words[4];
    for (int i = 0; i < 4; i++)
        words[i] = (uint16_t)lrintf(channels[i] * 65535);
    memcpy(&declaration->number, words, sizeof declaration->number);
    declaration->count = 1;
}

/* none, currentColor or a colour; an ICC colour after it (SVG 1.1) is skipped, the colour before it serves. */
static bool parse_simple_paint(const svg_document *document, text value, uint8_t *form, svg_declaration *declaration)
{
    pietra_color dark;
    if (text_equal_ignoring_case(value, TEXT("none"))) {
        *form = SVG_PAINT_NONE;
        return true;
    }
    if (text_equal_ignoring_case(value, TEXT("currentcolor"))) {
        *form = SVG_PAINT_CURRENT_COLOR;
        return true;
    }
    if (!svg_color_parse(&value, document->current_color, &declaration->color, &dark))
        return false;
    if (memcmp(&dark, &declaration->color, sizeof dark) != 0)
        set_dark(declaration, dark);
    *form = SVG_PAINT_COLOR;
    value = text_trim(value);
    return value.count == 0 || text_starts_with(value, TEXT("icc-color("));
}

static svg_parsed parse_paint(svg_document *document, text value, svg_declaration *declaration)
{
    text id;
    declaration->form = SVG_FORM_PAINT;
    declaration->fallback = SVG_PAINT_ABSENT;
    bool context_fill = text_equal_ignoring_case(value, TEXT("context-fill"));
    if (context_fill || text_equal_ignoring_case(value, TEXT("context-stroke"))) {
        declaration->keyword = context_fill ? SVG_PAINT_CONTEXT_FILL : SVG_PAINT_CONTEXT_STROKE;
        document->uses_context = true;
        return SVG_PARSED_GOOD;
    }
    if (!svg_reference_scan(document, &value, &id))
        return parse_simple_paint(document, value, &declaration->keyword, declaration) ? SVG_PARSED_GOOD : SVG_PARSED_BAD;
    declaration->keyword = SVG_PAINT_LINK;
    value = text_trim(value);
    if (value.count && !parse_simple_paint(document, value, &declaration->fallback, declaration))
        return SVG_PARSED_BAD;
    return svg_document_add_link(document, id, &declaration->reference) ? SVG_PARSED_GOOD : SVG_PARSED_OUT_OF_MEMORY;
}

static svg_parsed parse_color(const svg_document *document, text value, bool current_allowed, svg_declaration *declaration)
{
    declaration->form = SVG_FORM_PAINT;
    declaration->fallback = SVG_PAINT_ABSENT;
    if (!parse_simple_paint(document, value, &declaration->keyword, declaration) || declaration->keyword == SVG_PAINT_NONE)
        return SVG_PARSED_BAD;
    if (declaration->keyword == SVG_PAINT_CURRENT_COLOR && !current_allowed)
        declaration->form = SVG_FORM_INHERIT; /* CSS Color 3, section 4.4: on `color` itself it means inherit */
    return SVG_PARSED_GOOD;
}

/* Words, of which a reader of ours who prefers light takes dark only where light is not offered. */
static svg_parsed parse_color_scheme(text value, svg_declaration *declaration)
{
    bool light = false, dark = false;
    if (value.count == 0)
        return SVG_PARSED_BAD;
    while (value.count) {
        css_token token = css_token_next(&value);
        if (token.kind != CSS_IDENT && token.kind != CSS_SPACE)
            return SVG_PARSED_BAD;
        light = light || text_equal_ignoring_case(token.value, TEXT("light"));
        dark = dark || text_equal_ignoring_case(token.value, TEXT("dark"));
    }
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = dark && !light ? SVG_SCHEME_DARK : SVG_SCHEME_LIGHT;
    return SVG_PARSED_GOOD;
}

/* Of `fill`, `stroke` and `markers` in any order, what is left out follows in that order. */
static svg_parsed parse_paint_order(text value, svg_declaration *declaration)
{
    static const text names[SVG_LAYER_COUNT] = { TEXT_LITERAL("fill"), TEXT_LITERAL("stroke"), TEXT_LITERAL("markers") };
    bool seen[SVG_LAYER_COUNT] = { false };
    unsigned order = 0, count = 0;
    if (value.count == 0)
        return SVG_PARSED_BAD;
    if (text_equal_ignoring_case(value, TEXT("normal")))
        value.count = 0;
    while (value.count) {
        size_t length = 0, name = 0;
        while (length < value.count && !text_is_space(value.bytes[length]))
            length++;
        while (name < SVG_LAYER_COUNT && !text_equal_ignoring_case((text){ value.bytes, length }, names[name]))
            name++;
        if (name == SVG_LAYER_COUNT || seen[name])
            return SVG_PARSED_BAD;
        order |= (unsigned)name << (2 * count++);
        seen[name] = true;
        value = text_trim(text_from(value.bytes + length, value.bytes + value.count));
    }
    for (unsigned name = 0; name < SVG_LAYER_COUNT; name++)
        if (!seen[name])
            order |= name << (2 * count++);
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = (uint8_t)order;
    return SVG_PARSED_GOOD;
}

/* none, or one url(). */
static svg_parsed parse_marker(svg_document *document, text value, svg_declaration *declaration)
{
    svg_parsed parsed = svg_reference_parse(document, value, declaration);
    return parsed == SVG_PARSED_GOOD && declaration->keyword == SVG_REFERENCE_OTHER ? SVG_PARSED_BAD : parsed;
}

static svg_parsed parse_value(svg_document *document, text value, svg_declaration *declaration)
{
    switch ((svg_name)declaration->property) {
    case SVG_COLOR:
        return parse_color(document, value, false, declaration);
    case SVG_COLOR_SCHEME:
        return parse_color_scheme(value, declaration);
    case SVG_STOP_COLOR:
        return parse_color(document, value, true, declaration);
    case SVG_BACKGROUND_COLOR:
        return parse_color(document, value, true, declaration);
    case SVG_FILL:
    case SVG_STROKE:
        return parse_paint(document, value, declaration);
    case SVG_OPACITY:
    case SVG_FILL_OPACITY:
    case SVG_STROKE_OPACITY:
    case SVG_STOP_OPACITY:
        return parse_opacity(value, declaration);
    case SVG_CLIP_RULE:
    case SVG_FILL_RULE:
    case SVG_STROKE_LINECAP:
    case SVG_STROKE_LINEJOIN:
    case SVG_VISIBILITY:
    case SVG_OVERFLOW:
    case SVG_MASK_TYPE:
    case SVG_VECTOR_EFFECT:
    case SVG_SHAPE_RENDERING:
    case SVG_COLOR_INTERPOLATION:
    case SVG_IMAGE_RENDERING:
        return parse_keyword(value, declaration);
    case SVG_TRANSFORM_BOX:
        document->stroke_boxes = true;
        return parse_keyword(value, declaration);
    case SVG_MIX_BLEND_MODE:
    case SVG_ISOLATION:
        document->blends = true;
        return parse_keyword(value, declaration);
    case SVG_DISPLAY:
        declaration->form = SVG_FORM_KEYWORD;
        declaration->keyword = text_equal_ignoring_case(value, TEXT("none")) ? SVG_DISPLAY_NONE : SVG_DISPLAY_INLINE;
        return SVG_PARSED_GOOD;
    case SVG_PAINT_ORDER:
        return parse_paint_order(value, declaration);
    case SVG_STROKE_WIDTH:
        return parse_length(document, value, false, declaration);
    case SVG_STROKE_DASHOFFSET:
        return parse_length(document, value, true, declaration);
    case SVG_STROKE_DASHARRAY:
        return parse_dashes(document, value, declaration);
    case SVG_STROKE_MITERLIMIT:
        return parse_miter_limit(value, declaration);
    case SVG_FONT_SIZE:
        return parse_font_size(document, value, declaration);
    case SVG_MASK:
        return svg_mask_value_parse(document, value, declaration);
    case SVG_MASK_COMPOSITE:
        return svg_mask_value_parse_composite(value, declaration);
    case SVG_MASK_MODE:
        return svg_mask_value_parse_mode(value, declaration);
    case SVG_MARKER:
    case SVG_MARKER_START:
    case SVG_MARKER_MID:
    case SVG_MARKER_END:
        return parse_marker(document, value, declaration);
    case SVG_CLIP_PATH:
        if (!css_shape_looks_like(value))
            return svg_reference_parse(document, value, declaration);
        declaration->form = SVG_FORM_KEYWORD;
        declaration->keyword = SVG_REFERENCE_SHAPE;
        document->stroke_boxes = true;
        return svg_document_add_text(document, value, &declaration->reference) ? SVG_PARSED_GOOD : SVG_PARSED_OUT_OF_MEMORY;
    case SVG_FILTER:
        return svg_reference_parse(document, value, declaration);
    default:
        return SVG_PARSED_BAD;
    }
}

bool svg_property_is_inherited(svg_name property)
{
    switch (property) {
    case SVG_BACKGROUND_COLOR:
    case SVG_CLIP_PATH:
    case SVG_DISPLAY:
    case SVG_FILTER:
    case SVG_ISOLATION:
    case SVG_MASK:
    case SVG_MASK_COMPOSITE:
    case SVG_MASK_MODE:
    case SVG_MASK_TYPE:
    case SVG_MIX_BLEND_MODE:
    case SVG_OPACITY:
    case SVG_OVERFLOW:
    case SVG_STOP_COLOR:
    case SVG_STOP_OPACITY:
    case SVG_TRANSFORM_BOX:
    case SVG_VECTOR_EFFECT:
        return false;
    default:
        return true;
    }
}

/* Whether a value that is bad is one once it is known what currentColor is: a colour made of it. */
static bool waits_for_color(svg_document *document, text value, svg_declaration *declaration)
{
    static const pietra_color any = { 0, 0, 0, 1 };
    const text word = TEXT("currentcolor");
    svg_declaration tried = { .property = declaration->property };
    bool occurs = false;
    for (size_t i = 0; i + word.count <= value.count && !occurs; i++)
        occurs = text_equal_ignoring_case((text){ value.bytes + i, word.count }, word);
    if (!occurs || document->current_color)
        return false;
    document->current_color = &any;
    bool good = parse_value(document, value, &tried) == SVG_PARSED_GOOD;
    document->current_color = NULL;
    return good;
}

/* What has var() in it is read once that is replaced; what is not understood may be so once it is known what currentColor is. It is read
 * before all the same, for the document to know which properties occur. */
static svg_parsed parse_or_defer(svg_document *document, text value, svg_declaration *declaration)
{
    svg_parsed parsed = parse_value(document, value, declaration);
    bool deferred = css_has_variable(value) || (parsed == SVG_PARSED_BAD && waits_for_color(document, value, declaration));
    if (!deferred || parsed == SVG_PARSED_OUT_OF_MEMORY)
        return parsed;
    return svg_variable_defer(document, value, declaration) ? SVG_PARSED_GOOD : SVG_PARSED_OUT_OF_MEMORY;
}

static bool is_plain(text value)
{
    size_t depth = 0;
    for (size_t i = 0; i < value.count; i++) {
        if (value.bytes[i] == '\\')
            return false;
        depth += value.bytes[i] == '(';
        depth -= value.bytes[i] == ')' && depth;
    }
    return depth == 0;
}

svg_parsed svg_declaration_parse(svg_document *document, svg_name property, text value, svg_declaration *declaration)
{
    assert(svg_name_kind(property) == SVG_KIND_PROPERTY);
    memset(declaration, 0, sizeof *declaration);
    property = svg_mask_value_is_of(property) ? SVG_MASK : property == SVG_BACKGROUND ? SVG_BACKGROUND_COLOR : property;
    declaration->property = (uint8_t)property;
    value = text_trim(value);
    if (!is_plain(value) && !css_plain(value, &document->scratch, &value))
        return SVG_PARSED_OUT_OF_MEMORY;
    /* Readers set overflow alone, so that to revert other properties to what they set is to unset them. */
    bool revert = text_equal_ignoring_case(value, TEXT("revert"));
    bool unset = revert || text_equal_ignoring_case(value, TEXT("unset"));
    if (revert && property == SVG_OVERFLOW)
        *declaration = (svg_declaration){ .property = SVG_OVERFLOW, .form = SVG_FORM_KEYWORD, .keyword = SVG_OVERFLOW_UNSAID };
    else if (text_equal_ignoring_case(value, TEXT("inherit")) || (unset && svg_property_is_inherited(property)))
        declaration->form = SVG_FORM_INHERIT;
    else if (text_equal_ignoring_case(value, TEXT("initial")) || unset)
        declaration->form = SVG_FORM_INITIAL;
    else
        return parse_or_defer(document, value, declaration);
    return SVG_PARSED_GOOD;
}
