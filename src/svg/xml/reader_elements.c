/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns start tags, end tags and characters into nodes and style sheets. */
#include <string.h>

#include "base/error.h"
#include "svg/xml/reader_state.h"

#define XHTML_NAMESPACE "http://www.w3.org/1999/xhtml"
#define DEFAULT_COST 256u /* cost in bytes of text of an attribute that the DTD supplies */

static void add_set(svg_reader *reader)
{
    svg_node *node = array_last(&reader->document->nodes);
    for (size_t i = 0; i < reader->cascade.declarations.count; i++)
        reader->cascade.declarations.items[i].important = 0;
    if (!svg_document_add_set(reader->document, reader->cascade.declarations.items, reader->cascade.declarations.count,
                              &node->declarations))
        reader_fail_memory(reader);
    reader->cascade.declarations.count = 0;
}

/* The name of an element. */
typedef struct element_name {
    svg_qualified name;
    text space; /* address of its name space; empty: it has none */
} element_name;

static svg_name find_element(svg_reader *reader, const element_name *name)
{
    const text local = name->name.local, prefix = name->name.prefix, space = name->space;
    /* A document without any name space, or with an undeclared prefix `svg`, is read as SVG. */
    bool svg = space.count ? text_equal(space, TEXT(SVG_NAMESPACE)) : !prefix.count || text_equal(prefix, TEXT("svg"));
    if (text_equal(space, TEXT(XHTML_NAMESPACE)) && text_equal(local, TEXT("style")))
        return SVG_STYLE; /* HTML's style applies to documents of any kind */
    if (!svg)
        return SVG_FOREIGN;
    svg_name found = reader_find_name(reader, local);
    if (found == SVG_UNKNOWN || found == SVG_STYLE || found == SVG_FILTER || found == SVG_MARKER || found == SVG_MASK)
        return found; /* the last four are also names of properties or attributes */
    return svg_name_kind(found) == SVG_KIND_ELEMENT ? found : SVG_UNKNOWN;
}

static void warn_of_element(svg_reader *reader, svg_name element, text local)
{
    if (element == SVG_UNKNOWN)
        svg_warn(reader->warnings, reader_line(reader), "<%.*s> is not known and left out", TEXT_PRINT(local));
    else if (element == SVG_SCRIPT)
        svg_warn(reader->warnings, reader_line(reader), "scripts are not run");
}

/* Lists the attributes that the parser reports, and those that were lifted out of the tag. False: reading failed. */
static bool list_attributes(svg_reader *reader, const XML_Char **parsed)
{
    const svg_lifted_tag *tag = NULL;
    reader->attributes.count = 0;
    reader->lifted = NULL;
    if (reader->next_lifted < reader->lifted_attributes->tags.count) {
        const size_t begin = (size_t)XML_GetCurrentByteIndex(reader->parser),
                     count = (size_t)XML_GetCurrentByteCount(reader->parser);
        if (!svg_lifted_next(reader->lifted_attributes, begin, begin + count, &reader->next_lifted, &tag))
            reader_fail(reader, PIETRA_ERROR_INPUT, "malformed XML: attributes stand outside of tags");
    }
    reader_attribute attribute, *added = NULL;
    for (; parsed[0] && reader->result == PIETRA_OK; parsed += 2) {
        added = array_push(&reader->attributes);
        if (added)
            *added = (reader_attribute){reader_text(parsed[0]), reader_text(parsed[1])};
        else
            reader_fail_memory(reader);
    }
    reader->defaulted = reader->attributes.count - (size_t)XML_GetSpecifiedAttributeCount(reader->parser) / 2;
    text rest = tag ? tag->attributes : TEXT("");
    while (reader->result == PIETRA_OK && svg_lifted_attribute(&rest, &attribute.name, &attribute.value)) {
        added = array_push(&reader->attributes);
        if (added)
            *added = attribute;
        else
            reader_fail_memory(reader);
    }
    if (tag && tag->value != SVG_LIFTED_NO_VALUE) {
        reader->lifted = &reader->lifted_attributes->values.items[tag->value];
        svg_lifted_reach(reader->lifted_attributes, tag->value);
    }
    return reader->result == PIETRA_OK;
}

/* Returns false if a limit is exceeded; reading has failed then. */
static bool check_limits(svg_reader *reader)
{
    svg_budget *budget = reader->document->budget;
    if (reader->document->nodes.count >= SVG_NO_NODE || !svg_budget_take(budget, SVG_LIMIT_elements, 1))
        reader_fail_limit(reader, budget->is_refused ? budget->refused : SVG_LIMIT_elements);
    else if (reader->depth >= budget->most[SVG_LIMIT_depth])
        reader_fail_limit(reader, SVG_LIMIT_depth);
    else if (reader->attributes.count > budget->most[SVG_LIMIT_attributes])
        reader_fail_limit(reader, SVG_LIMIT_attributes);
    else if (!svg_budget_take(budget, SVG_LIMIT_entity_bytes, reader->defaulted * (uint64_t)DEFAULT_COST))
        reader_fail_limit(reader, budget->refused);
    return reader->result == PIETRA_OK;
}

/* Takes the tag's declarations of name spaces. False: reading failed. */
static bool declare_namespaces(svg_reader *reader)
{
    uint32_t node = (uint32_t)reader->document->nodes.count;
    for (size_t i = 0; i < reader->attributes.count; i++) {
        const reader_attribute *attribute = &reader->attributes.items[i];
        if (svg_qualified_declares(attribute->name) &&
            !svg_namespaces_declare(&reader->namespaces, node, svg_qualified_split(attribute->name), attribute->value))
            reader_fail_memory(reader);
    }
    if (reader->namespaces.changes.count > reader->document->budget->most[SVG_LIMIT_namespaces])
        reader_fail_limit(reader, SVG_LIMIT_namespaces);
    return reader->result == PIETRA_OK;
}

static void fail_root(svg_reader *reader, const element_name *name)
{
    const text prefix = name->name.prefix, local = name->name.local;
    bool named_svg = text_equal(local, TEXT("svg"));
    if (named_svg && name->space.count)
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, reader_line(reader),
                                   "the root element <svg> is of the name space %.*s, not of SVG's, " SVG_NAMESPACE,
                                   TEXT_PRINT(name->space));
    else if (named_svg)
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, reader_line(reader),
                                   "the root element is <%.*s:svg>, whose prefix is not declared", TEXT_PRINT(prefix));
    else
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, reader_line(reader),
                                   "the root element is <%.*s>, not <svg>", TEXT_PRINT(local));
}

/* Adds a node for an element. False: reading failed. */
static bool add_node(svg_reader *reader, svg_name element, const element_name *name)
{
    svg_document *document = reader->document;
    if (document->nodes.count == reader->first_node && element != SVG_SVG) {
        fail_root(reader, name);
        return false;
    }
    svg_node *node = array_push(&document->nodes);
    if (!node) {
        reader_fail_memory(reader);
        return false;
    }
    *node = (svg_node){
        .parent = reader->current,
        .line = reader_line(reader),
        .path = SVG_NO_PATH,
        .attribute_begin = (uint32_t)document->attributes.count,
        .element = (uint16_t)element,
    };
    reader->current = (uint32_t)document->nodes.count - 1;
    reader->depth++;
    if (element == SVG_TEXT && reader->text == SVG_NO_NODE) {
        reader->text = reader->current;
        reader_handle_characters(reader, true);
    }
    const text foreign = element == SVG_FOREIGN ? name->space : TEXT("");
    if (reader->style && !css_style_add_element(reader->style, document, name->name.local, foreign))
        reader_fail_memory(reader);
    warn_of_element(reader, element, name->name.local);
    return true;
}

/* Takes a start tag. False: reading failed or has ended. */
static bool take_tag(svg_reader *reader, const XML_Char *tag, const XML_Char **parsed)
{
    element_name name = {svg_qualified_split(reader_text(tag)), TEXT("")};
    if (reader->result != PIETRA_OK || !list_attributes(reader, parsed))
        return false;
    if (!check_limits(reader) || !declare_namespaces(reader))
        return false;
    if (!svg_namespaces_find(&reader->namespaces, name.name.prefix, &name.space))
        reader_fail_memory(reader);
    svg_name element = find_element(reader, &name);
    if (reader->result != PIETRA_OK || !add_node(reader, element, &name))
        return false;
    reader_add_attributes(reader);
    add_set(reader);
    const svg_budget *budget = reader->document->budget;
    if (budget->is_exceeded)
        reader_fail_limit(reader, budget->exceeded);
    if (element == SVG_STYLE && reader_is_sheet(reader)) {
        reader->sheet = reader->current;
        reader->style_met = true;
        if (!reader->style)
            return false;
    }
    return reader->result == PIETRA_OK;
}

static void XMLCALL start_element(void *user, const XML_Char *tag, const XML_Char **attributes)
{
    svg_reader *reader = user;
    if (!take_tag(reader, tag, attributes))
        XML_StopParser(reader->parser, XML_FALSE);
}

static void XMLCALL end_element(void *user, const XML_Char *tag)
{
    (void)tag;
    svg_reader *reader = user;
    if (reader->result != PIETRA_OK || reader->current == SVG_NO_NODE)
        return;
    svg_node *node = &reader->document->nodes.items[reader->current];
    node->end = (uint32_t)reader->document->nodes.count;
    svg_namespaces_end(&reader->namespaces, reader->current);
    if (reader->sheet == reader->current) {
        reader->sheet = SVG_NO_NODE;
        if (reader->style &&
            !css_style_end_sheet(reader->style, node->line, (css_origin){.base = reader->options->folder}))
            reader_fail_memory(reader);
    }
    if (reader->text == reader->current) {
        reader->text = SVG_NO_NODE;
        reader_handle_characters(reader, false);
    }
    reader->current = node->parent;
    reader->depth--;
}

void reader_handle_elements(svg_reader *reader)
{
    XML_SetElementHandler(reader->parser, start_element, end_element);
}
