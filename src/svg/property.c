#include "svg/property.h"

#include "svg/variable.h"

/* Of the geometry that SVG 2 (chapter 7) calls properties, only the size of viewports is taken from CSS: shapes have theirs from attributes
 * alone, as in SVG 1.1. */
static bool is_geometry(svg_name property, uint8_t element)
{
    return (property == SVG_WIDTH || property == SVG_HEIGHT) && element == SVG_SVG;
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

/* Bare numbers other than 0 are no lengths in CSS. */
bool svg_property_apply_length(svg_document *document, uint32_t node, svg_name name, text value)
{
    svg_length length = { 0, SVG_UNIT_PX };
    bool automatic = text_equal_ignoring_case(value, TEXT("auto"));
    char last = value.count ? value.bytes[value.count - 1] : 0;
    bool bare = (last >= '0' && last <= '9') || last == '.';
    if (!automatic && (!svg_length_parse(value, document->dpi, &length) || (bare && length.number != 0)))
        return true;
    svg_attribute *attribute = svg_document_set_attribute(document, node, name);
    if (!attribute)
        return false;
    if (automatic)
        length = (svg_length){ 100, SVG_UNIT_PERCENT };
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
            return !is_geometry(property, document->nodes.items[node].element) || svg_property_apply_length(document, node, property, value->value);
        uint8_t element = document->nodes.items[node].element;
        bool gradient = element == SVG_LINEAR_GRADIENT || element == SVG_RADIAL_GRADIENT;
        return apply_transform(document, node, gradient ? SVG_GRADIENT_TRANSFORM : SVG_TRANSFORM, value->value);
    }
    svg_declaration declaration = value->declaration;
    declaration.important = 0;
    return svg_cascade_add(cascade, &declaration);
}
