/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Gives values to a node. */
#include "svg/style/property_parts.h"

/* The functions has_... say which elements have lengths that CSS can set (SVG 2, chapter 7). */
static bool has_size(uint16_t element)
{
    return element == SVG_SVG || element == SVG_RECT || element == SVG_IMAGE || element == SVG_USE;
}

static bool has_center(uint16_t element)
{
    return element == SVG_CIRCLE || element == SVG_ELLIPSE;
}

static bool has_radius(uint16_t element)
{
    return element == SVG_CIRCLE;
}

static bool has_radii(uint16_t element)
{
    return element == SVG_ELLIPSE || element == SVG_RECT;
}

static bool apply_length(svg_document *document, uint32_t node, const svg_property_value *value)
{
    svg_name name = (svg_name)value->declaration.property;
    if (value->automatic && document->nodes.items[node].element == SVG_SVG) {
        svg_document_drop_attribute(document, node, name); /* a viewport without the attribute has auto */
        return true;
    }
    svg_attribute *attribute = svg_document_set_attribute(document, node, name);
    if (!attribute)
        return false;
    attribute->number = value->length.number;
    attribute->unit = (uint8_t)value->length.unit;
    return true;
}

static bool apply_path(svg_document *document, uint32_t index, const svg_property_value *value)
{
    svg_node *node = &document->nodes.items[index];
    if (node->element == SVG_PATH) {
        node->path = value->path;
        node->path_styled = true;
    }
    return true;
}

/* Returns the attribute that has the name of the property transform on an element (SVG 2, 14.2.2.1 and 14.3.2). */
static svg_name transform_of(uint16_t element)
{
    switch ((svg_name)element) {
    case SVG_LINEAR_GRADIENT:
    case SVG_RADIAL_GRADIENT:
        return SVG_GRADIENT_TRANSFORM;
    case SVG_PATTERN:
        return SVG_PATTERN_TRANSFORM;
    default:
        return SVG_TRANSFORM;
    }
}

static bool apply_transform(svg_document *document, uint32_t node, const svg_property_value *value)
{
    svg_attribute *attribute =
        svg_document_set_attribute(document, node, transform_of(document->nodes.items[node].element));
    if (!attribute)
        return false;
    attribute->unit = value->relative;
    if (value->relative) {
        attribute->bytes = value->value.bytes;
        attribute->count = (uint32_t)value->value.count;
    } else {
        attribute->transform = value->transform;
    }
    return true;
}

static bool apply_text(svg_document *document, uint32_t node, const svg_property_value *value)
{
    svg_attribute *attribute = svg_document_set_attribute(document, node, (svg_name)value->declaration.property);
    if (!attribute)
        return false;
    attribute->bytes = value->value.bytes;
    attribute->count = (uint32_t)value->value.count;
    return true;
}

static bool apply_individual_transform(svg_document *document, uint32_t node, const svg_property_value *value)
{
    document->transforms_individually = true;
    return apply_text(document, node, value);
}

void svg_property_drop_overruled(svg_document *document, uint32_t node, svg_name property)
{
    const uint16_t element = document->nodes.items[node].element;
    switch (property) {
    case SVG_TRANSFORM:
        svg_document_drop_attribute(document, node, transform_of(element));
        break;
#define GEOMETRY(id, name, elements, automatic, negative) \
    case SVG_##id: \
        if (has_##elements(element)) \
            svg_document_drop_attribute(document, node, property); \
        break;
#include "svg/tree/property.def"
    case SVG_D:
        break;
    default:
        svg_document_drop_attribute(document, node, property);
    }
}

/* Gives a node the attribute that its parent has. */
static bool inherit_attribute(svg_document *document, uint32_t node, svg_name property)
{
    const uint32_t parent = document->nodes.items[node].parent;
    const uint16_t element = document->nodes.items[node].element;
    const bool transform = property == SVG_TRANSFORM;
    const svg_attribute *above =
        parent == SVG_NO_NODE
            ? NULL
            : svg_attribute_find(document, parent,
                                 transform ? transform_of(document->nodes.items[parent].element) : property);
    if (!above)
        return true;
    const svg_attribute copied = *above;
    svg_attribute *attribute = svg_document_set_attribute(document, node, transform ? transform_of(element) : property);
    if (!attribute)
        return false;
    const uint16_t name = attribute->name;
    *attribute = copied;
    attribute->name = name;
    return true;
}

/* Returns whether CSS sets this attribute of such an element. */
static bool has_attribute(uint16_t element, svg_name property)
{
    switch (property) {
#define GEOMETRY(id, name, elements, automatic, negative) \
    case SVG_##id: \
        return has_##elements(element);
#include "svg/tree/property.def"
    default:
        return true;
    }
}

static bool apply_wide(svg_document *document, uint32_t node, svg_name property, svg_wide wide)
{
    static const svg_property_value no_path = {.path = SVG_NO_PATH};
    if (!has_attribute(document->nodes.items[node].element, property))
        return true;
    if (property == SVG_D)
        return apply_path(document, node, &no_path);
    svg_property_drop_overruled(document, node, property);
    return wide != SVG_WIDE_INHERIT || inherit_attribute(document, node, property);
}

bool svg_property_apply_attribute(svg_document *document, uint32_t node, const svg_property_value *value)
{
    const uint16_t element = document->nodes.items[node].element;
    if (value->wide != SVG_WIDE_NONE)
        return apply_wide(document, node, (svg_name)value->declaration.property, (svg_wide)value->wide);
    switch ((svg_name)value->declaration.property) {
#define NODE_PROPERTY(id, name, kind, reader, state, note) \
    case SVG_##id: \
        return apply_##reader(document, node, value);
#define GEOMETRY(id, name, elements, automatic, negative) \
    case SVG_##id: \
        return !has_##elements(element) || apply_length(document, node, value);
#include "svg/tree/property.def"
    default:
        return true;
    }
}

static bool defer(svg_document *document, uint32_t node, const svg_property_value *value)
{
    svg_deferred *deferred = array_push(&document->deferred);
    if (deferred)
        *deferred = (svg_deferred){node, value->declaration.property, value->value};
    return deferred != NULL;
}

/* Drops a deferred value of the last node that has any. */
static void drop_deferred(svg_document *document, uint32_t node, uint16_t property)
{
    for (size_t i = document->deferred.count; i > 0 && document->deferred.items[i - 1].node == node; i--)
        if (document->deferred.items[i - 1].property == property)
            document->deferred.items[i - 1].property = SVG_UNKNOWN;
}

/* Returns whether `all` leaves a property alone. */
static bool is_spared(uint16_t property)
{
    return property == SVG_CUSTOM || property == SVG_DIRECTION || property == SVG_UNICODE_BIDI ||
           property == SVG_LANGUAGE;
}

/* Drops all declarations, which leaves every property unset, and adds those that another keyword needs. */
static bool apply_all_declarations(const svg_property_value *value, svg_cascade *cascade)
{
    enum { inherited = true, noninherited = false };
    static const struct {
        uint16_t property;
        bool is_inherited;
    } list[] = {
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) {SVG_##id, inheritance},
#include "svg/tree/property.def"
    };
    const uint8_t form = value->declaration.form;
    size_t kept = 0;
    for (size_t i = 0; i < cascade->declarations.count; i++)
        if (is_spared(cascade->declarations.items[i].property))
            cascade->declarations.items[kept++] = cascade->declarations.items[i];
    cascade->declarations.count = kept;
    for (size_t i = 0; i < sizeof list / sizeof list[0] && form != SVG_FORM_KEYWORD; i++) {
        const svg_declaration declaration = {.property = list[i].property, .form = form};
        const bool other = list[i].is_inherited == (form == SVG_FORM_INITIAL) || list[i].property == SVG_OVERFLOW;
        if (other && !is_spared(list[i].property) && !svg_cascade_add(cascade, &declaration))
            return false;
    }
    return true;
}

static bool apply_all(svg_document *document, uint32_t node, const svg_property_value *value, svg_cascade *cascade)
{
    static const uint16_t attributes[] = {
#define NODE_PROPERTY(id, name, kind, reader, state, note) SVG_##id,
#define GEOMETRY(id, name, elements, automatic, negative) SVG_##id,
#include "svg/tree/property.def"
    };
    const svg_wide wide = value->declaration.form == SVG_FORM_INHERIT ? SVG_WIDE_INHERIT : SVG_WIDE_RESET;
    const size_t count = sizeof attributes / sizeof attributes[0];
    svg_budget_spend(document->budget, SVG_STEP_declaration, count);
    for (size_t i = 0; i < count; i++) {
        drop_deferred(document, node, attributes[i]);
        if (!apply_wide(document, node, (svg_name)attributes[i], wide))
            return false;
    }
    return apply_all_declarations(value, cascade);
}

bool svg_property_apply(svg_document *document, uint32_t node, const svg_property_value *value, svg_cascade *cascade)
{
    uint64_t moved = cascade->moved;
    if (value->declaration.property == SVG_ALL) {
        bool good = apply_all(document, node, value, cascade);
        svg_budget_spend(document->budget, SVG_STEP_moved_declaration, cascade->moved - moved);
        return good;
    }
    if (value->attribute) {
        drop_deferred(document, node, value->declaration.property);
        return value->deferred ? defer(document, node, value) : svg_property_apply_attribute(document, node, value);
    }
    svg_declaration declaration = value->declaration;
    declaration.important = 0;
    bool good = svg_cascade_add(cascade, &declaration);
    svg_budget_spend(document->budget, SVG_STEP_moved_declaration, cascade->moved - moved);
    return good;
}
