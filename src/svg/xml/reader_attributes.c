/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns the attributes of a start tag into what the document keeps of them. */
#include "svg/style/left_out.h"
#include "svg/style/property.h"
#include "svg/xml/reader_state.h"
#include "svg/style/variable.h"

#define XLINK_NAMESPACE "http://www.w3.org/1999/xlink"

svg_name reader_find_name(svg_reader *reader, text name)
{
    if (!name.count)
        return SVG_UNKNOWN;
    uint32_t hash = (uint32_t)name.count * 37 + (uint8_t)name.bytes[0] * 5 + (uint8_t)name.bytes[name.count - 1] * 11;
    uint16_t *found = &reader->names[hash % READER_NAME_CACHE_SIZE];
    if (*found == SVG_UNKNOWN || !text_equal(svg_name_text((svg_name)*found), name))
        *found = (uint16_t)svg_name_find(name);
    return (svg_name)*found;
}

static svg_attribute *add_attribute(svg_reader *reader, svg_name name)
{
    svg_document *document = reader->document;
    svg_node *node = array_last(&document->nodes);
    for (size_t i = node->attribute_begin; i < document->attributes.count; i++)
        if (document->attributes.items[i].name == name)
            return &document->attributes.items[i];
    svg_attribute *added = array_push(&document->attributes);
    if (!added) {
        reader_fail_memory(reader);
        return NULL;
    }
    *added = (svg_attribute){.name = (uint16_t)name};
    node->attribute_count++;
    return added;
}

static void add_text(svg_reader *reader, svg_name name, text value)
{
    char *copy = arena_copy(&reader->document->arena, value.bytes, value.count);
    svg_attribute *attribute = add_attribute(reader, name);
    if (!copy)
        reader_fail_memory(reader);
    if (!copy || !attribute)
        return;
    attribute->bytes = copy;
    attribute->count = (uint32_t)value.count;
    if (name == SVG_ID && !svg_document_add_id(reader->document, value, (uint32_t)reader->document->nodes.count - 1))
        reader_fail_memory(reader);
}

static void add_length(svg_reader *reader, svg_name name, text value)
{
    svg_length length;
    if (!svg_length_parse_any(value, &reader->document->units, &length))
        return;
    svg_attribute *attribute = add_attribute(reader, name);
    if (!attribute)
        return;
    attribute->number = length.number;
    attribute->unit = (uint8_t)length.unit;
}

static void add_transform(svg_reader *reader, svg_name name, text value)
{
    pietra_transform transform;
    if (!svg_transform_parse(value, false, reader->document->units.dpi, NULL, &transform))
        return;
    pietra_transform *added = array_push(&reader->document->transforms);
    svg_attribute *attribute = add_attribute(reader, name);
    if (!added)
        reader_fail_memory(reader);
    if (!added || !attribute)
        return;
    *added = transform;
    attribute->transform = (uint32_t)(reader->document->transforms.count - 1);
}

/* `lifted` stands for a value that was lifted. If it is NULL, the value was read as XML. */
static void add_path(svg_reader *reader, svg_name name, text value, svg_lifted_path *lifted)
{
    svg_node *node = array_last(&reader->document->nodes);
    bool data = node->element == SVG_PATH || node->element == SVG_TEXT_PATH;
    svg_path_syntax syntax = data ? SVG_PATH_DATA : node->element == SVG_POLYGON ? SVG_PATH_POLYGON : SVG_PATH_POLYLINE;
    bool matches = name == SVG_D ? data : node->element == SVG_POLYGON || node->element == SVG_POLYLINE;
    if (lifted)
        lifted->node = matches ? (uint32_t)reader->document->nodes.count - 1 : SVG_NO_NODE;
    else if (matches && !svg_path_pool_add(&reader->document->paths, value, syntax, &node->path))
        reader_fail_memory(reader);
}

/* Returns where warnings of the newest element go: nowhere if its name space is not SVG's. */
static svg_warnings *warnings_of(const svg_reader *reader, svg_warnings *silent)
{
    return array_last(&reader->document->nodes)->element == SVG_FOREIGN ? silent : reader->warnings;
}

/* Adds the declaration of a presentation attribute. */
static void add_property(svg_reader *reader, svg_name name, text value)
{
    svg_warnings silent = {0};
    svg_left_out_warn(warnings_of(reader, &silent), array_last(&reader->document->nodes)->line, name, text_trim(value));
    svg_declaration declaration;
    svg_budget_spend(reader->document->budget, SVG_STEP_declaration, 1);
    svg_parsed parsed = svg_declaration_parse(reader->document, name, value, &declaration);
    if (parsed == SVG_PARSED_OUT_OF_MEMORY ||
        (parsed == SVG_PARSED_GOOD && !svg_cascade_add(&reader->cascade, &declaration)))
        reader_fail_memory(reader);
}

static bool collect_declaration(void *user, text name, text value, bool important)
{
    svg_reader *reader = user;
    const svg_node *node = array_last(&reader->document->nodes);
    svg_warnings silent = {0};
    return svg_property_collect(reader->document, warnings_of(reader, &silent), node->line, name, value, important,
                                &reader->own);
}

/* Applies a style attribute, in a document without style sheets. Important declarations come last. */
static bool apply_style(svg_reader *reader, text style)
{
    uint32_t node = (uint32_t)reader->document->nodes.count - 1;
    reader->own.count = 0;
    bool good = svg_declaration_list_walk(style, collect_declaration, reader);
    for (uint32_t important = 0; important < 2 && good; important++)
        for (size_t i = 0; i < reader->own.count && good; i++)
            if (reader->own.items[i].declaration.important == important)
                good = svg_property_apply(reader->document, node, &reader->own.items[i], &reader->cascade);
    return good;
}

/* Returns SVG_UNKNOWN for an attribute that is not used. */
static svg_name find_attribute(svg_reader *reader, svg_qualified name)
{
    text space;
    if (!name.prefix.count)
        return reader_find_name(reader, name.local);
    if (text_equal(name.prefix, TEXT("xml")))
        return text_equal(name.local, TEXT("lang"))    ? SVG_XML_LANG
               : text_equal(name.local, TEXT("space")) ? SVG_XML_SPACE
                                                       : SVG_UNKNOWN;
    if (!text_equal(name.local, TEXT("href")))
        return SVG_UNKNOWN;
    if (!svg_namespaces_find(&reader->namespaces, name.prefix, &space)) {
        reader_fail_memory(reader);
        return SVG_UNKNOWN;
    }
    /* An undeclared prefix has no name space, but `xlink` has its usual one. */
    bool xlink = space.count ? text_equal(space, TEXT(XLINK_NAMESPACE)) : text_equal(name.prefix, TEXT("xlink"));
    return xlink ? SVG_XLINK_HREF : SVG_UNKNOWN;
}

static void note_attribute(svg_reader *reader, svg_qualified qualified, svg_name name, text value)
{
    if (!css_style_add_attribute(reader->style, qualified.local, qualified.prefix.count > 0, value) ||
        ((name == SVG_LANG || name == SVG_XML_LANG) &&
         !css_style_set_language(reader->style, value, name == SVG_XML_LANG)))
        reader_fail_memory(reader);
}

/* Declarations of a style attribute override presentation attributes, so they come after all of these. With style
 * sheets, they wait until the rules are known. */
static void add_style(svg_reader *reader, text style)
{
    if (reader->style ? !css_style_add_declarations(reader->style, style) : !apply_style(reader, style))
        reader_fail_memory(reader);
}

/* Takes an attribute that its element reads otherwise than its name says. False: it is none of these. */
static bool add_of_element(svg_reader *reader, svg_name name, text value)
{
    const uint16_t element = array_last(&reader->document->nodes)->element;
    switch (name) {
    case SVG_LANG:
    case SVG_XML_LANG:
        add_property(reader, SVG_LANGUAGE, value);
        return true;
    case SVG_XML_SPACE:
        add_property(reader, SVG_WHITE_SPACE,
                     text_equal(text_trim(value), TEXT("preserve")) ? TEXT("preserve-spaces") : TEXT("normal"));
        return true;
    case SVG_X:
    case SVG_Y:
        if (svg_is_text_content(element))
            add_text(reader, name, value);
        return svg_is_text_content(element);
    case SVG_ROTATE:
        if (svg_is_text_content(element))
            add_text(reader, SVG_ROTATE_LIST, value);
        return true;
    case SVG_SCALE:
        if (element == SVG_FE_DISPLACEMENT_MAP)
            add_text(reader, SVG_SCALE_NUMBER, value);
        return true;
    case SVG_PATH:
        if (element == SVG_TEXT_PATH)
            add_path(reader, SVG_D, value, NULL);
        return true;
    default:
        return false;
    }
}

/* Returns whether what an element takes from elsewhere can be in this document alone. */
static bool takes_from_document(uint16_t element)
{
    return element == SVG_LINEAR_GRADIENT || element == SVG_RADIAL_GRADIENT || element == SVG_PATTERN ||
           element == SVG_TEXT_PATH || element == SVG_TREF || element == SVG_FILTER;
}

static void warn_of_attribute(svg_reader *reader, text attribute, svg_name name, text value)
{
    const svg_node *node = array_last(&reader->document->nodes);
    const text trimmed = text_trim(value);
    if (node->element == SVG_FOREIGN || trimmed.count == 0)
        return;
    if (name == SVG_HREF || name == SVG_XLINK_HREF) {
        if (takes_from_document(node->element) && trimmed.bytes[0] != '#')
            svg_warn(reader->warnings, node->line, "what <%.*s> takes from another file is left out",
                     TEXT_PRINT(svg_name_text((svg_name)node->element)));
    } else if (text_equal(attribute, TEXT("onload"))) {
        svg_warn(reader->warnings, node->line, "scripts are not run");
    } else if (text_equal(attribute, TEXT("xml:base"))) {
        svg_warn(reader->warnings, node->line, "xml:base is left out");
    } else if (node->element == SVG_TEXT_PATH && text_equal(attribute, TEXT("method"))) {
        if (text_equal(trimmed, TEXT("stretch")))
            svg_warn(reader->warnings, node->line, "method=\"stretch\" of <textPath> is left out");
    } else if (name == SVG_UNKNOWN) {
        svg_left_out_warn_of_unknown(reader->warnings, node->line, attribute, trimmed, true);
    }
}

void reader_add_attributes(svg_reader *reader)
{
    text style = TEXT("");
    for (size_t i = 0; i < reader->attributes.count && reader->result == PIETRA_OK; i++) {
        const text value = reader->attributes.items[i].value;
        if (svg_qualified_declares(reader->attributes.items[i].name))
            continue;
        svg_qualified qualified = svg_qualified_split(reader->attributes.items[i].name);
        svg_name name = find_attribute(reader, qualified);
        if (reader->style)
            note_attribute(reader, qualified, name, value);
        if (name == SVG_UNKNOWN || name == SVG_HREF || name == SVG_XLINK_HREF)
            warn_of_attribute(reader, reader->attributes.items[i].name, name, value);
        if (name == SVG_UNKNOWN || add_of_element(reader, name, value))
            continue;
        switch (svg_name_kind(name)) {
        case SVG_KIND_ELEMENT:
        case SVG_KIND_CSS:
            break;
        case SVG_KIND_TEXT:
            add_text(reader, name, value);
            break;
        case SVG_KIND_LENGTH:
            add_length(reader, name, value);
            break;
        case SVG_KIND_TRANSFORM:
            add_transform(reader, name, value);
            break;
        case SVG_KIND_PATH:
            add_path(reader, name, value,
                     reader->lifted && reader->lifted->value.bytes == value.bytes ? reader->lifted : NULL);
            break;
        case SVG_KIND_STYLE:
            style = value;
            break;
        case SVG_KIND_PROPERTY:
            add_property(reader, name, value);
            break;
        }
    }
    if (style.count && reader->result == PIETRA_OK)
        add_style(reader, style);
}
