#include "svg/property.h"

#include "svg/variable.h"

bool svg_property_is_geometry(svg_name property, uint8_t element)
{
    switch (property) {
    case SVG_X:
    case SVG_Y:
    case SVG_WIDTH:
    case SVG_HEIGHT:
        return element == SVG_SVG || element == SVG_RECT || element == SVG_IMAGE || element == SVG_USE;
    case SVG_CX:
    case SVG_CY:
        return element == SVG_CIRCLE || element == SVG_ELLIPSE;
    case SVG_R:
        return element == SVG_CIRCLE;
    case SVG_RX:
    case SVG_RY:
        return element == SVG_ELLIPSE || element == SVG_RECT;
    default:
        return false;
    }
}

void svg_property_warn(svg_warnings *warnings, uint32_t line, svg_name property, text value)
{
    if (property == SVG_D)
        svg_warn(warnings, line, "the property d is left out: paths have their data from attributes");
    else if (property == SVG_STROKE_LINEJOIN &&
             (text_equal_ignoring_case(value, TEXT("miter-clip")) || text_equal_ignoring_case(value, TEXT("arcs"))))
        svg_warn(warnings, line, "stroke-linejoin %.*s is left out", TEXT_PRINT(value));
}

static bool keeps_as_attribute(svg_name property)
{
    return property == SVG_TRANSFORM || property == SVG_TRANSFORM_ORIGIN || svg_name_kind(property) == SVG_KIND_LENGTH;
}

static bool add(const svg_property_value *value, svg_property_values *values)
{
    svg_property_value *added = array_push(values);
    if (added)
        *added = *value;
    return added != NULL;
}

static bool collect_attribute(svg_document *document, svg_property_value *result, text value, svg_property_values *values)
{
    char *copy = arena_copy(&document->arena, value.bytes, value.count);
    result->attribute = true;
    result->value = (text){ copy, value.count };
    return copy && add(result, values);
}

/* The shorthand. */
static bool collect_markers(svg_document *document, text value, bool important, svg_property_values *values)
{
    static const svg_name names[3] = { SVG_MARKER_START, SVG_MARKER_MID, SVG_MARKER_END };
    for (int i = 0; i < 3; i++) {
        svg_property_value result = { .attribute = false };
        svg_parsed parsed = svg_declaration_parse(document, names[i], value, &result.declaration);
        result.declaration.important = important;
        if (parsed == SVG_PARSED_OUT_OF_MEMORY || (parsed == SVG_PARSED_GOOD && !add(&result, values)))
            return false;
    }
    return true;
}

bool svg_property_collect(svg_document *document, text name, text value, bool important, svg_property_values *values)
{
    svg_property_value result = { .attribute = false };
    bool custom = text_starts_with(name, TEXT("--"));
    svg_name property = custom ? SVG_CUSTOM : svg_name_find(name);
    if (property == SVG_UNKNOWN)
        return true;
    if (custom) {
        if (!svg_variable_declare(document, name, value, &result.declaration))
            return false;
        result.declaration.important = important;
        return add(&result, values);
    }
    result.declaration.property = (uint8_t)property;
    result.declaration.important = important;
    if (keeps_as_attribute(property))
        return collect_attribute(document, &result, value, values);
    if (svg_name_kind(property) != SVG_KIND_PROPERTY)
        return true;
    if (property == SVG_MARKER)
        return collect_markers(document, value, important, values);
    svg_parsed parsed = svg_declaration_parse(document, property, value, &result.declaration);
    result.declaration.important = important;
    return parsed == SVG_PARSED_BAD || (parsed == SVG_PARSED_GOOD && add(&result, values));
}

static bool may_be_automatic(svg_name name)
{
    return name == SVG_WIDTH || name == SVG_HEIGHT || name == SVG_RX || name == SVG_RY;
}

static bool may_be_negative(svg_name name)
{
    return name == SVG_X || name == SVG_Y || name == SVG_CX || name == SVG_CY;
}

/* Bare numbers other than 0 are no lengths in CSS. */
bool svg_property_apply_length(svg_document *document, uint32_t node, svg_name name, text value)
{
    svg_length length = { 0, SVG_UNIT_PX };
    bool automatic = may_be_automatic(name) && text_equal_ignoring_case(value, TEXT("auto"));
    char last = value.count ? value.bytes[value.count - 1] : 0;
    bool bare = (last >= '0' && last <= '9') || last == '.';
    if (!automatic && (!svg_length_parse(value, document->dpi, &length) || (bare && length.number != 0) ||
                       (length.number < 0 && !may_be_negative(name))))
        return true;
    svg_attribute *attribute = svg_document_set_attribute(document, node, name);
    if (!attribute)
        return false;
    if (automatic) /* but for viewports, shapes and images take what is negative for auto */
        length = document->nodes.items[node].element == SVG_SVG ? (svg_length){ 100, SVG_UNIT_PERCENT } : (svg_length){ -1, SVG_UNIT_PX };
    attribute->number = length.number;
    attribute->unit = (uint8_t)length.unit;
    return true;
}

static bool apply_transform(svg_document *document, uint32_t node, svg_name name, text value)
{
    pietra_transform transform;
    if (!svg_transform_parse(value, document->dpi, &transform))
        return true;
    pietra_transform *added = array_push(&document->transforms);
    svg_attribute *attribute = svg_document_set_attribute(document, node, name);
    if (!added || !attribute)
        return false;
    *added = transform;
    attribute->transform = (uint32_t)(document->transforms.count - 1);
    return true;
}

static bool apply_text(svg_document *document, uint32_t node, svg_name name, text value)
{
    svg_attribute *attribute = svg_document_set_attribute(document, node, name);
    if (!attribute)
        return false;
    attribute->bytes = value.bytes;
    attribute->count = (uint32_t)value.count;
    return true;
}

bool svg_property_apply(svg_document *document, uint32_t node, const svg_property_value *value, svg_cascade *cascade)
{
    svg_name property = (svg_name)value->declaration.property;
    if (value->attribute) {
        if (property == SVG_TRANSFORM_ORIGIN)
            return apply_text(document, node, property, value->value);
        if (property != SVG_TRANSFORM)
            return !svg_property_is_geometry(property, document->nodes.items[node].element) || svg_property_apply_length(document, node, property, value->value);
        uint8_t element = document->nodes.items[node].element;
        bool gradient = element == SVG_LINEAR_GRADIENT || element == SVG_RADIAL_GRADIENT;
        return apply_transform(document, node, gradient ? SVG_GRADIENT_TRANSFORM : SVG_TRANSFORM, value->value);
    }
    svg_declaration declaration = value->declaration;
    declaration.important = 0;
    return svg_cascade_add(cascade, &declaration);
}
